//! Maximum likelihood over distributions of a score under one constraint, and the generalised
//! log-likelihood ratio between two such constraints.
//!
//! After M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio
//! of a multinomial distribution" (a given mean) and "Comments on normalized Elo" (a given ratio of
//! lead to standard deviation). The equations are solved, not approximated by moments.
//!
//! The tolerances are those of fastchess, so that ratios can be compared digit
//! by digit. At the maximum the ratio does not change to first order: an error e in theta costs
//! about n variance e^2 / 2, with e below 0.001 and a pair's variance near 0.06 less than 0.00003
//! at 1,000 pairs and 0.003 at 100,000.

/// What a hypothesis fixes about the distribution of one sample's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constraint {
    /// The mean score.
    Mean(f64),
    /// (mean score - 1/2) / standard deviation.
    Lead(f64),
}

/// Replaces a count of zero: a result that did not occur is still possible. The same value as in
/// fastchess, so that the ratios agree.
const UNSEEN: f64 = 1e-3;

/// How closely theta is found for a given mean.
const MEAN_TOLERANCE: f64 = 1e-3;

/// How closely theta is found in each round for a given lead. Coarse for counts so lopsided that
/// theta lies next to a pole; their ratio is then far beyond any bound.
const LEAD_TOLERANCE: f64 = 1e-7;

/// A change of all probabilities by less than this ends the rounds for a given lead.
const LEAD_CHANGE: f64 = 1e-4;

/// Rounds for a given lead; ordinary counts need two to four.
const LEAD_ROUNDS: usize = 10;

/// ln of the likelihood under `one` over that under `zero`, each at its maximum.
///
/// `counts` are of the N scores 0, 1/(N-1), ..., 1. Without any results the ratio is 0.
pub(super) fn log_ratio<const N: usize>(
    counts: [f64; N],
    zero: Constraint,
    one: Constraint,
) -> f64 {
    if counts.iter().all(|&count| count <= 0.0) {
        return 0.0;
    }
    let counts = counts.map(|count| if count > 0.0 { count } else { UNSEEN });
    let total: f64 = counts.iter().sum();
    let seen = counts.map(|count| count / total);
    let log_zero = log_shrinkage(&seen, zero);
    let log_one = log_shrinkage(&seen, one);
    let mut ratio = 0.0;
    for i in 0..N {
        ratio += seen[i] * (log_zero[i] - log_one[i]);
    }
    total * ratio
}

/// What one more sample of each score adds to the log-likelihood ratio when the true shares are
/// `p`. By the envelope theorem these are the ratio's derivatives: their mean is the drift of the
/// ratio per sample, and their variance its variance.
pub(super) fn increments<const N: usize>(
    p: &[f64; N],
    zero: Constraint,
    one: Constraint,
) -> [f64; N] {
    let log = |constraint| match constraint {
        Constraint::Mean(mean) => tilt(p, &scores::<N>().map(|score| score - mean), 1e-10),
        Constraint::Lead(lead) => fixed_lead(p, lead),
    };
    let (log_zero, log_one) = (log(zero).map(f64::ln), log(one).map(f64::ln));
    std::array::from_fn(|i| log_zero[i] - log_one[i])
}

/// ln(seen_i / p_i) for the distribution p that is most likely under the constraint.
fn log_shrinkage<const N: usize>(seen: &[f64; N], constraint: Constraint) -> [f64; N] {
    match constraint {
        Constraint::Mean(mean) => tilt(
            seen,
            &scores::<N>().map(|score| score - mean),
            MEAN_TOLERANCE,
        ),
        Constraint::Lead(lead) => fixed_lead(seen, lead),
    }
    .map(f64::ln)
}

/// The scores 0, 1/(N-1), ..., 1.
fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|step| step as f64 / (N - 1) as f64)
}

/// The divisors 1 + theta x_i that take `seen` to the most likely p with sum p_i x_i = 0.
fn tilt<const N: usize>(seen: &[f64; N], x: &[f64; N], tolerance: f64) -> [f64; N] {
    let theta = solve_theta(seen, x, tolerance);
    // A root within rounding of a pole could otherwise give 0 or less.
    x.map(|x| (1.0 + theta * x).max(f64::MIN_POSITIVE))
}

/// Root of f(theta) = sum seen_i x_i / (1 + theta x_i), which falls from +inf to -inf between its
/// poles when the x have both signs.
///
/// Bisection until f is known on both sides, then the secant's zero pulled towards the middle by
/// a tenth of the squared width (I. Oliveira and R. Takahashi, "An Enhancement of the Bisection
/// Method Average Performance Preserving Minmax Optimality", without the projection step): the
/// pull makes both ends close in.
fn solve_theta<const N: usize>(seen: &[f64; N], x: &[f64; N], tolerance: f64) -> f64 {
    let greatest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    if !(greatest > 0.0 && least < 0.0) {
        return 0.0;
    }
    let f = |theta: f64| -> f64 {
        let terms = seen.iter().zip(x);
        terms.map(|(p, x)| p * x / (1.0 + theta * x)).sum()
    };
    // (theta, f(theta)) where f is positive and where it is negative; unknown at the poles.
    let mut plus: (f64, Option<f64>) = (-1.0 / greatest, None);
    let mut minus: (f64, Option<f64>) = (-1.0 / least, None);
    for _ in 0..200 {
        let width = minus.0 - plus.0;
        let middle = (plus.0 + minus.0) / 2.0;
        if width <= 2.0 * tolerance {
            return middle;
        }
        let next = match (plus.1, minus.1) {
            (Some(above), Some(below)) => {
                let secant = (above * minus.0 - below * plus.0) / (above - below);
                let pull = 0.1 * width * width;
                if pull <= (middle - secant).abs() {
                    secant + pull.copysign(middle - secant)
                } else {
                    middle
                }
            }
            _ => middle,
        };
        let value = f(next);
        if value > 0.0 {
            plus = (next, Some(value));
        } else if value < 0.0 {
            minus = (next, Some(value));
        } else {
            return next;
        }
    }
    (plus.0 + minus.0) / 2.0
}

/// The divisors that take `seen` to the most likely p with lead / deviation = `t`.
///
/// With mean and deviation of the solution known, the constraint is linear in p (section 4.1 of
/// "Comments on normalized Elo"); so start from the uniform distribution, solve the linear problem,
/// and repeat with the mean and deviation found.
fn fixed_lead<const N: usize>(seen: &[f64; N], t: f64) -> [f64; N] {
    let scores = scores::<N>();
    if t == 0.0 {
        // No lead is a mean of 1/2 for any deviation: already linear.
        return tilt(seen, &scores.map(|score| score - 0.5), LEAD_TOLERANCE);
    }
    let mut p = [1.0 / N as f64; N];
    let mut divisors = [1.0; N];
    for _ in 0..LEAD_ROUNDS {
        let mut mean = 0.0;
        for i in 0..N {
            mean += p[i] * scores[i];
        }
        let mut variance = 0.0;
        for i in 0..N {
            variance += p[i] * (scores[i] - mean).powi(2);
        }
        let deviation = variance.sqrt();
        let x = scores
            .map(|score| score - 0.5 - 0.5 * t * (deviation + (score - mean).powi(2) / deviation));
        divisors = tilt(seen, &x, LEAD_TOLERANCE);
        let mut change: f64 = 0.0;
        for i in 0..N {
            let next = seen[i] / divisors[i];
            change = change.max((next - p[i]).abs());
            p[i] = next;
        }
        if change < LEAD_CHANGE {
            break;
        }
    }
    divisors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(p: &[f64; 5]) -> (f64, f64, f64) {
        let sum: f64 = p.iter().sum();
        let mean: f64 = p.iter().zip(scores::<5>()).map(|(p, a)| p * a).sum();
        let variance: f64 = p
            .iter()
            .zip(scores::<5>())
            .map(|(p, a)| p * (a - mean).powi(2))
            .sum();
        (sum, mean, variance.sqrt())
    }

    fn normalise(counts: [f64; 5]) -> [f64; 5] {
        let total: f64 = counts.iter().sum();
        counts.map(|count| count / total)
    }

    const CASES: [[f64; 5]; 7] = [
        [34.0, 54.0, 63.0, 64.0, 75.0],
        [20.0, 180.0, 600.0, 220.0, 30.0],
        [UNSEEN, UNSEEN, 1000.0, UNSEEN, UNSEEN],
        [UNSEEN, UNSEEN, UNSEEN, UNSEEN, 1e4],
        [1.0, UNSEEN, UNSEEN, UNSEEN, UNSEEN],
        [UNSEEN, UNSEEN, UNSEEN, 1.0, UNSEEN],
        [1.0, UNSEEN, UNSEEN, UNSEEN, 1.0],
    ];

    #[test]
    fn most_likely_distribution_keeps_a_given_mean() {
        for counts in CASES {
            let seen = normalise(counts);
            for mean in [0.05, 0.4, 0.5, 0.503, 0.6, 0.97] {
                let divisors = tilt(&seen, &scores::<5>().map(|a| a - mean), 1e-14);
                let p: [f64; 5] = std::array::from_fn(|i| seen[i] / divisors[i]);
                let (sum, found, _) = moments(&p);
                assert!((sum - 1.0).abs() < 1e-6, "{counts:?} {mean}: sum {sum}");
                assert!((found - mean).abs() < 1e-6, "{counts:?} {mean}: {found}");
            }
        }
    }

    #[test]
    fn most_likely_distribution_keeps_a_given_lead() {
        // With a thousand of one kind and none of another, theta is too near a pole for this.
        let lopsided =
            |counts: &[f64; 5]| counts.contains(&UNSEEN) && counts.iter().any(|&n| n > 99.0);
        for counts in CASES.into_iter().filter(|counts| !lopsided(counts)) {
            let seen = normalise(counts);
            for t in [-0.81, -0.3, -0.02, 0.0, 0.01, 0.1, 0.5, 0.81] {
                let divisors = fixed_lead(&seen, t);
                let p: [f64; 5] = std::array::from_fn(|i| seen[i] / divisors[i]);
                let (sum, mean, deviation) = moments(&p);
                let found = (mean - 0.5) / deviation;
                assert!((sum - 1.0).abs() < 1e-3, "{counts:?} {t}: sum {sum}");
                assert!((found - t).abs() < 1e-3, "{counts:?} {t}: {found}");
            }
        }
    }
}
