//! `sparring eval`: the score of positions, term by term.

use std::io::BufRead;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::table::{TextTable, wrapped};
use super::{Done, Failure, find_game, print, trimmed};
use crate::config;
use crate::eval::any::Units;
use crate::eval::{Explanation, PieceEffect, TermEffect};
use crate::games::AnyPosition;

#[derive(Args)]
pub struct EvalArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// A preset, see `sparring list evaluators`, a weights file or a net (.safetensors)
    #[arg(long, value_name = "E")]
    pub evaluator: String,
    /// A TOML file of weights that override the preset's
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Positions as FEN; `-` reads them from standard input, one per line
    #[arg(required = true, value_name = "FEN")]
    pub fens: Vec<String>,
}

pub fn run(args: &EvalArgs) -> Done {
    let game = find_game(&args.game)?;
    let units = game.evaluators().units();
    let (preset, weights) = config::evaluator(game, &args.evaluator, args.weights.as_deref())?;
    // Buffered: thousands of positions may come through the pipe.
    let mut pending = String::new();
    let explained = each_fen(&args.fens, |fen, place| {
        let position = game.rules().read_fen(fen);
        let position = position.map_err(|error| Failure::bad_input(format!("{place}{error}")))?;
        let explanation = preset.explain(&weights, position.as_ref());
        if args.json {
            pending.push_str(&json_line(position.fen(), units, &explanation)?);
        } else {
            pending.push_str(&text(position.as_ref(), units, &explanation));
        }
        if pending.len() > PIECE {
            print(&std::mem::take(&mut pending));
        }
        Ok(())
    });
    // Print the positions before a bad one.
    print(&pending);
    explained
}

/// Calls `f` with every position and its place; `-` reads the lines of standard input.
fn each_fen(fens: &[String], mut f: impl FnMut(&str, &str) -> Done) -> Done {
    for fen in fens {
        if fen != "-" {
            f(fen, "")?;
            continue;
        }
        for (index, line) in std::io::stdin().lock().lines().enumerate() {
            let place = format!("standard input:{}: ", index + 1);
            let line = line.map_err(|error| Failure::bad_input(format!("{place}{error}")))?;
            if !line.trim().is_empty() {
                f(line.trim(), &place)?;
            }
        }
    }
    Ok(())
}

/// Buffer size in bytes.
const PIECE: usize = 1 << 16;

#[derive(Serialize)]
struct EvalJson<'a> {
    fen: String,
    unit: &'a str,
    score: f64,
    terms: Vec<TermJson<'a>>,
    /// Of a net: row and column count from the top left of a diagram.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pieces: Vec<PieceJson>,
}

#[derive(Serialize)]
struct PieceJson {
    row: usize,
    column: usize,
    piece: char,
    effect: f64,
}

#[derive(Serialize)]
struct TermJson<'a> {
    name: &'a str,
    group: &'a str,
    white: f64,
    black: f64,
    value: f64,
}

impl TermJson<'_> {
    fn of(effect: &TermEffect) -> TermJson<'_> {
        TermJson {
            name: &effect.name,
            group: effect.group,
            white: clean(effect.white),
            black: clean(effect.black),
            value: clean(effect.white - effect.black),
        }
    }
}

/// Rounds to hundredths: further digits are floating-point error.
fn clean(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn json_line(fen: String, units: &Units, explanation: &Explanation) -> Result<String, Failure> {
    let piece = |piece: &PieceEffect| PieceJson {
        row: piece.row,
        column: piece.column,
        piece: piece.letter,
        effect: clean(piece.effect),
    };
    let object = EvalJson {
        fen,
        unit: units.unit,
        score: explanation.score,
        terms: explanation.terms.iter().map(TermJson::of).collect(),
        pieces: explanation.pieces.iter().map(piece).collect(),
    };
    let mut line = serde_json::to_string(&object).map_err(Failure::bad_input)?;
    line.push('\n');
    Ok(line)
}

/// The terms in order of effect, then the score. Terms that give neither side anything are only named.
pub(super) fn text(position: &dyn AnyPosition, units: &Units, explanation: &Explanation) -> String {
    if !explanation.pieces.is_empty() {
        return pieces_text(position, units, explanation);
    }
    let mut table = TextTable::new(
        1,
        &[
            "term", "white", "black", "weight", "white's", "black's", "effect",
        ],
    );
    let (mut terms, idle): (Vec<&TermEffect>, Vec<&TermEffect>) = explanation
        .terms
        .iter()
        .partition(|term| term.white != 0.0 || term.black != 0.0);
    let effect = |term: &TermEffect| term.white - term.black;
    terms.sort_by(|a, b| effect(b).abs().total_cmp(&effect(a).abs()));
    for term in terms {
        let weight = match term.weight {
            None => "table".to_string(),
            Some((opening, ending)) if opening == ending => trimmed(opening),
            Some((opening, ending)) => format!("{} / {}", trimmed(opening), trimmed(ending)),
        };
        table.row(vec![
            term.name.to_string(),
            term.white_count.to_string(),
            term.black_count.to_string(),
            weight,
            trimmed(term.white),
            trimmed(term.black),
            trimmed(effect(term)),
        ]);
    }
    let idle: Vec<&str> = idle.iter().map(|term| &*term.name).collect();
    let without = match idle.is_empty() {
        true => String::new(),
        false => {
            let names = format!("no effect for either side: {}", idle.join(", "));
            format!("\n{}\n", wrapped(&names, WIDTH).join("\n"))
        }
    };
    format!(
        "{}\n{}\n{} to move; all figures in {}; effect and score from white's side\n\n{}{without}\nscore {}\n",
        position.fen(),
        position.diagram(),
        position.side_to_move(),
        units.unit,
        table.text(),
        trimmed(explanation.score)
    )
}

/// The effect of every piece on a board, then the score.
fn pieces_text(position: &dyn AnyPosition, units: &Units, explanation: &Explanation) -> String {
    let facts = position.rules().facts();
    let digits = if units.units_in_one > 1.0 { 0 } else { 2 };
    let at = |row, column| {
        let mut pieces = explanation.pieces.iter();
        pieces.find(|piece| (piece.row, piece.column) == (row, column))
    };
    let mut board = String::new();
    for row in 0..facts.rows {
        for column in 0..facts.columns {
            let cell = match at(row, column) {
                Some(piece) => format!("{} {:+.digits$}", piece.letter, piece.effect),
                None => position.letter_at(row, column).to_string(),
            };
            board.push_str(&format!("{cell:>9}"));
        }
        board.push('\n');
    }
    format!(
        "{}\n\n{board}\n{} to move; the effect of a piece: the score minus the score without it, in {}, from white's side\n\nscore {}\n",
        position.fen(),
        position.side_to_move(),
        units.unit,
        trimmed(explanation.score)
    )
}

/// Lines of names are no longer than this.
const WIDTH: usize = 100;
