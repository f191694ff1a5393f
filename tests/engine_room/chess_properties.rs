//! Properties of every position of chess and Chess960, checked in random games, and robustness of the
//! readers against any text.

use crate::positions::moves_of;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sparring::config::replay;
use sparring::games::any;
use sparring::games::chess::{Chess, Chess960, Color, Position};
use sparring::games::draughts::{Draughts, rules};
use sparring::games::perft;
use sparring::games::prelude::*;
use sparring::record::{CollectionKind, CollectionReader};

/// The same cases on every run: failures must be reproducible.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Plays random moves from a start position, and calls back with every position.
fn walk<G: Game>(start: u32, choices: &[u16], mut visit: impl FnMut(&G)) {
    let mut position = G::start(start % G::STARTS);
    visit(&position);
    for choice in choices {
        let moves = moves_of(&position);
        if moves.is_empty() {
            return;
        }
        position.play(moves[usize::from(*choice) % moves.len()]);
        visit(&position);
    }
}

fn check_fen_and_hash<const FRC: bool>(position: &Position<FRC>) {
    let fen = position.fen();
    let read = Position::<FRC>::from_fen(&fen).unwrap();
    assert_eq!(&read, position, "{fen}");
    assert_eq!(read.fen(), fen);
    assert_eq!(read.hash(), position.hash(), "{fen}");
    assert_eq!(read.repetition_key(), position.repetition_key());
    assert_eq!(read.end(), position.end());
    assert_eq!(
        Position::<FRC>::from_epd(&format!("{fen} ; behind")).unwrap(),
        read
    );
}

fn check_notation<const FRC: bool>(position: &Position<FRC>) {
    let moves = moves_of(position);
    assert_eq!(position.count_moves(), moves.len() as u64);
    assert_eq!(position.has_moves(), !moves.is_empty());
    let mut texts = Vec::new();
    for mv in moves {
        for text in [position.move_text(mv), position.record_text(mv)] {
            assert_eq!(
                position.parse_move(&text),
                Ok(mv),
                "{text} in {}",
                position.fen()
            );
            texts.push(text);
        }
    }
    // UCI and SAN of a pawn never coincide, so all texts differ.
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count, "{}", position.fen());
}

/// Pieces of `by` that attack the king of the other side, found by walking from the king: not the
/// way the generator finds them.
fn gives_check<const FRC: bool>(position: &Position<FRC>, by: Color) -> bool {
    let fen = position.fen();
    let mut squares = [['.'; 8]; 8];
    for (rank, row) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    squares[7 - rank][file] = letter;
                    file += 1;
                }
            }
        }
    }
    let at = |rank: i32, file: i32| -> Option<char> {
        let row = squares.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    };
    let own = |letter: char| match by {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    };
    let victim = if by == Color::White { 'k' } else { 'K' };
    let (rank, file) = (0..64)
        .map(|square| (square / 8, square % 8))
        .find(|(rank, file)| at(*rank, *file) == Some(victim))
        .unwrap();
    let step = |letter: char, by_rank: i32, by_file: i32| {
        at(rank + by_rank, file + by_file) == Some(own(letter))
    };
    let slides = |letters: [char; 2], by_rank: i32, by_file: i32| {
        let met = (1..8)
            .map(|far| at(rank + far * by_rank, file + far * by_file))
            .find(|found| *found != Some('.'))
            .flatten();
        met.is_some_and(|met| letters.iter().any(|letter| own(*letter) == met))
    };
    let forward = if by == Color::White { 1 } else { -1 };
    let around = || (-1..=1).flat_map(|a| (-1..=1).map(move |b| (a, b)));
    step('p', -forward, -1)
        || step('p', -forward, 1)
        || [(1, 2), (2, 1)].iter().any(|(a, b)| {
            [(*a, *b), (-a, *b), (*a, -b), (-a, -b)]
                .iter()
                .any(|(a, b)| step('n', *a, *b))
        })
        || around().any(|(a, b)| match (a, b) {
            (0, 0) => false,
            (0, _) | (_, 0) => slides(['r', 'q'], a, b) || step('k', a, b),
            _ => slides(['b', 'q'], a, b) || step('k', a, b),
        })
}

fn check_moves<const FRC: bool>(position: &Position<FRC>) {
    let before = position.clone();
    let mover = position.board().side_to_move();
    for mv in moves_of(position) {
        let mut next = position.clone();
        next.play(mv);
        assert_eq!(position, &before, "playing on a copy changed the original");
        assert_eq!(next.side_to_move(), position.side_to_move().other());
        let fen = position.fen();
        assert!(
            !gives_check(&next, !mover),
            "{fen}: the king is left in check"
        );
        assert_eq!(next.in_check(), gives_check(&next, mover), "{fen}");
        let pieces = |position: &Position<FRC>| position.board().occupied().len();
        assert_eq!(
            pieces(position) - pieces(&next),
            u32::from(position.is_capture(mv)),
            "{fen}"
        );
    }
}

fn check_flip<const FRC: bool>(position: &Position<FRC>) {
    let flipped = position.colour_flipped();
    assert_eq!(&flipped.colour_flipped(), position);
    assert_eq!(flipped.side_to_move(), position.side_to_move().other());
    assert_eq!(perft(&flipped, 2), perft(position, 2), "{}", position.fen());
    let turned = position
        .end()
        .map(|end| (end.winner.map(|side| side.other()), end.reason));
    assert_eq!(flipped.end().map(|end| (end.winner, end.reason)), turned);
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_position_survives_its_fen_with_its_hash(start in 0..960_u32, choices in prop::collection::vec(any::<u16>(), 0..160)) {
        walk(start, &choices, |position: &Chess| check_fen_and_hash(position));
        walk(start, &choices, |position: &Chess960| check_fen_and_hash(position));
    }

    #[test]
    fn every_legal_move_survives_uci_and_san(start in 0..960_u32, choices in prop::collection::vec(any::<u16>(), 0..80)) {
        walk(start, &choices, |position: &Chess| check_notation(position));
        walk(start, &choices, |position: &Chess960| check_notation(position));
    }

    #[test]
    fn no_legal_move_leaves_the_king_in_check_or_changes_the_original(start in 0..960_u32, choices in prop::collection::vec(any::<u16>(), 0..80)) {
        walk(start, &choices, |position: &Chess| check_moves(position));
        walk(start, &choices, |position: &Chess960| check_moves(position));
    }

    #[test]
    fn exchanging_the_colours_twice_changes_nothing(start in 0..960_u32, choices in prop::collection::vec(any::<u16>(), 0..60)) {
        walk(start, &choices, |position: &Chess| check_flip(position));
        walk(start, &choices, |position: &Chess960| check_flip(position));
    }
}

/// Reads a text with every reader: an error or a value, never a panic.
fn read_as_anything(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    read_as::<Chess>(&text);
    read_as::<Chess960>(&text);
    read_as::<Draughts<rules::Checkers>>(&text);
    read_as::<Draughts<rules::English>>(&text);
    read_as::<Draughts<rules::Russian>>(&text);
    read_as::<Draughts<rules::Brazilian>>(&text);
    read_as::<Draughts<rules::Pool>>(&text);
    read_as::<Draughts<rules::Italian>>(&text);
    read_as::<Draughts<rules::Spanish>>(&text);
    read_as::<Draughts<rules::Czech>>(&text);
    read_as::<Draughts<rules::International>>(&text);
    read_as::<Draughts<rules::Frisian>>(&text);
    read_as::<Draughts<rules::Turkish>>(&text);
    for kind in [CollectionKind::Pgn, CollectionKind::Pdn] {
        for game in CollectionReader::new(bytes, kind).flatten() {
            let _ = replay(any::rules::<Chess>(), &game, 40);
            let _ = replay(any::rules::<Chess960>(), &game, 40);
            let _ = replay(any::rules::<Draughts<rules::English>>(), &game, 40);
            let _ = replay(any::rules::<Draughts<rules::International>>(), &game, 40);
        }
    }
}

fn read_as<G: Game>(text: &str) {
    for position in [G::from_fen(text), G::from_epd(text)].into_iter().flatten() {
        // A position that was accepted can be used.
        let fen = position.fen();
        assert_eq!(G::from_fen(&fen).map(|again| again.fen()), Ok(fen));
        let _ = (position.end(), position.hash(), position.diagram());
        let _ = position.colour_flipped();
        if let Some(mv) = moves_of(&position).pop() {
            let text = position.move_text(mv);
            assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
            let mut next = position.clone();
            next.play(mv);
            let _ = (next.fen(), next.end());
        }
    }
    let _ = G::start(G::USUAL_START).parse_move(text);
}

/// Valid texts, to be mutated.
const SEEDS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "8/P1k5/8/8/8/8/5K1p/8 b - - 99 120",
    "W:W21,22,K30:B1,2,K5",
    "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
    "W:W41-56:B9-24:H0:F1",
    "e2e4",
    "Nb1xc3+",
    "O-O-O#",
    "11-15",
    "22x15x6",
    "[Event \"a\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ {x} Kd7 (1... Ke7 $1) 2. Qb7+ 1/2-1/2\n",
    "[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 22-17 {x} 3. 11-16 24-20 * 1. 9-14 2-0",
];

/// A valid text with a few bytes changed, inserted, removed or doubled.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<u16>(), 0..5_u8, any::<u8>()), 0..6);
    (0..SEEDS.len(), damage).prop_map(|(seed, damage)| {
        const LIKELY: &[u8] = b"0123456789/-:,.xwbWBKQRNPkqrnpaehgc[]{}();\"$%* \n\\+#=";
        let mut bytes = SEEDS[seed].as_bytes().to_vec();
        for (place, how, byte) in damage {
            let at = usize::from(place) % (bytes.len() + 1);
            let likely = LIKELY[usize::from(byte) % LIKELY.len()];
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => bytes[at] = likely,
                2 => bytes.insert(at, likely),
                3 if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => {
                    let tail = bytes[at..].to_vec();
                    bytes.splice(at..at, tail);
                }
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        read_as_anything(&bytes);
    }

    #[test]
    fn no_damage_to_a_right_text_makes_a_reader_panic(bytes in damaged()) {
        read_as_anything(&bytes);
    }
}

/// How many damaged texts the long test reads.
const MANY: u32 = 1_200_000;

#[test]
#[ignore = "minutes: more than a million damaged texts through every reader"]
fn a_million_damaged_texts_make_no_reader_panic() {
    let mut runner = proptest::test_runner::TestRunner::new(cases(MANY));
    let texts = prop_oneof![4 => damaged(), 1 => prop::collection::vec(any::<u8>(), 0..120)];
    let outcome = runner.run(&texts, |bytes| {
        read_as_anything(&bytes);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}
