//! Where the counts of terms go.

use std::hint::select_unpredictable;

use super::{Score, Weights};

/// Takes what a position shows of a term, each side's count by itself. A sink that only needs
/// the difference costs one multiplication.
pub trait Sink {
    fn add(&mut self, slot: usize, white: i32, black: i32);

    /// Takes a count of the side in turn, which is white until the first [`Sink::turn`].
    fn count(&mut self, slot: usize, count: i32);

    /// Takes what the side in turn shows once or not at all.
    fn mark(&mut self, slot: usize, shown: bool) {
        self.count(slot, i32::from(shown));
    }

    /// It is the other side's turn to be counted. Who begins to count turns back when done.
    fn turn(&mut self);

    /// Takes a contribution that is not a count times a weight, under the name it is explained
    /// by: score steps, each side from its own view.
    fn extra(&mut self, name: &'static str, white: Score, black: Score);
}

/// Multiplies by the weights as it goes: the sink of the search.
pub struct Weigher<'w> {
    weights: &'w Weights,
    /// Opening sum in the upper half, ending sum in the lower, see [`super::Weight`].
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

    /// The sums of the opening and the ending weights, from white's view.
    pub fn sums(&self) -> (i32, i32) {
        super::weights::unpack(self.sum)
    }

    /// Adds a sum of earlier: the packed value that [`Weigher::packed_sum`] gave.
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

    /// Without a branch, which the compiler would make of a product with 0 or 1.
    #[inline(always)]
    fn mark(&mut self, slot: usize, shown: bool) {
        self.sum += select_unpredictable(shown, self.weights.packed(slot), 0);
    }

    /// The sum is the view of the side in turn.
    #[inline(always)]
    fn turn(&mut self) {
        self.sum = -self.sum;
    }

    #[inline(always)]
    fn extra(&mut self, _name: &'static str, white: Score, black: Score) {
        self.extra += white - black;
    }
}

/// What a position shows in one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    pub slot: usize,
    pub white: i32,
    pub black: i32,
}

/// A contribution outside the linear part: score steps, each side from its own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    pub name: &'static str,
    pub white: Score,
    pub black: Score,
}

/// Keeps the counts: the sink of the tuner and of `explain`.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// How much of the opening is left, which blends the weights, see [`super::OPENING`].
    pub phase: i32,
    /// In the order of the slots, each slot once.
    pub coefficients: Vec<Coefficient>,
    /// In the order they came.
    pub extras: Vec<Extra>,
    blacks_turn: bool,
}

impl Recorder {
    pub fn new(phase: i32) -> Recorder {
        Recorder {
            phase,
            ..Recorder::default()
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

impl Sink for Recorder {
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
