//! The run directory: the files of a run, and resuming it. Knows only plain rows, nothing of rules or
//! searches.

mod breakdown;
mod collection;
mod collection_reader;
mod companion;
mod directory;
mod error;
pub mod figures;
mod games_reader;
mod journal;
mod manifest;
mod played;
mod rows;
mod sheet;
mod standings;
mod tally;
mod trajectory;
mod tuning;

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
pub use rows::{GameRow, MoveRow, MoveScore, player_result};
pub use standings::{PairingStanding, Standing, Standings};
pub use tally::{PairingTally, PlayerTally, RunTally};
pub use trajectory::Trajectory;
pub use tuning::{
    Correlations, Grid, GridPoint, ParameterRow, TrajectoryColumns, TrajectoryRow, read_trajectory,
};
