//! `engines.toml`: engines that configs and `sparring match` name as `engine = "@NAME"`.

use std::path::{Path, PathBuf};

use super::keys::{Scope, Section};
use super::quick_match::LIMITS;
use super::read::{beside, read_file};
use super::source::{ConfigError, ConfigNode, ConfigTable, Entry, Value};
use super::suggest::did_you_mean;

/// The name of a list, and the key of its entries.
const FILE: &str = "engines.toml";
const ENTRY: &str = "engine";

/// An engine of a list.
#[derive(Clone, Debug)]
pub struct SavedEngine {
    pub name: String,
    /// The list that holds it.
    pub file: PathBuf,
    /// Keys of a `[[player]]`.
    table: ConfigTable,
}

impl SavedEngine {
    /// Its program and arguments, for lists.
    pub fn words(&self) -> String {
        let value = |key| self.table.get(key).map(|node| node.value.to_string());
        let parts = [value("engine"), value("args"), value("options")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The engines of all lists, those that count first: beside the config, in the current directory, in the
/// user's directory of settings. Of two with one name only the first is returned.
pub fn saved_engines(folder: Option<&Path>) -> Result<Vec<SavedEngine>, ConfigError> {
    let mut engines: Vec<SavedEngine> = Vec::new();
    for file in lists(folder).into_iter().filter(|file| file.is_file()) {
        for engine in read_list(&file)? {
            if engines.iter().all(|known| known.name != engine.name) {
                engines.push(engine);
            }
        }
    }
    Ok(engines)
}

/// Where lists are looked for.
fn lists(folder: Option<&Path>) -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let settings = match (set("XDG_CONFIG_HOME"), set("HOME"), set("APPDATA")) {
        (Some(folder), ..) => Some(PathBuf::from(folder)),
        (None, Some(home), _) => Some(Path::new(&home).join(".config")),
        (None, None, data) => data.map(PathBuf::from),
    };
    let mut lists = vec![beside(folder, FILE), PathBuf::from(FILE)];
    lists.extend(settings.map(|folder| folder.join("sparring").join(FILE)));
    lists
}

fn read_list(file: &Path) -> Result<Vec<SavedEngine>, ConfigError> {
    let document = ConfigTable::parse(&read_file(file)?, &file.display().to_string())?;
    let mut engines: Vec<SavedEngine> = Vec::new();
    for entry in &document.entries {
        let Value::List(items) = &entry.node.value else {
            return Err(not_a_list(entry));
        };
        if entry.key != ENTRY {
            return Err(not_a_list(entry));
        }
        for item in items {
            let engine = read_engine(item, file)?;
            if engines.iter().any(|known| known.name == engine.name) {
                let message = format!("name = \"{}\": two engines have this name", engine.name);
                return Err(ConfigError::at(&item.place, message));
            }
            engines.push(engine);
        }
    }
    Ok(engines)
}

fn not_a_list(entry: &Entry) -> ConfigError {
    let message = format!(
        "`{}`: a list of engines holds [[{ENTRY}]] sections, with double brackets, and nothing else",
        entry.key
    );
    ConfigError::at(&entry.place, message)
}

/// Checks the keys of an entry. Paths in it are relative to its list.
fn read_engine(item: &ConfigNode, file: &Path) -> Result<SavedEngine, ConfigError> {
    let Value::Table(given) = &item.value else {
        let message = format!("engines are written as [[{ENTRY}]], with double brackets");
        return Err(ConfigError::at(&item.place, message));
    };
    let allowed = || {
        let keys = Section::Player.keys();
        keys.filter(|key| key.scope != Scope::Search && key.name != "sweep")
            .map(|key| key.name)
    };
    if let Some(entry) = given
        .entries
        .iter()
        .find(|entry| allowed().all(|name| name != entry.key))
    {
        let hint = did_you_mean(&entry.key, allowed());
        let message = format!("unknown key `{}` in [[{ENTRY}]]; {hint}", entry.key);
        return Err(ConfigError::at(&entry.place, message));
    }
    let text = |key: &str| match given.get(key) {
        Some(ConfigNode {
            value: Value::Text(text),
            ..
        }) if !text.trim().is_empty() => Ok(text.clone()),
        Some(node) => Err(ConfigError::at(
            &node.place,
            format!("{key} = {}: expected a text", node.value),
        )),
        None => Err(ConfigError::at(
            &item.place,
            format!("an [[{ENTRY}]] of a list needs the key `{key}`"),
        )),
    };
    let (name, program) = (text("name")?, text("engine")?);
    let mut table = given.clone();
    if let (true, Some(node)) = (program.starts_with('@'), given.get("engine")) {
        let message = format!("engine = \"{program}\": a list cannot name another list's engine");
        return Err(ConfigError::at(&node.place, message));
    }
    for key in ["engine", "dir"] {
        let Some(node) = given.get(key).cloned() else {
            continue;
        };
        // A bare name is looked up in the PATH.
        if let Value::Text(path) = &node.value
            && (key == "dir" || path.contains(['/', '\\']))
        {
            let path = beside(file.parent(), path);
            let path = std::path::absolute(&path).unwrap_or(path);
            let value = Value::Text(path.to_string_lossy().into_owned());
            table.set(&[key], ConfigNode { value, ..node })?;
        }
    }
    Ok(SavedEngine {
        name,
        file: file.to_path_buf(),
        table,
    })
}

/// A player's keys, with those of the saved engine that `engine = "@NAME"` means. The player's own keys
/// count, option by option, and its own limit replaces the saved ones.
pub(super) fn with_saved_engine(
    player: &ConfigTable,
    folder: Option<&Path>,
) -> Result<ConfigTable, ConfigError> {
    let Some(node) = player.get("engine") else {
        return Ok(player.clone());
    };
    let wanted = match &node.value {
        Value::Text(text) => text.strip_prefix('@'),
        _ => None,
    };
    let Some(wanted) = wanted else {
        return Ok(player.clone());
    };
    let engines = saved_engines(folder)?;
    let Some(engine) = engines.iter().find(|engine| engine.name == wanted) else {
        return Err(ConfigError::at(
            &node.place,
            unknown(wanted, &engines, folder),
        ));
    };
    let mut table = engine.table.clone();
    let has_limit = LIMITS.iter().any(|key| player.get(key).is_some());
    table.entries.retain(|entry| {
        let is_limit = LIMITS.contains(&entry.key.as_str());
        entry.key != "name" && !(is_limit && has_limit)
    });
    for entry in player.entries.iter().filter(|it| it.key != "engine") {
        match (&entry.node.value, entry.key.as_str()) {
            (Value::Table(options), "options") => {
                for option in &options.entries {
                    table.set(&["options", &option.key], option.node.clone())?;
                }
            }
            _ => table.set(&[&entry.key], entry.node.clone())?,
        }
    }
    // Messages about a missing key point to the player.
    table.place = player.place.clone();
    if table.get("name").is_none() {
        let value = Value::Text(engine.name.clone());
        let place = node.place.clone();
        table.set(&["name"], ConfigNode { value, place })?;
    }
    Ok(table)
}

fn unknown(wanted: &str, engines: &[SavedEngine], folder: Option<&Path>) -> String {
    if engines.is_empty() {
        let looked: Vec<String> = lists(folder)
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        return format!(
            "engine = \"@{wanted}\": there is no list of engines; looked for {}",
            looked.join(", ")
        );
    }
    let hint = did_you_mean(wanted, engines.iter().map(|engine| engine.name.as_str()));
    format!("engine = \"@{wanted}\": no saved engine has this name; {hint}")
}
