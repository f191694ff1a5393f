//! The journal of a run: `games.csv` and its companions grow by one pair at a time, and logged pairs
//! are not played again.

use std::path::Path;

use super::checksums::Unit;
use super::companion::Companion;
use super::directory::Identity;
use super::error::RecordError;
use super::ledger::{GrowingFile, Ledger};
use super::lock::RunLock;
use super::rows::{GAME_COLUMNS, GameRow, UNTIMED_GAME_COLUMNS};

/// The state found on resume.
#[derive(Debug, Default)]
pub struct Resumed {
    /// Complete pairs on disk.
    pub pairs: u64,
    /// What was removed, and where it is kept: what an interrupted write left at the end of a file.
    pub removed: Vec<String>,
}

/// The growing files of a run.
pub struct Journal {
    ledger: Ledger,
}

impl Journal {
    /// Makes the files of a run, or checks and resumes them. Calls `seen` with the rows of every
    /// complete pair.
    pub fn open(
        lock: RunLock,
        identity: &Identity<'_>,
        companions: &[Companion],
        columns: TimeColumns,
        mut seen: impl FnMut([&GameRow; 2]) -> Result<(), RecordError>,
    ) -> Result<(Journal, Resumed), RecordError> {
        identity.enter(lock.directory(), "games.csv")?;
        let mut files = vec![GrowingFile {
            name: "games.csv".to_string(),
            header: header(columns),
        }];
        files.extend(companions.iter().map(Companion::growing));
        let path = lock.directory().join("games.csv");
        // The journal of a shard begins with a later pair.
        let before = identity.manifest.shard.map_or(0, |shard| shard.first - 1);
        let (ledger, found) =
            Ledger::open(lock, Unit::Pair, &files, &mut |number, line, bytes| {
                let rows = read_pair(&path, before + number, line, bytes)?;
                seen(rows.each_ref())
            })?;
        let resumed = Resumed {
            pairs: found.units,
            removed: found.removed,
        };
        Ok((Journal { ledger }, resumed))
    }

    pub fn directory(&self) -> &Path {
        self.ledger.directory()
    }

    /// Appends a complete pair: its rows, and the text for each companion.
    pub fn append(&mut self, pair: &PairEntry) -> Result<(), RecordError> {
        let mut texts: Vec<&[u8]> = vec![&pair.rows];
        texts.extend(pair.companions.iter().map(Vec::as_slice));
        self.ledger.append(&texts)
    }

    /// Syncs the files. The directory stays locked until the lock is released.
    pub fn close(self) -> Result<RunLock, RecordError> {
        self.ledger.close()
    }
}

/// The text of a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairEntry {
    /// For `games.csv`.
    pub rows: Vec<u8>,
    /// One per companion of the journal.
    pub companions: Vec<Vec<u8>>,
}

/// Rows as CSV without a header. Cannot fail: all rows are valid CSV, and it writes to memory.
pub fn csv_rows<T: serde::Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for row in rows {
        let written = writer.serialize(row);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    writer.into_inner().unwrap_or_default()
}

/// Whether the files have columns of times: only where a player's limit is time, or a player is an
/// engine. Other runs have the same bytes on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeColumns {
    Absent,
    Present,
}

/// The first line of `games.csv`.
fn header(times: TimeColumns) -> String {
    let columns = match times {
        TimeColumns::Present => &GAME_COLUMNS,
        TimeColumns::Absent => UNTIMED_GAME_COLUMNS,
    };
    columns.join(",") + "\n"
}

/// The two rows of a pair, which begin at `line`.
pub(super) fn read_pair(
    path: &Path,
    pair: u64,
    line: u64,
    bytes: &[u8],
) -> Result<[GameRow; 2], RecordError> {
    let wrong = |message: String| RecordError::Row {
        path: path.to_path_buf(),
        line,
        message,
    };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(bytes);
    let rows: Result<Vec<GameRow>, csv::Error> = reader.deserialize().collect();
    let rows = rows.map_err(|error| RecordError::csv(path, &error).at_line(line))?;
    let rows: [GameRow; 2] = rows
        .try_into()
        .map_err(|rows: Vec<GameRow>| wrong(format!("pair {pair} has {} rows", rows.len())))?;
    for (index, row) in rows.iter().enumerate() {
        let game = 2 * pair - 1 + index as u64;
        // Pairs must be consecutive: their count gives the next pair to play.
        if (row.pair, row.game) != (pair, game) {
            return Err(wrong(format!(
                "game {} of pair {}, expected game {game} of pair {pair}",
                row.game, row.pair
            )));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record::inspect::inspect_games;
    use crate::record::manifest::tests::sample;

    const CONFIG: &str = "game = \"checkers\"\n";

    fn entry(pair: u64) -> PairEntry {
        let row = |game: u64| format!("{game},{pair},a,b,x,1-0,checkmate,1,1,1,e2e4,white,+0.10\n");
        let text = |game: u64| format!("[Event \"{pair}.{game}\"]\n\n1. e4 1-0\n\n");
        PairEntry {
            rows: (row(2 * pair - 1) + &row(2 * pair)).into_bytes(),
            companions: vec![(text(1) + &text(2)).into_bytes()],
        }
    }

    const COMPANIONS: [Companion; 1] = [Companion::Collection("pgn")];

    fn open(directory: &Path) -> Result<(Journal, Resumed), String> {
        let manifest = sample();
        let lock = RunLock::take(directory).map_err(|error| error.to_string())?;
        let identity = Identity::new(CONFIG, &manifest);
        Journal::open(
            lock,
            &identity,
            &COMPANIONS,
            TimeColumns::Absent,
            |_| Ok(()),
        )
        .map_err(|error| error.to_string())
    }

    /// A run of four pairs that ended in order.
    fn run() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, _) = open(folder.path()).unwrap();
        (1..=4).for_each(|pair| journal.append(&entry(pair)).unwrap());
        journal.close().unwrap().release();
        folder
    }

    const FILES: [&str; 3] = ["games.csv", "games.pgn", "checksums.csv"];

    /// The files, to see that an error changes none of them.
    fn bytes(directory: &Path) -> Vec<Vec<u8>> {
        FILES
            .map(|name| fs::read(directory.join(name)).unwrap())
            .to_vec()
    }

    #[test]
    fn every_changed_bit_is_refused_and_nothing_is_changed() {
        let folder = run();
        let good = bytes(folder.path());
        for (index, name) in FILES.into_iter().enumerate() {
            let path = folder.path().join(name);
            for bit in (0..good[index].len() * 8).step_by(7) {
                let mut bad = good[index].clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, &bad).unwrap();
                match open(folder.path()) {
                    // The line end of the last row: the last pair is torn.
                    Ok((journal, resumed)) => {
                        assert!(!resumed.removed.is_empty(), "{name} bit {bit}");
                        assert_eq!(resumed.pairs, 3, "{name} bit {bit}");
                        journal.close().unwrap().release();
                        for (name, bytes) in FILES.iter().zip(&good) {
                            fs::write(folder.path().join(name), bytes).unwrap();
                        }
                    }
                    Err(refused) => {
                        assert!(refused.contains("damaged"), "{name} bit {bit}: {refused}");
                        assert!(!folder.path().join(".lock").exists());
                        assert!(fs::read(&path).unwrap() == bad, "{name} bit {bit}");
                    }
                }
            }
            fs::write(&path, &good[index]).unwrap();
        }
    }

    #[test]
    fn only_a_torn_last_pair_is_removed_and_it_is_kept() {
        for (index, name) in FILES.into_iter().enumerate() {
            let folder = run();
            let path = folder.path().join(name);
            let good = bytes(folder.path());
            let length = good[index].len();
            for cut in (1..length).step_by(5) {
                fs::write(&path, &good[index][..length - cut]).unwrap();
                if let Ok((journal, resumed)) = open(folder.path()) {
                    assert_eq!(resumed.pairs, 3, "{name} cut by {cut}");
                    let kept = folder.path().join("removed");
                    for (file, good) in FILES.into_iter().zip(&good) {
                        let mut text = fs::read(folder.path().join(file)).unwrap();
                        text.extend(fs::read(kept.join(file)).unwrap_or_default());
                        assert!(good.starts_with(&text), "{file}, {name} cut by {cut}");
                    }
                    journal.close().unwrap().release();
                    fs::remove_dir_all(kept).unwrap();
                } else {
                    assert!(fs::read(&path).unwrap() == good[index][..length - cut]);
                }
                for (file, good) in FILES.into_iter().zip(&good) {
                    fs::write(folder.path().join(file), good).unwrap();
                }
            }
        }
    }

    #[test]
    fn after_a_kill_unsynced_pairs_may_be_torn_and_synced_ones_may_not() {
        let folder = run();
        let good = bytes(folder.path());
        let second = good[0].iter().position(|byte| *byte == b'\n').unwrap() + entry(1).rows.len();
        let mut holes = good[0].clone();
        holes[second + 10..second + 20].fill(0);
        for (synced, expected) in [(0, Some(1)), (1, Some(1)), (2, None), (4, None)] {
            fs::write(folder.path().join("games.csv"), &holes).unwrap();
            let mark = format!("process 1\nsynced {synced}.\n");
            fs::write(folder.path().join(".lock"), mark).unwrap();
            let opened = open(folder.path());
            assert_eq!(opened.as_ref().ok().map(|(_, found)| found.pairs), expected);
            match opened {
                Ok((journal, resumed)) => {
                    assert_eq!(resumed.removed.len(), 3, "{:?}", resumed.removed);
                    drop(journal);
                }
                Err(refused) => assert!(refused.contains("games.csv:4: pair 2"), "{refused}"),
            }
            for (file, good) in FILES.into_iter().zip(&good) {
                fs::write(folder.path().join(file), good).unwrap();
            }
        }
    }

    #[test]
    fn any_part_of_the_first_files_is_a_run_that_has_not_begun() {
        let whole = tempfile::tempdir().unwrap();
        let (journal, _) = open(whole.path()).unwrap();
        drop(journal);
        let good = bytes(whole.path());
        // Each file as it was, without its name, cut off, or with a hole.
        for state in 0..4_usize.pow(FILES.len() as u32) {
            let folder = tempfile::tempdir().unwrap();
            for name in ["manifest.json", "config.toml", "files.csv", ".lock"] {
                fs::copy(whole.path().join(name), folder.path().join(name)).unwrap();
            }
            for (index, (name, good)) in FILES.into_iter().zip(&good).enumerate() {
                let mut text = good.clone();
                match state / 4_usize.pow(index as u32) % 4 {
                    0 => {}
                    1 => continue,
                    2 => text.truncate(good.len() / 2),
                    _ => text
                        .iter_mut()
                        .skip(3)
                        .step_by(2)
                        .for_each(|byte| *byte = 0),
                }
                fs::write(folder.path().join(name), text).unwrap();
            }
            let found = inspect_games(folder.path(), &COMPANIONS, 1, &mut |_, _| Ok(())).unwrap();
            assert!(found.damage.is_empty(), "state {state}: {:?}", found.damage);
            let (journal, resumed) = open(folder.path()).unwrap();
            assert_eq!(resumed.pairs, 0);
            drop(journal);
            assert!(bytes(folder.path()) == good, "state {state}");
        }
    }

    #[test]
    fn files_that_another_program_rewrote_are_refused_with_their_place() {
        type Edit = fn(&str) -> String;
        let edits: [(&str, Edit); 6] = [
            ("games.csv", |text| format!("\u{feff}{text}")),
            ("games.csv", |text| format!("# mine\n{text}")),
            ("games.csv", |text| text.replace('\n', "\r\n")),
            ("games.csv", |text| text.replacen("moves", "turns", 1)),
            ("games.pgn", |text| text.replace('\n', "\r\n")),
            ("games.pgn", |text| format!("; mine\n{text}")),
        ];
        for (name, edit) in edits {
            let folder = run();
            let path = folder.path().join(name);
            let edited = edit(&fs::read_to_string(&path).unwrap());
            fs::write(&path, &edited).unwrap();
            let refused = open(folder.path()).err().unwrap();
            assert!(refused.contains(&format!("{name}:1: ")), "{refused}");
            assert!(refused.contains("sparring check"), "{refused}");
            assert_eq!(fs::read_to_string(&path).unwrap(), edited);
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        for name in FILES {
            let folder = run();
            fs::remove_file(folder.path().join(name)).unwrap();
            let refused = open(folder.path()).err().unwrap();
            assert!(refused.contains(&format!("{name}: missing")), "{refused}");
            assert!(!folder.path().join(name).exists());
        }
    }
}
