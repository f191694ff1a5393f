//! Each term of the older programs' presets: two positions between which only this term changes.

use sparring::eval::{Evaluated, Explanation, Weights};
use sparring::games::chess::Chess;
use sparring::games::draughts::Checkers;

/// A term and two positions. Moves may follow a position, for terms that depend on history.
type Rows = [(&'static str, &'static str, &'static str)];

#[rustfmt::skip]
const MATERIAL: &Rows = &[
    ("pawn", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ("knight", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4N3/4K3 w - - 0 1"),
    ("bishop", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1"),
    ("rook", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"),
    ("queen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"),
];

#[rustfmt::skip]
const STAGED: &Rows = &[
    ("pawn", "8/5p2/8/4K1p1/8/6k1/8/8 w - - 0 1", "8/5p2/4p3/4K1p1/8/6k1/8/8 w - - 0 1"),
    ("knight", "n2n4/n5kn/3n4/5n2/p1N3K1/n7/2p1N3/1n6 w - - 0 1", "n2n4/1n4kn/3n4/5n2/p1N3K1/n7/1np1N3/1n6 w - - 0 1"),
    ("bishop", "8/p7/k1rp2B1/2bnbp2/5nK1/8/7P/b7 w - - 0 1", "8/p7/k1rp2B1/2bnbp2/5nK1/8/1b5P/b7 w - - 0 1"),
    ("rook", "8/5r2/7r/8/5R2/3kK3/1R6/8 b - - 0 1", "8/5r2/5r1r/8/5R2/3kK3/1R6/8 b - - 0 1"),
    ("queen", "6Q1/7Q/4kK2/8/8/8/6P1/8 b - - 0 1", "6Q1/6QQ/4kK2/8/8/8/6P1/8 b - - 0 1"),
    ("bishop_pair", "6K1/2B4k/8/8/3r2r1/8/8/8 w - - 0 1", "6K1/2B4k/B7/8/3r2r1/b7/8/8 w - - 0 1"),
    ("rook_forward", "8/7r/8/8/8/7k/4K3/8 w - - 0 1", "8/7r/8/8/k7/8/4K3/8 w - - 0 1"),
    ("rook_sideways", "2K5/8/8/8/1k3r2/8/8/8 w - - 0 1", "2K5/8/1k6/8/5r2/8/8/8 w - - 0 1"),
    ("rook_backward", "2k2R2/8/8/8/8/5K2/8/8 b - - 0 1", "2k2R2/8/8/8/8/2K5/8/8 b - - 0 1"),
    ("bishop_forward", "8/8/8/6B1/6B1/8/2K5/4k3 w - - 0 1", "8/3K4/8/6B1/6B1/8/8/4k3 w - - 0 1"),
    ("bishop_backward", "8/8/4k3/8/6n1/3K4/8/3b4 b - - 0 1", "8/8/4k3/8/6n1/3K4/8/2b5 b - - 0 1"),
    ("knight_forward", "8/8/7N/1K2N3/4k3/8/8/8 w - - 0 1", "8/5K2/7N/4N3/4k3/8/8/8 w - - 0 1"),
    ("knight_backward", "1q6/3k3K/8/4n3/8/8/8/8 w - - 0 1", "1q6/7K/8/4n3/8/8/3k4/8 w - - 0 1"),
    ("other_moves", "8/8/k7/8/1p6/8/1K6/8 b - - 0 1", "8/1k6/8/8/1p6/8/1K6/8 b - - 0 1"),
    ("doubled_pawn", "2k5/2P5/8/4P3/8/3P4/8/K7 b - - 0 1", "2k5/2P5/8/3P4/8/3P4/8/K7 b - - 0 1"),
    ("isolated_pawn", "8/8/P4pp1/8/8/1k6/8/K7 w - - 0 1", "8/8/PP3pp1/8/8/1k5p/8/K7 w - - 0 1"),
    ("pawn_island", "4k3/7p/1p6/p7/5p2/8/4p1K1/8 b - - 0 1", "4k3/7p/6p1/p7/5p2/8/4p1K1/8 b - - 0 1"),
    ("attacks", "8/3Q4/5k2/8/8/1K6/8/6n1 b - - 0 1", "8/8/5k2/8/8/1K6/4Q3/6n1 b - - 0 1"),
    ("rooks_on_file", "8/8/6r1/5k2/8/7K/7R/6r1 w - - 0 1", "r7/8/6r1/5k2/8/7K/7R/1R4r1 w - - 0 1"),
    ("rooks_on_rank", "8/5rK1/kr6/8/8/8/5R2/8 w - - 0 1", "8/4rrK1/kr6/8/8/8/4RR2/8 w - - 0 1"),
    ("centre_reached_far", "7K/1Q6/8/8/k7/8/8/8 b - - 0 1", "7K/8/1Q6/8/k7/8/8/8 b - - 0 1"),
    ("centre_reached_near", "8/6k1/8/8/1Q6/8/K7/8 w - - 0 1", "8/6k1/1Q6/8/8/8/K7/8 w - - 0 1"),
    ("centre_held", "8/1P6/8/7P/8/2P1K1k1/3p4/8 b - - 0 1", "8/8/P7/3P4/8/2P1K1k1/3p4/8 b - - 0 1"),
    ("castled", "4kb1r/8/8/8/8/8/8/4K2R w Kk - 0 1; e1g1", "4kb1r/8/8/8/8/8/8/5RK1 b - - 0 1"),
    ("shield", "4k2r/8/8/8/8/8/5PPP/4K2R w Kk - 0 1; e1g1 e8g8", "5rk1/8/8/8/8/8/5PPP/5RK1 w - - 0 1"),
    ("king_moved", "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "4k3/8/8/8/8/8/8/4KB1R w - - 0 1"),
    ("tropism", "8/8/3k2Kp/8/8/8/8/8 w - - 0 1", "8/8/1K1k3p/8/8/8/8/8 w - - 0 1"),
    ("pawn_table", "8/8/5k2/8/8/5K1p/8/8 w - - 0 1", "8/8/5k1p/8/8/5K2/8/8 w - - 0 1"),
    ("knight_table", "8/6N1/4K3/n7/2k5/8/8/8 w - - 0 1", "8/6N1/4K3/8/2k5/8/7n/8 w - - 0 1"),
    ("bishop_table", "8/4K3/1B5p/8/5k2/8/8/8 w - - 0 1", "8/4K3/7p/2B5/5k2/8/8/8 w - - 0 1"),
    ("rook_table", "8/8/8/8/7R/2Kk4/8/8 b - - 0 1", "8/8/8/8/6R1/2Kk4/8/8 b - - 0 1"),
    ("queen_table", "8/8/2K5/q7/4k3/8/8/8 w - - 0 1", "8/8/2K5/7q/4k3/8/8/8 w - - 0 1"),
    ("king_table", "5K2/5N1Q/2q5/6Q1/8/8/8/5k2 b - - 0 1", "5K2/5N1Q/2q5/6Q1/8/8/8/3k4 b - - 0 1"),
    ("king_ending_table", "8/8/5k2/8/8/3r4/6K1/8 b - - 0 1", "8/8/5k2/8/8/3r4/5K2/8 b - - 0 1"),
    // En passant is the only legal move.
    ("checkmate", "8/8/8/2B1k1K1/2pP1N2/6N1/8/8 b - - 0 1", "8/8/8/2B1k1K1/2pP1N2/6N1/8/8 b - d3 0 1"),
];

#[rustfmt::skip]
const SIMPLIFIED: &Rows = &[
    ("pawn", "1K6/k7/8/8/1p6/8/8/8 w - - 0 1", "1K6/k7/8/8/1p6/4P3/8/8 w - - 0 1"),
    ("knight", "1r1k4/8/8/8/8/3K4/8/8 b - - 0 1", "1r1k4/8/8/1n6/8/3K4/8/8 b - - 0 1"),
    ("bishop", "8/8/4k3/8/K7/3r4/8/8 b - - 0 1", "8/5B2/4k3/8/K7/3r4/8/8 b - - 0 1"),
    ("rook", "1r1k4/8/8/8/8/3K4/8/8 b - - 0 1", "1r1k4/8/8/8/6r1/3K4/8/8 b - - 0 1"),
    ("queen", "8/1k6/8/1K6/8/3Q4/8/8 b - - 0 1", "8/1k2Q3/8/1K6/8/3Q4/8/8 b - - 0 1"),
    ("pawn_table", "8/3K4/8/5p2/1k6/8/8/8 b - - 0 1", "8/3K4/8/8/1k6/8/3p4/8 b - - 0 1"),
    ("knight_table", "8/7r/8/8/8/7k/4K3/8 w - - 0 1", "8/3n3r/1N6/8/8/7k/4K3/8 w - - 0 1"),
    ("bishop_table", "8/8/1K1k4/8/8/4Q3/8/8 b - - 0 1", "8/8/1K1k4/1B6/8/4Q3/8/5b2 b - - 0 1"),
    ("rook_table", "8/8/7k/8/8/1K6/2r5/8 b - - 0 1", "8/3r4/7k/8/8/1K6/8/8 b - - 0 1"),
    ("queen_table", "8/6k1/8/8/1Q6/8/K7/8 w - - 0 1", "8/6k1/8/8/8/4Q3/K7/8 w - - 0 1"),
    ("king_table", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1", "rnbqkbnr/8/8/8/8/4K3/8/RNBQ1BNR w - - 0 1"),
    ("king_ending_table", "8/2K5/8/8/1P6/8/3k4/8 b - - 0 1", "8/2K5/8/8/1P6/3k4/8/8 b - - 0 1"),
];

#[rustfmt::skip]
const FOUR_FACTOR: &Rows = &[
    ("pawn", "8/8/8/8/3p4/8/5k1K/8 w - - 0 1", "8/8/8/p7/3p4/8/5k1K/8 w - - 0 1"),
    ("knight", "1q6/5K2/8/3k4/8/8/8/8 w - - 0 1", "1q6/5K2/8/3k4/8/6n1/8/8 w - - 0 1"),
    ("bishop", "8/5K2/8/5k2/4R3/8/8/8 w - - 0 1", "8/5K2/8/5k2/4R3/8/3b4/8 w - - 0 1"),
    ("rook", "8/8/4R3/8/2k5/6K1/8/8 w - - 0 1", "8/2r5/4R3/8/2k5/6K1/8/8 w - - 0 1"),
    ("queen", "4K3/1k6/1R6/8/8/8/8/8 b - - 0 1", "4K3/1k6/1R6/6Q1/8/8/8/8 b - - 0 1"),
    ("mobility", "3K2k1/8/8/8/8/Q7/8/8 w - - 0 1", "6k1/8/8/3K4/8/Q7/8/8 w - - 0 1"),
    ("attack", "8/8/1K6/3k4/8/p7/8/8 w - - 0 1", "8/2p5/1K6/3k4/8/8/8/8 w - - 0 1"),
    ("pawn_table", "5k2/8/8/8/1p6/8/4K3/8 b - - 0 1", "5k2/8/8/8/8/2p5/4K3/8 b - - 0 1"),
    ("knight_table", "8/8/8/8/7k/8/8/q5K1 w - - 0 1", "5n2/4N3/8/8/7k/8/8/q5K1 w - - 0 1"),
    ("bishop_table", "8/8/6Rk/8/1K6/8/8/8 b - - 0 1", "8/8/2b3Rk/6B1/1K6/8/8/8 b - - 0 1"),
    ("rook_table", "8/7r/8/8/8/7k/4K3/8 w - - 0 1", "r7/8/8/8/8/7k/4K3/8 w - - 0 1"),
    ("queen_table", "8/1k6/8/1K6/8/3Q4/8/8 b - - 0 1", "8/1k6/8/1K6/8/8/4Q3/8 b - - 0 1"),
    ("king_table", "8/p7/8/7k/8/8/7K/8 w - - 0 1", "8/p7/8/3k4/8/8/7K/8 w - - 0 1"),
];

#[rustfmt::skip]
const SWING: &Rows = &[
    ("pawn", "8/6k1/8/1K6/3p4/8/8/8 w - - 0 1", "8/6k1/8/1K6/1P1p4/8/8/8 w - - 0 1"),
    ("knight", "7k/8/8/8/5K2/8/2N5/1B6 w - - 0 1", "2k5/5B2/8/2K5/7b/8/8/7B b - - 0 1"),
    ("bishop", "8/8/1B6/8/8/1K6/1k6/7B b - - 0 1", "8/B7/1B6/8/8/1K6/1k6/5B2 b - - 0 1"),
    ("rook", "8/3b1Q2/8/8/1R6/3K4/8/5k2 b - - 0 1", "8/3b1Q2/8/8/1R6/1R1K4/8/5k2 b - - 0 1"),
    ("queen", "8/3b3K/3k4/r7/8/8/8/8 w - - 0 1", "8/3b3K/3k4/rq6/8/8/8/8 w - - 0 1"),
    ("mobility", "8/1k6/8/1K6/8/3Q4/8/8 b - - 0 1", "8/1k6/8/1K6/5Q2/8/8/8 b - - 0 1"),
    ("pawn_table", "8/3K4/8/5p2/1k6/8/8/8 b - - 0 1", "8/3K4/8/8/1k6/8/3p4/8 b - - 0 1"),
    ("knight_table", "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "7k/8/3N4/8/8/5n2/1r6/K7 w - - 0 1"),
    ("bishop_table", "7k/4P3/8/8/8/8/8/5K2 w - - 0 1", "1b5k/4P3/8/8/8/8/8/5K1B w - - 0 1"),
    ("rook_table", "8/7r/2k5/K7/8/8/8/8 b - - 0 1", "8/8/2k5/K7/3r4/8/8/8 b - - 0 1"),
    ("queen_table", "8/8/1kK5/8/8/8/5q2/8 w - - 0 1", "8/8/1kK5/8/8/8/8/q7 w - - 0 1"),
    ("king_table", "8/8/8/5q2/8/8/8/3Kk3 w - - 0 1", "8/8/8/K4q2/8/8/8/4k3 w - - 0 1"),
    ("capturing", "8/8/3k2Kp/8/8/8/8/8 w - - 0 1", "8/8/1K1k3p/8/8/8/8/8 w - - 0 1"),
];

#[rustfmt::skip]
const CHECKERS_MATERIAL: &Rows = &[
    ("man", "W:W14:BK16", "W:W14,26:BK16"),
    ("king", "W:W14:BK16", "W:W14:BK16,K24"),
];

#[rustfmt::skip]
const BASIC: &Rows = &[
    ("man", "W:W30:BK8", "W:W30:B3,K8"),
    ("king", "W:WK3:B25", "W:WK3:B25,K30"),
    ("move", "W:WK22:BK31", "W:WK22:BK23"),
];

#[rustfmt::skip]
const EXTREME: &Rows = &[
    ("man", "W:W21:BK15", "W:W21:B10,K15"),
    ("king", "W:WK3:B25", "W:WK3:B25,K30"),
    ("move", "W:WK22:BK31", "W:WK22:BK23"),
    ("back_row", "W:W30:BK8", "W:W22:BK8"),
    ("edge_man", "W:W23:BK17", "W:W21:BK17"),
    ("edge_king", "W:WK18:BK31", "W:WK18:BK5"),
];

#[rustfmt::skip]
const ADAPTIVE: &Rows = &[
    ("material", "W:WK3:B25", "W:WK3:B25,K30"),
    // A lone king scores 60, and so does a king with a man.
    ("move", "W:WK23:BK26", "W:WK23,24:BK26"),
];

fn explained<G: Evaluated>(preset: &str, text: &str) -> Explanation {
    let preset = G::preset(preset).expect("a preset");
    let (fen, moves) = text.split_once(';').unwrap_or((text, ""));
    let mut position = G::from_fen(fen).expect("a test position");
    for mv in moves.split_whitespace() {
        position.play(position.parse_move(mv).expect("a legal move"));
    }
    (preset.explain)(&Weights::defaults(preset.terms), &position)
}

fn each_alone<G: Evaluated>(preset: &str, rows: &Rows) {
    for (term, one, other) in rows {
        let (one, other) = (explained::<G>(preset, one), explained::<G>(preset, other));
        let changed: Vec<&str> = one
            .terms
            .iter()
            .zip(&other.terms)
            .filter(|(a, b)| ((a.white - a.black) - (b.white - b.black)).abs() > 1e-6)
            .map(|(a, _)| &*a.name)
            .collect();
        assert_eq!(changed, [*term], "{preset}");
    }
    let listed = explained::<G>(preset, rows[0].1);
    for term in &listed.terms {
        let tested = rows.iter().any(|(name, ..)| *name == term.name);
        assert!(tested, "{preset}: no test position for `{}`", term.name);
    }
}

#[test]
fn each_term_of_the_older_chess_presets_can_change_alone() {
    each_alone::<Chess>("material", MATERIAL);
    each_alone::<Chess>("staged", STAGED);
    each_alone::<Chess>("simplified", SIMPLIFIED);
    each_alone::<Chess>("four-factor", FOUR_FACTOR);
    each_alone::<Chess>("swing", SWING);
}

#[test]
fn each_term_of_the_older_checkers_presets_can_change_alone() {
    each_alone::<Checkers>("material", CHECKERS_MATERIAL);
    each_alone::<Checkers>("basic", BASIC);
    each_alone::<Checkers>("extreme", EXTREME);
    each_alone::<Checkers>("adaptive", ADAPTIVE);
}

/// What the end of the game adds to the other terms, from white's side.
fn game_over(preset: &str, fen: &str) -> Option<f64> {
    let explanation = explained::<Chess>(preset, fen);
    let end = explanation
        .terms
        .iter()
        .find(|term| term.group == sparring::eval::GAME_OVER);
    end.map(|term| term.white - term.black)
}

#[test]
fn mate_and_stalemate_count_for_the_side_that_delivers_them() {
    let back_rank = "3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    let cornered = "k7/P7/K7/8/8/8/8/8 b - - 0 1";
    assert_eq!(game_over("simplified", back_rank), Some(5000.0));
    assert_eq!(game_over("simplified", cornered), Some(-2000.0));
    assert_eq!(game_over("four-factor", back_rank), Some(20_000.0));
    assert_eq!(game_over("four-factor", cornered), Some(200.0));
    assert_eq!(game_over("swing", back_rank), None);
    let full_board = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(game_over("simplified", full_board), None, "no ending yet");
    assert_eq!(game_over("four-factor", full_board), Some(-20_000.0));
}
