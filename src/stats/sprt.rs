//! The sequential probability ratio test on opening pairs (or single games).
//!
//! Decides between two strengths. The caller plays and stops the games. Results must arrive in
//! index order, so that the verdict does not depend on thread timing.

use super::elo::{elo_to_score, nelo_per_t};
use super::likelihood::{Constraint, increments, log_ratio};
use super::pentanomial::{PairResult, Pentanomial};
use super::score::Wdl;
use std::fmt;

/// The unit in which the two hypotheses are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Elo of the logistic curve: fixes the mean score.
    Logistic,
    /// Normalised Elo: fixes the lead in standard deviations of one game, so that the number of
    /// games needed barely depends on the draw rate.
    Normalized,
}

impl Model {
    pub const ALL: [Model; 2] = [Model::Normalized, Model::Logistic];

    /// The largest hypothesis the test accepts, in the model's Elo. Beyond it nearly every pair is a
    /// double win, which carries no information, and the equations become ill-conditioned.
    pub const fn limit(self) -> f64 {
        match self {
            Model::Logistic => 1000.0,
            Model::Normalized => 200.0,
        }
    }

    /// As configs and the command line spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }

    /// What a hypothesis of `elo` fixes about samples of N games.
    pub(super) fn constraint(self, elo: f64, games_per_sample: f64) -> Constraint {
        match self {
            Model::Logistic => Constraint::Mean(elo_to_score(elo)),
            Model::Normalized => Constraint::Lead(elo / nelo_per_t() * games_per_sample.sqrt()),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The verdict so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Undecided: play on.
    Continue,
    /// The player is not stronger than `elo0`.
    AcceptH0,
    /// The player is at least `elo1` stronger.
    AcceptH1,
}

impl Verdict {
    pub const ALL: [Verdict; 3] = [Verdict::Continue, Verdict::AcceptH0, Verdict::AcceptH1];

    /// As logs and `--json` spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Continue => "continue",
            Verdict::AcceptH0 => "H0",
            Verdict::AcceptH1 => "H1",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SprtError {
    /// The hypotheses must differ, the first being the lower one.
    Order { elo0: f64, elo1: f64 },
    /// Beyond the test's range, or not a number.
    Range {
        name: &'static str,
        value: f64,
        model: Model,
    },
    /// An error rate must lie strictly between 0 and 1.
    Rate { name: &'static str, value: f64 },
    /// Together the error rates must stay below 1, or the bounds would cross.
    Rates { alpha: f64, beta: f64 },
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Order { elo0, elo1 } => write!(
                f,
                "elo0 = {elo0}, elo1 = {elo1}: elo0 must be below elo1, because H1 is the gain"
            ),
            SprtError::Range { name, value, model } => write!(
                f,
                "{name} = {value}: must lie between -{limit} and {limit} in the {model} model",
                limit = model.limit()
            ),
            SprtError::Rate { name, value } => write!(
                f,
                "{name} = {value}: must lie between 0 and 1, for example 0.05"
            ),
            SprtError::Rates { alpha, beta } => write!(
                f,
                "alpha = {alpha}, beta = {beta}: must add up to less than 1, for example 0.05 each"
            ),
        }
    }
}

impl std::error::Error for SprtError {}

/// A generalised sequential probability ratio test: H0 "elo0" against H1 "elo1".
///
/// ```
/// use sparring::stats::{Model, Pentanomial, Sprt, Verdict};
///
/// let sprt = Sprt::new(Model::Normalized, 0.0, 5.0)?;
/// let llr = sprt.llr(&Pentanomial::new(20, 180, 600, 220, 30));
/// assert!((llr - 1.3987).abs() < 0.0001);
/// assert_eq!(sprt.verdict(llr), Verdict::Continue);
/// # Ok::<(), sparring::stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Error rates of 5 % each; elo0 and elo1 in the model's Elo, from the tested player's side.
    pub fn new(model: Model, elo0: f64, elo1: f64) -> Result<Sprt, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.is_nan() || value.abs() > model.limit() {
                return Err(SprtError::Range { name, value, model });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        Ok(Sprt {
            model,
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        })
    }

    /// `alpha`: how often H1 may be accepted at a true strength of elo0; `beta`: how often H0 at
    /// elo1.
    pub fn with_error_rates(self, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(SprtError::Rate { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Sprt {
            alpha,
            beta,
            ..self
        })
    }

    pub fn model(&self) -> Model {
        self.model
    }

    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// At or below this log-likelihood ratio H0 is accepted: Wald's ln(beta / (1 - alpha)).
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this log-likelihood ratio H1 is accepted: Wald's ln((1 - beta) / alpha).
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Log-likelihood ratio of H1 over H0 from pairs. Positive speaks for H1; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        self.log_ratio(pairs.weights(), 2.0)
    }

    /// Log-likelihood ratio from single games, for results that were not played in pairs.
    pub fn llr_games(&self, games: &Wdl) -> f64 {
        self.log_ratio(games.weights(), 1.0)
    }

    fn log_ratio<const N: usize>(&self, counts: [f64; N], games_per_sample: f64) -> f64 {
        log_ratio(
            counts,
            self.model.constraint(self.elo0, games_per_sample),
            self.model.constraint(self.elo1, games_per_sample),
        )
    }

    /// Standard deviation of what one pair adds to the ratio, if pairs are distributed as these
    /// counts.
    pub(super) fn step_deviation(&self, counts: [f64; 5]) -> Option<f64> {
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let steps = increments(
            &shares,
            self.model.constraint(self.elo0, 2.0),
            self.model.constraint(self.elo1, 2.0),
        );
        let moment = |power: i32, around: f64| -> f64 {
            let parts = shares.iter().zip(&steps);
            parts.map(|(p, x)| p * (x - around).powi(power)).sum()
        };
        let deviation = moment(2, moment(1, 0.0)).sqrt();
        (deviation > 0.0 && deviation.is_finite()).then_some(deviation)
    }

    /// What the hypotheses fix about pairs: mean score, or lead / deviation.
    pub(super) fn constraint_values(&self) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model.constraint(elo, 2.0) {
            Constraint::Mean(value) | Constraint::Lead(value) => value,
        })
    }

    /// What a log-likelihood ratio means. Sound only for the first ratio that crosses a bound; see
    /// [`SequentialTest`].
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper_bound() {
            Verdict::AcceptH1
        } else if llr <= self.lower_bound() {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

/// A test under way: takes pairs one by one, in index order, and stops at the one that decides.
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialTest {
    sprt: Sprt,
    counts: Pentanomial,
    llr: f64,
    verdict: Verdict,
}

impl SequentialTest {
    pub fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest {
            sprt,
            counts: Pentanomial::default(),
            llr: 0.0,
            verdict: Verdict::Continue,
        }
    }

    /// Counts the next pair and returns whether it decides. Pairs after the deciding one are ignored:
    /// the figures do not depend on pairs still in progress.
    pub fn push(&mut self, pair: PairResult) -> Verdict {
        if self.verdict == Verdict::Continue {
            self.counts.push(pair);
            self.llr = self.sprt.llr(&self.counts);
            self.verdict = self.sprt.verdict(self.llr);
        }
        self.verdict
    }

    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The pairs counted: all, or those up to and including the deciding one.
    pub fn counts(&self) -> &Pentanomial {
        &self.counts
    }

    /// After the last counted pair.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// How many pairs it took to decide; the deciding pair has this number, counted from 1.
    pub fn decided_after(&self) -> Option<u64> {
        (self.verdict != Verdict::Continue).then(|| self.counts.pairs())
    }
}
