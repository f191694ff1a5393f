//! Random numbers that depend on the seed and the trial only.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64, trial: u64) -> Random {
        let mut random = Random(seed ^ trial.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below a bound above 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True once in N times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn of<'s, T>(&mut self, list: &'s [T]) -> &'s T {
        &list[self.below(list.len() as u64) as usize]
    }
}
