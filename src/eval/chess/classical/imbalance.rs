//! MaterialFacts imbalance: a knight gains with pawns on the board, a second rook adds less than the
//! first.
//!
//! Counts pairs of own pieces, and pairs of an own and an enemy piece. Depends only on the numbers
//! of pieces.

use super::TERMS;
use super::numbers::{Numbers, PieceCounts};
use crate::eval::TermDefault::TaperedList;
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "imbalance", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("own_pairs", TaperedList(&[
        (3.0, 12.0), (6.0, 24.0), (1.0, -12.0), (6.0, 17.0), (-1.0, -8.0), (-7.0, 2.0),
        (2.0, 31.0), (5.0, 6.0), (8.0, 6.0), (23.0, -9.0), (-4.0, 57.0), (-24.0, -16.0),
        (-21.0, -15.0), (-17.0, -16.0), (-12.0, -5.0),
    ]), "a pair of own pieces: PP, NP NN, BP BN BB, RP RN RB RR, QP QN QB QR QQ"),
    row("enemy_pairs", TaperedList(&[
        (6.0, 26.0), (5.0, 27.0), (3.0, -6.0), (-1.0, 44.0), (3.0, 0.0), (-3.0, -7.0),
        (14.0, 83.0), (15.0, 35.0), (14.0, 43.0), (-34.0, 37.0),
    ]), "an own piece and a less valuable enemy piece: NP, BP BN, RP RN RB, QP QN QB QR"),
];

const OWN: usize = slot(TERMS, "own_pairs");
const ENEMY: usize = slot(TERMS, "enemy_pairs");

/// Both sides' pairs.
pub fn visit(numbers: Numbers, sink: &mut impl Sink) {
    let [white, black] = numbers.sides();
    let pairs = |own: &PieceCounts, one: usize, other: usize| match one == other {
        true => own[one] * (own[one] - 1) / 2,
        false => own[one] * own[other],
    };
    let (mut own, mut enemy) = (OWN, ENEMY);
    for one in Piece::Pawn as usize..=Piece::Queen as usize {
        for other in 0..=one {
            sink.add(own, pairs(&white, one, other), pairs(&black, one, other));
            own += 1;
        }
        for other in 0..one {
            sink.add(enemy, white[one] * black[other], black[one] * white[other]);
            enemy += 1;
        }
    }
}
