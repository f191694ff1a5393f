//! Plays a schedule in parallel and hands over the results in order.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use super::Experiment;
use super::game::{PlayedGame, play_game};
use super::openings::OpeningsError;
use super::schedule::Pairing;
use super::seat::Seats;
use super::stream::{Purpose, Stream};
use crate::eval::Evaluated;

/// Two games from one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// Numbered from 1.
    pub pair: u64,
    pub pairing: Pairing,
    /// In the first game the pairing's first player has white.
    pub games: [PlayedGame; 2],
}

/// Why a schedule could not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    Openings(OpeningsError),
    Threads { threads: usize, message: String },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Openings(error) => error.fmt(f),
            RunError::Threads { threads, message } => {
                write!(
                    f,
                    "--threads {threads}: the system refused ({message}); choose fewer"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}

/// Plays one pair; `None` if `stop` says so before its end. Nothing depends on who sat in the
/// seats before.
pub fn play_pair<G: Evaluated>(
    experiment: &Experiment,
    pair: u64,
    seats: &mut Seats<G>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PairResult>, OpeningsError> {
    let (_, pairing) = experiment.schedule.pairing_of(pair);
    let place = experiment
        .schedule
        .opening_of(pair, experiment.openings.listed());
    let mut draws = Stream::new(experiment.seed, pair, Purpose::Opening);
    let opening: G = experiment.openings.draw(place, &mut draws)?;
    let mut keys = Stream::new(experiment.seed, pair, Purpose::Players);
    let mut seat = |index: usize| {
        seats
            .take(index, experiment, keys.draw())
            .expect("the config only names evaluators of its game")
    };
    let mut first = seat(pairing.first);
    let mut second = seat(pairing.second);
    let endings = &experiment.endings;
    let one = play_game(&opening, &mut first, &mut second, endings, stop);
    let two = match one {
        Some(_) => play_game(&opening, &mut second, &mut first, endings, stop),
        None => None,
    };
    seats.give_back(pairing.first, first);
    seats.give_back(pairing.second, second);
    let (Some(one), Some(two)) = (one, two) else {
        return Ok(None);
    };
    Ok(Some(PairResult {
        pair,
        pairing,
        games: [one, two],
    }))
}

/// How far the workers may run ahead of the oldest pair under way: bounds the memory that
/// finished pairs wait in.
const LEAD: u64 = 4096;

/// The threads and seats of a command, for as long as it lives: what one batch of games built,
/// searchers, tables and engines, serves the next.
pub struct Runner<G: Evaluated> {
    pool: Arc<rayon::ThreadPool>,
    /// One for each thread.
    seats: Vec<Seats<G>>,
}

impl<G: Evaluated> Runner<G> {
    pub fn new(threads: usize) -> Result<Runner<G>, RunError> {
        let threads = threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| RunError::Threads {
                threads,
                message: error.to_string(),
            })?;
        Ok(Runner {
            pool: Arc::new(pool),
            seats: (0..threads).map(|_| Seats::new()).collect(),
        })
    }

    pub fn threads(&self) -> usize {
        self.seats.len()
    }

    /// The threads, for work other than games. Games must not be started from inside them: the
    /// thread that consumes the results would be missing among those that play.
    pub fn pool(&self) -> Arc<rayon::ThreadPool> {
        Arc::clone(&self.pool)
    }

    /// Plays the pairs of `range`. `prepare` is called by the thread that played a pair; `consume`
    /// gets what it made of every pair in the order of its number, whatever thread finished it
    /// first, and may break off; pairs beyond that are dropped. Raising `stop` drops the pairs
    /// under way.
    pub fn run<T: Send, E: From<RunError>>(
        &mut self,
        experiment: &Experiment,
        range: RangeInclusive<u64>,
        stop: &AtomicBool,
        prepare: impl Fn(PairResult) -> T + Sync,
        consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let work = |seats: &mut Seats<G>, pair: u64, over: &dyn Fn() -> bool| {
            let played = play_pair(experiment, pair, seats, over).map_err(RunError::Openings)?;
            Ok(played.map(&prepare))
        };
        in_order(&self.pool, &mut self.seats, range, stop, work, consume)
    }

    /// Does the work of every number of `range` and hands over the results in the order of the
    /// numbers. Work that gives `None` was broken off by its last argument, and ends it all.
    pub fn in_order<T: Send, E: From<RunError>>(
        &mut self,
        range: RangeInclusive<u64>,
        stop: &AtomicBool,
        work: impl Fn(&mut Seats<G>, u64, &dyn Fn() -> bool) -> Result<Option<T>, RunError> + Sync,
        consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        in_order(&self.pool, &mut self.seats, range, stop, work, consume)
    }
}

/// See [`Runner::in_order`]. One worker for each of `desks`, which it has to itself.
fn in_order<D: Send, T: Send, E: From<RunError>>(
    pool: &rayon::ThreadPool,
    desks: &mut [D],
    range: RangeInclusive<u64>,
    stop: &AtomicBool,
    work: impl Fn(&mut D, u64, &dyn Fn() -> bool) -> Result<Option<T>, RunError> + Sync,
    mut consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(*range.start());
    let awaited = AtomicU64::new(*range.start());
    // Raised when nobody wants further pairs, by the consumer or from outside.
    let done = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(1024);
    pool.in_place_scope(|scope| {
        for desk in desks {
            let sender = sender.clone();
            let (next, awaited, done, range) = (&next, &awaited, &done, &range);
            let work = &work;
            scope.spawn(move |_| {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if !range.contains(&pair) {
                        return;
                    }
                    while pair >= awaited.load(Ordering::Relaxed) + LEAD
                        && !done.load(Ordering::Relaxed)
                    {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    let over = || done.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
                    if over() {
                        return;
                    }
                    let played = work(desk, pair, &over);
                    if sender.send((pair, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut result = Ok(());
        'receive: for (pair, played) in receiver {
            waiting.insert(pair, played);
            while let Some(played) = waiting.remove(&awaited.load(Ordering::Relaxed)) {
                awaited.fetch_add(1, Ordering::Relaxed);
                let verdict = match played {
                    Ok(Some(item)) => consume(item),
                    Ok(None) => Ok(ControlFlow::Break(())),
                    Err(error) => Err(error.into()),
                };
                if !matches!(verdict, Ok(ControlFlow::Continue(()))) {
                    result = verdict.map(|_| ());
                    break 'receive;
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        result
    })
}
