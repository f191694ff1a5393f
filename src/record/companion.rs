//! The companion files of `games.csv`: the games as text, and the moves one by one.

use super::journal::TimeColumns;
use super::ledger::GrowingFile;
use super::rows::{MOVE_COLUMNS, MoveInfo, UNTIMED_MOVE_COLUMNS};

/// The format of a companion file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `games.pgn` or `games.pdn`: the extension.
    Collection(&'static str),
    /// `final.epd` or `final.fen`, the last positions of games: the extension.
    Final(&'static str),
    /// `moves.csv`, with the times of moves or without, and with further figures.
    Moves(TimeColumns, Vec<MoveInfo>),
}

impl Companion {
    pub fn file_name(&self) -> String {
        match self {
            Companion::Collection(extension) => format!("games.{extension}"),
            Companion::Final(extension) => format!("final.{extension}"),
            Companion::Moves(..) => "moves.csv".to_string(),
        }
    }

    pub(super) fn growing(&self) -> GrowingFile {
        GrowingFile {
            name: self.file_name(),
            header: match self {
                Companion::Collection(_) | Companion::Final(_) => String::new(),
                Companion::Moves(times, info) => {
                    let plain = match times {
                        TimeColumns::Present => &MOVE_COLUMNS[..],
                        TimeColumns::Absent => UNTIMED_MOVE_COLUMNS,
                    };
                    let info = info.iter().map(|it| it.name());
                    let columns: Vec<&str> = plain.iter().copied().chain(info).collect();
                    columns.join(",") + "\n"
                }
            },
        }
    }
}
