//! The numbers of pieces, and what depends only on them.

use super::bits::count;
use super::danger::Signs;
use super::endings;
use super::material::PHASE;
use crate::eval::OPENING;
use crate::games::chess::{Color, Piece, Position};

/// Pawns to queens.
pub const KINDS: usize = 5;

/// Bits of a number of pieces.
const BITS: usize = 5;

/// The numbers of pawns, knights, bishops, rooks and queens of each side: five bits per number,
/// white's in the upper half. No side has more than sixteen pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Numbers(pub u64);

/// One side's numbers, by [`Piece`].
pub type PieceCounts = [i32; KINDS];

impl Numbers {
    #[inline(always)]
    pub fn new(pieces: [&[u64; 6]; 2]) -> Numbers {
        let mut numbers = 0;
        for side in pieces {
            numbers <<= 32;
            for (kind, &set) in side[..KINDS].iter().enumerate() {
                numbers |= (count(set) as u64) << (BITS * kind);
            }
        }
        Numbers(numbers)
    }

    pub fn of<const FRC: bool>(position: &Position<FRC>) -> Numbers {
        let board = position.board();
        let side = |color| {
            let all = board.colors(color);
            Piece::ALL.map(|piece| (board.pieces(piece) & all).0)
        };
        Numbers::new([&side(Color::White), &side(Color::Black)])
    }

    /// White's and black's.
    pub fn sides(self) -> [PieceCounts; 2] {
        let side = |half: u64| std::array::from_fn(|kind| (half >> (BITS * kind) & 31) as i32);
        [side(self.0 >> 32), side(self.0)]
    }

    /// The game phase.
    pub fn phase(self) -> i32 {
        let [white, black] = self.sides();
        let sum: i32 = (0..KINDS)
            .map(|kind| PHASE[kind] * (white[kind] + black[kind]))
            .sum();
        sum.min(OPENING)
    }
}

/// Facts that follow from the numbers of pieces.
#[derive(Clone, Copy)]
pub struct MaterialFacts {
    pub phase: i32,
    /// Danger to white's king and to black's before counting attackers.
    pub danger: [i32; 2],
    /// Whether a side has only its king.
    pub lone_king: bool,
    /// Whether [`endings::scaled`] can change the score.
    pub scalable: bool,
}

impl MaterialFacts {
    pub fn new(numbers: Numbers, signs: &Signs) -> MaterialFacts {
        let [white, black] = numbers.sides();
        let bare = |side: &PieceCounts| side.iter().all(|&number| number == 0);
        MaterialFacts {
            phase: numbers.phase(),
            danger: [signs.before_attacks(&black), signs.before_attacks(&white)],
            lone_king: bare(&white) || bare(&black),
            scalable: endings::scalable(&white, &black) || endings::scalable(&black, &white),
        }
    }
}
