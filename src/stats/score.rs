//! Counts of single games, and the moments of a score that every other figure starts from.

use std::ops::{Add, AddAssign};

/// How one game ended for the player whose statistics are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerResult {
    Loss,
    Draw,
    Win,
}

impl PlayerResult {
    pub const ALL: [PlayerResult; 3] = [PlayerResult::Loss, PlayerResult::Draw, PlayerResult::Win];

    /// Half points: 0, 1 or 2.
    pub const fn half_points(self) -> u64 {
        self as u64
    }

    /// The same game for the opponent.
    pub const fn swapped(self) -> PlayerResult {
        match self {
            PlayerResult::Loss => PlayerResult::Win,
            PlayerResult::Draw => PlayerResult::Draw,
            PlayerResult::Win => PlayerResult::Loss,
        }
    }
}

/// Wins, draws and losses of one player, counted in games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl {
            wins,
            draws,
            losses,
        }
    }

    pub fn games(&self) -> u64 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    pub fn push(&mut self, result: PlayerResult) {
        let count = match result {
            PlayerResult::Win => &mut self.wins,
            PlayerResult::Draw => &mut self.draws,
            PlayerResult::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// The same games for the opponent.
    pub const fn swapped(&self) -> Wdl {
        Wdl::new(self.losses, self.draws, self.wins)
    }

    /// Drawn games as a share of all, 0 to 1.
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.draws as f64, self.weights().iter().sum())
    }

    /// Points (a draw is half a point).
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Counts in order of the score they earn: 0, 1/2, 1.
    pub(super) fn weights(&self) -> [f64; 3] {
        [self.losses as f64, self.draws as f64, self.wins as f64]
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins.saturating_add(other.wins),
            draws: self.draws.saturating_add(other.draws),
            losses: self.losses.saturating_add(other.losses),
        }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        *self = *self + other;
    }
}

impl FromIterator<PlayerResult> for Wdl {
    fn from_iter<I: IntoIterator<Item = PlayerResult>>(results: I) -> Wdl {
        let mut counts = Wdl::default();
        for result in results {
            counts.push(result);
        }
        counts
    }
}

/// `part` of `whole`, unless there is no whole.
pub(super) fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// Mean and spread of the score over samples that are independent: games of a
/// [`Wdl`], pairs of a `Pentanomial`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Number of independent samples, more than 0.
    pub samples: f64,
    /// Games in one sample: 1, or 2 for a pair.
    pub games_per_sample: f64,
    /// Mean score, 0 to 1.
    pub score: f64,
    /// 1 - score, summed on its own: a score within rounding of 1 keeps its distance from 1.
    pub shortfall: f64,
    /// Variance of one sample's score: the population variance (divided by n, not n - 1).
    pub variance: f64,
    /// Third central moment over the standard deviation cubed; 0 if all samples are alike.
    pub skewness: f64,
    /// Fourth central moment over the squared variance (3 for a normal distribution); 1 if all
    /// samples are alike.
    pub kurtosis: f64,
    /// All samples are alike. Decided on counts, because a computed variance of 0 could be
    /// rounding.
    pub alike: bool,
}

impl Moments {
    /// From counts of the N scores 0, 1/(N-1), ..., 1; `None` without samples.
    pub(super) fn of<const N: usize>(weights: [f64; N], games_per_sample: f64) -> Option<Moments> {
        let samples: f64 = weights.iter().sum();
        if samples <= 0.0 {
            return None;
        }
        let steps = (N - 1) as f64;
        let mut score = 0.0;
        let mut shortfall = 0.0;
        for (step, weight) in weights.iter().enumerate() {
            score += step as f64 * weight;
            shortfall += (steps - step as f64) * weight;
        }
        score /= samples * steps;
        shortfall /= samples * steps;
        let central = |power: i32| -> f64 {
            weights
                .iter()
                .enumerate()
                .map(|(step, weight)| weight / samples * (step as f64 / steps - score).powi(power))
                .sum()
        };
        let alike = weights.iter().filter(|&&weight| weight > 0.0).count() == 1;
        let variance = central(2);
        let (skewness, kurtosis) = if alike {
            (0.0, 1.0)
        } else {
            (
                central(3) / (variance * variance.sqrt()),
                central(4) / (variance * variance),
            )
        };
        Some(Moments {
            samples,
            games_per_sample,
            score,
            shortfall,
            variance,
            skewness,
            kurtosis,
            alike,
        })
    }

    /// Score above one half: positive when the player leads.
    pub fn lead(&self) -> f64 {
        (self.score - self.shortfall) / 2.0
    }

    /// Standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.samples).sqrt()
    }
}
