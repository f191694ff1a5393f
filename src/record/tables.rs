//! `standings.csv` and `pairings.csv`, computed from the tally.

use std::path::Path;

use serde::Serialize;

use super::error::RecordError;
use super::rows::{PairingRow, StandingRow};
use super::tally::{PairingTally, Tally};
use crate::stats::{Estimate, Sample, Sprt};

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

/// A player's place in the final table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Index into the players of the tally.
    pub player: usize,
    /// Share of the points, 0 to 1, against everyone met.
    pub score: Estimate,
    pub elo: Estimate,
    /// Likelihood of being stronger than the field's mean, or than the one opponent.
    pub los: Option<f64>,
}

/// All players, best first. Between two players Elo is the difference, from pairs; among more it
/// is the rating by all their games, the field's mean being 0.
pub fn standings(tally: &Tally) -> Vec<Standing> {
    let players = tally.players();
    let ratings = if players.len() > 2 {
        tally.ratings()
    } else {
        None
    };
    let mut rows: Vec<(f64, Standing)> = players
        .iter()
        .enumerate()
        .map(|(index, player)| {
            let summary = player.summary();
            let (elo, los) = match &ratings {
                Some(ratings) => (ratings.players()[index].elo, ratings.los_over_mean(index)),
                None => (summary.elo, summary.los),
            };
            let standing = Standing {
                player: index,
                score: summary.score,
                elo,
                los,
            };
            let score = player.games.score().unwrap_or(0.5);
            (ratings.as_ref().and(elo.value).unwrap_or(score), standing)
        })
        .collect();
    // Equals keep the order of the config.
    rows.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    rows.into_iter().map(|(_, standing)| standing).collect()
}

/// The standings as one row a player.
pub fn standing_rows(tally: &Tally) -> Vec<StandingRow> {
    let ranked = standings(tally).into_iter().enumerate();
    ranked
        .map(|(index, standing)| {
            let player = &tally.players()[standing.player];
            StandingRow {
                rank: index + 1,
                player: player.name.clone(),
                games: player.games.games(),
                wins: player.games.wins,
                draws: player.games.draws,
                losses: player.games.losses,
                score: figure(player.games.score(), 4),
                elo: figure(standing.elo.value, 1),
                elo_low: figure(standing.elo.low, 1),
                elo_high: figure(standing.elo.high, 1),
                los: figure(standing.los, 4),
            }
        })
        .collect()
}

/// One row a pairing, in the order of the schedule. `sprt` fills the last column.
pub fn pairing_rows(tally: &Tally, sprt: Option<&Sprt>) -> Vec<PairingRow> {
    let name = |index: usize| tally.players()[index].name.clone();
    let row = |pairing: &PairingTally| {
        let (games, pairs) = (&pairing.games, &pairing.pairs);
        let summary = pairing.summary();
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
            elo: figure(summary.elo.value, 1),
            elo_low: figure(summary.elo.low, 1),
            elo_high: figure(summary.elo.high, 1),
            nelo: figure(summary.nelo.value, 1),
            los: figure(summary.los, 4),
            llr: figure(sprt.map(|sprt| sprt.llr(pairs)), 2),
        }
    };
    tally.pairings().iter().map(row).collect()
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
