//! `basic` with other weights, and bonuses for the own back row and the edges of the board.

use super::rows::{count_material, count_moves, end_slots, ends, possible_move};
use crate::eval::{Sink, Term, TermDefault::Number, Terms, Weights, slot};
use crate::games::Side;
use crate::games::draughts::bits::Bits;
use crate::games::draughts::board::Geometry;
use crate::games::draughts::{BitsOf, Draughts, rules::Rules};

pub struct Extreme;

const ENDS: [Term; 3] = ends(500.0, -500.0, -400.0);

#[rustfmt::skip]
const TERMS: &[Term] = &[
    Term::linear("man", "material", Number(5.0), (0.0, 100.0), "a man"),
    Term::linear("king", "material", Number(10.0), (0.0, 500.0), "a king"),
    possible_move(2.0),
    Term::linear("back_row", "placement", Number(3.0), (-100.0, 100.0),
        "a man or king on the own back row"),
    Term::linear("edge_man", "placement", Number(1.0), (-100.0, 100.0),
        "a man at the left or right edge, where nothing can capture it"),
    Term::linear("edge_king", "placement", Number(2.0), (-100.0, 100.0),
        "a king at the left or right edge"),
    ENDS[0], ENDS[1], ENDS[2],
];

impl<R: Rules> Terms<Draughts<R>> for Extreme {
    const TERMS: &'static [Term] = TERMS;
    const ENDS: Option<[usize; 3]> = end_slots(TERMS);

    fn visit(position: &Draughts<R>, _weights: &Weights, sink: &mut impl Sink) {
        let (man, king) = const { (slot(TERMS, "man"), slot(TERMS, "king")) };
        count_material(position, man, king, sink);
        count_moves(position, const { slot(TERMS, "move") }, sink);
        let mut add = |slot, of: &dyn Fn(Side) -> BitsOf<R>| {
            let count = |side| of(side).count() as i32;
            sink.add(slot, count(Side::White), count(Side::Black));
        };
        // The enemy's men promote on the own back row.
        add(const { slot(TERMS, "back_row") }, &|side| {
            position.pieces(side) & Draughts::<R>::far_row(side.other())
        });
        let edges = BitsOf::<R>::from_u64(const { edges(R::Board::ROWS, R::Board::WIDTH) });
        add(const { slot(TERMS, "edge_man") }, &|side| {
            position.men(side) & edges
        });
        add(const { slot(TERMS, "edge_king") }, &|side| {
            position.kings(side) & edges
        });
    }
}

/// The squares in the first and last column of a board.
const fn edges(rows: usize, width: usize) -> u64 {
    let all_squares = rows == width;
    let mut set = 0;
    let mut row = 0;
    while row < rows {
        // On dark squares the even rows, counted from the top, start with a light square.
        if all_squares || row % 2 == 1 {
            set |= 1 << (row * width);
        }
        if all_squares || row % 2 == 0 {
            set |= 1 << (row * width + width - 1);
        }
        row += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_of_a_checkers_board_are_the_older_programs_safe_squares() {
        let safe = [3, 4, 11, 12, 19, 20, 27, 28];
        let mask = safe.iter().fold(0, |mask, bit| mask | 1 << bit);
        assert_eq!(edges(8, 4), mask);
        assert_eq!(edges(10, 5).count_ones(), 10);
        assert_eq!(edges(8, 8), 0x8181_8181_8181_8181);
    }
}
