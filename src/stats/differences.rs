//! Differences between players who played the same openings, each against an opponent drawn evenly from the
//! others.

use std::collections::BTreeMap;

use super::anytime::Anytime;

/// Of differences from -4 to 4 half points.
type Counts = [u64; 9];

/// Differences of points in shared openings, for every two players.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    /// By players, the lower number first: counts of differences of -4 to 4 half points by the number of
    /// players in the race at the time.
    of: BTreeMap<(usize, usize), Vec<(usize, Counts)>>,
}

impl Differences {
    pub fn push(&mut self, one: usize, other: usize, field: usize, half_points: i64) {
        let (key, half_points) = match one < other {
            true => ((one, other), half_points),
            false => ((other, one), -half_points),
        };
        let stages = self.of.entry(key).or_default();
        let step = (half_points + 4).clamp(0, 8) as usize;
        match stages.iter_mut().find(|(known, _)| *known == field) {
            Some((_, counts)) => counts[step] += 1,
            None => {
                let mut counts = [0; 9];
                counts[step] = 1;
                stages.push((field, counts));
            }
        }
    }

    /// What `one` scores above one half against `other`, as far as differences against common opponents
    /// tell: with N players the mean difference of their scores is N / (N - 1) of that.
    pub fn of(&self, one: usize, other: usize) -> Anytime {
        let mut results = Anytime::within(-1.0, 1.0);
        let (key, sign) = match one < other {
            true => ((one, other), 1.0),
            false => ((other, one), -1.0),
        };
        for (field, counts) in self.of.get(&key).map_or(&[][..], Vec::as_slice) {
            let field = *field as f64;
            for (step, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let difference = (step as f64 - 4.0) / 4.0 * (field - 1.0) / field;
                results.add(sign * difference, *count);
            }
        }
        results
    }
}
