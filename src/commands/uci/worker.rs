//! The thread that searches, so that another can listen.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::super::print;
use super::Settings;
use crate::eval::{Evaluated, Evaluator, STEPS};
use crate::play::bench_positions;
use crate::search::{DepthReport, Limit, Score, Searcher, Signal, mate_distance};

/// A search that was asked for.
pub struct Task<G: Evaluated> {
    pub position: G,
    /// Repetition keys of the game before it.
    pub history: Vec<u64>,
    pub limit: Limit,
    /// The only root moves; all if empty.
    pub only: Vec<G::Move>,
    /// The answer waits for a stop.
    pub infinite: bool,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    pub signal: Arc<Signal>,
}

enum Job<G: Evaluated> {
    Think(Box<Task<G>>),
    Bench { depth: u32, signal: Arc<Signal> },
    Configure(Box<Settings>),
    NewGame,
    Ready,
}

/// The other end of the thread that searches. Jobs are done one after the other.
pub struct Worker<G: Evaluated> {
    jobs: Option<Sender<Job<G>>>,
    thread: Option<JoinHandle<()>>,
    /// Searches that were asked for and are not answered yet.
    open: Arc<AtomicUsize>,
    latest: Arc<Signal>,
}

/// Enough for the deepest line with room to spare.
const STACK: usize = 16 << 20;

impl<G: Evaluated> Worker<G> {
    /// `None` if the system grants no thread.
    pub fn start(settings: &Settings) -> Option<Worker<G>> {
        let mut thinker = Thinker::<G>::new(settings)?;
        let (jobs, receiver) = channel();
        let open = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&open);
        let thread = thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || thinker.work(&receiver, &counter))
            .ok()?;
        Some(Worker {
            jobs: Some(jobs),
            thread: Some(thread),
            open,
            latest: Arc::default(),
        })
    }

    fn send(&self, job: Job<G>) {
        if let Some(jobs) = &self.jobs {
            // The thread only ends when this end is dropped.
            let _ = jobs.send(job);
        }
    }

    pub fn is_searching(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    /// Ends the search under way, if any, and begins another.
    pub fn think(&mut self, task: Task<G>) {
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

    /// Says `readyok` once everything asked for before is done.
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

impl<G: Evaluated> Drop for Worker<G> {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A searcher with its evaluator, on its own thread.
struct Thinker<G: Evaluated> {
    searcher: Searcher<G>,
    evaluator: Box<dyn Evaluator<G>>,
}

impl<G: Evaluated> Thinker<G> {
    fn new(settings: &Settings) -> Option<Thinker<G>> {
        let preset = G::preset(settings.evaluator)?;
        Some(Thinker {
            searcher: Searcher::new(settings.options.clone()),
            evaluator: (preset.build)(&settings.weights, 0),
        })
    }

    fn work(&mut self, jobs: &Receiver<Job<G>>, open: &AtomicUsize) {
        while let Ok(job) = jobs.recv() {
            match job {
                Job::Configure(settings) => {
                    if let Some(other) = Thinker::new(&settings) {
                        *self = other;
                    }
                }
                Job::NewGame => self.searcher.new_game(0),
                Job::Ready => print("readyok\n"),
                Job::Think(task) => {
                    let answer = self.think(&task);
                    // A GUI may ask anything as soon as it has the answer: count first.
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

    /// Searches and waits until the answer may be given.
    fn think(&mut self, task: &Task<G>) -> String {
        let Task {
            position, signal, ..
        } = task;
        self.searcher.set_signal(Some(Arc::clone(signal)));
        self.searcher.restrict_root_moves(&task.only);
        let mut told = None;
        let found = self.searcher.search_with(
            position,
            &task.history,
            self.evaluator.as_mut(),
            task.limit,
            &mut |report| {
                print(&info_line(position, report));
                told = report.pv.first().copied();
                let mate = report.mate().filter(|moves| *moves > 0);
                if let (Some(moves), Some(wanted)) = (mate, task.mate)
                    && moves.unsigned_abs() <= wanted
                {
                    signal.stop();
                }
            },
        );
        // A search that is broken off may have changed its mind, and the lot may choose otherwise.
        if found.best.is_some() && found.best != told {
            print(&format!(
                "info depth {} score {} nodes {} pv{}\n",
                found.depth.max(1),
                score_words(found.score),
                found.nodes,
                line_words(position, &found.pv)
            ));
        }
        while !signal.stop_requested() && (task.infinite || signal.ponder_requested()) {
            thread::park_timeout(Duration::from_millis(100));
        }
        let Some(best) = found.best else {
            let score = score_words(found.score);
            return format!("info depth 0 score {score}\nbestmove (none)\n");
        };
        let mut answer = format!("bestmove {}", position.move_text(best));
        if let [first, reply, ..] = found.pv[..] {
            let mut next = position.clone();
            next.play(first);
            answer.push_str(&format!(" ponder {}", next.move_text(reply)));
        }
        answer.push('\n');
        answer
    }

    /// A fixed set of searches: the node count is a checksum of behaviour.
    fn bench(&mut self, depth: u32, signal: &Arc<Signal>) -> String {
        let Ok(positions) = bench_positions::<G>() else {
            return "info string no positions to search\n".to_string();
        };
        self.searcher.set_signal(Some(Arc::clone(signal)));
        self.searcher.restrict_root_moves(&[]);
        self.searcher.new_game(0);
        let began = Instant::now();
        let mut nodes = 0;
        for position in &positions {
            let limit = Limit::depth(depth);
            let found = self
                .searcher
                .search(position, &[], self.evaluator.as_mut(), limit);
            nodes += found.nodes;
        }
        self.searcher.new_game(0);
        let speed = nodes as f64 / began.elapsed().as_secs_f64().max(1e-9);
        format!("{nodes} nodes {speed:.0} nps\n")
    }
}

/// A score as UCI words: hundredths of a pawn, or moves to mate.
fn score_words(score: Score) -> String {
    match mate_distance(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", (f64::from(score) / f64::from(STEPS)).round()),
    }
}

fn info_line<G: Evaluated>(position: &G, report: &DepthReport<'_, G::Move>) -> String {
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
    line.push_str(&line_words(position, report.pv));
    line.push('\n');
    line
}

/// Moves from a position on, a blank before each.
fn line_words<G: Evaluated>(position: &G, moves: &[G::Move]) -> String {
    let mut at = position.clone();
    let mut words = String::new();
    for mv in moves {
        words.push(' ');
        words.push_str(&at.move_text(*mv));
        at.play(*mv);
    }
    words
}
