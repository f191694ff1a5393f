//! The modern evaluator of chess: many tapered terms, chosen to be tuned.
//!
//! One file per group: its rows first, the counting code below them. The same code counts the terms
//! of either side, given the side's direction, so that flipping colours negates the score exactly.

mod bits;
mod cache;
mod danger;
mod endings;
mod groups;
mod imbalance;
mod king;
mod material;
mod mobility;
mod numbers;
mod passed;
mod pawns;
mod pieces;
mod tables;
mod threats;
mod view;

use self::bits::WAYS;
use self::cache::{Cache, CountedBefore, PlacePiece};
use self::danger::Signs;
use self::groups::Groups;
use self::numbers::{MaterialFacts, Numbers};
use self::pawns::Structure;
pub use self::view::View;
use self::view::{MOBILE, Scene};
use crate::eval::linear::blended;
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
        let numbers = view.numbers();
        imbalance::visit(numbers, sink);
        material::visit_pairs(numbers, sink);
        let structure = pawns::visit(view.of(Piece::Pawn), sink);
        king::visit_castling(position, sink);
        for scene in view.scenes() {
            material::visit(&scene, sink);
            king::visit(&scene.shelter(), sink);
            sink.turn();
        }
        let signs = Signs::of(weights);
        let visit = Visit {
            structure: &structure,
            groups: Groups::ALL,
            material: &MaterialFacts::new(numbers, &signs),
            signs: &signs,
        };
        visit.pieces(&mut view, &CountedBefore, sink);
    }

    fn phase(position: &Position<FRC>) -> i32 {
        Numbers::of(position).phase()
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
    fn white_view(position: &Position<FRC>, weights: &Weights, cache: &mut Cache) -> Score {
        match cache.groups == Groups::ALL {
            true => weigh(position, weights, cache, Groups::ALL),
            false => weigh_some(position, weights, cache),
        }
    }
}

/// The score with some groups switched off.
#[cold]
#[inline(never)]
fn weigh_some<const FRC: bool>(
    position: &Position<FRC>,
    weights: &Weights,
    cache: &mut Cache,
) -> Score {
    let groups = cache.groups;
    weigh(position, weights, cache, groups)
}

/// The score from white's view, using the caches.
#[inline(always)]
fn weigh<const FRC: bool>(
    position: &Position<FRC>,
    weights: &Weights,
    cache: &mut Cache,
    groups: Groups,
) -> Score {
    let mut view = View::new(position);
    let sink = &mut Weigher::new(weights);
    let Cache {
        placed,
        pawns,
        materials,
        signs,
        ..
    } = cache;
    let material = materials.of(view.numbers(), weights, signs);
    sink.add_packed(material.sum);
    let pawns = pawns.of(&view, groups, placed, weights);
    sink.add_packed(pawns.sum());
    if groups.king {
        king::visit_castling(position, sink);
    }
    placed.add_kings(&view, sink);
    if !groups.attack_maps() {
        for piece in MOBILE {
            placed.add(piece, view.of(piece), sink);
        }
    }
    let visit = Visit {
        structure: &pawns.structure,
        groups,
        material: &material.known,
        signs,
    };
    visit.pieces(&mut view, placed, sink);
    let sum = blended(sink, material.known.phase);
    match material.known.scalable {
        true => endings::scaled(position, weights, sum),
        false => sum,
    }
}

/// Everything but values, tables, pawn structure and shelter.
struct Visit<'k> {
    structure: &'k Structure,
    groups: Groups,
    material: &'k MaterialFacts,
    signs: &'k Signs,
}

impl Visit<'_> {
    #[inline(always)]
    fn pieces<S: Sink>(&self, view: &mut View, placed: &impl PlacePiece<S>, sink: &mut S) {
        if self.groups.attack_maps() {
            let occupied = view.occupied;
            let [white, black] = &mut view.armies;
            let extras = (placed, self.signs);
            mobility::visit(white, (occupied, black.ring), &WAYS[0], extras, sink);
            sink.turn();
            mobility::visit(black, (occupied, white.ring), &WAYS[1], extras, sink);
            sink.turn();
        }
        let scenes = view.scenes();
        if self.groups.danger {
            let [white, black] = self.material.danger;
            let white = self.signs.danger(&scenes[0], white);
            let black = self.signs.danger(&scenes[1], black);
            let [white, black] =
                [white, black].map(|danger| self.signs.score(danger, self.material.phase));
            sink.extra(danger::NAME, white, black);
        }
        self.side(&scenes[0], sink);
        sink.turn();
        self.side(&scenes[1], sink);
        sink.turn();
        if self.material.lone_king {
            for scene in &scenes {
                endings::visit(scene, sink);
                sink.turn();
            }
        }
        threats::visit_tempo(view, sink);
    }

    /// One side's other terms.
    #[inline(always)]
    fn side(&self, at: &Scene<'_>, sink: &mut impl Sink) {
        if self.groups.passed {
            passed::visit(at, self.structure, sink);
        }
        if self.groups.rooks {
            pieces::visit_rooks(at, self.structure, sink);
        }
        if self.groups.minors {
            pieces::visit_minors(at, self.structure, sink);
        }
        if self.groups.threats {
            threats::visit(at, sink);
        }
    }
}
