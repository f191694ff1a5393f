//! A position inside the tree: negamax with every shortcut as an option.

use arrayvec::ArrayVec;

use super::options::{Algorithm, Quiescence};
use super::ordering::{Candidate, HASH_MOVE, Order, Picker};
use super::prune::Prospect;
use super::quiesce::{from_table, to_table};
use super::searcher::Searcher;
use super::selective::{LeftOut, Singular};
use super::table::{Bound, Memory, NO_EVAL};
use super::{INFINITY, MATE, MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::{Game, MoveInfo};

/// What is expected of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It lies on the line both sides are expected to follow.
    Pv,
    /// Some move is expected to refute.
    Cut,
    /// No move is expected to refute.
    All,
}

impl Kind {
    /// What is expected after a move that is only tested.
    pub fn after_test(self) -> Kind {
        match self {
            Kind::Pv | Kind::All => Kind::Cut,
            Kind::Cut => Kind::All,
        }
    }

    fn after_first(self) -> Kind {
        match self {
            Kind::Pv => Kind::Pv,
            other => other.after_test(),
        }
    }
}

/// What the table said of a position.
pub(super) struct Remembered {
    /// `None` without a table.
    pub hash: Option<u64>,
    pub known: Option<Memory>,
    /// The code of the move to try first, 0 for none.
    pub code: u16,
}

impl Remembered {
    /// There is no table, or it is not asked.
    pub const NOTHING: Remembered = Remembered {
        hash: None,
        known: None,
        code: 0,
    };
}

/// A position whose moves are being tried.
pub(super) struct Walk<'p, G: Game> {
    pub position: &'p G,
    pub depth: i32,
    pub ply: usize,
    pub kind: Kind,
    pub in_check: bool,
    pub improving: bool,
    pub eval: Score,
    pub memory: &'p Remembered,
}

/// Quiet moves of a position that were searched and did not help.
type InVain = ArrayVec<MoveInfo, 32>;

/// The best of the moves tried so far.
struct Best {
    score: Score,
    code: u16,
}

impl<G: Game> Searcher<G> {
    /// The score of `position` from its mover's side: exact within the window, a bound outside.
    #[allow(
        clippy::too_many_arguments,
        reason = "the search path passes plain values"
    )]
    pub(super) fn node(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: i32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        kind: Kind,
    ) -> Score {
        if !self.visit() {
            return 0;
        }
        self.lines[ply].clear();
        if let Some(outcome) = position.end_by_position() {
            return self.finished(position, evaluator, outcome, depth, ply);
        }
        if self.repeats(position) {
            return self.draw(ply);
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
        self.interior(position, evaluator, depth, ply, (alpha, beta), kind)
    }

    /// A position with depth left, whose game goes on unless it has no moves.
    pub(super) fn interior(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        mut depth: i32,
        ply: usize,
        (alpha, beta): (Score, Score),
        kind: Kind,
    ) -> Score {
        let excluded = self.frames[ply].excluded;
        let memory = match excluded {
            None => self.remember(position, ply),
            Some(_) => Remembered::NOTHING,
        };
        if let Some(known) = memory.known
            && self.suffices(&known, depth, kind == Kind::Pv, alpha, beta)
        {
            self.tree.table_cutoffs += 1;
            return known.score;
        }
        let in_check = G::HAS_CHECK && position.in_check();
        let eval = if excluded.is_some() {
            self.frames[ply].eval
        } else {
            self.static_eval(position, evaluator, ply, in_check, &memory)
        };
        let improving = self.improves(eval, ply);
        if kind != Kind::Pv && eval != NO_EVAL && excluded.is_none() {
            let prospect = Prospect {
                position,
                depth,
                ply,
                alpha,
                beta,
                eval: better_eval(eval, &memory),
                standing: eval,
                improving,
                kind,
            };
            if let Some(score) = self.shortcut(&prospect, evaluator) {
                // Whoever must capture cannot take the score as it stands.
                if memory.known.is_none() && !G::CAPTURES_FORCED {
                    self.keep_standing(&memory, eval, ply);
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
            && memory.code == 0
            && excluded.is_none()
            && kind != Kind::All
        {
            depth -= 1;
        }
        let walk = Walk {
            position,
            depth,
            ply,
            kind,
            in_check,
            improving,
            eval,
            memory: &memory,
        };
        self.try_moves(&walk, evaluator, alpha, beta)
    }

    /// To be called as soon as the hash of a position is known that will be looked up.
    #[inline(always)]
    pub(super) fn announce(&self, hash: Option<u64>) {
        if let (Some(table), Some(hash)) = (&self.table, hash) {
            table.announce(hash);
        }
    }

    /// The same for games that cannot tell the hash before a move is made.
    #[inline(always)]
    pub(super) fn announce_made(&self, next: &G) {
        if !G::KNOWS_HASH_AHEAD {
            self.announce(Some(next.hash()));
        }
    }

    /// Looks the position up, its mate scores counted from the root.
    // In line, so that what follows begins while the table's answer is on its way.
    #[inline(always)]
    pub(super) fn remember(&mut self, position: &G, ply: usize) -> Remembered {
        let Some(table) = &self.table else {
            return Remembered::NOTHING;
        };
        let hash = position.hash();
        let mut known = table.probe(hash);
        self.tree.table_probes += 1;
        self.tree.table_hits += u64::from(known.is_some());
        if let Some(memory) = &mut known {
            memory.score = from_table(memory.score, ply);
        }
        Remembered {
            hash: Some(hash),
            known,
            code: known.map_or(0, |memory| memory.code),
        }
    }

    /// A remembered score settles the position.
    pub(super) fn suffices(
        &self,
        known: &Memory,
        depth: i32,
        on_line: bool,
        alpha: Score,
        beta: Score,
    ) -> bool {
        // The expected line is searched in full under PVS, so that it ends in a real position.
        if on_line && self.options.algorithm == Algorithm::Pvs {
            return false;
        }
        let deep_enough = if self.options.table_same_depth {
            known.depth == depth
        } else {
            known.depth >= depth
        };
        deep_enough
            && match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.score >= beta,
                Bound::Upper => known.score <= alpha,
            }
    }

    /// The static evaluation, kept for the plies below; [`NO_EVAL`] in check, or where no option
    /// asks for it.
    pub(super) fn static_eval(
        &mut self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        ply: usize,
        in_check: bool,
        memory: &Remembered,
    ) -> Score {
        let options = &self.options;
        let wanted = options.reverse_futility
            || options.razoring
            || options.null_move
            || options.futility
            || options.late_move_pruning
            || options.late_move_reductions;
        let eval = match memory.known {
            _ if in_check || !wanted => NO_EVAL,
            Some(known) if known.eval != NO_EVAL => known.eval,
            _ => self.judge(evaluator, position),
        };
        self.frames[ply].eval = eval;
        eval
    }

    /// The mover stands better than at its last turn out of check.
    fn improves(&self, eval: Score, ply: usize) -> bool {
        let earlier = [2, 4]
            .into_iter()
            .filter_map(|back| ply.checked_sub(back))
            .map(|at| self.frames[at].eval)
            .find(|&earlier| earlier != NO_EVAL);
        eval != NO_EVAL && earlier.is_none_or(|earlier| eval > earlier)
    }

    fn try_moves(
        &mut self,
        walk: &Walk<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let (position, ply, depth) = (walk.position, walk.ply, walk.depth);
        let minimax = self.options.algorithm == Algorithm::Minimax;
        let start = self.moves.len();
        // The move of the table often refutes: the others are listed only when it does not.
        let already = self.remembered_candidate(walk);
        let mut first = already;
        let mut picker = None;
        if first.is_none() {
            picker = self.picker(walk, None);
            if picker.is_none() {
                let outcome = position.end_without_moves();
                return self.finished(position, evaluator, outcome, depth, ply);
            }
        }
        self.history.forget_killers(ply + 1);
        self.frames[ply + 2].cutoffs = 0;
        self.path.push(position.repetition_key());
        let old_alpha = alpha;
        let mut best = Best {
            score: -INFINITY,
            code: 0,
        };
        let mut quiets = 0;
        let mut searched = 0;
        let mut in_vain = InVain::new();
        // Of the quiet moves to come, only those that give check are left.
        let mut checks_only = false;
        loop {
            let candidate = match first.take() {
                Some(candidate) => candidate,
                None => {
                    if picker.is_none() {
                        picker = self.picker(walk, already);
                    }
                    let Some(picker) = &mut picker else { break };
                    if picker.turns_to_quiets()
                        && best.score > -MATE_BOUND
                        && !minimax
                        && self.quiets_are_futile(walk, alpha)
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
            if self.frames[ply].excluded == Some(candidate.mv) {
                continue;
            }
            let quiet = !candidate.info.is_noisy();
            quiets += u32::from(quiet);
            if best.score > -MATE_BOUND && !minimax {
                let quiets = if checks_only { 0 } else { quiets };
                match self.left_out(walk, &candidate, quiets, searched, alpha) {
                    LeftOut::No => {}
                    LeftOut::Move => continue,
                    LeftOut::AllQuiets => {
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
            let singular = match self.singular(walk, evaluator, &candidate, beta) {
                Singular::Refuted(score) => {
                    self.path.pop();
                    self.moves.truncate(start);
                    return score;
                }
                Singular::Extend(plies) => plies,
            };
            let mut next = position.clone();
            next.play(candidate.mv);
            self.announce_made(&next);
            self.frames[ply].slot = usize::from(candidate.info.slot);
            self.frames[ply].captures = candidate.info.victim > 0;
            let score = self.try_move(
                walk,
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
                // Those beyond the room for them are too many to have been tried for good reasons.
                let _ = in_vain.try_push(candidate.info);
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.code = G::move_code(candidate.mv);
                    if beta - alpha > 1 {
                        self.follow(ply, candidate.mv);
                    }
                    alpha = score;
                }
                if alpha >= beta && !minimax {
                    self.tree.cutoffs += 1;
                    self.frames[ply].cutoffs += 1;
                    self.tree.first_move_cutoffs += u64::from(searched == 1);
                    if quiet {
                        self.learn(walk, &candidate, &in_vain);
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
            // All but the excluded move were left out or there were none.
            return old_alpha;
        }
        self.keep(walk, &best, old_alpha, beta);
        best.score
    }

    /// The move of the table, where the game can tell that it is legal without a list.
    fn remembered_candidate(&self, walk: &Walk<'_, G>) -> Option<Candidate<G::Move>> {
        if walk.memory.code == 0 || !self.options.hash_move {
            return None;
        }
        let mv = walk.position.move_of_code(walk.memory.code)?;
        let info = walk.position.move_info(mv);
        self.announce(walk.position.hash_after(mv, &info));
        Some(Candidate {
            mv,
            info,
            rank: HASH_MOVE,
        })
    }

    /// The moves of a position that has any.
    fn picker(
        &mut self,
        walk: &Walk<'_, G>,
        already: Option<Candidate<G::Move>>,
    ) -> Option<Picker<G>> {
        let before = self.before(walk.ply);
        let order = Order {
            ordering: self.options.ordering,
            hash_code: if self.options.hash_move {
                walk.memory.code
            } else {
                0
            },
            refuters: self.history.refuters(walk.ply, before),
            before,
        };
        Picker::list(walk.position, &mut self.moves, order, already)
    }

    /// Searches one move: in full, or by a test that is repeated in full if it surprises.
    #[allow(
        clippy::too_many_arguments,
        reason = "the search path passes plain values"
    )]
    fn try_move(
        &mut self,
        walk: &Walk<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        candidate: &Candidate<G::Move>,
        next: &G,
        searched: u32,
        singular: i32,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let ply = walk.ply + 1;
        let mut full = walk.depth - 1 + singular;
        if singular == 0 {
            full += self.extension(walk.position, candidate.mv, &candidate.info, next, ply);
        }
        if full == 0 && self.options.quiescence == Quiescence::Activity {
            full = self.depth_after_last_ply(
                walk.position,
                candidate.mv,
                candidate.info,
                next,
                walk.ply,
            );
        }
        match self.options.algorithm {
            Algorithm::Minimax => {
                return -self.node(next, evaluator, full, ply, -INFINITY, INFINITY, Kind::Pv);
            }
            _ if searched == 0 => {
                let kind = walk.kind.after_first();
                return -self.node(next, evaluator, full, ply, -beta, -alpha, kind);
            }
            _ => {}
        }
        let reduction = self.reduction(walk, candidate, next, searched, full);
        let pvs = self.options.algorithm == Algorithm::Pvs;
        let mut score = alpha + 1;
        if reduction > 0 {
            let reduced = full - reduction;
            score = -self.node(next, evaluator, reduced, ply, -alpha - 1, -alpha, Kind::Cut);
        }
        if pvs && score > alpha {
            let kind = walk.kind.after_test();
            score = -self.node(next, evaluator, full, ply, -alpha - 1, -alpha, kind);
        }
        if score > alpha && (!pvs || score < beta && beta - alpha > 1) {
            let kind = if pvs {
                Kind::Pv
            } else {
                walk.kind.after_test()
            };
            score = -self.node(next, evaluator, full, ply, -beta, -alpha, kind);
        }
        score
    }

    /// A quiet move refuted: it and its likes go up, those tried in vain before it go down.
    fn learn(&mut self, walk: &Walk<'_, G>, refuter: &Candidate<G::Move>, in_vain: &InVain) {
        let before = self.before(walk.ply);
        self.history
            .refuted(&self.options, walk.ply, (refuter.mv, &refuter.info), before);
        let bonus = (240 * walk.depth - 110).clamp(0, 2500);
        self.history.learn(refuter.info, before, bonus);
        for &info in in_vain {
            self.history.learn(info, before, -bonus);
        }
    }

    /// Remembers what was found.
    fn keep(&mut self, walk: &Walk<'_, G>, best: &Best, old_alpha: Score, beta: Score) {
        let (Some(table), Some(hash)) = (&mut self.table, walk.memory.hash) else {
            return;
        };
        let bound = match best.score {
            score if score >= beta => Bound::Lower,
            score if score > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        table.store(
            hash,
            Memory {
                code: best.code,
                depth: walk.depth,
                bound,
                score: to_table(best.score, walk.ply),
                eval: walk.eval,
            },
        );
    }
}

/// The static score, or the remembered one where that says more.
pub(super) fn better_eval(eval: Score, memory: &Remembered) -> Score {
    match memory.known {
        Some(known) => match known.bound {
            Bound::Exact => known.score,
            Bound::Lower => eval.max(known.score),
            Bound::Upper => eval.min(known.score),
        },
        None => eval,
    }
}
