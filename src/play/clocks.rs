//! The clocks of one game.

use std::time::Duration;

use crate::games::Side;
use crate::search::Clock;

/// The time left to each side; `None` without a clock.
#[derive(Clone, Debug, Default)]
pub struct Clocks([Option<Running>; 2]);

#[derive(Clone, Debug)]
struct Running {
    left: Duration,
    clock: Clock,
}

impl Clocks {
    pub fn new(white: Option<Clock>, black: Option<Clock>) -> Clocks {
        Clocks([white, black].map(|clock| {
            clock.map(|clock| Running {
                left: clock.time,
                clock,
            })
        }))
    }

    pub fn left(&self, side: Side) -> Option<Duration> {
        self.0[side as usize].as_ref().map(|running| running.left)
    }

    pub fn increment(&self, side: Side) -> Duration {
        let running = self.0[side as usize].as_ref();
        running.map_or(Duration::ZERO, |running| running.clock.increment)
    }

    /// Subtracts the time of a move from a side's clock and adds the increment. False if the time ran
    /// out.
    pub fn spend(&mut self, side: Side, time: Duration) -> bool {
        let Some(running) = &mut self.0[side as usize] else {
            return true;
        };
        if time > running.left + running.clock.margin {
            return false;
        }
        running.left = running.left.saturating_sub(time) + running.clock.increment;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_gains_its_increment_and_falls() {
        let ms = Duration::from_millis;
        let clock = Clock {
            time: ms(100),
            increment: ms(10),
            margin: ms(5),
        };
        let mut clocks = Clocks::new(Some(clock), None);
        assert!(clocks.spend(Side::Black, ms(9999)), "no clock, no limit");
        assert!(clocks.spend(Side::White, ms(60)));
        assert_eq!(clocks.left(Side::White), Some(ms(50)));
        // Within the margin: the clock is empty, but not fallen.
        assert!(clocks.spend(Side::White, ms(54)));
        assert_eq!(clocks.left(Side::White), Some(ms(10)));
        assert!(!clocks.spend(Side::White, ms(16)));
    }
}
