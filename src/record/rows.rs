//! The rows of the CSV files. Field order is column order.

use serde::{Deserialize, Serialize};

use crate::games::{GameResult, Side};
use crate::stats::PlayerResult;

/// The header of `games.csv`.
pub const GAME_COLUMNS: [&str; 11] = [
    "game",
    "pair",
    "white",
    "black",
    "opening",
    "result",
    "termination",
    "plies",
    "white_nodes",
    "black_nodes",
    "moves",
];

/// One game of `games.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// Numbered from 1.
    pub game: u64,
    /// Numbered from 1; both games of a pair start from the same opening.
    pub pair: u64,
    pub white: String,
    pub black: String,
    /// FEN of the position the players began from.
    pub opening: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: GameResult,
    pub termination: String,
    pub plies: u64,
    pub white_nodes: u64,
    pub black_nodes: u64,
    /// From the opening on, separated by blanks.
    pub moves: String,
}

impl GameRow {
    /// The result as white sees it.
    pub const fn result_for_white(&self) -> PlayerResult {
        player_result(self.result, Side::White)
    }
}

/// What a game's result means for the player of one side.
pub const fn player_result(result: GameResult, side: Side) -> PlayerResult {
    match (result, side) {
        (GameResult::Draw, _) => PlayerResult::Draw,
        (GameResult::WhiteWins, Side::White) | (GameResult::BlackWins, Side::Black) => {
            PlayerResult::Win
        }
        (GameResult::WhiteWins, Side::Black) | (GameResult::BlackWins, Side::White) => {
            PlayerResult::Loss
        }
    }
}

/// The header of `moves.csv`.
pub const MOVE_COLUMNS: [&str; 8] = [
    "game", "ply", "side", "move", "score", "mate", "depth", "nodes",
];

/// One move of `moves.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRow {
    /// The game's number in `games.csv`.
    pub game: u64,
    /// Numbered from 1 in each game.
    pub ply: u64,
    /// `white` or `black`.
    pub side: String,
    #[serde(rename = "move")]
    pub text: String,
    /// In the evaluator's unit, from the mover's side; blank where a mate is seen.
    pub score: String,
    /// Moves to mate: below 0 if the mover is mated; blank where none is seen.
    pub mate: String,
    /// The last depth searched to its end.
    pub depth: u32,
    pub nodes: u64,
}

/// One player of `standings.csv`. Figures are written as text: a cell without a value is blank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingRow {
    pub rank: usize,
    pub player: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub score: String,
    pub elo: String,
    pub elo_low: String,
    pub elo_high: String,
    pub los: String,
}

/// One pairing of `pairings.csv`, from the first player's side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingRow {
    pub player: String,
    pub opponent: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub ll: u64,
    pub ld: u64,
    pub dd_wl: u64,
    pub wd: u64,
    pub ww: u64,
    pub score: String,
    pub elo: String,
    pub elo_low: String,
    pub elo_high: String,
    pub nelo: String,
    pub los: String,
    pub llr: String,
}
