//! `manifest.json`: the typed facts of a run, for all readers of its files. Written once, before the
//! first game. Plain types, so that readers need neither the config code nor the games.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::disk::replace_file;
use super::error::RecordError;
use super::run_files::read_listed;
use super::shard::ShardEntry;
use crate::stats::{Model, Race, RaceRules, Sprt};

/// The name of the file in a run directory.
pub const MANIFEST: &str = "manifest.json";

/// The format version. Increase it when current readers would misread the file.
const FORMAT: u32 = 1;

/// The facts of a run that are not in its games.
///
/// ```
/// use sparring::record::Manifest;
/// use std::path::Path;
///
/// let manifest = Manifest::read(Path::new("tests/golden/report/match"))?;
/// assert_eq!(manifest.game, "chess");
/// let names: Vec<&str> = manifest.players.iter().map(|player| player.name.as_str()).collect();
/// assert_eq!(names, ["candidate", "baseline"]);
/// # Ok::<(), sparring::record::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this file's format.
    pub format: u32,
    /// The program that started the run, with its version.
    pub program: String,
    /// The run's name.
    pub name: String,
    pub game: String,
    pub board: BoardShape,
    pub seed: u64,
    pub schedule: ScheduleEntry,
    pub openings: OpeningsEntry,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtEntry>,
    /// Only for tuning runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningEntry>,
    /// Only for parts of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardEntry>,
    /// In the order of the config, sweeps expanded.
    pub players: Vec<PlayerEntry>,
    /// Every key of the config outside the players, as `section.key`.
    pub settings: BTreeMap<String, Setting>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardShape {
    pub rows: usize,
    pub columns: usize,
    pub squares: SquareNames,
}

/// The notation of squares in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SquareNames {
    /// The letter of a column and the number of a row, such as `a1`.
    Coordinates,
    /// Only playable squares have a number.
    Numbers,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduleEntry {
    /// The name of the format, such as `round-robin`.
    pub format: String,
    /// Pairings of two players.
    pub pairings: u64,
    /// Opening pairs of each pairing; a pair is two games.
    pub pairs: u64,
    /// Only for races, whose pairings above are those of the confirmation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<RaceEntry>,
}

/// See [`RaceRules`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RaceEntry {
    /// Opening pairs before the confirmation, at most.
    pub budget: u64,
    /// Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    pub certainty: f64,
    /// With `within`: openings between two looks.
    pub look: u64,
}

impl RaceEntry {
    fn test(&self) -> Result<(), String> {
        let is_certain = self.certainty > 0.0 && self.certainty < 1.0;
        if is_certain && self.budget <= RaceRules::MOST_PAIRS {
            return Ok(());
        }
        let (budget, certainty) = (self.budget, self.certainty);
        Err(format!("no race: budget {budget}, certainty {certainty}"))
    }
}

impl From<&RaceRules> for RaceEntry {
    fn from(rules: &RaceRules) -> RaceEntry {
        RaceEntry {
            budget: rules.budget,
            within: rules.within,
            certainty: rules.certainty,
            look: rules.look,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsEntry {
    /// `random`, `start` or a file.
    pub source: String,
    /// Random plies, or plies taken from each game of a file.
    pub plies: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtEntry {
    pub model: String,
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    /// The error rates are those of all pairings together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub family: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuningEntry {
    pub method: String,
    /// The tuned player.
    pub player: String,
    /// The tuned numbers, in the order of `trajectory.csv`.
    pub parameters: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerEntry {
    pub name: String,
    /// The name in the config, which all players of a sweep share.
    pub base: String,
    #[serde(flatten)]
    pub kind: PlayerSource,
    pub limit: LimitEntry,
    /// Keys of the player that are not swept.
    pub values: BTreeMap<String, Setting>,
    /// Swept keys with this player's values, in the order of the sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<SweptSetting>,
    /// Why its games differ between runs; absent if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_reproducible: Option<String>,
}

/// What chooses the moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PlayerSource {
    Search { evaluator: String },
    Engine { program: String },
}

/// The limits of a search: the first one reached ends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitEntry {
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockEntry>,
}

/// The time of a whole game, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockEntry {
    pub time: f64,
    /// Added after every move.
    pub increment: f64,
    /// How far the clock may be exceeded.
    pub margin: f64,
    /// The number of moves that `time` is for; absent: the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweptSetting {
    pub key: String,
    pub value: Setting,
}

/// A value of a config.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    Truth(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Setting>),
    Table(BTreeMap<String, Setting>),
}

impl Setting {
    /// The value, if it is a finite number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Setting::Whole(number) => Some(*number as f64),
            Setting::Number(number) => Some(*number).filter(|number| number.is_finite()),
            _ => None,
        }
    }
}

/// The text in charts and tables.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Truth(truth) => write!(f, "{truth}"),
            Setting::Whole(number) => write!(f, "{number}"),
            Setting::Number(number) => write!(f, "{number:?}"),
            Setting::Text(text) => f.write_str(text),
            Setting::List(items) => {
                let items: Vec<String> = items.iter().map(Setting::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Setting::Table(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("{key} = {value}"))
                    .collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

impl From<&Sprt> for SprtEntry {
    fn from(sprt: &Sprt) -> SprtEntry {
        SprtEntry {
            model: sprt.model().name().to_string(),
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            family: false,
        }
    }
}

impl SprtEntry {
    fn test(&self) -> Result<Sprt, String> {
        let model = Model::ALL
            .into_iter()
            .find(|model| model.name() == self.model)
            .ok_or_else(|| format!("unknown SPRT model `{}`", self.model))?;
        Sprt::new(model, self.elo0, self.elo1)
            .and_then(|sprt| sprt.with_error_rates(self.alpha, self.beta))
            .map_err(|error| error.to_string())
    }
}

/// Only the part that determines whether the rest is readable.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

impl Manifest {
    /// The format and the program of runs that start now.
    pub fn current() -> (u32, String) {
        (FORMAT, format!("sparring {}", env!("CARGO_PKG_VERSION")))
    }

    /// Reads the manifest of a run directory.
    pub fn read(directory: &Path) -> Result<Manifest, RecordError> {
        let found = Manifest::read_if_there(directory)?;
        found.ok_or_else(|| RecordError::NoManifest {
            path: directory.to_path_buf(),
        })
    }

    /// The same; `None` if there is no such file.
    pub fn read_if_there(directory: &Path) -> Result<Option<Manifest>, RecordError> {
        let path = directory.join(MANIFEST);
        let Some(text) = read_listed(directory, MANIFEST)? else {
            return Ok(None);
        };
        let wrong = |line: u64, message: String| RecordError::Manifest {
            path: path.clone(),
            line,
            message,
        };
        let unread = |error: serde_json::Error| wrong(error.line() as u64, error.to_string());
        let Head { format } = serde_json::from_str(&text).map_err(unread)?;
        if format != FORMAT {
            return Err(wrong(
                1,
                format!("format {format}; this version reads format {FORMAT}"),
            ));
        }
        let manifest: Manifest = serde_json::from_str(&text).map_err(unread)?;
        if let Some(sprt) = &manifest.sprt {
            sprt.test().map_err(|message| wrong(1, message))?;
        }
        if let Some(race) = &manifest.schedule.race {
            race.test().map_err(|message| wrong(1, message))?;
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest into a run directory.
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        let text = self.text(directory)?;
        replace_file(&directory.join(MANIFEST), text.as_bytes())
    }

    /// The content of the file.
    pub fn text(&self, directory: &Path) -> Result<String, RecordError> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| RecordError::Manifest {
            path: directory.join(MANIFEST),
            line: 0,
            message: error.to_string(),
        })?;
        Ok(text + "\n")
    }

    /// The sequential test of the run.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt.as_ref()?.test().ok()
    }

    /// How many pairings keep the error rates of the test together; `None` if each does by itself.
    pub fn family(&self) -> Option<usize> {
        let is_family = self.sprt.as_ref().is_some_and(|sprt| sprt.family);
        let pairings = usize::try_from(self.schedule.pairings).unwrap_or(usize::MAX);
        is_family.then_some(pairings)
    }

    /// Pairs of the whole schedule.
    pub fn pair_count(&self) -> u64 {
        let race = self.schedule.race.as_ref().map_or(0, |race| race.budget);
        race + self.schedule.pairings * self.schedule.pairs
    }

    /// A race before its first game, if the run is one.
    pub fn race(&self) -> Option<Race> {
        let race = self.schedule.race.as_ref()?;
        let rules = RaceRules {
            budget: race.budget,
            within: race.within,
            certainty: race.certainty,
            look: race.look,
            confirm: self.schedule.pairs,
            seed: self.seed,
        };
        Some(Race::new(self.players.len(), rules))
    }

    /// The player whose rating is 0, if one was chosen.
    pub fn anchor(&self) -> Option<&str> {
        match self.settings.get("match.anchor") {
            Some(Setting::Text(name)) => Some(name),
            _ => None,
        }
    }

    /// Games of the whole schedule.
    pub fn game_count(&self) -> u64 {
        2 * self.pair_count()
    }

    /// Players whose games differ between runs.
    pub fn not_reproducible(&self) -> impl Iterator<Item = &PlayerEntry> {
        self.players
            .iter()
            .filter(|player| player.not_reproducible.is_some())
    }

    pub fn player(&self, name: &str) -> Option<&PlayerEntry> {
        self.players.iter().find(|player| player.name == name)
    }

    /// The keys that any player was swept over, in the order of the config.
    pub fn swept_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for swept in self.players.iter().flat_map(|player| &player.swept) {
            if !keys.contains(&swept.key) {
                keys.push(swept.key.clone());
            }
        }
        keys
    }
}

impl PlayerEntry {
    /// The value of a swept key, if this player has it.
    pub fn swept_value(&self, key: &str) -> Option<&Setting> {
        let found = self.swept.iter().find(|swept| swept.key == key);
        found.map(|swept| &swept.value)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use super::*;

    /// A manifest of two players, one of them swept.
    pub fn sample() -> Manifest {
        let (format, program) = Manifest::current();
        let player = |name: &str, swept: Vec<SweptSetting>| PlayerEntry {
            name: name.to_string(),
            base: name.split(' ').next().unwrap_or("").to_string(),
            kind: PlayerSource::Search {
                evaluator: "basic".to_string(),
            },
            limit: LimitEntry {
                depth: Some(3),
                ..LimitEntry::default()
            },
            values: BTreeMap::from([("weights.king".to_string(), Setting::Number(1.0))]),
            swept,
            not_reproducible: None,
        };
        let swept = SweptSetting {
            key: "depth".to_string(),
            value: Setting::Whole(3),
        };
        Manifest {
            format,
            program,
            name: "sample".to_string(),
            game: "checkers".to_string(),
            board: BoardShape {
                rows: 8,
                columns: 8,
                squares: SquareNames::Numbers,
            },
            seed: 7,
            schedule: ScheduleEntry {
                format: "round-robin".to_string(),
                pairings: 1,
                pairs: 5,
                race: None,
            },
            openings: OpeningsEntry {
                source: "random".to_string(),
                plies: 8,
            },
            sprt: Some(SprtEntry {
                model: "logistic".to_string(),
                elo0: 0.0,
                elo1: 5.0,
                alpha: 0.1,
                beta: 0.1,
                family: false,
            }),
            tuning: None,
            shard: None,
            players: vec![
                player("one", Vec::new()),
                player("two depth=3", vec![swept]),
            ],
            settings: BTreeMap::from([("match.max_plies".to_string(), Setting::Whole(0))]),
        }
    }

    #[test]
    fn a_manifest_reads_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = sample();
        manifest.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
        let sprt = manifest.sprt().unwrap();
        assert_eq!((sprt.model(), sprt.alpha()), (Model::Logistic, 0.1));
        assert_eq!(manifest.swept_keys(), ["depth"]);
        assert_eq!(manifest.game_count(), 10);
    }

    #[test]
    fn numbers_keep_their_kind() {
        let text = serde_json::to_string(&[Setting::Whole(1), Setting::Number(1.0)]).unwrap();
        assert_eq!(text, "[1,1.0]");
        let read: Vec<Setting> = serde_json::from_str(&text).unwrap();
        assert_eq!(read, [Setting::Whole(1), Setting::Number(1.0)]);
    }

    #[test]
    fn a_missing_damaged_or_newer_manifest_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |text: &str| {
            fs::write(folder.path().join(MANIFEST), text).unwrap();
            Manifest::read(folder.path()).unwrap_err().to_string()
        };
        let missing = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(missing.contains("no manifest.json"), "{missing}");
        let damaged = refused("{\n \"format\": 1,\n");
        assert!(damaged.contains("manifest.json:3: "), "{damaged}");
        let newer = refused("{\"format\": 9, \"anything\": true}");
        assert!(newer.contains("format 9; this version reads"), "{newer}");
        let mut wrong = sample();
        if let Some(sprt) = &mut wrong.sprt {
            sprt.alpha = 2.0;
        }
        wrong.write(folder.path()).unwrap();
        let refused = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("alpha = 2"), "{refused}");
    }
}
