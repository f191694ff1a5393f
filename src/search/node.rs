//! Interior nodes: negamax, with each pruning and extension behind an option.

use arrayvec::ArrayVec;

use super::options::{Algorithm, Quiescence};
use super::ordering::{Candidate, HASH_MOVE, MoveOrder, MovePicker};
use super::prune::PruneInput;
use super::searcher::Searcher;
use super::selective::{Pruned, Singular};
use super::tt::NO_EVAL;
use super::tt_access::{NodeResult, TtProbe, adjusted_eval};
use super::{INFINITY, MATE, MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::{Game, MoveInfo};

/// The expected type of a node (Knuth's PV, cut and all nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeType {
    /// On the principal variation.
    Pv,
    /// Expected to fail high.
    Cut,
    /// Expected to fail low.
    All,
}

impl NodeType {
    /// The type of a child that is searched with a zero window.
    pub fn zero_window_child(self) -> NodeType {
        match self {
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }

    /// The type of the child of the first move.
    fn first_child(self) -> NodeType {
        match self {
            NodeType::Pv => NodeType::Pv,
            other => other.zero_window_child(),
        }
    }
}

/// A node whose moves are being searched.
pub(super) struct Node<'p, G: Game> {
    pub position: &'p G,
    pub depth: i32,
    pub ply: usize,
    pub node_type: NodeType,
    pub in_check: bool,
    pub improving: bool,
    pub eval: Score,
    pub tt: &'p TtProbe,
}

/// Quiet moves of a node that were searched without raising alpha.
type FailedQuiets = ArrayVec<MoveInfo, 32>;

/// The best move searched so far.
struct Best {
    score: Score,
    move_code: u16,
}

impl<G: Game> Searcher<G> {
    /// Searches a node: the score of `position` from its mover's side, exact within the window, a
    /// bound outside (fail-soft).
    #[allow(
        clippy::too_many_arguments,
        reason = "the search path passes plain values"
    )]
    pub(super) fn negamax(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        node_type: NodeType,
    ) -> Score {
        if !self.count_node() {
            return 0;
        }
        self.pv_table[ply].clear();
        if let Some(outcome) = position.end_by_position() {
            return self.terminal_score(position, evaluator, outcome, depth, ply);
        }
        if self.is_repetition(position) {
            return self.draw_score(ply);
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.horizon(position, evaluator, ply, alpha, beta);
        }
        if self.options.mate_distance_pruning {
            alpha = alpha.max(-MATE + ply as Score);
            beta = beta.min(MATE - ply as Score - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        self.interior_node(position, evaluator, depth, ply, (alpha, beta), node_type)
    }

    /// Searches a node with depth left. The game has not ended, unless the mover has no moves.
    pub(super) fn interior_node(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        mut depth: i32,
        ply: usize,
        (alpha, beta): (Score, Score),
        node_type: NodeType,
    ) -> Score {
        let excluded = self.stack[ply].excluded;
        let tt = match excluded {
            None => self.probe_tt(position, ply),
            Some(_) => TtProbe::NONE,
        };
        if let Some(entry) = tt.entry
            && self.is_tt_cutoff(&entry, depth, node_type == NodeType::Pv, alpha, beta)
        {
            self.tree.table_cutoffs += 1;
            return entry.score;
        }
        let in_check = G::HAS_CHECK && position.in_check();
        let eval = if excluded.is_some() {
            self.stack[ply].eval
        } else {
            self.static_eval(position, evaluator, ply, in_check, &tt)
        };
        let improving = self.is_improving(eval, ply);
        if node_type != NodeType::Pv && eval != NO_EVAL && excluded.is_none() {
            let input = PruneInput {
                position,
                depth,
                ply,
                alpha,
                beta,
                eval: adjusted_eval(eval, &tt),
                static_eval: eval,
                improving,
                node_type,
            };
            if let Some(score) = self.prune_node(&input, evaluator) {
                // With forced captures the mover may not be able to stand pat.
                if tt.entry.is_none() && !G::CAPTURES_FORCED {
                    self.store_stand_pat(&tt, eval, ply);
                }
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        const LEAST_DEPTH_FOR_REDUCTION: i32 = 4;
        if self.options.internal_iterative_reduction
            && depth >= LEAST_DEPTH_FOR_REDUCTION
            && tt.move_code == 0
            && excluded.is_none()
            && node_type != NodeType::All
        {
            depth -= 1;
        }
        let node = Node {
            position,
            depth,
            ply,
            node_type,
            in_check,
            improving,
            eval,
            tt: &tt,
        };
        self.search_moves(&node, evaluator, alpha, beta)
    }

    /// Prefetches the TT bucket of a key. Call it as soon as the key is known.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: Option<u64>) {
        if let (Some(table), Some(hash)) = (&self.table, hash) {
            table.prefetch(hash);
        }
    }

    /// The static eval, also written to the search stack. [`NO_EVAL`] in check, or if no enabled
    /// option needs it.
    pub(super) fn static_eval(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        in_check: bool,
        tt: &TtProbe,
    ) -> Score {
        let options = &self.options;
        let wanted = options.reverse_futility
            || options.razoring
            || options.null_move
            || options.futility
            || options.late_move_pruning
            || options.late_move_reductions;
        let eval = match tt.entry {
            _ if in_check || !wanted => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(evaluator, position),
        };
        self.stack[ply].eval = eval;
        eval
    }

    /// Whether the static eval is higher than at the mover's previous turn out of check.
    fn is_improving(&self, eval: Score, ply: usize) -> bool {
        let earlier = [2, 4]
            .into_iter()
            .filter_map(|back| ply.checked_sub(back))
            .map(|at| self.stack[at].eval)
            .find(|&earlier| earlier != NO_EVAL);
        eval != NO_EVAL && earlier.is_none_or(|earlier| eval > earlier)
    }

    fn search_moves(
        &mut self,
        node: &Node<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let (position, ply, depth) = (node.position, node.ply, node.depth);
        let minimax = self.options.algorithm == Algorithm::Minimax;
        let start = self.moves.len();
        // The hash move often causes a cutoff: generate the other moves only if it does not.
        let hash_move = self.hash_move_candidate(node);
        let mut first = hash_move;
        let mut picker = None;
        if first.is_none() {
            picker = self.picker(node, None);
            if picker.is_none() {
                let outcome = position.end_without_moves();
                return self.terminal_score(position, evaluator, outcome, depth, ply);
            }
        }
        self.history.clear_killers(ply + 1);
        self.stack[ply + 2].cutoffs = 0;
        self.path.push(position.repetition_key());
        let old_alpha = alpha;
        let mut best = Best {
            score: -INFINITY,
            move_code: 0,
        };
        let mut quiets = 0;
        let mut searched = 0;
        let mut failed_quiets = FailedQuiets::new();
        // The remaining quiet moves are pruned, except those that give check.
        let mut checks_only = false;
        loop {
            let candidate = match first.take() {
                Some(candidate) => candidate,
                None => {
                    if picker.is_none() {
                        picker = self.picker(node, hash_move);
                    }
                    let Some(picker) = &mut picker else { break };
                    if picker.quiets_are_next()
                        && best.score > -MATE_BOUND
                        && !minimax
                        && self.quiets_are_futile(node, alpha)
                    {
                        picker.skip_quiets(position, &mut self.moves);
                        checks_only = true;
                    }
                    match picker.pick(
                        position,
                        &self.history,
                        self.table.as_ref(),
                        &mut self.moves,
                    ) {
                        Some(candidate) => candidate,
                        None => break,
                    }
                }
            };
            if self.stack[ply].excluded == Some(candidate.mv) {
                continue;
            }
            let quiet = !candidate.info.is_noisy();
            quiets += u32::from(quiet);
            if best.score > -MATE_BOUND && !minimax {
                let quiets = if checks_only { 0 } else { quiets };
                match self.prune_move(node, &candidate, quiets, searched, alpha) {
                    Pruned::No => {}
                    Pruned::Move => continue,
                    Pruned::AllQuiets => {
                        if let Some(picker) = &mut picker {
                            picker.skip_quiets(position, &mut self.moves);
                        }
                        checks_only = true;
                        if !position.gives_check(candidate.mv) {
                            continue;
                        }
                    }
                }
            }
            let singular = match self.singular(node, evaluator, &candidate, beta) {
                Singular::MultiCut(score) => {
                    self.path.pop();
                    self.moves.truncate(start);
                    return score;
                }
                Singular::Extend(plies) => plies,
            };
            let mut next = position.clone();
            next.play(candidate.mv);
            self.prefetch_child(&next);
            self.stack[ply].slot = usize::from(candidate.info.slot);
            self.stack[ply].captures = candidate.info.victim > 0;
            let score = self.search_move(
                node,
                evaluator,
                &candidate,
                &next,
                searched,
                singular,
                (alpha, beta),
            );
            searched += 1;
            if self.stopped {
                break;
            }
            if quiet && score <= alpha {
                // A full list is fine: later quiets say little about the move order.
                let _ = failed_quiets.try_push(candidate.info);
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.move_code = G::move_code(candidate.mv);
                    if beta - alpha > 1 {
                        self.update_pv(ply, candidate.mv);
                    }
                    alpha = score;
                }
                if alpha >= beta && !minimax {
                    self.tree.cutoffs += 1;
                    self.stack[ply].cutoffs += 1;
                    self.tree.first_move_cutoffs += u64::from(searched == 1);
                    if quiet {
                        self.reward_cutoff(node, &candidate, &failed_quiets);
                    }
                    break;
                }
            }
        }
        self.path.pop();
        self.moves.truncate(start);
        if self.stopped {
            return 0;
        }
        if best.score == -INFINITY {
            // Every move but the excluded one was pruned, or there is no other.
            return old_alpha;
        }
        let result = NodeResult {
            move_code: best.move_code,
            depth: node.depth,
            score: best.score,
            eval: node.eval,
        };
        self.store_result(node.tt, node.ply, result, old_alpha, beta);
        best.score
    }

    /// The hash move, if the game can check its legality without generating moves.
    fn hash_move_candidate(&self, node: &Node<'_, G>) -> Option<Candidate<G::Move>> {
        if node.tt.move_code == 0 || !self.options.hash_move {
            return None;
        }
        let mv = node.position.move_of_code(node.tt.move_code)?;
        let info = node.position.move_info(mv);
        self.prefetch(node.position.hash_after(mv, &info));
        Some(Candidate {
            mv,
            info,
            rank: HASH_MOVE,
        })
    }

    /// A move picker for the node; `None` if there are no legal moves.
    fn picker(
        &mut self,
        node: &Node<'_, G>,
        hash_move: Option<Candidate<G::Move>>,
    ) -> Option<MovePicker<G>> {
        let previous = self.previous_slots(node.ply);
        let order = MoveOrder {
            ordering: self.options.ordering,
            hash_move_code: if self.options.hash_move {
                node.tt.move_code
            } else {
                0
            },
            refutations: self.history.refutations(node.ply, previous),
            previous,
        };
        MovePicker::list(node.position, &mut self.moves, order, hash_move)
    }

    /// Searches one move: with the full window, or with a zero window (reduced by LMR) and a
    /// re-search if it beats alpha.
    #[allow(
        clippy::too_many_arguments,
        reason = "the search path passes plain values"
    )]
    fn search_move(
        &mut self,
        node: &Node<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        candidate: &Candidate<G::Move>,
        next: &G,
        searched: u32,
        singular: i32,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let ply = node.ply + 1;
        let mut full = node.depth - 1 + singular;
        if singular == 0 {
            full += self.extension(node.position, candidate.mv, &candidate.info, next, ply);
        }
        if full == 0 && self.options.quiescence == Quiescence::Activity {
            full = self.depth_after_last_ply(
                node.position,
                candidate.mv,
                candidate.info,
                next,
                node.ply,
            );
        }
        match self.options.algorithm {
            Algorithm::Minimax => {
                return -self.negamax(
                    next,
                    evaluator,
                    full,
                    ply,
                    -INFINITY,
                    INFINITY,
                    NodeType::Pv,
                );
            }
            _ if searched == 0 => {
                let node_type = node.node_type.first_child();
                return -self.negamax(next, evaluator, full, ply, -beta, -alpha, node_type);
            }
            _ => {}
        }
        let reduction = self.reduction(node, candidate, next, searched, full);
        let pvs = self.options.algorithm == Algorithm::Pvs;
        let mut score = alpha + 1;
        if reduction > 0 {
            let reduced = full - reduction;
            score = -self.negamax(
                next,
                evaluator,
                reduced,
                ply,
                -alpha - 1,
                -alpha,
                NodeType::Cut,
            );
        }
        if pvs && score > alpha {
            let node_type = node.node_type.zero_window_child();
            score = -self.negamax(next, evaluator, full, ply, -alpha - 1, -alpha, node_type);
        }
        if score > alpha && (!pvs || score < beta && beta - alpha > 1) {
            let node_type = if pvs {
                NodeType::Pv
            } else {
                node.node_type.zero_window_child()
            };
            score = -self.negamax(next, evaluator, full, ply, -beta, -alpha, node_type);
        }
        score
    }

    /// Quiet beta cutoff: rewards this move, penalises the quiets tried before it.
    fn reward_cutoff(
        &mut self,
        node: &Node<'_, G>,
        cutoff_move: &Candidate<G::Move>,
        failed_quiets: &FailedQuiets,
    ) {
        let previous = self.previous_slots(node.ply);
        self.history.update_refutations(
            &self.options,
            node.ply,
            (cutoff_move.mv, &cutoff_move.info),
            previous,
        );
        let bonus = (240 * node.depth - 110).clamp(0, 2500);
        self.history.update(cutoff_move.info, previous, bonus);
        for &info in failed_quiets {
            self.history.update(info, previous, -bonus);
        }
    }
}
