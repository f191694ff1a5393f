//! The profiles of the older programs against the recorded choices of those programs. The files and their
//! columns are described in `tests/golden/README.md`.

use std::collections::HashMap;
use std::path::Path;

use sparring::eval::{Evaluated, STEPS, Weights};
use sparring::games::chess::Chess;
use sparring::games::draughts::{Checkers, draws::DrawClocks};
use sparring::games::prelude::*;
use sparring::search::{Limit, Options, SearchResult, Searcher};

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

fn searched<G: Evaluated>(
    position: &G,
    preset: &str,
    profile: &str,
    depth: u32,
) -> SearchResult<G::Move> {
    let preset = G::preset(preset).expect("a preset");
    let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
    let options = Options::profile(profile).expect("a profile");
    Searcher::<G>::new(options).search(position, &[], evaluator.as_mut(), Limit::depth(depth))
}

/// A golden row that differs from ours: its file and line, and both choices.
struct Difference {
    place: String,
    text: String,
}

/// Every difference must be one of the known rows, and every known row must still differ.
fn assert_only(known: &[&str], differences: &[Difference]) {
    let unknown: Vec<&str> = differences
        .iter()
        .filter(|difference| !known.contains(&difference.place.as_str()))
        .map(|difference| difference.text.as_str())
        .collect();
    assert!(unknown.is_empty(), "rows differ:\n{}", unknown.join("\n"));
    for place in known {
        assert!(
            differences
                .iter()
                .any(|difference| difference.place == *place),
            "{place} agrees now: remove it from the known differences"
        );
    }
}

/// At most three pieces besides king and pawns on one side: there the older program used the wrong
/// king table and counted empty squares, which the preset does not reproduce.
fn few_pieces(fen: &str) -> bool {
    let board = fen.split(' ').next().unwrap_or_default();
    let pieces = |letters: &str| board.chars().filter(|c| letters.contains(*c)).count();
    pieces("NBRQ") <= 3 || pieces("nbrq") <= 3
}

fn chess_differences(file: &str, preset: &str, wanted: fn(&str) -> bool) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut compared = 0;
    for (index, row) in rows(file).iter().enumerate() {
        if !wanted(&row["fen"]) {
            continue;
        }
        compared += 1;
        let position = Chess::from_fen(&row["fen"]).expect("a golden position");
        let depth = row["depth"].parse().expect("a depth");
        let found = searched(&position, preset, preset, depth);
        let best = found.best.map(|mv| position.move_text(mv));
        let ours = best.unwrap_or_default();
        let same_score = row.get("score").is_none_or(|score| {
            let theirs: f64 = score.parse().expect("a score");
            (f64::from(found.score) / f64::from(STEPS) - theirs).abs() < 0.5
        });
        if ours != row["move"] || !same_score {
            // The header is line 1.
            let place = format!("{file}:{}", index + 2);
            let text = format!(
                "{place}: {} depth {depth}: {ours} {} here, {} {:?} there",
                row["fen"],
                found.score / STEPS,
                row["move"],
                row.get("score")
            );
            differences.push(Difference { place, text });
        }
    }
    assert!(compared >= 17, "{file}: only {compared} rows");
    differences
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
        .with_clocks(DrawClocks {
            since_capture: clock,
            since_progress: clock,
            since_material: clock,
        })
}

fn checkers_differences(preset: &str) -> Vec<Difference> {
    let file = format!("checkers_search_{preset}.csv");
    let mut differences = Vec::new();
    let mut compared = 0;
    for (index, row) in rows(&file).iter().enumerate() {
        let position = checkers_position(row);
        let depth: u32 = row["depth"].parse().expect("a depth");
        if depth > 5 || position.end().is_some() {
            continue;
        }
        compared += 1;
        let found = searched(&position, preset, "checkers", depth);
        let theirs: i32 = row["value"].parse().expect("a value");
        if found.score != theirs * STEPS {
            let place = format!("{file}:{}", index + 2);
            let text = format!(
                "{place}: {} clock {} depth {depth}: {} here, {theirs} there",
                position.fen(),
                row["lastTurnEaten"],
                found.score / STEPS,
            );
            differences.push(Difference { place, text });
        }
    }
    assert!(compared >= 500, "{file}: only {compared} rows");
    differences
}

/// The program knew no en passant, gave nothing for a mate outside the ending, and its mistakes
/// in the ending reach positions that enter it within the depth.
#[test]
fn the_simplified_profile_chooses_as_the_program_did_but_for_its_mistakes() {
    let known = [
        "simplified_search_d1.csv:52",
        "simplified_search_d1.csv:54",
        "simplified_search_d1.csv:60",
        "simplified_search_d2.csv:39",
        "simplified_search_d2.csv:52",
        "simplified_search_d2.csv:54",
    ];
    let files = ["simplified_search_d1.csv", "simplified_search_d2.csv"];
    let differences =
        files.map(|file| chess_differences(file, "simplified", |fen| !few_pieces(fen)));
    assert_only(
        &known,
        &differences.into_iter().flatten().collect::<Vec<_>>(),
    );
}

/// One position of depth 1 has two equal moves, whose order depended on a hash map.
#[test]
fn the_staged_profile_chooses_as_the_program_did_but_for_one_tie() {
    let known = ["staged_search_d1.csv:101"];
    let files = ["staged_search_d1.csv", "staged_search_d2.csv"];
    let differences = files.map(|file| chess_differences(file, "staged", |_| true));
    assert_only(
        &known,
        &differences.into_iter().flatten().collect::<Vec<_>>(),
    );
}

/// The older program's TT ignores the side to move and the clock, so a few of its scores at depth 5
/// belong to another position.
#[test]
fn the_checkers_profile_scores_as_the_program_did_but_for_its_mistaken_table() {
    let known = [
        "checkers_search_basic.csv:235",
        "checkers_search_extreme.csv:157",
        "checkers_search_extreme.csv:172",
        "checkers_search_extreme.csv:284",
    ];
    let differences = ["basic", "extreme", "adaptive"].map(checkers_differences);
    assert_only(
        &known,
        &differences.into_iter().flatten().collect::<Vec<_>>(),
    );
}
