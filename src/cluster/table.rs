//! The pairs of a course: which ones are open, which wait for their turn, and what must be played again.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::play::PlayedPair;

/// A pair that came before its turn.
struct Waiting {
    pair: PlayedPair,
    worker: String,
}

/// Delivers pairs in order, each once, whatever the order and number of the results.
pub struct Table {
    /// The pair that is delivered next.
    next: u64,
    last: u64,
    waiting: BTreeMap<u64, Waiting>,
    /// Jobs that were issued, by their first pair, with their number of pairs.
    open: BTreeMap<u64, u64>,
    /// All pairs below were issued, or came without that.
    frontier: u64,
    again: Vec<(u64, u64)>,
}

impl Table {
    pub fn new(range: RangeInclusive<u64>) -> Table {
        Table {
            next: *range.start(),
            last: *range.end(),
            waiting: BTreeMap::new(),
            open: BTreeMap::new(),
            frontier: *range.start(),
            again: Vec::new(),
        }
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn is_done(&self) -> bool {
        self.next > self.last
    }

    pub fn open_jobs(&self) -> usize {
        self.open.len()
    }

    /// Pairs that were never issued.
    pub fn left(&self) -> u64 {
        (self.last + 1).saturating_sub(self.frontier)
    }

    fn is_wanted(&self, pair: u64) -> bool {
        (self.next..=self.last).contains(&pair) && !self.waiting.contains_key(&pair)
    }

    /// The next job of at most `most` pairs, none beyond pair `horizon`; `None` if there is nothing to issue.
    pub fn issue(&mut self, most: u64, horizon: u64) -> Option<(u64, u64)> {
        while let Some((first, count)) = self.again.pop() {
            // A part of it may have come by now.
            let Some(first) = (first..first + count).find(|pair| self.is_wanted(*pair)) else {
                continue;
            };
            if self.open.contains_key(&first) {
                continue;
            }
            self.open.insert(first, count);
            return Some((first, count));
        }
        while self.frontier <= self.last && !self.is_wanted(self.frontier) {
            self.frontier += 1;
        }
        let first = self.frontier;
        let end = self.last.min(horizon);
        let mut count = 0;
        while count < most && first + count <= end && self.is_wanted(first + count) {
            count += 1;
        }
        if count == 0 {
            return None;
        }
        self.frontier = first + count;
        self.open.insert(first, count);
        Some((first, count))
    }

    /// A job that could not be issued, or whose results are not accepted.
    pub fn play_again(&mut self, first: u64) {
        if let Some(count) = self.open.remove(&first) {
            self.again.push((first, count));
        }
    }

    pub fn play_all_again(&mut self) {
        self.again.extend(std::mem::take(&mut self.open));
    }

    /// Takes the results of a job. They may be those of an earlier, shorter job with the same first pair.
    pub fn take(&mut self, first: u64, worker: &str, pairs: Vec<PlayedPair>) {
        let count = pairs.len() as u64;
        if let Some(wanted) = self.open.remove(&first)
            && wanted > count
        {
            self.again.push((first + count, wanted - count));
        }
        for pair in pairs {
            if self.is_wanted(pair.pair) {
                let worker = worker.to_string();
                self.waiting.insert(pair.pair, Waiting { pair, worker });
            }
        }
    }

    /// The next pair in order and its worker, if it is there.
    pub fn pop(&mut self) -> Option<(PlayedPair, String)> {
        let Waiting { pair, worker } = self.waiting.remove(&self.next)?;
        self.next += 1;
        self.frontier = self.frontier.max(self.next);
        Some((pair, worker))
    }

    /// Drops what a worker played and is not delivered; it is played again. Returns the number of pairs.
    pub fn drop_worker(&mut self, worker: &str) -> usize {
        let of_worker = self.waiting.iter().filter(|(_, it)| it.worker == worker);
        let dropped: Vec<u64> = of_worker.map(|(pair, _)| *pair).collect();
        for pair in &dropped {
            self.waiting.remove(pair);
            if *pair < self.frontier {
                self.again.push((*pair, 1));
            }
        }
        dropped.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameResult, Side};
    use crate::play::{Pairing, PlayedGame, Purpose, Stream, Termination};

    fn pair(number: u64) -> PlayedPair {
        let game = PlayedGame {
            began: None,
            opening: String::new(),
            first_mover: Side::White,
            first_number: 1,
            result: GameResult::Draw,
            termination: Termination::MaxPlies,
            moves: Vec::new(),
            white_nodes: 0,
            black_nodes: 0,
        };
        PlayedPair {
            pair: number,
            pairing: Pairing {
                first: 0,
                second: 1,
            },
            games: [game.clone(), game],
        }
    }

    /// Jobs are lost, repeated, cut short and delivered in any order, and workers are dropped.
    #[test]
    fn every_pair_is_delivered_once_and_in_order_whatever_happens_to_the_jobs() {
        for trial in 0..300 {
            let mut draws = Stream::new(7, trial, Purpose::Players);
            let (first, last) = (1 + draws.below(50), 60 + draws.below(200));
            let mut table = Table::new(first..=last);
            let mut flying: Vec<(u64, u64)> = Vec::new();
            // Results of an earlier coordinator with other sizes.
            for _ in 0..draws.below(4) {
                flying.push((first + draws.below(60), 1 + draws.below(9)));
            }
            let mut delivered = first;
            while !table.is_done() {
                while let Some(job) = table.issue(1 + draws.below(9), delivered + 40) {
                    assert!(job.0 + job.1 - 1 <= last);
                    flying.push(job);
                }
                if flying.is_empty() || draws.below(20) == 0 {
                    table.play_all_again();
                    continue;
                }
                let job = flying.swap_remove(draws.below(flying.len() as u64) as usize);
                match draws.below(10) {
                    0 => table.play_again(job.0),
                    1 => {}
                    2 => flying.push(job),
                    3 => {
                        table.drop_worker("w");
                    }
                    _ => table.take(job.0, "w", (job.0..job.0 + job.1).map(pair).collect()),
                }
                while let Some((pair, worker)) = table.pop() {
                    assert_eq!((pair.pair, worker.as_str()), (delivered, "w"));
                    delivered += 1;
                }
            }
            assert_eq!(delivered, last + 1);
        }
    }
}
