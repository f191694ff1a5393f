//! Formats in stages: the same games after a kill and on any number of threads, and only pairings that
//! the format allows.

use std::collections::{HashMap, HashSet};

use crate::lab::{Lab, assert_same_runs, rows};
use sparring::record::GameRow;

/// A tournament of N players of checkers: the weights of kings differ.
pub fn config(format: &str, players: usize, more: &str) -> String {
    let kings: Vec<String> = (1..=players).map(|king| format!("{king}.0")).collect();
    format!(
        r#"game = "checkers"
seed = 3
[match]
format = "{format}"
pairs = 2
max_plies = 60
{more}
[[player]]
name = "p"
evaluator = "basic"
depth = 1
sweep = {{ "weights.king" = [{}] }}
"#,
        kings.join(", ")
    )
}

/// Plays a config in one go as `whole/run`, then again with a kill, on other threads; returns the games.
pub fn check_same_bytes(lab: &Lab) -> Vec<GameRow> {
    lab.run("whole/run", &["--threads", "1"]);
    let mut watched = lab.start("killed/run", &["--threads", "2"]);
    assert!(watched.sees_pairs(5));
    watched.kill();
    lab.run("killed/run", &["--threads", "2"]);
    assert_same_runs(&lab.at("whole/run"), &lab.at("killed/run"));
    rows(&lab.at("whole/run"))
}

fn check_swiss(players: usize, rounds: usize) {
    let games = check_same_bytes(&Lab::new(&config("swiss", players, "")));
    let in_a_round = players / 2 * 4;
    assert_eq!(games.len(), rounds * in_a_round);
    let mut met = HashSet::new();
    let mut absent: Vec<String> = Vec::new();
    for round in games.chunks(in_a_round) {
        let mut seated: HashMap<&str, usize> = HashMap::new();
        for row in round {
            *seated.entry(&row.white).or_default() += 1;
            *seated.entry(&row.black).or_default() += 1;
        }
        // Everybody plays one meeting of two pairs, except one with the bye.
        assert!(seated.values().all(|games| *games == 4), "{seated:?}");
        assert_eq!(seated.len(), players / 2 * 2);
        let all = (1..=players).map(|king| format!("p weights.king={king}.0"));
        absent.extend(all.filter(|name| !seated.contains_key(name.as_str())));
        let meetings: HashSet<[&str; 2]> = round
            .iter()
            .map(|row| {
                let mut names = [row.white.as_str(), row.black.as_str()];
                names.sort_unstable();
                names
            })
            .collect();
        for names in meetings {
            assert!(met.insert(names), "{names:?} met twice");
        }
    }
    let different: HashSet<&String> = absent.iter().collect();
    assert_eq!(different.len(), absent.len(), "a second bye: {absent:?}");
    assert_eq!(absent.len(), rounds * (players % 2));
}

#[test]
fn a_swiss_tournament_of_eight_is_the_same_after_a_kill_and_no_players_meet_twice() {
    check_swiss(8, 3);
}

#[test]
fn a_swiss_tournament_of_nine_gives_every_bye_to_another_player() {
    check_swiss(9, 4);
}

#[test]
fn a_swiss_tournament_of_sixty_four_has_six_rounds() {
    check_swiss(64, 6);
}

#[test]
fn a_knockout_is_the_same_after_a_kill_and_all_but_one_lose_once() {
    let lab = Lab::new(&config("knockout", 9, "tiebreaks = 2"));
    let games = check_same_bytes(&lab);
    let mut order: Vec<[String; 2]> = Vec::new();
    let mut points: HashMap<[String; 2], [u64; 2]> = HashMap::new();
    for row in &games {
        let mut names = [row.white.clone(), row.black.clone()];
        names.sort();
        let for_white = match row.result.text() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        };
        let white = usize::from(names[0] != row.white);
        let entry = points.entry(names.clone()).or_insert_with(|| {
            order.push(names);
            [0, 0]
        });
        entry[white] += for_white;
        entry[1 - white] += 2 - for_white;
    }
    assert_eq!(order.len(), 8);
    let mut out: HashSet<&str> = HashSet::new();
    for names in &order {
        assert!(
            names.iter().all(|name| !out.contains(name.as_str())),
            "{names:?}"
        );
        let [one, other] = points[names];
        // Equal points are for the one named first, whose king is worth less.
        let loser = usize::from(one >= other);
        out.insert(&names[loser]);
    }
    assert_eq!(out.len(), 8);
    let printed = lab.run("whole/run", &[]);
    let winner = (1..=9).map(|king| format!("p weights.king={king}.0"));
    let winner = winner
        .into_iter()
        .find(|name| !out.contains(name.as_str()))
        .unwrap();
    assert!(
        printed.contains(&format!("winner: {winner}\n")),
        "{printed}"
    );
}

#[test]
fn decided_pairings_of_a_round_robin_stop_and_the_run_is_the_same_after_a_kill() {
    let mut text = config(
        "round-robin",
        2,
        "look = 4\n[sprt]\nelo0 = -100\nelo1 = 100",
    );
    text = text.replace("pairs = 2", "pairs = 40");
    // Next to two players that are equals, one that loses at once.
    text.push_str("[[player]]\nname = \"weak\"\nevaluator = \"random\"\ndepth = 1\n");
    let lab = Lab::new(&text);
    let games = check_same_bytes(&lab);
    let mut played: HashMap<[&str; 2], usize> = HashMap::new();
    for row in &games {
        let mut names = [row.white.as_str(), row.black.as_str()];
        names.sort_unstable();
        *played.entry(names).or_default() += 1;
    }
    assert_eq!(played.len(), 3);
    for (names, games) in &played {
        // Looks are after every four pairs.
        assert_eq!(games % 8, 0, "{names:?}");
        assert!(games < &80 || !names.contains(&"weak"), "{names:?}");
    }
    let printed = lab.run("whole/run", &[]);
    assert!(
        printed.contains("of 3 pairings decided, each by itself"),
        "{printed}"
    );
    let refused = lab.refused_run("other", &["--expect", "h1"]);
    assert!(refused.contains("verdict of two players"), "{refused}");
}

#[test]
fn a_swiss_tournament_cannot_be_extended_by_pairs_and_has_no_sequential_test() {
    let lab = Lab::new(&config("swiss", 4, "rounds = 1"));
    lab.run("run", &[]);
    let refused = lab.refused_run("run", &["--pairs", "3"]);
    assert!(
        refused.contains("what it plays next depends on that"),
        "{refused}"
    );
    let refused = lab.refused_run("run", &["--set", "sprt.elo1=5"]);
    assert!(refused.contains("decides who meets"), "{refused}");
}
