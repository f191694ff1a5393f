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

/// A file compared row by row.
#[derive(Default)]
struct Comparison {
    compared: usize,
    /// Rows that another reading of the position makes incomparable.
    left_out: usize,
    /// Rows that differ from ours: file and line, and both choices.
    differences: Vec<(String, String)>,
}

impl Comparison {
    /// `known`: the rows that differ, each with its reason. All others must agree, and these must not.
    fn check(files: Vec<Comparison>, compared: usize, left_out: usize, known: &[(&str, &str)]) {
        let sum = |count: fn(&Comparison) -> usize| files.iter().map(count).sum::<usize>();
        let rows = (sum(|file| file.compared), sum(|file| file.left_out));
        assert_eq!(rows, (compared, left_out), "rows compared and left out");
        let differences: Vec<_> = files.iter().flat_map(|file| &file.differences).collect();
        let unknown: Vec<&str> = differences
            .iter()
            .filter(|(place, _)| known.iter().all(|(row, _)| row != place))
            .map(|(_, text)| text.as_str())
            .collect();
        assert!(unknown.is_empty(), "rows differ:\n{}", unknown.join("\n"));
        for (row, reason) in known {
            assert!(
                differences.iter().any(|(place, _)| place == row),
                "{row} agrees now: remove it from the known differences ({reason})"
            );
        }
    }
}

/// At most three pieces besides king and pawns on one side: there the older program used the wrong
/// king table and counted empty squares, which the preset does not reproduce.
fn few_pieces(fen: &str) -> bool {
    let board = fen.split(' ').next().unwrap_or_default();
    let pieces = |letters: &str| board.chars().filter(|c| letters.contains(*c)).count();
    pieces("NBRQ") <= 3 || pieces("nbrq") <= 3
}

fn compare_chess(file: &str, preset: &str, leaves_out: fn(&str) -> bool) -> Comparison {
    let mut comparison = Comparison::default();
    for (index, row) in rows(file).iter().enumerate() {
        if leaves_out(&row["fen"]) {
            comparison.left_out += 1;
            continue;
        }
        comparison.compared += 1;
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
            comparison.differences.push((place, text));
        }
    }
    comparison
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

fn compare_checkers(preset: &str) -> Comparison {
    let file = format!("checkers_search_{preset}.csv");
    let mut comparison = Comparison::default();
    for (index, row) in rows(&file).iter().enumerate() {
        let position = checkers_position(row);
        let depth: u32 = row["depth"].parse().expect("a depth");
        comparison.compared += 1;
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
            comparison.differences.push((place, text));
        }
    }
    comparison
}

/// Left out: 46 rows of each depth with few pieces, see `few_pieces`.
#[test]
fn the_simplified_profile_chooses_as_the_program_did_but_for_its_mistakes() {
    let enters = "a capture enters the ending, where the program reads another king table";
    let no_mate = "the program gives nothing for a mate outside the ending";
    let en_passant = "the program has no en passant";
    let known = [
        ("simplified_search_d1.csv:52", enters),
        ("simplified_search_d1.csv:54", no_mate),
        ("simplified_search_d1.csv:60", en_passant),
        ("simplified_search_d2.csv:39", enters),
        ("simplified_search_d2.csv:52", enters),
        ("simplified_search_d2.csv:54", no_mate),
    ];
    let files = ["simplified_search_d1.csv", "simplified_search_d2.csv"];
    let compared = files.map(|file| compare_chess(file, "simplified", few_pieces));
    Comparison::check(compared.into(), 56, 92, &known);
}

#[test]
fn the_staged_profile_chooses_as_the_program_did_but_for_one_tie() {
    let tie = "two equal moves, whose order depended on a hash map";
    let files = ["staged_search_d1.csv", "staged_search_d2.csv"];
    let compared = files.map(|file| compare_chess(file, "staged", |_| false));
    Comparison::check(
        compared.into(),
        156,
        0,
        &[("staged_search_d1.csv:101", tie)],
    );
}

/// Every row, to depth 5.
#[test]
fn the_checkers_profile_scores_as_the_program_did_but_for_its_mistaken_table() {
    let table = "a score of another position: the program's TT ignores side to move and clock";
    let known = [
        ("checkers_search_basic.csv:235", table),
        ("checkers_search_extreme.csv:157", table),
        ("checkers_search_extreme.csv:172", table),
        ("checkers_search_extreme.csv:284", table),
    ];
    let compared = ["basic", "extreme", "adaptive"].map(compare_checkers);
    Comparison::check(compared.into(), 1890, 0, &known);
}
