//! The activity extension of the older chess program in Java: if the last ply was active, three
//! more are searched at full width, within a budget per search.

use super::searcher::Searcher;
use crate::games::{Game, MoveInfo};

/// The remaining depth after an extension.
const EXTENDED_DEPTH: i32 = 3;

impl<G: Game> Searcher<G> {
    /// The remaining depth after the move `mv`, which would otherwise reach depth 0.
    // Used by one profile only: kept out of the hot code.
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
        if self.activity_left <= 0 {
            return 0;
        }
        if self.activity(position, mv, info, next, ply) < self.options.activity_threshold {
            return 0;
        }
        self.activity_left -= 1;
        EXTENDED_DEPTH
    }

    fn activity(&self, position: &G, mv: G::Move, info: MoveInfo, next: &G, ply: usize) -> i32 {
        let captures = info.victim > 0;
        // The move itself is among the last three, so a capture counts three times in total.
        let recent = (1..=2)
            .filter(|back| ply >= *back && self.stack[ply - back].captures)
            .count() as i32
            + i32::from(captures);
        i32::from(next.in_check())
            + 2 * i32::from(info.promotion > 0)
            + 2 * i32::from(captures)
            + i32::from(position.threatens_by_pawn(mv))
            + recent
    }
}
