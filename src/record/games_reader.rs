//! Reads the games of a run, or of a hand-made CSV with the same columns, a row at a time.
//!
//! Run directories are checked against their checksums. A file given by name may have been edited:
//! columns may be in any order, unknown columns are ignored, and all but `white`, `black` and
//! `result` may be missing or blank.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::checksums::Unit;
use super::error::RecordError;
use super::rows::{GAME_COLUMNS, GameRow, UNTIMED_GAME_COLUMNS};
use super::verify::read_units;
use crate::games::{GameResult, Side, UnknownResult};

/// The required columns.
const REQUIRED: [&str; 3] = ["white", "black", "result"];

/// The index of each column in a file.
#[derive(Clone)]
pub(super) struct Columns {
    places: HashMap<&'static str, usize>,
}

impl Columns {
    pub fn find(headers: &csv::StringRecord) -> Result<Columns, String> {
        let mut places = HashMap::new();
        for (place, header) in headers.iter().enumerate() {
            let header = header.trim_start_matches('\u{feff}').trim();
            let known = GAME_COLUMNS
                .into_iter()
                .find(|column| column.eq_ignore_ascii_case(header));
            if let Some(column) = known
                && places.insert(column, place).is_some()
            {
                return Err(format!("the column `{column}` occurs twice"));
            }
        }
        match REQUIRED
            .into_iter()
            .find(|column| !places.contains_key(column))
        {
            None => Ok(Columns { places }),
            Some(missing) => Err(format!(
                "no column `{missing}`; expected a header with {}",
                UNTIMED_GAME_COLUMNS.join(",")
            )),
        }
    }

    fn text<'r>(&self, record: &'r csv::StringRecord, column: &str) -> &'r str {
        let place = self.places.get(column);
        place.and_then(|place| record.get(*place)).unwrap_or("")
    }

    /// A blank cell is `unknown`.
    fn number(
        &self,
        record: &csv::StringRecord,
        column: &str,
        unknown: u64,
    ) -> Result<u64, String> {
        match self.text(record, column).trim() {
            "" => Ok(unknown),
            text => text
                .parse()
                .map_err(|_| format!("column `{column}`: `{text}` is not a whole number")),
        }
    }

    pub fn row(&self, record: &csv::StringRecord, number: u64) -> Result<GameRow, String> {
        let moves = self.text(record, "moves").to_string();
        let result = match self.text(record, "result").trim() {
            "½-½" | "0.5-0.5" => GameResult::Draw,
            other => other
                .parse()
                .map_err(|error: UnknownResult| error.to_string())?,
        };
        Ok(GameRow {
            game: self.number(record, "game", number)?,
            // A game without a pair number gets a unique one.
            pair: self.number(record, "pair", number)?,
            white: self.text(record, "white").to_string(),
            black: self.text(record, "black").to_string(),
            opening: self.text(record, "opening").to_string(),
            result,
            termination: self.text(record, "termination").to_string(),
            plies: self.number(record, "plies", moves.split_whitespace().count() as u64)?,
            white_nodes: self.number(record, "white_nodes", 0)?,
            black_nodes: self.number(record, "black_nodes", 0)?,
            moves,
            first_mover: match self.text(record, "first_mover").trim() {
                "" => None,
                "white" => Some(Side::White),
                "black" => Some(Side::Black),
                other => {
                    return Err(format!(
                        "column `first_mover`: `{other}`: expected white or black"
                    ));
                }
            },
            scores: self.text(record, "scores").to_string(),
            times: self
                .places
                .contains_key("times")
                .then(|| self.text(record, "times").to_string()),
            origin: None,
        })
    }
}

/// Calls `seen` with every game of a run directory, or of a CSV file, and its line. The games of a
/// directory are checked; those of older versions have no checksums.
pub fn read_run_games(
    path: &Path,
    mut seen: impl FnMut(GameRow, u64) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    if !path.is_dir() {
        return read_games(path, seen);
    }
    let games = path.join("games.csv");
    let mut columns = None;
    let mut number = 0;
    let checked = read_units(path, Unit::Pair, &mut |pair, first_line, bytes| {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(bytes);
        let mut record = csv::StringRecord::new();
        loop {
            let line = first_line + reader.position().line() - 1;
            let failed = |error: csv::Error| RecordError::csv(&games, &error).at_line(line);
            if !reader.read_record(&mut record).map_err(failed)? {
                return Ok(());
            }
            let wrong = |message: String| RecordError::Row {
                path: games.clone(),
                line,
                message,
            };
            match &columns {
                None if pair == 0 => columns = Some(Columns::find(&record).map_err(wrong)?),
                None => return Err(wrong("no header".to_string())),
                Some(columns) => {
                    number += 1;
                    seen(columns.row(&record, number).map_err(wrong)?, line)?;
                }
            }
        }
    })?;
    match checked {
        Some(_) => Ok(()),
        None => read_games(&games, seen),
    }
}

/// Calls `seen` with every game of a CSV file and its line. Unknown plies and nodes are 0.
pub fn read_games(
    path: &Path,
    mut seen: impl FnMut(GameRow, u64) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let file = File::open(path).map_err(|error| RecordError::io(path, &error))?;
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let wrong = |line: u64, message: String| RecordError::Row {
        path: path.to_path_buf(),
        line,
        message,
    };
    let headers = reader
        .headers()
        .map_err(|error| RecordError::csv(path, &error))?;
    let columns = Columns::find(headers).map_err(|message| wrong(1, message))?;
    let mut record = csv::StringRecord::new();
    let mut number = 0;
    while reader
        .read_record(&mut record)
        .map_err(|error| RecordError::csv(path, &error))?
    {
        number += 1;
        let line = record.position().map_or(0, csv::Position::line);
        let row = columns
            .row(&record, number)
            .map_err(|message| wrong(line, message))?;
        seen(row, line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<GameRow>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("by hand.csv");
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        let done = read_games(&path, |row, _| {
            rows.push(row);
            Ok(())
        });
        done.map_err(|error| error.to_string())?;
        Ok(rows)
    }

    #[test]
    fn columns_may_stand_in_any_order_and_some_may_be_missing() {
        let rows = read(
            "\u{feff}Result, black ,note,WHITE,moves\n½-½,b,x,\"a, \"\"quoted\"\"\",e2e4 e7e5\n",
        );
        let rows = rows.unwrap();
        assert_eq!(rows[0].white, "a, \"quoted\"");
        assert_eq!(
            (rows[0].black.as_str(), rows[0].result),
            ("b", GameResult::Draw)
        );
        assert_eq!((rows[0].game, rows[0].pair, rows[0].plies), (1, 1, 2));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let message = read("white,black\na,b\n").unwrap_err();
        assert!(
            message.contains("by hand.csv:1: no column `result`"),
            "{message}"
        );
        let message = read("white,black,result,white\na,b,1-0,c\n").unwrap_err();
        assert!(
            message.contains("the column `white` occurs twice"),
            "{message}"
        );
        let message = read("white,black,result,plies\na,b,1-0,many\n").unwrap_err();
        assert!(
            message.contains(":2: column `plies`: `many` is not a whole number"),
            "{message}"
        );
    }
}
