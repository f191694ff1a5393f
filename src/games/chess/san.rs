//! Standard algebraic notation (SAN): canonical output, lenient input.

use cozy_chess::{File, Move, Piece, Rank, Square};

use super::Position;
use crate::games::NotationError;
use crate::games::prelude::*;

pub fn write<const FRC: bool>(position: &Position<FRC>, mv: Move) -> String {
    let mut text = body(position, mv);
    let mut next = position.clone();
    next.play(mv);
    if next.in_check() {
        text.push(if next.has_moves() { '+' } else { '#' });
    }
    text
}

fn body<const FRC: bool>(position: &Position<FRC>, mv: Move) -> String {
    let board = &position.board;
    if position.castling_rook_square(mv).is_some() {
        let short = mv.to.file() > mv.from.file();
        return if short { "O-O" } else { "O-O-O" }.to_string();
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let capture = position.is_capture(mv);
    let mut text = String::new();
    if piece == Piece::Pawn {
        if capture {
            text.push(mv.from.file().into());
        }
    } else {
        text.push(char::from(piece).to_ascii_uppercase());
        text.push_str(&origin_hint(position, piece, mv));
    }
    if capture {
        text.push('x');
    }
    text.push_str(&mv.to.to_string());
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(char::from(promotion).to_ascii_uppercase());
    }
    text
}

/// The shortest disambiguation: nothing, the file, the rank, or both.
fn origin_hint<const FRC: bool>(position: &Position<FRC>, piece: Piece, mv: Move) -> String {
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    position.for_each_move(|other| {
        let alike = other.to == mv.to
            && other.from != mv.from
            && position.board.piece_on(other.from) == Some(piece)
            && position.castling_rook_square(other).is_none();
        rivals |= alike;
        same_file |= alike && other.from.file() == mv.from.file();
        same_rank |= alike && other.from.rank() == mv.from.rank();
    });
    match (rivals, same_file, same_rank) {
        (false, ..) => String::new(),
        (true, false, _) => mv.from.file().to_string(),
        (true, true, false) => mv.from.rank().to_string(),
        (true, true, true) => mv.from.to_string(),
    }
}

/// What a SAN text says about the move it means.
struct SanMove {
    piece: Piece,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

pub fn read<const FRC: bool>(position: &Position<FRC>, text: &str) -> Result<Move, NotationError> {
    let no_move = || {
        let shown: String = text.chars().take(20).collect();
        NotationError::new(format!(
            "`{shown}` is not a legal move in `{}`; expected UCI (e2e4) or SAN (Nf3)",
            position.fen()
        ))
    };
    // Check, mate and annotation signs are redundant.
    const SIGNS: [char; 4] = ['+', '#', '!', '?'];
    let trimmed = text.trim_end_matches(SIGNS);
    let trimmed = trimmed
        .strip_suffix("e.p.")
        .map_or(trimmed, |rest| rest.trim_end_matches(SIGNS));
    let castle = match trimmed {
        "O-O" | "0-0" | "o-o" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(false),
        _ => None,
    };
    let wanted = if castle.is_none() {
        Some(parse(trimmed).ok_or_else(no_move)?)
    } else {
        None
    };
    let mut found: Vec<Move> = Vec::new();
    position.for_each_move(|mv| {
        let castles = position.castling_rook_square(mv).is_some();
        let fits = match (&castle, &wanted) {
            (Some(short), _) => castles && (mv.to.file() > mv.from.file()) == *short,
            (None, Some(wanted)) => !castles && wanted.fits(position, mv),
            (None, None) => false,
        };
        if fits {
            found.push(mv);
        }
    });
    match found.as_slice() {
        [mv] => Ok(*mv),
        [] => Err(no_move()),
        several => {
            let list: Vec<String> = several.iter().map(|mv| position.san(*mv)).collect();
            Err(NotationError::new(format!(
                "`{trimmed}` can mean {} in `{}`; write it in full",
                list.join(" or "),
                position.fen()
            )))
        }
    }
}

impl SanMove {
    fn fits<const FRC: bool>(&self, position: &Position<FRC>, mv: Move) -> bool {
        mv.to == self.to
            && mv.promotion == self.promotion
            && position.board.piece_on(mv.from) == Some(self.piece)
            && self.from_file.is_none_or(|file| mv.from.file() == file)
            && self.from_rank.is_none_or(|rank| mv.from.rank() == rank)
    }
}

/// Reads from the end, where SAN is unambiguous: promotion, target, origin hints, piece.
fn parse(text: &str) -> Option<SanMove> {
    let count = |signs: &[char]| text.chars().filter(|c| signs.contains(c)).count();
    if count(&['x', ':', '-']) > 1 || count(&['=']) > 1 {
        return None;
    }
    let mut letters: Vec<char> = text
        .chars()
        .filter(|c| !matches!(c, 'x' | ':' | '-' | '='))
        .collect();
    if letters.len() > 6 {
        return None;
    }
    let mut promotion = None;
    if let Some(&last) = letters.last()
        && last.is_ascii_uppercase()
    {
        promotion = Some(piece_from(last)?);
        letters.pop();
    }
    let rank: Rank = letters.pop()?.try_into().ok()?;
    let file: File = letters.pop()?.try_into().ok()?;
    let mut from_rank = None;
    if let Some(rank) = letters.last().and_then(|c| Rank::try_from(*c).ok()) {
        from_rank = Some(rank);
        letters.pop();
    }
    let mut from_file = None;
    if let Some(file) = letters.last().and_then(|c| File::try_from(*c).ok()) {
        from_file = Some(file);
        letters.pop();
    }
    let piece = match letters.as_slice() {
        [] => Piece::Pawn,
        [letter] if letter.is_ascii_uppercase() => piece_from(*letter)?,
        _ => return None,
    };
    Some(SanMove {
        piece,
        from_file,
        from_rank,
        to: Square::new(file, rank),
        promotion,
    })
}

fn piece_from(letter: char) -> Option<Piece> {
    letter.to_ascii_lowercase().try_into().ok()
}
