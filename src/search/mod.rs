//! Finds a move: the negamax family over any game and any evaluator.
//!
//! Deterministic under limits of depth and nodes: the result depends on the position, its
//! history, the evaluator, the options and the searcher's earlier searches in the same game.
//! Players share nothing, and a new game starts with empty tables.

mod activity;
mod block;
mod history;
mod limit;
mod node;
mod options;
mod ordering;
mod profiles;
mod prune;
mod quiesce;
mod report;
mod root;
mod searcher;
mod selective;
mod signal;
mod tt;
mod tt_access;
mod variety;

pub use limit::{Clock, Limit, TimeLeft, TimeLimit};
pub use options::{Algorithm, Ends, Needs, OptionError, OptionRow, Options, Ordering, Quiescence};
pub use profiles::Profile;
pub use report::{DepthReport, SearchResult, TreeStats};
pub use searcher::Searcher;
pub use signal::Signal;
pub use tt::{NoMemory, probe_memory};

pub use crate::eval::Score;

/// The score of delivering mate, in score steps; one less per ply until mate.
pub const MATE: Score = 1_000_000_000;

/// Scores beyond this are mate scores. No evaluation reaches it.
pub const MATE_BOUND: Score = MATE - 10_000;

/// The maximum search ply.
pub const MAX_PLY: usize = 128;

/// More than any score.
const INFINITY: Score = MATE + 1;

/// Moves until mate for a mate score, negative when the mover is mated; `None` for others.
pub fn mate_distance(score: Score) -> Option<i32> {
    let plies = MATE - score.abs();
    (score.abs() > MATE_BOUND).then(|| (plies + 1) / 2 * score.signum())
}
