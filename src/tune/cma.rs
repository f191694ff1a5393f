//! CMA-ES (evolution strategy with covariance matrix adaptation), adapted to noisy games: a large
//! population plays the current mean, one or a few pairs each. Averaging over many candidates is more
//! informative than measuring a few precisely.

use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::Stream;
use crate::record::Correlations;
use crate::stats::{Matrix, Pentanomial};

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    Ok(Box::new(CmaEs::new(setup.space, &setup.settings)))
}

/// All coordinates are scaled to the ranges, 0 to 1.
pub struct CmaEs {
    space: Space,
    centre: Vec<f64>,
    sigma: f64,
    first_sigma: f64,
    covariance: Matrix,
    /// Lower triangle with covariance = factor times its transpose.
    factor: Matrix,
    /// Exponential moving average of the candidates' scores.
    candidates: f64,
    covariance_path: Vec<f64>,
    population: usize,
    pairs: u64,
    generation: u64,
    restarts: u64,
    /// Standard normal samples of the current candidates.
    samples: Vec<Vec<f64>>,
    /// Average of the means in the second half of the run: less noisy than the last one.
    trail: Vec<Vec<f64>>,
}

/// Target score of candidates against the mean: about 30 Elo below it.
const WANTED_SCORE: f64 = 0.457;

/// Decay of the average score, and gain of the step size control.
const MEMORY: f64 = 0.2;
const OBEDIENCE: f64 = 2.0;

/// Condition number at which the covariance is reset.
const FLAT: f64 = 1e4;

impl CmaEs {
    pub fn new(space: Space, settings: &TunerSettings) -> CmaEs {
        let size = space.len();
        let parts = space
            .parameters
            .iter()
            .map(|p| (p.start - p.range.0) / p.width().max(f64::MIN_POSITIVE));
        CmaEs {
            centre: parts.collect(),
            sigma: settings.sigma,
            first_sigma: settings.sigma,
            covariance: identity(size),
            factor: identity(size),
            candidates: WANTED_SCORE,
            covariance_path: vec![0.0; size],
            population: settings.batch.max(4) as usize,
            pairs: settings.pairs,
            generation: 0,
            restarts: 0,
            samples: Vec::new(),
            trail: Vec::new(),
            space,
        }
    }

    fn values(&self, parts: &[f64]) -> Vec<f64> {
        let value = |(parameter, part): (&super::Parameter, &f64)| {
            parameter.range.0 + part.clamp(0.0, 1.0) * parameter.width()
        };
        let parameters = self.space.parameters.iter();
        let mut values: Vec<f64> = parameters.zip(parts).map(value).collect();
        self.space.project(&mut values);
        values
    }

    /// Transforms standard normal samples by the covariance factor.
    fn turned(&self, sample: &[f64]) -> Vec<f64> {
        let row = |row: usize| -> f64 {
            let cells = self.factor.row(row)[..=row].iter();
            cells.zip(sample).map(|(a, z)| a * z).sum()
        };
        (0..self.centre.len()).map(row).collect()
    }

    /// Restarts from the current mean with a spherical covariance.
    fn restart(&mut self) {
        let size = self.centre.len();
        self.restarts += 1;
        self.sigma = self.first_sigma;
        self.covariance = identity(size);
        self.factor = identity(size);
        self.covariance_path = vec![0.0; size];
    }
}

fn identity(size: usize) -> Matrix {
    let mut matrix = Matrix::zero(size);
    (0..size).for_each(|index| matrix.add(index, index, 1.0));
    matrix
}

/// Standardised results: minus their mean, in standard deviations.
fn merits(scores: &[f64]) -> Vec<f64> {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / count;
    let scale = if variance > 0.0 {
        1.0 / variance.sqrt()
    } else {
        0.0
    };
    scores.iter().map(|score| (score - mean) * scale).collect()
}

/// Rank weights of the better half; equal results share the mean weight of their ranks.
fn rank_weights(scores: &[f64]) -> Vec<f64> {
    let count = scores.len();
    let half = count as f64 / 2.0;
    let raw: Vec<f64> = (0..count)
        .map(|rank| ((half + 0.5).ln() - ((rank + 1) as f64).ln()).max(0.0))
        .collect();
    let sum: f64 = raw.iter().sum();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut weights = vec![0.0; count];
    let mut from = 0;
    while from < count {
        let alike = order[from..]
            .iter()
            .take_while(|index| scores[**index] == scores[order[from]])
            .count();
        let share: f64 = raw[from..from + alike].iter().sum::<f64>() / alike as f64 / sum;
        for &index in &order[from..from + alike] {
            weights[index] = share;
        }
        from += alike;
    }
    weights
}

impl Tuner for CmaEs {
    fn figures(&self) -> &'static [&'static str] {
        &["score", "sigma"]
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel> {
        let size = self.centre.len();
        self.samples.clear();
        let mut duels = Vec::new();
        let centre = self.values(&self.centre);
        for number in 0..self.population {
            // Antithetic sampling: every second candidate mirrors the one before.
            let sample: Vec<f64> = match number % 2 {
                1 => self.samples[number - 1].iter().map(|z| -z).collect(),
                _ => (0..size).map(|_| draws.normal()).collect(),
            };
            let by = self.turned(&sample);
            let parts: Vec<f64> = self
                .centre
                .iter()
                .zip(by)
                .map(|(centre, by)| centre + self.sigma * by)
                .collect();
            let draw = draws.fraction();
            let parameters = self.space.parameters.iter();
            let round = |values: Vec<f64>| -> Vec<f64> {
                let pairs = parameters.clone().zip(values);
                pairs.map(|(p, value)| p.rounded(value, draw)).collect()
            };
            duels.push(Duel {
                one: round(self.values(&parts)),
                other: round(centre.clone()),
                pairs: self.pairs,
            });
            self.samples.push(sample);
        }
        duels
    }

    fn tell(&mut self, _duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        let size = self.centre.len();
        let n = size as f64;
        let scores: Vec<f64> = results
            .iter()
            .map(|result| result.points() / (result.games() as f64).max(1.0))
            .collect();
        let weights = rank_weights(&scores);
        let ranked = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        // The mean moves by all results, not only by the better half: with this much noise, losses
        // are as informative as wins.
        let merits = merits(&scores);
        let count = merits.len().max(1) as f64;
        let mut step = vec![0.0; size];
        for (sample, merit) in self.samples.iter().zip(&merits) {
            for (sum, z) in step.iter_mut().zip(sample) {
                *sum += merit * z / count;
            }
        }
        let turned = self.turned(&step);
        for (part, by) in self.centre.iter_mut().zip(&turned) {
            *part = (*part + self.sigma * by).clamp(0.0, 1.0);
        }
        self.generation += 1;
        // Candidates should lose slightly to the mean: with a smaller step size differences drown in
        // noise, with a larger one candidates leave the optimum's region.
        let mean = scores.iter().sum::<f64>() / count;
        self.candidates += MEMORY * (mean - self.candidates);
        let growth = (self.candidates - WANTED_SCORE) * OBEDIENCE;
        self.sigma = (self.sigma * growth.clamp(-0.1, 0.1).exp()).min(2.0 * self.first_sigma);
        let c_path = (4.0 + ranked / n) / (n + 4.0 + 2.0 * ranked / n);
        let push = (c_path * (2.0 - c_path) * count).sqrt();
        for (path, by) in self.covariance_path.iter_mut().zip(&turned) {
            *path = (1.0 - c_path) * *path + push * by;
        }
        let c_one = 2.0 / ((n + 1.3).powi(2) + ranked);
        let c_mu = 2.0 * (ranked - 2.0 + 1.0 / ranked) / ((n + 2.0).powi(2) + ranked);
        // Ranks of single pairs are mostly noise: adapt the covariance slowly.
        let c_mu = c_mu.clamp(0.0, 0.1_f64.min(1.0 - c_one));
        self.adapt(&weights, c_one, c_mu);
        self.trail.push(self.centre.clone());
        let variances = (0..size).map(|index| self.covariance.at(index, index));
        let (least, most) = variances.fold((f64::INFINITY, 0.0_f64), |(least, most), variance| {
            (least.min(variance), most.max(variance))
        });
        if most > FLAT * least {
            self.restart();
        }
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        vec![best.is_finite().then_some(best), Some(self.sigma)]
    }

    fn estimate(&self) -> Vec<f64> {
        let recent = &self.trail[self.trail.len() / 2..];
        if recent.is_empty() {
            return self.values(&self.centre);
        }
        let mean: Vec<f64> = (0..self.centre.len())
            .map(|index| recent.iter().map(|c| c[index]).sum::<f64>() / recent.len() as f64)
            .collect();
        self.values(&mean)
    }

    fn status(&self, space: &Space) -> String {
        let estimate = self.estimate();
        let shown = space.parameters.iter().zip(&estimate).take(6);
        let shown: Vec<String> = shown
            .map(|(parameter, value)| format!("{} {value:.2}", parameter.name))
            .collect();
        format!(
            "step size {:.3} of the ranges  {}",
            self.sigma,
            shown.join("  ")
        )
    }

    fn findings(&self, space: &Space) -> Findings {
        let estimate = self.estimate();
        let spread = |index: usize| {
            let width = space.parameters[index].width();
            self.sigma * self.covariance.at(index, index).max(0.0).sqrt() * width
        };
        let parameters = estimate.iter().enumerate().map(|(index, value)| Finding {
            value: *value,
            note: if spread(index) > 0.25 * space.parameters[index].width() {
                "not converged"
            } else {
                ""
            },
            ..Finding::default()
        });
        let mut warnings = Vec::new();
        if self.restarts > 0 {
            warnings.push(format!(
                "the covariance degenerated and was reset {} times",
                self.restarts
            ));
        }
        let names = space.parameters.iter().map(|it| it.name.clone());
        let correlations = Correlations::of(names.collect(), |a, b| {
            let product = self.covariance.at(a, a) * self.covariance.at(b, b);
            Some(self.covariance.at(a, b) / product.sqrt())
        });
        Findings {
            parameters: parameters.collect(),
            warnings,
            correlations: Some(correlations),
            grid: None,
            slices: Vec::new(),
        }
    }
}

impl CmaEs {
    fn adapt(&mut self, weights: &[f64], c_one: f64, c_mu: f64) {
        let size = self.centre.len();
        let mut next = Matrix::zero(size);
        let turned: Vec<Vec<f64>> = self.samples.iter().map(|z| self.turned(z)).collect();
        for a in 0..size {
            for b in 0..size {
                let path = self.covariance_path[a] * self.covariance_path[b];
                let ranked: f64 = turned
                    .iter()
                    .zip(weights)
                    .map(|(by, weight)| weight * by[a] * by[b])
                    .sum();
                let old = (1.0 - c_one - c_mu) * self.covariance.at(a, b);
                next.add(a, b, old + c_one * path + c_mu * ranked);
            }
        }
        match next.cholesky() {
            Some(factor) => {
                self.factor = factor.lower().clone();
                self.covariance = next;
            }
            None => self.restart(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_results_share_their_weights_and_all_weights_add_up_to_one() {
        let weights = rank_weights(&[0.5, 1.0, 0.5, 0.0]);
        assert_eq!(weights[0], weights[2]);
        assert!(weights[1] > weights[0] && weights[0] > weights[3]);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
