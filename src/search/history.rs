//! What was learnt of quiet moves from those that refuted: killers, countermoves and counts.

use super::MAX_PLY;
use super::options::Options;
use crate::games::{Game, MoveInfo};

/// Counts stay between plus and minus this.
const MOST: i32 = 16_384;

/// The slot of no move: at the root, or after a pass.
pub const NO_SLOT: usize = usize::MAX;

/// The slots of the last two moves before a position, the latest first.
pub type Before = [usize; 2];

pub struct History<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    counters: Vec<Option<G::Move>>,
    quiet: Vec<i16>,
    /// For each of the two moves before: its slot times the slot of the move.
    continuation: [Vec<i16>; 2],
    dirty: bool,
}

impl<G: Game> History<G> {
    pub fn new(options: &Options) -> History<G> {
        let slots = G::HISTORY_SLOTS;
        let sized = |wanted: bool, size: usize| if wanted { size } else { 0 };
        let pairs = sized(options.continuation, slots * slots);
        History {
            killers: vec![[None; 2]; MAX_PLY + 2],
            counters: vec![None; sized(options.countermoves, slots)],
            quiet: vec![0; sized(options.history, slots)],
            continuation: [vec![0; pairs], vec![0; pairs]],
            dirty: false,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.dirty {
            self.killers.fill([None; 2]);
            self.counters.fill(None);
            self.quiet.fill(0);
            for table in &mut self.continuation {
                table.fill(0);
            }
            self.dirty = false;
        }
    }

    /// Killers belong to the plies of one search.
    pub fn new_search(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub fn killers(&self, ply: usize) -> [Option<G::Move>; 2] {
        self.killers[ply]
    }

    /// Siblings of the grandchildren start without killers.
    pub fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    pub fn counter(&self, before: Before) -> Option<G::Move> {
        *self.counters.get(before[0])?
    }

    /// How a quiet move and its likes did so far; the greater, the better.
    #[inline]
    pub fn score(&self, info: MoveInfo, before: Before) -> i32 {
        let slot = usize::from(info.slot);
        let mut score = i32::from(self.quiet.get(slot).copied().unwrap_or(0));
        for (table, slot_before) in self.continuation.iter().zip(before) {
            if slot_before != NO_SLOT
                && let Some(count) = table.get(slot_before * G::HISTORY_SLOTS + slot)
            {
                score += i32::from(*count);
            }
        }
        score
    }

    /// A quiet move refuted.
    pub fn refuted(&mut self, options: &Options, ply: usize, mv: G::Move, before: Before) {
        self.dirty = true;
        if options.killers && self.killers[ply][0] != Some(mv) {
            self.killers[ply] = [Some(mv), self.killers[ply][0]];
        }
        if let Some(counter) = self.counters.get_mut(before[0]) {
            *counter = Some(mv);
        }
    }

    /// Moves the counts of a move by `bonus`, the less the nearer they are to their end.
    pub fn learn(&mut self, info: MoveInfo, before: Before, bonus: i32) {
        self.dirty = true;
        let slot = usize::from(info.slot);
        if let Some(count) = self.quiet.get_mut(slot) {
            nudge(count, bonus);
        }
        for (table, slot_before) in self.continuation.iter_mut().zip(before) {
            if slot_before != NO_SLOT
                && let Some(count) = table.get_mut(slot_before * G::HISTORY_SLOTS + slot)
            {
                nudge(count, bonus);
            }
        }
    }
}

fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MOST) as i16;
}
