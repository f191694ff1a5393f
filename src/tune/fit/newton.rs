//! Levenberg-Marquardt: Gauss-Newton steps with adaptive damping.

use super::{Loss, Problem};
use crate::stats::Matrix;

pub struct Newton {
    damping: f64,
}

/// Converged: a step that reduces the loss by less than this share is the last.
const ENOUGH: f64 = 1e-9;

impl Newton {
    pub fn new(problem: &Problem) -> Newton {
        // The logarithmic loss is convex, so the first step may be a full one.
        let damping = match problem.model.loss {
            Loss::CrossEntropy => 0.0,
            Loss::Squared => 1e-3,
        };
        Newton { damping }
    }

    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Moves the values to a smaller loss; false on convergence.
    pub fn step(&mut self, problem: &Problem, values: &mut Vec<f64>) -> bool {
        let (loss, mut gradient, mut curvature) =
            problem.data.train.curvature(&problem.model, values);
        let before = loss + problem.prior_loss(values);
        for (index, value) in values.iter().enumerate() {
            gradient[index] += problem.prior[index] * (value - problem.start[index]);
            curvature.add(index, index, problem.prior[index]);
        }
        let free = free_parameters(problem, values, &gradient);
        if free.is_empty() {
            return false;
        }
        for _ in 0..12 {
            let moved = damped_solution(&curvature, &gradient, &free, self.damping).map(|step| {
                let mut moved = values.clone();
                for (&index, by) in free.iter().zip(step) {
                    moved[index] -= by;
                }
                problem.space.project(&mut moved);
                moved
            });
            let after = moved.as_ref().map(|moved| problem.objective(moved));
            if let (Some(moved), Some(after)) = (moved, after)
                && after < before
            {
                *values = moved;
                self.damping = if self.damping < 1e-9 {
                    0.0
                } else {
                    self.damping / 10.0
                };
                return before - after > ENOUGH * before;
            }
            self.damping = (self.damping * 10.0).max(1e-6);
        }
        false
    }
}

/// Free parameters: they occur in the data, and the gradient does not push them out of their range.
fn free_parameters(problem: &Problem, values: &[f64], gradient: &[f64]) -> Vec<usize> {
    let is_free = |index: &usize| {
        let (low, high) = problem.space.parameters[*index].range;
        let held = (values[*index] <= low && gradient[*index] > 0.0)
            || (values[*index] >= high && gradient[*index] < 0.0);
        problem.seen[*index] && !held
    };
    (0..values.len()).filter(is_free).collect()
}

/// The step of the free parameters; `None` if the damped Hessian is not positive definite.
fn damped_solution(
    curvature: &Matrix,
    gradient: &[f64],
    free: &[usize],
    damping: f64,
) -> Option<Vec<f64>> {
    let mut matrix = Matrix::zero(free.len());
    for (row, &a) in free.iter().enumerate() {
        for (column, &b) in free[..=row].iter().enumerate() {
            matrix.add(row, column, curvature.at(a, b));
        }
        matrix.add(row, row, damping * curvature.at(a, a));
    }
    let right: Vec<f64> = free.iter().map(|index| gradient[*index]).collect();
    Some(matrix.cholesky()?.solve(&right))
}
