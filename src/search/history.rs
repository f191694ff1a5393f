//! What was learnt of quiet moves from those that refuted: killers, countermoves and counts.

use super::MAX_PLY;
use super::block::Block;
use super::options::Options;
use crate::games::{Game, MoveInfo, Side};

/// Counts stay between plus and minus this.
const MOST: i32 = 16_384;

/// Counts of one side's moves, by slot less the side's first one. Of a fixed size, so that no count
/// is looked for beyond the end.
type Row = [i16; ROW];
const ROW: usize = 512;

/// What is known where nothing is kept.
static NOTHING: Row = [0; ROW];

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

    /// A set with the mark of this move alone, empty for none.
    pub fn mark(&self) -> u64 {
        match self.mv {
            Some(_) => mark(self.slot),
            None => 0,
        }
    }

    #[inline(always)]
    pub fn is(&self, mv: M, info: &MoveInfo) -> bool {
        self.slot == info.slot && self.mv == Some(mv)
    }
}

/// One of 64 marks by which most moves can be told apart.
#[inline(always)]
pub fn mark(slot: u16) -> u64 {
    1 << (slot % 64)
}

/// The moves to try before other quiet ones: two killers and the countermove.
pub type Refuters<M> = [Known<M>; 3];

pub struct History<G: Game> {
    killers: Vec<[Known<G::Move>; 2]>,
    counters: Vec<Known<G::Move>>,
    /// A row for each side.
    quiet: Vec<Row>,
    /// For each of the moves before: a row for its slot. Whose moves these are follows from it.
    continuation: Block<Row>,
    /// One bit for each row of `continuation` that was written since it was cleared: a short game
    /// writes a few of some thousand.
    touched: Vec<u64>,
    dirty: bool,
}

impl<G: Game> History<G> {
    /// Slots of one side's moves: those of white come first.
    const OF_A_SIDE: usize = {
        let slots = G::HISTORY_SLOTS.div_ceil(2);
        assert!(slots <= ROW);
        slots
    };

    pub fn new(options: &Options) -> History<G> {
        let slots = G::HISTORY_SLOTS;
        let sized = |wanted: bool, size: usize| if wanted { size } else { 0 };
        let rows = sized(options.continuation, slots * PLIES_BACK.len());
        History {
            killers: vec![[Known::NONE; 2]; MAX_PLY + 2],
            counters: vec![Known::NONE; sized(options.countermoves, slots)],
            quiet: vec![NOTHING; sized(options.history, Side::BOTH.len())],
            continuation: Block::zeroed(rows),
            touched: vec![0; rows.div_ceil(64)],
            dirty: false,
        }
    }

    /// The place of the row for a move so far before.
    fn row_after(kind: usize, slot_before: usize) -> usize {
        slot_before
            .saturating_mul(PLIES_BACK.len())
            .saturating_add(kind)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.dirty {
            self.killers.fill([Known::NONE; 2]);
            self.counters.fill(Known::NONE);
            self.quiet.fill(NOTHING);
            self.clear_continuation();
            self.dirty = false;
        }
    }

    fn clear_continuation(&mut self) {
        for (word, touched) in self.touched.iter_mut().enumerate() {
            while *touched != 0 {
                let row = 64 * word + touched.trailing_zeros() as usize;
                self.continuation[row] = NOTHING;
                *touched &= *touched - 1;
            }
        }
    }

    /// Whether a history made for `one` has the same tables as one made for `other`.
    pub fn is_same_shape(one: &Options, other: &Options) -> bool {
        let shape = |options: &Options| {
            let Options {
                history,
                countermoves,
                continuation,
                ..
            } = options;
            [*history, *countermoves, *continuation]
        };
        shape(one) == shape(other)
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
        let after = |kind: usize| self.continuation.get(Self::row_after(kind, before[kind]));
        let alone = self.quiet.get(side as usize);
        Record {
            first_slot: Self::OF_A_SIDE * side as usize,
            rows: [alone, after(0), after(1), after(2)].map(|row| row.unwrap_or(&NOTHING)),
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
        let (side, place) = (slot / Self::OF_A_SIDE, slot % Self::OF_A_SIDE);
        if let Some(row) = self.quiet.get_mut(side) {
            nudge(&mut row[place], bonus);
        }
        for (kind, slot_before) in before.into_iter().enumerate() {
            let row = Self::row_after(kind, slot_before);
            if let Some(counts) = self.continuation.get_mut(row) {
                self.touched[row / 64] |= 1 << (row % 64);
                nudge(&mut counts[place], bonus);
            }
        }
    }
}

/// What is known of one side's moves.
pub struct Record<'h> {
    first_slot: usize,
    rows: [&'h Row; 1 + PLIES_BACK.len()],
}

impl Record<'_> {
    /// How a quiet move and its likes did so far; the greater, the better.
    #[inline(always)]
    pub fn score(&self, info: &MoveInfo) -> i32 {
        let place = usize::from(info.slot).wrapping_sub(self.first_slot) % ROW;
        self.rows.iter().map(|row| i32::from(row[place])).sum()
    }
}

fn nudge(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MOST) as i16;
}
