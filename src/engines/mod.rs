//! External engines: processes driven over pipes by UCI or Hub, and never left running. Knows nothing of
//! games, players or files of a run, except for a log.

pub mod affinity;
pub mod guard;
mod hub;
mod info;
mod lines;
mod offer;
mod process;
mod transcript;
mod uci;

pub use hub::{fields as hub_fields, quoted as hub_quoted};
pub use info::{EngineScore, Info};
pub use lines::read_line;
pub use offer::{Offer, read_offer};
pub use transcript::{EngineLog, Transcript};
pub use uci::{Answer, Asked, Engine, StartFault};

use std::path::PathBuf;
use std::time::Duration;

/// The language of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Chess.
    Uci,
    /// Draughts, version 2.
    Hub,
    /// Draughts, version 1: Scan 2.0.
    Hub1,
}

impl Protocol {
    pub const ALL: [Protocol; 3] = [Protocol::Uci, Protocol::Hub, Protocol::Hub1];

    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Hub => "hub",
            Protocol::Hub1 => "hub1",
        }
    }
}

/// How to start an engine, and its options; validated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    pub protocol: Protocol,
    /// The program to start.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// The working directory; the current one by default.
    pub directory: Option<PathBuf>,
    /// Options in the order they are set; a button has an empty value.
    pub options: Vec<(String, String)>,
    /// Lines sent as they are, after the options.
    pub init: Vec<String>,
    /// Whether every game gets a new process.
    pub restart: Restart,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Timeout of the answers to `uci` and `isready`.
    pub start_timeout: Duration,
    /// Timeout of a move without a time limit.
    pub move_timeout: Duration,
    /// How far a time limit may be exceeded before the game is lost.
    pub time_margin: Duration,
}

/// When an engine that works is started again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Restart {
    #[default]
    Never,
    /// Before every game.
    Game,
}

impl Restart {
    pub const ALL: [Restart; 2] = [Restart::Never, Restart::Game];

    pub const fn name(self) -> &'static str {
        match self {
            Restart::Never => "never",
            Restart::Game => "game",
        }
    }
}

impl EngineSpec {
    /// The options to set so that an engine started by `self` becomes one started by `other`.
    /// `None` if only a new start can do that.
    pub fn changes_to(&self, other: &EngineSpec) -> Option<Vec<(String, String)>> {
        let names = |spec: &EngineSpec| -> Vec<String> {
            let options = spec.options.iter();
            options.map(|(name, _)| name.clone()).collect()
        };
        let otherwise_same = EngineSpec {
            options: other.options.clone(),
            ..self.clone()
        } == *other;
        // The default of an option that is no longer set is not ours to know.
        if !otherwise_same || names(self) != names(other) {
            return None;
        }
        let both = self.options.iter().zip(&other.options);
        let changed = both.filter(|(old, new)| old != new);
        Some(changed.map(|(_, new)| new.clone()).collect())
    }
}

/// Faults of an engine in a game. Each loses the game.
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

/// Why an engine returned no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Fault(Fault),
    /// The search was cancelled.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}
