//! The normal distribution: its distribution function, its quantile and the usual 95 % factor.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Half the width, in standard errors, of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Probability left out on each side by a two-sided 95 % interval.
pub const TAIL95: f64 = 0.025;

/// P(X <= x) for a standard normal X. Absolute error below 1e-14; the lower tail keeps its
/// relative accuracy.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// ln of [`cdf`], finite far down the lower tail.
pub fn log_cdf(x: f64) -> f64 {
    if x > -8.0 {
        return cdf(x).ln();
    }
    let z = -x * FRAC_1_SQRT_2;
    -z * z - (2.0 * PI.sqrt() * fraction(z)).ln()
}

/// The x with `cdf(x) == p`, or `None` unless 0 < p < 1.
pub fn quantile(p: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    // In the lower half the distribution function keeps its relative accuracy; mirror into it.
    if p > 0.5 {
        return quantile(1.0 - p).map(|x| -x);
    }
    // Abramowitz & Stegun 26.2.22 is good to 3e-3, enough for Newton steps on ln(cdf) to finish.
    let t = (-2.0 * p.ln()).sqrt();
    let mut x = -(t - (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t)));
    for _ in 0..20 {
        let below = cdf(x);
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        let step = (below.ln() - p.ln()) * below / density;
        if !step.is_finite() {
            break;
        }
        x -= step;
        if step.abs() <= 1e-15 * x.abs().max(1.0) {
            break;
        }
    }
    Some(x)
}

/// The complementary error function, 1 - erf(x).
pub fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    // Below the switch the series has terms of one sign only, so nothing cancels inside it and
    // 1 - erf loses at most a few digits; above it the continued fraction converges fast.
    if x < 1.5 {
        1.0 - erf_series(x)
    } else {
        erfc_fraction(x)
    }
}

/// erf(x) = 2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (1 3 5 ... (2n+1)), for small x >= 0.
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term > sum * 1e-17 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    sum * 2.0 / PI.sqrt() * (-x * x).exp()
}

/// Laplace's continued fraction, evaluated from the tail inwards:
/// sqrt(pi) exp(x^2) erfc(x) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
fn erfc_fraction(x: f64) -> f64 {
    (-x * x).exp() / (PI.sqrt() * fraction(x))
}

/// The continued fraction of [`erfc_fraction`].
fn fraction(x: f64) -> f64 {
    // The number of levels for full precision falls like 1/x^2; this is ample from 1.5 on.
    let levels = 20 + (400.0 / (x * x)) as u32;
    let mut tail = x;
    for level in (1..=levels).rev() {
        tail = x + 0.5 * f64::from(level) / tail;
    }
    tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distribution_function_has_the_tabulated_values() {
        // Abramowitz & Stegun table 26.1, and 20-digit values of Q(x) from the same source.
        for (x, p) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (1.5, 0.933_192_798_731_141_9),
            (2.0, 0.977_249_868_051_820_8),
            (2.5, 0.993_790_334_674_223_8),
            (3.0, 0.998_650_101_968_369_9),
            (4.0, 0.999_968_328_758_166_9),
        ] {
            assert!((cdf(x) - p).abs() < 1e-14, "x = {x}: {}", cdf(x));
            assert!((cdf(-x) - (1.0 - p)).abs() < 1e-14, "x = -{x}");
        }
        assert!((cdf(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-12);
        assert!((log_cdf(-10.0) - cdf(-10.0).ln()).abs() < 1e-12);
        assert!((log_cdf(-8.5) - cdf(-8.5).ln()).abs() < 1e-12);
        // mpmath, 30 digits.
        assert!((log_cdf(-100.0) / -5_005.524_208_694_205 - 1.0).abs() < 1e-12);
        assert_eq!(cdf(-50.0), 0.0);
        assert_eq!(cdf(50.0), 1.0);
    }

    #[test]
    fn series_and_fraction_agree_where_they_meet() {
        for step in 0..100 {
            let x = 1.4 + f64::from(step) * 0.005;
            let series = 1.0 - erf_series(x);
            assert!((series - erfc_fraction(x)).abs() < 1e-15, "x = {x}");
        }
    }

    #[test]
    fn quantile_inverts_the_distribution_function() {
        assert!((quantile(0.975).unwrap() - Z95).abs() < 1e-14);
        for p in [
            1e-300,
            1e-20,
            1e-6,
            0.01,
            0.3,
            0.5,
            0.77,
            0.999,
            1.0 - 1e-12,
        ] {
            let x = quantile(p).unwrap();
            assert!((cdf(x) / p - 1.0).abs() < 1e-12, "p = {p}: x = {x}");
        }
        assert!(quantile(0.0).is_none() && quantile(1.0).is_none());
        assert!(quantile(f64::NAN).is_none());
    }
}
