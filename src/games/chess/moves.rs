//! Facts about moves that the ordering of a search asks for.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square};

use crate::games::MoveInfo;

/// A slot for every piece of either colour on every square.
pub const SLOTS: usize = 2 * Piece::NUM * Square::NUM;

/// Nominal worths in hundredths of a pawn, by [`Piece`]. A king is taken by nobody; its worth
/// keeps it last among the pieces that take.
pub const WORTH: [i16; Piece::NUM] = [100, 300, 310, 500, 900, 1000];

const LAST_RANKS: BitBoard = BitBoard(0xFF00_0000_0000_00FF);

/// No move has the code 0: it would go from a1 to a1.
pub fn code(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

pub fn info(board: &Board, mv: Move) -> MoveInfo {
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    Facts::new(board).of(piece, mv)
}

/// Visits the moves that go to one of `targets`.
pub fn each(board: &Board, targets: BitBoard, mut f: impl FnMut(Move, MoveInfo)) {
    let facts = Facts::new(board);
    board.generate_moves(|mut moves: PieceMoves| {
        moves.to &= targets;
        let piece = moves.piece;
        for mv in moves {
            f(mv, facts.of(piece, mv));
        }
        false
    });
}

/// Visits captures and promotions to a queen.
pub fn each_noisy(board: &Board, mut f: impl FnMut(Move, MoveInfo)) {
    let facts = Facts::new(board);
    board.generate_moves(|mut moves: PieceMoves| {
        let piece = moves.piece;
        moves.to &= if piece == Piece::Pawn {
            facts.enemies | facts.en_passant | LAST_RANKS
        } else {
            facts.enemies
        };
        for mv in moves {
            let info = facts.of(piece, mv);
            if info.is_noisy() {
                f(mv, info);
            }
        }
        false
    });
}

/// What is the same for all moves of a position.
struct Facts<'b> {
    board: &'b Board,
    own: BitBoard,
    enemies: BitBoard,
    en_passant: BitBoard,
    mover: Color,
}

impl<'b> Facts<'b> {
    fn new(board: &'b Board) -> Facts<'b> {
        let mover = board.side_to_move();
        let en_passant = match board.en_passant() {
            Some(file) => Square::new(file, Rank::Sixth.relative_to(mover)).bitboard(),
            None => BitBoard::EMPTY,
        };
        Facts {
            board,
            own: board.colors(mover),
            enemies: board.colors(!mover),
            en_passant,
            mover,
        }
    }

    #[inline(always)]
    fn of(&self, piece: Piece, mv: Move) -> MoveInfo {
        let slot =
            (self.mover as usize * Piece::NUM + piece as usize) * Square::NUM + mv.to as usize;
        MoveInfo {
            slot: slot as u16,
            mover: WORTH[piece as usize],
            victim: self.victim(piece, mv),
            promotion: mv
                .promotion
                .map_or(0, |to| WORTH[to as usize] - WORTH[Piece::Pawn as usize]),
            // Castling is written as the king taking its own rook.
            castles: self.own.has(mv.to),
        }
    }

    #[inline(always)]
    fn victim(&self, piece: Piece, mv: Move) -> i16 {
        if self.enemies.has(mv.to) {
            let victim = self.board.piece_on(mv.to).unwrap_or(Piece::Pawn);
            WORTH[victim as usize]
        } else if piece == Piece::Pawn && self.en_passant.has(mv.to) {
            WORTH[Piece::Pawn as usize]
        } else {
            0
        }
    }
}
