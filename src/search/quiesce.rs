//! Quiescence search: at depth 0, captures are searched until the position is quiet enough for
//! the static eval.

use super::history::{NO_PREVIOUS, SlotMove};
use super::options::{Ordering, Quiescence};
use super::ordering::{Candidate, MoveOrder, MovePicker, list_moves};
use super::searcher::Searcher;
use super::tt::NO_EVAL;
use super::tt_access::{NodeResult, TtProbe, adjusted_eval};
use super::{INFINITY, MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::Game;

impl<G: Game> Searcher<G> {
    /// The score of a leaf (depth 0). The node has been counted and the game has not ended, unless
    /// the mover has no moves.
    pub(super) fn horizon(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.tree.selective_depth = self.tree.selective_depth.max(ply as u32);
        let plays_out = matches!(
            self.options.quiescence,
            Quiescence::Captures | Quiescence::CapturesAndChecks
        );
        if plays_out && ply < MAX_PLY - 1 {
            return self.quiesce(position, evaluator, ply, alpha, beta, true);
        }
        if !position.has_moves() {
            return self.terminal_score(position, evaluator, position.end_without_moves(), 0, ply);
        }
        self.evaluate(evaluator, position)
    }

    /// Quiescence search. The mover may stand pat, unless in check or forced to capture. `first`:
    /// this is the first quiescence ply. Uses alpha-beta even under minimax: otherwise exchanges
    /// have too many branches.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        first: bool,
    ) -> Score {
        self.tree.selective_depth = self.tree.selective_depth.max(ply as u32);
        let checked = G::HAS_CHECK && position.in_check();
        let tt = if self.options.quiescence_table {
            self.probe_tt(position, ply)
        } else {
            TtProbe::NONE
        };
        if let Some(entry) = tt.entry
            && self.is_tt_cutoff(&entry, 0, beta - alpha > 1, alpha, beta)
        {
            self.tree.table_cutoffs += 1;
            return entry.score;
        }
        let old_alpha = alpha;
        let start = self.moves.len();
        let mut eval = NO_EVAL;
        let mut best = -INFINITY;
        let must_move = if checked {
            true
        } else if G::CAPTURES_FORCED {
            self.list_noisy(position);
            self.moves.len() > start
        } else {
            false
        };
        if checked {
            list_moves(position, &mut self.moves);
        }
        if self.moves.len() == start && (checked || !position.has_moves()) {
            return self.terminal_score(position, evaluator, position.end_without_moves(), 0, ply);
        }
        if !must_move || ply >= MAX_PLY - 1 {
            eval = match tt.entry {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.evaluate(evaluator, position),
            };
            // Stand pat, on a tighter TT score if there is one.
            best = match self.options.table_same_depth {
                true => eval,
                false => adjusted_eval(eval, &tt),
            };
            alpha = alpha.max(best);
            if alpha >= beta || ply >= MAX_PLY - 1 {
                self.moves.truncate(start);
                if tt.entry.is_none() && alpha >= beta {
                    self.store_stand_pat(&tt, eval, ply);
                }
                return best;
            }
        }
        let order = MoveOrder {
            ordering: self.options.ordering,
            hash_move_code: if self.options.hash_move {
                tt.move_code
            } else {
                0
            },
            refutations: [SlotMove::NONE; 3],
            previous: if must_move {
                self.previous_slots(ply)
            } else {
                NO_PREVIOUS
            },
        };
        let checks = first && self.options.quiescence == Quiescence::CapturesAndChecks;
        let captures_alone = !must_move && !G::CAPTURES_FORCED && !checks;
        let mut picker = if captures_alone && order.is_staged() {
            MovePicker::list_noisy(position, &mut self.moves, order)
        } else {
            if !must_move && !G::CAPTURES_FORCED {
                self.list_noisy(position);
            }
            if !must_move && checks {
                self.list_quiet_checks(position);
            }
            MovePicker::new(&mut self.moves, start, order, None)
        };
        let try_bad_captures = must_move || best <= -MATE_BOUND || !self.options.quiescence_see;
        if !try_bad_captures && self.options.ordering == Ordering::See {
            picker = picker.without_bad_captures();
        }
        let mut best_move_code = 0;
        while let Some(candidate) = picker.pick(
            position,
            &self.history,
            self.table
                .as_ref()
                .filter(|_| self.options.quiescence_table),
            &mut self.moves,
        ) {
            // If the mover cannot stand pat, no move is pruned.
            if best > -MATE_BOUND && !must_move {
                if self.is_bad_capture(position, &candidate) {
                    continue;
                }
                if let Some(most) = self.delta_pruned(&candidate, eval, alpha) {
                    // Fail-soft: the pruned move might have reached this score.
                    best = best.max(most);
                    continue;
                }
            }
            let mut next = position.clone();
            next.play(candidate.mv);
            if self.options.quiescence_table {
                self.prefetch_child(&next);
            }
            let score = -self.quiesce_child(&next, evaluator, ply + 1, alpha, beta);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move_code = G::move_code(candidate.mv);
                    alpha = score;
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(start);
        if self.stopped {
            return 0;
        }
        let result = NodeResult {
            move_code: best_move_code,
            depth: 0,
            score: best,
            eval,
        };
        self.store_result(&tt, ply, result, old_alpha, beta);
        best
    }

    /// The score of a child node, from its mover's side.
    fn quiesce_child(
        &mut self,
        next: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if !self.count_node() {
            return 0;
        }
        self.tree.quiescence_nodes += 1;
        if let Some(outcome) = next.end_by_position() {
            return self.terminal_score(next, evaluator, outcome, 0, ply);
        }
        self.quiesce(next, evaluator, ply, -beta, -alpha, false)
    }

    fn is_bad_capture(&self, position: &G, candidate: &Candidate<G::Move>) -> bool {
        self.options.quiescence_see
            && match self.options.ordering {
                Ordering::See => candidate.is_bad_capture(),
                _ => !position.see_ge(candidate.mv, &candidate.info, 0),
            }
    }

    /// Delta pruning: the highest score a capture can reach, if that is at most alpha.
    fn delta_pruned(
        &self,
        candidate: &Candidate<G::Move>,
        eval: Score,
        alpha: Score,
    ) -> Option<Score> {
        let info = &candidate.info;
        let gain = i32::from(info.victim) + i32::from(info.promotion) + self.options.delta_margin;
        let most = eval.saturating_add(gain * self.margin_steps);
        (self.options.delta_pruning && info.is_noisy() && most <= alpha).then_some(most)
    }

    fn list_noisy(&mut self, position: &G) {
        let list = &mut self.moves;
        position.for_each_noisy_move(|mv, info| list.push(Candidate { mv, info, rank: 0 }));
    }

    fn list_quiet_checks(&mut self, position: &G) {
        let list = &mut self.moves;
        position.for_each_move_with_info(|mv, info| {
            if !info.is_noisy() && position.gives_check(mv) {
                list.push(Candidate { mv, info, rank: 0 });
            }
        });
    }
}
