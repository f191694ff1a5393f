//! The king's shelter: pawns before it, enemy pawns on their way, open files, castling.

use super::bits::{FILE_A, FLANKS, distance, file_of, fill_forward, forward, rank_of, squares};
use super::{TERMS, tally};
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
    ]), "the nearest own pawn before the king on one of three files, this many ranks ahead; 0: none"),
    row("king_storm", TaperedList(&[
        (-8.0, 13.0), (-12.0, 25.0), (-24.0, -4.0), (-12.0, -4.0), (-1.0, -4.0), (8.0, -12.0),
        (6.0, -9.0), (0.0, 0.0),
    ]), "the nearest enemy pawn before the king on one of three files, this many ranks ahead; 0: none"),
    row("king_storm_blocked", Tapered(12.0, -5.0),
        "a storming enemy pawn that an own pawn stands right before"),
    row("king_open_file", Tapered(-27.0, -13.0), "a file without pawns, the king's own or beside it"),
    row("king_half_open_file", Tapered(-26.0, 6.0),
        "a file with enemy pawns only, the king's own or beside it"),
    row("king_pawn_distance", Tapered(3.0, -13.0), "a king step to the nearest own pawn"),
    row("king_pawnless_flank", Tapered(4.0, -52.0), "a king on a flank without pawns"),
    row("castling", Tapered(22.0, 7.0), "a wing on which the king may still castle"),
];

const SHIELD: usize = slot(TERMS, "king_shield");
const STORM: usize = slot(TERMS, "king_storm");
const STORM_BLOCKED: usize = slot(TERMS, "king_storm_blocked");
const OPEN_FILE: usize = slot(TERMS, "king_open_file");
const HALF_OPEN_FILE: usize = slot(TERMS, "king_half_open_file");
const PAWN_DISTANCE: usize = slot(TERMS, "king_pawn_distance");
const PAWNLESS_FLANK: usize = slot(TERMS, "king_pawnless_flank");
const CASTLING: usize = slot(TERMS, "castling");

/// All that a shelter depends on, so that it can be remembered.
#[derive(Clone, Copy)]
pub struct Shelter {
    pub king: Square,
    pub ours: u64,
    pub theirs: u64,
}

/// One side's shelter.
pub fn visit<const WHITE: bool>(shelter: &Shelter, sink: &mut impl Sink) {
    let &Shelter { king, ours, theirs } = shelter;
    let king_rank = rank_of::<WHITE>(king);
    // At the edge, the three files are those the king would have a step inside.
    let middle = file_of(king).clamp(1, 6);
    let before = fill_forward::<WHITE>(forward::<WHITE>(0xFF << (king as u32 & 56)));
    for file in middle - 1..=middle + 1 {
        let squares = FILE_A << file;
        let shield = nearest::<WHITE>(ours & squares & before, king_rank);
        let storm = nearest::<WHITE>(theirs & squares & before, king_rank);
        tally::<WHITE>(sink, SHIELD + shield, 1);
        tally::<WHITE>(sink, STORM + storm, 1);
        if storm != 0 && storm == shield + 1 && shield != 0 {
            tally::<WHITE>(sink, STORM_BLOCKED, 1);
        }
        if ours & squares == 0 {
            let slot = if theirs & squares == 0 {
                OPEN_FILE
            } else {
                HALF_OPEN_FILE
            };
            tally::<WHITE>(sink, slot, 1);
        }
    }
    let nearest_pawn = squares(ours).map(|pawn| distance(king, pawn)).min();
    tally::<WHITE>(sink, PAWN_DISTANCE, nearest_pawn.unwrap_or(0) as i32);
    let pawnless = (ours | theirs) & FLANKS[file_of(king)] == 0;
    tally::<WHITE>(sink, PAWNLESS_FLANK, i32::from(pawnless));
}

/// Ranks from the king to the nearest of the pawns before it, 0 for none.
#[inline(always)]
fn nearest<const WHITE: bool>(pawns: u64, king_rank: usize) -> usize {
    if pawns == 0 {
        return 0;
    }
    let rank = if WHITE {
        pawns.trailing_zeros() as usize >> 3
    } else {
        pawns.leading_zeros() as usize >> 3
    };
    rank - king_rank
}

/// The right to castle, which is no matter of the view.
#[inline(always)]
pub fn visit_castling<const FRC: bool>(position: &Position<FRC>, sink: &mut impl Sink) {
    let wings = |color: Color| {
        let rights = position.board().castle_rights(color);
        i32::from(rights.short.is_some()) + i32::from(rights.long.is_some())
    };
    sink.add(CASTLING, wings(Color::White), wings(Color::Black));
}
