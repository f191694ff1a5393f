//! The root node: its moves keep their scores and PVs from depth to depth.

use super::INFINITY;
use super::history::{NO_PREVIOUS, SlotMove};
use super::node::NodeType;
use super::options::{Algorithm, Quiescence};
use super::ordering::{MoveOrder, MovePicker};
use super::report::SearchResult;
use super::searcher::Searcher;
use crate::eval::{Evaluator, Score};
use crate::games::MoveInfo;
use crate::games::prelude::*;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub mv: M,
    /// Exact score at the last depth, or `-INFINITY` for a move that failed low.
    pub score: Score,
    pub pv: Vec<M>,
    info: MoveInfo,
}

impl<G: Game> Searcher<G> {
    /// Lists the legal moves in the order in which the first depth tries them.
    pub(super) fn list_root_moves(&mut self, root: &G) {
        self.root_moves.clear();
        let mut list = std::mem::take(&mut self.moves);
        let start = list.len();
        super::ordering::list_moves(root, &mut list);
        let hash_move_code = match (&self.table, self.options.hash_move) {
            (Some(table), true) => table.probe(root.hash()).map_or(0, |entry| entry.move_code),
            _ => 0,
        };
        let order = MoveOrder {
            ordering: self.options.ordering,
            hash_move_code,
            refutations: [SlotMove::NONE; 3],
            previous: NO_PREVIOUS,
        };
        let mut picker = MovePicker::new(&mut list, start, order, None);
        while let Some(candidate) = picker.pick(root, &self.history, None, &mut list) {
            if !self.allowed_root_moves.is_empty()
                && !self.allowed_root_moves.contains(&candidate.mv)
            {
                continue;
            }
            self.root_moves.push(RootMove {
                mv: candidate.mv,
                score: -INFINITY,
                pv: vec![candidate.mv],
                info: candidate.info,
            });
        }
        list.truncate(start);
        self.moves = list;
    }

    /// Searches every root move to `depth` and moves the best to the front. If the search stops,
    /// moves that were not searched keep their order behind those that were.
    pub(super) fn root_node(
        &mut self,
        root: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let spread = self.spread();
        let minimax = self.options.algorithm == Algorithm::Minimax;
        let tt = self.probe_tt(root, 0);
        let in_check = G::HAS_CHECK && root.in_check();
        self.static_eval(root, evaluator, 0, in_check, &tt);
        self.path.push(root.repetition_key());
        let mut best = -INFINITY;
        for number in 0..self.root_moves.len() {
            let RootMove { mv, info, .. } = self.root_moves[number];
            let mut next = root.clone();
            next.play(mv);
            self.stack[0].slot = usize::from(info.slot);
            self.stack[0].captures = info.victim > 0;
            let floor = match minimax {
                true => -INFINITY,
                false => alpha.max(best.saturating_sub(spread).max(-INFINITY)),
            };
            let full = depth - 1 + self.extension(root, mv, &info, &next, 1);
            let score = self.root_move(&next, evaluator, (depth, full), number, (floor, beta));
            if self.stopped {
                break;
            }
            let entry = &mut self.root_moves[number];
            if number == 0 || score > floor {
                entry.score = score;
                entry.pv.clear();
                entry.pv.push(mv);
                entry.pv.extend_from_slice(&self.pv_table[1]);
            } else {
                // Failed low: the score is only an upper bound.
                entry.score = -INFINITY;
            }
            // Scores below the window are upper bounds: they cannot be compared.
            let leads = score > best && (number == 0 || score > floor);
            best = best.max(score);
            if leads {
                // Best move first, so that a stopped search returns it.
                self.root_moves[..=number].rotate_right(1);
                if best >= beta && !minimax {
                    break;
                }
                if self.options.quiescence == Quiescence::Activity && wins_at_once(root, &next) {
                    break;
                }
            }
        }
        self.path.pop();
        best
    }

    fn root_move(
        &mut self,
        next: &G,
        evaluator: &mut dyn Evaluator<G>,
        (depth, full): (i32, i32),
        number: usize,
        (floor, beta): (Score, Score),
    ) -> Score {
        if number == 0 || self.options.algorithm != Algorithm::Pvs {
            return -self.negamax(next, evaluator, full, 1, -beta, -floor, NodeType::Pv);
        }
        const FIRST_REDUCED: usize = 4;
        let reduction = if self.options.late_move_reductions
            && depth >= 3
            && number >= FIRST_REDUCED
            && !self.stack[0].captures
            && !next.in_check()
        {
            i32::from(self.reductions[depth.min(63) as usize][number.min(63)]) - 1
        } else {
            0
        }
        .clamp(0, (depth - 2).max(0));
        let test = |s: &mut Self, evaluator: &mut dyn Evaluator<G>, depth| {
            -s.negamax(next, evaluator, depth, 1, -floor - 1, -floor, NodeType::Cut)
        };
        let mut score = test(self, evaluator, full - reduction);
        if score > floor && reduction > 0 {
            score = test(self, evaluator, full);
        }
        if score > floor && floor + 1 < beta {
            score = -self.negamax(next, evaluator, full, 1, -beta, -floor, NodeType::Pv);
        }
        score
    }

    /// The result of the search. Chooses among the root moves at random if the options ask for it.
    pub(super) fn take_result(
        &mut self,
        root: &G,
        plies_before: usize,
        depth: u32,
    ) -> SearchResult<G::Move> {
        let best = &self.root_moves[0];
        // No depth was completed: return the first move in the order.
        let score = if best.score == -INFINITY {
            0
        } else {
            best.score
        };
        let chosen = &self.root_moves[self.choose_root_move(root, plies_before)];
        SearchResult {
            best: Some(chosen.mv),
            score,
            nodes: self.tree.nodes,
            pv: chosen.pv.clone(),
            depth,
            tree: std::mem::take(&mut self.tree),
        }
    }

    /// The root moves of the last search, best first, with their scores where exact.
    pub fn root_scores(&self) -> impl Iterator<Item = (G::Move, Option<Score>)> {
        self.root_moves
            .iter()
            .map(|entry| (entry.mv, (entry.score > -INFINITY).then_some(entry.score)))
    }
}

/// The move from `before` to `after` ends the game in a win for its mover.
fn wins_at_once<G: Game>(before: &G, after: &G) -> bool {
    after
        .end()
        .is_some_and(|outcome| outcome.winner == Some(before.side_to_move()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluated, STEPS, Weights};
    use crate::games::chess::Chess;
    use crate::search::{Limit, Options};

    #[test]
    fn a_window_above_all_scores_changes_no_lead() {
        let preset = Chess::presets()
            .iter()
            .find(|preset| preset.name == "simplified")
            .unwrap();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 0 9",
        ] {
            let position = Chess::from_fen(fen).unwrap();
            let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
            let mut searcher = Searcher::<Chess>::new(Options::profile("strong").unwrap());
            let found = searcher.search(&position, &[], &mut *evaluator, Limit::depth(4));
            for above in [150, 250, 400] {
                let alpha = found.score + above * STEPS;
                let score = searcher.root_node(&position, &mut *evaluator, 5, alpha, alpha + STEPS);
                assert!(score <= alpha, "{fen}");
                assert_eq!(Some(searcher.root_moves[0].mv), found.best, "{fen}");
            }
        }
    }
}
