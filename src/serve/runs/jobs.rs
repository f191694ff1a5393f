//! The processes that this server started. Each is `sparring run` or `sparring tune` in its own process group, with
//! its output in a log below the reports folder: neither a closed page nor the end of the server ends it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use super::folder;
use crate::record::Holder;
use crate::serve::Refusal;
use crate::serve::play::lock;

/// Runs that were started from the page and have not ended.
pub const MOST_RUNNING: usize = 4;
/// Ended runs that are kept in the list.
const MOST_ENDED: usize = 200;
/// The end of a log that a page shows, in bytes.
const LOG_END: u64 = 4096;
/// The folder of logs below the reports.
const FOLDER: &str = ".serve";
/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 130;

struct RunJob {
    process: u32,
    /// `None` while it runs; then its exit code, which is `None` if a signal ended it.
    ended: Option<Option<i32>>,
    number: u64,
}

pub struct Jobs {
    reports: PathBuf,
    folder: PathBuf,
    table: Arc<Mutex<HashMap<String, RunJob>>>,
}

/// What to start.
pub struct Launch<'s> {
    pub id: &'s str,
    /// The run directory.
    pub out: &'s Path,
    /// Where it runs: paths of a config on standard input are relative to it.
    pub folder: &'s Path,
    /// Command, config and options.
    pub arguments: Vec<String>,
    pub threads: Option<usize>,
    /// The games of a tuning run, if they are not those of its config.
    pub budget: Option<u64>,
    /// The text of a config whose path is `-`.
    pub config: Option<&'s str>,
}

impl Jobs {
    pub fn new(reports: &Path) -> Jobs {
        Jobs {
            reports: reports.to_path_buf(),
            folder: reports.join(FOLDER),
            table: Arc::default(),
        }
    }

    fn file(&self, id: &str, extension: &str) -> PathBuf {
        let name = id.replace('/', "__");
        self.folder.join(format!("{name}.{extension}"))
    }

    pub fn knows(&self, id: &str) -> bool {
        lock(&self.table).contains_key(id)
    }

    pub fn ids(&self) -> Vec<String> {
        lock(&self.table).keys().cloned().collect()
    }

    pub fn is_running(&self, id: &str) -> bool {
        let table = lock(&self.table);
        table.get(id).is_some_and(|job| job.ended.is_none())
    }

    /// Why a run ended that this server started; `None` if it runs, was interrupted, or ended well.
    pub fn outcome(&self, id: &str) -> Option<String> {
        let code = lock(&self.table).get(id)?.ended?;
        let words = match code {
            Some(0 | INTERRUPTED) => return None,
            Some(code) => format!("it ended with exit code {code}"),
            None => return None,
        };
        let log = self.log(id).unwrap_or_default();
        let last = log
            .lines()
            .rev()
            .find(|line| line.starts_with("sparring: "));
        Some(match last {
            Some(line) => line.trim_start_matches("sparring: ").to_string(),
            None => words,
        })
    }

    /// The end of what it printed; `None` if no server started it.
    pub fn log(&self, id: &str) -> Option<String> {
        let mut file = File::open(self.file(id, "log")).ok()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_END)))
            .ok()?;
        let mut bytes = Vec::new();
        file.take(LOG_END).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(match (length > LOG_END, text.split_once('\n')) {
            (true, Some((_, rest))) => rest.to_string(),
            _ => text,
        })
    }

    /// Runs of earlier servers that still run: a process of theirs holds the directory.
    fn earlier(&self) -> usize {
        let table = lock(&self.table);
        let is_own = |id: &str| table.get(id).is_some_and(|job| job.ended.is_none());
        let runs = folder::runs(&self.reports).into_iter();
        runs.filter(|(id, _)| !is_own(id) && self.file(id, "process").exists())
            .filter(|(id, path)| self.noted(id, Holder::of(path).as_ref()).is_some())
            .count()
    }

    pub fn start(&self, start: &Launch<'_>) -> Result<(), Refusal> {
        let earlier = self.earlier();
        let mut table = lock(&self.table);
        let running = table.values().filter(|job| job.ended.is_none()).count();
        if running + earlier >= MOST_RUNNING {
            return Err(Refusal::busy(format!(
                "{MOST_RUNNING} runs that were started from the page are running; stop one, or wait"
            )));
        }
        if table.get(start.id).is_some_and(|job| job.ended.is_none()) {
            return Err(Refusal::conflict(format!("{}: it is running", start.id)));
        }
        let failed = |error: io::Error| {
            Refusal::internal(format!("{}: the run cannot be started: {error}", start.id))
        };
        let child = self.spawn(start).map_err(failed)?;
        let process = child.id();
        let number = table.values().map(|job| job.number).max().unwrap_or(0) + 1;
        table.insert(
            start.id.to_string(),
            RunJob {
                process,
                ended: None,
                number,
            },
        );
        forget_oldest(&mut table);
        drop(table);
        self.wait_for(start.id, child).map_err(failed)
    }

    fn spawn(&self, start: &Launch<'_>) -> io::Result<Child> {
        fs::create_dir_all(&self.folder)?;
        self.note_budget(start)?;
        let log = File::create(self.file(start.id, "log"))?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(&start.arguments)
            .arg("--out")
            .arg(start.out)
            .current_dir(start.folder)
            .env("NO_COLOR", "1")
            .stdin(if start.config.is_some() {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(log.try_clone()?)
            .stderr(log);
        if let Some(budget) = start.budget {
            command.arg("--budget").arg(budget.to_string());
        }
        if let Some(threads) = start.threads {
            command.arg("--threads").arg(threads.to_string());
        }
        // Ctrl-C in the terminal of the server is not for the runs.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        if let (Some(text), Some(mut input)) = (start.config, child.stdin.take()) {
            // If it ends before it has read everything, its log says why.
            let _ = input.write_all(text.as_bytes());
        }
        // So that a later server knows it.
        fs::write(self.file(start.id, "process"), child.id().to_string())?;
        Ok(child)
    }

    fn wait_for(&self, id: &str, mut child: Child) -> io::Result<()> {
        let (table, id) = (Arc::clone(&self.table), id.to_string());
        let wait = move || {
            let code = child.wait().ok().and_then(|status| status.code());
            if let Some(job) = lock(&table).get_mut(&id)
                && job.process == child.id()
            {
                job.ended = Some(code);
            }
        };
        thread::Builder::new()
            .name("run".to_string())
            .stack_size(1 << 17)
            .spawn(wait)
            .map(|_| ())
    }

    /// Whether a server started the process that plays a run.
    pub fn may_stop(&self, id: &str, holder: Option<&Holder>) -> bool {
        self.process_of(id, holder).is_some()
    }

    /// The process of this server, or the one that holds the run if an earlier server has noted it: the lock is
    /// what makes the number safe, because numbers are used again.
    fn process_of(&self, id: &str, holder: Option<&Holder>) -> Option<u32> {
        let own = lock(&self.table)
            .get(id)
            .filter(|job| job.ended.is_none())
            .map(|job| job.process);
        own.or_else(|| self.noted(id, holder))
    }

    /// The holder of a run, if a server has noted that it started it.
    fn noted(&self, id: &str, holder: Option<&Holder>) -> Option<u32> {
        let held = holder?.process?;
        let noted = fs::read_to_string(self.file(id, "process")).ok()?;
        (noted.trim().parse() == Ok(held)).then_some(held)
    }

    /// The budget of a tuning run that was extended, for its next session: its config keeps the first one.
    pub fn budget(&self, id: &str) -> Option<u64> {
        let noted = fs::read_to_string(self.file(id, "budget")).ok()?;
        noted.trim().parse().ok()
    }

    fn note_budget(&self, start: &Launch<'_>) -> io::Result<()> {
        let path = self.file(start.id, "budget");
        match start.budget {
            Some(budget) => fs::write(path, budget.to_string()),
            // A new run of this name has its own.
            None if start.config.is_some() && path.exists() => fs::remove_file(path),
            None => Ok(()),
        }
    }

    /// Interrupts it, as Ctrl-C does.
    pub fn stop(&self, id: &str, holder: Option<&Holder>) -> Result<(), Refusal> {
        let Some(process) = self.process_of(id, holder) else {
            return Err(Refusal::conflict(match holder {
                Some(holder) => format!(
                    "{id}: it was not started from this page but by {}; stop it there",
                    holder.words
                ),
                None => format!("{id}: it is not running"),
            }));
        };
        interrupt(process).map_err(|error| Refusal::conflict(format!("{id}: {error}")))
    }
}

#[cfg(unix)]
fn interrupt(process: u32) -> Result<(), String> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let process = i32::try_from(process).map_err(|error| error.to_string())?;
    kill(Pid::from_raw(process), Signal::SIGINT).map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn interrupt(_: u32) -> Result<(), String> {
    Err("runs can only be stopped in their terminal on this system".to_string())
}

fn forget_oldest(table: &mut HashMap<String, RunJob>) {
    let mut ended: Vec<(u64, String)> = table
        .iter()
        .filter(|(_, job)| job.ended.is_some())
        .map(|(id, job)| (job.number, id.clone()))
        .collect();
    ended.sort_unstable();
    let many = ended.len().saturating_sub(MOST_ENDED);
    for (_, id) in ended.into_iter().take(many) {
        table.remove(&id);
    }
}
