//! Anytime-valid confidence intervals (confidence sequences): valid after any number of results and looks.
//!
//! Betting against a mean: a bet that the mean is below m multiplies its stake by
//! 1 + b (m - x) for every result x. If the mean is m or more, the stake is a supermartingale, and by
//! Ville's inequality exceeds 1/alpha at any time with probability alpha at most. So every m at which the
//! stake has exceeded 1/alpha is refuted. Holds for any distribution within the bounds, for any number of
//! results. I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting"
//! (2024). The stake is a mixture over sizes of the bet, as in T. Cover's universal portfolios.

use super::estimate::{Basis, Estimate};

/// Sizes of the bet as shares of the largest that cannot ruin: small ones win after many results, large ones
/// after few.
const FIRST_SHARE: f64 = 0.004;
const GROWTH: f64 = 1.5;
const SHARES: usize = 14;

/// Bisections of an interval's end: finer than any figure shown.
const HALVINGS: usize = 40;

/// Results between two bounds, and the means that they refute.
#[derive(Clone, Debug, PartialEq)]
pub struct Anytime {
    bounds: (f64, f64),
    /// Distinct results with their counts.
    counts: Vec<(f64, u64)>,
}

impl Anytime {
    /// Without results yet; all of them will be within the bounds.
    pub fn within(low: f64, high: f64) -> Anytime {
        Anytime {
            bounds: (low, high),
            counts: Vec::new(),
        }
    }

    pub fn push(&mut self, result: f64) {
        self.add(result, 1);
    }

    pub fn add(&mut self, result: f64, count: u64) {
        let result = result.clamp(self.bounds.0, self.bounds.1);
        match self.counts.iter_mut().find(|(known, _)| *known == result) {
            Some((_, known)) => *known = known.saturating_add(count),
            None => self.counts.push((result, count)),
        }
    }

    pub fn count(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.counts.iter().map(|(x, n)| x * *n as f64).sum();
        let count = self.count();
        (count > 0).then(|| sum / count as f64)
    }

    /// ln of the stake of a bet that the mean is below `mean`: above ln(1 / alpha) it refutes, with the
    /// risk alpha, that the mean is `mean` or more.
    pub fn evidence_below(&self, mean: f64) -> f64 {
        evidence(self.counts.iter().copied(), self.bounds.1, mean)
    }

    /// The same for a mean of `mean` or less.
    pub fn evidence_above(&self, mean: f64) -> f64 {
        let mirrored = self.counts.iter().map(|(x, n)| (-x, *n));
        evidence(mirrored, -self.bounds.0, -mean)
    }

    /// The mean's upper end: below the truth with probability `alpha` at most, at all times together.
    pub fn upper(&self, alpha: f64) -> f64 {
        let (low, high) = self.bounds;
        let enough = -alpha.ln();
        bisect(low, high, |mean| self.evidence_below(mean) >= enough)
    }

    /// The mean's lower end: above the truth with probability `alpha` at most, at all times together.
    pub fn lower(&self, alpha: f64) -> f64 {
        let (low, high) = self.bounds;
        let enough = -alpha.ln();
        -bisect(-high, -low, |mean| self.evidence_above(-mean) >= enough)
    }

    /// Mean with both ends, which miss the truth with probability `alpha` at most, at all times together.
    pub fn estimate(&self, alpha: f64) -> Estimate {
        let Some(mean) = self.mean() else {
            return Estimate::UNKNOWN;
        };
        Estimate {
            value: Some(mean),
            low: Some(self.lower(alpha / 2.0)),
            high: Some(self.upper(alpha / 2.0)),
            basis: Basis::Anytime,
        }
    }
}

/// The least mean that is refuted; refutation is monotone.
fn bisect(low: f64, high: f64, is_refuted: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        match is_refuted(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

/// ln of the stake after bets on a mean below `mean`, where no result exceeds `high`.
fn evidence(counts: impl Iterator<Item = (f64, u64)> + Clone, high: f64, mean: f64) -> f64 {
    let room = high - mean;
    if room <= 0.0 {
        // No result is above the mean: any result below it refutes it.
        let all_there = counts.clone().all(|(x, n)| x >= mean || n == 0);
        return if all_there { 0.0 } else { f64::MAX };
    }
    let mut share = FIRST_SHARE;
    let mut stakes = [0.0_f64; SHARES];
    for stake in &mut stakes {
        let bet = share / room;
        let each = counts.clone();
        *stake = each
            .map(|(x, n)| n as f64 * (bet * (mean - x)).ln_1p())
            .sum();
        share *= GROWTH;
    }
    let most = stakes.into_iter().fold(f64::MIN, f64::max);
    let sum: f64 = stakes.iter().map(|stake| (stake - most).exp()).sum();
    most + (sum / SHARES as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_contain_the_mean_and_close_in() {
        let mut width = f64::INFINITY;
        for count in [10, 100, 1000, 10_000] {
            let mut results = Anytime::within(0.0, 1.0);
            for (score, share) in [(0.0, 1), (0.25, 2), (0.5, 4), (0.75, 2), (1.0, 1)] {
                results.add(score, count / 10 * share);
            }
            let found = results.estimate(0.05);
            let (low, high) = (found.low.unwrap(), found.high.unwrap());
            assert!(
                low < 0.5 && 0.5 < high && high - low < width,
                "{low} {high}"
            );
            assert!((low + high - 1.0).abs() < 1e-9, "as far on either side");
            width = high - low;
        }
        // Wider than the interval of one look, 0.0108, but not by much more than the log of the looks.
        assert!((0.0108..0.022).contains(&width), "{width}");
    }

    #[test]
    fn without_results_nothing_is_refuted() {
        let none = Anytime::within(-1.0, 1.0);
        assert!((none.upper(0.05) - 1.0).abs() < 1e-9);
        assert!((none.lower(0.05) + 1.0).abs() < 1e-9);
        assert_eq!(none.estimate(0.05), Estimate::UNKNOWN);
    }
}
