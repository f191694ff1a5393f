//! The side that has the run directory: issues jobs, takes results in the order of their pairs, and keeps
//! the rest on the server until they are delivered.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt;
use tokio::task::JoinHandle;

use super::Say;
use super::crew::SharedCrew;
use super::error::ClusterError;
use super::games::{WirePair, from_wire, to_wire};
use super::link::Link;
use super::names::{CANCEL, EXPERIMENTS, ExperimentId, JobCopy, WORKERS, parse_subject};
use super::spec::{Spec, experiment_id, is_reproducible};
use super::table::Table;
use super::wire::{Announcement, Hello, Job, JobResult, MOST_PAIRS, WireError, Work, pack};
use crate::eval::catalog::GameId;
use crate::play::{Experiment, PlayedPair, Runner};

/// A job should last about this long: long enough that messages cost nothing, short enough that little is
/// lost with a worker.
const JOB_MILLISECONDS: f64 = 4000.0;

/// Pairs of a job while it is unknown how long a pair lasts.
const FIRST_JOB: u64 = 2;

/// One job in N is also played by a second worker and compared.
const SAMPLE: u64 = 16;

/// Coordinators announce their experiments at this interval.
const ANNOUNCE: Duration = Duration::from_secs(2);

/// Results are waited for this long, then workers and interrupts are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Without results for this long, the queue is compared with the jobs that are open.
const STALL: Duration = Duration::from_secs(5);

/// Pairs to play, of one experiment and one kind of work.
pub struct Course<'c> {
    pub experiment: &'c Experiment,
    pub work: Work,
    pub range: RangeInclusive<u64>,
}

/// Settings of a coordinator.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Higher ones are served first.
    pub priority: u8,
    /// A job whose worker reports nothing for this long is given to another one.
    pub ack_wait: Duration,
}

/// A job that a second worker plays too: digests of the first one's pairs.
struct Check {
    worker: String,
    digests: Vec<u64>,
}

pub struct Coordinator {
    link: Link,
    id: ExperimentId,
    game: GameId,
    spec: Spec,
    terms: Terms,
    results: PullConsumer,
    crew: SharedCrew,
    say: Say,
    /// Announces the experiment and listens to workers.
    presence: JoinHandle<()>,
    /// Milliseconds of a pair, a moving average.
    pace: Option<f64>,
    /// Plays single pairs to find out who is right.
    referee: Option<Runner>,
    checks: BTreeMap<u64, Check>,
    /// Last message about the server, so that it is said once.
    is_silent: bool,
    last_result: Instant,
    has_missed_workers: bool,
    /// Results received.
    received: u64,
}

/// Results that are acknowledged once all their pairs are delivered, by the last of these.
type Held = BTreeMap<(u64, u64), Acker>;

impl Coordinator {
    pub fn open(
        link: Link,
        (name, directory): (&str, &Path),
        spec: Spec,
        terms: Terms,
        crew: SharedCrew,
        say: Say,
    ) -> Result<Coordinator, ClusterError> {
        let game = spec.game()?;
        let id = experiment_id(name, &spec.head.config, directory);
        link.set_up()?;
        // Jobs of an earlier coordinator may have other sizes; results that came are kept.
        link.drop_jobs(&id)?;
        link.put_spec(&id, &spec)?;
        link.make_job_queue(&id, terms.ack_wait)?;
        let results = link.make_result_queue(&id)?;
        let announcement = pack(&Announcement {
            priority: terms.priority,
            code: spec.head.code.clone(),
        })?;
        let presence = keep_present(&link, &id, announcement, crew.clone(), say.clone());
        Ok(Coordinator {
            link,
            id,
            game,
            spec,
            terms,
            results,
            crew,
            say,
            presence,
            pace: None,
            referee: None,
            checks: BTreeMap::new(),
            is_silent: false,
            last_result: Instant::now(),
            has_missed_workers: false,
            received: 0,
        })
    }

    pub fn crew(&self) -> SharedCrew {
        self.crew.clone()
    }

    /// Delivers the pairs of a course in order, until all are delivered, `deliver` breaks or `is_over`.
    pub fn play<E: From<ClusterError>>(
        &mut self,
        course: &Course<'_>,
        is_over: &dyn Fn() -> bool,
        mut deliver: impl FnMut(PlayedPair) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut table = Table::new(course.range.clone());
        let mut held = Held::new();
        self.last_result = Instant::now();
        // Those of an earlier coordinator first: they need not be played again.
        let mut has_replayed = false;
        while !table.is_done() && !is_over() {
            if has_replayed {
                self.issue(course, &mut table)?;
            }
            let messages = self.fetch(has_replayed);
            has_replayed = has_replayed || messages.is_empty();
            for message in messages {
                self.receive(course, &mut table, &mut held, message)?;
            }
            while let Some((pair, worker)) = table.pop() {
                self.crew.lock().count(&worker);
                let flow = deliver(pair)?;
                self.acknowledge(&mut held, table.next());
                if flow.is_break() {
                    return Ok(());
                }
            }
            self.look_after(&mut table);
        }
        Ok(())
    }

    /// Ends the experiment: workers drop its jobs, and if it is `done`, the server forgets it. Otherwise
    /// results that still come are kept for the next coordinator.
    pub fn close(self, done: bool) -> Result<(), ClusterError> {
        self.presence.abort();
        if !done {
            self.link.put_state(&self.id, "paused")?;
            return self.link.drop_jobs(&self.id);
        }
        self.link.put_state(&self.id, "done")?;
        self.link
            .tell(format!("{CANCEL}.{}", self.id), Vec::new())?;
        self.link.forget(&self.id)
    }

    fn size(&self, left: u64, slots: u64) -> u64 {
        let by_time = self
            .pace
            .map_or(FIRST_JOB, |pace| (JOB_MILLISECONDS / pace.max(0.01)) as u64);
        // The last jobs are smaller, so that all workers end together.
        by_time.min(left.div_ceil(slots)).clamp(1, MOST_PAIRS)
    }

    /// Issues jobs as long as there are fewer than twice the slots.
    fn issue(&mut self, course: &Course<'_>, table: &mut Table) -> Result<(), ClusterError> {
        let slots = self.crew.lock().slots().max(1);
        let most = self.size(table.left(), slots);
        let horizon = table.next() + 4 * slots * most;
        let mut issued = Vec::new();
        let mut messages = Vec::new();
        while (table.open_jobs() as u64) < 2 * slots {
            let Some((first, count)) = table.issue(most, horizon) else {
                break;
            };
            let job = Job {
                first,
                count,
                not: None,
                work: course.work.clone(),
            };
            messages.push((self.id.job(first, JobCopy::First), pack(&job)?));
            issued.push(first);
        }
        for (first, stored) in issued.into_iter().zip(self.link.publish(messages)) {
            if let Err(error) = stored {
                table.play_again(first);
                self.complain(&error);
            }
        }
        Ok(())
    }

    /// Says what is wrong with the server, once.
    fn complain(&mut self, error: &ClusterError) {
        if !self.is_silent {
            (self.say)(&format!("{error}; trying again"));
            self.is_silent = true;
        }
    }

    fn fetch(&mut self, wait: bool) -> Vec<Message> {
        // One that is awaited, and all that came with it.
        let first = match wait {
            true => self.link.fetch(&self.results, 1, Some(LOOK)),
            false => Ok(Vec::new()),
        };
        let rest = match &first {
            Ok(first) if wait && first.is_empty() => Ok(Vec::new()),
            Ok(_) => self.link.fetch(&self.results, 128, None),
            Err(_) => Ok(Vec::new()),
        };
        match (first, rest) {
            (Ok(mut first), Ok(rest)) => {
                if self.is_silent && !(first.is_empty() && rest.is_empty()) {
                    self.is_silent = false;
                    (self.say)(&format!("{}: results arrive again", self.link.server));
                }
                first.extend(rest);
                first
            }
            (Ok(first), Err(error)) if first.is_empty() => self.missed(&error),
            (Ok(first), Err(_)) => first,
            (Err(error), _) => self.missed(&error),
        }
    }

    fn missed(&mut self, error: &ClusterError) -> Vec<Message> {
        self.complain(error);
        std::thread::sleep(LOOK);
        // The queue may be gone with a server's memory.
        if let Ok(results) = self.link.make_result_queue(&self.id) {
            self.results = results;
        }
        Vec::new()
    }

    fn acknowledge(&self, held: &mut Held, next: u64) {
        while let Some(entry) = held.first_entry() {
            if entry.key().0 >= next {
                break;
            }
            // Lost acknowledgements only bring the message again.
            let _ = self.link.wait(entry.remove().ack());
        }
    }

    /// Takes one result: checks it, and hands its pairs to the table.
    fn receive(
        &mut self,
        course: &Course<'_>,
        table: &mut Table,
        held: &mut Held,
        message: Message,
    ) -> Result<(), ClusterError> {
        let (message, acker) = message.split();
        self.last_result = Instant::now();
        let named = parse_subject(&message.subject);
        self.received += 1;
        let Some((_, first, copy)) = named.filter(|(id, ..)| *id == self.id) else {
            let _ = self.link.wait(acker.ack());
            return Ok(());
        };
        if copy == JobCopy::Check {
            let _ = self.link.wait(acker.ack());
            return self.compare(course, table, first, &message.payload);
        }
        let accepted = self.accept(course, table, first, &message.payload)?;
        match accepted {
            Some(last) if last >= table.next() => {
                held.insert((last, self.received), acker);
            }
            _ => {
                let _ = self.link.wait(acker.ack());
            }
        }
        Ok(())
    }

    /// The last pair of an accepted result; `None` if it is not accepted, and its job is issued again.
    fn accept(
        &mut self,
        course: &Course<'_>,
        table: &mut Table,
        first: u64,
        payload: &[u8],
    ) -> Result<Option<u64>, ClusterError> {
        let (result, pairs) = match self.read(course, first, payload) {
            Ok(read) => read,
            Err(error) => {
                (self.say)(&format!("pairs from {first} are played again: {error}"));
                table.play_again(first);
                return Ok(None);
            }
        };
        let worker = &result.worker;
        if self.crew.lock().is_banned(worker) {
            table.play_again(first);
            return Ok(None);
        }
        let last = first + result.count() - 1;
        if pairs.is_empty() || last < table.next() {
            // Played twice and delivered already, or of pairs that are not asked for.
            return Ok(Some(0));
        }
        let compares = is_reproducible(&course.experiment.players);
        if compares && !self.crew.lock().is_trusted(worker) {
            let pair = pairs[first as usize % pairs.len()].pair;
            let own = self.own_digest(course, pair)?;
            if own != digest(&result.pairs[(pair - first) as usize]) {
                table.play_again(first);
                self.ban(table, worker, pair)?;
                return Ok(None);
            }
            self.crew.lock().trust(worker);
        }
        if compares && first.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & (SAMPLE - 1) == 0 {
            self.sample(course, first, &result);
        }
        let pace = result.milliseconds as f64 / result.count() as f64;
        self.pace = Some(self.pace.map_or(pace, |old| old * 0.8 + pace * 0.2));
        self.allow_for(pace);
        table.take(first, worker, pairs);
        Ok(Some(last))
    }

    /// Workers report after every pair: pairs that last long need more time than that.
    fn allow_for(&mut self, pace: f64) {
        let needed = Duration::from_millis((pace * 4.0) as u64);
        if needed > self.terms.ack_wait {
            self.terms.ack_wait = needed;
            if let Err(error) = self.link.make_job_queue(&self.id, needed) {
                self.complain(&error);
            }
        }
    }

    fn read(
        &self,
        course: &Course<'_>,
        first: u64,
        payload: &[u8],
    ) -> Result<(JobResult, Vec<PlayedPair>), WireError> {
        let result = JobResult::decode(payload)?;
        if let Some(objection) = result.code.objection(&self.spec.head.code) {
            return Err(WireError::invalid(format!(
                "worker `{}`: {objection}",
                result.worker
            )));
        }
        if result.first != first {
            return Err(WireError::invalid(format!(
                "worker `{}` named pair {} in the place of {first}",
                result.worker, result.first
            )));
        }
        let range = &course.range;
        let pairs = (first..).zip(&result.pairs);
        // Those of a longer run that was cut are not needed.
        let pairs = pairs.filter(|(pair, _)| range.contains(pair));
        let pairs = pairs.map(|(pair, wire)| {
            let (_, pairing) = course.experiment.schedule.pairing_of(pair);
            from_wire(wire.clone(), pair, pairing)
        });
        let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
        match pairs.is_empty() && range.contains(&first) {
            true => Err(WireError::invalid("a result without pairs")),
            false => Ok((result, pairs)),
        }
    }

    /// Gives a job to a second worker.
    fn sample(&mut self, course: &Course<'_>, first: u64, result: &JobResult) {
        if self.crew.lock().workers() < 2 {
            return;
        }
        let job = Job {
            first,
            count: result.count(),
            not: Some(result.worker.clone()),
            work: course.work.clone(),
        };
        let Ok(packed) = pack(&job) else { return };
        let subject = self.id.job(first, JobCopy::Check);
        if self
            .link
            .publish(vec![(subject, packed)])
            .iter()
            .all(Result::is_ok)
        {
            let check = Check {
                worker: result.worker.clone(),
                digests: result.pairs.iter().map(digest).collect(),
            };
            self.checks.insert(first, check);
        }
    }

    /// Compares the second playing of a job with the first.
    fn compare(
        &mut self,
        course: &Course<'_>,
        table: &mut Table,
        first: u64,
        payload: &[u8],
    ) -> Result<(), ClusterError> {
        let Some(check) = self.checks.remove(&first) else {
            return Ok(());
        };
        let Ok((result, _)) = self.read(course, first, payload) else {
            return Ok(());
        };
        if result.worker == check.worker || self.crew.lock().is_banned(&result.worker) {
            return Ok(());
        }
        let second = result.pairs.iter().map(digest);
        let places = check.digests.iter().zip(second).enumerate();
        let differing = places.filter(|(_, (one, other))| *one != other);
        let Some((place, (one, other))) = differing.into_iter().next() else {
            return Ok(());
        };
        let pair = first + place as u64;
        let own = self.own_digest(course, pair)?;
        for (worker, played) in [(check.worker.as_str(), *one), (&result.worker, other)] {
            if played != own {
                self.ban(table, worker, pair)?;
            }
        }
        Ok(())
    }

    /// What this process plays in a pair.
    fn own_digest(&mut self, course: &Course<'_>, pair: u64) -> Result<u64, ClusterError> {
        let referee = match &mut self.referee {
            Some(referee) => referee,
            none => none.insert(Runner::new(self.game, 1)?),
        };
        let detail = self.spec.head.detail;
        let mut played = 0;
        referee.run::<u64, ClusterError>(
            course.experiment,
            pair..=pair,
            &std::sync::atomic::AtomicBool::new(false),
            |pair| digest(&to_wire(&pair, detail)),
            |digest| {
                played = digest;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(played)
    }

    /// Drops a worker and what it played. An error if some of that is written.
    fn ban(&mut self, table: &mut Table, worker: &str, pair: u64) -> Result<(), ClusterError> {
        self.crew.lock().ban(worker);
        let dropped = table.drop_worker(worker);
        let written = self.crew.lock().pairs_of(worker);
        (self.say)(&format!(
            "worker `{worker}` returned other games for pair {pair} than the same program plays here: its \
             results are refused, and {dropped} pairs are played again"
        ));
        match written {
            0 => Ok(()),
            written => Err(ClusterError::Liar {
                worker: worker.to_string(),
                pair,
                written,
            }),
        }
    }

    /// Notices missing workers, and jobs that the server does not have any more.
    fn look_after(&mut self, table: &mut Table) {
        let workers = self.crew.lock().workers();
        if self.last_result.elapsed() < STALL {
            return;
        }
        self.last_result = Instant::now();
        if workers == 0 {
            if !self.has_missed_workers {
                (self.say)(&format!(
                    "no worker is connected to {0}; start one there or here: sparring worker nats://{0}",
                    self.link.server
                ));
            }
            self.has_missed_workers = true;
        }
        let open = self.link.open_jobs(&self.id);
        let is_lost = match &open {
            Ok(open) => *open <= self.checks.len() as u64 && table.open_jobs() > 0,
            Err(_) => true,
        };
        if !is_lost {
            return;
        }
        // The server lost what it had, or a job was taken and its result refused.
        let rebuilt = self
            .link
            .set_up()
            .and_then(|()| self.link.put_spec(&self.id, &self.spec))
            .and_then(|()| self.link.make_job_queue(&self.id, self.terms.ack_wait))
            .and_then(|()| self.link.make_result_queue(&self.id));
        match rebuilt {
            Ok(results) => {
                self.results = results;
                table.play_all_again();
            }
            Err(error) => self.complain(&error),
        }
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.presence.abort();
    }
}

/// Announces an experiment and listens to workers, in the background.
fn keep_present(
    link: &Link,
    id: &ExperimentId,
    announcement: Vec<u8>,
    crew: SharedCrew,
    say: Say,
) -> JoinHandle<()> {
    let client = link.client.clone();
    let id = id.clone();
    link.handle.spawn(async move {
        let subject = format!("{EXPERIMENTS}.{id}");
        let Ok(mut workers) = client.subscribe(format!("{WORKERS}.*")).await else {
            return;
        };
        let mut interval = tokio::time::interval(ANNOUNCE);
        loop {
            tokio::select! {
                _ = interval.tick() => {
                    // A server that is gone for a while hears the next one.
                    let _ = client.publish(subject.clone(), announcement.clone().into()).await;
                }
                message = workers.next() => {
                    let Some(message) = message else { return };
                    let Ok(hello) = Hello::decode(&message.payload) else { continue };
                    let said = crew.lock().hear(&hello, &id);
                    if let Some(said) = said {
                        say(&said);
                    }
                }
            }
        }
    })
}

/// Tells different games apart.
fn digest(pair: &WirePair) -> u64 {
    let json = serde_json::to_vec(pair).unwrap_or_default();
    json.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
