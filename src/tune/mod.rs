//! Finds better numbers for a player. A method is one file with a [`Tuner`] and one row of
//! [`TUNERS`]; budget, logging, checkpoints and resume live once, in [`Course`].

mod arena;
mod climb;
mod cma;
mod course;
pub mod fit;
mod parallel;
mod parameter;
pub mod positions;
mod quadratic;
pub mod quiet;
pub mod sample;
mod spsa;
mod sweep;

pub use arena::{Arena, GameArena, draw_unused_openings};
pub use course::{Course, CourseEnd, CourseError};
pub use parameter::{Chain, Parameter, Phase, Space, Target, Tunable, glob, tunables};

use std::fmt;

use crate::play::Stream;
use crate::record::{Correlations, Grid};
use crate::stats::Pentanomial;

/// Two players of the space that meet in so many opening pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// Values as they are played.
    pub one: Vec<f64>,
    pub other: Vec<f64>,
    pub pairs: u64,
}

/// A method. Its state after a step depends on what was told alone, so that a log of results is
/// enough to take a run up again.
pub trait Tuner: Send {
    /// Names of the figures that each step reports, as columns of the trajectory.
    fn figures(&self) -> &'static [&'static str];

    /// The figures before the first step, where they are known without games.
    fn start_figures(&self) -> Option<Vec<Option<f64>>> {
        None
    }

    /// The duels, of equally many pairs, that the next step needs; none for a method without
    /// games. The numbers drawn belong to this step alone.
    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel>;

    /// Takes a step from the results of the duels, each from the first player's side, and
    /// reports its figures.
    fn tell(&mut self, duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>>;

    /// The best values known.
    fn estimate(&self) -> Vec<f64>;

    /// Nothing is left to do, whatever the budget.
    fn is_done(&self) -> bool {
        false
    }

    /// The state in a few words, for whoever waits.
    fn status(&self, space: &Space) -> String;

    /// What was found out about each parameter, and about all of them.
    fn findings(&self, space: &Space) -> Findings;
}

/// What was found out about one parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    pub value: f64,
    /// Standard error.
    pub error: Option<f64>,
    /// How many standard deviations the change is away from chance.
    pub z: Option<f64>,
    /// Positions that show the term.
    pub support: Option<u64>,
    pub note: &'static str,
}

#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// In the order of the space.
    pub parameters: Vec<Finding>,
    pub warnings: Vec<String>,
    /// Where the method knows them.
    pub correlations: Option<Correlations>,
    /// Where the method tries the points of a grid.
    pub grid: Option<Grid>,
}

/// What a method learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    Games,
    Positions,
}

/// A method that can be named in a config.
pub struct TunerRow {
    pub name: &'static str,
    pub help: &'static str,
    pub feed: Feed,
    pub build: fn(Setup) -> Result<Box<dyn Tuner>, TuneError>,
}

/// A new method is one row here.
pub const TUNERS: &[TunerRow] = &[
    TunerRow {
        name: "fit",
        help: "logistic regression on labelled positions (Texel), second order; for linear weights by the hundred",
        feed: Feed::Positions,
        build: fit::build,
    },
    TunerRow {
        name: "spsa",
        help: "stochastic gradient from games, as fishtest and OpenBench do it; for up to some dozens of any numbers",
        feed: Feed::Games,
        build: spsa::build,
    },
    TunerRow {
        name: "cma-es",
        help: "evolution strategy that learns which numbers belong together; for rough or correlated surfaces",
        feed: Feed::Games,
        build: cma::build,
    },
    TunerRow {
        name: "sweep",
        help: "a grid of values with a fitted curve and its optimum; for one or two numbers",
        feed: Feed::Games,
        build: sweep::build,
    },
    TunerRow {
        name: "hill-climb",
        help: "keeps a random change that won its match; the simple baseline",
        feed: Feed::Games,
        build: climb::build,
    },
];

impl TunerRow {
    pub fn find(name: &str) -> Option<&'static TunerRow> {
        TUNERS.iter().find(|row| row.name == name)
    }
}

/// What a method is built from.
pub struct Setup {
    pub space: Space,
    pub settings: Settings,
    pub positions: Option<positions::Dataset>,
}

/// The keys of `[tune]` that shape a method, checked; their help stands in the list of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Games that the method plans with.
    pub budget: u64,
    pub batch: u64,
    pub pairs: u64,
    pub alpha: f64,
    pub gamma: f64,
    pub a_ratio: f64,
    /// As a part of each parameter's range.
    pub c_end: f64,
    /// 0 derives it from the budget.
    pub r_end: f64,
    pub sigma: f64,
    pub points: usize,
    pub fit: fit::FitSettings,
}

/// Why a method cannot be used as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuneError(pub String);

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TuneError {}
