//! Parameter values during tuning: the change of each from its start, as a share of its range, so that
//! numbers of different sizes fit one chart.

use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Interval, Join, LineChart, Mark, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::tuning::Tuning;
use crate::report::wording::{counted, decimal, parameter, short};
use crate::stats::{Basis, Estimate};

/// The path of a parameter.
struct ParameterPath {
    name: String,
    full_name: String,
    start: f64,
    end: f64,
    /// Games (or iterations), and the change so far.
    points: Vec<(f64, f64)>,
}

impl ParameterPath {
    fn change(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, change)| *change)
    }
}

/// Maximum number of points per line.
const MOST: usize = 400;

/// The parameters, largest moves first.
fn paths(tuning: &Tuning) -> Vec<ParameterPath> {
    let plays = tuning.games() > 0;
    let every = tuning.steps.len().div_ceil(MOST).max(1);
    let last = tuning.steps.len().saturating_sub(1);
    let start = |index: usize, name: &String| {
        let known = tuning.parameter(name);
        let first = tuning.steps.first().map_or(0.0, |step| step.values[index]);
        known.map_or(first, |found| found.start)
    };
    let mut paths: Vec<ParameterPath> = tuning
        .names()
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let start = start(index, name);
            let unit = tuning.unit(name);
            let kept = tuning.steps.iter().enumerate();
            let points = kept
                .filter(|(at, _)| at.is_multiple_of(every) || *at == last)
                .map(|(_, step)| {
                    let x = if plays { step.games } else { step.iteration };
                    (x as f64, (step.values[index] - start) / unit)
                });
            ParameterPath {
                name: parameter(name).to_string(),
                full_name: name.clone(),
                start,
                end: tuning.steps[last].values[index],
                points: std::iter::once((0.0, 0.0)).chain(points).collect(),
            }
        })
        .collect();
    paths.sort_by(|a, b| b.change().abs().total_cmp(&a.change().abs()));
    paths
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    // A grid search has no path.
    if tuning.steps.is_empty() || tuning.names().is_empty() || tuning.grid.is_some() {
        return None;
    }
    let paths = paths(tuning);
    let most = &paths[0];
    let title = format!(
        "{} moves furthest: from {} to {}",
        short(&most.name),
        decimal(most.start, 2),
        decimal(most.end, 2)
    );
    let shown = paths.len().min(4 * theme::DISTINCT);
    let plays = tuning.games() > 0;
    let spent = if plays {
        counted(tuning.games(), "game")
    } else {
        counted(tuning.iterations(), "iteration")
    };
    let left_out = match paths.len() - shown {
        0 => String::new(),
        more => format!(
            ", {} with smaller moves omitted",
            counted(more as u64, "parameter")
        ),
    };
    let chance = if plays {
        "; one random path: no interval"
    } else {
        ""
    };
    // If there is room, label lines with absolute values.
    let label = |path: &ParameterPath| match paths.len() <= theme::DISTINCT {
        true => format!(
            "{} {} → {}",
            path.name,
            short_number(path.start),
            decimal(path.end, 2)
        ),
        false => path.name.clone(),
    };
    let exact = |value: f64| Estimate {
        value: Some(value),
        low: None,
        high: None,
        basis: Basis::Normal,
    };
    let series = paths.iter().take(shown).map(|path| Series {
        name: label(path),
        colour: tuning.colour(&path.full_name),
        points: path
            .points
            .iter()
            .map(|(x, change)| (*x, exact(*change)))
            .collect(),
        interval: Interval::Hidden,
        join: Join::Line,
        dots: Vec::new(),
    });
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}: {} over {spent}{left_out}{chance}",
            data.title,
            counted(paths.len() as u64, "parameter"),
        ),
        x_name: if plays { "games" } else { "iterations" }.to_string(),
        y_name: tuning.unit_name().to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        series: series.collect(),
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan(width))
}
