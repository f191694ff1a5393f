//! FEN in and out: orthodox FEN, X-FEN, Shredder-FEN, and the four-field form of EPD.
//!
//! The rules crate wants six canonical fields and answers with a coarse enum; here every field
//! is read by itself, so that an error can say which one is wrong and what would be right.

use cozy_chess::{Board, Color, File, Rank, Square};

use super::{BitBoard, Piece, Position};
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
    let pieces = read_placement(placement).map_err(|message| error(text, message))?;
    if !matches!(*side, "w" | "b") {
        return Err(error(
            text,
            format!("side to move is `{side}`, expected `w` or `b`"),
        ));
    }
    let rights = read_castling::<FRC>(&pieces, castling).map_err(|message| error(text, message))?;
    let clock: u16 = clock
        .parse()
        .ok()
        .filter(|clock| *clock <= 9_999)
        .ok_or_else(|| {
            error(
                text,
                format!("halfmove clock is `{clock}`, expected 0 to 9999"),
            )
        })?;
    let number: u16 = number.parse().map_err(|_| {
        error(
            text,
            format!("move number is `{number}`, expected 1 to 65535"),
        )
    })?;
    // Some programs count from 0; the rules crate does not.
    let number = number.max(1);
    let canonical = format!(
        "{placement} {side} {rights} {en_passant} {} {number}",
        clock.min(100)
    );
    let board = Board::from_fen(&canonical, true).map_err(|cause| error(text, explain(cause)))?;
    Ok(Position {
        board,
        clock,
        castled: [false; 2],
    })
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
    // The alternate form writes the castling rooks' files, which is right for any start position.
    let text = if FRC {
        format!("{board:#}")
    } else {
        board.to_string()
    };
    let fields: Vec<&str> = text.split(' ').collect();
    let en_passant = match position.effective_en_passant() {
        Some(square) => square.to_string(),
        None => "-".to_string(),
    };
    format!(
        "{} {} {} {en_passant} {} {}",
        fields[0],
        fields[1],
        fields[2],
        position.clock,
        board.fullmove_number()
    )
}

fn error(text: &str, message: impl AsRef<str>) -> NotationError {
    NotationError::new(format!(
        "bad FEN `{}`: {}",
        shortened(text),
        message.as_ref()
    ))
}

/// Enough of a text to recognise it, however long it was.
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
        InvalidBoard => {
            "impossible position: it needs one king a side, at most 16 pieces and 8 pawns a side, \
             no pawn on the first or last rank, and the side not to move not in check"
        }
        InvalidSideToMove => "side to move must be `w` or `b`",
        InvalidCastlingRights => "castling rights do not fit the king and rooks; use `-` for none",
        InvalidEnPassant => {
            "en-passant square must lie behind a pawn that just made a double step; use `-` for none"
        }
        InvalidHalfMoveClock => "halfmove clock must be a number",
        InvalidFullmoveNumber => "move number must be 1 or more",
        MissingField | TooManyFields => "expected 6 fields",
    }
}

/// Where the pieces stand that castling rights refer to.
struct Placement {
    kings: [Option<Square>; 2],
    rooks: [BitBoard; 2],
}

fn read_placement(text: &str) -> Result<Placement, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(format!("the board has {} ranks, expected 8", rows.len()));
    }
    let mut found = Placement {
        kings: [None; 2],
        rooks: [BitBoard::EMPTY; 2],
    };
    for (row, &rank) in rows.iter().zip(Rank::ALL.iter().rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece: Piece = letter.to_ascii_lowercase().try_into().map_err(|_| {
                format!("`{letter}` is no piece; expected one of PNBRQK, pnbrqk or a digit")
            })?;
            let Some(on) = File::try_index(file) else {
                return Err(format!(
                    "rank `{}` is longer than 8 squares",
                    shortened(row)
                ));
            };
            let square = Square::new(on, rank);
            let colour = usize::from(letter.is_ascii_lowercase());
            match piece {
                Piece::King => found.kings[colour] = Some(square),
                Piece::Rook => found.rooks[colour] |= square.bitboard(),
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

/// Any way of writing castling rights, as the files of the rooks.
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
        let king = pieces.kings[colour].map(Square::file);
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
    let king = pieces.kings[colour].filter(|king| king.rank() == rank)?;
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
