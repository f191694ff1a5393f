//! Uncertainty of fitted weights: standard errors clustered by game, because positions of one game
//! share its result, and weights that the data do not identify.

use super::{Loss, Problem};
use crate::record::Correlations;
use crate::stats::Matrix;
use crate::tune::Space;

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
        let scatter = train.scatter(&problem.model, values);
        let mut precision = Matrix::zero(seen.len());
        let mut middle = Matrix::zero(seen.len());
        for (row, &a) in seen.iter().enumerate() {
            for (column, &b) in seen.iter().enumerate() {
                precision.add(row, column, curvature.at(a, b));
                middle.add(row, column, scatter.at(a, b));
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
        let covariance = inverse.map(|inverse| inverse.times(&middle).times(&inverse));
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
