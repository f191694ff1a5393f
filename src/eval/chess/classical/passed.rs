//! What a passed pawn is worth beyond its rank: the kings, the way ahead, the rook behind.

use super::bits::{bit, distance, fill_forward, forward, rank, rank_of, squares};
use super::pawns::Structure;
use super::view::{View, moves};
use super::{TERMS, tally};
use crate::eval::TermDefault::{Tapered, TaperedList};
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::{Piece, Square};

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "passed", default, (-500.0, 1000.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("passed_own_king", TaperedList(&[
        (-3.0, 55.0), (-16.0, 55.0), (-2.0, 33.0), (6.0, 8.0), (7.0, -13.0), (3.0, -21.0),
        (-2.0, -26.0), (1.0, -29.0),
    ]), "a passed pawn beyond the middle whose next square is this far from its own king"),
    row("passed_enemy_king", TaperedList(&[
        (-76.0, -40.0), (2.0, -48.0), (15.0, -22.0), (-3.0, 13.0), (-2.0, 41.0), (2.0, 63.0),
        (16.0, 53.0), (29.0, 46.0),
    ]), "a passed pawn beyond the middle whose next square is this far from the enemy king"),
    row("passed_blocked", TaperedList(&[
        (5.0, 5.0), (-16.0, 15.0), (1.0, 0.0), (-5.0, 2.0), (-12.0, -6.0), (-8.0, -40.0),
    ]), "a passed pawn with a piece right before it, by rank from the second on"),
    row("passed_free", TaperedList(&[
        (-30.0, 21.0), (-68.0, 24.0), (-53.0, 23.0), (-45.0, 39.0), (-18.0, 96.0), (-21.0, 84.0),
    ]), "a passed pawn whose way is empty and not attacked, by rank from the second on"),
    row("passed_safe_step", TaperedList(&[
        (6.0, -3.0), (-3.0, 5.0), (12.0, -2.0), (16.0, 21.0), (30.0, 53.0), (57.0, 74.0),
    ]), "a passed pawn that can step ahead unharmed, by rank from the second on"),
    row("passed_rook_behind", Tapered(5.0, 35.0), "an own rook behind a passed pawn"),
    row("passed_unstoppable", Tapered(-33.0, 162.0),
        "a passed pawn that no piece can catch: the enemy has but king and pawns"),
];

const OWN_KING: usize = slot(TERMS, "passed_own_king");
const ENEMY_KING: usize = slot(TERMS, "passed_enemy_king");
const BLOCKED: usize = slot(TERMS, "passed_blocked");
const FREE: usize = slot(TERMS, "passed_free");
const SAFE_STEP: usize = slot(TERMS, "passed_safe_step");
const ROOK_BEHIND: usize = slot(TERMS, "passed_rook_behind");
const UNSTOPPABLE: usize = slot(TERMS, "passed_unstoppable");

/// From this rank on (counted from 0) the kings matter.
const BEYOND_MIDDLE: usize = 3;

/// One side's passed pawns.
#[inline(always)]
pub fn visit<const WHITE: bool>(view: &View, structure: &Structure, sink: &mut impl Sink) {
    let (us, them) = view.sides::<WHITE>();
    for square in squares(structure.passed & us.all) {
        let step = rank_of::<WHITE>(square) - 1;
        let next = if WHITE {
            square as usize + 8
        } else {
            square as usize - 8
        };
        let next = Square::index(next);
        let way = forward::<WHITE>(fill_forward::<WHITE>(bit(square)));
        if step + 1 >= BEYOND_MIDDLE {
            tally::<WHITE>(sink, OWN_KING + distance(us.king, next), 1);
            tally::<WHITE>(sink, ENEMY_KING + distance(them.king, next), 1);
        }
        if view.occupied & bit(next) != 0 {
            tally::<WHITE>(sink, BLOCKED + step, 1);
        } else if bit(next) & them.attacked & !us.attacked == 0 {
            tally::<WHITE>(sink, SAFE_STEP + step, 1);
        }
        if way & (view.occupied | them.attacked) == 0 {
            tally::<WHITE>(sink, FREE + step, 1);
        }
        let behind = if WHITE {
            fill_forward::<false>(bit(square))
        } else {
            fill_forward::<true>(bit(square))
        };
        let rooks = behind & us.pieces(Piece::Rook);
        if rooks != 0 && rooks & moves(Piece::Rook, square, view.occupied) != 0 {
            tally::<WHITE>(sink, ROOK_BEHIND, 1);
        }
        if runs::<WHITE>(view, square, way) {
            tally::<WHITE>(sink, UNSTOPPABLE, 1);
        }
    }
}

/// Whether the pawn queens before the enemy king reaches it, with nothing else to stop it.
fn runs<const WHITE: bool>(view: &View, square: Square, way: u64) -> bool {
    let (us, them) = view.sides::<WHITE>();
    let helpless = them.pieces(Piece::Pawn) | them.pieces(Piece::King) == them.all;
    if !helpless || way & us.all != 0 {
        return false;
    }
    let target = (way & rank::<WHITE>(7)).trailing_zeros() as usize;
    // The first double step saves a move.
    let steps = (7 - rank_of::<WHITE>(square)).min(5);
    let late = usize::from(view.white_to_move != WHITE);
    distance(them.king, Square::index(target)) > steps + late
}
