//! The side that plays: takes jobs of any experiment, one per thread, and sends the games back.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;

use super::error::ClusterError;
use super::games::{Detail, to_wire};
use super::link::Link;
use super::names::{CANCEL, EXPERIMENTS, ExperimentId, JobCopy, WORKERS, parse_subject};
use super::spec::{Code, LocalEngines, Opened, Spec};
use super::wire::{Announcement, Hello, Job, JobResult, pack};
use crate::eval::catalog::GameId;
use crate::play::{PlayedPair, Runner};

/// Workers announce themselves at this interval.
const HELLO: Duration = Duration::from_secs(2);

/// An experiment whose coordinator is silent for this long gets no more work.
const SILENCE: Duration = Duration::from_secs(15);

/// A job is reported to be in progress at most this often.
const PROGRESS: Duration = Duration::from_millis(500);

/// Stored results are tried again for this long; then the job goes to another worker.
const PUBLISH: Duration = Duration::from_secs(120);

/// What a worker tells its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerEvent {
    /// Played, and stored by the server.
    Played {
        experiment: String,
        first: u64,
        pairs: u64,
        milliseconds: u64,
    },
    Note(String),
}

/// Plays the pairs of jobs, on one thread.
pub trait Hand: Send {
    /// `None` if stopped. `alive` is called after every game and move.
    fn play(
        &mut self,
        job: &Job,
        opened: &Opened,
        alive: &(dyn Fn() + Sync),
        stop: &AtomicBool,
    ) -> Result<Option<Vec<PlayedPair>>, ClusterError>;
}

/// Plays real games.
#[derive(Default)]
pub struct Player {
    /// For one game; most workers play no other.
    runner: Option<(GameId, Runner)>,
}

impl Player {
    fn runner(&mut self, game: GameId) -> Result<&mut Runner, ClusterError> {
        let runner = match self.runner.take() {
            Some((known, runner)) if known == game => runner,
            _ => Runner::new(game, 1)?,
        };
        Ok(&mut self.runner.insert((game, runner)).1)
    }
}

impl Hand for Player {
    fn play(
        &mut self,
        job: &Job,
        opened: &Opened,
        alive: &(dyn Fn() + Sync),
        stop: &AtomicBool,
    ) -> Result<Option<Vec<PlayedPair>>, ClusterError> {
        let experiment = opened.experiment(job)?;
        let mut pairs = Vec::new();
        self.runner(opened.game())?.run::<_, ClusterError>(
            &experiment,
            job.first..=job.last(),
            stop,
            |pair| {
                alive();
                pair
            },
            |pair| {
                pairs.push(pair);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok((pairs.len() as u64 == job.count).then_some(pairs))
    }
}

/// An experiment that was announced.
struct Known {
    announcement: Announcement,
    heard: Instant,
    /// Set when its jobs are cancelled.
    stop: Arc<AtomicBool>,
    /// Why it is not played here.
    refused: Option<String>,
    queue: Option<PullConsumer>,
}

#[derive(Default)]
struct Board {
    experiments: BTreeMap<ExperimentId, Known>,
}

/// The work of a worker, shared by its threads.
pub struct Worker {
    link: Link,
    name: String,
    threads: u64,
    engines: LocalEngines,
    board: Mutex<Board>,
    specs: Mutex<HashMap<ExperimentId, Arc<(Spec, Opened)>>>,
    codes: Mutex<HashMap<GameId, Code>>,
    tell: Box<dyn Fn(WorkerEvent) + Send + Sync>,
    /// Pairs played.
    played: AtomicU64,
    is_silent: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Entries are whole at any time.
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The flags of a worker: the first lets jobs in progress end, the second drops them.
#[derive(Clone, Copy)]
pub struct Flags {
    pub finish: &'static AtomicBool,
    pub now: &'static AtomicBool,
}

impl Worker {
    pub fn new(
        link: Link,
        name: &str,
        threads: u64,
        engines: LocalEngines,
        tell: Box<dyn Fn(WorkerEvent) + Send + Sync>,
    ) -> Worker {
        Worker {
            link,
            name: name.to_string(),
            threads,
            engines,
            board: Mutex::default(),
            specs: Mutex::default(),
            codes: Mutex::default(),
            tell,
            played: AtomicU64::new(0),
            is_silent: AtomicBool::new(false),
        }
    }

    /// Works until `flags.finish` is set. Returns the number of pairs played.
    pub fn run<H: Hand>(self, flags: Flags, hand: impl Fn() -> H) -> u64 {
        let worker = Arc::new(self);
        let presence = worker
            .link
            .handle
            .spawn(keep_present(worker.clone(), flags));
        std::thread::scope(|scope| {
            for index in 0..worker.threads {
                let (worker, mut hand) = (&worker, hand());
                scope.spawn(move || {
                    let mut turn = index;
                    while !flags.finish.load(Ordering::Relaxed) {
                        turn += 1;
                        let done = worker.turn(turn, &mut hand, flags);
                        worker.note_silence(done.err());
                    }
                });
            }
        });
        presence.abort();
        // The connection must not be closed by its own thread.
        let _ = worker.link.wait(presence);
        worker.played.load(Ordering::Relaxed)
    }

    /// Says once that the server is silent, and once that it is back.
    fn note_silence(&self, error: Option<ClusterError>) {
        match error {
            None if self.is_silent.swap(false, Ordering::Relaxed) => {
                self.note(&format!("{}: connected again", self.link.server));
            }
            None => {}
            Some(error) => {
                if !self.is_silent.swap(true, Ordering::Relaxed) {
                    self.note(&format!("{error}; trying again"));
                }
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }

    fn note(&self, text: &str) {
        (self.tell)(WorkerEvent::Note(text.to_string()));
    }

    /// Plays one job, if there is one.
    fn turn(&self, turn: u64, hand: &mut dyn Hand, flags: Flags) -> Result<(), ClusterError> {
        let experiments = self.experiments();
        if experiments.is_empty() {
            std::thread::sleep(Duration::from_millis(100));
            return Ok(());
        }
        let alone = experiments.len() == 1;
        for id in experiments.iter().filter(|_| !alone) {
            if let Some(message) = self.fetch(id, None)? {
                return self.play(id, message, hand, flags);
            }
        }
        // Nothing is queued: wait at one of them.
        let id = &experiments[(turn % experiments.len() as u64) as usize];
        let patience = Duration::from_millis(if alone { 1000 } else { 200 });
        match self.fetch(id, Some(patience))? {
            Some(message) => self.play(id, message, hand, flags),
            None => Ok(()),
        }
    }

    /// The experiments that can be played here, the most urgent first.
    fn experiments(&self) -> Vec<ExperimentId> {
        let mut board = locked(&self.board);
        board
            .experiments
            .retain(|_, known| known.heard.elapsed() < SILENCE);
        let all = board.experiments.iter();
        let mut open: Vec<(u8, ExperimentId)> = all
            .filter(|(_, known)| known.refused.is_none())
            .map(|(id, known)| (known.announcement.priority, id.clone()))
            .collect();
        open.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        open.into_iter().map(|(_, id)| id).collect()
    }

    fn fetch(
        &self,
        id: &ExperimentId,
        patience: Option<Duration>,
    ) -> Result<Option<Message>, ClusterError> {
        let known = |board: &Board| board.experiments.get(id)?.queue.clone();
        let known = known(&locked(&self.board));
        let queue = match known.map_or_else(|| self.link.job_queue(id), Ok) {
            Ok(queue) => queue,
            Err(_) => {
                // Its coordinator has not made it yet, or has ended.
                std::thread::sleep(Duration::from_millis(200));
                return Ok(None);
            }
        };
        let fetched = self.link.fetch(&queue, 1, patience);
        match locked(&self.board).experiments.get_mut(id) {
            // A queue that fails may have been replaced.
            Some(known) => known.queue = fetched.is_ok().then_some(queue),
            // It has ended, and its queue with it.
            None if fetched.is_err() => return Ok(None),
            None => {}
        }
        Ok(fetched?.into_iter().next())
    }

    fn refuse(&self, id: &ExperimentId, why: &str) {
        let mut board = locked(&self.board);
        if let Some(known) = board.experiments.get_mut(id) {
            let is_new = known.refused.is_none();
            known.refused = Some(why.to_string());
            if is_new {
                drop(board);
                self.note(&format!("experiment {id} refused: {why}"));
            }
        }
    }

    /// The spec of an experiment, read once.
    fn spec(&self, id: &ExperimentId) -> Result<Option<Arc<(Spec, Opened)>>, ClusterError> {
        if let Some(spec) = locked(&self.specs).get(id) {
            return Ok(Some(spec.clone()));
        }
        let Some(spec) = self.link.get_spec(id)? else {
            return Ok(None);
        };
        let opened = match self.check(&spec) {
            Ok(opened) => opened,
            Err(error) => {
                self.refuse(id, &error.to_string());
                return Ok(None);
            }
        };
        let spec = Arc::new((spec, opened));
        let mut specs = locked(&self.specs);
        // Those of experiments that ended.
        let board = locked(&self.board);
        specs.retain(|known, _| board.experiments.contains_key(known));
        drop(board);
        specs.insert(id.clone(), spec.clone());
        Ok(Some(spec))
    }

    fn check(&self, spec: &Spec) -> Result<Opened, ClusterError> {
        let opened = spec.open(&self.engines)?;
        let code = self.code(opened.game())?;
        match code.objection(&spec.head.code) {
            Some(objection) => Err(ClusterError::Refused {
                experiment: opened.game().name().to_string(),
                message: objection,
            }),
            None => Ok(opened),
        }
    }

    fn code(&self, game: GameId) -> Result<Code, ClusterError> {
        let mut codes = locked(&self.codes);
        match codes.get(&game) {
            Some(code) => Ok(code.clone()),
            None => {
                let code = Code::here(game)?;
                codes.insert(game, code.clone());
                Ok(code)
            }
        }
    }

    fn answer(&self, message: &Message, kind: AckKind) {
        // A lost answer brings the job again, and its result is refused as known.
        let _ = self.link.wait(message.ack_with(kind));
    }

    /// The job of a message; `None` if it is not for this worker, which has been answered then.
    fn read_job(&self, id: &ExperimentId, message: &Message) -> Option<(Job, JobCopy)> {
        let named = parse_subject(&message.subject).filter(|(of, ..)| of == id);
        match (named, Job::decode(&message.payload)) {
            (Some((_, first, copy)), Ok(job)) if job.first == first => {
                if job.not.as_deref() != Some(&self.name) {
                    return Some((job, copy));
                }
                // It is a comparison with what this worker played.
                self.answer(message, AckKind::Nak(Some(Duration::from_secs(1))));
            }
            _ => {
                self.answer(message, AckKind::Term);
                self.note(&format!("experiment {id}: an unreadable job is refused"));
            }
        }
        None
    }

    /// Plays a job, stores its result and acknowledges it, in this order.
    fn play(
        &self,
        id: &ExperimentId,
        message: Message,
        hand: &mut dyn Hand,
        flags: Flags,
    ) -> Result<(), ClusterError> {
        let Some((job, copy)) = self.read_job(id, &message) else {
            return Ok(());
        };
        let later = AckKind::Nak(Some(Duration::from_secs(1)));
        let Some(spec) = self.spec(id)? else {
            self.answer(&message, later);
            return Ok(());
        };
        let stop = locked(&self.board)
            .experiments
            .get(id)
            .map(|known| known.stop.clone());
        let stop = stop.unwrap_or_default();
        let began = Instant::now();
        let reported = Mutex::new(Instant::now());
        let alive = || {
            let mut reported = locked(&reported);
            if reported.elapsed() > PROGRESS {
                *reported = Instant::now();
                self.answer(&message, AckKind::Progress);
            }
            if flags.now.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let pairs = match hand.play(&job, &spec.1, &alive, &stop) {
            Ok(Some(pairs)) => pairs,
            Ok(None) => {
                self.answer(&message, AckKind::Nak(None));
                return Ok(());
            }
            Err(error) => {
                self.answer(&message, later);
                self.refuse(id, &error.to_string());
                return Ok(());
            }
        };
        let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let detail = spec.0.head.detail;
        let result = self.result(&spec, &job, &pairs, milliseconds, detail)?;
        if self.store(id, &job, copy, &result, &stop) {
            self.answer(&message, AckKind::Ack);
            self.played.fetch_add(job.count, Ordering::Relaxed);
            (self.tell)(WorkerEvent::Played {
                experiment: id.to_string(),
                first: job.first,
                pairs: job.count,
                milliseconds,
            });
        }
        Ok(())
    }

    fn result(
        &self,
        spec: &(Spec, Opened),
        job: &Job,
        pairs: &[PlayedPair],
        milliseconds: u64,
        detail: Detail,
    ) -> Result<Vec<u8>, ClusterError> {
        Ok(pack(&JobResult {
            worker: self.name.clone(),
            code: self.code(spec.1.game())?,
            first: job.first,
            milliseconds,
            pairs: pairs.iter().map(|pair| to_wire(pair, detail)).collect(),
        })?)
    }

    /// True once the server has it, from us or from another worker.
    fn store(
        &self,
        id: &ExperimentId,
        job: &Job,
        copy: JobCopy,
        result: &[u8],
        stop: &AtomicBool,
    ) -> bool {
        let began = Instant::now();
        loop {
            let message = (id.result(job.first, copy), result.to_vec());
            let stored = self.link.publish(vec![message]).into_iter().next();
            match stored {
                Some(Ok(())) => return true,
                Some(Err(error)) if began.elapsed() < PUBLISH && !stop.load(Ordering::Relaxed) => {
                    self.note_silence(Some(error));
                }
                _ => return false,
            }
        }
    }

    fn drop_jobs(&self) {
        for known in locked(&self.board).experiments.values() {
            known.stop.store(true, Ordering::Relaxed);
        }
    }

    fn hello(&self) -> Vec<u8> {
        let board = locked(&self.board);
        let refused = board.experiments.iter();
        let refused =
            refused.filter_map(|(id, known)| Some((id.to_string(), known.refused.clone()?)));
        let hello = Hello {
            worker: self.name.clone(),
            threads: self.threads,
            refused: refused.collect(),
        };
        // Only texts and numbers, so this cannot fail.
        pack(&hello).unwrap_or_default()
    }

    /// Takes a message of a coordinator. True if its experiment is new: it wants to know who is there.
    fn hear(&self, subject: &str, payload: &[u8]) -> bool {
        let mut tokens = subject.split('.');
        let kind = tokens.next().unwrap_or_default();
        let Some(id) = tokens.next().and_then(ExperimentId::parse) else {
            return false;
        };
        let mut board = locked(&self.board);
        if kind == CANCEL {
            if let Some(known) = board.experiments.remove(&id) {
                known.stop.store(true, Ordering::Relaxed);
            }
            return false;
        }
        let Ok(announcement) = Announcement::decode(payload) else {
            return false;
        };
        let is_new = !board.experiments.contains_key(&id);
        let known = board.experiments.entry(id).or_insert_with(|| Known {
            announcement: announcement.clone(),
            heard: Instant::now(),
            stop: Arc::default(),
            refused: None,
            queue: None,
        });
        known.heard = Instant::now();
        known.announcement = announcement;
        is_new
    }
}

/// Announces the worker and listens to coordinators, in the background.
async fn keep_present(worker: Arc<Worker>, flags: Flags) {
    let client = worker.link.client.clone();
    let experiments = client.subscribe(format!("{EXPERIMENTS}.*")).await;
    let cancels = client.subscribe(format!("{CANCEL}.*")).await;
    let (Ok(experiments), Ok(cancels)) = (experiments, cancels) else {
        return;
    };
    let mut messages = futures_util::stream::select(experiments, cancels);
    let mut interval = tokio::time::interval(HELLO);
    let subject = format!("{WORKERS}.{}", worker.name.replace('.', "_"));
    loop {
        tokio::select! {
            _ = interval.tick() => {
                if flags.now.load(Ordering::Relaxed) {
                    worker.drop_jobs();
                }
                let _ = client.publish(subject.clone(), worker.hello().into()).await;
            }
            message = messages.next() => {
                let Some(message) = message else { return };
                if worker.hear(&message.subject, &message.payload) {
                    let _ = client.publish(subject.clone(), worker.hello().into()).await;
                }
            }
        }
    }
}
