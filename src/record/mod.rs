//! The run directory: what a run leaves on disk, and how it is resumed. Knows plain rows only,
//! nothing of rules or searches.

mod breakdown;
mod collection;
mod collection_reader;
mod companion;
mod directory;
mod error;
mod games_reader;
mod journal;
mod manifest;
mod played;
mod rows;
mod tables;
mod tally;
mod trajectory;

pub use crate::games::{GameResult, Side};
pub use breakdown::{Breakdown, Group, Grouping};
pub use collection::{CollectionFormat, GameText, MoveText};
pub use collection_reader::{
    CollectionError, CollectionKind, CollectionReader, ReadGame, ReadMove,
};
pub use companion::Companion;
pub use directory::Identity;
pub use error::RecordError;
pub use games_reader::read_games;
pub use journal::{Journal, PairEntry, Resumed, csv_rows, replace_file};
pub use manifest::{
    BoardShape, ClockEntry, LimitEntry, MANIFEST, Manifest, OpeningsEntry, PlayerEntry,
    PlayerSource, ScheduleEntry, Setting, SprtEntry, SquareNames, SweptSetting, TuningEntry,
};
pub use played::{LeftOut, read_results};
pub use rows::{GameRow, MoveRow, MoveScore, PairingRow, StandingRow, player_result};
pub use tables::{Standing, pairing_rows, standing_rows, standings, write_rows};
pub use tally::{PairingTally, PlayerTally, Tally};
pub use trajectory::Trajectory;
