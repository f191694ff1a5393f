//! The part of `sparring stats` that shows ratings: one table for each group of players, differences,
//! chances of ranks, superiority, and what the ratings miss.

use serde::Serialize;

use super::Failure;
use super::standings::{paired_text, ranks_text, residuals_text};
use super::table::TextTable;
use crate::record::figures::difference;
use crate::record::{Standing, Standings, comparisons};
use crate::report::counted;

/// Blank for two players alone: their pairing says it all.
pub fn text(standings: &Standings) -> String {
    let played = standings.played();
    if played.len() < 3 {
        return String::new();
    }
    let groups = played.iter().map(|row| row.group).max().unwrap_or(0);
    let mut text = String::new();
    for group in 1..=groups {
        let rows: Vec<&Standing> = played.iter().filter(|row| row.group == group).collect();
        if groups > 1 {
            text.push_str(&format!(
                "group {group} of {groups}: no game connects it with the others\n"
            ));
        }
        text.push_str(&group_table(standings, &rows));
    }
    text.push_str(&standings.notes().concat());
    text.push('\n');
    text.push_str(&ranks_text(standings));
    text.push_str(&paired_text(standings));
    text.push_str(&residuals_text(standings));
    text
}

/// Ratings, differences and the superiority matrix of players that can be compared.
fn group_table(standings: &Standings, rows: &[&Standing]) -> String {
    let mut header = vec!["rating".to_string(), "Elo".to_string()];
    header.extend(["to leader", "to next"].map(str::to_string));
    header.extend((1..=rows.len()).map(|rank| format!("#{rank}")));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = TextTable::new(1, &header);
    let players: Vec<usize> = rows.iter().map(|row| row.player).collect();
    let ratings = standings.ratings.as_ref();
    let compared = ratings.map_or_else(Vec::new, |it| comparisons(it, &players));
    for (place, row) in rows.iter().enumerate() {
        let mut cells = vec![format!("#{} {}", place + 1, row.name)];
        cells.push(match difference(&row.elo) {
            zero if zero.is_empty() && row.elo.value.is_some() => "0".to_string(),
            text => text,
        });
        cells.extend([difference(&row.to_leader), difference(&row.to_next)]);
        for cell in compared.get(place).into_iter().flatten() {
            let text = cell.map(|cell| {
                let mark = if cell.is_significant() { "*" } else { " " };
                format!("{:.1}{mark}", (100.0 * cell.los).clamp(0.1, 99.9))
            });
            cells.push(text.unwrap_or_default());
        }
        table.row(cells);
    }
    format!(
        "{}(columns: likelihood in % that the row's player is stronger; *: significant at 5 % among {}, Holm)\n\n",
        table.text(),
        counted((rows.len() * (rows.len() - 1) / 2) as u64, "comparison")
    )
}

#[derive(Serialize)]
struct RatingJson<'a> {
    rating: &'a str,
    rank: usize,
    group: usize,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    basis: &'static str,
    los: Option<f64>,
    anchor: Option<&'a str>,
    to_leader: Option<f64>,
    to_leader_low: Option<f64>,
    to_leader_high: Option<f64>,
    to_next: Option<f64>,
    to_next_low: Option<f64>,
    to_next_high: Option<f64>,
    rank_chances: &'a [f64],
}

#[derive(Serialize)]
struct PairedJson<'a> {
    paired: &'a str,
    with: &'a str,
    openings: u64,
    pairs: u64,
    score: f64,
    score_low: Option<f64>,
    score_high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    elo_error_unpaired: Option<f64>,
    p: Option<f64>,
    p_holm: Option<f64>,
}

/// One JSON object per line for each paired comparison.
fn paired_lines(standings: &Standings) -> Result<String, Failure> {
    let mut text = String::new();
    for row in &standings.paired {
        let result = &row.result;
        let object = PairedJson {
            paired: &row.player,
            with: &row.other,
            openings: result.openings,
            pairs: result.pairs,
            score: result.scores[0] - result.scores[1],
            score_low: result.score.low,
            score_high: result.score.high,
            elo: result.elo.value,
            elo_low: result.elo.low,
            elo_high: result.elo.high,
            elo_error_unpaired: result.unpaired_error,
            p: result.p,
            p_holm: row.p_holm,
        };
        text.push_str(&serde_json::to_string(&object).map_err(Failure::bad_input)?);
        text.push('\n');
    }
    Ok(text)
}

/// One JSON object per line for each player, for three or more, and for each paired comparison.
pub fn json_lines(standings: &Standings) -> Result<String, Failure> {
    let mut text = String::new();
    let played = standings.played();
    for row in played.iter().filter(|_| played.len() > 2) {
        let object = RatingJson {
            rating: &row.name,
            rank: row.rank,
            group: row.group,
            elo: row.elo.value,
            elo_low: row.elo.low,
            elo_high: row.elo.high,
            basis: row.elo.basis.name(),
            los: row.los,
            anchor: standings.anchor.as_deref(),
            to_leader: row.to_leader.value,
            to_leader_low: row.to_leader.low,
            to_leader_high: row.to_leader.high,
            to_next: row.to_next.value,
            to_next_low: row.to_next.low,
            to_next_high: row.to_next.high,
            rank_chances: &row.rank_chances,
        };
        text.push_str(&serde_json::to_string(&object).map_err(Failure::bad_input)?);
        text.push('\n');
    }
    Ok(text + &paired_lines(standings)?)
}
