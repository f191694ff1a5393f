//! Scores of all players against each other, as a heat map in the order of the standings.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, HeatMap};
use crate::report::wording::{counted, decimal, score_text, short};
use crate::stats::Estimate;

/// The score of one player against another.
struct PairScore {
    score: Estimate,
    games: u64,
    /// P-value of equal strength, adjusted for all pairings (Holm).
    p_holm: Option<f64>,
}

struct HeadToHead {
    names: Vec<String>,
    /// By the ranks of player and opponent.
    meetings: Vec<Vec<Option<PairScore>>>,
    sample: String,
}

impl HeadToHead {
    /// For three or more players: a match of two has other charts.
    fn of(data: &ReportData) -> Option<HeadToHead> {
        if data.ladder().len() < 3 {
            return None;
        }
        let order: Vec<usize> = data.ladder().iter().map(|row| row.player).collect();
        let meeting = |player: usize, opponent: usize| {
            let summary = data.meeting(player, opponent)?;
            (player != opponent).then_some(PairScore {
                score: summary.score,
                games: summary.games,
                p_holm: data.p_holm(player, opponent),
            })
        };
        let row = |player: &usize| order.iter().map(|other| meeting(*player, *other)).collect();
        Some(HeadToHead {
            names: order
                .iter()
                .map(|player| data.name(*player).to_string())
                .collect(),
            meetings: order.iter().map(row).collect(),
            sample: sample(data),
        })
    }

    /// The headline: the biggest upset, or that there is none.
    fn title(&self) -> String {
        let mut upset: Option<(f64, usize, usize)> = None;
        for (player, row) in self.meetings.iter().enumerate() {
            for (opponent, meeting) in row.iter().enumerate().take(player) {
                // A lower-placed player whose lead is significant among all pairings.
                let Some(meeting) = meeting else { continue };
                let value = meeting.score.value.filter(|value| *value > 0.5);
                let clear = meeting.p_holm.is_some_and(|p| p < 0.05);
                if let Some(value) = value.filter(|_| clear)
                    && upset.is_none_or(|(most, ..)| value > most)
                {
                    upset = Some((value, player, opponent));
                }
            }
        }
        match upset {
            Some((_, player, opponent)) => format!(
                "{} beats the higher-ranked {}",
                short(&self.names[player]),
                short(&self.names[opponent])
            ),
            None => "No player clearly beats a higher-ranked one".to_string(),
        }
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let chart = HeadToHead::of(data)?;
    let cell = |player: usize, opponent: usize, meeting: &PairScore| {
        let share = meeting.score.value?;
        Some(Cell {
            share,
            text: decimal(100.0 * share, 0),
            hint: format!(
                "{} against {}: {} in {}",
                chart.names[player],
                chart.names[opponent],
                score_text(&meeting.score),
                counted(meeting.games, "game")
            ),
        })
    };
    let matrix = HeatMap::of_players(&chart.names, ("0 %", "100 %"), |player, opponent| {
        let meeting = chart.meetings[player][opponent].as_ref()?;
        cell(player, opponent, meeting)
    });
    let mut plan = ChartPlan::new(width, 0.0);
    let least = least_reach(&chart);
    let subtitle = format!(
        "{}; score in % of the row's player against the column's{least}",
        chart.sample
    );
    let top = heading(&mut plan, &chart.title(), &subtitle);
    plan.height = matrix.draw(&mut plan, top);
    Some(plan)
}

/// The widest interval: cells have no room for intervals.
fn least_reach(chart: &HeadToHead) -> String {
    let reach = chart.meetings.iter().flatten().flatten();
    let widest = reach
        .filter_map(|meeting| meeting.score.error())
        .fold(0.0, f64::max);
    format!("; 95 % intervals reach up to ± {:.1} %", 100.0 * widest)
}
