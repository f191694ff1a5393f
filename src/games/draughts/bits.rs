//! Bitboards: 32 bits for the dark squares of an 8x8 board, 64 bits for larger boards.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares; bit `i` is square `i` of the board.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    const EMPTY: Self;

    /// Capacity in squares.
    const ROOM: u32;

    /// Keeps the low bits; tables are written once, for 64 bits.
    fn from_u64(bits: u64) -> Self;

    fn to_u64(self) -> u64;

    /// Bits shifted out are lost, even all of them.
    fn up(self, by: u32) -> Self;

    fn down(self, by: u32) -> Self;

    fn count(self) -> u32;

    /// The total size of all sets.
    fn count_all(sets: &[Self; 8]) -> u32;

    /// The lowest square; the set must not be empty.
    fn first(self) -> usize;

    /// The set without its lowest square.
    fn without_first(self) -> Self;

    /// The lowest square as a set; empty for the empty set.
    fn lowest(self) -> Self;

    /// The highest square as a set; empty for the empty set.
    fn highest(self) -> Self;

    fn reversed(self) -> Self;

    #[inline(always)]
    fn square(index: usize) -> Self {
        Self::from_u64(1 << index)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != Self::EMPTY
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        (self & Self::square(index)).any()
    }

    /// The squares from low to high.
    #[inline(always)]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// Iterates over a set from its lowest square to its highest.
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.any() {
            let index = self.0.first();
            self.0 = self.0.without_first();
            Some(index)
        } else {
            None
        }
    }
}

macro_rules! bits {
    ($int:ty) => {
        impl Bits for $int {
            const EMPTY: Self = 0;
            const ROOM: u32 = <$int>::BITS;

            #[inline(always)]
            fn from_u64(bits: u64) -> Self {
                bits as $int
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn up(self, by: u32) -> Self {
                self << by
            }

            #[inline(always)]
            fn down(self, by: u32) -> Self {
                self >> by
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn count_all(sets: &[Self; 8]) -> u32 {
                // Count sets that share a word together: without a popcount instruction, counting
                // bits takes a dozen instructions.
                let mut count = 0;
                if <$int>::BITS == 32 {
                    for pair in 0..4 {
                        let (low, high) = (sets[2 * pair] as u64, sets[2 * pair + 1] as u64);
                        count += (low | high << 32).count_ones();
                    }
                } else {
                    for set in sets {
                        count += set.count_ones();
                    }
                }
                count
            }

            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline(always)]
            fn highest(self) -> Self {
                match self.checked_ilog2() {
                    Some(index) => 1 << index,
                    None => 0,
                }
            }

            #[inline(always)]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
        }
    };
}

bits!(u32);
bits!(u64);
