//! Fits a quadratic surface to measured points, and finds its maximum with an interval.

use crate::play::{Purpose, Stream};
use crate::stats::{Cholesky, Matrix};

/// A measurement: coordinates from -1 to 1, a value and its variance.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub at: Vec<f64>,
    pub value: f64,
    pub variance: f64,
}

/// Constant, linear and all quadratic parts of as many coordinates.
pub struct Quadratic {
    size: usize,
    coefficients: Vec<f64>,
    precision: Cholesky,
}

/// The basis: 1, every coordinate, every product of two.
fn parts(at: &[f64]) -> Vec<f64> {
    let mut parts = vec![1.0];
    parts.extend_from_slice(at);
    for (index, a) in at.iter().enumerate() {
        parts.extend(at[index..].iter().map(|b| a * b));
    }
    parts
}

fn value(coefficients: &[f64], at: &[f64]) -> f64 {
    let parts = parts(at);
    coefficients.iter().zip(&parts).map(|(c, p)| c * p).sum()
}

/// Ridge prior: keeps unmeasured coefficients at zero.
const FAINT: f64 = 1e-8;

impl Quadratic {
    /// Weighted least squares; `None` if the points do not determine a surface.
    pub fn through(points: &[Measured]) -> Option<Quadratic> {
        let size = points.first()?.at.len();
        let count = parts(&vec![0.0; size]).len();
        let mut precision = Matrix::zero(count);
        let mut right = vec![0.0; count];
        for point in points {
            let parts = parts(&point.at);
            let sparse: Vec<(usize, f64)> = parts.iter().copied().enumerate().collect();
            precision.add_outer(&sparse, 1.0 / point.variance);
            for (sum, part) in right.iter_mut().zip(&parts) {
                *sum += part * point.value / point.variance;
            }
        }
        (0..count).for_each(|index| precision.add(index, index, FAINT));
        let precision = precision.cholesky()?;
        Some(Quadratic {
            size,
            coefficients: precision.solve(&right),
            precision,
        })
    }

    pub fn value(&self, at: &[f64]) -> f64 {
        value(&self.coefficients, at)
    }

    /// Standard error of the surface at a place.
    pub fn error(&self, at: &[f64]) -> f64 {
        let parts = parts(at);
        let solved = self.precision.solve(&parts);
        let variance: f64 = parts.iter().zip(&solved).map(|(a, b)| a * b).sum();
        variance.max(0.0).sqrt()
    }

    /// The highest place between -1 and 1.
    pub fn top(&self) -> Vec<f64> {
        highest(&self.coefficients, self.size)
    }

    /// The central 95 % of the maxima of surfaces drawn from the fit's uncertainty, per coordinate,
    /// and their standard deviation.
    pub fn top_interval(&self, seed: u64) -> Vec<(f64, f64, f64)> {
        const DRAWS: u64 = 400;
        let mut tops = vec![Vec::new(); self.size];
        for draw in 0..DRAWS {
            let mut draws = Stream::new(seed, draw, Purpose::Tuner);
            let normals: Vec<f64> = self.coefficients.iter().map(|_| draws.normal()).collect();
            let noise = self.precision.solve_transposed(&normals);
            let drawn: Vec<f64> = self
                .coefficients
                .iter()
                .zip(noise)
                .map(|(c, n)| c + n)
                .collect();
            for (list, coordinate) in tops.iter_mut().zip(highest(&drawn, self.size)) {
                list.push(coordinate);
            }
        }
        let interval = |mut list: Vec<f64>| {
            list.sort_by(f64::total_cmp);
            let at = |part: f64| list[((list.len() - 1) as f64 * part).round() as usize];
            let mean = list.iter().sum::<f64>() / list.len() as f64;
            let variance = list.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / list.len() as f64;
            (at(0.025), at(0.975), variance.sqrt())
        };
        tops.into_iter().map(interval).collect()
    }
}

/// Coordinate ascent from several corners and the middle.
fn highest(coefficients: &[f64], size: usize) -> Vec<f64> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    for start in [0.0, -1.0, 1.0] {
        let mut at = vec![start; size];
        for _ in 0..50 {
            let before = at.clone();
            for index in 0..size {
                at[index] = highest_along(coefficients, &at, index);
            }
            if at == before {
                break;
            }
        }
        let height = value(coefficients, &at);
        if best.as_ref().is_none_or(|(highest, _)| height > *highest) {
            best = Some((height, at));
        }
    }
    best.map_or_else(Vec::new, |(_, at)| at)
}

fn highest_along(coefficients: &[f64], at: &[f64], index: usize) -> f64 {
    let mut place = at.to_vec();
    let mut height = |x: f64| {
        place[index] = x;
        value(coefficients, &place)
    };
    let (low, middle, high) = (height(-1.0), height(0.0), height(1.0));
    let curvature = (low + high) / 2.0 - middle;
    let slope = (high - low) / 2.0;
    if curvature < 0.0 {
        (-slope / (2.0 * curvature)).clamp(-1.0, 1.0)
    } else if high >= low {
        1.0
    } else {
        -1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_known_surface_is_found_with_an_interval_around_it() {
        let height = |x: f64, y: f64| 5.0 - 30.0 * (x - 0.3).powi(2) - 20.0 * (y + 0.5).powi(2);
        let mut points = Vec::new();
        for x in -2..=2 {
            for y in -2..=2 {
                let at = vec![f64::from(x) / 2.0, f64::from(y) / 2.0];
                let value = height(at[0], at[1]);
                points.push(Measured {
                    at,
                    value,
                    variance: 4.0,
                });
            }
        }
        let surface = Quadratic::through(&points).expect("enough points");
        let top = surface.top();
        assert!(
            (top[0] - 0.3).abs() < 1e-3 && (top[1] + 0.5).abs() < 1e-3,
            "{top:?}"
        );
        for ((low, high, error), truth) in surface.top_interval(1).into_iter().zip([0.3, -0.5]) {
            assert!(low < truth && truth < high && error > 0.0, "{low} {high}");
        }
    }

    #[test]
    fn a_valley_has_its_top_at_an_end() {
        let points: Vec<Measured> = [-1.0, -0.5, 0.0, 0.5, 1.0]
            .map(|x: f64| Measured {
                at: vec![x],
                value: x * x + 0.5 * x,
                variance: 0.01,
            })
            .to_vec();
        let top = Quadratic::through(&points).expect("enough points").top();
        assert_eq!(top, [1.0]);
    }
}
