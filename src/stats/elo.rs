//! From counts to score, Elo, normalised Elo and likelihood of superiority, with 95 % intervals.
//!
//! Intervals hold their 95 % for few results too: Student's t for the score, and the error of the
//! standard deviation for normalised Elo. The normal approximations that fastchess prints are also
//! available ([`NormalFigures`]). If a formula would give NaN or infinity, the interval changes its
//! [`Basis`]; `docs/statistics.md` gives the reasons.

use super::estimate::{Basis, Estimate};
use super::normal::{TAIL95, Z95, cdf};
use super::pentanomial::Pentanomial;
use super::score::{Moments, Wdl};
use super::student::t95;
use super::superiority::{PRIOR, superiority};
use std::f64::consts::LN_10;

/// Elo difference at which the logistic curve expects this score, from the scorer's side;
/// `None` outside 0 < score < 1.
pub fn score_to_elo(score: f64) -> Option<f64> {
    Chance::new(score, 1.0 - score).elo()
}

/// How many Elo a small change of the score is worth, per unit of score between 0 and 1.
pub(super) fn elo_slope(score: f64) -> f64 {
    400.0 / (LN_10 * score * (1.0 - score))
}

/// Expected score at an Elo difference, from the side that is `elo` stronger.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalised Elo of one unit of (mean score - 1/2) / (standard deviation of one game's score).
pub fn nelo_per_t() -> f64 {
    800.0 / LN_10
}

/// A probability with its complement. Kept apart because 1 - p is lost to rounding near 1, and
/// Elo is the logarithm of their ratio.
#[derive(Clone, Copy)]
struct Chance {
    yes: f64,
    no: f64,
}

impl Chance {
    fn new(yes: f64, no: f64) -> Chance {
        Chance { yes, no }
    }

    fn elo(self) -> Option<f64> {
        (self.yes > 0.0 && self.no > 0.0).then(|| 400.0 * (self.yes / self.no).log10())
    }

    fn swapped(self) -> Chance {
        Chance::new(self.no, self.yes)
    }
}

/// The interval of the mean score, before it is expressed in any unit.
struct ScoreInterval {
    low: Chance,
    high: Chance,
    basis: Basis,
}

/// Counts of independent results, seen by one player. Implemented for games ([`Wdl`]) and for
/// opening pairs ([`Pentanomial`]); every figure is from that player's side.
pub trait Sample {
    /// Mean and variance of the score; `None` without results.
    fn moments(&self) -> Option<Moments>;

    /// Mean score, 0 to 1.
    fn score(&self) -> Option<f64> {
        self.moments().map(|m| m.score)
    }

    /// Population variance of the score of one game, or of one pair (whose score is its mean of
    /// two games, also 0 to 1).
    fn variance(&self) -> Option<f64> {
        self.moments().map(|m| m.variance)
    }

    /// Mean score with its 95 % interval, which stays within 0 to 1.
    fn score_estimate(&self) -> Estimate {
        self.moments().map_or(Estimate::UNKNOWN, |m| {
            let interval = score_interval(&m);
            Estimate {
                value: Some(m.score),
                low: Some(interval.low.yes),
                high: Some(interval.high.yes),
                basis: interval.basis,
            }
        })
    }

    /// Logistic Elo difference with its 95 % interval.
    fn elo(&self) -> Estimate {
        self.moments().map_or(Estimate::UNKNOWN, |m| {
            let interval = score_interval(&m);
            Estimate {
                value: Chance::new(m.score, m.shortfall).elo(),
                low: interval.low.elo(),
                high: interval.high.elo(),
                basis: interval.basis,
            }
        })
    }

    /// Normalised Elo, in units of a single game's standard deviation, with its 95 % interval.
    fn nelo(&self) -> Estimate;

    /// Likelihood of superiority: the probability that the true mean score is above one half, given
    /// these results and a Dirichlet prior of 1/2 for each possible result. Strictly between 0 and
    /// 1.
    fn los(&self) -> Option<f64>;

    /// The same figures by the normal approximation, as other programs print them.
    fn normal_figures(&self) -> NormalFigures {
        self.moments()
            .map_or(NormalFigures::default(), |m| normal_figures(&m))
    }
}

/// Figures by the plain normal approximation, for comparison with other programs. `None` where it
/// gives no finite figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalFigures {
    /// Half the width of the 95 % interval of logistic Elo.
    pub elo_error: Option<f64>,
    /// Half the width of the 95 % interval of normalised Elo, the standard deviation taken as known.
    pub nelo_error: Option<f64>,
    /// Phi(lead / standard error).
    pub los: Option<f64>,
}

impl Sample for Wdl {
    fn moments(&self) -> Option<Moments> {
        Moments::of(self.weights(), 1.0)
    }

    fn nelo(&self) -> Estimate {
        nelo(self.weights(), 1.0)
    }

    fn los(&self) -> Option<f64> {
        (self.games() > 0).then(|| superiority(self.weights()))
    }
}

impl Sample for Pentanomial {
    fn moments(&self) -> Option<Moments> {
        Moments::of(self.weights(), 2.0)
    }

    fn nelo(&self) -> Estimate {
        nelo(self.weights(), 2.0)
    }

    fn los(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| superiority(self.weights()))
    }
}

fn score_interval(m: &Moments) -> ScoreInterval {
    if m.alike {
        return exact_interval(m);
    }
    // The variance is estimated from the same n results: n - 1 degrees of freedom.
    let freedom = m.samples - 1.0;
    let reach = t95(freedom) * (m.variance / freedom).sqrt();
    symmetric_interval(m, reach).unwrap_or_else(|| wilson_interval(m))
}

/// Score +- reach, if that stays within 0 to 1.
fn symmetric_interval(m: &Moments, reach: f64) -> Option<ScoreInterval> {
    (m.score > reach && m.shortfall > reach).then(|| ScoreInterval {
        low: Chance::new(m.score - reach, m.shortfall + reach),
        high: Chance::new(m.score + reach, m.shortfall - reach),
        basis: Basis::Normal,
    })
}

/// Wilson's interval for n samples, with the binomial variance mu (1 - mu).
///
/// No result between 0 and 1 with mean mu has a larger variance, so draws only make the interval
/// cautious; it is used where results are few or lopsided and caution is wanted.
fn wilson_interval(m: &Moments) -> ScoreInterval {
    let z2n = Z95 * Z95 / m.samples;
    let root = (z2n * (m.score * m.shortfall + z2n / 4.0)).sqrt();
    // The larger root for "yes", from each end; the smaller follows from the product of the roots,
    // which avoids the difference of two nearly equal numbers.
    let upper = |mean: f64| (mean + z2n / 2.0 + root) / (1.0 + z2n);
    let lower = |mean: f64| mean * mean / (1.0 + z2n) / upper(mean);
    ScoreInterval {
        low: Chance::new(lower(m.score), upper(m.shortfall)),
        high: Chance::new(upper(m.score), lower(m.shortfall)),
        basis: Basis::Wilson,
    }
}

/// The interval after n identical results, with score a.
///
/// A mean mu below a gives that result a probability of at most mu / a, so n of them at most
/// (mu / a)^n. The lower end is the mu at which this is 2.5 %, and correspondingly above: for wins only,
/// the interval of Clopper and Pearson; for draws only, of the same making.
fn exact_interval(m: &Moments) -> ScoreInterval {
    let log_same = TAIL95.ln() / m.samples;
    let same = log_same.exp();
    let other = -log_same.exp_m1();
    ScoreInterval {
        low: Chance::new(m.score * same, m.shortfall * same + other),
        high: Chance::new(m.shortfall * same, m.score * same + other).swapped(),
        basis: Basis::Exact,
    }
}

/// Below this many samples the skewness and kurtosis are too uncertain to narrow an interval.
const FEW_SAMPLES: f64 = 100.0;

/// Normalised Elo of one unit of lead / standard deviation of a sample: the standard deviation of
/// the mean of k independent games is that of one game over sqrt(k).
fn nelo_unit(m: &Moments) -> f64 {
    nelo_per_t() / m.games_per_sample.sqrt()
}

/// Lead over standard deviation with its 95 % interval, from moments that are not all alike.
fn standardised_lead(m: &Moments) -> (f64, f64) {
    let t = m.lead() / m.variance.sqrt();
    // Variance of the lead over the deviation, times n, by the delta method: 1 for the mean, and the
    // rest for the deviation, which is estimated from the same samples.
    let factor = 1.0 - t * m.skewness + t * t * (m.kurtosis - 1.0) / 4.0;
    let factor = if m.samples < FEW_SAMPLES {
        factor.max(1.0)
    } else {
        factor.max(0.0)
    };
    let freedom = m.samples - 1.0;
    (t, t95(freedom) * (factor / freedom).sqrt())
}

fn nelo<const N: usize>(counts: [f64; N], games_per_sample: f64) -> Estimate {
    let Some(m) = Moments::of(counts, games_per_sample) else {
        return Estimate::UNKNOWN;
    };
    let unit = nelo_unit(&m);
    if !m.alike {
        let (t, reach) = standardised_lead(&m);
        let (mut low, mut high) = (t - reach, t + reach);
        let smooth = Moments::of(counts.map(|count| count + PRIOR), games_per_sample);
        if let Some(smooth) = smooth.filter(|_| m.samples < FEW_SAMPLES) {
            // Few samples may miss the rarest results, which makes the deviation too small: also
            // cover the interval with half a result of each kind added.
            let (t, reach) = standardised_lead(&Moments {
                samples: m.samples,
                ..smooth
            });
            low = low.min(t - reach);
            high = high.max(t + reach);
            // The sign of the lead does not depend on the deviation: agree with the score's interval.
            let interval = score_interval(&m);
            if interval.low.yes >= interval.low.no {
                low = low.max(0.0);
            }
            if interval.high.yes <= interval.high.no {
                high = high.min(0.0);
            }
        }
        return Estimate {
            value: Some(t * unit),
            low: Some(low * unit),
            high: Some(high * unit),
            basis: Basis::Normal,
        };
    }
    // All alike: the spread is unknown, so only the ends of `exact_interval` speak. There a share
    // `same` of results has the score seen and the rest lies at the far end of the scale.
    let log_same = TAIL95.ln() / m.samples;
    let same = log_same.exp();
    let spread = (same * -log_same.exp_m1()).sqrt();
    let end = |mean: Chance, distance: f64| (mean.yes - mean.no) / 2.0 / (distance * spread) * unit;
    let interval = exact_interval(&m);
    let lead = m.lead();
    Estimate {
        // Every distribution with an even score has normalised Elo 0 for any spread.
        value: (lead == 0.0).then_some(0.0),
        low: (lead >= 0.0).then(|| end(interval.low, m.score)),
        high: (lead <= 0.0).then(|| end(interval.high, m.shortfall)),
        basis: Basis::Exact,
    }
}

fn normal_figures(m: &Moments) -> NormalFigures {
    if m.alike {
        return NormalFigures::default();
    }
    let elo_error = symmetric_interval(m, Z95 * m.standard_error())
        .and_then(|interval| Some((interval.high.elo()? - interval.low.elo()?) / 2.0));
    NormalFigures {
        elo_error,
        nelo_error: Some(Z95 / m.samples.sqrt() * nelo_unit(m)),
        los: Some(cdf(m.lead() / m.standard_error())),
    }
}
