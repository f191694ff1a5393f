//! Counts of opening pairs: two games from one opening with colours swapped.

use super::score::{PlayerResult, share};
use std::ops::{Add, AddAssign};

/// Both games of a pair together, for the player whose statistics are kept; the order of the two
/// games does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairResult {
    LossLoss,
    LossDraw,
    /// One point of two: two draws, or a win and a loss.
    Level,
    WinDraw,
    WinWin,
}

impl PairResult {
    pub const ALL: [PairResult; 5] = [
        PairResult::LossLoss,
        PairResult::LossDraw,
        PairResult::Level,
        PairResult::WinDraw,
        PairResult::WinWin,
    ];

    pub fn of(one: PlayerResult, other: PlayerResult) -> PairResult {
        PairResult::ALL[(one.half_points() + other.half_points()) as usize]
    }

    /// Half points out of 4.
    pub const fn half_points(self) -> u64 {
        self as u64
    }

    /// The same pair for the opponent.
    pub fn swapped(self) -> PairResult {
        PairResult::ALL[4 - self as usize]
    }
}

/// Counts of pairs by their score: 0, 1/2, 1, 3/2, 2 points of 2.
///
/// Pairs, not games: both games of a pair share an opening, so they are not independent of each
/// other, but pairs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial {
    pub ll: u64,
    pub ld: u64,
    /// Two draws, or a win and a loss.
    pub dd_wl: u64,
    pub wd: u64,
    pub ww: u64,
}

impl Pentanomial {
    pub const fn new(ll: u64, ld: u64, dd_wl: u64, wd: u64, ww: u64) -> Pentanomial {
        Pentanomial {
            ll,
            ld,
            dd_wl,
            wd,
            ww,
        }
    }

    /// In the order LL, LD, DD+WL, WD, WW.
    pub const fn from_array(counts: [u64; 5]) -> Pentanomial {
        Pentanomial::new(counts[0], counts[1], counts[2], counts[3], counts[4])
    }

    /// In the order LL, LD, DD+WL, WD, WW.
    pub const fn to_array(&self) -> [u64; 5] {
        [self.ll, self.ld, self.dd_wl, self.wd, self.ww]
    }

    pub fn pairs(&self) -> u64 {
        self.to_array().iter().fold(0, |a, &b| a.saturating_add(b))
    }

    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    pub fn push(&mut self, pair: PairResult) {
        let count = match pair {
            PairResult::LossLoss => &mut self.ll,
            PairResult::LossDraw => &mut self.ld,
            PairResult::Level => &mut self.dd_wl,
            PairResult::WinDraw => &mut self.wd,
            PairResult::WinWin => &mut self.ww,
        };
        *count = count.saturating_add(1);
    }

    /// The same pairs for the opponent.
    pub const fn swapped(&self) -> Pentanomial {
        Pentanomial::new(self.ww, self.wd, self.dd_wl, self.ld, self.ll)
    }

    /// Level pairs as a share of all, 0 to 1. Not the share of drawn games: these counts no longer
    /// tell two draws from a win and a loss; for that ask the games' `Wdl`.
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.dd_wl as f64, self.weights().iter().sum())
    }

    /// Pairs won for each pair lost, (WD + WW) / (LL + LD); unknown while no pair is lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.weights();
        share(wd + ww, ll + ld)
    }

    /// Points (a draw is half a point).
    pub fn points(&self) -> f64 {
        let [_, ld, level, wd, ww] = self.weights();
        0.5 * ld + level + 1.5 * wd + 2.0 * ww
    }

    /// Counts in order of the score they earn: 0, 1/4, 1/2, 3/4, 1.
    pub(super) fn weights(&self) -> [f64; 5] {
        self.to_array().map(|count| count as f64)
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        let (a, b) = (self.to_array(), other.to_array());
        Pentanomial::from_array(std::array::from_fn(|i| a[i].saturating_add(b[i])))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}

impl FromIterator<PairResult> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = PairResult>>(pairs: I) -> Pentanomial {
        let mut counts = Pentanomial::default();
        for pair in pairs {
            counts.push(pair);
        }
        counts
    }
}
