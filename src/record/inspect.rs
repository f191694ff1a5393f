//! Finds everything that is wrong in the growing files of a run. A resume stops at the first fault; this
//! continues after it, so that a repair knows which pairs are good.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::checksums::{CHECKSUMS, Checked, Flaw, Pieces, Unit, hold_only_headers, read_row};
use super::companion::Companion;
use super::error::RecordError;
use super::journal::{PairEntry, read_pair};
use super::lock::LastEnd;
use super::rows::GameRow;
use super::stamp::Stamp;

/// One fault and its place. The line is 0 if there is none to name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub path: PathBuf,
    pub line: u64,
    pub message: String,
}

impl Damage {
    pub fn new(path: &Path, line: u64, message: impl Into<String>) -> Damage {
        Damage {
            path: path.to_path_buf(),
            line,
            message: message.into(),
        }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The bytes of a pair or row in every file, main file first, and its line there.
pub struct GoodUnit {
    pub line: u64,
    pub pieces: Vec<Vec<u8>>,
}

/// A pair as inspected.
pub struct GoodPair {
    pub line: u64,
    pub rows: [GameRow; 2],
    pub entry: PairEntry,
}

/// What an inspection found besides the pairs or rows.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Pairs or rows that the files hold or should hold.
    pub units: u64,
    /// Faults of no single pair: headers, and bytes between pairs.
    pub damage: Vec<Damage>,
    /// The place of what an interrupted write left; a resume removes it.
    pub torn: Option<String>,
}

type Judged<T> = Result<T, Vec<Damage>>;

/// Inspects the games of a run with these companions; its first pair is number 1 unless it is a shard.
/// Calls `seen` with every pair in order: its rows and bytes, or what is wrong.
pub fn inspect_games(
    directory: &Path,
    companions: &[Companion],
    first: u64,
    seen: &mut dyn FnMut(u64, Judged<GoodPair>) -> Result<(), RecordError>,
) -> Result<Inspection, RecordError> {
    let mut names = vec![Unit::Pair.main_file().to_string()];
    names.extend(companions.iter().map(Companion::file_name));
    let path = directory.join(&names[0]);
    inspect(directory, Unit::Pair, &names, &mut |number, found| {
        let pair = first - 1 + number;
        let judged = found.and_then(|unit| good_pair(&path, pair, unit));
        seen(pair, judged)
    })
}

fn good_pair(path: &Path, pair: u64, unit: GoodUnit) -> Judged<GoodPair> {
    let mut pieces = unit.pieces.into_iter();
    let entry = PairEntry {
        rows: pieces.next().unwrap_or_default(),
        companions: pieces.collect(),
    };
    match read_pair(path, pair, unit.line, &entry.rows) {
        Ok(rows) => Ok(GoodPair {
            line: unit.line,
            rows,
            entry,
        }),
        Err(RecordError::Row { line, message, .. }) => Err(vec![Damage::new(path, line, message)]),
        Err(error) => Err(vec![Damage::new(path, unit.line, error.to_string())]),
    }
}

/// The same for the log of a tuning run.
pub fn inspect_log(
    directory: &Path,
    seen: &mut dyn FnMut(u64, Judged<GoodUnit>) -> Result<(), RecordError>,
) -> Result<Inspection, RecordError> {
    let names = [Unit::Row.main_file().to_string()];
    inspect(directory, Unit::Row, &names, seen)
}

fn inspect(
    directory: &Path,
    unit: Unit,
    names: &[String],
    seen: &mut dyn FnMut(u64, Judged<GoodUnit>) -> Result<(), RecordError>,
) -> Result<Inspection, RecordError> {
    let mut found = Inspection::default();
    let is_unsynced = LastEnd::of(directory)? == LastEnd::Broken { synced: 0 };
    if is_unsynced && hold_only_headers(directory, names)? {
        let main = directory.join(unit.main_file());
        let note = "the run was cut off before its first game was written; resuming it begins here";
        found.torn = Some(format!("{}: {note}", main.display()));
        return Ok(found);
    }
    let complete = complete_units(directory, unit, &mut found)?;
    let rows = Rows::read(directory, unit, names, &mut found.damage)?;
    let mut walk = Walk::open(directory, unit, names, &mut found.damage)?;
    let last = rows.stamps.len().saturating_sub(1) as u64;
    let units = complete.unwrap_or(last);
    for number in 0..=units {
        let stamps = rows.stamps_of(number);
        let next = rows.stamps_of(number + 1);
        let judged = walk.unit(number, stamps, next, &mut found.damage)?;
        match judged {
            _ if rows.stamps.is_empty() => break,
            Err(damage) if number == 0 => found.damage.extend(damage),
            Ok(_) if number == 0 => {}
            judged => seen(number, judged)?,
        }
    }
    found.units = units;
    match complete {
        // Everything up to a torn end is as it was written.
        Some(_) => found.damage.clear(),
        None => walk.rest(units, &mut found.damage)?,
    }
    Ok(found)
}

/// The number of complete units if nothing is damaged; notes a torn end.
fn complete_units(
    directory: &Path,
    unit: Unit,
    found: &mut Inspection,
) -> Result<Option<u64>, RecordError> {
    let mut checked = match Checked::open(directory, unit) {
        Ok(Some(checked)) => checked,
        Ok(None) | Err(RecordError::Damaged { .. } | RecordError::Missing { .. }) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let stop = loop {
        if let Err(stop) = checked.next()? {
            break stop;
        }
    };
    let (main, done) = (&checked.files[0], checked.number.saturating_sub(1));
    let place = format!("{}:{}", main.path.display(), main.line);
    if checked.bytes_left()? == 0 {
        return Ok((checked.number > 0).then_some(done));
    }
    if !checked.is_torn(&stop, LastEnd::of(directory)?)? {
        return Ok(None);
    }
    found.torn = Some(format!(
        "{place}: {} {} was not completely written; resuming the run removes it and plays it again",
        unit.name(),
        done + 1
    ));
    Ok(Some(done))
}

/// `checksums.csv` with faults.
struct Rows {
    /// By number; `None` where the row is unreadable.
    stamps: Vec<Option<Vec<Stamp>>>,
}

impl Rows {
    fn read(
        directory: &Path,
        unit: Unit,
        names: &[String],
        damage: &mut Vec<Damage>,
    ) -> Result<Rows, RecordError> {
        let path = directory.join(CHECKSUMS);
        let mut rows = Rows { stamps: Vec::new() };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                damage.push(Damage::new(&path, 0, "missing"));
                return Ok(rows);
            }
            Err(error) => return Err(RecordError::io(&path, &error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let complete = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let mut lines = complete.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        if format!("{header}\n") != unit.header(names) {
            let message = format!("the columns are `{header}`");
            damage.push(Damage::new(&path, 1, message));
        }
        // Unreadable lines since the last good one: each may stand for no row, or for two.
        let mut slack = 0;
        for (index, line) in lines {
            let expected = rows.stamps.len() as u64;
            let range = expected.saturating_sub(slack)..=expected + slack;
            let number = line.split(',').next().and_then(|cell| cell.parse().ok());
            let read = number
                .filter(|number| range.contains(number))
                .and_then(|number| Some((number, read_row(line, number, names.len()).ok()?)));
            match read {
                Some((number, stamps)) => {
                    rows.stamps.resize(number as usize, None);
                    rows.stamps.push(Some(stamps));
                    slack = 0;
                }
                None => {
                    damage.push(Damage::new(&path, index as u64 + 1, "an unreadable row"));
                    rows.stamps.push(None);
                    slack += 1;
                }
            }
        }
        Ok(rows)
    }

    fn stamps_of(&self, number: u64) -> Option<&[Stamp]> {
        let index = usize::try_from(number).ok()?;
        self.stamps.get(index)?.as_deref()
    }
}

/// A growing file that is read past faults.
struct Track {
    pieces: Option<Pieces>,
    path: PathBuf,
    /// The last piece before `pieces.at` was good.
    is_in_step: bool,
}

/// How far a lost piece is searched.
const REACH: u64 = 1 << 20;

impl Track {
    fn open(path: PathBuf, damage: &mut Vec<Damage>) -> Result<Track, RecordError> {
        let pieces = match Pieces::open(path.clone()) {
            Ok(pieces) => Some(pieces),
            Err(RecordError::Missing { .. }) => {
                damage.push(Damage::new(&path, 0, "missing"));
                None
            }
            Err(error) => return Err(error),
        };
        Ok(Track {
            pieces,
            path,
            is_in_step: true,
        })
    }

    /// Reads a piece at its place, or where it has been moved to. `next` is the stamp of the piece
    /// behind it.
    fn piece(
        &mut self,
        what: &str,
        stamp: Stamp,
        next: Option<Stamp>,
        damage: &mut Vec<Damage>,
    ) -> Result<Result<Vec<u8>, Damage>, RecordError> {
        let Some(pieces) = &mut self.pieces else {
            return Ok(Err(Damage::new(
                &self.path,
                0,
                format!("{what} is missing"),
            )));
        };
        let flaw = match pieces.piece(pieces.at, stamp)? {
            Ok(bytes) => {
                pieces.accept(&bytes);
                self.is_in_step = true;
                return Ok(Ok(bytes));
            }
            Err(flaw) => flaw,
        };
        let line = pieces.line;
        let is_followed = match next {
            Some(next) => pieces.piece(pieces.at + stamp.bytes, next)?.is_ok(),
            None => false,
        };
        let message = match flaw {
            Flaw::Differs => format!("{what} does not match its checksum"),
            Flaw::Short => format!("{what} is incomplete or missing"),
        };
        if !is_followed {
            if let Some(skipped) = find(pieces, stamp)? {
                if self.is_in_step {
                    let message = format!("{} bytes that were not written here", skipped.len());
                    damage.push(Damage::new(&self.path, line, message));
                }
                pieces.accept(&skipped);
                let bytes = pieces.bytes(pieces.at, stamp.bytes)?;
                pieces.accept(&bytes);
                self.is_in_step = true;
                return Ok(Ok(bytes));
            }
            let behind = match next {
                Some(next) => find(pieces, next)?,
                None => None,
            };
            if let Some(skipped) = behind {
                pieces.accept(&skipped);
                self.is_in_step = true;
                return Ok(Err(Damage::new(&self.path, line, message)));
            }
        }
        // Changed in place, or nothing is known: the next piece decides.
        let bytes = pieces.bytes(pieces.at, if is_followed { stamp.bytes } else { 0 })?;
        pieces.accept(&bytes);
        self.is_in_step = is_followed;
        Ok(Err(Damage::new(&self.path, line, message)))
    }
}

/// The bytes before a piece that begins at a later line.
fn find(pieces: &mut Pieces, stamp: Stamp) -> Result<Option<Vec<u8>>, RecordError> {
    let size = usize::try_from(stamp.bytes).unwrap_or(usize::MAX);
    if size == 0 {
        return Ok(None);
    }
    let mut window = pieces.bytes(pieces.at, REACH.saturating_add(stamp.bytes))?;
    let starts = window.iter().enumerate();
    let starts = starts
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1);
    let found = starts
        .take_while(|at| at.checked_add(size).is_some_and(|end| end <= window.len()))
        .find(|at| Stamp::of(&window[*at..at + size]) == stamp);
    Ok(found.map(|at| {
        window.truncate(at);
        window
    }))
}

/// All growing files of a run, read together.
struct Walk {
    unit: Unit,
    tracks: Vec<Track>,
}

impl Walk {
    fn open(
        directory: &Path,
        unit: Unit,
        names: &[String],
        damage: &mut Vec<Damage>,
    ) -> Result<Walk, RecordError> {
        let open = |name: &String| Track::open(directory.join(name), damage);
        let tracks: Result<Vec<Track>, RecordError> = names.iter().map(open).collect();
        Ok(Walk {
            unit,
            tracks: tracks?,
        })
    }

    fn unit(
        &mut self,
        number: u64,
        stamps: Option<&[Stamp]>,
        next: Option<&[Stamp]>,
        extra: &mut Vec<Damage>,
    ) -> Result<Judged<GoodUnit>, RecordError> {
        let what = match number {
            0 => "the header".to_string(),
            _ => format!("{} {number}", self.unit.name()),
        };
        let mut unit = GoodUnit {
            line: 0,
            pieces: Vec::new(),
        };
        let mut damage = Vec::new();
        for (index, track) in self.tracks.iter_mut().enumerate() {
            let Some(stamp) = stamps.and_then(|stamps| stamps.get(index)) else {
                track.is_in_step = false;
                let message = format!("{what} has no checksum in {CHECKSUMS}");
                damage.push(Damage::new(&track.path, 0, message));
                continue;
            };
            let next = next.and_then(|next| next.get(index)).copied();
            match track.piece(&what, *stamp, next, extra)? {
                Ok(bytes) => unit.pieces.push(bytes),
                Err(fault) => damage.push(fault),
            }
            if index == 0
                && let (Some(pieces), Some(bytes)) = (&track.pieces, unit.pieces.first())
            {
                let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                unit.line = pieces.line - lines;
            }
        }
        Ok(if damage.is_empty() {
            Ok(unit)
        } else {
            Err(damage)
        })
    }

    /// Notes bytes behind the last unit.
    fn rest(&mut self, units: u64, damage: &mut Vec<Damage>) -> Result<(), RecordError> {
        for track in &self.tracks {
            let Some(pieces) = &track.pieces else {
                continue;
            };
            let rest = pieces.length()?.saturating_sub(pieces.at);
            if rest > 0 && track.is_in_step {
                let unit = self.unit.name();
                let message = format!("{rest} bytes behind {unit} {units} have no checksum");
                damage.push(Damage::new(&track.path, pieces.line, message));
            }
        }
        Ok(())
    }
}
