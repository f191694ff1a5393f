//! Training of nets: the gradient, what it can learn, and that nothing depends on threads or kills.

use std::collections::BTreeMap;

use crate::positions::random_walk;
use sparring::eval::catalog::GameId;
use sparring::eval::net::NetShape;
use sparring::eval::patterns::PatternSet;
use sparring::eval::{Evaluated, Learnt};
use sparring::games::any::AnyPosition;
use sparring::games::chess::Chess;
use sparring::games::connect_four::ConnectFour;
use sparring::games::prelude::*;
use sparring::play::{Purpose, Stream};
use sparring::tune::fit::Loss;
use sparring::tune::positions::{Labelled, Read};
use sparring::tune::quiet::{Judge, Quiet};
use sparring::tune::train::{
    FloatNet, FloatPatterns, Learner, Train, TrainData, TrainSettings, train_data,
    verify_checkpoint,
};

fn settings(epochs: u64, loss: Loss) -> TrainSettings {
    TrainSettings {
        hidden: 16,
        buckets: 2,
        patterns: None,
        shrink: 0.0,
        epochs,
        batch_size: 256,
        learning_rate: 0.01,
        weight_decay: 0.0,
        loss,
        scale: 400.0,
        score_share: 0.0,
        teacher: String::new(),
        variations: 4,
        validation: 0.2,
        quiet: Quiet::Off,
    }
}

/// Positions of random games; every game lasts ten of them and has its own result.
fn positions<G: Game>(count: usize) -> Read {
    let mut read = Read::default();
    random_walk::<G>(count, |position| {
        let game = 1 + read.positions.len() as u64 / 10;
        read.positions.push(Labelled {
            position: AnyPosition::clone_box(position),
            result: [1.0, 0.0, 0.5][game as usize % 3],
            score: None,
            game: Some(game),
            split: None,
        });
    });
    read
}

fn data<G: Evaluated>(
    game: GameId,
    count: usize,
    settings: &TrainSettings,
    teacher: Option<&str>,
) -> TrainData {
    let preset = G::preset(teacher.unwrap_or(G::STRONGEST)).unwrap();
    let weights = sparring::eval::Weights::defaults(preset.terms);
    let judge = Judge {
        game,
        preset: preset.name,
        weights: &weights,
    };
    let teacher = teacher.map(|_| judge);
    train_data(positions::<G>(count), settings, judge, teacher, (0, 7)).unwrap()
}

#[test]
fn gradients_equal_finite_differences() {
    for loss in Loss::ALL {
        let settings = settings(1, loss);
        let rows = data::<Chess>(GameId::Chess, 300, &settings, None).train;
        let shape = NetShape::of(&Chess::LAYOUT, 16, 2);
        let net = FloatNet::random(shape, &mut Stream::new(3, 0, Purpose::NetWeights));
        let gradient = net.gradient(&rows, loss);
        let count = rows.len() as f64;
        // The largest of every part: hidden weights and biases, output weights and biases.
        let ends = [0, 768 * 16, 769 * 16, 769 * 16 + 64, net.values.len()];
        for part in ends.windows(2) {
            let mut places: Vec<usize> = (part[0]..part[1]).collect();
            places.sort_by(|a, b| gradient[*b].abs().total_cmp(&gradient[*a].abs()));
            for place in places.into_iter().take(8) {
                let exact = f64::from(gradient[place]) / count;
                let step = 4e-3_f32;
                let moved = |by: f32| {
                    let mut net = net.clone();
                    net.values[place] += by;
                    net.loss(&rows, loss)
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
                let error = (slope - exact).abs();
                assert!(
                    error < 0.02 * exact.abs() + 3e-5,
                    "{place}: {slope} {exact}"
                );
            }
        }
    }
}

#[test]
fn training_recovers_a_planted_linear_evaluator() {
    let settings = TrainSettings {
        teacher: "material".to_string(),
        ..settings(25, Loss::Squared)
    };
    let data = data::<Chess>(GameId::Chess, 5_000, &settings, Some("material"));
    assert!(data.train.len() > 5_000 && data.validation.len() > 1_000);
    let shape = NetShape::of(&Chess::LAYOUT, 16, 2);
    let mut train = Train::new(Learner::random_net(shape, 1), settings, data, 1);
    let before = train
        .learner()
        .loss(&train.data().validation, Loss::Squared);
    while !train.is_done() {
        train.advance();
    }
    let after = train.last().validation_loss.unwrap();
    // Positions of other games than those trained on.
    assert!(
        after < before / 10.0 && after < 0.002,
        "{before} -> {after}"
    );
}

#[test]
fn training_recovers_a_planted_net() {
    let settings = settings(60, Loss::Squared);
    let mut data = data::<ConnectFour>(GameId::ConnectFour, 20_000, &settings, None);
    let shape = NetShape::of(&ConnectFour::LAYOUT, 16, 2);
    let mut planted = FloatNet::random(shape, &mut Stream::new(11, 0, Purpose::NetWeights));
    // Wide enough to matter, inside what training may reach.
    planted.values.iter_mut().for_each(|value| *value *= 3.0);
    let target = |rows: &sparring::tune::train::TrainRows, index: usize| {
        1.0 / (1.0 + (-planted.output(rows, index)).exp())
    };
    data.train.retarget(target);
    data.validation.retarget(target);
    let mut train = Train::new(Learner::random_net(shape, 1), settings, data, 1);
    let before = train
        .learner()
        .loss(&train.data().validation, Loss::Squared);
    while !train.is_done() {
        train.advance();
    }
    let after = train.last().validation_loss.unwrap();
    assert!(after < before / 5.0, "{before} -> {after}");
}

fn file_of(train: &Train) -> Learnt {
    train.learnt("connect-four", BTreeMap::new()).unwrap()
}

fn trained(threads: usize, kill_after: Option<u64>) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let settings = TrainSettings {
            teacher: "lines".to_string(),
            ..settings(3, Loss::CrossEntropy)
        };
        let shape = NetShape::of(&ConnectFour::LAYOUT, 16, 2);
        let begin = || {
            let data = data::<ConnectFour>(GameId::ConnectFour, 900, &settings, Some("lines"));
            Train::new(Learner::random_net(shape, 5), settings.clone(), data, 5)
        };
        let mut train = begin();
        while !train.is_done() {
            train.advance();
            if Some(train.step()) == kill_after {
                let checkpoint = train.checkpoint();
                train = begin();
                train.restore(&checkpoint).unwrap();
            }
        }
        let mut bytes = train.checkpoint();
        bytes.extend(file_of(&train).to_bytes());
        bytes
    })
}

#[test]
fn a_net_has_the_same_bytes_on_any_number_of_threads_and_after_a_kill() {
    let whole = trained(1, None);
    assert!(whole == trained(2, None), "two threads");
    assert!(
        whole == trained(3, Some(5)),
        "killed, and resumed on three threads"
    );
}

#[test]
fn a_damaged_or_foreign_checkpoint_is_refused() {
    let settings = settings(1, Loss::Squared);
    let data = data::<ConnectFour>(GameId::ConnectFour, 200, &settings, None);
    let shape = NetShape::of(&ConnectFour::LAYOUT, 16, 2);
    let mut train = Train::new(
        Learner::random_net(shape, 1),
        settings.clone(),
        data.clone(),
        1,
    );
    train.advance();
    let good = train.checkpoint();
    assert!(train.restore(&good[..good.len() / 2]).is_err());
    for bit in (0..8 * good.len()).step_by(13) {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(verify_checkpoint(&bad).is_err(), "bit {bit}");
    }
    let net = file_of(&train).to_bytes();
    assert!(
        train
            .restore(&net)
            .unwrap_err()
            .contains("not a checkpoint")
    );
    let wider = NetShape {
        hidden: 32,
        ..shape
    };
    let mut other = Train::new(Learner::random_net(wider, 1), settings, data, 1);
    assert!(other.restore(&good).unwrap_err().contains("of another net"));
}

#[test]
fn quantising_a_net_and_back_changes_little() {
    let settings = settings(2, Loss::Squared);
    let data = data::<ConnectFour>(GameId::ConnectFour, 400, &settings, None);
    let shape = NetShape::of(&ConnectFour::LAYOUT, 16, 2);
    let mut train = Train::new(Learner::random_net(shape, 1), settings, data, 1);
    train.advance();
    let learnt = file_of(&train);
    let (mean, most) = train.quantisation_error(&learnt);
    assert!(mean <= most && most < 40.0, "{mean} {most}");
    let Learnt::Net(net) = learnt else {
        panic!("a net was trained");
    };
    let again = FloatNet::of_net(&net);
    assert_eq!(again.quantised("connect-four", 400.0), *net.parts());
}

/// Patterns that cover the board of Connect Four.
fn some_patterns() -> PatternSet {
    let mut text = "game connect-four\nstages 2\n".to_string();
    for column in "abcd".chars() {
        text.push_str(&format!(
            "{column}: {column}1 {column}2 {column}3 {column}4\n"
        ));
    }
    text.push_str("view mover\nrow: a1 b1 c1 d1 e1 f1 g1\n");
    PatternSet::parse(&text).unwrap()
}

/// Patterns with random weights.
fn planted(seed: u64) -> FloatPatterns {
    let mut planted = FloatPatterns::zero(some_patterns());
    let mut draws = Stream::new(seed, 0, Purpose::NetWeights);
    for value in &mut planted.values {
        *value = (draws.fraction() - 0.5) as f32;
    }
    planted
}

#[test]
fn gradients_of_patterns_equal_finite_differences() {
    for loss in Loss::ALL {
        let settings = settings(1, loss);
        let rows = data::<ConnectFour>(GameId::ConnectFour, 300, &settings, None).train;
        let patterns = planted(3);
        let gradient = patterns.gradient(&rows, loss);
        let count = rows.len() as f64;
        let mut places: Vec<usize> = (0..gradient.len()).collect();
        places.sort_by(|a, b| gradient[*b].abs().total_cmp(&gradient[*a].abs()));
        // The largest, and one of each tenth of all.
        let tenth = places.len() / 10;
        let some = (0..20).chain((0..10).map(|part| part * tenth));
        for place in some.map(|at| places[at]) {
            let exact = f64::from(gradient[place]) / count;
            let step = 1e-2_f32;
            let moved = |by: f32| {
                let mut patterns = patterns.clone();
                patterns.values[place] += by;
                patterns.loss(&rows, loss)
            };
            let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
            assert!(
                (slope - exact).abs() < 0.01 * exact.abs() + 1e-5,
                "{slope} {exact}"
            );
        }
    }
}

#[test]
fn training_recovers_planted_patterns() {
    let settings = settings(150, Loss::CrossEntropy);
    let mut data = data::<ConnectFour>(GameId::ConnectFour, 8_000, &settings, None);
    let planted = planted(11);
    let target = |rows: &sparring::tune::train::TrainRows, index: usize| {
        1.0 / (1.0 + (-planted.output(rows, index, &mut planted.row())).exp())
    };
    data.train.retarget(target);
    data.validation.retarget(target);
    let validation = data.validation.clone();
    let zero = Learner::Patterns(FloatPatterns::zero(some_patterns()));
    let mut train = Train::new(zero, settings, data, 1);
    let squared = |learner: &Learner| learner.loss(&validation, Loss::Squared);
    let before = squared(train.learner());
    let mut last = f64::INFINITY;
    while !train.is_done() {
        let loss = train.advance().train_loss;
        assert!(loss < last + 1e-3, "{last} -> {loss}");
        last = loss;
    }
    // Squared distance of expected points, on positions of games that training has not seen.
    let after = squared(train.learner());
    assert!(after < before / 50.0, "{before} -> {after}");
    let learnt = file_of(&train);
    let (mean, most) = train.quantisation_error(&learnt);
    assert!(mean <= most && most < 1.0, "{mean} {most}");
}

fn trained_patterns(threads: usize, kill_after: Option<u64>) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let settings = TrainSettings {
            teacher: "lines".to_string(),
            shrink: 5.0,
            ..settings(12, Loss::CrossEntropy)
        };
        let begin = || {
            let data = data::<ConnectFour>(GameId::ConnectFour, 900, &settings, Some("lines"));
            let zero = Learner::Patterns(FloatPatterns::zero(some_patterns()));
            Train::new(zero, settings.clone(), data, 5)
        };
        let mut train = begin();
        while !train.is_done() {
            train.advance();
            if Some(train.step()) == kill_after {
                let checkpoint = train.checkpoint();
                train = begin();
                train.restore(&checkpoint).unwrap();
            }
        }
        let mut bytes = train.checkpoint();
        bytes.extend(file_of(&train).to_bytes());
        bytes
    })
}

#[test]
fn patterns_have_the_same_bytes_on_any_number_of_threads_and_after_a_kill() {
    let whole = trained_patterns(1, None);
    assert!(whole == trained_patterns(2, None), "two threads");
    assert!(
        whole == trained_patterns(3, Some(5)),
        "killed, and resumed on three threads"
    );
}
