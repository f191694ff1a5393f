//! The random streams of a run. Pair *i* uses a stream keyed only by (seed, *i*), so its games do
//! not depend on thread, order or time.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The purpose of a stream. Each purpose has a separate stream, so that drawing more numbers for one
/// does not shift another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Opening,
    Players,
    OpeningOrder,
    /// Candidates of a tuner.
    Tuner,
    /// Openings of the validation match.
    Validation,
    /// Sampling of positions from games.
    Sampling,
    /// The first weights of a net.
    NetWeights,
    /// The order of positions in training.
    Shuffling,
    /// Random moves off the games, for a teacher.
    Distilling,
}

pub struct Stream(ChaCha8Rng);

impl Stream {
    pub fn new(seed: u64, pair: u64, purpose: Purpose) -> Stream {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose as u8;
        let mut numbers = ChaCha8Rng::from_seed(key);
        numbers.set_stream(pair);
        Stream(numbers)
    }

    pub fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn fraction(&mut self) -> f64 {
        // The upper 53 bits: as many as a float can hold.
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.fraction()).cos()
    }

    /// A uniform number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Rejection sampling: the last, incomplete range would favour small numbers.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.draw();
            if drawn < limit {
                return drawn % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_pair_and_purpose_and_repeat_otherwise() {
        let first = |seed, pair, purpose| Stream::new(seed, pair, purpose).draw();
        let reference = first(1, 1, Purpose::Opening);
        assert_eq!(reference, first(1, 1, Purpose::Opening));
        assert_ne!(reference, first(2, 1, Purpose::Opening));
        assert_ne!(reference, first(1, 2, Purpose::Opening));
        assert_ne!(reference, first(1, 1, Purpose::Players));
    }

    #[test]
    fn drawing_below_a_bound_reaches_every_number_equally() {
        let mut stream = Stream::new(7, 7, Purpose::Opening);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[stream.below(6) as usize] += 1;
        }
        // Six standard deviations of a binomial with n = 60,000 and p = 1/6.
        assert!(
            seen.iter().all(|count| count.abs_diff(10_000) < 550),
            "{seen:?}"
        );
    }
}
