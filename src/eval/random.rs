//! The random evaluator: the baseline that every other should beat.

use super::{Evaluator, STEPS, Score};
use crate::games::{Game, Side};

/// A score between -100 and 100 units that depends only on the position and the key.
pub struct Random {
    key: u64,
}

impl Random {
    pub fn new(key: u64) -> Random {
        Random { key }
    }

    pub fn white_view<G: Game>(&self, position: &G) -> Score {
        self.mover_view(position) * position.side_to_move().sign()
    }

    fn mover_view<G: Game>(&self, position: &G) -> Score {
        // Hashes the position as the mover sees it, so that flipping colours negates the score
        // from white's view, as for every other evaluator.
        let seen = match position.side_to_move() {
            Side::White => position.hash(),
            Side::Black => position.colour_flipped().hash(),
        };
        let spread = 100 * STEPS;
        (mix(seen ^ self.key) % (2 * spread as u64 + 1)) as Score - spread
    }
}

impl<G: Game> Evaluator<G> for Random {
    fn evaluate(&mut self, position: &G) -> Score {
        self.mover_view(position)
    }

    fn reseed(&mut self, key: u64) {
        self.key = key;
    }
}

/// Spreads a 64-bit value over all its bits (the finaliser of splitmix64).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
