//! Reads the games of a run while they are written: every call continues where the last one ended. Every
//! pair is checked against `checksums.csv`, as by any other reader.

use std::path::{Path, PathBuf};

use super::checksums::{Checked, Flaw, Stop, Unit};
use super::error::RecordError;
use super::games_reader::{Columns, read_games};
use super::lock::LastEnd;
use super::rows::GameRow;

/// Where reading ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Offsets {
    /// The number of the next pair; 0 is the header.
    number: u64,
    rows_at: u64,
    rows_line: u64,
    at: u64,
    line: u64,
}

/// Pairs between two marks that are kept to find single games.
const SPACING: u64 = 64;

/// What a call of [`GamesFollower::read`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// There is more to read.
    More,
    /// Everything complete is read.
    End,
    /// The files are shorter than what was read: another run has taken their place. Begin again.
    Replaced,
}

/// The games of one run directory.
pub struct GamesFollower {
    directory: PathBuf,
    columns: Option<Columns>,
    next: Offsets,
    /// Every N pairs, in order.
    marks: Vec<Offsets>,
    games: u64,
    bytes: u64,
}

impl GamesFollower {
    pub fn new(directory: &Path) -> GamesFollower {
        GamesFollower {
            directory: directory.to_path_buf(),
            columns: None,
            next: Offsets::default(),
            marks: Vec::new(),
            games: 0,
            bytes: 0,
        }
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The share of the file that is read, 0 to 1.
    pub fn share(&self) -> f64 {
        match self.bytes {
            0 => 1.0,
            bytes => (self.next.at as f64 / bytes as f64).min(1.0),
        }
    }

    /// Reads about this many bytes of games. A writer may be between the files of a pair, so only a run
    /// that no process plays is checked for what follows its last pair.
    pub fn read(
        &mut self,
        most: u64,
        is_running: bool,
        mut seen: impl FnMut(GameRow),
    ) -> Result<Followed, RecordError> {
        let Some(mut checked) = self.open()? else {
            return self.read_unchecked(seen);
        };
        self.bytes = checked.files[0].length()?;
        if checked.rows.length()? < checked.rows.at || self.bytes < checked.files[0].at {
            return Ok(Followed::Replaced);
        }
        let from = checked.files[0].at;
        while checked.files[0].at - from < most {
            let line = checked.files[0].line;
            let pieces = match checked.next()? {
                Ok(pieces) => pieces,
                Err(stop) => {
                    self.set_mark(&checked);
                    return self.end(checked, &stop, is_running);
                }
            };
            self.push(&pieces[0], line, &mut seen)?;
            self.set_mark(&checked);
            if self.next.number % SPACING == 1 {
                self.marks.push(self.next);
            }
        }
        Ok(Followed::More)
    }

    fn open(&self) -> Result<Option<Checked>, RecordError> {
        self.open_at(self.next)
    }

    fn open_at(&self, mark: Offsets) -> Result<Option<Checked>, RecordError> {
        let Some(checked) = Checked::open(&self.directory, Unit::Pair)? else {
            return Ok(None);
        };
        let mut checked = checked.without_companions();
        if mark.number > 0 {
            checked.number = mark.number;
            (checked.rows.at, checked.rows.line) = (mark.rows_at, mark.rows_line);
            (checked.files[0].at, checked.files[0].line) = (mark.at, mark.line);
        }
        Ok(Some(checked))
    }

    fn set_mark(&mut self, checked: &Checked) {
        self.next = Offsets {
            number: checked.number,
            rows_at: checked.rows.at,
            rows_line: checked.rows.line,
            at: checked.files[0].at,
            line: checked.files[0].line,
        };
    }

    /// The rows of a pair; the first piece is the header.
    fn push(
        &mut self,
        bytes: &[u8],
        line: u64,
        seen: &mut impl FnMut(GameRow),
    ) -> Result<(), RecordError> {
        let rows = rows_of(
            &self.directory.join("games.csv"),
            &mut self.columns,
            bytes,
            line,
            self.games,
        )?;
        self.games += rows.len() as u64;
        rows.into_iter().for_each(seen);
        Ok(())
    }

    fn end(
        &self,
        mut checked: Checked,
        stop: &Stop,
        is_running: bool,
    ) -> Result<Followed, RecordError> {
        let may_be_writing = matches!(stop, Stop::NoRow | Stop::Flawed(_, Flaw::Short));
        if (is_running && may_be_writing) || checked.bytes_left()? == 0 {
            return Ok(Followed::End);
        }
        let last_end = LastEnd::of(&self.directory)?;
        match checked.is_torn(stop, last_end)? {
            true => Ok(Followed::End),
            false => Err(checked.error(stop)),
        }
    }

    /// The run of an older version, or one that has not begun: it does not grow.
    fn read_unchecked(&mut self, mut seen: impl FnMut(GameRow)) -> Result<Followed, RecordError> {
        let path = self.directory.join("games.csv");
        let length = match std::fs::metadata(&path) {
            Ok(data) => data.len(),
            Err(_) => return Ok(Followed::End),
        };
        if self.bytes == length {
            return Ok(Followed::End);
        }
        if self.bytes != 0 {
            return Ok(Followed::Replaced);
        }
        read_games(&path, |row, _| {
            self.games += 1;
            seen(row);
            Ok(())
        })?;
        (self.bytes, self.next.at) = (length, length);
        Ok(Followed::End)
    }

    /// The games of a pair that has been read; none if there is no such pair.
    pub fn pair(&self, pair: u64) -> Result<Vec<GameRow>, RecordError> {
        let before = self.marks.partition_point(|mark| mark.number <= pair);
        let mark = match before {
            0 => return Ok(Vec::new()),
            _ => self.marks[before - 1],
        };
        if pair >= self.next.number {
            return Ok(Vec::new());
        }
        let Some(mut checked) = self.open_at(mark)? else {
            return Ok(Vec::new());
        };
        while checked.number <= pair {
            let line = checked.files[0].line;
            match checked.next()? {
                Err(stop) => return Err(checked.error(&stop)),
                Ok(pieces) if checked.number > pair => {
                    let path = self.directory.join("games.csv");
                    let mut columns = self.columns.clone();
                    let before = 2 * pair.saturating_sub(1);
                    return rows_of(&path, &mut columns, &pieces[0], line, before);
                }
                Ok(_) => {}
            }
        }
        Ok(Vec::new())
    }
}

/// The rows in the bytes of a pair, or the columns in those of the header.
fn rows_of(
    path: &Path,
    columns: &mut Option<Columns>,
    bytes: &[u8],
    first_line: u64,
    games: u64,
) -> Result<Vec<GameRow>, RecordError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(bytes.len().clamp(64, 1 << 13))
        .from_reader(bytes);
    let mut record = csv::StringRecord::new();
    let mut rows = Vec::new();
    loop {
        let line = first_line + reader.position().line() - 1;
        let failed = |error: csv::Error| RecordError::csv(path, &error).at_line(line);
        if !reader.read_record(&mut record).map_err(failed)? {
            return Ok(rows);
        }
        let wrong = |message: String| RecordError::Row {
            path: path.to_path_buf(),
            line,
            message,
        };
        match &*columns {
            None => *columns = Some(Columns::find(&record).map_err(wrong)?),
            Some(columns) => {
                let number = games + rows.len() as u64 + 1;
                rows.push(columns.row(&record, number).map_err(wrong)?);
            }
        }
    }
}
