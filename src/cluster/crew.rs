//! The workers that a coordinator knows: who is there, what each contributed, and who is trusted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::names::ExperimentId;
use super::wire::Hello;

/// A worker that is silent for this long counts as disconnected.
const SILENCE: Duration = Duration::from_secs(12);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contribution {
    pub worker: String,
    pub threads: u64,
    pub pairs: u64,
    pub is_there: bool,
}

#[derive(Debug, Default)]
struct Member {
    threads: u64,
    heard: Option<Instant>,
    pairs: u64,
    is_trusted: bool,
    is_banned: bool,
    /// Does not play this experiment.
    refuses: bool,
}

impl Member {
    fn is_there(&self) -> bool {
        let heard = self.heard.is_some_and(|heard| heard.elapsed() < SILENCE);
        heard && !self.is_banned && !self.refuses
    }
}

#[derive(Debug, Default)]
pub struct Crew(BTreeMap<String, Member>);

/// The crew, for the bar on another thread.
#[derive(Clone, Debug, Default)]
pub struct SharedCrew(Arc<Mutex<Crew>>);

impl SharedCrew {
    pub fn lock(&self) -> MutexGuard<'_, Crew> {
        // A thread that panicked left whole entries.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// `3 workers, 6 threads: a 41 %, b 33 %, c 26 %`.
    pub fn words(&self) -> String {
        self.lock().words()
    }
}

impl Crew {
    /// Counts a worker as there. Returns why it does not play the experiment, the first time.
    pub fn hear(&mut self, hello: &Hello, id: &ExperimentId) -> Option<String> {
        let member = self.0.entry(hello.worker.clone()).or_default();
        member.threads = hello.threads;
        member.heard = Some(Instant::now());
        let refused = hello.refused.iter().find(|(name, _)| name == id.as_str());
        let is_new = refused.is_some() && !member.refuses;
        member.refuses = refused.is_some();
        refused
            .filter(|_| is_new)
            .map(|(_, why)| format!("worker `{}` does not play: {why}", hello.worker))
    }

    /// Threads of all workers that are there.
    pub fn slots(&self) -> u64 {
        let there = self.0.values().filter(|member| member.is_there());
        there.map(|member| member.threads).sum()
    }

    pub fn workers(&self) -> usize {
        self.0.values().filter(|member| member.is_there()).count()
    }

    /// Counts a pair of a worker.
    pub fn count(&mut self, worker: &str) {
        self.0.entry(worker.to_string()).or_default().pairs += 1;
    }

    pub fn pairs_of(&self, worker: &str) -> u64 {
        self.0.get(worker).map_or(0, |member| member.pairs)
    }

    pub fn is_trusted(&self, worker: &str) -> bool {
        self.0.get(worker).is_some_and(|member| member.is_trusted)
    }

    pub fn trust(&mut self, worker: &str) {
        self.0.entry(worker.to_string()).or_default().is_trusted = true;
    }

    pub fn is_banned(&self, worker: &str) -> bool {
        self.0.get(worker).is_some_and(|member| member.is_banned)
    }

    pub fn ban(&mut self, worker: &str) {
        self.0.entry(worker.to_string()).or_default().is_banned = true;
    }

    pub fn contributions(&self) -> Vec<Contribution> {
        let contributions = self.0.iter().map(|(name, member)| Contribution {
            worker: name.clone(),
            threads: member.threads,
            pairs: member.pairs,
            is_there: member.is_there(),
        });
        contributions
            .filter(|it| it.is_there || it.pairs > 0)
            .collect()
    }

    fn words(&self) -> String {
        let mut all = self.contributions();
        let played: u64 = all.iter().map(|it| it.pairs).sum();
        let threads: u64 = self.slots();
        let there = self.workers();
        all.sort_by_key(|it| std::cmp::Reverse(it.pairs));
        let shares = all.iter().take(8).map(|it| {
            let share = it.pairs as f64 * 100.0 / played.max(1) as f64;
            let gone = if it.is_there { "" } else { " (gone)" };
            format!("{} {share:.0} %{gone}", it.worker)
        });
        let shares: Vec<String> = shares.collect();
        let more = if all.len() > 8 { ", ..." } else { "" };
        let plural = |count: u64, noun: &str| match count {
            1 => format!("1 {noun}"),
            count => format!("{count} {noun}s"),
        };
        let there = plural(there as u64, "worker");
        format!(
            "{there}, {}: {}{more}",
            plural(threads, "thread"),
            shares.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crew_counts_threads_of_those_who_play_and_says_a_refusal_once() {
        let id = ExperimentId::new("x", &[]);
        let hello = |worker: &str, refused: &[&str]| Hello {
            worker: worker.to_string(),
            threads: 3,
            refused: refused
                .iter()
                .map(|why| (id.to_string(), why.to_string()))
                .collect(),
        };
        let mut crew = Crew::default();
        assert_eq!(crew.hear(&hello("a", &[]), &id), None);
        assert!(
            crew.hear(&hello("b", &["old"]), &id)
                .unwrap()
                .contains("`b`")
        );
        assert_eq!(crew.hear(&hello("b", &["old"]), &id), None);
        assert_eq!((crew.workers(), crew.slots()), (1, 3));
        crew.count("a");
        assert_eq!(crew.words(), "1 worker, 3 threads: a 100 %");
        crew.ban("a");
        assert_eq!((crew.workers(), crew.slots()), (0, 0));
    }
}
