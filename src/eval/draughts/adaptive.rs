//! Men and kings that are worth more the fewer a side has, and possible moves.
//!
//! The older program multiplies each side's material by 12 / (pieces + 1) in single precision and
//! truncates the difference; see [`super::single`].

use super::rows::{count_moves, end_slots, ends, possible_move};
use super::single::Single;
use crate::eval::TermDefault::Number;
use crate::eval::{STEPS, Score, Sink, Term, Terms, Weights, slot};
use crate::games::Side;
use crate::games::draughts::bits::Bits;
use crate::games::draughts::{Draughts, rules::Rules};

pub struct Adaptive;

const ENDS: [Term; 3] = ends(5000.0, -5000.0, -4000.0);

#[rustfmt::skip]
const TERMS: &[Term] = &[
    Term::parameter("man", "material", Number(5.0), (0.0, 100.0),
        "a man, times the side's scarcity factor"),
    Term::parameter("king", "material", Number(10.0), (0.0, 500.0),
        "a king, times the side's scarcity factor"),
    Term::parameter("scarcity", "material", Number(12.0), (0.01, 100.0),
        "the scarcity factor is this number divided by the side's number of pieces + 1"),
    possible_move(8.0),
    ENDS[0], ENDS[1], ENDS[2],
];

impl<R: Rules> Terms<Draughts<R>> for Adaptive {
    const TERMS: &'static [Term] = TERMS;
    const ENDS: Option<[usize; 3]> = end_slots(TERMS);

    fn visit(position: &Draughts<R>, weights: &Weights, sink: &mut impl Sink) {
        let white = WeightedPieces::of(position, weights, Side::White);
        let black = WeightedPieces::of(position, weights, Side::Black);
        let man = i64::from(weights.get(const { slot(TERMS, "man") }).opening);
        let king = i64::from(weights.get(const { slot(TERMS, "king") }).opening);
        let value = |men: Single, kings: Single| {
            men.times_hundredths(man).plus(kings.times_hundredths(king))
        };
        let difference = value(white.men.minus(black.men), white.kings.minus(black.kings));
        let difference = difference.truncated() as Score * STEPS;
        // The difference is truncated, so the two sides' shares cannot both be exact.
        let whites = value(white.men, white.kings).hundredths() as Score;
        sink.extra("material", whites, whites - difference);
        count_moves(position, const { slot(TERMS, "move") }, sink);
    }
}

/// A side's men and kings, each times the scarcity factor.
struct WeightedPieces {
    men: Single,
    kings: Single,
}

impl WeightedPieces {
    fn of<R: Rules>(position: &Draughts<R>, weights: &Weights, side: Side) -> WeightedPieces {
        let men = i64::from(position.men(side).count());
        let kings = i64::from(position.kings(side).count());
        let scarcity = i64::from(weights.get(const { slot(TERMS, "scarcity") }).opening);
        let factor = Single::quotient(scarcity, i64::from(STEPS) * (men + kings + 1));
        WeightedPieces {
            men: factor.times(men),
            kings: factor.times(kings),
        }
    }
}
