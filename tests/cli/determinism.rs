//! Same config, same seed, same bytes: on any number of threads, and again.

use std::fs;

use crate::lab::{Lab, assert_same_runs};

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
name = "at random"
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
name = "at random"
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

fn check_threads_and_repetition(config: &str) {
    let lab = Lab::new(config);
    // The same name of the directory, because charts carry the run's name.
    lab.run("one/run", &["--threads", "1"]);
    for (name, threads) in [("two/run", "2"), ("eight/run", "8"), ("again/run", "1")] {
        lab.run(name, &["--threads", threads]);
        assert_same_runs(&lab.at("one/run"), &lab.at(name));
    }
}

#[test]
fn same_seed_gives_same_chess_games_on_any_thread_count() {
    check_threads_and_repetition(CHESS);
}

#[test]
fn same_seed_gives_same_checkers_games_on_any_thread_count() {
    check_threads_and_repetition(CHECKERS);
}

#[test]
fn the_sequential_test_stops_at_the_same_pair_on_any_thread_count() {
    check_threads_and_repetition(SPRT);
}

#[test]
fn another_seed_gives_other_games() {
    let lab = Lab::new(CHECKERS);
    let [one, two] = ["1", "2"].map(|seed| {
        lab.run(seed, &["--seed", seed]);
        fs::read(lab.at(seed).join("games.csv")).unwrap()
    });
    assert_ne!(one, two);
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let lab = Lab::new(CHECKERS);
    let games = || fs::read(lab.at("run/games.csv")).unwrap();
    lab.run("run", &["--threads", "2"]);
    let before = games();
    lab.run("run", &["--threads", "1"]);
    assert!(before == games());
}

#[test]
fn another_config_is_refused_with_the_differences_and_fresh_keeps_the_old_run() {
    let lab = Lab::new(CHECKERS);
    lab.run("run", &[]);
    let message = lab.refused_run("run", &["--seed", "99"]);
    assert!(
        message.contains("- seed = 6") && message.contains("+ seed = 99"),
        "{message}"
    );
    lab.run("run", &["--seed", "99", "--fresh"]);
    assert!(
        lab.at("run.1/games.csv").exists(),
        "the old run is kept aside"
    );
}
