//! Text and keys shared by games whose positions are white and black discs and the side to move.

use super::{NotationError, Side};

/// Rows from the top, separated by `/`: `w` and `b` for discs, digits for runs of empty squares;
/// then the side to move, `w` or `b`.
pub fn write_fen(
    rows: usize,
    columns: usize,
    turn: Side,
    at: impl Fn(usize, usize) -> Option<Side>,
) -> String {
    let mut text = String::new();
    for row in 0..rows {
        let mut empty = 0;
        for column in 0..columns {
            let Some(side) = at(row, column) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(letter(side));
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if row + 1 < rows { '/' } else { ' ' });
    }
    text.push(letter(turn));
    text
}

/// Reads what [`write_fen`] writes; calls `put` with row, column and side of every disc.
pub fn read_fen(
    fen: &str,
    rows: usize,
    columns: usize,
    mut put: impl FnMut(usize, usize, Side),
) -> Result<Side, NotationError> {
    let wrong = |message: &str| {
        NotationError::new(format!(
            "`{fen}`: {message}; expected {rows} rows of {columns} squares such as `3wb3`, from \
             the top, separated by `/`, and the side to move, w or b"
        ))
    };
    let mut fields = fen.split_whitespace();
    let (Some(board), Some(turn)) = (fields.next(), fields.next()) else {
        return Err(wrong("the side to move is missing"));
    };
    let turn = match turn {
        "w" => Side::White,
        "b" => Side::Black,
        _ => return Err(wrong("the side to move is neither w nor b")),
    };
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != rows {
        return Err(wrong(&format!("{} rows", lines.len())));
    }
    for (row, line) in lines.into_iter().enumerate() {
        let mut column = 0;
        for letter in line.chars() {
            let width = match letter {
                'w' | 'b' => 1,
                '1'..='9' => letter as usize - '0' as usize,
                _ => return Err(wrong(&format!("`{letter}` is neither a disc nor a number"))),
            };
            if column + width > columns {
                return Err(wrong(&format!("row {} is too long", row + 1)));
            }
            match letter {
                'w' => put(row, column, Side::White),
                'b' => put(row, column, Side::Black),
                _ => {}
            }
            column += width;
        }
        if column != columns {
            return Err(wrong(&format!("row {} is too short", row + 1)));
        }
    }
    Ok(turn)
}

/// The letter of a disc in a diagram.
pub const fn letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// A hash key of two bitboards and the side to move, used like a zobrist key.
pub const fn key(white: u64, black: u64, turn: Side) -> u64 {
    let sides =
        mix(white ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(3) ^ mix(black ^ 0xd1b5_4a32_d192_ed03);
    mix(sides ^ turn as u64)
}

/// The finaliser of SplitMix64: every bit of the input changes half of the output.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
