//! How far tuning has moved each parameter, with its uncertainty.

use crate::record::ParameterRow;
use crate::report::canvas::{ChartPlan, Stroke};
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading, whiskers};
use crate::report::lines::short_number;
use crate::report::scale::{Scale, round_ends};
use crate::report::share::mark_across;
use crate::report::theme;
use crate::report::tuning::Tuning;
use crate::report::wording::{self, counted, decimal, grouped, short};
use crate::stats::normal::Z95;
use crate::stats::{Basis, Estimate};

/// Maximum number of rows; the clearest changes first.
const MOST: usize = 40;

fn clearness(tuning: &Tuning, parameter: &ParameterRow) -> f64 {
    let change = parameter.value - parameter.start;
    match (parameter.z, parameter.error) {
        (Some(z), _) => z.abs(),
        (None, Some(error)) => change.abs() / error.max(1e-9),
        (None, None) => (change / tuning.unit(&parameter.name)).abs(),
    }
}

/// The change from the start, in the chart's unit.
fn change(tuning: &Tuning, parameter: &ParameterRow) -> Estimate {
    let unit = tuning.unit(&parameter.name);
    let change = (parameter.value - parameter.start) / unit;
    let reach = parameter.error.map(|error| Z95 * error / unit);
    Estimate {
        value: Some(change),
        low: reach.map(|reach| change - reach),
        high: reach.map(|reach| change + reach),
        basis: Basis::Normal,
    }
}

fn figure(parameter: &ParameterRow) -> String {
    let error = parameter.error.map_or(String::new(), |error| {
        format!(" ± {}", decimal(Z95 * error, 2))
    });
    format!(
        "{} → {}{error}",
        decimal(parameter.start, 2),
        decimal(parameter.value, 2)
    )
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let all = &tuning.parameters;
    let mut shown: Vec<&ParameterRow> = all.iter().collect();
    shown.sort_by(|a, b| clearness(tuning, b).total_cmp(&clearness(tuning, a)));
    shown.truncate(MOST);
    let first = shown.first()?;
    let clear = |parameter: &&&ParameterRow| {
        let reach = parameter.error.map(|error| Z95 * error);
        reach.is_some_and(|reach| (parameter.value - parameter.start).abs() > reach)
    };
    let with_error = all
        .iter()
        .filter(|parameter| parameter.error.is_some())
        .count();
    let title = if with_error == 0 {
        format!(
            "{} goes from {} to {}",
            short(wording::parameter(&first.name)),
            decimal(first.start, 2),
            decimal(first.value, 2)
        )
    } else {
        let moved = all.iter().collect::<Vec<_>>().iter().filter(clear).count();
        format!(
            "{moved} of {} clearly changed",
            counted(all.len() as u64, "parameter")
        )
    };
    let more = match all.len() - shown.len() {
        0 => String::new(),
        more => format!(
            "; the {MOST} clearest shown, {} omitted",
            grouped(more as u64)
        ),
    };
    let whisker = if with_error > 0 {
        "; whiskers: 95 % interval"
    } else {
        "; the method gives no intervals"
    };
    let rows: Vec<Row> = shown
        .iter()
        .map(|parameter| Row {
            name: wording::parameter(&parameter.name).to_string(),
            colour: Some(tuning.colour(&parameter.name)),
            figure: figure(parameter),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!("{}{more}{whisker}", data.title);
    let top = heading(&mut plan, &title, &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let ends = || {
        let each = shown.iter().flat_map(|parameter| {
            let found = change(tuning, parameter);
            [Some(0.0), found.value, found.low, found.high]
        });
        each.flatten()
    };
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale::linear(round_ends(low, high, 8), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, short_number);
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, span, tuning.unit_name());
    mark_across(&mut plan, &scale, &layout, 0.0);
    for (index, parameter) in shown.iter().enumerate() {
        let y = layout.middle(index);
        let colour = tuning.colour(&parameter.name);
        let found = change(tuning, parameter);
        let to = scale.at(found.value.unwrap_or(0.0));
        plan.line((scale.at(0.0), y), (to, y), Stroke::solid(theme::GRID, 4.0));
        let known = Estimate {
            low: found.low.or(found.value),
            high: found.high.or(found.value),
            ..found
        };
        if parameter.error.is_some() {
            whiskers(&mut plan, &scale, y, &known, colour, colour);
        } else {
            plan.dot((to, y), 5.5, colour, colour);
        }
        plan.hint(format!("{}: {}", parameter.name, figure(parameter)));
    }
    Some(plan)
}
