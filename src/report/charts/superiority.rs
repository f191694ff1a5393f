//! Likelihood of superiority for all pairs of players, given all games.

use super::sample;
use crate::record::{Comparison, comparisons};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, HeatMap};
use crate::report::wording::{counted, likelihood};

struct Superiority {
    names: Vec<String>,
    /// By the ranks of player and opponent.
    cells: Vec<Vec<Option<Comparison>>>,
    sample: String,
}

impl Superiority {
    fn of(data: &ReportData) -> Option<Superiority> {
        if data.ladder().len() < 3 {
            return None;
        }
        let ratings = data.standings.ratings.as_ref()?;
        let order: Vec<usize> = data.ladder().iter().map(|row| row.player).collect();
        Some(Superiority {
            names: order
                .iter()
                .map(|player| data.name(*player).to_string())
                .collect(),
            cells: comparisons(ratings, &order),
            sample: sample(data),
        })
    }

    /// The headline: how much of the order is settled.
    fn title(&self) -> String {
        let above = |place: usize| self.cells[place][place + 1..].iter().flatten();
        let pairs: Vec<&Comparison> = (0..self.names.len()).flat_map(above).collect();
        let settled = pairs.iter().filter(|it| it.is_significant()).count();
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
        chart.cells[player][opponent].map(|cell| {
            let (mark, words) = match cell.is_significant() {
                true => ("*", "significant"),
                false => ("", "not significant"),
            };
            Cell {
                share: cell.los,
                text: format!("{:.0}{mark}", (100.0 * cell.los).clamp(1.0, 99.0)),
                hint: format!(
                    "{} is stronger than {}: {}; {words} among all comparisons",
                    names[player],
                    names[opponent],
                    likelihood(cell.los)
                ),
            }
        })
    });
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; likelihood in % that the row's player is stronger; * settled: significant at 5 % among all \
         comparisons (Holm)",
        chart.sample
    );
    let top = heading(&mut plan, &chart.title(), &subtitle);
    plan.height = matrix.draw(&mut plan, top);
    Some(plan)
}
