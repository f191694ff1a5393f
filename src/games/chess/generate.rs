//! Lists noisy and quiet moves apart, without asking for the other kind.
//!
//! The rules crate lists all moves of a piece at once; a search throws half of them away and asks
//! again later. Answers to check are left to the rules crate, and so is what is rare and tricky:
//! castling, en passant.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};

use super::moves::{LAST_RANKS, WORTH, generate, slot};
use super::squares;
use crate::games::MoveInfo;

/// Moves of one piece, to be handed out one by one.
struct Set {
    to: BitBoard,
    /// The slot of the piece on the first square.
    slot: u16,
    worth: i16,
    /// The worth of what is taken, where it does not stand on the square itself.
    victim: i16,
    gain: i16,
    from: Square,
    promotion: Option<Piece>,
}

/// Room for sixteen pieces, eight of them pawns that may each promote to four others, for en
/// passant and for castling.
type Sets = ArrayVec<Set, 64>;

#[inline(always)]
fn add(sets: &mut Sets, set: Set) {
    if !set.to.is_empty() {
        sets.push(set);
    }
}

/// A position and what is the same for all its moves.
pub struct Quarry<'b> {
    board: &'b Board,
    mover: Color,
    own: BitBoard,
    enemies: BitBoard,
    occupied: BitBoard,
    king: Square,
    pinned: BitBoard,
}

impl<'b> Quarry<'b> {
    #[inline(always)]
    pub fn new(board: &'b Board) -> Quarry<'b> {
        let mover = board.side_to_move();
        let (own, enemies) = (board.colors(mover), board.colors(!mover));
        Quarry {
            board,
            mover,
            own,
            enemies,
            occupied: own | enemies,
            king: board.king(mover),
            pinned: board.pinned(),
        }
    }

    /// Visits captures and promotions to a queen.
    #[inline(always)]
    pub fn each_noisy(&self, f: impl FnMut(Move, MoveInfo)) {
        let mut sets = Sets::new();
        if self.board.checkers().is_empty() {
            self.pawns_noisy(&mut sets);
            self.en_passant(&mut sets);
            self.pieces(|_, _| self.enemies, &mut sets);
            let takes = get_king_moves(self.king) & self.enemies;
            add(
                &mut sets,
                self.set(Piece::King, self.king, self.safe(takes)),
            );
        } else {
            self.answers(&mut sets, |moves, sets| self.noisy_answers(moves, sets));
        }
        self.visit::<true>(&sets, f);
    }

    /// Visits the other moves, those of them that go to a square `wanted` of their piece.
    #[inline(always)]
    pub fn each_quiet(
        &self,
        wanted: impl Fn(Piece, Square) -> BitBoard,
        f: impl FnMut(Move, MoveInfo),
    ) {
        let mut sets = Sets::new();
        if self.board.checkers().is_empty() {
            self.pawns_quiet(&wanted, &mut sets);
            self.pieces(
                |piece, from| wanted(piece, from) & !self.occupied,
                &mut sets,
            );
            let wanted = wanted(Piece::King, self.king);
            let steps = get_king_moves(self.king) & wanted & !self.occupied;
            add(
                &mut sets,
                self.set(Piece::King, self.king, self.safe(steps)),
            );
            self.castling(wanted, &mut sets);
        } else {
            self.answers(&mut sets, |mut moves, sets| {
                moves.to &= wanted(moves.piece, moves.from);
                self.quiet_answers(moves, sets);
            });
        }
        self.visit::<false>(&sets, f);
    }

    /// The moves out of check.
    #[inline(never)]
    fn answers(&self, sets: &mut Sets, each: impl Fn(PieceMoves, &mut Sets)) {
        generate(self.board, BitBoard::FULL, &mut |moves| {
            each(moves, sets);
            false
        });
    }

    fn noisy_answers(&self, moves: PieceMoves, sets: &mut Sets) {
        let PieceMoves { piece, from, to } = moves;
        if piece != Piece::Pawn {
            add(sets, self.set(piece, from, to & self.enemies));
            return;
        }
        let takes = to & self.enemies;
        add(sets, self.set(piece, from, takes & !LAST_RANKS));
        add(
            sets,
            Set {
                victim: WORTH[Piece::Pawn as usize],
                ..self.set(piece, from, to & self.en_passant_square())
            },
        );
        self.promote(from, to & LAST_RANKS, Piece::Queen, sets);
        self.promote_less(from, takes & LAST_RANKS, sets);
    }

    fn quiet_answers(&self, moves: PieceMoves, sets: &mut Sets) {
        let PieceMoves { piece, from, to } = moves;
        let to = to & !self.enemies;
        if piece != Piece::Pawn {
            add(sets, self.set(piece, from, to));
            return;
        }
        let steps = to & !self.en_passant_square();
        add(sets, self.set(piece, from, steps & !LAST_RANKS));
        self.promote_less(from, steps & LAST_RANKS, sets);
    }

    fn en_passant_square(&self) -> BitBoard {
        self.board.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Sixth.relative_to(self.mover)).bitboard()
        })
    }

    /// The one place where moves are handed out: whatever is done with them is compiled once.
    #[inline(always)]
    fn visit<const NOISY: bool>(&self, sets: &Sets, mut f: impl FnMut(Move, MoveInfo)) {
        for set in sets {
            for to in squares(set.to) {
                let mv = Move {
                    from: set.from,
                    to,
                    promotion: set.promotion,
                };
                let info = MoveInfo {
                    slot: set.slot + to as u16,
                    mover: set.worth,
                    victim: match NOISY {
                        true => set.victim + self.worth_on(to),
                        false => 0,
                    },
                    promotion: set.gain,
                };
                f(mv, info);
            }
        }
    }

    #[inline(always)]
    fn set(&self, piece: Piece, from: Square, to: BitBoard) -> Set {
        Set {
            to,
            slot: slot(self.mover, piece, Square::A1) as u16,
            worth: WORTH[piece as usize],
            victim: 0,
            gain: 0,
            from,
            promotion: None,
        }
    }

    /// Knights to queens, to these targets of each.
    #[inline(always)]
    fn pieces(&self, targets: impl Fn(Piece, Square) -> BitBoard, sets: &mut Sets) {
        const KINDS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        for piece in KINDS {
            for from in squares(self.board.pieces(piece) & self.own) {
                let mut to = targets(piece, from);
                if self.pinned.has(from) {
                    to &= get_line_rays(self.king, from);
                }
                to &= match piece {
                    Piece::Knight => get_knight_moves(from),
                    Piece::Bishop => get_bishop_moves(from, self.occupied),
                    Piece::Rook => get_rook_moves(from, self.occupied),
                    _ => {
                        get_bishop_moves(from, self.occupied) | get_rook_moves(from, self.occupied)
                    }
                };
                add(sets, self.set(piece, from, to));
            }
        }
    }

    /// The worth of the enemy on a square, 0 for nobody. Kings are never met. Without branches,
    /// which nobody could foretell.
    #[inline(always)]
    fn worth_on(&self, square: Square) -> i16 {
        let here = |piece: Piece| {
            let there = (self.board.pieces(piece).0 >> square as u32) & 1;
            there as i16 * WORTH[piece as usize]
        };
        here(Piece::Pawn)
            + here(Piece::Knight)
            + here(Piece::Bishop)
            + here(Piece::Rook)
            + here(Piece::Queen)
    }

    #[inline(always)]
    fn pawns(&self) -> BitBoard {
        self.board.pieces(Piece::Pawn) & self.own
    }

    #[inline(always)]
    fn ahead(&self, set: BitBoard) -> BitBoard {
        match self.mover {
            Color::White => BitBoard(set.0 << 8),
            Color::Black => BitBoard(set.0 >> 8),
        }
    }

    #[inline(always)]
    fn behind(&self, set: BitBoard) -> BitBoard {
        match self.mover {
            Color::White => BitBoard(set.0 >> 8),
            Color::Black => BitBoard(set.0 << 8),
        }
    }

    /// Captures and steps to the last rank.
    #[inline(always)]
    fn pawns_noisy(&self, sets: &mut Sets) {
        let (left, right) = (!File::A.bitboard(), !File::H.bitboard());
        let beside = (self.enemies & right).0 << 1 | (self.enemies & left).0 >> 1;
        let promoters = self.behind(LAST_RANKS & !self.occupied);
        for from in squares(self.pawns() & (self.behind(BitBoard(beside)) | promoters)) {
            let mut takes = get_pawn_attacks(from, self.mover) & self.enemies;
            let mut step = self.ahead(from.bitboard()) & LAST_RANKS & !self.occupied;
            if self.pinned.has(from) {
                let line = get_line_rays(self.king, from);
                takes &= line;
                step &= line;
            }
            let plain = takes & !LAST_RANKS;
            if !plain.is_empty() {
                add(sets, self.set(Piece::Pawn, from, plain));
                continue;
            }
            self.promote(from, takes | step, Piece::Queen, sets);
            self.promote_less(from, takes, sets);
        }
    }

    /// Steps, and promotions to less than a queen.
    #[inline(always)]
    fn pawns_quiet(&self, wanted: &impl Fn(Piece, Square) -> BitBoard, sets: &mut Sets) {
        // A pinned pawn steps only towards the king or away from it.
        let pushers = self.pawns() & (!self.pinned | self.king.file().bitboard());
        let third = Rank::Third.relative_to(self.mover).bitboard();
        for from in squares(pushers & self.behind(!self.occupied)) {
            let once = self.ahead(from.bitboard());
            let twice = self.ahead(once & third) & !self.occupied;
            let to = (once | twice) & wanted(Piece::Pawn, from);
            if (to & LAST_RANKS).is_empty() {
                add(sets, self.set(Piece::Pawn, from, to));
            } else {
                self.promote_less(from, to, sets);
            }
        }
    }

    fn promote_less(&self, from: Square, to: BitBoard, sets: &mut Sets) {
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook] {
            self.promote(from, to, piece, sets);
        }
    }

    fn promote(&self, from: Square, to: BitBoard, piece: Piece, sets: &mut Sets) {
        add(
            sets,
            Set {
                gain: WORTH[piece as usize] - WORTH[Piece::Pawn as usize],
                promotion: Some(piece),
                ..self.set(Piece::Pawn, from, to)
            },
        );
    }

    fn is_legal(&self, from: Square, to: Square) -> bool {
        self.board.is_legal(Move {
            from,
            to,
            promotion: None,
        })
    }

    #[inline(always)]
    fn en_passant(&self, sets: &mut Sets) {
        let Some(file) = self.board.en_passant() else {
            return;
        };
        let to = Square::new(file, Rank::Sixth.relative_to(self.mover));
        for from in squares(get_pawn_attacks(to, !self.mover) & self.pawns()) {
            if self.is_legal(from, to) {
                add(
                    sets,
                    Set {
                        victim: WORTH[Piece::Pawn as usize],
                        ..self.set(Piece::Pawn, from, to.bitboard())
                    },
                );
            }
        }
    }

    #[inline(always)]
    fn castling(&self, wanted: BitBoard, sets: &mut Sets) {
        let rights = self.board.castle_rights(self.mover);
        for file in [rights.short, rights.long].into_iter().flatten() {
            let to = Square::new(file, Rank::First.relative_to(self.mover));
            if wanted.has(to) && self.is_legal(self.king, to) {
                add(
                    sets,
                    Set {
                        gain: MoveInfo::CASTLING,
                        ..self.set(Piece::King, self.king, to.bitboard())
                    },
                );
            }
        }
    }

    /// Those of the squares where no enemy attacks the king.
    #[inline(always)]
    fn safe(&self, squares: BitBoard) -> BitBoard {
        let mut safe = BitBoard::EMPTY;
        for square in squares {
            if self.is_safe(square) {
                safe |= square.bitboard();
            }
        }
        safe
    }

    /// No enemy attacks the king there.
    #[inline(always)]
    fn is_safe(&self, square: Square) -> bool {
        let of = |piece: Piece| self.board.pieces(piece) & self.enemies;
        let near = (get_pawn_attacks(square, self.mover) & of(Piece::Pawn))
            | (get_knight_moves(square) & of(Piece::Knight))
            | (get_king_moves(square) & of(Piece::King));
        if !near.is_empty() {
            return false;
        }
        // What a slider could attack through the king it could not attack before.
        let occupied = (self.occupied ^ self.king.bitboard()) | square.bitboard();
        let queens = of(Piece::Queen);
        let diagonal = of(Piece::Bishop) | queens;
        let straight = of(Piece::Rook) | queens;
        let clear = |rays: BitBoard, sliders: BitBoard, moves: fn(Square, BitBoard) -> BitBoard| {
            (rays & sliders).is_empty() || (moves(square, occupied) & sliders).is_empty()
        };
        clear(get_bishop_rays(square), diagonal, get_bishop_moves)
            && clear(get_rook_rays(square), straight, get_rook_moves)
    }
}
