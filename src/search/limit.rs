//! When a search ends.

use std::time::Duration;

use super::MAX_PLY;

/// When a search ends: at whichever of these comes first. Depth and nodes are deterministic;
/// time is not, and runs that use it say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Plies looked ahead, at least 1.
    pub depth: u32,
    /// Positions visited, exactly, unless the depth is reached before.
    pub nodes: Option<u64>,
    pub time: Option<TimeLimit>,
    /// For whole games. A search knows one move: whoever plays turns it into a time by
    /// [`Limit::on_clock`].
    pub clock: Option<Clock>,
}

/// The time of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub time: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// What may be missing before the game is lost.
    pub margin: Duration,
}

/// A limit that depends on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// No new depth is begun after this.
    pub soft: Duration,
    /// The search is broken off after this.
    pub hard: Duration,
}

impl Limit {
    /// The greatest depth that can be asked for.
    pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

    /// As long as it takes.
    pub const NONE: Limit = Limit {
        depth: Limit::MAX_DEPTH,
        nodes: None,
        time: None,
        clock: None,
    };

    pub const fn depth(depth: u32) -> Limit {
        Limit {
            depth,
            ..Limit::NONE
        }
    }

    pub const fn nodes(nodes: u64) -> Limit {
        Limit {
            nodes: Some(nodes),
            ..Limit::NONE
        }
    }

    /// All of `time` for one move.
    pub const fn movetime(time: Duration) -> Limit {
        Limit {
            time: Some(TimeLimit {
                soft: time,
                hard: time,
            }),
            ..Limit::NONE
        }
    }

    /// A share of what the clock holds, `moves` to go until more time comes.
    pub fn clock(remaining: Duration, increment: Duration, moves: Option<u32>) -> Limit {
        const USUAL_MOVES_TO_GO: u32 = 25;
        let moves = moves
            .unwrap_or(USUAL_MOVES_TO_GO)
            .clamp(1, USUAL_MOVES_TO_GO);
        // Some is always kept for what happens outside the search: on a busy machine a process may
        // wait that long for its turn.
        let spendable = remaining
            .saturating_sub(Duration::from_millis(50))
            .max(remaining / 10);
        let share = spendable / moves + increment * 3 / 4;
        Limit {
            time: Some(TimeLimit {
                soft: (share * 6 / 10).min(spendable / 2),
                hard: (share * 3).min(spendable * 6 / 10),
            }),
            ..Limit::NONE
        }
    }

    /// This limit for a move, with so much left on the clock.
    pub fn on_clock(&self, left: Duration) -> Limit {
        let increment = self.clock.map_or(Duration::ZERO, |clock| clock.increment);
        Limit {
            time: Limit::clock(left, increment, None).time,
            ..*self
        }
    }

    /// The same search gives the same result on any machine.
    pub const fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.clock.is_none()
    }

    /// Nothing ends the search but the greatest depth there is.
    pub fn is_none(&self) -> bool {
        *self == Limit::NONE
    }

    /// Only the depth ends the search, so it need not be deepened step by step.
    pub(super) const fn is_depth_alone(&self) -> bool {
        self.nodes.is_none() && self.time.is_none()
    }
}
