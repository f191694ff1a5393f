//! Three workers play what one machine plays.

use crate::lab::{Lab, send, wait_until};

pub const TEST: &str = r#"
name = "test"
game = "checkers"
[match]
pairs = 400
[log]
moves = true
[openings]
plies = 5
[sprt]
elo0 = 0.0
elo1 = 10.0
[[player]]
name = "deeper"
evaluator = "basic"
depth = 3
[[player]]
name = "shallow"
evaluator = "basic"
depth = 2
"#;

/// Rounds whose pairings depend on results.
const SWISS: &str = r#"
name = "swiss"
game = "checkers"
[match]
format = "swiss"
rounds = 3
pairs = 4
[openings]
source = "start-positions.fen"
[[player]]
name = "one"
evaluator = "basic"
depth = 1
[[player]]
name = "two"
evaluator = "basic"
depth = 2
[[player]]
name = "three"
evaluator = "material"
depth = 1
[[player]]
name = "four"
evaluator = "random"
depth = 1
"#;

const TUNING: &str = r#"
name = "tuning"
game = "checkers"
seed = 3
[openings]
plies = 4
[tune]
method = "spsa"
budget = 120
validate_pairs = 12
confirm_pairs = 6
parameters = ["king", "man"]
[[player]]
name = "mine"
evaluator = "basic"
depth = 1
"#;

pub fn lab_with_workers(names: &[&str]) -> Lab {
    let mut lab = Lab::new();
    for name in names {
        lab.worker(name, &[]);
    }
    lab
}

#[test]
fn a_sequential_test_on_three_workers_is_that_of_one_machine() {
    let lab = lab_with_workers(&["a", "b", "c"]);
    let config = lab.write("test.toml", TEST);
    lab.succeeds("run", &config, "here", false);
    let said = lab.succeeds("run", &config, "there", true);
    lab.assert_same("here", "there");
    assert!(said.contains("played by 3 workers, 3 threads: "), "{said}");
    for name in ["a", "b", "c"] {
        assert!(
            lab.has_played(name),
            "{name}: {}",
            lab.text(&format!("{name}.log"))
        );
    }
    // The deciding pair is not the last one: the rest was not played.
    assert!(lab.text("there/standings.csv").lines().count() > 2);
    assert!(lab.text("there/games.csv").lines().count() < 801);
}

#[test]
fn stages_whose_pairings_depend_on_results_are_those_of_one_machine() {
    let lab = lab_with_workers(&["a", "b"]);
    let openings = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n\
                    B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n";
    lab.write("start-positions.fen", openings);
    let config = lab.write("swiss.toml", SWISS);
    lab.succeeds("run", &config, "here", false);
    lab.succeeds("run", &config, "there", true);
    lab.assert_same("here", "there");
}

#[test]
fn a_tuning_with_its_validation_is_that_of_one_machine() {
    let lab = lab_with_workers(&["a", "b", "c"]);
    let config = lab.write("tuning.toml", TUNING);
    // The same name: the files of validation matches hold it.
    let runs = ["here", "there"].map(|name| format!("{name}/tuning"));
    lab.succeeds("tune", &config, &runs[0], false);
    lab.succeeds("tune", &config, &runs[1], true);
    lab.assert_same(&runs[0], &runs[1]);
}

#[test]
fn an_interrupted_run_resumes_with_what_workers_played_meanwhile() {
    let lab = lab_with_workers(&["a", "b"]);
    let config = lab.write("test.toml", TEST);
    lab.succeeds("run", &config, "here", false);
    let run = lab
        .command("run", &config, "there", true)
        .spawn()
        .expect("started");
    wait_until("some games are written", || {
        lab.text("there/games.csv").lines().count() > 20
    });
    send(run.id(), "INT");
    let ended = run.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&ended.stderr);
    // A fast machine may have finished.
    assert!(matches!(ended.status.code(), Some(130 | 0)), "{said}");
    lab.succeeds("run", &config, "there", true);
    lab.assert_same("here", "there");
}

#[test]
fn two_experiments_share_workers() {
    let lab = lab_with_workers(&["a", "b"]);
    let config = lab.write("test.toml", TEST);
    let other = lab.write("other.toml", &TEST.replace("[match]", "seed = 9\n[match]"));
    lab.succeeds("run", &config, "here", false);
    lab.succeeds("run", &other, "other-here", false);
    let first = lab
        .command("run", &config, "there", true)
        .spawn()
        .expect("started");
    let mut second = lab.command("run", &other, "other-there", true);
    let second = second.args(["--priority", "9"]).output().expect("ended");
    assert!(second.status.success());
    assert!(first.wait_with_output().expect("ended").status.success());
    lab.assert_same("here", "there");
    lab.assert_same("other-here", "other-there");
}
