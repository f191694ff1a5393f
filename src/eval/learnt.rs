//! Evaluators whose numbers are all in a file: nets and patterns.

use std::sync::Arc;

use super::net::{self, Net, NetError, read_tensors};
use super::patterns::{self, Patterns};
use crate::eval::catalog::GameId;

/// What a file of a learnt evaluator holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Learnt {
    Net(Arc<Net>),
    Patterns(Arc<Patterns>),
}

impl Learnt {
    /// Reads a file of either kind; `origin` is where it came from.
    pub fn read(bytes: &[u8], origin: &str) -> Result<Learnt, NetError> {
        let is_patterns = read_tensors(bytes)?
            .0
            .get("format")
            .is_some_and(|format| format == patterns::MAGIC);
        Ok(match is_patterns {
            true => Learnt::Patterns(Arc::new(Patterns::from_bytes(bytes)?.read_from(origin))),
            false => Learnt::Net(Arc::new(Net::from_bytes(bytes)?.read_from(origin))),
        })
    }

    /// The name of its evaluator.
    pub fn evaluator(&self) -> &'static str {
        match self {
            Learnt::Net(_) => net::NAME,
            Learnt::Patterns(_) => patterns::NAME,
        }
    }

    /// The name of the game it was made for.
    pub fn game(&self) -> &str {
        match self {
            Learnt::Net(net) => &net.parts().game,
            Learnt::Patterns(patterns) => patterns.game(),
        }
    }

    /// Why it cannot evaluate positions of this game.
    pub fn misfit(&self, game: GameId) -> Option<String> {
        let (of, name) = (self.game(), game.name());
        if family(of) != family(name) {
            let kind = match self {
                Learnt::Net(_) => "a net",
                Learnt::Patterns(_) => "patterns",
            };
            return Some(format!("{kind} for {of}, not for {name}"));
        }
        match self {
            Learnt::Net(net) if !net.shape().fits(&game.facts().layout) => Some(format!(
                "a net for {} squares and {} kinds of piece: not the board of {name}",
                net.shape().squares,
                net.shape().kinds,
            )),
            _ => None,
        }
    }

    /// The name of a file with these numbers: the same for the same bytes only.
    pub fn file_name(&self) -> String {
        match self {
            Learnt::Net(net) => net.file_name(),
            Learnt::Patterns(patterns) => patterns.file_name(),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Learnt::Net(net) => net.to_bytes(),
            Learnt::Patterns(patterns) => patterns.to_bytes(),
        }
    }

    /// Units of the score at which a side expects 73 % of the points.
    pub fn scale(&self) -> f64 {
        match self {
            Learnt::Net(net) => net.parts().scale,
            Learnt::Patterns(patterns) => patterns.parts().scale,
        }
    }

    pub fn origin(&self) -> &str {
        match self {
            Learnt::Net(net) => net.origin(),
            Learnt::Patterns(patterns) => patterns.origin(),
        }
    }
}

/// Games that differ only in their start positions share evaluators.
fn family(game: &str) -> &str {
    match game {
        "chess960" => "chess",
        game => game,
    }
}
