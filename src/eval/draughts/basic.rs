//! Men, kings and possible moves: the simplest evaluator of the checkers program, whose six
//! numbers its users could edit.

use super::count_material;
use crate::eval::{Score, Sink, Term, TermDefault::Number, Terms, Weights, slot};
use crate::games::draughts::{Draughts, rules::Rules};
use crate::games::{Outcome, Side};

pub struct Basic;

const TERMS: &[Term] = &[
    Term::linear("man", "material", Number(2.0), (0.0, 100.0), "a man"),
    Term::linear("king", "material", Number(4.0), (0.0, 500.0), "a king"),
    Term::linear(
        "move",
        "mobility",
        Number(1.0),
        (-100.0, 100.0),
        "a single step or a single jump that could be made",
    ),
    Term::parameter(
        "win",
        "ends",
        Number(100.0),
        (0.0, 100_000.0),
        "a won game, on top of the other terms",
    ),
    Term::parameter(
        "loss",
        "ends",
        Number(-100.0),
        (-100_000.0, 0.0),
        "a lost game, on top of the other terms",
    ),
    Term::parameter(
        "draw",
        "ends",
        Number(-90.0),
        (-100_000.0, 100_000.0),
        "a drawn game, for whoever looks",
    ),
];

impl<R: Rules> Terms<Draughts<R>> for Basic {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Draughts<R>, _weights: &Weights, sink: &mut impl Sink) {
        count_material(
            position,
            const { slot(TERMS, "man") },
            const { slot(TERMS, "king") },
            sink,
        );
        let moves = |side| (position.single_steps(side) + position.single_jumps(side)) as i32;
        sink.add(
            const { slot(TERMS, "move") },
            moves(Side::White),
            moves(Side::Black),
        );
    }

    fn finished(
        _position: &Draughts<R>,
        weights: &Weights,
        outcome: Outcome,
        viewer: Side,
        sum: Score,
    ) -> Option<Score> {
        let slot = match outcome.winner {
            Some(winner) if winner == viewer => const { slot(TERMS, "win") },
            Some(_) => const { slot(TERMS, "loss") },
            None => const { slot(TERMS, "draw") },
        };
        Some(sum + weights.get(slot).opening)
    }
}
