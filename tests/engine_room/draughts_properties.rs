//! Properties of the draughts rules in random games, and of the readers on any text.

use crate::positions::moves_of;
use proptest::prelude::*;
use sparring::games::draughts::rules::{self, Rules};
use sparring::games::draughts::{Draughts, perft_routes};
use sparring::games::prelude::*;
use sparring::games::{EndReason, Side};

/// Plays the moves that `choices` picks and looks at every position on the way. Draws are played
/// on: positions with few pieces and many kings are where rules differ most.
fn along_a_game<R: Rules>(choices: &[u16], mut look: impl FnMut(&Draughts<R>)) {
    let mut position = Draughts::<R>::start(0);
    for &choice in choices {
        look(&position);
        let moves = moves_of(&position);
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
    }
    look(&position);
}

fn check_position<R: Rules>(position: &Draughts<R>) {
    let moves = moves_of(position);
    let fen = position.fen();
    assert_eq!(position.hash(), position.recomputed_hash(), "{fen}");
    assert_eq!(position.count_moves(), moves.len() as u64, "{fen}");
    assert_eq!(
        position.can_move(position.side_to_move()),
        !moves.is_empty(),
        "{fen}"
    );
    assert_eq!(
        position.can_capture(),
        moves.iter().any(|&mv| position.is_capture(mv)),
        "{fen}"
    );

    let back = Draughts::<R>::from_fen(&fen).unwrap();
    assert_eq!(back.fen(), fen);
    assert_eq!(back.men(Side::White), position.men(Side::White));
    assert_eq!(back.kings(Side::Black), position.kings(Side::Black));

    let flipped = position.colour_flipped();
    assert_eq!(flipped.colour_flipped(), *position);
    assert_eq!(flipped.hash(), flipped.recomputed_hash());
    assert_eq!(flipped.count_moves(), position.count_moves(), "{fen}");
    if R::BOOK.repetitions.is_some() {
        let winner = position.end().map(|end| end.winner.map(Side::other));
        assert_eq!(flipped.end().map(|end| end.winner), winner, "{fen}");
    }

    // Routes lead to the legal moves and to nothing else.
    let mut by_route = Vec::new();
    position.for_each_route(&mut |mv, squares| {
        assert_eq!((squares[0], squares[squares.len() - 1]), (mv.from, mv.to));
        if !by_route.contains(&mv) {
            by_route.push(mv);
        }
    });
    assert_eq!(by_route.len(), moves.len(), "{fen}");
    assert!(moves.iter().all(|mv| by_route.contains(mv)), "{fen}");
    assert!(position.count_routes() >= moves.len() as u64);

    for (index, &mv) in moves.iter().enumerate() {
        assert!(!moves[..index].contains(&mv), "{fen}: the same move twice");
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{fen} {text}");
    }
}

macro_rules! properties_of {
    ($($name:ident: $rules:ty;)*) => {
        mod games {
            use super::*;
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(24))]
                $(
                    #[test]
                    fn $name(choices in prop::collection::vec(any::<u16>(), 0..160)) {
                        along_a_game::<$rules>(&choices, check_position);
                    }
                )*
            }
        }

        fn read_anything(fen: &str, text: &str) {
            $(
                if let Ok(position) = Draughts::<$rules>::from_fen(fen) {
                    let _ = position.parse_move(text);
                    let _ = position.diagram();
                    assert_eq!(Draughts::<$rules>::from_fen(&position.fen()), Ok(position));
                }
                let _ = Draughts::<$rules>::start(0).parse_move(text);
            )*
        }
    };
}

properties_of! {
    checkers: rules::Checkers;
    english: rules::English;
    russian: rules::Russian;
    brazilian: rules::Brazilian;
    pool: rules::Pool;
    italian: rules::Italian;
    spanish: rules::Spanish;
    czech: rules::Czech;
    international: rules::International;
    frisian: rules::Frisian;
    turkish: rules::Turkish;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_gets_an_answer_and_no_panic(fen in ".{0,60}", text in ".{0,20}") {
        read_anything(&fen, &text);
    }

    #[test]
    fn text_of_the_right_letters_gets_an_answer(
        fen in "[WB]?:?[WBK0-9,:. -]{0,40}",
        text in "[0-9a-h]{0,3}[-x:]?[0-9a-h]{0,3}[-x:]?[0-9a-h]{0,3}",
    ) {
        read_anything(&fen, &text);
    }

    #[test]
    fn a_position_with_one_wrong_letter_gets_an_answer(
        place in 0usize..80,
        letter in any::<char>(),
        mode in 0..3,
    ) {
        let fen = "W:W21,22,23,24,25,26,27,28,29,30,31,K32:B1,2,3,4,5,6,7,8,9,10,11,K12";
        let mut letters: Vec<char> = fen.chars().collect();
        let place = place % letters.len();
        match mode {
            0 => letters[place] = letter,
            1 => letters.insert(place, letter),
            _ => drop(letters.remove(place)),
        }
        read_anything(&letters.into_iter().collect::<String>(), "22-18");
    }
}

#[test]
fn a_megabyte_of_text_is_refused_at_once() {
    let long = "1,".repeat(500_000);
    read_anything(&format!("W:W{long}:B"), &"1x".repeat(500_000));
    read_anything(&long, &long);
}

#[test]
fn losing_off_turn_is_seen_on_either_turn() {
    for fen in ["W:W21:B", "B:W21:B"] {
        let position = Draughts::<rules::Checkers>::from_fen(fen).unwrap();
        let outcome = position.end_by_position().unwrap();
        assert_eq!(
            (outcome.winner, outcome.reason),
            (Some(Side::White), EndReason::NO_MOVES)
        );
    }
    // Neither side can move: black is checked first and loses, on either turn.
    for turn in Side::BOTH {
        let locked = Draughts::<rules::Checkers>::from_fen("W:W9-16:B1-8").unwrap();
        let locked = locked.with_turn(turn);
        assert!(!locked.can_move(Side::White) && !locked.can_move(Side::Black));
        assert_eq!(locked.end().unwrap().winner, Some(Side::White));
    }
    let english = Draughts::<rules::English>::from_fen("W:W21:B").unwrap();
    assert_eq!(english.end_by_position(), None, "only the mover can lose");
}

#[test]
fn a_frisian_king_rests_after_three_quiet_moves_while_its_side_has_men() {
    let mut position = Draughts::<rules::Frisian>::from_fen("W:WK48,45:BK3,6").unwrap();
    let men = |position: &Draughts<rules::Frisian>,
               mv: &<Draughts<rules::Frisian> as GameRules>::Move| {
        position.men(position.side_to_move()) >> mv.from & 1 == 1
    };
    // Three times each, a move of the king after which neither side can capture.
    for _ in 0..6 {
        let moves = moves_of(&position);
        let quiet = moves.iter().find(|mv| {
            let mut next = position;
            next.play(**mv);
            !men(&position, mv) && !next.can_capture()
        });
        position.play(*quiet.unwrap());
        assert_eq!(position.hash(), position.recomputed_hash());
    }
    for side in [Side::White, Side::Black] {
        assert_eq!(position.side_to_move(), side);
        assert_eq!(position.tempo(side).moves, 3);
        let moves = moves_of(&position);
        assert!(
            moves.iter().all(|mv| men(&position, mv)),
            "only the man may move"
        );
        position.play(moves[0]);
    }
    assert!(
        moves_of(&position).iter().any(|mv| !men(&position, mv)),
        "the king is free again"
    );
    assert_eq!(position.hash(), position.recomputed_hash());
    assert_eq!(
        Draughts::from_fen(&position.fen()),
        Ok(position.with_clocks(Default::default()))
    );
}

#[test]
fn two_routes_to_one_capture_are_one_move() {
    // A king runs around four men either way, or stops short under the older rules.
    let fen = "W:WK30:B25,17,18,26";
    let english = Draughts::<rules::English>::from_fen(fen).unwrap();
    assert_eq!((english.count_moves(), english.count_routes()), (1, 2));
    assert_eq!(
        (perft_routes(&english, 1), moves_of(&english)[0].to),
        (2, 29)
    );
    let checkers = Draughts::<rules::Checkers>::from_fen(fen).unwrap();
    assert_eq!(checkers.count_routes(), checkers.count_moves() + 1);
}
