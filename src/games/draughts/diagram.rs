//! The board as text, white at the bottom, with the number of each row's outer squares.

use super::bits::Bits;
use super::board::Geometry;
use super::fen::number;
use super::position::Draughts;
use super::rules::Rules;
use crate::games::Side;
use std::fmt::Write;

/// `w` and `b` are men, `W` and `B` kings, `.` an empty square that is played on.
pub(super) fn draw<R: Rules>(position: &Draughts<R>) -> String {
    let mut text = String::new();
    for row in 0..R::Board::ROWS {
        let squares: Vec<Option<usize>> = (0..R::Board::ROWS)
            .map(|column| square_at::<R>(row, column))
            .collect();
        let mut numbers = squares.iter().flatten().map(|&square| number::<R>(square));
        let (first, end) = (
            numbers.next().unwrap_or(0),
            numbers.next_back().unwrap_or(0),
        );
        // Writing to a string cannot fail.
        let _ = write!(text, "{first:>3} ");
        for square in squares {
            text.push(' ');
            text.push(match square {
                None => ' ',
                Some(square) => letter(position, square),
            });
        }
        let _ = writeln!(text, "  {end}");
    }
    let _ = writeln!(text, "{} to move", position.turn());
    text
}

/// The square at a place of the diagram; `None` if it is not playable.
pub(super) fn square_at<R: Rules>(row: usize, column: usize) -> Option<usize> {
    let column = if R::BOOK.mirrored {
        (R::Board::ROWS - 1).checked_sub(column)?
    } else {
        column
    };
    R::Board::square_at(row, column)
}

/// The place of every square in the diagram, counted from the top left.
pub(super) fn cells<R: Rules>() -> Vec<usize> {
    let mut cells = vec![0; R::Board::SQUARES];
    for row in 0..R::Board::ROWS {
        for column in 0..R::Board::ROWS {
            if let Some(square) = square_at::<R>(row, column) {
                cells[square] = row * R::Board::ROWS + column;
            }
        }
    }
    cells
}

pub(super) fn letter<R: Rules>(position: &Draughts<R>, square: usize) -> char {
    if position.men(Side::White).has(square) {
        'w'
    } else if position.kings(Side::White).has(square) {
        'W'
    } else if position.men(Side::Black).has(square) {
        'b'
    } else if position.kings(Side::Black).has(square) {
        'B'
    } else {
        '.'
    }
}
