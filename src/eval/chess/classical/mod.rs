//! The modern evaluator of chess: many terms, each tapered, chosen to be tuned.
//!
//! One file a group. A group's rows stand at the head of its file, the counting below them.
//! Terms are counted for one side at a time by code that is generic over the side, so that
//! exchanging the colours negates the score exactly.

mod bits;
mod cache;
mod danger;
mod endings;
mod groups;
mod imbalance;
mod king;
mod material;
mod mobility;
mod passed;
mod pawns;
mod pieces;
mod tables;
mod threats;
mod view;

use self::cache::{Cache, CountedBefore, Place};
use self::groups::Groups;
use self::imbalance::Numbers;
use self::pawns::Structure;
use self::view::MOBILE;
pub use self::view::View;
use crate::eval::{CachedTerms, Score, Sink, Term, Terms, Weigher, Weights};
use crate::games::chess::{Piece, Position};

pub struct Classical;

const GROUPS: &[&[Term]] = &[
    material::ROWS,
    imbalance::ROWS,
    mobility::ROWS,
    pawns::ROWS,
    passed::ROWS,
    king::ROWS,
    danger::ROWS,
    pieces::ROWS,
    threats::ROWS,
    endings::ROWS,
];

/// All rows in one list.
const TERMS: &[Term] = &joined::<{ rows(GROUPS) }>(GROUPS);

const fn rows(groups: &[&[Term]]) -> usize {
    let mut sum = 0;
    let mut group = 0;
    while group < groups.len() {
        sum += groups[group].len();
        group += 1;
    }
    sum
}

const fn joined<const N: usize>(groups: &[&[Term]]) -> [Term; N] {
    let mut all = [groups[0][0]; N];
    let mut at = 0;
    let mut group = 0;
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            all[at] = groups[group][row];
            at += 1;
            row += 1;
        }
        group += 1;
    }
    all
}

impl<const FRC: bool> Terms<Position<FRC>> for Classical {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, weights: &Weights, sink: &mut impl Sink) {
        let mut view = View::new(position);
        material::visit::<true>(&view, sink);
        material::visit::<false>(&view, sink);
        imbalance::visit(Numbers::of(&view), sink);
        let (white, black) = (&view.white, &view.black);
        let structure = pawns::visit(white.pieces(Piece::Pawn), black.pieces(Piece::Pawn), sink);
        king::visit_castling(position, sink);
        king::visit::<true>(&view.shelter::<true>(), sink);
        king::visit::<false>(&view.shelter::<false>(), sink);
        let visit = Visit {
            structure,
            groups: Groups::ALL,
            phase: material::phase(position),
        };
        visit.pieces(&mut view, weights, &CountedBefore, sink);
    }

    fn phase(position: &Position<FRC>) -> i32 {
        material::phase(position)
    }

    fn scaled(position: &Position<FRC>, weights: &Weights, sum: Score) -> Score {
        endings::scaled(position, weights, sum)
    }
}

impl<const FRC: bool> CachedTerms<Position<FRC>> for Classical {
    type Cache = Cache;

    fn cache(weights: &Weights) -> Cache {
        Cache::new(weights)
    }

    #[inline(always)]
    fn visit_cached(
        position: &Position<FRC>,
        weights: &Weights,
        cache: &mut Cache,
        sink: &mut Weigher<'_>,
    ) -> i32 {
        let mut view = View::new(position);
        let groups = cache.groups;
        if groups.imbalance {
            cache.add_imbalance(&view, weights, sink);
        }
        let structure = cache.add_pawns(&view, weights, sink);
        if groups.king {
            king::visit_castling(position, sink);
            cache.add_shelters(&view, weights, sink);
        }
        let visit = Visit {
            structure,
            groups,
            phase: material::phase(position),
        };
        cache.placed.add(Piece::King, &view, sink);
        if !groups.attack_maps() {
            for piece in MOBILE {
                cache.placed.add(piece, &view, sink);
            }
        }
        visit.pieces(&mut view, weights, &cache.placed, sink);
        visit.phase
    }
}

/// Everything but values, tables, pawn structure and shelter.
pub struct Visit {
    structure: Structure,
    groups: Groups,
    phase: i32,
}

impl Visit {
    #[inline(always)]
    fn pieces<S: Sink>(
        &self,
        view: &mut View,
        weights: &Weights,
        placed: &impl Place<S>,
        sink: &mut S,
    ) {
        if self.groups.attack_maps() {
            mobility::visit::<true, S>(view, placed, sink);
            mobility::visit::<false, S>(view, placed, sink);
        }
        self.side::<true>(view, sink);
        self.side::<false>(view, sink);
        if self.groups.danger {
            danger::visit(view, self.phase, weights, sink);
        }
        threats::visit_tempo(view, sink);
    }

    #[inline(always)]
    fn side<const WHITE: bool>(&self, view: &View, sink: &mut impl Sink) {
        material::visit_pair::<WHITE>(view, sink);
        if self.groups.passed {
            passed::visit::<WHITE>(view, &self.structure, sink);
        }
        if self.groups.rooks {
            pieces::visit_rooks::<WHITE>(view, sink);
        }
        if self.groups.minors {
            pieces::visit_minors::<WHITE>(view, sink);
        }
        if self.groups.threats {
            threats::visit::<WHITE>(view, sink);
        }
        endings::visit::<WHITE>(view, sink);
    }
}

/// Adds one side's count.
#[inline(always)]
fn tally<const WHITE: bool>(sink: &mut impl Sink, slot: usize, count: i32) {
    if WHITE {
        sink.add(slot, count, 0);
    } else {
        sink.add(slot, 0, count);
    }
}
