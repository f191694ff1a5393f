//! How many positions with a known best move each profile solves with the same number of nodes.

use sparring::eval::{Evaluated, Weights};
use sparring::games::chess::Chess;
use sparring::games::prelude::*;
use sparring::search::{Limit, Profile, Searcher};

/// Positions with their best moves, one or several.
fn suite() -> Vec<(Chess, Vec<<Chess as GameRules>::Move>)> {
    include_str!("../positions/bratko-kopec.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let (fen, best) = line.split_once(',').expect("two cells");
            let position = Chess::from_fen(fen).expect("a position");
            let legal = |text| position.parse_move(text).expect("a legal move");
            let moves = best.split_whitespace().map(legal).collect();
            (position, moves)
        })
        .collect()
}

fn solved(profile: &str, evaluator: &str, nodes: u64) -> usize {
    let preset = Chess::preset(evaluator).expect("a preset of chess");
    let mut judge = (preset.build)(&Weights::defaults(preset.terms), 1);
    let options = Profile::from_name(profile).expect("a profile").options();
    let solves = |(position, best): &(Chess, Vec<_>)| {
        let mut searcher = Searcher::<Chess>::new(options.clone());
        let found = searcher.search(position, &[], judge.as_mut(), Limit::nodes(nodes));
        found.best.is_some_and(|mv| best.contains(&mv))
    };
    let count = suite().iter().map(solves).filter(|&yes| yes).count();
    println!("{profile} with {evaluator}, {nodes} nodes: {count} of 24");
    count
}

/// The older programs' searches, each with its evaluator, and the plain one with `classical`.
const OLDER: [(&str, &str); 3] = [
    ("staged", "staged"),
    ("simplified", "simplified"),
    ("alpha-beta", "classical"),
];

#[test]
fn strong_solves_more_than_the_older_profiles() {
    const NODES: u64 = 30_000;
    assert_eq!(suite().len(), 24);
    let strong = solved("strong", "classical", NODES);
    for (profile, evaluator) in OLDER {
        let older = solved(profile, evaluator, NODES);
        assert!(strong > older, "{profile}: {older}, strong: {strong}");
    }
}

/// The figures of `docs/search.md`.
#[test]
#[ignore = "a minute; run by hand with --nocapture"]
fn counts_with_a_million_nodes() {
    let strong = solved("strong", "classical", 1_000_000);
    for (profile, evaluator) in OLDER {
        assert!(strong > solved(profile, evaluator, 1_000_000));
    }
}
