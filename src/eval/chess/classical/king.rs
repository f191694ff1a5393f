//! King shelter: pawns in front of the king, pawn storms, open files, castling rights.

use super::TERMS;
use super::bits::{FILE_A, FLANKS, count, file_of, fill_files, steps_to_nearest};
use crate::eval::TermDefault::{Tapered, TaperedList};
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::{Color, Position, Square};

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "king", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("king_shield", TaperedList(&[
        (4.0, 15.0), (14.0, -1.0), (6.0, 5.0), (-6.0, -3.0), (-14.0, -3.0), (-29.0, 15.0),
        (-14.0, 9.0), (-8.0, 0.0),
    ]), "the nearest own pawn in front of the king on each of three files, by ranks ahead; 0: none"),
    row("king_storm", TaperedList(&[
        (-8.0, 13.0), (-12.0, 25.0), (-24.0, -4.0), (-12.0, -4.0), (-1.0, -4.0), (8.0, -12.0),
        (6.0, -9.0), (0.0, 0.0),
    ]), "the nearest enemy pawn in front of the king on each of three files, by ranks ahead; 0: none"),
    row("king_storm_blocked", Tapered(12.0, -5.0),
        "a storming enemy pawn that is blocked by an own pawn"),
    row("king_open_file", Tapered(-27.0, -13.0), "an open file: the king's or an adjacent one"),
    row("king_half_open_file", Tapered(-26.0, 6.0),
        "a half-open file, with enemy pawns only: the king's or an adjacent one"),
    row("king_pawn_distance", Tapered(3.0, -13.0), "a king step to the nearest own pawn"),
    row("king_pawnless_flank", Tapered(4.0, -52.0), "a king on a flank without pawns"),
    row("castling", Tapered(22.0, 7.0), "a castling right"),
];

const SHIELD: usize = slot(TERMS, "king_shield");
const STORM: usize = slot(TERMS, "king_storm");
const STORM_BLOCKED: usize = slot(TERMS, "king_storm_blocked");
const OPEN_FILE: usize = slot(TERMS, "king_open_file");
const HALF_OPEN_FILE: usize = slot(TERMS, "king_half_open_file");
const PAWN_DISTANCE: usize = slot(TERMS, "king_pawn_distance");
const PAWNLESS_FLANK: usize = slot(TERMS, "king_pawnless_flank");
const CASTLING: usize = slot(TERMS, "castling");

/// Everything a shelter depends on, so that it can be cached. From the side's view: black's board is
/// mirrored vertically.
#[derive(Clone, Copy)]
pub struct Shelter {
    pub king: Square,
    pub ours: u64,
    pub theirs: u64,
}

/// One side's shelter.
pub fn visit(shelter: &Shelter, sink: &mut impl Sink) {
    let &Shelter { king, ours, theirs } = shelter;
    // At the edge, use the three files of the adjacent file.
    let left = file_of(king).clamp(1, 6) - 1;
    // Shift these to the files a to c and the king's rank to the first: pawns beside or behind the
    // king are shifted off the board.
    let down = king as u32 & 56;
    let (our_pawns, their_pawns) = (ours >> left, theirs >> left);
    let (our_ranks, their_ranks) = (our_pawns >> down & !0xFF, their_pawns >> down & !0xFF);
    let (our_files, their_files) = (fill_files(our_pawns), fill_files(their_pawns));
    for file in 0..3 {
        let squares = FILE_A << file;
        let shield = nearest(our_ranks & squares);
        let storm = nearest(their_ranks & squares);
        sink.count(SHIELD + shield, 1);
        sink.count(STORM + storm, 1);
        let blocked = shield != 0 && storm == shield + 1;
        sink.mark(STORM_BLOCKED, blocked);
    }
    let (empty, theirs_alone) = (!our_files & 7, !our_files & their_files & 7);
    sink.count(OPEN_FILE, count(empty & !theirs_alone));
    sink.count(HALF_OPEN_FILE, count(theirs_alone));
    sink.count(PAWN_DISTANCE, steps_to_nearest(king, ours));
    let pawnless = (ours | theirs) & FLANKS[file_of(king)] == 0;
    sink.mark(PAWNLESS_FLANK, pawnless);
}

/// Ranks from the first to the nearest of the pawns, 0 for none.
#[inline(always)]
fn nearest(pawns: u64) -> usize {
    pawns.trailing_zeros() as usize >> 3 & 7
}

/// Castling rights, which do not depend on the view.
#[inline(always)]
pub fn visit_castling<const FRC: bool>(position: &Position<FRC>, sink: &mut impl Sink) {
    let wings = |color: Color| count(position.board().castling_rooks(color).0);
    sink.add(CASTLING, wings(Color::White), wings(Color::Black));
}
