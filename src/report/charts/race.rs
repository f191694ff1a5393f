//! The bracket of a race: how far every player is below the leader, with the interval at the time it went
//! out or now.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading, whiskers};
use crate::report::race::{LastRow, last_rows};
use crate::report::scale::{Scale, round_ends};
use crate::report::share::mark_across;
use crate::report::theme::{self, Colour};
use crate::report::wording::{decimal, short};
use crate::stats::{Estimate, Race};

/// More players are not drawn.
const MOST: usize = 40;

/// Players of this many rounds back still have a colour of their own.
fn shade(data: &ReportData, player: usize, out_in: Option<usize>) -> Colour {
    match out_in {
        None => colour(data, player),
        Some(_) => theme::RULE,
    }
}

fn title(data: &ReportData, race: &Race) -> String {
    let name = |player: usize| short(data.name(player));
    let leader = || race.now().first().map_or(0, |row| row.player);
    match race.winner() {
        Some(winner) => format!("{} wins the race", name(winner)),
        None => format!(
            "{} leads, {} still in",
            name(leader()),
            race.survivors().len()
        ),
    }
}

fn figure(row: &LastRow) -> String {
    let elo = match row.row.to_leader {
        Estimate::UNKNOWN => "leader".to_string(),
        _ => decimal(row.row.elo, 0),
    };
    match row.out_in {
        Some(round) => format!("{elo}, out in {round}"),
        None => elo,
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let race = data.race.as_ref()?;
    let mut shown = last_rows(race);
    if shown.iter().all(|row| row.row.pairs == 0) {
        return None;
    }
    let left_out = shown.len().saturating_sub(MOST);
    shown.truncate(MOST);
    let rows: Vec<Row> = shown
        .iter()
        .map(|row| Row {
            name: data.name(row.row.player).to_string(),
            colour: Some(shade(data, row.row.player, row.out_in)),
            figure: figure(row),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let more = match left_out {
        0 => String::new(),
        more => format!("; {more} that went out first omitted"),
    };
    let subtitle = format!(
        "{}; whiskers: {} for all together and at all times, when each went out or now{more}",
        sample(data),
        crate::record::figures::percent(race.rules().certainty, 0)
    );
    let top = heading(&mut plan, &title(data, race), &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let known = || {
        let each = shown.iter().map(|row| &row.row);
        each.flat_map(|row| [Some(row.elo), row.to_leader.low, row.to_leader.high])
            .flatten()
    };
    let least = shown.iter().map(|row| row.row.elo).fold(-10.0, f64::min);
    // Intervals after few pairs may be very wide: they leave the chart.
    let low = known().fold(-10.0, f64::min).max(2.0 * least - 50.0);
    let high = known().fold(10.0, f64::max).min(50.0 - least);
    let (low, high) = round_ends(low, high, 8);
    let scale = Scale::linear((low, high), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, |value| format!("{value:+.0}").replace("+0", "0"));
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(
        &mut plan,
        &scale,
        &ticks,
        span,
        "Elo above the leader of its last round",
    );
    mark_across(&mut plan, &scale, &layout, 0.0);
    for (index, row) in shown.iter().enumerate() {
        let y = layout.middle(index);
        let colour = shade(data, row.row.player, row.out_in);
        let inside = |end: Option<f64>| end.filter(|end| (low..=high).contains(end));
        let estimate = match row.row.to_leader {
            Estimate::UNKNOWN => Estimate {
                value: Some(0.0),
                low: Some(0.0),
                high: Some(0.0),
                ..Estimate::UNKNOWN
            },
            found => Estimate {
                value: inside(Some(row.row.elo)),
                low: inside(found.low),
                high: inside(found.high),
                ..found
            },
        };
        whiskers(&mut plan, &scale, y, &estimate, colour, colour);
        let interval = crate::record::figures::interval(&row.row.to_leader);
        plan.hint(format!(
            "{}: {} Elo to the leader ({interval}) after {} pairs",
            data.name(row.row.player),
            decimal(row.row.elo, 1),
            row.row.pairs
        ));
    }
    Some(plan)
}
