//! Which moves are left out, searched less deeply, or more deeply than the others.

use std::hint::select_unpredictable;

use super::node::{Kind, Walk};
use super::ordering::Candidate;
use super::searcher::Searcher;
use super::table::{Bound, NO_EVAL};
use super::{MATE_BOUND, MAX_PLY, Score};
use crate::eval::Evaluator;
use crate::games::{Game, MoveInfo};

/// Whether a move is worth a search.
pub(super) enum LeftOut {
    No,
    Move,
    /// Nor are the quiet moves behind it.
    AllQuiets,
}

/// What the test of the remembered move came to.
pub(super) enum Singular {
    /// Plies to go deeper.
    Extend(i32),
    /// Even the other moves are too good: the position is refuted with this score.
    Refuted(Score),
}

/// The greatest depth at which moves are left out.
const DEEPEST: i32 = 8;

impl<G: Game> Searcher<G> {
    /// The position is so bad that no quiet move is expected to mend it.
    pub(super) fn quiets_are_futile(&self, walk: &Walk<'_, G>, alpha: Score) -> bool {
        let options = &self.options;
        let margin =
            (options.futility_base + options.futility_margin * walk.depth) * self.margin_steps;
        options.futility
            && walk.depth <= DEEPEST
            && walk.kind != Kind::Pv
            && !walk.in_check
            && walk.eval != NO_EVAL
            && walk.eval.saturating_add(margin) <= alpha
    }

    /// Moves that are not worth a search where little depth remains.
    pub(super) fn left_out(
        &self,
        walk: &Walk<'_, G>,
        candidate: &Candidate<G::Move>,
        quiets: u32,
        searched: u32,
        alpha: Score,
    ) -> LeftOut {
        let options = &self.options;
        let depth = walk.depth;
        const ENOUGH_SPECIALS: u32 = 4;
        if depth > DEEPEST {
            return LeftOut::No;
        }
        let loses = |margin: i32| {
            options.see_pruning
                && !walk
                    .position
                    .exchange_gains(candidate.mv, &candidate.info, -margin * depth)
        };
        if candidate.info.is_noisy() {
            let out = candidate.loses_exchange() && loses(options.see_capture_margin);
            return if out { LeftOut::Move } else { LeftOut::No };
        }
        if walk.in_check || (candidate.is_special_quiet() && searched < ENOUGH_SPECIALS) {
            return LeftOut::No;
        }
        let allowed = options.late_move_pruning_base + depth * depth;
        let allowed = if walk.improving {
            allowed
        } else {
            allowed / 2 + 1
        };
        // None are counted where only checks are left, and those are tried.
        let many = options.late_move_pruning && quiets as i32 > allowed;
        if quiets > 0 && (many || self.quiets_are_futile(walk, alpha)) {
            return LeftOut::AllQuiets;
        }
        if loses(options.see_quiet_margin) {
            LeftOut::Move
        } else {
            LeftOut::No
        }
    }

    /// Plies taken off a move that comes late in the order.
    pub(super) fn reduction(
        &self,
        walk: &Walk<'_, G>,
        candidate: &Candidate<G::Move>,
        next: &G,
        searched: u32,
        full: i32,
    ) -> i32 {
        const LEAST_DEPTH: i32 = 2;
        let quiet = !candidate.info.is_noisy();
        let options = &self.options;
        if !options.late_move_reductions
            || walk.depth < LEAST_DEPTH
            || (searched as i32) < options.reduction_first + 2 * i32::from(walk.kind == Kind::Pv)
            || (!quiet && !candidate.loses_exchange())
            || (G::CAPTURES_FORCED && must_capture(next))
        {
            return 0;
        }
        let (row, column) = (walk.depth.min(63) as usize, (searched + 1).min(63) as usize);
        let mut plies = i32::from(self.reductions[row][column]);
        let refuted = self.frames[walk.ply + 1].cutoffs;
        plies += i32::from(options.reduction_cutoffs > 0 && refuted > options.reduction_cutoffs);
        plies += select_unpredictable(walk.kind == Kind::Cut, options.reduction_cut, 0);
        plies -= i32::from(walk.kind == Kind::Pv);
        plies += options.reduction_worse * i32::from(!walk.improving && !walk.in_check);
        plies -= i32::from(next.in_check());
        if quiet {
            const HISTORY_FOR_A_PLY: i32 = 8192;
            if candidate.is_special_quiet() {
                plies -= 1;
            } else {
                plies -= (candidate.rank / HISTORY_FOR_A_PLY).clamp(-2, 2);
            }
        }
        plies.clamp(0, (full - 1).max(0))
    }

    /// Plies that the position after a move is searched deeper than usual.
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
        // A check that only gives something away is not worth a ply.
        let check = options.check_extension
            && !far
            && next.in_check()
            && position.exchange_gains(mv, info, 0);
        let capture = options.capture_extension
            && G::CAPTURES_FORCED
            && ply < MAX_PLY - 2
            && must_capture(next);
        i32::from(check || capture)
    }

    /// Tests whether the remembered move stands alone: without it the position is clearly worse.
    pub(super) fn singular(
        &mut self,
        walk: &Walk<'_, G>,
        evaluator: &mut dyn Evaluator<G>,
        candidate: &Candidate<G::Move>,
        beta: Score,
    ) -> Singular {
        let (ply, depth) = (walk.ply, walk.depth);
        let Some(known) = walk.memory.known else {
            return Singular::Extend(0);
        };
        let testable = self.options.singular_extension
            && depth >= self.options.singular_depth
            && known.code == G::move_code(candidate.mv)
            && known.depth >= depth - 3
            && known.bound != Bound::Upper
            && known.score.abs() < MATE_BOUND
            && (ply as i32) < 2 * self.root_depth;
        if !testable {
            return Singular::Extend(0);
        }
        let bar = known.score - 2 * depth * self.margin_steps;
        self.frames[ply].excluded = Some(candidate.mv);
        // The test belongs to this very ply: its own key must not look like a repetition.
        let own_key = self.path.pop();
        let score = self.interior(
            walk.position,
            evaluator,
            (depth - 1) / 2,
            ply,
            (bar - 1, bar),
            if walk.kind == Kind::Cut {
                Kind::Cut
            } else {
                Kind::All
            },
        );
        self.path.extend(own_key);
        self.frames[ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < bar {
            let alone = walk.kind != Kind::Pv && score < bar - 20 * self.margin_steps;
            return Singular::Extend(1 + i32::from(alone));
        }
        if bar >= beta {
            return Singular::Refuted(bar);
        }
        Singular::Extend(-i32::from(known.score >= beta))
    }
}

/// Whoever is to move has nothing but captures.
fn must_capture<G: Game>(position: &G) -> bool {
    let mut captures = false;
    position.for_each_noisy_move(|_, info| captures |= info.victim > 0);
    captures
}
