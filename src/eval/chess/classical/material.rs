//! Piece values and piece-square tables, both tapered, and the phase they taper by.

use super::bits::{count, squares, table_index};
use super::view::View;
use super::{TERMS, tables, tally};
use crate::eval::TermDefault::{Tapered, TaperedSquares};
use crate::eval::{OPENING, Sink, Term, TermDefault, slot};
use crate::games::chess::{Piece, Position};

const fn worth(name: &'static str, default: TermDefault, most: f64, help: &'static str) -> Term {
    Term::linear(name, "material", default, (0.0, most), help)
}

const fn table(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "tables", default, (-300.0, 300.0), help)
}

pub const ROWS: &[Term] = &[
    worth("pawn", Tapered(68.0, 81.0), 500.0, "a pawn"),
    worth("knight", Tapered(365.0, 195.0), 1500.0, "a knight"),
    worth("bishop", Tapered(379.0, 218.0), 1500.0, "a bishop"),
    worth("rook", Tapered(428.0, 434.0), 2000.0, "a rook"),
    worth("queen", Tapered(1052.0, 647.0), 4000.0, "a queen"),
    worth(
        "bishop_pair",
        Tapered(33.0, 53.0),
        300.0,
        "two or more bishops",
    ),
    table(
        "pawn_table",
        TaperedSquares(&tables::PAWN.0, &tables::PAWN.1),
        "a pawn on this square",
    ),
    table(
        "knight_table",
        TaperedSquares(&tables::KNIGHT.0, &tables::KNIGHT.1),
        "a knight on this square",
    ),
    table(
        "bishop_table",
        TaperedSquares(&tables::BISHOP.0, &tables::BISHOP.1),
        "a bishop on this square",
    ),
    table(
        "rook_table",
        TaperedSquares(&tables::ROOK.0, &tables::ROOK.1),
        "a rook on this square",
    ),
    table(
        "queen_table",
        TaperedSquares(&tables::QUEEN.0, &tables::QUEEN.1),
        "a queen on this square",
    ),
    table(
        "king_table",
        TaperedSquares(&tables::KING.0, &tables::KING.1),
        "the king on this square",
    ),
];

/// The slot of each piece's value, the king's left out.
pub const VALUES: [usize; 5] = [
    slot(TERMS, "pawn"),
    slot(TERMS, "knight"),
    slot(TERMS, "bishop"),
    slot(TERMS, "rook"),
    slot(TERMS, "queen"),
];

/// The first slot of each piece's table.
pub const TABLES: [usize; 6] = [
    slot(TERMS, "pawn_table"),
    slot(TERMS, "knight_table"),
    slot(TERMS, "bishop_table"),
    slot(TERMS, "rook_table"),
    slot(TERMS, "queen_table"),
    slot(TERMS, "king_table"),
];

const BISHOP_PAIR: usize = slot(TERMS, "bishop_pair");

/// What a piece adds to the phase, by [`Piece`]: 24 in the starting position.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// How much of the opening is left.
#[inline(always)]
pub fn phase<const FRC: bool>(position: &Position<FRC>) -> i32 {
    let board = position.board();
    let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let weight = |piece: Piece| PHASE[piece as usize];
    let sum = count(minors.0) * weight(Piece::Knight)
        + count(board.pieces(Piece::Rook).0) * weight(Piece::Rook)
        + count(board.pieces(Piece::Queen).0) * weight(Piece::Queen);
    sum.min(OPENING)
}

/// Values and tables of one side.
pub fn visit<const WHITE: bool>(view: &View, sink: &mut impl Sink) {
    let (us, _) = view.sides::<WHITE>();
    for piece in Piece::ALL {
        let set = us.pieces(piece);
        if let Some(&value) = VALUES.get(piece as usize) {
            tally::<WHITE>(sink, value, count(set));
        }
        for square in squares(set) {
            let index = TABLES[piece as usize] + table_index::<WHITE>(square);
            tally::<WHITE>(sink, index, 1);
        }
    }
}

/// The bishop pair stands apart from the values because no single piece carries it.
#[inline(always)]
pub fn visit_pair<const WHITE: bool>(view: &View, sink: &mut impl Sink) {
    let bishops = view.sides::<WHITE>().0.pieces(Piece::Bishop);
    tally::<WHITE>(
        sink,
        BISHOP_PAIR,
        i32::from(bishops & bishops.wrapping_sub(1) != 0),
    );
}
