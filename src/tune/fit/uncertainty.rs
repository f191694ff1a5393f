//! Uncertainty of fitted weights: standard errors clustered by game, because positions of one game
//! share its result, and weights that the data do not identify.
//!
//! Where the steepness k is fitted to the start weights first, it comes from the same games, so
//! both steps are one system of estimating equations: the gradient of each game is corrected by
//! what that game did to k (K. Murphy and R. Topel, "Estimation and Inference in Two-Step
//! Econometric Models", 1985). Everything is multiplied by G / (G - 1) for G games.

use super::{FitRows, Loss, Problem, Sigmoid};
use crate::record::Correlations;
use crate::stats::Matrix;
use crate::tune::Space;

/// The fitted steepness k and its estimating equation: the sum over rows of `residuals` is 0.
#[derive(Clone, Debug)]
pub struct Steepness {
    /// (expected points - label) x start score of each training row.
    residuals: Vec<f64>,
    /// The derivative of their sum with respect to k.
    curvature: f64,
    /// Clustered by game, with G / (G - 1); `None` for a single game.
    pub error: Option<f64>,
}

impl Steepness {
    pub fn of(rows: &FitRows, start: &[f64], k: f64) -> Steepness {
        let model = Sigmoid {
            k,
            loss: Loss::CrossEntropy,
        };
        let residual = |index: usize| {
            let score = rows.score(index, start);
            score * model.slope(score, f64::from(rows.labels()[index]))
        };
        let residuals: Vec<f64> = (0..rows.len()).map(residual).collect();
        let spread = |index: usize| {
            let score = rows.score(index, start);
            let expected = 1.0 / (1.0 + (-k * score).exp());
            score * score * expected * (1.0 - expected)
        };
        let curvature: f64 = (0..rows.len()).map(spread).sum();
        let games = rows.game_count() as f64;
        let last = rows.width();
        let scatter = rows.scatter(&model, start, &residuals).at(last, last);
        let error = (scatter * games / (games - 1.0)).sqrt() / curvature;
        Steepness {
            error: Some(error).filter(|error| games > 1.0 && error.is_finite()),
            residuals,
            curvature,
        }
    }

    /// The scatter of the weights' gradient, each game's corrected by its influence on k.
    fn corrected_scatter(&self, problem: &Problem, values: &[f64]) -> Matrix {
        let train = &problem.data.train;
        let all = train.scatter(&problem.model, values, &self.residuals);
        let gradient = |factor: f64| {
            let k = problem.model.k * factor;
            let model = Sigmoid { k, ..problem.model };
            train.gradient(&model, values).1
        };
        const STEP: f64 = 1e-4;
        let (above, below) = (gradient(1.0 + STEP), gradient(1.0 - STEP));
        let width = values.len();
        let by_k = |index: usize| {
            (above[index] - below[index]) / (2.0 * STEP * problem.model.k) / self.curvature
        };
        let lever: Vec<f64> = (0..width).map(by_k).collect();
        let mut scatter = Matrix::zero(width);
        for row in 0..width {
            for column in 0..width {
                let corrected = all.at(row, column)
                    - lever[row] * all.at(width, column)
                    - lever[column] * all.at(row, width)
                    + lever[row] * lever[column] * all.at(width, width);
                scatter.add(row, column, corrected);
            }
        }
        scatter
    }
}

pub struct Uncertainty {
    /// Covariance of the seen parameters, by their place among them.
    covariance: Option<Matrix>,
    /// Posterior variance, ignoring games.
    posterior: Vec<Option<f64>>,
    place: Vec<Option<usize>>,
}

/// Maximum number of parameters in a correlation table: more are unreadable in a chart.
const SHOWN: usize = 24;

impl Uncertainty {
    pub fn of(problem: &Problem, values: &[f64]) -> Uncertainty {
        let seen: Vec<usize> = (0..values.len())
            .filter(|index| problem.seen[*index])
            .collect();
        let mut place = vec![None; values.len()];
        for (at, &index) in seen.iter().enumerate() {
            place[index] = Some(at);
        }
        let train = &problem.data.train;
        let (_, _, curvature) = train.curvature(&problem.model, values);
        let steepness = problem.steepness.as_ref();
        let scatter = steepness.map_or_else(
            || train.scatter(&problem.model, values, &[]),
            |steepness| steepness.corrected_scatter(problem, values),
        );
        // A single game says nothing about how games differ.
        let games = train.game_count() as f64;
        let correction = (games > 1.0).then(|| games / (games - 1.0));
        let mut precision = Matrix::zero(seen.len());
        let mut middle = Matrix::zero(seen.len());
        for (row, &a) in seen.iter().enumerate() {
            for (column, &b) in seen.iter().enumerate() {
                precision.add(row, column, curvature.at(a, b));
                middle.add(row, column, correction.unwrap_or(1.0) * scatter.at(a, b));
            }
            // Without a prior, a weak one: unidentified parameters get a huge variance.
            let faint = 1e-12 * curvature.at(a, a).max(1e-12);
            precision.add(row, row, problem.prior[a].max(faint));
            middle.add(row, row, problem.prior[a]);
        }
        let inverse = precision.cholesky().map(|factor| factor.inverse());
        let posterior = (0..values.len())
            .map(|index| Some(inverse.as_ref()?.at(place[index]?, place[index]?)))
            .collect();
        let covariance = inverse
            .filter(|_| correction.is_some())
            .map(|inverse| inverse.times(&middle).times(&inverse));
        Uncertainty {
            covariance,
            posterior,
            place,
        }
    }

    pub fn error(&self, index: usize) -> Option<f64> {
        let at = self.place[index]?;
        let variance = self.covariance.as_ref()?.at(at, at);
        (variance >= 0.0).then(|| variance.sqrt())
    }

    /// The data barely narrow the prior.
    pub fn is_unclear(&self, problem: &Problem, index: usize) -> bool {
        let Some(variance) = self.posterior[index] else {
            return true;
        };
        let width = problem.space.parameters[index].width();
        let believed = match problem.prior[index] {
            0.0 => width * width / 4.0,
            precision => 1.0 / precision,
        };
        let scale = match problem.model.loss {
            Loss::CrossEntropy => 1.0,
            // Squared error is not a likelihood: its curvature is about this share of it.
            Loss::Squared => 0.3,
        };
        variance * scale > 0.25 * believed
    }

    fn correlation(&self, a: usize, b: usize) -> Option<f64> {
        let covariance = self.covariance.as_ref()?;
        let (a, b) = (self.place[a]?, self.place[b]?);
        Some(covariance.at(a, b) / (covariance.at(a, a) * covariance.at(b, b)).sqrt())
    }

    /// Correlations of the parameters that changed most clearly.
    pub fn correlations(&self, space: &Space, changes: &[f64]) -> Correlations {
        let mut shown: Vec<usize> = (0..space.len())
            .filter(|i| self.place[*i].is_some())
            .collect();
        shown.sort_by(|a, b| {
            changes[*b]
                .abs()
                .total_cmp(&changes[*a].abs())
                .then(a.cmp(b))
        });
        shown.truncate(SHOWN);
        shown.sort_unstable();
        let names = shown.iter().map(|it| space.parameters[*it].name.clone());
        Correlations::of(names.collect(), |a, b| self.correlation(shown[a], shown[b]))
    }
}
