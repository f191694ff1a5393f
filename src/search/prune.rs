//! Shortcuts before any move is tried: positions whose fate is plain enough from the static
//! score or from passing.

use super::history::NO_SLOT;
use super::node::Kind;
use super::searcher::Searcher;
use super::{MATE_BOUND, Score};
use crate::eval::Evaluator;
use crate::games::Game;

/// A position about to be searched, and the window.
pub(super) struct Prospect<'p, G> {
    pub position: &'p G,
    pub depth: i32,
    pub ply: usize,
    pub alpha: Score,
    pub beta: Score,
    /// The static score, made better by the table where it can.
    pub eval: Score,
    /// The static score itself.
    pub standing: Score,
    /// The mover stands better than two plies ago.
    pub improving: bool,
    pub kind: Kind,
}

impl<G: Game> Searcher<G> {
    /// The score of a position that needs no search, if it is such a one. Not for positions in
    /// check, nor for those on the expected line.
    pub(super) fn shortcut(
        &mut self,
        at: &Prospect<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Option<Score> {
        if at.beta.abs() >= MATE_BOUND {
            return None;
        }
        self.reverse_futility(at)
            .or_else(|| self.razor(at, evaluator))
            .or_else(|| self.pass(at, evaluator))
    }

    fn reverse_futility(&self, at: &Prospect<'_, G>) -> Option<Score> {
        let options = &self.options;
        if !options.reverse_futility || at.depth > options.reverse_futility_depth {
            return None;
        }
        let plies = at.depth - i32::from(at.improving);
        let margin = options.reverse_futility_margin * plies * self.margin_steps;
        (at.eval - margin >= at.beta && at.eval < MATE_BOUND)
            .then(|| (at.eval - at.beta) / 2 + at.beta)
    }

    // Seldom asked for: out of the way of what every position passes.
    #[inline(never)]
    fn razor(&mut self, at: &Prospect<'_, G>, evaluator: &mut dyn Evaluator<G>) -> Option<Score> {
        const DEEPEST: i32 = 3;
        if !self.options.razoring || at.depth > DEEPEST || at.alpha.abs() >= MATE_BOUND {
            return None;
        }
        let margin = self.options.razoring_margin * at.depth * self.margin_steps;
        if at.eval + margin > at.alpha {
            return None;
        }
        let score = self.quiesce(at.position, evaluator, at.ply, at.alpha, at.alpha + 1, true);
        (score <= at.alpha).then_some(score)
    }

    /// Lets the mover pass: whoever stands well enough even then needs no search.
    // Few positions get here: out of the way of the others.
    #[inline(never)]
    fn pass(&mut self, at: &Prospect<'_, G>, evaluator: &mut dyn Evaluator<G>) -> Option<Score> {
        let passed_before = at.ply > 0 && self.frames[at.ply - 1].slot == NO_SLOT;
        if !self.options.null_move || at.depth < 2 || at.eval < at.beta || passed_before {
            return None;
        }
        let wanted = self.options.null_move_surplus - 10 * at.depth;
        if at.standing < at.beta.saturating_add(wanted * self.margin_steps) {
            return None;
        }
        let next = at.position.null_move()?;
        self.announce(Some(next.hash()));
        let surplus = (at.eval - at.beta) / (200 * self.margin_steps);
        let reduction = self.options.null_move_base
            + at.depth / self.options.null_move_divisor
            + surplus.min(3);
        self.frames[at.ply].slot = NO_SLOT;
        self.frames[at.ply].captures = false;
        self.path.push(at.position.repetition_key());
        let score = -self.node(
            &next,
            evaluator,
            at.depth - reduction,
            at.ply + 1,
            -at.beta,
            -at.beta + 1,
            at.kind.after_test(),
        );
        self.path.pop();
        if self.stopped || score < at.beta {
            return None;
        }
        // A mate after passing proves only that the position is good.
        Some(if score >= MATE_BOUND { at.beta } else { score })
    }
}
