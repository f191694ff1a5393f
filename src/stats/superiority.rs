//! The probability, given counts of results, that the mean score is above one half.
//!
//! Bayesian: the shares of the N possible results have a Dirichlet prior with 1/2 for each result
//! (Jeffreys), so their posterior is Dirichlet(count + 1/2). Then P(mean > 1/2) =
//! P(sum w_i G_i > 0) for independent gamma variables G_i of shape count_i + 1/2 and w_i the score
//! less one half.
//!
//! A one-sided tail of such a sum is a contour integral of its moment generating function,
//! P(S < 0) = 1/(2 pi i) int exp(K(s)) / -s ds along Re s = c < 0. Taken near the saddle point, the
//! integrand has one sign of decay and no cancellation, so tails keep their relative accuracy.

use std::f64::consts::PI;

/// The share of a result that the prior adds to each count.
pub(super) const PRIOR: f64 = 0.5;

/// P(mean score > 1/2), strictly between 0 and 1. `counts` are of the N scores 0, 1/(N-1), ..., 1.
pub(super) fn superiority<const N: usize>(counts: [f64; N]) -> f64 {
    let middle = (N - 1) as f64 / 2.0;
    // Scores less one half, the extremes scaled to -1 and 1.
    let sum = GammaSum::<N> {
        weights: std::array::from_fn(|step| (step as f64 - middle) / middle),
        shapes: counts.map(|count| count + PRIOR),
    };
    // The smaller tail, so that nothing is lost to rounding next to 1.
    let probability = if sum.mean() >= 0.0 {
        1.0 - sum.below_zero()
    } else {
        sum.mirrored().below_zero()
    };
    // Certainty is beyond any finite number of games.
    probability.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0)
}

/// A weighted sum of independent gamma variables of scale 1, weights between -1 and 1.
struct GammaSum<const N: usize> {
    weights: [f64; N],
    shapes: [f64; N],
}

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

impl<const N: usize> GammaSum<N> {
    fn mirrored(&self) -> GammaSum<N> {
        GammaSum {
            weights: self.weights.map(|weight| -weight),
            shapes: self.shapes,
        }
    }

    fn parts(&self) -> impl Iterator<Item = (f64, f64)> {
        self.weights.into_iter().zip(self.shapes)
    }

    fn mean(&self) -> f64 {
        self.parts().map(|(weight, shape)| weight * shape).sum()
    }

    fn deviation(&self) -> f64 {
        let variance: f64 = self
            .parts()
            .map(|(weight, shape)| weight * weight * shape)
            .sum();
        variance.sqrt()
    }

    /// ln E exp(s S) = -sum shape ln(1 - weight s).
    fn cumulant(&self, s: Complex) -> Complex {
        let mean = self.mean();
        let mut sum = Complex {
            re: mean * s.re,
            im: mean * s.im,
        };
        // The linear part is summed on its own: it is small where the parts are huge.
        for (weight, shape) in self.parts() {
            let rest = log_rest(Complex {
                re: weight * s.re,
                im: weight * s.im,
            });
            sum.re += shape * rest.re;
            sum.im += shape * rest.im;
        }
        sum
    }

    /// Where the moment generating function is least, between -1 and 0 for a mean above 0.
    fn saddle(&self) -> f64 {
        let slope = |s: f64| -> f64 {
            self.parts()
                .map(|(weight, shape)| weight * shape / (1.0 - weight * s))
                .sum()
        };
        let (mut low, mut high) = (-1.0, 0.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if slope(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// P(S < 0) for a sum whose mean is not negative.
    fn below_zero(&self) -> f64 {
        let deviation = self.deviation();
        // Away from the pole at 0, yet within the range where the integral exists.
        let across = self.saddle().min(-0.5 / deviation).max(-1.0 + 1e-12);
        // Chernoff's bound: below the smallest number.
        if self
            .cumulant(Complex {
                re: across,
                im: 0.0,
            })
            .re
            < f64::MIN_POSITIVE.ln()
        {
            return 0.0;
        }
        let curvature: f64 = self
            .parts()
            .map(|(weight, shape)| shape * (weight / (1.0 - weight * across)).powi(2))
            .sum();
        let scale = 1.0 / curvature.sqrt();
        let integrand = |y: f64| {
            let power = self.cumulant(Complex { re: across, im: y });
            let length = across * across + y * y;
            let size = power.re.exp() / length.sqrt();
            // Real part of exp(power) / -(across + iy), and its bound.
            let (sine, cosine) = power.im.sin_cos();
            let value = size * (-across * cosine - y * sine) / length.sqrt();
            (value, size)
        };
        // y = scale sinh(v): equal steps of v converge exponentially fast for Gaussian and for
        // algebraic decay alike.
        const STEP: f64 = 1.0 / 32.0;
        let (middle, largest) = integrand(0.0);
        let mut sum = 0.5 * middle;
        for step in 1..2000 {
            let v = f64::from(step) * STEP;
            let (value, bound) = integrand(scale * v.sinh());
            sum += value * v.cosh();
            if bound * v.cosh() <= 1e-18 * largest {
                break;
            }
        }
        (sum * STEP * scale / PI).clamp(0.0, 1.0)
    }
}

/// -ln(1 - z) - z.
fn log_rest(z: Complex) -> Complex {
    let size = z.re * z.re + z.im * z.im;
    if size > 0.01 {
        let re = -0.5 * ((1.0 - z.re).powi(2) + z.im * z.im).ln();
        let im = -(-z.im).atan2(1.0 - z.re);
        return Complex {
            re: re - z.re,
            im: im - z.im,
        };
    }
    // z^2/2 + z^3/3 + ...
    let mut power = z;
    let mut sum = Complex { re: 0.0, im: 0.0 };
    for order in 2..20 {
        power = Complex {
            re: power.re * z.re - power.im * z.im,
            im: power.re * z.im + power.im * z.re,
        };
        sum.re += power.re / f64::from(order);
        sum.im += power.im / f64::from(order);
    }
    sum
}
