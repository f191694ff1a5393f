//! Brownian motion between two absorbing barriers: what the log-likelihood ratio of a sequential
//! test does, to good approximation, between its bounds.
//!
//! Everything follows from mirror images: the motion between the barriers is a sum over motions
//! without barriers that start at the images of the start (W. Feller, "An Introduction to
//! Probability Theory and Its Applications", volume 2, chapter X).

use super::normal::{cdf, log_cdf};

/// The two barriers, as positive distances from the start, in standard deviations of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corridor {
    pub above: f64,
    pub below: f64,
}

/// Beyond this many squared widths of the corridor nothing is left in it.
const ENDLESS: f64 = 1e3;

impl Corridor {
    fn width(&self) -> f64 {
        self.above + self.below
    }

    fn flipped(&self) -> Corridor {
        Corridor {
            above: self.below,
            below: self.above,
        }
    }

    /// P(the upper barrier is reached first), without a limit of time.
    pub fn reaches_above(&self, drift: f64) -> f64 {
        let (start, all) = (2.0 * drift * self.below, 2.0 * drift * self.width());
        if all.abs() < 1e-9 {
            self.below / self.width()
        } else if drift > 0.0 {
            (-start).exp_m1() / (-all).exp_m1()
        } else {
            (2.0 * drift * self.above).exp() * start.exp_m1() / all.exp_m1()
        }
    }

    /// Expected time until a barrier is reached.
    pub fn mean_time(&self, drift: f64) -> f64 {
        if (drift * self.width()).abs() < 1e-5 {
            return self.above * self.below;
        }
        let reaches_above = self.reaches_above(drift);
        (self.above * reaches_above - self.below * (1.0 - reaches_above)) / drift
    }

    /// P(the upper barrier is reached first, and by `time`).
    pub fn reaches_above_by(&self, drift: f64, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        if time > ENDLESS * self.width() * self.width() {
            return self.reaches_above(drift);
        }
        let (speed, root) = (drift.abs(), time.sqrt());
        let image = |distance: f64| {
            // A motion without barriers reaches this distance by `time`.
            let ahead = (speed * time - distance) / root;
            let behind = (-speed * time - distance) / root;
            weighted_cdf(drift * self.above - distance * speed, ahead)
                + weighted_cdf(drift * self.above + distance * speed, behind)
        };
        let mut sum = image(self.above);
        for pair in 1..100_000 {
            let step = 2.0 * self.width() * f64::from(pair);
            let (near, far) = (image(step - self.above), image(step + self.above));
            sum += far - near;
            if near < 1e-17 {
                break;
            }
        }
        sum.clamp(0.0, 1.0)
    }

    /// P(the lower barrier is reached first, and by `time`).
    pub fn reaches_below_by(&self, drift: f64, time: f64) -> f64 {
        self.flipped().reaches_above_by(-drift, time)
    }

    /// P(neither barrier is reached by `time`).
    pub fn stays(&self, drift: f64, time: f64) -> f64 {
        let reached = self.reaches_above_by(drift, time) + self.reaches_below_by(drift, time);
        (1.0 - reached).clamp(0.0, 1.0)
    }

    /// P(neither barrier is reached by `time`, and the motion is then above `position`).
    pub fn stays_above(&self, drift: f64, time: f64, position: f64) -> f64 {
        let root = time.sqrt();
        let between = |image: f64| {
            let scaled = |place: f64| (place - image - drift * time) / root;
            let (from, to) = (scaled(position), scaled(self.above));
            // In the tail that keeps its accuracy.
            let weight = drift * image;
            if from > 0.0 {
                weighted_cdf(weight, -from) - weighted_cdf(weight, -to)
            } else {
                weighted_cdf(weight, to) - weighted_cdf(weight, from)
            }
        };
        let mirrored = 2.0 * self.above;
        let mut sum = between(0.0) - between(mirrored);
        let reach = drift.abs() * time + 10.0 * root + self.width();
        for pair in 1..100_000 {
            let step = 2.0 * self.width() * f64::from(pair);
            sum += between(step) + between(-step);
            sum -= between(mirrored + step) + between(mirrored - step);
            if step > reach {
                break;
            }
        }
        sum.clamp(0.0, 1.0)
    }

    /// Expected time until a barrier is reached or `limit` is.
    pub fn mean_time_up_to(&self, drift: f64, limit: f64) -> f64 {
        let rest = self.stays(drift, limit);
        if rest < 1e-7 {
            return self.mean_time(drift);
        }
        // Simpson's rule on the probability that the motion still runs.
        const PARTS: u32 = 400;
        let step = limit / f64::from(PARTS);
        let mut sum = 1.0 + rest;
        for part in 1..PARTS {
            let weight = if part % 2 == 1 { 4.0 } else { 2.0 };
            sum += weight * self.stays(drift, step * f64::from(part));
        }
        (sum * step / 3.0).min(limit)
    }
}

/// exp(weight) cdf(x), also where exp(weight) alone overflows.
fn weighted_cdf(weight: f64, x: f64) -> f64 {
    if weight.abs() < 600.0 && x > -8.0 {
        weight.exp() * cdf(x)
    } else {
        (weight + log_cdf(x)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORRIDOR: Corridor = Corridor {
        above: 3.0,
        below: 2.0,
    };

    #[test]
    fn every_path_is_above_below_or_inside() {
        for drift in [-2.0, -0.4, 0.0, 0.05, 1.0] {
            for time in [0.01, 0.5, 2.0, 10.0, 60.0] {
                let inside = CORRIDOR.stays_above(drift, time, -CORRIDOR.below);
                let stays = CORRIDOR.stays(drift, time);
                assert!(
                    (inside - stays).abs() < 1e-9,
                    "{drift} {time}: {inside} {stays}"
                );
            }
        }
    }

    /// By the expansion in eigenfunctions instead of images, mpmath with 30 digits.
    #[test]
    fn images_agree_with_eigenfunctions() {
        for (above, below, drift, time, reached, stays) in [
            (3.0, 2.0, 0.0, 2.0, 0.0338941104263169, 0.808806697940656),
            (3.0, 2.0, 0.4, 5.0, 0.462949764824111, 0.399392263071799),
            (3.0, 2.0, -0.4, 5.0, 0.0419978551406582, 0.276177745551305),
            (3.0, 2.0, 1.0, 1.0, 0.0355272227975589, 0.960217006832002),
            (3.0, 2.0, -1.0, 1.0, 8.80631808403597e-5, 0.767554747627322),
            (
                29.0,
                29.0,
                0.05,
                600.0,
                0.660931442618279,
                0.302701981172337,
            ),
            (
                29.0,
                29.0,
                -0.05,
                600.0,
                0.0363665762093843,
                0.302701981172337,
            ),
            (
                29.0,
                29.0,
                0.0,
                3000.0,
                0.492190520870925,
                0.0156189582581498,
            ),
            (
                10.0,
                40.0,
                0.02,
                200.0,
                0.576018688331241,
                0.421958164308988,
            ),
        ] {
            let corridor = Corridor { above, below };
            let found = corridor.reaches_above_by(drift, time);
            assert!((found - reached).abs() < 1e-12, "{drift} {time}: {found}");
            let found = corridor.stays(drift, time);
            assert!((found - stays).abs() < 1e-12, "{drift} {time}: {found}");
        }
    }

    #[test]
    fn in_the_long_run_every_path_ends_at_a_barrier() {
        for drift in [-1.5, -0.2, 0.0, 1e-7, 0.2, 1.5] {
            let above = CORRIDOR.reaches_above_by(drift, 800.0);
            assert!(
                (above - CORRIDOR.reaches_above(drift)).abs() < 1e-9,
                "{drift}: {above}"
            );
            let (direct, summed) = (
                CORRIDOR.mean_time(drift),
                CORRIDOR.mean_time_up_to(drift, 400.0),
            );
            assert!(
                (summed / direct - 1.0).abs() < 2e-3,
                "{drift}: {summed} {direct}"
            );
        }
        assert!((CORRIDOR.reaches_above(0.0) - 0.4).abs() < 1e-12);
        assert!((CORRIDOR.mean_time(0.0) - 6.0).abs() < 1e-12);
    }
}
