//! Standard output and standard error, the stop flag, and write errors.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Done, Exit};

/// Set by Ctrl-C, and by an error of standard output.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set by the first Ctrl-C of a run: no game begins any more.
static FINISH: AtomicBool = AtomicBool::new(false);

/// The command checks [`STOP`] and ends cleanly.
static STOPS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// The first write error of standard output.
static BROKEN: OnceLock<io::Error> = OnceLock::new();

/// Installs the Ctrl-C handler, for commands that end cleanly.
pub fn stop_on_interrupt() -> &'static AtomicBool {
    // A second handler would fail, but a process runs only one command.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    STOPS_IN_ORDER.store(true, Ordering::Relaxed);
    &STOP
}

/// What a run watches: the first Ctrl-C sets `finish`, a second one `now`.
#[derive(Clone, Copy)]
pub struct Interrupts {
    /// Finish the games in progress, and begin no others.
    pub finish: &'static AtomicBool,
    /// Drop the games in progress.
    pub now: &'static AtomicBool,
}

impl Interrupts {
    pub fn any(self) -> bool {
        self.finish.load(Ordering::Relaxed) || self.now.load(Ordering::Relaxed)
    }
}

/// Installs a Ctrl-C handler for commands whose games are worth finishing.
pub fn finish_on_interrupt() -> Interrupts {
    let _ = ctrlc::set_handler(|| {
        if FINISH.swap(true, Ordering::Relaxed) {
            STOP.store(true, Ordering::Relaxed);
        } else {
            complain("finishing the games in progress; Ctrl-C again drops them");
        }
    });
    STOPS_IN_ORDER.store(true, Ordering::Relaxed);
    Interrupts {
        finish: &FINISH,
        now: &STOP,
    }
}

/// Text from outside, such as names of players and engines, without the characters that change the state
/// of a terminal or the order of letters: these are written as `\u{1b}`. Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_unsafe = |letter: char| {
        letter.is_control() && !matches!(letter, '\n' | '\t')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_unsafe(letter) {
            true => shown.extend(letter.escape_unicode()),
            false => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

/// The same for text within a line.
pub fn printable_in_line(text: &str) -> String {
    printable(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Prints to standard output. A closed pipe (`| head`) ends the program quietly, any other error with
/// exit code 2; commands that handle [`STOP`] end cleanly first.
pub fn print(text: &str) {
    if BROKEN.get().is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out
        .write_all(printable(text).as_bytes())
        .and_then(|()| out.flush());
    let Err(error) = written else { return };
    let in_order = STOPS_IN_ORDER.load(Ordering::Relaxed);
    let closed = error.kind() == io::ErrorKind::BrokenPipe;
    let _ = BROKEN.set(error);
    STOP.store(true, Ordering::Relaxed);
    match (in_order, closed) {
        (true, _) => {}
        (false, true) => std::process::exit(0),
        (false, false) => {
            complain_of_output();
            std::process::exit(Exit::BadInput as i32);
        }
    }
}

/// Prints to standard error, when standard output is reserved for machine-readable text.
pub fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(printable(text).as_bytes());
}

/// Prints a message to standard error.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "sparring: {}", printable(message));
}

/// True if standard output failed, except for a closed pipe.
fn output_failed() -> bool {
    let failed = |error: &io::Error| error.kind() != io::ErrorKind::BrokenPipe;
    BROKEN.get().is_some_and(failed)
}

fn complain_of_output() {
    if let Some(error) = BROKEN.get() {
        complain(&format!("standard output: {error}"));
    }
}

/// Prints the error of a command, if any, and returns the exit code.
pub fn exit_code(done: Done) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    if let Err(failure) = done {
        if !failure.message.is_empty() {
            complain(&failure.message);
        }
        code = ExitCode::from(failure.exit as u8);
    }
    if output_failed() {
        complain_of_output();
        code = ExitCode::from(Exit::BadInput as u8);
    }
    code
}

/// Turns exceeding the file size limit (`ulimit -f`) into a write error instead of a fatal signal.
/// Call it first in `main`, before there are threads.
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        let _ = signals.thread_block();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_change_the_terminal_or_add_lines() {
        let name = "a\u{1b}[31mred\u{7}\r\u{202e}b\u{9b}";
        assert_eq!(
            printable(name),
            "a\\u{1b}[31mred\\u{7}\\u{d}\\u{202e}b\\u{9b}"
        );
        assert_eq!(printable("plain \u{e9}\n\t"), "plain \u{e9}\n\t");
        assert_eq!(printable_in_line("two\nlines"), "two\\nlines");
    }
}
