//! Evaluations per second of every preset of every game, on positions of random games, one thread.
//! `cargo bench --bench evaluators` runs all; a game's name after `--` runs that game alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use sparring::eval::catalog::GameId;
use sparring::eval::{Evaluated, Weights};

/// Enough positions that no branch predictor memorises them.
const POSITIONS: usize = 20_000;

/// The best of several rounds: the least disturbed one.
const ROUNDS: usize = 5;

fn measure<G: Evaluated>(game: &str) {
    let positions = positions::<G>();
    for preset in G::presets() {
        let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for position in &positions {
                black_box(evaluator.evaluate(black_box(position)));
            }
            best = best.min(start.elapsed());
        }
        let rate = positions.len() as f64 / best.as_secs_f64() / 1e6;
        println!("{:14} {:12} {rate:8.2}", game, preset.name);
    }
}

/// Positions in the order in which random games meet them.
fn positions<G: Evaluated>() -> Vec<G> {
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut below = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % bound
    };
    let mut all = Vec::with_capacity(POSITIONS);
    while all.len() < POSITIONS {
        let mut position = G::start(below(G::STARTS as usize) as u32);
        for _ in 0..120 {
            let mut moves = Vec::new();
            position.for_each_move(|mv| moves.push(mv));
            if moves.is_empty() || position.end_by_position().is_some() {
                break;
            }
            all.push(position.clone());
            position.play(moves[below(moves.len())]);
        }
    }
    all
}

fn main() {
    // Cargo passes `--bench`; anything else names a game.
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    println!("{:14} {:12} {:>8}", "game", "evaluator", "million/s");
    for game in GameId::ALL {
        if wanted.as_deref().is_none_or(|name| name == game.name()) {
            sparring::with_game!(*game, G => measure::<G>(game.name()));
        }
    }
}
