//! Speed of the draughts rules: leaves per second from the start position on one core, once with the
//! last level counted and once with every leaf played, in the same run.
//!
//! `cargo bench --bench draughts_perft`; nothing is stored. Short passes and the fastest of many,
//! so that other work on the machine disturbs little.

use sparring::games::draughts::{
    Checkers, Czech, English, Frisian, International, Italian, Russian, Turkish,
};
use sparring::games::{Game, perft};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long each figure is measured.
const PATIENCE: Duration = Duration::from_secs(2);

fn main() {
    println!(
        "{:>14} {:>6} {:>10} {:>13} {:>13} {:>6}",
        "game", "depth", "leaves", "counted", "played", "ratio"
    );
    row::<English>("english", 8);
    row::<Checkers>("checkers", 6);
    row::<Russian>("russian", 8);
    row::<Italian>("italian", 8);
    row::<Czech>("czech", 8);
    row::<International>("international", 6);
    row::<Frisian>("frisian", 6);
    row::<Turkish>("turkish", 6);
}

fn row<G: Game>(name: &str, depth: u32) {
    let start = G::start(0);
    let (leaves, counted) = fastest(|| perft(black_box(&start), depth));
    let (same, played) = fastest(|| play_all(black_box(&start), depth));
    assert_eq!(leaves, same, "{name}: two ways to count the same leaves");
    let speed = |time: Duration| leaves as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{name:>14} {depth:>6} {leaves:>10} {:>8.1} Mnps {:>8.1} Mnps {:>6.2}",
        speed(counted),
        speed(played),
        speed(counted) / speed(played)
    );
}

/// The result of `work` and its shortest time.
fn fastest(mut work: impl FnMut() -> u64) -> (u64, Duration) {
    let begin = Instant::now();
    let (mut result, mut best) = (0, Duration::MAX);
    while begin.elapsed() < PATIENCE {
        let pass = Instant::now();
        result = work();
        best = best.min(pass.elapsed());
    }
    (result, best)
}

/// Perft that makes every move, as a search would.
fn play_all<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    position.for_each_move(|mv| {
        let mut next = position.clone();
        next.play(mv);
        leaves += play_all(&next, depth - 1);
    });
    leaves
}
