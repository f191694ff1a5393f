//! The evaluator `classical`: its sums, its symmetry, and every term by itself.

use crate::positions::random_walk;
use sparring::eval::chess::Classical;
use sparring::eval::{
    Cached, Evaluated, Evaluator, Linear, OPENING, Score, Terms, WeightValue, Weights, trace,
};
use sparring::games::chess::{Chess, Chess960};
use sparring::games::prelude::*;

fn defaults() -> Weights {
    Weights::defaults(<Classical as Terms<Chess>>::TERMS)
}

/// The score from white's view, computed from the trace.
fn from_record<G: Game>(weights: &Weights, position: &G) -> Score
where
    Classical: Terms<G>,
{
    let recorder = trace::<G, Classical>(weights, position);
    let (mut opening, mut ending) = (0i64, 0i64);
    for seen in &recorder.coefficients {
        let weight = weights.get(seen.slot);
        let difference = i64::from(seen.white - seen.black);
        opening += i64::from(weight.opening) * difference;
        ending += i64::from(weight.ending) * difference;
    }
    let phase = i64::from(<Classical as Terms<G>>::phase(position));
    let whole = i64::from(OPENING);
    let blended = (opening * phase + ending * (whole - phase)) / whole;
    let extras: Score = recorder.extras.iter().map(|e| e.white - e.black).sum();
    Classical::scaled(position, weights, blended as Score + extras)
}

#[test]
fn recorded_counts_times_weights_are_the_score() {
    let weights = defaults();
    let mut evaluator = Linear::<Chess, Classical>::new(weights.clone());
    random_walk::<Chess>(100_000, |position| {
        let score = evaluator.evaluate(position) * position.side_to_move().sign();
        assert_eq!(from_record(&weights, position), score, "{}", position.fen());
    });
}

/// The score with and without caches, on many positions.
fn compare_with_memory(weights: Weights, count: usize, what: &str) {
    let mut plain = Linear::<Chess960, Classical>::new(weights.clone());
    let mut cached = Cached::<Chess960, Classical>::new(weights);
    random_walk::<Chess960>(count, |position| {
        let (plain, cached) = (plain.evaluate(position), cached.evaluate(position));
        assert_eq!(plain, cached, "{what}: {}", position.fen());
    });
}

#[test]
fn memory_never_changes_the_score() {
    compare_with_memory(defaults(), 100_000, "defaults");
}

#[test]
fn memory_never_changes_the_score_with_a_group_switched_off() {
    let terms = <Classical as Terms<Chess>>::TERMS;
    let mut groups: Vec<_> = terms.iter().map(|term| term.group).collect();
    groups.dedup();
    assert!(groups.len() > 10, "{groups:?}");
    for group in groups {
        let mut weights = defaults();
        for term in terms.iter().filter(|term| term.group == group) {
            let off = WeightValue::flat(vec![0.0]);
            weights.set(terms, term.name, &off).expect("in every range");
        }
        compare_with_memory(weights, 5_000, group);
    }
}

#[test]
fn exchanging_the_colours_negates_the_score() {
    let preset = Chess::preset("classical").expect("a preset of chess");
    let mut evaluator = (preset.build)(&defaults(), 0);
    random_walk::<Chess>(100_000, |position| {
        let flipped = position.colour_flipped();
        // Both from the mover's view, and the mover is flipped too.
        let (one, other) = (evaluator.evaluate(position), evaluator.evaluate(&flipped));
        assert_eq!(one, other, "{}", position.fen());
    });
}
