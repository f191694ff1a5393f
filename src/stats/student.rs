//! Student's t distribution: the factor of a 95 % interval whose spread is itself estimated.

use super::normal::{TAIL95, Z95, cdf};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// From this many degrees of freedom on, the expansion around the normal distribution is exact to
/// 1e-12.
const MANY: f64 = 200.0;

/// From this many degrees of freedom on, tails are those of the normal distribution to 0.1 %.
const VERY_MANY: f64 = 20_000.0;

/// Half the width, in standard errors, of a two-sided 95 % interval with `freedom` degrees of
/// freedom (a whole number, at least 1). Falls towards [`Z95`] as `freedom` grows.
pub(super) fn t95(freedom: f64) -> f64 {
    if freedom >= MANY {
        return expansion(freedom);
    }
    let freedom = freedom.max(1.0) as u32;
    // The inside probability rises from 0 to 1 with the angle atan(t / sqrt(freedom)).
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if inside(middle, freedom) < 1.0 - 2.0 * TAIL95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.tan() * f64::from(freedom).sqrt()
}

/// P(|T| >= t) with `freedom` degrees of freedom (a whole number, at least 1). Above 0: what is below
/// 1e-15 is lost to rounding.
pub(super) fn outside(t: f64, freedom: f64) -> f64 {
    if freedom >= VERY_MANY {
        return (2.0 * cdf(-t)).max(1e-15);
    }
    let freedom = freedom.max(1.0);
    (1.0 - inside((t / freedom.sqrt()).atan(), freedom as u32)).max(1e-15)
}

/// P(|T| <= t) at t = sqrt(freedom) tan(angle): a finite sum for whole degrees of freedom
/// (Abramowitz & Stegun 26.7.3 and 26.7.4).
fn inside(angle: f64, freedom: u32) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let square = cosine * cosine;
    let is_odd = freedom % 2 == 1;
    if freedom == 1 {
        return FRAC_2_PI * angle;
    }
    let (mut term, first) = if is_odd { (cosine, 2) } else { (1.0, 1) };
    let mut sum = term;
    for step in (first..freedom - 2).step_by(2) {
        term *= square * f64::from(step) / f64::from(step + 1);
        sum += term;
    }
    if is_odd {
        FRAC_2_PI * (angle + sine * sum)
    } else {
        sine * sum
    }
}

/// Abramowitz & Stegun 26.7.5.
fn expansion(freedom: f64) -> f64 {
    let z = Z95;
    let z2 = z * z;
    let terms = [
        z * (z2 + 1.0) / 4.0,
        z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0,
    ];
    let sum = terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| (sum + term) / freedom);
    z + sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.ppf(0.975, freedom)`, SciPy 1.17.1.
    const SCIPY: [(f64, f64); 18] = [
        (1.0, 12.7062047361747),
        (2.0, 4.30265272974946),
        (3.0, 3.18244630528371),
        (4.0, 2.77644510519779),
        (5.0, 2.57058183563631),
        (9.0, 2.2621571627982),
        (10.0, 2.22813885198627),
        (19.0, 2.09302405440831),
        (49.0, 2.00957523712924),
        (99.0, 1.98421695158642),
        (198.0, 1.97201747783631),
        (199.0, 1.97195654425175),
        (200.0, 1.97189622363391),
        (201.0, 1.97183650677986),
        (500.0, 1.96471983746737),
        (1000.0, 1.96233908082641),
        (100000.0, 1.95998770753461),
        (1000000000.0, 1.95996398691233),
    ];

    #[test]
    fn factors_agree_with_scipy() {
        for (freedom, expected) in SCIPY {
            let found = t95(freedom);
            assert!(
                (found / expected - 1.0).abs() < 1e-11,
                "{freedom}: {found} {expected}"
            );
        }
    }
}
