//! Passed pawn terms beyond the rank: kings, the path ahead, a rook behind.

use super::TERMS;
use super::bits::{distance_to, singles};
use super::pawns::Structure;
use super::view::{Scene, moves};
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
    ]), "a blocked passed pawn, by rank from the second on"),
    row("passed_free", TaperedList(&[
        (-30.0, 21.0), (-68.0, 24.0), (-53.0, 23.0), (-45.0, 39.0), (-18.0, 96.0), (-21.0, 84.0),
    ]), "a passed pawn whose path is empty and not attacked, by rank from the second on"),
    row("passed_safe_step", TaperedList(&[
        (6.0, -3.0), (-3.0, 5.0), (12.0, -2.0), (16.0, 21.0), (30.0, 53.0), (57.0, 74.0),
    ]), "a passed pawn whose next square is empty and safe, by rank from the second on"),
    row("passed_rook_behind", Tapered(5.0, 35.0), "an own rook behind a passed pawn"),
    row("passed_unstoppable", Tapered(-33.0, 162.0),
        "a passed pawn outside the king's square, against king and pawns only"),
];

const OWN_KING: usize = slot(TERMS, "passed_own_king");
const ENEMY_KING: usize = slot(TERMS, "passed_enemy_king");
const BLOCKED: usize = slot(TERMS, "passed_blocked");
const FREE: usize = slot(TERMS, "passed_free");
const SAFE_STEP: usize = slot(TERMS, "passed_safe_step");
const ROOK_BEHIND: usize = slot(TERMS, "passed_rook_behind");
const UNSTOPPABLE: usize = slot(TERMS, "passed_unstoppable");

/// One side's passed pawns.
#[inline(always)]
pub fn visit(at: &Scene<'_>, structure: &Structure, sink: &mut impl Sink) {
    let &Scene { way, us, them, .. } = at;
    let beyond_middle = !(way.ranks[0] | way.ranks[1] | way.ranks[2]);
    for pawn in singles(structure.passed & us.all) {
        let square = pawn.trailing_zeros() as usize & 63;
        let step = way.rank_of(square) - 1;
        let next = way.forward(pawn);
        let ahead = way.ahead[square];
        if pawn & beyond_middle != 0 {
            sink.count(OWN_KING + distance_to(us.king, next), 1);
            sink.count(ENEMY_KING + distance_to(them.king, next), 1);
        }
        if at.occupied & next != 0 {
            sink.count(BLOCKED + step, 1);
        } else if next & them.attacked & !us.attacked == 0 {
            sink.count(SAFE_STEP + step, 1);
        }
        if ahead & (at.occupied | them.attacked) == 0 {
            sink.count(FREE + step, 1);
        }
        let rooks = way.other().ahead[square] & us.pieces(Piece::Rook);
        if rooks != 0 && rooks & moves(Piece::Rook, Square::index(square), at.occupied) != 0 {
            sink.count(ROOK_BEHIND, 1);
        }
        if runs(at, square, ahead) {
            sink.count(UNSTOPPABLE, 1);
        }
    }
}

/// Rule of the square: whether the pawn promotes before the enemy king can reach it.
fn runs(at: &Scene<'_>, square: usize, ahead: u64) -> bool {
    let &Scene { way, us, them, .. } = at;
    let helpless = them.pieces(Piece::Pawn) | them.pieces(Piece::King) == them.all;
    if !helpless || ahead & us.all != 0 {
        return false;
    }
    // The first double step saves a move.
    let steps = (7 - way.rank_of(square)).min(5);
    let late = usize::from(!at.our_turn);
    distance_to(them.king, ahead & way.ranks[7]) > steps + late
}
