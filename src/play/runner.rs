//! Plays a schedule in parallel and delivers the results in order.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use super::Experiment;
use super::game::PlayedGame;
use super::openings::{Openings, OpeningsError};
use super::player::PlayerSpec;
use super::schedule::Pairing;
use super::seat::Seats;
use super::stream::Stream;
use super::syzygy::TableError;
use super::worker::Worker;
use crate::engines::affinity;
use crate::eval::catalog::GameId;
use crate::eval::{Evaluated, Preset};
use crate::games::{AnyGame, AnyPosition, any};
use crate::search::{NoMemory, probe_memory};
use crate::with_game;

/// Two games from one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPair {
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
    Memory(NoMemory),
    Tables(TableError),
    Threads {
        threads: usize,
        message: String,
    },
    /// Those who were to play them, on other machines, could not.
    Elsewhere {
        message: String,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Openings(error) => error.fmt(f),
            RunError::Memory(error) => write!(f, "{error}, or --threads"),
            RunError::Tables(error) => error.fmt(f),
            RunError::Elsewhere { message } => f.write_str(message),
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

impl From<OpeningsError> for RunError {
    fn from(error: OpeningsError) -> RunError {
        RunError::Openings(error)
    }
}

impl From<TableError> for RunError {
    fn from(error: TableError) -> RunError {
        RunError::Tables(error)
    }
}

impl From<NoMemory> for RunError {
    fn from(error: NoMemory) -> RunError {
        RunError::Memory(error)
    }
}

/// How far workers may run ahead of the oldest unfinished pair: bounds the buffer of finished pairs.
const LEAD: u64 = 4096;

/// The threads and seats of a command, for its lifetime: searchers, tables and engines are reused
/// from one batch of games to the next.
///
/// ```
/// use sparring::eval::Evaluated;
/// use sparring::games::connect_four::ConnectFour;
/// use sparring::play::{Conduct, Endings, Experiment, Format, Openings, PlayerSpec, Runner, Schedule};
/// use sparring::search::{Limit, Options};
///
/// let player = |name| {
///     let preset = ConnectFour::preset(name).expect("a preset of the game");
///     PlayerSpec::of_preset(preset, Limit::depth(2), Options::default())
/// };
/// let experiment = Experiment {
///     seed: 1,
///     players: vec![player("lines"), player("random")],
///     schedule: Schedule::new(Format::Pair, 2, 3),
///     openings: Openings::Random { plies: 4, reject: None },
///     endings: Endings::default(),
///     conduct: Conduct::default(),
/// };
/// let pairs = Runner::of::<ConnectFour>(2)?.play(&experiment)?;
/// assert_eq!(pairs.len(), 3);
/// // The same on any number of threads.
/// assert_eq!(Runner::of::<ConnectFour>(1)?.play(&experiment)?, pairs);
/// # Ok::<(), sparring::play::RunError>(())
/// ```
pub struct Runner {
    pool: Arc<rayon::ThreadPool>,
    /// One per thread.
    workers: Vec<Box<dyn Worker>>,
    /// Once set, no further pair begins.
    finish: Option<&'static AtomicBool>,
    rules: &'static dyn AnyGame,
    /// Search tables for which memory was found, in all threads.
    table_mb: usize,
    /// How many of the threads take new pairs.
    active: Arc<AtomicUsize>,
    /// The cores of each thread; empty: any.
    pins: Vec<Vec<usize>>,
}

impl Runner {
    pub fn new(game: GameId, threads: usize) -> Result<Runner, RunError> {
        with_game!(game, G => Runner::of::<G>(threads))
    }

    /// [`Runner::new`] for a game known by its type, which may be defined in another crate.
    pub fn of<G: Evaluated>(threads: usize) -> Result<Runner, RunError> {
        Runner::with_evaluators::<G>(threads, &[])
    }

    /// [`Runner::of`] with evaluators besides the presets of the game. Players name them like
    /// presets, and a name used twice means the one given here.
    pub fn with_evaluators<G: Evaluated>(
        threads: usize,
        evaluators: &'static [Preset<G>],
    ) -> Result<Runner, RunError> {
        let worker = || Box::new(Seats::<G>::new(evaluators)) as Box<dyn Worker>;
        Runner::with_workers(any::rules::<G>(), threads, worker)
    }

    fn with_workers(
        rules: &'static dyn AnyGame,
        threads: usize,
        worker: impl Fn() -> Box<dyn Worker>,
    ) -> Result<Runner, RunError> {
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
            workers: (0..threads).map(|_| worker()).collect(),
            finish: None,
            rules,
            table_mb: 0,
            active: Arc::new(AtomicUsize::new(threads)),
            pins: Vec::new(),
        })
    }

    /// Begins no further pair once `flag` is set; those in progress are finished and delivered.
    pub fn finish_when(&mut self, flag: &'static AtomicBool) {
        self.finish = Some(flag);
    }

    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// How many of the threads take new pairs, at least 1: may be changed while pairs are played. The
    /// results do not depend on it.
    pub fn active(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.active)
    }

    /// Keeps each thread, and the engines that it starts, on its cores.
    pub fn pin(&mut self, cores: Vec<Vec<usize>>) {
        self.pins = cores;
    }

    pub fn rules(&self) -> &'static dyn AnyGame {
        self.rules
    }

    /// An opening as the games of an experiment would draw it, see [`Worker::draw_opening`].
    pub fn draw_opening(
        &mut self,
        openings: &Openings,
        place: usize,
        stream: &mut Stream,
    ) -> Result<Box<dyn AnyPosition>, RunError> {
        self.worker()?.draw_opening(openings, place, stream)
    }

    /// The opening of a pair of an experiment, see [`Experiment::opening`].
    pub fn opening(
        &mut self,
        experiment: &Experiment,
        pair: u64,
    ) -> Result<Box<dyn AnyPosition>, RunError> {
        experiment.opening(self.worker()?, pair)
    }

    fn worker(&mut self) -> Result<&mut dyn Worker, RunError> {
        match self.workers.first_mut() {
            Some(worker) => Ok(worker.as_mut()),
            None => Err(RunError::Threads {
                threads: 0,
                message: "there is no worker".to_string(),
            }),
        }
    }

    /// The threads, for work other than games. Do not start games from inside them: the thread that
    /// consumes the results would be missing from the pool.
    pub fn pool(&self) -> Arc<rayon::ThreadPool> {
        Arc::clone(&self.pool)
    }

    /// Plays all pairs of an experiment and returns them in the order of their number.
    pub fn play(&mut self, experiment: &Experiment) -> Result<Vec<PlayedPair>, RunError> {
        let mut pairs = Vec::new();
        self.run(
            experiment,
            1..=experiment.schedule.pair_count(),
            &AtomicBool::new(false),
            |pair| pair,
            |pair| {
                pairs.push(pair);
                Ok::<_, RunError>(ControlFlow::Continue(()))
            },
        )?;
        Ok(pairs)
    }

    /// Plays the pairs of `range`. The thread that played a pair calls `prepare`; `consume` receives
    /// the results in order of pair number, on any thread count, and may break; later pairs are
    /// dropped. Setting `stop` drops the pairs in progress.
    pub fn run<T: Send, E: From<RunError>>(
        &mut self,
        experiment: &Experiment,
        range: RangeInclusive<u64>,
        stop: &AtomicBool,
        prepare: impl Fn(PlayedPair) -> T + Sync,
        consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.find_memory(experiment)?;
        let work = |worker: &mut dyn Worker, pair: u64, over: &dyn Fn() -> bool| {
            let played = worker.play_pair(experiment, pair, over)?;
            Ok(played.map(&prepare))
        };
        self.in_order(range, stop, work, consume)
    }

    /// An error before the first game if the tables of all threads do not fit in memory.
    fn find_memory(&mut self, experiment: &Experiment) -> Result<(), RunError> {
        let table = |player: &PlayerSpec| match player.search() {
            Some(search) if search.options.table => search.options.table_mb as usize,
            _ => 0,
        };
        let pairings = experiment.schedule.pairings.iter();
        let both = pairings.map(|pairing| {
            table(&experiment.players[pairing.first]) + table(&experiment.players[pairing.second])
        });
        let needed = both.max().unwrap_or(0) * self.active.load(Ordering::Relaxed);
        // Tables of earlier batches are kept.
        if needed > self.table_mb {
            probe_memory(needed - self.table_mb).map_err(|_| NoMemory { megabytes: needed })?;
            self.table_mb = needed;
        }
        Ok(())
    }

    /// Does the work for every number of `range` and delivers the results in order. Work that
    /// returns `None` was stopped by its last argument, and ends the loop.
    pub fn in_order<T: Send, E: From<RunError>>(
        &mut self,
        range: RangeInclusive<u64>,
        stop: &AtomicBool,
        work: impl Fn(&mut dyn Worker, u64, &dyn Fn() -> bool) -> Result<Option<T>, RunError> + Sync,
        consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let crew = Crew {
            pool: &self.pool,
            workers: &mut self.workers,
            pins: &self.pins,
            active: &self.active,
        };
        in_order(crew, range, [Some(stop), self.finish], work, consume)
    }
}

/// The threads of a [`Runner`] at work.
struct Crew<'r> {
    pool: &'r rayon::ThreadPool,
    workers: &'r mut [Box<dyn Worker>],
    pins: &'r [Vec<usize>],
    active: &'r AtomicUsize,
}

/// How often a thread that is not active looks whether it is.
const IDLE: Duration = Duration::from_millis(50);

/// See [`Runner::in_order`].
fn in_order<T: Send, E: From<RunError>>(
    crew: Crew<'_>,
    range: RangeInclusive<u64>,
    [stop, finish]: [Option<&AtomicBool>; 2],
    work: impl Fn(&mut dyn Worker, u64, &dyn Fn() -> bool) -> Result<Option<T>, RunError> + Sync,
    mut consume: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(*range.start());
    let awaited = AtomicU64::new(*range.start());
    // Set when no further pairs are needed, by the consumer or from outside.
    let done = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(1024);
    let Crew {
        pool,
        workers,
        pins,
        active,
    } = crew;
    pool.in_place_scope(|scope| {
        for (index, worker) in (0..).zip(workers) {
            let sender = sender.clone();
            let (next, awaited, done, range) = (&next, &awaited, &done, &range);
            let work = &work;
            scope.spawn(move |_| {
                let is_set = |flag: Option<&AtomicBool>| {
                    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
                };
                if let Some(cores) = pins.get(index) {
                    // The cores were allowed when they were chosen; a game on others is as good.
                    let _ = affinity::pin(cores);
                }
                loop {
                    while index >= active.load(Ordering::Relaxed).max(1) {
                        let is_over =
                            done.load(Ordering::Relaxed) || is_set(stop) || is_set(finish);
                        if is_over || !range.contains(&next.load(Ordering::Relaxed)) {
                            return;
                        }
                        std::thread::sleep(IDLE);
                    }
                    // A pair that was taken is played, so that no number is missing.
                    if is_set(finish) {
                        return;
                    }
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if !range.contains(&pair) {
                        return;
                    }
                    while pair >= awaited.load(Ordering::Relaxed) + LEAD
                        && !done.load(Ordering::Relaxed)
                    {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    let over = || done.load(Ordering::Relaxed) || is_set(stop);
                    if over() {
                        return;
                    }
                    let played = work(worker.as_mut(), pair, &over);
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
