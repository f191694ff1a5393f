//! Nets: inference against a slow reference, increments against a fresh start, the file format, and
//! bullet's layout against numbers computed with NumPy.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::positions::random_walk;
use sparring::eval::catalog::GameId;
use sparring::eval::net::{Kernel, Net, NetEvaluator, NetParts, NetShape};
use sparring::eval::{Evaluated, Evaluator, Weights};
use sparring::games::Side;
use sparring::games::chess::Chess;
use sparring::games::connect_four::ConnectFour;
use sparring::games::prelude::*;
use sparring::games::sets::{MOST_KINDS, PieceSets};
use sparring::with_game;

/// Random numbers of the same size as trained ones.
struct Draws(u64);

impl Draws {
    fn within(&mut self, most: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as i64 % (2 * most + 1) - most
    }
}

fn random_parts(game: &str, shape: NetShape, output: i64) -> NetParts {
    let mut draws = Draws(0x0BAD_5EED);
    let mut numbers = |count: usize, most: i64| -> Vec<i16> {
        (0..count).map(|_| draws.within(most) as i16).collect()
    };
    NetParts {
        game: game.to_string(),
        shape,
        scale: 400.0,
        feature_weights: numbers(shape.inputs() * shape.hidden, 120),
        feature_biases: numbers(shape.hidden, 200),
        output_weights: numbers(2 * shape.hidden * shape.buckets, output),
        output_biases: numbers(shape.buckets, 16_000)
            .iter()
            .map(|bias| i32::from(*bias))
            .collect(),
        provenance: BTreeMap::from([("made_by".to_string(), "a test".to_string())]),
    }
}

/// The score from the mover's side, straight from the definition: letters of the diagram, 64 bits.
fn slow_reference<G: Game>(parts: &NetParts, position: &G) -> i64 {
    let shape = &parts.shape;
    // Row and column of every square, found by asking for all of them.
    let places = (0..shape.squares).map(G::LAYOUT.place);
    let mut pieces = Vec::new();
    for (square, (row, column)) in places
        .enumerate()
        .filter_map(|(at, place)| Some((at, place?)))
    {
        let letter = position.letter_at(row, column);
        let look = G::PIECES.iter().find(|look| look.letter == letter);
        let Some(look) = look else { continue };
        let kind = match letter.to_ascii_lowercase() {
            _ if shape.kinds == MOST_KINDS => "pnbrqk".find(letter.to_ascii_lowercase()).unwrap(),
            _ => usize::from(letter.is_uppercase()),
        };
        pieces.push((look.side, kind, square));
    }
    let mover = position.side_to_move();
    let mut total = 0;
    let bucket = shape.bucket(pieces.len());
    for (half, viewer) in [mover, mover.other()].into_iter().enumerate() {
        let turned = |square| match viewer {
            Side::White => square,
            Side::Black => (G::LAYOUT.flip)(square),
        };
        let mirrored = shape.mirrored
            && pieces.iter().any(|(side, kind, square)| {
                *side == viewer && *kind == 5 && turned(*square) % 8 >= 4
            });
        for unit in 0..shape.hidden {
            let mut sum = i64::from(parts.feature_biases[unit]);
            for (side, kind, square) in &pieces {
                let square = turned(*square);
                let square = if mirrored {
                    square / 8 * 8 + 7 - square % 8
                } else {
                    square
                };
                let kind = kind + if *side == viewer { 0 } else { shape.kinds };
                let feature = kind * shape.squares + square;
                sum += i64::from(parts.feature_weights[feature * shape.hidden + unit]);
            }
            let active = sum.clamp(0, 255);
            let weight = parts.output_weights[(2 * bucket + half) * shape.hidden + unit];
            total += active * active * i64::from(weight);
        }
    }
    total += i64::from(parts.output_biases[bucket]) * 255;
    total * 40_000 / (255 * 255 * 64)
}

fn scores_equal_the_reference<G: Evaluated>(id: GameId, count: usize, hidden: usize, output: i64) {
    let shape = NetShape::of(&G::LAYOUT, hidden, 8);
    let parts = random_parts(id.name(), shape, output);
    let net = Arc::new(Net::new(parts.clone()).unwrap());
    // Each keeps the sums of the position before, along whole games and from game to game.
    let mut evaluators: Vec<NetEvaluator> = Kernel::all()
        .into_iter()
        .map(|kernel| NetEvaluator::new(net.clone(), G::LAYOUT, kernel).unwrap())
        .collect();
    random_walk::<G>(count, |position| {
        let expected = slow_reference(&parts, position);
        for evaluator in &mut evaluators {
            let score = evaluator.evaluate(position);
            assert_eq!(
                i64::from(score),
                expected,
                "{} {}",
                id.name(),
                position.fen()
            );
        }
    });
}

#[test]
fn inference_along_random_games_equals_a_slow_reference_in_every_game() {
    for game in GameId::ALL {
        // Not a multiple of what is computed at once.
        with_game!(*game, G => scores_equal_the_reference::<G>(*game, 600, 37, 127));
    }
}

#[test]
fn weights_beyond_the_fast_path_give_the_same_integers() {
    scores_equal_the_reference::<Chess>(GameId::Chess, 300, 16, 30_000);
}

#[test]
#[ignore = "takes minutes: the same on a million positions of chess, at a common size"]
fn inference_equals_a_slow_reference_on_a_million_positions() {
    scores_equal_the_reference::<Chess>(GameId::Chess, 1_000_000, 64, 127);
}

/// The sets with sides exchanged and squares flipped.
fn flipped<G: Game>(sets: &PieceSets) -> PieceSets {
    let mut flipped = PieceSets::default();
    for side in Side::BOTH {
        for kind in 0..MOST_KINDS {
            for square in (0..64).filter(|at| sets[side as usize][kind] >> at & 1 == 1) {
                flipped[side.other() as usize][kind] |= 1 << (G::LAYOUT.flip)(square);
            }
        }
    }
    flipped
}

fn sets_agree_with_the_diagram<G: Evaluated>(game: GameId) {
    let shape = NetShape::of(&G::LAYOUT, 8, 4);
    let net = Arc::new(Net::new(random_parts(game.name(), shape, 100)).unwrap());
    let mut evaluator = NetEvaluator::new(net, G::LAYOUT, Kernel::detect()).unwrap();
    random_walk::<G>(300, |position| {
        let sets = position.piece_sets();
        let bits: u32 = sets.iter().flatten().map(|set| set.count_ones()).sum();
        assert!(bits as usize <= G::LAYOUT.most_pieces);
        let mut letters = 0;
        for row in 0..G::ROWS {
            for column in 0..G::COLUMNS {
                letters += u32::from(position.letter_at(row, column).is_alphabetic());
            }
        }
        assert_eq!(bits, letters, "{}", position.fen());
        let other = position.colour_flipped();
        assert_eq!(
            other.piece_sets(),
            flipped::<G>(&sets),
            "{}",
            position.fen()
        );
        assert_eq!(evaluator.evaluate(position), evaluator.evaluate(&other));
    });
}

#[test]
fn piece_sets_are_the_diagram_and_flip_with_the_colours_in_every_game() {
    for game in GameId::ALL {
        with_game!(*game, G => sets_agree_with_the_diagram::<G>(*game));
    }
}

fn small_net() -> Net {
    let shape = NetShape::of(&ConnectFour::LAYOUT, 6, 2);
    Net::new(random_parts("connect-four", shape, 100)).unwrap()
}

#[test]
fn a_net_read_back_from_its_file_is_the_same() {
    let net = small_net();
    let again = Net::from_bytes(&net.to_bytes()).unwrap();
    assert_eq!(again, net);
    assert_eq!(again.file_name(), net.file_name());
    assert_eq!(again.to_bytes(), net.to_bytes());
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let good = small_net().to_bytes();
    let refused = |bytes: &[u8]| Net::from_bytes(bytes).unwrap_err().to_string();
    // Cut anywhere, or longer than its tensors.
    for length in 0..good.len() {
        refused(&good[..length]);
    }
    assert!(refused(&[good.clone(), vec![0]].concat()).contains("bytes after the last tensor"));
    assert!(refused(b"PK\x03\x04 this is a zip file").contains("no safetensors header"));
    let text = |from: &str, to: &str| -> Vec<u8> {
        let at = good
            .windows(from.len())
            .position(|part| part == from.as_bytes())
            .unwrap();
        assert_eq!(from.len(), to.len());
        [&good[..at], to.as_bytes(), &good[at + from.len()..]].concat()
    };
    for (from, to, named) in [
        (
            "sparring net 1",
            "another net 12",
            "format = `another net 12`",
        ),
        (
            "\"screlu\"",
            "\"relu99\"",
            "activation = `relu99`: expected `screlu`",
        ),
        (
            "\"hidden\":\"6\"",
            "\"hidden\":\"7\"",
            "`feature_weights` has",
        ),
        (
            "\"buckets\":\"2\"",
            "\"buckets\":\"0\"",
            "buckets = `0`: expected 1 to 64",
        ),
        ("output 64", "output 65", "quantisation"),
        (
            "\"scale\":\"400\"",
            "\"scale\":\"4e9\"",
            "scale = `4000000000`",
        ),
        ("output_biases", "output_biased", "a tensor `output_biased`"),
        ("\"dtype\":\"I32\"", "\"dtype\":\"F64\"", "has the type F64"),
    ] {
        let message = refused(&text(from, to));
        assert!(message.contains(named), "{from} -> {to}: {message}");
    }
    // No single changed bit of the header makes the reader panic.
    let header = 8 + u64::from_le_bytes(good[..8].try_into().unwrap()) as usize;
    for bit in 0..8 * header {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let _ = Net::from_bytes(&bad);
    }
}

#[test]
fn a_hidden_unit_that_could_overflow_is_refused() {
    let mut parts = small_net().parts().clone();
    parts.feature_weights.fill(1_000);
    let refused = Net::new(parts).unwrap_err().to_string();
    assert!(
        refused.contains("hidden unit 0 can exceed 16 bits"),
        "{refused}"
    );
}

const BULLET: &[u8] = include_bytes!("../golden/nets/quantised.bin");

#[test]
fn a_quantised_net_of_bullet_gives_the_scores_that_numpy_computed() {
    let net = Arc::new(Net::from_bullet(BULLET).unwrap());
    assert_eq!(net.shape().hidden, 8);
    let rows = include_str!("../golden/nets/bullet.csv").lines().skip(2);
    let mut count = 0;
    for row in rows {
        let (fen, score) = row.rsplit_once(',').unwrap();
        let position = Chess::from_fen(fen).unwrap();
        for kernel in Kernel::all() {
            let mut evaluator = NetEvaluator::new(net.clone(), Chess::LAYOUT, kernel).unwrap();
            let found = evaluator.evaluate(&position);
            assert_eq!(found, score.parse::<i32>().unwrap(), "{fen}");
        }
        count += 1;
    }
    assert_eq!(count, 8);
    let short = Net::from_bullet(&BULLET[64..]).unwrap_err().to_string();
    assert!(
        short.contains("no net `(768 -> N)x2 -> 1` of bullet"),
        "{short}"
    );
}

#[test]
fn the_effect_of_a_piece_is_the_score_without_it() {
    let net = Arc::new(Net::from_bullet(BULLET).unwrap());
    let preset = Chess::preset("net").unwrap();
    let weights = Weights::of_learnt(sparring::eval::Learnt::Net(net));
    let fen = "4k3/8/8/8/8/3p4/8/Q3K3 w - - 0 1";
    let score = |fen: &str| (preset.explain)(&weights, &Chess::from_fen(fen).unwrap()).score;
    let explained = (preset.explain)(&weights, &Chess::from_fen(fen).unwrap());
    let effects: Vec<(char, f64)> = explained
        .pieces
        .iter()
        .map(|p| (p.letter, p.effect))
        .collect();
    let without = [
        ("p", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"),
        ("Q", "4k3/8/8/8/8/3p4/8/4K3 w - - 0 1"),
    ];
    let expected: Vec<(char, f64)> = without
        .iter()
        .map(|(letter, other)| {
            (
                letter.chars().next().unwrap(),
                explained.score - score(other),
            )
        })
        .collect();
    assert_eq!(effects.len(), 2);
    for (found, expected) in effects.iter().zip(expected) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-9);
    }
}
