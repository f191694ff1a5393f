//! Bradley-Terry strengths from the scores of pairs, fast enough to recompute often. Draws
//! count as half a win; no standard errors: see [`Ratings`](super::Ratings).

use std::collections::BTreeMap;

/// Prior: drawn pairs of every player against an opponent of mean strength. Keeps strengths finite for players
/// who won or lost everything.
const PRIOR_PAIRS: f64 = 1.0;

/// Sweeps over all players, at most, and the change of a strength that ends them.
const MOST_SWEEPS: usize = 400;
const STILL: f64 = 1e-9;

#[derive(Clone, Debug, Default)]
pub(super) struct Strengths {
    /// Points of each player, in pairs.
    points: Vec<f64>,
    /// Pairs of every two that met, the lower number first.
    met: BTreeMap<(usize, usize), f64>,
}

impl Strengths {
    pub fn new(players: usize) -> Strengths {
        Strengths {
            points: vec![0.0; players],
            met: BTreeMap::new(),
        }
    }

    /// One pair; `score` is the first player's, 0 to 1.
    pub fn push(&mut self, first: usize, second: usize, score: f64) {
        self.points[first] += score;
        self.points[second] += 1.0 - score;
        let key = (first.min(second), first.max(second));
        *self.met.entry(key).or_default() += 1.0;
    }

    /// Elo of every player against the mean.
    ///
    /// D. Hunter, "MM Algorithms for Generalized Bradley-Terry Models" (2004): every sweep raises the
    /// likelihood.
    pub fn elo(&self) -> Vec<f64> {
        let mut strengths = vec![1.0_f64; self.points.len()];
        for _ in 0..MOST_SWEEPS {
            let mut expected: Vec<f64> = strengths
                .iter()
                .map(|own| PRIOR_PAIRS / (own + 1.0))
                .collect();
            for (&(one, other), pairs) in &self.met {
                let each = pairs / (strengths[one] + strengths[other]);
                expected[one] += each;
                expected[other] += each;
            }
            let new = expected.iter().zip(&self.points);
            let new = new.map(|(expected, points)| (points + 0.5 * PRIOR_PAIRS) / expected);
            let mut new: Vec<f64> = new.collect();
            // Only the weak prior knows the zero: without this, sweeps would creep towards it.
            let mean = new.iter().map(|it| it.ln()).sum::<f64>() / new.len().max(1) as f64;
            new.iter_mut().for_each(|it| *it /= mean.exp());
            let steps = new
                .iter()
                .zip(&strengths)
                .map(|(new, old)| (new / old).ln().abs());
            let change = steps.fold(0.0, f64::max);
            strengths = new;
            if change < STILL {
                break;
            }
        }
        strengths.iter().map(|own| 400.0 * own.log10()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_are_those_that_the_scores_come_from() {
        // Expected scores of -100, 0 and +100 Elo, many pairs each.
        let truth = [-100.0, 0.0, 100.0];
        let mut strengths = Strengths::new(3);
        for one in 0..3 {
            for other in one + 1..3 {
                let score = 1.0 / (1.0 + 10f64.powf((truth[other] - truth[one]) / 400.0));
                (0..5000).for_each(|_| strengths.push(one, other, score));
            }
        }
        for (found, truth) in strengths.elo().into_iter().zip(truth) {
            assert!((found - truth).abs() < 0.2, "{found} {truth}");
        }
    }

    #[test]
    fn who_wins_everything_stays_finite() {
        let mut strengths = Strengths::new(2);
        (0..100).for_each(|_| strengths.push(0, 1, 1.0));
        let elo = strengths.elo();
        assert!(
            elo[0].is_finite() && elo[0] > 300.0 && elo[1] < -300.0,
            "{elo:?}"
        );
    }
}
