//! Engines that are programs of their own: started, driven over pipes in the words of UCI, and
//! never left behind. Knows nothing of games, players or files of a run, a log apart.

pub mod guard;
mod info;
mod lines;
mod process;
mod uci;

pub use info::EngineScore;
pub use lines::read_line;
pub use uci::{Answer, Asked, Engine, Offer, StartFault};

use std::path::PathBuf;
use std::time::Duration;

/// How an engine is started and what it is told, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program, as it can be started.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Where it runs; our own directory unless given.
    pub directory: Option<PathBuf>,
    /// UCI options in the order they are set; a button has an empty value.
    pub options: Vec<(String, String)>,
    /// For the answers to `uci` and `isready`.
    pub start_timeout: Duration,
    /// For a move whose limit is no time.
    pub move_timeout: Duration,
    /// What a time may be exceeded by before the game is lost.
    pub time_margin: Duration,
}

/// What an engine can do wrong in a game. Each loses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    IllegalMove,
    /// The program ended, or closed its output.
    Crash,
    /// No answer at all.
    Stall,
    /// An answer, but too late.
    Time,
}

impl Fault {
    pub const ALL: [Fault; 4] = [Fault::IllegalMove, Fault::Crash, Fault::Stall, Fault::Time];

    /// As a termination of a game.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::IllegalMove => "forfeit-illegal-move",
            Fault::Crash => "forfeit-crash",
            Fault::Stall => "forfeit-stall",
            Fault::Time => "forfeit-time",
        }
    }
}

/// Why an engine gave no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Fault(Fault),
    /// We do not want it any more.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}
