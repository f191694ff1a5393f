//! The `[[player]]` sections of a config: expands sweeps, validates evaluators, weights and options.

use std::path::Path;

use super::engines::{keep_own_keys, read_engine, write_paths};
use super::keys::Section;
use super::read::{Reader, mismatch, resolve_section};
use super::saved_engines::with_saved_engine;
use super::source::{
    ConfigError, ConfigNode, ConfigTable, Entry, Place, Value, parse_assignment, parse_override,
};
use super::suggest::did_you_mean;
use super::weights;
use crate::eval::catalog::GameId;
use crate::play::{PlayerKind, PlayerSpec, SearchSpec};
use crate::search::{Clock, Limit, OptionError, Options};

/// One player of the config, after expanding sweeps.
pub(super) struct PlayerTable {
    pub table: ConfigTable,
    /// The name without a sweep's suffix; `None` if there is no name.
    pub base: Option<String>,
    /// Swept keys with their values, in the order of the sweep.
    pub swept: Vec<(String, Value)>,
    place: Place,
}

/// The players of a config. A swept player is repeated for every combination of its values.
pub(super) fn expand_players(
    document: &ConfigTable,
    path: &str,
) -> Result<Vec<PlayerTable>, ConfigError> {
    let players = match document.get("player") {
        Some(ConfigNode {
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
        let given = &with_saved_engine(given, Path::new(path).parent())?;
        let mut table = resolve_section(Section::Player, given)?;
        // A player limited by nodes or time searches as deep as it can.
        let limits = ["nodes", "movetime", "clock", "engine"];
        let limited = limits.iter().any(|key| given.get(key).is_some());
        if limited && given.get("depth").is_none() {
            table.entries.retain(|entry| entry.key != "depth");
        }
        keep_own_keys(given, &mut table)?;
        let base = match table.get("name").map(|node| &node.value) {
            Some(Value::Text(name)) => Some(name.clone()),
            _ => None,
        };
        expanded.extend(sweep(PlayerTable {
            table,
            base,
            swept: Vec::new(),
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
    let sweep = keys.node("sweep")?;
    let axes = keys.table("sweep")?.entries.clone();
    refuse_many(&axes, sweep)?;
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
                if let Some(ConfigNode {
                    value: Value::Text(name),
                    place,
                }) = player.table.get("name")
                {
                    let name = format!("{name} {}={}", axis.key, plain(&value.value));
                    table.set(
                        &["name"],
                        ConfigNode {
                            value: Value::Text(name),
                            place: place.clone(),
                        },
                    )?;
                }
                let mut swept = player.swept.clone();
                swept.push((axis.key.clone(), value.value.clone()));
                next.push(PlayerTable {
                    table,
                    base: player.base.clone(),
                    swept,
                    place: player.place.clone(),
                });
            }
        }
        players = next;
    }
    for player in &mut players {
        player.table.entries.retain(|entry| entry.key != "sweep");
        // A swept key may not exist.
        resolve_section(Section::Player, &player.table)?;
    }
    Ok(players)
}

/// Maximum number of players.
const MOST_SWEPT: usize = 10_000;

/// Counts a sweep's players before building them: the product of its axes may exceed the memory.
fn refuse_many(axes: &[Entry], sweep: &ConfigNode) -> Result<(), ConfigError> {
    let lengths = axes.iter().map(|axis| match &axis.node.value {
        Value::List(values) => values.len(),
        _ => 1,
    });
    let players = lengths.fold(1, usize::saturating_mul);
    if players <= MOST_SWEPT {
        return Ok(());
    }
    let message = format!(
        "sweep: {} axes make {players} players, at most {MOST_SWEPT} are possible; give it fewer \
         values",
        axes.len()
    );
    Err(ConfigError::at(&sweep.place, message))
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
                    "name = {}: two players have this name; names must be unique",
                    node.value
                ),
            ));
        }
    }
    Ok(())
}

/// Converts the tables of players to players of a game.
pub(super) fn build_players(
    game: GameId,
    players: &[PlayerTable],
    folder: Option<&Path>,
) -> Result<(Vec<PlayerSpec>, Vec<ConfigTable>), ConfigError> {
    let mut specs = Vec::new();
    let mut tables = Vec::new();
    for player in players {
        let (spec, table) = build_player(game, player, folder)?;
        specs.push(spec);
        tables.push(table);
    }
    Ok((specs, tables))
}

fn build_player(
    game: GameId,
    player: &PlayerTable,
    folder: Option<&Path>,
) -> Result<(PlayerSpec, ConfigTable), ConfigError> {
    let keys = Reader {
        section: Section::Player,
        table: &player.table,
    };
    let has = |key: &str| player.table.get(key).is_some();
    let missing = if !has("name") {
        Some("the key `name`")
    } else if !has("evaluator") && !has("engine") {
        Some("the key `evaluator`, or `engine` for an external engine")
    } else {
        None
    };
    if let Some(missing) = missing {
        let message = format!("a [[player]] needs {missing}");
        return Err(ConfigError::at(&player.place, message));
    }
    let name = keys.text("name")?.to_string();
    if name.trim().is_empty() {
        return Err(mismatch("name", keys.node("name")?, "a visible name"));
    }
    if has("engine") {
        let engine = read_engine(game.facts(), &keys, folder)?;
        let mut resolved = player.table.clone();
        write_paths(&engine, &mut resolved)?;
        let spec = PlayerSpec {
            name,
            limit: read_limit(&keys)?,
            kind: PlayerKind::Engine(engine),
        };
        return Ok((spec, resolved));
    }
    let mut resolved = player.table.clone();
    let evaluator = keys.node("evaluator")?;
    let named =
        weights::NamedEvaluator::find(game, keys.text("evaluator")?, folder, &evaluator.place)?;
    let preset = named.preset;
    let mut overrides = named.overrides.clone();
    overrides.extend(keys.table("weights")?.entries.iter().cloned());
    let overrides = weights::expanded(&overrides, preset.terms());
    let weights = named.weights_with(game, &overrides)?;
    let mut search = named.search;
    search
        .entries
        .extend(keys.table("search")?.entries.iter().cloned());
    let search = merge(&search.entries);
    let options = read_options(game, &search)?;
    // The weights of a file are written out, so that the resolved config is self-contained; nets and patterns are
    // copied beside it, under a name that tells its content.
    let evaluator = match weights.learnt() {
        Some(learnt) => learnt.file_name(),
        None => preset.name().to_string(),
    };
    let merged = merge(&overrides);
    let place = player.place.clone();
    resolved.set(
        &["evaluator"],
        ConfigNode {
            value: Value::Text(evaluator),
            place: place.clone(),
        },
    )?;
    resolved.set(
        &["weights"],
        ConfigNode {
            value: Value::Table(merged),
            place: place.clone(),
        },
    )?;
    resolved.set(
        &["search"],
        ConfigNode {
            value: Value::Table(search),
            place,
        },
    )?;
    let limit = read_limit(&keys)?;
    let spec = PlayerSpec {
        name,
        limit,
        kind: PlayerKind::Search(SearchSpec {
            evaluator: preset.name(),
            weights,
            options,
        }),
    };
    Ok((spec, resolved))
}

/// Depth, nodes and time, whichever comes first.
fn read_limit(keys: &Reader<'_>) -> Result<Limit, ConfigError> {
    let mut limit = Limit::depth(Limit::MAX_DEPTH);
    if keys.table.get("depth").is_some() {
        limit.depth = keys.whole("depth")? as u32;
    }
    if keys.table.get("nodes").is_some() {
        limit.nodes = Some(keys.whole("nodes")? as u64);
    }
    if keys.table.get("movetime").is_some() {
        limit.time = Limit::movetime(keys.time("movetime")?).time;
    }
    if let Some(node) = keys.table.get("clock") {
        if limit.time.is_some() {
            let expected = "no movetime with it: a clock is for the whole game";
            return Err(mismatch("clock", node, expected));
        }
        let clock = keys.clock("clock")?;
        limit.clock = Some(Clock {
            time: clock.time,
            increment: clock.increment.unwrap_or_default(),
            moves: clock.moves,
            margin: keys.time("time_margin")?,
        });
    }
    Ok(limit)
}

/// Later entries win.
fn merge(entries: &[Entry]) -> ConfigTable {
    let mut table = ConfigTable::default();
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

/// The player of a form: keys of a `[[player]]` with their values as typed, such as `("weights.mobility", "3")`.
/// A weights file is looked for in the current folder.
pub fn player_of(game: GameId, settings: &[(String, String)]) -> Result<PlayerSpec, ConfigError> {
    let mut table = ConfigTable::default();
    for (key, value) in settings {
        let place = Place::Given {
            text: format!("{key} = {value}"),
        };
        let (key, node) = parse_assignment(&format!("{key}={value}"), &place)?;
        table.set(&key.split('.').collect::<Vec<_>>(), node)?;
    }
    let place = Place::Given {
        text: "player".to_string(),
    };
    let node = |value| ConfigNode {
        value,
        place: place.clone(),
    };
    let mut document = ConfigTable::default();
    let players = vec![node(Value::Table(table))];
    document.set(&["player"], node(Value::List(players)))?;
    let players = expand_players(&document, "player")?;
    let [player] = players.as_slice() else {
        return Err(ConfigError::at(
            &place,
            "expected one player, without a sweep",
        ));
    };
    build_player(game, player, None).map(|(spec, _)| spec)
}

/// Search options from `--set search.KEY=VALUE`.
pub fn search_options(game: GameId, overrides: &[String]) -> Result<Options, ConfigError> {
    let mut document = ConfigTable::default();
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
        Some(ConfigNode {
            value: Value::Table(table),
            ..
        }) => read_options(game, table),
        _ => Ok(Options::default()),
    }
}

fn read_options(game: GameId, table: &ConfigTable) -> Result<Options, ConfigError> {
    let values: Vec<(&Entry, String)> = table
        .entries
        .iter()
        .map(|entry| (entry, plain(&entry.node.value)))
        .collect();
    let settings = values
        .iter()
        .map(|(entry, value)| (entry.key.as_str(), value.as_str()));
    Options::for_game(game.facts(), settings).map_err(|error| {
        let blamed = match &error {
            OptionError::Unknown { name } => name.as_str(),
            OptionError::Value { name, .. } | OptionError::Game { name, .. } => name,
        };
        match table.entries.iter().find(|entry| entry.key == blamed) {
            Some(entry) => search_error(&error, entry),
            None => ConfigError::bare(error.to_string()),
        }
    })
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
