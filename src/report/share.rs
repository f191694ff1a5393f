//! What charts of results by row have in common: the axis of shares in percent, with one half marked, and
//! the axis of Elo, with zero marked.

use super::canvas::{ChartPlan, Stroke};
use super::frame::{Rows, Ticks, axis_below};
use super::lines::{LineChart, Mark, Series};
use super::scale::{Scale, Spread, round_ends};
use super::theme;
use crate::stats::Estimate;

/// A share from 0 to 1 in percent.
pub fn in_percent(share: &Estimate) -> Estimate {
    let percent = |value: Option<f64>| value.map(|value| 100.0 * value);
    Estimate {
        value: percent(share.value),
        low: percent(share.low),
        high: percent(share.high),
        basis: share.basis,
    }
}

/// The indices of the best score, and of those whose intervals overlap its interval.
pub fn level_with_the_best(scores: &[Estimate]) -> Vec<usize> {
    let value = |score: &Estimate| score.value.unwrap_or(f64::NEG_INFINITY);
    let Some(best) = scores.iter().max_by(|a, b| value(a).total_cmp(&value(b))) else {
        return Vec::new();
    };
    // Unknown ends exclude nothing.
    let reaches = |score: &Estimate| match (score.high, best.low) {
        (Some(high), Some(low)) => high >= low,
        _ => true,
    };
    let level = scores.iter().enumerate();
    let level = level.filter(|(_, score)| score.value.is_some() && reaches(score));
    level.map(|(index, _)| index).collect()
}

/// Draws a value that rows are measured against as a dashed line across all of them.
pub fn mark_across(plan: &mut ChartPlan, scale: &Scale, rows: &Rows, value: f64) {
    let at = scale.at(value);
    plan.line(
        (at, rows.top),
        (at, rows.bottom()),
        Stroke::dashed(theme::RULE, 1.0),
    );
}

/// Draws the axis below rows of shares, wide enough for all intervals, and ends the plan there.
pub fn share_axis<'e>(
    plan: &mut ChartPlan,
    rows: &Rows,
    shares: impl Iterator<Item = &'e Estimate>,
) -> Scale {
    let (mut low, mut high) = (50.0, 50.0);
    for share in shares.map(in_percent) {
        for end in [share.low, share.high].into_iter().flatten() {
            low = f64::min(low, end);
            high = f64::max(high, end);
        }
    }
    let (low, high) = round_ends(low, high, 8);
    let scale = Scale::linear((low.max(0.0), high.min(100.0)), (rows.left, rows.right));
    let ticks = Ticks::across(&scale, |value| format!("{value} %"));
    let span = (rows.top, rows.bottom());
    plan.height = axis_below(plan, &scale, &ticks, span, "share of the points");
    mark_across(plan, &scale, rows, 50.0);
    scale
}

/// Draws the axis below rows of Elo, wide enough for all intervals, and ends the plan there.
pub fn elo_axis<'e>(
    plan: &mut ChartPlan,
    rows: &Rows,
    name: &str,
    figures: impl Iterator<Item = &'e Estimate>,
) -> Scale {
    let (mut low, mut high) = (-10.0, 10.0);
    for figure in figures {
        for end in [figure.value, figure.low, figure.high]
            .into_iter()
            .flatten()
        {
            low = f64::min(low, end);
            high = f64::max(high, end);
        }
    }
    let scale = Scale::linear(round_ends(low, high, 8), (rows.left, rows.right));
    let ticks = Ticks::across(&scale, |value| format!("{value:+.0}").replace("+0", "0"));
    let span = (rows.top, rows.bottom());
    plan.height = axis_below(plan, &scale, &ticks, span, name);
    mark_across(plan, &scale, rows, 0.0);
    scale
}

/// A chart of lines of shares; points are in percent.
pub fn share_lines(series: Vec<Series>) -> LineChart {
    LineChart {
        title: String::new(),
        subtitle: String::new(),
        x_name: String::new(),
        y_name: "share of the points".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![50.0],
        y_limits: (0.0, 100.0),
        y_text: |value| format!("{value} %"),
        series,
        marks: vec![Mark {
            value: 50.0,
            text: String::new(),
        }],
        x_ticks: None,
    }
}
