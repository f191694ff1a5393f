//! Whether a process writes to a run directory, for readers. A reader must not take the lock, because a run that
//! starts at that moment would be refused.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::lock::{LOCK, holder};

/// The process that holds the lock of a run directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Number, machine and command, as the lock file says.
    pub words: String,
    /// Its number, if it is a process of this machine.
    pub process: Option<u32>,
}

impl Holder {
    /// `None` if no process writes to the directory.
    pub fn of(directory: &Path) -> Option<Holder> {
        let file = File::open(directory.join(LOCK)).ok()?;
        let process = match listed(&file) {
            Some(process) => process,
            // Not listed, or there is no list: a process of another container, or none. No process can have begun to
            // write before it has written its name.
            None if file.metadata().ok()?.len() == 0 => return None,
            None if is_free(&file) => return None,
            None => None,
        };
        Some(Holder {
            words: holder(&file),
            process,
        })
    }
}

/// Whether the lock is free: takes it for a moment, together with other readers.
fn is_free(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            let _ = file.unlock();
            true
        }
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => true,
    }
}

/// The process that the kernel lists for a file, without touching the lock.
#[cfg(target_os = "linux")]
fn listed(file: &File) -> Option<Option<u32>> {
    use std::os::linux::fs::MetadataExt;
    let data = file.metadata().ok()?;
    let (major, minor) = (
        nix::sys::stat::major(data.st_dev()),
        nix::sys::stat::minor(data.st_dev()),
    );
    let place = format!("{major:02x}:{minor:02x}:{}", data.st_ino());
    let list = std::fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`; waiting processes have an arrow.
    list.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "FLOCK", _, "WRITE", process, at, ..] if at == place => Some(process.parse().ok()),
            _ => None,
        }
    })
}

#[cfg(not(target_os = "linux"))]
fn listed(_: &File) -> Option<Option<u32>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RunLock;

    #[test]
    fn the_holder_is_named_while_it_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Holder::of(folder.path()), None);
        let lock = RunLock::take(folder.path()).unwrap();
        let holder = Holder::of(folder.path()).unwrap();
        let process = std::process::id();
        assert!(holder.words.starts_with(&format!("process {process} on ")));
        #[cfg(target_os = "linux")]
        assert_eq!(holder.process, Some(process));
        lock.release();
        assert_eq!(Holder::of(folder.path()), None);
        // Left by a kill.
        std::fs::write(folder.path().join(LOCK), "process 1 on x: y\nsynced 3.\n").unwrap();
        assert_eq!(Holder::of(folder.path()), None);
    }
}
