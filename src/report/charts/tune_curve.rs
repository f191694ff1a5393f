//! Elo by value of one parameter: the measured values, and the fitted curve.

use crate::record::GridPoint;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Dot, Interval, Join, LineChart, Mark, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::tuning::Tuning;
use crate::report::wording::{counted, decimal, elo_text, parameter};
use crate::stats::{Basis, Estimate};

fn around(value: f64, reach: f64) -> Estimate {
    Estimate {
        value: Some(value),
        low: Some(value - reach),
        high: Some(value + reach),
        basis: Basis::Normal,
    }
}

/// Points of the drawn curve.
const STEPS: usize = 60;

/// The polynomial through some points, at `x` (Lagrange).
fn interpolated(points: &[(f64, f64)], x: f64) -> f64 {
    let each = points.iter().enumerate().map(|(index, (own, value))| {
        let others = points.iter().enumerate().filter(|(at, _)| *at != index);
        let factors = others.map(|(_, (other, _))| (x - other) / (own - other));
        value * factors.product::<f64>()
    });
    each.sum()
}

/// `count` of the points, evenly spread and with both ends.
fn spread(points: &[(f64, f64)], count: usize) -> Vec<(f64, f64)> {
    let last = points.len() - 1;
    let chosen = (0..count).map(|index| points[(index * last + (count - 1) / 2) / (count - 1)]);
    chosen.collect()
}

/// The fitted curve with its interval. It is a parabola, so that three points give it, and the variance
/// of its height is a polynomial of degree four, which five points give.
fn curve(points: &[&GridPoint]) -> Vec<(f64, Estimate)> {
    let values: Vec<(f64, f64)> = points.iter().map(|it| (it.values[0], it.curve)).collect();
    let variances: Vec<(f64, f64)> = points
        .iter()
        .map(|it| (it.values[0], it.curve_error * it.curve_error))
        .collect();
    if points.len() < 5 {
        let known = points.iter();
        return known
            .map(|it| (it.values[0], around(it.curve, it.curve_error)))
            .collect();
    }
    let (values, variances) = (spread(&values, 3), spread(&variances, 5));
    let (low, high) = (values[0].0, values[2].0);
    let steps = (0..=STEPS).map(|step| low + (high - low) * step as f64 / STEPS as f64);
    steps
        .map(|x| {
            let variance = interpolated(&variances, x).max(0.0);
            (x, around(interpolated(&values, x), variance.sqrt()))
        })
        .collect()
}

/// The headline: the optimum as in the table of parameters, and whether its gain is clear.
fn title(tuning: &Tuning, name: &str, curve: &[(f64, Estimate)]) -> Option<String> {
    let Some(row) = tuning.parameter(name) else {
        return Some(format!("Elo by value of {name}"));
    };
    let name = parameter(name);
    let optimum = decimal(row.value, 2);
    let within = match row.interval {
        Some((low, high)) => format!(" (95 %: {} to {})", decimal(low, 2), decimal(high, 2)),
        None => String::new(),
    };
    let distance = |(x, _): &&(f64, Estimate)| (x - row.value).abs();
    let nearest = curve
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let height = nearest.map(|(_, height)| *height)?;
    Some(if height.low > Some(0.0) {
        let gain = elo_text(&height);
        format!("Optimum at {name} = {optimum}{within}, {gain} Elo above the start")
    } else {
        format!("No value of {name} is clearly better than the start; optimum {optimum}{within}")
    })
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let grid = tuning.grid.as_ref()?;
    let [name] = &grid.names[..] else { return None };
    let mut points: Vec<&GridPoint> = grid.points.iter().collect();
    points.sort_by(|a, b| a.values[0].total_cmp(&b.values[0]));
    points.dedup_by(|a, b| a.values[0] == b.values[0]);
    points.first()?;
    let smooth = curve(&points);
    let title = title(tuning, name, &smooth)?;
    let pairs: u64 = points.iter().map(|point| point.pairs).sum();
    let fitted = Series {
        name: "fitted curve".to_string(),
        colour: tuning.colour(name),
        points: smooth,
        interval: Interval::Band,
        join: Join::Line,
        dots: Vec::new(),
    };
    let dots = points.iter().map(|point| {
        let elo = elo_text(&around(point.elo, point.elo_error));
        Dot {
            hint: format!("{name} = {}: {elo} Elo", decimal(point.values[0], 2)),
            colour: theme::INK,
        }
    });
    let measured = Series {
        name: "measured".to_string(),
        colour: theme::INK,
        points: points
            .iter()
            .map(|point| (point.values[0], around(point.elo, point.elo_error)))
            .collect(),
        interval: Interval::Bars,
        join: Join::Nothing,
        dots: dots.collect(),
    };
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}: {}; bars and band: 95 % intervals",
            data.title,
            counted(pairs, "opening pair")
        ),
        x_name: name.clone(),
        y_name: "Elo against the start".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        // The curve behind the points.
        series: vec![measured, fitted],
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_drawn_exactly_between_its_points() {
        let height = |x: f64| 3.0 + 2.0 * x - 0.5 * x * x;
        let points: Vec<(f64, f64)> = (0..9)
            .map(|x| (f64::from(x), height(f64::from(x))))
            .collect();
        let chosen = spread(&points, 3);
        assert_eq!([chosen[0].0, chosen[1].0, chosen[2].0], [0.0, 4.0, 8.0]);
        assert!((interpolated(&chosen, 2.75) - height(2.75)).abs() < 1e-12);
        assert_eq!(spread(&points, 5).len(), 5);
    }
}
