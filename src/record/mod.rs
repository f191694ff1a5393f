//! The run directory: what a run leaves on disk, and how it is taken up again. Knows plain
//! rows only, nothing of games or searches.

mod collection;
mod collection_reader;
mod companion;
mod error;
mod journal;
mod rows;
mod tables;
mod tally;

pub use collection::{CollectionFormat, GameText, MoveText};
pub use collection_reader::{
    CollectionError, CollectionKind, CollectionReader, ReadGame, ReadMove,
};
pub use companion::Companion;
pub use error::RecordError;
pub use journal::{Journal, PairEntry, Resumed, csv_rows, read_games, replace_file};
pub use rows::{GameRow, MoveRow, PairingRow, StandingRow};
pub use tables::{pairing_rows, standing_rows, write_rows};
pub use tally::{PairingTally, PlayerTally, Tally};
