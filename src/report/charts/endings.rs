//! How the games ended, by termination and result.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::{ByResult, ReportData};
use crate::report::frame::{LegendKey, Row, Rows, Ticks, axis_below, heading, legend};
use crate::report::scale::{Scale, round_ends};
use crate::report::theme::{self, Colour};
use crate::report::wording::{counted, grouped, percent};

struct EndingsChart {
    /// Most frequent first.
    kinds: Vec<(String, ByResult)>,
    games: u64,
}

/// Colours and words for white's wins, draws and black's wins.
pub const RESULTS: [(Colour, &str); 3] = [
    (theme::WHITE_SIDE, "white won"),
    (theme::NO_SIDE, "drawn"),
    (theme::BLACK_SIDE, "black won"),
];

/// The legend of [`RESULTS`].
pub fn result_keys() -> Vec<LegendKey<'static>> {
    RESULTS
        .map(|(colour, name)| LegendKey { colour, name })
        .into()
}

impl EndingsChart {
    fn of(data: &ReportData) -> Option<EndingsChart> {
        let mut kinds: Vec<(String, ByResult)> = data
            .endings
            .iter()
            .map(|(name, counts)| (name.clone(), *counts))
            .collect();
        // Equals stay in alphabetical order.
        kinds.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.total()));
        let games = kinds.iter().map(|(_, counts)| counts.total()).sum();
        (games > 0).then_some(EndingsChart { kinds, games })
    }

    fn title(&self) -> String {
        let (name, counts) = &self.kinds[0];
        if self.kinds.len() == 1 {
            return format!("All games ended by {name}");
        }
        let share = counts.total() as f64 / self.games as f64;
        format!("{} of the games ended by {name}", percent(share))
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let endings = EndingsChart::of(data)?;
    let rows: Vec<Row> = endings
        .kinds
        .iter()
        .map(|(name, counts)| Row {
            name: name.clone(),
            colour: None,
            figure: format!(
                "{}, {}",
                grouped(counts.total()),
                percent(counts.total() as f64 / endings.games as f64)
            ),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let top = heading(&mut plan, &endings.title(), &sample(data));
    let top = legend(&mut plan, top, &result_keys());
    let layout = Rows::begin(&mut plan, top, &rows);
    let most = endings.kinds[0].1.total() as f64;
    let (_, high) = round_ends(0.0, most, 5);
    let scale = Scale::linear((0.0, high), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, |value| grouped(value as u64)).whole();
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, span, "games");
    for (index, (name, counts)) in endings.kinds.iter().enumerate() {
        let (y, half) = (layout.middle(index), layout.bar());
        let mut before = 0;
        for (count, (colour, word)) in counts.parts().into_iter().zip(RESULTS) {
            if count > 0 {
                let (from, to) = (scale.at(before as f64), scale.at((before + count) as f64));
                plan.rectangle((from, y - half), (to, y + half), colour)
                    .hint(format!("{name}, {word}: {}", counted(count, "game")));
            }
            before += count;
        }
    }
    Some(plan)
}
