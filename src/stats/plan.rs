//! What a sequential test will cost, and what it can find, before a game is played.
//!
//! The log-likelihood ratio is taken as Brownian motion whose drift and variance per pair follow
//! exactly from the pairs expected; its bounds are moved out by 0.583 standard deviations of one
//! pair, because the ratio moves in steps and overshoots them (D. Siegmund, "Sequential Analysis",
//! 1985, chapter X). Leaves deciding to `sprt`.

use super::corridor::Corridor;
use super::davidson::Chances;
use super::elo::{nelo_per_t, score_to_elo};
use super::likelihood::increments;
use super::normal::{Z95, quantile};
use super::sprt::{Model, Sprt};
use std::fmt;

/// Mean overshoot of a bound by a random walk, in standard deviations of one step.
pub(super) const OVERSHOOT: f64 = 0.583;

/// Power at which a difference counts as detectable in a match of fixed length.
const POWER: f64 = 0.8;

/// Why there is no plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanError {
    /// The share of drawn games must be at least 0 and below 1.
    Draws(f64),
    /// A match needs at least one pair.
    NoPairs,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Draws(value) => write!(
                f,
                "draws = {value}: must be at least 0 and at most 0.99, the share of drawn games \
                 between equal players, for example 0.5"
            ),
            PlanError::NoPairs => f.write_str("pairs = 0: must be at least 1"),
        }
    }
}

impl std::error::Error for PlanError {}

/// A test that is about to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    sprt: Sprt,
    draws: f64,
    pairs: Option<u64>,
}

/// What happens at one true difference between the players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The true difference, logistic Elo.
    pub elo: f64,
    /// The true difference, normalised Elo.
    pub nelo: f64,
    /// Probabilities; they add up to 1.
    pub accept_h0: f64,
    pub accept_h1: f64,
    /// No verdict within the pairs allowed; 0 without a limit.
    pub undecided: f64,
    /// Expected pairs until the verdict, or until the pairs allowed are used up.
    pub mean_pairs: f64,
    /// Half of all tests are over after this many pairs, if that is within the pairs allowed.
    pub median_pairs: Option<f64>,
}

impl Plan {
    /// `draws` is the share of drawn games between equal players; `pairs` the most that are played.
    pub fn new(sprt: Sprt, draws: f64, pairs: Option<u64>) -> Result<Plan, PlanError> {
        if !(0.0..=0.99).contains(&draws) {
            return Err(PlanError::Draws(draws));
        }
        if pairs == Some(0) {
            return Err(PlanError::NoPairs);
        }
        Ok(Plan { sprt, draws, pairs })
    }

    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    pub fn draws(&self) -> f64 {
        self.draws
    }

    pub fn pairs(&self) -> Option<u64> {
        self.pairs
    }

    /// At H0, halfway between the hypotheses, and at H1.
    pub fn outlooks(&self) -> [Outlook; 3] {
        let (elo0, elo1) = (self.sprt.elo0(), self.sprt.elo1());
        [elo0, (elo0 + elo1) / 2.0, elo1].map(|elo| self.at(elo))
    }

    /// At a true difference in the Elo of the test's model.
    pub fn at(&self, elo: f64) -> Outlook {
        let match_up = MatchUp::at(self.sprt.model(), elo, self.draws);
        let walk = self.walk(&match_up);
        let limit = self.pairs.map(|pairs| pairs as f64);
        let (above, below, mean) = match limit {
            Some(limit) => (
                walk.corridor.reaches_above_by(walk.drift, limit),
                walk.corridor.reaches_below_by(walk.drift, limit),
                walk.corridor.mean_time_up_to(walk.drift, limit),
            ),
            None => {
                let above = walk.corridor.reaches_above(walk.drift);
                (above, 1.0 - above, walk.corridor.mean_time(walk.drift))
            }
        };
        let median = walk.time_until(0.5);
        let (logistic, normalised) = match self.sprt.model() {
            Model::Logistic => (elo, match_up.normalised()),
            Model::Normalized => (match_up.logistic(), elo),
        };
        Outlook {
            elo: logistic,
            nelo: normalised,
            accept_h0: below,
            accept_h1: above,
            undecided: (1.0 - above - below).clamp(0.0, 1.0),
            mean_pairs: mean,
            median_pairs: (limit.is_none_or(|limit| median <= limit)).then_some(median),
        }
    }

    /// Pairs that leave at most `share` of all tests undecided, wherever the true difference lies
    /// between the hypotheses.
    pub fn pairs_to_decide(&self, share: f64) -> f64 {
        let (elo0, elo1) = (self.sprt.elo0(), self.sprt.elo1());
        let times = [0.3, 0.4, 0.5, 0.6, 0.7].map(|part| {
            let elo = elo0 + part * (elo1 - elo0);
            let match_up = MatchUp::at(self.sprt.model(), elo, self.draws);
            self.walk(&match_up).time_until(1.0 - share)
        });
        times.into_iter().fold(0.0, f64::max).ceil()
    }

    fn walk(&self, match_up: &MatchUp) -> Walk {
        let [zero, one] =
            [self.sprt.elo0(), self.sprt.elo1()].map(|elo| self.sprt.model().constraint(elo, 2.0));
        let steps = increments(&match_up.pairs, zero, one);
        let mean: f64 = steps.iter().zip(&match_up.pairs).map(|(x, p)| x * p).sum();
        let variance: f64 = steps
            .iter()
            .zip(&match_up.pairs)
            .map(|(x, p)| p * (x - mean).powi(2))
            .sum();
        let deviation = variance.sqrt();
        Walk {
            drift: mean / deviation,
            corridor: Corridor {
                above: self.sprt.upper_bound() / deviation + OVERSHOOT,
                below: -self.sprt.lower_bound() / deviation + OVERSHOOT,
            },
        }
    }
}

/// The log-likelihood ratio in standard deviations of one pair.
struct Walk {
    drift: f64,
    corridor: Corridor,
}

impl Walk {
    /// The pairs after which this share of all tests is over.
    fn time_until(&self, share: f64) -> f64 {
        let mut high = self.corridor.above * self.corridor.below;
        while self.corridor.stays(self.drift, high) > 1.0 - share {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.corridor.stays(self.drift, middle) > 1.0 - share {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Opening pairs of two players: independent games under Davidson's model of draws.
struct MatchUp {
    /// Shares of LL, LD, DD+WL, WD, WW.
    pairs: [f64; 5],
}

impl MatchUp {
    /// Strengths that differ by `x`, natural logarithms.
    fn of(x: f64, draws: f64) -> MatchUp {
        let game = Chances::at(x, 2.0 * draws / (1.0 - draws));
        let game = [game.loss, game.draw, game.win];
        let mut pairs = [0.0; 5];
        for (i, one) in game.iter().enumerate() {
            for (j, other) in game.iter().enumerate() {
                pairs[i + j] += one * other;
            }
        }
        MatchUp { pairs }
    }

    /// Players that are `elo` apart in the model's Elo.
    fn at(model: Model, elo: f64, draws: f64) -> MatchUp {
        let (mut low, mut high) = (-60.0, 60.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            let match_up = MatchUp::of(middle, draws);
            let found = match model {
                Model::Logistic => match_up.logistic(),
                Model::Normalized => match_up.normalised(),
            };
            if found < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        MatchUp::of(high, draws)
    }

    fn moments(&self) -> (f64, f64) {
        let scored = || {
            self.pairs
                .iter()
                .zip(0..)
                .map(|(p, i)| (p, f64::from(i) / 4.0))
        };
        let mean: f64 = scored().map(|(p, a)| p * a).sum();
        (mean, scored().map(|(p, a)| p * (a - mean).powi(2)).sum())
    }

    fn logistic(&self) -> f64 {
        let (mean, _) = self.moments();
        score_to_elo(mean).unwrap_or(f64::MAX.copysign(mean - 0.5))
    }

    fn normalised(&self) -> f64 {
        let (mean, variance) = self.moments();
        (mean - 0.5) / (2.0 * variance).sqrt() * nelo_per_t()
    }
}

/// The smallest difference that a match of N pairs, all played, finds in 80 % of
/// cases: the 95 % interval then lies above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detectable {
    /// Logistic Elo.
    pub elo: f64,
    /// Normalised Elo.
    pub nelo: f64,
}

impl Detectable {
    /// `draws` is the share of drawn games between equal players.
    pub fn with(pairs: u64, draws: f64) -> Result<Detectable, PlanError> {
        if !(0.0..=0.99).contains(&draws) {
            return Err(PlanError::Draws(draws));
        }
        if pairs == 0 {
            return Err(PlanError::NoPairs);
        }
        let errors = Z95 + quantile(POWER).unwrap_or_default();
        let nelo = errors / (2.0 * pairs as f64).sqrt() * nelo_per_t();
        let match_up = MatchUp::at(Model::Normalized, nelo, draws);
        Ok(Detectable {
            elo: match_up.logistic(),
            nelo,
        })
    }
}
