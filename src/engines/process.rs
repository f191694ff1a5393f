//! A child process with lines in and lines out. It ends with us, however we end: on Linux the
//! system kills it with its parent, elsewhere it sees its input close.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::EngineSpec;
use super::lines::read_line;

/// What came of waiting for a line.
pub enum Heard {
    Line(String, Instant),
    /// Nothing until the deadline.
    Silence,
    /// The output is closed.
    Gone,
    /// Somebody wants us to stop.
    Stopped,
}

pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

/// No engine has anything to say that is longer.
const LONGEST_LINE: usize = 1 << 16;

/// Lines that wait to be read. An engine that floods us is held up, not our memory filled.
const WAITING_LINES: usize = 1024;

/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// How often a wish to stop is looked at while waiting.
const LOOK: Duration = Duration::from_millis(50);

impl Process {
    /// Starts the program; what it writes to its standard error goes to `log`.
    pub fn start(spec: &EngineSpec, log: Option<File>) -> io::Result<Process> {
        let mut command = guarded(&spec.program);
        command
            .args(&spec.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log.map_or_else(Stdio::null, Stdio::from));
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // A group of its own: Ctrl-C is for us alone, and helpers of the engine die with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = spawn(command)?;
        let input = child.stdin.take();
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
        })
    }

    /// Writes whole lines.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The next line, if there is one before `deadline`.
    pub fn listen(&mut self, deadline: Instant, stop: &dyn Fn() -> bool) -> Heard {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // An engine that never pauses would otherwise never be late.
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

    /// How the program ended, if it did; waits a moment for one that is about to.
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

    /// Says goodbye; the program has until it is dropped, and a little longer.
    pub fn say_quit(&mut self) {
        let _ = self.send("quit\n");
        self.input = None;
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // Not waited for yet, so the number is still its own.
            let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.child.kill();
    }
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
        // Without this a dead child stays in the process table.
        let _ = self.child.wait();
    }
}

/// A command that dies with us even when we are killed, where the system has the means.
fn guarded(program: &Path) -> Command {
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

/// Starts a program from a thread that never ends: the system counts the thread that started it,
/// not the process, as the parent that a program dies with.
fn spawn(command: Command) -> io::Result<Child> {
    type Order = (Command, Sender<io::Result<Child>>);
    static STARTER: OnceLock<Sender<Order>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        thread::spawn(move || {
            for (mut command, answer) in received {
                let _ = answer.send(command.spawn());
            }
        });
        orders
    });
    let (answer, received) = channel();
    let gone = |_| io::Error::other("no thread to start programs with");
    starter.send((command, answer)).map_err(|_| gone(()))?;
    received.recv().map_err(|_| gone(()))?
}
