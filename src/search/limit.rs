//! When a search ends.

use std::time::Duration;

use super::MAX_PLY;

/// When a search ends: at the first limit reached. Limits of depth and nodes are deterministic;
/// limits of time are not, and runs that use them are marked as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Search depth in plies, at least 1.
    pub depth: u32,
    /// Exact number of nodes, unless the depth is reached first.
    pub nodes: Option<u64>,
    pub time: Option<TimeLimit>,
    /// The clock of a game. A search handles one move: the player converts the clock to a time
    /// limit with [`Limit::on_clock`].
    pub clock: Option<Clock>,
}

/// The time of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub time: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// How far the clock may run below zero before the game is lost.
    pub margin: Duration,
    /// The period: after each N moves of a player `time` is added again. `None`: one time for the whole game.
    pub moves: Option<u32>,
}

/// What a player has left on its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    pub time: Duration,
    /// Moves until time is added; `None` if none will be.
    pub moves: Option<u32>,
}

/// A limit that depends on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// No new depth starts after this.
    pub soft: Duration,
    /// The search stops after this.
    pub hard: Duration,
}

impl Limit {
    /// The greatest depth that can be requested.
    pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

    /// No limit but the greatest depth.
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

    /// A share of the clock, with `moves` left until the next time control.
    pub fn clock(remaining: Duration, increment: Duration, moves: Option<u32>) -> Limit {
        const USUAL_MOVES_TO_GO: u32 = 25;
        let moves = moves
            .unwrap_or(USUAL_MOVES_TO_GO)
            .clamp(1, USUAL_MOVES_TO_GO);
        // Keep a reserve: on a busy machine a process may wait that long to be scheduled.
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

    /// This limit for one move, with `left` on the clock.
    pub fn on_clock(&self, left: TimeLeft) -> Limit {
        let increment = self.clock.map_or(Duration::ZERO, |clock| clock.increment);
        Limit {
            time: Limit::clock(left.time, increment, left.moves).time,
            ..*self
        }
    }

    /// Whether the same search gives the same result on any machine.
    pub const fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.clock.is_none()
    }

    /// Whether only the greatest depth ends the search.
    pub fn is_none(&self) -> bool {
        *self == Limit::NONE
    }

    /// Whether only the depth ends the search, so that iterative deepening is not needed.
    pub(super) const fn is_depth_alone(&self) -> bool {
        self.nodes.is_none() && self.time.is_none()
    }
}
