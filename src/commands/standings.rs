//! Standings, differences and ranks as tables for the terminal.

use super::table::TextTable;
use crate::record::figures::{
    decimal, decimal_or_blank, difference, likelihood, p_value, percent_difference,
    percent_or_blank,
};
use crate::record::{PairingStanding, Standing, Standings};
use crate::stats::Sample;

/// The standings, and what Elo and LOS mean in them.
pub fn standings_text(standings: &Standings) -> String {
    let is_field = standings.played().len() > 2;
    let mut header = vec![
        "rank",
        "player",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "Elo",
        "95 % interval",
        "LOS",
    ];
    if is_field {
        header.extend(["to leader", "to next"]);
    }
    let mut table = TextTable::new(2, &header);
    for row in &standings.players {
        let mut cells = vec![
            row.rank.to_string(),
            row.name.clone(),
            row.games.games().to_string(),
            row.games.wins.to_string(),
            row.games.draws.to_string(),
            row.games.losses.to_string(),
            percent_or_blank(row.games.score(), 2),
            decimal_or_blank(row.elo.value, 1),
            row.interval(),
            row.los.map_or_else(String::new, |los| likelihood(los, 2)),
        ];
        if is_field {
            cells.extend([difference(&row.to_leader), difference(&row.to_next)]);
        }
        table.row(cells);
    }
    table.text() + &standings.notes().concat()
}

/// Most players in a table with a column for each.
const MOST_COLUMNS: usize = 12;

/// The chances of each rank, by group.
pub fn ranks_text(standings: &Standings) -> String {
    let mut text = String::new();
    let groups = standings.played().iter().map(|row| row.group).max();
    for group in 1..=groups.unwrap_or(0) {
        let rows: Vec<&Standing> = standings
            .played()
            .iter()
            .filter(|row| row.group == group && !row.rank_chances.is_empty())
            .collect();
        if rows.len() < 3 || rows.len() > MOST_COLUMNS {
            continue;
        }
        let mut header = vec!["chance of rank".to_string()];
        header.extend((1..=rows.len()).map(|rank| rank.to_string()));
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let mut table = TextTable::new(1, &header);
        for row in rows {
            let mut cells = vec![row.name.clone()];
            cells.extend(row.rank_chances.iter().map(|chance| likelihood(*chance, 1)));
            table.row(cells);
        }
        text.push_str(&table.text());
        text.push('\n');
    }
    text
}

/// What the ratings miss in each pairing.
pub fn residuals_text(standings: &Standings) -> String {
    let known = |row: &&PairingStanding| row.residual.is_some();
    let rows: Vec<&PairingStanding> = standings.pairings.iter().filter(known).collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = [
        "player",
        "opponent",
        "score",
        "by ratings",
        "residual Elo",
        "z",
        "p (Holm)",
    ];
    let mut table = TextTable::new(2, &header);
    for row in rows {
        let residual = row.residual;
        table.row(vec![
            row.player.clone(),
            row.opponent.clone(),
            percent_or_blank(row.games.score(), 2),
            percent_or_blank(residual.map(|it| it.expected), 2),
            residual
                .and_then(|it| it.elo)
                .map_or_else(String::new, |elo| format!("{elo:+.1}")),
            residual
                .and_then(|it| it.z)
                .map_or_else(String::new, |z| decimal(z, 2)),
            p_value(row.p_holm),
        ]);
    }
    format!(
        "{}(p: that two players are equal, adjusted for {} pairings)\n\n",
        table.text(),
        standings.pairings.len()
    )
}

/// Comparisons through common opponents in shared openings.
pub fn paired_text(standings: &Standings) -> String {
    if standings.paired.is_empty() {
        return String::new();
    }
    let header = [
        "player", "above it", "openings", "score", "Elo", "unpaired", "p (Holm)",
    ];
    let mut table = TextTable::new(2, &header);
    for row in &standings.paired {
        let result = &row.result;
        table.row(vec![
            row.player.clone(),
            row.other.clone(),
            result.openings.to_string(),
            percent_difference(&result.score),
            difference(&result.elo),
            result
                .unpaired_error
                .map_or_else(String::new, |error| format!("± {}", decimal(error, 1))),
            p_value(row.p_holm),
        ]);
    }
    format!(
        "{}(both players' results against common opponents from the same openings, with 95 % intervals; \
         unpaired: the error if the openings had differed; p: that the scores are equal, adjusted for \
         {} rows)\n\n",
        table.text(),
        standings.paired.len()
    )
}
