//! Ends an engine and all processes it started, even if Sparring is killed.
//!
//! On Linux an engine runs below a guard: the `sparring` program itself, started with a hidden
//! first argument. The guard adopts every orphan of the engine (it is their subreaper), so
//! children of wrapper scripts and `setsid` children stay within its reach. It kills them all when
//! the engine exits, on SIGTERM, and when Sparring dies.
//!
//! Not covered: a guard that is killed with SIGKILL together with Sparring. Then the engine dies,
//! but the processes it started do not.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The hidden first argument; behind it the parent's process id, the program and its arguments.
const ARGUMENT: &str = "__engine-guard";

/// How a guard reports on standard output that it cannot start the program.
pub const CANNOT_START: &str = "sparring-guard cannot start the program: ";

#[cfg(target_os = "linux")]
static ENABLED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Runs the guard if this process was started as one; otherwise engines are guarded from now on.
/// For the first line of a program whose `main` calls this; a library cannot start itself again.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ARGUMENT) {
        return Some(guard(arguments.collect()));
    }
    #[cfg(target_os = "linux")]
    ENABLED.store(true, std::sync::atomic::Ordering::Relaxed);
    None
}

/// The command that runs a program below a guard, where there is one.
pub fn command(program: &Path) -> Option<Command> {
    #[cfg(target_os = "linux")]
    if ENABLED.load(std::sync::atomic::Ordering::Relaxed) {
        use std::os::unix::process::CommandExt;
        // The running program, even if its file has been replaced since.
        let mut command = Command::new("/proc/self/exe");
        command
            .arg0("sparring-guard")
            .arg(ARGUMENT)
            .arg(std::process::id().to_string())
            .arg(program);
        return Some(command);
    }
    let _ = program;
    None
}

/// Guards the engine until it exits or Sparring is gone.
fn guard(arguments: Vec<OsString>) -> ExitCode {
    match linux::guard(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report_fault(&error);
            ExitCode::from(127)
        }
    }
}

/// Reports on standard output, which the parent reads, why there is no engine.
fn report_fault(error: &io::Error) {
    use std::io::Write;
    let _ = writeln!(io::stdout(), "{CANNOT_START}{error}");
}

#[cfg(not(target_os = "linux"))]
mod linux {
    pub fn guard(_: &[std::ffi::OsString]) -> std::io::Result<u8> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, ExitStatus};
    use std::time::Duration;

    use nix::errno::Errno;
    use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
    use nix::sys::signal::{SigSet, Signal, kill};
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::{Pid, dup2_stdin, dup2_stdout, getppid};

    pub fn guard(arguments: &[OsString]) -> io::Result<u8> {
        let [parent, program, rest @ ..] = arguments else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGTERM);
        signals.add(Signal::SIGCHLD);
        signals.thread_block()?;
        set_child_subreaper(true)?;
        set_pdeathsig(Signal::SIGTERM)?;
        // The parent may have died before the death signal was set up.
        let orphaned = || parent.to_string_lossy() != getppid().as_raw().to_string();
        if orphaned() {
            return Ok(0);
        }
        let mut command = Command::new(program);
        command.args(rest);
        // SAFETY: only a system call is made between fork and exec, which is async-signal-safe.
        unsafe {
            command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?));
        }
        let child = command.spawn()?;
        let engine = Pid::from_raw(child.id().cast_signed());
        // Only the engine holds its output now, so the parent sees when it closes.
        let null = File::options().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&null)?;
        dup2_stdout(&null)?;
        loop {
            match signals.wait()? {
                Signal::SIGTERM => {
                    end_all();
                    return Ok(0);
                }
                _ => {
                    if let Some(code) = reap(engine)? {
                        end_all();
                        return Ok(code);
                    }
                }
            }
        }
    }

    /// Reaps every ended child; returns the exit code of the engine if it was among them.
    fn reap(engine: Pid) -> io::Result<Option<u8>> {
        let mut code = None;
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => return Ok(code),
                Ok(WaitStatus::Exited(pid, status)) if pid == engine => {
                    code = Some(u8::try_from(status & 0xFF).unwrap_or(u8::MAX));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                    // As shells report it.
                    code = u8::try_from(128 + signal as i32).ok();
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Kills children until none is left: orphans of killed children are reparented to the guard.
    fn end_all() {
        const MOST_ROUNDS: u32 = 1000;
        for _ in 0..MOST_ROUNDS {
            for child in children() {
                let _ = kill(child, Signal::SIGKILL);
            }
            loop {
                match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                    Ok(WaitStatus::StillAlive) => break,
                    Err(Errno::ECHILD) => return,
                    Ok(_) | Err(Errno::EINTR) => {}
                    Err(_) => return,
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The child processes.
    fn children() -> Vec<Pid> {
        let own = std::process::id().to_string();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|entry| {
                let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
                let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
                // "pid (name) state parent ...", and a name may hold any character.
                let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?;
                (parent == own).then(|| Pid::from_raw(pid))
            })
            .collect()
    }

    /// The signal that ended the engine, by the exit status of its guard.
    pub fn signal_of(status: ExitStatus) -> Option<i32> {
        let code = status.code()?;
        (status.signal().is_none() && (129..=192).contains(&code)).then(|| code - 128)
    }
}

/// How the engine ended, by the exit status of its guard or its own.
pub fn exit_text(status: std::process::ExitStatus) -> String {
    #[cfg(target_os = "linux")]
    if ENABLED.load(std::sync::atomic::Ordering::Relaxed)
        && let Some(signal) = linux::signal_of(status)
    {
        return format!("{status}, signal {signal}");
    }
    status.to_string()
}
