//! Placement of rooks, knights and bishops.

use std::hint::select_unpredictable;

use cozy_chess::get_rook_rays;

use super::TERMS;
use super::bits::{LIGHT, bit, count, squares};
use super::pawns::Structure;
use super::view::{Scene, moves};
use crate::eval::TermDefault::Tapered;
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn rook(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "rooks", default, (-300.0, 300.0), help)
}

const fn minor(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "minors", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    rook("rook_open_file", Tapered(29.0, -1.0), "a rook on an open file, without pawns"),
    rook("rook_half_open_file", Tapered(12.0, 7.0), "a rook on a half-open file, without own pawns"),
    rook("rook_seventh", Tapered(-9.0, 10.0),
        "a rook on the seventh rank that cuts off the king or attacks pawns there"),
    rook("rook_connected", Tapered(-4.0, -8.0), "two rooks that defend each other"),
    minor("knight_outpost", Tapered(27.0, 12.0),
        "a knight on an outpost"),
    minor("bishop_outpost", Tapered(31.0, 10.0),
        "a bishop on an outpost"),
    minor("outpost_near", Tapered(19.0, 9.0), "a knight one move away from an outpost"),
    minor("bishop_own_pawns", Tapered(-4.0, -2.0), "an own pawn on the colour of an own bishop"),
    minor("bishop_long_diagonal", Tapered(15.0, 13.0),
        "a bishop on a long diagonal with a view of both centre squares of its colour"),
    minor("minor_behind_pawn", Tapered(7.0, 15.0), "a knight or bishop right behind a pawn"),
    minor("minor_far_from_king", Tapered(-5.0, -1.0),
        "a king step between a knight or bishop and its king"),
];

const ROOK_OPEN: usize = slot(TERMS, "rook_open_file");
const ROOK_HALF_OPEN: usize = slot(TERMS, "rook_half_open_file");
const ROOK_SEVENTH: usize = slot(TERMS, "rook_seventh");
const ROOK_CONNECTED: usize = slot(TERMS, "rook_connected");
const KNIGHT_OUTPOST: usize = slot(TERMS, "knight_outpost");
const BISHOP_OUTPOST: usize = slot(TERMS, "bishop_outpost");
const OUTPOST_NEAR: usize = slot(TERMS, "outpost_near");
const BISHOP_OWN_PAWNS: usize = slot(TERMS, "bishop_own_pawns");
const LONG_DIAGONAL: usize = slot(TERMS, "bishop_long_diagonal");
const BEHIND_PAWN: usize = slot(TERMS, "minor_behind_pawn");
const FAR_FROM_KING: usize = slot(TERMS, "minor_far_from_king");

/// The long diagonals: only from here can a bishop attack two centre squares.
const LONG_DIAGONALS: u64 = 0x8142_2418_1824_4281;
const CENTRE: u64 = 0x0000_0018_1800_0000;

/// One side's rooks.
#[inline(always)]
pub fn visit_rooks(at: &Scene<'_>, structure: &Structure, sink: &mut impl Sink) {
    let &Scene { way, us, them, .. } = at;
    let rooks = us.pieces(Piece::Rook);
    if rooks == 0 {
        return;
    }
    let lined = rooks & structure.without_pawns(way);
    let open = count(lined & structure.without_pawns(way.other()));
    sink.count(ROOK_OPEN, open);
    sink.count(ROOK_HALF_OPEN, count(lined) - open);
    let seventh = way.ranks[6];
    let targets = them.pieces(Piece::Pawn) & seventh | them.pieces(Piece::King) & way.ranks[7];
    sink.count(
        ROOK_SEVENTH,
        count(select_unpredictable(targets != 0, rooks & seventh, 0)),
    );
    // The first rook is skipped, so each pair counts once.
    let connected = squares(rooks & rooks.wrapping_sub(1)).any(|square| {
        get_rook_rays(square).0 & rooks != 0 && moves(Piece::Rook, square, at.occupied) & rooks != 0
    });
    if connected {
        sink.count(ROOK_CONNECTED, 1);
    }
}

/// One side's knights and bishops.
#[inline(always)]
pub fn visit_minors(at: &Scene<'_>, structure: &Structure, sink: &mut impl Sink) {
    let &Scene { way, us, them, .. } = at;
    let (knights, bishops) = (us.pieces(Piece::Knight), us.pieces(Piece::Bishop));
    if knights | bishops == 0 {
        return;
    }
    let outposts = structure.outposts(way);
    sink.count(KNIGHT_OUTPOST, count(knights & outposts));
    sink.count(BISHOP_OUTPOST, count(bishops & outposts));
    let vacant = outposts & !us.all & us.attacks(Piece::Knight);
    sink.mark(OUTPOST_NEAR, vacant != 0);
    let pawns = us.pieces(Piece::Pawn) | them.pieces(Piece::Pawn);
    if bishops != 0 {
        let [light, dark] = structure.on_colours(way);
        let met = count(bishops & LIGHT) * light + count(bishops & !LIGHT) * dark;
        sink.count(BISHOP_OWN_PAWNS, met);
    }
    for square in squares(bishops & LONG_DIAGONALS) {
        let centre = (moves(Piece::Bishop, square, pawns) | bit(square)) & CENTRE;
        let both = centre & centre.wrapping_sub(1) != 0;
        sink.mark(LONG_DIAGONAL, both);
    }
    let behind = (knights | bishops) & way.back(pawns);
    sink.count(BEHIND_PAWN, count(behind));
    sink.count(FAR_FROM_KING, us.steps_to_king);
}
