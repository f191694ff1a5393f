//! Parses `go`, and derives the limit.

use std::time::Duration;

use crate::games::Side;
use crate::search::Limit;

/// The arguments of `go`. Times in milliseconds, by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub movetime: Option<u64>,
    pub mate: Option<u32>,
    pub time: [Option<u64>; 2],
    pub increment: [u64; 2],
    pub moves_to_go: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Vec<String>,
    /// Unknown words.
    pub ignored: Vec<String>,
}

const WORDS: [&str; 12] = [
    "depth",
    "nodes",
    "movetime",
    "mate",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
];

impl Go {
    pub fn parse(words: &[&str]) -> Go {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|next| !WORDS.contains(next)) {
                        go.search_moves.push(text.to_string());
                    }
                }
                _ if WORDS.contains(&word) => {
                    let value = words.next_if(|next| !WORDS.contains(next));
                    // Some GUIs send a clock that has run below zero.
                    match value.and_then(|value| value.parse::<i64>().ok()) {
                        Some(number) => go.set(word, number.max(0).unsigned_abs()),
                        None => go.ignored.push(word.to_string()),
                    }
                }
                _ => go.ignored.push(word.to_string()),
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: u64) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "depth" => self.depth = Some(small.clamp(1, Limit::MAX_DEPTH)),
            "nodes" => self.nodes = Some(number.max(1)),
            "movetime" => self.movetime = Some(number),
            "mate" => self.mate = Some(small),
            "wtime" => self.time[0] = Some(number),
            "btime" => self.time[1] = Some(number),
            "winc" => self.increment[0] = number,
            "binc" => self.increment[1] = number,
            "movestogo" => self.moves_to_go = Some(small),
            _ => {}
        }
    }

    /// The limit of the search; `own` if the GUI gives none. Depth and nodes are exact; time limits
    /// are reduced by `overhead` milliseconds.
    pub fn limit(&self, side: Side, overhead: u64, own: Limit) -> Limit {
        let mut limit = Limit::NONE;
        limit.depth = self.depth.unwrap_or(limit.depth);
        limit.nodes = self.nodes;
        if let Some(left) = self.time[side as usize] {
            let left = Duration::from_millis(left.saturating_sub(overhead).max(1));
            let increment = Duration::from_millis(self.increment[side as usize]);
            limit.time = Limit::clock(left, increment, self.moves_to_go).time;
        }
        if let Some(time) = self.movetime {
            let time = time.saturating_sub(overhead.min(time / 2)).max(1);
            limit.time = Limit::movetime(Duration::from_millis(time)).time;
        }
        let endless = self.infinite || self.ponder || self.mate.is_some();
        if limit.is_none() && self.depth.is_none() && !endless {
            own
        } else {
            limit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Go {
        Go::parse(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn every_word_is_understood_in_any_order() {
        let go = parse("searchmoves e2e4 d2d4 ponder wtime 1000 btime -5 winc 10 movestogo 3");
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert!(go.ponder && !go.infinite);
        assert_eq!(go.time, [Some(1000), Some(0)]);
        assert_eq!((go.increment, go.moves_to_go), ([10, 0], Some(3)));
        assert!(go.ignored.is_empty());
    }

    #[test]
    fn garbage_is_set_aside_and_the_rest_counts() {
        let go = parse("depth nodes 50 movetime soon blah 7 mate 99999999999");
        assert_eq!(go.ignored, ["depth", "movetime", "blah", "7"]);
        assert_eq!(go.nodes, Some(50));
        assert_eq!(go.mate, Some(u32::MAX));
    }

    #[test]
    fn a_bare_go_takes_the_players_own_limit_and_infinite_takes_none() {
        let own = Limit::nodes(500);
        assert_eq!(parse("").limit(Side::White, 10, own), own);
        assert_eq!(parse("infinite").limit(Side::White, 10, own), Limit::NONE);
        assert_eq!(
            parse("depth 4").limit(Side::White, 10, own),
            Limit::depth(4)
        );
        let timed = parse("movetime 100").limit(Side::Black, 10, own);
        assert_eq!(timed, Limit::movetime(Duration::from_millis(90)));
    }

    #[test]
    fn a_clock_is_never_spent_to_its_end() {
        for left in [0, 1, 5, 20, 100, 60_000] {
            let go = parse(&format!("wtime {left} winc 10"));
            let time = go.limit(Side::White, 10, Limit::NONE).time.unwrap();
            assert!(time.hard <= Duration::from_millis(left.max(1)), "{left}");
        }
    }
}
