//! Two players compared through common opponents met in the same openings, whether or not they met each
//! other: the luck of an opening and of an opponent is common to both and drops out of the difference.
//!
//! One observation is an opening: all that both players scored from it belongs together. Leaves the fit
//! of all players at once, which uses the same openings, to `ratings`.

use super::elo::{elo_slope, score_to_elo};
use super::estimate::{Basis, Estimate};
use super::normal::TAIL95;
use super::student::{outside, t95};
use super::tournament::Tournament;
use std::collections::BTreeMap;

/// What one player is ahead of another by common opponents and openings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedComparison {
    /// Openings from which both met a common opponent: the sample size.
    pub openings: u64,
    /// Opening pairs of each player in the comparison.
    pub pairs: u64,
    /// Mean scores over these pairs, 0 to 1.
    pub scores: [f64; 2],
    /// Difference of the mean scores, -1 to 1.
    pub score: Estimate,
    /// Elo of the first score less Elo of the second. Against opponents that are much weaker or
    /// stronger it is not the Elo of a match between the two.
    pub elo: Estimate,
    /// Half the width of the interval of `elo` if the openings had been different ones: what sharing
    /// them has saved.
    pub unpaired_error: Option<f64>,
    /// P-value of equal scores, two-sided, by Student's t.
    pub p: Option<f64>,
}

impl PairedComparison {
    /// `None` if the two have no opponent and opening in common, or are the same player.
    pub fn of(tournament: &Tournament, one: usize, other: usize) -> Option<PairedComparison> {
        let clusters = matched(tournament, one, other);
        let pairs: f64 = clusters.iter().map(|cluster| cluster.pairs).sum();
        if one == other || pairs == 0.0 {
            return None;
        }
        let mean = |index: usize| clusters.iter().map(|it| it.points[index]).sum::<f64>() / pairs;
        let scores = [mean(0), mean(1)];
        let spread = Spread {
            clusters: &clusters,
            pairs,
            scores,
        };
        let deviation = spread.of([1.0, -1.0]);
        let score = score_difference(scores[0] - scores[1], deviation, clusters.len());
        let (elo, unpaired_error) = elo_difference(&spread, scores);
        let freedom = clusters.len().saturating_sub(1) as f64;
        let p = deviation.filter(|it| *it > 0.0);
        let p = p.map(|deviation| outside((scores[0] - scores[1]).abs() / deviation, freedom));
        Some(PairedComparison {
            openings: clusters.len() as u64,
            pairs: pairs as u64,
            scores,
            score,
            elo,
            unpaired_error,
            p,
        })
    }
}

/// What both players did from one opening.
#[derive(Clone, Copy, Default)]
struct Cluster {
    pairs: f64,
    /// Sums of the scores of pairs, 0 to 1 each.
    points: [f64; 2],
}

/// The pairs of both from each opening, against opponents that both met there equally often; where one
/// met an opponent more often, its mean counts.
fn matched(tournament: &Tournament, one: usize, other: usize) -> Vec<Cluster> {
    // By opening and opponent: pairs and points of both.
    let mut cells: BTreeMap<(u32, usize), [(f64, f64); 2]> = BTreeMap::new();
    for pair in tournament.opened_pairs() {
        for (index, player) in [one, other].into_iter().enumerate() {
            let Some((opponent, score)) = pair.seen_by(player) else {
                continue;
            };
            let cell = cells.entry((pair.opening, opponent)).or_default();
            cell[index].0 += 1.0;
            cell[index].1 += score;
        }
    }
    let mut clusters: BTreeMap<u32, Cluster> = BTreeMap::new();
    for ((opening, _), [own, others]) in cells {
        let pairs = own.0.min(others.0);
        if pairs > 0.0 {
            let cluster = clusters.entry(opening).or_default();
            cluster.pairs += pairs;
            for (points, (count, score)) in cluster.points.iter_mut().zip([own, others]) {
                *points += pairs * score / count;
            }
        }
    }
    clusters.into_values().collect()
}

/// How a weighted sum of both scores scatters between openings.
struct Spread<'c> {
    clusters: &'c [Cluster],
    pairs: f64,
    scores: [f64; 2],
}

impl Spread<'_> {
    /// The standard error of the weighted sum; `None` for a single opening.
    fn of(&self, weights: [f64; 2]) -> Option<f64> {
        let count = self.clusters.len() as f64;
        let square = |cluster: &Cluster| {
            let excess = |index: usize| {
                weights[index] * (cluster.points[index] - self.scores[index] * cluster.pairs)
            };
            (excess(0) + excess(1)).powi(2)
        };
        let sum: f64 = self.clusters.iter().map(square).sum();
        (count > 1.0).then(|| (count / (count - 1.0) * sum).sqrt() / self.pairs)
    }
}

fn score_difference(value: f64, deviation: Option<f64>, openings: usize) -> Estimate {
    let (low, high, basis) = match deviation.filter(|it| *it > 0.0) {
        Some(deviation) => {
            let error = t95((openings - 1) as f64) * deviation;
            (value - error, value + error, Basis::Normal)
        }
        // All alike: the exact bound of a mean between -1 and 1.
        None => {
            let missed = 1.0 - TAIL95.powf(1.0 / openings as f64);
            let (low, high) = (
                value - missed * (1.0 + value),
                value + missed * (1.0 - value),
            );
            (low, high, Basis::Exact)
        }
    };
    Estimate {
        value: Some(value),
        low: Some(low.max(-1.0)),
        high: Some(high.min(1.0)),
        basis,
    }
}

/// By the delta method, and half the width without the covariance of the two scores.
fn elo_difference(spread: &Spread<'_>, scores: [f64; 2]) -> (Estimate, Option<f64>) {
    let elos = scores.map(score_to_elo);
    let [Some(one), Some(other)] = elos else {
        return (Estimate::UNKNOWN, None);
    };
    let value = Some(one - other);
    let slopes = scores.map(elo_slope);
    let factor = t95(spread.clusters.len().saturating_sub(1).max(1) as f64);
    let paired = spread.of([slopes[0], -slopes[1]]).filter(|it| *it > 0.0);
    let error = paired.map(|deviation| factor * deviation);
    let alone = [spread.of([slopes[0], 0.0]), spread.of([0.0, slopes[1]])];
    let unpaired = match alone {
        [Some(one), Some(other)] => Some(factor * one.hypot(other)),
        _ => None,
    };
    let estimate = Estimate {
        value,
        low: error.map(|error| one - other - error),
        high: error.map(|error| one - other + error),
        basis: Basis::Normal,
    };
    (estimate, unpaired.filter(|it| *it > 0.0))
}
