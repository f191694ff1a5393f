//! The spec of an experiment: its resolved config, the files that the config names, and the program that it
//! needs. A worker checks it like a config file, and more strictly: nothing in it may name a file or a program
//! of the worker's machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::error::ClusterError;
use super::games::Detail;
use super::names::ExperimentId;
use super::wire::{Job, MOST_UNPACKED, WireError, Work, deflate, inflate};
use crate::config::{self, ConfigTable, Loaded, LoadedTune, Value};
use crate::eval::catalog::GameId;
use crate::play::{Experiment, PlayerSpec, bench_nodes};
use crate::record::Manifest;
use crate::tune::duel_experiment;

/// The depth of the searches behind [`Code::checksum`]: a fraction of a second per game.
const CHECKSUM_DEPTH: u32 = 2;

/// What must be equal on all machines, so that the same games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Program and version.
    pub program: String,
    /// Processor, system and C library: transcendental functions may differ.
    pub target: String,
    /// Nodes of a fixed set of searches of the game, as in `sparring bench`.
    pub checksum: u64,
}

impl Code {
    /// That of this process, for a game.
    pub fn here(game: GameId) -> Result<Code, ClusterError> {
        let environment = match () {
            () if cfg!(target_env = "gnu") => "gnu",
            () if cfg!(target_env = "musl") => "musl",
            () if cfg!(target_env = "msvc") => "msvc",
            () => "other",
        };
        Ok(Code {
            program: Manifest::current().1,
            target: format!(
                "{}-{}-{environment}",
                std::env::consts::ARCH,
                std::env::consts::OS
            ),
            checksum: bench_nodes(game, CHECKSUM_DEPTH)?,
        })
    }

    /// Why code of this kind must not play for `wanted`; `None` if it may.
    pub fn objection(&self, wanted: &Code) -> Option<String> {
        let differs = |what: &str, here: &str, there: &str| {
            (here != there).then(|| format!("{what} is {here}, and the experiment needs {there}"))
        };
        let checksums = [self.checksum, wanted.checksum].map(|sum| sum.to_string());
        differs("the program", &self.program, &wanted.program)
            .or_else(|| differs("the target", &self.target, &wanted.target))
            .or_else(|| differs("the checksum of its searches", &checksums[0], &checksums[1]))
            .map(|what| format!("{what}; use the same build of sparring on all machines"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpecKind {
    Run,
    Tune,
}

/// All that a worker needs to know of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    pub head: SpecHead,
    /// The files that the config names, by their names there.
    pub files: Vec<(String, Vec<u8>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecHead {
    pub kind: SpecKind,
    pub game: String,
    pub code: Code,
    pub detail: Detail,
    /// The resolved config.
    pub config: String,
    /// Names and sizes of the files.
    files: Vec<(String, u64)>,
}

impl Spec {
    pub fn new(
        kind: SpecKind,
        game: GameId,
        config: &str,
        files: &[(String, Vec<u8>)],
    ) -> Result<Spec, ClusterError> {
        let sizes = files.iter();
        let sizes = sizes.map(|(name, bytes)| (name.clone(), bytes.len() as u64));
        Ok(Spec {
            head: SpecHead {
                kind,
                game: game.name().to_string(),
                code: Code::here(game)?,
                detail: match kind {
                    SpecKind::Run => Detail::Games,
                    SpecKind::Tune => Detail::Results,
                },
                config: config.to_string(),
                files: sizes.collect(),
            },
            files: files.to_vec(),
        })
    }

    pub fn game(&self) -> Result<GameId, WireError> {
        GameId::from_name(&self.head.game).ok_or_else(|| WireError::invalid("an unknown game"))
    }

    /// The length of the head, the head as JSON, the files; deflated.
    pub fn encode(&self) -> Result<Vec<u8>, WireError> {
        let head = serde_json::to_vec(&self.head)
            .map_err(|error| WireError::invalid(error.to_string()))?;
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head);
        for (_, file) in &self.files {
            bytes.extend(file);
        }
        match bytes.len() > MOST_UNPACKED {
            true => Err(WireError::TooLarge {
                bytes: bytes.len(),
                most: MOST_UNPACKED,
            }),
            false => deflate(&bytes),
        }
    }

    pub fn decode(bytes: &[u8]) -> Result<Spec, WireError> {
        let bytes = inflate(bytes, MOST_UNPACKED)?;
        let short = || WireError::invalid("a spec that ends early");
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
        let (head, mut rest) = rest.split_at_checked(length).ok_or_else(short)?;
        let head: SpecHead =
            serde_json::from_slice(head).map_err(|error| WireError::Unreadable {
                message: error.to_string(),
            })?;
        let mut files = Vec::new();
        for (name, size) in &head.files {
            check_file_name(name)?;
            let size = usize::try_from(*size).map_err(|_| short())?;
            let (file, more) = rest.split_at_checked(size).ok_or_else(short)?;
            files.push((name.clone(), file.to_vec()));
            rest = more;
        }
        Ok(Spec { head, files })
    }

    /// Checks it and reads its config, in a scratch directory that holds nothing but its files. Engines are
    /// replaced by programs of the worker's list.
    pub fn open(&self, engines: &LocalEngines) -> Result<Opened, ClusterError> {
        let path = "config.toml";
        let table = ConfigTable::parse(&self.head.config, path)?;
        check_paths(&table, "")?;
        let overrides = engines.overrides(&table)?;
        let scratch = Scratch::new()?;
        for (name, bytes) in &self.files {
            let file = scratch.0.join(name);
            fs::write(&file, bytes).map_err(|error| unwritten(&file, &error))?;
        }
        let place = scratch.0.join(path);
        let shown = place.display().to_string();
        let opened = match self.head.kind {
            SpecKind::Run => {
                let loaded = config::load_text(&self.head.config, &shown, &overrides)?;
                Opened::Run(Box::new(loaded))
            }
            SpecKind::Tune => {
                let loaded = config::load_tune_text(&self.head.config, &shown, &overrides)?;
                Opened::Tune(Box::new(loaded))
            }
        };
        match opened.game().name() == self.head.game {
            true => Ok(opened),
            false => Err(WireError::invalid("the config is of another game").into()),
        }
    }
}

fn check_file_name(name: &str) -> Result<(), WireError> {
    let plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    match !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.chars().all(plain)
    {
        true => Ok(()),
        false => Err(WireError::invalid("a file name with a path")),
    }
}

/// Keys whose texts are never paths.
const PLAIN_TEXTS: [&str; 7] = [
    "name",
    "event",
    "site",
    "anchor",
    "opponents",
    "parameters",
    // Replaced by a program of the worker's list.
    "engine",
];

/// Refuses texts that could name a file outside the scratch directory.
fn check_paths(table: &ConfigTable, under: &str) -> Result<(), WireError> {
    for entry in &table.entries {
        if !PLAIN_TEXTS.contains(&entry.key.as_str()) {
            check_value(&entry.node.value, &format!("{under}{}", entry.key))?;
        }
    }
    Ok(())
}

fn check_value(value: &Value, key: &str) -> Result<(), WireError> {
    match value {
        Value::Text(text) if text.contains(['/', '\\', '\0']) || text == ".." => Err(
            WireError::invalid(format!("`{key}` names a file of this machine")),
        ),
        Value::List(list) => list
            .iter()
            .try_for_each(|node| check_value(&node.value, key)),
        Value::Table(table) => check_paths(table, &format!("{key}.")),
        _ => Ok(()),
    }
}

/// The programs that a worker may start, by name: the only way to an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalEngines(BTreeMap<String, PathBuf>);

impl LocalEngines {
    /// Reads a TOML file of lines `name = "/path/of/program"`.
    pub fn read(path: &Path) -> Result<LocalEngines, ClusterError> {
        let text = fs::read_to_string(path).map_err(|error| unread(path, &error))?;
        let table = ConfigTable::parse(&text, &path.display().to_string())?;
        let mut engines = BTreeMap::new();
        for entry in table.entries {
            let Value::Text(program) = &entry.node.value else {
                let message = format!("`{}`: expected the path of a program", entry.key);
                return Err(config::ConfigError::at(&entry.place, message).into());
            };
            let program = PathBuf::from(program);
            if !program.is_absolute() || !program.is_file() {
                let message = format!(
                    "`{}` = \"{}\": expected the absolute path of a program that exists",
                    entry.key,
                    program.display()
                );
                return Err(config::ConfigError::at(&entry.place, message).into());
            }
            engines.insert(entry.key, program);
        }
        Ok(LocalEngines(engines))
    }

    /// The overrides that put local programs in the place of those of a config.
    fn overrides(&self, config: &ConfigTable) -> Result<Vec<String>, ClusterError> {
        let players = match config.get("player").map(|node| &node.value) {
            Some(Value::List(players)) => players.as_slice(),
            _ => &[],
        };
        let mut overrides = Vec::new();
        for player in players {
            let Value::Table(player) = &player.value else {
                continue;
            };
            let text = |key: &str| match player.get(key).map(|node| &node.value) {
                Some(Value::Text(text)) => Some(text.as_str()),
                _ => None,
            };
            let Some(engine) = text("engine") else {
                continue;
            };
            overrides.push(self.replace(text("name").unwrap_or_default(), engine, player)?);
        }
        Ok(overrides)
    }

    fn replace(
        &self,
        name: &str,
        engine: &str,
        player: &ConfigTable,
    ) -> Result<String, ClusterError> {
        let program = engine.rsplit(['/', '\\']).next().unwrap_or_default();
        let refused = |message: String| -> ClusterError { WireError::invalid(message).into() };
        let Some(local) = self.0.get(program) else {
            return Err(refused(format!(
                "player `{name}` is the engine `{program}`, and a worker starts only programs of its `--engines` list: \
                 --engines FILE with {program} = \"/path/of/{program}\""
            )));
        };
        let is_empty = |value: &Value| match value {
            Value::List(list) => list.is_empty(),
            Value::Table(table) => table.entries.is_empty(),
            Value::Text(text) => text.is_empty(),
            _ => false,
        };
        for key in ["args", "dir", "options"] {
            if player.get(key).is_some_and(|node| !is_empty(&node.value)) {
                return Err(refused(format!(
                    "player `{name}` gives its engine `{key}`, and a worker passes nothing from elsewhere to a program"
                )));
            }
        }
        // TOML's basic strings escape as JSON does.
        let local = serde_json::to_string(&local.display().to_string())
            .map_err(|error| WireError::invalid(error.to_string()))?;
        Ok(format!("player.{name}.engine={local}"))
    }
}

/// A spec that was read.
pub enum Opened {
    Run(Box<Loaded>),
    Tune(Box<LoadedTune>),
}

impl Opened {
    pub fn game(&self) -> GameId {
        match self {
            Opened::Run(loaded) => loaded.game,
            Opened::Tune(loaded) => loaded.game,
        }
    }

    /// The experiment of a job; an error if the job is not one of this experiment.
    pub fn experiment(&self, job: &Job) -> Result<Experiment, WireError> {
        let other = || WireError::invalid("a job of another experiment");
        let (experiment, range) = match (self, &job.work) {
            (Opened::Run(loaded), Work::Run) => {
                let experiment = loaded.experiment.clone();
                let last = experiment.schedule.last_pair();
                (experiment, 1..=last)
            }
            (Opened::Run(loaded), Work::Stage(schedule)) => {
                if !schedule.is_sound(loaded.experiment.players.len()) || !schedule.has(job.first) {
                    return Err(other());
                }
                let experiment = Experiment {
                    schedule: schedule.clone(),
                    ..loaded.experiment.clone()
                };
                (experiment, job.first..=schedule.last_pair())
            }
            (Opened::Tune(loaded), Work::Duels(duels)) => {
                let parsed = duels.duels(loaded.space.parameters.len())?;
                let first = duels.first_pair;
                let experiment = duel_experiment(
                    &loaded.experiment,
                    &loaded.space,
                    first,
                    &parsed,
                    duels.sharing,
                );
                let last = first + experiment.schedule.pair_count() - 1;
                (experiment, first..=last)
            }
            _ => return Err(other()),
        };
        match range.contains(&job.first) && range.contains(&job.last()) {
            true => Ok(experiment),
            false => Err(other()),
        }
    }
}

/// Whether the same games are played everywhere, so that results can be compared.
pub fn is_reproducible(players: &[PlayerSpec]) -> bool {
    players.iter().all(|player| !player.is_timed())
}

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, ClusterError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("sparring-worker-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            // Made, not found: nobody else's files are used.
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritten(&path, &error)),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> ClusterError {
    ClusterError::File {
        path: path.to_path_buf(),
        message: format!("cannot be written: {error}"),
    }
}

fn unread(path: &Path, error: &std::io::Error) -> ClusterError {
    ClusterError::File {
        path: path.to_path_buf(),
        message: error.to_string(),
    }
}

/// The name of an experiment: the same when its run is resumed.
pub fn experiment_id(name: &str, config: &str, directory: &Path) -> ExperimentId {
    let directory = fs::canonicalize(directory)
        .or_else(|_| std::path::absolute(directory))
        .unwrap_or_else(|_| directory.to_path_buf());
    let (_, program) = Manifest::current();
    let machine = crate::record::machine();
    ExperimentId::new(
        name,
        &[&program, config, &machine, &directory.to_string_lossy()],
    )
}
