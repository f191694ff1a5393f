//! `latency.csv`: how fast engines reacted in the last session, and how far moves with a time limit went
//! beyond it. Differs from run to run, like `timings.csv`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::disk::replace_file;
use super::error::RecordError;

/// The file's name in a run directory.
const LATENCY: &str = "latency.csv";

/// A move this far beyond its time limit is late: the tick of a busy system.
const LATE: Duration = Duration::from_millis(10);

/// What is known of one move's timing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveTiming {
    /// Of an engine: from our request to its first line.
    pub first: Option<Duration>,
    /// Of an engine: our time of the move less the time that it claims.
    pub overhead: Option<Duration>,
    /// With a time per move: how far it was exceeded.
    pub beyond: Option<Duration>,
}

/// The timings of a session, by player.
#[derive(Debug, Default)]
pub struct Latencies(BTreeMap<String, Samples>);

#[derive(Debug, Default)]
struct Samples {
    moves: u64,
    /// Microseconds.
    first: Vec<u32>,
    overhead: Vec<u32>,
    beyond: Vec<u32>,
}

/// One player of `latency.csv`; milliseconds, blank if not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyRow {
    pub player: String,
    pub moves: u64,
    pub first_p50_ms: Option<f64>,
    pub first_p99_ms: Option<f64>,
    pub first_max_ms: Option<f64>,
    pub overhead_p50_ms: Option<f64>,
    pub overhead_p99_ms: Option<f64>,
    pub overhead_max_ms: Option<f64>,
    /// Moves with a time per move, and those more than 10 ms beyond it.
    pub limited_moves: u64,
    pub late_moves: u64,
    pub latest_ms: Option<f64>,
}

impl Latencies {
    pub fn push(&mut self, player: &str, timing: &MoveTiming) {
        if !self.0.contains_key(player) {
            self.0.insert(player.to_string(), Samples::default());
        }
        let Some(samples) = self.0.get_mut(player) else {
            return;
        };
        samples.moves += 1;
        let micros = |time: Duration| u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        samples.first.extend(timing.first.map(micros));
        samples.overhead.extend(timing.overhead.map(micros));
        samples.beyond.extend(timing.beyond.map(micros));
    }

    pub fn rows(&self) -> Vec<LatencyRow> {
        let late = LATE.as_micros() as u32;
        let row = |(player, samples): (&String, &Samples)| {
            let [first_p50_ms, first_p99_ms, first_max_ms] = figures(&samples.first);
            let [overhead_p50_ms, overhead_p99_ms, overhead_max_ms] = figures(&samples.overhead);
            LatencyRow {
                player: player.clone(),
                moves: samples.moves,
                first_p50_ms,
                first_p99_ms,
                first_max_ms,
                overhead_p50_ms,
                overhead_p99_ms,
                overhead_max_ms,
                limited_moves: samples.beyond.len() as u64,
                late_moves: samples.beyond.iter().filter(|it| **it > late).count() as u64,
                latest_ms: figures(&samples.beyond)[2],
            }
        };
        self.0.iter().map(row).collect()
    }

    /// Writes the file, if a move was timed.
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let path = directory.join(LATENCY);
        let failed = |error: csv::Error| RecordError::csv(&path, &error);
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in self.rows() {
            writer.serialize(row).map_err(failed)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| RecordError::io(&path, error.error()))?;
        replace_file(&path, &bytes)
    }
}

/// The rows of a run's file; none if there is no such file, or it is not ours.
pub fn read_latencies(directory: &Path) -> Vec<LatencyRow> {
    let Ok(mut reader) = csv::Reader::from_path(directory.join(LATENCY)) else {
        return Vec::new();
    };
    reader.deserialize().filter_map(Result::ok).collect()
}

/// Median, 99th percentile and maximum in milliseconds, as nearest ranks.
fn figures(micros: &[u32]) -> [Option<f64>; 3] {
    let mut sorted = micros.to_vec();
    sorted.sort_unstable();
    [0.5, 0.99, 1.0].map(|share| {
        let rank = (share * sorted.len() as f64).ceil() as usize;
        let value = sorted.get(rank.saturating_sub(1))?;
        Some(f64::from(*value) / 1000.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks_and_late_moves_are_counted() {
        let mut latencies = Latencies::default();
        for number in 1..=200 {
            let timing = MoveTiming {
                first: Some(Duration::from_millis(number)),
                overhead: None,
                beyond: (number <= 20).then(|| Duration::from_millis(number)),
            };
            latencies.push("engine", &timing);
        }
        let rows = latencies.rows();
        let row = &rows[0];
        let first = [row.first_p50_ms, row.first_p99_ms, row.first_max_ms];
        assert_eq!(first, [Some(100.0), Some(198.0), Some(200.0)]);
        assert_eq!((row.overhead_p50_ms, row.moves), (None, 200));
        assert_eq!(
            (row.limited_moves, row.late_moves, row.latest_ms),
            (20, 10, Some(20.0))
        );
        let folder = tempfile::tempdir().unwrap();
        latencies.write(folder.path()).unwrap();
        assert_eq!(read_latencies(folder.path()), rows);
    }
}
