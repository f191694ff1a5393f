//! The search thread, so that the main thread can read commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::super::print;
use super::Settings;
use crate::eval::STEPS;
use crate::eval::catalog::GameId;
use crate::games::AnyPosition;
use crate::play::{Ask, Bot, bench_positions, bot};
use crate::search::{DepthReport, Limit, Score, Signal, mate_distance};

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

enum Job {
    Think(Box<Task>),
    Bench { depth: u32, signal: Arc<Signal> },
    Configure(Box<Settings>),
    NewGame,
    Ready,
}

/// The handle of the search thread. Jobs run in order.
pub struct UciWorker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// Requested searches without an answer yet.
    open: Arc<AtomicUsize>,
    latest: Arc<Signal>,
}

/// Enough for the deepest line.
const STACK: usize = 16 << 20;

impl UciWorker {
    /// `None` if no thread can be started.
    pub fn start(game: GameId, settings: &Settings) -> Option<UciWorker> {
        let mut thinker = SearchThread::new(game, settings)?;
        let (jobs, receiver) = channel();
        let open = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&open);
        let thread = thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || thinker.work(&receiver, &counter))
            .ok()?;
        Some(UciWorker {
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

    /// Prints `readyok` after all earlier jobs.
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

impl Drop for UciWorker {
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
}

impl SearchThread {
    fn new(game: GameId, settings: &Settings) -> Option<SearchThread> {
        let Settings {
            evaluator,
            weights,
            options,
            ..
        } = settings;
        Some(SearchThread {
            game,
            bot: bot(game, evaluator, weights, options)?,
        })
    }

    fn work(&mut self, jobs: &Receiver<Job>, open: &AtomicUsize) {
        while let Ok(job) = jobs.recv() {
            match job {
                Job::Configure(settings) => {
                    if let Some(other) = SearchThread::new(self.game, &settings) {
                        *self = other;
                    }
                }
                Job::NewGame => self.bot.new_game(0),
                Job::Ready => print("readyok\n"),
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
            print(&info_line(report));
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
            print(&format!(
                "info depth {} score {} nodes {} pv{}\n",
                found.depth.max(1),
                score_words(found.score),
                found.nodes,
                line_words(&found.pv)
            ));
        }
        while !signal.stop_requested() && (task.infinite || signal.ponder_requested()) {
            thread::park_timeout(Duration::from_millis(100));
        }
        let Some(best) = found.best else {
            let score = score_words(found.score);
            return format!("info depth 0 score {score}\nbestmove (none)\n");
        };
        let mut answer = format!("bestmove {best}");
        if let [_, reply, ..] = &found.pv[..] {
            answer.push_str(&format!(" ponder {reply}"));
        }
        answer.push('\n');
        answer
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

/// A score in UCI format: centipawns, or moves to mate.
fn score_words(score: Score) -> String {
    match mate_distance(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", (f64::from(score) / f64::from(STEPS)).round()),
    }
}

fn info_line(report: &DepthReport<'_, String>) -> String {
    let mut line = format!(
        "info depth {} seldepth {} score {} nodes {} nps {} time {}",
        report.depth,
        report.selective_depth,
        score_words(report.score),
        report.nodes,
        report.nodes_per_second(),
        report.elapsed.as_millis()
    );
    if let Some(permille) = report.table_permille {
        line.push_str(&format!(" hashfull {permille}"));
    }
    line.push_str(" pv");
    line.push_str(&line_words(report.pv));
    line.push('\n');
    line
}

/// Moves with a blank before each.
fn line_words(moves: &[String]) -> String {
    moves.iter().map(|text| format!(" {text}")).collect()
}
