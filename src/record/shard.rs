//! Shards: parts of one run, played separately and joined in the order of their pairs.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checksums::{Checked, Unit};
use super::error::RecordError;
use super::journal::{PairEntry, read_pair};
use super::lock::{LastEnd, RunLock};
use super::manifest::Manifest;
use super::rows::GameRow;
use super::run_files::read_listed;

/// The part of a run that a directory holds: consecutive pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// From 1.
    pub part: u64,
    pub parts: u64,
    /// The first pair.
    pub first: u64,
    /// The last pair.
    pub last: u64,
}

impl ShardEntry {
    /// Part `part` of `parts` of a run of `pairs`; sizes differ by at most one pair. `None` if there are
    /// fewer pairs than parts, or no such part.
    pub fn new(part: u64, parts: u64, pairs: u64) -> Option<ShardEntry> {
        if part == 0 || part > parts || parts > pairs {
            return None;
        }
        let end = |part: u64| {
            let pairs = u128::from(part) * u128::from(pairs) / u128::from(parts);
            u64::try_from(pairs).unwrap_or(u64::MAX)
        };
        Some(ShardEntry {
            part,
            parts,
            first: end(part - 1) + 1,
            last: end(part),
        })
    }

    fn pairs(&self) -> u64 {
        self.last + 1 - self.first
    }
}

/// A pair of a shard: its rows, and its text.
pub struct ShardPair {
    pub rows: [GameRow; 2],
    pub entry: PairEntry,
}

/// The directory of a shard, read pair by pair.
struct Shard {
    directory: PathBuf,
    manifest: Manifest,
    entry: ShardEntry,
    /// Complete pairs.
    complete: u64,
    files: Option<Checked>,
}

impl Shard {
    fn open(directory: &Path) -> Result<Shard, RecordError> {
        RunLock::refuse_held(directory)?;
        let mut manifest = Manifest::read(directory)?;
        let Some(entry) = manifest.shard.take() else {
            return Err(RecordError::shard(
                directory,
                "not a shard, but a whole run; shards are played by `sparring run --shard K/N`",
            ));
        };
        if ShardEntry::new(entry.part, entry.parts, manifest.pair_count()) != Some(entry) {
            return Err(RecordError::shard(
                directory,
                "manifest.json names pairs that are not those of this part",
            ));
        }
        let mut shard = Shard {
            directory: directory.to_path_buf(),
            manifest,
            entry,
            complete: 0,
            files: None,
        };
        shard.complete = shard.count()?;
        shard.files = shard.reopen()?;
        Ok(shard)
    }

    /// The files, behind their headers.
    fn reopen(&self) -> Result<Option<Checked>, RecordError> {
        let Some(mut checked) = Checked::open(&self.directory, Unit::Pair)? else {
            return Ok(None);
        };
        match checked.next()? {
            Ok(_) => Ok(Some(checked)),
            Err(_) => Ok(None),
        }
    }

    /// Checks every byte, and counts the complete pairs.
    fn count(&self) -> Result<u64, RecordError> {
        let Some(mut checked) = self.reopen()? else {
            return Ok(0);
        };
        let stop = loop {
            if let Err(stop) = checked.next()? {
                break stop;
            }
        };
        let last_end = LastEnd::of(&self.directory)?;
        if checked.bytes_left()? > 0 && !checked.is_torn(&stop, last_end)? {
            return Err(checked.error(&stop));
        }
        Ok((checked.number - 1).min(self.entry.pairs()))
    }

    fn has(&self, pair: u64) -> bool {
        pair >= self.entry.first && pair - self.entry.first < self.complete
    }

    /// The pair that is asked for; earlier ones are skipped.
    fn read(&mut self, pair: u64) -> Result<ShardPair, RecordError> {
        let lost = || RecordError::shard(&self.directory, "changed while it was read");
        let files = self.files.as_mut().ok_or_else(lost)?;
        let wanted = pair - self.entry.first + 1;
        loop {
            let (number, line) = (files.number, files.files[0].line);
            let pieces = match files.next()? {
                Ok(pieces) => pieces,
                Err(stop) => return Err(files.error(&stop)),
            };
            if number < wanted {
                continue;
            }
            let path = &files.files[0].path;
            let mut texts = pieces.into_iter();
            let text = texts.next().unwrap_or_default();
            return Ok(ShardPair {
                rows: read_pair(path, pair, line, &text)?,
                entry: PairEntry {
                    rows: text,
                    companions: texts.collect(),
                },
            });
        }
    }
}

/// The shards of one run.
pub struct Shards {
    shards: Vec<Shard>,
    /// The manifest of the whole run.
    manifest: Manifest,
    config: String,
}

impl Shards {
    /// Opens and checks shards of one experiment, in any order.
    pub fn open(directories: &[PathBuf]) -> Result<Shards, RecordError> {
        let mut shards = Vec::new();
        let mut config: Option<String> = None;
        for directory in directories {
            let shard = Shard::open(directory)?;
            let text = read_listed(directory, "config.toml")?;
            let Some(text) = text else {
                return Err(RecordError::Missing {
                    path: directory.join("config.toml"),
                });
            };
            let first: Option<&Shard> = shards.first();
            let is_same = first.is_none_or(|first| first.manifest == shard.manifest)
                && config.as_ref().is_none_or(|config| *config == text);
            if let (Some(first), false) = (first, is_same) {
                return Err(RecordError::shard(
                    directory,
                    &format!(
                        "config.toml or manifest.json differ from those of {}: shards of other experiments, or of another version",
                        first.directory.display()
                    ),
                ));
            }
            config = Some(text);
            shards.push(shard);
        }
        shards.sort_by_key(|shard| (shard.entry.first, shard.entry.last));
        match (shards.first(), config) {
            (Some(first), Some(config)) => Ok(Shards {
                manifest: first.manifest.clone(),
                config,
                shards,
            }),
            _ => Err(RecordError::shard(Path::new("merge"), "no shards given")),
        }
    }

    /// The manifest of the whole run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The resolved config of the run.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// A directory with the config and the files that it names.
    pub fn directory(&self) -> &Path {
        &self.shards[0].directory
    }

    /// The pair; `None` if no shard has it. Pairs must be asked for in ascending order. Shards that hold
    /// the same pair must agree on it.
    pub fn read(&mut self, pair: u64) -> Result<Option<ShardPair>, RecordError> {
        let mut found: Option<(ShardPair, PathBuf)> = None;
        for shard in self.shards.iter_mut().filter(|shard| shard.has(pair)) {
            let read = shard.read(pair)?;
            match &found {
                None => found = Some((read, shard.directory.clone())),
                Some((first, _)) if first.entry == read.entry => {}
                Some((_, directory)) => {
                    return Err(RecordError::shard(
                        &shard.directory,
                        &format!(
                            "pair {pair} differs from the same pair in {}: one of them was played by another program, or is not reproducible; merge only one of them",
                            directory.display()
                        ),
                    ));
                }
            }
        }
        Ok(found.map(|(pair, _)| pair))
    }

    /// The missing pairs from `first` on, with the remedy; `None` if none is missing.
    pub fn gaps(&self, first: u64) -> Option<String> {
        let mut gaps = Vec::new();
        let mut next = first;
        let all = self.manifest.pair_count();
        let mut ends: Vec<(u64, u64)> = self
            .shards
            .iter()
            .filter(|shard| shard.complete > 0)
            .map(|shard| (shard.entry.first, shard.entry.first + shard.complete - 1))
            .collect();
        ends.push((all + 1, all + 1));
        for (begin, end) in ends {
            if begin > next {
                gaps.push(self.gap(next, begin - 1));
            }
            next = next.max(end + 1);
        }
        (!gaps.is_empty()).then(|| gaps.join("; "))
    }

    fn gap(&self, first: u64, last: u64) -> String {
        let unfinished = self
            .shards
            .iter()
            .find(|shard| shard.entry.first <= first && first <= shard.entry.last);
        let what = match unfinished {
            Some(shard) => format!(
                "{} is unfinished, run its command again",
                shard.directory.display()
            ),
            None => "no shard holds them".to_string(),
        };
        format!("pairs {first} to {last} are missing: {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_pairs_once_and_differ_by_at_most_one() {
        for (parts, pairs) in [(1, 1), (3, 10), (7, 7), (4, 1_000_000_007)] {
            let all: Vec<ShardEntry> = (1..=parts)
                .map(|part| ShardEntry::new(part, parts, pairs).unwrap())
                .collect();
            assert_eq!(all[0].first, 1);
            assert_eq!(all[all.len() - 1].last, pairs);
            for two in all.windows(2) {
                assert_eq!(two[1].first, two[0].last + 1);
            }
            let sizes = || all.iter().map(ShardEntry::pairs);
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
        }
        for (part, parts, pairs) in [(0, 2, 9), (3, 2, 9), (1, 10, 9)] {
            assert_eq!(ShardEntry::new(part, parts, pairs), None);
        }
    }
}
