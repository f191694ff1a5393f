//! Linear algebra for ratings and tuners: symmetric positive definite systems.

/// A square matrix of full storage.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Matrix {
        Matrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    /// A symmetric matrix from the cells on and below its diagonal; those above are ignored.
    pub fn from_lower(size: usize, mut cells: Vec<f64>) -> Matrix {
        cells.resize(size * size, 0.0);
        for row in 0..size {
            for column in row + 1..size {
                cells[row * size + column] = cells[column * size + row];
            }
        }
        Matrix { size, cells }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight` times the outer product of a sparse vector with itself.
    pub fn add_outer(&mut self, vector: &[(usize, f64)], weight: f64) {
        for &(row, a) in vector {
            for &(column, b) in vector {
                self.add(row, column, weight * a * b);
            }
        }
    }

    /// Removes an index from a system of equations: its equation becomes x = right side.
    pub fn pin(&mut self, index: usize) {
        self.clear(index);
        self.add(index, index, 1.0);
    }

    /// Zeroes a row and its column.
    pub fn clear(&mut self, index: usize) {
        for other in 0..self.size {
            self.cells[index * self.size + other] = 0.0;
            self.cells[other * self.size + index] = 0.0;
        }
    }

    pub fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for (inner, &a) in self.row(row).iter().enumerate() {
                let start = row * self.size;
                for (cell, b) in product.cells[start..].iter_mut().zip(other.row(inner)) {
                    *cell += a * b;
                }
            }
        }
        product
    }

    /// The factor of Cholesky; `None` unless the matrix is positive definite to working precision.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let dot: f64 = lower.row(row)[..column]
                    .iter()
                    .zip(&lower.row(column)[..column])
                    .map(|(a, b)| a * b)
                    .sum();
                let rest = self.at(row, column) - dot;
                let value = if row == column {
                    // Rounding alone leaves about 1e-16 of the diagonal.
                    if rest.is_nan() || rest <= 1e-14 * self.at(row, row) {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.add(row, column, value);
            }
        }
        Some(Cholesky { lower })
    }
}

/// A positive definite matrix as the product of a lower triangle with its transpose.
pub struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// The triangle itself.
    pub fn lower(&self) -> &Matrix {
        &self.lower
    }

    /// The x with matrix x = right side.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.lower.size;
        let mut x = right.to_vec();
        for row in 0..size {
            for column in 0..row {
                x[row] -= self.lower.at(row, column) * x[column];
            }
            x[row] /= self.lower.at(row, row);
        }
        for row in (0..size).rev() {
            for below in row + 1..size {
                x[row] -= self.lower.at(below, row) * x[below];
            }
            x[row] /= self.lower.at(row, row);
        }
        x
    }

    /// The x with transposed triangle x = right side: of unit normals it makes a draw whose
    /// covariance is the inverse of the matrix.
    pub fn solve_transposed(&self, right: &[f64]) -> Vec<f64> {
        let size = self.lower.size;
        let mut x = right.to_vec();
        for row in (0..size).rev() {
            for below in row + 1..size {
                x[row] -= self.lower.at(below, row) * x[below];
            }
            x[row] /= self.lower.at(row, row);
        }
        x
    }

    pub fn inverse(&self) -> Matrix {
        let size = self.lower.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_the_identity() {
        let size = 7;
        let mut matrix = Matrix::zero(size);
        for k in 0..size {
            let vector: Vec<_> = (0..size)
                .map(|i| (i, ((i * 3 + k * 5) % 7) as f64 - 2.5))
                .collect();
            matrix.add_outer(&vector, 1.0 + k as f64);
            matrix.add(k, k, 0.5);
        }
        let product = matrix.times(&matrix.cholesky().unwrap().inverse());
        for row in 0..size {
            for column in 0..size {
                let expected = f64::from(u8::from(row == column));
                assert!((product.at(row, column) - expected).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        let mut matrix = Matrix::zero(3);
        matrix.add_outer(&[(0, 1.0), (1, -1.0)], 2.0);
        matrix.add_outer(&[(1, 1.0), (2, -1.0)], 3.0);
        assert!(matrix.cholesky().is_none());
    }
}
