//! Static evaluation: named terms times weights, and a few non-linear parts.
//!
//! A term is written once, against a [`Sink`], and used three times: by the search (a sink that
//! multiplies), by the tuner (a sink that records a trace of coefficients) and by `explain` (a
//! sink that keeps the two sides apart). Weights are run-time data, so one process can hold any
//! number of sets.
//!
//! Learnt evaluators have no named terms: small neural nets ([`net`]) and tables of [`patterns`].

pub mod any;
pub mod catalog;
pub mod chess;
pub mod connect_four;
pub mod draughts;
pub mod net;
pub mod othello;
pub mod patterns;

mod cached;
mod learnt;
mod linear;
mod random;
mod sink;
mod term;
mod weights;

pub use any::{AnyEvaluators, AnyPreset};
pub use cached::{Cached, CachedTerms};
pub use learnt::Learnt;
pub use linear::{
    Explanation, GAME_OVER, Linear, PieceEffect, SCALING, TermEffect, explain, trace, weigh_trace,
};
pub use random::Random;
pub use sink::{Coefficient, Extra, Sink, Trace, Weigher};
pub use term::{Role, Term, TermDefault, TermShape, slot, slot_count};
pub use weights::{MOST_SLOTS, Weight, WeightError, WeightValue, Weights};

use std::sync::Arc;

use crate::games::{Game, Outcome, Side};

/// Hundredths of the evaluator's unit (a centipawn in chess, a point in draughts). Fine enough
/// for constants such as 0.0056 pawn, and all arithmetic on the search path stays in integers.
pub type Score = i32;

/// Score steps in one unit.
pub const STEPS: Score = 100;

/// A static evaluator. Takes `&mut self` because a worker owns its evaluators and their caches.
pub trait Evaluator<G: Game>: Send {
    /// The score of a position whose game has not ended, from the mover's side.
    fn evaluate(&mut self, position: &G) -> Score;

    /// The score of a finished game from the mover's side, if the evaluator defines one. `None`
    /// leaves it to the search (mate and draw scores).
    fn finished(&mut self, _position: &G, _outcome: Outcome) -> Option<Score> {
        None
    }

    /// Replaces the key of a random evaluator. Others hold no state that changes a score.
    fn reseed(&mut self, _key: u64) {}
}

/// A set of named terms of a game, and how to count them.
///
/// ```
/// use sparring::eval::{Evaluator, Linear, Sink, Term, TermDefault, Terms, Weights, explain};
/// use sparring::games::chess::{Chess, Color, Piece};
/// use sparring::games::prelude::*;
///
/// /// Pawns, and nothing else.
/// struct Pawns;
///
/// impl Terms<Chess> for Pawns {
///     const TERMS: &'static [Term] = &[Term::linear(
///         "pawn",
///         "material",
///         TermDefault::Number(100.0),
///         (0.0, 400.0),
///         "a pawn",
///     )];
///
///     fn visit(position: &Chess, _weights: &Weights, sink: &mut impl Sink) {
///         let pawns = |colour| position.board().colored_pieces(colour, Piece::Pawn).len() as i32;
///         sink.add(0, pawns(Color::White), pawns(Color::Black));
///     }
/// }
///
/// let weights = Weights::defaults(Pawns::TERMS);
/// let position = Chess::from_fen("4k3/8/8/8/8/8/3PP3/4K3 b - - 0 1")?;
/// assert_eq!(explain::<Chess, Pawns>(&weights, &position).score, 200.0);
/// // Black is to move, and scores are from the mover's side, in hundredths of a centipawn.
/// assert_eq!(Linear::<Chess, Pawns>::new(weights).evaluate(&position), -20_000);
/// # Ok::<(), sparring::games::NotationError>(())
/// ```
pub trait Terms<G: Game>: Send + 'static {
    const TERMS: &'static [Term];

    /// Counts every term of the position, separately for each side. Linear terms leave the
    /// multiplication to the sink; only non-linear ones read the weights.
    fn visit(position: &G, weights: &Weights, sink: &mut impl Sink);

    /// The game phase, from [`OPENING`] down to 0. Tapered weights are interpolated by it.
    fn phase(_position: &G) -> i32 {
        OPENING
    }

    /// Post-processes the sum of all terms, from white's view: scaling of drawish endgames,
    /// rounding.
    fn scaled(_position: &G, _weights: &Weights, sum: Score) -> Score {
        sum
    }

    /// The slots of three parameters that `finished` adds to the sum of the terms: a game won, lost and
    /// drawn by the viewer.
    const ENDS: Option<[usize; 3]> = None;

    /// The score of a finished game from the side of `viewer`; `None` leaves it to the search.
    /// `sum` is the sum of the terms, from the same side. The viewer matters for presets that are
    /// not zero-sum: a draw may be bad for both sides.
    fn finished(
        _position: &G,
        weights: &Weights,
        outcome: Outcome,
        viewer: Side,
        sum: Score,
    ) -> Option<Score> {
        let [win, loss, draw] = Self::ENDS?;
        let slot = match outcome.winner {
            Some(winner) if winner == viewer => win,
            Some(_) => loss,
            None => draw,
        };
        Some(sum + weights.get(slot).opening)
    }
}

/// The phase of a full board.
pub const OPENING: i32 = 24;

/// A named evaluator of the game `G`.
pub struct Preset<G: Game> {
    pub name: &'static str,
    pub help: &'static str,
    pub terms: &'static [Term],
    /// Builds the evaluator. The key seeds random evaluators; others ignore it.
    pub build: fn(&Weights, u64) -> Box<dyn Evaluator<G>>,
    pub explain: fn(&Weights, &G) -> Explanation,
    pub trace: fn(&Weights, &G) -> Trace,
    /// See [`weigh_trace`].
    pub weigh_trace: fn(&Weights, &G, &Trace) -> Score,
}

impl<G: Game> Preset<G> {
    /// A preset whose evaluator is a set of terms.
    pub const fn of<T: Terms<G>>(name: &'static str, help: &'static str) -> Preset<G> {
        const { assert!(slot_count(T::TERMS) <= MOST_SLOTS) };
        Preset {
            name,
            help,
            terms: T::TERMS,
            build: |weights, _| Box::new(Linear::<G, T>::new(weights.clone())),
            explain: explain::<G, T>,
            trace: trace::<G, T>,
            weigh_trace: weigh_trace::<G, T>,
        }
    }

    /// A preset whose set of terms uses a cache.
    pub const fn cached<T: CachedTerms<G>>(name: &'static str, help: &'static str) -> Preset<G> {
        Preset {
            build: |weights, _| Box::new(Cached::<G, T>::new(weights.clone())),
            ..Preset::of::<T>(name, help)
        }
    }

    /// The random evaluator.
    pub const fn random() -> Preset<G> {
        Preset {
            name: "random",
            help: "a random score per position: the baseline that every evaluator should beat",
            terms: &[],
            build: |_, key| Box::new(Random::new(key)),
            explain: |_, position| Explanation::bare(Random::new(0).white_view(position)),
            trace: |_, _| Trace::default(),
            weigh_trace: |_, position, _| Random::new(0).white_view(position),
        }
    }

    /// An evaluator whose numbers are all in a file, see [`Learnt`]. With weights that hold none for
    /// this board, every score is 0.
    const fn learnt(name: &'static str, help: &'static str) -> Preset<G> {
        Preset {
            name,
            help,
            terms: &[],
            build: |weights, _| learnt_evaluator(weights),
            explain: |weights, position| match weights.learnt() {
                Some(Learnt::Net(net)) => net::explain(net, position),
                Some(Learnt::Patterns(patterns)) => patterns::explain(patterns, position),
                None => Explanation::bare(0),
            },
            trace: |_, _| Trace::default(),
            weigh_trace: |weights, position, _| {
                learnt_evaluator::<G>(weights).evaluate(position) * position.side_to_move().sign()
            },
        }
    }
}

fn learnt_evaluator<G: Game>(weights: &Weights) -> Box<dyn Evaluator<G>> {
    fn boxed<G: Game>(it: impl Evaluator<G> + 'static) -> Box<dyn Evaluator<G>> {
        Box::new(it)
    }
    let found = match weights.learnt() {
        Some(Learnt::Net(net)) => {
            let kernel = net::Kernel::detect();
            net::NetEvaluator::new(Arc::clone(net), G::LAYOUT, kernel).map(boxed::<G>)
        }
        Some(Learnt::Patterns(patterns)) => {
            patterns::PatternEvaluator::new::<G>(Arc::clone(patterns)).map(boxed::<G>)
        }
        None => None,
    };
    found.unwrap_or_else(|| Box::new(Linear::<G, NoTerms>::new(Weights::defaults(&[]))))
}

/// Scores every position 0.
struct NoTerms;

impl<G: Game> Terms<G> for NoTerms {
    const TERMS: &'static [Term] = &[];

    fn visit(_position: &G, _weights: &Weights, _sink: &mut impl Sink) {}
}

/// A game with evaluators: its presets and its unit.
pub trait Evaluated: Game {
    /// The name of the unit of scores.
    const UNIT: &'static str;

    /// The unit shown to users, if it differs.
    const COUNTED_IN: &'static str = Self::UNIT;

    /// Units per unit shown to users: a pawn is a hundred centipawns, a point is a point.
    const UNITS_IN_ONE: f64 = 1.0;

    /// The strongest preset.
    const STRONGEST: &'static str;

    /// The evaluators that need no file.
    fn presets() -> &'static [Preset<Self>];

    /// The evaluator of this name, those that need a file included.
    fn preset(name: &str) -> Option<&'static Preset<Self>> {
        let learnt = const {
            &[
                Preset::<Self>::learnt(
                    net::NAME,
                    "a small neural net from a file: evaluator = \"FILE.safetensors\"",
                ),
                Preset::<Self>::learnt(
                    patterns::NAME,
                    "tables of patterns from a file: evaluator = \"FILE.safetensors\"",
                ),
            ]
        };
        let mut presets = Self::presets().iter().chain(learnt);
        presets.find(|preset| preset.name == name)
    }
}
