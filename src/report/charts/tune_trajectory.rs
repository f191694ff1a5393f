//! The way of the parameters that moved most, as parts of their ranges.

use crate::report::canvas::Plan;
use crate::report::data::ReportData;
use crate::report::lines::{LineChart, Mark, Series};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::counted;
use crate::stats::{Basis, Estimate};

pub fn plan(data: &ReportData) -> Option<Plan> {
    let tuning = data.tuning.as_ref()?;
    let steps = tuning.trajectory.len();
    if steps < 2 {
        return None;
    }
    let has_games = tuning.games() > 0;
    let axis = if has_games { "games" } else { "iteration" };
    let shown = tuning.most_changed(theme::DISTINCT);
    // A few hundred points are as many as can be seen.
    let every = steps.div_ceil(400);
    let series = shown.iter().enumerate().map(|(place, &index)| {
        let tuned = &tuning.parameters[index];
        // Parameters are the last columns, in the order of their table.
        let first = tuning.trajectory.columns().len() - tuning.parameters.len();
        let column = &tuning.trajectory.columns()[first + index];
        let rows = (0..steps).filter(|row| row % every == 0 || row + 1 == steps);
        let points = rows.filter_map(|row| {
            let x = tuning.trajectory.number(row, axis)?;
            let value = tuning.trajectory.number(row, column)?;
            Some((x, exactly(100.0 * (value - tuned.start) / tuned.width)))
        });
        Series {
            name: format!("{} {:.2}", tuned.name, tuned.value),
            colour: theme::player(place),
            points: std::iter::once((0.0, exactly(0.0))).chain(points).collect(),
            band: false,
            dots: steps <= 30,
            hints: Vec::new(),
        }
    });
    let series: Vec<Series> = series.collect();
    let left_out = tuning.parameters.len() - shown.len();
    let others = match left_out {
        0 => String::new(),
        more => format!(
            "; {} that changed less left out",
            counted(more as u64, "parameter")
        ),
    };
    let chart = LineChart {
        title: format!("{} moved most", tuning.parameters[shown[0]].name),
        subtitle: format!("{}: {steps} iterations{others}", data.title),
        x_name: axis.to_string(),
        y_name: "change since the start, % of the range".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![-5.0, 5.0],
        y_limits: (-100.0, 100.0),
        y_text: |value| format!("{value:+} %").replace("+0 %", "0 %"),
        series,
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan())
}

/// A value without an interval.
pub(super) fn exactly(value: f64) -> Estimate {
    Estimate {
        value: Some(value),
        low: None,
        high: None,
        basis: Basis::Nothing,
    }
}
