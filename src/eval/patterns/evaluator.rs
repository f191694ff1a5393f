//! Evaluates positions by the patterns they show.

use std::sync::Arc;

use super::{Patterns, Scanner};
use crate::eval::{Evaluator, Score};
use crate::games::sets::PieceSets;
use crate::games::{Game, Side};

/// Patterns with the indices of the positions seen last.
pub struct PatternEvaluator {
    patterns: Arc<Patterns>,
    scanner: Scanner,
}

impl PatternEvaluator {
    /// `None` if the patterns are for another board.
    pub fn new<G: Game>(patterns: Arc<Patterns>) -> Option<PatternEvaluator> {
        let (squares, kinds) = (G::LAYOUT.squares, G::LAYOUT.kinds);
        let layout = &patterns.parts().set.game.facts().layout;
        let fits = layout.squares == squares && layout.kinds == kinds;
        fits.then(|| PatternEvaluator::of(patterns))
    }

    /// For positions of their game.
    pub fn of(patterns: Arc<Patterns>) -> PatternEvaluator {
        PatternEvaluator {
            scanner: Scanner::new(patterns.geometry()),
            patterns,
        }
    }

    /// The score of these pieces, from the mover's side.
    pub fn score(&mut self, sets: &PieceSets, mover: Side) -> Score {
        let patterns = &*self.patterns;
        let (parts, stage) = (patterns.parts(), patterns.stage(sets));
        let stages = parts.set.stages;
        let pair = |weights: &[i16], row: usize| match weights[row * stages + stage.low..] {
            [low, high, ..] => (i32::from(low), i32::from(high)),
            _ => (0, 0),
        };
        let (mut low, mut high) = pair(&parts.tempo, 0);
        for kind in 0..patterns.kinds {
            let surplus = Patterns::surplus(sets, kind, mover);
            let weight = pair(&parts.material, kind);
            low += surplus * weight.0;
            high += surplus * weight.1;
        }
        let scanner = &mut self.scanner;
        scanner.for_each_entry(&patterns.geometry, sets, mover, |entry, sign| {
            let weight = pair(&parts.weights, entry);
            low += sign * weight.0;
            high += sign * weight.1;
        });
        patterns.steps(stage, low, high)
    }
}

impl<G: Game> Evaluator<G> for PatternEvaluator {
    fn evaluate(&mut self, position: &G) -> Score {
        self.score(&position.piece_sets(), position.side_to_move())
    }
}
