//! The search thread, so that the main thread can read commands. What it prints is a [`Dialect`]'s.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::super::print;
use super::Settings;
use crate::eval::catalog::GameId;
use crate::games::AnyPosition;
use crate::play::{Ask, Bot, bench_positions, bot};
use crate::search::{DepthReport, Limit, SearchResult, Signal};

/// A requested search.
pub struct Task {
    pub position: Box<dyn AnyPosition>,
    /// Repetition keys of the game before it.
    pub history: Vec<u64>,
    pub limit: Limit,
    /// Indices of the allowed root moves; all if empty.
    pub only: Vec<usize>,
    /// Wait for `stop` before answering.
    pub infinite: bool,
    /// A mate in this many moves is enough.
    pub mate: Option<u32>,
    pub signal: Arc<Signal>,
}

/// How a protocol writes what a search finds.
pub trait Dialect: Send {
    /// The answer to a request for a sign of life.
    fn ready(&self) -> &'static str;

    /// A completed depth.
    fn depth(&self, task: &Task, report: &DepthReport<'_, String>) -> String;

    /// A last line, if the best move is not that of the last depth.
    fn last_line(&self, task: &Task, found: &SearchResult<String>) -> String;

    /// The end of a search.
    fn answer(&self, task: &Task, found: &SearchResult<String>) -> String;
}

enum Job {
    Think(Box<Task>),
    Bench { depth: u32, signal: Arc<Signal> },
    Configure(Box<Settings>),
    NewGame,
    Ready,
}

/// The handle of the search thread. Jobs run in order.
pub struct SearchWorker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// Requested searches without an answer yet.
    open: Arc<AtomicUsize>,
    latest: Arc<Signal>,
}

/// Enough for the deepest line.
const STACK: usize = 16 << 20;

impl SearchWorker {
    /// `None` if no thread can be started.
    pub fn start(
        game: GameId,
        settings: &Settings,
        dialect: Box<dyn Dialect>,
    ) -> Option<SearchWorker> {
        let mut thinker = SearchThread {
            game,
            bot: bot_of_settings(game, settings)?,
            dialect,
        };
        let (jobs, receiver) = channel();
        let open = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&open);
        let thread = thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || thinker.work(&receiver, &counter))
            .ok()?;
        Some(SearchWorker {
            jobs: Some(jobs),
            thread: Some(thread),
            open,
            latest: Arc::default(),
        })
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread ends only when this handle is dropped.
            let _ = jobs.send(job);
        }
    }

    pub fn is_searching(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    /// Stops the current search, if any, and starts another.
    pub fn think(&mut self, task: Task) {
        self.stop();
        self.latest = Arc::clone(&task.signal);
        self.open.fetch_add(1, Ordering::AcqRel);
        self.send(Job::Think(Box::new(task)));
    }

    pub fn bench(&mut self, depth: u32) {
        self.stop();
        let signal = Arc::new(Signal::default());
        self.latest = Arc::clone(&signal);
        self.open.fetch_add(1, Ordering::AcqRel);
        self.send(Job::Bench { depth, signal });
    }

    pub fn configure(&self, settings: &Settings) {
        self.send(Job::Configure(Box::new(settings.clone())));
    }

    pub fn new_game(&self) {
        self.send(Job::NewGame);
    }

    /// Prints the dialect's word for it after all earlier jobs.
    pub fn report_ready(&self) {
        self.send(Job::Ready);
    }

    pub fn stop(&self) {
        self.latest.stop();
        self.wake();
    }

    pub fn ponder_hit(&self) {
        self.latest.end_ponder();
        self.wake();
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for SearchWorker {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A bot on its own thread.
struct SearchThread {
    game: GameId,
    bot: Box<dyn Bot>,
    dialect: Box<dyn Dialect>,
}

fn bot_of_settings(game: GameId, settings: &Settings) -> Option<Box<dyn Bot>> {
    let Settings {
        evaluator,
        weights,
        options,
        ..
    } = settings;
    bot(game, evaluator, weights, options)
}

impl SearchThread {
    fn work(&mut self, jobs: &Receiver<Job>, open: &AtomicUsize) {
        while let Ok(job) = jobs.recv() {
            match job {
                Job::Configure(settings) => self.configure(&settings),
                Job::NewGame => self.bot.new_game(0),
                Job::Ready => print(self.dialect.ready()),
                Job::Think(task) => {
                    let answer = self.think(&task);
                    // The GUI may send commands as soon as it has the answer: count first.
                    open.fetch_sub(1, Ordering::AcqRel);
                    print(&answer);
                }
                Job::Bench { depth, signal } => {
                    let answer = self.bench(depth, &signal);
                    open.fetch_sub(1, Ordering::AcqRel);
                    print(&answer);
                }
            }
        }
    }

    /// Replaces the bot. Without memory for its table, it gets the smallest one.
    fn configure(&mut self, settings: &Settings) {
        let Some(mut other) = bot_of_settings(self.game, settings) else {
            return;
        };
        // The old table first: both may not fit.
        let mut small = settings.clone();
        small.options.table_mb = 1;
        if let Some(least) = bot_of_settings(self.game, &small) {
            self.bot = least;
        }
        match other.reserve() {
            Ok(()) => self.bot = other,
            Err(error) => print(&format!("info string {error}; searching with 1 MB\n")),
        }
    }

    /// Searches, and waits until the answer is allowed.
    fn think(&mut self, task: &Task) -> String {
        let signal = &task.signal;
        let ask = Ask {
            position: task.position.as_ref(),
            history: &task.history,
            limit: task.limit,
            only: &task.only,
            signal: Some(Arc::clone(signal)),
        };
        let mut told = None;
        let found = self.bot.think(&ask, &mut |report| {
            print(&self.dialect.depth(task, report));
            told = report.pv.first().cloned();
            let mate = report.mate().filter(|moves| *moves > 0);
            if let (Some(moves), Some(wanted)) = (mate, task.mate)
                && moves.unsigned_abs() <= wanted
            {
                signal.stop();
            }
        });
        // A stopped search may have a new best move, and the random choice may differ.
        if found.best.is_some() && found.best != told {
            print(&self.dialect.last_line(task, &found));
        }
        while !signal.stop_requested() && (task.infinite || signal.ponder_requested()) {
            thread::park_timeout(Duration::from_millis(100));
        }
        self.dialect.answer(task, &found)
    }

    /// A fixed set of searches: the node count is a behaviour checksum.
    fn bench(&mut self, depth: u32, signal: &Arc<Signal>) -> String {
        let Ok(positions) = bench_positions(self.game.rules()) else {
            return "info string no positions to search\n".to_string();
        };
        self.bot.new_game(0);
        let began = Instant::now();
        let mut nodes = 0;
        for position in &positions {
            let ask = Ask {
                signal: Some(Arc::clone(signal)),
                ..Ask::new(position.as_ref(), Limit::depth(depth))
            };
            nodes += self.bot.think(&ask, &mut |_| {}).nodes;
        }
        self.bot.new_game(0);
        let speed = nodes as f64 / began.elapsed().as_secs_f64().max(1e-9);
        format!("{nodes} nodes {speed:.0} nps\n")
    }
}
