//! What a position is worth: named terms times weights, and the few pieces that are not linear.
//!
//! A term is written once, against a [`Sink`], and used three times: by the search (a sink that
//! multiplies), by the tuner (a sink that records coefficients) and by `explain` (a sink that
//! keeps the two sides apart). Weights are run-time data, so one process can hold any number of
//! them.

pub mod any;
pub mod catalog;
pub mod chess;
pub mod connect_four;
pub mod draughts;
pub mod othello;

mod cached;
mod linear;
mod random;
mod sink;
mod term;
mod weights;

pub use any::{AnyEvaluators, AnyPreset};
pub use cached::{Cached, CachedTerms};
pub use linear::{
    Explanation, GAME_OVER, Linear, SCALING, TermEffect, explain, record, weigh_record,
};
pub use random::Random;
pub use sink::{Coefficient, Extra, Recorder, Sink, Weigher};
pub use term::{Role, Shape, Term, TermDefault, slot, slot_count};
pub use weights::{MOST_SLOTS, Weight, WeightError, WeightValue, Weights};

use crate::games::{Game, Outcome, Side};

/// Hundredths of the evaluator's unit (a centipawn in chess, a point in draughts). Fine enough
/// for constants such as 0.0056 pawn, and all arithmetic on the search path stays in integers.
pub type Score = i32;

/// Score steps in one unit.
pub const STEPS: Score = 100;

/// Judges a position. Takes `&mut self` because a worker owns its evaluators, caches included.
pub trait Evaluator<G: Game>: Send {
    /// The worth of a position whose game goes on, from the mover's side.
    fn evaluate(&mut self, position: &G) -> Score;

    /// The worth of a finished game from the mover's side, for evaluators that have their own
    /// idea of it; `None` leaves it to the search (mate and draw scores).
    fn finished(&mut self, _position: &G, _outcome: Outcome) -> Option<Score> {
        None
    }

    /// Replaces the key of an evaluator that draws at random. Others keep no state that changes a
    /// score, so they can be reused as they are.
    fn reseed(&mut self, _key: u64) {}
}

/// A set of named terms over the positions of a game, and how they are counted.
pub trait Terms<G: Game>: Send + 'static {
    const TERMS: &'static [Term];

    /// Adds up every term of the position, each side's count by itself. The weights are there
    /// for what is not linear; a linear term leaves the multiplication to the sink.
    fn visit(position: &G, weights: &Weights, sink: &mut impl Sink);

    /// How much of the opening is left, from [`OPENING`] down to 0. Weights with an opening and
    /// an ending value are blended by it.
    fn phase(_position: &G) -> i32 {
        OPENING
    }

    /// The last word on the sum of all terms, from white's view: scaling of drawish endings,
    /// rounding.
    fn scaled(_position: &G, _weights: &Weights, sum: Score) -> Score {
        sum
    }

    /// What this set makes of a finished game, as `viewer` sees it; `None` leaves it to the
    /// search. `sum` is the worth of the terms from the viewer's side. The viewer matters where a
    /// preset is not zero-sum: a draw may be bad for whoever looks.
    fn finished(
        _position: &G,
        _weights: &Weights,
        _outcome: Outcome,
        _viewer: Side,
        _sum: Score,
    ) -> Option<Score> {
        None
    }
}

/// The phase of a full board.
pub const OPENING: i32 = 24;

/// How a config or a command names an evaluator of the game `G`.
pub struct Preset<G: Game> {
    pub name: &'static str,
    pub help: &'static str,
    pub terms: &'static [Term],
    /// Builds the evaluator. The key seeds evaluators that draw lots, and means nothing to others.
    pub build: fn(&Weights, u64) -> Box<dyn Evaluator<G>>,
    pub explain: fn(&Weights, &G) -> Explanation,
    pub record: fn(&Weights, &G) -> Recorder,
    /// See [`weigh_record`].
    pub weigh_record: fn(&Weights, &G, &Recorder) -> Score,
}

impl<G: Game> Preset<G> {
    /// The row of a preset whose evaluator is a set of terms.
    pub const fn of<T: Terms<G>>(name: &'static str, help: &'static str) -> Preset<G> {
        const { assert!(slot_count(T::TERMS) <= MOST_SLOTS) };
        Preset {
            name,
            help,
            terms: T::TERMS,
            build: |weights, _| Box::new(Linear::<G, T>::new(weights.clone())),
            explain: explain::<G, T>,
            record: record::<G, T>,
            weigh_record: weigh_record::<G, T>,
        }
    }

    /// The row of a preset whose set of terms keeps something between positions.
    pub const fn cached<T: CachedTerms<G>>(name: &'static str, help: &'static str) -> Preset<G> {
        Preset {
            build: |weights, _| Box::new(Cached::<G, T>::new(weights.clone())),
            ..Preset::of::<T>(name, help)
        }
    }

    /// The row of the evaluator that draws lots.
    pub const fn random() -> Preset<G> {
        Preset {
            name: "random",
            help: "a number drawn from the position as the mover sees it: the yardstick to beat",
            terms: &[],
            build: |_, key| Box::new(Random::new(key)),
            explain: |_, position| Explanation::bare(Random::new(0).white_view(position)),
            record: |_, _| Recorder::default(),
            weigh_record: |_, position, _| Random::new(0).white_view(position),
        }
    }
}

/// A game whose positions can be judged: its presets and its unit.
pub trait Evaluated: Game {
    /// What one unit of a score is called.
    const UNIT: &'static str;

    /// What people count in, where it is not the unit.
    const COUNTED_IN: &'static str = Self::UNIT;

    /// Units in what people call one: a pawn is a hundred centipawns, a point is a point.
    const UNITS_IN_ONE: f64 = 1.0;

    /// The preset that plays best.
    const STRONGEST: &'static str;

    fn presets() -> &'static [Preset<Self>];

    fn preset(name: &str) -> Option<&'static Preset<Self>> {
        Self::presets().iter().find(|preset| preset.name == name)
    }
}
