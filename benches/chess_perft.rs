//! Leaves per second of chess perft: through our `Game` trait, and through the rules crate alone.
//!
//! The two take turns in one run, each turn lasts milliseconds, and the best turns are compared:
//! those in which the machine did nothing else. Perft counts its leaves in bulk: there the bound
//! is 10 %. Where every leaf is made, ours may take a fifth longer: its board is made for
//! searches, where what moves and what it takes cannot be predicted from the previous move.

use std::hint::black_box;
use std::time::Instant;

use cozy_chess::Board;
use sparring::games::chess::Chess;
use sparring::games::perft;
use sparring::games::prelude::*;

/// Position, depth, leaves.
const POSITIONS: [(&str, u32, u64); 3] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        4,
        197_281,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
        97_862,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
];

const ROUNDS: usize = 400;

/// Perft as a user of the rules crate writes it, the last level counted in bulk like ours.
fn crate_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
        return leaves;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            leaves += crate_perft(&next, depth - 1);
        }
        false
    });
    leaves
}

/// The same where every leaf is made, as a search does.
fn crate_made(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            leaves += crate_made(&next, depth - 1);
        }
        false
    });
    leaves
}

fn our_made<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    position.for_each_move(|mv| {
        let mut next = position.clone();
        next.play(mv);
        leaves += our_made(&next, depth - 1);
    });
    leaves
}

fn seconds(expected: u64, count: impl FnOnce() -> u64) -> f64 {
    let begin = Instant::now();
    let leaves = black_box(count());
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(leaves, expected, "the count is wrong");
    seconds
}

fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::MAX, f64::min)
}

fn report(name: &str, leaves: u64, ours: &[f64], theirs: &[f64]) {
    let rate = |times: &[f64]| leaves as f64 / best(times) / 1e6;
    println!(
        "{name:<18} ours {:6.1}, rules crate {:6.1} million leaves/s; our time is {:.3} of theirs",
        rate(ours),
        rate(theirs),
        best(ours) / best(theirs)
    );
}

fn main() {
    for (fen, depth, leaves) in POSITIONS {
        let position = Chess::from_fen(fen).expect("a right FEN");
        let board: Board = fen.parse().expect("a right FEN");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (mut ours_made, mut theirs_made) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(seconds(leaves, || perft(black_box(&position), depth)));
            theirs.push(seconds(leaves, || crate_perft(black_box(&board), depth)));
            ours_made.push(seconds(leaves, || our_made(black_box(&position), depth)));
            theirs_made.push(seconds(leaves, || crate_made(black_box(&board), depth)));
        }
        println!("{fen}");
        report("  leaves counted", leaves, &ours, &theirs);
        report("  every leaf made", leaves, &ours_made, &theirs_made);
    }
}
