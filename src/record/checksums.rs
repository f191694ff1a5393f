//! `checksums.csv`: a row for each pair of a run, or row of a tuning log, with size and CRC-32 of its
//! bytes in every growing file. Row 0 is the header lines. The row is written last, so a pair without
//! one was not completely written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use super::lock::LastEnd;
use super::stamp::Stamp;

/// The name of the file in a run directory.
pub const CHECKSUMS: &str = "checksums.csv";

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Pair,
    Row,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Unit::Pair => "pair",
            Unit::Row => "row",
        }
    }

    /// Lines of the main file for one row of `checksums.csv`.
    pub fn lines(self) -> u64 {
        match self {
            Unit::Pair => 2,
            Unit::Row => 1,
        }
    }

    /// The file that counts; the others are its companions.
    pub fn main_file(self) -> &'static str {
        match self {
            Unit::Pair => "games.csv",
            Unit::Row => "trajectory.csv",
        }
    }

    /// The header of `checksums.csv` with these files.
    pub fn header(self, files: &[String]) -> String {
        format!("{},{}\n", self.name(), files.join(","))
    }
}

/// The text of a row.
pub(super) fn checksum_row(number: u64, stamps: &[Stamp]) -> String {
    let mut text = number.to_string();
    for stamp in stamps {
        text.push_str(&format!(",{stamp}"));
    }
    text.push('\n');
    text
}

pub(super) fn read_row(line: &str, number: u64, files: usize) -> Result<Vec<Stamp>, String> {
    let mut cells = line.split(',');
    let found = cells.next().unwrap_or("");
    if found != number.to_string() {
        return Err(format!("`{found}` is not number {number}"));
    }
    let stamps: Result<Vec<Stamp>, _> = cells
        .map(|cell| cell.parse().map_err(|_| format!("`{cell}` is no checksum")))
        .collect();
    let stamps = stamps?;
    if stamps.len() == files {
        Ok(stamps)
    } else {
        Err(format!("{} checksums, expected {files}", stamps.len()))
    }
}

/// A file read in pieces of known size.
pub(super) struct Pieces {
    pub path: PathBuf,
    reader: BufReader<File>,
    /// The offset after the last accepted piece, and its line, from 1.
    pub at: u64,
    pub line: u64,
}

/// Why a piece is not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The file ends before.
    Short,
    Differs,
}

impl Pieces {
    pub fn open(path: PathBuf) -> Result<Pieces, RecordError> {
        let file = File::open(&path).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                RecordError::Missing { path: path.clone() }
            } else {
                RecordError::io(&path, &error)
            }
        })?;
        Ok(Pieces {
            path,
            reader: BufReader::with_capacity(1 << 16, file),
            at: 0,
            line: 1,
        })
    }

    pub fn length(&self) -> Result<u64, RecordError> {
        let data = self.reader.get_ref().metadata();
        data.map(|data| data.len())
            .map_err(|error| RecordError::io(&self.path, &error))
    }

    fn seek(&mut self, at: u64) -> Result<(), RecordError> {
        let place = self
            .reader
            .stream_position()
            .map_err(|error| RecordError::io(&self.path, &error))?;
        if place != at {
            self.reader
                .seek(SeekFrom::Start(at))
                .map_err(|error| RecordError::io(&self.path, &error))?;
        }
        Ok(())
    }

    /// Up to `count` bytes from an offset on.
    pub fn bytes(&mut self, at: u64, count: u64) -> Result<Vec<u8>, RecordError> {
        self.seek(at)?;
        // A damaged size must not allocate more than the file holds.
        let count = count.min(self.length()?.saturating_sub(at));
        let mut bytes = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        let mut part = (&mut self.reader).take(count);
        part.read_to_end(&mut bytes)
            .map_err(|error| RecordError::io(&self.path, &error))?;
        Ok(bytes)
    }

    /// Reads the piece at an offset, if it is the one that the stamp describes.
    pub fn piece(&mut self, at: u64, stamp: Stamp) -> Result<Result<Vec<u8>, Flaw>, RecordError> {
        let bytes = self.bytes(at, stamp.bytes)?;
        Ok(if (bytes.len() as u64) < stamp.bytes {
            Err(Flaw::Short)
        } else if Stamp::of(&bytes) != stamp {
            Err(Flaw::Differs)
        } else {
            Ok(bytes)
        })
    }

    /// Goes behind an accepted piece.
    pub fn accept(&mut self, bytes: &[u8]) {
        self.at += bytes.len() as u64;
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

/// Why reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// No further complete row of `checksums.csv`.
    NoRow,
    /// A row that cannot be one.
    BadRow(String),
    /// A piece of the file with this index.
    Flawed(usize, Flaw),
}

/// Reads the growing files of a run together, checking every piece.
pub(super) struct Checked {
    pub unit: Unit,
    pub rows: Pieces,
    /// Main file first.
    pub files: Vec<Pieces>,
    /// Checksums in each row.
    columns: usize,
    /// The number of the next row.
    pub number: u64,
}

impl Checked {
    /// Opens the files that the header of `checksums.csv` names. `None` if there is no such file, or no
    /// complete header in it.
    pub fn open(directory: &Path, unit: Unit) -> Result<Option<Checked>, RecordError> {
        let mut rows = match Pieces::open(directory.join(CHECKSUMS)) {
            Ok(rows) => rows,
            Err(RecordError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(line) = next_line(&mut rows)? else {
            return Ok(None);
        };
        let header = String::from_utf8_lossy(&line).into_owned();
        let names: Vec<String> = header.trim_end().split(',').map(str::to_string).collect();
        let known = |name: &String| {
            [
                "games.csv",
                "games.pgn",
                "games.pdn",
                "moves.csv",
                "final.epd",
                "final.fen",
                "trajectory.csv",
            ]
            .contains(&name.as_str())
        };
        let fits = names.len() > 1 && names[0] == unit.name() && names[1] == unit.main_file();
        if !fits || !names[1..].iter().all(known) {
            return Err(RecordError::damaged(
                &rows.path,
                1,
                format!("the columns are `{}`", header.trim_end()),
            ));
        }
        rows.accept(&line);
        let files: Result<Vec<Pieces>, RecordError> = names[1..]
            .iter()
            .map(|name| Pieces::open(directory.join(name)))
            .collect();
        Ok(Some(Checked {
            unit,
            rows,
            columns: names.len() - 1,
            files: files?,
            number: 0,
        }))
    }

    /// Only the main file, for readers that have checked the companions before.
    pub fn without_companions(mut self) -> Checked {
        self.files.truncate(1);
        self
    }

    /// The stamps of the next row. Accepts the row.
    pub fn next_stamps(&mut self) -> Result<Result<Vec<Stamp>, Stop>, RecordError> {
        let Some(line) = next_line(&mut self.rows)? else {
            return Ok(Err(Stop::NoRow));
        };
        let text = String::from_utf8_lossy(&line).into_owned();
        Ok(
            match read_row(text.trim_end_matches('\n'), self.number, self.columns) {
                Ok(stamps) => {
                    self.rows.accept(&line);
                    Ok(stamps)
                }
                Err(message) => Err(Stop::BadRow(message)),
            },
        )
    }

    /// The pieces of the next pair or row in every file; on a stop all files stay before it.
    pub fn next(&mut self) -> Result<Result<Vec<Vec<u8>>, Stop>, RecordError> {
        let (at, line) = (self.rows.at, self.rows.line);
        let stamps = match self.next_stamps()? {
            Ok(stamps) => stamps,
            Err(stop) => return Ok(Err(stop)),
        };
        let mut pieces = Vec::with_capacity(self.files.len());
        for (index, (file, stamp)) in self.files.iter_mut().zip(stamps).enumerate() {
            match file.piece(file.at, stamp)? {
                Ok(bytes) => pieces.push(bytes),
                Err(flaw) => {
                    (self.rows.at, self.rows.line) = (at, line);
                    return Ok(Err(Stop::Flawed(index, flaw)));
                }
            }
        }
        for (file, bytes) in self.files.iter_mut().zip(&pieces) {
            file.accept(bytes);
        }
        self.number += 1;
        Ok(Ok(pieces))
    }

    /// The error of a stop that cannot come from an interrupted write.
    pub fn error(&self, stop: &Stop) -> RecordError {
        let (unit, number) = (self.unit.name(), self.number);
        let what = match number {
            0 => "the header".to_string(),
            _ => format!("{unit} {number}"),
        };
        match stop {
            Stop::Flawed(index, flaw) => {
                let file = &self.files[*index];
                let message = match flaw {
                    Flaw::Short => format!("{what} is incomplete or missing"),
                    Flaw::Differs => format!(
                        "{what} does not match its checksum in {CHECKSUMS}:{}",
                        number + 2
                    ),
                };
                RecordError::damaged(&file.path, file.line, message)
            }
            Stop::BadRow(message) => RecordError::damaged(
                &self.rows.path,
                self.rows.line,
                format!("{what}: {message}"),
            ),
            Stop::NoRow => RecordError::damaged(
                &self.files[0].path,
                self.files[0].line,
                format!("{what} has no checksum in {CHECKSUMS}"),
            ),
        }
    }

    /// The number of complete rows after the current one.
    pub fn rows_left(&mut self) -> Result<u64, RecordError> {
        let (at, length) = (self.rows.at, self.rows.length()?);
        let rest = self.rows.bytes(at, length.saturating_sub(at))?;
        Ok(rest.iter().filter(|byte| **byte == b'\n').count() as u64)
    }

    /// Bytes after the last accepted piece, in all files and in `checksums.csv`.
    pub fn bytes_left(&self) -> Result<u64, RecordError> {
        let mut left = 0;
        for file in self.files.iter().chain([&self.rows]) {
            left += file.length()?.saturating_sub(file.at);
        }
        Ok(left)
    }
}

/// Whether no byte of a pair or row is in the files yet: each holds at most its header lines, or what a
/// power cut made of them.
pub(super) fn hold_only_headers(directory: &Path, names: &[String]) -> Result<bool, RecordError> {
    for name in names.iter().map(String::as_str).chain([CHECKSUMS]) {
        let mut pieces = match Pieces::open(directory.join(name)) {
            Ok(pieces) => pieces,
            Err(RecordError::Missing { .. }) => continue,
            Err(error) => return Err(error),
        };
        let header_lines = match name {
            CHECKSUMS => 2,
            _ if name.ends_with(".csv") => 1,
            _ => 0,
        };
        for _ in 0..header_lines {
            let Some(line) = next_line(&mut pieces)? else {
                // A header without its end: no file has one this long.
                let rest = pieces.length()?.saturating_sub(pieces.at);
                if rest >= LONGEST_LINE {
                    return Ok(false);
                }
                pieces.at += rest;
                break;
            };
            pieces.accept(&line);
        }
        if pieces.length()? > pieces.at {
            return Ok(false);
        }
    }
    Ok(true)
}

/// No row of `checksums.csv` is this long; a damaged file may have no line ends.
const LONGEST_LINE: u64 = 1 << 16;

/// The next complete line, with its end; does not accept it.
fn next_line(rows: &mut Pieces) -> Result<Option<Vec<u8>>, RecordError> {
    rows.seek(rows.at)?;
    let mut line = Vec::new();
    let mut limited = (&mut rows.reader).take(LONGEST_LINE);
    limited
        .read_until(b'\n', &mut line)
        .map_err(|error| RecordError::io(&rows.path, &error))?;
    Ok(line.ends_with(b"\n").then_some(line))
}

impl Checked {
    /// Whether a stop is what an interrupted write leaves. Everything else is damage: a torn end is
    /// removed, damage is not.
    pub fn is_torn(&mut self, stop: &Stop, last_end: LastEnd) -> Result<bool, RecordError> {
        let unsynced = match last_end {
            LastEnd::Broken { synced } => self.number > synced,
            LastEnd::Clean => false,
        };
        Ok(match stop {
            Stop::NoRow => unsynced || self.lines_left()? <= self.unit.lines(),
            Stop::BadRow(_) | Stop::Flawed(_, Flaw::Differs) => unsynced,
            Stop::Flawed(_, Flaw::Short) => unsynced || self.rows_left()? == 1,
        })
    }

    /// Complete lines of the main file after the last accepted piece.
    fn lines_left(&mut self) -> Result<u64, RecordError> {
        let main = &mut self.files[0];
        let (at, length) = (main.at, main.length()?);
        // Enough to know whether it is more than a torn pair.
        let rest = main.bytes(at, length.saturating_sub(at).min(1 << 24))?;
        Ok(rest.iter().filter(|byte| **byte == b'\n').count() as u64)
    }
}
