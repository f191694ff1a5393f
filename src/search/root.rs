//! The root: its moves keep their scores and lines from depth to depth.

use super::INFINITY;
use super::history::{Known, NOTHING_BEFORE};
use super::node::Kind;
use super::options::{Algorithm, Quiescence};
use super::ordering::{Order, Picker};
use super::report::Found;
use super::searcher::Searcher;
use crate::eval::{Evaluator, Score};
use crate::games::MoveInfo;
use crate::games::prelude::*;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub mv: M,
    /// At the last depth: exact, or a bound below the best. The least of all scores for a move
    /// that was not found to be good.
    pub score: Score,
    pub line: Vec<M>,
    info: MoveInfo,
}

impl<G: Game> Searcher<G> {
    /// Lists the legal moves in the order in which the first depth tries them.
    pub(super) fn list_root_moves(&mut self, root: &G) {
        self.root_moves.clear();
        let mut list = std::mem::take(&mut self.moves);
        let start = list.len();
        super::ordering::list_moves(root, &mut list);
        let known = match (&self.table, self.options.hash_move) {
            (Some(table), true) => table.probe(root.hash()).map_or(0, |memory| memory.code),
            _ => 0,
        };
        let order = Order {
            ordering: self.options.ordering,
            hash_code: known,
            refuters: [Known::NONE; 3],
            before: NOTHING_BEFORE,
        };
        let mut picker = Picker::new(&mut list, start, order, None);
        while let Some(candidate) = picker.pick(root, &self.history, None, &mut list) {
            if !self.wanted.is_empty() && !self.wanted.contains(&candidate.mv) {
                continue;
            }
            self.root_moves.push(RootMove {
                mv: candidate.mv,
                score: -INFINITY,
                line: vec![candidate.mv],
                info: candidate.info,
            });
        }
        list.truncate(start);
        self.moves = list;
    }

    /// Searches every root move to `depth` and leaves them sorted, best first. When the search
    /// is broken off, moves that were not reached keep their place behind those that were.
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
        let memory = self.remember(root, 0);
        let in_check = G::HAS_CHECK && root.in_check();
        self.static_eval(root, evaluator, 0, in_check, &memory);
        self.path.push(root.repetition_key());
        let mut best = -INFINITY;
        for number in 0..self.root_moves.len() {
            let RootMove { mv, info, .. } = self.root_moves[number];
            let mut next = root.clone();
            next.play(mv);
            self.frames[0].slot = usize::from(info.slot);
            self.frames[0].captures = info.victim > 0;
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
                entry.line.clear();
                entry.line.push(mv);
                entry.line.extend_from_slice(&self.lines[1]);
            } else {
                // Only known to be no better than the floor.
                entry.score = -INFINITY;
            }
            // Below the window scores are but upper bounds: the highest of them says nothing.
            let leads = score > best && (number == 0 || score > floor);
            best = best.max(score);
            if leads {
                // The best so far goes first, so that a search that is broken off knows it.
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
            return -self.node(next, evaluator, full, 1, -beta, -floor, Kind::Pv);
        }
        const FIRST_REDUCED: usize = 4;
        let reduction = if self.options.late_move_reductions
            && depth >= 3
            && number >= FIRST_REDUCED
            && !self.frames[0].captures
            && !next.in_check()
        {
            i32::from(self.reductions[depth.min(63) as usize][number.min(63)]) - 1
        } else {
            0
        }
        .clamp(0, (depth - 2).max(0));
        let test = |s: &mut Self, evaluator: &mut dyn Evaluator<G>, depth| {
            -s.node(next, evaluator, depth, 1, -floor - 1, -floor, Kind::Cut)
        };
        let mut score = test(self, evaluator, full - reduction);
        if score > floor && reduction > 0 {
            score = test(self, evaluator, full);
        }
        if score > floor && floor + 1 < beta {
            score = -self.node(next, evaluator, full, 1, -beta, -floor, Kind::Pv);
        }
        score
    }

    /// Puts together what was found, and lets the lot choose where the options say so.
    pub(super) fn conclude(&mut self, root: &G, plies_before: usize, depth: u32) -> Found<G::Move> {
        let best = &self.root_moves[0];
        // Nothing was searched to its end: the first move in the order is the best guess.
        let score = if best.score == -INFINITY {
            0
        } else {
            best.score
        };
        let chosen = &self.root_moves[self.choose(root, plies_before)];
        Found {
            best: Some(chosen.mv),
            score,
            nodes: self.tree.nodes,
            line: chosen.line.clone(),
            depth,
            tree: std::mem::take(&mut self.tree),
        }
    }

    /// The root moves of the last search, best first, with their scores where these are exact.
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
