//! The survivors of a race by round: every player's distance to the leader until it goes out.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Interval, Join, LineChart, Series, short_number};
use crate::report::race::last_rows;
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{counted, short};
use crate::stats::Estimate;

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let race = data.race.as_ref()?;
    let rounds = race.rounds();
    if rounds.len() < 2 {
        return None;
    }
    let mut series: Vec<Series> = Vec::new();
    for (place, last) in last_rows(race).into_iter().enumerate() {
        let player = last.row.player;
        let points = rounds.iter().filter_map(|round| {
            let row = round.rows.iter().find(|row| row.player == player)?;
            let value = Estimate {
                value: Some(row.elo),
                ..Estimate::UNKNOWN
            };
            Some((round.pairs as f64, value))
        });
        series.push(Series {
            name: data.name(player).to_string(),
            colour: match place < theme::DISTINCT {
                true => colour(data, player),
                false => theme::RULE,
            },
            points: points.collect(),
            interval: Interval::Hidden,
            join: Join::Line,
            dots: Vec::new(),
        });
    }
    let first = &series.first()?.name;
    let sizes: Vec<String> = rounds.iter().map(|it| it.rows.len().to_string()).collect();
    let chart = LineChart {
        title: format!(
            "{} after {}",
            short(first),
            counted(rounds.len() as u64, "round")
        ),
        subtitle: format!(
            "{}; field: {}; by all games so far, intervals in the chart of the race",
            sample(data),
            short_list(&sizes)
        ),
        x_name: "opening pairs of the run at the end of a round".to_string(),
        y_name: "Elo to the leader of the round".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        series,
        marks: Vec::new(),
        x_ticks: None,
    };
    Some(chart.plan(width))
}

/// At most eight sizes of the field.
fn short_list(sizes: &[String]) -> String {
    let mut sizes = sizes.to_vec();
    sizes.dedup();
    match sizes.len() {
        ..=8 => sizes.join(" → "),
        many => format!("{} → … → {}", sizes[..4].join(" → "), sizes[many - 1]),
    }
}
