//! The `[[player]]` sections of a config: sweeps expanded, evaluators, weights and options checked.

use std::path::Path;

use super::keys::Section;
use super::read::{Reader, beside, mismatch, resolve_section};
use super::source::{ConfigError, Entry, Node, Place, Table, Value, parse_override};
use super::suggest::did_you_mean;
use super::weights;
use crate::eval::catalog::GameTask;
use crate::eval::{Evaluated, Weights};
use crate::play::PlayerSpec;
use crate::search::{Limit, MAX_PLY, OptionError, Options};

/// One player as it stands in the config, sweeps expanded.
pub(super) struct PlayerTable {
    pub table: Table,
    place: Place,
}

/// The players of a config, a swept one repeated for every combination of its values.
pub(super) fn expand_players(
    document: &Table,
    path: &str,
) -> Result<Vec<PlayerTable>, ConfigError> {
    let players = match document.get("player") {
        Some(Node {
            value: Value::List(players),
            ..
        }) => players.as_slice(),
        Some(node) => {
            return Err(ConfigError::at(
                &node.place,
                "players are written as [[player]], with double brackets",
            ));
        }
        None => {
            return Err(ConfigError::bare(format!(
                "{path}: no player; add at least two [[player]] sections"
            )));
        }
    };
    let mut expanded = Vec::new();
    for player in players {
        let Value::Table(given) = &player.value else {
            return Err(ConfigError::at(
                &player.place,
                "players are written as [[player]], with double brackets",
            ));
        };
        let table = resolve_section(Section::Player, given)?;
        expanded.extend(sweep(PlayerTable {
            table,
            place: player.place.clone(),
        })?);
    }
    Ok(expanded)
}

fn sweep(player: PlayerTable) -> Result<Vec<PlayerTable>, ConfigError> {
    let keys = Reader {
        section: Section::Player,
        table: &player.table,
    };
    let axes = keys.table("sweep")?.entries.clone();
    let mut players = vec![player];
    for axis in axes {
        let Value::List(values) = &axis.node.value else {
            return Err(mismatch(&axis.key, &axis.node, "a list of values"));
        };
        let path: Vec<&str> = axis.key.split('.').collect();
        let mut next = Vec::new();
        for player in &players {
            for value in values {
                let mut table = player.table.clone();
                table.set(&path, value.clone())?;
                if let Some(Node {
                    value: Value::Text(name),
                    place,
                }) = player.table.get("name")
                {
                    let name = format!("{name} {}={}", axis.key, plain(&value.value));
                    table.set(
                        &["name"],
                        Node {
                            value: Value::Text(name),
                            place: place.clone(),
                        },
                    )?;
                }
                next.push(PlayerTable {
                    table,
                    place: player.place.clone(),
                });
            }
        }
        players = next;
    }
    for player in &mut players {
        player.table.entries.retain(|entry| entry.key != "sweep");
        // A swept key may be one that does not exist.
        resolve_section(Section::Player, &player.table)?;
    }
    Ok(players)
}

/// A value as it appears in a name.
fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(super) fn refuse_double_names(players: &[PlayerTable]) -> Result<(), ConfigError> {
    for (index, player) in players.iter().enumerate() {
        let name = player.table.get("name");
        let earlier = players[..index].iter().any(|other| {
            other.table.get("name").map(|node| &node.value) == name.map(|node| &node.value)
        });
        if let (true, Some(node)) = (earlier, name) {
            return Err(ConfigError::at(
                &node.place,
                format!(
                    "name = {}: two players have this name; give each its own",
                    node.value
                ),
            ));
        }
    }
    Ok(())
}

/// Turns the tables of players into players of the game `G`.
pub(super) struct BuildPlayers<'t> {
    pub players: &'t [PlayerTable],
    pub folder: Option<&'t Path>,
}

impl GameTask for BuildPlayers<'_> {
    type Output = Result<(Vec<PlayerSpec>, Vec<Table>), ConfigError>;

    fn run<G: Evaluated>(self) -> Self::Output {
        let mut specs = Vec::new();
        let mut tables = Vec::new();
        for player in self.players {
            let (spec, table) = build_player::<G>(player, self.folder)?;
            specs.push(spec);
            tables.push(table);
        }
        Ok((specs, tables))
    }
}

fn build_player<G: Evaluated>(
    player: &PlayerTable,
    folder: Option<&Path>,
) -> Result<(PlayerSpec, Table), ConfigError> {
    let keys = Reader {
        section: Section::Player,
        table: &player.table,
    };
    for required in ["name", "evaluator"] {
        if player.table.get(required).is_none() {
            return Err(ConfigError::at(
                &player.place,
                format!("a [[player]] needs the key `{required}`"),
            ));
        }
    }
    let name = keys.text("name")?.to_string();
    if name.trim().is_empty() {
        return Err(mismatch(
            "name",
            keys.node("name")?,
            "a name that can be seen",
        ));
    }
    let mut resolved = player.table.clone();
    let evaluator = keys.node("evaluator")?;
    let mut overrides: Vec<Entry> = Vec::new();
    let mut preset_name = keys.text("evaluator")?.to_string();
    let mut named_at = evaluator.place.clone();
    if preset_name.ends_with(".toml") {
        let path = beside(folder, &preset_name);
        (preset_name, named_at, overrides) = weights::read_weights_file(&path, &evaluator.place)?;
    }
    let preset = weights::find_preset::<G>(&preset_name, &named_at)?;
    overrides.extend(keys.table("weights")?.entries.iter().cloned());
    let mut weights = Weights::defaults(preset.terms);
    for entry in &overrides {
        weights::set_weight::<G>(&mut weights, preset, entry)?;
    }
    let mut options = Options::default();
    for entry in &keys.table("search")?.entries {
        let value = plain(&entry.node.value);
        options
            .set(&entry.key, &value)
            .map_err(|error| search_error(&error, entry))?;
    }
    // A weights file is written out, so that the resolved config stands by itself.
    let merged = merge(&overrides);
    let place = player.place.clone();
    resolved.set(
        &["evaluator"],
        Node {
            value: Value::Text(preset.name.to_string()),
            place: place.clone(),
        },
    )?;
    resolved.set(
        &["weights"],
        Node {
            value: Value::Table(merged),
            place,
        },
    )?;
    let depth = keys.whole("depth", 1, MAX_PLY as i64 - 1)? as u32;
    let spec = PlayerSpec {
        name,
        evaluator: preset.name,
        weights,
        options,
        limit: Limit::depth(depth),
    };
    Ok((spec, resolved))
}

/// Later entries win.
fn merge(entries: &[Entry]) -> Table {
    let mut table = Table::default();
    for entry in entries {
        match table
            .entries
            .iter_mut()
            .find(|earlier| earlier.key == entry.key)
        {
            Some(earlier) => *earlier = entry.clone(),
            None => table.entries.push(entry.clone()),
        }
    }
    table
}

/// Search options from `--set search.KEY=VALUE`.
pub fn search_options(overrides: &[String]) -> Result<Options, ConfigError> {
    let mut document = Table::default();
    for text in overrides {
        let (key, node) = parse_override(text)?;
        if !key.starts_with("search.") {
            let message =
                format!("unknown key `{key}`; expected search.KEY, see `sparring list search`");
            return Err(ConfigError::at(&node.place, message));
        }
        document.set(&key.split('.').collect::<Vec<_>>(), node)?;
    }
    match document.get("search") {
        Some(Node {
            value: Value::Table(table),
            ..
        }) => read_options(table),
        _ => Ok(Options::default()),
    }
}

fn read_options(table: &Table) -> Result<Options, ConfigError> {
    let mut options = Options::default();
    for entry in &table.entries {
        let value = plain(&entry.node.value);
        options
            .set(&entry.key, &value)
            .map_err(|error| search_error(&error, entry))?;
    }
    Ok(options)
}

fn search_error(error: &OptionError, entry: &Entry) -> ConfigError {
    match error {
        OptionError::Unknown { name } => {
            let hint = did_you_mean(name, Options::rows().iter().map(|row| row.name));
            ConfigError::at(&entry.place, format!("{error}; {hint}"))
        }
        _ => ConfigError::at(&entry.node.place, error.to_string()),
    }
}
