//! Rows and counts shared by several draughts presets.

use crate::eval::TermDefault::Number;
use crate::eval::{Sink, Term, slot};
use crate::games::Side;
use crate::games::draughts::{Draughts, bits::Bits, rules::Rules};

/// A possible move, ignoring forced captures.
pub const fn possible_move(value: f64) -> Term {
    Term::linear(
        "move",
        "mobility",
        Number(value),
        (-100.0, 100.0),
        "a single step or a single jump that could be made",
    )
}

/// The rows `win`, `loss` and `draw`, in this order.
pub const fn ends(win: f64, loss: f64, draw: f64) -> [Term; 3] {
    [
        end("win", win, "a won game, added to the other terms"),
        end("loss", loss, "a lost game, added to the other terms"),
        end(
            "draw",
            draw,
            "a drawn game for either side, added to the other terms",
        ),
    ]
}

const fn end(name: &'static str, value: f64, help: &'static str) -> Term {
    Term::parameter(name, "ends", Number(value), (-100_000.0, 100_000.0), help)
}

/// The slots of the three rows of [`ends`].
pub const fn end_slots(terms: &[Term]) -> Option<[usize; 3]> {
    Some([slot(terms, "win"), slot(terms, "loss"), slot(terms, "draw")])
}

/// Counts the men and kings of each side.
pub fn count_material<R: Rules>(
    position: &Draughts<R>,
    man: usize,
    king: usize,
    sink: &mut impl Sink,
) {
    let men = |side| position.men(side).count() as i32;
    let kings = |side| position.kings(side).count() as i32;
    sink.add(man, men(Side::White), men(Side::Black));
    sink.add(king, kings(Side::White), kings(Side::Black));
}

/// Counts single moves and single jumps of each side, as if it were to move.
pub fn count_moves<R: Rules>(position: &Draughts<R>, slot: usize, sink: &mut impl Sink) {
    let moves = |side| (position.single_steps(side) + position.single_jumps(side)) as i32;
    sink.add(slot, moves(Side::White), moves(Side::Black));
}
