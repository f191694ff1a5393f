//! The fit on positions of real games: planted weights are recovered, the optimisers agree, and the
//! rows equal the evaluator.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use sparring::eval::catalog::GameId;
use sparring::eval::{Evaluated, STEPS, Weights};
use sparring::games::any::facts;
use sparring::games::chess::Chess;
use sparring::games::prelude::*;
use sparring::play::{
    Conduct, Endings, Experiment, Format, Openings, PlayerKind, PlayerSpec, Purpose, RunError,
    Runner, Schedule, SearchSpec, Stream,
};
use sparring::search::{Limit, Options};
use sparring::tune::fit::{DataReport, Dataset, Fit, FitRows, FitSettings, Loss, Optimizer};
use sparring::tune::positions::{Labelled, Read, dataset};
use sparring::tune::quiet::Quiet;
use sparring::tune::{Parameter, Space, Tuner, tunables};

fn settings(optimizer: Optimizer) -> FitSettings {
    FitSettings {
        optimizer,
        loss: Loss::CrossEntropy,
        iterations: 0,
        validation: 0.0,
        patience: 0,
        prior: 0.0,
        quiet: Quiet::Off,
        k: 0.0,
        learning_rate: 0.0,
        score_share: 0.0,
        unit: 100.0,
    }
}

fn player(evaluator: &str) -> PlayerSpec {
    let preset = Chess::preset(evaluator).expect("a preset");
    let mut options = Options::default();
    options.set("blunder_rate", "30").expect("an option");
    PlayerSpec {
        name: evaluator.to_string(),
        limit: Limit::depth(1),
        kind: PlayerKind::Search(SearchSpec {
            evaluator: preset.name,
            weights: Weights::defaults(preset.terms),
            options,
        }),
    }
}

/// At least `count` distinct positions from fast games.
fn self_play(wanted: usize) -> Vec<Labelled> {
    let experiment = Experiment {
        seed: 1,
        players: vec![player("simplified"), player("classical")],
        schedule: Schedule::new(Format::Pair, 2, 1_000_000),
        openings: Openings::Random {
            plies: 4,
            reject: None,
        },
        endings: Endings::default(),
        conduct: Conduct::default(),
    };
    let mut positions: Vec<Labelled> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut games = 0;
    let mut runner = Runner::new(GameId::Chess, 2).expect("two threads");
    runner
        .run::<_, RunError>(
            &experiment,
            1..=1_000_000,
            &AtomicBool::new(false),
            |pair| pair,
            |pair| {
                for game in &pair.games {
                    games += 1;
                    let mut position = Chess::from_fen(&game.opening).expect("a position");
                    for mv in &game.moves {
                        if seen.insert(position.hash()) {
                            positions.push(Labelled {
                                position: Box::new(position.clone()),
                                result: 0.5,
                                score: None,
                                game: Some(games),
                                split: None,
                            });
                        }
                        let mv = position.parse_move(&mv.text).expect("its own move");
                        position.play(mv);
                    }
                }
                Ok(match positions.len() >= wanted {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        )
        .expect("played");
    positions
}

/// The linear numbers of an evaluator that match these names, each at half its default.
fn space_of(evaluator: &str, names: &[&str]) -> (Space, Vec<f64>) {
    let player = player(evaluator);
    let preset = Chess::preset(evaluator).expect("a preset");
    let all = tunables(facts::<Chess>(), &player, preset.terms);
    let chosen: Vec<_> = all
        .iter()
        .filter(|t| t.is_linear && names.iter().any(|name| t.is_named_by(name)))
        .collect();
    let truth = chosen.iter().map(|tunable| tunable.value).collect();
    let parameters = chosen.iter().map(|tunable| Parameter {
        start: (tunable.value / 2.0).round(),
        ..Parameter::of(tunable)
    });
    let mut space = Space {
        parameters: parameters.collect(),
        chains: Vec::new(),
        player,
    };
    space.player = space.player_with(&space.start());
    (space, truth)
}

const K: f64 = 0.005;

/// Labels positions at random, with white's probabilities by an evaluator with default weights.
fn plant(positions: &mut [Labelled], evaluator: &str) {
    let preset = Chess::preset(evaluator).expect("a preset");
    let mut judge = (preset.build)(&Weights::defaults(preset.terms), 0);
    for (index, labelled) in positions.iter_mut().enumerate() {
        let mover =
            judge.evaluate(labelled.position.of()) * labelled.position.side_to_move().sign();
        let score = f64::from(mover) / f64::from(STEPS);
        let chance = 1.0 / (1.0 + (-K * score).exp());
        let drawn = Stream::new(77, index as u64, Purpose::Sampling).fraction();
        labelled.result = if drawn < chance { 1.0 } else { 0.0 };
    }
}

fn read(positions: Vec<Labelled>) -> Read {
    Read {
        games: 1,
        positions,
        ..Read::default()
    }
}

fn fitted(space: &Space, positions: &[Labelled], settings: FitSettings) -> Fit {
    let data = dataset(
        GameId::Chess,
        read(positions.to_vec()),
        space,
        &settings,
        0,
        1,
    )
    .expect("data");
    let mut fit = Fit::new(space.clone(), settings, data);
    while !fit.is_done() {
        fit.tell(&[], &[]);
    }
    fit
}

#[test]
fn planted_weights_come_back_within_three_standard_errors() {
    let mut positions = self_play(200_000);
    assert!(positions.len() >= 200_000);
    for (evaluator, names) in [
        // Not the knights' value: each knight has one mobility, so only their sum is identifiable.
        (
            "classical",
            &[
                "pawn",
                "bishop_pair",
                "group:rooks",
                "knight_mobility",
                "tempo",
            ][..],
        ),
        ("four-factor", &["group:material", "mobility", "attack"][..]),
    ] {
        plant(&mut positions, evaluator);
        let (space, truth) = space_of(evaluator, names);
        let fit = fitted(
            &space,
            &positions,
            FitSettings {
                k: K,
                ..settings(Optimizer::Newton)
            },
        );
        let findings = fit.findings(&space);
        let mut supported = 0;
        for ((parameter, found), truth) in
            space.parameters.iter().zip(&findings.parameters).zip(truth)
        {
            if found.support < Some(1000) || !found.note.is_empty() {
                continue;
            }
            supported += 1;
            let error = found.error.expect("a standard error");
            assert!(
                (found.value - truth).abs() <= 3.0 * error,
                "{}: {} +- {error}, planted {truth}",
                parameter.name,
                found.value
            );
        }
        assert!(
            supported * 10 >= space.len() * 6,
            "{evaluator}: only {supported} of {} are well supported",
            space.len()
        );
    }
}

#[test]
fn a_few_second_order_steps_are_never_worse_than_a_thousand_of_adam() {
    let mut positions = self_play(20_000);
    plant(&mut positions, "simplified");
    let (space, _) = space_of("simplified", &["weights.*"]);
    for loss in Loss::ALL {
        let with = |optimizer| FitSettings {
            loss,
            prior: 0.5,
            patience: 2000,
            ..settings(optimizer)
        };
        let newton = fitted(&space, &positions, with(Optimizer::Newton));
        let adam = fitted(&space, &positions, with(Optimizer::Adam));
        // Both may be at the optimum, where the last digits are rounding errors.
        const ROUNDING: f64 = 1e-9;
        assert!(
            newton.objective() <= adam.objective() * (1.0 + ROUNDING),
            "{loss:?}: {} against {}",
            newton.objective(),
            adam.objective()
        );
    }
}

#[test]
fn rows_times_weights_are_the_evaluator() {
    let mut positions = self_play(2_000);
    // The order of the rows of a data set.
    positions.sort_by_key(|labelled| (labelled.game, labelled.position.hash()));
    for preset in Chess::presets().iter().filter(|p| !p.terms.is_empty()) {
        let player = player(preset.name);
        let all = tunables(facts::<Chess>(), &player, preset.terms);
        let parameters: Vec<Parameter> = all
            .iter()
            .filter(|t| t.is_linear)
            .map(Parameter::of)
            .collect();
        let space = Space {
            parameters,
            chains: Vec::new(),
            player: player.clone(),
        };
        let settings = settings(Optimizer::Newton);
        let mut mixed = positions.clone();
        mixed[0].result = 1.0;
        let data = dataset(GameId::Chess, read(mixed), &space, &settings, 0, 1).expect("data");
        let mut judge = (preset.build)(&player.search().expect("a search").weights, 0);
        let start = space.start();
        for (index, labelled) in positions.iter().enumerate() {
            let mover = judge.evaluate(labelled.position.of());
            let score =
                f64::from(mover * labelled.position.side_to_move().sign()) / f64::from(STEPS);
            let row = data.train.score(index, &start);
            assert!(
                (score - row).abs() < 1.01,
                "{} {}: {score} and {row}",
                preset.name,
                labelled.position.fen()
            );
        }
    }
}

#[test]
fn the_same_fit_on_any_number_of_threads() {
    let mut positions = self_play(5_000);
    plant(&mut positions, "simplified");
    let (space, _) = space_of("simplified", &["group:material", "knight_table"]);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let newton = settings(Optimizer::Newton);
        pool.expect("threads")
            .install(|| fitted(&space, &positions, newton).estimate())
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn the_order_of_the_rows_changes_nothing() {
    let mut positions = self_play(3_000);
    plant(&mut positions, "simplified");
    let (space, _) = space_of("simplified", &["group:material"]);
    let findings = |positions: &[Labelled]| {
        let with = FitSettings {
            validation: 0.1,
            ..settings(Optimizer::Newton)
        };
        let found = fitted(&space, positions, with).findings(&space);
        let figures = found.parameters.iter().map(|it| (it.value, it.error, it.z));
        figures.collect::<Vec<_>>()
    };
    let expected = findings(&positions);
    for seed in 1..=3 {
        let mut draws = Stream::new(seed, 0, Purpose::Sampling);
        for place in 0..positions.len() {
            let rest = (positions.len() - place) as u64;
            positions.swap(place, place + draws.below(rest) as usize);
        }
        assert_eq!(findings(&positions), expected, "seed {seed}");
    }
}

#[test]
fn weights_stay_in_their_ranges_and_their_order() {
    let mut positions = self_play(5_000);
    plant(&mut positions, "classical");
    let (mut space, _) = space_of("classical", &["knight_mobility.opening", "pawn"]);
    let chosen: Vec<bool> = space
        .parameters
        .iter()
        .map(|p| p.name.contains("mobility"))
        .collect();
    space.chains = Space::chains_of(&space.parameters, &chosen, true);
    assert_eq!(space.chains.len(), 1);
    for parameter in &mut space.parameters {
        if parameter.name.starts_with("weights.pawn") {
            parameter.range = (parameter.start - 1.0, parameter.start + 1.0);
        }
    }
    let mut start = space.start();
    space.project(&mut start);
    for (parameter, value) in space.parameters.iter_mut().zip(start) {
        parameter.start = value;
    }
    let estimate = fitted(&space, &positions, settings(Optimizer::Newton)).estimate();
    let mut projected = estimate.clone();
    space.project(&mut projected);
    for (value, allowed) in estimate.iter().zip(projected) {
        assert!((value - allowed).abs() < 1e-9);
    }
}

#[test]
fn useless_data_are_refused_with_the_reason() {
    let positions = self_play(500);
    let (space, _) = space_of("simplified", &["group:material"]);
    let refused = |read: Read| {
        let error = dataset(
            GameId::Chess,
            read,
            &space,
            &settings(Optimizer::Newton),
            0,
            1,
        );
        error.expect_err("nothing to learn").to_string()
    };
    let alike = refused(read(positions.clone()));
    assert!(alike.contains("labels are 0.5"), "{alike}");
    let none = refused(read(Vec::new()));
    assert!(none.contains("no position is left"), "{none}");
}

#[test]
fn a_term_that_never_occurs_is_reported_and_not_changed() {
    let mut positions = self_play(500);
    plant(&mut positions, "simplified");
    let (space, _) = space_of("simplified", &["group:material", "pawn_table"]);
    let fit = fitted(&space, &positions, settings(Optimizer::Newton));
    let findings = fit.findings(&space);
    // No pawn ever stands on its own first rank.
    let index = space
        .parameters
        .iter()
        .position(|p| p.name == "weights.pawn_table[a1]");
    let found = &findings.parameters[index.expect("a square")];
    assert_eq!((found.note, found.support), ("not in the data", Some(0)));
    assert!(findings.warnings.iter().any(|w| w.contains("never occur")));
}

/// The figures of the second line of `tests/data/fit-errors.csv`: k, first, second, each with its error.
fn golden_fit() -> (FitRows, [[f64; 2]; 3]) {
    let text = include_str!("../data/fit-errors.csv");
    let figures = text.lines().nth(1).expect("the figures");
    let numbers: Vec<f64> = figures
        .split([' ', ';'])
        .filter_map(|word| word.parse().ok())
        .collect();
    let [k, k_error, first, first_error, second, second_error] = numbers[..] else {
        panic!("six figures: {figures}");
    };
    let mut rows = FitRows::new(2);
    for line in text.lines().skip(3) {
        let cells: Vec<f32> = line
            .split(',')
            .map(|cell| cell.parse().expect("a number"))
            .collect();
        let columns: Vec<(u16, f32)> = [(0, cells[1]), (1, cells[2])]
            .into_iter()
            .filter(|(_, value)| *value != 0.0)
            .collect();
        rows.push(&columns, cells[3], cells[4], cells[0] as u32);
    }
    (
        rows,
        [[k, k_error], [first, first_error], [second, second_error]],
    )
}

#[test]
fn errors_clustered_by_game_with_that_of_k_agree_with_numpy() {
    let (rows, [k, first, second]) = golden_fit();
    let (mut space, _) = space_of("simplified", &["pawn", "knight"]);
    assert_eq!(space.len(), 2);
    for (parameter, start) in space.parameters.iter_mut().zip([50.0, 160.0]) {
        parameter.start = start;
        parameter.range = (-1e4, 1e4);
    }
    let data = Dataset {
        train: rows,
        validation: FitRows::new(2),
        report: DataReport::default(),
    };
    let mut fit = Fit::new(space.clone(), settings(Optimizer::Newton), data);
    while !fit.is_done() {
        fit.tell(&[], &[]);
    }
    let close = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    };
    close(fit.k(), k[0]);
    close(fit.k_error().expect("an error"), k[1]);
    for (found, expected) in fit.findings(&space).parameters.iter().zip([first, second]) {
        close(found.value, expected[0]);
        close(found.error.expect("an error"), expected[1]);
    }
}
