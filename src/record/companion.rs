//! The companion files of `games.csv`: the games as text, and the moves one by one.

use super::journal::TimeColumns;
use super::ledger::GrowingFile;
use super::rows::{MOVE_COLUMNS, UNTIMED_MOVE_COLUMNS};

/// The format of a companion file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `games.pgn` or `games.pdn`: the extension.
    Collection(&'static str),
    /// `final.epd` or `final.fen`, the last positions of games: the extension.
    Final(&'static str),
    /// `moves.csv`, with the times of moves or without.
    Moves(TimeColumns),
}

impl Companion {
    pub fn file_name(&self) -> String {
        match self {
            Companion::Collection(extension) => format!("games.{extension}"),
            Companion::Final(extension) => format!("final.{extension}"),
            Companion::Moves(_) => "moves.csv".to_string(),
        }
    }

    pub(super) fn growing(&self) -> GrowingFile {
        GrowingFile {
            name: self.file_name(),
            header: match self {
                Companion::Collection(_) | Companion::Final(_) => String::new(),
                Companion::Moves(TimeColumns::Present) => MOVE_COLUMNS.join(",") + "\n",
                Companion::Moves(TimeColumns::Absent) => UNTIMED_MOVE_COLUMNS.join(",") + "\n",
            },
        }
    }
}
