//! Pure functions from results to figures with their uncertainty. Imports nothing of the project.
//!
//! The files read from counts to conclusions: [`Wdl`] and [`Pentanomial`] hold counts, [`Sample`]
//! turns either into score, Elo, normalised Elo and likelihood of superiority, [`Sprt`] decides
//! between two hypotheses, [`Ratings`] places the players of a [`Tournament`] on one scale. Nothing here reads a file,
//! prints, or knows a game. What is unknown is `None`; NaN and infinity never leave this module.
//!
//! The formulas with their sources stand in `docs/statistics.md`.

mod davidson;
mod elo;
mod estimate;
mod likelihood;
mod linear;
pub mod normal;
mod pentanomial;
mod ratings;
mod scatter;
mod score;
mod sprt;
mod tally;
mod tournament;

pub use elo::{Sample, elo_to_score, nelo_per_t, score_to_elo};
pub use estimate::{Basis, Estimate};
pub use pentanomial::{PairResult, Pentanomial};
pub use ratings::{FirstMove, Rating, RatingError, RatingOptions, Ratings};
pub use score::{GameResult, Moments, Wdl};
pub use sprt::{Model, SequentialTest, Sprt, SprtError, Verdict};
pub use tally::{Summary, Tally};
pub use tournament::{PairTable, Tournament};
