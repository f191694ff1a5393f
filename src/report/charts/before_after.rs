//! Parameters before and after tuning, with their uncertainty.

use crate::record::ParameterRow;
use crate::report::canvas::{ChartPlan, Stroke};
use crate::report::data::ReportData;
use crate::report::frame::{LegendKey, Row, Rows, Ticks, axis_below, heading, legend, whiskers};
use crate::report::lines::short_number;
use crate::report::scale::{Scale, round_ends};
use crate::report::theme;
use crate::report::wording::{self, counted, decimal, grouped, short};
use crate::stats::normal::Z95;
use crate::stats::{Basis, Estimate};

/// Maximum number of rows; the clearest changes first.
const MOST: usize = 40;

fn clearness(parameter: &ParameterRow) -> f64 {
    match parameter.z {
        Some(z) => z.abs(),
        None => {
            (parameter.value - parameter.start).abs() / parameter.error.unwrap_or(1.0).max(1e-9)
        }
    }
}

fn estimate(parameter: &ParameterRow) -> Estimate {
    let reach = parameter.error.map(|error| Z95 * error);
    Estimate {
        value: Some(parameter.value),
        low: reach.map(|reach| parameter.value - reach),
        high: reach.map(|reach| parameter.value + reach),
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

pub fn plan(data: &ReportData) -> Option<ChartPlan> {
    let all = &data.tuning.as_ref()?.parameters;
    let mut shown: Vec<&ParameterRow> = all.iter().collect();
    shown.sort_by(|a, b| clearness(b).total_cmp(&clearness(a)));
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
            colour: None,
            figure: figure(parameter),
        })
        .collect();
    let mut plan = ChartPlan::new(theme::WIDTH, 0.0);
    let subtitle = format!("{}{more}{whisker}", data.title);
    let top = heading(&mut plan, &title, &subtitle);
    let keys = [
        LegendKey {
            colour: theme::BACKGROUND,
            name: "before",
        },
        LegendKey {
            colour: theme::WIN,
            name: "after",
        },
    ];
    let top = legend(&mut plan, theme::MARGIN, top, &keys);
    let layout = Rows::begin(&mut plan, top, &rows);
    let ends = || {
        let each = shown.iter().flat_map(|parameter| {
            let found = estimate(parameter);
            [Some(parameter.start), found.value, found.low, found.high]
        });
        each.flatten()
    };
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale::linear(round_ends(low, high, 8), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, short_number);
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(
        &mut plan,
        &scale,
        &ticks,
        span,
        "value, in the parameter's unit",
    );
    for (index, parameter) in shown.iter().enumerate() {
        let y = layout.middle(index);
        let (from, to) = (scale.at(parameter.start), scale.at(parameter.value));
        plan.line((from, y), (to, y), Stroke::solid(theme::GRID, 4.0));
        plan.dot((from, y), 4.5, theme::BACKGROUND, theme::FAINT_INK);
        let found = estimate(parameter);
        let known = Estimate {
            low: found.low.or(found.value),
            high: found.high.or(found.value),
            ..found
        };
        if parameter.error.is_some() {
            whiskers(&mut plan, &scale, y, &known, theme::WIN, theme::WIN);
        } else {
            plan.dot((to, y), 5.5, theme::WIN, theme::WIN);
        }
        plan.hint(format!("{}: {}", parameter.name, figure(parameter)));
    }
    Some(plan)
}
