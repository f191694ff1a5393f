//! Pseudo-legal moves of either side as bitboards, independent of the side to move, as the older
//! programs count them. A promotion counts as one move; en passant does not count.

use cozy_chess::{
    File, Rank, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use crate::games::chess::{BitBoard, Board, Color, Piece, Square};

/// What a piece other than a pawn attacks.
#[inline(always)]
pub fn attacks(piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => BitBoard::EMPTY,
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

/// The pawn moves of one side, each kind as the set of squares it leads to.
pub struct PawnMoves {
    pub steps: BitBoard,
    pub double_steps: BitBoard,
    /// Captures towards the a-file and the h-file, apart: two pawns may capture on one square.
    pub takes: [BitBoard; 2],
}

impl PawnMoves {
    pub fn of(board: &Board, colour: Color) -> PawnMoves {
        PawnMoves::from(board, colour, board.colored_pieces(colour, Piece::Pawn))
    }

    /// The moves of some of the pawns.
    pub fn from(board: &Board, colour: Color, pawns: BitBoard) -> PawnMoves {
        let empty = !board.occupied();
        let enemies = board.colors(!colour);
        let steps = ahead(pawns, colour) & empty;
        let fourth = Rank::Fourth.relative_to(colour).bitboard();
        let [west, east] = pawn_attacks(pawns, colour);
        PawnMoves {
            steps,
            double_steps: ahead(steps, colour) & empty & fourth,
            takes: [west & enemies, east & enemies],
        }
    }

    pub fn sets(&self) -> [BitBoard; 4] {
        [self.steps, self.double_steps, self.takes[0], self.takes[1]]
    }

    pub fn landings(&self) -> BitBoard {
        self.steps | self.double_steps | self.takes[0] | self.takes[1]
    }

    pub fn count(&self) -> i32 {
        self.sets().iter().map(|set| set.len() as i32).sum()
    }
}

/// Shifts squares one rank towards the enemy.
#[inline(always)]
fn ahead(squares: BitBoard, colour: Color) -> BitBoard {
    match colour {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// Pawn attacks towards the a-file and towards the h-file.
#[inline(always)]
pub fn pawn_attacks(pawns: BitBoard, colour: Color) -> [BitBoard; 2] {
    let forward = ahead(pawns, colour);
    [
        BitBoard((forward & !File::A.bitboard()).0 >> 1),
        BitBoard((forward & !File::H.bitboard()).0 << 1),
    ]
}

/// The ranks on the enemy's side of a square.
#[inline(always)]
pub fn ranks_ahead(square: Square, colour: Color) -> BitBoard {
    let rank = square.rank() as u32;
    match colour {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1u64 << (8 * rank)) - 1),
    }
}

/// The castling moves of one side: with the right to castle, an empty path, and no attack on any
/// square of the king's path.
pub fn castling_moves(board: &Board, colour: Color) -> i32 {
    let rights = board.castle_rights(colour);
    let can = |rook: Option<File>, king_to, rook_to| {
        rook.is_some_and(|rook| can_castle(board, colour, rook, king_to, rook_to))
    };
    i32::from(can(rights.short, File::G, File::F)) + i32::from(can(rights.long, File::C, File::D))
}

fn can_castle(board: &Board, colour: Color, rook: File, king_to: File, rook_to: File) -> bool {
    let rank = Rank::First.relative_to(colour);
    let king = board.king(colour);
    let rook = Square::new(rook, rank);
    let [king_to, rook_to] = [king_to, rook_to].map(|file| Square::new(file, rank));
    let travelled = get_between_rays(king, king_to) | king_to.bitboard();
    let crossed = travelled | get_between_rays(rook, rook_to) | rook_to.bitboard();
    let castlers = king.bitboard() | rook.bitboard();
    (crossed & board.occupied() & !castlers).is_empty()
        && (travelled | king.bitboard()).into_iter().all(|square| {
            let others = board.occupied() & !castlers;
            board.attackers(square, !colour, others).is_empty()
        })
}
