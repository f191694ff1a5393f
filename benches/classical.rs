//! Evaluations a second of `classical` and, for comparison, `simplified`: positions of short
//! games in the order a search might meet them, one thread.

use std::hint::black_box;
use std::time::Instant;

use sparring::eval::{Evaluated, Weights};
use sparring::games::Game;
use sparring::games::chess::Chess;

/// Evaluations timed per preset.
const EVALUATIONS: usize = 5_000_000;

/// Children of positions met by moves drawn from a fixed sequence.
fn positions() -> Vec<Chess> {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut all = Vec::new();
    for _ in 0..60 {
        let mut position = Chess::start(0);
        for ply in 0..70 {
            let mut moves = Vec::new();
            position.for_each_move(|mv| moves.push(mv));
            if moves.is_empty() {
                break;
            }
            if ply % 7 == 6 {
                all.extend(moves.iter().map(|&mv| {
                    let mut child = position.clone();
                    child.play(mv);
                    child
                }));
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position.play(moves[(state >> 11) as usize % moves.len()]);
        }
    }
    all
}

fn main() {
    let positions = positions();
    println!("{} positions", positions.len());
    for name in ["simplified", "classical"] {
        let preset = Chess::preset(name).expect("a preset of chess");
        let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
        let start = Instant::now();
        for position in positions.iter().cycle().take(EVALUATIONS) {
            black_box(evaluator.evaluate(black_box(position)));
        }
        let seconds = start.elapsed().as_secs_f64();
        let rate = EVALUATIONS as f64 / seconds / 1e6;
        println!("{name:12} {rate:6.2} million evaluations/s");
    }
}
