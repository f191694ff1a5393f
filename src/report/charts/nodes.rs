//! Nodes per move of every player: the cost of its strength.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading, whiskers};
use crate::report::lines::short_number;
use crate::report::scale::Scale;
use crate::report::theme::Colour;
use crate::report::wording::{grouped, short};
use crate::stats::normal::Z95;
use crate::stats::{Basis, Estimate};

struct Effort {
    name: String,
    colour: Colour,
    /// Nodes per move: mean over games.
    nodes: Estimate,
}

fn efforts(data: &ReportData) -> Vec<Effort> {
    let each = data.ladder().iter().filter_map(|standing| {
        let mean = data
            .nodes
            .get(standing.player)
            .filter(|mean| mean.count > 0)?;
        let reach = mean.standard_error().map(|error| Z95 * error);
        Some(Effort {
            name: standing.name.clone(),
            colour: colour(data, standing.player),
            nodes: Estimate {
                value: Some(mean.mean),
                low: reach.map(|reach| (mean.mean - reach).max(0.0)),
                high: reach.map(|reach| mean.mean + reach),
                basis: Basis::Normal,
            },
        })
    });
    each.collect()
}

/// The headline: who searches most, and how much more than the least.
fn title(efforts: &[Effort]) -> String {
    let value = |effort: &&Effort| effort.nodes.value.unwrap_or(0.0);
    let compare = |a: &&Effort, b: &&Effort| value(a).total_cmp(&value(b));
    let (Some(most), Some(least)) = (
        efforts.iter().max_by(compare),
        efforts.iter().min_by(compare),
    ) else {
        return String::new();
    };
    if let (Some(low), Some(high)) = (most.nodes.low, least.nodes.high)
        && efforts.len() > 1
        && low <= high
    {
        return "No player searches clearly more nodes than another".to_string();
    }
    let ratio = value(&most) / value(&least).max(1e-9);
    if efforts.len() < 2 || ratio < 1.05 {
        return format!(
            "All search about {} nodes per move",
            grouped(value(&most).round() as u64)
        );
    }
    let times = if ratio < 10.0 {
        format!("{ratio:.1}")
    } else {
        grouped(ratio.round() as u64)
    };
    format!(
        "{} searches {times} times the nodes of {}",
        short(&most.name),
        short(&least.name)
    )
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let efforts = efforts(data);
    if efforts.is_empty() {
        return None;
    }
    let figure = |nodes: &Estimate| {
        let whole = |value: f64| grouped(value.round() as u64);
        match (nodes.value, nodes.error()) {
            (Some(value), Some(error)) => format!("{} ± {}", whole(value), whole(error)),
            (Some(value), None) => whole(value),
            _ => String::new(),
        }
    };
    let rows: Vec<Row> = efforts
        .iter()
        .map(|effort| Row {
            name: effort.name.clone(),
            colour: Some(effort.colour),
            figure: figure(&effort.nodes),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; mean over games; whiskers: 95 % interval; logarithmic scale",
        sample(data)
    );
    let top = heading(&mut plan, &title(&efforts), &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let ends = || {
        let each = efforts.iter().map(|effort| &effort.nodes);
        each.flat_map(|nodes| [nodes.value, nodes.low, nodes.high])
            .flatten()
    };
    let low = ends().fold(f64::INFINITY, f64::min).max(0.5) * 0.8;
    let high = ends().fold(1.0, f64::max) * 1.25;
    let scale = Scale::ratio((low, high), (layout.left, layout.right));
    let mut ticks = Ticks::across(&scale, short_number);
    if ticks.values.len() < 2 {
        // Powers of ten are too far apart here.
        let even = Scale::linear((low, high), (layout.left, layout.right));
        let values = even.ticks(5);
        let texts = values.iter().map(|value| short_number(*value)).collect();
        ticks = Ticks { values, texts };
    }
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, span, "nodes per move");
    for (index, effort) in efforts.iter().enumerate() {
        let y = layout.middle(index);
        let known = Estimate {
            low: effort.nodes.low.or(effort.nodes.value),
            high: effort.nodes.high.or(effort.nodes.value),
            ..effort.nodes
        };
        whiskers(&mut plan, &scale, y, &known, effort.colour, effort.colour);
        plan.hint(format!(
            "{}: {} nodes per move",
            effort.name,
            figure(&effort.nodes)
        ));
    }
    Some(plan)
}
