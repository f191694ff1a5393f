//! Repairs a run directory: copies what is good into a new one, plays the rest again, and renames the old
//! directory. An interrupted repair is continued by the next one.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::log::new_tuner;
use super::{Described, Findings};
use crate::commands::engines::{logs_in, meet_engines};
use crate::commands::keep::Inputs;
use crate::commands::rows::Recorder;
use crate::commands::run::{available_threads, free_name, write_tables};
use crate::commands::{Done, Failure, complain, print, stop_on_interrupt};
use crate::config::{Loaded, LoadedTune};
use crate::play::Runner;
use crate::record::{
    GoodUnit, Identity, Journal, PairEntry, RecordError, RunLock, Trajectory, inspect_games,
    inspect_log,
};
use crate::report::counted;
use crate::tune::{Course, Feed};

pub fn repair(directory: &Path, described: &Described, findings: &Findings) -> Done {
    let lock = RunLock::take_damaged(directory)?;
    let new = PathBuf::from(format!("{}.repair", directory.display()));
    match described {
        Described::Match(loaded) => rebuild_games(directory, &new, loaded, findings)?,
        Described::Tuning(loaded) => rebuild_log(directory, &new, loaded)?,
    }
    let Some(aside) = free_name(directory) else {
        return Ok(());
    };
    // Removes the lock file, which would stay in the renamed directory.
    drop(lock);
    rename(directory, &aside)?;
    rename(&new, directory)?;
    complain(&format!("renamed the damaged run to {}", aside.display()));
    if let Described::Tuning(_) = described {
        print(&format!(
            "repaired up to the first damaged step; `sparring tune {0}/config.toml --out {0}` plays the \
             rest again\n",
            directory.display()
        ));
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Done {
    fs::rename(from, to).map_err(|error| RecordError::io(from, &error).into())
}

/// Writes the run again: good pairs as they are, damaged ones played again.
fn rebuild_games(old: &Path, new: &Path, loaded: &Loaded, findings: &Findings) -> Done {
    let stop = stop_on_interrupt();
    let mut experiment = loaded.experiment.clone();
    experiment.conduct.engine_logs = Some(logs_in(new, loaded.log.engines));
    if !findings.bad.is_empty() && loaded.stages.depend_on_results() {
        return Err(Failure::bad_input(format!(
            "{}: later pairings of this format follow from results, so single pairs cannot be played \
             again; start over with --fresh, which keeps this directory",
            old.display()
        )));
    }
    if !findings.bad.is_empty() {
        meet_engines(loaded, true, &|| stop.load(Ordering::Relaxed))?;
        for reason in &loaded.not_reproducible {
            complain(&format!(
                "{reason}: pairs that are played again have other games"
            ));
        }
    }
    let recorder = Recorder::new(loaded);
    let lock = RunLock::take(new)?;
    let inputs = Inputs::read(loaded.openings_file.as_ref(), &experiment.players)?;
    let identity = Identity {
        inputs: inputs.files(),
        ..Identity::new(&loaded.resolved, &loaded.manifest)
    };
    let (mut journal, resumed) = Journal::open(
        lock,
        &identity,
        &recorder.companions,
        recorder.times,
        |_| Ok(()),
    )?;
    inputs.keep(new, resumed.pairs > 0)?;
    let first = loaded.manifest.shard.map_or(1, |shard| shard.first);
    let mut runner = Runner::new(loaded.game, available_threads().min(2))?;
    let (mut played, mut failure) = (0, None);
    inspect_games(old, &recorder.companions, first, &mut |pair, judged| {
        if pair < first + resumed.pairs || failure.is_some() {
            return Ok(());
        }
        let entry = match judged {
            Ok(good) if !findings.bad.contains(&pair) => Ok(good.entry),
            _ => play_again(&mut runner, &experiment, &recorder, pair),
        };
        match entry {
            Ok(entry) => {
                played += u64::from(findings.bad.contains(&pair));
                journal.append(&entry)
            }
            Err(error) => {
                failure = Some(error);
                Ok(())
            }
        }
    })?;
    let lock = journal.close()?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    keep_timings(old, new)?;
    if loaded.manifest.shard.is_none() {
        write_tables(loaded, new, &inputs)?;
    }
    lock.release();
    print(&format!(
        "repaired: {} played again\n",
        counted(played, "pair")
    ));
    Ok(())
}

/// The times are those of the run, not of its repair; the page links to them.
fn keep_timings(old: &Path, new: &Path) -> Done {
    let from = old.join("timings.csv");
    if from.exists() {
        let to = new.join("timings.csv");
        fs::copy(&from, &to).map_err(|error| RecordError::io(&to, &error))?;
    }
    Ok(())
}

fn play_again(
    runner: &mut Runner,
    experiment: &crate::play::Experiment,
    recorder: &Recorder<'_>,
    pair: u64,
) -> Result<PairEntry, Failure> {
    let mut entry = None;
    runner.run::<_, Failure>(
        experiment,
        pair..=pair,
        stop_on_interrupt(),
        |played| recorder.record(&played).entry,
        |played| {
            entry = Some(played);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    entry.ok_or_else(|| {
        Failure::interrupted("interrupted; run the same command again to continue the repair")
    })
}

/// Writes the log again up to the first damaged row. The runs inside are kept as they are.
fn rebuild_log(old: &Path, new: &Path, loaded: &LoadedTune) -> Done {
    if new.exists() {
        fs::remove_dir_all(new).map_err(|error| RecordError::io(new, &error))?;
    }
    let lock = RunLock::take(new)?;
    let inputs = Inputs::read(loaded.openings_file.as_ref(), &loaded.experiment.players)?;
    let identity = Identity::new(&loaded.resolved, &loaded.manifest);
    if loaded.row.feed != Feed::Games {
        // A fit logs no games: its steps are taken again.
        identity.enter(new, "trajectory.csv")?;
        inputs.keep(new, false)?;
        lock.release();
        return copy_folders(old, new).map_err(|error| RecordError::io(new, &error).into());
    }
    let mut tuner = new_tuner(loaded)?;
    let budget = Some(loaded.budget);
    let course = Course::new(
        tuner.as_mut(),
        &loaded.space,
        loaded.experiment.seed,
        budget,
    );
    let columns = course.columns();
    let (mut log, _) = Trajectory::open(lock, &identity, &columns)?;
    inputs.keep(new, false)?;
    let path = old.join("trajectory.csv");
    let mut is_good = true;
    inspect_log(old, &mut |_, judged| {
        let read = |unit: GoodUnit| columns.read_line(&path, unit.line, &unit.pieces[0]).ok();
        let row = judged.ok().and_then(read);
        is_good &= row.is_some();
        match row {
            Some(row) if is_good => log.append(&row),
            _ => Ok(()),
        }
    })?;
    log.close()?.release();
    copy_folders(old, new).map_err(|error| RecordError::io(new, &error).into())
}

/// Copies the folders of a directory with all that is in them.
fn copy_folders(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
