//! Quiet move ordering from beta cutoffs: killers, countermoves, history and continuation history.

use super::MAX_PLY;
use super::block::Block;
use super::options::Options;
use crate::games::{Game, MoveInfo, Side};

/// History scores stay within plus and minus this.
const HISTORY_MAX: i32 = 16_384;

/// History scores of one side's moves, by slot minus the side's first slot. The fixed size avoids
/// bounds checks.
type HistoryRow = [i16; ROW];
const ROW: usize = 512;

/// Stands in for tables that are switched off.
static EMPTY_ROW: HistoryRow = [0; ROW];

/// The slot of no move: before the root, or for a null move.
pub const NO_SLOT: usize = usize::MAX;

/// Continuation history: how many plies back the preceding moves lie.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// The slots of those preceding moves.
pub type PreviousSlots = [usize; CONTINUATION_PLIES.len()];

/// No preceding moves.
pub const NO_PREVIOUS: PreviousSlots = [NO_SLOT; CONTINUATION_PLIES.len()];

/// A move with its history slot. Comparing slots first decides nearly all comparisons.
#[derive(Clone, Copy, Debug)]
pub struct SlotMove<M> {
    mv: Option<M>,
    slot: u16,
}

impl<M: Copy + Eq> SlotMove<M> {
    /// No move.
    pub const NONE: SlotMove<M> = SlotMove {
        mv: None,
        slot: u16::MAX,
    };

    pub fn new(mv: M, info: &MoveInfo) -> SlotMove<M> {
        SlotMove {
            mv: Some(mv),
            slot: info.slot,
        }
    }

    /// The filter bit of this move, 0 for no move.
    pub fn filter_bit(&self) -> u64 {
        match self.mv {
            Some(_) => filter_bit(self.slot),
            None => 0,
        }
    }

    #[inline(always)]
    pub fn is(&self, mv: M, info: &MoveInfo) -> bool {
        self.slot == info.slot && self.mv == Some(mv)
    }
}

/// One of 64 bits: a cheap filter that tells most moves apart.
#[inline(always)]
pub fn filter_bit(slot: u16) -> u64 {
    1 << (slot % 64)
}

/// The quiets tried before all others: two killers and the countermove.
pub type Refutations<M> = [SlotMove<M>; 3];

pub struct History<G: Game> {
    killers: Vec<[SlotMove<G::Move>; 2]>,
    countermoves: Vec<SlotMove<G::Move>>,
    /// History: one row per side.
    quiet: Vec<HistoryRow>,
    /// Continuation history: one row per slot and distance of the preceding move. The slot implies
    /// the side.
    continuation: Block<HistoryRow>,
    /// One bit per row of `continuation` written since the last clear: a short game writes a few
    /// of some thousand rows.
    touched: Vec<u64>,
    dirty: bool,
}

impl<G: Game> History<G> {
    /// Slots per side. White's come first.
    const SLOTS_PER_SIDE: usize = {
        let slots = G::HISTORY_SLOTS.div_ceil(2);
        assert!(slots <= ROW);
        slots
    };

    pub fn new(options: &Options) -> History<G> {
        let slots = G::HISTORY_SLOTS;
        let sized = |wanted: bool, size: usize| if wanted { size } else { 0 };
        let rows = sized(options.continuation, slots * CONTINUATION_PLIES.len());
        History {
            killers: vec![[SlotMove::NONE; 2]; MAX_PLY + 2],
            countermoves: vec![SlotMove::NONE; sized(options.countermoves, slots)],
            quiet: vec![EMPTY_ROW; sized(options.history, Side::BOTH.len())],
            continuation: Block::zeroed(rows),
            touched: vec![0; rows.div_ceil(64)],
            dirty: false,
        }
    }

    /// The index of the continuation row of a preceding move.
    fn continuation_row(kind: usize, slot_before: usize) -> usize {
        slot_before
            .saturating_mul(CONTINUATION_PLIES.len())
            .saturating_add(kind)
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        if self.dirty {
            self.killers.fill([SlotMove::NONE; 2]);
            self.countermoves.fill(SlotMove::NONE);
            self.quiet.fill(EMPTY_ROW);
            self.clear_continuation();
            self.dirty = false;
        }
    }

    fn clear_continuation(&mut self) {
        for (word, touched) in self.touched.iter_mut().enumerate() {
            while *touched != 0 {
                let row = 64 * word + touched.trailing_zeros() as usize;
                self.continuation[row] = EMPTY_ROW;
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
        self.killers.fill([SlotMove::NONE; 2]);
    }

    /// The killers of this ply and the countermove to the previous move.
    pub fn refutations(&self, ply: usize, previous: PreviousSlots) -> Refutations<G::Move> {
        let [first, second] = self.killers[ply];
        let countermove = self.countermoves.get(previous[0]).copied();
        [first, second, countermove.unwrap_or(SlotMove::NONE)]
    }

    /// Clears the killers of a ply.
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [SlotMove::NONE; 2];
    }

    /// The history scores of a side's quiet moves, given the preceding moves.
    #[inline]
    pub fn scores(&self, side: Side, previous: PreviousSlots) -> HistoryScores<'_> {
        let after = |kind: usize| {
            self.continuation
                .get(Self::continuation_row(kind, previous[kind]))
        };
        let alone = self.quiet.get(side as usize);
        HistoryScores {
            first_slot: Self::SLOTS_PER_SIDE * side as usize,
            rows: [alone, after(0), after(1), after(2)].map(|row| row.unwrap_or(&EMPTY_ROW)),
        }
    }

    /// Records a quiet beta cutoff as killer and countermove.
    pub fn update_refutations(
        &mut self,
        options: &Options,
        ply: usize,
        (mv, info): (G::Move, &MoveInfo),
        previous: PreviousSlots,
    ) {
        self.dirty = true;
        let cutoff_move = SlotMove::new(mv, info);
        let killers = &mut self.killers[ply];
        if options.killers && !killers[0].is(mv, info) {
            *killers = [cutoff_move, killers[0]];
        }
        if let Some(countermove) = self.countermoves.get_mut(previous[0]) {
            *countermove = cutoff_move;
        }
    }

    /// Adds `bonus` to all history scores of a move.
    pub fn update(&mut self, info: MoveInfo, previous: PreviousSlots, bonus: i32) {
        self.dirty = true;
        let slot = usize::from(info.slot);
        let (side, place) = (slot / Self::SLOTS_PER_SIDE, slot % Self::SLOTS_PER_SIDE);
        if let Some(row) = self.quiet.get_mut(side) {
            apply_bonus(&mut row[place], bonus);
        }
        for (kind, slot_before) in previous.into_iter().enumerate() {
            let row = Self::continuation_row(kind, slot_before);
            if let Some(row_scores) = self.continuation.get_mut(row) {
                self.touched[row / 64] |= 1 << (row % 64);
                apply_bonus(&mut row_scores[place], bonus);
            }
        }
    }
}

/// The history tables that apply to one node's quiet moves.
pub struct HistoryScores<'h> {
    first_slot: usize,
    rows: [&'h HistoryRow; 1 + CONTINUATION_PLIES.len()],
}

impl HistoryScores<'_> {
    /// Sum of history and continuation history; higher is better.
    #[inline(always)]
    pub fn score(&self, info: &MoveInfo) -> i32 {
        let place = usize::from(info.slot).wrapping_sub(self.first_slot) % ROW;
        self.rows.iter().map(|row| i32::from(row[place])).sum()
    }
}

/// Adds a bonus with gravity: the closer a score is to its limit, the less it moves.
fn apply_bonus(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}
