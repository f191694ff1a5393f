//! What was learnt of quiet moves from those that refuted: killers, countermoves and counts.

use super::MAX_PLY;
use super::options::Options;
use crate::games::{Game, MoveInfo, Side};

/// Counts stay between plus and minus this.
const MOST: i32 = 16_384;

/// The slot of no move: at the root, or after a pass.
pub const NO_SLOT: usize = usize::MAX;

/// How many plies before a quiet move lie those that it is judged together with.
pub const PLIES_BACK: [usize; 3] = [1, 2, 4];

/// The slots of those moves.
pub type Before = [usize; PLIES_BACK.len()];

/// No moves to judge another by.
pub const NOTHING_BEFORE: Before = [NO_SLOT; PLIES_BACK.len()];

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
    /// For each of the moves before: a row for its slot, in it the moves of one side. Which side
    /// that is follows from the move before.
    continuation: [Vec<i16>; PLIES_BACK.len()],
    dirty: bool,
}

impl<G: Game> History<G> {
    /// Slots of one side's moves: those of white come first.
    const OF_A_SIDE: usize = G::HISTORY_SLOTS.div_ceil(2);

    pub fn new(options: &Options) -> History<G> {
        let slots = G::HISTORY_SLOTS;
        let sized = |wanted: bool, size: usize| if wanted { size } else { 0 };
        let pairs = sized(options.continuation, slots * Self::OF_A_SIDE);
        History {
            killers: vec![[Known::NONE; 2]; MAX_PLY + 2],
            counters: vec![Known::NONE; sized(options.countermoves, slots)],
            quiet: vec![0; sized(options.history, slots)],
            continuation: PLIES_BACK.map(|_| vec![0; pairs]),
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

    /// What is known of a side's quiet moves after these.
    #[inline]
    pub fn record(&self, side: Side, before: Before) -> Record<'_> {
        let first_slot = Self::OF_A_SIDE * side as usize;
        let row = |kind: usize| {
            let first = before[kind].checked_mul(Self::OF_A_SIDE)?;
            self.continuation[kind].get(first..first + Self::OF_A_SIDE)
        };
        let alone = self.quiet.get(first_slot..);
        Record {
            first_slot,
            counts: [alone, row(0), row(1), row(2)].map(Option::unwrap_or_default),
        }
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
                && let Some(count) =
                    table.get_mut(slot_before * Self::OF_A_SIDE + slot % Self::OF_A_SIDE)
            {
                nudge(count, bonus);
            }
        }
    }
}

/// Counts of one side's moves by their slots; empty where nothing is kept.
pub struct Record<'h> {
    first_slot: usize,
    counts: [&'h [i16]; 1 + PLIES_BACK.len()],
}

impl Record<'_> {
    /// How a quiet move and its likes did so far; the greater, the better.
    #[inline(always)]
    pub fn score(&self, info: &MoveInfo) -> i32 {
        let slot = usize::from(info.slot).wrapping_sub(self.first_slot);
        let count = |counts: &[i16]| counts.get(slot).map_or(0, |&count| i32::from(count));
        self.counts.into_iter().map(count).sum()
    }
}

fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MOST) as i16;
}
