//! Score of every player with its 95 % interval.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, heading, whiskers};
use crate::report::share::{in_percent, share_axis};
use crate::report::theme::Colour;
use crate::report::verdict::winner_or_level;
use crate::report::wording::{score_text, short};
use crate::stats::Estimate;

struct Scored {
    name: String,
    colour: Colour,
    score: Estimate,
}

struct Scores {
    players: Vec<Scored>,
    title: String,
    sample: String,
}

impl Scores {
    fn of(data: &ReportData) -> Option<Scores> {
        let mut players: Vec<Scored> = data
            .ladder()
            .iter()
            .map(|standing| Scored {
                name: standing.name.clone(),
                colour: colour(data, standing.player),
                score: standing.score,
            })
            .collect();
        players.sort_by(|a, b| {
            let value = |player: &Scored| player.score.value.unwrap_or(0.0);
            value(b).total_cmp(&value(a))
        });
        let title = title(data, &players)?;
        Some(Scores {
            players,
            title,
            sample: sample(data),
        })
    }
}

/// The headline: who scored best, and whether the lead is significant.
fn title(data: &ReportData, players: &[Scored]) -> Option<String> {
    let best = players.first()?;
    let figure = score_text(&best.score);
    let Some(next) = players.get(1) else {
        return Some(format!("{} scores {figure}", short(&best.name)));
    };
    let level = players
        .iter()
        .all(|player| player.score.value == best.score.value);
    if level {
        return Some(format!("All {} players scored {figure}", players.len()));
    }
    Some(match players.len() {
        2 => match data.standings.leaders().len() {
            1 => format!(
                "{} beats {}: {figure}",
                short(&best.name),
                short(&next.name)
            ),
            _ => format!(
                "No clear winner: {} scores {figure} against {}",
                short(&best.name),
                short(&next.name)
            ),
        },
        _ => winner_or_level(data, |winner| {
            format!(
                "{} is the strongest: {}",
                short(&winner.name),
                score_text(&winner.score)
            )
        }),
    })
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let scores = Scores::of(data)?;
    let rows: Vec<Row> = scores
        .players
        .iter()
        .map(|player| Row {
            name: player.name.clone(),
            colour: Some(player.colour),
            figure: score_text(&player.score),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!("{}; whiskers: 95 % interval", scores.sample);
    let top = heading(&mut plan, &scores.title, &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let shares = scores.players.iter().map(|player| &player.score);
    let scale = share_axis(&mut plan, &layout, shares);
    for (index, player) in scores.players.iter().enumerate() {
        let y = layout.middle(index);
        whiskers(
            &mut plan,
            &scale,
            y,
            &in_percent(&player.score),
            player.colour,
            player.colour,
        );
        plan.hint(format!("{}: {}", player.name, score_text(&player.score)));
    }
    Some(plan)
}
