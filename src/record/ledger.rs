//! Growing files with their checksums: the games of a run, or the log of a tuning run.
//!
//! Each pair is appended to the companions, then to the main file, then to `checksums.csv`. On resume
//! every byte is checked. Only what an interrupted write left at the end is removed, and kept under
//! `removed/`; everything else that is wrong is an error, and nothing is changed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checksums::{CHECKSUMS, Checked, Unit, checksum_row, hold_only_headers};
use super::disk::sync_directory;
use super::error::RecordError;
use super::lock::{LastEnd, RunLock};
use super::stamp::Stamp;

/// A power cut loses at most what was appended in this time; the sync is done with the next append.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The folder for what resuming removes.
const REMOVED: &str = "removed";

/// A growing file and its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GrowingFile {
    pub name: String,
    pub header: String,
}

/// The state found on resume.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub units: u64,
    /// What was removed, and where it is kept.
    pub removed: Vec<String>,
}

/// Called with the number of a pair or row, the line where it begins, and its bytes in the main file.
pub(super) type Seen<'s> = dyn FnMut(u64, u64, &[u8]) -> Result<(), RecordError> + 's;

/// The growing files of a run.
pub(super) struct Ledger {
    lock: RunLock,
    /// Main file first.
    files: Vec<Appending>,
    checksums: Appending,
    units: u64,
    last_sync: Instant,
}

impl Ledger {
    /// Makes the files, or checks and resumes them.
    pub fn open(
        mut lock: RunLock,
        unit: Unit,
        files: &[GrowingFile],
        seen: &mut Seen<'_>,
    ) -> Result<(Ledger, Found), RecordError> {
        let directory = lock.directory().to_path_buf();
        let mut found = Found::default();
        let ends = match Ends::find(&directory, unit, files, lock.last_end(), seen, &mut found)? {
            Some(ends) => ends,
            None => Ends {
                files: vec![0; files.len()],
                checksums: 0,
            },
        };
        lock.begin_writing(found.units)?;
        let append = |name: &str, end: u64| Appending::open(directory.join(name), end);
        let growing: Result<Vec<Appending>, RecordError> = files
            .iter()
            .zip(&ends.files)
            .map(|(file, end)| append(&file.name, *end))
            .collect();
        let mut ledger = Ledger {
            checksums: append(CHECKSUMS, ends.checksums)?,
            files: growing?,
            lock,
            units: found.units,
            last_sync: Instant::now(),
        };
        if ends.checksums == 0 {
            ledger.begin(unit, files)?;
        }
        ledger.sync()?;
        sync_directory(&directory)?;
        Ok((ledger, found))
    }

    /// Writes the header lines.
    fn begin(&mut self, unit: Unit, files: &[GrowingFile]) -> Result<(), RecordError> {
        for (growing, file) in self.files.iter_mut().zip(files).rev() {
            growing.append(file.header.as_bytes())?;
        }
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let stamps: Vec<Stamp> = files
            .iter()
            .map(|file| Stamp::of(file.header.as_bytes()))
            .collect();
        let text = unit.header(&names) + &checksum_row(0, &stamps);
        self.checksums.append(text.as_bytes())
    }

    pub fn directory(&self) -> &Path {
        self.lock.directory()
    }

    /// Appends the texts of a pair or row, main file first. One write per file: a kill in between
    /// leaves complete pairs, or an incomplete end that is removed on resume.
    pub fn append(&mut self, texts: &[&[u8]]) -> Result<(), RecordError> {
        debug_assert_eq!(texts.len(), self.files.len());
        for (file, text) in self.files.iter_mut().zip(texts).rev() {
            file.append(text)?;
        }
        let stamps: Vec<Stamp> = texts.iter().map(|text| Stamp::of(text)).collect();
        self.units += 1;
        let row = checksum_row(self.units, &stamps);
        self.checksums.append(row.as_bytes())?;
        if self.last_sync.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes everything appended so far survive a power cut.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.lock.refuse_lost()?;
        for file in self.files.iter_mut().rev().chain([&mut self.checksums]) {
            file.sync()?;
        }
        self.lock.mark(self.units)?;
        self.last_sync = Instant::now();
        Ok(())
    }

    /// The orderly end of writing; the lock is kept until it is released.
    pub fn close(mut self) -> Result<RunLock, RecordError> {
        self.sync()?;
        Ok(self.lock)
    }
}

/// A file that is appended to.
struct Appending {
    path: PathBuf,
    file: File,
    is_synced: bool,
}

impl Appending {
    /// Opens or makes the file, and cuts it at `end`.
    fn open(path: PathBuf, end: u64) -> Result<Appending, RecordError> {
        let failed = |error: io::Error| RecordError::io(&path, &error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length != end {
            file.set_len(end).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(Appending {
            path,
            file,
            is_synced: false,
        })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.is_synced &= bytes.is_empty();
        self.file
            .write_all(bytes)
            .map_err(|error| RecordError::io(&self.path, &error))
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        if !self.is_synced {
            self.file
                .sync_data()
                .map_err(|error| RecordError::io(&self.path, &error))?;
            self.is_synced = true;
        }
        Ok(())
    }
}

/// The offsets after the last complete pair or row.
struct Ends {
    files: Vec<u64>,
    checksums: u64,
}

impl Ends {
    /// Checks the files. `None` if nothing complete was written yet.
    fn find(
        directory: &Path,
        unit: Unit,
        files: &[GrowingFile],
        last_end: LastEnd,
        seen: &mut Seen<'_>,
        found: &mut Found,
    ) -> Result<Option<Ends>, RecordError> {
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let headers: Vec<Vec<u8>> = files
            .iter()
            .map(|file| file.header.clone().into_bytes())
            .collect();
        let stamps: Vec<Stamp> = headers.iter().map(|header| Stamp::of(header)).collect();
        let begin = unit.header(&names) + &checksum_row(0, &stamps);
        if has_not_begun(directory, files, &begin, last_end)? {
            return Ok(None);
        }
        let Some(mut checked) = Checked::open(directory, unit)? else {
            return Err(RecordError::Missing {
                path: directory.join(CHECKSUMS),
            });
        };
        let stop = loop {
            let line = checked.files[0].line;
            match checked.next()? {
                Err(stop) => break stop,
                Ok(pieces) if checked.number == 1 => refuse_other_files(&checked, files, &pieces)?,
                Ok(pieces) => {
                    seen(checked.number - 1, line, &pieces[0])?;
                    found.units = checked.number - 1;
                }
            }
        };
        if checked.bytes_left()? > 0 {
            if !checked.is_torn(&stop, last_end)? {
                return Err(checked.error(&stop));
            }
            keep_removed(directory, &mut checked, found)?;
        }
        Ok(Some(Ends {
            files: checked.files.iter().map(|file| file.at).collect(),
            checksums: checked.rows.at,
        }))
    }
}

/// Whether the files hold at most a beginning of their headers. What a power cut made of headers that
/// were not synced yet does not matter, nor which of the files it left.
fn has_not_begun(
    directory: &Path,
    files: &[GrowingFile],
    begin: &str,
    last_end: LastEnd,
) -> Result<bool, RecordError> {
    if last_end == (LastEnd::Broken { synced: 0 }) {
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        if hold_only_headers(directory, &names)? {
            return Ok(true);
        }
    }
    let holds_less = |name: &str, header: &str, most: usize| -> Result<bool, RecordError> {
        let path = directory.join(name);
        match fs::metadata(&path) {
            Ok(data) if data.len() > most as u64 => return Ok(false),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(RecordError::io(&path, &error)),
        }
        let bytes = fs::read(&path).map_err(|error| RecordError::io(&path, &error))?;
        Ok(header.as_bytes().starts_with(&bytes))
    };
    let mut not_begun = holds_less(CHECKSUMS, begin, begin.len() - 1)?;
    for file in files {
        not_begun = not_begun && holds_less(&file.name, &file.header, file.header.len())?;
    }
    Ok(not_begun)
}

/// The files of another version, or of a config that logs other things.
fn refuse_other_files(
    checked: &Checked,
    files: &[GrowingFile],
    headers: &[Vec<u8>],
) -> Result<(), RecordError> {
    let names = |names: Vec<String>| names.join(",");
    let written = checked.files.iter().map(|file| {
        let name = file.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    let (written, expected) = (
        names(written.collect()),
        names(files.iter().map(|file| file.name.clone()).collect()),
    );
    if written != expected {
        return Err(RecordError::damaged(
            &checked.rows.path,
            1,
            format!("lists the files {written}, expected {expected}"),
        ));
    }
    for ((file, header), pieces) in files.iter().zip(headers).zip(&checked.files) {
        if file.header.as_bytes() != &header[..] {
            return Err(RecordError::OtherColumns {
                path: pieces.path.clone(),
                found: String::from_utf8_lossy(header).trim_end().to_string(),
                expected: file.header.trim_end().to_string(),
            });
        }
    }
    Ok(())
}

/// Copies what will be cut into `removed/`, behind what earlier resumes put there.
fn keep_removed(
    directory: &Path,
    checked: &mut Checked,
    found: &mut Found,
) -> Result<(), RecordError> {
    let folder = directory.join(REMOVED);
    for file in checked.files.iter_mut().chain([&mut checked.rows]) {
        let (at, length) = (file.at, file.length()?);
        if length <= at {
            continue;
        }
        fs::create_dir_all(&folder).map_err(|error| RecordError::io(&folder, &error))?;
        let name = file.path.file_name().unwrap_or_default().to_owned();
        let kept = folder.join(name);
        let mut from =
            File::open(&file.path).map_err(|error| RecordError::io(&file.path, &error))?;
        let mut copy = || -> io::Result<()> {
            from.seek(SeekFrom::Start(at))?;
            let mut into = OpenOptions::new().append(true).create(true).open(&kept)?;
            io::copy(&mut from, &mut into)?;
            into.sync_data()
        };
        copy().map_err(|error| RecordError::io(&kept, &error))?;
        found.removed.push(format!(
            "{}:{}: an incomplete end of {} bytes was removed; it is kept in {}",
            file.path.display(),
            file.line,
            length - at,
            kept.display()
        ));
    }
    Ok(())
}
