//! The journal of a run: `games.csv` grows by a pair at a time, and what is there is never
//! played again. A row counts once its pair is complete; the files beside it are written first,
//! so they always reach at least as far.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::companion::{Companion, Found, Growing};
use super::directory::Identity;
use super::error::RecordError;
use super::rows::{GAME_COLUMNS, GameRow};
use crate::games::GameResult;

/// Writes a file beside its final place and moves it there.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let beside = path.with_extension("part");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // Half a file is of no use to anyone.
        let _ = fs::remove_file(&beside);
        RecordError::io(path, &error)
    })
}

/// What an earlier run left behind.
#[derive(Debug, Default)]
pub struct Resumed {
    /// Complete pairs on disk.
    pub pairs: u64,
    /// What was cut off, and where: a torn line, half a pair, games that a file beside it lacks.
    pub repaired: Vec<String>,
}

/// The growing files of a run.
pub struct Journal {
    directory: PathBuf,
    games: Growing,
    companions: Vec<Growing>,
}

impl Journal {
    /// Opens the run directory, makes it if need be, and takes up what is there. The rows of
    /// every complete pair are shown to `seen`.
    pub fn open(
        directory: &Path,
        identity: &Identity<'_>,
        companions: &[Companion],
        mut seen: impl FnMut([&GameRow; 2]) -> Result<(), RecordError>,
    ) -> Result<(Journal, Resumed), RecordError> {
        identity.enter(directory, "games.csv")?;
        let path = directory.join("games.csv");
        let mut file = open_file(&path)?;
        let companions: Result<Vec<Found>, RecordError> = companions
            .iter()
            .map(|kind| Found::open(directory, kind))
            .collect();
        let mut companions = companions?;
        let (ends, resumed) = find_ends(&path, &mut file, &mut companions, &mut seen)?;
        truncate(&path, &mut file, ends.games)?;
        let mut games = Growing { path, file };
        if ends.games == 0 {
            games.append((GAME_COLUMNS.join(",") + "\n").as_bytes())?;
        }
        let companions: Result<Vec<Growing>, RecordError> = companions
            .into_iter()
            .zip(ends.companions)
            .map(|(found, end)| found.cut(end))
            .collect();
        let journal = Journal {
            directory: directory.to_path_buf(),
            games,
            companions: companions?,
        };
        Ok((journal, resumed))
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds a complete pair: its rows, and what goes to each companion. Those go first, because
    /// rows are what counts on resuming. One write a file and pair: a kill in between leaves
    /// whole pairs, or a tail that is cut off.
    pub fn append(&mut self, pair: &PairEntry) -> Result<(), RecordError> {
        for (file, text) in self.companions.iter_mut().zip(&pair.companions) {
            file.append(text)?;
        }
        self.games.append(&pair.rows)
    }
}

/// A pair as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairEntry {
    /// Of `games.csv`.
    pub rows: Vec<u8>,
    /// One for each companion of the journal.
    pub companions: Vec<Vec<u8>>,
}

/// Rows as CSV without a header. Cannot fail: rows hold nothing that CSV cannot, and memory is
/// the only thing written to.
pub fn csv_rows<T: serde::Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for row in rows {
        let written = writer.serialize(row);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    writer.into_inner().unwrap_or_default()
}

pub(super) fn open_file(path: &Path) -> Result<File, RecordError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| RecordError::io(path, &error))
}

pub(super) fn truncate(path: &Path, file: &mut File, end: u64) -> Result<(), RecordError> {
    file.set_len(end)
        .and_then(|()| file.seek(SeekFrom::Start(end)))
        .map(|_| ())
        .map_err(|error| RecordError::io(path, &error))
}

/// The places behind the last complete pair.
struct Ends {
    games: u64,
    companions: Vec<u64>,
}

/// Reads `games.csv` and the files beside it together, to the last pair that all of them hold.
fn find_ends(
    path: &Path,
    file: &mut File,
    companions: &mut [Found],
    seen: &mut impl FnMut([&GameRow; 2]) -> Result<(), RecordError>,
) -> Result<(Ends, Resumed), RecordError> {
    let length = length(path, file)?;
    // The last byte tells whether the last row was written whole.
    let whole = ends_with_newline(path, file, length)?;
    let mut reader = csv::Reader::from_reader(BufReader::new(&mut *file));
    let has_header = reader
        .byte_headers()
        .is_ok_and(|headers| headers.len() == GAME_COLUMNS.len())
        && length > GAME_COLUMNS.join(",").len() as u64;
    let mut ends = Ends {
        games: if has_header {
            reader.position().byte()
        } else {
            0
        },
        companions: companions.iter().map(Found::place).collect(),
    };
    let mut resumed = Resumed::default();
    let mut half: Option<GameRow> = None;
    let mut record = csv::StringRecord::new();
    while ends.games > 0 {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            // A torn last row may have too few cells or end inside a letter.
            Err(error) if reader.position().byte() >= length || error.is_io_error() => break,
            Err(error) => return Err(RecordError::csv(path, &error)),
        }
        let at_end = reader.position().byte() >= length;
        if at_end && !whole {
            break;
        }
        check_result(path, &record)?;
        let row: GameRow = match record.deserialize(None) {
            Ok(row) => row,
            Err(_) if at_end => break,
            Err(error) => {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(RecordError::csv(path, &error).at_line(line));
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let Some(first) = half.take() else {
            half = Some(row);
            continue;
        };
        // Pairs without a gap: the next one to play is known by their number.
        let due = resumed.pairs + 1;
        if [&first, &row].map(|row| row.pair) != [due; 2] {
            return Err(RecordError::Row {
                path: path.to_path_buf(),
                line,
                message: format!("pair {} where pair {due} is due", row.pair),
            });
        }
        if let Some(short) = first_without(companions, [&first, &row])? {
            if !short.existed {
                return Err(RecordError::Missing {
                    path: short.path().to_path_buf(),
                });
            }
            resumed.repaired.push(format!(
                "{} ends before game {}: what follows is played again",
                short.path().display(),
                row.game
            ));
            break;
        }
        seen([&first, &row])?;
        resumed.pairs += 1;
        ends.games = reader.position().byte();
        ends.companions = companions.iter().map(Found::place).collect();
    }
    if ends.games < length {
        resumed.repaired.push(format!(
            "{}: {} bytes behind the last complete pair were cut off",
            path.display(),
            length - ends.games
        ));
    }
    Ok((ends, resumed))
}

/// A row with all its cells was written whole: a wrong result there was put in by hand, and cutting
/// it off as an incomplete row would play the game again.
fn check_result(path: &Path, record: &csv::StringRecord) -> Result<(), RecordError> {
    let place = GAME_COLUMNS.iter().position(|column| *column == "result");
    let text = place.and_then(|place| record.get(place)).unwrap_or("");
    if record.len() < GAME_COLUMNS.len() {
        return Ok(());
    }
    let read: Result<GameResult, _> = text.parse();
    read.map(|_| ()).map_err(|error| RecordError::Row {
        path: path.to_path_buf(),
        line: record.position().map_or(0, csv::Position::line),
        message: error.to_string(),
    })
}

/// The first companion that does not hold both games.
fn first_without<'f>(
    companions: &'f mut [Found],
    rows: [&GameRow; 2],
) -> Result<Option<&'f Found>, RecordError> {
    for found in companions {
        if !(found.holds(rows[0])? && found.holds(rows[1])?) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn length(path: &Path, file: &File) -> Result<u64, RecordError> {
    let metadata = file.metadata();
    Ok(metadata
        .map_err(|error| RecordError::io(path, &error))?
        .len())
}

fn ends_with_newline(path: &Path, file: &mut File, length: u64) -> Result<bool, RecordError> {
    if length == 0 {
        return Ok(true);
    }
    let mut last = [0];
    let read = file
        .seek(SeekFrom::Start(length - 1))
        .and_then(|_| file.read_exact(&mut last))
        .and_then(|()| file.seek(SeekFrom::Start(0)));
    read.map_err(|error| RecordError::io(path, &error))?;
    Ok(last == *b"\n")
}
