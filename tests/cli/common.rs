//! Runs the program as a user would.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The program, started in the project's folder.
pub fn sparring(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sparring"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command
}

pub fn output(args: &[&str]) -> Output {
    sparring(args).output().expect("the program starts")
}

/// Standard output of a command that must succeed.
pub fn stdout(args: &[&str]) -> String {
    let output = output(args);
    assert!(
        output.status.success(),
        "sparring {args:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("output is text")
}

/// Standard error of a command that must end with exit code 2, without a panic.
pub fn complaint(args: &[&str]) -> String {
    let output = output(args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "sparring {args:?}: {text}");
    assert!(!text.contains("panicked"), "sparring {args:?}: {text}");
    text
}

pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Waits until the condition holds. The deadline is for a program that hangs, not a measurement:
/// no test may depend on how fast the machine is.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Lines of a file that may not exist yet.
pub fn line_count(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}
