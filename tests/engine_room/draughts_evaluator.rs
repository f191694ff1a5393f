//! The evaluator `draughts` on every rule set of the family.

use crate::positions::random_walk;
use sparring::eval::catalog::GameId;
use sparring::eval::draughts::Modern;
use sparring::eval::{Evaluated, STEPS, Score, Terms, WeightValue, Weights};
use sparring::games::draughts::{English, Russian};
use sparring::games::prelude::*;

/// Checks symmetry and sums on a game that has the preset.
fn check<G: Evaluated>() -> bool {
    let Some(preset) = G::preset("draughts") else {
        return false;
    };
    let weights = Weights::defaults(preset.terms);
    let mut evaluator = (preset.build)(&weights, 0);
    random_walk::<G>(20_000, |position| {
        let score = evaluator.evaluate(position);
        let flipped = evaluator.evaluate(&position.colour_flipped());
        assert_eq!(score, flipped, "{}", position.fen());
        let told = (preset.explain)(&weights, position);
        let white = f64::from(score * position.side_to_move().sign()) / f64::from(STEPS);
        assert_eq!(told.score, white, "{}", position.fen());
    });
    true
}

#[test]
fn exchanging_the_colours_negates_the_score_in_every_game() {
    let games = GameId::ALL
        .iter()
        .filter(|game| sparring::with_game!(**game, G => check::<G>()));
    assert!(games.count() >= 2, "the draughts family has the preset");
}

/// The score from white's view with weight for one number of one term.
fn alone<G: Game + Evaluated>(name: &str, index: usize, fen: &str) -> Score
where
    Modern: Terms<G>,
{
    let terms = <Modern as Terms<G>>::TERMS;
    let mut weights = Weights::defaults(terms);
    for term in terms {
        let keep = if term.group == "scaling" { 100.0 } else { 0.0 };
        let mut numbers = vec![keep; term.shape().slots()];
        if term.name == name {
            numbers[index] = 1.0;
        }
        let value = WeightValue::flat(numbers);
        weights.set(terms, term.name, &value).expect("in range");
    }
    let position = G::from_fen(fen).expect(fen);
    let preset = G::preset("draughts").expect("a preset of draughts");
    (preset.build)(&weights, 0).evaluate(&position) * position.side_to_move().sign()
}

#[rustfmt::skip]
const ENGLISH: &[(&str, usize, &str, &str, i32)] = &[
    ("man", 0, "W:W21:B1", "W:W21,23:B1", 1),
    ("king", 0, "W:W21:B1", "W:WK21:B1", 1),
    ("advance", 3, "W:W21:B1", "W:W18:B1", 1),
    ("back_rank", 0, "W:W21:B12", "W:W30:B12", 1),
    ("bridge", 0, "W:W30,31:B12", "W:W30,32:B12", 1),
    ("backed", 0, "W:W18,27:B1", "W:W18,23:B1", 1),
    ("runaway", 2, "W:W12:B3", "W:W12:B25", 1),
    ("dog_hole", 0, "W:W6:B1", "W:W5:B1", 1),
    ("mobility", 0, "W:W21:B1", "W:W22:B1", 1),
    ("jump", 0, "W:W21:B3", "W:W21:B17", 1),
    ("trapped_king", 0, "W:WK29:B21,18", "W:WK29:B25,22", 1),
    ("main_road", 0, "W:WK30:B1", "W:WK29:B1", 1),
    ("centre", 0, "W:W21:B1", "W:W18:B1", 1),
    ("edge", 0, "W:W22:B1", "W:W21:B1", 1),
    ("tempo", 0, "B:W22:B1", "W:W22:B1", 2),
];

#[test]
fn each_term_alone_tells_its_two_positions_apart() {
    for &(name, index, without, with, change) in ENGLISH {
        let seen = |fen| alone::<English>(name, index, fen);
        assert_eq!(seen(with) - seen(without), change * STEPS, "{name}");
    }
}

#[test]
fn flying_kings_are_worth_more_and_hard_to_catch() {
    let weights = |terms| Weights::defaults(terms);
    let short = weights(<Modern as Terms<English>>::TERMS).get(1).opening;
    let flying = weights(<Modern as Terms<Russian>>::TERMS).get(1).opening;
    assert!(flying > short);
    let preset = Russian::preset("draughts").expect("a preset of draughts");
    let mut evaluator = (preset.build)(&weights(preset.terms), 0);
    let mut worth = |fen| evaluator.evaluate(&Russian::from_fen(fen).expect(fen));
    assert!(worth("W:WK1,K2,K3:BK32") < worth("W:WK1,K2,K3,K9:BK32") / 2);
}
