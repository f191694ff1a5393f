//! The linear evaluator, and its score broken down by term.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;

use super::term::{Role, Term};
use super::{Evaluator, OPENING, Score, Terms, Trace, Weigher, Weights};
use crate::games::{Game, Outcome, Side};

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
        weigh::<G, T>(&self.weights, position)
    }
}

/// Sums the terms, from the mover's side.
fn weigh<G: Game, T: Terms<G>>(weights: &Weights, position: &G) -> Score {
    let mut sink = Weigher::new(weights);
    T::visit(position, weights, &mut sink);
    let sum = blended(&sink, T::phase(position));
    T::scaled(position, weights, sum) * position.side_to_move().sign()
}

/// The tapered sum of all terms before [`Terms::scaled`], from white's view.
#[inline(always)]
pub(super) fn blended(sink: &Weigher<'_>, phase: i32) -> Score {
    let (opening, ending) = sink.sums();
    blend(opening, ending, phase) + sink.extra_sum()
}

impl<G: Game, T: Terms<G>> Evaluator<G> for Linear<G, T> {
    fn evaluate(&mut self, position: &G) -> Score {
        self.mover_view(position)
    }

    fn finished(&mut self, position: &G, outcome: Outcome) -> Option<Score> {
        let mover = position.side_to_move();
        let sum = self.mover_view(position);
        T::finished(position, &self.weights, outcome, mover, sum)
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
    /// Owned where a file names it.
    pub name: Cow<'static, str>,
    /// The group of its row; a contribution without a row is its own group.
    pub group: &'static str,
    /// The term's count for each side; for a table, the number of pieces it scored.
    pub white_count: i32,
    pub black_count: i32,
    /// Contributions in units, each from its own side's view.
    pub white: f64,
    pub black: f64,
    /// The weight in units, for a term of one number: opening and ending.
    pub weight: Option<(f64, f64)>,
}

impl TermEffect {
    /// A contribution that gives neither side anything.
    pub fn silent(name: impl Into<Cow<'static, str>>, group: &'static str) -> TermEffect {
        TermEffect {
            name: name.into(),
            group,
            white_count: 0,
            black_count: 0,
            white: 0.0,
            black: 0.0,
            weight: None,
        }
    }
}

/// A score with all its terms, from white's view, in units.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub score: f64,
    pub terms: Vec<TermEffect>,
    /// For evaluators without terms: what each piece is worth.
    pub pieces: Vec<PieceEffect>,
}

/// A piece and its effect on the score.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceEffect {
    /// From the top of a diagram.
    pub row: usize,
    pub column: usize,
    pub letter: char,
    /// The score minus the score without the piece, from white's view, in units.
    pub effect: f64,
}

impl Explanation {
    /// A score without terms.
    pub fn bare(score: Score) -> Explanation {
        Explanation {
            score: units(score),
            terms: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

pub(super) fn units(steps: impl Into<f64>) -> f64 {
    steps.into() / f64::from(super::STEPS)
}

/// The trace of a position: its coefficients, for tuners.
pub fn trace<G: Game, T: Terms<G>>(weights: &Weights, position: &G) -> Trace {
    let mut trace = Trace::new(T::phase(position));
    T::visit(position, weights, &mut trace);
    trace
}

/// The score of a trace under these weights, from white's view, in score steps: the same as the
/// evaluator's. A tuner may trace once and weigh many times, as long as the parameters (non-linear
/// terms) do not change.
pub fn weigh_trace<G: Game, T: Terms<G>>(weights: &Weights, position: &G, trace: &Trace) -> Score {
    T::scaled(position, weights, weigh_terms(weights, trace))
}

/// The tapered sum of all terms before [`Terms::scaled`], from white's view.
fn weigh_terms(weights: &Weights, trace: &Trace) -> Score {
    let (mut opening, mut ending) = (0, 0);
    for seen in &trace.coefficients {
        let weight = weights.get(seen.slot);
        let difference = seen.white - seen.black;
        opening += weight.opening * difference;
        ending += weight.ending * difference;
    }
    let extras: Score = trace.extras.iter().map(|e| e.white - e.black).sum();
    blend(opening, ending, trace.phase) + extras
}

/// The name of the difference made by [`Terms::scaled`] in an explanation.
pub const SCALING: &str = "scaling";

/// The name of the score of a finished game in an explanation, for presets that define one.
pub const GAME_OVER: &str = "game_over";

/// The score of a position with every term. A finished game gets the preset's score from white's
/// view; if the preset defines none, only the terms count.
pub fn explain<G: Game, T: Terms<G>>(weights: &Weights, position: &G) -> Explanation {
    let trace = trace::<G, T>(weights, position);
    let raw = weigh_terms(weights, &trace);
    let sum = T::scaled(position, weights, raw);
    let end = position
        .end()
        .and_then(|outcome| T::finished(position, weights, outcome, Side::White, sum));
    explain_trace(T::TERMS, weights, &trace, Sums { raw, sum, end })
}

/// Scores on the way to the final one, from white's view.
struct Sums {
    /// The sum of the terms.
    raw: Score,
    /// After scaling.
    sum: Score,
    /// The score of a finished game, if the preset has one.
    end: Option<Score>,
}

// Not generic: compiled once, not once per preset.
fn explain_trace(
    rows: &'static [Term],
    weights: &Weights,
    trace: &Trace,
    Sums { raw, sum, end }: Sums,
) -> Explanation {
    let mut terms = Vec::new();
    let mut first = 0;
    for term in rows {
        let slots = first..first + term.shape().slots();
        first = slots.end;
        if term.role == Role::Linear {
            terms.push(effect(term, slots, weights, trace.phase, trace));
        }
    }
    for extra in &trace.extras {
        let row = rows.iter().find(|term| term.name == extra.name);
        let group = row.map_or(extra.name, |row| row.group);
        terms.push(bare_effect(extra.name, group, extra.white, extra.black));
    }
    if sum != raw {
        terms.push(bare_effect(SCALING, SCALING, sum - raw, 0));
    }
    if let Some(score) = end.filter(|score| *score != sum) {
        terms.push(bare_effect(GAME_OVER, GAME_OVER, score - sum, 0));
    }
    Explanation {
        score: units(end.unwrap_or(sum)),
        terms,
        pieces: Vec::new(),
    }
}

/// The effect of a term whose slots are `slots`.
fn effect(
    term: &Term,
    slots: Range<usize>,
    weights: &Weights,
    phase: i32,
    trace: &Trace,
) -> TermEffect {
    let weight = (slots.len() == 1).then(|| {
        let weight = weights.get(slots.start);
        (units(weight.opening), units(weight.ending))
    });
    let mut effect = TermEffect {
        weight,
        ..bare_effect(term.name, term.group, 0, 0)
    };
    for slot in slots {
        let Some(seen) = trace.of_slot(slot) else {
            continue;
        };
        let weight = weights.get(slot);
        let value = units(blend(weight.opening, weight.ending, phase));
        effect.white_count += seen.white;
        effect.black_count += seen.black;
        effect.white += value * f64::from(seen.white);
        effect.black += value * f64::from(seen.black);
    }
    effect
}

/// A contribution without counts: score steps, each from its own side's view.
fn bare_effect(name: &'static str, group: &'static str, white: Score, black: Score) -> TermEffect {
    TermEffect {
        white: units(white),
        black: units(black),
        ..TermEffect::silent(name, group)
    }
}
