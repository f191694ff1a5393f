//! `sparring check`: verifies run directories byte by byte and game by game, and repairs them on request.

mod games;
mod log;
mod repair;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::rows::Recorder;
use super::{Done, Exit, Failure, must_exist, print};
use crate::config::{self, ConfigTable, Loaded, LoadedTune};
use crate::record::{
    Damage, Inspection, MANIFEST, Manifest, RecordError, RunLock, Timings, inspect_files,
    inspect_games, is_listed_as, read_run_games,
};
use crate::report::counted;

#[derive(Args)]
pub struct CheckArgs {
    /// Run directories of `run`, `match` and `tune`
    #[arg(required = true, value_name = "DIR")]
    pub runs: Vec<PathBuf>,
    /// Play damaged pairs again and rebuild the tables; the old directory is renamed
    #[arg(long)]
    pub repair: bool,
    /// The config of the run, if the one in the directory is damaged
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub config: Option<PathBuf>,
}

pub fn run(args: &CheckArgs) -> Done {
    must_exist(&args.runs)?;
    let mut faults = 0;
    for directory in &args.runs {
        faults += check_tree(directory, args)?;
    }
    if faults == 0 {
        return Ok(());
    }
    Err(Failure {
        exit: Exit::CheckFailed,
        message: format!("{} found", counted(faults, "fault")),
    })
}

/// Checks a run and the runs inside it: games of a fit, validations. Returns the faults that remain.
fn check_tree(directory: &Path, args: &CheckArgs) -> Result<u64, Failure> {
    let failed = |error: std::io::Error| RecordError::io(directory, &error);
    // The runs inside first: the results of the outer one rest on theirs.
    let mut inner = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join(MANIFEST).exists() || path.join("games.csv").exists() {
            inner.push(path);
        }
    }
    inner.sort();
    let mut faults = 0;
    for path in inner {
        let args = CheckArgs {
            runs: Vec::new(),
            config: None,
            ..*args
        };
        faults += check_tree(&path, &args)?;
    }
    Ok(faults + check_one(directory, args)?)
}

/// What a config file in a run directory describes.
enum Described {
    Match(Box<Loaded>),
    Tuning(Box<LoadedTune>),
}

impl Described {
    fn load(path: &Path) -> Result<Described, Failure> {
        let text = fs::read_to_string(path).map_err(|error| RecordError::io(path, &error))?;
        let is_tuning = ConfigTable::parse(&text, &path.display().to_string())
            .is_ok_and(|table| table.get("tune").is_some());
        Ok(match is_tuning {
            true => Described::Tuning(Box::new(config::load_tune(path, &[])?)),
            false => Described::Match(Box::new(config::load(path, &[])?)),
        })
    }

    fn manifest(&self) -> &Manifest {
        match self {
            Described::Match(loaded) => &loaded.manifest,
            Described::Tuning(loaded) => &loaded.manifest,
        }
    }

    fn resolved(&self) -> &str {
        match self {
            Described::Match(loaded) => &loaded.resolved,
            Described::Tuning(loaded) => &loaded.resolved,
        }
    }
}

/// What is known of a run directory.
#[derive(Default)]
struct Findings {
    damage: Vec<Damage>,
    notes: Vec<String>,
    /// Damaged pairs, or rows of a tuning log.
    bad: BTreeSet<u64>,
    /// Pairs or rows in the files.
    units: u64,
    /// Games replayed by the rules.
    games: u64,
    /// Files verified by their checksums.
    files: u64,
}

impl Findings {
    fn add(&mut self, number: u64, damage: Vec<Damage>) {
        if !damage.is_empty() {
            self.bad.insert(number);
            self.damage.extend(damage);
        }
    }

    fn see_inspection(&mut self, found: Inspection) {
        self.units = found.units;
        self.damage.extend(found.damage);
        self.notes.extend(found.torn);
    }
}

fn check_one(directory: &Path, args: &CheckArgs) -> Result<u64, Failure> {
    if !directory.is_dir() {
        return Err(Failure::bad_input(format!(
            "{}: not a run directory; `sparring stats` and `report` read single files",
            directory.display()
        )));
    }
    let (findings, described) = examine(directory, args.config.as_deref())?;
    print(&findings.text(directory));
    if findings.damage.is_empty() {
        return Ok(0);
    }
    match (args.repair, described) {
        (true, Some(described)) => {
            repair::repair(directory, &described, &findings)?;
            let (after, _) = examine(directory, None)?;
            print(&after.text(directory));
            Ok(after.damage.len() as u64)
        }
        (true, None) => Err(Failure::bad_input(format!(
            "{}: config.toml is damaged; give the config of the run with --config FILE",
            directory.display()
        ))),
        (false, _) => {
            print(&format!(
                "  `sparring check {} --repair` plays damaged pairs again, writes the other files from \
                 the games, and keeps the old directory\n",
                directory.display()
            ));
            Ok(findings.damage.len() as u64)
        }
    }
}

/// Checks one directory without the runs inside it. Also returns what its config describes, unless that
/// is damaged.
fn examine(
    directory: &Path,
    other: Option<&Path>,
) -> Result<(Findings, Option<Described>), Failure> {
    let mut findings = Findings::default();
    if RunLock::is_starting(directory) {
        let note = "a run was about to begin here, or is beginning; it has no games yet";
        findings
            .notes
            .push(format!("{}: {note}", directory.display()));
        return Ok((findings, None));
    }
    let has_list = check_files(directory, &mut findings)?;
    let described = describe(directory, other, has_list, &mut findings);
    match &described {
        Some(Described::Match(loaded)) => check_games(directory, loaded, has_list, &mut findings)?,
        Some(Described::Tuning(loaded)) => {
            log::check_log(directory, loaded, has_list, &mut findings)?;
        }
        None => {}
    }
    Ok((findings, described))
}

/// Config, manifest, tables, charts and pages. False for the runs of older versions, which have no list.
fn check_files(directory: &Path, findings: &mut Findings) -> Result<bool, Failure> {
    let has_list = match inspect_files(directory)? {
        Some((files, damage)) => {
            findings.files += files;
            findings.damage.extend(damage);
            true
        }
        None => {
            findings.notes.push(format!(
                "{}: no list of checksums: an older version wrote the run, or files.csv was deleted; its \
                 files are not verified, its games are replayed",
                directory.display()
            ));
            false
        }
    };
    match Timings::check(directory) {
        Err(RecordError::Damaged {
            path,
            line,
            message,
        }) => findings.damage.push(Damage::new(&path, line, message)),
        other => other?,
    }
    Ok(has_list)
}

/// The run's own config, or the other file if that is the same config. `None` if neither can be trusted.
fn describe(
    directory: &Path,
    other: Option<&Path>,
    has_list: bool,
    findings: &mut Findings,
) -> Option<Described> {
    let own = directory.join("config.toml");
    let path = other.unwrap_or(&own);
    let described = match Described::load(path) {
        Ok(described) => described,
        Err(failure) => {
            findings.damage.push(Damage::new(path, 0, failure.message));
            return None;
        }
    };
    let described = match (described, Manifest::read(directory)) {
        // Only the manifest says that a run is a part of another.
        (Described::Match(mut loaded), Ok(manifest)) => {
            loaded.manifest.shard = manifest.shard;
            Described::Match(loaded)
        }
        (described, Ok(_)) => described,
        (described, Err(_)) => {
            let text = described.manifest().text(directory).unwrap_or_default();
            if has_list && is_listed_as(directory, MANIFEST, text.as_bytes()) == Some(false) {
                let message = "damaged, and not that of its config: restore it";
                let damage = Damage::new(&directory.join(MANIFEST), 0, message);
                findings.damage.push(damage);
                return None;
            }
            described
        }
    };
    let text = described.resolved();
    let is_listed = is_listed_as(directory, "config.toml", text.as_bytes());
    let is_there = |name: &str, text: &str| {
        fs::read_to_string(directory.join(name)).is_ok_and(|there| there == text)
    };
    // Without a readable list, one of the two files that say the same must be as this config makes it.
    let manifest = described.manifest().text(directory).unwrap_or_default();
    let is_own = is_there("config.toml", text) || is_there(MANIFEST, &manifest);
    if is_listed == Some(true) || (!has_list || is_listed.is_none()) && is_own {
        return Some(described);
    }
    let message = match other {
        Some(_) => "not the config of this run: its values differ from those that config.toml had",
        None => "not what this version writes: damaged, edited, or of another version",
    };
    let damage = Damage::new(path, 0, message);
    if !findings
        .damage
        .iter()
        .any(|known| known.path == damage.path)
    {
        findings.damage.push(damage);
    }
    None
}

fn check_games(
    directory: &Path,
    loaded: &Loaded,
    has_list: bool,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let auditor = games::Auditor::new(loaded, directory)?;
    if !directory.join("games.csv").exists() && !directory.join("checksums.csv").exists() {
        findings
            .notes
            .push(format!("{}: no games yet", directory.display()));
        return Ok(());
    }
    if !has_list && !directory.join("checksums.csv").exists() {
        let path = directory.join("games.csv");
        read_run_games(&path, |row, line| {
            findings.games += 1;
            findings.units = findings.units.max(row.pair);
            findings.add(row.pair, auditor.row(&row, line).1);
            Ok(())
        })?;
        return Ok(());
    }
    let companions = Recorder::new(loaded).companions;
    let mut checked = Findings::default();
    let first = loaded.manifest.shard.map_or(1, |shard| shard.first);
    let found = inspect_games(directory, &companions, first, &mut |pair, judged| {
        match judged {
            Ok(good) => {
                checked.games += 2;
                checked.add(pair, auditor.pair(&good));
            }
            Err(damage) => checked.add(pair, damage),
        }
        Ok(())
    })?;
    findings.games = checked.games;
    findings.bad = checked.bad;
    findings.files += 2 + companions.len() as u64;
    findings.see_inspection(found);
    findings.damage.extend(checked.damage);
    Ok(())
}

impl Findings {
    fn text(&self, directory: &Path) -> String {
        let mut text = String::new();
        for note in &self.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        for damage in &self.damage {
            text.push_str(&format!("{damage}\n"));
        }
        let pairs: Vec<String> = self.bad.iter().map(u64::to_string).collect();
        let damaged = match pairs.len() {
            0 => String::new(),
            count if count > 20 => format!(", {count} damaged pairs or rows"),
            _ => format!(", damaged: {}", pairs.join(", ")),
        };
        text.push_str(&format!(
            "{}: {} verified, {} replayed, {}{damaged}\n",
            directory.display(),
            counted(self.files, "file"),
            counted(self.games, "game"),
            counted(self.damage.len() as u64, "fault"),
        ));
        text
    }
}
