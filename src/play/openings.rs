//! Where games begin.

use std::fmt;

use super::stream::Stream;
use crate::games::Game;

/// The source of opening positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Every game from the start position (of Chess960: one drawn by lot).
    Start,
    /// So many random moves from the start position.
    Random { plies: u32 },
    /// Positions as FEN, checked; pair *i* takes the *i*-th, from the beginning again at the end.
    Listed { fens: Vec<String> },
}

/// No opening could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningsError {
    /// Random moves kept running into the end of the game.
    NoneFound {
        plies: u32,
    },
    Listed {
        message: String,
    },
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::NoneFound { plies } => write!(
                f,
                "no game survived {plies} random plies in {ATTEMPTS} attempts; choose fewer plies"
            ),
            OpeningsError::Listed { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for OpeningsError {}

/// Enough for any number of plies that leaves a game worth playing.
const ATTEMPTS: u32 = 10_000;

impl Openings {
    /// The position that pair number `pair`, from 1, starts from.
    pub fn draw<G: Game>(&self, pair: u64, stream: &mut Stream) -> Result<G, OpeningsError> {
        match self {
            Openings::Start => Ok(random_start(stream)),
            Openings::Random { plies } => (0..ATTEMPTS)
                .find_map(|_| random_walk(*plies, stream))
                .ok_or(OpeningsError::NoneFound { plies: *plies }),
            Openings::Listed { fens } => {
                let index = (pair - 1) % fens.len().max(1) as u64;
                let fen = fens.get(index as usize).map_or("", String::as_str);
                G::from_fen(fen).map_err(|e| OpeningsError::Listed {
                    message: e.to_string(),
                })
            }
        }
    }
}

fn random_start<G: Game>(stream: &mut Stream) -> G {
    G::start(stream.below(u64::from(G::STARTS)) as u32)
}

/// A position after so many random moves, unless the game ended on the way.
fn random_walk<G: Game>(plies: u32, stream: &mut Stream) -> Option<G> {
    let mut position: G = random_start(stream);
    let mut moves = Vec::new();
    for _ in 0..plies {
        if position.end_by_position().is_some() {
            return None;
        }
        moves.clear();
        position.for_each_move(|mv| moves.push(mv));
        if moves.is_empty() {
            return None;
        }
        position.play(moves[stream.below(moves.len() as u64) as usize]);
    }
    position.end().is_none().then_some(position)
}
