//! The standings and pairings of a run as numbers. Computed once, and rendered by the terminal, CSV
//! files, Markdown and pages.

use std::cmp::Reverse;
use std::path::Path;

use super::error::RecordError;
use super::figures::{decimal_or_blank, interval};
use super::manifest::{Manifest, PlayerEntry, Setting};
use super::run_files::RunFiles;
use super::sheet::table;
use super::tally::{PairingTally, RunTally};
use crate::stats::{Estimate, Pentanomial, Ratings, Sample, Sprt, Summary, Wdl};

/// The standings of one or several runs.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Best first; players without games at the end.
    pub players: Vec<Standing>,
    /// In the order in which they were first played.
    pub pairings: Vec<PairingStanding>,
    /// Of all players together; `None` without games.
    pub ratings: Option<Ratings>,
    /// Keys that players were swept over.
    pub swept_keys: Vec<String>,
}

/// One player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1.
    pub rank: usize,
    /// Index into the players of the tally.
    pub player: usize,
    pub name: String,
    pub games: Wdl,
    /// Score, 0 to 1, against all opponents.
    pub score: Estimate,
    pub elo: Estimate,
    /// Likelihood of superiority over the field's mean, or over the only opponent.
    pub los: Option<f64>,
    /// For each of [`Standings::swept_keys`]: this player's value.
    pub swept: Vec<Option<Setting>>,
}

/// Results between two players, from the first one's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingStanding {
    pub player: String,
    pub opponent: String,
    pub games: Wdl,
    pub pairs: Pentanomial,
    pub summary: Summary,
    /// Of the sequential test, where there is one.
    pub llr: Option<f64>,
}

impl Standings {
    /// Between two players Elo is the difference, from pairs; among more it is the rating by all
    /// their games, the field's mean being 0. The manifests are those of the runs counted.
    pub fn of(tally: &RunTally, sprt: Option<&Sprt>, manifests: &[&Manifest]) -> Standings {
        let ratings = tally.ratings();
        let has_played = |player: &&super::PlayerTally| player.games.games() > 0;
        let field = tally.players().iter().filter(has_played).count();
        let rating = ratings.as_ref().filter(|_| field > 2);
        let mut swept_keys: Vec<String> = Vec::new();
        for key in manifests.iter().flat_map(|manifest| manifest.swept_keys()) {
            if !swept_keys.contains(&key) {
                swept_keys.push(key);
            }
        }
        let entry = |name: &str| manifests.iter().find_map(|manifest| manifest.player(name));
        let each = tally.players().iter().enumerate().map(|(index, player)| {
            let summary = player.summary();
            let (elo, los) = match rating {
                // A player without games may be beyond those that are rated.
                Some(ratings) => (
                    ratings
                        .players()
                        .get(index)
                        .map_or(Estimate::UNKNOWN, |rating| rating.elo),
                    ratings.los_over_mean(index),
                ),
                None => (summary.elo, summary.los),
            };
            Standing {
                rank: 0,
                player: index,
                name: player.name.clone(),
                games: player.games,
                score: summary.score,
                elo,
                los,
                swept: swept_values(&swept_keys, entry(&player.name)),
            }
        });
        let mut players: Vec<Standing> = each.collect();
        let strength = |standing: &Standing| {
            let score = || standing.games.score().unwrap_or(0.5);
            rating.and(standing.elo.value).unwrap_or_else(score)
        };
        // Equals keep the order of the config.
        players.sort_by(|a, b| {
            let played = |standing: &Standing| Reverse(standing.games.games() > 0);
            let by_strength = strength(b).total_cmp(&strength(a));
            played(a).cmp(&played(b)).then(by_strength)
        });
        for (index, standing) in players.iter_mut().enumerate() {
            standing.rank = index + 1;
        }
        let pairing = |pairing: &PairingTally| PairingStanding {
            player: tally.players()[pairing.first].name.clone(),
            opponent: tally.players()[pairing.second].name.clone(),
            games: pairing.games,
            pairs: pairing.pairs,
            summary: pairing.summary(),
            llr: sprt.map(|sprt| sprt.llr(&pairing.pairs)),
        };
        Standings {
            players,
            pairings: tally.pairings().iter().map(pairing).collect(),
            ratings,
            swept_keys,
        }
    }

    /// Players with games, best first.
    pub fn played(&self) -> &[Standing] {
        let count = self.players.iter().filter(|it| it.games.games() > 0);
        &self.players[..count.count()]
    }

    /// Writes `standings.csv` and `pairings.csv`.
    pub fn write(&self, files: &mut RunFiles) -> Result<(), RecordError> {
        for (name, bytes) in self.tables(files.directory())? {
            files.replace(name, &bytes)?;
        }
        Ok(())
    }

    /// The names and contents of the tables of a run directory.
    pub fn tables(&self, directory: &Path) -> Result<[(&'static str, Vec<u8>); 2], RecordError> {
        let mut header = STANDING_COLUMNS.map(str::to_string).to_vec();
        header.extend(self.swept_keys.iter().map(|key| format!("sweep.{key}")));
        let rows = self.players.iter().map(Standing::cells);
        let standings = table(&directory.join(STANDINGS), &header, rows)?;
        let rows = self.pairings.iter().map(PairingStanding::cells);
        let header = PAIRING_COLUMNS.map(str::to_string);
        let pairings = table(&directory.join(PAIRINGS), &header, rows)?;
        Ok([(STANDINGS, standings), (PAIRINGS, pairings)])
    }
}

fn swept_values(keys: &[String], player: Option<&PlayerEntry>) -> Vec<Option<Setting>> {
    let value = |key: &String| player?.swept_value(key).cloned();
    keys.iter().map(value).collect()
}

const STANDINGS: &str = "standings.csv";
const PAIRINGS: &str = "pairings.csv";

const STANDING_COLUMNS: [&str; 11] = [
    "rank", "player", "games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high",
    "los",
];

const PAIRING_COLUMNS: [&str; 18] = [
    "player", "opponent", "games", "wins", "draws", "losses", "ll", "ld", "dd_wl", "wd", "ww",
    "score", "elo", "elo_low", "elo_high", "nelo", "los", "llr",
];

/// Games, wins, draws, losses.
fn counts(games: &Wdl) -> [String; 4] {
    [games.games(), games.wins, games.draws, games.losses].map(|count| count.to_string())
}

/// Value and ends of the interval.
fn parts(elo: &Estimate) -> [String; 3] {
    [elo.value, elo.low, elo.high].map(|value| decimal_or_blank(value, 1))
}

impl Standing {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.rank.to_string(), self.name.clone()];
        cells.extend(counts(&self.games));
        cells.push(decimal_or_blank(self.games.score(), 4));
        cells.extend(parts(&self.elo));
        cells.push(decimal_or_blank(self.los, 4));
        let values = self.swept.iter();
        cells.extend(values.map(|value| value.as_ref().map_or(String::new(), Setting::to_string)));
        cells
    }

    /// The interval of Elo as text.
    pub fn interval(&self) -> String {
        interval(&self.elo)
    }
}

impl PairingStanding {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.player.clone(), self.opponent.clone()];
        cells.extend(counts(&self.games));
        cells.extend(self.pairs.to_array().map(|count| count.to_string()));
        cells.push(decimal_or_blank(self.games.score(), 4));
        cells.extend(parts(&self.summary.elo));
        cells.push(decimal_or_blank(self.summary.nelo.value, 1));
        cells.push(decimal_or_blank(self.summary.los, 4));
        cells.push(decimal_or_blank(self.llr, 2));
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameResult;
    use crate::record::GameRow;
    use crate::record::manifest::tests::sample;

    fn row(game: u64, white: &str, black: &str) -> GameRow {
        GameRow {
            times: None,
            game,
            pair: game.div_ceil(2),
            white: white.to_string(),
            black: black.to_string(),
            opening: String::new(),
            result: GameResult::WhiteWins,
            termination: String::new(),
            plies: 0,
            white_nodes: 0,
            black_nodes: 0,
            moves: String::new(),
            first_mover: None,
            scores: String::new(),
            origin: None,
        }
    }

    #[test]
    fn players_without_games_stand_at_the_end() {
        let names = ["a", "b", "c", "d", "e"];
        let games = [("b", "c"), ("c", "b"), ("b", "d"), ("d", "b")];
        for played in 0..=games.len() {
            let mut tally = RunTally::with_players(names);
            for (index, (white, black)) in games[..played].iter().enumerate() {
                tally.push(&row(index as u64 + 1, white, black));
            }
            let standings = Standings::of(&tally, None, &[]);
            let ranks: Vec<usize> = standings.players.iter().map(|it| it.rank).collect();
            assert_eq!(ranks, [1, 2, 3, 4, 5]);
            let expected = [0, 2, 2, 3, 3][played];
            assert_eq!(standings.played().len(), expected, "{played} games");
            let rest = &standings.players[expected..];
            assert!(rest.iter().all(|it| it.elo == Estimate::UNKNOWN));
        }
    }

    #[test]
    fn swept_values_are_columns_and_absent_where_nothing_is_swept() {
        let manifest = sample();
        let names: Vec<&str> = manifest.players.iter().map(|it| it.name.as_str()).collect();
        let mut tally = RunTally::with_players(names.iter().copied());
        tally.push(&row(1, names[0], names[1]));
        let folder = tempfile::tempdir().unwrap();
        let written = |standings: Standings| {
            let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
            standings.write(&mut files).unwrap();
            std::fs::read_to_string(folder.path().join("standings.csv")).unwrap()
        };
        let text = written(Standings::of(&tally, None, &[&manifest]));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("elo_high,los,sweep.depth"), "{text}");
        assert!(lines[1].starts_with("1,one,1,1,0,0,1.0000,"), "{text}");
        assert!(
            lines[1].ends_with(',') && lines[2].ends_with(",3"),
            "{text}"
        );
        let plain = written(Standings::of(&tally, None, &[]));
        assert!(plain.lines().next().unwrap().ends_with(",los"), "{plain}");
    }
}
