//! What a ply, or twice the nodes, is worth: the Elo between neighbours of a sweep over a limit.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading, whiskers};
use crate::report::scale::{Scale, round_ends};
use crate::report::share::mark_across;
use crate::report::swept::{Sweep, sweeps};
use crate::report::theme;
use crate::report::wording::{elo_text, short};
use crate::stats::Estimate;

/// A swept limit, and the step that its Elo is given for.
struct Unit {
    key: &'static str,
    step: &'static str,
    /// Steps from one value to the next.
    steps: fn(f64, f64) -> f64,
}

const UNITS: [Unit; 2] = [
    Unit {
        key: "depth",
        step: "ply",
        steps: |from, to| to - from,
    },
    Unit {
        key: "nodes",
        step: "doubling of the nodes",
        steps: |from, to| (to / from).log2(),
    },
];

/// From one value of the limit to the next.
struct Rung {
    name: String,
    /// Elo for each step between the two.
    gain: Estimate,
}

fn scaled(estimate: &Estimate, factor: f64) -> Estimate {
    let times = |value: Option<f64>| value.map(|value| value * factor);
    Estimate {
        value: times(estimate.value),
        low: times(estimate.low),
        high: times(estimate.high),
        basis: estimate.basis,
    }
}

/// The Elo of one player above another, from all games.
fn difference(data: &ReportData, player: usize, other: usize) -> Option<Estimate> {
    match &data.standings.ratings {
        Some(ratings) if data.ladder().len() > 2 => Some(ratings.difference(player, other)),
        _ => Some(data.meeting(player, other)?.elo),
    }
}

fn rungs(data: &ReportData, sweep: &Sweep, unit: &Unit, named: bool) -> Vec<Rung> {
    let mut values: Vec<(f64, usize)> = Vec::new();
    for swept in &sweep.players {
        if let Some(value) = swept.values[0].number().filter(|value| *value > 0.0) {
            values.push((value, swept.player));
        }
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let neighbours = values.windows(2).filter_map(|pair| {
        let [(from, weaker), (to, stronger)] = [pair[0], pair[1]];
        let steps = (unit.steps)(from, to);
        let gain = difference(data, stronger, weaker).filter(|_| steps > 0.0)?;
        let whose = if named {
            format!("{}, ", sweep.base)
        } else {
            String::new()
        };
        Some(Rung {
            name: format!("{whose}{} {from} to {to}", unit.key),
            gain: scaled(&gain, 1.0 / steps),
        })
    });
    neighbours.collect()
}

fn title(rungs: &[Rung], unit: &Unit) -> String {
    let (first, last) = (&rungs[0], &rungs[rungs.len() - 1]);
    let step = unit.step;
    let figure = |rung: &Rung| elo_text(&rung.gain);
    if rungs.len() == 1 {
        return format!("A {step} is worth {} Elo", figure(first));
    }
    format!(
        "A {step} is worth {} Elo at {}, {} at {}",
        figure(first),
        short(&first.name),
        figure(last),
        short(&last.name)
    )
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let all = sweeps(data, 1);
    let unit = UNITS
        .iter()
        .find(|unit| all.iter().any(|sweep| sweep.keys[0] == unit.key))?;
    let same: Vec<&Sweep> = all.iter().filter(|it| it.keys[0] == unit.key).collect();
    let named = same.len() > 1;
    let rungs: Vec<Rung> = same
        .iter()
        .flat_map(|sweep| rungs(data, sweep, unit, named))
        .collect();
    let known = || {
        let each = rungs.iter().map(|rung| &rung.gain);
        each.flat_map(|elo| [elo.value, elo.low, elo.high])
            .flatten()
    };
    known().next()?;
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; difference of neighbours from all games; whiskers: 95 % interval",
        sample(data)
    );
    let top = heading(&mut plan, &title(&rungs, unit), &subtitle);
    let rows: Vec<Row> = rungs
        .iter()
        .map(|rung| Row {
            name: rung.name.clone(),
            colour: None,
            figure: elo_text(&rung.gain),
        })
        .collect();
    let layout = Rows::begin(&mut plan, top, &rows);
    let (low, high) = round_ends(known().fold(0.0, f64::min), known().fold(10.0, f64::max), 8);
    let scale = Scale::linear((low, high), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, |value| format!("{value:+.0}").replace("+0", "0"));
    let span = (layout.top, layout.bottom());
    let axis = format!("Elo for each {}", unit.step);
    plan.height = axis_below(&mut plan, &scale, &ticks, span, &axis);
    mark_across(&mut plan, &scale, &layout, 0.0);
    for (index, rung) in rungs.iter().enumerate() {
        let y = layout.middle(index);
        whiskers(&mut plan, &scale, y, &rung.gain, theme::INK, theme::INK);
        plan.hint(format!("{}: {} Elo", rung.name, elo_text(&rung.gain)));
    }
    Some(plan)
}
