//! Games of a run on boards.

use serde_json::{Value, json};

use crate::eval::catalog::GameId;
use crate::games::{AnyPosition, Side};
use crate::record::{GameRow, MoveScore};
use crate::serve::play::letters;

/// Who played, and how it ended.
fn facts(row: &GameRow) -> Value {
    json!({
        "number": row.game,
        "pair": row.pair,
        "white": row.white,
        "black": row.black,
        "result": row.result.text(),
        "termination": row.termination,
        "plies": row.plies,
    })
}

/// A game move by move.
struct Line {
    /// The first one is before any move.
    positions: Vec<Box<dyn AnyPosition>>,
    moves: Vec<String>,
}

/// `None` if it cannot be replayed.
fn replay(game: GameId, row: &GameRow) -> Option<Line> {
    let rules = game.rules();
    let start = row.start().trim();
    let mut position = rules.position((!start.is_empty()).then_some(start)).ok()?;
    let mut line = Line {
        positions: vec![position.clone()],
        moves: Vec::new(),
    };
    for text in row.moves.split_whitespace() {
        let number = position.find_move(text).ok()?;
        line.moves.push(position.legal_move(number)?.record);
        if !position.play(number) {
            return None;
        }
        line.positions.push(position.clone());
    }
    Some(line)
}

/// The last position of a game.
pub fn thumbnail(game: GameId, row: &GameRow) -> Value {
    let mut value = facts(row);
    if let Some(line) = replay(game, row)
        && let Some(last) = line.positions.last()
    {
        value["letters"] = json!(letters(last.as_ref()));
    }
    value
}

/// A whole game: all positions, moves, and scores from white's side.
pub fn game_json(game: GameId, row: &GameRow) -> Value {
    let mut value = facts(row);
    value["game"] = json!(game.name());
    let Some(Line { positions, moves }) = replay(game, row) else {
        return value;
    };
    let first = positions
        .first()
        .map_or(Side::White, |it| it.side_to_move());
    let scores: Vec<Value> = row
        .move_scores()
        .enumerate()
        .map(|(ply, score)| {
            let white = (first == Side::White) == ply.is_multiple_of(2);
            score.map_or(Value::Null, |score| {
                match if white { score } else { score.negated() } {
                    MoveScore::Plain(value) => json!({ "value": value }),
                    MoveScore::Mate(moves) => json!({ "mate": moves }),
                }
            })
        })
        .collect();
    value["letters"] = positions
        .iter()
        .map(|it| json!(letters(it.as_ref())))
        .collect();
    value["moves"] = json!(moves);
    value["scores"] = json!(scores);
    value["whiteBegins"] = json!(first == Side::White);
    value
}
