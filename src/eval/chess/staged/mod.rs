//! Ten terms in three game stages: the evaluator of the older desktop chess program in Java.
//!
//! It counts pseudo-legal moves of both sides in the same position. `docs/evaluators.md` lists the
//! bugs of the older program and what replaces them here.

mod rows;
mod structure;
mod sweep;

use rows::TERMS;
use structure::{castling, pawns, rooks};
use sweep::{CENTRE, MoveKind, MoveSweep};

use super::rows::{BlackReads, count_material, place, place_all};
use crate::eval::{STEPS, Score, Sink, Term, Terms, Weights, slot};
use crate::games::chess::{Color, Piece, Position};
use crate::games::prelude::*;
use crate::games::{Outcome, Side};

pub struct Staged;

/// The stage of the game, by the material left on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Opening,
    Middlegame,
    Ending,
}

/// The stage depends on these fixed values instead of the weights, so that tuning the material does
/// not move the stage boundaries. Centipawns, in the order of [`Piece::ALL`].
const STAGE_VALUES: [Score; 5] = [100, 320, 330, 500, 900];

fn stage<const FRC: bool>(position: &Position<FRC>, weights: &Weights) -> Stage {
    let board = position.board();
    let left: Score = STAGE_VALUES
        .iter()
        .zip(&Piece::ALL)
        .map(|(value, piece)| value * board.pieces(*piece).len() as Score)
        .sum();
    let above = |border: usize| left * STEPS > weights.get(border).opening;
    if above(const { slot(TERMS, "opening_above") }) {
        Stage::Opening
    } else if above(const { slot(TERMS, "middlegame_above") }) {
        Stage::Middlegame
    } else {
        Stage::Ending
    }
}

impl<const FRC: bool> Terms<Position<FRC>> for Staged {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, weights: &Weights, sink: &mut impl Sink) {
        let board = position.board();
        let stage = stage(position, weights);
        count_material(position, const { slot(TERMS, "pawn") }, sink);
        let pair = |colour| i32::from(board.colored_pieces(colour, Piece::Bishop).len() == 2);
        sink.add(
            const { slot(TERMS, "bishop_pair") },
            pair(Color::White),
            pair(Color::Black),
        );

        let white = MoveSweep::of(board, Color::White);
        let black = MoveSweep::of(board, Color::Black);
        for kind in MoveKind::ALL {
            let slot = const { slot(TERMS, "rook_forward") } + 3 * kind as usize + stage as usize;
            sink.add(slot, white.moves(kind), black.moves(kind));
        }
        sink.add(
            const { slot(TERMS, "attacks") },
            white.attacks,
            black.attacks,
        );
        sink.add(
            const { slot(TERMS, "centre_reached_far") } + stage as usize,
            white.far_centre,
            black.far_centre,
        );
        sink.add(
            const { slot(TERMS, "centre_reached_near") } + stage as usize,
            white.near_centre,
            black.near_centre,
        );
        let standing = |colour| (board.colors(colour) & CENTRE).len() as i32;
        sink.add(
            const { slot(TERMS, "centre_held") } + stage as usize,
            standing(Color::White),
            standing(Color::Black),
        );
        // The enemy's moves threaten the king.
        sink.extra(
            "tropism",
            black.tropism(board, Color::White, weights),
            white.tropism(board, Color::Black, weights),
        );

        pawns(board, sink);
        rooks(board, sink);
        castling(position, sink);
        location(position, stage, sink);
        checkmate(position, sink);
    }

    /// Mate is a term and already in the sum. The older program left draws to its search.
    fn finished(
        _position: &Position<FRC>,
        _weights: &Weights,
        outcome: Outcome,
        _viewer: Side,
        sum: Score,
    ) -> Option<Score> {
        outcome.winner.map(|_| sum)
    }
}

fn location<const FRC: bool>(position: &Position<FRC>, stage: Stage, sink: &mut impl Sink) {
    let pawn_table = const { slot(TERMS, "pawn_table") };
    place_all(position, pawn_table, BlackReads::Mirrored, 1, sink);
    let king_table = if stage == Stage::Ending {
        const { slot(TERMS, "king_ending_table") }
    } else {
        const { slot(TERMS, "king_table") }
    };
    place(
        position,
        Piece::King,
        king_table,
        BlackReads::Mirrored,
        1,
        sink,
    );
}

fn checkmate<const FRC: bool>(position: &Position<FRC>, sink: &mut impl Sink) {
    if position.in_check() && !position.has_moves() {
        let mated = position.board().side_to_move();
        sink.add(
            const { slot(TERMS, "checkmate") },
            i32::from(mated == Color::Black),
            i32::from(mated == Color::White),
        );
    }
}
