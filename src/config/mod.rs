//! From text to meaning: a TOML file and `--set` overrides become a validated experiment. Every error
//! names the place, the value and the remedy.

mod book_files;
mod build;
mod endings;
mod engines;
mod keys;
mod kinds;
mod manifest;
mod nets;
mod openings;
mod players;
mod quick_match;
mod read;
mod resolved;
mod saved_engines;
mod source;
mod starter;
mod suggest;
mod train;
mod tune;
mod tune_files;
mod tune_parameters;
mod weights;

pub use build::{Loaded, LogSettings, load, load_text};
pub use engines::program_in_path;
pub use keys::{KEYS, Key, Scope, Section};
pub use kinds::{Kind, parse_time};
pub use nets::is_file as is_net_file;
pub use openings::{OpeningsFile, ReplayError, replay};
pub use players::{player_of, search_options};
pub use quick_match::{PlayerSetting, QuickMatch, load_match};
pub use resolved::{without_generations, without_pairs, without_validation};
pub use saved_engines::{SavedEngine, saved_engines};
pub use source::quoted;
pub use source::{ConfigError, ConfigNode, ConfigTable, Place, Value};
pub use starter::starter;
pub use suggest::{closest, did_you_mean};
pub use tune::{DataSource, LearnSettings, LoadedTune, load_tune, load_tune_text};
pub use tune_files::{Proof, ValidationMatch};
pub use weights::{evaluator, net_of_weights, set_weight_text, weights_are_proven};
