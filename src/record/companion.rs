//! The companion files of `games.csv`: the games as text, and the moves one by one. On resume they are
//! read together with the rows, so that all end with the same game.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use super::journal::{open_file, truncate};
use super::rows::{GameRow, MOVE_COLUMNS};

/// The format of a companion file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `games.pgn` or `games.pdn`: the extension.
    Collection(&'static str),
    /// `moves.csv`.
    Moves,
}

impl Companion {
    pub fn file_name(&self) -> String {
        match self {
            Companion::Collection(extension) => format!("games.{extension}"),
            Companion::Moves => "moves.csv".to_string(),
        }
    }

    fn header(&self) -> String {
        match self {
            Companion::Collection(_) => String::new(),
            Companion::Moves => MOVE_COLUMNS.join(",") + "\n",
        }
    }
}

/// An existing companion file, read up to some game.
pub(super) struct Found {
    kind: Companion,
    path: PathBuf,
    reader: BufReader<File>,
    /// The offset after what was read.
    at: u64,
    /// A line of a later game.
    line: Vec<u8>,
}

impl Found {
    /// Opens the file, or makes it for a journal that has no rows yet. An empty file beside rows
    /// would look like an incomplete one.
    pub fn open(directory: &Path, kind: &Companion, has_rows: bool) -> Result<Found, RecordError> {
        let path = directory.join(kind.file_name());
        if has_rows && !path.exists() {
            return Err(RecordError::Missing { path });
        }
        let file = open_file(&path)?;
        let mut found = Found {
            kind: kind.clone(),
            reader: BufReader::new(file),
            path,
            at: 0,
            line: Vec::new(),
        };
        let header = kind.header();
        if !header.is_empty() && found.next_line()? {
            if found.line != header.as_bytes() {
                return Err(RecordError::Row {
                    path: found.path,
                    line: 1,
                    message: format!(
                        "the columns are `{}`, expected `{}`",
                        String::from_utf8_lossy(&found.line).trim_end(),
                        header.trim_end()
                    ),
                });
            }
            found.take();
        }
        Ok(found)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the part of a game; false if it is incomplete.
    pub fn holds(&mut self, row: &GameRow) -> Result<bool, RecordError> {
        match self.kind {
            Companion::Collection(_) => self.holds_text(),
            Companion::Moves => {
                if self.at == 0 {
                    return Ok(false);
                }
                let number = format!("{},", row.game);
                for _ in 0..row.plies {
                    if !self.next_line()? || !self.line.starts_with(number.as_bytes()) {
                        return Ok(false);
                    }
                    self.take();
                }
                Ok(true)
            }
        }
    }

    /// A game as text: tags, an empty line, moves, an empty line.
    fn holds_text(&mut self) -> Result<bool, RecordError> {
        let mut empty_lines = 0;
        let mut begins = true;
        while empty_lines < 2 {
            if !self.next_line()? || (begins && !self.line.starts_with(b"[Event ")) {
                return Ok(false);
            }
            begins = false;
            empty_lines += usize::from(self.line == b"\n");
            self.take();
        }
        Ok(true)
    }

    /// Peeks at the next line; false if there is no complete one.
    fn next_line(&mut self) -> Result<bool, RecordError> {
        if self.line.is_empty() {
            self.reader
                .read_until(b'\n', &mut self.line)
                .map_err(|error| RecordError::io(&self.path, &error))?;
        }
        Ok(self.line.ends_with(b"\n"))
    }

    fn take(&mut self) {
        self.at += self.line.len() as u64;
        self.line.clear();
    }

    /// The current offset.
    pub fn place(&self) -> u64 {
        self.at
    }

    /// Truncates the file at an offset, and appends from there.
    pub fn cut(self, at: u64) -> Result<Growing, RecordError> {
        let mut file = self.reader.into_inner();
        truncate(&self.path, &mut file, at)?;
        let mut growing = Growing {
            path: self.path,
            file,
        };
        if at == 0 {
            growing.append(self.kind.header().as_bytes())?;
        }
        Ok(growing)
    }
}

/// An append-only file.
pub(super) struct Growing {
    pub path: PathBuf,
    pub file: File,
}

impl Growing {
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.file
            .write_all(bytes)
            .map_err(|error| RecordError::io(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_and_one_with_other_columns_are_refused_and_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("moves.csv");
        let open = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let found = Found::open(folder.path(), &Companion::Moves, true);
            found
                .map(|found| found.place())
                .map_err(|error| error.to_string())
        };
        let missing = || Found::open(folder.path(), &Companion::Moves, true).is_err();
        assert!(missing() && missing() && !path.exists());
        let header = Companion::Moves.header();
        assert_eq!(open(&header), Ok(header.len() as u64));
        assert_eq!(open(&header[..20]), Ok(0));
        let refused = open("game,ply\n1,1\n").unwrap_err();
        assert!(
            refused.contains("moves.csv:1: the columns are `game,ply`"),
            "{refused}"
        );
    }
}
