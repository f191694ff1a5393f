//! The zobrist keys of the rules crate, to predict the key after a move before it is made. The crate
//! does not export them, so they are derived from the hashes of small boards.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square};

use super::board::Board;
use super::moves::{PIECE_VALUES, SLOTS, slot};
use crate::games::MoveInfo;

pub struct Keys {
    /// By the slot of colour, piece and square, see [`SLOTS`]; a king's are relative to one
    /// another.
    pieces: [u64; ROOM],
    /// By colour and file of the rook.
    rights: [[u64; File::NUM]; Color::NUM],
    en_passant: [u64; File::NUM],
    pub turn: u64,
    /// The hash of an empty board, white to move.
    pub start: u64,
}

/// A power of two, to avoid bounds checks.
const ROOM: usize = SLOTS.next_power_of_two();

pub static KEYS: LazyLock<Keys> = LazyLock::new(Keys::read_off);

/// The zobrist key after a move: correct unless the move changes castling rights, castles, promotes
/// or involves en passant.
#[inline(always)]
pub fn hash_after(board: &Board, mv: Move, info: &MoveInfo) -> u64 {
    let keys = &*KEYS;
    let to = usize::from(info.slot);
    let from = to
        .wrapping_sub(mv.to as usize)
        .wrapping_add(mv.from as usize);
    let mut hash = board.hash_without_en_passant() ^ keys.turn ^ keys.piece(from) ^ keys.piece(to);
    if info.victim > 0 {
        let victim = PIECES[info.victim as usize / STEP % PIECES.len()];
        hash ^= keys.piece(slot(!board.side_to_move(), victim, mv.to));
    }
    hash
}

/// The values of any two pieces differ by at least this.
const STEP: usize = 16;

/// The pieces by value, in these steps.
const PIECES: [Piece; 64] = {
    let mut pieces = [Piece::Pawn; 64];
    let mut at = 0;
    while at < Piece::NUM {
        pieces[PIECE_VALUES[at] as usize / STEP] = Piece::ALL[at];
        at += 1;
    }
    pieces
};

impl Keys {
    #[inline(always)]
    pub fn piece(&self, slot: usize) -> u64 {
        self.pieces[slot % ROOM]
    }

    pub fn right(&self, colour: Color, rook: File) -> u64 {
        self.rights[colour as usize][rook as usize]
    }

    /// The key of the right to take en passant on this square.
    pub fn en_passant(&self, square: BitBoard) -> u64 {
        self.en_passant[square.0.trailing_zeros() as usize % File::NUM]
    }

    fn read_off() -> Keys {
        let mut pieces = [0; ROOM];
        for &colour in &Color::ALL {
            for &square in &Square::ALL {
                for &piece in &Piece::ALL {
                    let key = match piece {
                        Piece::King => king_key(colour, square),
                        _ => piece_key(colour, piece, square),
                    };
                    // No board has a pawn on an edge rank, and no move needs its key.
                    pieces[slot(colour, piece, square)] = key.unwrap_or(0);
                }
            }
        }
        let corners = [(Square::A1, Color::White), (Square::H8, Color::Black)];
        let bare = |side| hash(corners, None, side).unwrap_or(0);
        let of_kings = corners
            .map(|(square, colour)| pieces[slot(colour, Piece::King, square)])
            .into_iter()
            .fold(0, |all, key| all ^ key);
        Keys {
            pieces,
            rights: Color::ALL.map(|colour| File::ALL.map(|rook| right_key(colour, rook))),
            en_passant: File::ALL.map(en_passant_key),
            turn: bare(Color::White) ^ bare(Color::Black),
            start: bare(Color::White) ^ of_kings,
        }
    }
}

/// Candidate king squares while deriving the key of another piece.
const CORNERS: [(Square, Square); 2] = [(Square::A1, Square::H8), (Square::H1, Square::A8)];

fn piece_key(colour: Color, piece: Piece, square: Square) -> Option<u64> {
    CORNERS.iter().find_map(|&(own, other)| {
        let kings = [(own, colour), (other, !colour)];
        // The other side is to move, so it may be in check.
        let with = hash(kings, Some((piece, colour, square)), !colour)?;
        Some(with ^ hash(kings, None, !colour)?)
    })
}

fn king_key(colour: Color, square: Square) -> Option<u64> {
    const HOME: Square = Square::A1;
    [Square::H8, Square::E8, Square::H4]
        .iter()
        .find_map(|&other| {
            let with = |king| hash([(king, colour), (other, !colour)], None, colour);
            Some(with(square)? ^ with(HOME)?)
        })
}

/// The hash of a board with two kings and perhaps one piece, if there can be such a board.
fn hash(
    kings: [(Square, Color); 2],
    piece: Option<(Piece, Color, Square)>,
    side: Color,
) -> Option<u64> {
    let mut builder = BoardBuilder::empty();
    let kings = kings.map(|(square, colour)| (Piece::King, colour, square));
    for (piece, colour, square) in kings.into_iter().chain(piece) {
        if builder.square(square).is_some() {
            return None;
        }
        *builder.square_mut(square) = Some((piece, colour));
    }
    builder.side_to_move = side;
    Some(builder.build().ok()?.hash_without_ep())
}

/// The hash with and without something, if there can be such boards.
fn difference(mut board: BoardBuilder, remove: impl FnOnce(&mut BoardBuilder)) -> Option<u64> {
    let with = board.build().ok()?.hash();
    remove(&mut board);
    Some(with ^ board.build().ok()?.hash())
}

/// The key of the right to castle with the rook on this file.
fn right_key(colour: Color, rook: File) -> u64 {
    let rank = Rank::First.relative_to(colour);
    // Where the rook does not attack it.
    let far = if rook == File::E { File::D } else { File::E };
    let far = Square::new(far, Rank::Eighth.relative_to(colour));
    // The king stands on the one side of the rook or on the other.
    [File::B, File::G]
        .into_iter()
        .find_map(|king| {
            let mut board = BoardBuilder::empty();
            *board.square_mut(far) = Some((Piece::King, !colour));
            *board.square_mut(Square::new(king, rank)) = Some((Piece::King, colour));
            *board.square_mut(Square::new(rook, rank)) = Some((Piece::Rook, colour));
            board.side_to_move = colour;
            let rights = board.castle_rights_mut(colour);
            match rook > king {
                true => rights.short = Some(rook),
                false => rights.long = Some(rook),
            }
            difference(board, |board| {
                *board.castle_rights_mut(colour) = CastleRights::EMPTY;
            })
        })
        .unwrap_or(0)
}

/// The key of the right to take en passant on this file, the same for both sides.
fn en_passant_key(file: File) -> u64 {
    let mut board = BoardBuilder::empty();
    let corners = [(Square::A1, Color::White), (Square::H8, Color::Black)];
    for (square, colour) in corners {
        *board.square_mut(square) = Some((Piece::King, colour));
    }
    *board.square_mut(Square::new(file, Rank::Fifth)) = Some((Piece::Pawn, Color::Black));
    board.en_passant = Some(Square::new(file, Rank::Sixth));
    difference(board, |board| board.en_passant = None).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::games::chess::Chess;
    use crate::games::prelude::*;

    #[test]
    fn the_hash_is_known_before_the_move_except_for_rare_moves() {
        let (mut moves, mut missed) = (0, 0);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        ] {
            let position = Chess::from_fen(fen).unwrap();
            position.for_each_move_with_info(|first, info| {
                let mut next = position.clone();
                next.play(first);
                moves += 1;
                missed += usize::from(position.hash_after(first, &info) != Some(next.hash()));
                next.for_each_move_with_info(|second, info| {
                    let mut after = next.clone();
                    after.play(second);
                    moves += 1;
                    missed += usize::from(next.hash_after(second, &info) != Some(after.hash()));
                });
            });
        }
        // Castling, moves of kings and rooks that give up the right to it, en passant: these positions
        // are full of them.
        assert!(missed * 5 < moves, "{missed} of {moves}");
    }

    #[test]
    fn without_castling_and_en_passant_the_hash_is_always_known() {
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10";
        let position = Chess::from_fen(fen).unwrap();
        position.for_each_move_with_info(|mv, info| {
            let mut next = position.clone();
            next.play(mv);
            assert_eq!(position.hash_after(mv, &info), Some(next.hash()), "{mv}");
        });
    }
}
