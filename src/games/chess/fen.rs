//! FEN in and out: orthodox FEN, X-FEN, Shredder-FEN, and the four-field form of EPD.
//!
//! The rules crate requires six canonical fields and reports a coarse enum. Here every field is
//! parsed separately, so that an error names the field and the expected value.

use cozy_chess::{Color, File, Rank, Square};

use super::{BitBoard, Board, Piece, Position, piece_letter, squares};
use crate::games::NotationError;

pub fn read<const FRC: bool>(text: &str) -> Result<Position<FRC>, NotationError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [placement, side, castling, en_passant, rest @ ..] = fields.as_slice() else {
        return Err(error(
            text,
            format!(
                "has {} fields, expected 6 (or the 4 of an EPD)",
                fields.len()
            ),
        ));
    };
    let (clock, number) = match rest {
        [] => ("0", "1"),
        [clock, number] => (*clock, *number),
        _ => {
            return Err(error(
                text,
                format!(
                    "has {} fields, expected 6 (or the 4 of an EPD)",
                    fields.len()
                ),
            ));
        }
    };
    let fail = |message: String| error(text, message);
    let pieces = read_placement(placement).map_err(fail)?;
    check_counts(&pieces).map_err(fail)?;
    if !matches!(*side, "w" | "b") {
        return Err(fail(format!(
            "side to move is `{side}`, expected `w` or `b`"
        )));
    }
    let rights = read_castling::<FRC>(&pieces, castling).map_err(fail)?;
    let clock = whole_number(clock)
        .filter(|clock| *clock <= HIGHEST_CLOCK)
        .ok_or_else(|| {
            fail(format!(
                "halfmove clock is `{clock}`, expected 0 to {HIGHEST_CLOCK}"
            ))
        })?;
    let number = whole_number(number).ok_or_else(|| {
        fail(format!(
            "move number is `{number}`, expected 1 to {}",
            u16::MAX
        ))
    })?;
    // Some programs count from 0; the rules crate counts from 1.
    let number = number.max(1);
    let canonical = format!(
        "{placement} {side} {rights} {en_passant} {} {number}",
        clock.min(100)
    );
    let board = cozy_chess::Board::from_fen(&canonical, true)
        .map_err(|cause| error(text, explain(cause)))?;
    Ok(Position {
        board: Board::of_rules(&board, clock),
        castled: [false; 2],
    })
}

/// Far above any rule's limit, and far below overflow in a long game.
const HIGHEST_CLOCK: u16 = 9_999;

/// Digits only: the standard parser also accepts a sign.
fn whole_number(text: &str) -> Option<u16> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// Reads a position at the beginning of a line: six fields where the last two are numbers,
/// otherwise the four of an EPD with its operations behind.
pub fn read_prefix<const FRC: bool>(line: &str) -> Result<Position<FRC>, NotationError> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_number = |index: usize| {
        fields
            .get(index)
            .is_some_and(|text| text.parse::<u16>().is_ok())
    };
    let length = if is_number(4) && is_number(5) { 6 } else { 4 };
    read(&fields[..length.min(fields.len())].join(" "))
}

pub fn write<const FRC: bool>(position: &Position<FRC>) -> String {
    let board = &position.board;
    let en_passant = match squares(board.en_passant()).next() {
        Some(square) => square.to_string(),
        None => "-".to_string(),
    };
    format!(
        "{} {} {} {en_passant} {} {}",
        write_placement(board),
        board.side_to_move(),
        write_castling::<FRC>(board),
        board.clock(),
        board.fullmove_number()
    )
}

fn write_placement(board: &Board) -> String {
    let mut text = String::new();
    for &rank in Rank::ALL.iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let Some(letter) = piece_letter(board, Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank > Rank::First {
            text.push('/');
        }
    }
    text
}

/// In Chess960 the files of the rooks, which is right for any start position.
fn write_castling<const FRC: bool>(board: &Board) -> String {
    let mut text = String::new();
    for &colour in &Color::ALL {
        let rights = board.castle_rights(colour);
        for (rook, usual) in [(rights.short, 'k'), (rights.long, 'q')] {
            let Some(file) = rook else { continue };
            let letter = if FRC { char::from(file) } else { usual };
            text.push(match colour {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

fn error(text: &str, message: impl AsRef<str>) -> NotationError {
    NotationError::new(format!(
        "bad FEN `{}`: {}",
        shortened(text),
        message.as_ref()
    ))
}

/// A prefix of a text, long enough to recognise it.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

fn explain(cause: cozy_chess::FenParseError) -> &'static str {
    use cozy_chess::FenParseError::*;
    match cause {
        // Counts were checked before, so this is the remaining cause.
        InvalidBoard => {
            "impossible position: the side that just moved is in check, or more than two pieces \
             give check"
        }
        InvalidSideToMove => "side to move must be `w` or `b`",
        InvalidCastlingRights => "castling rights do not fit the king and rooks; use `-` for none",
        InvalidEnPassant => {
            "en-passant square must be behind a pawn that just made a double step; use `-` for none"
        }
        InvalidHalfMoveClock => "halfmove clock must be a number",
        InvalidFullmoveNumber => "move number must be 1 or more",
        MissingField | TooManyFields => "expected 6 fields",
    }
}

/// The pieces of each colour, as far as FEN checks need them.
#[derive(Default)]
struct Placement {
    kings: [BitBoard; 2],
    rooks: [BitBoard; 2],
    pawns: [BitBoard; 2],
    all: [BitBoard; 2],
}

impl Placement {
    fn king(&self, colour: usize) -> Option<Square> {
        self.kings[colour].into_iter().next()
    }
}

fn read_placement(text: &str) -> Result<Placement, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(format!("the board has {} ranks, expected 8", rows.len()));
    }
    let mut found = Placement::default();
    for (row, &rank) in rows.iter().zip(Rank::ALL.iter().rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece: Piece = letter.to_ascii_lowercase().try_into().map_err(|_| {
                format!("`{letter}` is not a piece; expected one of PNBRQK, pnbrqk or 1 to 8")
            })?;
            let Some(on) = File::try_index(file) else {
                return Err(format!(
                    "rank `{}` is longer than 8 squares",
                    shortened(row)
                ));
            };
            let square = Square::new(on, rank).bitboard();
            let colour = usize::from(letter.is_ascii_lowercase());
            found.all[colour] |= square;
            match piece {
                Piece::King => found.kings[colour] |= square,
                Piece::Rook => found.rooks[colour] |= square,
                Piece::Pawn => found.pawns[colour] |= square,
                _ => {}
            }
            file += 1;
        }
        if file != 8 {
            return Err(format!(
                "rank `{}` covers {file} squares, expected 8",
                shortened(row)
            ));
        }
    }
    Ok(found)
}

fn check_counts(pieces: &Placement) -> Result<(), String> {
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    for (colour, name) in ["white", "black"].into_iter().enumerate() {
        let kings = pieces.kings[colour].len();
        if kings != 1 {
            return Err(format!("{name} has {kings} kings, expected one"));
        }
        if let Some(square) = (pieces.pawns[colour] & last_ranks).into_iter().next() {
            return Err(format!(
                "{name} has a pawn on {square}; pawns cannot be on the first or last rank"
            ));
        }
        let pawns = pieces.pawns[colour].len();
        if pawns > 8 {
            return Err(format!("{name} has {pawns} pawns, expected at most 8"));
        }
        let all = pieces.all[colour].len();
        if all > 16 {
            return Err(format!("{name} has {all} pieces, expected at most 16"));
        }
    }
    Ok(())
}

/// Castling rights in any notation, as the files of the rooks.
fn read_castling<const FRC: bool>(pieces: &Placement, text: &str) -> Result<String, String> {
    if text == "-" {
        return Ok(text.to_string());
    }
    let mut canonical = String::new();
    for letter in text.chars() {
        let rook = castling_rook(pieces, letter).ok_or_else(|| {
            format!("castling right `{letter}` has no rook to castle with; use `-` for none")
        })?;
        let colour = usize::from(letter.is_ascii_lowercase());
        let king = pieces.king(colour).map(Square::file);
        if !FRC && (king != Some(File::E) || !matches!(rook, File::A | File::H)) {
            return Err(format!(
                "castling right `{letter}` belongs to Chess960; use the game `chess960`"
            ));
        }
        let file: char = rook.into();
        canonical.push(if colour == 0 {
            file.to_ascii_uppercase()
        } else {
            file
        });
    }
    Ok(canonical)
}

/// The rook's file: `K` and `Q` mean the outermost rook on that side of the king, a file letter
/// means the rook on that file.
fn castling_rook(pieces: &Placement, letter: char) -> Option<File> {
    let colour = usize::from(letter.is_ascii_lowercase());
    let home = if colour == 0 {
        Color::White
    } else {
        Color::Black
    };
    let rank = Rank::First.relative_to(home);
    let king = pieces.king(colour).filter(|king| king.rank() == rank)?;
    let has_rook = |file: &File| pieces.rooks[colour].has(Square::new(*file, rank));
    match letter.to_ascii_lowercase() {
        'k' => File::ALL
            .into_iter()
            .rev()
            .find(has_rook)
            .filter(|rook| *rook > king.file()),
        'q' => File::ALL
            .into_iter()
            .find(has_rook)
            .filter(|rook| *rook < king.file()),
        other => File::try_from(other).ok().filter(has_rook),
    }
}
