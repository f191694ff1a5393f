//! Wins, draws and losses of every player as stacked bars, in the order of the standings.

use super::{colour, sample};
use crate::report::canvas::{Anchor, ChartPlan, Style};
use crate::report::data::ReportData;
use crate::report::font::text_width;
use crate::report::frame::{LegendKey, Row, Rows, Ticks, axis_below, heading, legend};
use crate::report::scale::Scale;
use crate::report::theme::{self, Colour};
use crate::report::verdict::winner_or_level;
use crate::report::wording::{counted, grouped, percent, short};
use crate::stats::Wdl;

struct Bar {
    name: String,
    colour: Colour,
    games: Wdl,
}

struct ResultsChart {
    bars: Vec<Bar>,
    sample: String,
}

impl ResultsChart {
    fn of(data: &ReportData) -> Option<ResultsChart> {
        let bars: Vec<Bar> = data
            .ladder()
            .iter()
            .map(|standing| Bar {
                name: standing.name.clone(),
                colour: colour(data, standing.player),
                games: data.tally.players()[standing.player].games,
            })
            .collect();
        (!bars.is_empty()).then(|| ResultsChart {
            bars,
            sample: sample(data),
        })
    }

    /// The headline: how much the winner won, if there is one.
    fn title(&self, data: &ReportData) -> String {
        let draws: u64 = self.bars.iter().map(|bar| bar.games.draws).sum();
        let games: u64 = self.bars.iter().map(|bar| bar.games.games()).sum();
        if draws == games {
            return "All games were drawn".to_string();
        }
        winner_or_level(data, |winner| {
            let share = winner.games.wins as f64 / winner.games.games() as f64;
            format!(
                "{} wins {} of its games",
                short(&winner.name),
                percent(share)
            )
        })
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let results = ResultsChart::of(data)?;
    let rows: Vec<Row> = results
        .bars
        .iter()
        .map(|bar| Row {
            name: bar.name.clone(),
            colour: Some(bar.colour),
            figure: format!(
                "+{} ={} −{}",
                grouped(bar.games.wins),
                grouped(bar.games.draws),
                grouped(bar.games.losses)
            ),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let top = heading(&mut plan, &results.title(data), &results.sample);
    let keys = [
        LegendKey {
            colour: theme::WIN,
            name: "won",
        },
        LegendKey {
            colour: theme::DRAW,
            name: "drawn",
        },
        LegendKey {
            colour: theme::LOSS,
            name: "lost",
        },
    ];
    let top = legend(&mut plan, top, &keys);
    let layout = Rows::begin(&mut plan, top, &rows);
    let scale = Scale::linear((0.0, 100.0), (layout.left, layout.right));
    let ticks = Ticks::along(&scale, 5, |value| format!("{value:.0} %"));
    let ends = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, ends, "share of the games");
    for (index, row) in results.bars.iter().enumerate() {
        bar(&mut plan, row, &scale, layout.middle(index), layout.bar());
    }
    Some(plan)
}

fn bar(plan: &mut ChartPlan, bar: &Bar, scale: &Scale, middle: f64, half: f64) {
    let total = bar.games.games() as f64;
    let parts = [
        (bar.games.wins, "won", theme::WIN),
        (bar.games.draws, "drawn", theme::DRAW),
        (bar.games.losses, "lost", theme::LOSS),
    ];
    let mut before = 0;
    for (count, word, colour) in parts {
        let edge = |games: u64| scale.at(100.0 * games as f64 / total);
        let (from, to) = (edge(before), edge(before + count));
        before += count;
        if count == 0 {
            continue;
        }
        let share = count as f64 / total;
        plan.rectangle((from, middle - half), (to, middle + half), colour)
            .hint(format!(
                "{}: {} {word}, {}",
                bar.name,
                counted(count, "game"),
                percent(share)
            ));
        let label = format!("{:.0} %", 100.0 * share);
        // Skip labels that do not fit.
        if text_width(&label, theme::SMALL_SIZE, false) + 8.0 <= to - from {
            let style = Style::SMALL.coloured(colour.ink());
            plan.text(((from + to) / 2.0, middle), &label, Anchor::Centre, style);
        }
    }
}
