//! `files.csv`: size and CRC-32 of the files of a run directory that are written as a whole: config,
//! manifest, tables, charts, pages. The growing files have `checksums.csv`.
//!
//! A file may have two rows while it is replaced; either is right. Files that a command is going to
//! replace are taken off the list first, so that a kill leaves no wrong row.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{replace_file, replace_unsynced, sync_directory};
use super::error::RecordError;
use super::inspect::Damage;
use super::manifest::MANIFEST;
use super::stamp::Stamp;

/// The name of the file in a run directory.
pub const FILES: &str = "files.csv";

const HEADER: &str = "file,checksum";

/// The files that say what a run is.
pub(super) const IDENTITY: [&str; 2] = [MANIFEST, "config.toml"];

/// The files of a run directory that are written as a whole. In any other directory, files without a
/// list.
#[derive(Debug)]
pub struct RunFiles {
    directory: PathBuf,
    /// `None` if the directory has no list.
    listed: Option<BTreeMap<String, Stamp>>,
}

impl RunFiles {
    /// For a command that writes all but the files that `keep` names.
    pub fn begin(directory: &Path, keep: impl Fn(&str) -> bool) -> Result<RunFiles, RecordError> {
        let mut listed = read_list(directory)?.map(|rows| {
            let rows = rows.into_iter().filter(|(name, _)| keep(name));
            rows.collect::<BTreeMap<String, Stamp>>()
        });
        if let Some(listed) = &mut listed {
            write_list(directory, listed.iter().map(|(name, stamp)| (name, *stamp)))?;
        }
        Ok(RunFiles {
            directory: directory.to_path_buf(),
            listed,
        })
    }

    /// Keeps only what says what the run is: config, manifest and its inputs.
    pub fn begin_all(
        directory: &Path,
        is_input: impl Fn(&str) -> bool,
    ) -> Result<RunFiles, RecordError> {
        RunFiles::begin(directory, |name| IDENTITY.contains(&name) || is_input(name))
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes a file atomically.
    pub fn replace(&mut self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        replace_unsynced(&self.directory.join(name), bytes)?;
        if let Some(listed) = &mut self.listed {
            listed.insert(name.to_string(), Stamp::of(bytes));
        }
        Ok(())
    }

    /// Removes a file that no longer applies. Most do not exist.
    pub fn remove(&mut self, name: &str) {
        let _ = fs::remove_file(self.directory.join(name));
        if let Some(listed) = &mut self.listed {
            listed.remove(name);
        }
    }

    /// Lists what was written.
    pub fn seal(self) -> Result<(), RecordError> {
        match &self.listed {
            Some(listed) => {
                let rows = listed.iter().map(|(name, stamp)| (name, *stamp));
                write_list(&self.directory, rows)
            }
            None => sync_directory(&self.directory),
        }
    }
}

/// Whether a run was ended in order: its page is on the list, which a run that plays again takes it off.
/// Directories of older versions have no list.
pub fn has_page(directory: &Path) -> bool {
    const PAGE: &str = "report.html";
    match read_list(directory) {
        Ok(Some(rows)) => rows.iter().any(|(name, _)| name == PAGE),
        Ok(None) => directory.join(PAGE).exists(),
        Err(_) => false,
    }
}

/// Replaces files that a run begins with: config, manifest, openings.
pub(super) fn write_inputs(directory: &Path, files: &[(&str, &[u8])]) -> Result<(), RecordError> {
    let old = read_list(directory)?.unwrap_or_default();
    let stamp = |(name, bytes): &(&str, &[u8])| (name.to_string(), Stamp::of(bytes));
    let new: Vec<(String, Stamp)> = files.iter().map(stamp).collect();
    // Both, for a kill in between.
    let both = old.iter().chain(&new);
    write_list(directory, both.map(|(name, stamp)| (name, *stamp)))?;
    for (name, bytes) in files {
        replace_file(&directory.join(name), bytes)?;
    }
    let others = old
        .iter()
        .filter(|(name, _)| files.iter().all(|(replaced, _)| replaced != name));
    let rows = others.chain(&new);
    write_list(directory, rows.map(|(name, stamp)| (name, *stamp)))
}

/// Keeps a copy of a file that a run needs to be repeated. Writes nothing if it is there.
pub fn keep_input(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
    let wanted = (name.to_string(), Stamp::of(bytes));
    let is_listed = read_list(directory)?.is_some_and(|rows| rows.contains(&wanted));
    let path = directory.join(name);
    if is_listed && fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    write_inputs(directory, &[(name, bytes)])
}

/// Checks every listed file. Returns how many there are, with what is wrong; `None` if the directory has
/// no list, as those of older versions.
pub fn inspect_files(directory: &Path) -> Result<Option<(u64, Vec<Damage>)>, RecordError> {
    let rows = match read_list(directory) {
        Ok(Some(rows)) => rows,
        Ok(None) => return Ok(None),
        Err(RecordError::Damaged {
            path,
            line,
            message,
        }) => return Ok(Some((0, vec![Damage::new(&path, line, message)]))),
        Err(error) => return Err(error),
    };
    let mut damage = Vec::new();
    let names: BTreeSet<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    for required in IDENTITY {
        if !names.contains(required) {
            let message = format!("has no row for {required}");
            damage.push(Damage::new(&directory.join(FILES), 0, message));
        }
    }
    for name in &names {
        let path = directory.join(name);
        match fs::read(&path) {
            Ok(bytes) => {
                let actual = Stamp::of(&bytes);
                if !rows
                    .iter()
                    .any(|(listed, stamp)| listed == name && *stamp == actual)
                {
                    let message = format!("does not match its checksum in {FILES}");
                    damage.push(Damage::new(&path, 0, message));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                damage.push(Damage::new(
                    &path,
                    0,
                    format!("missing, but listed in {FILES}"),
                ));
            }
            Err(error) => return Err(RecordError::io(&path, &error)),
        }
    }
    Ok(Some((names.len() as u64, damage)))
}

/// Whether the directory has a list that this program wrote, and the file is on it or the list itself.
pub(super) fn is_listed(directory: &Path, name: &str) -> bool {
    let Ok(Some(rows)) = read_list(directory) else {
        return false;
    };
    name == FILES || rows.iter().any(|(listed, _)| listed == name)
}

/// Whether the list knows a file with these bytes; `None` if there is no readable list, or no row.
pub fn is_listed_as(directory: &Path, name: &str, bytes: &[u8]) -> Option<bool> {
    let rows = read_list(directory).ok()??;
    let actual = Stamp::of(bytes);
    let mut stamps = rows
        .iter()
        .filter(|(listed, _)| listed == name)
        .map(|(_, stamp)| *stamp)
        .peekable();
    stamps.peek()?;
    Some(stamps.any(|stamp| stamp == actual))
}

/// The rows, sorted, and a last one of the list itself.
fn write_list<'r>(
    directory: &Path,
    rows: impl Iterator<Item = (&'r String, Stamp)>,
) -> Result<(), RecordError> {
    let mut lines: Vec<String> = rows
        .map(|(name, stamp)| format!("{name},{stamp}"))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let mut text = format!("{HEADER}\n");
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&format!("{FILES},{}\n", Stamp::of(text.as_bytes())));
    replace_file(&directory.join(FILES), text.as_bytes())
}

/// The rows of the list without its own; `None` if there is no list.
pub(super) fn read_list(directory: &Path) -> Result<Option<Vec<(String, Stamp)>>, RecordError> {
    let path = directory.join(FILES);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(RecordError::io(&path, &error)),
    };
    let wrong = |line: usize, message: &str| {
        Err(RecordError::damaged(
            &path,
            line as u64,
            message.to_string(),
        ))
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return wrong(0, "not valid UTF-8");
    };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let (rows, own) = body.rsplit_once('\n').unwrap_or(("", body));
    let rows = format!("{rows}\n");
    let lines = rows.lines().count() + 1;
    if !text.ends_with('\n') || own != format!("{FILES},{}", Stamp::of(rows.as_bytes())) {
        return wrong(lines, "the list does not match its own checksum");
    }
    let mut list = Vec::new();
    for (index, line) in rows.lines().enumerate().skip(1) {
        let row = line.rsplit_once(',').and_then(|(name, stamp)| {
            let stamp = stamp.parse().ok()?;
            Some((name.to_string(), stamp))
        });
        match row {
            Some(row) => list.push(row),
            None => return wrong(index + 1, "expected a file and its checksum"),
        }
    }
    Ok(Some(list))
}

/// Checks the bytes of a file against the list of its directory. Directories without a list, and files
/// that are not on it, pass; a list without config and manifest does not.
pub fn check_listed(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
    let Some(rows) = read_list(directory)? else {
        return Ok(());
    };
    let mut stamps = rows
        .iter()
        .filter(|(listed, _)| listed == name)
        .map(|(_, stamp)| *stamp)
        .peekable();
    if stamps.peek().is_none() {
        return if IDENTITY.contains(&name) {
            let message = format!("has no row for {name}");
            Err(RecordError::damaged(&directory.join(FILES), 0, message))
        } else {
            Ok(())
        };
    }
    let actual = Stamp::of(bytes);
    if stamps.any(|stamp| stamp == actual) {
        Ok(())
    } else {
        let message = format!("does not match its checksum in {FILES}");
        Err(RecordError::damaged(&directory.join(name), 0, message))
    }
}

/// Reads a text file and checks it; `None` if there is no such file.
pub(super) fn read_listed(directory: &Path, name: &str) -> Result<Option<String>, RecordError> {
    let path = directory.join(name);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RecordError::io(&path, &error)),
    };
    check_listed(directory, name, &bytes)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(RecordError::damaged(
            &path,
            0,
            "not valid UTF-8".to_string(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files: [(&str, &[u8]); 2] = [(MANIFEST, b"{}"), ("config.toml", b"seed = 1\n")];
        write_inputs(folder.path(), &files).unwrap();
        folder
    }

    #[test]
    fn every_changed_bit_of_a_listed_file_and_of_the_list_is_found() {
        let folder = run();
        let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
        files.replace("standings.csv", b"rank,player\n").unwrap();
        files.seal().unwrap();
        for name in [MANIFEST, "config.toml", "standings.csv", FILES] {
            let path = folder.path().join(name);
            let good = fs::read(&path).unwrap();
            let check = || read_listed(folder.path(), name).map(|_| ());
            if name != FILES {
                check().unwrap();
            }
            for bit in 0..good.len() * 8 {
                let mut bad = good.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, bad).unwrap();
                let refused = check().unwrap_err().to_string();
                assert!(refused.contains(name), "{name} bit {bit}: {refused}");
            }
            fs::write(&path, good).unwrap();
        }
    }

    #[test]
    fn a_kill_while_files_are_replaced_leaves_no_wrong_row() {
        let folder = run();
        // Killed before any of the new files is written, and after the first one.
        let new = [
            (MANIFEST, Stamp::of(b"{ }")),
            ("config.toml", Stamp::of(b"seed = 2\n")),
        ];
        let old = read_list(folder.path()).unwrap().unwrap();
        let new = new.map(|(name, stamp)| (name.to_string(), stamp));
        let both = old.iter().chain(&new);
        write_list(folder.path(), both.map(|(name, stamp)| (name, *stamp))).unwrap();
        read_listed(folder.path(), MANIFEST).unwrap();
        fs::write(folder.path().join(MANIFEST), "{ }").unwrap();
        read_listed(folder.path(), MANIFEST).unwrap();
        read_listed(folder.path(), "config.toml").unwrap();
        // Killed while tables are written.
        let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
        files.replace("standings.csv", b"1").unwrap();
        files.seal().unwrap();
        let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
        files.replace("standings.csv", b"2").unwrap();
        drop(files);
        read_listed(folder.path(), "standings.csv").unwrap();
    }
}
