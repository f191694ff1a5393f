//! `stats` and `plan`: what they print, for people and as JSON.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{complaint, output, stdout};
use crate::lab::Lab;

fn json(args: &[&str]) -> Value {
    let text = stdout(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn plan_prints_a_table_and_the_same_figures_as_json() {
    let args = ["plan", "--elo0", "0", "--elo1", "20", "--pairs", "400"];
    let text = stdout(&args);
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} in {text}"))
    };
    assert!(line("H0").contains("75.6 %"), "{text}");
    assert!(
        line("warning").contains("400 pairs, 75.9 % of such tests end undecided"),
        "{text}"
    );
    let json = json(&[&args[..], &["--json"]].concat());
    let share = json["h0"]["undecided"].as_f64().unwrap();
    assert!((share - 0.756).abs() < 0.001, "{json}");
    let all: f64 = ["accept_h0", "accept_h1", "undecided"]
        .iter()
        .map(|name| json["h1"][name].as_f64().unwrap())
        .sum();
    assert!((all - 1.0).abs() < 1e-9, "{json}");
    assert_eq!(json["power"], json["h1"]["accept_h1"]);
    assert!(json["detectable_elo"].as_f64().unwrap() > 20.0, "{json}");
    // Without a limit every test ends, and nothing is message about a match of fixed length.
    let endless = stdout(&["plan", "--elo0", "0", "--elo1", "20"]);
    assert!(!endless.contains("warning") && !endless.contains("80 % of cases"));
}

#[test]
fn plan_refuses_what_cannot_be_played() {
    let refused =
        |more: &[&str]| complaint(&[&["plan", "--elo0", "0", "--elo1", "20"], more].concat());
    assert!(refused(&["--draws", "1"]).contains("--draws = 1: must be at least 0"));
    assert!(refused(&["--pairs", "0"]).contains("--pairs = 0: must be at least 1"));
    assert!(refused(&["--model", "logistics"]).contains("logistic"));
    assert!(refused(&["--alpha", "0.6", "--beta", "0.5"]).contains("add up to less than 1"));
    assert!(complaint(&["plan", "--elo0", "5", "--elo1", "5"]).contains("elo0 must be below elo1"));
}

#[test]
fn stats_keep_the_figures_of_the_normal_approximation_in_json() {
    let json = json(&["stats", "--pent", "34,54,63,64,75", "--json"]);
    for (name, expected) in [
        ("elo", 55.579780),
        ("elo_error_normal", 27.653430),
        ("nelo", 57.935600),
        ("nelo_error_normal", 28.275376),
    ] {
        let found = json[name].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-6, "{name}: {found}");
    }
    let error = |name: &str| json[name].as_f64().unwrap();
    assert!(error("elo_error") > error("elo_error_normal"));
    assert!(error("nelo_error") > error("nelo_error_normal"));
    assert!(error("score_low") < error("score") && error("score") < error("score_high"));
    assert!(error("nelo_low") < error("nelo") && error("nelo") < error("nelo_high"));
    assert_eq!(json["basis"], "normal");
}

#[test]
fn stats_never_claim_certainty() {
    assert!(stdout(&["stats", "--pent", "34,54,63,64,75"]).contains("LOS         > 99.99 %"));
    assert!(stdout(&["stats", "--wdl", "0,10,500"]).contains("LOS         < 0.01 %"));
    // Two pairs are no proof, whichever way they were won.
    for (counts, expected) in [("0,0,0,1,1", "86.97 %"), ("0,0,0,0,2", "90.60 %")] {
        let text = stdout(&["stats", "--pent", counts]);
        assert!(text.contains(expected), "{text}");
    }
}

/// Games in the format of other match runners: in the order they ended, pairs by round and opening.
const ELSEWHERE: &str = r#"[Event "x"]
[Round "1"]
[White "new"]
[Black "old"]
[Result "1-0"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]
[Termination "normal"]

1. e4 {+1.00/5} Kd7 {-1.00/5} 1-0

[Event "x"]
[Round "2"]
[White "new"]
[Black "old"]
[Result "1/2-1/2"]
[FEN "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"]
[SetUp "1"]
[Termination "adjudication"]

1. d4 1/2-1/2

[Event "x"]
[Round "2"]
[White "old"]
[Black "new"]
[Result "0-1"]
[FEN "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"]
[SetUp "1"]
[Termination "normal"]

1. d4 0-1

[Event "x"]
[Round "1"]
[White "old"]
[Black "new"]
[Result "1-0"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]
[Termination "time forfeit"]

1. e4 1-0

[Event "x"]
[Round "3"]
[White "old"]
[Black "new"]
[Result "*"]

*
"#;

#[test]
fn stats_find_the_pairs_of_games_played_elsewhere() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("match.pgn");
    fs::write(&path, ELSEWHERE).unwrap();
    let shown = path.to_string_lossy();
    let run = output(&["stats", &shown, "--json", "--by", "termination"]);
    let message = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        message.contains("omitted 1 games without a result"),
        "{message}"
    );
    let text = String::from_utf8(run.stdout).unwrap();
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // One level pair and one won and drawn.
    let (of_pairs, by_games) = (
        stdout(&["stats", "--pent", "0,0,1,1,0", "--json"]),
        stdout(&["stats", "--wdl", "2,1,1", "--json"]),
    );
    let same: serde_json::Value = serde_json::from_str(&of_pairs).unwrap();
    let other: serde_json::Value = serde_json::from_str(&by_games).unwrap();
    assert_eq!(
        (&objects[0]["player"], &objects[0]["pairs"]),
        (&"new".into(), &2.into())
    );
    assert_eq!(objects[0]["elo_high"], same["elo_high"]);
    assert_ne!(objects[0]["elo_high"], other["elo_high"]);
    let normal = &objects[1];
    assert_eq!(
        (&normal["by"], &normal["name"]),
        (&"termination".into(), &"normal".into())
    );
    assert_eq!((&normal["wins"], &normal["losses"]), (&1.into(), &1.into()));

    let text = stdout(&["stats", &shown]);
    for line in [
        "games       4 in 2 opening pairs",
        "new, white",
        "time forfeit",
        "2 openings",
    ] {
        assert!(text.contains(line), "{line} is missing in {text}");
    }
    assert!(stdout(&["stats", &shown, "--by", "opening"]).contains("4k3/8/8/8/8/8/3P4/4K3"));
    let message = complaint(&["stats", &shown, "--by", "colours"]);
    assert!(message.contains("did you mean `colour`?"), "{message}");

    fs::write(&path, ELSEWHERE.replacen("[White \"new\"]\n", "", 1)).unwrap();
    let message = complaint(&["stats", &shown]);
    assert!(
        message.contains("match.pgn:1: the game has no tag White"),
        "{message}"
    );
}

const THREE_PLAYERS: &str = r#"game = "chess"
[match]
pairs = 6
[[player]]
name = "a"
evaluator = "material"
depth = 1
[[player]]
name = "b"
evaluator = "random"
depth = 1
[[player]]
name = "c"
evaluator = "simplified"
depth = 1
"#;

#[test]
fn stats_of_a_run_are_the_same_from_its_table_and_from_its_collection() {
    let lab = Lab::new(THREE_PLAYERS);
    lab.run("run", &[]);
    let of_table = stdout(&["stats", &lab.path("run/games.csv")]);
    assert!(
        of_table.contains("12 in 6 opening pairs") && of_table.contains("rating"),
        "{of_table}"
    );
    assert_eq!(of_table, stdout(&["stats", &lab.path("run/games.pgn")]));
    assert_eq!(of_table, stdout(&["stats", &lab.path("run")]));
}
