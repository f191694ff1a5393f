//! Rows and counts that several draughts presets share.

use crate::eval::TermDefault::Number;
use crate::eval::{Score, Sink, Term, Weights};
use crate::games::draughts::{Draughts, bits::Bits, rules::Rules};
use crate::games::{Outcome, Side};

/// A possible move, whatever the rules say about captures being due.
pub const fn possible_move(value: f64) -> Term {
    Term::linear(
        "move",
        "mobility",
        Number(value),
        (-100.0, 100.0),
        "a single step or a single jump that could be made",
    )
}

/// The rows `win`, `loss` and `draw`, which stand together in this order.
pub const fn ends(win: f64, loss: f64, draw: f64) -> [Term; 3] {
    [
        end("win", win, "a won game, on top of the other terms"),
        end("loss", loss, "a lost game, on top of the other terms"),
        end(
            "draw",
            draw,
            "a drawn game, for whoever looks, on top of the other terms",
        ),
    ]
}

const fn end(name: &'static str, value: f64, help: &'static str) -> Term {
    Term::parameter(name, "ends", Number(value), (-100_000.0, 100_000.0), help)
}

/// What the end of a game adds in the viewer's eyes. `win` is the slot of that row.
pub fn worth_of_end(weights: &Weights, win: usize, outcome: Outcome, viewer: Side) -> Score {
    let row = match outcome.winner {
        Some(winner) if winner == viewer => 0,
        Some(_) => 1,
        None => 2,
    };
    weights.get(win + row).opening
}

/// Counts men and kings, each side by itself.
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

/// Counts single steps and single jumps, each side as if it were to move.
pub fn count_moves<R: Rules>(position: &Draughts<R>, slot: usize, sink: &mut impl Sink) {
    let moves = |side| (position.single_steps(side) + position.single_jumps(side)) as i32;
    sink.add(slot, moves(Side::White), moves(Side::Black));
}
