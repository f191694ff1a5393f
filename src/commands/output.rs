//! Standard output and standard error, the wish to stop, and what a broken output means.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Done, Exit};

/// Raised by Ctrl-C, and by a standard output that broke.
static STOP: AtomicBool = AtomicBool::new(false);

/// The command looks at [`STOP`] and ends in good order.
static STOPS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// Why standard output cannot be written any more.
static BROKEN: OnceLock<io::Error> = OnceLock::new();

/// Raised from now on by Ctrl-C, for commands that end in good order.
pub fn stop_on_interrupt() -> &'static AtomicBool {
    // A second handler cannot be set; there is only one command in a process.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    STOPS_IN_ORDER.store(true, Ordering::Relaxed);
    &STOP
}

/// Prints to standard output. A closed pipe (`| head`) ends the program quietly, any other failure
/// with exit code 2; commands that stop in good order do so first.
pub fn print(text: &str) {
    if BROKEN.get().is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
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

/// Prints to standard error what is printed to standard output where no machine reads that.
pub fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints a message for people to standard error.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "sparring: {message}");
}

/// True if standard output failed other than by a reader that closed it.
fn output_failed() -> bool {
    let failed = |error: &io::Error| error.kind() != io::ErrorKind::BrokenPipe;
    BROKEN.get().is_some_and(failed)
}

fn complain_of_output() {
    if let Some(error) = BROKEN.get() {
        complain(&format!("standard output: {error}"));
    }
}

/// Turns the end of a command into an exit code, with the last message.
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

/// Makes a file that would grow beyond the size limit (`ulimit -f`) a write error, instead of the
/// signal that ends the program. For the first line of `main`, before there are threads.
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        let _ = signals.thread_block();
    }
}
