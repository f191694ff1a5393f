//! Strength after a sequential test: estimates that allow for the test having stopped when the
//! results looked good (or bad).
//!
//! The plain estimate is too far out, because a test stops on a favourable streak. Here outcomes are
//! ordered by stages: an H1 sooner is better than one later, which is better than no verdict, which
//! is better than an H0 later, then sooner (J. Whitehead, "The Design and Analysis of Sequential
//! Clinical Trials", 1997). The estimate is the strength at which the outcome seen, or a better one,
//! has probability 1/2, so it is too high as often as too low; the interval has 2.5 % and 97.5 %.

use super::corridor::Corridor;
use super::elo::{Sample, nelo_per_t, score_to_elo};
use super::estimate::{Basis, Estimate};
use super::normal::TAIL95;
use super::pentanomial::Pentanomial;
use super::plan::OVERSHOOT;
use super::score::Moments;
use super::sprt::{Model, Sprt, Verdict};
use super::superiority::PRIOR;

/// Median-unbiased figures of a test that has ended, with a verdict or without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedEstimate {
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub nelo: Estimate,
    /// 1 - p: the probability of a worse outcome of the whole test between equal players.
    pub confidence: Option<f64>,
}

impl StoppedEstimate {
    const UNKNOWN: StoppedEstimate = StoppedEstimate {
        elo: Estimate::UNKNOWN,
        nelo: Estimate::UNKNOWN,
        confidence: None,
    };

    /// From the pairs up to and including the one that decided, or all pairs of a test that ran
    /// out of them. Unknown where all pairs are alike.
    ///
    /// Each end of the interval is at least as far out as that of a match of fixed length: far
    /// outside both hypotheses a test stops early, and the deviation of few pairs is uncertain.
    pub fn of(sprt: &Sprt, pairs: &Pentanomial) -> StoppedEstimate {
        let Some(raw) = Moments::of(pairs.weights(), 2.0).filter(|m| !m.alike) else {
            return StoppedEstimate::UNKNOWN;
        };
        let smooth = smoothed(pairs);
        let Some((variance, outcome)) = Moments::of(smooth, 2.0).and_then(|m| {
            let variance = m.variance * raw.samples / (raw.samples - 1.0);
            Some((variance, Outcome::of(sprt, pairs, variance)?))
        }) else {
            return StoppedEstimate::UNKNOWN;
        };
        let score = |drift: f64| raw.score + (drift - outcome.drift) * outcome.score_per_drift;
        let strength = [TAIL95, 0.5, 1.0 - TAIL95].map(|p| outcome.drift_at(p).map(score));
        let nelo_per_score = nelo_per_t() / (2.0 * variance).sqrt();
        let equal = outcome.drift + (0.5 - raw.score) / outcome.score_per_drift;
        StoppedEstimate {
            elo: estimate(strength.map(|score| score_to_elo(score?)), pairs.elo()),
            nelo: estimate(
                strength.map(|score| Some((score? - 0.5) * nelo_per_score)),
                pairs.nelo(),
            ),
            confidence: Some(1.0 - outcome.as_good(equal)),
        }
    }
}

/// Low end, value and high end, the ends no further in than those of a fixed length.
fn estimate([low, value, high]: [Option<f64>; 3], fixed: Estimate) -> Estimate {
    let both =
        |one: Option<f64>, other: Option<f64>, pick: fn(f64, f64) -> f64| Some(pick(one?, other?));
    Estimate {
        value,
        low: both(low, fixed.low, f64::min),
        high: both(high, fixed.high, f64::max),
        basis: Basis::Stopped,
    }
}

/// Few pairs may lack the rare results that make the deviation large.
fn smoothed(pairs: &Pentanomial) -> [f64; 5] {
    pairs.weights().map(|count| count + PRIOR)
}

/// How a test ended, in standard deviations of one pair's step of the log-likelihood ratio.
struct Outcome {
    verdict: Verdict,
    pairs: f64,
    position: f64,
    corridor: Corridor,
    /// Of the path seen, per pair.
    drift: f64,
    score_per_drift: f64,
}

impl Outcome {
    fn of(sprt: &Sprt, pairs: &Pentanomial, variance: f64) -> Option<Outcome> {
        let llr = sprt.llr(pairs);
        let count = pairs.pairs() as f64;
        let step = sprt.step_deviation(smoothed(pairs))?;
        // How far the constraint's quantity moves per unit of drift: the score for the logistic
        // model, and lead / deviation for the normalised one, whose own error includes the deviation's.
        let [zero, one] = sprt.constraint_values();
        let score_per_drift = match sprt.model() {
            Model::Logistic => step * variance / (one - zero),
            Model::Normalized => step / (one - zero) * variance.sqrt(),
        };
        (score_per_drift.is_finite() && score_per_drift > 0.0).then(|| Outcome {
            verdict: sprt.verdict(llr),
            pairs: count,
            position: llr / step,
            corridor: Corridor {
                above: sprt.upper_bound() / step + OVERSHOOT,
                below: -sprt.lower_bound() / step + OVERSHOOT,
            },
            drift: llr / step / count,
            score_per_drift,
        })
    }

    /// P(this outcome or a better one) if the true drift is this.
    fn as_good(&self, drift: f64) -> f64 {
        let reaches_above = self.corridor.reaches_above_by(drift, self.pairs);
        match self.verdict {
            Verdict::AcceptH1 => reaches_above,
            Verdict::AcceptH0 => 1.0 - self.corridor.reaches_below_by(drift, self.pairs),
            Verdict::Continue => {
                reaches_above + self.corridor.stays_above(drift, self.pairs, self.position)
            }
        }
    }

    /// The drift at which this outcome or a better one has probability `p`.
    fn drift_at(&self, p: f64) -> Option<f64> {
        let mut reach = 4.0 / self.pairs.sqrt();
        for _ in 0..20 {
            let (mut low, mut high) = (self.drift - reach, self.drift + reach);
            if self.as_good(low) <= p && self.as_good(high) >= p {
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if self.as_good(middle) < p {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                return Some((low + high) / 2.0);
            }
            reach *= 2.0;
        }
        None
    }
}
