//! Races: the same bytes after a kill and on other threads, pairs in shared openings, a confirmation that can
//! be extended, and errors with a remedy.

use std::collections::HashMap;

use crate::common::{stdout, text};
use crate::formats::{check_same_bytes, config};
use crate::lab::Lab;

const WEAK: &str = "[[player]]\nname = \"weak\"\nevaluator = \"random\"\ndepth = 1\n";

#[test]
fn a_race_is_the_same_after_a_kill_and_pairs_its_players_in_shared_openings() {
    let lab = Lab::new(&config("race", 9, "budget = 120"));
    let games = check_same_bytes(&lab);
    // Nine players: four pairs in each opening, and one of the nine sits out.
    let first: Vec<&str> = games[..8].iter().map(|row| row.opening.as_str()).collect();
    assert!(
        first.iter().all(|opening| *opening == first[0]),
        "{first:?}"
    );
    assert_ne!(games[8].opening, first[0]);
    let mut seated: HashMap<&str, usize> = HashMap::new();
    for row in &games[..8] {
        *seated.entry(&row.white).or_default() += 1;
        *seated.entry(&row.black).or_default() += 1;
    }
    assert!(seated.len() == 8 && seated.values().all(|games| *games == 2));
    let table = text(&lab.at("whole/run/race.csv"));
    let of_round = |round: &str| table.lines().filter(|line| line.starts_with(round)).count();
    let sizes = ["1,", "2,", "3,", "4,", "confirmation,"].map(of_round);
    assert!(sizes[..4] == [9, 5, 3, 2] && sizes[4] >= 1, "{table}");
    let last = games.len() - 4 * sizes[4];
    let searched: Vec<&str> = games[..last]
        .iter()
        .map(|row| row.opening.as_str())
        .collect();
    let mut fresh = games[last..].iter();
    assert!(fresh.all(|row| !searched.contains(&row.opening.as_str())));
    let printed = lab.run("whole/run", &[]);
    assert!(printed.contains("wins the race of 9 players"), "{printed}");
    stdout(&["check", &lab.path("whole/run")]);
}

#[test]
fn a_race_extends_its_confirmation_and_nothing_else() {
    let lab = Lab::new(&config("race", 3, "budget = 12"));
    lab.run("run", &[]);
    let before = text(&lab.at("run/games.csv"));
    lab.run("run", &["--pairs", "4"]);
    let after = text(&lab.at("run/games.csv"));
    assert!(after.starts_with(&before) && after.len() > before.len());
    let refused = lab.refused_run("run", &["--pairs", "4", "--set", "match.budget=20"]);
    assert!(refused.contains("budget"), "{refused}");
    let refused = lab.refused_run("run", &["--shard", "1/2"]);
    assert!(refused.contains("depend on its results"), "{refused}");
    let short = Lab::new(&config("race", 5, "budget = 2"));
    let refused = short.refused_run("run", &[]);
    assert!(refused.contains("one opening in every round"), "{refused}");
}

#[test]
fn a_race_with_a_tolerance_drops_the_hopeless_and_says_what_it_has_shown() {
    let text = config("race", 1, "within = 300\nlook = 4");
    let lab = Lab::new(&format!("{text}{WEAK}"));
    check_same_bytes(&lab);
    let printed = lab.run("whole/run", &[]);
    assert!(
        printed.contains("no player is more than 300 Elo stronger"),
        "{printed}"
    );
}

#[test]
fn variations_stop_with_the_error_rates_of_all_together() {
    let more =
        "look = 4\n[openings]\nshared = true\n[sprt]\nelo0 = -100\nelo1 = 100\nfamily = true";
    let config = config("gauntlet", 3, more).replace("pairs = 2", "pairs = 40");
    let lab = Lab::new(&format!("{config}{WEAK}"));
    check_same_bytes(&lab);
    let printed = lab.run("whole/run", &[]);
    assert!(printed.contains("error rates of all together"), "{printed}");
    let table = text(&lab.at("whole/run/pairings.csv"));
    let weak = table.lines().find(|line| line.contains(",weak,"));
    assert!(weak.is_some_and(|line| line.ends_with(",H1")), "{table}");
}
