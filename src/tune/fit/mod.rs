//! Fits linear weights to labelled positions by logistic regression (Texel's method): expected
//! points are a sigmoid of the score, and the weights make the results most likely.

mod adam;
pub(super) mod data;
mod newton;
mod rows;
mod uncertainty;

pub use data::{DataReport, Dataset};
pub use rows::{FitRows, Loss, Sigmoid};

use super::quiet::Quiet;
use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSetup};
use crate::play::Stream;
use crate::stats::{Pentanomial, Z95};
use uncertainty::{Steepness, Uncertainty};

/// The keys of `[tune]` for this method.
#[derive(Clone, Debug, PartialEq)]
pub struct FitSettings {
    pub optimizer: Optimizer,
    pub loss: Loss,
    /// Maximum number of iterations; 0 chooses by optimiser.
    pub iterations: u64,
    /// Share of the games used for validation.
    pub validation: f64,
    /// Early stopping: iterations without a better validation loss; 0 chooses by optimiser.
    pub patience: u64,
    /// Standard deviation of the prior around the start weights, in halves of each range; 0: no prior.
    pub prior: f64,
    pub quiet: Quiet,
    /// 0 fits it.
    pub k: f64,
    /// Learning rate of Adam, in units; 0 chooses by unit.
    pub learning_rate: f64,
    /// Share of the label taken from the search score instead of the result.
    pub score_share: f64,
    /// Units per unit shown to users.
    pub unit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimizer {
    /// Levenberg-Marquardt: second order, a handful of steps.
    Newton,
    /// First order, for comparison.
    Adam,
}

impl Optimizer {
    pub const ALL: [Optimizer; 2] = [Optimizer::Newton, Optimizer::Adam];

    pub const fn name(self) -> &'static str {
        match self {
            Optimizer::Newton => "newton",
            Optimizer::Adam => "adam",
        }
    }

    const fn iterations(self) -> u64 {
        match self {
            Optimizer::Newton => 100,
            Optimizer::Adam => 1000,
        }
    }

    const fn patience(self) -> u64 {
        match self {
            Optimizer::Newton => 3,
            Optimizer::Adam => 50,
        }
    }
}

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    let Some(data) = setup.positions else {
        return Err(TuneError("fit needs positions: set tune.data".to_string()));
    };
    if let Some(parameter) = setup.space.parameters.iter().find(|p| !p.is_linear) {
        return Err(TuneError(format!(
            "{} is not a linear term: fit cannot change it; remove it, or use spsa",
            parameter.name
        )));
    }
    Ok(Box::new(Fit::new(setup.space, setup.settings.fit, data)))
}

/// The optimisation problem.
struct Problem {
    space: Space,
    data: Dataset,
    model: Sigmoid,
    start: Vec<f64>,
    /// Precision of the prior around the start weights.
    prior: Vec<f64>,
    /// Whether the parameter occurs in the data: others stay fixed.
    seen: Vec<bool>,
    /// Of a fitted k; `None` if k is given.
    steepness: Option<Steepness>,
}

impl Problem {
    fn prior_loss(&self, values: &[f64]) -> f64 {
        let terms = values.iter().zip(&self.start).zip(&self.prior);
        terms
            .map(|((value, start), precision)| 0.5 * precision * (value - start).powi(2))
            .sum()
    }

    /// The objective: the loss of all positions plus the prior's.
    fn objective(&self, values: &[f64]) -> f64 {
        self.data.train.loss(&self.model, values) + self.prior_loss(values)
    }
}

enum Method {
    Newton(newton::Newton),
    Adam(adam::Adam),
}

pub struct Fit {
    problem: Problem,
    settings: FitSettings,
    method: Method,
    values: Vec<f64>,
    /// Values with the lowest validation loss so far.
    best: Vec<f64>,
    best_loss: f64,
    iteration: u64,
    since_best: u64,
    converged: bool,
    train_loss: f64,
    validation_loss: Option<f64>,
}

impl Fit {
    pub fn new(space: Space, settings: FitSettings, data: Dataset) -> Fit {
        let start = space.start();
        let prior = space.parameters.iter().map(|parameter| {
            let distance = settings.prior * parameter.width() / 2.0;
            if distance > 0.0 {
                1.0 / (distance * distance)
            } else {
                0.0
            }
        });
        let prior = prior.collect();
        let seen = data
            .train
            .support()
            .iter()
            .map(|(count, _)| *count > 0)
            .collect();
        let fitted = match settings.k {
            0.0 => fit_k(&data.train, &start, &settings),
            _ => None,
        };
        // Start weights without predictive value do not determine the scale: use the default.
        let usual = match settings.k {
            0.0 => settings.usual_k(),
            given => given,
        };
        let k = fitted.unwrap_or(usual);
        let steepness = fitted.map(|k| Steepness::of(&data.train, &start, k));
        let problem = Problem {
            model: Sigmoid {
                k,
                loss: settings.loss,
            },
            prior,
            seen,
            steepness,
            data,
            start: start.clone(),
            space,
        };
        let method = match settings.optimizer {
            Optimizer::Newton => Method::Newton(newton::Newton::new(&problem)),
            Optimizer::Adam => {
                let rate = match settings.learning_rate {
                    0.0 => settings.unit / 100.0,
                    given => given,
                };
                Method::Adam(adam::Adam::new(start.len(), rate))
            }
        };
        let mut fit = Fit {
            problem,
            settings,
            method,
            best: start.clone(),
            values: start,
            best_loss: f64::INFINITY,
            iteration: 0,
            since_best: 0,
            converged: false,
            train_loss: 0.0,
            validation_loss: None,
        };
        fit.measure();
        fit
    }

    /// Steepness of the sigmoid.
    pub fn k(&self) -> f64 {
        self.problem.model.k
    }

    /// Standard error of a fitted k, clustered by game.
    pub fn k_error(&self) -> Option<f64> {
        self.problem.steepness.as_ref()?.error
    }

    /// The objective at the current values: the loss of all positions plus the prior's.
    pub fn objective(&self) -> f64 {
        self.problem.objective(&self.values)
    }

    pub fn train_loss(&self) -> f64 {
        self.train_loss
    }

    /// Records the losses of the current values.
    fn measure(&mut self) {
        let Problem { data, model, .. } = &self.problem;
        let sum = match &mut self.method {
            Method::Newton(_) => data.train.loss(model, &self.values),
            Method::Adam(adam) => adam.look(&self.problem, &self.values),
        };
        let mean = |sum: f64, rows: &FitRows| sum / rows.len().max(1) as f64;
        self.train_loss = mean(sum, &data.train);
        self.validation_loss = data
            .is_checked()
            .then(|| mean(data.validation.loss(model, &self.values), &data.validation));
        // Without validation rows, use the training loss.
        let loss = self.validation_loss.unwrap_or(self.train_loss);
        if loss < self.best_loss {
            self.best_loss = loss;
            self.best = self.values.clone();
            self.since_best = 0;
        } else {
            self.since_best += 1;
        }
    }

    fn limit(&self, given: u64, usual: u64) -> u64 {
        if given > 0 { given } else { usual }
    }
}

/// The steepness that fits the start weights best: Newton's method on one number. `None` if the data
/// do not determine it.
fn fit_k(rows: &FitRows, start: &[f64], settings: &FitSettings) -> Option<f64> {
    let usual = settings.usual_k();
    let mut scores = FitRows::new(1);
    for index in 0..rows.len() {
        let score = rows.score(index, start) as f32;
        scores.push(&[(0, score)], 0.0, rows.labels()[index], 0);
    }
    let model = Sigmoid {
        k: 1.0,
        loss: Loss::CrossEntropy,
    };
    let mut k = usual;
    for _ in 0..50 {
        let (_, gradient, curvature) = scores.curvature(&model, &[k]);
        if curvature.at(0, 0) <= 0.0 {
            break;
        }
        let next = k - gradient[0] / curvature.at(0, 0);
        let next = next.clamp(k / 3.0, k * 3.0);
        let done = (next - k).abs() < 1e-12 * k;
        k = next;
        if done {
            break;
        }
    }
    Some(k).filter(|k| (usual / 100.0..=usual * 100.0).contains(k))
}

impl Tuner for Fit {
    fn figures(&self) -> &'static [&'static str] {
        &["train_loss", "validation_loss", "damping"]
    }

    fn start_figures(&self) -> Option<Vec<Option<f64>>> {
        Some(vec![Some(self.train_loss), self.validation_loss, None])
    }

    fn ask(&mut self, _draws: &mut Stream) -> Vec<Duel> {
        Vec::new()
    }

    fn tell(&mut self, _duels: &[Duel], _results: &[Pentanomial]) -> Vec<Option<f64>> {
        let damping = match &mut self.method {
            Method::Newton(newton) => {
                self.converged = !newton.step(&self.problem, &mut self.values);
                Some(newton.damping())
            }
            Method::Adam(adam) => {
                adam.step(&self.problem, &mut self.values);
                None
            }
        };
        self.iteration += 1;
        self.measure();
        vec![Some(self.train_loss), self.validation_loss, damping]
    }

    fn estimate(&self) -> Vec<f64> {
        self.best.clone()
    }

    fn is_done(&self) -> bool {
        let optimizer = self.settings.optimizer;
        self.converged
            || self.iteration >= self.limit(self.settings.iterations, optimizer.iterations())
            || self.since_best >= self.limit(self.settings.patience, optimizer.patience())
    }

    fn status(&self, space: &Space) -> String {
        let mut moves: Vec<(f64, usize)> = (0..space.len())
            .map(|index| (self.values[index] - self.problem.start[index], index))
            .collect();
        moves.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let shown = moves
            .iter()
            .take(3)
            .map(|(by, index)| format!("{} {by:+.1}", space.parameters[*index].name));
        let checked = match self.validation_loss {
            Some(loss) => format!(", validation {loss:.6}"),
            None => String::new(),
        };
        let changes = match self.iteration {
            0 => match self.k_error() {
                Some(error) => format!("; k {:.6} ± {:.6} (95 %)", self.k(), Z95 * error),
                None => format!("; k {:.6}", self.k()),
            },
            _ => format!("; largest changes {}", shown.collect::<Vec<_>>().join(", ")),
        };
        let losses = format!("loss {:.6}{checked}{changes}", self.train_loss);
        match self.iteration {
            0 => format!("start: {losses}"),
            iteration => format!("iteration {iteration}: {losses}"),
        }
    }

    fn findings(&self, space: &Space) -> Findings {
        let uncertainty = Uncertainty::of(&self.problem, &self.best);
        let support = self.problem.data.train.support();
        let mut unclear = Vec::new();
        let mut parameters = Vec::new();
        for (index, value) in self.best.iter().enumerate() {
            let error = uncertainty.error(index);
            let by = value - self.problem.start[index];
            let note = if !self.problem.seen[index] {
                "not in the data"
            } else if uncertainty.is_unclear(&self.problem, index) {
                unclear.push(space.parameters[index].name.as_str());
                if self.problem.prior[index] > 0.0 {
                    "dominated by the prior"
                } else {
                    "not identifiable"
                }
            } else {
                ""
            };
            parameters.push(Finding {
                interval: None,
                value: *value,
                error,
                z: error.filter(|error| *error > 0.0).map(|error| by / error),
                support: Some(support[index].0),
                note,
            });
        }
        let mut warnings = self.problem.data.report.warnings.clone();
        if !unclear.is_empty() {
            let shown = unclear
                .iter()
                .take(4)
                .copied()
                .collect::<Vec<_>>()
                .join(", ");
            let reason = if self.settings.prior > 0.0 {
                "are dominated by the prior: the data narrow it by less than half"
            } else {
                "are not identifiable: too little information in the data"
            };
            warnings.push(format!(
                "{} parameters {reason}, or they are collinear with others ({shown}{})",
                unclear.len(),
                if unclear.len() > 4 { ", ..." } else { "" }
            ));
        }
        let changes: Vec<f64> = parameters.iter().map(|p| p.z.unwrap_or(0.0)).collect();
        Findings {
            parameters,
            warnings,
            correlations: Some(uncertainty.correlations(space, &changes)),
            grid: None,
            slices: Vec::new(),
        }
    }
}
