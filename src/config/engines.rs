//! External engines: their keys in `[[player]]`.

use std::path::{Path, PathBuf};

use super::keys::{Scope, Section};
use super::read::{Reader, beside, mismatch};
use super::source::{ConfigError, ConfigNode, ConfigTable, Value};
use crate::engines::{EngineSpec, Protocol, Restart};
use crate::games::GameFacts;

/// Keeps the keys that apply to a player's kind; rejects keys of the other kind.
pub(super) fn keep_own_keys(
    given: &ConfigTable,
    resolved: &mut ConfigTable,
) -> Result<(), ConfigError> {
    let is_engine = given.get("engine").is_some();
    let strange = if is_engine {
        Scope::Search
    } else {
        Scope::Engine
    };
    let is_strange = |name: &str| {
        Section::Player
            .keys()
            .any(|key| key.name == name && key.scope == strange)
    };
    if let Some(entry) = given.entries.iter().find(|entry| is_strange(&entry.key)) {
        let message = match is_engine {
            true => format!(
                "`{}` does not apply to a player with `engine`: remove it, or set the engine's own options = {{ ... }}",
                entry.key
            ),
            false => format!(
                "`{}` is for players with engine = \"PROGRAM\"; this one has an evaluator",
                entry.key
            ),
        };
        return Err(ConfigError::at(&entry.place, message));
    }
    let has_clock = given.get("clock").is_some();
    resolved.entries.retain(|entry| match entry.key.as_str() {
        // In-process searches keep to their time per move; the margin applies to the clock.
        "time_margin" => is_engine || has_clock,
        name => !is_strange(name),
    });
    Ok(())
}

/// Reads how to start a player's engine, from the keys of a player with `engine`.
pub(super) fn read_engine(
    game: &GameFacts,
    keys: &Reader<'_>,
    folder: Option<&Path>,
) -> Result<EngineSpec, ConfigError> {
    let protocol = read_protocol(game, keys)?;
    let limits = ["depth", "nodes", "movetime", "clock"];
    if limits.iter().all(|limit| keys.table.get(limit).is_none()) {
        return Err(ConfigError::at(
            &keys.node("engine")?.place,
            "an engine needs a limit: depth, nodes, movetime or clock",
        ));
    }
    let directory = match keys.table.get("dir") {
        None => None,
        Some(node) => {
            let path = beside(folder, keys.text("dir")?);
            if !path.is_dir() {
                return Err(mismatch("dir", node, "a directory that exists"));
            }
            // Absolute, like the program: see `write_paths`.
            Some(std::path::absolute(&path).unwrap_or(path))
        }
    };
    Ok(EngineSpec {
        protocol,
        program: find_program(keys, folder)?,
        args: read_args(keys)?,
        directory,
        options: read_options(keys.table("options")?)?,
        init: read_init(keys)?,
        restart: keys.choice("restart", &Restart::ALL, Restart::name)?,
        ponder: keys.truth("ponder")?,
        start_timeout: keys.time("start_timeout")?,
        move_timeout: keys.time("move_timeout")?,
        time_margin: keys.time("time_margin")?,
    })
}

/// The engine's protocol: the one named, or that of the game.
fn read_protocol(game: &GameFacts, keys: &Reader<'_>) -> Result<Protocol, ConfigError> {
    let usual = if game.speaks_hub {
        Protocol::Hub
    } else {
        Protocol::Uci
    };
    let place = &keys.node("engine")?.place;
    if !game.speaks_uci && !game.speaks_hub {
        let message =
            "engines speak UCI (chess, chess960) or Hub (draughts): this game has neither";
        return Err(ConfigError::at(place, message));
    }
    let Some(node) = keys.table.get("protocol") else {
        return Ok(usual);
    };
    let protocol = keys.choice("protocol", &Protocol::ALL, Protocol::name)?;
    let fits = match protocol {
        Protocol::Uci => game.speaks_uci,
        Protocol::Hub | Protocol::Hub1 => game.speaks_hub,
    };
    if !fits {
        let expected = match usual {
            Protocol::Uci => "uci: this is a game of chess",
            _ => "hub or hub1: this is a game of draughts",
        };
        return Err(mismatch("protocol", node, expected));
    }
    if let (Protocol::Hub1, Some(nodes)) = (protocol, keys.table.get("nodes")) {
        let message = "`nodes`: protocol \"hub1\" has no such limit; use depth, movetime or clock";
        return Err(ConfigError::at(&nodes.place, message));
    }
    Ok(protocol)
}

/// Makes paths absolute, so that the resolved config works from any folder. Names found in the PATH
/// stay as they are.
pub(super) fn write_paths(engine: &EngineSpec, table: &mut ConfigTable) -> Result<(), ConfigError> {
    let is_path = |value: &Value| matches!(value, Value::Text(text) if text.contains(['/', '\\']));
    let paths = [
        ("engine", Some(&engine.program)),
        ("dir", engine.directory.as_ref()),
    ];
    for (key, path) in paths {
        let (Some(node), Some(path)) = (table.get(key).cloned(), path) else {
            continue;
        };
        if key == "dir" || is_path(&node.value) {
            let value = Value::Text(path.to_string_lossy().into_owned());
            table.set(&[key], ConfigNode { value, ..node })?;
        }
    }
    Ok(())
}

/// Resolves an engine: a bare name in the PATH, a path relative to the config's folder.
fn find_program(keys: &Reader<'_>, folder: Option<&Path>) -> Result<PathBuf, ConfigError> {
    let node = keys.node("engine")?;
    let name = keys.text("engine")?;
    if name.contains(['/', '\\']) {
        let path = beside(folder, name);
        // Absolute, because the engine may run in another directory.
        let path = std::path::absolute(&path).unwrap_or(path);
        return match is_program(&path) {
            true => Ok(path),
            false => Err(not_started(node, &path)),
        };
    }
    program_in_path(name).ok_or_else(|| {
        let message = format!(
            "engine = {}: program not found in the PATH; install it, or give its path such as \
                 \"./my-engine\"",
            node.value
        );
        ConfigError::at(&node.place, message)
    })
}

/// The program of this name in the PATH, or where Debian installs engines.
pub fn program_in_path(name: &str) -> Option<PathBuf> {
    let listed = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs engines here, which is often not in the PATH.
    let games = PathBuf::from("/usr/games");
    std::env::split_paths(&listed)
        .chain([games])
        .flat_map(|folder| {
            let plain = folder.join(name);
            let with_suffix = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            [plain, with_suffix]
        })
        .find(|path| !name.is_empty() && is_program(path))
}

/// Why a program cannot be started.
fn not_started(node: &ConfigNode, path: &Path) -> ConfigError {
    let shown = path.display();
    let why = match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("program not found: {shown} does not exist")
        }
        Err(error) => format!("program not found: {shown}: {error}"),
        Ok(data) if data.is_dir() => format!("{shown} is a directory, not a program"),
        Ok(_) => format!("{shown} is not executable; try `chmod +x`"),
    };
    ConfigError::at(&node.place, format!("engine = {}: {why}", node.value))
}

fn is_program(path: &Path) -> bool {
    let Ok(data) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    data.is_file() && runs
}

fn read_args(keys: &Reader<'_>) -> Result<Vec<String>, ConfigError> {
    let node = keys.node("args")?;
    let text = |item: &ConfigNode| match &item.value {
        Value::Text(text) if !text.contains('\0') => Ok(text.clone()),
        _ => Err(keys.no_such_item("args", node)),
    };
    keys.list("args")?.iter().map(text).collect()
}

/// Lines for the engine as they are.
fn read_init(keys: &Reader<'_>) -> Result<Vec<String>, ConfigError> {
    let node = keys.node("init")?;
    let lines = keys.texts("init")?;
    match lines.iter().any(|line| line.contains(['\n', '\r', '\0'])) {
        true => Err(mismatch("init", node, "a list of single lines")),
        false => Ok(lines),
    }
}

/// The engine checks the names when it starts.
fn read_options(table: &ConfigTable) -> Result<Vec<(String, String)>, ConfigError> {
    let mut options = Vec::new();
    for entry in &table.entries {
        let value = match &entry.node.value {
            Value::Text(text) => text.clone(),
            Value::List(_) | Value::Table(_) => {
                return Err(mismatch(
                    &entry.key,
                    &entry.node,
                    "a text, a number, or true or false",
                ));
            }
            other => other.to_string(),
        };
        // A line break would inject another command.
        if entry.key.contains(['\n', '\r']) || value.contains(['\n', '\r']) {
            return Err(mismatch(&entry.key, &entry.node, "one line"));
        }
        options.push((entry.key.clone(), value));
    }
    Ok(options)
}
