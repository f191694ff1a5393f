//! A Gaussian process over strength, learned from matches between points of a space. An observation is the
//! difference of two heights with the noise of its pairs, so that matches between any points can be combined.
//!
//! C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning" (2006): Matérn kernel with
//! nu = 5/2, one length per parameter, hyperparameters by the marginal likelihood, here on a fixed grid.

use crate::stats::{Cholesky, Matrix, Pentanomial};

/// A match between two places of the unit cube, from the first one's side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub one: Vec<f64>,
    pub other: Vec<f64>,
    pub pairs: Pentanomial,
}

/// Elo of a unit of score, between equals.
const ELO_PER_SCORE: f64 = 694.872;

/// Heights in Elo, and lengths as shares of a range, that are tried.
const AMPLITUDES: [f64; 5] = [8.0, 20.0, 45.0, 100.0, 220.0];
const LENGTHS: [f64; 5] = [0.2, 0.4, 0.8, 1.6, 3.2];
/// One length after the other is multiplied by these.
const STRETCHES: [f64; 4] = [0.4, 1.0, 2.5, 8.0];

/// The hyperparameters.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    amplitude: f64,
    lengths: Vec<f64>,
}

impl Shape {
    fn covariance(&self, one: &[f64], other: &[f64]) -> f64 {
        let each = one.iter().zip(other).zip(&self.lengths);
        let square: f64 = each
            .map(|((a, b), length)| ((a - b) / length).powi(2))
            .sum();
        let r = (5.0 * square).sqrt();
        self.amplitude * self.amplitude * (1.0 + r + r * r / 3.0) * (-r).exp()
    }
}

pub(super) struct Process {
    observed: Vec<Comparison>,
    shape: Shape,
    factor: Cholesky,
    /// The inverse covariance times the observations.
    weights: Vec<f64>,
}

/// Elo of each observation with the variance of its noise. All share the spread of a pair, since few pairs
/// cannot estimate it.
fn measured(observed: &[Comparison]) -> Vec<(f64, f64)> {
    // One half of a pair more, so that few identical results do not claim certainty.
    let (mut squares, mut pairs) = (0.125, 1.0);
    for comparison in observed {
        let count = comparison.pairs.pairs() as f64;
        let mean = comparison.pairs.points() / (2.0 * count).max(1.0);
        for (step, number) in comparison.pairs.to_array().into_iter().enumerate() {
            squares += number as f64 * (step as f64 / 4.0 - mean).powi(2);
        }
        // Its own mean takes one pair's worth of freedom.
        pairs += (count - 1.0).max(0.0);
    }
    let spread = (squares / pairs).clamp(0.01, 0.25);
    let each = observed.iter().map(|comparison| {
        let count = (comparison.pairs.pairs() as f64).max(0.5);
        let score = comparison.pairs.points() / (2.0 * count);
        let variance = spread / count;
        (
            ELO_PER_SCORE * (score - 0.5),
            ELO_PER_SCORE.powi(2) * variance,
        )
    });
    each.collect()
}

/// The process of one shape, and the logarithm of its marginal likelihood.
fn likelihood(
    observed: &[Comparison],
    measured: &[(f64, f64)],
    shape: &Shape,
) -> Option<(Cholesky, Vec<f64>, f64)> {
    let mut cells = Vec::with_capacity(observed.len() * observed.len());
    for (row, a) in observed.iter().enumerate() {
        for (column, b) in observed.iter().enumerate() {
            let value = match column <= row {
                true => {
                    shape.covariance(&a.one, &b.one)
                        - shape.covariance(&a.one, &b.other)
                        - shape.covariance(&a.other, &b.one)
                        + shape.covariance(&a.other, &b.other)
                }
                false => 0.0,
            };
            cells.push(value + if row == column { measured[row].1 } else { 0.0 });
        }
    }
    let factor = Matrix::from_lower(observed.len(), cells).cholesky()?;
    let heights: Vec<f64> = measured.iter().map(|it| it.0).collect();
    let weights = factor.solve(&heights);
    let fit: f64 = heights.iter().zip(&weights).map(|(a, b)| a * b).sum();
    let size: f64 = (0..observed.len())
        .map(|row| factor.lower().at(row, row).ln())
        .sum();
    Some((factor, weights, -0.5 * fit - size))
}

impl Process {
    /// Learned from matches; `None` without any.
    pub fn of(observed: Vec<Comparison>) -> Option<Process> {
        let size = observed.first()?.one.len();
        let measured = measured(&observed);
        let mut best: Option<(f64, Shape)> = None;
        let consider = |shape: Shape, best: &mut Option<(f64, Shape)>| {
            if let Some((_, _, fit)) = likelihood(&observed, &measured, &shape)
                && best.as_ref().is_none_or(|(known, _)| fit > *known)
            {
                *best = Some((fit, shape));
            }
        };
        // Distances grow with the number of parameters.
        let scale = (size as f64).sqrt();
        for amplitude in AMPLITUDES {
            for length in LENGTHS {
                let lengths = vec![length * scale; size];
                consider(Shape { amplitude, lengths }, &mut best);
            }
        }
        for index in 0..if size > 1 { size } else { 0 } {
            let shape = best.as_ref()?.1.clone();
            for stretch in STRETCHES {
                let mut changed = shape.clone();
                changed.lengths[index] *= stretch;
                consider(changed, &mut best);
            }
        }
        let shape = best?.1;
        let (factor, weights, _) = likelihood(&observed, &measured, &shape)?;
        Some(Process {
            observed,
            shape,
            factor,
            weights,
        })
    }

    /// Mean and variance of a weighted sum of heights; only differences are known, so the weights should
    /// add up to 0.
    pub fn sum(&self, parts: &[(f64, &[f64])]) -> (f64, f64) {
        let shared: Vec<f64> = self
            .observed
            .iter()
            .map(|it| {
                let each = parts.iter().map(|(weight, at)| {
                    weight
                        * (self.shape.covariance(at, &it.one)
                            - self.shape.covariance(at, &it.other))
                });
                each.sum()
            })
            .collect();
        let mean = shared.iter().zip(&self.weights).map(|(a, b)| a * b).sum();
        let solved = self.factor.solve(&shared);
        let known: f64 = shared.iter().zip(&solved).map(|(a, b)| a * b).sum();
        let mut prior = 0.0;
        for (one, a) in parts {
            for (other, b) in parts {
                prior += one * other * self.shape.covariance(a, b);
            }
        }
        (mean, (prior - known).max(0.0))
    }

    /// Elo of one place above another, and its variance.
    pub fn difference(&self, one: &[f64], other: &[f64]) -> (f64, f64) {
        self.sum(&[(1.0, one), (-1.0, other)])
    }

    /// Elo of many places above one, without variances.
    pub fn means(&self, places: &[Vec<f64>], other: &[f64]) -> Vec<f64> {
        let height = |at: &[f64]| -> f64 {
            let each = self.observed.iter().zip(&self.weights);
            each.map(|(it, weight)| {
                weight * (self.shape.covariance(at, &it.one) - self.shape.covariance(at, &it.other))
            })
            .sum()
        };
        let zero = height(other);
        places.iter().map(|at| height(at) - zero).collect()
    }

    /// How alike two places are, 0 to 1.
    pub fn likeness(&self, one: &[f64], other: &[f64]) -> f64 {
        self.shape.covariance(one, other) / self.shape.amplitude.powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_curve_is_found_from_noisy_matches() {
        // 40 Elo high at 0.7, by matches against 0.2.
        let height = |x: f64| -160.0 * (x - 0.7) * (x - 0.7);
        let mut observed = Vec::new();
        for step in 0..=10 {
            let x = f64::from(step) / 10.0;
            let score = 0.5 + (height(x) - height(0.2)) / ELO_PER_SCORE;
            // 2000 pairs with that score: wins of both games, and losses.
            let wins = (2000.0 * score).round() as u64;
            observed.push(Comparison {
                one: vec![x],
                other: vec![0.2],
                pairs: Pentanomial::new(2000 - wins, 0, 0, 0, wins),
            });
        }
        let process = Process::of(observed).unwrap();
        for x in [0.05, 0.35, 0.7, 0.95] {
            let (mean, variance) = process.difference(&[x], &[0.2]);
            let truth = height(x) - height(0.2);
            assert!((mean - truth).abs() < 8.0, "{x}: {mean} {truth}");
            assert!(variance > 0.0 && variance < 100.0, "{variance}");
        }
        let (mean, variance) = process.difference(&[0.4], &[0.4]);
        assert!(mean.abs() < 1e-9 && variance < 1e-9);
    }
}
