//! Material, mobility, attack and position: the evaluator of the older phone program.
//!
//! Only a description of that program survives. Constants it does not give are those of
//! `simplified`, a twentieth of a piece's value per attack on it, and 5 centipawns per move.

use super::moves::{attacks, pawn_attacks};
use super::rows::{BlackReads, PIECES, count_material, place, place_all, table};
use super::tables;
use crate::eval::TermDefault::{List, Number};
use crate::eval::{Score, Sink, Term, Terms, Weights, slot};
use crate::games::chess::{BitBoard, Color, Piece, Position};
use crate::games::prelude::*;
use crate::games::{EndReason, Outcome, Side};

pub struct FourFactor;

#[rustfmt::skip]
const TERMS: &[Term] = &[
    PIECES[0], PIECES[1], PIECES[2], PIECES[3], PIECES[4],
    Term::linear("mobility", "mobility", Number(5.0), (-50.0, 100.0),
        "a legal move of the side to move; the other side's are not counted"),
    Term::linear("attack", "attack", List(&[5.0, 16.0, 16.5, 25.0, 45.0, 0.0]), (-500.0, 1000.0),
        "an enemy piece that is attacked: pawn, knight, bishop, rook, queen, king"),
    table("pawn_table", "position", &tables::PAWN, "a pawn on this square"),
    table("knight_table", "position", &tables::KNIGHT, "a knight on this square"),
    table("bishop_table", "position", &tables::BISHOP, "a bishop on this square"),
    table("rook_table", "position", &tables::ROOK, "a rook on this square"),
    table("queen_table", "position", &tables::QUEEN, "a queen on this square"),
    table("king_table", "position", &tables::KING_MIDDLEGAME, "the king on this square"),
    Term::parameter("mated", "game over", Number(-20_000.0), (-1_000_000.0, 0.0),
        "being mated, added to the other terms"),
    Term::parameter("stalemated", "game over", Number(-200.0), (-1_000_000.0, 1_000_000.0),
        "being stalemated, added to the other terms"),
];

impl<const FRC: bool> Terms<Position<FRC>> for FourFactor {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_material(position, const { slot(TERMS, "pawn") }, sink);

        let moves = position.count_moves() as i32;
        let (white, black) = match position.side_to_move() {
            Side::White => (moves, 0),
            Side::Black => (0, moves),
        };
        sink.add(const { slot(TERMS, "mobility") }, white, black);

        let board = position.board();
        let by_white = attacked(position, Color::White);
        let by_black = attacked(position, Color::Black);
        for &piece in &Piece::ALL {
            sink.add(
                const { slot(TERMS, "attack") } + piece as usize,
                (by_white & board.colored_pieces(Color::Black, piece)).len() as i32,
                (by_black & board.colored_pieces(Color::White, piece)).len() as i32,
            );
        }

        let black = BlackReads::Mirrored;
        let pawn_table = const { slot(TERMS, "pawn_table") };
        place_all(position, pawn_table, black, 1, sink);
        let king_table = const { slot(TERMS, "king_table") };
        place(position, Piece::King, king_table, black, 1, sink);
    }

    /// Having no moves is bad for the side to move: mate far more than stalemate.
    fn finished(
        position: &Position<FRC>,
        weights: &Weights,
        outcome: Outcome,
        viewer: Side,
        sum: Score,
    ) -> Option<Score> {
        let stuck = match outcome.reason {
            EndReason::CHECKMATE => const { slot(TERMS, "mated") },
            EndReason::STALEMATE => const { slot(TERMS, "stalemated") },
            _ => return None,
        };
        let sign = if position.side_to_move() == viewer {
            1
        } else {
            -1
        };
        Some(sum + sign * weights.get(stuck).opening)
    }
}

/// Every square that a side attacks.
fn attacked<const FRC: bool>(position: &Position<FRC>, colour: Color) -> BitBoard {
    let board = position.board();
    let [west, east] = pawn_attacks(board.colored_pieces(colour, Piece::Pawn), colour);
    let mut all = west | east;
    for &piece in &Piece::ALL[1..] {
        for square in board.colored_pieces(colour, piece) {
            all |= attacks(piece, square, board.occupied());
        }
    }
    all
}
