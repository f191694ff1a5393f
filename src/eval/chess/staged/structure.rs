//! Pawn structure, rook structure and castling of the `staged` preset.

use cozy_chess::get_between_rays;

use super::TERMS;
use crate::eval::{Sink, slot};
use crate::games::chess::{BitBoard, Board, Color, Piece, Position, Square};

struct PawnFaults {
    doubled: i32,
    isolated: i32,
    islands: i32,
}

pub fn pawns(board: &Board, sink: &mut impl Sink) {
    let [white, black] = [Color::White, Color::Black]
        .map(|colour| pawn_faults(board.colored_pieces(colour, Piece::Pawn)));
    sink.add(
        const { slot(TERMS, "doubled_pawn") },
        white.doubled,
        black.doubled,
    );
    sink.add(
        const { slot(TERMS, "isolated_pawn") },
        white.isolated,
        black.isolated,
    );
    sink.add(
        const { slot(TERMS, "pawn_island") },
        white.islands,
        black.islands,
    );
}

fn pawn_faults(pawns: BitBoard) -> PawnFaults {
    // Files with pawns, as bits of the first rank.
    let mut files = pawns.0;
    files |= files >> 32;
    files |= files >> 16;
    files |= files >> 8;
    files &= 0xFF;
    let lonely = files & !(files << 1) & !(files >> 1);
    let on_lonely_files = BitBoard(lonely * 0x0101_0101_0101_0101) & pawns;
    PawnFaults {
        doubled: pawns.len() as i32 - files.count_ones() as i32,
        isolated: on_lonely_files.len() as i32,
        islands: (files & !(files << 1)).count_ones() as i32,
    }
}

pub fn rooks(board: &Board, sink: &mut impl Sink) {
    let [white, black] = [Color::White, Color::Black].map(|colour| joined_rooks(board, colour));
    sink.add(
        const { slot(TERMS, "rooks_on_file") },
        i32::from(white == Some(RookLine::File)),
        i32::from(black == Some(RookLine::File)),
    );
    sink.add(
        const { slot(TERMS, "rooks_on_rank") },
        i32::from(white == Some(RookLine::Rank)),
        i32::from(black == Some(RookLine::Rank)),
    );
}

#[derive(PartialEq)]
enum RookLine {
    File,
    Rank,
}

/// The line that connects a side's only two rooks.
fn joined_rooks(board: &Board, colour: Color) -> Option<RookLine> {
    let rooks = board.colored_pieces(colour, Piece::Rook);
    if rooks.len() != 2 {
        return None;
    }
    let mut squares = rooks.into_iter();
    let (a, b) = (squares.next()?, squares.next()?);
    let line = if a.file() == b.file() {
        RookLine::File
    } else if a.rank() == b.rank() {
        RookLine::Rank
    } else {
        return None;
    };
    (get_between_rays(a, b) & board.occupied())
        .is_empty()
        .then_some(line)
}

pub fn castling<const FRC: bool>(position: &Position<FRC>, sink: &mut impl Sink) {
    let board = position.board();
    let castled = |colour| position.has_castled(colour);
    let shielded = |colour| castled(colour) && has_shield(board, colour);
    // A king without castling rights counts as moved: a FEN holds no more information.
    let moved = |colour| {
        let rights = board.castle_rights(colour);
        !castled(colour) && rights.short.is_none() && rights.long.is_none()
    };
    let mut add = |slot, holds: &dyn Fn(Color) -> bool| {
        sink.add(
            slot,
            i32::from(holds(Color::White)),
            i32::from(holds(Color::Black)),
        );
    };
    add(const { slot(TERMS, "castled") }, &castled);
    add(const { slot(TERMS, "shield") }, &shielded);
    add(const { slot(TERMS, "king_moved") }, &moved);
}

/// Own pawns in front of the king, on its file and both adjacent files: all one rank ahead, or one
/// of them two.
fn has_shield(board: &Board, colour: Color) -> bool {
    let pawns = board.colored_pieces(colour, Piece::Pawn);
    let king = board.king(colour);
    let ahead = |files: i8, ranks: i8| {
        let ranks = match colour {
            Color::White => ranks,
            Color::Black => -ranks,
        };
        king.try_offset(files, ranks)
    };
    let holds = |square: Option<Square>| square.is_some_and(|square| pawns.has(square));
    let mut advanced = 0;
    for file in -1..=1 {
        // At the edge of the board there are only two files.
        if ahead(file, 0).is_none() || holds(ahead(file, 1)) {
            continue;
        }
        if !holds(ahead(file, 2)) {
            return false;
        }
        advanced += 1;
    }
    advanced <= 1
}
