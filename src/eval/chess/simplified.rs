//! Material and doubled piece-square tables: the evaluator of the desktop program in Python.
//!
//! Its board is turned by half a circle for black rather than mirrored, which only the queen's
//! lopsided table shows.

use super::{count_pieces, tables};
use crate::eval::TermDefault::{Number, Squares};
use crate::eval::{Sink, Term, Terms, Weights, slot};
use crate::games::chess::{BitBoard, Color, Piece, Position};

pub struct Simplified;

const TERMS: &[Term] = &[
    Term::linear("pawn", "material", Number(100.0), (0.0, 500.0), "a pawn"),
    Term::linear(
        "knight",
        "material",
        Number(320.0),
        (0.0, 1500.0),
        "a knight",
    ),
    Term::linear(
        "bishop",
        "material",
        Number(330.0),
        (0.0, 1500.0),
        "a bishop",
    ),
    Term::linear("rook", "material", Number(500.0), (0.0, 2000.0), "a rook"),
    Term::linear("queen", "material", Number(900.0), (0.0, 4000.0), "a queen"),
    Term::linear(
        "pawn_table",
        "tables",
        Squares(&tables::PAWN),
        (-300.0, 300.0),
        "a pawn on this square, counted twice",
    ),
    Term::linear(
        "knight_table",
        "tables",
        Squares(&tables::KNIGHT),
        (-300.0, 300.0),
        "a knight on this square, counted twice",
    ),
    Term::linear(
        "bishop_table",
        "tables",
        Squares(&tables::BISHOP),
        (-300.0, 300.0),
        "a bishop on this square, counted twice",
    ),
    Term::linear(
        "rook_table",
        "tables",
        Squares(&tables::ROOK),
        (-300.0, 300.0),
        "a rook on this square, counted twice",
    ),
    Term::linear(
        "queen_table",
        "tables",
        Squares(&tables::QUEEN),
        (-300.0, 300.0),
        "a queen on this square, counted twice; black's board is turned, not mirrored",
    ),
    Term::linear(
        "king_table",
        "tables",
        Squares(&tables::KING_MIDDLEGAME),
        (-300.0, 300.0),
        "the king on this square before the ending, counted twice",
    ),
    Term::linear(
        "king_ending_table",
        "tables",
        Squares(&tables::KING_ENDING),
        (-300.0, 300.0),
        "the king on this square in the ending, counted twice",
    ),
];

/// The program adds its table values two times.
const TWICE: i32 = 2;

impl<const FRC: bool> Terms<Position<FRC>> for Simplified {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_pieces(position, Piece::Pawn, const { slot(TERMS, "pawn") }, sink);
        count_pieces(
            position,
            Piece::Knight,
            const { slot(TERMS, "knight") },
            sink,
        );
        count_pieces(
            position,
            Piece::Bishop,
            const { slot(TERMS, "bishop") },
            sink,
        );
        count_pieces(position, Piece::Rook, const { slot(TERMS, "rook") }, sink);
        count_pieces(position, Piece::Queen, const { slot(TERMS, "queen") }, sink);
        place(
            position,
            Piece::Pawn,
            const { slot(TERMS, "pawn_table") },
            sink,
        );
        place(
            position,
            Piece::Knight,
            const { slot(TERMS, "knight_table") },
            sink,
        );
        place(
            position,
            Piece::Bishop,
            const { slot(TERMS, "bishop_table") },
            sink,
        );
        place(
            position,
            Piece::Rook,
            const { slot(TERMS, "rook_table") },
            sink,
        );
        place(
            position,
            Piece::Queen,
            const { slot(TERMS, "queen_table") },
            sink,
        );
        let king = if is_ending(position) {
            const { slot(TERMS, "king_ending_table") }
        } else {
            const { slot(TERMS, "king_table") }
        };
        place(position, Piece::King, king, sink);
    }
}

fn place<const FRC: bool>(
    position: &Position<FRC>,
    piece: Piece,
    table: usize,
    sink: &mut impl Sink,
) {
    let board = position.board();
    for square in board.colored_pieces(Color::White, piece) {
        sink.add(table + tables::white_index(square), TWICE, 0);
    }
    for square in board.colored_pieces(Color::Black, piece) {
        sink.add(table + tables::black_index_turned(square), 0, TWICE);
    }
}

/// Either side is down to three pieces beside king and pawns.
fn is_ending<const FRC: bool>(position: &Position<FRC>) -> bool {
    let board = position.board();
    let pieces = board.occupied() & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
    let few = |side: BitBoard| (pieces & side).len() <= 3;
    few(board.colors(Color::White)) || few(board.colors(Color::Black))
}
