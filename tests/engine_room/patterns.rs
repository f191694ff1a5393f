//! Patterns: lookups against a slow reference and from scratch, symmetries, and the file format.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::positions::random_walk;
use sparring::eval::catalog::GameId;
use sparring::eval::patterns::{
    PatternEvaluator, PatternParts, PatternSet, PatternView, Patterns, explain,
};
use sparring::eval::{Evaluated, Evaluator, Learnt};
use sparring::games::Side;
use sparring::games::connect_four::ConnectFour;
use sparring::games::draughts::{English, International};
use sparring::games::othello::Othello;
use sparring::games::prelude::*;
use sparring::with_game;

/// Patterns of every kind for a game: squares in a row, some seen by the mover only.
fn a_set(game: GameId, stages: usize) -> PatternSet {
    let layout = &game.facts().layout;
    let squares: Vec<usize> = (0..layout.squares)
        .filter(|square| (layout.place)(*square).is_some())
        .collect();
    let name = |square: usize| {
        let (row, column) = (layout.place)(square).unwrap();
        match game.rules().number_at(row, column) {
            Some(number) => number.to_string(),
            None => {
                let rank = match game.facts().row_1_at_top {
                    true => row + 1,
                    false => game.facts().rows - row,
                };
                format!("{}{rank}", char::from(b'a' + column as u8))
            }
        }
    };
    let mut text = format!("game {}\nstages {stages}\n", game.name());
    for (index, three) in squares.chunks(3).enumerate() {
        if index == 5 {
            text.push_str("view mover\n");
        }
        let names: Vec<String> = three.iter().map(|square| name(*square)).collect();
        text.push_str(&format!("p{index}: {}\n", names.join(" ")));
    }
    PatternSet::parse(&text).unwrap()
}

/// Weights that differ between all entries, the same for entries that mean the same.
fn random_parts(set: PatternSet) -> PatternParts {
    let geometry = sparring::eval::patterns::Geometry::new(&set);
    let kinds = set.game.facts().layout.kinds;
    let stages = set.stages;
    let number = |row: usize, stage: usize| {
        let mixed = (row as u64 * 31 + stage as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 52) as i16 - 2048
    };
    let rows = |rows: Vec<usize>| -> Vec<i16> {
        let all = rows.into_iter();
        all.flat_map(|row| (0..stages).map(move |stage| number(row, stage)))
            .collect()
    };
    PatternParts {
        weights: rows(geometry.alias.iter().map(|at| *at as usize).collect()),
        material: rows((1_000_000..1_000_000 + kinds).collect()),
        tempo: rows(vec![2_000_000]),
        step: 3,
        scale: 150.0,
        provenance: BTreeMap::from([("made_by".to_string(), "a test".to_string())]),
        set,
    }
}

/// The score from the mover's side, straight from the definition: the diagram's letters, seen from
/// either side, at every image of every pattern that is another set of squares.
fn slow_reference<G: Game>(parts: &PatternParts, position: &G) -> i64 {
    let layout = &G::LAYOUT;
    let stages = parts.set.stages;
    let content = |square: usize| -> Option<(Side, usize)> {
        let (row, column) = (layout.place)(square)?;
        let letter = position.letter_at(row, column);
        let look = G::PIECES.iter().find(|look| look.letter == letter)?;
        let kind = match layout.kinds {
            6 => "pnbrqk".find(letter.to_ascii_lowercase()).unwrap(),
            _ => usize::from(letter.is_uppercase()),
        };
        Some((look.side, kind))
    };
    let pieces: Vec<(Side, usize)> = (0..layout.squares).filter_map(content).collect();
    // Twice the number of stages' steps of the full board: exact.
    let at = pieces.len() as i64 * (stages as i64 - 1);
    let most = layout.most_pieces as i64;
    let low = (at / most).min(stages as i64 - 2) as usize;
    let high_share = at - low as i64 * most;
    let mut sum = 0;
    let mut add = |weights: &[i16], row: usize, times: i64| {
        let (one, two) = (weights[row * stages + low], weights[row * stages + low + 1]);
        sum += times * (i64::from(one) * (most - high_share) + i64::from(two) * high_share);
    };
    let mover = position.side_to_move();
    add(&parts.tempo, 0, 1);
    for (side, kind) in &pieces {
        add(&parts.material, *kind, if *side == mover { 1 } else { -1 });
    }
    let mut first = 0;
    for pattern in &parts.set.patterns {
        let mut places: Vec<Vec<usize>> = vec![pattern.squares.clone()];
        for symmetry in layout.symmetries {
            let image: Vec<usize> = pattern.squares.iter().map(|at| symmetry(*at)).collect();
            let is_same = |place: &Vec<usize>| place.iter().all(|at| image.contains(at));
            if !places.iter().any(is_same) {
                places.push(image);
            }
        }
        for viewer in Side::BOTH {
            if pattern.view == PatternView::Mover && viewer != mover {
                continue;
            }
            for place in &places {
                let mut entry = 0;
                for square in place.iter().rev() {
                    let actual = match viewer {
                        Side::White => *square,
                        Side::Black => (layout.flip)(*square),
                    };
                    let digit = content(actual).map_or(0, |(side, kind)| {
                        1 + kind + if side == viewer { 0 } else { layout.kinds }
                    });
                    entry = entry * pattern.states() + digit;
                }
                add(
                    &parts.weights,
                    first + entry,
                    if viewer == mover { 1 } else { -1 },
                );
            }
        }
        first += pattern.entries();
    }
    sum * i64::from(parts.step) / most
}

fn scores_equal_the_reference<G: Evaluated>(game: GameId, count: usize) {
    let parts = random_parts(a_set(game, 3));
    let patterns = Arc::new(Patterns::new(parts.clone()).unwrap());
    let mut followed = PatternEvaluator::of(patterns.clone());
    random_walk::<G>(count, |position| {
        let score = Evaluator::<G>::evaluate(&mut followed, position);
        let fresh = PatternEvaluator::of(patterns.clone())
            .score(&position.piece_sets(), position.side_to_move());
        assert_eq!(score, fresh, "{}: {}", game.name(), position.fen());
        let expected = slow_reference(&parts, position);
        assert_eq!(
            i64::from(score),
            expected,
            "{}: {}",
            game.name(),
            position.fen()
        );
        let flipped = Evaluator::<G>::evaluate(&mut followed, &position.colour_flipped());
        assert_eq!(score, flipped, "{}: {}", game.name(), position.fen());
    });
}

#[test]
fn scores_along_random_games_equal_a_slow_reference_and_a_fresh_start_in_every_game() {
    for game in GameId::ALL {
        with_game!(*game, G => scores_equal_the_reference::<G>(*game, 300));
    }
}

#[test]
fn a_position_and_its_mirror_image_have_the_same_score() {
    let patterns = Arc::new(Patterns::new(random_parts(a_set(GameId::Othello, 2))).unwrap());
    let mut evaluator = PatternEvaluator::of(patterns);
    random_walk::<Othello>(200, |position| {
        let (sets, mover) = (position.piece_sets(), position.side_to_move());
        let score = evaluator.score(&sets, mover);
        for symmetry in Othello::LAYOUT.symmetries {
            let mut image = sets;
            for side in 0..2 {
                let squares = (0..64).filter(|square| sets[side][0] >> square & 1 == 1);
                image[side][0] = squares.map(|square| 1 << symmetry(square)).sum();
            }
            assert_eq!(evaluator.score(&image, mover), score, "{}", position.fen());
        }
    });
}

#[test]
fn the_effects_of_an_explanation_add_up_to_the_score() {
    fn check<G: Evaluated>(game: GameId) {
        let patterns = Arc::new(Patterns::new(random_parts(a_set(game, 4))).unwrap());
        let names: Vec<String> = patterns
            .parts()
            .set
            .patterns
            .iter()
            .map(|it| it.name.clone())
            .collect();
        random_walk::<G>(100, |position| {
            let explained = explain(&patterns, position);
            let sum: f64 = explained.terms.iter().map(|it| it.white - it.black).sum();
            // The score is cut off at a hundredth.
            assert!(
                (sum - explained.score).abs() < 0.011,
                "{sum} {}",
                explained.score
            );
            for name in &names {
                assert!(explained.terms.iter().any(|term| term.name == *name));
            }
        });
    }
    check::<International>(GameId::International);
    check::<ConnectFour>(GameId::ConnectFour);
    check::<English>(GameId::English);
}

#[test]
fn a_file_of_patterns_is_read_back_the_same_and_damage_is_refused_by_name() {
    let parts = random_parts(a_set(GameId::English, 2));
    let bytes = parts.to_bytes();
    let Learnt::Patterns(read) = Learnt::read(&bytes, "here").unwrap() else {
        panic!("patterns were written");
    };
    assert_eq!(*read.parts(), parts);
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.origin(), "here");
    let refused = |bytes: &[u8]| Learnt::read(bytes, "").unwrap_err().to_string();
    assert!(refused(&bytes[..bytes.len() - 1]).starts_with("damaged: "));
    let mut other = parts.clone();
    other.weights.pop();
    other.weights.pop();
    let error = Patterns::new(other.clone()).unwrap_err().to_string();
    assert!(error.contains("tensor `weights` has"), "{error}");
    assert!(refused(&other.to_bytes()).contains("tensor `weights` has"));
    // The header is text: its numbers can be changed in place.
    let text =
        String::from_utf8_lossy(&bytes[8..bytes.len() - 2 * parts.weights.len()]).into_owned();
    let from = text.find("p0: 1 2 3").unwrap() + 8;
    let mut wrong = bytes.clone();
    wrong[from + 4] = b'x';
    assert!(
        refused(&wrong).contains("square `x`"),
        "{}",
        refused(&wrong)
    );
    let misfit = Learnt::read(&bytes, "").unwrap().misfit(GameId::Russian);
    assert_eq!(misfit.unwrap(), "patterns for english, not for russian");
}

#[test]
fn the_shipped_texts_of_patterns_can_be_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/patterns");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(&path).unwrap();
            let set = PatternSet::parse(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            assert_eq!(path.file_stem().unwrap().to_str().unwrap(), set.game.name());
            read += 1;
        }
    }
    assert!(read >= 5, "{read}");
}
