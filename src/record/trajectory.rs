//! The log of a tuning run: `trajectory.csv` grows by a row per iteration.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::directory::Identity;
use super::error::RecordError;
use super::journal::{open_file, truncate};
use super::sheet::csv_line;
use super::tuning::{TrajectoryColumns, TrajectoryRow, trajectory_rows};

/// The append-only log.
pub struct Trajectory {
    path: PathBuf,
    file: File,
}

impl Trajectory {
    /// Opens or makes the run directory, and returns the complete rows of the log. Removes an
    /// incomplete last row.
    pub fn open(
        directory: &Path,
        identity: &Identity<'_>,
        columns: &TrajectoryColumns,
    ) -> Result<(Trajectory, Vec<TrajectoryRow>), RecordError> {
        identity.enter(directory, "trajectory.csv")?;
        let path = directory.join("trajectory.csv");
        let mut file = open_file(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| RecordError::io(&path, &error))?;
        let last = bytes.iter().rposition(|byte| *byte == b'\n');
        let end = last.map_or(0, |at| at + 1);
        let mut rows = Vec::new();
        if end > 0 {
            let (found, read) = trajectory_rows(&path, &bytes[..end])?;
            if found != *columns {
                return Err(RecordError::Row {
                    path,
                    line: 1,
                    message: "the columns belong to another run".to_string(),
                });
            }
            rows = read;
        }
        truncate(&path, &mut file, end as u64)?;
        let mut log = Trajectory { path, file };
        if end == 0 {
            log.write(&columns.header())?;
        }
        Ok((log, rows))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an iteration in one write, so that a kill leaves complete rows or an incomplete end that
    /// is removed on resume.
    pub fn append(&mut self, row: &TrajectoryRow) -> Result<(), RecordError> {
        self.write(&row.cells())
    }

    fn write(&mut self, cells: &[String]) -> Result<(), RecordError> {
        self.file
            .write_all(csv_line(cells).as_bytes())
            .map_err(|error| RecordError::io(&self.path, &error))
    }
}
