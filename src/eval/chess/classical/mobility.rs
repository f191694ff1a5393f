//! Mobility of knights, bishops, rooks and queens; also fills in the attack maps.

use super::TERMS;
use super::bits::{Way, count, distance, squares};
use super::cache::PlacePiece;
use super::danger::Signs;
use super::view::{Army, MOBILE, moves};
use crate::eval::TermDefault::TaperedList;
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "mobility", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("knight_mobility", TaperedList(&[
        (-45.0, -66.0), (-25.0, -48.0), (-11.0, -12.0), (-4.0, 0.0), (0.0, 11.0), (5.0, 18.0),
        (9.0, 22.0), (15.0, 23.0), (18.0, 14.0),
    ]), "a knight that attacks this many free squares"),
    row("bishop_mobility", TaperedList(&[
        (-37.0, -81.0), (-27.0, -26.0), (-11.0, -9.0), (-6.0, 11.0), (1.0, 18.0), (5.0, 27.0),
        (7.0, 35.0), (9.0, 36.0), (13.0, 39.0), (15.0, 41.0), (21.0, 40.0), (23.0, 41.0),
        (55.0, 41.0), (50.0, 39.0),
    ]), "a bishop that attacks this many free squares"),
    row("rook_mobility", TaperedList(&[
        (-109.0, -81.0), (1.0, -69.0), (2.0, -20.0), (-3.0, -9.0), (-8.0, 8.0), (-4.0, 15.0),
        (-4.0, 18.0), (-1.0, 22.0), (4.0, 23.0), (4.0, 28.0), (4.0, 39.0), (9.0, 45.0),
        (16.0, 43.0), (21.0, 42.0), (50.0, 29.0),
    ]), "a rook that attacks this many free squares"),
    row("queen_mobility", TaperedList(&[
        (-24.0, -50.0), (-56.0, -47.0), (-15.0, -45.0), (-6.0, -40.0), (-2.0, -38.0),
        (-4.0, -20.0), (-2.0, -5.0), (-2.0, 5.0), (1.0, 11.0), (2.0, 26.0), (5.0, 25.0),
        (4.0, 36.0), (4.0, 47.0), (3.0, 49.0), (3.0, 58.0), (1.0, 56.0), (2.0, 62.0),
        (-1.0, 60.0), (9.0, 44.0), (10.0, 46.0), (29.0, 23.0), (27.0, 18.0), (19.0, 29.0),
        (23.0, -5.0), (22.0, 18.0), (12.0, 12.0), (17.0, 39.0), (6.0, 16.0),
    ]), "a queen that attacks this many free squares"),
];

/// The first slot of each list, in the order of [`MOBILE`].
const LISTS: [usize; 4] = [
    slot(TERMS, "knight_mobility"),
    slot(TERMS, "bishop_mobility"),
    slot(TERMS, "rook_mobility"),
    slot(TERMS, "queen_mobility"),
];

/// Counts the mobility of one side and its attacks on the enemy king's `ring`, and notes what its pieces attack for the terms that follow.
#[inline(always)]
pub fn visit<S: Sink>(
    us: &mut Army,
    (occupied, ring): (u64, u64),
    way: &Way,
    extras: (&impl PlacePiece<S>, &Signs),
    sink: &mut S,
) {
    kind::<0, S>(us, (occupied, ring), way, extras, sink);
    kind::<1, S>(us, (occupied, ring), way, extras, sink);
    kind::<2, S>(us, (occupied, ring), way, extras, sink);
    kind::<3, S>(us, (occupied, ring), way, extras, sink);
}

/// One kind of piece. `KIND` is its index in [`MOBILE`].
#[inline(always)]
fn kind<const KIND: usize, S: Sink>(
    us: &mut Army,
    (occupied, ring): (u64, u64),
    way: &Way,
    extras: (&impl PlacePiece<S>, &Signs),
    sink: &mut S,
) {
    let piece = MOBILE[KIND];
    let pieces = us.pieces(piece);
    if pieces == 0 {
        return;
    }
    // X-ray through own pieces that move the same way.
    let blockers = match piece {
        Piece::Bishop => occupied ^ us.pieces(Piece::Queen),
        Piece::Rook => occupied ^ us.pieces(Piece::Queen) ^ us.pieces(Piece::Rook),
        _ => occupied,
    };
    let (placed, signs) = extras;
    let free = us.free;
    let (mut together, mut attacked, mut twice) = (0, us.attacked, us.attacked_twice);
    let mut danger = us.ring_danger;
    let mut steps = us.steps_to_king;
    for square in squares(pieces) {
        placed.place(piece, way.table_index(square), sink);
        let attacks = moves(piece, square, blockers);
        sink.count(LISTS[KIND] + count(attacks & free) as usize, 1);
        twice |= attacked & attacks;
        attacked |= attacks;
        together |= attacks;
        danger += signs.attack::<KIND>(attacks & ring);
        if matches!(piece, Piece::Knight | Piece::Bishop) {
            steps += distance(us.king, square) as i32;
        }
    }
    us.attacks[piece as usize] = together;
    (us.attacked, us.attacked_twice) = (attacked, twice);
    us.ring_danger = danger;
    us.steps_to_king = steps;
}
