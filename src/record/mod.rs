//! The run directory: the files of a run, and resuming it. Knows only plain rows, nothing of rules or
//! searches.

mod breakdown;
mod checksums;
mod collection;
mod collection_reader;
mod companion;
mod comparisons;
mod date;
mod directory;
mod disk;
mod error;
pub mod figures;
mod follow;
mod games_reader;
mod holder;
mod inspect;
mod journal;
mod latency;
mod ledger;
mod lock;
mod manifest;
mod played;
mod race_table;
mod repeats;
mod rows;
mod run_files;
mod shard;
mod sheet;
mod slices;
mod stamp;
mod standings;
mod tally;
mod timings;
mod trajectory;
mod tuning;
mod validation;
mod verify;

pub use crate::games::{GameResult, Side};
pub use breakdown::{Breakdown, Group, Grouping};
pub use collection::{CollectionFormat, CommentStyle, GameText, MoveFacts, MoveText};
pub use collection_reader::{
    CollectionError, CollectionKind, CollectionReader, ReadGame, ReadMove,
};
pub use companion::Companion;
pub use comparisons::{Comparison, PairedStanding, comparisons};
pub use date::utc_date_and_time;
pub use directory::Identity;
pub use disk::replace_file;
pub use error::RecordError;
pub use follow::{Followed, GamesFollower};
pub use games_reader::{read_games, read_run_games};
pub use holder::Holder;
pub use inspect::{Damage, GoodPair, GoodUnit, Inspection, inspect_games, inspect_log};
pub use journal::{Journal, PairEntry, Resumed, TimeColumns, csv_rows};
pub use latency::{Latencies, LatencyRow, MoveTiming, read_latencies};
pub use lock::{RunLock, machine, refuse_foreign};
pub use manifest::{
    BoardShape, ClockEntry, LimitEntry, MANIFEST, Manifest, OpeningsEntry, PlayerEntry,
    PlayerSource, RaceEntry, ScheduleEntry, Setting, SprtEntry, SquareNames, SweptSetting,
    TuningEntry,
};
pub use played::{LeftOut, read_played, read_results};
pub use race_table::write_race;
pub use repeats::{OncePerGame, Repeats, refuse_copies};
pub use rows::{
    GameOrigin, GameRow, MoveInfo, MoveRow, MoveScore, player_result, seconds_text, times_cell,
};
pub use run_files::{RunFiles, check_listed, has_page, inspect_files, is_listed_as, keep_input};
pub use shard::{ShardEntry, ShardPair, Shards};
pub use slices::{Slice, SlicePoint};
pub use standings::{PairingStanding, Standing, Standings};
pub use tally::{PairingTally, PlayerTally, RunTally};
pub use timings::Timings;
pub use trajectory::{LoggedRows, Trajectory};
pub use tuning::{
    Correlations, Grid, GridPoint, ParameterRow, TrajectoryColumns, TrajectoryRow, read_trajectory,
};
pub use validation::{START, ValidationRow};
pub use verify::verify_run;
