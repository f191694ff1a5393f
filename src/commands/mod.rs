//! One file per subcommand. The only place that prints, asks and exits.

pub mod apply;
pub mod bench;
pub mod check;
#[cfg(feature = "cluster")]
mod cluster;
pub mod data;
pub mod engine;
mod engines;
pub mod eval;
pub mod hub;
mod keep;
mod latency;
pub mod learn;
pub mod list;
mod live;
pub mod merge;
pub mod new;
pub mod openings;
mod output;
pub mod packaging;
pub mod perft;
pub mod plan;
mod play_args;
mod progress;
pub mod quick_match;
mod ratings;
mod replay;
pub mod report;
mod results;
mod rows;
pub mod run;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
mod shard;
mod stages;
mod standings;
pub mod stats;
mod table;
pub mod tables;
mod threads_file;
mod train;
pub mod tune;
pub mod uci;
mod validation;
pub mod wdl_model;
#[cfg(feature = "cluster")]
pub mod worker;
#[cfg(not(feature = "cluster"))]
pub use play_args::NoWorkerArgs;

use std::fmt::Display;
use std::path::PathBuf;

use output::{Interrupts, complain, print, tell};
pub use output::{exit_code, finish_on_interrupt, report_file_size_limit, stop_on_interrupt};

pub use crate::config::closest;
use crate::config::did_you_mean;
use crate::eval::STEPS;
use crate::eval::catalog::GameId;
use crate::search::mate_distance;

/// How a command can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// A check that the user asked for failed.
    CheckFailed = 1,
    BadInput = 2,
    Interrupted = 130,
}

/// Rejects paths that do not exist, before anything is read.
pub fn must_exist<'p>(runs: impl IntoIterator<Item = &'p PathBuf>) -> Done {
    match runs.into_iter().find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) => Err(Failure::bad_input(format!(
            "{}: no such run directory or file; `sparring run` writes runs to reports/",
            path.display()
        ))),
    }
}

/// Why a command failed: a message and an exit code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
}

impl Failure {
    pub fn bad_input(message: impl Display) -> Failure {
        Failure {
            exit: Exit::BadInput,
            message: message.to_string(),
        }
    }

    pub fn check_failed(message: impl Display) -> Failure {
        Failure {
            exit: Exit::CheckFailed,
            message: message.to_string(),
        }
    }

    pub fn interrupted(message: impl Display) -> Failure {
        Failure {
            exit: Exit::Interrupted,
            message: message.to_string(),
        }
    }
}

pub type Done = Result<(), Failure>;

/// Module errors are all caused by user input: exit code 2.
macro_rules! bad_input_from {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::bad_input(error)
            }
        })*
    };
}

bad_input_from!(
    crate::config::ConfigError,
    crate::games::NotationError,
    crate::play::RunError,
    crate::search::NoMemory,
    crate::record::RecordError,
    crate::report::DrawError
);

/// The game of this name, or an error with a suggestion.
fn find_game(name: &str) -> Result<GameId, Failure> {
    GameId::from_name(name).ok_or_else(|| {
        let hint = did_you_mean(name, GameId::ALL.iter().map(|game| game.name()));
        Failure::bad_input(format!("--game {name}: unknown game; {hint}"))
    })
}

/// A number without trailing zeros.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_string()
    } else {
        text.to_string()
    }
}

/// A score in units, or as moves to mate.
fn score_text(score: crate::eval::Score) -> String {
    match mate_distance(score) {
        Some(moves) => format!("mate {moves}"),
        None => trimmed(f64::from(score) / f64::from(STEPS)),
    }
}
