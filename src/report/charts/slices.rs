//! Slices of a tuned space: the effect of each parameter by itself, all others averaged out.

use crate::record::Slice;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Interval, Join, LineChart, Mark, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{parameter, short};
use crate::stats::{Basis, Estimate};

/// More lines cannot be told apart.
const MOST: usize = theme::DISTINCT;

/// The largest effects first.
pub(super) fn by_effect(slices: &[Slice]) -> Vec<&Slice> {
    let mut sorted: Vec<&Slice> = slices.iter().collect();
    sorted.sort_by(|a, b| b.effect.total_cmp(&a.effect));
    sorted
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let all = by_effect(&tuning.slices);
    let first = all.first()?;
    let shown = &all[..all.len().min(MOST)];
    let series = shown.iter().enumerate().map(|(place, slice)| {
        let ends = [slice.points.first(), slice.points.last()];
        let [low, high] = ends.map(|point| point.map_or(0.0, |point| point.value));
        let points = slice.points.iter().map(|point| {
            let at = 100.0 * (point.value - low) / (high - low).max(f64::MIN_POSITIVE);
            let elo = Estimate {
                value: Some(point.elo),
                low: Some(point.elo - point.error),
                high: Some(point.elo + point.error),
                basis: Basis::Normal,
            };
            (at, elo)
        });
        Series {
            name: parameter(&slice.name).to_string(),
            colour: theme::player(place),
            points: points.collect(),
            interval: match place {
                0 => Interval::Band,
                _ => Interval::Hidden,
            },
            join: Join::Line,
            dots: Vec::new(),
        }
    });
    let omitted = match all.len() - shown.len() {
        0 => String::new(),
        more => format!("; {more} smaller effects omitted"),
    };
    let chart = LineChart {
        title: format!("{} matters most", short(parameter(&first.name))),
        subtitle: format!(
            "{}: by the model, all other parameters averaged; band: its 95 % interval{omitted}",
            data.title
        ),
        x_name: "percent of the parameter's range".to_string(),
        y_name: "Elo against the start value".to_string(),
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
