//! A fixed set of positions per game. Their node counts reveal changed behaviour.

use super::openings::{Openings, OpeningsError};
use super::stream::{Purpose, Stream};
use crate::games::{AnyGame, AnyPosition};

const POSITIONS: u64 = 8;
const RANDOM_PLIES: u32 = 16;
const SEED: u64 = 2026;

/// The start, and positions after a few random moves.
pub fn bench_positions(rules: &dyn AnyGame) -> Result<Vec<Box<dyn AnyPosition>>, OpeningsError> {
    let position = |number: u64| {
        let plies = if number == 0 { 0 } else { RANDOM_PLIES };
        let mut stream = Stream::new(SEED, number, Purpose::Opening);
        let openings = Openings::Random {
            plies,
            reject: None,
        };
        openings.draw(rules, 0, &mut stream, &mut |_| None)
    };
    (0..POSITIONS).map(position).collect()
}
