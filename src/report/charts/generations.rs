//! Elo of every generation of `sparring learn` that was kept, against the anchor.

use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Dot, Interval, Join, LineChart, Series};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{counted, elo_text};
use crate::stats::{Basis, Estimate};

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let figure = |name: &str| tuning.figure(name);
    let (kept, elo, low, high) = (
        figure("kept")?,
        figure("elo")?,
        figure("elo_low")?,
        figure("elo_high")?,
    );
    let points: Vec<(f64, Estimate)> = tuning
        .steps
        .iter()
        .filter(|step| step.figures[elo].is_some())
        .map(|step| {
            let estimate = Estimate {
                value: step.figures[elo],
                low: step.figures[low],
                high: step.figures[high],
                basis: Basis::Normal,
            };
            (step.iteration as f64, estimate)
        })
        .collect();
    let (last, best) = points.last()?;
    let all = tuning.steps.len() as u64;
    let count = tuning
        .steps
        .iter()
        .filter(|step| step.figures[kept] == Some(1.0));
    let games = tuning.steps.last().map_or(0, |step| step.games);
    let dots = points.iter().map(|(generation, elo)| Dot {
        hint: format!("generation {generation}: {} Elo", elo_text(elo)),
        colour: theme::INK,
    });
    let chart = LineChart {
        title: format!(
            "Generation {last}: {} Elo against the anchor",
            elo_text(best)
        ),
        subtitle: format!(
            "{}: {} of {} proven better and kept, {} of self-play; bars: 95 % interval",
            data.title,
            count.count(),
            counted(all, "generation"),
            counted(games, "game")
        ),
        x_name: "generation".to_string(),
        y_name: "Elo above the anchor".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: |value| format!("{value:+.0}").replace("+0", "0"),
        series: vec![Series {
            name: String::new(),
            colour: theme::INK,
            dots: dots.collect(),
            points,
            interval: Interval::Bars,
            join: Join::Guide,
        }],
        marks: Vec::new(),
        x_ticks: None,
    };
    Some(chart.plan(width))
}
