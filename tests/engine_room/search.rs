//! Searches that must agree, and searches that must find a move.

use crate::positions::moves_of;
use sparring::eval::{Evaluated, Evaluator, Weights};
use sparring::games::any::facts;
use sparring::games::chess::{Chess, Chess960};
use sparring::games::draughts::{Checkers, English, International};
use sparring::games::prelude::*;
use sparring::search::{Limit, Options, Score, Searcher, mate_distance};

/// A small random generator, the same on every machine.
struct Stream(u64);

impl Stream {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// A position after some random plies, of an unfinished game.
fn random_position<G: Game>(stream: &mut Stream, plies: usize) -> G {
    loop {
        let mut position = G::start(stream.below(G::STARTS as usize) as u32);
        for _ in 0..stream.below(plies) {
            let moves = moves_of(&position);
            if moves.is_empty() || position.end_by_position().is_some() {
                break;
            }
            let mv = moves[stream.below(moves.len())];
            position.play(mv);
        }
        if position.end().is_none() {
            return position;
        }
    }
}

fn evaluator<G: Evaluated>(name: &str) -> Box<dyn Evaluator<G>> {
    let preset = G::preset(name).expect("a preset of the game");
    (preset.build)(&Weights::defaults(preset.terms), 1)
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in settings {
        options.set(name, value).expect("a valid setting");
    }
    options
}

fn score<G: Evaluated>(position: &G, settings: &[(&str, &str)], depth: u32, preset: &str) -> Score {
    let mut searcher = Searcher::<G>::new(options(settings));
    let mut judge = evaluator::<G>(preset);
    searcher
        .search(position, &[], judge.as_mut(), Limit::depth(depth))
        .score
}

/// All sound search options give the score of plain minimax.
fn all_agree<G: Evaluated>(positions: usize, seed: u64, plies: usize, preset: &str, deep: u32) {
    const SOUND: &[&[(&str, &str)]] = &[
        &[("profile", "alpha-beta")],
        &[("ordering", "none")],
        &[("algorithm", "pvs")],
        &[
            ("algorithm", "pvs"),
            ("iterative_deepening", "on"),
            ("aspiration", "on"),
        ],
        &[
            ("algorithm", "pvs"),
            ("killers", "on"),
            ("history", "on"),
            ("continuation", "on"),
            ("countermoves", "on"),
        ],
    ];
    let mut stream = Stream(seed);
    for number in 0..positions {
        let position = random_position::<G>(&mut stream, plies);
        let depth = 1 + (number as u32 % deep);
        for (quiescence, depth) in [("none", depth), ("captures", depth.min(2))] {
            // Without repetition the score of a position does not depend on the path to it.
            for repetition in ["on", "off"] {
                // Minimax has no bounds to prune bad captures: use SEE.
                let common = [
                    ("quiescence", quiescence),
                    ("quiescence_see", "on"),
                    ("repetition", repetition),
                ];
                let run = |settings: &[(&str, &str)]| {
                    let all: Vec<_> = settings.iter().chain(&common).copied().collect();
                    score(&position, &all, depth, preset)
                };
                let truth = run(&[("profile", "minimax")]);
                for settings in SOUND {
                    assert_eq!(
                        run(settings),
                        truth,
                        "{} {settings:?} {common:?} depth {depth}",
                        position.fen()
                    );
                }
                if repetition == "off" {
                    let table = [
                        ("algorithm", "pvs"),
                        ("iterative_deepening", "on"),
                        ("table", "on"),
                        ("table_mb", "1"),
                        ("table_same_depth", "on"),
                        ("mate_distance_pruning", "off"),
                    ];
                    assert_eq!(
                        run(&table),
                        truth,
                        "{} with a table, {common:?} depth {depth}",
                        position.fen()
                    );
                    let plain = [
                        ("table", "on"),
                        ("table_mb", "1"),
                        ("table_same_depth", "on"),
                    ];
                    assert_eq!(
                        run(&plain),
                        truth,
                        "{} plain with a table, {common:?} depth {depth}",
                        position.fen()
                    );
                }
            }
        }
    }
}

#[test]
fn sound_searches_of_chess_give_the_score_of_minimax() {
    all_agree::<Chess>(24, 1, 120, "simplified", 3);
}

#[test]
fn sound_searches_of_chess960_give_the_score_of_minimax() {
    all_agree::<Chess960>(12, 2, 120, "simplified", 3);
}

#[test]
fn sound_searches_of_draughts_give_the_score_of_minimax() {
    all_agree::<Checkers>(12, 5, 60, "basic", 4);
    all_agree::<English>(12, 6, 60, "material", 4);
    all_agree::<International>(6, 7, 60, "material", 3);
}

// The same at length, by hand after a change of the search:
// cargo test --release --test engine_room two_thousand -- --ignored

#[test]
#[ignore = "minutes, of a release build"]
fn two_thousand_positions_of_chess_agree() {
    all_agree::<Chess>(2000, 3, 160, "simplified", 4);
}

#[test]
#[ignore = "minutes, of a release build"]
fn two_thousand_positions_of_chess960_agree() {
    all_agree::<Chess960>(2000, 4, 160, "simplified", 4);
}

#[test]
#[ignore = "minutes, of a release build"]
fn two_thousand_positions_of_checkers_agree() {
    all_agree::<Checkers>(2000, 5, 80, "basic", 4);
}

#[test]
#[ignore = "minutes, of a release build"]
fn two_thousand_positions_of_english_agree() {
    all_agree::<English>(2000, 6, 80, "material", 4);
}

#[test]
#[ignore = "minutes, of a release build"]
fn two_thousand_positions_of_international_agree() {
    all_agree::<International>(2000, 7, 80, "material", 4);
}

/// Position, moves to mate and a move that forces it: proven when the file was made.
fn mates() -> Vec<(Chess, i32, String)> {
    include_str!("../positions/mates.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',');
            let mut cell = || cells.next().expect("three cells");
            let position = Chess::from_fen(cell()).expect("a position");
            let moves = cell().parse().expect("a number of moves");
            (position, moves, cell().to_string())
        })
        .collect()
}

#[test]
fn strong_finds_the_shortest_mate_at_the_depth_that_holds_it() {
    let mates = mates();
    assert!(mates.len() >= 50);
    for (position, moves, _) in mates {
        let mut searcher = Searcher::<Chess>::new(options(&[("profile", "strong")]));
        let mut judge = evaluator::<Chess>("classical");
        // Quiet moves without check may be pruned: that takes up to five plies more than the
        // mate is long. Most are found at once, see the test below.
        let limit = Limit::depth(2 * moves as u32 + 4);
        let found = searcher.search(&position, &[], judge.as_mut(), limit);
        assert_eq!(
            mate_distance(found.score),
            Some(moves),
            "{}",
            position.fen()
        );
    }
}

#[test]
fn strong_finds_most_mates_as_soon_as_the_depth_reaches_them() {
    let mates = mates();
    let at_once = |(position, moves, _): &&(Chess, i32, String)| {
        let mut searcher = Searcher::<Chess>::new(options(&[("profile", "strong")]));
        let mut judge = evaluator::<Chess>("classical");
        let limit = Limit::depth(2 * *moves as u32 - 1);
        let found = searcher.search(position, &[], judge.as_mut(), limit);
        mate_distance(found.score) == Some(*moves)
    };
    let count = mates.iter().filter(at_once).count();
    println!("{count} of {} at the depth of the mate", mates.len());
    assert!(10 * count >= 9 * mates.len(), "{count} of {}", mates.len());
}

/// Whether the mover can force mate in this many moves; checks every reply.
fn forces_mate(position: &Chess, moves: i32) -> bool {
    let mut found = false;
    position.for_each_move(|mv| {
        if !found {
            let mut next = position.clone();
            next.play(mv);
            found = is_lost(&next, moves - 1);
        }
    });
    found
}

fn is_lost(position: &Chess, moves: i32) -> bool {
    if !position.has_moves() {
        return position.in_check();
    }
    let mut lost = moves > 0;
    position.for_each_move(|mv| {
        if lost {
            let mut next = position.clone();
            next.play(mv);
            lost = forces_mate(&next, moves);
        }
    });
    lost
}

#[test]
fn the_mates_of_up_to_two_moves_are_proven_by_trying_everything() {
    for (position, moves, key) in mates().into_iter().filter(|(_, moves, _)| *moves <= 2) {
        let mut next = position.clone();
        next.play(position.parse_move(&key).expect("a legal move"));
        assert!(is_lost(&next, moves - 1), "{} {key}", position.fen());
        assert!(
            moves == 1 || !forces_mate(&position, moves - 1),
            "{}",
            position.fen()
        );
    }
}

#[test]
#[ignore = "minutes: tries every reply three moves deep"]
fn the_mates_of_three_moves_are_proven_by_trying_everything() {
    for (position, moves, key) in mates().into_iter().filter(|(_, moves, _)| *moves == 3) {
        let mut next = position.clone();
        next.play(position.parse_move(&key).expect("a legal move"));
        assert!(is_lost(&next, moves - 1), "{} {key}", position.fen());
        assert!(!forces_mate(&position, moves - 1), "{}", position.fen());
    }
}

fn strong_search(limit: Limit, settings: &[(&str, &str)], key: u64) -> (String, u64) {
    let mut all = vec![("profile", "strong")];
    all.extend_from_slice(settings);
    let mut searcher = Searcher::<Chess>::new(options(&all));
    searcher.new_game(key);
    let mut judge = evaluator::<Chess>("classical");
    let start = Chess::start(0);
    let found = searcher.search(&start, &[], judge.as_mut(), limit);
    (start.move_text(found.best.expect("a move")), found.nodes)
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for nodes in [1, 2, 30, 1000, 12_345] {
        assert_eq!(strong_search(Limit::nodes(nodes), &[], 0).1, nodes);
    }
}

#[test]
fn a_searcher_after_a_new_game_finds_what_a_new_searcher_finds() {
    let mut used = Searcher::<Chess>::new(options(&[("profile", "strong"), ("table_mb", "1")]));
    let mut judge = evaluator::<Chess>("classical");
    let mut stream = Stream(9);
    for _ in 0..10 {
        let position = random_position::<Chess>(&mut stream, 80);
        used.new_game(0);
        let again = used.search(&position, &[], judge.as_mut(), Limit::nodes(20_000));
        let mut new = Searcher::<Chess>::new(used.options().clone());
        let fresh = new.search(&position, &[], judge.as_mut(), Limit::nodes(20_000));
        assert_eq!(again.best, fresh.best);
        assert_eq!((again.score, again.nodes), (fresh.score, fresh.nodes));
        assert_eq!(again.pv, fresh.pv);
    }
}

#[test]
fn random_choices_are_the_same_for_the_same_key_and_vary_between_keys() {
    for settings in [
        [("root_margin", "30")],
        [("temperature", "30")],
        [("blunder_rate", "100")],
    ] {
        let draw = |key| strong_search(Limit::depth(3), &settings, key).0;
        let drawn: std::collections::HashSet<String> = (0..20).map(draw).collect();
        assert!(drawn.len() > 1, "{settings:?}");
        assert_eq!(draw(5), draw(5), "{settings:?}");
    }
}

#[test]
fn options_that_do_not_apply_to_a_game_are_refused_by_name() {
    let error =
        Options::for_game(facts::<English>(), [("null_move", "on")]).expect_err("no null move");
    assert_eq!(
        error.to_string(),
        "search option `null_move` = `on`: needs a game with null moves; \
         remove it for this one"
    );
    assert!(Options::for_game(facts::<English>(), [("quiescence", "activity")]).is_err());
    assert!(Options::for_game(facts::<Chess>(), [("capture_extension", "on")]).is_err());
    let strong = Options::for_game(facts::<English>(), [("profile", "strong")]).expect("any game");
    assert!(!strong.null_move && strong.capture_extension);
}
