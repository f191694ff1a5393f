//! Tuning: finds better numbers for a player. A method is one file with a [`Tuner`] and one row of
//! [`TUNERS`]; budget, logging, checkpoints and resume are shared, in [`Course`].

mod arena;
mod bayes;
pub mod bullet;
mod climb;
mod cma;
mod course;
mod design;
pub mod fit;
mod gp;
mod parallel;
mod parameter;
pub mod positions;
mod quadratic;
pub mod quiet;
mod race;
pub mod sample;
mod slices;
mod spsa;
mod sweep;
pub mod train;

pub use arena::{
    Arena, FreshOpenings, GameArena, draw_fresh_openings, duel_experiment, pair_result,
};
pub use course::{Course, CourseEnd, CourseError};
pub use design::Sample;
pub use parameter::{Monotone, Parameter, Phase, Space, Target, Tunable, glob, tunables};

use std::fmt;

use crate::play::Stream;
use crate::record::{Correlations, Grid, Slice};
use crate::stats::Pentanomial;

/// A match between two players of the space.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// Values as played (rounded).
    pub one: Vec<f64>,
    pub other: Vec<f64>,
    pub pairs: u64,
}

/// A tuning method. Its state depends only on the results passed to it, so that a log of results is
/// enough to resume a run.
pub trait Tuner: Send {
    /// Names of the figures that each step reports, as columns of the trajectory.
    fn figures(&self) -> &'static [&'static str];

    /// Why this many games cannot find what is asked for, with the remedy.
    fn doubts(&self, _games: u64) -> Vec<String> {
        Vec::new()
    }

    /// The figures before the first step, for methods that know them without games.
    fn start_figures(&self) -> Option<Vec<Option<f64>>> {
        None
    }

    /// How many duels in a row share an opening; each has one pair then.
    fn sharing(&self) -> usize {
        1
    }

    /// The duels of the next step, all with the same number of pairs; none for a method without
    /// games. The random stream belongs to this step only.
    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel>;

    /// Takes a step from the results of the duels, each from the first player's side, and
    /// reports its figures.
    fn tell(&mut self, duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>>;

    /// The best values known.
    fn estimate(&self) -> Vec<f64>;

    /// Whether the method has finished, regardless of the budget.
    fn is_done(&self) -> bool {
        false
    }

    /// The state in a few words, for progress output.
    fn status(&self, space: &Space) -> String;

    /// Findings per parameter and overall.
    fn findings(&self, space: &Space) -> Findings;
}

/// The findings about one parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    pub value: f64,
    /// Standard error.
    pub error: Option<f64>,
    /// The change in standard deviations from zero.
    pub z: Option<f64>,
    /// Number of positions in which the term occurs.
    pub support: Option<u64>,
    pub note: &'static str,
    /// Ends of the 95 % interval of the value.
    pub interval: Option<(f64, f64)>,
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
    /// Where the method has a model of the surface.
    pub slices: Vec<Slice>,
}

/// The data a method learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    Games,
    Positions,
    /// Positions, and the outcome is a net or patterns instead of numbers: the command runs the method itself.
    Net,
}

/// A method that can be named in a config.
pub struct TunerRow {
    pub name: &'static str,
    pub help: &'static str,
    pub feed: Feed,
    pub build: fn(TunerSetup) -> Result<Box<dyn Tuner>, TuneError>,
}

/// A new method is one row here.
pub const TUNERS: &[TunerRow] = &[
    TunerRow {
        name: "fit",
        help: "logistic regression on labelled positions (Texel), second order; for hundreds of linear weights",
        feed: Feed::Positions,
        build: fit::build,
    },
    TunerRow {
        name: "train",
        help: "a neural net or tables of patterns, from labelled positions or from another evaluator's scores",
        feed: Feed::Net,
        build: |_| {
            Err(TuneError(
                "train makes a net or patterns: it has no parameters to tune".to_string(),
            ))
        },
    },
    TunerRow {
        name: "spsa",
        help: "stochastic gradient from games, as in fishtest and OpenBench; for up to a few dozen numbers of any kind",
        feed: Feed::Games,
        build: spsa::build,
    },
    TunerRow {
        name: "cma-es",
        help: "evolution strategy that learns correlations; for rough or correlated surfaces",
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
        name: "race",
        help: "a race of a grid or a sample of points; picks the best of them for a fraction of the games",
        feed: Feed::Games,
        build: race::build,
    },
    TunerRow {
        name: "bayes",
        help: "a Gaussian process learns the surface; for few games and up to a dozen numbers",
        feed: Feed::Games,
        build: bayes::build,
    },
    TunerRow {
        name: "hill-climb",
        help: "keeps a random change if it won its match; the simple baseline",
        feed: Feed::Games,
        build: climb::build,
    },
];

impl TunerRow {
    pub fn find(name: &str) -> Option<&'static TunerRow> {
        TUNERS.iter().find(|row| row.name == name)
    }
}

/// The inputs of a method.
pub struct TunerSetup {
    pub space: Space,
    pub settings: TunerSettings,
    pub positions: Option<positions::Dataset>,
}

/// The validated keys of `[tune]` for methods; their help is in the list of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct TunerSettings {
    /// The planned number of games.
    pub budget: u64,
    pub batch: u64,
    pub pairs: u64,
    pub alpha: f64,
    pub gamma: f64,
    pub a_ratio: f64,
    /// As a share of each parameter's range.
    pub c_end: f64,
    /// 0 derives it from the budget.
    pub r_end: f64,
    pub sigma: f64,
    pub points: usize,
    pub sample: Sample,
    /// Points of a race, the start included.
    pub candidates: usize,
    /// Elo; 0 halves the field.
    pub within: f64,
    pub certainty: f64,
    /// Elo that a further point is expected to gain; 0 never stops.
    pub stop_below: f64,
    pub fit: fit::FitSettings,
}

/// Why a method cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuneError(pub String);

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TuneError {}
