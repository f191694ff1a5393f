//! Selectivity per move: futility, LMP and SEE pruning, LMR, and extensions.

use std::hint::select_unpredictable;

use super::node::{Node, NodeType};
use super::ordering::Candidate;
use super::searcher::Searcher;
use super::tt::{Bound, NO_EVAL};
use super::{MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::{Game, MoveInfo};

/// Whether a move is pruned.
pub(super) enum Pruned {
    No,
    Move,
    /// The move and all later quiet moves.
    AllQuiets,
}

/// The result of the singular-extension search.
pub(super) enum Singular {
    /// Extend the hash move by this many plies; negative reduces it.
    Extend(i32),
    /// Another move fails high too: the node returns this score.
    MultiCut(Score),
}

/// The greatest depth at which moves are pruned.
const MAX_PRUNE_DEPTH: i32 = 8;

impl<G: Game> Searcher<G> {
    /// Futility: static eval + margin <= alpha.
    pub(super) fn quiets_are_futile(&self, node: &Node<'_, G>, alpha: Score) -> bool {
        let options = &self.options;
        let margin =
            (options.futility_base + options.futility_margin * node.depth) * self.margin_steps;
        options.futility
            && node.depth <= MAX_PRUNE_DEPTH
            && node.node_type != NodeType::Pv
            && !node.in_check
            && node.eval != NO_EVAL
            && node.eval.saturating_add(margin) <= alpha
    }

    /// Prunes a move at low depth: futility and LMP for quiets, SEE for all moves.
    pub(super) fn prune_move(
        &self,
        node: &Node<'_, G>,
        candidate: &Candidate<G::Move>,
        quiets: u32,
        searched: u32,
        alpha: Score,
    ) -> Pruned {
        let options = &self.options;
        let depth = node.depth;
        const PROTECTED_REFUTATIONS: u32 = 4;
        if depth > MAX_PRUNE_DEPTH {
            return Pruned::No;
        }
        let loses = |margin: i32| {
            options.see_pruning
                && !node
                    .position
                    .see_ge(candidate.mv, &candidate.info, -margin * depth)
        };
        if candidate.info.is_noisy() {
            let out = candidate.is_bad_capture() && loses(options.see_capture_margin);
            return if out { Pruned::Move } else { Pruned::No };
        }
        if node.in_check || (candidate.is_refutation() && searched < PROTECTED_REFUTATIONS) {
            return Pruned::No;
        }
        let allowed = options.late_move_pruning_base + depth * depth;
        let allowed = if node.improving {
            allowed
        } else {
            allowed / 2 + 1
        };
        // `quiets` is 0 once only checks are left, and those are not pruned.
        let late = options.late_move_pruning && quiets as i32 > allowed;
        if quiets > 0 && (late || self.quiets_are_futile(node, alpha)) {
            return Pruned::AllQuiets;
        }
        if loses(options.see_quiet_margin) {
            Pruned::Move
        } else {
            Pruned::No
        }
    }

    /// LMR: plies by which a late move is reduced.
    pub(super) fn reduction(
        &self,
        node: &Node<'_, G>,
        candidate: &Candidate<G::Move>,
        next: &G,
        searched: u32,
        full: i32,
    ) -> i32 {
        const LEAST_DEPTH: i32 = 2;
        let quiet = !candidate.info.is_noisy();
        let options = &self.options;
        if !options.late_move_reductions
            || node.depth < LEAST_DEPTH
            || (searched as i32)
                < options.reduction_first + 2 * i32::from(node.node_type == NodeType::Pv)
            || (!quiet && !candidate.is_bad_capture())
            || (G::CAPTURES_FORCED && must_capture(next))
        {
            return 0;
        }
        let (row, column) = (node.depth.min(63) as usize, (searched + 1).min(63) as usize);
        let mut plies = i32::from(self.reductions[row][column]);
        let cutoffs = self.stack[node.ply + 1].cutoffs;
        plies += i32::from(options.reduction_cutoffs > 0 && cutoffs > options.reduction_cutoffs);
        plies += select_unpredictable(node.node_type == NodeType::Cut, options.reduction_cut, 0);
        plies -= i32::from(node.node_type == NodeType::Pv);
        plies += options.reduction_worse * i32::from(!node.improving && !node.in_check);
        plies -= i32::from(next.in_check());
        if quiet {
            const HISTORY_PER_PLY: i32 = 8192;
            if candidate.is_refutation() {
                plies -= 1;
            } else {
                plies -= (candidate.rank / HISTORY_PER_PLY).clamp(-2, 2);
            }
        }
        plies.clamp(0, (full - 1).max(0))
    }

    /// Check and forced-capture extension: plies added to the search of a move.
    pub(super) fn extension(
        &self,
        position: &G,
        mv: G::Move,
        info: &MoveInfo,
        next: &G,
        ply: usize,
    ) -> i32 {
        let options = &self.options;
        let far = ply as i32 >= 2 * self.root_depth;
        // No extension for a check that loses material.
        let check =
            options.check_extension && !far && next.in_check() && position.see_ge(mv, info, 0);
        let capture = options.capture_extension
            && G::CAPTURES_FORCED
            && ply < MAX_PLY - 2
            && must_capture(next);
        i32::from(check || capture)
    }

    /// Singular extension: searches the node without the hash move, below its TT score. If all
    /// other moves fail low, the hash move is extended.
    pub(super) fn singular(
        &mut self,
        node: &Node<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        candidate: &Candidate<G::Move>,
        beta: Score,
    ) -> Singular {
        let (ply, depth) = (node.ply, node.depth);
        let Some(entry) = node.tt.entry else {
            return Singular::Extend(0);
        };
        let applies = self.options.singular_extension
            && depth >= self.options.singular_depth
            && entry.move_code == G::move_code(candidate.mv)
            && entry.depth >= depth - 3
            && entry.bound != Bound::Upper
            && entry.score.abs() < MATE_BOUND
            && (ply as i32) < 2 * self.root_depth;
        if !applies {
            return Singular::Extend(0);
        }
        let singular_beta = entry.score - 2 * depth * self.margin_steps;
        self.stack[ply].excluded = Some(candidate.mv);
        // Same position, same ply: its key must not count as a repetition.
        let own_key = self.path.pop();
        let score = self.interior_node(
            node.position,
            evaluator,
            (depth - 1) / 2,
            ply,
            (singular_beta - 1, singular_beta),
            if node.node_type == NodeType::Cut {
                NodeType::Cut
            } else {
                NodeType::All
            },
        );
        self.path.extend(own_key);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < singular_beta {
            let double =
                node.node_type != NodeType::Pv && score < singular_beta - 20 * self.margin_steps;
            return Singular::Extend(1 + i32::from(double));
        }
        if singular_beta >= beta {
            return Singular::MultiCut(singular_beta);
        }
        Singular::Extend(-i32::from(entry.score >= beta))
    }
}

/// Whether the mover has a capture, in games where captures are forced.
fn must_capture<G: Game>(position: &G) -> bool {
    let mut captures = false;
    position.for_each_noisy_move(|_, info| captures |= info.victim > 0);
    captures
}
