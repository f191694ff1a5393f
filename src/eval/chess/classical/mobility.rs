//! Mobility of knights, bishops, rooks and queens; fills in the attack maps on the way.

use super::bits::{count, squares};
use super::cache::Place;
use super::view::{MOBILE, View, moves};
use super::{TERMS, tally};
use crate::eval::TermDefault::TaperedList;
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "mobility", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("knight_mobility", TaperedList(&[
        (-42.0, -60.0), (-30.0, -49.0), (-17.0, -8.0), (-7.0, -6.0), (3.0, 5.0),
        (9.0, 16.0), (14.0, 20.0), (20.0, 17.0), (31.0, -3.0),
    ]), "a knight that attacks this many free squares"),
    row("bishop_mobility", TaperedList(&[
        (-51.0, -64.0), (-37.0, -37.0), (-17.0, -16.0), (-8.0, -4.0), (0.0, 10.0),
        (8.0, 18.0), (14.0, 21.0), (20.0, 26.0), (21.0, 31.0), (28.0, 32.0), (38.0, 26.0),
        (37.0, 20.0), (37.0, 37.0), (37.0, -7.0),
    ]), "a bishop that attacks this many free squares"),
    row("rook_mobility", TaperedList(&[
        (-87.0, -74.0), (-24.0, -51.0), (-8.0, -37.0), (-5.0, -16.0), (0.0, -4.0),
        (3.0, 9.0), (4.0, 14.0), (10.0, 22.0), (15.0, 27.0), (19.0, 32.0), (24.0, 37.0),
        (22.0, 45.0), (25.0, 50.0), (17.0, 56.0), (23.0, 47.0),
    ]), "a rook that attacks this many free squares"),
    row("queen_mobility", TaperedList(&[
        (-24.0, -50.0), (-34.0, -42.0), (-30.0, -37.0), (-24.0, -32.0), (-19.0, -33.0),
        (-16.0, -16.0), (-11.0, -11.0), (-8.0, -8.0), (0.0, -3.0), (3.0, 10.0),
        (5.0, 21.0), (9.0, 32.0), (11.0, 33.0), (12.0, 47.0), (15.0, 37.0), (17.0, 45.0),
        (18.0, 44.0), (20.0, 43.0), (28.0, 44.0), (24.0, 42.0), (31.0, 41.0), (30.0, 31.0),
        (26.0, 45.0), (18.0, 19.0), (18.0, 33.0), (15.0, 24.0), (17.0, 41.0), (16.0, 37.0),
    ]), "a queen that attacks this many free squares"),
];

/// The first slot of each list, in the order of [`MOBILE`].
const LISTS: [usize; 4] = [
    slot(TERMS, "knight_mobility"),
    slot(TERMS, "bishop_mobility"),
    slot(TERMS, "rook_mobility"),
    slot(TERMS, "queen_mobility"),
];

/// Counts one side's mobility, and notes what its pieces attack for the terms that follow.
#[inline(always)]
pub fn visit<const WHITE: bool, S: Sink>(view: &mut View, placed: &impl Place<S>, sink: &mut S) {
    kind::<WHITE, 0, S>(view, placed, sink);
    kind::<WHITE, 1, S>(view, placed, sink);
    kind::<WHITE, 2, S>(view, placed, sink);
    kind::<WHITE, 3, S>(view, placed, sink);
}

/// One kind of piece, by its place in [`MOBILE`].
#[inline(always)]
fn kind<const WHITE: bool, const KIND: usize, S: Sink>(
    view: &mut View,
    placed: &impl Place<S>,
    sink: &mut S,
) {
    let piece = MOBILE[KIND];
    let occupied = view.occupied;
    let (us, them) = view.sides_mut::<WHITE>();
    let pieces = us.pieces(piece);
    if pieces == 0 {
        return;
    }
    // A piece moves along behind a friend that moves the same way.
    let blockers = match piece {
        Piece::Bishop => occupied ^ us.pieces(Piece::Queen),
        Piece::Rook => occupied ^ us.pieces(Piece::Queen) ^ us.pieces(Piece::Rook),
        _ => occupied,
    };
    let (free, ring) = (us.free, them.ring);
    let (mut together, mut attacked, mut twice) = (0, us.attacked, us.attacked_twice);
    let (mut attackers, mut hits) = (0, 0);
    for square in squares(pieces) {
        placed.place::<WHITE>(piece, square, sink);
        let attacks = moves(piece, square, blockers);
        tally::<WHITE>(sink, LISTS[KIND] + count(attacks & free) as usize, 1);
        twice |= attacked & attacks;
        attacked |= attacks;
        together |= attacks;
        attackers += i32::from(attacks & ring != 0);
        hits += count(attacks & ring);
    }
    us.attacks[piece as usize] = together;
    (us.attacked, us.attacked_twice) = (attacked, twice);
    us.ring_attackers[KIND] = attackers;
    us.ring_hits += hits;
}
