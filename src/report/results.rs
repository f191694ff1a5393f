//! Wins, draws and losses of every player as stacked bars, best score first.

use super::ReportData;
use super::canvas::{Anchor, Plan, fit, text_width};
use super::theme;
use crate::record::PlayerTally;
use crate::stats::{Estimate, Sample};

const WIDTH: i32 = 960;
const TOP: i32 = 112;
const ROW: i32 = 34;
const BAR: i32 = 22;
const FOOT: i32 = 44;

pub fn plan(data: &ReportData) -> Option<Plan> {
    let mut players: Vec<&PlayerTally> = data
        .tally
        .players()
        .iter()
        .filter(|player| player.games.games() > 0)
        .collect();
    players.sort_by(|a, b| {
        let score = |player: &PlayerTally| player.games.score().unwrap_or(0.0);
        score(b).total_cmp(&score(a))
    });
    let best = *players.first()?;
    let height = TOP + ROW * players.len() as i32 + FOOT;
    let mut plan = Plan::new(WIDTH, height);
    plan.heading(&title(best, &players), &subtitle(data));

    let names: Vec<String> = players
        .iter()
        .map(|player| fit(&player.name, theme::LABEL_SIZE, false, 280))
        .collect();
    let widest = names
        .iter()
        .map(|name| text_width(name, theme::LABEL_SIZE, false))
        .max()
        .unwrap_or(0);
    let left = theme::MARGIN + widest + 12;
    let right = WIDTH - theme::MARGIN - 150;
    legend(&mut plan, left);
    axis(&mut plan, left, right, TOP + ROW * players.len() as i32);
    for (index, (player, name)) in players.iter().zip(&names).enumerate() {
        let middle = TOP + ROW * index as i32 + ROW / 2;
        plan.text(
            (left - 12, middle),
            name,
            theme::LABEL_SIZE,
            Anchor::Right,
            theme::INK,
        );
        bar(&mut plan, player, left, right, middle);
        let text = score_text(&player.summary().score);
        plan.text(
            (right + 12, middle),
            &text,
            theme::LABEL_SIZE,
            Anchor::Left,
            theme::INK,
        );
    }
    Some(plan)
}

fn score_text(score: &Estimate) -> String {
    match (score.value, score.error()) {
        (Some(value), Some(error)) => format!("{:.1} % ± {:.1}", 100.0 * value, 100.0 * error),
        (Some(value), None) => format!("{:.1} %", 100.0 * value),
        (None, _) => String::new(),
    }
}

fn title(best: &PlayerTally, players: &[&PlayerTally]) -> String {
    let score = best.games.score().unwrap_or(0.0);
    let level = players
        .iter()
        .filter(|player| player.games.score() == Some(score))
        .count();
    if level == players.len() {
        return "All players scored alike".to_string();
    }
    if level > 1 {
        return format!(
            "{level} players share the lead with {:.1} % of the points",
            100.0 * score
        );
    }
    format!(
        "{} scores best: {:.1} % of the points",
        best.name,
        100.0 * score
    )
}

fn subtitle(data: &ReportData) -> String {
    let games = data.tally.game_count();
    let pairs = data.tally.pair_count();
    format!(
        "{}: {} in {}; score ± 95 % interval",
        data.title,
        counted(games, "game"),
        counted(pairs, "opening pair")
    )
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn legend(plan: &mut Plan, left: i32) {
    let mut x = left;
    for (name, colour) in [
        ("won", theme::WIN),
        ("drawn", theme::DRAW),
        ("lost", theme::LOSS),
    ] {
        plan.rectangle((x, 86), (x + 12, 98), colour);
        plan.text(
            (x + 18, 92),
            name,
            theme::SMALL_SIZE,
            Anchor::Left,
            theme::FAINT_INK,
        );
        x += 18 + text_width(name, theme::SMALL_SIZE, false) + 20;
    }
}

fn axis(plan: &mut Plan, left: i32, right: i32, bottom: i32) {
    for percent in [0, 25, 50, 75, 100] {
        let x = left + (right - left) * percent / 100;
        plan.line((x, TOP), (x, bottom), theme::GRID);
        let label = format!("{percent} %");
        plan.text(
            (x, bottom + 14),
            &label,
            theme::SMALL_SIZE,
            Anchor::Centre,
            theme::FAINT_INK,
        );
    }
}

fn bar(plan: &mut Plan, player: &PlayerTally, left: i32, right: i32, middle: i32) {
    let total = player.games.games() as f64;
    let parts = [
        (player.games.wins, theme::WIN, theme::BACKGROUND),
        (player.games.draws, theme::DRAW, theme::INK),
        (player.games.losses, theme::LOSS, theme::INK),
    ];
    let mut before = 0;
    for (count, colour, ink) in parts {
        let edge =
            |games: u64| left + (f64::from(right - left) * games as f64 / total).round() as i32;
        let (from, to) = (edge(before), edge(before + count));
        before += count;
        if count == 0 {
            continue;
        }
        plan.rectangle((from, middle - BAR / 2), (to, middle + BAR / 2), colour);
        let label = format!("{:.0} %", 100.0 * count as f64 / total);
        // A label that does not fit would lie over its neighbour.
        if text_width(&label, theme::SMALL_SIZE, false) + 6 <= to - from {
            plan.text(
                ((from + to) / 2, middle),
                &label,
                theme::SMALL_SIZE,
                Anchor::Centre,
                ink,
            );
        }
    }
}
