//! What each piece is worth to a net: the score of the position without it.

use std::sync::Arc;

use super::{Kernel, Net, NetEvaluator};
use crate::eval::{Explanation, PieceEffect, STEPS, Score};
use crate::games::{Game, Side};

/// The score of a position with the effect of every piece: how much the score falls if it is taken
/// off the board. The effects do not add up to the score. A piece that decides the mirror (the king
/// in chess) cannot be missing and has no effect.
pub fn explain<G: Game>(net: &Arc<Net>, position: &G) -> Explanation {
    let layout = G::LAYOUT;
    let Some(mut evaluator) = NetEvaluator::new(net.clone(), layout, Kernel::detect()) else {
        return Explanation::bare(0);
    };
    let (sets, mover) = (position.piece_sets(), position.side_to_move());
    let mut white_view = |sets: &_| evaluator.score(sets, mover) * mover.sign();
    let score = white_view(&sets);
    let units = |steps: Score| f64::from(steps) / f64::from(STEPS);
    let anchor = layout.mirror.map(|mirror| mirror.anchor);
    let mut pieces = Vec::new();
    for side in Side::BOTH {
        for kind in (0..layout.kinds).filter(|kind| Some(*kind) != anchor) {
            for square in (0..layout.squares).filter(|at| sets[side as usize][kind] >> at & 1 == 1)
            {
                let Some((row, column)) = (layout.place)(square) else {
                    continue;
                };
                let mut without = sets;
                without[side as usize][kind] &= !(1 << square);
                pieces.push(PieceEffect {
                    row,
                    column,
                    letter: position.letter_at(row, column),
                    effect: units(score - white_view(&without)),
                });
            }
        }
    }
    pieces.sort_by_key(|piece| (piece.row, piece.column));
    Explanation {
        pieces,
        ..Explanation::bare(score)
    }
}
