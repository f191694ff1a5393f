//! What stopping a race earlier would have cost: by the ratings from all games, how far the leader of each
//! round is below the strongest player.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Dot, Interval, Join, LineChart, Mark, Series, short_number};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{counted, elo_text};
use crate::stats::{Basis, Estimate, RaceRound};

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let race = data.race.as_ref()?;
    let ratings = data.standings.ratings.as_ref()?;
    let best = race.winner()?;
    let rounds = race.rounds();
    // A winner that led all the way would have won at any time.
    let is_best = |round: &RaceRound| round.rows.first().is_some_and(|row| row.player == best);
    if rounds.iter().all(is_best) {
        return None;
    }
    let mut points = Vec::new();
    let mut dots = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        let leader = round.rows.first()?.player;
        let lost = match leader == best {
            true => Estimate {
                value: Some(0.0),
                low: None,
                high: None,
                basis: Basis::Normal,
            },
            false => ratings.difference(best, leader),
        };
        dots.push(Dot {
            hint: format!(
                "round {}: {} leads, {} Elo below the winner",
                index + 1,
                data.name(leader),
                elo_text(&lost)
            ),
            colour: theme::INK,
        });
        points.push((2.0 * round.pairs as f64, lost));
    }
    let settled = rounds.iter().rev();
    let settled = settled.take_while(|round| is_best(round));
    let title = match settled.last() {
        Some(round) => format!(
            "The winner leads since game {}",
            crate::report::wording::grouped(2 * round.pairs)
        ),
        None => "The winner leads only at the end".to_string(),
    };
    let chart = LineChart {
        title,
        subtitle: format!(
            "{}; ratings from all games of {}; bars: 95 % intervals",
            sample(data),
            counted(race.players() as u64, "player")
        ),
        x_name: "games".to_string(),
        y_name: "Elo that the leader is below the later winner".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![0.0, 10.0],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: short_number,
        series: vec![Series {
            name: "regret".to_string(),
            colour: theme::INK,
            points,
            interval: Interval::Bars,
            join: Join::Guide,
            dots,
        }],
        marks: vec![Mark {
            value: 0.0,
            text: String::new(),
        }],
        x_ticks: None,
    };
    Some(chart.plan(width))
}
