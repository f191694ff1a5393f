//! The clocks of a game on a page: both sides have the same time.

use std::time::{Duration, Instant};

use crate::games::Side;
use crate::search::Clock;

/// Time left, and since when the mover's clock runs.
#[derive(Clone, Debug)]
pub struct GameClock {
    pub time: Duration,
    pub increment: Duration,
    pub left: [Duration; 2],
    running: Option<Instant>,
}

impl GameClock {
    pub fn new(time: Duration, increment: Duration) -> GameClock {
        GameClock {
            time,
            increment,
            left: [time; 2],
            running: None,
        }
    }

    pub fn start(&mut self) {
        self.running.get_or_insert_with(Instant::now);
    }

    /// Stops the mover's clock; the time since its start counts.
    pub fn pause(&mut self, mover: Side) {
        self.left[mover as usize] = self.left(mover, mover);
        self.running = None;
    }

    /// The mover has moved.
    pub fn press(&mut self, mover: Side) {
        self.pause(mover);
        self.left[mover as usize] += self.increment;
    }

    pub fn left(&self, side: Side, mover: Side) -> Duration {
        let left = self.left[side as usize];
        match self.running {
            Some(since) if side == mover => left.saturating_sub(since.elapsed()),
            _ => left,
        }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    pub fn has_fallen(&self, mover: Side) -> bool {
        self.is_running() && self.left(mover, mover).is_zero()
    }

    /// As a limit of a search.
    pub fn as_limit(&self) -> Clock {
        Clock {
            time: self.time,
            increment: self.increment,
            margin: Duration::ZERO,
            moves: None,
        }
    }
}
