//! Static exchange evaluation: who gains when both sides keep taking on one square, always with
//! the least piece that can.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_bishop_rays, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::moves::WORTH;
use crate::games::MoveInfo;

/// Whether the exchange that `mv` starts gains at least `threshold` hundredths of a pawn for its
/// mover. Pins are not seen; castling takes nothing and loses nothing.
pub fn gains(board: &Board, mv: Move, facts: &MoveInfo, threshold: i32) -> bool {
    if facts.castles() {
        return threshold <= 0;
    }
    // What the mover has beyond the threshold if nobody takes back.
    let mut balance = i32::from(facts.victim) + i32::from(facts.promotion) - threshold;
    if balance < 0 {
        return false;
    }
    // And if the piece that moved is lost for nothing.
    balance -= i32::from(facts.mover) + i32::from(facts.promotion);
    if balance >= 0 {
        return true;
    }
    Exchange::after(board, mv).wins_from(balance)
}

/// Those of the sliders on a square's lines that attack it. Often there are none on its lines.
#[inline(always)]
fn seen(on_lines: BitBoard, attackers: impl FnOnce(BitBoard) -> BitBoard) -> BitBoard {
    if on_lines.is_empty() {
        return on_lines;
    }
    attackers(on_lines)
}

struct Exchange<'b> {
    board: &'b Board,
    occupied: BitBoard,
    attackers: BitBoard,
    diagonal: BitBoard,
    straight: BitBoard,
    square: Square,
}

impl<'b> Exchange<'b> {
    fn after(board: &'b Board, mv: Move) -> Exchange<'b> {
        let square = mv.to;
        let mut occupied = (board.occupied() ^ mv.from.bitboard()) | square.bitboard();
        let takes_en_passant = mv.from.file() != square.file()
            && board.pieces(Piece::Pawn).has(mv.from)
            && !board.occupied().has(square);
        if takes_en_passant {
            occupied ^= Square::new(square.file(), mv.from.rank()).bitboard();
        }
        let queens = board.pieces(Piece::Queen);
        let diagonal = board.pieces(Piece::Bishop) | queens;
        let straight = board.pieces(Piece::Rook) | queens;
        let pawns = board.pieces(Piece::Pawn);
        let attackers =
            (get_pawn_attacks(square, Color::White) & pawns & board.colors(Color::Black))
                | (get_pawn_attacks(square, Color::Black) & pawns & board.colors(Color::White))
                | (get_knight_moves(square) & board.pieces(Piece::Knight))
                | (get_king_moves(square) & board.pieces(Piece::King))
                | seen(get_bishop_rays(square) & diagonal, |sliders| {
                    get_bishop_moves(square, occupied) & sliders
                })
                | seen(get_rook_rays(square) & straight, |sliders| {
                    get_rook_moves(square, occupied) & sliders
                });
        Exchange {
            board,
            occupied,
            attackers,
            diagonal,
            straight,
            square,
        }
    }

    /// Plays the exchange out. `balance` is below zero: what the first mover keeps if its piece
    /// is taken now.
    fn wins_from(mut self, mut balance: i32) -> bool {
        let first = self.board.side_to_move();
        let mut turn = !first;
        loop {
            self.attackers &= self.occupied;
            let own = self.attackers & self.board.colors(turn);
            // Mostly nobody takes, or nobody takes back.
            if own.is_empty() {
                break;
            }
            let Some((piece, from)) = self.least(own) else {
                break;
            };
            let other = self.attackers & self.board.colors(!turn);
            // A king cannot take what is still guarded.
            if piece == Piece::King && !other.is_empty() {
                break;
            }
            self.occupied ^= from.bitboard();
            self.reveal(piece);
            turn = !turn;
            // Seen from the one who took: what is kept if the taker is lost for nothing.
            balance = -balance - 1 - i32::from(WORTH[piece as usize]);
            if balance >= 0 {
                // Enough whatever follows: the other side has lost the exchange.
                break;
            }
        }
        // Whoever cannot or should not take loses the exchange.
        turn != first
    }

    fn least(&self, own: BitBoard) -> Option<(Piece, Square)> {
        Piece::ALL.into_iter().find_map(|piece| {
            let square = (own & self.board.pieces(piece)).next_square()?;
            Some((piece, square))
        })
    }

    /// Adds the sliders that stood behind a piece that has just taken.
    fn reveal(&mut self, piece: Piece) {
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            self.attackers |= get_bishop_moves(self.square, self.occupied) & self.diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            self.attackers |= get_rook_moves(self.square, self.occupied) & self.straight;
        }
    }
}
