//! Reads the growing files of a run directory with their checksums, also while the run is played.

use std::path::Path;

use super::checksums::{CHECKSUMS, Checked, Stop, Unit};
use super::error::RecordError;
use super::ledger::Seen;
use super::lock::LastEnd;
use super::run_files::{FILES, read_listed};

/// Calls `seen` with the main file's header (number 0) and every complete pair or row, checked. `None`
/// if the directory has no checksums: those of older versions. The companions are not read.
pub(super) fn read_units(
    directory: &Path,
    unit: Unit,
    seen: &mut Seen<'_>,
) -> Result<Option<u64>, RecordError> {
    let Some(checked) = Checked::open(directory, unit)? else {
        return Ok(None);
    };
    let mut checked = checked.without_companions();
    let stop = follow(&mut checked, seen)?;
    refuse_damage(directory, &mut checked, &stop)?;
    Ok(Some(checked.number.saturating_sub(1)))
}

fn follow(checked: &mut Checked, seen: &mut Seen<'_>) -> Result<Stop, RecordError> {
    loop {
        let line = checked.files[0].line;
        match checked.next()? {
            Ok(pieces) => seen(checked.number - 1, line, &pieces[0])?,
            Err(stop) => return Ok(stop),
        }
    }
}

/// An error unless the rest is what an interrupted write leaves, or one in progress.
fn refuse_damage(directory: &Path, checked: &mut Checked, stop: &Stop) -> Result<(), RecordError> {
    let last_end = LastEnd::of(directory)?;
    if checked.bytes_left()? == 0 || checked.is_torn(stop, last_end)? {
        return Ok(());
    }
    // The run may have ended since the lock was read, or a pair may just have been written.
    Err(checked.error(stop))
}

/// Checks config, games and companions of a run directory, or the log of a tuning run. Returns notes
/// on what could not be checked.
pub fn verify_run(directory: &Path) -> Result<Vec<String>, RecordError> {
    let mut notes = Vec::new();
    read_listed(directory, "config.toml")?;
    let mut is_checked = directory.join(FILES).exists();
    for unit in [Unit::Pair, Unit::Row] {
        let main = directory.join(unit.main_file());
        if !main.exists() {
            continue;
        }
        let Some(mut checked) = Checked::open(directory, unit)? else {
            is_checked = false;
            continue;
        };
        let stop = follow(&mut checked, &mut |_, _, _| Ok(()))?;
        refuse_damage(directory, &mut checked, &stop)?;
        let rest = checked.files[0]
            .length()?
            .saturating_sub(checked.files[0].at);
        if rest > 0 {
            notes.push(format!(
                "{}:{}: the last {rest} bytes are not a complete {} and are left out",
                main.display(),
                checked.files[0].line,
                unit.name()
            ));
        }
    }
    if !is_checked {
        notes.push(format!(
            "{}: no {CHECKSUMS} or {FILES}: an older version wrote the run, or they were deleted; its files are not verified",
            directory.display()
        ));
    }
    Ok(notes)
}
