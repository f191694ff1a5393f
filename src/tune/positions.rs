//! Labelled positions: file formats and data sets.
//!
//! Formats: `fen c9 "1-0";` (EPD), `fen [0.5]`, `fen | score | result`, CSV with a column `fen` and
//! one of `result`, `wdl`, `label`, and Sparring's `games.csv`. Labels are white's result.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::bullet;
use super::parallel::map_chunks;
use crate::eval::catalog::GameId;
use crate::games::{AnyGame, AnyPosition, GameResult};
use crate::record::{CollectionKind, GameRow, MoveScore, RecordError, read_played};

/// A position with the result of its game.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub position: Box<dyn AnyPosition>,
    /// White's points: 0 to 1.
    pub result: f64,
    /// The score of a search, in units, from white's view.
    pub score: Option<f64>,
    /// The game of the position, if known: positions of one game are not independent.
    pub game: Option<u64>,
    /// The part of a train/validation split, if the data give it.
    pub split: Option<Split>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    Train,
    Validation,
}

impl Split {
    pub const fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
        }
    }
}

/// A line that is not a labelled position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    pub path: PathBuf,
    pub line: u64,
    pub message: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.message)
    }
}

/// The positions read, before any filter.
#[derive(Clone, Debug, Default)]
pub struct Read {
    pub positions: Vec<Labelled>,
    pub bad: Vec<BadLine>,
    pub games: u64,
    /// By game number: the position from which the game started, where it is known.
    pub openings: HashMap<u64, String>,
    /// Files read so far: the same game number in two files means two games.
    pub files: u64,
}

impl Read {
    /// Added to the game numbers of the next file.
    fn offset(&self) -> u64 {
        self.files << 40
    }

    /// Hashes of all positions, and of the openings of their games.
    pub fn hashes(&self, rules: &dyn AnyGame) -> HashSet<u64> {
        let positions = self.positions.iter().map(|it| it.position.hash());
        let opening = |fen: &String| Some(rules.read_epd(fen).ok()?.hash());
        positions
            .chain(self.openings.values().filter_map(opening))
            .collect()
    }
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum DataError {
    Record(RecordError),
    /// Nothing usable, with the first error.
    Nothing {
        path: PathBuf,
        reason: String,
    },
    Useless(String),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Record(error) => error.fmt(f),
            DataError::Nothing { path, reason } => {
                write!(
                    f,
                    "{}: contains no labelled position: {reason}",
                    path.display()
                )
            }
            DataError::Useless(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for DataError {}

impl From<RecordError> for DataError {
    fn from(error: RecordError) -> DataError {
        DataError::Record(error)
    }
}

/// White's points for a result.
fn points(result: GameResult) -> f64 {
    match result {
        GameResult::WhiteWins => 1.0,
        GameResult::Draw => 0.5,
        GameResult::BlackWins => 0.0,
    }
}

/// White's points for a label: a result or a number from 0 to 1.
pub fn parse_label(text: &str) -> Option<f64> {
    let text = text.trim().trim_matches('"');
    if let Ok(result) = text.parse() {
        return Some(points(result));
    }
    // Draughts collections count two points a game; some position files shorten a draw.
    match text {
        "2-0" => Some(points(GameResult::WhiteWins)),
        "0-2" => Some(points(GameResult::BlackWins)),
        "1/2" | "1-1" => Some(points(GameResult::Draw)),
        number => {
            let value: f64 = number.parse().ok()?;
            (0.0..=1.0).contains(&value).then_some(value)
        }
    }
}

/// Reads the labelled positions of a file.
pub fn read_file(game: GameId, path: &Path, into: &mut Read) -> Result<(), DataError> {
    read_rows(game, path, into)?;
    into.files += 1;
    Ok(())
}

fn read_rows(game: GameId, path: &Path, into: &mut Read) -> Result<(), DataError> {
    let rules = game.rules();
    let before = (into.positions.len(), into.bad.len());
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension.and_then(CollectionKind::from_extension).is_some() {
        read_log(game, path, into)?;
        return something_read(path, before, into);
    }
    let io = |error: &std::io::Error| DataError::Record(RecordError::io(path, error));
    let bytes = std::fs::read(path).map_err(|error| io(&error))?;
    if extension == Some(BULLET) {
        read_records(game, path, &bytes, into)?;
        return something_read(path, before, into);
    }
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().next().unwrap_or("");
    if first.starts_with("game,pair,") {
        read_log(game, path, into)?;
    } else if path.extension().is_some_and(|extension| extension == "csv") {
        let rows = read_table(path, &text)?;
        let raw = raw_rows(path, &rows)?;
        let games: HashSet<u64> = raw.iter().flatten().filter_map(|raw| raw.game).collect();
        into.games += games.len() as u64;
        take_all(rules, path, &raw, into);
    } else {
        take_all(rules, path, &read_lines(&text), into);
    }
    something_read(path, before, into)
}

/// The extension of files in bulletformat.
pub const BULLET: &str = "bullet";

/// The records of a file in bulletformat; bad ones by their number.
fn read_records(game: GameId, path: &Path, bytes: &[u8], into: &mut Read) -> Result<(), DataError> {
    let (records, rest) = bytes.as_chunks::<{ bullet::RECORD }>();
    let wrong = |reason: String| DataError::Nothing {
        path: path.to_path_buf(),
        reason,
    };
    if game.facts().collection != "pgn" {
        return Err(wrong(format!(
            "bulletformat holds positions of chess, not of {}",
            game.name()
        )));
    }
    if !rest.is_empty() {
        return Err(wrong(format!(
            "{} bytes: not a whole number of records of {} bytes",
            bytes.len(),
            bullet::RECORD
        )));
    }
    for (index, record) in records.iter().enumerate() {
        match bullet::read_record(game.rules(), record) {
            Ok(labelled) => into.positions.push(labelled),
            Err(message) => into.bad.push(BadLine {
                path: path.to_path_buf(),
                line: index as u64 + 1,
                message,
            }),
        }
    }
    Ok(())
}

/// An error if a file added no position; `before` are the positions and bad lines before it.
fn something_read(path: &Path, before: (usize, usize), into: &Read) -> Result<(), DataError> {
    if into.positions.len() == before.0 {
        let reason = match into.bad.get(before.1) {
            Some(bad) => format!("line {}: {}", bad.line, bad.message),
            None => "the file is empty".to_string(),
        };
        return Err(DataError::Nothing {
            path: path.to_path_buf(),
            reason,
        });
    }
    Ok(())
}

const WANTED_LABEL: &str = "expected a result: c9 \"1-0\"; or [0.5] or | score | result, or a CSV file with the columns fen,result";

/// A labelled position as text.
struct Raw<'t> {
    line: u64,
    fen: &'t str,
    label: &'t str,
    score: Option<&'t str>,
    game: Option<u64>,
    split: Option<Split>,
    opening: &'t str,
}

fn read_lines(text: &str) -> Vec<Result<Raw<'_>, (u64, String)>> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    lines
        .map(|(index, line)| {
            let line_number = index as u64 + 1;
            raw_line(line.trim(), line_number).map_err(|message| (line_number, message))
        })
        .collect()
}

/// One line in one of the three text formats.
fn raw_line(text: &str, line: u64) -> Result<Raw<'_>, String> {
    let (fen, label, score) = if text.contains('|') {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let [fen, score, label] = cells[..] else {
            return Err(format!("{} parts between `|`, expected 3", cells.len()));
        };
        (fen, label, Some(score))
    } else if let Some((fen, rest)) = text.split_once(" c9 ") {
        let label = rest.split(';').next().unwrap_or(rest);
        (fen, label, None)
    } else if let Some(fen) = text.strip_suffix(']') {
        let (fen, label) = fen.rsplit_once('[').ok_or(WANTED_LABEL)?;
        (fen, label, None)
    } else {
        return Err(format!("no label; {WANTED_LABEL}"));
    };
    Ok(Raw {
        line,
        fen: fen.trim(),
        label,
        score,
        game: None,
        split: None,
        opening: "",
    })
}

/// Parses raw positions, on all cores.
fn take_all(rules: &dyn AnyGame, path: &Path, raw: &[RawRow<'_>], into: &mut Read) {
    let offset = into.offset();
    for raw in raw.iter().flatten().filter(|raw| !raw.opening.is_empty()) {
        if let Some(game) = raw.game {
            let known = into.openings.entry(game.wrapping_add(offset));
            known.or_insert_with(|| raw.opening.to_string());
        }
    }
    let parsed = map_chunks(raw.len(), &|range| {
        raw[range]
            .iter()
            .map(|raw| match raw {
                Ok(raw) => labelled(rules, raw).map_err(|message| (raw.line, message)),
                Err(bad) => Err(bad.clone()),
            })
            .collect::<Vec<_>>()
    });
    for parsed in parsed.into_iter().flatten() {
        match parsed {
            Ok(mut position) => {
                position.game = position.game.map(|game| game.wrapping_add(offset));
                into.positions.push(position);
            }
            Err((line, message)) => into.bad.push(BadLine {
                path: path.to_path_buf(),
                line,
                message,
            }),
        }
    }
}

fn labelled(rules: &dyn AnyGame, raw: &Raw<'_>) -> Result<Labelled, String> {
    let (result, score) = label_and_score(raw)?;
    Ok(Labelled {
        position: rules.read_epd(raw.fen).map_err(|error| error.to_string())?,
        result,
        score,
        game: raw.game,
        split: raw.split,
    })
}

fn label_and_score(raw: &Raw<'_>) -> Result<(f64, Option<f64>), String> {
    let result = parse_label(raw.label).ok_or_else(|| {
        format!(
            "label `{}`: expected 1-0, 0-1, 1/2-1/2 or a number from 0 to 1",
            raw.label.trim()
        )
    })?;
    let score = match raw.score.map(str::trim).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
            Some(number.ok_or_else(|| format!("score `{text}`: expected a number"))?)
        }
    };
    Ok((result, score))
}

/// The rows of a CSV file.
fn read_table(path: &Path, text: &str) -> Result<Vec<(u64, csv::StringRecord)>, DataError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| RecordError::csv(path, &error))?;
        rows.push((record.position().map_or(0, csv::Position::line), record));
    }
    Ok(rows)
}

/// A row read, or its line and what is wrong with it.
type RawRow<'t> = Result<Raw<'t>, (u64, String)>;

/// The labelled positions in the rows of a CSV file, the header first.
fn raw_rows<'t>(
    path: &Path,
    rows: &'t [(u64, csv::StringRecord)],
) -> Result<Vec<RawRow<'t>>, DataError> {
    let Some(((_, header), rows)) = rows.split_first() else {
        return Ok(Vec::new());
    };
    let column = |names: &[&str]| {
        header
            .iter()
            .position(|cell| names.contains(&cell.trim().to_lowercase().as_str()))
    };
    let (Some(fen), Some(label)) = (
        column(&["fen", "position"]),
        column(&["result", "wdl", "label"]),
    ) else {
        return Err(DataError::Nothing {
            path: path.to_path_buf(),
            reason: format!(
                "the columns are `{}`; expected fen and result",
                header.iter().collect::<Vec<_>>().join(",")
            ),
        });
    };
    let score = column(&["score", "cp", "eval"]);
    let (game, split) = (column(&["game"]), column(&["split"]));
    let opening = column(&["opening"]);
    let raw = rows.iter().map(|(line, record)| {
        let get = |column: usize| record.get(column).unwrap_or("");
        Ok(Raw {
            line: *line,
            fen: get(fen),
            label: get(label),
            score: score.map(get),
            opening: opening.map_or("", get),
            game: game.and_then(|column| game_number(get(column))),
            split: split.and_then(|column| match get(column) {
                "train" => Some(Split::Train),
                "validation" => Some(Split::Validation),
                _ => None,
            }),
        })
    });
    Ok(raw.collect())
}

/// The number of a game; other names than numbers are turned into one. `None` if blank.
fn game_number(name: &str) -> Option<u64> {
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    // FNV-1a; the highest bit separates names from numbers.
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let of_name = || name.bytes().fold(0xcbf2_9ce4_8422_2325, hash) | 1 << 63;
    Some(name.parse().unwrap_or_else(|_| of_name()))
}

/// Every position of every game of a log, the opening included.
fn read_log(game: GameId, path: &Path, into: &mut Read) -> Result<(), DataError> {
    let mut rows = Vec::new();
    read_played(path, |row| {
        rows.push(row);
        Ok(())
    })?;
    // In the order of the file: pairs of a collection are found out of order.
    rows.sort_by_key(|row| row.origin.as_ref().map(|_| row.game));
    let lines: Vec<u64> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let origin = row.origin.as_ref();
            origin.map_or(index as u64 + 2, |origin| origin.line)
        })
        .collect();
    let offset = into.offset();
    let replayed = map_chunks(rows.len(), &|range| {
        let games = rows[range].iter().map(|row| replay(game, row, offset));
        games.collect::<Vec<Result<Vec<Labelled>, String>>>()
    });
    for (index, game) in replayed.into_iter().flatten().enumerate() {
        match game {
            Ok(positions) => {
                into.games += 1;
                if let Some(first) = positions.first()
                    && let Some(game) = first.game
                {
                    into.openings.insert(game, first.position.fen());
                }
                into.positions.extend(positions);
            }
            Err(message) => into.bad.push(BadLine {
                path: path.to_path_buf(),
                line: lines[index],
                message,
            }),
        }
    }
    Ok(())
}

/// The positions of one game; `offset` is added to its number.
fn replay(game: GameId, row: &GameRow, offset: u64) -> Result<Vec<Labelled>, String> {
    let result = points(row.result);
    let units_in_one = game.evaluators().units().units_in_one;
    let mut position = match row.start() {
        "" => game.rules().usual_start(),
        fen => game
            .rules()
            .read_epd(fen)
            .map_err(|error| error.to_string())?,
    };
    let mut scores = row.move_scores();
    let mut labelled = |position: &dyn AnyPosition| Labelled {
        position: position.clone_box(),
        result,
        // The score of the search that chose the move from here.
        score: match scores.next().flatten() {
            Some(MoveScore::Plain(score)) => {
                Some(score * units_in_one * f64::from(position.side_to_move().sign()))
            }
            // Mate scores carry no more information than the result.
            Some(MoveScore::Mate(_)) | None => None,
        },
        game: Some(row.game.wrapping_add(offset)),
        split: None,
    };
    let mut all = vec![labelled(position.as_ref())];
    for text in row.moves.split_whitespace() {
        let played = position.play_text(text);
        played.map_err(|error| error.to_string())?;
        all.push(labelled(position.as_ref()));
    }
    Ok(all)
}

/// Wins, draws and losses of white among labels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Balance {
    pub fn of(labels: impl Iterator<Item = f64>) -> Balance {
        let mut balance = Balance::default();
        for label in labels {
            match label {
                label if label > 0.5 => balance.wins += 1,
                label if label < 0.5 => balance.losses += 1,
                _ => balance.draws += 1,
            }
        }
        balance
    }
}

/// Removes duplicate positions; returns how many.
pub fn remove_duplicates(positions: &mut Vec<Labelled>) -> u64 {
    let before = positions.len();
    let mut seen = HashSet::with_capacity(before);
    positions.retain(|labelled| seen.insert(labelled.position.hash()));
    (before - positions.len()) as u64
}

pub use super::fit::data::{DataReport, Dataset, dataset};

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1";

    fn read(game: GameId, name: &str, text: &str) -> Result<Read, String> {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let mut into = Read::default();
        read_file(game, &path, &mut into).map_err(|error| error.to_string())?;
        Ok(into)
    }

    #[test]
    fn every_format_gives_the_position_and_whites_points() {
        let lines = [
            (
                "a.epd",
                "4k3/8/8/8/8/4P3/8/4K3 w - - c9 \"1-0\";".to_string(),
                1.0,
            ),
            ("a.txt", format!("{FEN} [0.5]"), 0.5),
            ("a.txt", format!("{FEN} | -35 | 0.0"), 0.0),
            ("a.csv", format!("fen,result\n{FEN},1/2-1/2"), 0.5),
            ("a.csv", format!("game,cp,wdl,fen\n7,12.5,0.25,{FEN}"), 0.25),
            (
                "games.csv",
                format!(
                    "game,pair,white,black,opening,result,termination,plies,white_nodes,black_nodes,moves\n\
                     1,1,a,b,{FEN},1-0,adjudicated-win,1,1,1,e3e4\n"
                ),
                1.0,
            ),
        ];
        for (name, text, result) in lines {
            let read = read(GameId::Chess, name, &text).expect("a labelled position");
            assert!(read.bad.is_empty(), "{text}: {:?}", read.bad);
            assert_eq!(read.positions[0].result, result, "{text}");
            assert_eq!(read.positions[0].position.fen(), FEN, "{text}");
        }
        let draughts =
            read(GameId::Checkers, "a.txt", "W:W21,22,K30:B1,2 [1.0]").expect("a position");
        assert_eq!(draughts.positions.len(), 1);
    }

    #[test]
    fn games_give_the_scores_of_their_moves_as_white_sees_them() {
        let text = format!(
            "game,pair,white,black,opening,result,moves,first_mover,scores\n\
             1,1,a,b,{FEN},1-0,e3e4 e8d8 e4e5,white,+0.35 -1.20 +M4\n"
        );
        let read = read(GameId::Chess, "games.csv", &text).expect("a game");
        let scores: Vec<_> = read.positions.iter().map(|l| l.score).collect();
        assert_eq!(scores, [Some(35.0), Some(120.0), None, None]);
    }

    #[test]
    fn bad_lines_are_kept_with_their_numbers() {
        let text = format!("{FEN} [0.5]\n{FEN}\n{FEN} [NaN]\n{FEN} | x | 1\nW:W21:B1 [1.0]\n");
        let read = read(GameId::Chess, "a.txt", &text).expect("one good line");
        let lines: Vec<u64> = read.bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [2, 3, 4, 5]);
        assert!(
            read.bad[1].message.contains("NaN"),
            "{}",
            read.bad[1].message
        );
    }

    #[test]
    fn a_file_without_any_labelled_position_is_refused() {
        assert!(
            read(GameId::Chess, "a.epd", "")
                .unwrap_err()
                .contains("the file is empty")
        );
        let other_game = read(GameId::Checkers, "a.txt", &format!("{FEN} [1.0]")).unwrap_err();
        assert!(other_game.contains("line 1"), "{other_game}");
        let columns = read(GameId::Chess, "a.csv", "a,b\n1,2\n").unwrap_err();
        assert!(columns.contains("expected fen and result"), "{columns}");
    }
}
