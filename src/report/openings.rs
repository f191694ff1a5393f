//! The results of one player by opening. A second pass over the games: the player is known only after
//! the first.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::data::Source;
use crate::record::RecordError;

/// Points of a player from one opening, in halves, and games, with white and with black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningScores {
    pub white_halves: u64,
    pub white_games: u64,
    pub black_halves: u64,
    pub black_games: u64,
}

impl OpeningScores {
    /// Shares of the points with white and with black; `None` unless both colours were played.
    pub fn shares(&self) -> Option<(f64, f64)> {
        let share =
            |halves: u64, games: u64| (games > 0).then(|| halves as f64 / 2.0 / games as f64);
        Some((
            share(self.white_halves, self.white_games)?,
            share(self.black_halves, self.black_games)?,
        ))
    }
}

/// The results of `player` by opening, in order of first occurrence.
pub fn read(sources: &[Source], player: &str) -> Result<Vec<OpeningScores>, RecordError> {
    // Keyed by a hash of the opening's text: tens of thousands of texts would use too much memory.
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut scores: Vec<OpeningScores> = Vec::new();
    for source in sources {
        source.read_games(|row| {
            let as_white = row.white == player;
            if row.opening.is_empty() || !(as_white || row.black == player) {
                return Ok(());
            }
            let next = scores.len();
            let mut key = DefaultHasher::new();
            row.opening.hash(&mut key);
            let place = *places.entry(key.finish()).or_insert(next);
            if place == next {
                scores.push(OpeningScores::default());
            }
            let halves_for_white = row.result_for_white().half_points();
            let score = &mut scores[place];
            if as_white {
                score.white_halves += halves_for_white;
                score.white_games += 1;
            } else {
                score.black_halves += 2 - halves_for_white;
                score.black_games += 1;
            }
            Ok(())
        })?;
    }
    Ok(scores)
}
