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

/// A move with its slot, which is compared first: it settles nearly all cases.
#[derive(Clone, Copy, Debug)]
pub struct Known<M> {
    mv: Option<M>,
    slot: u16,
}

impl<M: Copy + Eq> Known<M> {
    /// No move.
    pub const NONE: Known<M> = Known {
        mv: None,
        slot: u16::MAX,
    };

    pub fn new(mv: M, info: &MoveInfo) -> Known<M> {
        Known {
            mv: Some(mv),
            slot: info.slot,
        }
    }

    #[inline(always)]
    pub fn is(&self, mv: M, info: &MoveInfo) -> bool {
        self.slot == info.slot && self.mv == Some(mv)
    }
}

/// The moves to try before other quiet ones: two killers and the countermove.
pub type Refuters<M> = [Known<M>; 3];

pub struct History<G: Game> {
    killers: Vec<[Known<G::Move>; 2]>,
    counters: Vec<Known<G::Move>>,
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
            killers: vec![[Known::NONE; 2]; MAX_PLY + 2],
            counters: vec![Known::NONE; sized(options.countermoves, slots)],
            quiet: vec![0; sized(options.history, slots)],
            continuation: [vec![0; pairs], vec![0; pairs]],
            dirty: false,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.dirty {
            self.killers.fill([Known::NONE; 2]);
            self.counters.fill(Known::NONE);
            self.quiet.fill(0);
            for table in &mut self.continuation {
                table.fill(0);
            }
            self.dirty = false;
        }
    }

    /// Killers belong to the plies of one search.
    pub fn new_search(&mut self) {
        self.killers.fill([Known::NONE; 2]);
    }

    /// What refuted at this ply, and after the move before.
    pub fn refuters(&self, ply: usize, before: Before) -> Refuters<G::Move> {
        let [first, second] = self.killers[ply];
        let counter = self.counters.get(before[0]).copied();
        [first, second, counter.unwrap_or(Known::NONE)]
    }

    /// Siblings of the grandchildren start without killers.
    pub fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [Known::NONE; 2];
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
    pub fn refuted(
        &mut self,
        options: &Options,
        ply: usize,
        (mv, info): (G::Move, &MoveInfo),
        before: Before,
    ) {
        self.dirty = true;
        let refuter = Known::new(mv, info);
        let killers = &mut self.killers[ply];
        if options.killers && !killers[0].is(mv, info) {
            *killers = [refuter, killers[0]];
        }
        if let Some(counter) = self.counters.get_mut(before[0]) {
            *counter = refuter;
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
    pub fn score(&self, info: &MoveInfo) -> i32 {
        let slot = usize::from(info.slot);
        let count = |counts: &[i16]| counts.get(slot).map_or(0, |&count| i32::from(count));
        self.0.into_iter().map(count).sum()
    }
}

fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MOST) as i16;
}
