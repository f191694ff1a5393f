//! Where a game begins: a position from the letters of its squares, as from an editor, or pasted text.

use crate::config::replay;
use crate::eval::catalog::GameId;
use crate::games::{AnyGame, Side};
use crate::record::{CollectionKind, CollectionReader};

/// The FEN of a diagram: one letter per square, row by row from the top left, as in
/// [`crate::games::BoardView::letter_at`]. Squares that are not played on have any letter. `rest` follows the side to
/// move, such as the castling rights of chess. The caller reads it by the rules of the game, which check it.
pub fn fen_of(game: &dyn AnyGame, letters: &str, side: Side, rest: &str) -> String {
    let facts = game.facts();
    let letters: Vec<char> = letters.chars().collect();
    let numbered = facts.rows * facts.columns > 0
        && (0..facts.rows * facts.columns).any(|at| {
            game.number_at(at / facts.columns, at % facts.columns)
                .is_some()
        });
    match numbered {
        true => numbers(game, &letters, side),
        false => rows(game, &letters, side, rest),
    }
}

/// `W:W21,K30:B1,2`.
fn numbers(game: &dyn AnyGame, letters: &[char], side: Side) -> String {
    let columns = game.facts().columns;
    let list = |man: char, king: char| {
        let pieces = letters.iter().enumerate().filter_map(|(at, letter)| {
            let number = game.number_at(at / columns, at % columns)?;
            match *letter {
                letter if letter == man => Some((number, number.to_string())),
                letter if letter == king => Some((number, format!("K{number}"))),
                _ => None,
            }
        });
        let mut pieces: Vec<(usize, String)> = pieces.collect();
        pieces.sort();
        let texts: Vec<String> = pieces.into_iter().map(|(_, text)| text).collect();
        texts.join(",")
    };
    let turn = match side {
        Side::White => 'W',
        Side::Black => 'B',
    };
    format!("{turn}:W{}:B{}", list('w', 'W'), list('b', 'B'))
}

/// `8/8/3wb3/... w`, and whatever follows.
fn rows(game: &dyn AnyGame, letters: &[char], side: Side, rest: &str) -> String {
    let mut text = String::new();
    for (row, squares) in letters.chunks(game.facts().columns.max(1)).enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for letter in squares {
            if matches!(letter, '.' | ' ') {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(*letter);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    text.push_str(match side {
        Side::White => " w",
        Side::Black => " b",
    });
    if !rest.is_empty() {
        text.push(' ');
        text.push_str(rest);
    }
    text
}

/// What pasted text holds.
pub struct ReadText {
    /// The position that the moves start from.
    pub fen: String,
    /// As moves of the game's notation.
    pub moves: Vec<String>,
    pub white: Option<String>,
    pub black: Option<String>,
}

/// Reads a FEN or the first game of a PGN or PDN. The message names the line of an illegal move.
pub fn read_text(game: GameId, text: &str) -> Result<ReadText, String> {
    let rules = game.rules();
    let no_fen = match rules.read_fen(text) {
        Ok(position) => {
            return Ok(ReadText {
                fen: position.fen(),
                moves: Vec::new(),
                white: None,
                black: None,
            });
        }
        Err(error) => error,
    };
    // Text of one line without tags and move numbers was meant as a FEN.
    let is_collection = text.contains('\n') || text.starts_with('[') || text.contains("1.");
    let kind = CollectionKind::from_extension(rules.facts().collection);
    let Some(kind) = kind.filter(|_| is_collection) else {
        return Err(no_fen.to_string());
    };
    let mut games = CollectionReader::new(text.as_bytes(), kind);
    let game = match games.next() {
        Some(Ok(game)) => game,
        Some(Err(error)) => return Err(error.to_string()),
        None => return Err("the text holds no game".to_string()),
    };
    let at_line = |line: usize, message: String| format!("line {line}: {message}");
    let mut position =
        replay(rules, &game, 0).map_err(|error| at_line(error.line, error.message))?;
    let fen = position.fen();
    let mut moves = Vec::new();
    for mv in &game.moves {
        let number = position
            .find_move(&mv.text)
            .map_err(|error| at_line(mv.line, error.to_string()))?;
        let Some(legal) = position
            .legal_move(number)
            .filter(|_| position.play(number))
        else {
            return Err(at_line(mv.line, format!("`{}`: no legal move", mv.text)));
        };
        moves.push(legal.text);
    }
    let tag = |name: &str| game.tag(name).map(str::to_string);
    Ok(ReadText {
        fen,
        moves,
        white: tag("White"),
        black: tag("Black"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_every_start_position_give_that_position() {
        for game in GameId::ALL {
            let rules = game.rules();
            let start = rules.usual_start();
            let facts = rules.facts();
            let squares =
                (0..facts.rows * facts.columns).map(|at| (at / facts.columns, at % facts.columns));
            let letters: String = squares
                .map(|(row, column)| start.letter_at(row, column))
                .collect();
            let rest = if facts.has_check { "KQkq - 0 1" } else { "" };
            let fen = fen_of(rules, &letters, start.side_to_move(), rest);
            let read = rules
                .read_fen(&fen)
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(read.fen(), start.fen(), "{}", game.name());
        }
    }
}
