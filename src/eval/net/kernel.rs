//! The arithmetic of a net's inference, compiled for the baseline of the processor family and for
//! AVX2, which is detected at run time. Both come from one source, in integers: the same results.

/// Numbers that are processed together; hidden units are padded to a multiple.
pub const LANE: usize = 32;

/// Sixteen-bit numbers, one cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lane(pub [i16; LANE]);

impl Lane {
    pub const ZERO: Lane = Lane([0; LANE]);
}

/// The value at which activations are clipped: 1.0, quantised.
pub const QA: i16 = 255;

/// Output weights that the fast dot product can take: `QA` times such a weight fits 16 bits.
pub const MOST_FAST_WEIGHT: i16 = 128;

/// Which compiled version runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The fastest version that this processor can run.
    pub fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Kernel::Avx2;
        }
        Kernel::Baseline
    }

    /// Every version that this processor can run.
    pub fn all() -> Vec<Kernel> {
        let mut all = vec![Kernel::Baseline];
        if Kernel::detect() != Kernel::Baseline {
            all.push(Kernel::detect());
        }
        all
    }

    /// Adds and subtracts the rows of features. `weights` has one row of `sums.len()` lanes per
    /// feature.
    #[inline]
    pub fn change(self, sums: &mut [Lane], weights: &[Lane], added: &[u16], removed: &[u16]) {
        match self {
            Kernel::Baseline => change(sums, weights, added, removed),
            // SAFETY: `detect` is the only source of this variant and has found AVX2.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { change_avx2(sums, weights, added, removed) },
        }
    }

    /// The sum of weight times activation, the activation being the square of the sum clipped to 0
    /// and `QA`. Weights are at most `MOST_FAST_WEIGHT` in size, and no partial sum exceeds 32
    /// bits.
    #[inline]
    pub fn activate(self, sums: &[Lane], weights: &[Lane]) -> i32 {
        match self {
            Kernel::Baseline => activate(sums, weights),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { activate_avx2(sums, weights) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn change_avx2(sums: &mut [Lane], weights: &[Lane], added: &[u16], removed: &[u16]) {
    change(sums, weights, added, removed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn activate_avx2(sums: &[Lane], weights: &[Lane]) -> i32 {
    activate(sums, weights)
}

#[inline(always)]
fn change(sums: &mut [Lane], weights: &[Lane], added: &[u16], removed: &[u16]) {
    let lanes = sums.len();
    for (block, lane) in sums.iter_mut().enumerate() {
        // A copy stays in registers while all features pass.
        let mut sum = lane.0;
        for &feature in added {
            let row = &weights[usize::from(feature) * lanes + block].0;
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for &feature in removed {
            let row = &weights[usize::from(feature) * lanes + block].0;
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        lane.0 = sum;
    }
}

// A plain sum of products of 16-bit numbers: the compiler turns it into multiply-add instructions.
#[inline(always)]
fn activate(sums: &[Lane], weights: &[Lane]) -> i32 {
    let mut total = 0_i32;
    for (sums, weights) in sums.iter().zip(weights) {
        for (sum, weight) in sums.0.iter().zip(&weights.0) {
            let clipped = (*sum).clamp(0, QA);
            let product = clipped.wrapping_mul(*weight);
            total = total.wrapping_add(i32::from(clipped) * i32::from(product));
        }
    }
    total
}

/// The same without bounds on weights and sums.
pub fn activate_wide(sums: &[Lane], weights: &[Lane]) -> i64 {
    let lanes = sums.iter().zip(weights);
    let numbers = lanes.flat_map(|(sums, weights)| sums.0.iter().zip(&weights.0));
    let products = numbers.map(|(sum, weight)| {
        let clipped = i64::from((*sum).clamp(0, QA));
        clipped * clipped * i64::from(*weight)
    });
    products.sum()
}
