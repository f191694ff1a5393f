//! Positions as sparse rows of coefficients, and the sums over them that optimisers need.
//!
//! All sums run over fixed chunks that are added in order, so that they do not depend on the
//! number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::stats::Matrix;

/// The loss function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Negative log likelihood: convex, and gives standard errors.
    CrossEntropy,
    /// Squared error, as in the original Texel tuning.
    Squared,
}

impl Loss {
    pub const ALL: [Loss; 2] = [Loss::CrossEntropy, Loss::Squared];

    pub const fn name(self) -> &'static str {
        match self {
            Loss::CrossEntropy => "cross-entropy",
            Loss::Squared => "squared",
        }
    }
}

/// From a score in units to expected points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    /// Steepness: expected points are 1 / (1 + exp(-k score)).
    pub k: f64,
    pub loss: Loss,
}

/// Loss, first and second derivative of one position, with respect to score times k.
struct Local {
    loss: f64,
    slope: f64,
    curvature: f64,
}

impl Sigmoid {
    #[inline(always)]
    fn local(&self, score: f64, label: f64) -> Local {
        let x = self.k * score;
        // A single exponential, whose argument cannot overflow.
        let e = (-x.abs()).exp();
        let small = e / (1.0 + e);
        let p = if x >= 0.0 { 1.0 - small } else { small };
        let spread = e / ((1.0 + e) * (1.0 + e));
        match self.loss {
            Loss::CrossEntropy => Local {
                loss: e.ln_1p()
                    + if x >= 0.0 {
                        (1.0 - label) * x
                    } else {
                        -label * x
                    },
                slope: p - label,
                curvature: spread,
            },
            Loss::Squared => Local {
                loss: (p - label) * (p - label),
                slope: 2.0 * (p - label) * spread,
                curvature: 2.0 * spread * spread,
            },
        }
    }

    /// Only the first derivative, for first-order steps.
    #[inline(always)]
    pub fn slope(&self, score: f64, label: f64) -> f64 {
        let p = 1.0 / (1.0 + (-self.k * score).exp());
        match self.loss {
            Loss::CrossEntropy => p - label,
            Loss::Squared => 2.0 * (p - label) * p * (1.0 - p),
        }
    }
}

/// The rows of a data set.
#[derive(Clone, Debug, Default)]
pub struct FitRows {
    /// Start of each row, and the end of the last.
    starts: Vec<usize>,
    columns: Vec<u16>,
    values: Vec<f32>,
    /// The score of the untuned part of the evaluator, in units.
    offsets: Vec<f32>,
    labels: Vec<f32>,
    /// Rows of one game share a number, wherever they stand.
    games: Vec<u32>,
    width: usize,
}

/// Numbers of chunks for sums of vectors and of matrices, which need more memory.
const CHUNKS: usize = 64;
const MATRIX_CHUNKS: usize = 16;
const LARGE_MATRIX: usize = 1000;

impl FitRows {
    pub fn new(width: usize) -> FitRows {
        FitRows {
            starts: vec![0],
            width,
            ..FitRows::default()
        }
    }

    /// Adds a position. Columns must be ascending.
    pub fn push(&mut self, row: &[(u16, f32)], offset: f32, label: f32, game: u32) {
        self.columns.extend(row.iter().map(|(column, _)| *column));
        self.values.extend(row.iter().map(|(_, value)| *value));
        self.starts.push(self.columns.len());
        self.offsets.push(offset);
        self.labels.push(label);
        self.games.push(game);
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Columns of every row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Coefficients in all rows.
    pub fn coefficients(&self) -> usize {
        self.columns.len()
    }

    pub fn labels(&self) -> &[f32] {
        &self.labels
    }

    /// Gives every row a new label.
    pub fn relabel(&mut self, mut label: impl FnMut(usize) -> f32) {
        for index in 0..self.len() {
            self.labels[index] = label(index);
        }
    }

    fn row(&self, index: usize) -> (&[u16], &[f32]) {
        let range = self.starts[index]..self.starts[index + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The score of a row in units.
    #[inline(always)]
    pub fn score(&self, index: usize, weights: &[f64]) -> f64 {
        let (columns, values) = self.row(index);
        let contribution =
            |(column, value): (&u16, &f32)| weights[usize::from(*column)] * f64::from(*value);
        // Four accumulators break the dependency chain of additions.
        let mut sums = [0.0; 4];
        let (columns, values) = (columns.chunks_exact(4), values.chunks_exact(4));
        let rest = columns.remainder().iter().zip(values.remainder());
        let rest: f64 = rest.map(contribution).sum();
        for (columns, values) in columns.zip(values) {
            for (sum, cell) in sums.iter_mut().zip(columns.iter().zip(values)) {
                *sum += contribution(cell);
            }
        }
        f64::from(self.offsets[index]) + rest + (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// In how many rows each column occurs, and whether its value is the same in all of them.
    pub fn support(&self) -> Vec<(u64, bool)> {
        let mut seen: Vec<(u64, Option<f32>, bool)> = vec![(0, None, true); self.width];
        for (column, value) in self.columns.iter().zip(&self.values) {
            let entry = &mut seen[usize::from(*column)];
            entry.0 += 1;
            entry.2 &= entry.1.is_none_or(|first| first == *value);
            entry.1 = Some(*value);
        }
        let all = self.len() as u64;
        seen.iter()
            .map(|(count, _, same)| (*count, *count == all && *same && all > 0))
            .collect()
    }

    fn chunks(&self, count: usize) -> Vec<Range<usize>> {
        let rows = self.len();
        (0..count)
            .map(|chunk| chunk * rows / count..(chunk + 1) * rows / count)
            .collect()
    }

    /// The sum of the losses.
    pub fn loss(&self, model: &Sigmoid, weights: &[f64]) -> f64 {
        let sums: Vec<f64> = self
            .chunks(CHUNKS)
            .into_par_iter()
            .map(|rows| {
                rows.map(|row| {
                    model
                        .local(self.score(row, weights), f64::from(self.labels[row]))
                        .loss
                })
                .sum()
            })
            .collect();
        sums.iter().sum()
    }

    /// The sum of the losses, and its gradient.
    pub fn gradient(&self, model: &Sigmoid, weights: &[f64]) -> (f64, Vec<f64>) {
        let parts: Vec<(f64, Vec<f64>)> = self
            .chunks(CHUNKS)
            .into_par_iter()
            .map(|rows| {
                let mut loss = 0.0;
                let mut gradient = vec![0.0; self.width];
                for index in rows {
                    let score = self.score(index, weights);
                    let local = model.local(score, f64::from(self.labels[index]));
                    loss += local.loss;
                    let slope = model.k * local.slope;
                    let (columns, values) = self.row(index);
                    for (column, value) in columns.iter().zip(values) {
                        gradient[usize::from(*column)] += slope * f64::from(*value);
                    }
                }
                (loss, gradient)
            })
            .collect();
        let (losses, gradients): (Vec<f64>, Vec<Vec<f64>>) = parts.into_iter().unzip();
        (losses.iter().sum(), add_up(gradients, self.width))
    }

    /// Loss, gradient and Gauss-Newton Hessian of the sum of the losses.
    pub fn curvature(&self, model: &Sigmoid, weights: &[f64]) -> (f64, Vec<f64>, Matrix) {
        let width = self.width;
        let parts: Vec<(f64, Vec<f64>, Vec<f64>)> = self
            .chunks(matrix_chunks(width))
            .into_par_iter()
            .map(|rows| {
                let mut loss = 0.0;
                let mut gradient = vec![0.0; width];
                let mut matrix = vec![0.0; width * width];
                for index in rows {
                    let score = self.score(index, weights);
                    let local = model.local(score, f64::from(self.labels[index]));
                    loss += local.loss;
                    let slope = model.k * local.slope;
                    let weight = model.k * model.k * local.curvature;
                    let (columns, values) = self.row(index);
                    for (at, (column, value)) in columns.iter().zip(values).enumerate() {
                        let (row, value) = (usize::from(*column), f64::from(*value));
                        gradient[row] += slope * value;
                        let scaled = weight * value;
                        let line = &mut matrix[row * width..row * width + row + 1];
                        for (other, value) in columns[..=at].iter().zip(values) {
                            line[usize::from(*other)] += scaled * f64::from(*value);
                        }
                    }
                }
                (loss, gradient, matrix)
            })
            .collect();
        let loss = parts.iter().map(|(loss, ..)| loss).sum();
        let mut gradients = Vec::new();
        let mut matrices = Vec::new();
        for (_, gradient, matrix) in parts {
            gradients.push(gradient);
            matrices.push(matrix);
        }
        let lower = add_up(matrices, width * width);
        (
            loss,
            add_up(gradients, width),
            Matrix::from_lower(width, lower),
        )
    }

    /// The scatter of the gradient from game to game: the sum over games of the outer product of
    /// each one's gradient. Positions of one game share its result, so they are not independent.
    /// `further` adds a column at the end: one value per row, summed per game like the others.
    pub fn scatter(&self, model: &Sigmoid, weights: &[f64], further: &[f64]) -> Matrix {
        let last = self.width;
        let width = self.width + 1;
        let (order, firsts) = self.by_game();
        let games = firsts.len() - 1;
        let count = matrix_chunks(width);
        let parts: Vec<Vec<f64>> = (0..count)
            .into_par_iter()
            .map(|chunk| {
                let mut matrix = vec![0.0; width * width];
                let mut gradient = vec![0.0; width];
                let mut touched: Vec<usize> = Vec::new();
                for game in chunk * games / count..(chunk + 1) * games / count {
                    for &index in &order[firsts[game]..firsts[game + 1]] {
                        let score = self.score(index, weights);
                        let slope = model.k * model.slope(score, f64::from(self.labels[index]));
                        let (columns, values) = self.row(index);
                        for (column, value) in columns.iter().zip(values) {
                            let column = usize::from(*column);
                            if gradient[column] == 0.0 {
                                touched.push(column);
                            }
                            gradient[column] += slope * f64::from(*value);
                        }
                        gradient[last] += further.get(index).unwrap_or(&0.0);
                    }
                    touched.push(last);
                    touched.sort_unstable();
                    touched.dedup();
                    for (at, &row) in touched.iter().enumerate() {
                        for &column in &touched[..=at] {
                            matrix[row * width + column] += gradient[row] * gradient[column];
                        }
                    }
                    touched.drain(..).for_each(|column| gradient[column] = 0.0);
                }
                matrix
            })
            .collect();
        Matrix::from_lower(width, add_up(parts, width * width))
    }

    /// The rows ordered by game, and where each game begins there; the last entry is the end.
    fn by_game(&self) -> (Vec<usize>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|index| self.games[*index]);
        let starts = |place: &usize| {
            *place == 0 || self.games[order[*place]] != self.games[order[place - 1]]
        };
        let mut firsts: Vec<usize> = (0..order.len()).filter(starts).collect();
        firsts.push(order.len());
        (order, firsts)
    }

    /// Games among the rows.
    pub fn game_count(&self) -> u64 {
        self.by_game().1.len() as u64 - 1
    }
}

const fn matrix_chunks(width: usize) -> usize {
    if width > LARGE_MATRIX {
        MATRIX_CHUNKS / 2
    } else {
        MATRIX_CHUNKS
    }
}

/// Adds vectors in their order.
fn add_up(parts: Vec<Vec<f64>>, size: usize) -> Vec<f64> {
    let mut sum = vec![0.0; size];
    for part in parts {
        sum.iter_mut()
            .zip(part)
            .for_each(|(sum, value)| *sum += value);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of one game are apart.
    fn rows() -> FitRows {
        let mut rows = FitRows::new(3);
        rows.push(&[(0, 1.0), (2, -2.0)], 0.5, 1.0, 0);
        rows.push(&[(0, -1.0), (1, 1.0), (2, 1.0)], -0.2, 0.0, 1);
        rows.push(&[(1, 3.0)], 0.0, 0.5, 0);
        rows
    }

    #[test]
    fn gradient_and_curvature_are_the_derivatives_of_the_loss() {
        let rows = rows();
        let at = [0.3, -0.4, 0.2];
        for loss in Loss::ALL {
            let model = Sigmoid { k: 0.7, loss };
            let (sum, gradient, curvature) = rows.curvature(&model, &at);
            assert!((sum - rows.loss(&model, &at)).abs() < 1e-12);
            let (plain_sum, plain) = rows.gradient(&model, &at);
            assert!((plain_sum - sum).abs() < 1e-12);
            for index in 0..3 {
                let h = 1e-5;
                let moved = |by: f64| {
                    let mut at = at;
                    at[index] += by;
                    at
                };
                let numeric =
                    (rows.loss(&model, &moved(h)) - rows.loss(&model, &moved(-h))) / (2.0 * h);
                assert!((gradient[index] - numeric).abs() < 1e-7, "{loss:?}");
                assert!((plain[index] - numeric).abs() < 1e-7, "{loss:?}");
                if loss == Loss::CrossEntropy {
                    let slope = |by| rows.gradient(&model, &moved(by)).1[0];
                    let numeric = (slope(h) - slope(-h)) / (2.0 * h);
                    assert!((curvature.at(0, index) - numeric).abs() < 1e-7);
                    assert_eq!(curvature.at(0, index), curvature.at(index, 0));
                }
            }
        }
    }

    #[test]
    fn the_scatter_counts_a_game_once() {
        let rows = rows();
        let model = Sigmoid {
            k: 1.0,
            loss: Loss::CrossEntropy,
        };
        let at = [0.0; 3];
        let scatter = rows.scatter(&model, &at, &[]);
        // Rows 0 and 2 are one game: their gradients are added before they are multiplied.
        let p0 = 1.0 / (1.0 + (-0.5_f64).exp()) - 1.0;
        let p2 = 1.0 / (1.0 + 0.2_f64.exp());
        let expected = p0 * p0 + p2 * p2;
        assert!((scatter.at(0, 0) - expected).abs() < 1e-6);
        assert_eq!(rows.game_count(), 2);
    }
}
