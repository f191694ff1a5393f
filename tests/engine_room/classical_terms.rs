//! Each term of `classical`: a pair of positions between which it changes, scored by an evaluator
//! with all other weights at zero.

use sparring::eval::chess::Classical;
use sparring::eval::{Cached, Evaluator, Linear, Role, STEPS, Score, Term, Terms, WeightValue};
use sparring::eval::{Weights, slot};
use sparring::games::chess::Chess;
use sparring::games::prelude::*;

const TERMS: &[Term] = <Classical as Terms<Chess>>::TERMS;

/// A linear term: the change of its count, white's minus black's, from one position to another.
struct Case {
    term: &'static str,
    /// Which number of the term, for lists and tables.
    index: usize,
    without: &'static str,
    with: &'static str,
    change: i32,
}

const fn case(
    term: &'static str,
    index: usize,
    without: &'static str,
    with: &'static str,
    change: i32,
) -> Case {
    Case {
        term,
        index,
        without,
        with,
        change,
    }
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[rustfmt::skip]
const LINEAR: &[Case] = &[
    case("pawn", 0, KINGS, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1),
    case("knight", 0, KINGS, "4k3/8/8/8/8/8/4N3/4K3 w - - 0 1", 1),
    case("bishop", 0, KINGS, "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1", 1),
    case("rook", 0, KINGS, "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", 1),
    case("queen", 0, KINGS, "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", 1),
    case("own_pairs", 1, "4k3/8/8/8/8/8/4N3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3PNP2/4K3 w - - 0 1", 2),
    case("enemy_pairs", 0, "4k3/8/8/8/8/8/3NN3/4K3 w - - 0 1", "4k3/3ppp2/8/8/8/8/3NN3/4K3 w - - 0 1", 6),
    case("bishop_pair", 0, "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", 1),
    case("pawn_table", 36, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", 1),
    case("knight_table", 45, "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", 1),
    case("bishop_table", 34, "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "4k3/8/8/8/2B5/8/8/4K3 w - - 0 1", 1),
    case("rook_table", 59, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", 1),
    case("queen_table", 27, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/8/8/3Q4/8/8/8/4K3 w - - 0 1", 1),
    case("king_table", 62, KINGS, "4k3/8/8/8/8/8/8/6K1 w - - 0 1", 1),
    case("knight_mobility", 8, "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 1),
    case("bishop_mobility", 13, "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", 1),
    case("rook_mobility", 14, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/R7/8/4K3 w - - 0 1", 1),
    case("queen_mobility", 27, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", 1),
    case("doubled", 0, "4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1", 1),
    case("isolated", 0, "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1", 2),
    case("backward", 0, "4k3/8/8/p7/2P1P3/3P4/8/4K3 w - - 0 1", "4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1", 1),
    case("unopposed", 0, "4k3/8/3pp3/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/2pp4/8/4P3/8/8/4K3 w - - 0 1", 1),
    case("islands", 0, "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1", 1),
    case("connected", 1, "4k3/8/8/8/8/4P3/P7/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/3P4/4K3 w - - 0 1", 1),
    case("phalanx", 2, "4k3/8/8/8/3P4/8/P7/4K3 w - - 0 1", "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", 2),
    case("passed", 3, "4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1", "4k3/p7/8/4P3/8/8/8/4K3 w - - 0 1", 1),
    case("candidate", 2, "4k3/8/4p3/8/P2P4/8/8/4K3 w - - 0 1", "4k3/8/4p3/8/3PP3/8/8/4K3 w - - 0 1", 1),
    case("space", 0, "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", 8),
    case("passed_own_king", 1, "k7/8/8/4P3/8/8/8/4K3 w - - 0 1", "k7/8/8/3KP3/8/8/8/8 w - - 0 1", 1),
    case("passed_enemy_king", 7, "k7/8/8/P7/8/8/8/4K3 w - - 0 1", "7k/8/8/P7/8/8/8/4K3 w - - 0 1", 1),
    case("passed_blocked", 3, "n6k/8/8/4P3/8/8/8/4K3 w - - 0 1", "7k/8/4n3/4P3/8/8/8/4K3 w - - 0 1", 1),
    case("passed_free", 3, "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "8/8/8/4P3/8/8/8/k3K3 w - - 0 1", 1),
    case("passed_safe_step", 3, "8/3k4/8/4P3/8/8/8/4K3 w - - 0 1", "8/8/8/4P3/8/8/8/k3K3 w - - 0 1", 1),
    case("passed_rook_behind", 0, "7k/8/8/4P3/8/8/8/K2R4 w - - 0 1", "7k/8/8/4P3/8/8/8/K3R3 w - - 0 1", 1),
    case("passed_unstoppable", 0, "8/2k5/8/P7/8/8/8/4K3 w - - 0 1", "8/8/8/P6k/8/8/8/4K3 w - - 0 1", 1),
    case("king_shield", 1, "4k3/8/8/8/8/8/8/6K1 w - - 0 1", "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 3),
    case("king_storm", 2, "4k3/6p1/8/8/8/8/8/6K1 w - - 0 1", "4k3/8/8/8/8/6p1/8/6K1 w - - 0 1", 1),
    case("king_storm_blocked", 0, "4k3/8/8/8/6p1/8/6P1/6K1 w - - 0 1", "4k3/8/8/8/8/6p1/6P1/6K1 w - - 0 1", 1),
    case("king_open_file", 0, "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "4k3/8/8/8/8/8/5PP1/6K1 w - - 0 1", 1),
    case("king_half_open_file", 0, "4k3/7p/8/8/8/8/5PPP/6K1 w - - 0 1", "4k3/7p/8/8/8/8/5PP1/6K1 w - - 0 1", 1),
    case("king_pawn_distance", 0, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", 3),
    case("king_pawnless_flank", 0, "k7/8/8/8/8/8/P3P3/6K1 w - - 0 1", "k7/8/8/8/8/8/P7/6K1 w - - 0 1", 1),
    case("castling", 0, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
    case("rook_open_file", 0, "4k3/8/8/8/8/8/P7/R5K1 w - - 0 1", "4k3/8/8/8/8/8/P7/3R2K1 w - - 0 1", 1),
    case("rook_half_open_file", 0, "4k3/3p4/8/8/8/8/P7/R5K1 w - - 0 1", "4k3/3p4/8/8/8/8/P7/3R2K1 w - - 0 1", 1),
    case("rook_seventh", 0, "4k3/8/R7/8/8/8/8/6K1 w - - 0 1", "4k3/R7/8/8/8/8/8/6K1 w - - 0 1", 1),
    case("rook_connected", 0, "4k3/8/8/8/8/8/3R4/R5K1 w - - 0 1", "4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", 1),
    case("knight_outpost", 0, "4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", "4k3/7p/8/3N4/4P3/8/8/4K3 w - - 0 1", 1),
    case("bishop_outpost", 0, "4k3/2p5/8/3B4/4P3/8/8/4K3 w - - 0 1", "4k3/7p/8/3B4/4P3/8/8/4K3 w - - 0 1", 1),
    case("outpost_near", 0, "4k3/8/8/8/4P3/8/8/N3K3 w - - 0 1", "4k3/8/8/8/4P3/2N5/8/4K3 w - - 0 1", 1),
    case("bishop_own_pawns", 0, "4k3/8/8/8/8/3P4/8/2B1K3 w - - 0 1", "4k3/8/8/8/3P4/8/8/2B1K3 w - - 0 1", 1),
    case("bishop_long_diagonal", 0, "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", 1),
    case("minor_behind_pawn", 0, "4k3/8/8/8/3P4/4N3/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/4N3/8/4K3 w - - 0 1", 1),
    case("minor_far_from_king", 0, "7k/8/8/8/8/8/3N4/4K3 w - - 0 1", "3N3k/8/8/8/8/8/8/4K3 w - - 0 1", 6),
    case("threat_by_pawn", 0, "4k3/8/3n4/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", 1),
    case("threat_by_minor", 3, "r6k/8/8/8/8/5N2/8/6K1 w - - 0 1", "7k/8/8/4r3/8/5N2/8/6K1 w - - 0 1", 1),
    case("threat_by_rook", 4, "q3k3/8/8/8/8/8/8/3R2K1 w - - 0 1", "3qk3/8/8/8/8/8/8/3R2K1 w - - 0 1", 1),
    case("threat_by_king", 0, "n6k/8/8/8/4K3/8/8/8 w - - 0 1", "7k/8/8/3n4/4K3/8/8/8 w - - 0 1", 1),
    case("hanging", 0, "7k/8/4p3/3b4/8/8/8/3R2K1 w - - 0 1", "7k/4p3/8/3b4/8/8/8/3R2K1 w - - 0 1", 1),
    case("threat_by_push", 0, "n6k/8/8/8/8/4P3/8/4K3 w - - 0 1", "7k/8/8/3n4/8/4P3/8/4K3 w - - 0 1", 1),
    case("restricted", 0, KINGS, "4k3/8/8/1n6/8/5N2/8/3RK3 w - - 0 1", 1),
    case("tempo", 0, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", KINGS, 2),
    case("lone_king_edge", 0, "8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "k7/8/8/8/8/8/8/1R2K3 w - - 0 1", 6),
    case("lone_king_near", 0, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/4K3/8/8/8/8/R7 w - - 0 1", 5),
];

/// Scores a position from white's view with only the weights of `set`.
fn alone(set: &[(&str, WeightValue)], fen: &str) -> Score {
    let mut weights = Weights::defaults(TERMS);
    for term in TERMS {
        let keep = if term.group == "scaling" { 100.0 } else { 0.0 };
        let off = WeightValue::flat(vec![keep]);
        weights.set(TERMS, term.name, &off).expect("in every range");
    }
    for (name, value) in set {
        weights.set(TERMS, name, value).expect("a value in range");
    }
    judged(weights, fen)
}

/// The score from white's view; the same with and without caches.
fn judged(weights: Weights, fen: &str) -> Score {
    let position = Chess::from_fen(fen).expect(fen);
    let sign = position.side_to_move().sign();
    let plain = Linear::<Chess, Classical>::new(weights.clone()).evaluate(&position);
    let cached = Cached::<Chess, Classical>::new(weights).evaluate(&position);
    assert_eq!(plain, cached, "{fen}");
    plain * sign
}

#[test]
fn each_linear_term_alone_tells_its_two_positions_apart() {
    for case in LINEAR {
        let term = TERMS.iter().find(|term| term.name == case.term);
        let term = term.unwrap_or_else(|| panic!("no term `{}`", case.term));
        let mut numbers = vec![0.0; term.shape().slots()];
        numbers[case.index] = 1.0;
        let set = [(case.term, WeightValue::flat(numbers))];
        let change = alone(&set, case.with) - alone(&set, case.without);
        assert_eq!(change, case.change * STEPS, "{}", case.term);
        assert_ne!(change, 0, "{}", case.term);
    }
}

#[test]
fn every_linear_term_has_its_pair_of_positions() {
    for term in TERMS.iter().filter(|term| term.role == Role::Linear) {
        let cases = LINEAR.iter().filter(|case| case.term == term.name).count();
        assert_eq!(cases, 1, "cases of `{}`", term.name);
    }
}

/// A parameter: one position where it matters, and one where it does not.
#[rustfmt::skip]
const PARAMETERS: &[(&str, &str, &str)] = &[
    ("danger_attacker", KINGS, ATTACK),
    ("danger_ring_hit", KINGS, ATTACK),
    ("danger_weak_square", KINGS, ATTACK),
    ("danger_safe_check", KINGS, ATTACK),
    ("danger_open_line", KINGS, ATTACK),
    ("danger_base", KINGS, ATTACK),
    ("danger_no_queen", ATTACK, ATTACK_NO_QUEEN),
    ("danger_opening", KINGS, ATTACK),
    ("danger_ending", KINGS, ATTACK),
    ("scale_lone_minor", "4k3/p7/8/8/8/8/8/2BBK3 w - - 0 1", "4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1"),
    ("scale_two_knights", "4k3/8/8/8/8/8/8/2BNK3 w - - 0 1", "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"),
    ("scale_no_pawns", "4k2b/8/8/8/8/8/P7/3RK3 w - - 0 1", "4k2b/8/8/8/8/8/8/3RK3 w - - 0 1"),
    ("scale_one_pawn", "4k2b/8/8/8/8/8/PP6/2B1K3 w - - 0 1", "4k2b/8/8/8/8/8/P7/2B1K3 w - - 0 1"),
    ("scale_opposite_bishops", "3bk3/8/8/8/8/8/PP6/2B1K3 w - - 0 1", "2b1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1"),
    ("scale_opposite_bishops_more", "2b1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1", "r1b1k3/8/8/8/8/8/PP6/R1B1K3 w - - 0 1"),
    ("scale_wrong_bishop", "k7/8/8/8/8/8/1P6/2B1K3 w - - 0 1", "k7/8/8/8/8/8/P7/2B1K3 w - - 0 1"),
];

/// Queen and knight before a king's castle.
const ATTACK: &str = "r4rk1/5pp1/8/6NQ/8/3B4/6PP/R5KR w - - 0 1";
const ATTACK_NO_QUEEN: &str = "r4rk1/5pp1/8/6NR/8/3B4/6PP/R5KR w - - 0 1";

#[test]
fn each_parameter_has_a_say_where_it_should_and_nowhere_else() {
    for &(name, without, with) in PARAMETERS {
        let moved = |fen: &str| {
            let weights = Weights::defaults(TERMS);
            let before = judged(weights.clone(), fen);
            let first = weights.get(slot(TERMS, name)).opening;
            let term = TERMS.iter().find(|term| term.name == name);
            let slots = term.map_or(1, |term| term.shape().slots());
            let step = if first > 0 { -1.0 } else { 1.0 };
            let numbers = (0..slots)
                .map(|index| {
                    let now = weights.get(slot(TERMS, name) + index).opening;
                    f64::from(now) / f64::from(STEPS) + step
                })
                .collect();
            let mut changed = weights;
            changed
                .set(TERMS, name, &WeightValue::flat(numbers))
                .expect("in range");
            judged(changed, fen) != before
        };
        assert!(moved(with), "{name} should matter in {with}");
        assert!(!moved(without), "{name} should not matter in {without}");
    }
}

#[test]
fn every_parameter_has_its_pair_of_positions() {
    for term in TERMS.iter().filter(|term| term.role == Role::Parameter) {
        let cases = PARAMETERS.iter().filter(|case| case.0 == term.name).count();
        assert_eq!(cases, 1, "cases of `{}`", term.name);
    }
}

#[test]
fn danger_grows_faster_than_its_signs() {
    let set = |opening: f64| {
        [
            ("danger_attacker", WeightValue::flat(vec![opening])),
            ("danger_opening", WeightValue::flat(vec![-100.0])),
        ]
    };
    let (one, two) = (alone(&set(10.0), ATTACK), alone(&set(20.0), ATTACK));
    assert!(two > 3 * one && one > 0, "{one} {two}");
}
