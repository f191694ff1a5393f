//! Runs the program as a user would.

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
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

/// A run that prints its pairs (`--json`), so that a test can act after N of them, however fast
/// the machine is.
pub struct Watched {
    child: Child,
    pairs: Lines<BufReader<ChildStdout>>,
}

impl Watched {
    pub fn start(command: &mut Command) -> Watched {
        let mut child = command
            .arg("--json")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let pairs = child.stdout.take().expect("its standard output");
        Watched {
            child,
            pairs: BufReader::new(pairs).lines(),
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for N more pairs; those of earlier runs count. False if the run ends before.
    pub fn sees_pairs(&mut self, count: usize) -> bool {
        self.pairs.by_ref().take(count).count() == count
    }

    /// Kills it. Nothing is left of what it was doing.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Sends it Ctrl-C and waits for its end.
    pub fn interrupt(self) -> Output {
        let status = Command::new("kill")
            .args(["-INT", &self.id().to_string()])
            .status();
        assert!(status.expect("kill runs").success());
        self.finish()
    }

    pub fn finish(mut self) -> Output {
        // A run must not wait for somebody to read.
        self.pairs.by_ref().for_each(drop);
        self.child.wait_with_output().expect("ended")
    }
}

/// Waits until the condition holds; a program that ends before never makes it hold. The deadline is
/// for a program that hangs, not a measurement: no test may depend on how fast the machine is.
pub fn wait_until(what: &str, child: Option<&mut Child>, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(300);
    let mut child = child;
    loop {
        let ended = child
            .as_mut()
            .and_then(|child| child.try_wait().expect("a child"));
        if condition() {
            return;
        }
        assert!(ended.is_none(), "ended with {ended:?} before {what}");
        assert!(Instant::now() < deadline, "timed out waiting for {what}");
        std::thread::yield_now();
    }
}

/// Lines of a file that may not exist yet.
pub fn line_count(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}
