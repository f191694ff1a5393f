//! The journal of a run: `games.csv` grows by a pair at a time, and what is there is never
//! played again. A row counts once its pair is complete; the game texts are written first, so
//! they always reach at least as far.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::rows::GameRow;

/// Something about the files of a run that cannot be mended without the user.
#[derive(Debug)]
pub enum RecordError {
    Io {
        path: PathBuf,
        message: String,
    },
    /// A row that does not read as a game.
    Row {
        path: PathBuf,
        line: u64,
        message: String,
    },
    /// The directory holds the run of another config.
    OtherConfig {
        path: PathBuf,
        differences: Vec<String>,
    },
}

impl RecordError {
    pub fn io(path: &Path, error: &io::Error) -> RecordError {
        RecordError::Io {
            path: path.to_path_buf(),
            message: error.to_string(),
        }
    }

    pub fn csv(path: &Path, error: &csv::Error) -> RecordError {
        let line = error.position().map_or(0, csv::Position::line);
        let message = match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => match err.field() {
                Some(field) => {
                    let column = GAME_COLUMNS.get(field as usize).unwrap_or(&"?");
                    format!("column `{column}`: {}", err.kind())
                }
                None => err.kind().to_string(),
            },
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => {
                format!("{len} cells, expected {expected_len}")
            }
            csv::ErrorKind::Io(error) => return RecordError::io(path, error),
            _ => error.to_string(),
        };
        RecordError::Row {
            path: path.to_path_buf(),
            line,
            message,
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io { path, message } => write!(f, "{}: {message}", path.display()),
            RecordError::Row {
                path,
                line,
                message,
            } => {
                write!(
                    f,
                    "{}:{line}: {message}; mend the row or remove it",
                    path.display()
                )
            }
            RecordError::OtherConfig { path, differences } => {
                write!(
                    f,
                    "{}: holds the run of another config; choose another --out, or --fresh to start over (the old directory is kept aside). Differences:",
                    path.display()
                )?;
                differences
                    .iter()
                    .try_for_each(|line| write!(f, "\n  {line}"))
            }
        }
    }
}

impl std::error::Error for RecordError {}

const GAME_COLUMNS: [&str; 11] = [
    "game",
    "pair",
    "white",
    "black",
    "opening",
    "result",
    "termination",
    "plies",
    "white_nodes",
    "black_nodes",
    "moves",
];

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
    /// What was cut off: a torn line, half a pair.
    pub repaired: Option<String>,
}

/// The growing files of a run.
pub struct Journal {
    directory: PathBuf,
    games: File,
    collection: Option<(PathBuf, File)>,
}

impl Journal {
    /// Opens the run directory, makes it if need be, and takes up what is there. Every row of a
    /// complete pair is shown to `seen`.
    pub fn open(
        directory: &Path,
        resolved: &str,
        collection: Option<&str>,
        mut seen: impl FnMut(&GameRow) -> Result<(), RecordError>,
    ) -> Result<(Journal, Resumed), RecordError> {
        fs::create_dir_all(directory).map_err(|error| RecordError::io(directory, &error))?;
        check_config(directory, resolved)?;
        let path = directory.join("games.csv");
        let mut games = open_file(&path)?;
        let (end, resumed) = find_end(&path, &mut games, &mut seen)?;
        truncate(&path, &mut games, end)?;
        if end == 0 {
            let mut header = GAME_COLUMNS.join(",");
            header.push('\n');
            games
                .write_all(header.as_bytes())
                .map_err(|error| RecordError::io(&path, &error))?;
        }
        let collection = match collection {
            None => None,
            Some(extension) => {
                let path = directory.join(format!("games.{extension}"));
                let mut file = open_file(&path)?;
                let end = find_game(&path, &mut file, resumed.pairs * 2)?;
                truncate(&path, &mut file, end)?;
                Some((path, file))
            }
        };
        Ok((
            Journal {
                directory: directory.to_path_buf(),
                games,
                collection,
            },
            resumed,
        ))
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds a complete pair. The game texts go first: rows are what counts on resuming.
    pub fn append(&mut self, rows: &[GameRow], texts: &str) -> Result<(), RecordError> {
        if let Some((path, file)) = &mut self.collection {
            file.write_all(texts.as_bytes())
                .map_err(|error| RecordError::io(path, &error))?;
        }
        let path = self.directory.join("games.csv");
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        for row in rows {
            writer
                .serialize(row)
                .map_err(|error| RecordError::csv(&path, &error))?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| RecordError::io(&path, error.error()))?;
        // One write a pair: a kill in between leaves whole pairs, or a tail that is cut off.
        self.games
            .write_all(&bytes)
            .map_err(|error| RecordError::io(&path, &error))
    }
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

/// A run directory belongs to one config: another one would mix two experiments.
pub(super) fn check_config(directory: &Path, resolved: &str) -> Result<(), RecordError> {
    let path = directory.join("config.toml");
    match fs::read_to_string(&path) {
        Ok(text) if text == resolved => Ok(()),
        Ok(text) => Err(RecordError::OtherConfig {
            path: directory.to_path_buf(),
            differences: differences(&text, resolved),
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            replace_file(&path, resolved.as_bytes())
        }
        Err(error) => Err(RecordError::io(&path, &error)),
    }
}

/// The lines that only one of two configs has.
fn differences(old: &str, new: &str) -> Vec<String> {
    let missing = |from: &str, other: &str, sign: char| -> Vec<String> {
        let mut rest: Vec<&str> = other.lines().collect();
        let mut lines = Vec::new();
        for line in from.lines() {
            match rest.iter().position(|candidate| *candidate == line) {
                Some(at) => drop(rest.remove(at)),
                None => lines.push(format!("{sign} {line}")),
            }
        }
        lines
    };
    let mut lines = missing(old, new, '-');
    lines.extend(missing(new, old, '+'));
    lines
}

/// The place behind the last complete pair of `games.csv`.
fn find_end(
    path: &Path,
    file: &mut File,
    seen: &mut impl FnMut(&GameRow) -> Result<(), RecordError>,
) -> Result<(u64, Resumed), RecordError> {
    let length = file
        .metadata()
        .map_err(|error| RecordError::io(path, &error))?
        .len();
    let mut resumed = Resumed::default();
    // The last byte tells whether the last row was written whole.
    let whole = ends_with_newline(path, file, length)?;
    let mut reader = csv::Reader::from_reader(BufReader::new(&mut *file));
    let mut end = if reader
        .byte_headers()
        .is_ok_and(|headers| headers.len() == GAME_COLUMNS.len())
        && whole_header(length)
    {
        reader.position().byte()
    } else {
        0
    };
    let mut half: Option<GameRow> = None;
    let mut record = csv::StringRecord::new();
    while end > 0 {
        let started = reader.position().byte();
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
        let row: GameRow = match record.deserialize(None) {
            Ok(row) => row,
            Err(_) if at_end => break,
            Err(error) => {
                let line = record.position().map_or(0, csv::Position::line);
                let _ = started;
                return Err(match RecordError::csv(path, &error) {
                    RecordError::Row { path, message, .. } => RecordError::Row {
                        path,
                        line,
                        message,
                    },
                    other => other,
                });
            }
        };
        match half.take() {
            Some(first) if first.pair == row.pair => {
                seen(&first)?;
                seen(&row)?;
                resumed.pairs += 1;
                end = reader.position().byte();
            }
            _ => half = Some(row),
        }
    }
    if end < length {
        resumed.repaired = Some(format!(
            "{} bytes behind the last complete pair were cut off",
            length - end
        ));
    }
    Ok((end, resumed))
}

/// The header alone is shorter than this; nothing shorter can hold it.
fn whole_header(length: u64) -> bool {
    length > GAME_COLUMNS.join(",").len() as u64
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

/// The place behind game number `count` of a collection: where the next one's first tag stands.
fn find_game(path: &Path, file: &mut File, count: u64) -> Result<u64, RecordError> {
    let mut reader = BufReader::new(&mut *file);
    let mut line = Vec::new();
    let (mut at, mut games) = (0, 0);
    loop {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .map_err(|error| RecordError::io(path, &error))?;
        if read == 0 {
            return Ok(at);
        }
        if line.starts_with(b"[Event ") {
            games += 1;
            if games > count {
                return Ok(at);
            }
        }
        at += read as u64;
    }
}

/// Reads `games.csv`, a row at a time.
pub fn read_games(
    path: &Path,
    mut seen: impl FnMut(GameRow) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let file = File::open(path).map_err(|error| RecordError::io(path, &error))?;
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    for row in reader.deserialize() {
        seen(row.map_err(|error| RecordError::csv(path, &error))?)?;
    }
    Ok(())
}
