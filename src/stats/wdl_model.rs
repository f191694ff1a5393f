//! The probability of a win, a draw and a loss by the mover's score and the move number, fitted to games.

use super::linear::Matrix;

/// One position of a game, as its mover sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPosition {
    /// In pawns or points.
    pub score: f64,
    /// The number of the move in the game, from 1.
    pub move_number: f64,
    /// Points of the mover in the end: 0, 1/2 or 1.
    pub points: f64,
    /// Positions of one game are not independent.
    pub game: u64,
}

/// With t = move number / 32: a win has the probability s((x - a) / b), a loss s((-x - a) / b), with
/// s(z) = 1 / (1 + exp(-z)), a = a0 + a1 (t - 1) and b = b0 + b1 (t - 1).
#[derive(Clone, Debug, PartialEq)]
pub struct WdlModel {
    /// a0, a1, b0, b1.
    pub parameters: [f64; 4],
    /// Their standard errors, with games as clusters.
    pub errors: [f64; 4],
    /// Mean log-likelihood of a position.
    pub fit: f64,
    pub positions: u64,
    pub games: u64,
}

/// Move numbers at which the parameters are given.
const MOVES_IN_ONE: f64 = 32.0;

/// Beyond these the model stays as it is: few games are longer.
const FIRST_MOVE: f64 = 8.0;
const LAST_MOVE: f64 = 96.0;

/// b may not get smaller than this: a step from loss to win.
const LEAST_B: f64 = 1e-3;

const ITERATIONS: usize = 100;

/// Smallest probability in logarithms: one impossible game must not decide everything.
const LEAST: f64 = 1e-9;

fn shifted(move_number: f64) -> f64 {
    move_number.clamp(FIRST_MOVE, LAST_MOVE) / MOVES_IN_ONE - 1.0
}

fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// Probabilities of win, draw, loss, and their derivatives by a and b.
fn outcomes(parameters: &[f64; 4], score: f64, t: f64) -> [(f64, [f64; 2]); 3] {
    let [a0, a1, b0, b1] = *parameters;
    let (a, b) = (a0 + a1 * t, (b0 + b1 * t).max(LEAST_B));
    let side = |x: f64| {
        let z = (x - a) / b;
        let p = logistic(z);
        let slope = p * (1.0 - p) / b;
        (p, [-slope, -slope * z])
    };
    let (win, loss) = (side(score), side(-score));
    let draw = (1.0 - win.0 - loss.0).max(LEAST);
    let by = [0, 1].map(|index| -win.1[index] - loss.1[index]);
    [win, (draw, by), loss]
}

fn index_of(points: f64) -> usize {
    match points {
        it if it > 0.75 => 0,
        it if it < 0.25 => 2,
        _ => 1,
    }
}

fn likelihood(parameters: &[f64; 4], positions: &[ScoredPosition]) -> f64 {
    let each = positions.iter().map(|it| {
        let outcomes = outcomes(parameters, it.score, shifted(it.move_number));
        outcomes[index_of(it.points)].0.max(LEAST).ln()
    });
    each.sum()
}

/// Derivatives of a probability by all four parameters.
fn full(by: [f64; 2], t: f64) -> [f64; 4] {
    [by[0], by[0] * t, by[1], by[1] * t]
}

/// The gradient of the log-likelihood of one position.
fn gradient(parameters: &[f64; 4], position: &ScoredPosition) -> [f64; 4] {
    let t = shifted(position.move_number);
    let (p, by) = outcomes(parameters, position.score, t)[index_of(position.points)];
    full(by, t).map(|value| value / p.max(LEAST))
}

impl WdlModel {
    /// The model of greatest likelihood, by Fisher scoring; `None` without positions that tell it.
    pub fn fit(positions: &[ScoredPosition]) -> Option<WdlModel> {
        let mut parameters = [1.0, 0.0, 1.0, 0.0];
        let mut best = likelihood(&parameters, positions);
        for _ in 0..ITERATIONS {
            let information = information(&parameters, positions).cholesky()?;
            let mut slope = [0.0; 4];
            for position in positions {
                let own = gradient(&parameters, position);
                (0..4).for_each(|index| slope[index] += own[index]);
            }
            let step = information.solve(&slope);
            let mut share = 1.0;
            let next = loop {
                let mut next = parameters;
                (0..4).for_each(|index| next[index] += share * step[index]);
                let value = likelihood(&next, positions);
                if value >= best {
                    break Some((next, value));
                }
                share /= 2.0;
                if share < 1e-6 {
                    break None;
                }
            };
            let Some((next, value)) = next else { break };
            let gain = value - best;
            (parameters, best) = (next, value);
            if gain < 1e-10 * positions.len() as f64 {
                break;
            }
        }
        let (errors, games) = clustered_errors(&parameters, positions)?;
        Some(WdlModel {
            parameters,
            errors,
            fit: best / positions.len() as f64,
            positions: positions.len() as u64,
            games,
        })
    }

    /// Probabilities of a win, a draw and a loss for the mover.
    pub fn probabilities(&self, score: f64, move_number: f64) -> [f64; 3] {
        outcomes(&self.parameters, score, shifted(move_number)).map(|(p, _)| p)
    }

    /// The score at which the mover wins half of the games.
    pub fn even_chance(&self, move_number: f64) -> f64 {
        self.parameters[0] + self.parameters[1] * shifted(move_number)
    }
}

/// The expected information of all positions.
fn information(parameters: &[f64; 4], positions: &[ScoredPosition]) -> Matrix {
    let mut information = Matrix::zero(4);
    for position in positions {
        let t = shifted(position.move_number);
        for (p, by) in outcomes(parameters, position.score, t) {
            let by = full(by, t);
            let vector = [(0, by[0]), (1, by[1]), (2, by[2]), (3, by[3])];
            information.add_outer(&vector, 1.0 / p.max(LEAST));
        }
    }
    information
}

/// Standard errors with games as clusters, and the number of games.
fn clustered_errors(
    parameters: &[f64; 4],
    positions: &[ScoredPosition],
) -> Option<([f64; 4], u64)> {
    let mut sums: std::collections::BTreeMap<u64, [f64; 4]> = std::collections::BTreeMap::new();
    for position in positions {
        let own = gradient(parameters, position);
        let sum = sums.entry(position.game).or_default();
        (0..4).for_each(|index| sum[index] += own[index]);
    }
    let games = sums.len() as f64;
    if games < 2.0 {
        return None;
    }
    let mut spread = Matrix::zero(4);
    for sum in sums.values() {
        let vector = [(0, sum[0]), (1, sum[1]), (2, sum[2]), (3, sum[3])];
        spread.add_outer(&vector, games / (games - 1.0));
    }
    let inverse = information(parameters, positions).cholesky()?.inverse();
    let covariance = inverse.times(&spread).times(&inverse);
    let errors = [0, 1, 2, 3].map(|index| covariance.at(index, index).max(0.0).sqrt());
    Some((errors, games as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of positions of 300 games, as the golden script made them.
    fn sample() -> Vec<ScoredPosition> {
        let mut state = 12345u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let truth = [1.2, -0.3, 0.7, 0.1];
        let mut positions = Vec::new();
        for game in 0..300 {
            let move_number = 1.0 + (draw() * 60.0).floor();
            let score = (draw() - 0.5) * 6.0;
            let chances = outcomes(&truth, score, shifted(move_number));
            let chance = draw();
            let points = match chance {
                low if low < chances[0].0 => 1.0,
                high if high > 1.0 - chances[2].0 => 0.0,
                _ => 0.5,
            };
            let own = ScoredPosition {
                score,
                move_number,
                points,
                game,
            };
            positions.push(own);
            positions.push(ScoredPosition {
                score: -(score + (draw() - 0.5)),
                move_number: move_number + 1.0,
                points: 1.0 - points,
                game,
            });
        }
        positions
    }

    #[test]
    fn the_fit_and_its_clustered_errors_are_those_of_scipy() {
        let model = WdlModel::fit(&sample()).unwrap();
        // scipy 1.x minimize (Nelder-Mead, 1e-12), expected information and numeric scores by numpy.
        let parameters = [1.32460478, -0.20927840, 0.79298463, 0.20465047];
        let errors = [0.09590778, 0.18457738, 0.06988316, 0.14885020];
        for index in 0..4 {
            let (found, error) = (model.parameters[index], model.errors[index]);
            assert!((found - parameters[index]).abs() < 1e-5, "{index}: {found}");
            assert!((error - errors[index]).abs() < 1e-5, "{index}: {error}");
        }
        assert!((model.fit + 0.712653901).abs() < 1e-8, "{}", model.fit);
        assert_eq!((model.positions, model.games), (600, 300));
        let sum: f64 = model.probabilities(0.7, 20.0).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert!((model.probabilities(model.even_chance(40.0), 40.0)[0] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(WdlModel::fit(&[]), None);
        assert_eq!(WdlModel::fit(&sample()[..1]), None);
    }
}
