//! What is sent between coordinator and workers, as compressed JSON. Everything that is received is checked:
//! no byte from the wire can cause a panic, and none is expanded beyond a limit.

use std::fmt;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::games::WirePair;
use super::spec::Code;
use crate::play::Schedule;
use crate::tune::Duel;

/// Most pairs of a job.
pub const MOST_PAIRS: u64 = 64;
/// The largest message, packed: the usual limit of a server.
pub const MOST_BYTES: usize = 1_000_000;
/// The largest message, unpacked.
pub const MOST_UNPACKED: usize = 64 << 20;
/// The largest number of a pair: far above any run, far below overflow.
pub const MOST_PAIR: u64 = 1 << 48;

/// A message that cannot be read, or that is too large to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    TooLarge { bytes: usize, most: usize },
    Unreadable { message: String },
    Invalid { message: String },
}

impl WireError {
    pub fn invalid(message: impl Into<String>) -> WireError {
        WireError::Invalid {
            message: message.into(),
        }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::TooLarge { bytes, most } => write!(
                f,
                "a message of {bytes} bytes, at most {most} are allowed; use fewer pairs in a job"
            ),
            WireError::Unreadable { message } => write!(f, "an unreadable message: {message}"),
            WireError::Invalid { message } => write!(f, "an invalid message: {message}"),
        }
    }
}

impl std::error::Error for WireError {}

/// Deflated JSON.
pub fn pack<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    let json = serde_json::to_vec(value).map_err(|error| WireError::invalid(error.to_string()))?;
    deflate(&json)
}

pub fn deflate(bytes: &[u8]) -> Result<Vec<u8>, WireError> {
    let failed = |error: std::io::Error| WireError::invalid(error.to_string());
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).map_err(failed)?;
    encoder.finish().map_err(failed)
}

pub fn inflate(bytes: &[u8], most: usize) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::new();
    let mut decoder = DeflateDecoder::new(bytes).take(most as u64 + 1);
    decoder
        .read_to_end(&mut out)
        .map_err(|error| WireError::Unreadable {
            message: error.to_string(),
        })?;
    match out.len() > most {
        true => Err(WireError::TooLarge {
            bytes: out.len(),
            most,
        }),
        false => Ok(out),
    }
}

pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    if bytes.len() > MOST_BYTES {
        return Err(WireError::TooLarge {
            bytes: bytes.len(),
            most: MOST_BYTES,
        });
    }
    let json = inflate(bytes, MOST_UNPACKED)?;
    serde_json::from_slice(&json).map_err(|error| WireError::Unreadable {
        message: error.to_string(),
    })
}

/// What the pairs of a job belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Work {
    /// The schedule of the experiment's config.
    Run,
    /// A stage whose pairings depend on results.
    Stage(Schedule),
    /// Duels of a tuning step.
    Duels(Duels),
}

/// Duels, with their values as bits: JSON need not keep floats exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duels {
    pub first_pair: u64,
    pub pairs_each: u64,
    /// As many duels in a row play the same opening.
    pub sharing: usize,
    values: Vec<[Vec<u64>; 2]>,
}

impl Duels {
    pub fn new(first_pair: u64, duels: &[Duel], sharing: usize) -> Duels {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect();
        Duels {
            first_pair,
            pairs_each: duels.first().map_or(0, |duel| duel.pairs),
            sharing,
            values: duels
                .iter()
                .map(|duel| [bits(&duel.one), bits(&duel.other)])
                .collect(),
        }
    }

    /// The duels of a space with this many parameters.
    pub fn duels(&self, parameters: usize) -> Result<Vec<Duel>, WireError> {
        let pairs = self.pairs_each.saturating_mul(self.values.len() as u64);
        let sound = |number: u64| (1..=MOST_PAIR).contains(&number);
        if !sound(self.first_pair) || !sound(pairs) || self.sharing > self.values.len() {
            return Err(WireError::invalid("duels without pairs, or with too many"));
        }
        let values = |bits: &Vec<u64>| -> Result<Vec<f64>, WireError> {
            let values: Vec<f64> = bits.iter().map(|bits| f64::from_bits(*bits)).collect();
            match values.len() == parameters && values.iter().all(|value| value.is_finite()) {
                true => Ok(values),
                false => Err(WireError::invalid(
                    "duels of other parameters than the config",
                )),
            }
        };
        let duel = |[one, other]: &[Vec<u64>; 2]| {
            Ok(Duel {
                one: values(one)?,
                other: values(other)?,
                pairs: self.pairs_each,
            })
        };
        self.values.iter().map(duel).collect()
    }
}

/// Consecutive pairs for one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub first: u64,
    pub count: u64,
    /// The worker that played it: the comparison needs a different one.
    pub not: Option<String>,
    pub work: Work,
}

impl Job {
    pub fn last(&self) -> u64 {
        self.first + self.count - 1
    }

    pub fn decode(bytes: &[u8]) -> Result<Job, WireError> {
        let job: Job = unpack(bytes)?;
        check_range(job.first, job.count)?;
        Ok(job)
    }
}

fn check_range(first: u64, count: u64) -> Result<(), WireError> {
    if !(1..=MOST_PAIR).contains(&first) || !(1..=MOST_PAIRS).contains(&count) {
        return Err(WireError::invalid(format!(
            "{count} pairs from pair {first}; a job has 1 to {MOST_PAIRS}"
        )));
    }
    Ok(())
}

/// The games of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// The name of the worker.
    pub worker: String,
    pub code: Code,
    pub first: u64,
    /// What playing took.
    pub milliseconds: u64,
    pub pairs: Vec<WirePair>,
}

impl JobResult {
    pub fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    pub fn decode(bytes: &[u8]) -> Result<JobResult, WireError> {
        let result: JobResult = unpack(bytes)?;
        check_range(result.first, result.count())?;
        check_name(&result.worker)?;
        Ok(result)
    }
}

/// The names of workers are printed.
pub fn check_name(name: &str) -> Result<(), WireError> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.@".contains(letter);
    match !name.is_empty() && name.len() <= 64 && name.chars().all(plain) {
        true => Ok(()),
        false => Err(WireError::invalid(
            "the name of a worker has 1 to 64 letters, digits, `-`, `_`, `.`, `@`",
        )),
    }
}

/// A worker that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    pub worker: String,
    pub threads: u64,
    /// Experiments that it does not play, and why.
    pub refused: Vec<(String, String)>,
}

impl Hello {
    pub fn decode(bytes: &[u8]) -> Result<Hello, WireError> {
        let hello: Hello = unpack(bytes)?;
        check_name(&hello.worker)?;
        match (1..=4096).contains(&hello.threads) {
            true => Ok(hello),
            false => Err(WireError::invalid("a worker has 1 to 4096 threads")),
        }
    }
}

/// An experiment that needs workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Higher ones are served first.
    pub priority: u8,
    pub code: Code,
}

impl Announcement {
    pub fn decode(bytes: &[u8]) -> Result<Announcement, WireError> {
        unpack(bytes)
    }
}
