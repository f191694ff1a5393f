//! Schedules the searches of all games. There are as many places as cores; a waiting search is neither charged
//! time nor dropped:
//!
//! - Moves and hints come before explanations: an explanation is held while a bot needs its place.
//! - Searches of equal priority take turns: the one with the least search time resumes first, so that a deep search in one game does not keep the
//!   others waiting.
//! - A search with a clock or a time limit starts at once, if there are not too many of them, and is never held: its
//!   time runs on. One place is kept for the others.
//! - Engines are separate processes, which cannot be held. They have separate places.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::lock;
use crate::search::Signal;

/// A search ends after this time of its own; waiting does not count. A bot then plays its best move so far.
const MOST_SEARCH: Duration = Duration::from_secs(60);
/// The same for an engine: before a game is lost because it does not answer.
const MOST_ENGINE: Duration = Duration::from_secs(50);
/// A search keeps its place for this long before an equal takes it.
const TURN: Duration = Duration::from_millis(500);
/// How often one that waits looks whether it was stopped.
const WAIT: Duration = Duration::from_millis(20);
/// Transposition tables of all searches that have begun, in MB.
const MOST_TABLES_MB: u32 = 640;
/// Those that only searches on a clock may use besides, so that they do not wait for others.
const TIMED_TABLES_MB: u32 = 256;

/// Searches with a clock or a time limit that run at a time, for each place.
const MOST_TIMED: usize = 4;

/// Who comes first; the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A search on a clock.
    Timed,
    /// An engine without a clock.
    Engine,
    /// A bot's move, or a hint.
    Move,
    Explanation,
}

struct Entry {
    number: u64,
    rank: Rank,
    table_mb: u32,
    signal: Arc<Signal>,
    /// Its time until `since`.
    used: Duration,
    /// Since when it runs; `None` while it waits or is held.
    since: Option<Instant>,
    /// Whether it has begun: from then on it holds its table.
    begun: bool,
}

impl Entry {
    fn time(&self, now: Instant) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| now - since);
        self.used + running
    }

    fn run(&mut self, now: Instant) {
        if self.since.is_none() {
            self.since = Some(now);
            self.begun = true;
            self.signal.hold(false);
        }
    }

    fn hold(&mut self, now: Instant) {
        if let Some(since) = self.since.take() {
            self.used += now - since;
            self.signal.hold(true);
        }
    }

    /// Its turn is not over yet; that of an engine ends with its move.
    fn is_in_turn(&self, now: Instant) -> bool {
        let is_engine = self.rank == Rank::Engine;
        self.since
            .is_some_and(|since| is_engine || now - since < TURN)
    }
}

struct Table {
    places: usize,
    next: u64,
    entries: Vec<Entry>,
}

impl Table {
    /// Gives the places to those who come first.
    fn assign(&mut self, now: Instant) {
        self.entries.sort_by_key(|entry| {
            (
                entry.rank,
                !entry.is_in_turn(now),
                entry.time(now),
                entry.number,
            )
        });
        let begun = self.entries.iter().filter(|entry| entry.begun);
        let mut tables_mb: u32 = begun.map(|entry| entry.table_mb).sum();
        let (mut engines, mut searches) = (self.places, self.places);
        let timed = |entry: &&Entry| entry.begun && entry.rank == Rank::Timed;
        let mut timed = self.entries.iter().filter(timed).count();
        for entry in &mut self.entries {
            if !entry.begun && entry.rank == Rank::Timed {
                if timed >= self.places * MOST_TIMED {
                    continue;
                }
                timed += 1;
            }
            if !entry.begun && entry.rank != Rank::Engine {
                let most = match entry.rank {
                    Rank::Timed => MOST_TABLES_MB + TIMED_TABLES_MB,
                    _ => MOST_TABLES_MB,
                };
                if entry.table_mb > 0 && tables_mb + entry.table_mb > most {
                    continue;
                }
                tables_mb += entry.table_mb;
            }
            match entry.rank {
                Rank::Timed => {
                    searches = searches.saturating_sub(1).max(1);
                    entry.run(now);
                }
                Rank::Engine if engines > 0 => {
                    engines -= 1;
                    entry.run(now);
                }
                Rank::Move | Rank::Explanation if searches > 0 => {
                    searches -= 1;
                    entry.run(now);
                }
                _ => entry.hold(now),
            }
        }
    }
}

/// The places of all games.
pub struct Permits {
    table: Mutex<Table>,
    changed: Condvar,
}

impl Permits {
    pub fn new(places: usize) -> Permits {
        Permits {
            table: Mutex::new(Table {
                places,
                next: 0,
                entries: Vec::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// Waits for a place; `None` if the search was stopped before.
    pub fn take(
        self: &Arc<Permits>,
        rank: Rank,
        table_mb: u32,
        signal: &Arc<Signal>,
    ) -> Option<Permit> {
        let mut table = lock(&self.table);
        let number = table.next;
        table.next += 1;
        table.entries.push(Entry {
            number,
            rank,
            table_mb,
            signal: Arc::clone(signal),
            used: Duration::ZERO,
            since: None,
            begun: false,
        });
        // Leaves again when it is dropped, whether it has begun or not.
        let permit = Permit {
            permits: Arc::clone(self),
            number,
        };
        table.assign(Instant::now());
        loop {
            let mut entries = table.entries.iter();
            if entries.any(|entry| entry.number == number && entry.begun) {
                return Some(permit);
            }
            if signal.stop_requested() {
                drop(table);
                return None;
            }
            let waited = self.changed.wait_timeout(table, WAIT);
            table = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    /// Ends turns, and searches that take too long. To be called a few times per second.
    pub fn tick(&self) {
        let now = Instant::now();
        let mut table = lock(&self.table);
        for entry in &table.entries {
            let most = match entry.rank {
                Rank::Engine => MOST_ENGINE,
                _ => MOST_SEARCH,
            };
            if entry.time(now) > most {
                entry.signal.stop();
            }
        }
        table.assign(now);
        drop(table);
        self.changed.notify_all();
    }
}

/// A place, or the right to one when it is one's turn.
pub struct Permit {
    permits: Arc<Permits>,
    number: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut table = lock(&self.permits.table);
        table.entries.retain(|entry| entry.number != self.number);
        table.assign(Instant::now());
        drop(table);
        self.permits.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Case {
        table: Table,
        now: Instant,
    }

    impl Case {
        fn new(places: usize) -> Case {
            let table = Table {
                places,
                next: 0,
                entries: Vec::new(),
            };
            Case {
                table,
                now: Instant::now(),
            }
        }

        fn add(&mut self, rank: Rank, table_mb: u32) -> u64 {
            self.table.next += 1;
            self.table.entries.push(Entry {
                number: self.table.next,
                rank,
                table_mb,
                signal: Arc::default(),
                used: Duration::ZERO,
                since: None,
                begun: false,
            });
            self.table.assign(self.now);
            self.table.next
        }

        fn pass(&mut self, millis: u64) {
            self.now += Duration::from_millis(millis);
            self.table.assign(self.now);
        }

        fn running(&self) -> Vec<u64> {
            let entries = self.table.entries.iter();
            let running = entries.filter(|entry| entry.since.is_some());
            let mut numbers: Vec<u64> = running.map(|entry| entry.number).collect();
            numbers.sort_unstable();
            numbers
        }

        fn remove(&mut self, number: u64) {
            self.table.entries.retain(|entry| entry.number != number);
            self.table.assign(self.now);
        }
    }

    #[test]
    fn an_explanation_is_held_at_once_while_a_bot_needs_its_place() {
        let mut case = Case::new(2);
        let whys = [(); 2].map(|()| case.add(Rank::Explanation, 8));
        assert_eq!(case.running(), whys);
        case.pass(10);
        let bot = case.add(Rank::Move, 8);
        assert_eq!(case.running().len(), 2);
        assert!(case.running().contains(&bot), "{:?}", case.running());
        let other = case.add(Rank::Move, 8);
        assert_eq!(case.running(), [bot, other]);
        case.remove(bot);
        case.remove(other);
        assert_eq!(case.running(), whys);
    }

    #[test]
    fn equals_take_turns_and_a_new_search_waits_for_one_turn_at_most() {
        let mut case = Case::new(1);
        let deep = case.add(Rank::Move, 8);
        case.pass(30_000);
        let quick = case.add(Rank::Move, 8);
        assert_eq!(case.running(), [quick], "a turn is over after 500 ms");
        case.pass(400);
        let third = case.add(Rank::Move, 8);
        assert_eq!(case.running(), [quick], "its turn is not over");
        case.pass(200);
        assert_eq!(case.running(), [third]);
        case.remove(quick);
        case.remove(third);
        assert_eq!(case.running(), [deep]);
    }

    #[test]
    fn the_time_of_a_search_does_not_run_while_it_waits() {
        let mut case = Case::new(1);
        let deep = case.add(Rank::Move, 8);
        case.pass(1_000);
        let other = case.add(Rank::Move, 8);
        case.pass(100);
        let entries = &case.table.entries;
        let time = |number: u64| {
            let entry = entries.iter().find(|entry| entry.number == number);
            entry.map(|entry| entry.time(case.now).as_millis())
        };
        assert_eq!((time(deep), time(other)), (Some(1_000), Some(100)));
    }

    #[test]
    fn a_search_on_a_clock_starts_at_once_and_leaves_one_place_to_the_others() {
        let mut case = Case::new(1);
        let timed = [(); 3].map(|()| case.add(Rank::Timed, 8));
        let bot = case.add(Rank::Move, 8);
        let all = [&timed[..], &[bot]].concat();
        assert_eq!(case.running(), all);
        case.pass(10_000);
        assert_eq!(case.running(), all);
        case.remove(timed[0]);
        assert_eq!(case.running(), all[1..]);
    }

    #[test]
    fn searches_on_clocks_are_limited_in_number() {
        let mut case = Case::new(1);
        let timed = [(); MOST_TIMED].map(|()| case.add(Rank::Timed, 8));
        let late = case.add(Rank::Timed, 8);
        case.pass(10_000);
        assert_eq!(case.running(), timed);
        case.remove(timed[0]);
        assert_eq!(case.running(), [&timed[1..], &[late]].concat());
    }

    #[test]
    fn engines_have_places_of_their_own() {
        let mut case = Case::new(1);
        let bot = case.add(Rank::Move, 8);
        let engines = [(); 2].map(|()| case.add(Rank::Engine, 0));
        assert_eq!(case.running(), [bot, engines[0]]);
        case.pass(10_000);
        assert_eq!(case.running(), [bot, engines[0]]);
        case.remove(engines[0]);
        assert_eq!(case.running(), [bot, engines[1]]);
    }

    #[test]
    fn tables_of_searches_that_have_begun_are_bounded() {
        let mut case = Case::new(1);
        for _ in 0..100 {
            case.add(Rank::Move, 64);
            case.pass(1_000);
        }
        let begun = case.table.entries.iter().filter(|entry| entry.begun);
        assert_eq!(begun.count() as u32, MOST_TABLES_MB / 64);
        // One without a table has room.
        let small = case.add(Rank::Move, 0);
        case.pass(1_000);
        assert!(case.running().contains(&small), "{:?}", case.running());
        // So has one on a clock.
        let timed = case.add(Rank::Timed, 64);
        assert!(case.running().contains(&timed), "{:?}", case.running());
        for _ in 0..100 {
            case.add(Rank::Timed, 64);
        }
        let begun = case.table.entries.iter().filter(|entry| entry.begun);
        let tables: u32 = begun.map(|entry| entry.table_mb).sum();
        assert_eq!(tables, MOST_TABLES_MB + TIMED_TABLES_MB);
    }
}
