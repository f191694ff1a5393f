//! The part of `sparring stats` that reads files of games: results by player, colour, opening and
//! termination.

use std::path::PathBuf;

use serde::Serialize;

use super::table::TextTable;
use super::{Failure, complain};
use crate::record::figures::percent;
use crate::record::{
    Breakdown, GameRow, Group, Grouping, OncePerGame, RecordError, Repeats, RunTally, read_results,
    refuse_copies, verify_run,
};
use crate::stats::{Sample, Summary};

/// Results of one or several files.
#[derive(Default)]
pub struct FileResults {
    pub tally: RunTally,
    pub breakdown: Breakdown,
    pub repeats: Repeats,
}

impl FileResults {
    fn push(&mut self, row: &GameRow) {
        self.breakdown.push(row);
        self.tally.push(row);
        self.repeats.push(row);
    }
}

/// Reads run directories, tables and collections of games. Reports omitted games.
pub fn read(paths: &[PathBuf]) -> Result<FileResults, Failure> {
    refuse_copies(paths)?;
    let mut results = FileResults::default();
    let mut once = OncePerGame::default();
    for path in paths {
        if path.is_dir() {
            verify_run(path)?.iter().for_each(|note| complain(note));
        }
        let mut count = |row: GameRow| -> Result<(), RecordError> {
            results.push(&row);
            Ok(())
        };
        let left_out = match paths.len() {
            1 => read_results(path, &mut count)?,
            _ => read_results(path, |row| once.push(row, &mut count))?,
        };
        let known = once.end(&mut count)?;
        let shown = path.display();
        for (count, what) in [
            (known, "that the files before contain"),
            (left_out.unfinished, "without a result"),
            (left_out.against_itself, "of a player against itself"),
        ] {
            if count > 0 {
                complain(&format!("{shown}: omitted {count} games {what}"));
            }
        }
    }
    Ok(results)
}

/// The groups shown by default: openings are too many.
const USUAL: [Grouping; 2] = [Grouping::Colour, Grouping::Termination];

/// Tables of the results by the requested groups.
pub fn tables(breakdown: &Breakdown, asked: &[Grouping]) -> String {
    let shown = if asked.is_empty() { &USUAL } else { asked };
    let mut text: String = shown.iter().map(|by| table(breakdown, *by)).collect();
    let openings = breakdown.groups(Grouping::Opening).len();
    if asked.is_empty() && openings > 1 {
        text.push_str(&format!(
            "{openings} openings (--by opening lists them)\n\n"
        ));
    }
    text
}

fn table(breakdown: &Breakdown, by: Grouping) -> String {
    let header = [by.name(), "games", "wins", "draws", "losses", "score"];
    let mut table = TextTable::new(1, &header);
    for Group { name, games } in breakdown.groups(by) {
        let score = Summary::of_games(&games).score;
        let error = score
            .error()
            .map_or(String::new(), |error| format!(" ± {:.1}", 100.0 * error));
        table.row(vec![
            shown_name(&name, by),
            games.games().to_string(),
            games.wins.to_string(),
            games.draws.to_string(),
            games.losses.to_string(),
            score.value.map_or(String::new(), |value| {
                format!("{}{error}", percent(value, 1))
            }),
        ]);
    }
    format!("{}\n", table.text())
}

fn shown_name(name: &str, by: Grouping) -> String {
    match (name, by) {
        ("", Grouping::Opening) => "the usual start".to_string(),
        ("", _) => "unknown".to_string(),
        _ => name.to_string(),
    }
}

#[derive(Serialize)]
struct GroupJson<'a> {
    by: &'static str,
    name: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
}

/// One JSON object per line for each group.
pub fn json_lines(breakdown: &Breakdown, asked: &[Grouping]) -> Result<String, Failure> {
    let mut text = String::new();
    for by in asked {
        for group in breakdown.groups(*by) {
            let object = GroupJson {
                by: by.name(),
                name: &group.name,
                games: group.games.games(),
                wins: group.games.wins,
                draws: group.games.draws,
                losses: group.games.losses,
                score: group.games.score(),
            };
            text.push_str(&serde_json::to_string(&object).map_err(Failure::bad_input)?);
            text.push('\n');
        }
    }
    Ok(text)
}
