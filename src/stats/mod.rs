//! Pure functions from results to figures with their uncertainty. Imports nothing of the project.
//!
//! The files read from counts to conclusions: [`Wdl`] and [`Pentanomial`] hold counts, [`Sample`]
//! turns either into score, Elo, normalised Elo and likelihood of superiority, [`Sprt`] decides
//! between two hypotheses, [`Ratings`] places the players of a [`Tournament`] on one scale. Nothing here reads a file,
//! prints, or knows a game. What is unknown is `None`; NaN and infinity never leave this module.
//!
//! The formulas with their sources stand in `docs/statistics.md`.
//!
//! ```
//! use sparring::stats::{Model, Pentanomial, Sample, Sprt, Verdict};
//!
//! let pairs = Pentanomial::new(20, 180, 600, 220, 30);
//! let elo = pairs.elo();
//! assert_eq!(format!("{:+.2}", elo.value.unwrap()), "+9.93");
//! assert_eq!(format!("{:.2}", elo.error().unwrap()), "7.94");
//!
//! let sprt = Sprt::new(Model::Normalized, 0.0, 5.0)?;
//! assert_eq!(sprt.verdict(sprt.llr(&pairs)), Verdict::Continue);
//!
//! // Wins only: a lower end, but no value that would have to be infinite.
//! let elo = Pentanomial::new(0, 0, 0, 0, 10).elo();
//! assert_eq!(elo.value, None);
//! assert!(elo.low.unwrap() > 100.0);
//! # Ok::<(), sparring::stats::SprtError>(())
//! ```

mod anytime;
mod corridor;
mod davidson;
mod differences;
mod elo;
mod estimate;
mod likelihood;
mod linear;
mod multiple;
pub mod normal;
mod paired;
mod pentanomial;
mod plan;
mod race;
mod ranking;
mod ratings;
mod scatter;
mod score;
mod sprt;
mod stopped;
mod strengths;
mod student;
mod superiority;
mod tally;
mod tournament;
mod wdl_model;

pub use anytime::Anytime;
pub use elo::{NormalFigures, Sample, elo_to_score, nelo_per_t, score_to_elo};
pub use estimate::{Basis, Estimate};
pub use linear::{Cholesky, Matrix};
pub use multiple::{family_verdicts, holm, two_sided, two_sided_z};
pub use normal::Z95;
pub use paired::PairedComparison;
pub use pentanomial::{PairResult, Pentanomial};
pub use plan::{Detectable, Outlook, Plan, PlanError};
pub use race::{Race, RaceEnd, RaceRound, RaceRow, RaceRules, RaceStage};
pub use ratings::{FirstMove, Rating, RatingError, RatingOptions, Ratings};
pub use score::{Moments, PlayerResult, Wdl};
pub use sprt::{Model, SequentialTest, Sprt, SprtError, Verdict};
pub use stopped::StoppedEstimate;
pub use tally::{Summary, Tally};
pub use tournament::{PairTable, Tournament};
pub use wdl_model::{ScoredPosition, WdlModel};
