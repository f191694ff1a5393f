//! Pruning before the first move: reverse futility, razoring and null move.

use super::history::NO_SLOT;
use super::node::NodeType;
use super::searcher::Searcher;
use super::{MATE_BOUND, Score};
use crate::eval::Evaluator;
use crate::games::Game;

/// A non-PV node about to be searched, with its window.
pub(super) struct PruneInput<'p, G> {
    pub position: &'p G,
    pub depth: i32,
    pub ply: usize,
    pub alpha: Score,
    pub beta: Score,
    /// The static eval, adjusted by the TT score.
    pub eval: Score,
    /// The static eval without that adjustment.
    pub static_eval: Score,
    /// The static eval is higher than two plies ago.
    pub improving: bool,
    pub node_type: NodeType,
}

impl<G: Game> Searcher<G> {
    /// The score of a node that can be pruned. Not for positions in check or PV nodes.
    pub(super) fn prune_node(
        &mut self,
        input: &PruneInput<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Option<Score> {
        if input.beta.abs() >= MATE_BOUND {
            return None;
        }
        self.reverse_futility(input)
            .or_else(|| self.razoring(input, evaluator))
            .or_else(|| self.null_move_pruning(input, evaluator))
    }

    /// Reverse futility: static eval - margin >= beta.
    fn reverse_futility(&self, input: &PruneInput<'_, G>) -> Option<Score> {
        let options = &self.options;
        if !options.reverse_futility || input.depth > options.reverse_futility_depth {
            return None;
        }
        let plies = input.depth - i32::from(input.improving);
        let margin = options.reverse_futility_margin * plies * self.margin_steps;
        (input.eval - margin >= input.beta && input.eval < MATE_BOUND)
            .then(|| (input.eval - input.beta) / 2 + input.beta)
    }

    /// Razoring: static eval + margin <= alpha, confirmed by quiescence.
    // Rarely reached: kept out of the hot code.
    #[inline(never)]
    fn razoring(
        &mut self,
        input: &PruneInput<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Option<Score> {
        const DEEPEST: i32 = 3;
        if !self.options.razoring || input.depth > DEEPEST || input.alpha.abs() >= MATE_BOUND {
            return None;
        }
        let margin = self.options.razoring_margin * input.depth * self.margin_steps;
        if input.eval + margin > input.alpha {
            return None;
        }
        let score = self.quiesce(
            input.position,
            evaluator,
            input.ply,
            input.alpha,
            input.alpha + 1,
            true,
        );
        (score <= input.alpha).then_some(score)
    }

    /// Null move pruning: fails high if the score stays above beta even after passing.
    // Few nodes get here: kept out of the hot code.
    #[inline(never)]
    fn null_move_pruning(
        &mut self,
        input: &PruneInput<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Option<Score> {
        let passed_before = input.ply > 0 && self.stack[input.ply - 1].slot == NO_SLOT;
        if !self.options.null_move || input.depth < 2 || input.eval < input.beta || passed_before {
            return None;
        }
        let wanted = self.options.null_move_surplus - 10 * input.depth;
        if input.static_eval < input.beta.saturating_add(wanted * self.margin_steps) {
            return None;
        }
        let next = input.position.null_move()?;
        self.prefetch(Some(next.hash()));
        let surplus = (input.eval - input.beta) / (200 * self.margin_steps);
        let reduction = self.options.null_move_base
            + input.depth / self.options.null_move_divisor
            + surplus.min(3);
        self.stack[input.ply].slot = NO_SLOT;
        self.stack[input.ply].captures = false;
        self.path.push(input.position.repetition_key());
        let score = -self.negamax(
            &next,
            evaluator,
            input.depth - reduction,
            input.ply + 1,
            -input.beta,
            -input.beta + 1,
            input.node_type.zero_window_child(),
        );
        self.path.pop();
        if self.stopped || score < input.beta {
            return None;
        }
        // A mate found after a null move is not proven.
        Some(if score >= MATE_BOUND {
            input.beta
        } else {
            score
        })
    }
}
