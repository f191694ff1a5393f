//! Piece values and piece-square tables, both tapered, and the phase they taper by.

use super::bits::{count, squares};
use super::numbers::Numbers;
use super::view::Scene;
use super::{TERMS, tables};
use crate::eval::TermDefault::{Tapered, TaperedSquares};
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn piece_value(
    name: &'static str,
    default: TermDefault,
    most: f64,
    help: &'static str,
) -> Term {
    Term::linear(name, "material", default, (0.0, most), help)
}

const fn table(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "tables", default, (-300.0, 300.0), help)
}

pub const ROWS: &[Term] = &[
    piece_value("pawn", Tapered(68.0, 81.0), 500.0, "a pawn"),
    piece_value("knight", Tapered(365.0, 195.0), 1500.0, "a knight"),
    piece_value("bishop", Tapered(379.0, 218.0), 1500.0, "a bishop"),
    piece_value("rook", Tapered(428.0, 434.0), 2000.0, "a rook"),
    piece_value("queen", Tapered(1052.0, 647.0), 4000.0, "a queen"),
    piece_value(
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

/// The slot of each piece's value, without the king.
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

/// Phase weight by [`Piece`]: 24 in total in the starting position.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Values and tables of one side.
pub fn visit(at: &Scene<'_>, sink: &mut impl Sink) {
    let &Scene { way, us, .. } = at;
    for piece in Piece::ALL {
        let set = us.pieces(piece);
        if let Some(&value) = VALUES.get(piece as usize) {
            sink.count(value, count(set));
        }
        for square in squares(set) {
            sink.count(TABLES[piece as usize] + way.table_index(square), 1);
        }
    }
}

/// The bishop pair is separate from the values because it belongs to no single piece.
pub fn visit_pairs(numbers: Numbers, sink: &mut impl Sink) {
    let [white, black] = numbers
        .sides()
        .map(|side| i32::from(side[Piece::Bishop as usize] > 1));
    sink.add(BISHOP_PAIR, white, black);
}
