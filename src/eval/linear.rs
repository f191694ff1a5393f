//! The linear evaluator, and the same sum taken apart for people to read.

use std::marker::PhantomData;

use super::term::Role;
use super::{Evaluator, OPENING, Recorder, Score, Terms, Weigher, Weights};
use crate::games::{Game, Outcome};

/// Terms times weights.
pub struct Linear<G, T> {
    weights: Weights,
    of: PhantomData<fn() -> (G, T)>,
}

impl<G: Game, T: Terms<G>> Linear<G, T> {
    pub fn new(weights: Weights) -> Linear<G, T> {
        debug_assert_eq!(weights.len(), super::slot_count(T::TERMS));
        Linear {
            weights,
            of: PhantomData,
        }
    }

    fn mover_view(&self, position: &G) -> Score {
        let mut sink = Weigher::new(&self.weights);
        T::visit(position, &self.weights, &mut sink);
        finish::<G, T>(position, &self.weights, &sink)
    }
}

/// From the sums of all terms to the score, from the mover's side.
#[inline(always)]
pub(super) fn finish<G: Game, T: Terms<G>>(
    position: &G,
    weights: &Weights,
    sink: &Weigher<'_>,
) -> Score {
    let (opening, ending) = sink.sums();
    let sum = blend(opening, ending, T::phase(position)) + sink.extra_sum();
    T::scaled(position, weights, sum) * position.side_to_move().sign()
}

impl<G: Game, T: Terms<G>> Evaluator<G> for Linear<G, T> {
    fn evaluate(&mut self, position: &G) -> Score {
        self.mover_view(position)
    }

    fn finished(&mut self, position: &G, outcome: Outcome) -> Option<Score> {
        T::finished(position, &self.weights, outcome, self.mover_view(position))
    }
}

/// Rounds towards zero, so that exchanging the colours negates exactly.
fn blend(opening: Score, ending: Score, phase: i32) -> Score {
    let sum =
        i64::from(opening) * i64::from(phase) + i64::from(ending) * i64::from(OPENING - phase);
    (sum / i64::from(OPENING)) as Score
}

/// What one term adds to the score.
#[derive(Clone, Debug, PartialEq)]
pub struct TermEffect {
    pub name: &'static str,
    /// How often the term was seen for each side; for a table, the number of pieces it judged.
    pub white_count: i32,
    pub black_count: i32,
    /// Contributions in units, each from its own side's view.
    pub white: f64,
    pub black: f64,
    /// The weight in units, for a term of one number: opening and ending.
    pub weight: Option<(f64, f64)>,
}

/// A score with all its parts, from white's view, in units.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub score: f64,
    pub terms: Vec<TermEffect>,
}

impl Explanation {
    /// A score without parts.
    pub fn bare(score: Score) -> Explanation {
        Explanation {
            score: units(score),
            terms: Vec::new(),
        }
    }
}

fn units(steps: impl Into<f64>) -> f64 {
    steps.into() / f64::from(super::STEPS)
}

/// The coefficients of a position, as a tuner sees it.
pub fn record<G: Game, T: Terms<G>>(weights: &Weights, position: &G) -> Recorder {
    let mut recorder = Recorder::default();
    T::visit(position, weights, &mut recorder);
    recorder
}

/// The score of a position whose game goes on, with every term.
pub fn explain<G: Game, T: Terms<G>>(weights: &Weights, position: &G) -> Explanation {
    let recorder = record::<G, T>(weights, position);
    let phase = T::phase(position);
    let mut terms = Vec::new();
    let mut first = 0;
    for term in T::TERMS {
        let slots = first..first + term.shape().slots();
        first = slots.end;
        if term.role == Role::Parameter {
            continue;
        }
        let single = slots.len() == 1;
        let mut effect = TermEffect {
            name: term.name,
            white_count: 0,
            black_count: 0,
            white: 0.0,
            black: 0.0,
            weight: single.then(|| {
                let weight = weights.get(slots.start);
                (units(weight.opening), units(weight.ending))
            }),
        };
        for slot in slots {
            let Some(seen) = recorder.of_slot(slot) else {
                continue;
            };
            let weight = weights.get(slot);
            let worth = units(blend(weight.opening, weight.ending, phase));
            effect.white_count += seen.white;
            effect.black_count += seen.black;
            effect.white += worth * f64::from(seen.white);
            effect.black += worth * f64::from(seen.black);
        }
        terms.push(effect);
    }
    terms.extend(recorder.extras.iter().map(|extra| TermEffect {
        name: extra.name,
        white_count: 0,
        black_count: 0,
        white: units(extra.white),
        black: units(extra.black),
        weight: None,
    }));
    let score = Linear::<G, T>::new(weights.clone()).mover_view(position);
    Explanation {
        score: units(score * position.side_to_move().sign()),
        terms,
    }
}
