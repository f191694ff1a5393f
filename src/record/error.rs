//! Errors in the files of a run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::rows::GAME_COLUMNS;

/// An error in the files of a run that only the user can fix.
#[derive(Debug)]
pub enum RecordError {
    Io {
        path: PathBuf,
        message: String,
    },
    /// An invalid row.
    Row {
        path: PathBuf,
        line: u64,
        message: String,
    },
    /// A game of a collection that cannot be counted.
    Game {
        path: PathBuf,
        line: u64,
        message: String,
    },
    /// A file of a run that was begun.
    Missing {
        path: PathBuf,
    },
    /// Bytes that are not those that were written. The line is 0 if there is none to name.
    Damaged {
        path: PathBuf,
        line: u64,
        message: String,
    },
    /// A growing file of another version.
    OtherColumns {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// Another process writes to the run directory.
    Held {
        path: PathBuf,
        holder: String,
    },
    /// A run directory that was deleted or renamed while it was written.
    Lost {
        path: PathBuf,
    },
    /// A directory with files that are not of a run.
    Foreign {
        path: PathBuf,
        found: String,
    },
    /// A manifest that cannot be used.
    Manifest {
        path: PathBuf,
        line: u64,
        message: String,
    },
    /// A directory without a manifest.
    NoManifest {
        path: PathBuf,
    },
    /// The manifest and the config of a directory describe different runs.
    OtherManifest {
        path: PathBuf,
    },
    /// Shards that cannot be joined.
    Shard {
        path: PathBuf,
        message: String,
    },
    /// The directory contains the run of another config.
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

    pub fn shard(path: &Path, message: &str) -> RecordError {
        RecordError::Shard {
            path: path.to_path_buf(),
            message: message.to_string(),
        }
    }

    pub fn damaged(path: &Path, line: u64, message: String) -> RecordError {
        RecordError::Damaged {
            path: path.to_path_buf(),
            line,
            message,
        }
    }

    /// The same for a row of that line.
    pub fn at_line(self, line: u64) -> RecordError {
        match self {
            RecordError::Row { path, message, .. } => RecordError::Row {
                path,
                line,
                message,
            },
            other => other,
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
                    "{}:{line}: {message}; fix the row or remove it",
                    path.display()
                )
            }
            RecordError::Shard { path, message } => write!(f, "{}: {message}", path.display()),
            RecordError::Game {
                path,
                line,
                message,
            } => write!(f, "{}:{line}: {message}", path.display()),
            RecordError::Missing { path } => write!(
                f,
                "{}: missing, but the run has begun; restore the file, choose another --out, or --fresh to start over",
                path.display()
            ),
            RecordError::Damaged {
                path,
                line,
                message,
            } => {
                write!(f, "{}", path.display())?;
                if *line > 0 {
                    write!(f, ":{line}")?;
                }
                write!(
                    f,
                    ": {message}; the file is damaged: `sparring check {}` lists everything, and --repair plays damaged pairs again",
                    super::disk::parent(path).display()
                )
            }
            RecordError::OtherColumns {
                path,
                found,
                expected,
            } => write!(
                f,
                "{}:1: the columns are `{found}`, expected `{expected}`: the file belongs to another run or version; choose another --out, or --fresh to start over",
                path.display()
            ),
            RecordError::Held { path, holder } => write!(
                f,
                "{}: in use by {holder}; wait for it or stop it, or choose another --out",
                path.display()
            ),
            RecordError::Lost { path } => write!(
                f,
                "{}: the directory was deleted or renamed while the run was writing to it; start the run again",
                path.display()
            ),
            RecordError::Foreign { path, found } => write!(
                f,
                "{}: contains `{found}` and no manifest.json, so it is not a run directory; choose another --out",
                path.display()
            ),
            RecordError::Manifest {
                path,
                line,
                message,
            } => write!(
                f,
                "{}:{line}: {message}; restore the file, or use only games.csv",
                path.display()
            ),
            RecordError::NoManifest { path } => write!(
                f,
                "{0}: no manifest.json: not a run directory, or one of an older version; give {0}/games.csv to report or stats, or start over with run --fresh",
                path.display()
            ),
            RecordError::OtherManifest { path } => write!(
                f,
                "{}: does not match the run of config.toml; restore the file, choose another --out, or --fresh to start over",
                path.display()
            ),
            RecordError::OtherConfig { path, differences } => {
                write!(
                    f,
                    "{}: contains the run of another config; choose another --out, or --fresh to start over (the old directory is renamed). Differences:",
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
