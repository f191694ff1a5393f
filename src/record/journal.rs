//! The journal of a run: `games.csv` grows by one pair at a time, and logged pairs are not played
//! again. A row counts once its pair is complete. Companion files are written first, so they always
//! contain at least the same games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::companion::{Companion, Found, Growing};
use super::directory::Identity;
use super::error::RecordError;
use super::rows::{GAME_COLUMNS, GameRow};
use crate::games::GameResult;

/// Replaces a file atomically: writes a temporary file and renames it.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let beside = path.with_extension("part");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // Remove the incomplete file.
        let _ = fs::remove_file(&beside);
        RecordError::io(path, &error)
    })
}

/// The state found on resume.
#[derive(Debug, Default)]
pub struct Resumed {
    /// Complete pairs on disk.
    pub pairs: u64,
    /// What was removed, and where: an incomplete line, half a pair, games missing in a companion file.
    pub repaired: Vec<String>,
}

/// The growing files of a run.
pub struct Journal {
    directory: PathBuf,
    games: Growing,
    companions: Vec<Growing>,
}

impl Journal {
    /// Opens or makes the run directory, and resumes it. Calls `seen` with the rows of every complete
    /// pair.
    pub fn open(
        directory: &Path,
        identity: &Identity<'_>,
        companions: &[Companion],
        mut seen: impl FnMut([&GameRow; 2]) -> Result<(), RecordError>,
    ) -> Result<(Journal, Resumed), RecordError> {
        identity.enter(directory, "games.csv")?;
        let path = directory.join("games.csv");
        let mut file = open_file(&path)?;
        let length = file.seek(SeekFrom::End(0));
        let length = length.map_err(|error| RecordError::io(&path, &error))?;
        let has_rows = length > header().len() as u64;
        let companions: Result<Vec<Found>, RecordError> = companions
            .iter()
            .map(|kind| Found::open(directory, kind, has_rows))
            .collect();
        let mut companions = companions?;
        let (ends, resumed) = find_ends(&path, &mut file, &mut companions, &mut seen)?;
        truncate(&path, &mut file, ends.games)?;
        let mut games = Growing { path, file };
        if ends.games == 0 {
            games.append(header().as_bytes())?;
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

    /// Appends a complete pair: its rows, and the text for each companion. Companions first, because
    /// the rows count on resume. One write per file and pair: a kill in between leaves complete pairs,
    /// or an incomplete end that is removed on resume.
    pub fn append(&mut self, pair: &PairEntry) -> Result<(), RecordError> {
        for (file, text) in self.companions.iter_mut().zip(&pair.companions) {
            file.append(text)?;
        }
        self.games.append(&pair.rows)
    }
}

/// The text of a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairEntry {
    /// For `games.csv`.
    pub rows: Vec<u8>,
    /// One per companion of the journal.
    pub companions: Vec<Vec<u8>>,
}

/// Rows as CSV without a header. Cannot fail: all rows are valid CSV, and it writes to memory.
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

/// The first line of `games.csv`.
fn header() -> String {
    GAME_COLUMNS.join(",") + "\n"
}

/// The offsets after the last complete pair.
struct Ends {
    games: u64,
    companions: Vec<u64>,
}

/// Reads `games.csv` and its companions together, up to the last pair that all of them contain.
fn find_ends(
    path: &Path,
    file: &mut (impl Read + Seek),
    companions: &mut [Found],
    seen: &mut impl FnMut([&GameRow; 2]) -> Result<(), RecordError>,
) -> Result<(Ends, Resumed), RecordError> {
    let io = |error: io::Error| RecordError::io(path, &error);
    let length = file.seek(SeekFrom::End(0)).map_err(io)?;
    // The last byte shows whether the last row is complete.
    let whole = ends_with_newline(file, length).map_err(io)?;
    let mut reader = csv::Reader::from_reader(BufReader::new(&mut *file));
    let has_header = has_header(path, &mut reader, length)?;
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
            // A read error does not mean a missing file.
            Err(error) if error.is_io_error() => return Err(RecordError::csv(path, &error)),
            // An incomplete last row may have too few cells or end inside a character.
            Err(_) if reader.position().byte() >= length => break,
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
        // Pairs must be consecutive: their count gives the next pair to play.
        let due = resumed.pairs + 1;
        if [&first, &row].map(|row| row.pair) != [due; 2] {
            return Err(RecordError::Row {
                path: path.to_path_buf(),
                line,
                message: format!("pair {}, expected pair {due}", row.pair),
            });
        }
        if let Some(short) = first_without(companions, [&first, &row])? {
            resumed.repaired.push(format!(
                "{} ends before game {}: later games are played again",
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
            "{}: an incomplete last record of {} bytes was removed",
            path.display(),
            length - ends.games
        ));
    }
    Ok((ends, resumed))
}

/// A row with all its cells was written completely: a wrong result was edited by hand, and removing
/// the row as incomplete would replay the game.
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

/// The first companion that lacks one of the games.
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

/// Whether the file starts with the complete header. A kill may have left a part of it; any other file
/// is not a journal of this version and must not be truncated.
fn has_header<R: Read>(
    path: &Path,
    reader: &mut csv::Reader<R>,
    length: u64,
) -> Result<bool, RecordError> {
    let wrong = |found: &str| RecordError::Row {
        path: path.to_path_buf(),
        line: 1,
        message: format!(
            "the columns are `{found}`, expected `{}`",
            GAME_COLUMNS.join(",")
        ),
    };
    let headers = match reader.byte_headers() {
        Ok(headers) => headers,
        Err(error) if error.is_io_error() => return Err(RecordError::csv(path, &error)),
        Err(_) => return Err(wrong("?")),
    };
    let found: Vec<_> = headers.iter().map(String::from_utf8_lossy).collect();
    let (found, header) = (found.join(","), GAME_COLUMNS.join(","));
    if found == header {
        return Ok(length > header.len() as u64);
    }
    let is_cut_off = length <= header.len() as u64 && header.starts_with(&found);
    if is_cut_off {
        Ok(false)
    } else {
        Err(wrong(&found))
    }
}

/// Rewinds the file.
fn ends_with_newline(file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    let mut last = *b"\n";
    if length > 0 {
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A file whose bytes from some place on cannot be read.
    struct Damaged {
        bytes: Cursor<Vec<u8>>,
        good: u64,
    }

    impl Read for Damaged {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let (at, length) = (self.bytes.position(), self.bytes.get_ref().len() as u64);
            // The last byte is read separately.
            if at >= self.good && at + 1 < length {
                return Err(io::Error::other("the disk is damaged"));
            }
            let room = self.good.saturating_sub(at).max(1).min(into.len() as u64);
            self.bytes.read(&mut into[..room as usize])
        }
    }

    impl Seek for Damaged {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.bytes.seek(to)
        }
    }

    fn journal(pairs: u64) -> String {
        let row = |game: u64| {
            let pair = game.div_ceil(2);
            format!("{game},{pair},a,b,x,1-0,checkmate,1,1,1,e2e4,white,+0.10\n")
        };
        let rows: String = (1..=2 * pairs).map(row).collect();
        format!("{}\n{rows}", GAME_COLUMNS.join(","))
    }

    fn read(text: &str, good: usize) -> Result<(u64, u64), String> {
        let mut file = Damaged {
            bytes: Cursor::new(text.as_bytes().to_vec()),
            good: good as u64,
        };
        find_ends(Path::new("games.csv"), &mut file, &mut [], &mut |_| Ok(()))
            .map(|(ends, resumed)| (ends.games, resumed.pairs))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_read_error_is_never_taken_for_an_incomplete_end() {
        let text = journal(4);
        assert_eq!(read(&text, text.len()), Ok((text.len() as u64, 4)));
        for good in 0..text.len() - 1 {
            let refused = read(&text, good).unwrap_err();
            assert!(refused.contains("the disk is damaged"), "{good}: {refused}");
        }
    }

    #[test]
    fn only_the_end_may_be_incomplete() {
        let text = journal(2);
        let header = GAME_COLUMNS.join(",").len();
        for length in 0..text.len() {
            let (games, pairs) = read(&text[..length], length).unwrap();
            assert!(pairs <= 1 && games as usize <= length, "{length}");
            assert_eq!(games == 0, length <= header, "{length}");
        }
        let other = text.replacen("moves", "turns", 1);
        let refused = read(&other, other.len()).unwrap_err();
        assert!(
            refused.contains("games.csv:1: the columns are"),
            "{refused}"
        );
    }
}
