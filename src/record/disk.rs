//! Writes files so that a kill or a power cut leaves either the old or the new content.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::RecordError;

/// The extension of temporary files.
const PART: &str = ".part";

/// Replaces a file atomically: writes a temporary file beside it, syncs it, renames it, and syncs the
/// directory entry.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    replace_unsynced(path, bytes)?;
    sync_directory(parent(path))
}

/// The same, but a power cut may undo the renaming until the directory is synced.
pub(super) fn replace_unsynced(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let temporary = temporary_beside(path);
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        // Remove the incomplete file.
        let _ = fs::remove_file(&temporary);
        RecordError::io(path, &error)
    })
}

/// Makes new names in a directory survive a power cut.
pub(super) fn sync_directory(directory: &Path) -> Result<(), RecordError> {
    #[cfg(unix)]
    {
        let synced = File::open(directory).and_then(|directory| directory.sync_all());
        match synced {
            // File systems that cannot sync directories say so.
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                return Err(RecordError::io(directory, &error));
            }
            _ => {}
        }
    }
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

/// The directory of a file.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A hidden name that no other file and no other process uses: `.results.svg.1234-5.part`.
fn temporary_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    path.with_file_name(format!(".{name}.{process}-{count}{PART}"))
}

/// The process that writes a temporary file of this name.
fn writer_of(name: &str) -> Option<u32> {
    let stem = name.strip_prefix('.')?.strip_suffix(PART)?;
    stem.rsplit_once('.')?.1.split_once('-')?.0.parse().ok()
}

/// Whether this is the name of a temporary file.
pub(super) fn is_temporary(name: &str) -> bool {
    writer_of(name).is_some()
}

/// Removes temporary files whose process was killed.
pub(super) fn remove_abandoned(directory: &Path) -> Result<(), RecordError> {
    let failed = |error: io::Error| RecordError::io(directory, &error);
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let writer = writer_of(&entry.file_name().to_string_lossy());
        if writer.is_some_and(|process| !is_running(process)) {
            // Another process may have removed it first.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Whether a process of this machine is running; true if that cannot be known.
fn is_running(process: u32) -> bool {
    #[cfg(unix)]
    {
        use nix::errno::Errno;
        use nix::sys::signal::kill;
        use nix::unistd::Pid;
        let id = i32::try_from(process).ok().filter(|id| *id > 0);
        id.is_some_and(|id| kill(Pid::from_raw(id), None) != Err(Errno::ESRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_only_in_their_extension_have_their_own_temporary_files() {
        let names = ["results.svg", "results.png", "results.png"].map(|name| {
            let path = temporary_beside(&Path::new("run").join(name));
            path.file_name().unwrap().to_string_lossy().into_owned()
        });
        assert!(names[0] != names[1] && names[1] != names[2], "{names:?}");
        for name in names {
            assert_eq!(writer_of(&name), Some(std::process::id()), "{name}");
        }
        for other in ["results.svg", ".notes.part", "a.1-2.part", ".lock"] {
            assert_eq!(writer_of(other), None, "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_temporary_files_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let dead = format!(".a.svg.{}-0.part", ended.id());
        let alive = format!(".a.svg.{}-0.part", std::process::id());
        for name in [&dead, &alive, "notes.part"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        remove_abandoned(folder.path()).unwrap();
        let left = |name: &str| folder.path().join(name).exists();
        assert!(!left(&dead) && left(&alive) && left("notes.part"));
    }
}
