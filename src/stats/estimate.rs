//! A figure with its 95 % interval, and how the interval was found.

/// Where an interval comes from. `Normal` is the usual formula; the others replace it where it
/// gives nothing finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// No result yet: value and bounds are unknown.
    Nothing,
    /// Estimate +- t standard errors, with t = 1.96 for many results and more for few.
    Normal,
    /// Wilson's interval, because the normal one would leave the scores between 0 and 1.
    Wilson,
    /// Exact tail probability, because all results are alike and their spread is unknown.
    Exact,
    /// Holds at every time, however often one looks; see [`Anytime`](super::Anytime).
    Anytime,
    /// Ordering of the outcomes of a sequential test, because the test stopped itself.
    Stopped,
    /// A likelihood with a stated prior, because the data alone allow any value.
    Prior,
}

impl Basis {
    /// The name in tables and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Basis::Nothing => "nothing",
            Basis::Normal => "normal",
            Basis::Wilson => "wilson",
            Basis::Exact => "exact",
            Basis::Anytime => "anytime",
            Basis::Stopped => "stopped",
            Basis::Prior => "prior",
        }
    }
}

/// A value with the ends of its 95 % interval, all in the same unit.
///
/// Each part is `None` when the data do not bound it: after wins only, Elo has a lower end but
/// neither a value nor an upper end. Present values are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub basis: Basis,
}

impl Estimate {
    /// An unknown figure.
    pub const UNKNOWN: Estimate = Estimate {
        value: None,
        low: None,
        high: None,
        basis: Basis::Nothing,
    };

    /// Half the width of the interval (the figure after +-), if it has two ends.
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// The same estimate seen by the other side.
    pub fn negated(&self) -> Estimate {
        Estimate {
            value: self.value.map(|x| 0.0 - x),
            low: self.high.map(|x| 0.0 - x),
            high: self.low.map(|x| 0.0 - x),
            basis: self.basis,
        }
    }
}
