//! Results by colour: of all games, and of every player.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{LegendKey, Row, Rows, heading, legend, whiskers};
use crate::report::share::{in_percent, share_axis};
use crate::report::theme;
use crate::report::wording::{decimal, score_text};
use crate::stats::{Estimate, Sample};

struct ByColour {
    name: String,
    white: Estimate,
    black: Estimate,
}

struct Colours {
    /// Of all games: white's score.
    all: Estimate,
    players: Vec<ByColour>,
}

impl Colours {
    fn of(data: &ReportData) -> Option<Colours> {
        let players = data.ladder().iter().map(|standing| {
            let (white, black) = data.by_colour(standing.player);
            ByColour {
                name: standing.name.clone(),
                white: white.score_estimate(),
                black: black.score_estimate(),
            }
        });
        Some(Colours {
            all: data.white_summary().score,
            players: players.collect(),
        })
        .filter(|colours| !colours.players.is_empty())
    }

    fn title(&self) -> String {
        let figure = score_text(&self.all);
        let even = Some(0.5);
        if self.all.low > even {
            format!("White has the better chances: {figure}")
        } else if self.all.high < even {
            format!("Black has the better chances: white scores {figure}")
        } else {
            format!("No colour is clearly better: white scores {figure}")
        }
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let colours = Colours::of(data)?;
    let share = |estimate: &Estimate| {
        estimate
            .value
            .map_or("–".to_string(), |share| decimal(100.0 * share, 1))
    };
    let rows: Vec<Row> = colours
        .players
        .iter()
        .map(|player| Row {
            name: player.name.clone(),
            colour: None,
            figure: format!("{} | {} %", share(&player.white), share(&player.black)),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; share of the points with each colour; whiskers: 95 % interval",
        sample(data)
    );
    let top = heading(&mut plan, &colours.title(), &subtitle);
    let keys = [
        LegendKey {
            colour: theme::WHITE_SIDE,
            name: "with white",
        },
        LegendKey {
            colour: theme::BLACK_SIDE,
            name: "with black",
        },
    ];
    let top = legend(&mut plan, top, &keys);
    let layout = Rows::begin(&mut plan, top, &rows);
    let shares = colours.players.iter();
    let shares = shares.flat_map(|player| [&player.white, &player.black]);
    let scale = share_axis(&mut plan, &layout, shares);
    for (index, player) in colours.players.iter().enumerate() {
        let y = layout.middle(index);
        let sides = [
            (&player.white, -5.0, "white", theme::WHITE_SIDE),
            (&player.black, 5.0, "black", theme::BLACK_SIDE),
        ];
        for (score, shift, side, fill) in sides {
            whiskers(
                &mut plan,
                &scale,
                y + shift,
                &in_percent(score),
                theme::BLACK_SIDE,
                fill,
            );
            plan.hint(format!(
                "{} with {side}: {}",
                player.name,
                score_text(score)
            ));
        }
    }
    Some(plan)
}
