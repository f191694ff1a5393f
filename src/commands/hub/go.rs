//! The limit of a search: the command `level`.

use std::time::Duration;

use crate::search::Limit;

/// What `level` has set. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<f64>,
    moves: Option<u32>,
    time: Option<f64>,
    increment: f64,
    infinite: bool,
}

/// Longer times are as good as none, and may not overflow when they are added.
const MOST_SECONDS: f64 = 1e6;

impl Level {
    /// Reads the fields of the command; the error names those that make no sense.
    pub fn read(fields: &[(String, String)]) -> (Level, Vec<String>) {
        let mut level = Level::default();
        let mut ignored = Vec::new();
        for (name, value) in fields {
            let number = value
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite());
            // Some GUIs send a clock that has run below zero.
            let number = number.map(|number| number.max(0.0));
            match (name.as_str(), number) {
                ("depth", Some(depth)) => {
                    level.depth = Some((depth as u32).clamp(1, Limit::MAX_DEPTH))
                }
                ("nodes", Some(nodes)) => level.nodes = Some((nodes as u64).max(1)),
                ("move-time", Some(time)) => level.move_time = Some(time),
                ("moves", Some(moves)) => level.moves = Some(moves as u32).filter(|it| *it > 0),
                ("time", Some(time)) => level.time = Some(time),
                ("inc", Some(increment)) => level.increment = increment,
                ("infinite", _) => level.infinite = true,
                _ => ignored.push(name.clone()),
            }
        }
        (level, ignored)
    }

    /// The limit of a search; `own` if nothing was set. Time limits are reduced by `overhead`
    /// milliseconds.
    pub fn limit(&self, overhead: u64, own: Limit) -> Limit {
        let mut limit = Limit::NONE;
        limit.depth = self.depth.unwrap_or(limit.depth);
        limit.nodes = self.nodes;
        let overhead = Duration::from_millis(overhead);
        let least = Duration::from_millis(1);
        let seconds = |time: f64| Duration::from_secs_f64(time.min(MOST_SECONDS));
        if let Some(time) = self.time {
            let increment = seconds(self.increment);
            // The increment of this move counts before it.
            let left = seconds(time)
                .saturating_add(increment)
                .saturating_sub(overhead)
                .max(least);
            limit.time = Limit::clock(left, increment, self.moves).time;
        }
        if let Some(time) = self.move_time.map(seconds) {
            let time = time.saturating_sub(overhead.min(time / 2)).max(least);
            limit.time = Limit::movetime(time).time;
        }
        match limit.is_none() && self.depth.is_none() && !self.infinite {
            true => own,
            false => limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::hub_fields;

    fn limit(text: &str) -> Limit {
        let (level, ignored) = Level::read(&hub_fields(text));
        assert!(ignored.is_empty(), "{ignored:?}");
        level.limit(10, Limit::nodes(500))
    }

    #[test]
    fn each_kind_of_level_is_a_limit() {
        assert_eq!(limit("depth=4"), Limit::depth(4));
        assert_eq!(limit("nodes=77"), Limit::nodes(77));
        let time = Limit::movetime(Duration::from_millis(90));
        assert_eq!(limit("move-time=0.1"), time);
        let clock = |milliseconds, increment, moves| {
            let left = Duration::from_millis(milliseconds);
            Limit::clock(left, Duration::from_millis(increment), moves)
        };
        assert_eq!(limit("time=10 inc=0.5"), clock(10_490, 500, None));
        assert_eq!(limit("moves=3 time=10"), clock(9_990, 0, Some(3)));
        assert_eq!(limit("infinite"), Limit::NONE);
        assert_eq!(limit(""), Limit::nodes(500));
        assert!(limit("time=-5").time.is_some() && limit("time=1e300 inc=1e300").time.is_some());
    }

    #[test]
    fn garbage_is_set_aside() {
        let (level, ignored) = Level::read(&hub_fields("depth=x nodes= ply=3 time=inf moves=2"));
        assert_eq!(ignored, ["depth", "nodes", "ply", "time"]);
        assert_eq!(level.limit(0, Limit::depth(2)), Limit::depth(2));
    }
}
