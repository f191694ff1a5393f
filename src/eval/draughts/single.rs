//! Single-precision arithmetic in integers.
//!
//! The older checkers program computes in 32-bit floating point and truncates the result, so that a
//! sum of exactly 60 may become 59. This module reproduces its rounding with fixed-point numbers, to
//! keep floating point off the search path.

/// Fixed-point numbers have this many binary places: enough for every bit of a single-precision
/// number above 1/16, and small enough for sums of a few million in 64 bits.
const PLACES: u32 = 28;

/// The significant bits of a single-precision number.
const SIGNIFICANT: u32 = 24;

/// A single-precision number, as a multiple of 2 to the power of minus [`PLACES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single(i64);

impl Single {
    /// A quotient of positive numbers.
    pub fn quotient(numerator: i64, denominator: i64) -> Single {
        let numerator = numerator << PLACES;
        let floor = numerator / denominator;
        // Sticky bit: a remainder breaks what would otherwise look like a tie.
        let sticky = i64::from(floor * denominator != numerator);
        Single::rounded(floor << 1 | sticky, 1)
    }

    pub fn times(self, factor: i64) -> Single {
        Single::rounded(self.0 * factor, 0)
    }

    /// The product with a number given in hundredths.
    pub fn times_hundredths(self, factor: i64) -> Single {
        Single::rounded(self.0 * factor / 100, 0)
    }

    pub fn minus(self, other: Single) -> Single {
        Single::rounded(self.0 - other.0, 0)
    }

    pub fn plus(self, other: Single) -> Single {
        Single::rounded(self.0 + other.0, 0)
    }

    /// Towards zero.
    pub fn truncated(self) -> i64 {
        self.0 / (1 << PLACES)
    }

    /// In hundredths, towards zero.
    pub fn hundredths(self) -> i64 {
        self.0 * 100 / (1 << PLACES)
    }

    /// Rounds to the nearest number with few enough bits, ties to even, and drops `extra` places.
    fn rounded(value: i64, extra: u32) -> Single {
        let magnitude = value.unsigned_abs();
        let length = u64::BITS - magnitude.leading_zeros();
        let drop = length.saturating_sub(SIGNIFICANT).max(extra);
        if drop == 0 {
            return Single(value);
        }
        let half = 1 << (drop - 1);
        let kept = magnitude >> drop;
        let rest = magnitude & ((1 << drop) - 1);
        let up = rest > half || (rest == half && kept & 1 == 1);
        let nearest = ((kept + u64::from(up)) << drop >> extra) as i64;
        Single(if value < 0 { -nearest } else { nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_f32(number: Single) -> f32 {
        number.0 as f32 / (1u64 << PLACES) as f32
    }

    #[test]
    fn every_operation_rounds_like_the_hardware() {
        for denominator in 2..=41i64 {
            let single = Single::quotient(12, denominator);
            let float = 12.0 / denominator as f32;
            assert_eq!(as_f32(single), float, "12 / {denominator}");
            for count in 0..=20 {
                let (a, x) = (single.times(count), float * count as f32);
                assert_eq!(as_f32(a), x, "12 / {denominator} x {count}");
                let other = Single::quotient(12, 43 - denominator);
                let b = other.times(20 - count);
                let y = 12.0 / (43 - denominator) as f32 * (20 - count) as f32;
                assert_eq!(as_f32(a.minus(b)), x - y);
                assert_eq!(as_f32(a.minus(b).times_hundredths(500)), (x - y) * 5.0);
                assert_eq!(a.minus(b).truncated(), (x - y) as i64);
                let sum = a.minus(b).times(5).plus(b.times(10));
                assert_eq!(as_f32(sum), (x - y) * 5.0 + y * 10.0);
            }
        }
    }
}
