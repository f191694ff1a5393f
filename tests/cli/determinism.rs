//! Same config, same seed, same bytes: on any number of threads, and again.

use std::fs;
use std::path::Path;

use crate::common::stdout;
use tempfile::tempdir;

/// All files of a run that must not depend on how it was played.
const FILES: &[&str] = &[
    "config.toml",
    "manifest.json",
    "games.csv",
    "standings.csv",
    "pairings.csv",
    "results.svg",
    "results.png",
    "report.html",
    "report.md",
];

const CHESS: &str = r#"
game = "chess"
seed = 5
[match]
pairs = 3
[openings]
plies = 6
[[player]]
name = "two"
evaluator = "simplified"
depth = 2
[[player]]
name = "quiet"
evaluator = "material"
depth = 1
search = { quiescence = "captures" }
[[player]]
name = "lots"
evaluator = "random"
depth = 1
"#;

const CHECKERS: &str = r#"
game = "checkers"
seed = 6
[match]
pairs = 8
[adjudicate]
resign_score = 20
draw_score = 1
draw_after = 20
[log]
[[player]]
name = "basic"
evaluator = "basic"
depth = 4
[[player]]
name = "tuned, by hand"
evaluator = "basic"
depth = 3
weights = { king = 7.5, move = 0.25 }
[[player]]
name = "lots"
evaluator = "random"
depth = 2
"#;

const SPRT: &str = r#"
game = "checkers"
seed = 7
[match]
format = "pair"
pairs = 500
[sprt]
elo0 = 0.0
elo1 = 50.0
[[player]]
name = "deeper"
evaluator = "basic"
depth = 3
[[player]]
name = "shallow"
evaluator = "basic"
depth = 1
"#;

fn play(config: &Path, out: &Path, threads: &str) {
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--threads",
        threads,
    ]);
}

fn assert_same_files(one: &Path, other: &Path, further: &[&str]) {
    for name in FILES.iter().chain(further) {
        let read =
            |folder: &Path| fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            read(one) == read(other),
            "{name} differs between {} and {}",
            one.display(),
            other.display()
        );
    }
}

fn check_threads_and_repetition(config: &str, further: &[&str]) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, config).unwrap();
    // The same name of the directory, because charts carry the run's name.
    let out = |name: &str| folder.path().join(name).join("run");
    play(&path, &out("one"), "1");
    for (name, threads) in [("two", "2"), ("eight", "8"), ("again", "1")] {
        play(&path, &out(name), threads);
        assert_same_files(&out("one"), &out(name), further);
    }
}

#[test]
fn same_seed_gives_same_chess_games_on_any_thread_count() {
    check_threads_and_repetition(CHESS, &["games.pgn"]);
}

#[test]
fn same_seed_gives_same_checkers_games_on_any_thread_count() {
    check_threads_and_repetition(CHECKERS, &["games.pdn", "moves.csv"]);
}

#[test]
fn the_sequential_test_stops_at_the_same_pair_on_any_thread_count() {
    check_threads_and_repetition(SPRT, &["games.pdn"]);
}

#[test]
fn another_seed_gives_other_games() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, CHECKERS).unwrap();
    let run = |seed: &str| {
        let out = folder.path().join(seed);
        let (config, shown) = (path.to_string_lossy(), out.to_string_lossy());
        stdout(&["run", &config, "--out", &shown, "--seed", seed]);
        fs::read(out.join("games.csv")).unwrap()
    };
    assert_ne!(run("1"), run("2"));
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, CHECKERS).unwrap();
    let out = folder.path().join("run");
    play(&path, &out, "2");
    let before = fs::read(out.join("games.csv")).unwrap();
    play(&path, &out, "1");
    assert!(before == fs::read(out.join("games.csv")).unwrap());
}

#[test]
fn another_config_is_refused_with_the_differences_and_fresh_keeps_the_old_run() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, CHECKERS).unwrap();
    let out = folder.path().join("run");
    play(&path, &out, "2");
    let (config, shown) = (path.to_string_lossy(), out.to_string_lossy());
    let message = crate::common::complaint(&["run", &config, "--out", &shown, "--seed", "99"]);
    assert!(
        message.contains("- seed = 6") && message.contains("+ seed = 99"),
        "{message}"
    );
    stdout(&["run", &config, "--out", &shown, "--seed", "99", "--fresh"]);
    assert!(
        folder.path().join("run.1/games.csv").exists(),
        "the old run is kept aside"
    );
}
