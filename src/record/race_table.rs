//! `race.csv`: the players of a race after every round, and the matches of its confirmation.

use super::error::RecordError;
use super::figures::{decimal, decimal_or_blank};
use super::run_files::RunFiles;
use super::sheet::write_table;
use crate::stats::{Race, RaceRow, Summary};

const RACE: &str = "race.csv";

const COLUMNS: [&str; 8] = [
    "round",
    "run_pairs",
    "player",
    "pairs",
    "elo",
    "elo_low",
    "elo_high",
    "stays",
];

/// Writes the table. Elo is against the leader of the round, in the confirmation the winner's against
/// `player`; there the interval is that of a match of fixed length.
pub fn write_race(race: &Race, names: &[&str], files: &mut RunFiles) -> Result<(), RecordError> {
    let name = |player: usize| names.get(player).copied().unwrap_or_default().to_string();
    let line = |round: usize, pairs: u64, row: &RaceRow| {
        vec![
            round.to_string(),
            pairs.to_string(),
            name(row.player),
            row.pairs.to_string(),
            decimal(row.elo, 2),
            decimal_or_blank(row.to_leader.low, 2),
            decimal_or_blank(row.to_leader.high, 2),
            u8::from(row.stays).to_string(),
        ]
    };
    let rounds = race.rounds().iter().enumerate();
    let mut lines: Vec<Vec<String>> = rounds
        .flat_map(|(index, round)| {
            let rows = round.rows.iter();
            rows.map(move |row| line(index + 1, round.pairs, row))
        })
        .collect();
    let mut pairs_before = race.search_pairs();
    for (opponent, pairs) in race.confirmation() {
        let elo = Summary::of_pairs(pairs).elo;
        pairs_before += pairs.pairs();
        lines.push(vec![
            "confirmation".to_string(),
            pairs_before.to_string(),
            name(*opponent),
            pairs.pairs().to_string(),
            decimal_or_blank(elo.value, 2),
            decimal_or_blank(elo.low, 2),
            decimal_or_blank(elo.high, 2),
            String::new(),
        ]);
    }
    write_table(files, RACE, &COLUMNS.map(str::to_string), lines.into_iter())
}
