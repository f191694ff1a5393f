//! King safety: danger from pieces. Non-linear: several attackers count for more than their sum.
//!
//! Danger is the sum of signs, each times its parameter. It counts squared in the opening and
//! linearly in the ending. A linear fit must not change these parameters.

use std::hint::select_unpredictable;

use cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves};

use super::TERMS;
use super::bits::count;
use super::numbers::PieceCounts;
use super::view::{Army, Scene};
use crate::eval::TermDefault::{List, Number};
use crate::eval::{OPENING, STEPS, Score, Term, TermDefault, Weights, slot};
use crate::games::chess::{BitBoard, Piece};

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::parameter(name, "king_danger", default, (-500.0, 500.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("danger_attacker", List(&[15.0, 22.0, 18.0, 12.0]),
        "danger from a knight, bishop, rook or queen that attacks the king's ring"),
    row("danger_ring_hit", Number(7.8), "danger from each attack on a square of the ring"),
    row("danger_weak_square", Number(19.0),
        "danger from an attacked square of the ring that only king or queen defends"),
    row("danger_safe_check", List(&[52.0, 12.0, 57.0, 44.0]),
        "danger from a safe check that a knight, bishop, rook or queen can give"),
    row("danger_open_line", Number(3.0),
        "danger from each square a queen in the king's place could move to"),
    row("danger_base", Number(-15.0), "danger before any attacker is seen"),
    row("danger_no_queen", Number(-120.0), "danger when the attacker has no queen"),
    row("danger_opening", Number(-41.0), "score of danger 100 in the opening; grows with the square"),
    row("danger_ending", Number(-0.1), "score of danger 100 in the ending; grows linearly"),
];

const ATTACKER: usize = slot(TERMS, "danger_attacker");
const RING_HIT: usize = slot(TERMS, "danger_ring_hit");
const WEAK_SQUARE: usize = slot(TERMS, "danger_weak_square");
const SAFE_CHECK: usize = slot(TERMS, "danger_safe_check");
const OPEN_LINE: usize = slot(TERMS, "danger_open_line");
const BASE: usize = slot(TERMS, "danger_base");
const NO_QUEEN: usize = slot(TERMS, "danger_no_queen");
const IN_OPENING: usize = slot(TERMS, "danger_opening");
const IN_ENDING: usize = slot(TERMS, "danger_ending");

/// The name of the contribution in an explanation.
pub const NAME: &str = "king_danger";

/// The danger to which the two score parameters refer, in steps.
const STATED: i64 = 100 * STEPS as i64;

/// The maximum number of squares in a set. A table of this size needs no bounds check.
const MOST_HITS: usize = 64;

/// The parameters, precomputed from the weights.
pub struct Signs {
    /// By kind of attacker and number of ring squares that it attacks.
    attack: [[i32; MOST_HITS + 1]; 4],
    weak_square: i32,
    safe_check: [i32; 4],
    open_line: i32,
    base: i32,
    no_queen: i32,
    in_opening: i64,
    in_ending: i64,
}

impl Signs {
    pub fn of(weights: &Weights) -> Signs {
        let parameter = |slot: usize| weights.get(slot).opening;
        let attack = |kind: usize| {
            std::array::from_fn(|hits| match hits {
                0 => 0,
                _ => parameter(ATTACKER + kind) + parameter(RING_HIT) * hits as i32,
            })
        };
        Signs {
            attack: [0, 1, 2, 3].map(attack),
            weak_square: parameter(WEAK_SQUARE),
            safe_check: [0, 1, 2, 3].map(|kind| parameter(SAFE_CHECK + kind)),
            open_line: parameter(OPEN_LINE),
            base: parameter(BASE),
            no_queen: parameter(NO_QUEEN),
            in_opening: parameter(IN_OPENING).into(),
            in_ending: parameter(IN_ENDING).into(),
        }
    }

    /// Danger to a king from the enemy's numbers of pieces only.
    pub fn before_attacks(&self, them: &PieceCounts) -> i32 {
        match them[Piece::Queen as usize] {
            0 => self.base + self.no_queen,
            _ => self.base,
        }
    }

    /// Danger to a king from one enemy piece. `KIND` is its index in [`super::view::MOBILE`].
    #[inline(always)]
    pub fn attack<const KIND: usize>(&self, on_ring: u64) -> i32 {
        self.attack[KIND][count(on_ring) as usize]
    }

    /// The score of a king in danger for its own side, in score steps.
    #[inline(always)]
    pub fn score(&self, danger: i32, phase: i32) -> Score {
        if danger <= 0 {
            return 0;
        }
        // Unsigned division is faster.
        let square = u64::from(danger.unsigned_abs()).pow(2) / STATED as u64;
        let opening = square as i64 * self.in_opening / STATED;
        let ending = i64::from(danger) * self.in_ending / STATED;
        let phase = i64::from(phase);
        let whole = i64::from(OPENING);
        ((opening * phase + ending * (whole - phase)) / whole) as Score
    }

    /// The signs of danger to one side's king, in steps.
    #[inline(always)]
    pub fn danger(&self, at: &Scene<'_>, before_attacks: i32) -> i32 {
        let &Scene { us, them, .. } = at;
        let mut sum = before_attacks + them.ring_danger;
        // Squares defended only by king or queen, or not at all.
        let thin = us.attacks(Piece::King) | us.attacks(Piece::Queen) | !us.attacked;
        let weak = them.attacked & !us.attacked_twice & thin;
        sum += self.weak_square * count(weak & us.ring);
        let safe = !them.all & (!us.attacked | (weak & them.attacked_twice));
        let (lines, checks) = checks(us, them, at.occupied, safe);
        for (check, weight) in checks.into_iter().zip(self.safe_check) {
            sum += select_unpredictable(check != 0, weight, 0);
        }
        sum + self.open_line * count(lines & !us.all)
    }
}

/// The squares a queen attacks from our king's square, and those from which the enemy's knights,
/// bishops, rooks and queens can give a safe check.
#[inline(always)]
fn checks(us: &Army, them: &Army, occupied: u64, safe: u64) -> (u64, [u64; 4]) {
    // The own queen can be attacked away, so it does not count as a blocker.
    let blockers = BitBoard(occupied & !us.pieces(Piece::Queen));
    let straight = get_rook_moves(us.king, blockers).0;
    let diagonal = get_bishop_moves(us.king, blockers).0;
    let from = |piece: Piece, squares: u64| them.attacks(piece) & squares & safe;
    (
        straight | diagonal,
        [
            from(Piece::Knight, get_knight_moves(us.king).0),
            from(Piece::Bishop, diagonal),
            from(Piece::Rook, straight),
            from(Piece::Queen, straight | diagonal),
        ],
    )
}
