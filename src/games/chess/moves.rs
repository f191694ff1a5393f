//! Move facts for move ordering.

use cozy_chess::{
    BitBoard, Color, Move, Piece, PieceMoves, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::board::{Board, PieceCodes};
use super::generate::{Quarry, QuietTargets};
pub use super::generate::{each_piece, each_piece_inline, is_legal};
use super::squares;
use crate::games::MoveInfo;

/// A slot for every piece of either colour on every square.
pub const SLOTS: usize = 2 * Piece::NUM * Square::NUM;

/// The slot of a piece on a square.
#[inline(always)]
pub fn slot(colour: Color, piece: Piece, square: Square) -> usize {
    slot_of_side(colour as usize, piece, square)
}

/// The slot of a piece of the other colour. Arithmetic, because the compiler turns a choice of
/// colour into a branch.
#[inline(always)]
pub fn slot_of_other(colour: Color, piece: Piece, square: Square) -> usize {
    slot_of_side(1 - colour as usize, piece, square)
}

#[inline(always)]
fn slot_of_side(side: usize, piece: Piece, square: Square) -> usize {
    (side * Piece::NUM + piece as usize) * Square::NUM + square as usize
}

/// Nominal values in hundredths of a pawn, by [`Piece`]. The king's value makes it the last
/// attacker.
pub const PIECE_VALUES: [i16; Piece::NUM] = [100, 300, 310, 500, 900, 1000];

pub const LAST_RANKS: BitBoard = BitBoard(0xFF00_0000_0000_00FF);

/// No move has the code 0: it would go from a1 to a1.
pub fn code(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

/// The legal move with this code.
pub fn of_code(board: &Board, code: u16) -> Option<Move> {
    let promotion = match code >> 12 {
        0 => None,
        piece => Some(Piece::try_index(usize::from(piece))?),
    };
    let mv = Move {
        from: Square::index(usize::from(code & 63)),
        to: Square::index(usize::from(code >> 6 & 63)),
        promotion,
    };
    is_legal(board, mv).then_some(mv)
}

pub fn info(board: &Board, mv: Move) -> MoveInfo {
    let piece = board.numbers().piece_on(mv.from);
    MoveFacts::new(board).of(piece, mv)
}

/// Visits all moves.
pub fn each(board: &Board, mut f: impl FnMut(Move, MoveInfo)) {
    let facts = MoveFacts::new(board);
    each_piece(board, &mut |moves: PieceMoves| {
        let piece = moves.piece;
        for mv in moves {
            f(mv, facts.of(piece, mv));
        }
        false
    });
}

/// Visits captures and promotions to a queen.
pub fn each_noisy(board: &Board, f: impl FnMut(Move, MoveInfo)) {
    Quarry::each_noisy(board, f);
}

/// Visits the moves that are not noisy.
pub fn each_quiet(board: &Board, f: impl FnMut(Move, MoveInfo)) {
    Quarry::each_quiet(board, &QuietTargets::ALL, f);
}

/// Visits the moves of [`each_quiet`] that give check.
pub fn each_quiet_check(board: &Board, mut f: impl FnMut(Move, MoveInfo)) {
    let mover = board.side_to_move();
    let own = board.colors(mover);
    let king = board.king(!mover);
    let straight = get_rook_moves(king, board.occupied());
    let diagonal = get_bishop_moves(king, board.occupied());
    // Squares from which a piece attacks the king, by piece.
    let plain = [
        get_pawn_attacks(king, !mover) & !LAST_RANKS,
        get_knight_moves(king),
        diagonal,
        straight,
        straight | diagonal,
        BitBoard::EMPTY,
    ];
    // Discovered checks, castling and promotions are tested move by move.
    let mut wanted = QuietTargets {
        targets: plain,
        anywhere: openers(board, king, straight | diagonal),
    };
    wanted.targets[Piece::Pawn as usize] |= LAST_RANKS;
    wanted.targets[Piece::King as usize] = own;
    let first = slot(mover, Piece::Pawn, Square::A1);
    Quarry::each_quiet(board, &wanted, |mv, info| {
        let piece = (usize::from(info.slot) - first) / Square::NUM;
        if plain[piece].has(mv.to) || gives_check(board, mv) {
            f(mv, info);
        }
    });
}

/// Candidates for discovered checks: pieces of the side to move that are the only piece between the other
/// king and an own slider.
fn openers(board: &Board, king: Square, seen: BitBoard) -> BitBoard {
    let own = board.colors(board.side_to_move());
    let queens = board.pieces(Piece::Queen);
    let diagonal = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens);
    let straight = get_rook_rays(king) & (board.pieces(Piece::Rook) | queens);
    let mut openers = BitBoard::EMPTY;
    for slider in squares((diagonal | straight) & own) {
        let between = get_between_rays(king, slider) & board.occupied();
        if (between & !seen).is_empty() {
            openers |= between & own;
        }
    }
    openers
}

/// Whether there is any legal move.
pub fn any(board: &Board) -> bool {
    // Nearly always an unpinned pawn can advance, which is cheap to test.
    let mover = board.side_to_move();
    let pawns = board.colored_pieces(mover, Piece::Pawn) & !board.pinned();
    let ahead = match mover {
        Color::White => pawns.0 << 8,
        Color::Black => pawns.0 >> 8,
    };
    (board.checkers().is_empty() && ahead & !board.occupied().0 != 0)
        || each_piece(board, &mut |_| true)
}

/// Whether a move gives check, direct or discovered.
pub fn gives_check(board: &Board, mv: Move) -> bool {
    let mover = board.side_to_move();
    let own = board.colors(mover);
    let king = board.king(!mover);
    let piece = board.numbers().piece_on(mv.from);
    let takes_en_passant =
        piece == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to);
    if takes_en_passant || own.has(mv.to) {
        // Castling, promotion and en passant are rare: make the move and look.
        let mut next = board.clone();
        next.play(mv);
        return !next.checkers().is_empty();
    }
    let occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    let direct = match mv.promotion.unwrap_or(piece) {
        Piece::Pawn => get_pawn_attacks(mv.to, mover).has(king),
        Piece::Knight => get_knight_moves(mv.to).has(king),
        Piece::Bishop => get_bishop_moves(mv.to, occupied).has(king),
        Piece::Rook => get_rook_moves(mv.to, occupied).has(king),
        Piece::Queen => {
            (get_bishop_moves(mv.to, occupied) | get_rook_moves(mv.to, occupied)).has(king)
        }
        Piece::King => false,
    };
    if direct || !(get_bishop_rays(king) | get_rook_rays(king)).has(mv.from) {
        return direct;
    }
    let queens = board.pieces(Piece::Queen);
    let behind = own & !mv.from.bitboard();
    let diagonal = behind & (board.pieces(Piece::Bishop) | queens);
    let straight = behind & (board.pieces(Piece::Rook) | queens);
    !(get_bishop_moves(king, occupied) & diagonal).is_empty()
        || !(get_rook_moves(king, occupied) & straight).is_empty()
}

/// MoveFacts shared by all moves of a position.
struct MoveFacts {
    numbers: PieceCodes,
    own: BitBoard,
    enemies: BitBoard,
    en_passant: BitBoard,
    mover: Color,
}

impl MoveFacts {
    fn new(board: &Board) -> MoveFacts {
        let mover = board.side_to_move();
        MoveFacts {
            own: board.colors(mover),
            enemies: board.colors(!mover),
            en_passant: board.en_passant(),
            numbers: board.numbers(),
            mover,
        }
    }

    #[inline(always)]
    fn of(&self, piece: Piece, mv: Move) -> MoveInfo {
        MoveInfo {
            slot: slot(self.mover, piece, mv.to) as u16,
            mover: PIECE_VALUES[piece as usize],
            victim: self.victim(piece, mv),
            promotion: match mv.promotion {
                Some(to) => PIECE_VALUES[to as usize] - PIECE_VALUES[Piece::Pawn as usize],
                // Castling is written as the king taking its own rook.
                None if self.own.has(mv.to) => MoveInfo::CASTLING,
                None => 0,
            },
        }
    }

    #[inline(always)]
    fn victim(&self, piece: Piece, mv: Move) -> i16 {
        if self.enemies.has(mv.to) {
            PIECE_VALUES[self.numbers.piece_on(mv.to) as usize]
        } else if piece == Piece::Pawn && self.en_passant.has(mv.to) {
            PIECE_VALUES[Piece::Pawn as usize]
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::games::chess::{Chess, Chess960};
    use crate::games::prelude::*;

    /// In every position of the tree, noisy plus quiet moves are all moves, and the quick test for
    /// legal moves is correct.
    fn check_lists(position: &Chess, depth: u32) {
        let mut all = Vec::new();
        position.for_each_move_with_info(|mv, info| all.push((mv.to_string(), info.is_noisy())));
        let mut apart = Vec::new();
        position.for_each_noisy_move(|mv, _| apart.push((mv.to_string(), true)));
        position.for_each_quiet_move(|mv, _| apart.push((mv.to_string(), false)));
        assert_eq!(position.has_moves(), !all.is_empty(), "{}", position.fen());
        let mut checks = Vec::new();
        position.for_each_quiet_check(|mv, _| checks.push(mv.to_string()));
        let mut tried = Vec::new();
        position.for_each_quiet_move(|mv, _| {
            if position.gives_check(mv) {
                tried.push(mv.to_string());
            }
        });
        assert_eq!(checks, tried, "{}", position.fen());
        if depth > 0 {
            position.for_each_move(|mv| {
                let mut next = position.clone();
                next.play(mv);
                check_lists(&next, depth - 1);
            });
        }
        all.sort();
        apart.sort();
        assert_eq!(all, apart, "{}", position.fen());
    }

    #[test]
    fn noisy_and_quiet_moves_are_all_moves() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "5k2/8/8/2N5/1B6/3Q4/8/R3K2R w KQ - 0 1",
        ] {
            check_lists(&Chess::from_fen(fen).unwrap(), 2);
        }
        let stalemate = Chess::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        check_lists(&stalemate, 0);
    }

    #[test]
    fn a_move_gives_check_when_the_position_after_it_is_check() {
        let mut seed = 3u64;
        for game in 0..300 {
            let mut position = Chess960::start(game * 3);
            for _ in 0..80 {
                let mut moves = Vec::new();
                position.for_each_move(|mv| moves.push(mv));
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let mut next = position.clone();
                    next.play(mv);
                    let fen = position.fen();
                    assert_eq!(position.gives_check(mv), next.in_check(), "{fen} {mv}");
                    assert_eq!(position.move_info(mv).victim > 0, position.is_capture(mv));
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
    }
}
