//! The activity rule of the staged program: where the last ply was active, three more are
//! searched at full width, as long as the budget of the search lasts.

use super::searcher::Searcher;
use crate::games::{Game, MoveInfo};

/// Activity that earns an extension.
const ENOUGH: i32 = 2;

/// The depth that remains after an extension.
const EXTENDED: i32 = 3;

impl<G: Game> Searcher<G> {
    /// The depth left after the move `mv` from `position` at `ply`, when it would be spent.
    // One program's rule alone: out of the way of all other searches.
    #[cold]
    #[inline(never)]
    pub(super) fn depth_after_last_ply(
        &mut self,
        position: &G,
        mv: G::Move,
        info: MoveInfo,
        next: &G,
        ply: usize,
    ) -> i32 {
        if self.activity_left <= 0 || self.activity(position, mv, info, next, ply) < ENOUGH {
            return 0;
        }
        self.activity_left -= 1;
        EXTENDED
    }

    fn activity(&self, position: &G, mv: G::Move, info: MoveInfo, next: &G, ply: usize) -> i32 {
        let captures = info.victim > 0;
        // The move itself is one of the last three, so a capture counts three times in all.
        let recent = (1..=2)
            .filter(|back| ply >= *back && self.frames[ply - back].captures)
            .count() as i32
            + i32::from(captures);
        i32::from(next.in_check())
            + 2 * i32::from(info.promotion > 0)
            + 2 * i32::from(captures)
            + i32::from(position.threatens_by_pawn(mv))
            + recent
    }
}
