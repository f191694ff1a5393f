//! The companion files of `games.csv`: the games as text, and the moves one by one.

use super::ledger::GrowingFile;
use super::rows::MOVE_COLUMNS;

/// The format of a companion file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `games.pgn` or `games.pdn`: the extension.
    Collection(&'static str),
    /// `moves.csv`.
    Moves,
}

impl Companion {
    pub fn file_name(&self) -> String {
        match self {
            Companion::Collection(extension) => format!("games.{extension}"),
            Companion::Moves => "moves.csv".to_string(),
        }
    }

    pub(super) fn growing(&self) -> GrowingFile {
        GrowingFile {
            name: self.file_name(),
            header: match self {
                Companion::Collection(_) => String::new(),
                Companion::Moves => MOVE_COLUMNS.join(",") + "\n",
            },
        }
    }
}
