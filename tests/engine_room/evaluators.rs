//! Properties of every evaluator of every game, and each term of the older presets.

use crate::positions::random_walk;
use sparring::eval::catalog::GameId;
use sparring::eval::{Evaluated, Preset, WeightValue, Weights};
use sparring::games::chess::Chess;
use sparring::games::prelude::*;
use sparring::with_game;

fn recorded_counts_make_every_score<G: Evaluated>(count: usize) {
    for preset in G::presets() {
        recorded_counts_make_the_score::<G>(preset, count);
    }
}

fn recorded_counts_make_the_score<G: Evaluated>(preset: &Preset<G>, count: usize) {
    let weights = Weights::defaults(preset.terms);
    let mut evaluator = (preset.build)(&weights, 0);
    random_walk::<G>(count, |position| {
        let recorded = (preset.trace)(&weights, position);
        let sum = (preset.weigh_trace)(&weights, position, &recorded);
        let score = evaluator.evaluate(position) * position.side_to_move().sign();
        assert_eq!(sum, score, "{} of {}", preset.name, position.fen());
    });
}

#[test]
fn recorded_counts_times_weights_are_the_score_for_every_evaluator() {
    for game in GameId::ALL {
        with_game!(*game, G => recorded_counts_make_every_score::<G>(2_000));
    }
}

#[test]
#[ignore = "takes a minute: the same with 100,000 positions a preset"]
fn recorded_counts_times_weights_are_the_score_on_many_positions() {
    for game in GameId::ALL {
        with_game!(*game, G => recorded_counts_make_every_score::<G>(100_000));
    }
}

/// The weights with which flipping colours negates the score exactly.
fn symmetric_weights<G: Evaluated>(preset: &Preset<G>) -> Weights {
    let mut weights = Weights::defaults(preset.terms);
    // The one choice of an older program that looks at the board from white's side: which of
    // several equally near moves counts.
    let has_ties = preset.terms.iter().any(|term| term.name == "tropism_ties");
    if has_ties {
        weights
            .set(preset.terms, "tropism_ties", &WeightValue::flat(vec![1.0]))
            .expect("a choice");
    }
    weights
}

fn colours_exchanged<G: Evaluated>(count: usize) {
    // The rotation that `simplified` needs has a separate test.
    for preset in G::presets().iter().filter(|p| p.name != "simplified") {
        let weights = symmetric_weights(preset);
        let mut evaluator = (preset.build)(&weights, 0);
        random_walk::<G>(count, |position| {
            let here = evaluator.evaluate(position);
            let there = evaluator.evaluate(&position.colour_flipped());
            assert_eq!(here, there, "{} of {}", preset.name, position.fen());
        });
    }
}

#[test]
fn exchanging_the_colours_leaves_the_movers_score_for_every_evaluator() {
    for game in GameId::ALL {
        with_game!(*game, G => colours_exchanged::<G>(2_000));
    }
}

#[test]
#[ignore = "takes a minute: the same with 100,000 positions a preset"]
fn exchanging_the_colours_leaves_the_movers_score_on_many_positions() {
    for game in GameId::ALL {
        with_game!(*game, G => colours_exchanged::<G>(100_000));
    }
}

/// The position rotated by 180 degrees with flipped colours: the mirrored one with its wings
/// swapped. Castling rights are lost, because kings and queens swap places.
fn turned(position: &Chess) -> Chess {
    let fen = position.colour_flipped().fen();
    let (board, rest) = fen.split_once(' ').expect("fields");
    let rows: Vec<String> = board
        .split('/')
        .map(|row| row.chars().rev().collect())
        .collect();
    let mover = &rest[..1];
    let fen = format!("{} {mover} - - 0 1", rows.join("/"));
    Chess::from_fen(&fen).expect("the same pieces")
}

#[test]
fn turning_the_board_by_half_leaves_the_movers_score_of_simplified() {
    let preset = Chess::preset("simplified").expect("a preset");
    let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
    random_walk::<Chess>(5_000, |position| {
        let here = evaluator.evaluate(position);
        let there = evaluator.evaluate(&turned(position));
        assert_eq!(here, there, "{}", position.fen());
    });
}

#[test]
fn staged_differs_between_the_colours_by_ties_of_tropism_alone() {
    let preset = Chess::preset("staged").expect("a preset");
    let weights = Weights::defaults(preset.terms);
    random_walk::<Chess>(5_000, |position| {
        let here = (preset.explain)(&weights, position);
        let there = (preset.explain)(&weights, &position.colour_flipped());
        for (a, b) in here.terms.iter().zip(&there.terms) {
            if a.name != "tropism" {
                assert_eq!((a.white, a.black), (b.black, b.white), "{}", a.name);
            }
        }
    });
}

#[test]
fn every_term_can_be_named_and_its_default_lies_in_its_range() {
    fn terms_of<G: Evaluated>(game: GameId) {
        for preset in G::presets() {
            let mut weights = Weights::defaults(preset.terms);
            let defaults = weights.clone();
            for (term, value) in defaults.values(preset.terms) {
                let set = weights.set(preset.terms, term.name, &value);
                let name = format!("{} {} {}", game.name(), preset.name, term.name);
                assert!(set.is_ok(), "{name}: {set:?}");
                let twins = preset.terms.iter().filter(|other| other.name == term.name);
                assert_eq!(twins.count(), 1, "{name} is there twice");
            }
            assert_eq!(weights, defaults);
        }
    }
    for game in GameId::ALL {
        with_game!(*game, G => terms_of::<G>(*game));
    }
}
