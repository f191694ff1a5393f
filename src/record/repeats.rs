//! Games that occur more than once: within a run they carry no further information, and the same games
//! given twice must not count twice. Memory: some bytes per game.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use super::error::RecordError;
use super::rows::GameRow;

/// What identifies a game: its players, opening and moves. `None` without moves: then nothing tells
/// two games apart.
fn identity(row: &GameRow) -> Option<u64> {
    if row.moves.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (&row.white, &row.black, &row.opening, &row.moves).hash(&mut hasher);
    Some(hasher.finish())
}

/// Counts games and openings, and how many of them differ.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    games: u64,
    seen: HashMap<u64, u32>,
    unknown: u64,
    openings: HashSet<u64>,
}

impl Repeats {
    pub fn push(&mut self, row: &GameRow) {
        self.games += 1;
        match identity(row) {
            Some(game) => *self.seen.entry(game).or_insert(0) += 1,
            None => self.unknown += 1,
        }
        let mut hasher = DefaultHasher::new();
        row.opening.hash(&mut hasher);
        self.openings.insert(hasher.finish());
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Different openings; the usual start counts as one.
    pub fn distinct_openings(&self) -> u64 {
        self.openings.len() as u64
    }

    /// Different games by players, opening and moves.
    pub fn distinct_games(&self) -> u64 {
        self.seen.len() as u64 + self.unknown
    }

    /// Independent games that would tell as much (L. Kish, "Survey Sampling", 1965): the squared sum
    /// of how often each game occurs over the sum of squares.
    pub fn effective_games(&self) -> f64 {
        let squares: f64 = self
            .seen
            .values()
            .map(|count| f64::from(*count).powi(2))
            .sum();
        let squares = squares + self.unknown as f64;
        match squares > 0.0 {
            true => (self.games as f64).powi(2) / squares,
            false => 0.0,
        }
    }

    pub fn repeated(&self) -> u64 {
        self.games - self.distinct_games()
    }

    /// One line for the terminal; blank without games.
    pub fn text(&self) -> String {
        if self.games == 0 {
            return String::new();
        }
        let mut text = format!(
            "{} games, {} distinct; {} distinct openings",
            self.games,
            self.distinct_games(),
            self.distinct_openings()
        );
        if self.repeated() > 0 {
            text.push_str(&format!(
                "; effective sample size {:.0} games: intervals are too narrow, repeats tell nothing new",
                self.effective_games()
            ));
        }
        text + "\n\n"
    }
}

/// Refuses files that are copies of each other: without moves nothing else tells that their games are
/// the same. Run directories are left to [`OncePerGame`].
pub fn refuse_copies(paths: &[PathBuf]) -> Result<(), RecordError> {
    let files: Vec<&PathBuf> = paths.iter().filter(|path| path.is_file()).collect();
    if files.len() < 2 {
        return Ok(());
    }
    let mut seen: HashMap<Vec<u8>, &PathBuf> = HashMap::new();
    for path in files {
        let bytes = std::fs::read(path).map_err(|error| RecordError::io(path, &error))?;
        if let Some(earlier) = seen.insert(bytes, path) {
            return Err(RecordError::Io {
                path: path.clone(),
                message: format!(
                    "contains the same games as {}; give each file once",
                    earlier.display()
                ),
            });
        }
    }
    Ok(())
}

/// Drops opening pairs, and single games, that an earlier source has shown already. Games that a
/// source repeats itself are kept: they were played.
#[derive(Debug, Default)]
pub struct OncePerGame {
    earlier: HashSet<u64>,
    current: HashSet<u64>,
    /// The first game of a pair, held until the second one is known.
    held: Option<GameRow>,
    dropped: u64,
}

impl OncePerGame {
    /// Takes a game and passes on those that are new.
    pub fn push<E>(
        &mut self,
        row: GameRow,
        mut pass: impl FnMut(GameRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(first) = self.held.take() else {
            self.held = Some(row);
            return Ok(());
        };
        if first.pair != row.pair {
            self.held = Some(row);
            return self.settle([Some(first), None], &mut pass);
        }
        self.settle([Some(first), Some(row)], &mut pass)
    }

    /// Ends a source; returns how many of its games were dropped.
    pub fn end<E>(&mut self, mut pass: impl FnMut(GameRow) -> Result<(), E>) -> Result<u64, E> {
        let held = self.held.take();
        self.settle([held, None], &mut pass)?;
        self.earlier.extend(self.current.drain());
        Ok(std::mem::take(&mut self.dropped))
    }

    fn settle<E>(
        &mut self,
        rows: [Option<GameRow>; 2],
        pass: &mut impl FnMut(GameRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut all_known = true;
        for row in rows.iter().flatten() {
            let game = identity(row);
            all_known &= game.is_some_and(|game| self.earlier.contains(&game));
            self.current.extend(game);
        }
        for row in rows.into_iter().flatten() {
            if all_known {
                self.dropped += 1;
            } else {
                pass(row)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameResult;

    fn row(pair: u64, white: &str, moves: &str) -> GameRow {
        GameRow {
            game: 1,
            pair,
            white: white.to_string(),
            black: "other".to_string(),
            opening: "start".to_string(),
            result: GameResult::WhiteWins,
            termination: String::new(),
            plies: 0,
            white_nodes: 0,
            black_nodes: 0,
            moves: moves.to_string(),
            first_mover: None,
            scores: String::new(),
            times: None,
            origin: None,
        }
    }

    #[test]
    fn repeats_shrink_the_effective_sample() {
        let mut repeats = Repeats::default();
        for moves in ["e2e4", "e2e4", "d2d4", "e2e4"] {
            repeats.push(&row(1, "a", moves));
        }
        assert_eq!(
            (repeats.distinct_games(), repeats.distinct_openings()),
            (2, 1)
        );
        assert!((repeats.effective_games() - 16.0 / 10.0).abs() < 1e-12);
        repeats.push(&row(2, "a", ""));
        repeats.push(&row(2, "a", ""));
        assert_eq!(
            repeats.distinct_games(),
            4,
            "without moves nothing is known"
        );
    }

    #[test]
    fn a_second_source_counts_only_its_new_pairs() {
        let mut once = OncePerGame::default();
        let mut passed = Vec::new();
        let mut pass = |row: GameRow| {
            passed.push(row.moves.clone());
            Ok::<(), ()>(())
        };
        for source in [vec!["a", "b", "a"], vec!["a", "b", "c"]] {
            for (index, moves) in source.into_iter().enumerate() {
                once.push(row(index as u64 / 2, "x", moves), &mut pass)
                    .unwrap();
            }
            once.end(&mut pass).unwrap();
        }
        assert_eq!(passed, ["a", "b", "a", "c"]);
    }
}
