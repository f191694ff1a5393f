//! The charts, one file each. Each has two layers: a struct with the figures, computed by `stats`,
//! and the plan that draws them. A chart that does not apply to the data returns `None`.

mod before_after;
mod colours;
mod correlations;
mod elo;
mod endings;
mod generations;
mod head_to_head;
mod importance;
mod ladder;
mod lengths;
mod llr;
mod losses;
mod nodes;
mod openings;
mod progress;
mod race;
mod regret;
mod results;
mod scores;
mod slices;
mod superiority;
mod survivors;
mod sweep;
mod sweep_map;
mod trajectory;
mod tune_curve;
mod validation;

use super::canvas::ChartPlan;
use super::data::ReportData;
use super::theme::{self, Colour};
use super::wording::counted;

/// A kind of chart. `plan` returns what to draw, or `None` if the chart does not apply.
pub struct Chart {
    /// The name, also of the files.
    pub name: &'static str,
    pub help: &'static str,
    pub(super) plan: fn(&ReportData, f64) -> Option<ChartPlan>,
}

/// All charts, in the order of a report. A new one is a file and a row.
pub const CHARTS: &[Chart] = &[
    Chart {
        name: "elo",
        help: "Elo of every player with its 95 % interval",
        plan: elo::plan,
    },
    Chart {
        name: "scores",
        help: "score of every player with its 95 % interval",
        plan: scores::plan,
    },
    Chart {
        name: "race",
        help: "a race: Elo of every player below the leader, with intervals that hold at all times",
        plan: race::plan,
    },
    Chart {
        name: "survivors",
        help: "a race: who is still in after each round, and how far below the leader",
        plan: survivors::plan,
    },
    Chart {
        name: "regret",
        help: "a race: what stopping after an earlier round would have cost",
        plan: regret::plan,
    },
    Chart {
        name: "results",
        help: "wins, draws and losses of every player as stacked bars",
        plan: results::plan,
    },
    Chart {
        name: "sweep",
        help: "score against a swept value, with its 95 % interval",
        plan: sweep::plan,
    },
    Chart {
        name: "ladder",
        help: "Elo of a ply, or of twice the nodes, between neighbours of a sweep",
        plan: ladder::plan,
    },
    Chart {
        name: "sweep-map",
        help: "score over two swept values, as a heat map",
        plan: sweep_map::plan,
    },
    Chart {
        name: "head-to-head",
        help: "scores of all players against each other",
        plan: head_to_head::plan,
    },
    Chart {
        name: "superiority",
        help: "likelihood of superiority for all pairs of players",
        plan: superiority::plan,
    },
    Chart {
        name: "llr",
        help: "log-likelihood ratio of the SPRT during the run, with its bounds",
        plan: llr::plan,
    },
    Chart {
        name: "progress",
        help: "scores during the run",
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
        help: "nodes per move of every player",
        plan: nodes::plan,
    },
    Chart {
        name: "validation",
        help: "Elo of the tuned player in every validation match",
        plan: validation::plan,
    },
    Chart {
        name: "generations",
        help: "Elo of the generations of `sparring learn` against their anchor",
        plan: generations::plan,
    },
    Chart {
        name: "trajectory",
        help: "parameter values during tuning",
        plan: trajectory::plan,
    },
    Chart {
        name: "losses",
        help: "training and validation loss of a fit by iteration",
        plan: losses::plan,
    },
    Chart {
        name: "before-after",
        help: "how far tuning has moved each parameter",
        plan: before_after::plan,
    },
    Chart {
        name: "tune-curve",
        help: "Elo by value of one tuned parameter, and the fitted curve",
        plan: tune_curve::plan,
    },
    Chart {
        name: "slices",
        help: "the effect of each tuned parameter by itself, by the model of race and bayes",
        plan: slices::plan,
    },
    Chart {
        name: "importance",
        help: "how much each tuned parameter matters, by the model of race and bayes",
        plan: importance::plan,
    },
    Chart {
        name: "correlations",
        help: "correlations between tuned parameters",
        plan: correlations::plan,
    },
];

/// The sample of all figures: `quickstart: 1,200 games in 600 opening pairs`.
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
