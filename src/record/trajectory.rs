//! The log of a tuning run: `trajectory.csv` grows by a row an iteration.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::directory::Identity;
use super::error::RecordError;
use super::journal::{open_file, truncate};

/// The growing log. Its rows are plain cells: what they mean is known to the tuner.
pub struct Trajectory {
    path: PathBuf,
    file: File,
}

impl Trajectory {
    /// Opens the run directory, makes it if need be, and returns the complete rows that are
    /// there. An incomplete last row is removed.
    pub fn open(
        directory: &Path,
        identity: &Identity<'_>,
        columns: &[String],
    ) -> Result<(Trajectory, Vec<Vec<String>>), RecordError> {
        identity.enter(directory, "trajectory.csv")?;
        let path = directory.join("trajectory.csv");
        let mut file = open_file(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| RecordError::io(&path, &error))?;
        let mut header = columns.join(",");
        header.push('\n');
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        let end = whole.map_or(0, |at| at + 1);
        let wrong = |line: usize, message: String| RecordError::Row {
            path: path.clone(),
            line: line as u64,
            message,
        };
        let text =
            std::str::from_utf8(&bytes[..end]).map_err(|_| wrong(1, "not a text".to_string()))?;
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if index == 0 {
                if line != header.trim_end() {
                    return Err(wrong(1, "the columns are those of another run".to_string()));
                }
                continue;
            }
            let cells: Vec<String> = line.split(',').map(str::to_string).collect();
            if cells.len() != columns.len() {
                let message = format!("{} cells, expected {}", cells.len(), columns.len());
                return Err(wrong(index + 1, message));
            }
            rows.push(cells);
        }
        truncate(&path, &mut file, end as u64)?;
        let mut log = Trajectory { path, file };
        if end == 0 {
            log.write(&header)?;
        }
        Ok((log, rows))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds an iteration: one write, so that a kill leaves whole rows or a tail that is cut off.
    pub fn append(&mut self, cells: &[String]) -> Result<(), RecordError> {
        self.write(&format!("{}\n", cells.join(",")))
    }

    fn write(&mut self, text: &str) -> Result<(), RecordError> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| RecordError::io(&self.path, &error))
    }
}
