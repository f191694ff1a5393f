//! The threads of a run: the cores that they are pinned to, and the file `threads` in the directory of a
//! run under way, which says how many take new pairs. The results do not depend on it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Failure, complain};
use crate::engines::affinity;
use crate::play::PlayerSpec;

const FILE: &str = "threads";

/// How often the file is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// The cores of each thread: one, or two where an engine thinks on its opponent's time.
pub fn cores_of(threads: usize, players: &[PlayerSpec]) -> Result<Vec<Vec<usize>>, Failure> {
    let ponders = |player: &PlayerSpec| player.engine().is_some_and(|engine| engine.ponder);
    let each = if players.iter().any(ponders) { 2 } else { 1 };
    let cores = affinity::own_cores().map_err(|error| {
        Failure::bad_input(format!("--pin: not possible on this system: {error}"))
    })?;
    if cores.len() < threads * each {
        return Err(Failure::bad_input(format!(
            "--pin: {threads} threads need {} cores, and there are {}; use --threads {}",
            threads * each,
            cores.len(),
            (cores.len() / each).max(1)
        )));
    }
    let groups = cores.chunks_exact(each).take(threads);
    Ok(groups.map(<[usize]>::to_vec).collect())
}

/// Watches the file until it is dropped.
pub struct ThreadsFile {
    over: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

impl ThreadsFile {
    /// Sets `active` to the file's number, from 1 to `most`, and back to its first value when the file is
    /// removed.
    pub fn watch(directory: &Path, active: Arc<AtomicUsize>, most: usize) -> ThreadsFile {
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&over);
        let path = directory.join(FILE);
        let watcher = std::thread::Builder::new().spawn(move || {
            let usual = active.load(Ordering::Relaxed);
            let mut seen = None;
            while !flag.load(Ordering::Relaxed) {
                let text = fs::read_to_string(&path).ok();
                if text != seen {
                    let threads = wanted(&path, text.as_deref(), usual, most);
                    if let Some(threads) = threads {
                        active.store(threads, Ordering::Relaxed);
                    }
                    seen = text;
                }
                std::thread::park_timeout(LOOK);
            }
        });
        ThreadsFile {
            over,
            watcher: watcher.ok(),
        }
    }
}

/// The number of threads that the text asks for; `None` if it is not a valid number.
fn wanted(path: &Path, text: Option<&str>, usual: usize, most: usize) -> Option<usize> {
    let Some(text) = text else {
        complain(&format!("{usual} threads from now on"));
        return Some(usual);
    };
    let threads = match text.trim().parse::<usize>() {
        Ok(threads) if threads >= 1 => threads,
        // Half written, perhaps.
        _ if text.trim().is_empty() => return None,
        _ => {
            complain(&format!(
                "{}: `{}`: expected a number of threads, 1 to {most}; nothing changes",
                path.display(),
                text.trim()
            ));
            return None;
        }
    };
    let threads = threads.min(most);
    complain(&format!(
        "{}: {threads} threads from now on",
        path.display()
    ));
    Some(threads)
}

impl Drop for ThreadsFile {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            let _ = watcher.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_asks_for_as_many_threads_as_there_may_be() {
        let path = Path::new("threads");
        let asked = |text: &str| wanted(path, Some(text), 2, 8);
        assert_eq!(asked("5\n"), Some(5));
        assert_eq!(asked("99"), Some(8));
        for text in ["", "0", "-1", "many"] {
            assert_eq!(asked(text), None, "{text}");
        }
        assert_eq!(wanted(path, None, 2, 8), Some(2));
    }
}
