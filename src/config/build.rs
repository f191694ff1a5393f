//! Checks a config and builds the experiment it describes.

use std::path::Path;

use super::endings::read_endings;
use super::keys::Section;
use super::manifest::Checked;
use super::openings::{OpeningsFile, OpeningsNeed, ReadOpenings, read_openings};
use super::players::{build_players, expand_players, refuse_double_names};
use super::read::{Reader, beside, mismatch, read_file, resolve_section};
use super::resolved;
use super::source::{ConfigError, ConfigNode, ConfigTable, Entry, Place, Value, parse_override};
use super::suggest::did_you_mean;
use crate::engines::EngineLog;
use crate::eval::catalog::GameId;
use crate::play::{Adjudication, Conduct, Experiment, Format, PlayerSpec, Stages};
use crate::record::{CommentStyle, Manifest, MoveInfo};
use crate::stats::{Model, RaceRules, Sprt};

/// A validated config.
#[derive(Debug)]
pub struct Loaded {
    /// The run's name, and that of its directory.
    pub name: String,
    pub game: GameId,
    pub experiment: Experiment,
    pub stages: Stages,
    pub sprt: Option<Sprt>,
    pub log: LogSettings,
    /// The config with every default written out.
    pub resolved: String,
    /// The file of openings, of which the run directory gets a copy.
    pub openings_file: Option<OpeningsFile>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Players that make games differ between runs, with the reason; usually none.
    pub not_reproducible: Vec<String>,
    /// The run's manifest.
    pub manifest: Manifest,
}

/// What the files of games hold.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// Whether to write `moves.csv`.
    pub moves: bool,
    /// Whether to write the last positions.
    pub last: bool,
    pub comments: CommentStyle,
    pub event: String,
    pub site: String,
    /// How much of the conversation with engines is kept.
    pub engines: EngineLog,
    /// Further figures of each move, in the order of their columns.
    pub info: Vec<MoveInfo>,
}

/// Reads and validates a config file with `--set` overrides.
pub fn load(path: &Path, overrides: &[String]) -> Result<Loaded, ConfigError> {
    let shown = path.display().to_string();
    let text = read_file(path)?;
    load_text(&text, &shown, overrides)
}

/// Validates the text of a config. Paths in it are relative to the directory of `path`.
pub fn load_text(text: &str, path: &str, overrides: &[String]) -> Result<Loaded, ConfigError> {
    load_document(ConfigTable::parse(text, path)?, path, overrides)
}

/// Checks a document with `--set` overrides on top.
pub(super) fn load_document(
    document: ConfigTable,
    path: &str,
    overrides: &[String],
) -> Result<Loaded, ConfigError> {
    let document = overridden(document, overrides)?;
    let parts = build(&document, path, Use::Match)?;
    Ok(parts.loaded)
}

/// The document of a text, with `--set` overrides.
pub(super) fn parse(
    text: &str,
    path: &str,
    overrides: &[String],
) -> Result<ConfigTable, ConfigError> {
    overridden(ConfigTable::parse(text, path)?, overrides)
}

fn overridden(mut document: ConfigTable, overrides: &[String]) -> Result<ConfigTable, ConfigError> {
    for text in overrides {
        apply_override(&mut document, text)?;
    }
    Ok(document)
}

/// The purpose a config is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Match,
    /// Tuning: one player is enough, and openings must suffice for this many pairs.
    Tuning {
        pairs: u64,
    },
}

/// A validated config with its resolved tables.
pub(super) struct Parts {
    pub loaded: Loaded,
    pub players: Vec<ConfigTable>,
    pub sections: Vec<(Section, ConfigTable)>,
}

/// Validates a document for its purpose.
pub(super) fn build(
    document: &ConfigTable,
    path: &str,
    for_use: Use,
) -> Result<Parts, ConfigError> {
    let mut top = resolve_section(Section::Top, document)?;
    let reader = Reader {
        section: Section::Top,
        table: &top,
    };
    let name = read_name(&reader, path)?;
    write_name(&mut top, &name);
    let reader = Reader {
        section: Section::Top,
        table: &top,
    };
    let game = read_game(&reader, path)?;
    let players = expand_players(document, path)?;
    let folder = Path::new(path).parent();
    let (specs, resolved_players) = build_players(game, &players, folder)?;
    refuse_double_names(&players)?;

    let match_table = resolve_section(Section::Match, subtable(document, Section::Match)?)?;
    let match_keys = Reader {
        section: Section::Match,
        table: &match_table,
    };
    let least = if for_use == Use::Match { 2 } else { 1 };
    let seed = reader.whole("seed")? as u64;
    let format = read_format(&match_keys, &specs, least, seed, path)?;
    let pairs = match_keys.whole("pairs")? as u64;
    check_anchor(&match_keys, &specs)?;

    let mut opening_table =
        resolve_section(Section::Openings, subtable(document, Section::Openings)?)?;
    let opening_keys = Reader {
        section: Section::Openings,
        table: &opening_table,
    };
    let stages = Stages {
        format,
        players: specs.len(),
        pairs_each: pairs,
        // Two players are looked at after every pair.
        look: match specs.len() > 2 && document.get(Section::Sprt.name()).is_some() {
            true => Some(match_keys.whole("look")? as u64),
            false => None,
        },
        tiebreaks: match_keys.whole("tiebreaks")? as u64,
        common_openings: opening_keys.truth("shared")?,
    };
    let schedule = stages.first();
    let need = OpeningsNeed {
        game,
        seed,
        stages: match for_use {
            Use::Match => stages.clone(),
            Use::Tuning { pairs } => Stages {
                format: Format::Pair,
                players: 2,
                pairs_each: pairs.max(1),
                look: None,
                ..stages.clone()
            },
        },
        folder: Path::new(path).parent(),
        // The validation skips openings that are in the data.
        whole_file: for_use != Use::Match,
    };
    let ReadOpenings {
        openings,
        file: openings_file,
        mut warnings,
    } = read_openings(&opening_keys, &need)?;
    if let Some(file) = &openings_file {
        let place = opening_keys.node("source")?.place.clone();
        let value = Value::Text(file.name.clone());
        opening_table.set(&["source"], ConfigNode { value, place })?;
    }

    let mut adjudicate = optional_section(document, Section::Adjudicate)?;
    let endings = read_endings(
        &match_keys,
        adjudicate.as_ref().map(reader_of).as_ref(),
        game,
        folder,
    )?;
    if let Some((_, table)) = &mut adjudicate {
        write_absolute(table, "syzygy", folder)?;
    }
    let sprt_table = optional_section(document, Section::Sprt)?;
    let sprt = match &sprt_table {
        Some(table) => {
            // Tuning tests the tuned player against one opponent at a time.
            let format = if for_use == Use::Match {
                format
            } else {
                Format::Pair
            };
            Some(read_sprt(&reader_of(table), format)?)
        }
        None => None,
    };
    let family = match &sprt_table {
        Some(table) => specs.len() > 2 && reader_of(table).truth("family")?,
        None => false,
    };
    let log = optional_section(document, Section::Log)?;
    let log_settings = read_log(log.as_ref().map(reader_of).as_ref(), &name)?;
    let mut sections = vec![
        (Section::Top, &top),
        (Section::Match, &match_table),
        (Section::Openings, &opening_table),
    ];
    sections.extend(
        adjudicate
            .iter()
            .chain(&sprt_table)
            .chain(&log)
            .map(|(section, table)| (*section, table)),
    );
    let ends_some = endings.adjudication != Adjudication::default() || endings.tables.is_some();
    if adjudicate.is_some() && !ends_some {
        let advice = "[adjudicate] ends no game: give it resign_score, draw_score or syzygy";
        warnings.push(advice.to_string());
    }
    let reasons = specs.iter().filter_map(|spec| {
        let why = spec.why_not_reproducible()?;
        Some(format!("`{}` {why}", spec.name))
    });
    let not_reproducible: Vec<String> = reasons.collect();
    warnings.extend(
        not_reproducible
            .iter()
            .map(|reason| format!("{reason}: its games differ between runs and machines")),
    );
    let checked = Checked {
        name: &name,
        game,
        seed,
        format,
        stages: &stages,
        sprt: sprt.as_ref(),
        family,
        sections: &sections,
        players: &specs,
        tables: &players,
        resolved: &resolved_players,
    };
    let manifest = checked.manifest();
    let details = !log_settings.info.is_empty();
    let loaded = Loaded {
        name,
        manifest,
        resolved: resolved::write(&sections, &resolved_players, &not_reproducible),
        openings_file,
        stages,
        sprt,
        log: log_settings,
        warnings,
        not_reproducible,
        game,
        experiment: Experiment {
            seed,
            players: specs,
            schedule,
            openings,
            endings,
            conduct: Conduct {
                details,
                ..Conduct::default()
            },
        },
    };
    let sections = sections
        .into_iter()
        .map(|(section, table)| (section, table.clone()))
        .collect();
    Ok(Parts {
        loaded,
        players: resolved_players,
        sections,
    })
}

/// `match.pairs=10`, `player.NAME.depth=4`, or `player.*.depth=4` for all of them.
fn apply_override(document: &mut ConfigTable, text: &str) -> Result<(), ConfigError> {
    let (key, node) = parse_override(text)?;
    let Some(rest) = key.strip_prefix("player.") else {
        let path: Vec<&str> = key.split('.').collect();
        return document.set(&path, node);
    };
    let players = document
        .entries
        .iter_mut()
        .find(|entry| entry.key == "player");
    let Some(Entry {
        node: ConfigNode {
            value: Value::List(players),
            ..
        },
        ..
    }) = players
    else {
        return Err(ConfigError::at(&node.place, "the config has no [[player]]"));
    };
    let mut names = Vec::new();
    let mut hits = 0;
    for player in players {
        let Value::Table(table) = &mut player.value else {
            continue;
        };
        let name = match table.get("name") {
            Some(ConfigNode {
                value: Value::Text(name),
                ..
            }) => name.clone(),
            _ => continue,
        };
        let path = rest
            .strip_prefix("*.")
            .or_else(|| rest.strip_prefix(&name)?.strip_prefix('.'));
        if let Some(path) = path {
            hits += 1;
            table.set(&path.split('.').collect::<Vec<_>>(), node.clone())?;
        }
        names.push(name);
    }
    if hits == 0 {
        let wanted = rest.split('.').next().unwrap_or(rest);
        let hint = did_you_mean(wanted, names.iter().map(String::as_str));
        return Err(ConfigError::at(
            &node.place,
            format!("no player `{wanted}`; {hint}, or `*` for all"),
        ));
    }
    Ok(())
}

/// Makes a path of the resolved config absolute, so that it works from any folder.
fn write_absolute(
    table: &mut ConfigTable,
    key: &str,
    folder: Option<&Path>,
) -> Result<(), ConfigError> {
    let Some(node) = table.get(key).cloned() else {
        return Ok(());
    };
    match &node.value {
        Value::Text(text) if !text.is_empty() => {
            let path = beside(folder, text);
            let path = std::path::absolute(&path).unwrap_or(path);
            let value = Value::Text(path.to_string_lossy().into_owned());
            table.set(&[key], ConfigNode { value, ..node })
        }
        _ => Ok(()),
    }
}

/// An optional section, with its defaults filled in if present.
pub(super) fn optional_section(
    document: &ConfigTable,
    section: Section,
) -> Result<Option<(Section, ConfigTable)>, ConfigError> {
    if document.get(section.name()).is_none() {
        return Ok(None);
    }
    let table = resolve_section(section, subtable(document, section)?)?;
    Ok(Some((section, table)))
}

pub(super) fn reader_of((section, table): &(Section, ConfigTable)) -> Reader<'_> {
    Reader {
        section: *section,
        table,
    }
}

fn subtable(document: &ConfigTable, section: Section) -> Result<&ConfigTable, ConfigError> {
    static EMPTY: ConfigTable = ConfigTable {
        entries: Vec::new(),
        place: None,
    };
    match document.get(section.name()) {
        None => Ok(&EMPTY),
        Some(ConfigNode {
            value: Value::Table(table),
            ..
        }) => Ok(table),
        Some(node) => Err(ConfigError::at(
            &node.place,
            format!(
                "`{0}` is {1}; expected a table: [{0}]",
                section.name(),
                node.value.kind()
            ),
        )),
    }
}

fn read_game(top: &Reader<'_>, path: &str) -> Result<GameId, ConfigError> {
    if top.table.get("game").is_none() {
        let list: Vec<&str> = GameId::ALL.iter().map(|game| game.name()).collect();
        let message = format!(
            "{path}: the key `game` is missing; expected one of {}",
            list.join(", ")
        );
        return Err(ConfigError::bare(message));
    }
    top.meaning("game", GameId::from_name)
}

/// The run's name: a key, or the name of the file.
fn read_name(top: &Reader<'_>, path: &str) -> Result<String, ConfigError> {
    let Some(node) = top.table.get("name") else {
        let stem = Path::new(path).file_stem().unwrap_or("run".as_ref());
        let stem = stem.to_string_lossy();
        // `...toml` would write to the folder above `reports`.
        if stem.starts_with('.') {
            let message = format!(
                "{path}: the file's name cannot name a run directory; rename it, or give the config \
                 a name = \"...\""
            );
            return Err(ConfigError::bare(message));
        }
        return Ok(stem.into_owned());
    };
    let name = top.text("name")?;
    let plain = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '));
    if !plain || name.starts_with('.') {
        return Err(mismatch(
            "name",
            node,
            "letters, digits, `-`, `_`, `.`: it is used as a folder name",
        ));
    }
    Ok(name.to_string())
}

/// Writes out a name that is the file's, so that the resolved config keeps it under any other file name.
fn write_name(top: &mut ConfigTable, name: &str) {
    if top.get("name").is_some() {
        return;
    }
    let place = Place::Given {
        text: "the name of the file".to_string(),
    };
    let node = ConfigNode {
        value: Value::Text(name.to_string()),
        place: place.clone(),
    };
    // The order of the list of keys, as if it had been given.
    let key = "name".to_string();
    top.entries.insert(0, Entry { key, place, node });
}

/// Pairing more players would take longer than their games.
const MOST_OF_SWISS: usize = 1000;

/// Every two players of a race have a separate interval.
const MOST_OF_RACE: usize = 500;

/// The anchor must be one of the players.
fn check_anchor(keys: &Reader<'_>, players: &[PlayerSpec]) -> Result<(), ConfigError> {
    let Some(node) = keys.table.get("anchor") else {
        return Ok(());
    };
    let name = keys.text("anchor")?;
    if players.iter().any(|player| player.name == name) {
        return Ok(());
    }
    let hint = did_you_mean(name, players.iter().map(|player| player.name.as_str()));
    let message = format!("anchor = \"{name}\": no such player; {hint}");
    Err(ConfigError::at(&node.place, message))
}

fn read_format(
    keys: &Reader<'_>,
    players: &[PlayerSpec],
    least: usize,
    seed: u64,
    path: &str,
) -> Result<Format, ConfigError> {
    let format = keys.choice("format", &Format::ALL, Format::name)?;
    if players.len() < least {
        return Err(ConfigError::bare(format!(
            "{path}: {} player: a match needs at least two [[player]]",
            players.len()
        )));
    }
    let format = match format {
        Format::Gauntlet { .. } => {
            let seeds = keys.whole_up_to("seeds", (players.len() as i64 - 1).max(1))?;
            Format::Gauntlet {
                seeds: seeds as usize,
            }
        }
        Format::Swiss { .. } => {
            if players.len() > MOST_OF_SWISS {
                return Err(mismatch(
                    "format",
                    keys.node("format")?,
                    &format!("at most {MOST_OF_SWISS} players of a Swiss tournament"),
                ));
            }
            let rounds = keys.whole("rounds")? as u64;
            Format::Swiss {
                rounds: match rounds {
                    0 => u64::from(players.len().next_power_of_two().trailing_zeros()).max(1),
                    rounds => rounds,
                },
            }
        }
        Format::Race(_) => {
            if players.len() > MOST_OF_RACE {
                let most = format!("at most {MOST_OF_RACE} players of a race");
                return Err(mismatch("format", keys.node("format")?, &most));
            }
            Format::Race(read_race(keys, players.len() as u64, seed)?)
        }
        other => other,
    };
    if format == Format::Pair && players.len() != 2 && least == 2 {
        let place = keys.table.get("format").map(|node| node.place.clone());
        let message = format!(
            "format = \"pair\": needs two players, not {}; use \"round-robin\" or \"gauntlet\"",
            players.len()
        );
        return Err(ConfigError { place, message });
    }
    Ok(format)
}

fn read_race(keys: &Reader<'_>, players: u64, seed: u64) -> Result<RaceRules, ConfigError> {
    let within = Some(keys.number("within")?).filter(|elo| *elo > 0.0);
    let usual = match within {
        None => 60 * players,
        Some(_) => 1000 * players,
    };
    let budget = match keys.whole("budget")? as u64 {
        0 => usual,
        given => given,
    };
    // One opening in every round.
    let least = match within {
        None => (0..64)
            .map(|halvings| (players >> halvings) / 2)
            .sum::<u64>()
            .max(1),
        Some(_) => (players / 2).max(1),
    };
    if budget < least {
        let expected = format!("{least} pairs or more, which is one opening in every round");
        return Err(mismatch("budget", keys.node("budget")?, &expected));
    }
    Ok(RaceRules {
        budget,
        within,
        certainty: keys.number("certainty")?,
        look: keys.whole("look")? as u64,
        confirm: keys.whole("pairs")? as u64,
        seed,
    })
}

/// Reads `[log]`; without that section there is no `moves.csv`.
fn read_log(keys: Option<&Reader<'_>>, name: &str) -> Result<LogSettings, ConfigError> {
    let Some(keys) = keys else {
        return Ok(LogSettings {
            moves: false,
            last: false,
            comments: CommentStyle::default(),
            event: name.to_string(),
            site: "sparring".to_string(),
            engines: EngineLog::default(),
            info: Vec::new(),
        });
    };
    let event = match keys.table.get("event") {
        Some(_) => keys.text("event")?,
        None => name,
    };
    Ok(LogSettings {
        moves: keys.truth("moves")?,
        last: keys.truth("final")?,
        comments: keys.choice("comments", &CommentStyle::ALL, CommentStyle::name)?,
        event: event.to_string(),
        site: keys.text("site")?.to_string(),
        engines: keys.choice("engines", &EngineLog::ALL, EngineLog::name)?,
        info: read_info(keys)?,
    })
}

fn read_info(keys: &Reader<'_>) -> Result<Vec<MoveInfo>, ConfigError> {
    let wanted = keys.texts("info")?;
    let names = || MoveInfo::ALL.iter().map(|it| it.name());
    if let Some(strange) = wanted
        .iter()
        .find(|name| names().all(|it| it != name.as_str()))
    {
        let hint = did_you_mean(strange, names());
        let message = format!("unknown info `{strange}`; {hint}");
        return Err(ConfigError::at(&keys.node("info")?.place, message));
    }
    let is_wanted = |it: &MoveInfo| wanted.iter().any(|name| name == it.name());
    Ok(MoveInfo::ALL.into_iter().filter(is_wanted).collect())
}

fn read_sprt(keys: &Reader<'_>, format: Format) -> Result<Sprt, ConfigError> {
    let place = &keys.node("elo0")?.place;
    if format.depends_on_results() {
        let message = format!(
            "[sprt] stops pairings that are decided, but format = \"{}\" decides who meets; remove it, or \
             use \"round-robin\" or \"gauntlet\"",
            format.name()
        );
        return Err(ConfigError::at(place, message));
    }
    let model = keys.choice("model", &Model::ALL, Model::name)?;
    let (alpha, beta) = (keys.number("alpha")?, keys.number("beta")?);
    Sprt::new(model, keys.number("elo0")?, keys.number("elo1")?)
        .and_then(|sprt| sprt.with_error_rates(alpha, beta))
        .map_err(|error| ConfigError::at(place, format!("[sprt] {error}")))
}
