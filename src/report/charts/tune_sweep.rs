//! A sweep over one parameter: measured strength, the fitted curve and its band.

use crate::report::canvas::Plan;
use crate::report::data::ReportData;
use crate::report::lines::{LineChart, Mark, Series};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::tuning::CsvTable;
use crate::stats::{Basis, Estimate};

pub fn plan(data: &ReportData) -> Option<Plan> {
    let tuning = data.tuning.as_ref()?;
    let table = tuning.sweep.as_ref()?;
    // Surfaces over several parameters have no single axis.
    let [tuned] = &tuning.parameters[..] else {
        return None;
    };
    let axis = table.columns().first()?;
    let series = |place: usize, name: &str, value: &str, error: &str, dots: bool| Series {
        name: name.to_string(),
        colour: theme::player(place),
        points: (0..table.len())
            .filter_map(|row| {
                Some((
                    table.number(row, axis)?,
                    estimate(table, row, value, error)?,
                ))
            })
            .collect(),
        band: !dots,
        dots,
        hints: Vec::new(),
    };
    let error = tuned
        .error
        .map_or(String::new(), |error| format!(" ± {error:.2}"));
    let chart = LineChart {
        title: format!(
            "{}: the curve is highest at {:.2}{error}",
            tuned.name, tuned.value
        ),
        subtitle: format!(
            "{}: {} games against the start ({:.2}); band: 95 % interval of the fitted curve",
            data.title,
            tuning.games(),
            tuned.start
        ),
        x_name: tuned.name.clone(),
        y_name: "Elo against the start".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (-1000.0, 1000.0),
        y_text: |value| format!("{value:+}").replace("+0", "0"),
        series: vec![
            series(0, "fitted curve", "curve", "curve_error", false),
            series(1, "measured", "elo", "elo_error", true),
        ],
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan())
}

fn estimate(table: &CsvTable, row: usize, value: &str, error: &str) -> Option<Estimate> {
    let value = table.number(row, value)?;
    let error = table.number(row, error)?;
    Some(Estimate {
        value: Some(value),
        low: Some(value - error),
        high: Some(value + error),
        basis: Basis::Normal,
    })
}
