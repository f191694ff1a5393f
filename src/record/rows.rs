//! The rows of the CSV files. Field order is column order.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::games::{GameResult, Side};
use crate::stats::PlayerResult;

/// The header of `games.csv`. Other programs rely on the first eleven columns; files without the last
/// three are also accepted, and only runs with timed players have `times`.
pub const GAME_COLUMNS: [&str; 14] = [
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
    "first_mover",
    "scores",
    "times",
];

/// The columns of a run without timed players: those that are the same on every machine.
pub const UNTIMED_GAME_COLUMNS: &[&str] = GAME_COLUMNS.split_at(13).0;

/// One game of `games.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// Numbered from 1.
    pub game: u64,
    /// Numbered from 1; both games of a pair start from the same opening.
    pub pair: u64,
    pub white: String,
    pub black: String,
    /// FEN of the opening position.
    pub opening: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: GameResult,
    pub termination: String,
    pub plies: u64,
    pub white_nodes: u64,
    pub black_nodes: u64,
    /// Moves since the opening, separated by blanks.
    pub moves: String,
    /// The side that makes the first of these moves.
    pub first_mover: Option<Side>,
    /// One [`MoveScore`] or `?` for each move, separated by blanks; blank if none is known.
    pub scores: String,
    /// Seconds of each move, or `?`, separated by blanks. `None`: the file has no such column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
    /// Of a game from a collection; such games have no CSV row.
    #[serde(skip)]
    pub origin: Option<GameOrigin>,
}

/// Where a game of a collection comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameOrigin {
    /// FEN of the position before the first move; blank for the usual start. `opening` may hold book
    /// moves.
    pub start: String,
    pub line: u64,
}

impl GameRow {
    /// FEN of the position before the first move; blank for the usual start.
    pub fn start(&self) -> &str {
        self.origin
            .as_ref()
            .map_or(self.opening.as_str(), |origin| origin.start.as_str())
    }

    /// The scores of the moves, each from its mover's side; empty if none is known.
    pub fn move_scores(&self) -> impl Iterator<Item = Option<MoveScore>> {
        self.scores.split_whitespace().map(|text| text.parse().ok())
    }

    /// Seconds of the moves; empty if none is known.
    pub fn move_times(&self) -> impl Iterator<Item = Option<f64>> {
        let texts = self.times.as_deref().unwrap_or("").split_whitespace();
        let seconds = |text: &str| text.parse().ok().filter(|time: &f64| time.is_finite());
        texts.map(move |text| seconds(text).filter(|time| *time >= 0.0))
    }

    /// How many moves white and black made; `None` if the first mover matters and is unknown.
    pub fn moves_by_side(&self) -> Option<(u64, u64)> {
        let (first, second) = (self.plies.div_ceil(2), self.plies / 2);
        match self.first_mover {
            Some(Side::White) => Some((first, second)),
            Some(Side::Black) => Some((second, first)),
            None => (first == second).then_some((first, second)),
        }
    }

    /// The result as white sees it.
    pub const fn result_for_white(&self) -> PlayerResult {
        player_result(self.result, Side::White)
    }
}

/// A player's score of the position when it moved, from its own side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveScore {
    /// In pawns, or points of the game, with two decimals.
    Plain(f64),
    /// Moves to mate: below 0 if the mover is mated.
    Mate(i32),
}

impl MoveScore {
    /// The same position seen by the other side.
    pub fn negated(self) -> MoveScore {
        match self {
            MoveScore::Plain(value) => MoveScore::Plain(-value),
            MoveScore::Mate(moves) => MoveScore::Mate(-moves),
        }
    }

    /// The scores of a game as one cell.
    pub fn cell(scores: impl Iterator<Item = Option<MoveScore>>) -> String {
        cell_of_moves(scores)
    }
}

/// One value for each move, separated by blanks; blank if none is known.
fn cell_of_moves<T: fmt::Display>(values: impl Iterator<Item = Option<T>>) -> String {
    let mut any = false;
    let each = values.map(|value| {
        any |= value.is_some();
        value.map_or_else(|| "?".to_string(), |value| value.to_string())
    });
    let cell = each.collect::<Vec<_>>().join(" ");
    if any { cell } else { String::new() }
}

/// The times of a game as one cell.
pub fn times_cell(times: impl Iterator<Item = Option<Duration>>) -> String {
    cell_of_moves(times.map(|time| time.map(seconds_text)))
}

/// Seconds with microseconds.
pub fn seconds_text(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// As game collections write it: `+0.35`, `-M3`.
impl fmt::Display for MoveScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveScore::Plain(value) => write!(f, "{value:+.2}"),
            MoveScore::Mate(moves) if *moves < 0 => write!(f, "-M{}", moves.unsigned_abs()),
            MoveScore::Mate(moves) => write!(f, "+M{moves}"),
        }
    }
}

/// An invalid score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoScore;

impl FromStr for MoveScore {
    type Err = NoScore;

    fn from_str(text: &str) -> Result<MoveScore, NoScore> {
        if let Some(moves) = text.strip_prefix("+M") {
            return moves.parse().map(MoveScore::Mate).map_err(|_| NoScore);
        }
        if let Some(moves) = text.strip_prefix("-M") {
            let moves: Result<i32, _> = moves.parse();
            return moves
                .map(|moves| MoveScore::Mate(moves.saturating_neg()))
                .map_err(|_| NoScore);
        }
        let value: f64 = text.parse().map_err(|_| NoScore)?;
        match value.is_finite() {
            true => Ok(MoveScore::Plain(value)),
            false => Err(NoScore),
        }
    }
}

/// The result of a game for the player of one side.
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

/// The header of `moves.csv`; only runs with timed players have the last two.
pub const MOVE_COLUMNS: [&str; 10] = [
    "game", "ply", "side", "move", "score", "mate", "depth", "nodes", "time", "clock",
];

/// The columns of a run without timed players.
pub const UNTIMED_MOVE_COLUMNS: &[&str] = MOVE_COLUMNS.split_at(8).0;

/// Further figures of moves, which a run records on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveInfo {
    /// The longest line searched.
    Seldepth,
    /// Nodes per second.
    Nps,
    /// TT use per mille.
    Hashfull,
    /// The principal variation.
    Pv,
}

impl MoveInfo {
    /// In the order of their columns.
    pub const ALL: [MoveInfo; 4] = [
        MoveInfo::Seldepth,
        MoveInfo::Nps,
        MoveInfo::Hashfull,
        MoveInfo::Pv,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            MoveInfo::Seldepth => "seldepth",
            MoveInfo::Nps => "nps",
            MoveInfo::Hashfull => "hashfull",
            MoveInfo::Pv => "pv",
        }
    }
}

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
    /// In the evaluator's unit, from the mover's side; blank for mate scores.
    pub score: String,
    /// Moves to mate: below 0 if the mover is mated; blank for other scores.
    pub mate: String,
    /// The last completed depth.
    pub depth: u32,
    pub nodes: u64,
    /// Seconds of this move; blank if not measured. `None`: the file has no such column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Seconds left on the mover's clock after the move; blank without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// These columns exist where a run asks for them; blank where the player reports nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_a_game_read_as_they_are_written() {
        let scores = [
            Some(MoveScore::Plain(0.35)),
            None,
            Some(MoveScore::Mate(-3)),
            Some(MoveScore::Mate(4)),
        ];
        let cell = MoveScore::cell(scores.into_iter());
        assert_eq!(cell, "+0.35 ? -M3 +M4");
        let read: Vec<_> = cell.split(' ').map(|text| text.parse().ok()).collect();
        assert_eq!(read, scores);
        assert_eq!(MoveScore::cell([None, None].into_iter()), "");
        for none in ["", "?", "M", "+Mx", "inf", "NaN"] {
            assert_eq!(none.parse::<MoveScore>(), Err(NoScore), "{none}");
        }
    }
}
