//! Pawn structure: terms that depend only on the pawns, so that they can be cached.

use super::TERMS;
use super::bits::{
    FILE_A, LIGHT, Way, beside, count, file_of, fill_down, fill_files, fill_up, squares,
};
use crate::eval::TermDefault::{Tapered, TaperedList};
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Square;

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "pawns", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("doubled", Tapered(-7.0, -16.0), "a pawn behind another of its own side"),
    row("isolated", Tapered(-2.0, -5.0), "a pawn without own pawns on the adjacent files"),
    row("backward", Tapered(-4.0, -2.0),
        "a pawn that no own pawn can defend, with its next square attacked by an enemy pawn"),
    row("unopposed", Tapered(-6.0, -11.0),
        "an isolated or backward pawn with no enemy pawn in front of it on its file"),
    row("islands", Tapered(-14.0, 9.0), "a group of neighbouring files with pawns"),
    row("connected", TaperedList(&[
        (0.0, 0.0), (12.0, 13.0), (11.0, 13.0), (24.0, 16.0), (49.0, 61.0), (84.0, 72.0),
    ]), "a pawn defended by a pawn, by rank from the second on"),
    row("phalanx", TaperedList(&[
        (1.0, 2.0), (7.0, 6.0), (11.0, 7.0), (19.0, 25.0), (53.0, 76.0), (61.0, 84.0),
    ]), "a pawn next to another on the same rank, by rank from the second on"),
    row("passed", TaperedList(&[
        (-1.0, 5.0), (3.0, 10.0), (-5.0, 33.0), (18.0, 57.0), (54.0, 79.0), (87.0, 127.0),
    ]), "a passed pawn, by rank from the second on"),
    row("candidate", TaperedList(&[
        (-1.0, -7.0), (5.0, -5.0), (5.0, 18.0), (6.0, 28.0), (31.0, 74.0), (0.0, 0.0),
    ]), "a candidate: a pawn that can become passed by exchanges, by rank from the second on"),
    Term::linear("space", "space", Tapered(1.0, -2.0), (-50.0, 50.0),
        "a square in the centre of the own half not attacked by pawns; twice if behind a pawn"),
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
const SECOND_RANK: u64 = 0xFF00;
const RANKS_2_TO_4: u64 = 0xFFFF_FF00;
const RANKS_4_TO_6: u64 = 0xFFFF_FF00_0000;

/// Pawn facts that other groups use and that are slow to compute. In pairs, white's first.
#[derive(Clone, Copy, Default)]
pub struct Structure {
    /// Passed pawns of both sides.
    pub passed: u64,
    /// Outposts: squares beyond the middle defended by a pawn that no enemy pawn can ever attack.
    outposts: [u64; 2],
    /// The files without pawns of the side.
    empty_files: [u64; 2],
    /// The side's pawns on light squares and on dark ones.
    on_colours: [[u8; 2]; 2],
}

impl Structure {
    /// The side's outposts.
    #[inline(always)]
    pub fn outposts(&self, way: &Way) -> u64 {
        self.outposts[usize::from(!way.white)]
    }

    /// The side's pawns on light squares and on dark ones.
    #[inline(always)]
    pub fn on_colours(&self, way: &Way) -> [i32; 2] {
        self.on_colours[usize::from(!way.white)].map(i32::from)
    }

    /// The files without pawns of the side.
    #[inline(always)]
    pub fn without_pawns(&self, way: &Way) -> u64 {
        self.empty_files[usize::from(!way.white)]
    }
}

/// One side's pawns and derived squares. From the side's view: black's board is mirrored
/// vertically, so that both sides share the code.
#[derive(Clone, Copy)]
struct Camp {
    pawns: u64,
    /// Squares in front of the pawns, on their files.
    ahead: u64,
    attacks: u64,
    /// Squares that the pawns attack or can attack by advancing.
    span: u64,
}

impl Camp {
    #[inline(always)]
    fn new(pawns: u64) -> Camp {
        let ahead = fill_up(pawns << 8);
        Camp {
            pawns,
            ahead,
            attacks: beside(pawns << 8),
            span: beside(ahead),
        }
    }

    /// The same from the other side's view.
    #[inline(always)]
    fn turned(&self) -> Camp {
        Camp {
            pawns: self.pawns.swap_bytes(),
            ahead: self.ahead.swap_bytes(),
            attacks: self.attacks.swap_bytes(),
            span: self.span.swap_bytes(),
        }
    }
}

/// Both sides' pawn terms.
pub fn visit(pawns: [u64; 2], sink: &mut impl Sink) -> Structure {
    let [white, black] = [Camp::new(pawns[0]), Camp::new(pawns[1].swap_bytes())];
    let (white_passed, white_outposts) = one_side(&white, &black.turned(), sink);
    sink.turn();
    let (black_passed, black_outposts) = one_side(&black, &white.turned(), sink);
    sink.turn();
    Structure {
        passed: white_passed | black_passed.swap_bytes(),
        outposts: [white_outposts, black_outposts.swap_bytes()],
        empty_files: pawns.map(|pawns| !fill_files(pawns)),
        on_colours: pawns.map(|pawns| [LIGHT, !LIGHT].map(|colour| count(pawns & colour) as u8)),
    }
}

/// One side's terms; returns its passed pawns and its outposts.
#[inline(always)]
fn one_side(us: &Camp, them: &Camp, sink: &mut impl Sink) -> (u64, u64) {
    let ours = us.pawns;
    let behind_own = fill_down(ours >> 8);

    let doubled = ours & behind_own;
    let isolated = ours & !beside(us.ahead | ours | behind_own);
    let backward = ours & (them.attacks & !us.span) >> 8 & !isolated;
    let unopposed = (isolated | backward) & !them.ahead;
    let passed = ours & !(them.ahead | them.span | behind_own);
    let open = ours & !(them.ahead | behind_own | passed);

    sink.count(DOUBLED, count(doubled));
    sink.count(ISOLATED, count(isolated));
    sink.count(BACKWARD, count(backward));
    sink.count(UNOPPOSED, count(unopposed));
    sink.count(ISLANDS, islands(ours));
    by_rank(ours & us.attacks, CONNECTED, sink);
    by_rank(ours & beside(ours), PHALANX, sink);
    for square in squares(passed) {
        sink.count(PASSED + rank_step(square), 1);
    }
    for square in squares(open) {
        let candidate = is_candidate(square, ours, them.pawns);
        sink.mark(CANDIDATE + rank_step(square), candidate);
    }
    let safe = CENTRE_FILES & RANKS_2_TO_4 & !ours & !them.attacks;
    sink.count(SPACE, count(safe) + count(safe & behind_own));
    (passed, RANKS_4_TO_6 & us.attacks & !them.span)
}

/// Adds the number of pawns on each of the six possible ranks to a list of slots.
#[inline(always)]
fn by_rank(pawns: u64, list: usize, sink: &mut impl Sink) {
    // Branchless: a test for an empty rank would often be mispredicted.
    for step in 0..6 {
        sink.count(list + step, count(pawns & SECOND_RANK << (8 * step)));
    }
}

/// The index of a pawn's rank in such a list.
#[inline(always)]
fn rank_step(square: Square) -> usize {
    (square as usize >> 3).wrapping_sub(1) & 7
}

/// Whether a pawn with no pawn in front of it on its file has at least as many supporters on the
/// adjacent files as there are enemy pawns to stop it.
#[inline(always)]
fn is_candidate(square: Square, ours: u64, theirs: u64) -> bool {
    let files = beside(FILE_A << file_of(square));
    // The ranks above the pawn's.
    let ahead = (!0xFF) << (square as u32 & 56);
    count(ours & files & !ahead) >= count(theirs & files & ahead)
}

fn islands(pawns: u64) -> i32 {
    let files = files(pawns);
    count(u64::from(files & !(files << 1)))
}

/// One bit per file with pawns.
fn files(pawns: u64) -> u8 {
    fill_files(pawns) as u8
}
