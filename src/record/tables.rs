//! `standings.csv` and `pairings.csv`, computed from the tally.

use std::path::Path;

use serde::Serialize;

use super::journal::RecordError;
use super::rows::{PairingRow, StandingRow};
use super::tally::Tally;
use crate::stats::{Estimate, Pentanomial, Sample, Sprt, Wdl};

/// The interval from pairs where every game belongs to one, otherwise from single games.
fn elo(pairs: &Pentanomial, games: &Wdl) -> Estimate {
    if complete(pairs, games) {
        pairs.elo()
    } else {
        games.elo()
    }
}

fn complete(pairs: &Pentanomial, games: &Wdl) -> bool {
    pairs.pairs() > 0 && pairs.games() == games.games()
}

fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(String::new, |value| {
        let text = format!("{value:.digits$}");
        // Minus nothing is nothing.
        if text.trim_start_matches(['-', '0', '.']).is_empty() {
            text.trim_start_matches('-').to_string()
        } else {
            text
        }
    })
}

/// One row a player, best score first; equal scores in the order of the config.
pub fn standing_rows(tally: &Tally) -> Vec<StandingRow> {
    let mut players: Vec<_> = tally.players().iter().collect();
    let score = |games: &Wdl| games.score().unwrap_or(0.5);
    players.sort_by(|a, b| score(&b.games).total_cmp(&score(&a.games)));
    players
        .into_iter()
        .enumerate()
        .map(|(index, player)| {
            let elo = elo(&player.pairs, &player.games);
            let los = if complete(&player.pairs, &player.games) {
                player.pairs.los()
            } else {
                player.games.los()
            };
            StandingRow {
                rank: index + 1,
                player: player.name.clone(),
                games: player.games.games(),
                wins: player.games.wins,
                draws: player.games.draws,
                losses: player.games.losses,
                score: figure(player.games.score(), 4),
                elo: figure(elo.value, 1),
                elo_low: figure(elo.low, 1),
                elo_high: figure(elo.high, 1),
                los: figure(los, 4),
            }
        })
        .collect()
}

/// One row a pairing, in the order of the schedule. `sprt` fills the last column.
pub fn pairing_rows(tally: &Tally, sprt: Option<&Sprt>) -> Vec<PairingRow> {
    let name = |index: usize| tally.players()[index].name.clone();
    tally
        .pairings()
        .iter()
        .map(|pairing| {
            let (games, pairs) = (&pairing.games, &pairing.pairs);
            let by_pairs = complete(pairs, games);
            let elo = elo(pairs, games);
            let nelo = if by_pairs { pairs.nelo() } else { games.nelo() };
            let los = if by_pairs { pairs.los() } else { games.los() };
            PairingRow {
                player: name(pairing.first),
                opponent: name(pairing.second),
                games: games.games(),
                wins: games.wins,
                draws: games.draws,
                losses: games.losses,
                ll: pairs.ll,
                ld: pairs.ld,
                dd_wl: pairs.dd_wl,
                wd: pairs.wd,
                ww: pairs.ww,
                score: figure(games.score(), 4),
                elo: figure(elo.value, 1),
                elo_low: figure(elo.low, 1),
                elo_high: figure(elo.high, 1),
                nelo: figure(nelo.value, 1),
                los: figure(los, 4),
                llr: figure(sprt.map(|sprt| sprt.llr(pairs)), 2),
            }
        })
        .collect()
}

/// Writes a table beside its final place and moves it there, so that no reader sees half of it.
pub fn write_rows<T: Serialize>(path: &Path, rows: &[T]) -> Result<(), RecordError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .serialize(row)
            .map_err(|error| RecordError::csv(path, &error))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| RecordError::io(path, error.error()))?;
    super::journal::replace_file(path, &bytes)
}
