//! Checks the log of a tuning run: its bytes, and that the method would take the same steps.

use std::fs;
use std::io;
use std::path::Path;

use super::Findings;
use crate::commands::Failure;
use crate::commands::train::CHECKPOINT;
use crate::config::LoadedTune;
use crate::record::{Damage, RecordError, TrajectoryRow, inspect_log, read_trajectory};
use crate::tune::train::verify_checkpoint;
use crate::tune::{Course, Feed, Tuner, TunerSetup};

pub fn check_log(
    directory: &Path,
    loaded: &LoadedTune,
    has_list: bool,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let path = directory.join("trajectory.csv");
    let has_checksums = directory.join("checksums.csv").exists();
    if !path.exists() && !has_checksums {
        let note = format!("{}: no steps yet", directory.display());
        findings.notes.push(note);
        return Ok(());
    }
    if has_list || has_checksums {
        let found = inspect_log(directory, &mut |row, judged| {
            if let Err(damage) = judged {
                findings.add(row, damage);
            }
            Ok(())
        })?;
        findings.files += 2;
        findings.see_inspection(found);
    }
    check_checkpoint(directory, findings)?;
    if findings.damage.iter().any(|damage| damage.path == path) {
        return Ok(());
    }
    match read_trajectory(directory) {
        Ok(Some((_, rows))) => replay(&path, loaded, &rows, findings),
        Ok(None) => Ok(()),
        Err(error) if findings.damage.is_empty() => Err(error.into()),
        Err(_) => Ok(()),
    }
}

/// The state of a training: it holds its own checksum, because it is replaced after every step.
fn check_checkpoint(directory: &Path, findings: &mut Findings) -> Result<(), Failure> {
    let path = directory.join(CHECKPOINT);
    match fs::read(&path) {
        Ok(bytes) => {
            findings.files += 1;
            if let Err(message) = verify_checkpoint(&bytes) {
                findings.damage.push(Damage::new(&path, 0, message));
            }
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RecordError::io(&path, &error).into()),
    }
}

/// Takes the steps of the log again, with its results.
fn replay(
    path: &Path,
    loaded: &LoadedTune,
    rows: &[TrajectoryRow],
    findings: &mut Findings,
) -> Result<(), Failure> {
    if loaded.row.feed != Feed::Games {
        let note = "steps without games are verified by their checksums only";
        findings.notes.push(format!("{}: {note}", path.display()));
        return Ok(());
    }
    let mut tuner = new_tuner(loaded)?;
    let mut course = Course::new(
        tuner.as_mut(),
        &loaded.space,
        loaded.experiment.seed,
        Some(loaded.budget),
    );
    match course.replay(path, rows) {
        Ok(()) => Ok(()),
        Err(RecordError::Row {
            path,
            line,
            message,
        }) => {
            findings.add(line - 1, vec![Damage::new(&path, line, message)]);
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// The method of a tuning run that plays games.
pub fn new_tuner(loaded: &LoadedTune) -> Result<Box<dyn Tuner>, Failure> {
    (loaded.row.build)(TunerSetup {
        space: loaded.space.clone(),
        settings: loaded.settings.clone(),
        positions: None,
    })
    .map_err(Failure::bad_input)
}
