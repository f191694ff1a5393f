//! Options for what the books of the older programs describe and their code does differently.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use sparring::config::load_text;
use sparring::eval::{Evaluated, Explanation, WeightValue, Weights};
use sparring::games::GameResult;
use sparring::games::chess::Chess;
use sparring::games::draughts::Checkers;
use sparring::games::prelude::*;
use sparring::play::{PlayedGame, RunError, Runner, Termination};
use sparring::search::{Limit, Options, Searcher};

/// Nodes of a search of `staged` at depth 2.
fn nodes(fen: &str, settings: &[(&str, &str)]) -> u64 {
    let mut options = Options::profile("staged").expect("a profile");
    for (name, value) in settings {
        options.set(name, value).expect("a valid setting");
    }
    let preset = Chess::preset("staged").expect("a preset");
    let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
    let position = Chess::from_fen(fen).expect("a test position");
    let mut searcher = Searcher::<Chess>::new(options);
    let found = searcher.search(&position, &[], evaluator.as_mut(), Limit::depth(2));
    found.nodes
}

#[test]
fn a_plain_promotion_is_extended_at_the_programs_threshold_and_not_at_the_books() {
    // White can only promote without capture or check, an activity of 2, or make quiet king moves.
    let promotes = "8/P7/8/8/7k/8/8/K7 b - - 0 1";
    let without = nodes(promotes, &[("quiescence", "none")]);
    assert!(nodes(promotes, &[]) > without);
    assert_eq!(nodes(promotes, &[("activity_threshold", "3")]), without);
}

#[test]
fn a_capture_is_extended_at_the_books_threshold_too() {
    let captures = "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1";
    let threshold = |value| nodes(captures, &[("activity_threshold", value)]);
    let without = nodes(captures, &[("quiescence", "none")]);
    assert!(threshold("3") > without);
    // No move reaches 10: check, promotion, capture, pawn attack and three captures make 9.
    assert_eq!(threshold("10"), without);
    // At 0 quiet moves extend too, until the budget is spent.
    assert!(threshold("0") > 10 * threshold("3"));
}

fn centre(fen: &str, weights: &Weights) -> Vec<f64> {
    let preset = Chess::preset("staged").expect("a preset");
    let position = Chess::from_fen(fen).expect("a test position");
    let explanation: Explanation = (preset.explain)(weights, &position);
    let of_group = explanation.terms.iter().filter(|it| it.group == "centre");
    of_group.map(|it| it.white - it.black).collect()
}

#[test]
fn each_stage_of_the_game_has_its_own_weights_of_the_centre() {
    let preset = Chess::preset("staged").expect("a preset");
    // White has a knight on e5 in each; material decides the stage.
    let stages = [
        "rnbqkbnr/pppp1ppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
        "r3k2r/pppp1ppp/8/4N3/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
        "4k3/pppp1ppp/8/4N3/8/8/PPPPPPPP/4K3 b - - 0 1",
    ];
    let defaults = Weights::defaults(preset.terms);
    let plain = stages.map(|fen| centre(fen, &defaults));
    assert!(plain.iter().all(|terms| terms.len() == 3 && terms[2] > 0.0));
    for stage in 0..3 {
        let mut weights = defaults.clone();
        for (name, usual) in [
            ("centre_reached_far", 6.0),
            ("centre_reached_near", 2.5),
            ("centre_held", 8.0),
        ] {
            let mut by_stage = [0.0; 3];
            by_stage[stage] = usual;
            let value = WeightValue::flat(by_stage.to_vec());
            weights.set(preset.terms, name, &value).expect("a list");
        }
        for (index, fen) in stages.iter().enumerate() {
            let expected = match index == stage {
                true => plain[index].clone(),
                false => vec![0.0; 3],
            };
            assert_eq!(centre(fen, &weights), expected, "{fen}");
        }
    }
}

/// The games of 20 pairs at depth 1, with these lines in `[match]`.
fn games(game: &str, limits: &str) -> Vec<PlayedGame> {
    let player =
        |name| format!("[[player]]\nname = \"{name}\"\nevaluator = \"random\"\ndepth = 1\n");
    let text = format!(
        "game = \"{game}\"\n[match]\npairs = 20\n{limits}\n[openings]\nplies = 4\n{}{}",
        player("one"),
        player("two")
    );
    let loaded = load_text(&text, "config.toml", &[]).expect("a valid config");
    let mut played = Vec::new();
    let mut runner = Runner::new(loaded.game, 1).expect("a runner");
    let all = 1..=loaded.experiment.schedule.pair_count();
    let stop = AtomicBool::new(false);
    let keep = |pair: sparring::play::PlayedPair| {
        played.extend(pair.games);
        Ok(ControlFlow::Continue(()))
    };
    runner
        .run::<_, RunError>(&loaded.experiment, all, &stop, |pair| pair, keep)
        .expect("played");
    played
}

/// The longest streak without progress at each position, counted from the board alone.
fn streaks<G: Evaluated>(
    game: &PlayedGame,
    is_progress: impl Fn(&G, &str, &G) -> bool,
) -> Vec<usize> {
    let mut position = G::from_fen(&game.opening).expect("an opening");
    let mut streak = position.reversible_plies();
    let mut all = vec![streak];
    for note in &game.moves {
        let mut next = position.clone();
        next.play(next.parse_move(&note.text).expect("a played move"));
        streak = match is_progress(&position, &note.text, &next) {
            true => 0,
            false => streak + 1,
        };
        all.push(streak);
        position = next;
    }
    all
}

fn check_no_progress<G: Evaluated>(name: &str, is_progress: impl Fn(&G, &str, &G) -> bool) {
    const LIMIT: usize = 12;
    let with_limit = games(name, "no_progress_plies = 12");
    let without = games(name, "");
    let mut ended_by_it = 0;
    for (game, free) in with_limit.iter().zip(&without) {
        let streaks = streaks(game, &is_progress);
        let (last, earlier) = streaks.split_last().expect("the opening");
        assert!(earlier.iter().all(|streak| *streak < LIMIT), "{game:?}");
        let drawn = game.termination == Termination::NoProgress;
        assert!(!drawn || (*last == LIMIT && game.result == GameResult::Draw));
        // An end by the rules on that very ply comes first.
        assert!(drawn || game.moves.len() == free.moves.len());
        assert_eq!(game.moves[..], free.moves[..game.moves.len()]);
        ended_by_it += usize::from(drawn);
    }
    assert!(ended_by_it >= 10, "{ended_by_it} games of {name}");
}

/// The pieces of a FEN's board.
fn men(fen: &str) -> usize {
    let board = fen.split(' ').next().expect("a board");
    board.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn a_chess_game_is_drawn_after_so_many_plies_without_capture_or_pawn_move() {
    check_no_progress::<Chess>("chess", |before, text, after| {
        let (from, to) = (text.as_bytes()[0], text.as_bytes()[1]);
        let fen = before.fen();
        let rank = fen.split('/').nth(usize::from(b'8' - to)).expect("a rank");
        let mut file = b'a';
        let mut mover = ' ';
        for letter in rank.split(' ').next().unwrap_or_default().chars() {
            if file == from {
                mover = letter;
            }
            file += letter.to_digit(10).map_or(1, |empty| empty as u8);
        }
        matches!(mover, 'p' | 'P') || men(&after.fen()) < men(&before.fen())
    });
}

#[test]
fn a_checkers_game_is_drawn_after_so_many_plies_without_capture_or_mans_move() {
    check_no_progress::<Checkers>("checkers", |before, text, _| {
        let from = text.split(['-', 'x']).next().expect("a square");
        let fen = before.fen();
        let king = format!("K{from}");
        let is_king = fen.split([':', ',', 'W', 'B']).any(|piece| piece == king);
        !is_king || text.contains('x')
    });
}
