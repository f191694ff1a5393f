//! The modern evaluator of chess: many terms, each tapered, chosen to be tuned.
//!
//! One file a group. A group's rows stand at the head of its file, the counting below them.
//! Terms are counted for one side at a time by code that is generic over the side, so that
//! exchanging the colours negates the score exactly.

mod bits;
mod cache;
mod groups;
mod material;
mod mobility;
mod passed;
mod pawns;
mod tables;
mod view;

use self::cache::Cache;
use self::groups::Groups;
use self::pawns::Structure;
use self::view::View;
use crate::eval::{CachedTerms, Sink, Term, Terms, Weigher, Weights};
use crate::games::chess::{Piece, Position};

pub struct Classical;

const GROUPS: &[&[Term]] = &[material::ROWS, mobility::ROWS, pawns::ROWS, passed::ROWS];

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

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        let mut view = View::new(position);
        material::visit::<true>(&view, sink);
        material::visit::<false>(&view, sink);
        let (white, black) = (&view.white, &view.black);
        let structure = pawns::visit(white.pieces(Piece::Pawn), black.pieces(Piece::Pawn), sink);
        visit_pieces(&mut view, &structure, Groups::ALL, sink);
    }

    fn phase(position: &Position<FRC>) -> i32 {
        material::phase(position)
    }
}

impl<const FRC: bool> CachedTerms<Position<FRC>> for Classical {
    type Cache = Cache;

    fn cache(weights: &Weights) -> Cache {
        Cache::new(weights)
    }

    fn visit_cached(
        position: &Position<FRC>,
        weights: &Weights,
        cache: &mut Cache,
        sink: &mut Weigher<'_>,
    ) {
        let mut view = View::new(position);
        cache.add_placed(&view, sink);
        let groups = cache.groups;
        let structure = if groups.pawns || groups.passed {
            cache.add_pawns(&view, weights, sink)
        } else {
            Structure::default()
        };
        visit_pieces(&mut view, &structure, groups, sink);
    }
}

/// Everything but values, tables and pawn structure.
#[inline(always)]
fn visit_pieces(view: &mut View, structure: &Structure, groups: Groups, sink: &mut impl Sink) {
    material::visit_pair::<true>(view, sink);
    material::visit_pair::<false>(view, sink);
    if groups.mobility || groups.passed {
        mobility::visit::<true>(view, sink);
        mobility::visit::<false>(view, sink);
    }
    if groups.passed {
        passed::visit::<true>(view, structure, sink);
        passed::visit::<false>(view, structure, sink);
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
