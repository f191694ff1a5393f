//! Sinks: consumers of the counts of terms.

use std::hint::select_unpredictable;

use super::{Score, Weights};

/// Receives the count of a term for each side. A sink that needs only the difference costs one
/// multiplication.
pub trait Sink {
    fn add(&mut self, slot: usize, white: i32, black: i32);

    /// Adds a count for the current side, which is white until the first [`Sink::turn`].
    fn count(&mut self, slot: usize, count: i32);

    /// Adds a count of 0 or 1 for the current side.
    fn mark(&mut self, slot: usize, shown: bool) {
        self.count(slot, i32::from(shown));
    }

    /// Switches the current side. The caller that switches must switch back when done.
    fn turn(&mut self);

    /// Adds a named contribution that is not a count times a weight: score steps, each from its own
    /// side's view.
    fn extra(&mut self, name: &'static str, white: Score, black: Score);
}

/// The sink of the search: multiplies counts by weights.
pub struct Weigher<'w> {
    weights: &'w Weights,
    /// Middlegame sum in the upper half, endgame sum in the lower, see [`super::Weight`].
    sum: i64,
    extra: Score,
}

impl<'w> Weigher<'w> {
    pub fn new(weights: &'w Weights) -> Weigher<'w> {
        Weigher {
            weights,
            sum: 0,
            extra: 0,
        }
    }

    /// The sums of the opening and ending weights, from white's view.
    pub fn sums(&self) -> (i32, i32) {
        super::weights::unpack(self.sum)
    }

    /// Adds an earlier sum, as returned by [`Weigher::packed_sum`].
    pub fn add_packed(&mut self, sum: i64) {
        self.sum += sum;
    }

    /// Both sums in one number, for [`Weigher::add_packed`].
    pub fn packed_sum(&self) -> i64 {
        self.sum
    }

    pub fn extra_sum(&self) -> Score {
        self.extra
    }
}

impl Sink for Weigher<'_> {
    #[inline(always)]
    fn add(&mut self, slot: usize, white: i32, black: i32) {
        self.sum += self.weights.packed(slot) * i64::from(white - black);
    }

    #[inline(always)]
    fn count(&mut self, slot: usize, count: i32) {
        self.sum += self.weights.packed(slot) * i64::from(count);
    }

    /// Branchless: the compiler would turn a product with 0 or 1 into a branch.
    #[inline(always)]
    fn mark(&mut self, slot: usize, shown: bool) {
        self.sum += select_unpredictable(shown, self.weights.packed(slot), 0);
    }

    /// The sum is from the current side's view.
    #[inline(always)]
    fn turn(&mut self) {
        self.sum = -self.sum;
    }

    #[inline(always)]
    fn extra(&mut self, _name: &'static str, white: Score, black: Score) {
        self.extra += white - black;
    }
}

/// The counts of one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    pub slot: usize,
    pub white: i32,
    pub black: i32,
}

/// A non-linear contribution: score steps, each from its own side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    pub name: &'static str,
    pub white: Score,
    pub black: Score,
}

/// Records a trace of counts: the sink of the tuner and of `explain`.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The game phase that tapers the weights, see [`super::OPENING`].
    pub phase: i32,
    /// In the order of the slots, each slot once.
    pub coefficients: Vec<Coefficient>,
    /// In the order they were added.
    pub extras: Vec<Extra>,
    blacks_turn: bool,
}

impl Trace {
    pub fn new(phase: i32) -> Trace {
        Trace {
            phase,
            ..Trace::default()
        }
    }

    pub fn of_slot(&self, slot: usize) -> Option<Coefficient> {
        let at = self
            .coefficients
            .binary_search_by_key(&slot, |c| c.slot)
            .ok()?;
        Some(self.coefficients[at])
    }
}

impl Sink for Trace {
    fn add(&mut self, slot: usize, white: i32, black: i32) {
        if white == 0 && black == 0 {
            return;
        }
        match self.coefficients.binary_search_by_key(&slot, |c| c.slot) {
            Ok(at) => {
                self.coefficients[at].white += white;
                self.coefficients[at].black += black;
            }
            Err(at) => self
                .coefficients
                .insert(at, Coefficient { slot, white, black }),
        }
    }

    fn count(&mut self, slot: usize, count: i32) {
        match self.blacks_turn {
            false => self.add(slot, count, 0),
            true => self.add(slot, 0, count),
        }
    }

    fn turn(&mut self) {
        self.blacks_turn = !self.blacks_turn;
    }

    fn extra(&mut self, name: &'static str, white: Score, black: Score) {
        self.extras.push(Extra { name, white, black });
    }
}
