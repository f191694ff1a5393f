//! Names on the server: streams, subjects, keys and experiments.

use std::fmt;

/// The work queue.
pub const JOBS: &str = "JOBS";
/// The results that the coordinator has not written yet.
pub const RESULTS: &str = "RESULTS";
/// Specs and states of experiments.
pub const BUCKET: &str = "sparring";
/// Workers announce themselves here.
pub const WORKERS: &str = "workers";
/// Coordinators announce their experiments here, once every few seconds.
pub const EXPERIMENTS: &str = "exp";
/// Tells workers to drop the jobs of an experiment.
pub const CANCEL: &str = "cancel";

const LONGEST: usize = 80;

/// An experiment, as part of subjects and keys: the name of its run, and a hash that tells runs of the same
/// name apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExperimentId(String);

impl ExperimentId {
    /// `identity` is what makes a run the same when it is resumed.
    pub fn new(name: &str, identity: &[&str]) -> ExperimentId {
        let plain = |letter: char| match letter.is_ascii_alphanumeric() {
            true => letter,
            false => '-',
        };
        let name: String = name.chars().take(40).map(plain).collect();
        // FNV-1a; the zero keeps ["ab", "c"] apart from ["a", "bc"].
        let bytes = identity
            .iter()
            .flat_map(|part| part.bytes().chain(std::iter::once(0)));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        ExperimentId(format!("{name}-{hash:016x}"))
    }

    /// A name from the wire; `None` if it cannot be one.
    pub fn parse(text: &str) -> Option<ExperimentId> {
        let plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        let valid = !text.is_empty() && text.len() <= LONGEST && text.bytes().all(plain);
        valid.then(|| ExperimentId(text.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The subject of a job and of its result: `jobs.EXP.FIRST` and `res.EXP.FIRST`. A second copy of a job, for
    /// comparison, has separate subjects.
    pub fn job(&self, first: u64, copy: JobCopy) -> String {
        format!("jobs.{self}.{first}{}", copy.suffix())
    }

    pub fn result(&self, first: u64, copy: JobCopy) -> String {
        format!("res.{self}.{first}{}", copy.suffix())
    }

    pub fn jobs(&self) -> String {
        format!("jobs.{self}.>")
    }

    pub fn results(&self) -> String {
        format!("res.{self}.>")
    }
}

impl fmt::Display for ExperimentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a job is played for its results, or to compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JobCopy {
    First,
    Check,
}

impl JobCopy {
    const fn suffix(self) -> &'static str {
        match self {
            JobCopy::First => "",
            JobCopy::Check => "-check",
        }
    }
}

/// The first pair and the copy that a subject `jobs.EXP.FIRST` or `res.EXP.FIRST` names.
pub fn parse_subject(subject: &str) -> Option<(ExperimentId, u64, JobCopy)> {
    let mut tokens = subject.split('.').skip(1);
    let experiment = ExperimentId::parse(tokens.next()?)?;
    let last = tokens.next()?;
    let (number, copy) = match last.strip_suffix(JobCopy::Check.suffix()) {
        Some(number) => (number, JobCopy::Check),
        None => (last, JobCopy::First),
    };
    let first: u64 = number.parse().ok()?;
    (tokens.next().is_none() && first > 0).then_some((experiment, first, copy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_read_as_they_are_written_and_others_are_none() {
        let id = ExperimentId::new("my run. *>", &["config", "directory"]);
        assert_ne!(
            id,
            ExperimentId::new("my run. *>", &["configd", "irectory"])
        );
        for copy in [JobCopy::First, JobCopy::Check] {
            for subject in [id.job(17, copy), id.result(17, copy)] {
                assert_eq!(parse_subject(&subject), Some((id.clone(), 17, copy)));
            }
        }
        for wrong in [
            "",
            "jobs",
            "jobs.a",
            "jobs.a.0",
            "jobs.a.x",
            "jobs.a.1.2",
            "jobs..1",
            "jobs.a*.1",
            "jobs.a.-check",
            "jobs.a.99999999999999999999999",
        ] {
            assert_eq!(parse_subject(wrong), None, "{wrong}");
        }
    }
}
