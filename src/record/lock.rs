//! One process per run directory: a lock of the operating system on `.lock`, which a kill releases.
//!
//! The file also says how many pairs are synced. It is removed at an orderly end, so what it says
//! matters only after a kill or a power cut: pairs beyond may be torn, earlier ones may not.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::checksums::CHECKSUMS;
use super::disk::{is_temporary, parent, remove_abandoned, sync_directory};
use super::error::RecordError;
use super::manifest::MANIFEST;
use super::run_files::is_listed;

/// The name of the file in a run directory.
pub(super) const LOCK: &str = ".lock";

/// How the last process that wrote to a run directory ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastEnd {
    /// In order, or there was none.
    Clean,
    /// By a kill, a power cut or an error: only this many pairs (rows of a tuning log) are known to be
    /// synced.
    Broken { synced: u64 },
}

impl LastEnd {
    /// Reads the lock file of a directory, without locking it.
    pub fn of(directory: &Path) -> Result<LastEnd, RecordError> {
        let path = directory.join(LOCK);
        match fs::read(&path) {
            Ok(bytes) => Ok(last_end(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(LastEnd::Clean),
            // Where locks forbid reading, somebody holds it.
            Err(_) if cfg!(windows) => Ok(LastEnd::Broken { synced: 0 }),
            Err(error) => Err(RecordError::io(&path, &error)),
        }
    }
}

fn last_end(bytes: &[u8]) -> LastEnd {
    let text = String::from_utf8_lossy(bytes);
    let complete = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let mut marks = complete.lines().filter_map(|line| {
        let count = line.strip_prefix("synced ")?;
        // A line without its end may lack digits.
        count.strip_suffix('.')?.parse().ok()
    });
    match marks.next_back() {
        Some(synced) => LastEnd::Broken { synced },
        // It had not begun to write.
        None => LastEnd::Clean,
    }
}

/// The right to write to a run directory.
#[derive(Debug)]
pub struct RunLock {
    directory: PathBuf,
    path: PathBuf,
    file: File,
    last_end: LastEnd,
    /// Whether the files of the run have been changed under this lock.
    has_written: bool,
    /// Whether the directory was made for this lock.
    has_made: bool,
}

impl RunLock {
    /// Makes the directory and locks it. Refuses directories that contain something else than a run.
    pub fn take(directory: &Path) -> Result<RunLock, RecordError> {
        refuse_foreign(directory)?;
        let has_made = make_directory(directory)?;
        let mut lock = RunLock::take_damaged(directory)?;
        lock.has_made = has_made;
        Ok(lock)
    }

    /// The same for a directory that is there and may lack its manifest.
    pub fn take_damaged(directory: &Path) -> Result<RunLock, RecordError> {
        let path = directory.join(LOCK);
        let failed = |error: io::Error| RecordError::io(&path, &error);
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&path)
                .map_err(failed)?;
            lock(&file, &path)?;
            // The last holder may have removed the file after this process opened it.
            if !is_at(&file, &path) {
                continue;
            }
            let mut earlier = Vec::new();
            file.read_to_end(&mut earlier).map_err(failed)?;
            // A line of the last process may be incomplete.
            let begin = if earlier.is_empty() || earlier.ends_with(b"\n") {
                ""
            } else {
                "\n"
            };
            let holder = format!("{begin}{HOLDER}{}\n", this_process());
            file.write_all(holder.as_bytes()).map_err(failed)?;
            sync_directory(directory)?;
            remove_abandoned(directory)?;
            return Ok(RunLock {
                directory: directory.to_path_buf(),
                path,
                file,
                last_end: last_end(&earlier),
                has_written: false,
                has_made: false,
            });
        }
    }

    /// An error if another process writes to the directory.
    pub fn refuse_held(directory: &Path) -> Result<(), RecordError> {
        let path = directory.join(LOCK);
        match OpenOptions::new().read(true).append(true).open(&path) {
            Ok(file) => lock(&file, &path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(RecordError::io(&path, &error)),
        }
    }

    /// Whether a process is writing, or was killed while it wrote, the first files of a run: its config is
    /// not there yet.
    pub fn is_starting(directory: &Path) -> bool {
        let has = |name: &str| directory.join(name).exists();
        has(LOCK) && !has("config.toml") && !has(CHECKSUMS)
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn last_end(&self) -> LastEnd {
        self.last_end
    }

    /// Notes the number of complete pairs before the first change. Without such a note the
    /// directory counts as unchanged.
    pub(super) fn begin_writing(&mut self, complete: u64) -> Result<(), RecordError> {
        if self.last_end == LastEnd::Clean {
            self.mark(complete)?;
            self.file
                .sync_data()
                .map_err(|error| RecordError::io(&self.path, &error))?;
        }
        self.has_written = true;
        Ok(())
    }

    /// Notes the number of synced pairs. Not synced itself: an older number is also true.
    pub(super) fn mark(&mut self, synced: u64) -> Result<(), RecordError> {
        self.file
            .write_all(format!("synced {synced}.\n").as_bytes())
            .map_err(|error| RecordError::io(&self.path, &error))
    }

    /// An error if the directory was deleted or renamed: everything written would be lost.
    pub fn refuse_lost(&self) -> Result<(), RecordError> {
        if is_at(&self.file, &self.path) {
            return Ok(());
        }
        Err(RecordError::Lost {
            path: self.directory.clone(),
        })
    }

    /// The orderly end, after everything is synced.
    pub fn release(mut self) {
        (self.has_written, self.last_end) = (false, LastEnd::Clean);
    }
}

/// Removes the file, unless what it says is needed on resume, and a new directory if it stayed empty.
impl Drop for RunLock {
    fn drop(&mut self) {
        let is_needed = self.has_written || self.last_end != LastEnd::Clean;
        // Removed before the lock ends, so that a process that opened the old file notices.
        if !is_needed && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
            if self.has_made {
                // Fails if there is anything in it.
                let _ = fs::remove_dir(&self.directory);
            }
        }
    }
}

/// Makes a directory, and those above it, so that a power cut does not take it with what it holds.
/// True if it was not there.
fn make_directory(directory: &Path) -> Result<bool, RecordError> {
    let levels = directory
        .ancestors()
        .filter(|level| !level.as_os_str().is_empty());
    let missing: Vec<&Path> = levels.take_while(|level| !level.exists()).collect();
    fs::create_dir_all(directory).map_err(|error| RecordError::io(directory, &error))?;
    for level in missing.iter().rev() {
        sync_directory(parent(level))?;
    }
    Ok(!missing.is_empty())
}

/// The beginning of the line that names the holder.
const HOLDER: &str = "process ";

fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(RecordError::Held {
            path: parent(path).to_path_buf(),
            holder: holder(file),
        }),
        Err(TryLockError::Error(error)) => Err(RecordError::io(path, &error)),
    }
}

/// What the lock file says about its holder.
pub(super) fn holder(mut file: &File) -> String {
    let mut bytes = Vec::new();
    let read = file
        .seek(SeekFrom::Start(0))
        .and_then(|_| file.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rfind(|line| line.starts_with(HOLDER));
    match (read, line) {
        (Ok(_), Some(line)) => line.to_string(),
        _ => "another process".to_string(),
    }
}

/// Number, machine and command of this process.
fn this_process() -> String {
    let arguments: Vec<String> = std::env::args_os()
        .map(|argument| argument.to_string_lossy().replace(char::is_control, " "))
        .collect();
    format!(
        "{} on {}: {}",
        std::process::id(),
        machine(),
        arguments.join(" ")
    )
}

/// The name of this machine, in one line.
pub fn machine() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok();
    #[cfg(not(unix))]
    let name = std::env::var_os("COMPUTERNAME");
    let name = name.unwrap_or_default().to_string_lossy().into_owned();
    let name = name.replace(char::is_control, " ");
    match name.trim() {
        "" => "an unnamed machine".to_string(),
        name => name.to_string(),
    }
}

/// Whether the path still names this file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (Ok(open), Ok(named)) = (file.metadata(), fs::metadata(path)) else {
            return false;
        };
        (open.dev(), open.ino()) == (named.dev(), named.ino())
    }
    // Elsewhere an open file cannot be removed.
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Refuses a directory with files that do not belong to a run.
pub fn refuse_foreign(directory: &Path) -> Result<(), RecordError> {
    let failed = |error: io::Error| RecordError::io(directory, &error);
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if directory.join(MANIFEST).exists() {
        return Ok(());
    }
    let mut foreign: Option<String> = None;
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name == "games.csv" || name == "trajectory.csv" {
            return Err(RecordError::NoManifest {
                path: directory.to_path_buf(),
            });
        }
        // A kill before the manifest leaves the list of checksums, and what it lists.
        let is_own = name == LOCK || is_temporary(&name) || is_listed(directory, &name);
        if !is_own {
            foreign = Some(foreign.map_or(name.clone(), |other| other.min(name)));
        }
    }
    match foreign {
        None => Ok(()),
        Some(found) => Err(RecordError::Foreign {
            path: directory.to_path_buf(),
            found,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_with_the_name_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunLock::take(folder.path()).unwrap();
        let refused = RunLock::take(folder.path()).unwrap_err().to_string();
        let process = format!("process {} on ", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        assert!(RunLock::refuse_held(folder.path()).is_err());
        first.release();
        assert!(!folder.path().join(LOCK).exists());
        RunLock::refuse_held(folder.path()).unwrap();
        let second = RunLock::take(folder.path()).unwrap();
        assert_eq!(second.last_end(), LastEnd::Clean);
    }

    #[test]
    fn a_broken_end_leaves_the_last_complete_mark() {
        let folder = tempfile::tempdir().unwrap();
        let mut lock = RunLock::take(folder.path()).unwrap();
        lock.begin_writing(0).unwrap();
        for synced in [7, 12] {
            lock.mark(synced).unwrap();
        }
        drop(lock);
        let path = folder.path().join(LOCK);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}synced 1")).unwrap();
        let broken = LastEnd::Broken { synced: 12 };
        assert_eq!(LastEnd::of(folder.path()).unwrap(), broken);
        let lock = RunLock::take(folder.path()).unwrap();
        assert_eq!(lock.last_end(), broken);
        drop(lock);
        assert_eq!(LastEnd::of(folder.path()).unwrap(), broken);
    }

    #[test]
    fn foreign_files_are_named_and_a_deleted_directory_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let lock = RunLock::take(&run).unwrap();
        lock.refuse_lost().unwrap();
        fs::remove_dir_all(&run).unwrap();
        let lost = lock.refuse_lost().unwrap_err().to_string();
        assert!(lost.contains("deleted"), "{lost}");
        fs::create_dir(&run).unwrap();
        fs::write(run.join("notes.txt"), "mine").unwrap();
        let refused = RunLock::take(&run).unwrap_err().to_string();
        assert!(refused.contains("notes.txt"), "{refused}");
        assert!(!run.join(LOCK).exists());
        fs::write(run.join("games.csv"), "mine").unwrap();
        let refused = RunLock::take(&run).unwrap_err().to_string();
        assert!(refused.contains("no manifest.json"), "{refused}");
    }
}
