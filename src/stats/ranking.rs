//! Chances of ranks, from strengths with a joint normal distribution.

use super::linear::Matrix;
use super::normal::quantile;

/// Draws of the joint distribution: the chances are right to about 0.4 % (standard error).
const DRAWS: u32 = 20_000;

/// More players than this get no chances: the work grows with their square.
const MOST_PLAYERS: usize = 64;

/// For each player the chance of each rank, best first. The same for the same input: the draws do
/// not depend on anything else. Empty rows for too many players.
pub(super) fn rank_chances(means: &[f64], covariance: &Matrix) -> Vec<Vec<f64>> {
    let players = means.len();
    let Some(lower) = factor(covariance).filter(|_| players <= MOST_PLAYERS) else {
        return vec![Vec::new(); players];
    };
    let mut counts = vec![vec![0u32; players]; players];
    let mut noise = Noise(0);
    let mut drawn = vec![0.0; players];
    let mut order: Vec<usize> = (0..players).collect();
    for _ in 0..DRAWS {
        drawn.iter_mut().for_each(|value| *value = noise.normal());
        // In place from the last row: a row needs only earlier draws.
        for row in (0..players).rev() {
            let shift: f64 = lower[row].iter().zip(&drawn).map(|(l, z)| l * z).sum();
            drawn[row] = means[row] + shift;
        }
        order.sort_by(|a, b| drawn[*b].total_cmp(&drawn[*a]).then(a.cmp(b)));
        for (rank, &player) in order.iter().enumerate() {
            counts[player][rank] += 1;
        }
    }
    let share = |count: &u32| f64::from(*count) / f64::from(DRAWS);
    counts
        .iter()
        .map(|row| row.iter().map(share).collect())
        .collect()
}

/// The rows of a lower Cholesky factor. Strengths with a common zero have a singular covariance, so
/// directions without variance stay at 0.
fn factor(covariance: &Matrix) -> Option<Vec<Vec<f64>>> {
    let size = covariance.size();
    let mut lower: Vec<Vec<f64>> = Vec::with_capacity(size);
    for row in 0..size {
        let mut line = vec![0.0; row + 1];
        for column in 0..=row {
            let known: f64 = (0..column)
                .map(|i| {
                    line[i]
                        * if column == row {
                            line[i]
                        } else {
                            lower[column][i]
                        }
                })
                .sum();
            let rest = covariance.at(row, column) - known;
            line[column] = if column == row {
                // Rounding may leave a little less than nothing.
                let least = 1e-12 * covariance.at(row, row).max(0.0);
                if rest > least { rest.sqrt() } else { 0.0 }
            } else {
                let pivot = lower[column][column];
                if pivot > 0.0 { rest / pivot } else { 0.0 }
            };
        }
        lower.push(line);
    }
    let finite = lower.iter().flatten().all(|value| value.is_finite());
    finite.then_some(lower)
}

/// Splitmix64 (S. Vigna): enough for a simulation, and the same everywhere.
pub(super) struct Noise(u64);

impl Noise {
    /// Separate numbers for every `number` of a seed.
    pub fn of(seed: u64, number: u64) -> Noise {
        let first = Noise(seed).draw();
        Noise(first ^ Noise(!number).draw())
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is far below 2^64: no remainder is noticeably more frequent.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound.max(1)
    }

    fn normal(&mut self) -> f64 {
        // Strictly between 0 and 1.
        let uniform = ((self.draw() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        quantile(uniform).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(variances: &[f64]) -> Matrix {
        let mut matrix = Matrix::zero(variances.len());
        for (index, variance) in variances.iter().enumerate() {
            matrix.add(index, index, *variance);
        }
        matrix
    }

    #[test]
    fn two_players_have_the_chances_of_the_normal_distribution() {
        // Difference 1 with variance 0.36 + 0.64: Phi(1) = 0.8413.
        let chances = rank_chances(&[1.0, 0.0], &diagonal(&[0.36, 0.64]));
        assert!((chances[0][0] - 0.8413).abs() < 0.01, "{chances:?}");
        assert!((chances[0][0] - chances[1][1]).abs() < 1e-12);
    }

    #[test]
    fn a_common_shift_of_all_players_changes_no_rank() {
        // The first covariance plus 5 everywhere: only differences matter.
        let mut shifted = diagonal(&[1.0, 1.0, 1.0]);
        for row in 0..3 {
            for column in 0..3 {
                shifted.add(row, column, 5.0);
            }
        }
        let means = [0.5, 0.0, -0.5];
        let plain = rank_chances(&means, &diagonal(&[1.0, 1.0, 1.0]));
        for (one, other) in plain.iter().zip(rank_chances(&means, &shifted)) {
            for (one, other) in one.iter().zip(other) {
                assert!((one - other).abs() < 0.015, "{one} {other}");
            }
            assert!((one.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn equals_share_all_ranks_and_no_variance_is_certainty() {
        let equal = rank_chances(&[0.0; 4], &diagonal(&[1.0; 4]));
        let all = equal.iter().flatten();
        assert!(
            all.clone().all(|chance| (chance - 0.25).abs() < 0.015),
            "{equal:?}"
        );
        let sure = rank_chances(&[2.0, 3.0], &diagonal(&[0.0, 0.0]));
        assert_eq!(sure, [[0.0, 1.0], [1.0, 0.0]]);
    }
}
