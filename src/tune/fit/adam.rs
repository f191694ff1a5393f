//! Full-batch Adam with its usual constants: the first-order method of most tuners, for comparison.

use super::Problem;

pub struct Adam {
    rate: f64,
    step: i32,
    mean: Vec<f64>,
    square: Vec<f64>,
    /// The gradient of the loss at the current values.
    gradient: Vec<f64>,
}

const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;

impl Adam {
    pub fn new(size: usize, rate: f64) -> Adam {
        Adam {
            rate,
            step: 0,
            mean: vec![0.0; size],
            square: vec![0.0; size],
            gradient: vec![0.0; size],
        }
    }

    /// The sum of the losses at these values; also stores the gradient for the next step.
    pub fn look(&mut self, problem: &Problem, values: &[f64]) -> f64 {
        let (loss, gradient) = problem.data.train.gradient(&problem.model, values);
        self.gradient = gradient;
        loss
    }

    /// A step from the values of the last gradient.
    pub fn step(&mut self, problem: &Problem, values: &mut [f64]) {
        self.step += 1;
        let rows = problem.data.train.len() as f64;
        for (index, value) in values.iter_mut().enumerate() {
            let pull = problem.prior[index] * (*value - problem.start[index]);
            let slope = (self.gradient[index] + pull) / rows;
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let mean = *mean / (1.0 - MEAN_DECAY.powi(self.step));
            let square = *square / (1.0 - SQUARE_DECAY.powi(self.step));
            if problem.seen[index] {
                *value -= self.rate * mean / (square.sqrt() + 1e-12);
            }
        }
        problem.space.project(values);
    }
}
