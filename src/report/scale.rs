//! Axis scales: values to positions, and round tick values.

/// The kind of scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    Linear,
    /// Logarithmic, for values above 0.
    Ratio,
}

/// Maps a range of values to a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
    pub spread: Spread,
}

impl Scale {
    pub fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        // Widen the range of a single value, so that it is in the middle.
        let (low, high) = if high > low {
            (low, high)
        } else {
            (low - 1.0, low + 1.0)
        };
        Scale {
            low,
            high,
            from,
            to,
            spread: Spread::Linear,
        }
    }

    pub fn ratio((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        let low = low.max(f64::MIN_POSITIVE);
        Scale {
            low,
            high: high.max(low * 2.0),
            from,
            to,
            spread: Spread::Ratio,
        }
    }

    /// The position of a value, clamped to the range.
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.spread {
            Spread::Linear => (value - self.low) / (self.high - self.low),
            Spread::Ratio => {
                let value = value.max(self.low);
                (value / self.low).ln() / (self.high / self.low).ln()
            }
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Round values within the scale, at most `most` of them.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        match self.spread {
            Spread::Linear => {
                let step = round_step((self.high - self.low) / most.max(1) as f64);
                let first = (self.low / step - 1e-9).ceil() as i64;
                let last = (self.high / step + 1e-9).floor() as i64;
                (first..=last).map(|index| index as f64 * step).collect()
            }
            Spread::Ratio => powers(self.low, self.high, most),
        }
    }
}

/// The smallest step of the form 1, 2 or 5 times a power of ten that is at least `least`.
pub fn round_step(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let found = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    found.unwrap_or(10.0 * power)
}

/// Powers of ten, plus 2 and 5 times those if there is room.
fn powers(low: f64, high: f64, most: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = |factors: &[f64]| -> Vec<f64> {
        let ticks = (first..=last)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        ticks
            .filter(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9))
            .collect()
    };
    let dense = all(&[1.0, 2.0, 5.0]);
    if dense.len() <= most {
        return dense;
    }
    let mut sparse = all(&[1.0]);
    while sparse.len() > most.max(2) {
        sparse = sparse.into_iter().step_by(2).collect();
    }
    sparse
}

/// The ends of a linear axis that includes all values and ends on round numbers, with about `steps`
/// steps.
pub fn round_ends(low: f64, high: f64, steps: usize) -> (f64, f64) {
    let step = round_step((high - low).max(1e-9) / steps.max(1) as f64);
    (
        (low / step + 1e-9).floor() * step,
        (high / step - 1e-9).ceil() * step,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let scale = Scale::linear((-13.0, 107.0), (0.0, 100.0));
        assert_eq!(scale.ticks(6), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let scale = Scale::ratio((80.0, 30_000.0), (0.0, 100.0));
        assert_eq!(scale.ticks(4), [100.0, 1000.0, 10_000.0]);
    }

    #[test]
    fn values_stand_where_they_belong() {
        let scale = Scale::linear((0.0, 10.0), (100.0, 0.0));
        assert_eq!(scale.at(2.5), 75.0);
        assert_eq!(scale.at(99.0), 0.0);
        let scale = Scale::ratio((1.0, 100.0), (0.0, 100.0));
        assert!((scale.at(10.0) - 50.0).abs() < 1e-9);
        // One value alone has no extent.
        assert_eq!(Scale::linear((3.0, 3.0), (0.0, 10.0)).at(3.0), 5.0);
    }

    #[test]
    fn ends_are_round_and_hold_the_values() {
        assert_eq!(round_ends(-3.0, 97.0, 5), (-20.0, 100.0));
        assert_eq!(round_ends(0.0, 100.0, 5), (0.0, 100.0));
    }
}
