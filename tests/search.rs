//! Searches that must agree, and those that must find.

use sparring::eval::{Evaluated, Evaluator, Weights};
use sparring::games::Game;
use sparring::games::chess::{Chess, Chess960};
use sparring::search::{Limit, Options, Score, Searcher};

/// A short stream of numbers, the same on every machine.
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

/// A position some random plies into a game that goes on.
fn random_position<G: Game>(stream: &mut Stream, plies: usize) -> G {
    loop {
        let mut position = G::start(stream.below(G::STARTS as usize) as u32);
        for _ in 0..stream.below(plies) {
            let mut moves = Vec::new();
            position.for_each_move(|mv| moves.push(mv));
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

/// All sound ways of searching give the score of plain minimax.
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
            // Without repetition the worth of a position does not depend on the path to it.
            for repetition in ["on", "off"] {
                // Minimax has no bounds to stop hopeless captures by: the exchange stops them.
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
#[ignore = "takes an hour; run by hand after a change of the search"]
fn sound_searches_give_the_score_of_minimax_on_two_thousand_positions() {
    all_agree::<Chess>(2000, 3, 160, "simplified", 4);
    all_agree::<Chess960>(2000, 4, 160, "simplified", 4);
}
