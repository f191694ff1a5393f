//! A standard output that breaks is an error like any other: the exit code says so, and what was
//! played is kept.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{line_count, text};
use tempfile::{TempDir, tempdir};

struct Lab(TempDir);

impl Lab {
    fn new() -> Lab {
        let folder = tempdir().unwrap();
        let config = "name = \"lab\"\ngame = \"checkers\"\n[match]\npairs = 40\n[[player]]\nname = \"a\"\nevaluator = \"basic\"\n\
                      depth = 2\n[[player]]\nname = \"b\"\nevaluator = \"random\"\ndepth = 1\n";
        std::fs::write(folder.path().join("lab.toml"), config).unwrap();
        Lab(folder)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Runs the experiment into `out` from a shell: `before` and `after` stand around the command.
    fn run(&self, before: &str, out: &str, after: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_sparring");
        let line = format!("{before} '{program}' run lab.toml --quiet --out {out} {after}");
        shell(self.0.path(), &line)
    }

    /// The games of the run are those of one that nothing disturbed.
    fn assert_complete(&self, out: &str) {
        assert!(self.run("", "whole", "> /dev/null").status.success());
        for file in ["games.csv", "games.pdn", "standings.csv", "report.html"] {
            let (whole, other) = (self.path("whole").join(file), self.path(out).join(file));
            assert!(text(&whole) == text(&other), "{file} differs");
        }
    }
}

fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("bash");
    command.current_dir(folder).args(["-c", line]);
    command.output().expect("bash starts")
}

fn stderr(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error_and_the_run_is_complete() {
    let lab = Lab::new();
    let output = lab.run("", "out", "> /dev/full");
    let printed = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains("standard output: No space left"),
        "{printed}"
    );
    lab.assert_complete("out");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_stops_a_run_that_reports_each_pair_and_it_resumes() {
    let lab = Lab::new();
    let output = lab.run("", "out", "--json > /dev/full");
    let printed = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(lab.path("out/standings.csv").exists());
    assert!(line_count(&lab.path("out/games.csv")) < 81, "it played on");
    assert!(lab.run("", "out", "> /dev/null").status.success());
    lab.assert_complete("out");
}

#[test]
fn a_reader_that_has_seen_enough_interrupts_a_run_and_it_resumes() {
    let lab = Lab::new();
    let output = lab.run("set -o pipefail;", "out", "--json | head -n 1");
    let printed = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{printed}");
    assert!(printed.contains("run the same command again"), "{printed}");
    assert!(lab.run("", "out", "> /dev/null").status.success());
    lab.assert_complete("out");
}

#[test]
#[cfg(target_os = "linux")]
fn other_commands_end_at_a_broken_output_too() {
    let program = env!("CARGO_BIN_EXE_sparring");
    for (line, code) in [
        ("list terms > /dev/full", 2),
        ("perft --depth 1 > /dev/full", 2),
    ] {
        let output = shell(Path::new("."), &format!("'{program}' {line}"));
        assert_eq!(output.status.code(), Some(code), "{line}");
        assert!(stderr(&output).contains("standard output: No space left"));
    }
    let piped = format!("set -o pipefail; '{program}' list terms | head -n 1");
    let output = shell(Path::new("."), &piped);
    assert!(
        matches!(output.status.code(), Some(0)),
        "{}",
        stderr(&output)
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_file_sizes_is_an_error_and_costs_no_game() {
    let lab = Lab::new();
    // In blocks of 1,024 bytes: less than the games take.
    let output = lab.run("ulimit -f 4; ", "out", "> /dev/null");
    let printed = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("File too large"), "{printed}");
    assert!(lab.run("", "out", "> /dev/null").status.success());
    lab.assert_complete("out");
}
