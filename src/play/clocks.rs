//! The clocks of one game.

use std::time::Duration;

use crate::games::Side;
use crate::search::{Clock, TimeLeft};

/// The time left to each side; `None` without a clock.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    sides: [Option<Running>; 2],
    /// Whether the time of every move is measured, also of a side without a clock.
    pub measured: bool,
}

#[derive(Clone, Debug)]
struct Running {
    left: Duration,
    /// Moves until the clock's time is added again.
    moves: Option<u32>,
    clock: Clock,
}

impl Clocks {
    pub fn new(white: Option<Clock>, black: Option<Clock>) -> Clocks {
        let sides = [white, black].map(|clock| {
            clock.map(|clock| Running {
                left: clock.time,
                moves: clock.moves,
                clock,
            })
        });
        Clocks {
            measured: sides.iter().any(Option::is_some),
            sides,
        }
    }

    pub fn left(&self, side: Side) -> Option<TimeLeft> {
        self.sides[side as usize].as_ref().map(|running| TimeLeft {
            time: running.left,
            moves: running.moves,
        })
    }

    pub fn increment(&self, side: Side) -> Duration {
        let running = self.sides[side as usize].as_ref();
        running.map_or(Duration::ZERO, |running| running.clock.increment)
    }

    /// Subtracts the time of a move from a side's clock and adds the increment, and the time of the next
    /// period. False if the time ran out.
    pub fn spend(&mut self, side: Side, time: Duration) -> bool {
        let Some(running) = &mut self.sides[side as usize] else {
            return true;
        };
        if time > running.left + running.clock.margin {
            return false;
        }
        running.left = running.left.saturating_sub(time) + running.clock.increment;
        if let Some(moves) = &mut running.moves {
            *moves = moves.saturating_sub(1);
            if *moves == 0 {
                running.left += running.clock.time;
                running.moves = running.clock.moves;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(clocks: &Clocks, side: Side) -> Option<Duration> {
        clocks.left(side).map(|left| left.time)
    }

    #[test]
    fn time_is_added_after_each_period_of_moves() {
        let second = Duration::from_secs(1);
        let clock = Clock {
            time: 10 * second,
            increment: Duration::ZERO,
            margin: Duration::ZERO,
            moves: Some(3),
        };
        let mut clocks = Clocks::new(Some(clock), None);
        let mut seen = Vec::new();
        for seconds in [4, 4, 2, 4, 4, 1] {
            assert!(clocks.spend(Side::White, seconds * second));
            let now = clocks.left(Side::White).unwrap();
            seen.push((now.time.as_secs(), now.moves.unwrap()));
        }
        // The third move spends the last two seconds; what the sixth leaves is kept.
        let expected = [(6, 2), (2, 1), (10, 3), (6, 2), (2, 1), (11, 3)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_clock_runs_down_gains_its_increment_and_falls() {
        let ms = Duration::from_millis;
        let clock = Clock {
            time: ms(100),
            increment: ms(10),
            margin: ms(5),
            moves: None,
        };
        let mut clocks = Clocks::new(Some(clock), None);
        assert!(clocks.spend(Side::Black, ms(9999)), "no clock, no limit");
        assert!(clocks.spend(Side::White, ms(60)));
        assert_eq!(left(&clocks, Side::White), Some(ms(50)));
        // Within the margin: the clock is empty, but not fallen.
        assert!(clocks.spend(Side::White, ms(54)));
        assert_eq!(left(&clocks, Side::White), Some(ms(10)));
        assert!(!clocks.spend(Side::White, ms(16)));
    }
}
