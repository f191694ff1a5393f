//! The section `[tune]` of a config: which numbers of which player, and by which method.

use std::path::{Path, PathBuf};

use super::build::{Parts, Use, build, optional_section, parse, reader_of};
use super::keys::Section;
use super::manifest;
use super::openings::OpeningsFile;
use super::read::{Reader, beside, mismatch, read_file};
use super::resolved;
use super::source::{ConfigError, ConfigNode, ConfigTable, Value};
use super::suggest::did_you_mean;
use super::train::{read_teacher, read_train};
use super::tune_parameters::{list_tunables, read_space};
use crate::engines::EngineLog;
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::play::{Experiment, PlayerSpec};
use crate::record::{Manifest, TuningEntry};
use crate::stats::{Model, Sprt};
use crate::tune::fit::{FitSettings, Loss, Optimizer};
use crate::tune::quiet::Quiet;
use crate::tune::train::TrainSettings;
use crate::tune::{Feed, Sample, Space, TunerRow, TunerSettings};

/// The source of a fit's positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSource {
    /// Play the config's match first; further games and positions are in files.
    SelfPlay(Vec<PathBuf>),
    Files(Vec<PathBuf>),
}

/// The keys of `[learn]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnSettings {
    pub generations: u64,
    /// Generations whose games a training uses.
    pub window: u64,
    /// An evaluator; empty for that of the config.
    pub anchor: String,
    pub measure_pairs: u64,
}

/// A validated config of a tuning run.
pub struct LoadedTune {
    /// The run's name, and that of its directory.
    pub name: String,
    pub game: GameId,
    /// Seed, openings and endings of all games.
    pub experiment: Experiment,
    /// How much of the conversation with engines is kept.
    pub engine_log: EngineLog,
    pub row: &'static TunerRow,
    pub space: Space,
    pub settings: TunerSettings,
    pub train: TrainSettings,
    /// The evaluator that `train` learns from: its preset and weights.
    pub teacher: Option<(&'static str, Weights)>,
    /// Games to play, or positions to use; 0 for all positions.
    pub budget: u64,
    pub data: DataSource,
    /// What `sparring learn` repeats; `None` without the section.
    pub learn: Option<LearnSettings>,
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
    let learn_section = optional_section(&document, Section::Learn)?;
    let learn = learn_section.as_ref().map(|it| read_learn(&reader_of(it)));
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
    sections.extend(
        learn_section
            .iter()
            .map(|(section, table)| (*section, table)),
    );
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
        engine_log: loaded.log.engines,
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
        learn: learn.transpose()?,
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
    let files = names.iter().filter(|name| *name != SELF_PLAY);
    let files: Vec<PathBuf> = files.map(PathBuf::from).collect();
    if files.len() < names.len() {
        return Ok(DataSource::SelfPlay(files));
    }
    if names.is_empty() {
        let node = keys.node("data")?;
        return Err(mismatch(
            "data",
            node,
            "at least one file, or \"self-play\"",
        ));
    }
    Ok(DataSource::Files(files))
}

fn read_learn(keys: &Reader<'_>) -> Result<LearnSettings, ConfigError> {
    Ok(LearnSettings {
        generations: keys.whole("generations")? as u64,
        window: keys.whole("window")? as u64,
        anchor: keys.text("anchor")?.to_string(),
        measure_pairs: keys.whole("measure_pairs")? as u64,
    })
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
        sample: keys.choice("sample", &Sample::ALL, Sample::name)?,
        candidates: keys.whole("candidates")? as usize,
        within: keys.number("within")?,
        certainty: keys.number("certainty")?,
        stop_below: keys.number("stop_below")?,
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
