//! `sparring check`: finds every change of a run directory, and repairs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{complaint, output, sparring, stdout, text};
use tempfile::{TempDir, tempdir};

const MATCH: &str = r#"
game = "checkers"
seed = 5
[match]
pairs = 6
[openings]
plies = 6
[log]
moves = true
[[player]]
name = "a"
evaluator = "basic"
depth = 1
[[player]]
name = "b"
evaluator = "basic"
depth = 1
weights = { king = 5.5 }
"#;

const TUNING: &str = r#"
game = "checkers"
seed = 3
[openings]
plies = 4
[tune]
method = "hill-climb"
budget = 120
validate = false
parameters = ["man", "king"]
[[player]]
name = "basic"
evaluator = "basic"
depth = 1
"#;

/// A finished run in a scratch folder: the folder, the config and the run directory.
fn played(command: &str, config: &str) -> (TempDir, String, PathBuf) {
    let folder = tempdir().expect("a scratch folder");
    let path = folder.path().join("experiment.toml");
    fs::write(&path, config).expect("written");
    let (path, run) = (path.display().to_string(), folder.path().join("run"));
    stdout(&[command, &path, "--quiet", "--out", &run.to_string_lossy()]);
    (folder, path, run)
}

/// What `check` prints and its exit code.
fn check(run: &Path, more: &[&str]) -> (Option<i32>, String) {
    let run = run.to_string_lossy();
    let output = output(&[&["check", &*run], more].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!message.contains("panicked"), "{message}");
    let printed = String::from_utf8_lossy(&output.stdout);
    (output.status.code(), format!("{printed}{message}"))
}

fn change_a_bit(path: &Path, byte: usize) {
    let mut bytes = fs::read(path).expect("a file of the run");
    bytes[byte] ^= 2;
    fs::write(path, bytes).expect("written");
}

fn contents(run: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(run)
        .expect("a run")
        .map(|entry| entry.expect("a file"));
    let mut files: Vec<(String, Vec<u8>)> = entries
        .filter(|entry| entry.path().is_file() && entry.file_name() != "timings.csv")
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("read"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn damaged_pairs_are_named_and_played_again_and_the_old_directory_is_kept() {
    let (_folder, _, run) = played("run", MATCH);
    let good = contents(&run);
    assert_eq!(check(&run, &[]).0, Some(0));
    change_a_bit(&run.join("games.csv"), 3000);
    change_a_bit(&run.join("moves.csv"), 9000);
    change_a_bit(&run.join("checksums.csv"), 250);
    change_a_bit(&run.join("elo.png"), 100);
    let damaged = contents(&run);
    let (code, printed) = check(&run, &[]);
    assert_eq!(code, Some(1), "{printed}");
    for expected in [
        "games.csv:4: pair 2 does not match its checksum",
        "moves.csv:",
        "checksums.csv:",
        "elo.png: does not match its checksum in files.csv",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(contents(&run) == damaged, "a check changes nothing");
    let (code, printed) = check(&run, &["--repair"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(contents(&run) == good, "{printed}");
    assert!(contents(&run.with_file_name("run.1")) == damaged);
}

#[test]
fn games_that_break_rules_schedule_or_openings_are_found_without_checksums() {
    let (_folder, _, run) = played("run", MATCH);
    // As an older version left it.
    fs::remove_file(run.join("checksums.csv")).expect("removed");
    fs::remove_file(run.join("files.csv")).expect("removed");
    let good = text(&run.join("games.csv"));
    let (code, printed) = check(&run, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("12 games replayed"), "{printed}");
    let row = good.lines().nth(3).expect("game 3");
    let cells: Vec<&str> = row.split(',').collect();
    let opening = row.split('"').nth(1).expect("an opening");
    let other = good.lines().nth(5).and_then(|row| row.split('"').nth(1));
    let result = ["1-0", "0-1", "1/2-1/2"]
        .into_iter()
        .find(|it| row.contains(it));
    // The columns behind the moves: first_mover and scores.
    let moves = row.rsplit(',').nth(2).expect("moves");
    let first_move = moves.split(' ').next().expect("a move");
    let wrong_result = if result == Some("1-0") { "0-1" } else { "1-0" };
    for (from, to, expected) in [
        (result.expect("a result"), wrong_result, "but the moves end"),
        (opening, other.expect("another"), "but this pair's is"),
        (
            &*format!("{},{}", cells[2], cells[3]),
            "b,a",
            "the schedule pairs",
        ),
        (&*format!(",{first_move} "), ",1-32 ", "move 1"),
    ] {
        fs::write(
            run.join("games.csv"),
            good.replacen(row, &row.replacen(from, to, 1), 1),
        )
        .expect("written");
        let (code, printed) = check(&run, &[]);
        assert_eq!(code, Some(1), "{from} -> {to}: {printed}");
        assert!(
            printed.contains("games.csv:4: game 3 of pair 2"),
            "{printed}"
        );
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn a_damaged_tuning_log_is_repaired_up_to_the_damage_and_resumed() {
    let (_folder, config, run) = played("tune", TUNING);
    let good = contents(&run);
    assert_eq!(check(&run, &[]).0, Some(0));
    let log = text(&run.join("trajectory.csv"));
    let third = log
        .lines()
        .take(3)
        .map(|line| line.len() + 1)
        .sum::<usize>();
    change_a_bit(&run.join("trajectory.csv"), third + 2);
    let (code, printed) = check(&run, &[]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("trajectory.csv:4: row 3"), "{printed}");
    let path = run.to_string_lossy();
    let refused = complaint(&["tune", &config, "--out", &path]);
    assert!(refused.contains("sparring check"), "{refused}");
    let (code, printed) = check(&run, &["--repair"]);
    assert_eq!(code, Some(0), "{printed}");
    stdout(&["tune", &config, "--quiet", "--out", &path]);
    assert!(contents(&run) == good);
}

#[test]
fn a_damaged_config_needs_the_config_of_the_run_and_no_other() {
    let (folder, config, run) = played("run", MATCH);
    let good = contents(&run);
    change_a_bit(&run.join("config.toml"), 150);
    let (code, printed) = check(&run, &["--repair"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("--config FILE"), "{printed}");
    let other = folder.path().join("other.toml");
    fs::write(&other, MATCH.replace("seed = 5", "seed = 6")).expect("written");
    let (code, printed) = check(&run, &["--repair", "--config", &other.to_string_lossy()]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("not the config of this run"), "{printed}");
    let (code, printed) = check(&run, &["--repair", "--config", &config]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(contents(&run) == good, "{printed}");
}

#[test]
fn a_start_that_was_killed_before_the_manifest_can_be_repeated() {
    let (_folder, config, run) = played("run", MATCH);
    let good = contents(&run);
    let list = fs::read(run.join("files.csv")).expect("a list");
    fs::remove_dir_all(&run).expect("removed");
    fs::create_dir(&run).expect("made");
    fs::write(run.join("files.csv"), list).expect("written");
    stdout(&["run", &config, "--quiet", "--out", &run.to_string_lossy()]);
    assert!(contents(&run) == good);
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let config = MATCH.replace("name = \"a\"", "name = \"a\\u001b[31m\\nsparring: b\"");
    // Players that differ in nothing but their names, for the warning of it.
    let config = config.replace("weights = { king = 5.5 }", "");
    let (_folder, config, run) = played("run", &config);
    let run_again = output(&["run", &config, "--out", &run.to_string_lossy()]);
    for printed in [
        stdout(&["stats", &run.to_string_lossy()]),
        String::from_utf8_lossy(&run_again.stdout).into_owned(),
        String::from_utf8_lossy(&run_again.stderr).into_owned(),
    ] {
        assert!(!printed.contains('\u{1b}'), "{printed}");
        assert!(!printed.contains("\nsparring: b"), "{printed}");
        assert!(printed.contains("a\\u{1b}[31m\\nsparring: b"), "{printed}");
    }
    assert_eq!(check(&run, &[]).0, Some(0));
}

/// A command of the program below a limit of address space, in kilobytes.
#[cfg(target_os = "linux")]
fn with_little_memory(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -v 1000000 && exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_an_error_before_the_first_game() {
    let folder = tempdir().expect("a folder");
    let config = folder.path().join("large.toml");
    let keys = "depth = 1\nsearch = { table = true, table_mb = 4096 }";
    fs::write(&config, MATCH.replace("depth = 1", keys)).expect("written");
    let run = folder.path().join("run");
    let (config, out) = (config.to_string_lossy(), run.to_string_lossy());
    let command = sparring(&["run", &config, "--out", &out, "--threads", "2"]);
    let ended = with_little_memory(&command).output().expect("the shell");
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{message}");
    assert!(
        message.contains("no memory for search tables of 16384 MB; lower search.table_mb"),
        "{message}"
    );
    assert_eq!(text(&run.join("games.csv")).lines().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hash_that_does_not_fit_is_reported_and_the_engine_continues() {
    use std::io::Write;
    use std::process::Stdio;
    let command = sparring(&["uci"]);
    let mut child = with_little_memory(&command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell");
    let lines = b"uci\nsetoption name Hash value 4096\nisready\nposition startpos\ngo depth 2\n";
    let mut input = child.stdin.take().expect("an input");
    input.write_all(lines).expect("written");
    let mut printed = String::new();
    let mut reader = std::io::BufReader::new(child.stdout.take().expect("an output"));
    while !printed.contains("bestmove") {
        let read = std::io::BufRead::read_line(&mut reader, &mut printed).expect("text");
        assert!(read > 0, "ended early: {printed}");
    }
    drop(input);
    assert!(child.wait().expect("ended").success());
    assert!(
        printed.contains("info string no memory for search tables of 4096 MB"),
        "{printed}"
    );
}
