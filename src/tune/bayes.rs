//! Bayesian optimisation: a Gaussian process learns the surface, and the next points are those where the
//! best value known may be improved most. Every point plays against the incumbent, so that all games compare
//! what matters.

use super::design;
use super::gp::{Comparison, Process};
use super::slices::slices;
use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::{Purpose, Stream};
use crate::stats::{Pentanomial, normal};

/// Matches that the process learns from, at most: the work grows with their cube.
const MOST_MATCHES: u64 = 240;
/// Random points among which the next ones are chosen, and points near the incumbent.
const POOL: usize = 200;
const NEAR: usize = 100;

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    let start = setup.space.start();
    Ok(Box::new(BayesTuner {
        best: start,
        gain: (0.0, 0.0),
        expected: None,
        space: setup.space,
        settings: setup.settings,
        observed: Vec::new(),
        process: None,
    }))
}

struct BayesTuner {
    space: Space,
    settings: TunerSettings,
    observed: Vec<Comparison>,
    process: Option<Process>,
    /// The highest mean among the points that were played.
    best: Vec<f64>,
    /// Its Elo above the start, and the standard error.
    gain: (f64, f64),
    /// The largest expected improvement of a point, in Elo.
    expected: Option<f64>,
}

/// E max(0, x) of a normal variable.
fn improvement(mean: f64, variance: f64) -> f64 {
    let deviation = variance.sqrt();
    if deviation < 1e-9 {
        return mean.max(0.0);
    }
    let z = mean / deviation;
    let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    mean * normal::cdf(z) + deviation * density
}

impl BayesTuner {
    fn pairs(&self) -> u64 {
        let least = (self.settings.budget / 2).div_ceil(MOST_MATCHES);
        self.settings.pairs.max(least)
    }

    fn place(&self, values: &[f64]) -> Vec<f64> {
        design::place(&self.space, values)
    }

    /// Points that may be played next.
    fn pool(&self, draws: &mut Stream) -> Vec<Vec<f64>> {
        let mut pool = design::random(&self.space, POOL, draws);
        let centre = self.place(&self.best);
        for number in 0..NEAR {
            let reach = if number % 2 == 0 { 0.15 } else { 0.04 };
            let at: Vec<f64> = centre
                .iter()
                .map(|it| (it + reach * draws.normal()).clamp(0.0, 1.0))
                .collect();
            pool.push(design::values(&self.space, &at));
        }
        pool.retain(|point| *point != self.best);
        pool.dedup();
        pool
    }

    /// The points with the largest expected improvement that are not alike.
    fn choose(&mut self, process: &Process, draws: &mut Stream) -> Vec<Vec<f64>> {
        let centre = self.place(&self.best);
        let pool = self.pool(draws);
        let mut rated: Vec<(f64, Vec<f64>, Vec<f64>)> = pool
            .into_iter()
            .map(|values| {
                let place = self.place(&values);
                let (mean, variance) = process.difference(&place, &centre);
                (improvement(mean, variance), values, place)
            })
            .collect();
        let mut chosen: Vec<Vec<f64>> = Vec::new();
        self.expected = rated.iter().map(|it| it.0).reduce(f64::max);
        while chosen.len() < self.settings.batch as usize {
            let best = (0..rated.len()).max_by(|a, b| rated[*a].0.total_cmp(&rated[*b].0));
            let Some(best) = best else { break };
            let (_, values, place) = rated.swap_remove(best);
            for (worth, _, other) in &mut rated {
                *worth *= 1.0 - process.likeness(&place, other);
            }
            chosen.push(values);
        }
        chosen
    }

    /// Takes the highest mean of all points played.
    fn update(&mut self) {
        self.process = Process::of(self.observed.clone());
        let Some(process) = &self.process else { return };
        let start = self.place(&self.space.start());
        let mut places: Vec<Vec<f64>> = vec![start.clone()];
        for comparison in &self.observed {
            if !places.contains(&comparison.one) {
                places.push(comparison.one.clone());
            }
        }
        let means = process.means(&places, &start);
        let best = (0..places.len()).max_by(|a, b| means[*a].total_cmp(&means[*b]).then(b.cmp(a)));
        let best = &places[best.unwrap_or(0)];
        let (mean, variance) = process.difference(best, &start);
        self.best = design::values(&self.space, best);
        self.gain = (mean, variance.sqrt());
    }

    /// The best mean anywhere: uphill from the best point played.
    fn top(&self) -> Vec<f64> {
        let Some(process) = &self.process else {
            return self.best.clone();
        };
        let start = self.place(&self.space.start());
        let mut draws = Stream::new(1, 1, Purpose::Tuner);
        let mut best = self.best.clone();
        let mut height = process.means(&[self.place(&best)], &start)[0];
        for round in 0..12 {
            let reach = 0.2 * 0.7f64.powi(round);
            for _ in 0..40 {
                let at: Vec<f64> = self
                    .place(&best)
                    .iter()
                    .map(|it| (it + reach * draws.normal()).clamp(0.0, 1.0))
                    .collect();
                let values = design::values(&self.space, &at);
                let mean = process.means(&[self.place(&values)], &start)[0];
                if mean > height {
                    (best, height) = (values, mean);
                }
            }
        }
        best
    }

    /// Standard deviation of each value over the points that may be best: those within one and a half
    /// standard errors of it.
    fn errors(&self, top: &[f64]) -> Vec<Option<f64>> {
        let Some(process) = &self.process else {
            return vec![None; top.len()];
        };
        let mut draws = Stream::new(1, 2, Purpose::Tuner);
        let pool = design::random(&self.space, 400, &mut draws);
        let best = self.place(top);
        let mut sums = vec![0.0; top.len()];
        let mut weight = 0.0;
        for values in pool {
            let (mean, variance) = process.difference(&self.place(&values), &best);
            // The chance of being above the top.
            let chance = normal::cdf(mean / variance.sqrt().max(1e-9));
            weight += chance;
            for ((sum, value), top) in sums.iter_mut().zip(&values).zip(top) {
                *sum += chance * (value - top).powi(2);
            }
        }
        sums.iter()
            .map(|sum| (weight > 0.0).then(|| (sum / weight).sqrt()))
            .collect()
    }
}

impl Tuner for BayesTuner {
    fn figures(&self) -> &'static [&'static str] {
        &["gain", "gain_error", "expected_improvement"]
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel> {
        let (points, other) = match self.process.take() {
            None => {
                let count = (2 * self.space.len() + 4).max(self.settings.batch as usize);
                (design::latin(&self.space, count, draws), self.space.start())
            }
            Some(process) => {
                let points = self.choose(&process, draws);
                self.process = Some(process);
                (points, self.best.clone())
            }
        };
        let pairs = self.pairs();
        let duel = |one: Vec<f64>| Duel {
            one,
            other: other.clone(),
            pairs,
        };
        points.into_iter().map(duel).collect()
    }

    fn tell(&mut self, duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        for (duel, pairs) in duels.iter().zip(results) {
            let comparison = Comparison {
                one: self.place(&duel.one),
                other: self.place(&duel.other),
                pairs: *pairs,
            };
            self.observed.push(comparison);
        }
        self.update();
        vec![Some(self.gain.0), Some(1.96 * self.gain.1), self.expected]
    }

    fn estimate(&self) -> Vec<f64> {
        self.top()
    }

    fn is_done(&self) -> bool {
        let below = self.settings.stop_below;
        below > 0.0 && self.expected.is_some_and(|expected| expected < below)
    }

    fn status(&self, _space: &Space) -> String {
        let (gain, error) = self.gain;
        format!("{gain:+.1} ± {:.1} Elo by the model", 1.96 * error)
    }

    fn findings(&self, space: &Space) -> Findings {
        let top = self.top();
        let errors = self.errors(&top);
        let each = top.iter().zip(errors).zip(&space.parameters);
        let parameters = each.map(|((value, error), parameter)| Finding {
            value: *value,
            error,
            interval: error.map(|error| {
                let clamp = |value: f64| value.clamp(parameter.range.0, parameter.range.1);
                (clamp(value - 1.96 * error), clamp(value + 1.96 * error))
            }),
            ..Finding::default()
        });
        let (gain, error) = self.gain;
        Findings {
            parameters: parameters.collect(),
            warnings: vec![format!(
                "by the model the best point played is {gain:+.1} ± {:.1} Elo above the start; that is no test",
                1.96 * error
            )],
            slices: self
                .process
                .as_ref()
                .map_or_else(Vec::new, |process| slices(process, space)),
            ..Findings::default()
        }
    }
}
