//! Pawn structure: everything that depends on the pawns alone, so that it can be remembered.

use super::bits::{
    back, beside, bit, count, fill_files, fill_forward, forward, pawn_attacks, rank, rank_of,
    squares,
};
use super::{TERMS, tally};
use crate::eval::TermDefault::{Tapered, TaperedList};
use crate::eval::{Sink, Term, TermDefault, slot};

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "pawns", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("doubled", Tapered(-7.0, -16.0), "a pawn behind another of its own side"),
    row("isolated", Tapered(-2.0, -5.0), "a pawn without friends on the files beside it"),
    row("backward", Tapered(-4.0, -2.0),
        "a pawn that cannot be backed up, its next square guarded by an enemy pawn"),
    row("unopposed", Tapered(-6.0, -11.0),
        "an isolated or backward pawn with no enemy pawn before it on its file"),
    row("islands", Tapered(-14.0, 9.0), "a group of neighbouring files with pawns"),
    row("connected", TaperedList(&[
        (0.0, 0.0), (12.0, 13.0), (11.0, 13.0), (24.0, 16.0), (49.0, 61.0), (84.0, 72.0),
    ]), "a pawn guarded by another, by rank from the second on"),
    row("phalanx", TaperedList(&[
        (1.0, 2.0), (7.0, 6.0), (11.0, 7.0), (19.0, 25.0), (53.0, 76.0), (61.0, 84.0),
    ]), "a pawn with another at its side, by rank from the second on"),
    row("passed", TaperedList(&[
        (-1.0, 5.0), (3.0, 10.0), (-5.0, 33.0), (18.0, 57.0), (54.0, 79.0), (87.0, 127.0),
    ]), "a passed pawn, by rank from the second on"),
    row("candidate", TaperedList(&[
        (-1.0, -7.0), (5.0, -5.0), (5.0, 18.0), (6.0, 28.0), (31.0, 74.0), (0.0, 0.0),
    ]), "a pawn that can become passed by trades beside it, by rank from the second on"),
    Term::linear("space", "space", Tapered(1.0, -2.0), (-50.0, 50.0),
        "a square in the centre of the own half safe from pawns; behind a pawn it counts twice"),
];

const DOUBLED: usize = slot(TERMS, "doubled");
const ISOLATED: usize = slot(TERMS, "isolated");
const BACKWARD: usize = slot(TERMS, "backward");
const UNOPPOSED: usize = slot(TERMS, "unopposed");
const ISLANDS: usize = slot(TERMS, "islands");
const CONNECTED: usize = slot(TERMS, "connected");
const PHALANX: usize = slot(TERMS, "phalanx");
const PASSED: usize = slot(TERMS, "passed");
const CANDIDATE: usize = slot(TERMS, "candidate");
const SPACE: usize = slot(TERMS, "space");

/// Files c to f.
const CENTRE_FILES: u64 = 0x3C3C_3C3C_3C3C_3C3C;

/// What other groups want to know of the pawns and what takes long to find out.
#[derive(Clone, Copy, Default)]
pub struct Structure {
    /// Passed pawns of both sides.
    pub passed: u64,
}

/// Both sides' pawn terms.
pub fn visit(white: u64, black: u64, sink: &mut impl Sink) -> Structure {
    let white_span = span::<true>(white);
    let black_span = span::<false>(black);
    let white_passed = side::<true>(white, black, white_span, black_span, sink);
    let black_passed = side::<false>(black, white, black_span, white_span, sink);
    Structure {
        passed: white_passed | black_passed,
    }
}

/// Squares that the pawns attack or may attack as they advance.
#[inline(always)]
fn span<const WHITE: bool>(pawns: u64) -> u64 {
    let (left, right) = pawn_attacks::<WHITE>(pawns);
    fill_forward::<WHITE>(left | right)
}

/// One side's terms; returns its passed pawns.
fn side<const WHITE: bool>(
    ours: u64,
    theirs: u64,
    our_span: u64,
    their_span: u64,
    sink: &mut impl Sink,
) -> u64 {
    let (left, right) = pawn_attacks::<WHITE>(ours);
    let guarded = left | right;
    let theirs_below = if WHITE {
        fill_forward::<false>(back::<true>(theirs))
    } else {
        fill_forward::<true>(back::<false>(theirs))
    };
    let behind_own = if WHITE {
        fill_forward::<false>(back::<true>(ours))
    } else {
        fill_forward::<true>(back::<false>(ours))
    };
    let their_attacks = {
        let (left, right) = if WHITE {
            pawn_attacks::<false>(theirs)
        } else {
            pawn_attacks::<true>(theirs)
        };
        left | right
    };

    let doubled = ours & behind_own;
    let isolated = ours & !beside(fill_files(ours));
    let backward =
        ours & back::<WHITE>(forward::<WHITE>(ours) & their_attacks & !our_span) & !isolated;
    let unopposed = (isolated | backward) & !theirs_below;
    let passed = ours & !(theirs_below | their_span | behind_own);
    let open = ours & !(theirs_below | behind_own | passed);

    tally::<WHITE>(sink, DOUBLED, count(doubled));
    tally::<WHITE>(sink, ISOLATED, count(isolated));
    tally::<WHITE>(sink, BACKWARD, count(backward));
    tally::<WHITE>(sink, UNOPPOSED, count(unopposed));
    tally::<WHITE>(sink, ISLANDS, islands(ours));
    by_rank::<WHITE>(ours & guarded, CONNECTED, sink);
    by_rank::<WHITE>(ours & beside(ours), PHALANX, sink);
    by_rank::<WHITE>(passed, PASSED, sink);
    by_rank::<WHITE>(candidates::<WHITE>(open, ours, theirs), CANDIDATE, sink);
    let home = CENTRE_FILES & (rank::<WHITE>(1) | rank::<WHITE>(2) | rank::<WHITE>(3));
    let safe = home & !ours & !their_attacks;
    tally::<WHITE>(sink, SPACE, count(safe) + count(safe & behind_own));
    passed
}

/// Adds each pawn to its rank's place in a list of the six ranks a pawn can stand on.
fn by_rank<const WHITE: bool>(pawns: u64, list: usize, sink: &mut impl Sink) {
    for square in squares(pawns) {
        tally::<WHITE>(sink, list + rank_of::<WHITE>(square) - 1, 1);
    }
}

/// Of pawns on a file with nothing before them, those with at least as many friends to help them
/// past the enemies beside their way as there are such enemies.
fn candidates<const WHITE: bool>(open: u64, ours: u64, theirs: u64) -> u64 {
    let mut found = 0;
    for square in squares(open) {
        let files = beside(fill_files(bit(square)));
        let ahead = beside(forward::<WHITE>(fill_forward::<WHITE>(bit(square))));
        let helpers = count(ours & files & !ahead);
        let guards = count(theirs & ahead);
        if helpers >= guards {
            found |= bit(square);
        }
    }
    found
}

fn islands(pawns: u64) -> i32 {
    let files = (fill_forward::<false>(pawns) & 0xFF) as i32;
    count((files & !(files << 1)) as u64)
}
