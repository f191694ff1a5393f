//! The rows of the CSV files. Field order is column order.

use serde::{Deserialize, Serialize};

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
    pub result: String,
    pub termination: String,
    pub plies: u64,
    pub white_nodes: u64,
    pub black_nodes: u64,
    /// From the opening on, separated by blanks.
    pub moves: String,
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
