//! A child process that reads and writes lines. It ends when Sparring ends, in any way: on Linux a
//! [guard](super::guard) ensures that, elsewhere its input closes.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::read_line;
use super::{EngineSpec, affinity, guard};

/// The result of waiting for a line.
pub enum Heard {
    Line(String, Instant),
    /// Nothing until the deadline.
    Silence,
    /// The output is closed.
    Gone,
    /// A stop was requested.
    Stopped,
}

pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
    /// Closed once all of the standard error is in the log.
    log_end: Option<Receiver<()>>,
}

/// Why writing to a program failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsent {
    /// It does not read, and the pipe is full.
    Stalled,
    Gone,
    Stopped,
}

/// Longer lines are truncated.
const LONGEST_LINE: usize = 1 << 16;

/// Buffered lines. A flooding engine blocks; memory use stays bounded.
const WAITING_LINES: usize = 1024;

/// How long a program may take to exit after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// How often the stop flag is checked while waiting.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes of standard error that a log takes from one start of a program.
const LONGEST_LOG: u64 = 1 << 20;

impl Process {
    /// Starts the program; what it writes to its standard error goes to `log`.
    pub fn start(spec: &EngineSpec, log: Option<File>) -> io::Result<Process> {
        let mut command = guarded(&spec.program);
        command
            .args(&spec.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if log.is_some() {
                Stdio::piped()
            } else {
                Stdio::null()
            });
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // A separate process group: Ctrl-C does not reach the engine, and its helpers die with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = spawn(command)?;
        let input = child.stdin.take();
        #[cfg(unix)]
        if let Some(input) = &input {
            never_block(input)?;
        }
        let log_end = child.stderr.take().zip(log).map(keep_log);
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while let Ok(true) = read_line(&mut output, &mut line, LONGEST_LINE) {
                    let text = String::from_utf8_lossy(&line).into_owned();
                    if sender.send((text, Instant::now())).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Process {
            child,
            input,
            lines,
            log_end,
        })
    }

    /// Writes whole lines. A program that does not read them has until `deadline`.
    pub fn send(
        &mut self,
        text: &str,
        deadline: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Unsent> {
        let input = self.input.as_mut().ok_or(Unsent::Gone)?;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match input.write(rest) {
                Ok(0) => return Err(Unsent::Gone),
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(Unsent::Stalled);
                    }
                    if stop() {
                        return Err(Unsent::Stopped);
                    }
                    wait_for_room(input);
                }
                Err(_) => return Err(Unsent::Gone),
            }
        }
        Ok(())
    }

    /// The next line, if there is one before `deadline`.
    pub fn listen(&mut self, deadline: Instant, stop: &dyn Fn() -> bool) -> Heard {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // Otherwise an engine that sends lines without pause would never time out.
                return Heard::Silence;
            }
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((line, at)) => return Heard::Line(line, at),
                Err(RecvTimeoutError::Disconnected) => return Heard::Gone,
                Err(RecvTimeoutError::Timeout) if stop() => return Heard::Stopped,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended, if it did; waits briefly for one that is about to.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// Sends `quit`. The program has until it is dropped, plus a grace period, to exit.
    pub fn say_quit(&mut self) {
        // Does not block: a program that does not read sees its input close.
        let _ = self.send("quit\n", Instant::now(), &|| true);
        self.input = None;
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, kill, killpg};
            use nix::unistd::Pid;
            // Not reaped yet, so the process id is still valid.
            let id = Pid::from_raw(id);
            // A guard kills what the engine started, then exits. Without one, this ends the engine.
            let _ = kill(id, Signal::SIGTERM);
            if self.exit_status().is_some() {
                return;
            }
            let _ = killpg(id, Signal::SIGKILL);
        }
        let _ = self.child.kill();
    }
}

/// Makes writes return at once if the pipe is full.
#[cfg(unix)]
fn never_block(input: &ChildStdin) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    fcntl(input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Waits briefly for room in the pipe.
#[cfg(unix)]
fn wait_for_room(input: &ChildStdin) {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let moment = PollTimeout::try_from(LOOK).unwrap_or(PollTimeout::ZERO);
    let mut room = [PollFd::new(input.as_fd(), PollFlags::POLLOUT)];
    let _ = poll(&mut room, moment);
}

#[cfg(not(unix))]
fn wait_for_room(_: &ChildStdin) {
    thread::sleep(LOOK);
}

/// Copies standard error to the log, up to a limit. Keeps reading after that, so that the program
/// does not block.
fn keep_log((mut output, mut log): (ChildStderr, File)) -> Receiver<()> {
    let (sender, end) = channel();
    thread::spawn(move || {
        let copied = io::copy(&mut (&mut output).take(LONGEST_LOG), &mut log);
        if copied.is_ok_and(|bytes| bytes == LONGEST_LOG) {
            let _ =
                log.write_all(b"\nsparring: more than 1 MiB; the rest of this output is dropped\n");
        }
        let _ = io::copy(&mut output, &mut io::sink());
        drop(sender);
    });
    end
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say_quit();
        let deadline = Instant::now() + FAREWELL;
        let gone = loop {
            match self.listen(deadline, &|| false) {
                Heard::Line(..) => {}
                Heard::Gone => break true,
                Heard::Silence | Heard::Stopped => break false,
            }
        };
        if !gone || self.exit_status().is_none() {
            self.kill();
        }
        // Reap it: otherwise a dead child stays in the process table.
        let _ = self.child.wait();
        if let Some(end) = &self.log_end {
            let _ = end.recv_timeout(FAREWELL);
        }
    }
}

/// A command that dies with Sparring even if that is killed, where the system supports it.
fn guarded(program: &Path) -> Command {
    if let Some(command) = guard::command(program) {
        return command;
    }
    static GUARD: OnceLock<bool> = OnceLock::new();
    const WORDS: [&str; 3] = ["--pdeathsig", "KILL", "--"];
    let has_guard = *GUARD.get_or_init(|| {
        cfg!(target_os = "linux")
            && Command::new("setpriv")
                .args(WORDS)
                .arg("true")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
    });
    if has_guard {
        let mut command = Command::new("setpriv");
        command.args(WORDS).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Starts a program from a thread that never ends: the parent death signal is tied to the thread that
/// started the program, not to the process.
fn spawn(command: Command) -> io::Result<Child> {
    type Order = (Command, Option<Vec<usize>>, Sender<io::Result<Child>>);
    static STARTER: OnceLock<Sender<Order>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        thread::spawn(move || {
            for (mut command, cores, answer) in received {
                // A process begins on the cores of the thread that started it.
                if let Some(cores) = cores {
                    let _ = affinity::pin(&cores);
                }
                let _ = answer.send(command.spawn());
            }
        });
        orders
    });
    let (answer, received) = channel();
    let gone = |_| io::Error::other("no thread to start programs with");
    let cores = affinity::own_cores().ok();
    starter
        .send((command, cores, answer))
        .map_err(|_| gone(()))?;
    received.recv().map_err(|_| gone(()))?
}
