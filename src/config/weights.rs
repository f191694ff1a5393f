//! Reads evaluators and weights from configs and weights files.

use std::path::{Path, PathBuf};

use super::nets;
use super::read::{beside, mismatch, number, read_file};
use super::source::{ConfigError, ConfigNode, ConfigTable, Entry, Place, Value, parse_override};
use super::suggest::did_you_mean;
use crate::eval::catalog::GameId;
use crate::eval::{AnyPreset, Term, WeightError, WeightValue, Weights, net, patterns};
use crate::tune::glob;

/// An evaluator as a config names it: a preset, a weights file, or a file of a net or patterns.
pub(super) struct NamedEvaluator {
    pub preset: &'static dyn AnyPreset,
    /// The defaults, or what a file holds.
    weights: Weights,
    /// Weights of a weights file.
    pub overrides: Vec<Entry>,
    /// Search options of a weights file.
    pub search: ConfigTable,
}

impl NamedEvaluator {
    /// Finds the evaluator; files are looked for beside `folder`.
    pub fn find(
        game: GameId,
        name: &str,
        folder: Option<&Path>,
        place: &Place,
    ) -> Result<NamedEvaluator, ConfigError> {
        let (mut name, mut place) = (name.to_string(), place.clone());
        let mut folder = folder.map(Path::to_path_buf);
        let (mut overrides, mut search) = (Vec::new(), ConfigTable::default());
        if name.ends_with(".toml") {
            let path = beside(folder.as_deref(), &name);
            (name, place, overrides) = read_weights_file(&path, &place)?;
            search = read_search_of_weights(&path)?;
            folder = path.parent().map(Path::to_path_buf);
        }
        let learnt = match nets::is_file(&name) {
            true => Some(nets::read(game, &beside(folder.as_deref(), &name), &place)?),
            false => None,
        };
        let preset_name = learnt.as_ref().map_or(name.as_str(), |it| it.evaluator());
        let preset = find_preset(game, preset_name, &place)?;
        Ok(NamedEvaluator {
            preset,
            weights: match learnt {
                Some(learnt) => Weights::of_learnt(learnt),
                None if [net::NAME, patterns::NAME].contains(&preset.name()) => {
                    return Err(nets::no_file(preset.name(), &place));
                }
                None => Weights::defaults(preset.terms()),
            },
            overrides,
            search,
        })
    }

    /// The weights with these entries on top, which are merged into `overrides`.
    pub fn weights_with(&self, game: GameId, entries: &[Entry]) -> Result<Weights, ConfigError> {
        let mut weights = self.weights.clone();
        for entry in entries {
            set_weight(&mut weights, game, self.preset, entry)?;
        }
        Ok(weights)
    }
}

/// The preset and weights of an evaluator's name, weights file or net. Weights in `file` override
/// them.
pub fn evaluator(
    game: GameId,
    name: &str,
    file: Option<&Path>,
) -> Result<(&'static dyn AnyPreset, Weights), ConfigError> {
    let given = |option: &str, value: &str| Place::Given {
        text: format!("--{option} {value}"),
    };
    let named = NamedEvaluator::find(game, name, None, &given("evaluator", name))?;
    let preset = named.preset;
    let mut entries = named.overrides.clone();
    if let Some(path) = file {
        let place = given("weights", &path.display().to_string());
        let (of, at, more) = read_weights_file(path, &place)?;
        if of != preset.name() {
            let message = format!("these are weights of `{of}`; expected `{}`", preset.name());
            return Err(ConfigError::at(&at, message));
        }
        entries.extend(more);
    }
    let weights = named.weights_with(game, &expanded(&entries, preset.terms()))?;
    Ok((preset, weights))
}

/// The preset of this name, or an error at the place that named it.
fn find_preset(
    game: GameId,
    name: &str,
    place: &Place,
) -> Result<&'static dyn AnyPreset, ConfigError> {
    let evaluators = game.evaluators();
    evaluators.preset(name).ok_or_else(|| {
        let hint = did_you_mean(name, evaluators.preset_names());
        let owners = games_with(name);
        let message = match owners.is_empty() {
            true => format!("unknown evaluator `{name}`; {hint}"),
            false => format!(
                "evaluator `{name}` belongs to {}, not to {}; {hint}",
                owners.join(", "),
                game.name()
            ),
        };
        ConfigError::at(place, message)
    })
}

/// The games that have an evaluator of this name.
fn games_with(name: &str) -> Vec<&'static str> {
    let has = |game: &GameId| game.evaluators().preset(name).is_some();
    let games = GameId::ALL.iter().filter(|game| has(game));
    games.map(|game| game.name()).collect()
}

/// Keys of a weights file: besides the weights, search options tuned with them, and whether a
/// validation proved them better.
const WEIGHTS_KEYS: [&str; 4] = ["evaluator", "weights", "search", "proven"];

/// The search options of a weights file.
fn read_search_of_weights(path: &Path) -> Result<ConfigTable, ConfigError> {
    let table = ConfigTable::parse(&read_file(path)?, &path.display().to_string())?;
    match table.get("search") {
        Some(ConfigNode {
            value: Value::Table(search),
            ..
        }) => Ok(search.clone()),
        None => Ok(ConfigTable::default()),
        Some(node) => Err(ConfigError::at(&node.place, "expected a table: [search]")),
    }
}

/// Whether a weights file marks its weights as proven better.
pub fn weights_are_proven(path: &Path) -> Result<bool, ConfigError> {
    let given = Place::Given {
        text: path.display().to_string(),
    };
    let table = ConfigTable::parse(&read_file(path)?, &path.display().to_string())?;
    // The tuned options of an engine are not weights.
    if table.get("options").is_none() {
        read_weights_file(path, &given)?;
    }
    let proven = table.get("proven").map(|node| &node.value);
    Ok(proven == Some(&Value::Boolean(true)))
}

/// The net that a weights file names, if it does.
pub fn net_of_weights(path: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let table = ConfigTable::parse(&read_file(path)?, &path.display().to_string())?;
    let named = match table.get("evaluator").map(|node| &node.value) {
        Some(Value::Text(name)) if nets::is_file(name) => Some(beside(path.parent(), name)),
        _ => None,
    };
    Ok(named)
}

/// A weights file: `evaluator = "preset"` and a table `[weights]`.
fn read_weights_file(
    path: &Path,
    named_at: &Place,
) -> Result<(String, Place, Vec<Entry>), ConfigError> {
    let text = read_file(path).map_err(|error| ConfigError::at(named_at, error.message))?;
    let shown = path.display().to_string();
    let table = ConfigTable::parse(&text, &shown)?;
    for entry in &table.entries {
        if !WEIGHTS_KEYS.contains(&entry.key.as_str()) {
            let hint = did_you_mean(&entry.key, WEIGHTS_KEYS);
            return Err(ConfigError::at(
                &entry.place,
                format!("unknown key `{}`; {hint}", entry.key),
            ));
        }
    }
    let (preset, place) = match table.get("evaluator") {
        Some(ConfigNode {
            value: Value::Text(name),
            place,
        }) => (name.clone(), place.clone()),
        _ => {
            return Err(ConfigError::bare(format!(
                "{shown}: expected evaluator = \"PRESET\", the preset these weights belong to"
            )));
        }
    };
    let weights = match table.get("weights") {
        Some(ConfigNode {
            value: Value::Table(weights),
            ..
        }) => weights.entries.clone(),
        None => Vec::new(),
        Some(node) => return Err(ConfigError::at(&node.place, "expected a table: [weights]")),
    };
    Ok((preset, place, weights))
}

/// Expands globs: `king_*` becomes an entry for every matching term.
pub(super) fn expanded(entries: &[Entry], terms: &[Term]) -> Vec<Entry> {
    let mut all = Vec::new();
    for entry in entries {
        let named = terms.iter().map(|term| term.name);
        let named: Vec<Entry> = named
            .filter(|name| entry.key.contains('*') && glob(&entry.key, name))
            .map(|name| Entry {
                key: name.to_string(),
                ..entry.clone()
            })
            .collect();
        match named.is_empty() {
            true => all.push(entry.clone()),
            false => all.extend(named),
        }
    }
    all
}

fn set_weight(
    weights: &mut Weights,
    game: GameId,
    preset: &dyn AnyPreset,
    entry: &Entry,
) -> Result<(), ConfigError> {
    let value = weight_value(&entry.node).ok_or_else(|| {
        mismatch(
            &entry.key,
            &entry.node,
            "a number, a list of numbers, 8 rows of 8, or { opening = ..., ending = ... }",
        )
    })?;
    weights
        .set(preset.terms(), &entry.key, &value)
        .map_err(|error| {
            let hint = match &error {
                WeightError::Unknown { name } => unknown_weight_hint(name, game, preset),
                _ => return ConfigError::at(&entry.node.place, error.to_string()),
            };
            ConfigError::at(&entry.place, format!("{error}; {hint}"))
        })
}

/// Sets a weight from text in the format of a config.
pub fn set_weight_text(
    weights: &mut Weights,
    game: GameId,
    preset: &dyn AnyPreset,
    name: &str,
    text: &str,
) -> Result<(), ConfigError> {
    let (_, node) = parse_override(&format!("{name}={text}"))?;
    let entry = Entry {
        key: name.to_string(),
        place: node.place.clone(),
        node,
    };
    set_weight(weights, game, preset, &entry)
}

fn unknown_weight_hint(name: &str, game: GameId, preset: &dyn AnyPreset) -> String {
    let presets = game.evaluators().presets().into_iter();
    let homes: Vec<String> = presets
        .filter(|other| other.terms().iter().any(|term| term.name == name))
        .map(|other| format!("`{}`", other.name()))
        .collect();
    if !homes.is_empty() {
        let homes = homes.join(", ");
        return format!(
            "it belongs to the evaluator {homes}, not `{}`",
            preset.name()
        );
    }
    if preset.terms().is_empty() {
        return format!("the evaluator `{}` has no weights", preset.name());
    }
    did_you_mean(name, preset.terms().iter().map(|term| term.name))
}

fn weight_value(node: &ConfigNode) -> Option<WeightValue> {
    if let Value::Table(table) = &node.value {
        let known = table
            .entries
            .iter()
            .all(|entry| matches!(entry.key.as_str(), "opening" | "ending"));
        let (opening, ending) = (table.get("opening")?, table.get("ending")?);
        return known.then_some(WeightValue {
            opening: numbers(opening)?,
            ending: numbers(ending)?,
        });
    }
    numbers(node).map(WeightValue::flat)
}

/// A number, a list, or the rows of a table flattened.
fn numbers(node: &ConfigNode) -> Option<Vec<f64>> {
    match &node.value {
        Value::List(items) => {
            let parts: Option<Vec<Vec<f64>>> = items.iter().map(numbers).collect();
            parts.map(|parts| parts.concat())
        }
        _ => Some(vec![number(node)?]),
    }
}
