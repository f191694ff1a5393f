//! Training and validation loss of a fit, iteration by iteration.

use super::tune_trajectory::exactly;
use crate::report::canvas::Plan;
use crate::report::data::ReportData;
use crate::report::lines::{LineChart, Series};
use crate::report::scale::Spread;
use crate::report::theme;

pub fn plan(data: &ReportData) -> Option<Plan> {
    let tuning = data.tuning.as_ref()?;
    let table = &tuning.trajectory;
    let line = |place: usize, name: &str, column: &str| {
        let point = |row: usize| {
            let x = table.number(row, "iteration")?;
            Some((x, exactly(table.number(row, column)?)))
        };
        Series {
            name: name.to_string(),
            colour: theme::player(place),
            points: (0..table.len()).filter_map(point).collect(),
            band: false,
            dots: table.len() <= 30,
            hints: Vec::new(),
        }
    };
    let series: Vec<Series> = [
        (0, "training", "train_loss"),
        (1, "validation", "validation_loss"),
    ]
    .map(|(place, name, column)| line(place, name, column))
    .into_iter()
    .filter(|series| series.points.len() > 1)
    .collect();
    let last = series.first()?.points.last()?.1.value?;
    let checked = table.numbers("validation_loss");
    let best = checked.iter().copied().fold(f64::INFINITY, f64::min);
    let title = if best.is_finite() {
        format!("Validation loss falls to {best:.5}, training loss to {last:.5}")
    } else {
        format!("Training loss falls to {last:.5}")
    };
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}: {} iterations, {} parameters",
            data.title,
            table.len(),
            tuning.parameters.len()
        ),
        x_name: "iteration".to_string(),
        y_name: "mean loss".to_string(),
        x_spread: Spread::Linear,
        y_include: Vec::new(),
        y_limits: (0.0, 10.0),
        y_text: |value| format!("{value:.4}"),
        series,
        marks: Vec::new(),
        x_ticks: None,
    };
    Some(chart.plan())
}
