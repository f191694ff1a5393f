//! Static exchange evaluation (SEE): the result of all captures on one square, always with the least
//! valuable attacker.

use std::hint::select_unpredictable;

use cozy_chess::{
    BitBoard, Color, Move, Piece, Square, get_bishop_moves, get_bishop_rays, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::board::Board;
use super::moves::PIECE_VALUES;
use crate::games::MoveInfo;

/// Whether the exchange started by `mv` gains at least `threshold` hundredths of a pawn for its
/// mover. Ignores pins; castling counts as 0.
#[inline(always)]
pub fn see_ge(board: &Board, mv: Move, facts: &MoveInfo, threshold: i32) -> bool {
    if facts.castles() {
        return threshold <= 0;
    }
    // The mover's gain above the threshold without a recapture.
    let mut balance = i32::from(facts.victim) + i32::from(facts.promotion) - threshold;
    if balance < 0 {
        return false;
    }
    // The same if the moved piece is lost.
    balance -= i32::from(facts.mover) + i32::from(facts.promotion);
    if balance >= 0 {
        return true;
    }
    wins_from(board, mv, facts, balance)
}

/// A separate function, so that the early returns inline.
#[inline(never)]
fn wins_from(board: &Board, mv: Move, facts: &MoveInfo, balance: i32) -> bool {
    Exchange::after(board, mv, facts).wins_from(balance)
}

/// The balance of the side that captures next if its attacker, of this value, is then lost.
#[inline(always)]
fn after_taking(balance: i32, taker: Piece) -> i32 {
    -balance - 1 - i32::from(PIECE_VALUES[taker as usize])
}

struct Exchange<'b> {
    board: &'b Board,
    occupied: BitBoard,
    diagonal: BitBoard,
    straight: BitBoard,
    square: Square,
}

impl<'b> Exchange<'b> {
    #[inline(always)]
    fn after(board: &'b Board, mv: Move, facts: &MoveInfo) -> Exchange<'b> {
        let square = mv.to;
        let before = board.occupied();
        let mut occupied = (before ^ mv.from.bitboard()) | square.bitboard();
        // En passant: the captured piece is on another square.
        if facts.victim > 0 && !before.has(square) {
            occupied ^= Square::new(square.file(), mv.from.rank()).bitboard();
        }
        let queens = board.pieces(Piece::Queen);
        Exchange {
            board,
            occupied,
            diagonal: get_bishop_rays(square) & (board.pieces(Piece::Bishop) | queens),
            straight: get_rook_rays(square) & (board.pieces(Piece::Rook) | queens),
            square,
        }
    }

    /// Plays out the exchange. `balance`, below zero, is the first mover's result if its piece is
    /// captured now.
    #[inline(always)]
    fn wins_from(mut self, balance: i32) -> bool {
        let board = self.board;
        let first = board.side_to_move();
        let enemies = board.colors(!first);
        let pawns = board.pieces(Piece::Pawn);
        // Usually a pawn decides, or there is no recapture.
        let theirs = get_pawn_attacks(self.square, first) & pawns & enemies;
        if !theirs.is_empty() && after_taking(balance, Piece::Pawn) >= 0 {
            return false;
        }
        let near = (get_knight_moves(self.square) & board.pieces(Piece::Knight))
            | (get_king_moves(self.square) & board.pieces(Piece::King));
        let lines = self.diagonal | self.straight;
        if ((theirs | near | lines) & enemies).is_empty() {
            return true;
        }
        let ours = get_pawn_attacks(self.square, !first) & pawns & board.colors(first);
        let attackers = theirs | ours | near | self.on_diagonals() | self.on_lines();
        self.play_out(attackers, first, balance)
    }

    /// Whether the second side loses the exchange: the side that has to stop loses.
    #[inline(always)]
    fn play_out(&mut self, mut attackers: BitBoard, first: Color, mut balance: i32) -> bool {
        let mut turn = first;
        loop {
            turn = !turn;
            attackers &= self.occupied;
            let own = attackers & self.board.colors(turn);
            if own.is_empty() {
                break;
            }
            // The least valuable attacker, without unpredictable branches.
            let mut takers = BitBoard::EMPTY;
            let mut piece = Piece::King;
            for of in [
                Piece::Queen,
                Piece::Rook,
                Piece::Bishop,
                Piece::Knight,
                Piece::Pawn,
            ] {
                let some = own & self.board.pieces(of);
                let any = !some.is_empty();
                takers = BitBoard(select_unpredictable(any, some.0, takers.0));
                piece = select_unpredictable(any, of, piece);
            }
            if takers.is_empty() {
                // A king cannot capture a defended piece.
                let guarded = !(attackers & self.board.colors(!turn)).is_empty();
                return guarded == (turn != first);
            }
            balance = after_taking(balance, piece);
            if balance >= 0 {
                // Enough in any case: the other side has lost the exchange.
                return turn == first;
            }
            self.occupied.0 ^= takers.0 & takers.0.wrapping_neg();
            // X-rays: sliders behind the piece that just captured.
            attackers |= self.on_diagonals() | self.on_lines();
        }
        turn != first
    }

    /// The sliders that attack the square along its diagonals. Often there are none.
    #[inline(always)]
    fn on_diagonals(&self) -> BitBoard {
        if self.diagonal.is_empty() {
            return BitBoard::EMPTY;
        }
        get_bishop_moves(self.square, self.occupied) & self.diagonal
    }

    /// The same along its rank and file.
    #[inline(always)]
    fn on_lines(&self) -> BitBoard {
        if self.straight.is_empty() {
            return BitBoard::EMPTY;
        }
        get_rook_moves(self.square, self.occupied) & self.straight
    }
}
