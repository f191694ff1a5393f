//! `stats` and `plan`: what they print, for people and as JSON.

use serde_json::Value;

use crate::common::{complaint, stdout};

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
