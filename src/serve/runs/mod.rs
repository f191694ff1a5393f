//! The runs below the reports folder: lists and follows them, compares them, and starts and stops them. A run is
//! a separate process, with its files as the only connection, no matter how it was started.

mod compare;
mod draft;
mod folder;
mod games;
mod jobs;
mod prepared;
mod state;
mod view;
mod watched;

pub use compare::{Cache, compare};
pub use draft::{Draft, StartRequest, check, checked_threads, configs, start, template};
pub use folder::runs as found_runs;
pub use jobs::Jobs;
pub use view::{events, file, game, list_events};

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::play::{confined, lock};
use super::{App, Refusal};
use crate::record::Manifest;
use watched::Watched;

/// How long one request may read games, so that a page with many or large runs shows something at once.
const READ_TIME: Duration = Duration::from_millis(120);

/// The runs that were looked at.
pub struct Runs {
    reports: PathBuf,
    table: Mutex<HashMap<String, Arc<Mutex<Watched>>>>,
    pub jobs: Jobs,
}

impl Runs {
    pub fn new(reports: &Path) -> Runs {
        Runs {
            reports: reports.to_path_buf(),
            table: Mutex::default(),
            jobs: Jobs::new(reports),
        }
    }

    /// The run of this id: its path below the reports folder. One that was started and has no directory yet
    /// counts.
    fn find(&self, id: &str) -> Result<Arc<Mutex<Watched>>, Refusal> {
        let path = match confined(&self.reports, id) {
            Ok(path) => path,
            Err(_) if self.jobs.knows(id) => self.reports.join(id),
            Err(refusal) => return Err(refusal),
        };
        if !folder::is_run(&path) && !self.jobs.knows(id) {
            return Err(Refusal::not_found(format!("`{id}`: not a run directory")));
        }
        Ok(self.entry(id, &path))
    }

    fn entry(&self, id: &str, path: &Path) -> Arc<Mutex<Watched>> {
        let mut table = lock(&self.table);
        let new = || Arc::new(Mutex::new(Watched::new(id, path)));
        Arc::clone(table.entry(id.to_string()).or_insert_with(new))
    }

    /// All runs, with the state of each. Reads for a limited time; what is not read yet follows with the next
    /// call.
    fn all(&self) -> Vec<state::RunEntry> {
        let mut found = folder::runs(&self.reports);
        for id in self.jobs.ids() {
            if found.iter().all(|(known, _)| *known != id) {
                found.push((id.clone(), self.reports.join(id)));
            }
        }
        lock(&self.table).retain(|id, _| found.iter().any(|(known, _)| known == id));
        let mut watched: Vec<_> = found
            .iter()
            .map(|(id, path)| self.entry(id, path))
            .collect();
        let until = Instant::now() + READ_TIME;
        // The latest first: they are at the top of the list.
        let mut latest = watched.clone();
        latest.sort_by_cached_key(|run| std::cmp::Reverse(lock(run).modified()));
        for run in latest {
            let left = until.saturating_duration_since(Instant::now());
            lock(&run).refresh(left);
        }
        watched
            .drain(..)
            .map(|run| state::entry(&mut lock(&run), &self.jobs))
            .collect()
    }
}

/// Stops a run, as Ctrl-C does. Only one that a server started: this one, or an earlier one.
pub fn stop(app: &App, id: &str) -> Result<(), Refusal> {
    let run = app.runs.find(id)?;
    let holder = {
        let mut run = lock(&run);
        run.refresh(Duration::ZERO);
        run.holder().cloned()
    };
    app.runs.jobs.stop(id, holder.as_ref())
}

/// The message for a number of pairs or games that is no extension.
fn check_extension(run: &Watched, manifest: &Manifest, more: u64) -> Result<(), Refusal> {
    let (key, has, unit) = match &manifest.tuning {
        None => ("pairs", manifest.schedule.pairs, "pairs per pairing"),
        Some(tuning) if !state::plays_games(tuning) => {
            return Err(Refusal::invalid(format!(
                "games = {more}: a run of {} uses positions; start another one with a larger tune.budget",
                tuning.method
            )));
        }
        Some(_) => {
            let tuned = run.growing().and_then(|growing| growing.tuned());
            ("games", tuned.map_or(0, |(_, games)| games), "games")
        }
    };
    match more < has {
        true => Err(Refusal::invalid(format!(
            "{key} = {more}: the run has {has} {unit}; it can be extended, not shortened"
        ))),
        false => Ok(()),
    }
}

/// Plays on: what was interrupted, or with more pairs or games than before.
pub fn resume(
    app: &App,
    id: &str,
    threads: Option<usize>,
    more: Option<u64>,
) -> Result<(), Refusal> {
    let run = app.runs.find(id)?;
    let (path, is_tuning) = {
        let mut run = lock(&run);
        run.refresh(READ_TIME);
        if run.holder().is_some() || app.runs.jobs.is_running(id) {
            return Err(Refusal::conflict(format!("{id}: it is running")));
        }
        let manifest = run.manifest().ok_or_else(|| {
            Refusal::conflict(format!("{id}: no manifest.json, it cannot be resumed"))
        })?;
        if let Some(more) = more {
            check_extension(&run, manifest, more)?;
        }
        (run.path().to_path_buf(), manifest.tuning.is_some())
    };
    let path = path
        .canonicalize()
        .map_err(|error| Refusal::not_found(format!("{id}: {error}")))?;
    let mut arguments = vec![
        if is_tuning { "tune" } else { "run" }.to_string(),
        path.join("config.toml").to_string_lossy().into_owned(),
    ];
    if let (Some(pairs), false) = (more, is_tuning) {
        arguments.extend(["--pairs".to_string(), pairs.to_string()]);
    }
    let budget = more.or_else(|| app.runs.jobs.budget(id));
    let job = jobs::Launch {
        id,
        out: &path,
        folder: &path,
        arguments,
        threads,
        budget: budget.filter(|_| is_tuning),
        config: None,
    };
    app.runs.jobs.start(&job)
}
