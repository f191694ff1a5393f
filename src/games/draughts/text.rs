//! Moves as PDN text: `11-15`, `22x15`, and the full route `1x10x19` where needed.
//!
//! Read, but not written: square names such as `c3-d4` and `c3:e5`, with a1 at white's left.

use super::bits::Bits;
use super::board::Geometry;
use super::fen::{number, shown, square};
use super::position::{BitsOf, Draughts, Move};
use super::rules::Rules;
use crate::games::NotationError;
use crate::games::prelude::*;

pub(super) fn write<R: Rules>(position: &Draughts<R>, mv: Move<BitsOf<R>>) -> String {
    let mut twins = 0;
    position.for_each_move(|other| twins += (other.from == mv.from && other.to == mv.to) as u32);
    if twins > 1 && mv.captured.any() {
        return joined::<R>(&route(position, mv), 'x');
    }
    joined::<R>(&[mv.from, mv.to], if mv.captured.any() { 'x' } else { '-' })
}

fn joined<R: Rules>(squares: &[u8], separator: char) -> String {
    let mut text = String::new();
    for &square in squares {
        if !text.is_empty() {
            text.push(separator);
        }
        text.push_str(&number::<R>(usize::from(square)).to_string());
    }
    text
}

/// The squares of the first route of `mv`; only start and end if it is not legal here.
fn route<R: Rules>(position: &Draughts<R>, mv: Move<BitsOf<R>>) -> Vec<u8> {
    let mut found = None;
    position.for_each_route(&mut |other, squares| {
        if other == mv && found.is_none() {
            found = Some(squares.to_vec());
        }
    });
    found.unwrap_or_else(|| vec![mv.from, mv.to])
}

pub(super) fn parse<R: Rules>(
    position: &Draughts<R>,
    text: &str,
) -> Result<Move<BitsOf<R>>, NotationError> {
    let squares = squares::<R>(text.trim())?;
    let (&[from, .., to], legs) = (&squares[..], squares.len() - 1) else {
        return Err(no_move::<R>(text));
    };
    let mut candidates: Vec<Move<BitsOf<R>>> = Vec::new();
    position.for_each_move(|mv| {
        if usize::from(mv.from) == from && usize::from(mv.to) == to {
            candidates.push(mv);
        }
    });
    // Two squares may abbreviate several routes; a route of just these two squares takes precedence.
    if legs > 1 || candidates.len() > 1 {
        let taken = taken_on_the_way(position, &squares);
        let exact = candidates
            .iter()
            .position(|mv| mv.captured.any() && Some(mv.captured) == taken);
        match exact {
            Some(index) => candidates = vec![candidates[index]],
            None if legs > 1 => candidates.clear(),
            None => {}
        }
    }
    match candidates[..] {
        [mv] => Ok(mv),
        [] => Err(NotationError::new(format!(
            "`{}` is not a legal move in {}: {}",
            shown(text),
            position.fen(),
            legal_moves(position, from)
        ))),
        _ => {
            let routes: Vec<String> = candidates
                .iter()
                .map(|&mv| joined::<R>(&route(position, mv), 'x'))
                .collect();
            Err(NotationError::new(format!(
                "`{}` is ambiguous: write one of {}",
                shown(text),
                routes.join(", ")
            )))
        }
    }
}

/// Up to a dozen legal moves to suggest, those of the named piece if it has any.
fn legal_moves<R: Rules>(position: &Draughts<R>, from: usize) -> String {
    const MOST: usize = 12;
    let mut moves = Vec::new();
    position.for_each_move(|mv| moves.push(mv));
    if moves.is_empty() {
        return format!("{} has no move", position.turn());
    }
    if moves.iter().any(|mv| usize::from(mv.from) == from) {
        moves.retain(|mv| usize::from(mv.from) == from);
    }
    let more = if moves.len() > MOST { ", ..." } else { "" };
    let texts: Vec<String> = moves
        .iter()
        .take(MOST)
        .map(|&mv| position.move_text(mv))
        .collect();
    format!("try {}{more}", texts.join(", "))
}

/// The enemies between the squares of a route, if consecutive squares share a line.
fn taken_on_the_way<R: Rules>(position: &Draughts<R>, route: &[usize]) -> Option<BitsOf<R>> {
    let enemies = position.pieces(position.turn().other());
    let mut taken = BitsOf::<R>::EMPTY;
    for leg in route.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        let direction = (0..8).find(|&direction| R::Board::ray(from, direction).has(to))?;
        let between = R::Board::ray(from, direction) & R::Board::ray(to, direction ^ 2);
        taken |= between & enemies;
    }
    Some(taken)
}

fn no_move<R: Rules>(text: &str) -> NotationError {
    NotationError::new(format!(
        "`{}` is not a move: expected squares from 1 to {} such as 11-15 or 22x15",
        shown(text),
        R::Board::SQUARES
    ))
}

fn squares<R: Rules>(text: &str) -> Result<Vec<usize>, NotationError> {
    // No chain is longer than the number of squares: reject huge inputs early.
    let mut squares = Vec::new();
    for word in text
        .split(['-', 'x', 'X', ':', '*'])
        .take(R::Board::SQUARES + 1)
    {
        let known = by_number::<R>(word).or_else(|| by_name::<R>(word));
        squares.push(known.ok_or_else(|| no_move::<R>(text))?);
    }
    if squares.len() < 2 || squares.len() > R::Board::SQUARES {
        return Err(no_move::<R>(text));
    }
    Ok(squares)
}

fn by_number<R: Rules>(word: &str) -> Option<usize> {
    let plain = matches!(word.len(), 1..=3) && word.bytes().all(|b| b.is_ascii_digit());
    if plain {
        square::<R>(word.parse().ok()?)
    } else {
        None
    }
}

fn by_name<R: Rules>(word: &str) -> Option<usize> {
    let &[letter, digit] = word.as_bytes() else {
        return None;
    };
    let column = usize::from(letter.to_ascii_lowercase().checked_sub(b'a')?);
    let rank = usize::from(digit.checked_sub(b'1')?);
    let row = R::Board::ROWS.checked_sub(rank + 1)?;
    if R::Board::ROWS != 8 || column >= 8 {
        return None;
    }
    R::Board::square_at(row, if R::BOOK.mirrored { 7 - column } else { column })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::{English, Italian, Russian, Turkish};

    fn texts<G: Game>(position: &G) -> Vec<String> {
        let mut moves = Vec::new();
        position.for_each_move(|mv| moves.push(position.move_text(mv)));
        moves.sort();
        moves
    }

    #[test]
    fn captures_that_share_start_and_end_are_written_in_full() {
        let position = English::from_fen("W:W30:B17,18,25,26").unwrap();
        assert_eq!(texts(&position), ["30x21x14", "30x23x14"]);
        let error = position.parse_move("30x14").unwrap_err().to_string();
        assert!(error.contains("ambiguous"), "{error}");
        assert!(
            error.contains("30x21x14") && error.contains("30x23x14"),
            "{error}"
        );
        assert!(position.parse_move("30x22x14").is_err(), "no such route");
    }

    #[test]
    fn short_and_whole_forms_name_the_same_capture() {
        let position = English::from_fen("W:W30:B17,25").unwrap();
        assert_eq!(texts(&position), ["30x14"]);
        assert_eq!(
            position.parse_move("30x21x14"),
            position.parse_move("30x14")
        );
    }

    #[test]
    fn square_names_are_read_on_boards_of_eight() {
        let russian = Russian::start(0);
        assert_eq!(russian.parse_move("c3-d4"), russian.parse_move("22-18"));
        let capture = Russian::from_fen("W:W22:B18").unwrap();
        assert_eq!(capture.parse_move("c3:e5"), capture.parse_move("22x15"));
        let turkish = Turkish::start(0);
        assert_eq!(turkish.parse_move("a3-a4"), turkish.parse_move("41-33"));
    }

    #[test]
    fn a_mirrored_board_numbers_its_squares_from_the_left_too() {
        let first = [
            "21-17", "21-18", "22-18", "22-19", "23-19", "23-20", "24-20",
        ]
        .map(String::from);
        assert_eq!(texts(&Italian::start(0)), first);
    }

    #[test]
    fn an_illegal_move_is_answered_with_legal_ones() {
        let error = English::start(0)
            .parse_move("11-20")
            .unwrap_err()
            .to_string();
        assert!(error.contains("try 11-16, 11-15"), "{error}");
        for text in [
            "", "-", "11", "11-", "x", "0-1", "33-1", "a9-b8", "11-15-", "١-٢", "e2e4",
        ] {
            assert!(English::start(0).parse_move(text).is_err(), "{text}");
        }
    }
}
