//! A position from the letters of its squares, as from an editor.

use crate::games::{AnyGame, Side};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::catalog::GameId;

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
