//! The result of a game by colour. Which player had which colour is stored elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Outcome, Side};

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum GameResult {
    WhiteWins,
    BlackWins,
    Draw,
}

impl GameResult {
    pub const ALL: [GameResult; 3] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
    ];

    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::WhiteWins => Some(Side::White),
            GameResult::BlackWins => Some(Side::Black),
            GameResult::Draw => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// An invalid result text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownResult(pub String);

impl fmt::Display for UnknownResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "result `{}`: expected 1-0, 0-1 or 1/2-1/2", self.0)
    }
}

impl std::error::Error for UnknownResult {}

impl FromStr for GameResult {
    type Err = UnknownResult;

    fn from_str(text: &str) -> Result<GameResult, UnknownResult> {
        let found = GameResult::ALL
            .into_iter()
            .find(|result| result.text() == text);
        found.ok_or_else(|| UnknownResult(text.to_string()))
    }
}

impl TryFrom<String> for GameResult {
    type Error = UnknownResult;

    fn try_from(text: String) -> Result<GameResult, UnknownResult> {
        text.parse()
    }
}

impl From<GameResult> for &'static str {
    fn from(result: GameResult) -> &'static str {
        result.text()
    }
}

impl From<Side> for GameResult {
    fn from(winner: Side) -> GameResult {
        match winner {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner.map_or(GameResult::Draw, GameResult::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_as_they_are_written() {
        for result in GameResult::ALL {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        let refused = "2-0".parse::<GameResult>().unwrap_err().to_string();
        assert_eq!(refused, "result `2-0`: expected 1-0, 0-1 or 1/2-1/2");
    }
}
