//! The charts, one file each. Every one has two layers: a struct with the figures, computed by
//! `stats`, and the plan that draws them. A chart that has nothing to say about some data says so
//! by `None`.

mod before_after;
mod colours;
mod correlations;
mod elo;
mod endings;
mod head_to_head;
mod lengths;
mod llr;
mod losses;
mod nodes;
mod openings;
mod progress;
mod results;
mod scores;
mod superiority;
mod sweep;
mod sweep_map;
mod trajectory;
mod tune_curve;

use super::canvas::Plan;
use super::data::ReportData;
use super::theme::{self, Colour};
use super::wording::counted;

/// A kind of chart: `plan` says what to draw, or that these data have nothing to show.
pub struct Chart {
    /// Also the file's name.
    pub name: &'static str,
    pub help: &'static str,
    pub(super) plan: fn(&ReportData) -> Option<Plan>,
}

/// Every chart, in the order in which a report shows them. A new one is a file and a row.
pub const CHARTS: &[Chart] = &[
    Chart {
        name: "elo",
        help: "the ladder: Elo of every player with error bars",
        plan: elo::plan,
    },
    Chart {
        name: "scores",
        help: "share of the points of every player with its interval",
        plan: scores::plan,
    },
    Chart {
        name: "results",
        help: "wins, draws and losses of every player as stacked bars",
        plan: results::plan,
    },
    Chart {
        name: "sweep",
        help: "share of the points against a swept value, one line a player",
        plan: sweep::plan,
    },
    Chart {
        name: "sweep-map",
        help: "share of the points over two swept values",
        plan: sweep_map::plan,
    },
    Chart {
        name: "head-to-head",
        help: "who scores what against whom",
        plan: head_to_head::plan,
    },
    Chart {
        name: "superiority",
        help: "how likely it is that one player is stronger than another",
        plan: superiority::plan,
    },
    Chart {
        name: "llr",
        help: "the sequential test on its way, with its bounds",
        plan: llr::plan,
    },
    Chart {
        name: "progress",
        help: "how the scores settled as games were played",
        plan: progress::plan,
    },
    Chart {
        name: "colours",
        help: "results with white and with black",
        plan: colours::plan,
    },
    Chart {
        name: "endings",
        help: "how the games ended",
        plan: endings::plan,
    },
    Chart {
        name: "lengths",
        help: "how long the games were",
        plan: lengths::plan,
    },
    Chart {
        name: "openings",
        help: "the leader's results opening by opening, with white and with black",
        plan: openings::plan,
    },
    Chart {
        name: "nodes",
        help: "nodes that each player searched for a move",
        plan: nodes::plan,
    },
    Chart {
        name: "trajectory",
        help: "where tuning took the parameters, step by step",
        plan: trajectory::plan,
    },
    Chart {
        name: "losses",
        help: "how well a fit explains the results, iteration by iteration",
        plan: losses::plan,
    },
    Chart {
        name: "before-after",
        help: "parameters before and after tuning",
        plan: before_after::plan,
    },
    Chart {
        name: "tune-curve",
        help: "what the values of one tuned parameter are worth",
        plan: tune_curve::plan,
    },
    Chart {
        name: "correlations",
        help: "which tuned parameters stand in for one another",
        plan: correlations::plan,
    },
];

/// What all figures rest on: `quickstart: 1,200 games in 600 opening pairs`.
fn sample(data: &ReportData) -> String {
    let games = counted(data.tally.game_count(), "game");
    if data.paired() {
        let pairs = counted(data.tally.pair_count(), "opening pair");
        format!("{}: {games} in {pairs}", data.title)
    } else {
        format!("{}: {games}", data.title)
    }
}

/// The colour of a player, the same in every chart.
fn colour(data: &ReportData, player: usize) -> Colour {
    theme::player(data.place(player))
}
