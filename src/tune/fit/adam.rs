//! Adam on all positions at once, with its usual constants: the first-order method that most
//! tuners use, for comparison.

use super::Problem;

pub struct Adam {
    rate: f64,
    step: i32,
    mean: Vec<f64>,
    square: Vec<f64>,
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
        }
    }

    pub fn step(&mut self, problem: &Problem, values: &mut [f64]) {
        self.step += 1;
        let mut gradient = problem.data.train.gradient(&problem.model, values);
        let rows = problem.data.train.len() as f64;
        for (index, value) in values.iter_mut().enumerate() {
            gradient[index] += problem.prior[index] * (*value - problem.start[index]);
            let slope = gradient[index] / rows;
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
