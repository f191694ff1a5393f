//! Before and after: the clearest changes as parts of each range, with their errors.

use crate::report::canvas::{Plan, Stroke};
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading, whiskers};
use crate::report::scale::{Scale, round_ends};
use crate::report::theme;
use crate::report::tuning::Tuned;
use crate::report::wording::counted;
use crate::stats::{Basis, Estimate};

/// More rows than this are a list, not a chart.
const MOST: usize = 24;

/// The change in per cent of the range.
fn change(tuned: &Tuned) -> Estimate {
    let by = |distance: f64| 100.0 * distance / tuned.width;
    let value = by(tuned.value - tuned.start);
    let error = tuned.error.map(|error| by(1.96 * error));
    Estimate {
        value: Some(value),
        low: error.map(|error| value - error),
        high: error.map(|error| value + error),
        basis: Basis::Normal,
    }
}

pub fn plan(data: &ReportData) -> Option<Plan> {
    let tuning = data.tuning.as_ref()?;
    let shown = tuning.most_changed(MOST);
    let tuned: Vec<&Tuned> = shown
        .iter()
        .map(|index| &tuning.parameters[*index])
        .collect();
    let first = tuned.first()?;
    let rows: Vec<Row> = tuned
        .iter()
        .map(|tuned| Row {
            name: tuned.name.clone(),
            colour: None,
            figure: format!("{:.2} to {:.2}", tuned.start, tuned.value),
        })
        .collect();
    let left_out = tuning.parameters.len() - tuned.len();
    let others = match left_out {
        0 => String::new(),
        more => format!("; {} left out", counted(more as u64, "parameter")),
    };
    let whisker = if tuned.iter().any(|tuned| tuned.error.is_some()) {
        "; whiskers: 95 % interval"
    } else {
        ""
    };
    let title = format!(
        "{}: from {:.2} to {:.2}",
        first.name, first.start, first.value
    );
    let subtitle = format!("{}: the clearest changes{others}{whisker}", data.title);
    let mut plan = Plan::new(theme::WIDTH, 0.0);
    let top = heading(&mut plan, &title, &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let changes: Vec<Estimate> = tuned.iter().map(|tuned| change(tuned)).collect();
    let known = || {
        let each = changes.iter().flat_map(|c| [c.value, c.low, c.high]);
        each.flatten()
    };
    let (low, high) = round_ends(known().fold(-1.0, f64::min), known().fold(1.0, f64::max), 8);
    let scale = Scale::linear((low, high), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, |value| {
        format!("{value:+} %").replace("+0 %", "0 %")
    });
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, span, "change, % of the range");
    let zero = scale.at(0.0);
    plan.line(
        (zero, span.0),
        (zero, span.1),
        Stroke::dashed(theme::RULE, 1.0),
    );
    for (index, (tuned, change)) in tuned.iter().zip(&changes).enumerate() {
        let y = layout.middle(index);
        let colour = match tuned.value >= tuned.start {
            true => theme::WIN,
            false => theme::LOSS,
        };
        if let Some(value) = change.value {
            plan.line((zero, y), (scale.at(value), y), Stroke::solid(colour, 3.0));
        }
        whiskers(&mut plan, &scale, y, change, colour, colour);
        plan.hint(format!(
            "{}: {:.2} to {:.2}",
            tuned.name, tuned.start, tuned.value
        ));
    }
    Some(plan)
}
