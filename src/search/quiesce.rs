//! What happens when the depth is spent: the position is judged, or its captures are played out
//! first so that nothing is judged in the middle of an exchange.

use super::history::{Known, NOTHING_BEFORE};
use super::node::{Remembered, better_eval};
use super::options::{Ordering, Quiescence};
use super::ordering::{Candidate, Order, Picker, list_moves};
use super::searcher::Searcher;
use super::table::{Bound, Memory, NO_EVAL};
use super::{INFINITY, MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::Game;

impl<G: Game> Searcher<G> {
    /// The worth of a position at the end of the depth, which has been counted and has not ended
    /// by itself.
    pub(super) fn horizon(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let plays_out = matches!(
            self.options.quiescence,
            Quiescence::Captures | Quiescence::CapturesAndChecks
        );
        if plays_out && ply < MAX_PLY - 1 {
            return self.quiesce(position, evaluator, ply, alpha, beta, true);
        }
        if !position.has_moves() {
            return self.finished(position, evaluator, position.end_without_moves(), 0, ply);
        }
        self.judge(evaluator, position)
    }

    /// Plays out captures. The mover may also decline them all and take the score as it stands,
    /// unless in check or bound to capture. `first`: this is the first ply after the depth.
    /// Always by alpha-beta, under minimax too: without it exchanges have too many branches.
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
        let memory = if self.options.quiescence_table {
            self.remember(position, ply)
        } else {
            Remembered::NOTHING
        };
        if let Some(memory) = memory.known
            && self.suffices(&memory, 0, beta - alpha > 1, alpha, beta)
        {
            self.tree.table_cutoffs += 1;
            return memory.score;
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
            return self.finished(position, evaluator, position.end_without_moves(), 0, ply);
        }
        if !must_move || ply >= MAX_PLY - 1 {
            eval = match memory.known {
                Some(known) if known.eval != NO_EVAL => known.eval,
                _ => self.judge(evaluator, position),
            };
            // A deeper score may say more than the static one.
            best = match self.options.table_same_depth {
                true => eval,
                false => better_eval(eval, &memory),
            };
            alpha = alpha.max(best);
            if alpha >= beta || ply >= MAX_PLY - 1 {
                self.moves.truncate(start);
                if memory.known.is_none() && alpha >= beta {
                    self.keep_standing(&memory, eval, ply);
                }
                return best;
            }
        }
        let order = Order {
            ordering: self.options.ordering,
            hash_code: if self.options.hash_move {
                memory.code
            } else {
                0
            },
            refuters: [Known::NONE; 3],
            before: if must_move {
                self.before(ply)
            } else {
                NOTHING_BEFORE
            },
        };
        let checks = first && self.options.quiescence == Quiescence::CapturesAndChecks;
        let captures_alone = !must_move && !G::CAPTURES_FORCED && !checks;
        let mut picker = if captures_alone && order.sorts_by_kind() {
            Picker::list_noisy(position, &mut self.moves, order)
        } else {
            if !must_move && !G::CAPTURES_FORCED {
                self.list_noisy(position);
            }
            if !must_move && checks {
                self.list_quiet_checks(position);
            }
            Picker::new(&mut self.moves, start, order, None)
        };
        let losers_count = must_move || best <= -MATE_BOUND || !self.options.quiescence_see;
        if !losers_count && self.options.ordering == Ordering::See {
            picker = picker.without_losers();
        }
        let mut best_code = 0;
        while let Some(candidate) = picker.pick(
            position,
            &self.history,
            self.table
                .as_ref()
                .filter(|_| self.options.quiescence_table),
            &mut self.moves,
        ) {
            // Whoever must move has no score to fall back on: everything counts.
            if best > -MATE_BOUND && !must_move {
                if self.loses_exchange(position, &candidate) {
                    continue;
                }
                if let Some(most) = self.too_little(&candidate, eval, alpha) {
                    // It was not tried: the score it could reach is not ruled out.
                    best = best.max(most);
                    continue;
                }
            }
            let mut next = position.clone();
            next.play(candidate.mv);
            if self.options.quiescence_table {
                self.announce_made(&next);
            }
            let score = -self.quiesce_child(&next, evaluator, ply + 1, alpha, beta);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_code = G::move_code(candidate.mv);
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
        if let (Some(table), Some(hash)) = (&mut self.table, memory.hash) {
            let bound = match best {
                score if score >= beta => Bound::Lower,
                score if score > old_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            table.store(
                hash,
                Memory {
                    code: best_code,
                    depth: 0,
                    bound,
                    score: to_table(best, ply),
                    eval,
                },
            );
        }
        best
    }

    /// Remembers a position that is good enough as it stands, so that coming back to it costs no
    /// second evaluation.
    pub(super) fn keep_standing(&mut self, memory: &Remembered, eval: Score, ply: usize) {
        if let (Some(table), Some(hash)) = (&mut self.table, memory.hash) {
            table.store(
                hash,
                Memory {
                    code: 0,
                    depth: 0,
                    bound: Bound::Lower,
                    score: to_table(eval, ply),
                    eval,
                },
            );
        }
    }

    /// The score of a position one ply deeper, from its own mover's side.
    fn quiesce_child(
        &mut self,
        next: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if !self.visit() {
            return 0;
        }
        self.tree.quiescence_nodes += 1;
        if let Some(outcome) = next.end_by_position() {
            return self.finished(next, evaluator, outcome, 0, ply);
        }
        self.quiesce(next, evaluator, ply, -beta, -alpha, false)
    }

    fn loses_exchange(&self, position: &G, candidate: &Candidate<G::Move>) -> bool {
        self.options.quiescence_see
            && match self.options.ordering {
                Ordering::See => candidate.loses_exchange(),
                _ => !position.exchange_gains(candidate.mv, &candidate.info, 0),
            }
    }

    /// The most that a capture can lift the score to, if that does not matter.
    fn too_little(
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

/// Mates are remembered by their distance from the position, not from the root.
pub(super) fn to_table(score: Score, ply: usize) -> Score {
    match score {
        _ if score > MATE_BOUND => score + ply as Score,
        _ if score < -MATE_BOUND => score - ply as Score,
        _ => score,
    }
}

pub(super) fn from_table(score: Score, ply: usize) -> Score {
    match score {
        _ if score > MATE_BOUND => score - ply as Score,
        _ if score < -MATE_BOUND => score + ply as Score,
        _ => score,
    }
}
