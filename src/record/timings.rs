//! `timings.csv`: the times of the last session. It differs from run to run, so its
//! checksum is in the file itself and not in a list.

use std::path::Path;

use super::disk::replace_file;
use super::error::RecordError;
use super::stamp::Stamp;

const TIMINGS: &str = "timings.csv";

/// The times of the last session of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Timings {
    pub threads: usize,
    pub seconds: f64,
    /// `None` for tuning runs.
    pub games_per_second: Option<f64>,
}

impl Timings {
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        let mut header = "threads,seconds".to_string();
        let mut row = format!("{},{:.3}", self.threads, self.seconds);
        if let Some(speed) = self.games_per_second {
            header.push_str(",games_per_second");
            row.push_str(&format!(",{speed:.3}"));
        }
        let text = sealed(&header, &row);
        replace_file(&directory.join(TIMINGS), text.as_bytes())
    }

    /// An error if the file exists and is not as it was written.
    pub fn check(directory: &Path) -> Result<(), RecordError> {
        let path = directory.join(TIMINGS);
        if !path.exists() {
            return Ok(());
        }
        let bytes = std::fs::read(&path).map_err(|error| RecordError::io(&path, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let (header, row) = (lines.next().unwrap_or(""), lines.next().unwrap_or(""));
        let cells = |line: &str| {
            line.rsplit_once(',')
                .map_or("", |(rest, _)| rest)
                .to_string()
        };
        if sealed(&cells(header), &cells(row)).as_bytes() == bytes {
            return Ok(());
        }
        let message = "does not match its own checksum".to_string();
        Err(RecordError::damaged(&path, 2, message))
    }
}

/// The two lines with their checksum.
fn sealed(header: &str, row: &str) -> String {
    let stamp = Stamp::of(format!("{header}\n{row}").as_bytes());
    format!("{header},checksum\n{row},{stamp}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let timings = Timings {
            threads: 2,
            seconds: 1.5,
            games_per_second: Some(2400.0),
        };
        timings.write(folder.path()).unwrap();
        Timings::check(folder.path()).unwrap();
        let path = folder.path().join(TIMINGS);
        let good = std::fs::read(&path).unwrap();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bad).unwrap();
            assert!(Timings::check(folder.path()).is_err(), "bit {bit}");
        }
    }
}
