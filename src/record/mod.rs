//! The run directory: what a run leaves on disk, and how it is taken up again. Knows plain
//! rows only, nothing of games or searches.

mod collection;
mod collection_reader;
mod games_reader;
mod journal;
mod rows;
mod run_facts;
mod tables;
mod tally;

pub use collection::{CollectionFormat, GameText, MoveText};
pub use collection_reader::{
    CollectionError, CollectionKind, CollectionReader, ReadGame, ReadMove,
};
pub use games_reader::{read_games, read_texts};
pub use journal::{Journal, RecordError, Resumed, replace_file};
pub use rows::{GameRow, PairingRow, StandingRow};
pub use run_facts::RunFacts;
pub use tables::{Standing, pairing_rows, standing_rows, standings, write_rows};
pub use tally::{PairingTally, PlayerTally, Tally};
