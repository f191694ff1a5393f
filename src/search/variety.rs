//! Random choice among root moves: the same key and position give the same choice.

use super::searcher::Searcher;
use super::{INFINITY, Score};
use crate::eval::STEPS;
use crate::games::Game;

/// Moves this many temperatures below the best are practically never chosen (1 in 22,000).
const NEGLIGIBLE: i32 = 10;

impl<G: Game> Searcher<G> {
    /// Root moves within this distance of the best need an exact score.
    pub(super) fn spread(&self) -> Score {
        let options = &self.options;
        options
            .root_margin
            .max(options.temperature.saturating_mul(NEGLIGIBLE))
            .saturating_mul(STEPS)
            // Plus one, so that a later move with an equal score is exact too.
            .saturating_add(Score::from(self.wants_variety()))
    }

    pub(super) fn wants_variety(&self) -> bool {
        self.options.root_margin > 0 || self.options.temperature > 0
    }

    /// The index of the chosen root move.
    pub(super) fn choose_root_move(&self, root: &G, plies_before: usize) -> usize {
        let options = &self.options;
        if !self.wants_variety() && options.blunder_rate == 0 {
            return 0;
        }
        let mut random =
            RandomStream::new(self.key ^ root.hash().rotate_left(17) ^ plies_before as u64);
        if random.below(100) < options.blunder_rate as u64 {
            return random.below(self.root_moves.len() as u64) as usize;
        }
        let best = self.root_moves[0].score;
        let margin = self.spread();
        let near = |score: Score| score > -INFINITY && best - score < margin;
        let weight = |score: Score| {
            if !near(score) {
                return 0.0;
            }
            let behind = f64::from(best - score) / f64::from(STEPS);
            match options.temperature {
                0 => 1.0,
                temperature => (-behind / f64::from(temperature)).exp(),
            }
        };
        if !self.wants_variety() || best == -INFINITY {
            return 0;
        }
        let total: f64 = self
            .root_moves
            .iter()
            .map(|entry| weight(entry.score))
            .sum();
        let mut left = random.unit() * total;
        for (place, entry) in self.root_moves.iter().enumerate() {
            left -= weight(entry.score);
            if left < 0.0 {
                return place;
            }
        }
        0
    }
}

/// A short stream of random numbers, seeded by a key.
struct RandomStream(u64);

impl RandomStream {
    fn new(key: u64) -> RandomStream {
        RandomStream(key)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// From 0 up to, not including, 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
