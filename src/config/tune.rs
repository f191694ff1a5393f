//! The section `[tune]` of a config: which numbers of which player, and by which method.

use std::path::{Path, PathBuf};

use super::build::{Parts, Use, build, optional_section, parse, reader_of};
use super::keys::Section;
use super::manifest;
use super::openings::OpeningsFile;
use super::read::{Reader, beside, mismatch, number, read_file};
use super::resolved;
use super::source::{ConfigError, ConfigNode, ConfigTable, Place, Value};
use super::suggest::did_you_mean;
use super::train::{read_teacher, read_train};
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::play::{Experiment, PlayerSpec};
use crate::record::{Manifest, TuningEntry};
use crate::stats::{Model, Sprt};
use crate::tune::fit::{FitSettings, Loss, Optimizer};
use crate::tune::quiet::Quiet;
use crate::tune::train::TrainSettings;
use crate::tune::{Feed, Monotone, Parameter, Space, Tunable, TunerRow, TunerSettings, tunables};

/// The source of a fit's positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSource {
    /// Play the config's match first.
    SelfPlay,
    Files(Vec<PathBuf>),
}

/// A validated config of a tuning run.
pub struct LoadedTune {
    /// The run's name, and that of its directory.
    pub name: String,
    pub game: GameId,
    /// Seed, openings and endings of all games.
    pub experiment: Experiment,
    pub row: &'static TunerRow,
    pub space: Space,
    pub settings: TunerSettings,
    pub train: TrainSettings,
    /// The evaluator that `train` learns from: its preset and weights.
    pub teacher: Option<(&'static str, Weights)>,
    /// Games to play, or positions to use; 0 for all positions.
    pub budget: u64,
    pub data: DataSource,
    pub validate: bool,
    pub validate_pairs: u64,
    /// Pairs of the match of fixed length after acceptance; 0 for none.
    pub confirm_pairs: u64,
    /// `start`, or names of players.
    pub opponents: Vec<String>,
    pub sprt: Sprt,
    /// The config with every default written out.
    pub resolved: String,
    /// The run's manifest.
    pub manifest: Manifest,
    /// The file of openings, of which the run directory gets a copy.
    pub openings_file: Option<OpeningsFile>,
    pub warnings: Vec<String>,
    /// Index of the tuned player.
    pub player: usize,
    pub(super) parts: Parts,
}

/// The default budget in games.
const USUAL_GAMES: u64 = 20_000;

/// Reads and checks the config of a tuning run with `--set` overrides on top.
pub fn load_tune(path: &Path, overrides: &[String]) -> Result<LoadedTune, ConfigError> {
    load_tune_text(&read_file(path)?, &path.display().to_string(), overrides)
}

/// Checks the text of a config. Paths in it are relative to the directory of `path`.
pub fn load_tune_text(
    text: &str,
    path: &str,
    overrides: &[String],
) -> Result<LoadedTune, ConfigError> {
    let (shown, path) = (path, Path::new(path));
    let document = parse(text, shown, overrides)?;
    let Some(mut section) = optional_section(&document, Section::Tune)? else {
        return Err(ConfigError::bare(format!(
            "{shown}: no [tune]; add one, see `sparring new`"
        )));
    };
    resolve_data(&mut section.1, path.parent());
    let keys = reader_of(&section);
    let row = keys.meaning("method", TunerRow::find)?;
    let budget = keys.whole("budget")? as u64;
    let games = match (row.feed, budget) {
        (Feed::Games, 0) => USUAL_GAMES,
        (Feed::Games, given) => given,
        (Feed::Positions | Feed::Net, _) => 0,
    };
    let validate_pairs = keys.whole("validate_pairs")? as u64;
    let confirm_pairs = keys.whole("confirm_pairs")? as u64;
    let pairs = games / 2 + validate_pairs + confirm_pairs;
    let parts = build(&document, shown, Use::Tuning { pairs })?;
    let loaded = &parts.loaded;
    let player = read_player(&keys, &loaded.experiment.players)?;
    let spec = loaded.experiment.players[player].clone();
    let game = loaded.game;
    let (all, unit) = list_tunables(game, &spec);
    let space = match row.feed {
        Feed::Net => Space {
            parameters: Vec::new(),
            chains: Vec::new(),
            player: spec,
        },
        feed => read_space(&keys, spec, feed, &all)?,
    };
    let train = read_train(&keys, game)?;
    let teacher = read_teacher(&keys, game)?;
    let settings = read_settings(&keys, games, unit)?;
    let opponents = read_opponents(&keys, &loaded.experiment.players)?;
    let data = read_data(&keys)?;
    let sprt = match loaded.sprt {
        Some(sprt) => sprt,
        None => Sprt::new(Model::Normalized, 0.0, 10.0)
            .map_err(|error| ConfigError::bare(error.to_string()))?,
    };
    let mut sections: Vec<(Section, &ConfigTable)> = parts
        .sections
        .iter()
        .map(|(section, table)| (*section, table))
        .collect();
    sections.push((section.0, &section.1));
    let manifest = Manifest {
        tuning: Some(TuningEntry {
            method: row.name.to_string(),
            player: space.player.name.clone(),
            parameters: space.parameters.iter().map(|p| p.name.clone()).collect(),
        }),
        settings: manifest::settings(&sections),
        ..loaded.manifest.clone()
    };
    Ok(LoadedTune {
        name: loaded.name.clone(),
        game,
        manifest,
        resolved: resolved::write(&sections, &parts.players, &loaded.not_reproducible),
        experiment: loaded.experiment.clone(),
        openings_file: loaded.openings_file.clone(),
        warnings: loaded.warnings.clone(),
        row,
        space,
        budget: if row.feed == Feed::Games {
            games
        } else {
            budget
        },
        settings,
        train,
        teacher,
        data,
        validate: keys.truth("validate")?,
        validate_pairs,
        confirm_pairs,
        opponents,
        sprt,
        player,
        parts,
    })
}

fn find_player(
    node: &ConfigNode,
    name: &str,
    players: &[PlayerSpec],
) -> Result<usize, ConfigError> {
    players
        .iter()
        .position(|player| player.name == name)
        .ok_or_else(|| {
            let hint = did_you_mean(name, players.iter().map(|player| player.name.as_str()));
            ConfigError::at(&node.place, format!("no player `{name}`; {hint}"))
        })
}

fn read_player(keys: &Reader<'_>, players: &[PlayerSpec]) -> Result<usize, ConfigError> {
    match keys.table.get("player") {
        None => Ok(0),
        Some(node) => find_player(node, keys.text("player")?, players),
    }
}

fn read_opponents(keys: &Reader<'_>, players: &[PlayerSpec]) -> Result<Vec<String>, ConfigError> {
    let names = keys.texts("opponents")?;
    for name in names.iter().filter(|name| *name != "start") {
        find_player(keys.node("opponents")?, name, players)?;
    }
    Ok(names)
}

/// Makes the paths of `data`, `teacher` and `patterns` absolute, so that the resolved config works from any folder.
fn resolve_data(tune: &mut ConfigTable, folder: Option<&Path>) {
    let absolute = |name: &str| {
        let path = beside(folder, name);
        let path = std::path::absolute(&path).unwrap_or(path);
        path.to_string_lossy().into_owned()
    };
    for entry in &mut tune.entries {
        let is_file = |name: &str| match entry.key.as_str() {
            "teacher" => Path::new(name).extension().is_some(),
            "patterns" => !name.is_empty(),
            _ => false,
        };
        if let Value::Text(name) = &mut entry.node.value
            && is_file(name)
        {
            *name = absolute(name);
        }
    }
    let mut data = tune.entries.iter_mut().filter(|entry| entry.key == "data");
    let Some(node) = data.next().map(|entry| &mut entry.node) else {
        return;
    };
    let items = match &mut node.value {
        Value::List(items) => items.iter_mut().collect(),
        _ => vec![node],
    };
    for item in items {
        if let Value::Text(name) = &mut item.value
            && name != SELF_PLAY
        {
            *name = absolute(name);
        }
    }
}

/// The value of `data` that plays the config's match first.
const SELF_PLAY: &str = "self-play";

fn read_data(keys: &Reader<'_>) -> Result<DataSource, ConfigError> {
    let names = keys.texts("data")?;
    if names == [SELF_PLAY] {
        return Ok(DataSource::SelfPlay);
    }
    if names.is_empty() {
        let node = keys.node("data")?;
        return Err(mismatch(
            "data",
            node,
            "at least one file, or \"self-play\"",
        ));
    }
    Ok(DataSource::Files(names.iter().map(PathBuf::from).collect()))
}

fn read_settings(keys: &Reader<'_>, budget: u64, unit: f64) -> Result<TunerSettings, ConfigError> {
    Ok(TunerSettings {
        budget,
        batch: keys.whole("batch")? as u64,
        pairs: keys.whole("pairs")? as u64,
        alpha: keys.number("alpha")?,
        gamma: keys.number("gamma")?,
        a_ratio: keys.number("a_ratio")?,
        c_end: keys.number("c_end")?,
        r_end: keys.number("r_end")?,
        sigma: keys.number("sigma")?,
        points: keys.whole("points")? as usize,
        fit: FitSettings {
            optimizer: keys.choice("optimizer", &Optimizer::ALL, Optimizer::name)?,
            loss: keys.choice("loss", &Loss::ALL, Loss::name)?,
            iterations: keys.whole("iterations")? as u64,
            validation: keys.number("validation")?,
            patience: keys.whole("patience")? as u64,
            prior: keys.number("prior")?,
            quiet: keys.choice("quiet", &Quiet::ALL, Quiet::name)?,
            k: keys.number("k")?,
            learning_rate: keys.number("learning_rate")?,
            score_share: keys.number("score_share")?,
            unit,
        },
    })
}

/// Lists the numbers of the player, and the units per unit shown to users.
fn list_tunables(game: GameId, player: &PlayerSpec) -> (Vec<Tunable>, f64) {
    let preset = player
        .search()
        .and_then(|search| game.evaluators().preset(search.evaluator));
    let terms = preset.map_or(&[][..], |preset| preset.terms());
    let units = game.evaluators().units();
    (tunables(game.facts(), player, terms), units.units_in_one)
}

/// Finds the player's numbers that match `parameters`.
fn read_space(
    keys: &Reader<'_>,
    player: PlayerSpec,
    feed: Feed,
    all: &[Tunable],
) -> Result<Space, ConfigError> {
    let freeze = keys.texts("freeze")?;
    let node = keys.node("freeze")?;
    for pattern in &freeze {
        if !all.iter().any(|tunable| tunable.is_named_by(pattern)) {
            return Err(nothing_named(pattern, &node.place, all));
        }
    }
    let is_frozen = |tunable: &Tunable| freeze.iter().any(|name| tunable.is_named_by(name));
    let loose: Vec<Tunable> = all.iter().filter(|t| !is_frozen(t)).cloned().collect();
    let node = keys.node("parameters")?;
    let mut wishes = Vec::new();
    for item in keys.list("parameters")? {
        wishes.push(Wish::read(keys, item)?);
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut ordered: Vec<(Vec<String>, bool)> = Vec::new();
    for wish in &wishes {
        let mut chosen: Vec<Tunable> = loose
            .iter()
            .filter(|t| t.is_named_by(&wish.name))
            .cloned()
            .collect();
        if chosen.is_empty() {
            if all.iter().any(|t| t.is_named_by(&wish.name)) {
                // All of it is frozen.
                continue;
            }
            return Err(nothing_named(&wish.name, &wish.place, all));
        }
        // Patterns skip numbers that a fit cannot change; exact names are rejected later.
        if feed == Feed::Positions && chosen.iter().any(|t| t.is_linear) {
            chosen.retain(|tunable| tunable.is_linear);
        }
        for earlier in &mut parameters {
            earlier
                .members
                .retain(|member| chosen.iter().all(|t| t.name != member.name));
        }
        parameters.retain(|earlier| !earlier.members.is_empty());
        let added = wish.parameters(chosen, feed)?;
        if let Some(rising) = wish.rising {
            let names = added
                .iter()
                .map(|parameter| parameter.name.clone())
                .collect();
            ordered.push((names, rising));
        }
        parameters.extend(added);
    }
    let chains: Vec<Monotone> = ordered
        .iter()
        .flat_map(|(names, rising)| {
            let chosen: Vec<bool> = parameters
                .iter()
                .map(|parameter| names.contains(&parameter.name))
                .collect();
            Space::chains_of(&parameters, &chosen, *rising)
        })
        .collect();
    if parameters.is_empty() {
        return Err(mismatch(
            "parameters",
            node,
            "at least one name that is not frozen",
        ));
    }
    let mut player = player;
    let space = Space {
        parameters,
        chains,
        player: player.clone(),
    };
    // Start values in the config are part of the player to compare with.
    player = space.player_with(&space.start());
    Ok(Space { player, ..space })
}

fn nothing_named(pattern: &str, place: &Place, all: &[Tunable]) -> ConfigError {
    let mut names: Vec<String> = Vec::new();
    for tunable in all {
        let kind = tunable.name.split('.').next().unwrap_or("");
        for name in [
            format!("{kind}.{}", tunable.owner),
            format!("group:{}", tunable.group),
        ] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let wanted = match pattern.contains([':', '.']) {
        true => pattern.to_string(),
        false => format!("weights.{pattern}"),
    };
    let hint = did_you_mean(&wanted, names.iter().map(String::as_str));
    ConfigError::at(
        place,
        format!("parameter `{pattern}`: this player has none; {hint}"),
    )
}

/// How far from its start matches may take a number. The ranges of rows are far too wide for that: a
/// quarter of the value of a piece, half of other numbers, and a part of the range for numbers near 0.
fn usual_reach(parameter: &Parameter, start: f64) -> f64 {
    let (least, greatest) = parameter.range;
    let of_pieces = |tunable: &Tunable| tunable.group == "material";
    let reach = if parameter.members.iter().all(of_pieces) && start != 0.0 {
        0.25 * start.abs()
    } else if parameter
        .members
        .iter()
        .any(|member| member.group == "options")
        && start != 0.0
    {
        // Only the engine knows the range.
        0.5 * start.abs()
    } else {
        let least_share = if start == 0.0 { 0.03 } else { 0.01 };
        (0.5 * start.abs()).max(least_share * (greatest - least))
    };
    reach.max(2.0 * parameter.step)
}

/// One entry of `parameters`.
struct Wish {
    name: String,
    place: Place,
    start: Option<f64>,
    range: Option<(f64, f64)>,
    step: Option<f64>,
    c_end: Option<f64>,
    sign: Option<bool>,
    rising: Option<bool>,
    tie: bool,
}

const WISH_KEYS: [&str; 8] = [
    "name", "start", "range", "step", "c", "sign", "monotone", "tie",
];

impl Wish {
    fn read(keys: &Reader<'_>, node: &ConfigNode) -> Result<Wish, ConfigError> {
        let mut wish = Wish {
            name: String::new(),
            place: node.place.clone(),
            start: None,
            range: None,
            step: None,
            c_end: None,
            sign: None,
            rising: None,
            tie: false,
        };
        let table = match &node.value {
            Value::Text(name) => {
                wish.name = name.clone();
                return Ok(wish);
            }
            Value::Table(table) => table,
            _ => return Err(keys.no_such_item("parameters", node)),
        };
        let word = |node: &ConfigNode, yes: &str, no: &str, key: &str| match &node.value {
            Value::Text(text) if text == yes => Ok(Some(true)),
            Value::Text(text) if text == no => Ok(Some(false)),
            _ => Err(mismatch(key, node, &format!("\"{yes}\" or \"{no}\""))),
        };
        let plain = |node: &ConfigNode, key: &str| {
            number(node).ok_or_else(|| mismatch(key, node, "a number"))
        };
        for entry in &table.entries {
            let node = &entry.node;
            match entry.key.as_str() {
                "name" => match &node.value {
                    Value::Text(name) => wish.name = name.clone(),
                    _ => return Err(mismatch("name", node, "a text")),
                },
                "start" => wish.start = Some(plain(node, "start")?),
                "step" => wish.step = Some(plain(node, "step")?).filter(|step| *step > 0.0),
                "c" => wish.c_end = Some(plain(node, "c")?).filter(|c| *c > 0.0),
                "sign" => wish.sign = word(node, "positive", "negative", "sign")?,
                "monotone" => wish.rising = word(node, "rising", "falling", "monotone")?,
                "tie" => match node.value {
                    Value::Boolean(tie) => wish.tie = tie,
                    _ => return Err(mismatch("tie", node, "true or false")),
                },
                "range" => {
                    let ends: Option<Vec<f64>> = match &node.value {
                        Value::List(ends) => ends.iter().map(number).collect(),
                        _ => None,
                    };
                    match ends.as_deref() {
                        Some([low, high]) if low < high => wish.range = Some((*low, *high)),
                        _ => return Err(mismatch("range", node, "[low, high]")),
                    }
                }
                other => {
                    let hint = did_you_mean(other, WISH_KEYS);
                    let message = format!("unknown key `{other}` of a parameter; {hint}");
                    return Err(ConfigError::at(&entry.place, message));
                }
            }
        }
        if wish.name.is_empty() {
            return Err(ConfigError::at(&node.place, "a parameter needs a `name`"));
        }
        Ok(wish)
    }

    fn parameters(&self, chosen: Vec<Tunable>, feed: Feed) -> Result<Vec<Parameter>, ConfigError> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for tunable in &chosen {
            match parameters.first_mut() {
                Some(first) if self.tie => {
                    first.members.push(tunable.clone());
                    first.is_linear &= tunable.is_linear;
                    first.range.0 = first.range.0.max(tunable.range.0);
                    first.range.1 = first.range.1.min(tunable.range.1);
                }
                _ => parameters.push(Parameter::of(tunable)),
            }
        }
        if self.tie && chosen.len() > 1 {
            parameters[0].name = self.name.clone();
        }
        for parameter in &mut parameters {
            self.shape(parameter, feed)?;
        }
        Ok(parameters)
    }

    /// Applies the requested start, range and step, or the method's defaults.
    fn shape(&self, parameter: &mut Parameter, feed: Feed) -> Result<(), ConfigError> {
        let wrong = |message: String| {
            Err(ConfigError::at(
                &self.place,
                format!("parameter `{}`: {message}", parameter.name),
            ))
        };
        let (least, greatest) = parameter.range;
        let start = self.start.unwrap_or(parameter.start);
        let mut range = match self.range {
            Some((low, high)) if low < least || high > greatest => {
                return wrong(format!(
                    "range [{low}, {high}]: must lie between {least} and {greatest}"
                ));
            }
            Some(range) => range,
            None if feed == Feed::Games => {
                let reach = usual_reach(parameter, start);
                ((start - reach).max(least), (start + reach).min(greatest))
            }
            None => (least, greatest),
        };
        match self.sign {
            Some(true) => range.0 = range.0.max(0.0),
            Some(false) => range.1 = range.1.min(0.0),
            None => {}
        }
        if !(range.0 <= start && start <= range.1 && range.0 < range.1) {
            return wrong(format!(
                "start {start}: must lie between {} and {}",
                range.0, range.1
            ));
        }
        parameter.start = start;
        parameter.range = range;
        parameter.step = self
            .step
            .map_or(parameter.step, |step| step.max(parameter.step));
        parameter.c_end = self.c_end;
        Ok(())
    }
}
