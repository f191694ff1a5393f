//! The presets of the older programs against scores that those programs printed. The files and
//! their columns are described in `tests/golden/README.md`.

use std::collections::HashMap;
use std::path::Path;

use sparring::eval::{Evaluated, Explanation, WeightValue, Weights};
use sparring::games::chess::Chess;
use sparring::games::draughts::{Checkers, draws::DrawClocks};
use sparring::games::prelude::*;
use sparring::games::{EndReason, Outcome, Side};

/// One row of a golden file, by column name.
type Row = HashMap<String, String>;

fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(file);
    let rows: Vec<Row> = csv::Reader::from_path(path)
        .expect("a golden file")
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("golden rows");
    assert!(rows.len() >= 100, "{file} is cut short");
    rows
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().expect("a number")
}

fn explained<G: Evaluated>(preset: &str, fen: &str) -> Explanation {
    let preset = G::preset(preset).expect("a preset");
    let position = G::from_fen(fen).expect("a golden position");
    (preset.explain)(&Weights::defaults(preset.terms), &position)
}

/// A group's contribution for white and for black, in units.
fn group(explanation: &Explanation, name: &str) -> [f64; 2] {
    let of_group = explanation.terms.iter().filter(|term| term.group == name);
    of_group.fold([0.0; 2], |sum, term| {
        [sum[0] + term.white, sum[1] + term.black]
    })
}

/// The groups of `staged` and the columns that hold them.
const STAGED_COLUMNS: [(&str, &str); 10] = [
    ("material", "material"),
    ("mobility", "mobility"),
    ("pawn structure", "pawnStruct"),
    ("attacks", "attacks"),
    ("rook structure", "rookStruct"),
    ("centre", "centerControl"),
    ("castling", "castleValue"),
    ("tropism", "tropism"),
    ("piece location", "pieceLocation"),
    ("checkmate", "checkmate"),
];

/// Differences between the preset `staged` and the older program in a golden row, beyond 0.001 pawn.
fn staged_differences(row: &Row) -> Vec<String> {
    const KING: f64 = 10_000.0;
    let ours = explained::<Chess>("staged", &row["fen"]);
    let mut differences = Vec::new();
    let mut compare = |what: String, ours: f64, theirs: f64| {
        if (ours - theirs).abs() > 0.001 + 1e-9 {
            differences.push(format!("{what}: {ours} here, {theirs} there"));
        }
    };
    compare("total".into(), ours.score / 100.0, number(row, "eval"));
    for (name, column) in STAGED_COLUMNS {
        for (side, value) in ["w", "b"].iter().zip(group(&ours, name)) {
            let mut theirs = number(row, &format!("{side}_{column}"));
            if name == "material" {
                theirs -= KING;
            }
            compare(format!("{side} {name}"), value / 100.0, theirs);
        }
    }
    differences
}

#[test]
fn staged_agrees_with_its_program_on_every_term() {
    let rows = rows("staged_eval.csv");
    let mut differing = 0;
    for row in &rows {
        let differences = staged_differences(row);
        if !differences.is_empty() {
            println!("{}\n  {}", row["fen"], differences.join("\n  "));
            differing += 1;
        }
    }
    // The program's document leaves open which of several equally near moves tropism takes; with
    // the order of its hash map known, nothing is left over.
    assert_eq!(differing, 0, "of {} positions", rows.len());
}

#[test]
fn simplified_agrees_with_its_program_before_the_ending() {
    let mut compared = 0;
    for row in rows("simplified_eval.csv") {
        let fen = &row["fen"];
        let ours = explained::<Chess>("simplified", fen);
        let ending = ours
            .terms
            .iter()
            .any(|term| term.name == "king_ending_table" && term.white_count > 0);
        if ending || row["isEndgame"] == "1" {
            continue;
        }
        // The golden total is black's view.
        assert_eq!(-ours.score, number(&row, "eval"), "{fen}");
        let [white, black] = group(&ours, "tables");
        assert_eq!(white, number(&row, "w_pst2"), "{fen}");
        assert_eq!(black, number(&row, "b_pst2"), "{fen}");
        compared += 1;
    }
    assert!(
        compared >= 50,
        "only {compared} positions before the ending"
    );
}

/// In the ending the program differs from its meaning by two accidents: white's king never reads
/// the ending table, and white's pieces alone decide whether black's does. With the tables
/// exchanged to suit, nothing else differs.
#[test]
fn simplified_differs_in_the_ending_by_the_kings_tables_alone() {
    let preset = Chess::preset("simplified").expect("a preset");
    let both_read = |name: &str| {
        let term = preset.terms.iter().find(|term| term.name == name);
        let term = term.expect("a table");
        let table = WeightValue::flat((0..64).map(|square| term.default_of(square).0).collect());
        let mut weights = Weights::defaults(preset.terms);
        for king_table in ["king_table", "king_ending_table"] {
            let set = weights.set(preset.terms, king_table, &table);
            set.expect("a table of 64");
        }
        weights
    };
    let middlegame = both_read("king_table");
    let ending = both_read("king_ending_table");
    for row in rows("simplified_eval.csv") {
        let fen = &row["fen"];
        let position = Chess::from_fen(fen).expect("a golden position");
        let for_white = (preset.explain)(&middlegame, &position);
        let for_black = match row["isEndgame"].as_str() {
            "1" => (preset.explain)(&ending, &position),
            _ => (preset.explain)(&middlegame, &position),
        };
        const KING: f64 = 20_000.0;
        let [white, black] = group(&for_white, "material");
        assert_eq!(white + KING, number(&row, "w_material"), "{fen}");
        assert_eq!(black + KING, number(&row, "b_material"), "{fen}");
        assert_eq!(
            group(&for_white, "tables")[0],
            number(&row, "w_pst2"),
            "{fen}"
        );
        assert_eq!(
            group(&for_black, "tables")[1],
            number(&row, "b_pst2"),
            "{fen}"
        );
    }
}

/// The position of a golden row with `turn` to move, and how its game ended, if it did.
fn checkers(row: &Row, turn: Side) -> (Checkers, Option<Outcome>) {
    let board = |column: &str| u32::from_str_radix(&row[column], 16).expect("a hex board");
    let (white, black, kings) = (board("white"), board("black"), board("kings"));
    let list = |side: u32| {
        let squares = (0..32).filter(|bit| side >> bit & 1 == 1);
        let piece = |bit: u32| match kings >> bit & 1 {
            1 => format!("K{}", bit + 1),
            _ => format!("{}", bit + 1),
        };
        squares.map(piece).collect::<Vec<_>>().join(",")
    };
    let mover = match turn {
        Side::White => "W",
        Side::Black => "B",
    };
    let fen = format!("{mover}:W{}:B{}", list(white), list(black));
    let position = Checkers::from_fen(&fen).expect("a golden position");
    let since_capture = row["lastTurnEaten"].parse().expect("a clock");
    let position = position.with_clocks(DrawClocks {
        since_capture,
        ..DrawClocks::default()
    });
    let outcome = match row["state"].as_str() {
        "WhiteWon" => Some(Outcome::win(Side::White, EndReason::NO_MOVES)),
        "BlackWon" => Some(Outcome::win(Side::Black, EndReason::NO_MOVES)),
        "Draw" => Some(Outcome::draw(EndReason::NO_CAPTURES)),
        _ => None,
    };
    (position, outcome)
}

#[test]
fn checkers_presets_agree_with_their_program_from_both_sides() {
    for row in rows("checkers_positions.csv") {
        for (turn, letter) in [(Side::White, "W"), (Side::Black, "B")] {
            let (position, outcome) = checkers(&row, turn);
            assert_eq!(position.end(), outcome, "{}", position.fen());
            for name in ["basic", "extreme", "adaptive"] {
                let preset = Checkers::preset(name).expect("a preset");
                let weights = Weights::defaults(preset.terms);
                let mut evaluator = (preset.build)(&weights, 0);
                let ours = match outcome {
                    None => evaluator.evaluate(&position),
                    Some(outcome) => evaluator
                        .finished(&position, outcome)
                        .expect("a separate value"),
                };
                let theirs = number(&row, &format!("{name}{letter}"));
                assert_eq!(f64::from(ours) / 100.0, theirs, "{name} {}", position.fen());
                // An explanation is always from white's side.
                let explained = (preset.explain)(&weights, &position).score;
                assert_eq!(explained, number(&row, &format!("{name}W")), "{name}");
            }
        }
    }
}
