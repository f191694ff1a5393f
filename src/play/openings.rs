//! Opening positions.

use std::fmt;
use std::sync::Arc;

use super::polyglot::{BookChoice, PolyglotBook};
use super::stream::{Purpose, Stream};
use crate::eval::Score;
use crate::games::{AnyGame, AnyPosition};

/// The source of opening positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Every game from the start position (in Chess960: a random one).
    Start,
    /// This many random moves from the start position.
    Random {
        plies: u32,
        /// Positions that a short search scores at this or more for either side, in score steps, are
        /// drawn again, see [`Worker::draw_opening`](super::Worker::draw_opening); `None` keeps all.
        reject: Option<Score>,
    },
    /// Validated FENs in playing order, see `Schedule::opening_of`.
    Listed { fens: Vec<String> },
    /// At most this many moves of a Polyglot book, drawn for every pair.
    Book {
        book: Arc<PolyglotBook>,
        plies: u32,
        choice: BookChoice,
    },
}

/// The order in which the positions of a file are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    Sequential,
    /// Shuffled by the seed of the run.
    Shuffled,
}

impl OpeningOrder {
    pub const ALL: [OpeningOrder; 2] = [OpeningOrder::Sequential, OpeningOrder::Shuffled];

    pub const fn name(self) -> &'static str {
        match self {
            OpeningOrder::Sequential => "sequential",
            OpeningOrder::Shuffled => "shuffled",
        }
    }

    /// Moves the first `wanted` items of this order to the front and drops the others. A larger
    /// `wanted` does not change the first ones.
    pub fn arrange<T>(self, items: &mut Vec<T>, wanted: usize, seed: u64) {
        let wanted = wanted.min(items.len());
        if self == OpeningOrder::Shuffled {
            // Pairs count from 1: stream 0 is free for all pairs together.
            let mut stream = Stream::new(seed, 0, Purpose::OpeningOrder);
            for place in 0..wanted {
                let rest = (items.len() - place) as u64;
                items.swap(place, place + stream.below(rest) as usize);
            }
        }
        items.truncate(wanted);
    }
}

/// No opening could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningsError {
    /// Random moves always ended the game.
    NoneFound {
        plies: u32,
    },
    Listed {
        message: String,
    },
    /// The book has no move in the start position.
    NoBookMove,
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::NoneFound { plies } => write!(
                f,
                "no game survived {plies} random plies undecided in {ATTEMPTS} attempts; choose fewer plies, or \
                 a larger openings.reject"
            ),
            OpeningsError::Listed { message } => f.write_str(message),
            OpeningsError::NoBookMove => {
                f.write_str("the book has no move with a weight in the start position")
            }
        }
    }
}

impl std::error::Error for OpeningsError {}

/// Enough attempts for any realistic number of plies.
const ATTEMPTS: u32 = 10_000;

impl Openings {
    /// The number of listed positions; 0 if they are random.
    pub fn listed(&self) -> usize {
        match self {
            Openings::Listed { fens } => fens.len(),
            _ => 0,
        }
    }

    /// An opening position: number `place` of the list, or a random one from the stream whose score,
    /// if `judge` knows one, is below the bound.
    pub fn draw(
        &self,
        rules: &dyn AnyGame,
        place: usize,
        stream: &mut Stream,
        judge: &mut dyn FnMut(&dyn AnyPosition) -> Option<Score>,
    ) -> Result<Box<dyn AnyPosition>, OpeningsError> {
        match *self {
            Openings::Start => Ok(random_start(rules, stream)),
            Openings::Random { plies, reject } => {
                let mut is_even = |position: &dyn AnyPosition| match reject {
                    // The start itself is as it is.
                    Some(bound) if plies > 0 => judge(position).is_none_or(|it| it.abs() < bound),
                    _ => true,
                };
                (0..ATTEMPTS)
                    .find_map(|_| {
                        random_walk(rules, plies, stream).filter(|it| is_even(it.as_ref()))
                    })
                    .ok_or(OpeningsError::NoneFound { plies })
            }
            Openings::Book {
                ref book,
                plies,
                choice,
            } => book
                .walk(rules, plies, choice, stream)
                .ok_or(OpeningsError::NoBookMove),
            Openings::Listed { ref fens } => {
                let fen = fens.get(place).map_or("", String::as_str);
                rules.read_fen(fen).map_err(|e| OpeningsError::Listed {
                    message: e.to_string(),
                })
            }
        }
    }
}

fn random_start(rules: &dyn AnyGame, stream: &mut Stream) -> Box<dyn AnyPosition> {
    rules.start(stream.below(u64::from(rules.facts().starts)) as u32)
}

/// A position after N random moves; `None` if the game ended before.
pub(super) fn random_walk(
    rules: &dyn AnyGame,
    plies: u32,
    stream: &mut Stream,
) -> Option<Box<dyn AnyPosition>> {
    let mut position = random_start(rules, stream);
    for _ in 0..plies {
        if position.end_by_position().is_some() {
            return None;
        }
        let moves = position.count_moves();
        if moves == 0 || !position.play(stream.below(moves) as usize) {
            return None;
        }
    }
    position.end().is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(order: OpeningOrder, count: usize, wanted: usize, seed: u64) -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        order.arrange(&mut items, wanted, seed);
        items
    }

    #[test]
    fn a_shuffled_order_holds_every_item_once_and_depends_on_the_seed_alone() {
        let all = arranged(OpeningOrder::Shuffled, 50, 50, 1);
        assert_ne!(all, arranged(OpeningOrder::Sequential, 50, 50, 1));
        assert_ne!(all, arranged(OpeningOrder::Shuffled, 50, 50, 2));
        assert_eq!(all, arranged(OpeningOrder::Shuffled, 50, 90, 1));
        assert_eq!(all[..7], arranged(OpeningOrder::Shuffled, 50, 7, 1));
        let mut sorted = all;
        sorted.sort_unstable();
        assert_eq!(sorted, arranged(OpeningOrder::Sequential, 50, 50, 1));
    }
}
