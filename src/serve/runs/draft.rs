//! A config on the page: templates, errors at their line while it is typed, and starting it.
//!
//! A page must not name more of this machine than its owner did: engines start, and files outside of the folders of
//! reports and configs are read, only if a config on disk names them in the same way.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::jobs;
use crate::config::{self, ConfigError, ConfigTable, Place, Value};
use crate::engines::EngineSpec;
use crate::eval::catalog::GameId;
use crate::play::PlayerSpec;
use crate::record::Manifest;
use crate::serve::play::{confined, players_in};
use crate::serve::{App, Refusal};

/// A config as typed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    pub text: String,
    /// The run whose config it comes from; paths are relative to its directory. Without one, to the folder of configs.
    #[serde(default)]
    pub run: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    pub text: String,
    #[serde(default)]
    pub run: Option<String>,
    /// The name of the run directory.
    pub name: String,
    pub threads: Option<usize>,
}

/// What is wrong with a draft, and where.
#[derive(Debug)]
struct DraftError {
    line: Option<usize>,
    message: String,
}

impl DraftError {
    fn at(place: Option<&Place>, message: impl Into<String>) -> DraftError {
        let line = match place {
            Some(Place::File { line, .. }) => Some(*line),
            _ => None,
        };
        DraftError {
            line,
            message: message.into(),
        }
    }
}

impl From<ConfigError> for DraftError {
    fn from(error: ConfigError) -> DraftError {
        DraftError::at(error.place.as_ref(), error.message)
    }
}

/// Errors without a line begin with the path of a draft, which has none.
fn without_path(fault: DraftError, shown: &str) -> DraftError {
    let message = fault.message.strip_prefix(&format!("{shown}: "));
    DraftError {
        message: message.unwrap_or(&fault.message).to_string(),
        ..fault
    }
}

/// A draft that was read.
struct CheckedDraft {
    name: String,
    is_tuning: bool,
    game: GameId,
    manifest: Manifest,
    warnings: Vec<String>,
    players: Vec<PlayerSpec>,
    not_reproducible: bool,
    /// Games to play, or 0 for a fit.
    games: u64,
}

/// The configs of the folder, by name.
pub fn configs(app: &App) -> Json {
    let mut names: Vec<String> = config_files(&app.configs)
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_string()))
        .filter(|name| {
            // Weights files are TOML, too.
            let text = fs::read_to_string(app.configs.join(name)).unwrap_or_default();
            ConfigTable::parse(&text, name).is_ok_and(|table| table.get("game").is_some())
        })
        .collect();
    names.sort();
    let games: Vec<&str> = GameId::ALL.iter().map(|game| game.name()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    json!({ "configs": names, "games": games, "threads": threads })
}

/// The text to begin with: of `game` a template, of `config` a file of the folder, of `run` its config.
pub fn template(app: &App, kind: &str, name: &str) -> Result<String, Refusal> {
    let path = match kind {
        "game" => {
            let game = GameId::from_name(name)
                .ok_or_else(|| Refusal::not_found(format!("game `{name}`: unknown")))?;
            let presets = game.evaluators().preset_names();
            return Ok(config::starter(game.name(), &presets));
        }
        "config" if name.ends_with(".toml") => confined(&app.configs, name)?,
        "run" => confined(&app.reports, &format!("{name}/config.toml"))?,
        _ => return Err(Refusal::bad_request("expected game, config or run")),
    };
    fs::read_to_string(&path).map_err(|error| Refusal::not_found(format!("{name}: {error}")))
}

fn config_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    const MOST_FILES: usize = 500;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "toml") && path.is_file())
        .take(MOST_FILES)
}

/// The folder of a draft, absolute.
fn folder_of(app: &App, run: Option<&str>) -> Result<PathBuf, Refusal> {
    let folder = match run {
        Some(run) => confined(&app.reports, run)?,
        None => app.configs.clone(),
    };
    let absolute = folder.canonicalize();
    absolute.map_err(|error| Refusal::not_found(format!("{}: {error}", folder.display())))
}

/// Errors with their line, or what the config would do.
pub fn check(app: &App, draft: &Draft) -> Result<Json, Refusal> {
    let folder = folder_of(app, draft.run.as_deref())?;
    Ok(
        match read(app, &draft.text, draft.run.as_deref(), &folder) {
            Err(fault) => json!({ "errors": [{ "line": fault.line, "message": fault.message }] }),
            Ok(checked) => json!({
                "errors": [],
                "name": checked.name,
                "kind": if checked.is_tuning { "tune" } else { "match" },
                "game": checked.game.name(),
                "players": checked.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
                "games": checked.games,
                "pairs": checked.manifest.schedule.pairs,
                "sprt": checked.manifest.sprt,
                "warnings": checked.warnings,
                "reproducible": !checked.not_reproducible,
            }),
        },
    )
}

/// Starts the run of a draft in a new directory. Returns its id.
pub fn start(app: &App, request: &StartRequest) -> Result<String, Refusal> {
    let folder = folder_of(app, request.run.as_deref())?;
    let checked = read(app, &request.text, request.run.as_deref(), &folder).map_err(|fault| {
        let line = fault
            .line
            .map_or(String::new(), |line| format!("line {line}: "));
        Refusal::invalid(format!("{line}{}", fault.message))
    })?;
    let id = plain_name(&request.name)?;
    let threads = checked_threads(request.threads)?;
    fs::create_dir_all(&app.reports)
        .map_err(|error| Refusal::internal(format!("{}: {error}", app.reports.display())))?;
    let reports = app
        .reports
        .canonicalize()
        .map_err(|error| Refusal::internal(format!("{}: {error}", app.reports.display())))?;
    let out = reports.join(id);
    if out.symlink_metadata().is_ok() {
        return Err(Refusal::conflict(format!(
            "{id}: there is a run of this name; choose another name, or resume or extend that run on its page"
        )));
    }
    let command = if checked.is_tuning { "tune" } else { "run" };
    app.runs.jobs.start(&jobs::Launch {
        id,
        out: &out,
        folder: &folder,
        arguments: vec![command.to_string(), "-".to_string()],
        threads,
        budget: None,
        config: Some(&request.text),
    })?;
    Ok(id.to_string())
}

/// A name for a directory.
fn plain_name(name: &str) -> Result<&str, Refusal> {
    const MOST: usize = 100;
    let name = name.trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+' | '=');
    if name.is_empty()
        || name.len() > MOST
        || name.starts_with(['.', '-'])
        || !name.chars().all(plain)
    {
        return Err(Refusal::invalid(format!(
            "name `{name}`: expected letters, digits, blanks and - _ + = . for a directory, at most {MOST} bytes"
        )));
    }
    Ok(name)
}

/// At most as many threads as there are cores.
pub fn checked_threads(threads: Option<usize>) -> Result<Option<usize>, Refusal> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match threads {
        Some(threads) if threads == 0 || threads > cores => Err(Refusal::invalid(format!(
            "threads = {threads}: expected 1 to {cores}, the cores of this machine"
        ))),
        other => Ok(other),
    }
}

fn read(
    app: &App,
    text: &str,
    run: Option<&str>,
    folder: &Path,
) -> Result<CheckedDraft, DraftError> {
    let path = folder.join("config.toml");
    let shown = path.to_string_lossy();
    let read = read_text(app, text, run, folder, &shown);
    read.map_err(|fault| without_path(fault, &shown))
}

fn read_text(
    app: &App,
    text: &str,
    run: Option<&str>,
    folder: &Path,
    shown: &str,
) -> Result<CheckedDraft, DraftError> {
    let table = ConfigTable::parse(text, shown)?;
    let known = Known { app, run };
    known.check_paths(&table, folder)?;
    let checked = if table.get("tune").is_some() {
        let loaded = config::load_tune_text(text, shown, &[])?;
        let not_reproducible = loaded.manifest.not_reproducible().next().is_some();
        let mut players = loaded.experiment.players;
        players.push(loaded.space.player.clone());
        let games = match loaded.row.feed {
            crate::tune::Feed::Games => loaded.budget,
            crate::tune::Feed::Positions | crate::tune::Feed::Net => 0,
        };
        CheckedDraft {
            name: loaded.name,
            is_tuning: true,
            game: loaded.game,
            not_reproducible,
            manifest: loaded.manifest,
            warnings: loaded.warnings,
            players,
            games,
        }
    } else {
        let loaded = config::load_text(text, shown, &[])?;
        CheckedDraft {
            name: loaded.name,
            is_tuning: false,
            game: loaded.game,
            games: loaded.manifest.game_count(),
            manifest: loaded.manifest,
            warnings: loaded.warnings,
            players: loaded.experiment.players,
            not_reproducible: !loaded.not_reproducible.is_empty(),
        }
    };
    known.check_engines(&checked.players, &table)?;
    let mut checked = checked;
    if checked.is_tuning {
        checked.players.pop();
    }
    Ok(checked)
}

/// What configs on disk name.
struct Known<'a> {
    app: &'a App,
    run: Option<&'a str>,
}

impl Known<'_> {
    /// The configs on disk that a draft may take programs and files from.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let of_run = self
            .run
            .and_then(|run| confined(&self.app.reports, &format!("{run}/config.toml")).ok());
        config_files(&self.app.configs).chain(of_run)
    }

    /// Refuses paths that lead out of the folders.
    fn check_paths(&self, table: &ConfigTable, folder: &Path) -> Result<(), DraftError> {
        let mut texts = Vec::new();
        collect_texts(table, &mut texts);
        let roots: Vec<PathBuf> = [&self.app.reports, &self.app.configs]
            .into_iter()
            .filter_map(|root| root.canonicalize().ok())
            .collect();
        let is_inside = |text: &str| {
            let path = normal(&folder.join(text));
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            let inside = |path: &Path| roots.iter().any(|root| path.starts_with(root));
            inside(&path) && inside(&real)
        };
        let outside: Vec<&(&str, &str, &Place)> = texts
            .iter()
            .filter(|(_, text, _)| !is_inside(text))
            .collect();
        if outside.is_empty() {
            return Ok(());
        }
        let named = self.texts_on_disk();
        match outside
            .into_iter()
            .find(|(_, text, _)| !named.contains(*text))
        {
            None => Ok(()),
            Some((key, text, place)) => Err(DraftError::at(
                Some(place),
                format!(
                    "{key} = {text:?}: outside of the folders of configs and reports; a config on disk must name \
                     this path before a page may"
                ),
            )),
        }
    }

    fn texts_on_disk(&self) -> HashSet<String> {
        let mut all = HashSet::new();
        for path in self.files() {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if let Ok(table) = ConfigTable::parse(&text, "") {
                let mut texts = Vec::new();
                collect_texts(&table, &mut texts);
                all.extend(texts.into_iter().map(|(_, text, _)| text.to_string()));
            }
        }
        all
    }

    /// Refuses engines that no config on disk starts in the same way.
    fn check_engines(&self, players: &[PlayerSpec], table: &ConfigTable) -> Result<(), DraftError> {
        let wanted: Vec<(&str, &EngineSpec)> = players
            .iter()
            .filter_map(|player| Some((player.name.as_str(), player.engine()?)))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut known: Vec<EngineSpec> = Vec::new();
        for path in self.files() {
            let players = players_in(&path).map(|(_, players)| players);
            for player in players.unwrap_or_default() {
                known.extend(player.engine().cloned());
            }
        }
        let same = |a: &EngineSpec, b: &EngineSpec| {
            (&a.program, &a.args, &a.directory, &a.options)
                == (&b.program, &b.args, &b.directory, &b.options)
        };
        let strange = wanted
            .into_iter()
            .find(|(_, engine)| !known.iter().any(|other| same(engine, other)));
        let Some((name, engine)) = strange else {
            return Ok(());
        };
        Err(DraftError::at(
            engine_place(table, name).as_ref(),
            format!(
                "player `{name}` starts {}: no config in the folder of configs starts this program with these args, \
                 dir and options; add it there first",
                engine.program.display()
            ),
        ))
    }
}

/// The line of a player's engine.
fn engine_place(table: &ConfigTable, name: &str) -> Option<Place> {
    let Value::List(players) = &table.get("player")?.value else {
        return None;
    };
    let engines = players.iter().filter_map(|player| match &player.value {
        Value::Table(table) => Some((table, table.get("engine")?)),
        _ => None,
    });
    let named = |table: &ConfigTable| {
        table
            .get("name")
            .is_some_and(|node| matches!(&node.value, Value::Text(text) if name.starts_with(text)))
    };
    let mut engines: Vec<_> = engines.collect();
    engines.sort_by_key(|(table, _)| !named(table));
    engines.first().map(|(_, node)| node.place.clone())
}

/// All texts of a config with their keys, but names, which are never paths.
fn collect_texts<'t>(table: &'t ConfigTable, texts: &mut Vec<(&'t str, &'t str, &'t Place)>) {
    for entry in &table.entries {
        if entry.key != "name" {
            collect_value(&entry.key, &entry.node.value, &entry.node.place, texts);
        }
    }
}

fn collect_value<'t>(
    key: &'t str,
    value: &'t Value,
    place: &'t Place,
    texts: &mut Vec<(&'t str, &'t str, &'t Place)>,
) {
    match value {
        Value::Text(text) => texts.push((key, text, place)),
        Value::List(items) => {
            for item in items {
                collect_value(key, &item.value, &item.place, texts);
            }
        }
        Value::Table(table) => collect_texts(table, texts),
        _ => {}
    }
}

/// A path without `.` and `..`, not looked up on disk.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directories_are_plain() {
        for good in ["night", "depth 3+4", "größe_2.1", "a=b"] {
            assert_eq!(plain_name(good).unwrap(), good);
        }
        for bad in [
            "", "..", ".hidden", "a/b", "a\\b", "-rf", "a\0", "a:b", "<b>",
        ] {
            assert!(plain_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_are_normal_without_the_disk() {
        assert_eq!(normal(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
        assert_eq!(normal(Path::new("/../../etc")), Path::new("/etc"));
    }
}
