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

    /// What is known of quiet moves after these two.
    #[inline]
    pub fn record(&self, before: Before) -> Record<'_> {
        let row = |kind: usize| {
            let first = before[kind].checked_mul(G::HISTORY_SLOTS)?;
            self.continuation[kind].get(first..first + G::HISTORY_SLOTS)
        };
        Record([Some(&self.quiet[..]), row(0), row(1)].map(Option::unwrap_or_default))
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

/// Counts by the slots of moves; empty where nothing is kept.
pub struct Record<'h>([&'h [i16]; 3]);

impl Record<'_> {
    /// How a quiet move and its likes did so far; the greater, the better.
    #[inline(always)]
    pub fn score(&self, info: MoveInfo) -> i32 {
        let slot = usize::from(info.slot);
        let count = |counts: &[i16]| counts.get(slot).map_or(0, |&count| i32::from(count));
        self.0.into_iter().map(count).sum()
    }
}

fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MOST) as i16;
}
