//! Material and doubled piece-square tables: the evaluator of the older desktop program in Python.
//!
//! It rotates the board by 180 degrees for black instead of mirroring it. This matters only for
//! the queen's asymmetric table.

use super::rows::{BlackReads, PIECES, count_material, place, place_all, table};
use super::tables;
use crate::eval::TermDefault::Number;
use crate::eval::{Score, Sink, Term, Terms, Weights, slot};
use crate::games::chess::{BitBoard, Color, Piece, Position};
use crate::games::prelude::*;
use crate::games::{EndReason, Outcome, Side};

pub struct Simplified;

#[rustfmt::skip]
const TERMS: &[Term] = &[
    PIECES[0], PIECES[1], PIECES[2], PIECES[3], PIECES[4],
    table("pawn_table", "tables", &tables::PAWN, "a pawn on this square, counted twice"),
    table("knight_table", "tables", &tables::KNIGHT, "a knight on this square, counted twice"),
    table("bishop_table", "tables", &tables::BISHOP, "a bishop on this square, counted twice"),
    table("rook_table", "tables", &tables::ROOK, "a rook on this square, counted twice"),
    table("queen_table", "tables", &tables::QUEEN,
        "a queen on this square, counted twice; black's board is rotated, not mirrored"),
    table("king_table", "tables", &tables::KING_MIDDLEGAME,
        "the king on this square before the ending, counted twice"),
    table("king_ending_table", "tables", &tables::KING_ENDING,
        "the king on this square in the ending, counted twice"),
    Term::parameter("mate", "game over", Number(5000.0), (0.0, 1_000_000.0),
        "having mated the enemy in the ending, added to the other terms"),
    Term::parameter("stalemate", "game over", Number(-2000.0), (-1_000_000.0, 1_000_000.0),
        "having stalemated the enemy in the ending, added to the other terms"),
];

/// The older program adds its table values twice.
const TWICE: i32 = 2;

impl<const FRC: bool> Terms<Position<FRC>> for Simplified {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_material(position, const { slot(TERMS, "pawn") }, sink);
        let pawn_table = const { slot(TERMS, "pawn_table") };
        place_all(position, pawn_table, BlackReads::Turned, TWICE, sink);
        let king_table = if is_ending(position) {
            const { slot(TERMS, "king_ending_table") }
        } else {
            const { slot(TERMS, "king_table") }
        };
        place(
            position,
            Piece::King,
            king_table,
            BlackReads::Turned,
            TWICE,
            sink,
        );
    }

    /// The older program scores mate only in the ending. Before that, the search scores it.
    fn finished(
        position: &Position<FRC>,
        weights: &Weights,
        outcome: Outcome,
        viewer: Side,
        sum: Score,
    ) -> Option<Score> {
        let bonus = match outcome.reason {
            EndReason::CHECKMATE => const { slot(TERMS, "mate") },
            EndReason::STALEMATE => const { slot(TERMS, "stalemate") },
            _ => return None,
        };
        if !is_ending(position) {
            return None;
        }
        // In both cases the side to move has no moves: the other side gets the score.
        let sign = if position.side_to_move() == viewer {
            -1
        } else {
            1
        };
        Some(sum + sign * weights.get(bonus).opening)
    }
}

/// Either side has at most three pieces besides king and pawns.
fn is_ending<const FRC: bool>(position: &Position<FRC>) -> bool {
    let board = position.board();
    let pieces = board.occupied() & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
    let few = |side: BitBoard| (pieces & side).len() <= 3;
    few(board.colors(Color::White)) || few(board.colors(Color::Black))
}
