//! Likelihood of superiority for all pairs of players, given all games.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, HeatMap};
use crate::report::wording::{counted, likelihood};

struct Superiority {
    names: Vec<String>,
    /// By the ranks of player and opponent.
    likelihoods: Vec<Vec<Option<f64>>>,
    sample: String,
}

/// The likelihood from which an order counts as settled.
const SETTLED: f64 = 0.975;

impl Superiority {
    fn of(data: &ReportData) -> Option<Superiority> {
        if data.ladder().len() < 3 {
            return None;
        }
        let ratings = data.standings.ratings.as_ref()?;
        let order: Vec<usize> = data.ladder().iter().map(|row| row.player).collect();
        let row = |player: &usize| {
            order
                .iter()
                .map(|other| ratings.los(*player, *other))
                .collect()
        };
        Some(Superiority {
            names: order
                .iter()
                .map(|player| data.name(*player).to_string())
                .collect(),
            likelihoods: order.iter().map(row).collect(),
            sample: sample(data),
        })
    }

    /// The headline: how much of the order is settled.
    fn title(&self) -> String {
        let above = |place: usize| &self.likelihoods[place][place + 1..];
        let pairs: Vec<f64> = (0..self.names.len())
            .flat_map(|place| above(place).iter().flatten().copied())
            .collect();
        let settled = pairs.iter().filter(|los| **los >= SETTLED).count();
        if settled == pairs.len() {
            return "The order of all players is settled".to_string();
        }
        format!(
            "{settled} of {} are settled, the rest need more games",
            counted(pairs.len() as u64, "comparison")
        )
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let chart = Superiority::of(data)?;
    let names = &chart.names;
    let matrix = HeatMap::of_players(names, ("weaker", "stronger"), |player, opponent| {
        chart.likelihoods[player][opponent].map(|los| Cell {
            share: los,
            text: format!("{:.0}", 100.0 * los),
            hint: format!(
                "{} is stronger than {}: {}",
                names[player],
                names[opponent],
                likelihood(los)
            ),
        })
    });
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; likelihood in % that the row's player is stronger; settled: {:.1} % or more",
        chart.sample,
        100.0 * SETTLED
    );
    let top = heading(&mut plan, &chart.title(), &subtitle);
    plan.height = matrix.draw(&mut plan, top);
    Some(plan)
}
