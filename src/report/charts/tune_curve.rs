//! Elo by value of one parameter: the measured values, and the fitted curve.

use crate::record::GridPoint;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{LineChart, Mark, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{counted, decimal, elo_text};
use crate::stats::{Basis, Estimate};

fn around(value: f64, reach: f64) -> Estimate {
    Estimate {
        value: Some(value),
        low: Some(value - reach),
        high: Some(value + reach),
        basis: Basis::Normal,
    }
}

pub fn plan(data: &ReportData) -> Option<ChartPlan> {
    let grid = data.tuning.as_ref()?.grid.as_ref()?;
    let [name] = &grid.names[..] else { return None };
    let mut points: Vec<&GridPoint> = grid.points.iter().collect();
    points.sort_by(|a, b| a.values[0].total_cmp(&b.values[0]));
    let best = points.iter().max_by(|a, b| a.curve.total_cmp(&b.curve))?;
    let figure = elo_text(&around(best.curve, best.curve_error));
    let title = format!(
        "The fitted curve peaks near {name} = {}: {figure} Elo",
        decimal(best.values[0], 2)
    );
    let pairs: u64 = points.iter().map(|point| point.pairs).sum();
    let curve = Series {
        name: "fitted curve".to_string(),
        colour: theme::player(0),
        points: points
            .iter()
            .map(|point| (point.values[0], around(point.curve, point.curve_error)))
            .collect(),
        band: true,
        dots: false,
        hints: Vec::new(),
    };
    let tried = Series {
        name: "values tried".to_string(),
        colour: theme::player(1),
        points: points
            .iter()
            .map(|point| (point.values[0], around(point.elo, point.elo_error)))
            .collect(),
        band: false,
        dots: true,
        hints: points
            .iter()
            .map(|point| {
                let elo = elo_text(&around(point.elo, point.elo_error));
                format!("{name} = {}: {elo} Elo", decimal(point.values[0], 2))
            })
            .collect(),
    };
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}: {}; band: 95 % interval of the curve",
            data.title,
            counted(pairs, "opening pair")
        ),
        x_name: name.clone(),
        y_name: "Elo against the start".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        series: vec![curve, tried],
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan())
}
