//! Positions as PDN FEN: `W:W21,22,K30:B1,2,K5`.
//!
//! Squares are numbered from the top left, row by row, so black starts at the low numbers. On the
//! mirrored boards the top left square is playable and has number 1, so numbers and bits run in
//! opposite directions within a row. Spanish books count from white's right-hand corner instead;
//! their number `n` is `33 - n` here. The text does not include the draw clocks and the count of
//! king moves.

use super::bits::Bits;
use super::board::Geometry;
use super::position::{BitsOf, Draughts};
use super::rules::Rules;
use crate::games::{NotationError, Side};
use std::fmt::Write;

/// The number of a square, from 1.
pub(super) fn number<R: Rules>(square: usize) -> usize {
    1 + if R::BOOK.mirrored {
        let width = R::Board::WIDTH;
        square / width * width + (width - 1 - square % width)
    } else {
        square
    }
}

/// The square with that number, if there is one.
pub(super) fn square<R: Rules>(number: usize) -> Option<usize> {
    let index = number
        .checked_sub(1)
        .filter(|&index| index < R::Board::SQUARES)?;
    // Mirroring is its own inverse.
    Some(self::number::<R>(index) - 1)
}

/// A prefix of user input, short enough to show.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let printable = |c: char| if c.is_control() { '?' } else { c };
    let mut short: String = text.chars().take(MOST).map(printable).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

const EXPECTED: &str = "expected side to move, white's squares and black's squares, such as \
                        W:W21,22,K30:B1,2,K5";

pub(super) fn parse<R: Rules>(fen: &str) -> Result<Draughts<R>, NotationError> {
    let text = fen.trim().trim_end_matches('.').trim_end();
    if text.is_empty() {
        return Err(NotationError::new(format!("empty position: {EXPECTED}")));
    }
    let mut parts = text.split(':').map(str::trim);
    let turn = match parts.next() {
        Some("W") => Side::White,
        Some("B") => Side::Black,
        other => {
            let side = shown(other.unwrap_or_default());
            return Err(NotationError::new(format!(
                "`{side}` is not a side to move: {EXPECTED}, beginning with W or B"
            )));
        }
    };
    let mut found: [Option<PieceList<BitsOf<R>>>; 2] = [None, None];
    for part in parts {
        let (side, list) = if let Some(list) = part.strip_prefix('W') {
            (Side::White, list)
        } else if let Some(list) = part.strip_prefix('B') {
            (Side::Black, list)
        } else {
            return Err(NotationError::new(format!(
                "`{}` is not a list of pieces: begin it with W or B, as in W21,K30",
                shown(part)
            )));
        };
        let pieces = pieces::<R>(list, side)?;
        if found[side as usize].replace(pieces).is_some() {
            return Err(NotationError::new(format!(
                "two lists of {side} pieces: put them into one, separated by commas"
            )));
        }
    }
    let [Some(white), Some(black)] = found else {
        return Err(NotationError::new(format!(
            "`{}` lacks a list of pieces: {EXPECTED}; a side without pieces is a bare W or B",
            shown(text)
        )));
    };
    if let Some(twice) = (white.all & black.all).squares().next() {
        return Err(NotationError::new(format!(
            "square {} has a white and a black piece: keep one of them",
            number::<R>(twice)
        )));
    }
    Ok(Draughts::set_up(
        white.all,
        black.all,
        white.kings | black.kings,
        turn,
    ))
}

#[derive(Clone, Copy)]
struct PieceList<B> {
    all: B,
    kings: B,
}

/// The squares after the letter of a colour: numbers and ranges, `K` before kings.
fn pieces<R: Rules>(list: &str, side: Side) -> Result<PieceList<BitsOf<R>>, NotationError> {
    let mut pieces = PieceList {
        all: BitsOf::<R>::EMPTY,
        kings: BitsOf::<R>::EMPTY,
    };
    if list.trim().is_empty() {
        return Ok(pieces);
    }
    let far_row = Draughts::<R>::far_row(side);
    for item in list.split(',').map(str::trim) {
        let (king, numbers) = match item.strip_prefix('K') {
            Some(numbers) => (true, numbers),
            None => (false, item),
        };
        let (low, high) = match numbers.split_once('-') {
            Some((low, high)) => (whole::<R>(low, item)?, whole::<R>(high, item)?),
            None => {
                let number = whole::<R>(numbers, item)?;
                (number, number)
            }
        };
        if low > high {
            return Err(NotationError::new(format!(
                "`{}` runs backwards: write the lower square first",
                shown(item)
            )));
        }
        for square in (low..=high).filter_map(square::<R>) {
            if pieces.all.has(square) {
                return Err(NotationError::new(format!(
                    "square {} is listed twice for {side}: keep one of them",
                    number::<R>(square)
                )));
            }
            if !king && far_row.has(square) {
                return Err(NotationError::new(format!(
                    "a {side} man on square {n} would be a king: write K{n} or move it",
                    n = number::<R>(square)
                )));
            }
            pieces.all |= BitsOf::<R>::square(square);
            if king {
                pieces.kings |= BitsOf::<R>::square(square);
            }
        }
    }
    Ok(pieces)
}

/// A square number of this board.
fn whole<R: Rules>(digits: &str, item: &str) -> Result<usize, NotationError> {
    let digits = digits.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = if plain && digits.len() <= 3 {
        digits.parse().ok()
    } else {
        None
    };
    number.filter(|&n| square::<R>(n).is_some()).ok_or_else(|| {
        NotationError::new(format!(
            "`{}` is not a piece: expected a square from 1 to {}, with K before it for a king",
            shown(item),
            R::Board::SQUARES
        ))
    })
}

pub(super) fn write<R: Rules>(position: &Draughts<R>) -> String {
    let mut text = String::from(match position.turn() {
        Side::White => "W",
        Side::Black => "B",
    });
    for (side, letter) in [(Side::White, ":W"), (Side::Black, ":B")] {
        text.push_str(letter);
        let mut separator = "";
        for (number, square) in (1..).map_while(|n| Some((n, square::<R>(n)?))) {
            if position.pieces(side).has(square) {
                let king = if position.kings(side).has(square) {
                    "K"
                } else {
                    ""
                };
                // Writing to a string cannot fail.
                let _ = write!(text, "{separator}{king}{number}");
                separator = ",";
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::games::draughts::{English, International, Italian, Turkish};
    use crate::games::prelude::*;

    #[test]
    fn start_positions_are_those_of_the_books() {
        let english = English::start(0);
        assert_eq!(Ok(english), English::from_fen("B:W21-32:B1-12"));
        assert_eq!(
            Ok(International::start(0)),
            International::from_fen("W:W31-50:B1-20")
        );
        assert_eq!(Ok(Turkish::start(0)), Turkish::from_fen("W:W41-56:B9-24"));
        assert_eq!(Ok(Italian::start(0)), Italian::from_fen("W:W21-32:B1-12"));
    }

    #[test]
    fn spaces_ranges_a_dot_and_either_order_are_read() {
        let plain = English::from_fen("W:W21,22,K30:B1,2,K5").unwrap();
        for text in [
            "W:B1-2,K5:WK30,21-22.",
            " W : W 21, 22 , K30 : B 1 ,2,K5 . ",
        ] {
            assert_eq!(English::from_fen(text), Ok(plain), "{text}");
        }
        assert_eq!(plain.fen(), "W:W21,22,K30:B1,2,K5");
        assert_eq!(English::from_fen("W:W:BK1").unwrap().fen(), "W:W:BK1");
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_helps() {
        for (text, says) in [
            ("", "empty position"),
            ("w:W1:B2", "`w` is not a side to move"),
            ("W", "lacks a list"),
            ("W:W21", "lacks a list"),
            ("W:W21:W22:B1", "two lists of white pieces"),
            ("W:W21:X1", "`X1` is not a list of pieces"),
            ("W:W33:B1", "from 1 to 32"),
            ("W:W0:B1", "from 1 to 32"),
            ("W:W99999999999999999999:B1", "is not a piece"),
            ("W:W21,,22:B1", "is not a piece"),
            ("W:WKK21:B1", "is not a piece"),
            ("W:W+21:B1", "is not a piece"),
            ("W:W25-21:B1", "runs backwards"),
            ("W:W21,21:B1", "listed twice"),
            ("W:W21:B21", "a white and a black piece"),
            ("W:W3:B1", "would be a king"),
            ("W:W21:B30", "would be a king"),
            ("W:W21:Bé", "is not a piece"),
        ] {
            let error = English::from_fen(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
            assert!(error.len() < 300, "{text}: {error}");
        }
    }
}
