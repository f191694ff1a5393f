//! Finds a move: the negamax family over any game and any evaluator.
//!
//! Deterministic: the result depends on the position, its history, the evaluator and the
//! options, never on time or on what was searched before.

mod negamax;
mod options;

pub use negamax::{Found, Searcher};
pub use options::{Ends, OptionError, OptionRow, Options, Quiescence};

use crate::eval::Score;

/// The worth of giving mate at once, in score steps; one less for every ply it takes.
pub const MATE: Score = 1_000_000_000;

/// Scores beyond this are mates: no evaluation reaches it.
pub const MATE_BOUND: Score = MATE - 10_000;

/// The deepest line a search can follow.
pub const MAX_PLY: usize = 128;

/// The most legal moves a position may have. Chess has at most 218; draughts boards full of
/// flying kings stay below it too.
pub const MAX_MOVES: usize = 512;

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Plies looked ahead, at least 1.
    pub depth: u32,
}

/// Moves until mate for a mate score, negative when the mover is mated; `None` for others.
pub fn mate_distance(score: Score) -> Option<i32> {
    let plies = MATE - score.abs();
    (score.abs() > MATE_BOUND).then(|| (plies + 1) / 2 * score.signum())
}
