//! Training and validation loss of a fit or a training, by iteration.

use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Dot, Interval, Join, LineChart, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::tuning::Tuning;
use crate::report::wording::counted;
use crate::stats::{Basis, Estimate};

/// The two columns of the trajectory, with their labels.
const LOSSES: [(&str, &str); 2] = [
    ("validation_loss", "validation"),
    ("train_loss", "training"),
];

fn points(tuning: &Tuning, column: &str) -> Option<Vec<(f64, f64)>> {
    let figure = tuning.figure(column)?;
    let points: Vec<(f64, f64)> = tuning
        .steps
        .iter()
        .filter_map(|step| Some((step.iteration as f64, step.figures[figure]?)))
        .collect();
    (points.len() > 1).then_some(points)
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let found: Vec<(&str, Vec<(f64, f64)>)> = LOSSES
        .iter()
        .filter_map(|(column, name)| Some((*name, points(tuning, column)?)))
        .collect();
    let (name, first) = found.first()?;
    let (before, after) = (first.first()?.1, first.last()?.1);
    let change = if before > 0.0 {
        100.0 * (after - before) / before
    } else {
        0.0
    };
    let title = if change < 0.0 {
        format!("The {name} loss falls by {:.2} %", -change)
    } else {
        format!("The {name} loss does not fall")
    };
    let exact = |value: f64| Estimate {
        value: Some(value),
        low: None,
        high: None,
        basis: Basis::Normal,
    };
    let series = found
        .iter()
        .enumerate()
        .map(|(index, (name, points))| Series {
            name: name.to_string(),
            colour: [theme::INK, theme::RULE][index],
            points: points.iter().map(|(x, loss)| (*x, exact(*loss))).collect(),
            interval: Interval::Hidden,
            join: Join::Line,
            dots: points
                .iter()
                .filter(|_| points.len() < 40)
                .map(|(x, loss)| Dot {
                    hint: format!("{name}, iteration {x}: {loss:.6}"),
                    colour: [theme::INK, theme::RULE][index],
                })
                .collect(),
        });
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}: {}; {}",
            data.title,
            counted(tuning.iterations(), "iteration"),
            // Only a training has a rate.
            match tuning.figure("rate") {
                Some(_) => "mean over positions, lower is better; loss is not strength",
                None => "cross-entropy of the results, lower is better",
            }
        ),
        x_name: "iteration".to_string(),
        y_name: "loss per position".to_string(),
        x_spread: Spread::Linear,
        y_include: Vec::new(),
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        series: series.collect(),
        marks: Vec::new(),
        x_ticks: None,
    };
    Some(chart.plan(width))
}
