//! From counts to score, Elo, normalised Elo and likelihood of superiority, with 95 % intervals.
//!
//! Ordinary results give the figures that fastchess prints. Where those would be NaN or infinite
//! the interval changes its [`Basis`] and says so; `docs/statistics.md` gives the reasons.

use super::estimate::{Basis, Estimate};
use super::normal::{TAIL95, Z95, cdf};
use super::pentanomial::Pentanomial;
use super::score::{Moments, Wdl};
use std::f64::consts::LN_10;

/// Elo difference at which the logistic curve expects this score, from the scorer's side;
/// `None` outside 0 < score < 1.
pub fn score_to_elo(score: f64) -> Option<f64> {
    Chance::new(score, 1.0 - score).elo()
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

    /// Normalised Elo, in units of a single game's spread, with its 95 % interval.
    fn nelo(&self) -> Estimate {
        self.moments().map_or(Estimate::UNKNOWN, |m| nelo(&m))
    }

    /// Likelihood of superiority: how probable it is, given these results, that the player is the
    /// stronger one, 0 to 1.
    fn los(&self) -> Option<f64> {
        self.moments().map(|m| los(&m))
    }
}

impl Sample for Wdl {
    fn moments(&self) -> Option<Moments> {
        Moments::of(self.weights(), 1.0)
    }
}

impl Sample for Pentanomial {
    fn moments(&self) -> Option<Moments> {
        Moments::of(self.weights(), 2.0)
    }
}

fn score_interval(m: &Moments) -> ScoreInterval {
    if m.alike {
        return exact_interval(m);
    }
    let reach = Z95 * m.standard_error();
    if m.score > reach && m.shortfall > reach {
        ScoreInterval {
            low: Chance::new(m.score - reach, m.shortfall + reach),
            high: Chance::new(m.score + reach, m.shortfall - reach),
            basis: Basis::Normal,
        }
    } else {
        wilson_interval(m)
    }
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

/// The interval after n results that are all alike, with score a.
///
/// A mean mu below a gives that result a probability of at most mu / a, so n of them at most
/// (mu / a)^n. The lower end is the mu at which this is 2.5 %, and likewise above: for wins only,
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

fn nelo(m: &Moments) -> Estimate {
    // The spread of a mean of k independent games is that of one game over sqrt(k).
    let unit = nelo_per_t() / m.games_per_sample.sqrt();
    if !m.alike {
        let value = m.lead() / m.variance.sqrt() * unit;
        let reach = Z95 / m.samples.sqrt() * unit;
        return Estimate {
            value: Some(value),
            low: Some(value - reach),
            high: Some(value + reach),
            basis: Basis::Normal,
        };
    }
    // All alike: the spread is unknown, so only the ends of `exact_interval` speak. There a share
    // `same` of results has the score seen and the rest lies at the far end of the scale.
    let log_same = TAIL95.ln() / m.samples;
    let same = log_same.exp();
    let spread = (same * -log_same.exp_m1()).sqrt();
    let end = |mean: Chance, distance: f64| (mean.yes - mean.no) / 2.0 / (distance * spread) * unit;
    let interval = exact_interval(m);
    let lead = m.lead();
    Estimate {
        // Every distribution with an even score has normalised Elo 0, whatever its spread.
        value: (lead == 0.0).then_some(0.0),
        low: (lead >= 0.0).then(|| end(interval.low, m.score)),
        high: (lead <= 0.0).then(|| end(interval.high, m.shortfall)),
        basis: Basis::Exact,
    }
}

fn los(m: &Moments) -> f64 {
    let lead = m.lead();
    if !m.alike {
        return cdf(lead / m.standard_error());
    }
    // All alike: n of n samples on one side. With every probability of that side equally likely
    // beforehand, it is above one half with probability 1 - 2^-(n+1).
    let other_side = (-(m.samples + 1.0)).exp2();
    if lead > 0.0 {
        1.0 - other_side
    } else if lead < 0.0 {
        other_side
    } else {
        0.5
    }
}
