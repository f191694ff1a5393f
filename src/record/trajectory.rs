//! The log of a tuning run: `trajectory.csv` grows by a row per iteration.

use std::path::{Path, PathBuf};

use super::checksums::Unit;
use super::directory::Identity;
use super::error::RecordError;
use super::ledger::{GrowingFile, Ledger};
use super::lock::RunLock;
use super::sheet::csv_line;
use super::tuning::{TrajectoryColumns, TrajectoryRow};

/// The log found on resume.
pub struct LoggedRows {
    pub rows: Vec<TrajectoryRow>,
    /// What was removed, and where it is kept.
    pub removed: Vec<String>,
}

/// The append-only log.
pub struct Trajectory {
    path: PathBuf,
    ledger: Ledger,
}

impl Trajectory {
    /// Makes the log, or checks it, and returns its complete rows. Removes an incomplete last row.
    pub fn open(
        lock: RunLock,
        identity: &Identity<'_>,
        columns: &TrajectoryColumns,
    ) -> Result<(Trajectory, LoggedRows), RecordError> {
        identity.enter(lock.directory(), "trajectory.csv")?;
        let path = lock.directory().join("trajectory.csv");
        let file = GrowingFile {
            name: "trajectory.csv".to_string(),
            header: csv_line(&columns.header()),
        };
        let mut rows = Vec::new();
        let (ledger, found) = Ledger::open(lock, Unit::Row, &[file], &mut |_, line, bytes| {
            rows.push(columns.read_line(&path, line, bytes)?);
            Ok(())
        })?;
        let removed = found.removed;
        Ok((Trajectory { path, ledger }, LoggedRows { rows, removed }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an iteration in one write, so that a kill leaves complete rows or an incomplete end that
    /// is removed on resume.
    pub fn append(&mut self, row: &TrajectoryRow) -> Result<(), RecordError> {
        self.ledger.append(&[csv_line(&row.cells()).as_bytes()])
    }

    /// Makes the rows survive a power cut: for methods that write other files by them.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.ledger.sync()
    }

    /// Syncs the log. The directory stays locked until the lock is released.
    pub fn close(self) -> Result<RunLock, RecordError> {
        self.ledger.close()
    }
}
