//! The profiles of the older programs against what those programs chose. The files and their
//! columns are described in `tests/golden/README.md`.

use std::collections::HashMap;
use std::path::Path;

use sparring::eval::{Evaluated, STEPS, Weights};
use sparring::games::Game;
use sparring::games::chess::Chess;
use sparring::games::draughts::{Checkers, draws::Clocks};
use sparring::search::{Found, Limit, Options, Searcher};

type Row = HashMap<String, String>;

fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(file);
    csv::Reader::from_path(path)
        .expect("a golden file")
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("golden rows")
}

fn searched<G: Evaluated>(position: &G, preset: &str, profile: &str, depth: u32) -> Found<G::Move> {
    let preset = G::preset(preset).expect("a preset");
    let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
    let options = Options::profile(profile).expect("a profile");
    Searcher::<G>::new(options).search(position, &[], evaluator.as_mut(), Limit::depth(depth))
}

/// How many rows agree in move and in score.
#[derive(Debug, Default)]
struct Agreement {
    rows: usize,
    moves: usize,
    scores: usize,
}

/// At most three pieces beside king and pawns on one side: there the program took the wrong king
/// table and counted empty squares, which the preset does not repeat.
fn few_pieces(fen: &str) -> bool {
    let board = fen.split(' ').next().unwrap_or_default();
    let pieces = |letters: &str| board.chars().filter(|c| letters.contains(*c)).count();
    pieces("NBRQ") <= 3 || pieces("nbrq") <= 3
}

fn chess_agreement(file: &str, preset: &str, wanted: fn(&str) -> bool) -> Agreement {
    let mut agreement = Agreement::default();
    for row in rows(file).into_iter().filter(|row| wanted(&row["fen"])) {
        let position = Chess::from_fen(&row["fen"]).expect("a golden position");
        let depth = row["depth"].parse().expect("a depth");
        let found = searched(&position, preset, preset, depth);
        let ours = found
            .best
            .map(|mv| position.move_text(mv))
            .unwrap_or_default();
        agreement.rows += 1;
        agreement.moves += usize::from(ours == row["move"]);
        let mut same_score = false;
        if let Some(score) = row.get("score") {
            let theirs: f64 = score.parse().expect("a score");
            same_score = (f64::from(found.score) / f64::from(STEPS) - theirs).abs() < 0.5;
            agreement.scores += usize::from(same_score);
        }
        if ours != row["move"] || (row.contains_key("score") && !same_score) {
            eprintln!(
                "{file} {} depth {depth}: {ours} {} here, {} {:?} there",
                row["fen"],
                found.score / STEPS,
                row["move"],
                row.get("score")
            );
        }
    }
    agreement
}

/// The board of a row, with its side to move.
fn checkers_position(row: &Row) -> Checkers {
    let board = |column: &str| u32::from_str_radix(&row[column], 16).expect("a board in hex");
    let (white, black, kings) = (board("white"), board("black"), board("kings"));
    let list = |side: u32| {
        let squares: Vec<String> = (0..32)
            .filter(|bit| side >> bit & 1 == 1)
            .map(|bit| {
                let king = if kings >> bit & 1 == 1 { "K" } else { "" };
                format!("{king}{}", bit + 1)
            })
            .collect();
        squares.join(",")
    };
    let turn = &row["side"][..1];
    let fen = format!("{turn}:W{}:B{}", list(white), list(black));
    let clock: u16 = row["lastTurnEaten"].parse().expect("a clock");
    Checkers::from_fen(&fen)
        .expect("a golden position")
        .with_clocks(Clocks {
            since_capture: clock,
            since_progress: clock,
            since_material: clock,
        })
}

fn checkers_agreement(preset: &str) -> Agreement {
    let file = format!("checkers_search_{preset}.csv");
    let mut agreement = Agreement::default();
    for row in rows(&file) {
        let position = checkers_position(&row);
        let depth: u32 = row["depth"].parse().expect("a depth");
        if depth > 5 || position.end().is_some() {
            continue;
        }
        let found = searched(&position, preset, "checkers", depth);
        let ours = found
            .best
            .map(|mv| position.move_text(mv))
            .unwrap_or_default();
        let theirs: i32 = row["value"].parse().expect("a value");
        agreement.rows += 1;
        agreement.moves += usize::from(ours == row["turn"]);
        agreement.scores += usize::from(found.score == theirs * STEPS);
        if found.score != theirs * STEPS {
            eprintln!(
                "{preset} {} clock {} depth {depth}: {ours} {} here, {} {theirs} there",
                position.fen(),
                row["lastTurnEaten"],
                found.score / STEPS,
                row["turn"],
            );
        }
    }
    agreement
}

/// The program knew no en passant, gave nothing for a mate outside the ending, and its mistakes
/// in the ending reach positions that enter it within the depth.
#[test]
fn the_simplified_profile_chooses_as_the_program_did_but_for_its_mistakes() {
    for (file, mistakes) in [
        ("simplified_search_d1.csv", 3),
        ("simplified_search_d2.csv", 5),
    ] {
        let agreement = chess_agreement(file, "simplified", |fen| !few_pieces(fen));
        assert!(agreement.rows >= 25, "{file} {agreement:?}");
        assert!(
            agreement.scores + mistakes >= agreement.rows,
            "{file} {agreement:?}"
        );
        assert!(
            agreement.moves + mistakes >= agreement.rows,
            "{file} {agreement:?}"
        );
    }
}

/// One position of depth 1 has two moves of the same worth, whose order hung on a hash map.
#[test]
fn the_staged_profile_chooses_as_the_program_did_but_for_one_tie() {
    for (file, ties) in [("staged_search_d1.csv", 1), ("staged_search_d2.csv", 0)] {
        let agreement = chess_agreement(file, "staged", |_| true);
        assert!(
            agreement.moves + ties >= agreement.rows,
            "{file} {agreement:?}"
        );
    }
}

/// The program's table knows neither the side to move nor the clock, so that a few of its scores
/// at depth 5 belong to another position.
#[test]
fn the_checkers_profile_scores_as_the_program_did_but_for_its_mistaken_table() {
    for (preset, mistakes) in [("basic", 1), ("extreme", 3), ("adaptive", 0)] {
        let agreement = checkers_agreement(preset);
        assert!(agreement.rows >= 500, "{preset} {agreement:?}");
        assert!(
            agreement.scores + mistakes >= agreement.rows,
            "{preset} {agreement:?}"
        );
    }
}
