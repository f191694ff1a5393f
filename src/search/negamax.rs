//! Negamax with alpha-beta to a fixed depth.

use arrayvec::ArrayVec;

use super::{Ends, Limit, MATE, MAX_MOVES, MAX_PLY, Options, Quiescence};
use crate::eval::{Evaluator, Score};
use crate::games::{Game, Outcome};

const INFINITY: Score = MATE + 1;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// `None` when the mover has no move.
    pub best: Option<M>,
    /// From the mover's side, in score steps.
    pub score: Score,
    /// Positions visited, the root included.
    pub nodes: u64,
    /// The line both sides are expected to follow, `best` first.
    pub line: Vec<M>,
}

/// Searches positions of one game. Keeps its buffers between searches, and nothing else.
pub struct Searcher<G: Game> {
    options: Options,
    nodes: u64,
    /// Keys of the positions that led here: the game's, then the line's.
    path: Vec<u64>,
    /// The best line found from each ply on.
    lines: Vec<ArrayVec<G::Move, MAX_PLY>>,
}

impl<G: Game> Searcher<G> {
    pub fn new(options: Options) -> Searcher<G> {
        Searcher {
            options,
            nodes: 0,
            path: Vec::with_capacity(1024),
            lines: (0..=MAX_PLY).map(|_| ArrayVec::new()).collect(),
        }
    }

    /// Searches `root`. `history` holds the repetition keys of the game so far, oldest first,
    /// without the root's own.
    pub fn search(
        &mut self,
        root: &G,
        history: &[u64],
        evaluator: &mut dyn Evaluator<G>,
        limit: Limit,
    ) -> Found<G::Move> {
        self.nodes = 0;
        self.path.clear();
        self.path.extend_from_slice(history);
        let depth = limit.depth.clamp(1, MAX_PLY as u32 - 1);
        let score = self.negamax(root, evaluator, depth, 0, -INFINITY, INFINITY);
        let line: Vec<G::Move> = self.lines[0].iter().copied().collect();
        Found {
            best: line.first().copied(),
            score,
            nodes: self.nodes,
            line,
        }
    }

    fn negamax(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: u32,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        self.nodes += 1;
        self.lines[ply].clear();
        if ply > 0 {
            if let Some(outcome) = position.end_by_position() {
                return self.finished(position, evaluator, outcome, ply);
            }
            if self.repeats(position) {
                return 0;
            }
        }
        if depth == 0 || ply >= MAX_PLY - 1 {
            return self.horizon(position, evaluator, ply, alpha, beta);
        }
        let moves = ordered_moves(position);
        if moves.is_empty() {
            return self.finished(position, evaluator, position.end_without_moves(), ply);
        }
        self.path.push(position.repetition_key());
        let mut best = -INFINITY;
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            let score = -self.negamax(&next, evaluator, depth - 1, ply + 1, -beta, -alpha);
            if score > best {
                best = score;
                self.follow(ply, mv);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        best
    }

    /// The worth of a position at the end of the depth.
    fn horizon(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if !position.has_moves() {
            return self.finished(position, evaluator, position.end_without_moves(), ply);
        }
        match self.options.quiescence {
            Quiescence::None => evaluator.evaluate(position),
            Quiescence::Captures => self.quiesce(position, evaluator, ply, alpha, beta),
        }
    }

    /// Plays out captures; the mover may also decline them all and take the score as it stands.
    /// The position has a move and has not ended.
    fn quiesce(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut best = evaluator.evaluate(position);
        alpha = alpha.max(best);
        if alpha >= beta || ply >= MAX_PLY - 1 {
            return best;
        }
        let mut captures: ArrayVec<G::Move, MAX_MOVES> = ArrayVec::new();
        position.for_each_move(|mv| {
            if position.is_capture(mv) {
                captures.push(mv);
            }
        });
        for mv in captures {
            let mut next = position.clone();
            next.play(mv);
            self.nodes += 1;
            let score = -match next.end() {
                Some(outcome) => self.finished(&next, evaluator, outcome, ply + 1),
                None => self.quiesce(&next, evaluator, ply + 1, -beta, -alpha),
            };
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The worth of a finished game, from the mover's side.
    fn finished(
        &self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        outcome: Outcome,
        ply: usize,
    ) -> Score {
        if self.options.ends == Ends::Evaluator
            && let Some(score) = evaluator.finished(position, outcome)
        {
            return score;
        }
        match outcome.winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => -(MATE - ply as Score),
        }
    }

    /// One earlier occurrence is enough: what can be repeated once can be repeated again.
    fn repeats(&self, position: &G) -> bool {
        if G::REPETITIONS.is_none() {
            return false;
        }
        let reach = position.reversible_plies();
        if reach < 4 {
            return false;
        }
        let key = position.repetition_key();
        // The same side moves every second ply.
        self.path
            .iter()
            .rev()
            .take(reach)
            .skip(1)
            .step_by(2)
            .any(|earlier| *earlier == key)
    }

    fn follow(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(rest.iter().copied().take(room));
    }
}

/// All moves, captures first: they refute most.
fn ordered_moves<G: Game>(position: &G) -> ArrayVec<G::Move, MAX_MOVES> {
    let mut moves: ArrayVec<G::Move, MAX_MOVES> = ArrayVec::new();
    let mut captures = 0;
    position.for_each_move(|mv| {
        moves.push(mv);
        if position.is_capture(mv) {
            let last = moves.len() - 1;
            moves.swap(captures, last);
            captures += 1;
        }
    });
    moves
}
