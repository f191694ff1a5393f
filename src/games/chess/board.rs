//! A fast copy-make chess board.
//!
//! The board of the rules crate finds the moving and the captured piece by trying one kind after
//! the other: two or three unpredictable branches per move. Here every move swaps a few bits without
//! branches; only rare moves branch: castling, loss of castling rights, promotion, en passant.

use cozy_chess::{
    BitBoard, CastleRights, Color, File, Move, Piece, Rank, Square, get_between_rays,
    get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};

use super::keys::{KEYS, Keys};
use super::moves::{slot, slot_of_other};
use super::squares;

/// The pieces, the side to move, and derived facts for the next move.
#[derive(Clone, Debug)]
pub struct Board {
    /// By [`Piece`], then by [`Color`]: in one array, because a move updates all sets the same way.
    sets: [BitBoard; Piece::NUM + Color::NUM],
    checkers: BitBoard,
    pinned: BitBoard,
    /// The en passant target: empty unless a capture is legal.
    en_passant: BitBoard,
    /// Rooks with castling rights, and their kings. A king may remain after its rooks are gone.
    castlers: BitBoard,
    hash: u64,
    clock: u16,
    number: u16,
    side: Color,
}

/// All parts of a position.
pub struct Setup {
    pub pieces: [BitBoard; Piece::NUM],
    pub colors: [BitBoard; Color::NUM],
    pub side: Color,
    pub rights: [CastleRights; Color::NUM],
    /// The square behind a pawn that just made a double step, even if it cannot be captured.
    pub en_passant: Option<Square>,
    pub clock: u16,
    pub number: u16,
}

impl Board {
    /// The position must be legal; the rules crate checks that.
    pub fn new(setup: &Setup) -> Board {
        let mut board = Board {
            sets: [BitBoard::EMPTY; Piece::NUM + Color::NUM],
            checkers: BitBoard::EMPTY,
            pinned: BitBoard::EMPTY,
            en_passant: BitBoard::EMPTY,
            castlers: BitBoard::EMPTY,
            hash: 0,
            clock: setup.clock,
            number: setup.number,
            side: setup.side,
        };
        board.sets[..Piece::NUM].copy_from_slice(&setup.pieces);
        board.sets[Piece::NUM..].copy_from_slice(&setup.colors);
        board.note_castlers(&setup.rights);
        board.hash = board.hash_from_scratch();
        board.look_at_king();
        if let Some(square) = setup.en_passant {
            board.allow_en_passant(square);
        }
        board
    }

    /// The same position of the rules crate.
    pub fn of_rules(board: &cozy_chess::Board, clock: u16) -> Board {
        let side = board.side_to_move();
        Board::new(&Setup {
            pieces: Piece::ALL.map(|piece| board.pieces(piece)),
            colors: Color::ALL.map(|colour| board.colors(colour)),
            side,
            rights: Color::ALL.map(|colour| *board.castle_rights(colour)),
            en_passant: board
                .en_passant()
                .map(|file| Square::new(file, Rank::Sixth.relative_to(side))),
            clock,
            number: board.fullmove_number(),
        })
    }

    /// The same position with flipped colours.
    pub fn flipped(&self) -> Board {
        let flip = |set: BitBoard| BitBoard(set.0.swap_bytes());
        let pieces = Piece::ALL.map(|piece| self.pieces(piece));
        Board::new(&Setup {
            pieces: pieces.map(flip),
            colors: [Color::Black, Color::White].map(|colour| flip(self.colors(colour))),
            side: !self.side,
            rights: [Color::Black, Color::White].map(|colour| self.castle_rights(colour)),
            en_passant: squares(flip(self.en_passant)).next(),
            clock: self.clock,
            number: self.number,
        })
    }

    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.sets[piece as usize]
    }

    #[inline(always)]
    pub fn colors(&self, colour: Color) -> BitBoard {
        self.sets[Piece::NUM + colour as usize]
    }

    #[inline(always)]
    pub fn colored_pieces(&self, colour: Color, piece: Piece) -> BitBoard {
        self.colors(colour) & self.pieces(piece)
    }

    #[inline(always)]
    pub fn occupied(&self) -> BitBoard {
        self.colors(Color::White) | self.colors(Color::Black)
    }

    #[inline(always)]
    pub fn king(&self, colour: Color) -> Square {
        first_of(self.colored_pieces(colour, Piece::King))
    }

    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The rooks that a side may still castle with.
    #[inline(always)]
    pub fn castling_rooks(&self, colour: Color) -> BitBoard {
        let rank = Rank::First.relative_to(colour).bitboard();
        self.castlers & rank & !self.pieces(Piece::King)
    }

    /// The same by their files, to the right of the king and to the left.
    pub fn castle_rights(&self, colour: Color) -> CastleRights {
        let rooks = self.castling_rooks(colour);
        let left = BitBoard(self.king(colour).bitboard().0 - 1);
        let file = |rook: BitBoard| squares(rook).next().map(Square::file);
        CastleRights {
            short: file(rooks & !left),
            long: file(rooks & left),
        }
    }

    /// Where pawns can take en passant: empty unless one legally can.
    #[inline(always)]
    pub fn en_passant(&self) -> BitBoard {
        self.en_passant
    }

    /// The pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> BitBoard {
        self.checkers
    }

    /// Pieces of either side that are the only piece between the mover's king and an enemy slider.
    #[inline(always)]
    pub fn pinned(&self) -> BitBoard {
        self.pinned
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn clock(&self) -> u16 {
        self.clock
    }

    pub fn fullmove_number(&self) -> u16 {
        self.number
    }

    /// The zobrist key: equal for positions that are the same under the repetition rule.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The same without a right to take en passant.
    #[inline(always)]
    pub fn hash_without_en_passant(&self) -> u64 {
        match self.en_passant.is_empty() {
            true => self.hash,
            false => self.hash ^ KEYS.en_passant(self.en_passant),
        }
    }

    /// Whether both are the same position under the repetition rule.
    pub fn is_same_position(&self, other: &Board) -> bool {
        self.sets == other.sets
            && self.side == other.side
            && Color::ALL
                .iter()
                .all(|&colour| self.castling_rooks(colour) == other.castling_rooks(colour))
            && self.en_passant == other.en_passant
    }

    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.occupied()
            .has(square)
            .then(|| self.numbers().piece_on(square))
    }

    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&colour| self.colors(colour).has(square))
    }

    #[inline(always)]
    pub fn numbers(&self) -> PieceCodes {
        let of = |piece: Piece| self.pieces(piece);
        let (rooks, kings) = (of(Piece::Rook), of(Piece::King));
        PieceCodes([
            of(Piece::Knight) | rooks | kings,
            of(Piece::Bishop) | rooks,
            of(Piece::Queen) | kings,
        ])
    }

    /// Plays a legal move; whether it was castling.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) -> bool {
        let keys = &*KEYS;
        let mover = self.side;
        let castles = self.colors(mover).has(mv.to);
        if castles {
            self.castle(mv, keys);
        } else {
            self.shift(mv, keys);
        }
        self.side = !mover;
        self.number = self.number.saturating_add(mover as u16);
        self.look_at_king();
        castles
    }

    /// Makes a null move. Not in check.
    pub fn pass(&mut self) {
        self.hash = self.hash_without_en_passant() ^ KEYS.turn;
        self.en_passant = BitBoard::EMPTY;
        self.number = self.number.saturating_add(self.side as u16);
        self.side = !self.side;
        // Positions before a null move cannot repeat.
        self.clock = 0;
        self.look_at_king();
    }

    /// Any move but castling.
    #[inline(always)]
    fn shift(&mut self, mv: Move, keys: &Keys) {
        let mover = self.side;
        let (from, to) = (mv.from.bitboard(), mv.to.bitboard());
        let numbers = self.numbers();
        let piece = numbers.piece_on(mv.from);
        self.hash ^= keys.turn
            ^ keys.piece(slot(mover, piece, mv.from))
            ^ keys.piece(slot(mover, piece, mv.to));
        // Except for castling, only an enemy piece can be there.
        let takes = self.occupied().has(mv.to);
        if takes {
            let victim = numbers.piece_on(mv.to);
            self.hash ^= keys.piece(slot_of_other(mover, victim, mv.to));
        }
        // Branchless: in each set, the mover's bit moves from one square to the other, and any
        // captured bit is cleared.
        for set in &mut self.sets {
            let comes = if set.0 & from.0 == from.0 { to.0 } else { 0 };
            set.0 = (set.0 & !(from | to).0) | comes;
        }
        let is_pawn = self.pieces(Piece::Pawn).has(mv.to);
        if !self.en_passant.is_empty() {
            self.end_en_passant(is_pawn && self.en_passant == to, keys);
        }
        if !((from | to) & self.castlers).is_empty() {
            self.give_up_rights(mv, piece == Piece::King, keys);
        }
        if let Some(promoted) = mv.promotion {
            self.promote(mv.to, promoted, keys);
        }
        let stays = u16::from(!(takes | is_pawn));
        self.clock = self.clock.saturating_add(1) * stays;
        if is_double_step(mv) && is_pawn && self.can_be_met(mv.to, mover) {
            // The capture belongs to the other side.
            self.side = !mover;
            self.allow_en_passant(behind(to, mover));
        }
    }

    /// Whether an enemy pawn is next to the pawn that moved here.
    #[inline(always)]
    fn can_be_met(&self, to: Square, mover: Color) -> bool {
        let beside = get_king_moves(to) & to.rank().bitboard();
        !(beside & self.colored_pieces(!mover, Piece::Pawn)).is_empty()
    }

    #[cold]
    fn castle(&mut self, mv: Move, keys: &Keys) {
        let mover = self.side;
        if !self.en_passant.is_empty() {
            self.end_en_passant(false, keys);
        }
        let rank = Rank::First.relative_to(mover);
        let [king_to, rook_to] = castled_files(mv.from < mv.to).map(|file| Square::new(file, rank));
        for (piece, from, to) in [
            (Piece::King, mv.from, king_to),
            (Piece::Rook, mv.to, rook_to),
        ] {
            for square in [from, to] {
                self.flip(mover, piece, square, keys);
            }
        }
        self.give_up_rights(mv, true, keys);
        self.hash ^= keys.turn;
        self.clock = self.clock.saturating_add(1);
    }

    /// Takes a piece off the board, or puts it there.
    #[inline(always)]
    fn flip(&mut self, colour: Color, piece: Piece, square: Square, keys: &Keys) {
        self.sets[piece as usize] ^= square.bitboard();
        self.sets[Piece::NUM + colour as usize] ^= square.bitboard();
        self.hash ^= keys.piece(slot(colour, piece, square));
    }

    #[cold]
    fn promote(&mut self, on: Square, to: Piece, keys: &Keys) {
        let mover = self.side;
        self.flip(mover, Piece::Pawn, on, keys);
        self.flip(mover, to, on, keys);
    }

    /// Clears the en passant target.
    #[cold]
    fn end_en_passant(&mut self, used: bool, keys: &Keys) {
        self.hash ^= keys.en_passant(self.en_passant);
        if used {
            let victim = behind(self.en_passant, self.side);
            self.flip(!self.side, Piece::Pawn, victim, keys);
        }
        self.en_passant = BitBoard::EMPTY;
    }

    /// Sets the en passant target if any pawn can legally capture there.
    #[cold]
    fn allow_en_passant(&mut self, square: Square) {
        let takers =
            get_pawn_attacks(square, !self.side) & self.colored_pieces(self.side, Piece::Pawn);
        if squares(takers).any(|from| self.may_take_en_passant(from, square)) {
            self.en_passant = square.bitboard();
            self.hash ^= KEYS.en_passant(self.en_passant);
        }
    }

    /// Whether the mover's king is safe after an en passant capture from here: two pawns leave the
    /// rank at once, which pins do not cover.
    pub fn may_take_en_passant(&self, from: Square, to: Square) -> bool {
        let victim = behind(to.bitboard(), self.side).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let king = self.king(self.side);
        (self.attackers(king, !self.side, occupied) & !victim).is_empty()
    }

    /// Pieces of `by` that attack a square, given these blockers.
    pub fn attackers(&self, square: Square, by: Color, occupied: BitBoard) -> BitBoard {
        let of = |piece| self.colored_pieces(by, piece);
        let queens = of(Piece::Queen);
        (get_pawn_attacks(square, !by) & of(Piece::Pawn))
            | (get_knight_moves(square) & of(Piece::Knight))
            | (get_king_moves(square) & of(Piece::King))
            | (get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens))
            | (get_rook_moves(square, occupied) & (of(Piece::Rook) | queens))
    }

    /// Whether the side to move, not in check, may castle with a rook that has the right to.
    pub fn may_castle(&self, rook: Square) -> bool {
        let side = self.side;
        let rank = rook.rank();
        let king = self.king(side);
        let [king_to, rook_to] = castled_files(king < rook).map(|file| Square::new(file, rank));
        let travelled = get_between_rays(king, king_to) | king_to.bitboard();
        let crossed = travelled | get_between_rays(king, rook) | rook_to.bitboard();
        let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
        // In Chess960 the castling rook may shield its king from an attacker behind it.
        (others & crossed).is_empty()
            && !self.pinned.has(rook)
            && squares(travelled).all(|square| {
                let occupied = (self.occupied() ^ king.bitboard()) | square.bitboard();
                self.attackers(square, !side, occupied).is_empty()
            })
    }

    /// Removes the castling rights lost by a move from or to these squares.
    #[cold]
    fn give_up_rights(&mut self, mv: Move, by_king: bool, keys: &Keys) {
        let mut lost = mv.from.bitboard() | mv.to.bitboard();
        if by_king {
            lost |= mv.from.rank().bitboard();
        }
        lost &= self.castlers;
        self.castlers ^= lost;
        if by_king {
            // Only rooks have castling keys.
            lost &= !mv.from.bitboard();
        }
        for rook in squares(lost) {
            self.hash ^= keys.right(whose_home(rook), rook.file());
        }
    }

    fn note_castlers(&mut self, rights: &[CastleRights; Color::NUM]) {
        for &colour in &Color::ALL {
            let rank = Rank::First.relative_to(colour);
            let CastleRights { short, long } = rights[colour as usize];
            for file in [short, long].into_iter().flatten() {
                self.castlers |= Square::new(file, rank).bitboard();
                self.castlers |= self.colored_pieces(colour, Piece::King);
            }
        }
    }

    /// Computes checkers and pins for the side to move.
    #[inline(always)]
    fn look_at_king(&mut self) {
        let side = self.side;
        let king = self.king(side);
        let enemies = self.colors(!side);
        let occupied = self.occupied();
        let queens = self.pieces(Piece::Queen);
        let mut checkers = (get_knight_moves(king) & self.pieces(Piece::Knight))
            | (get_pawn_attacks(king, side) & self.pieces(Piece::Pawn));
        checkers &= enemies;
        let mut pinned = BitBoard::EMPTY;
        let sliders = (get_bishop_rays(king) & (self.pieces(Piece::Bishop) | queens))
            | (get_rook_rays(king) & (self.pieces(Piece::Rook) | queens));
        for slider in squares(sliders & enemies) {
            let between = (get_between_rays(king, slider) & occupied).0;
            let several = between & between.wrapping_sub(1) != 0;
            pinned.0 |= if several { 0 } else { between };
            checkers.0 |= u64::from(between == 0) << slider as u32;
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }

    fn hash_from_scratch(&self) -> u64 {
        let keys = &*KEYS;
        let mut hash = keys.start
            ^ if self.side == Color::Black {
                keys.turn
            } else {
                0
            };
        for &colour in &Color::ALL {
            for &piece in &Piece::ALL {
                for square in squares(self.colored_pieces(colour, piece)) {
                    hash ^= keys.piece(slot(colour, piece, square));
                }
            }
            for rook in squares(self.castling_rooks(colour)) {
                hash ^= keys.right(colour, rook.file());
            }
        }
        hash
    }
}

/// Piece numbers in bit-sliced form: each set holds one bit of the number of every square's piece.
/// Finds a piece without unpredictable branches.
pub struct PieceCodes([BitBoard; 3]);

impl PieceCodes {
    /// The piece on a square; a pawn for an empty square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Piece {
        const PIECES: [Piece; 8] = {
            let mut pieces = [Piece::Pawn; 8];
            let mut at = 0;
            while at < Piece::NUM {
                pieces[at] = Piece::ALL[at];
                at += 1;
            }
            pieces
        };
        let bit = |at: usize| (self.0[at].0 >> square as u32) & 1;
        PIECES[(bit(0) | bit(1) << 1 | bit(2) << 2) as usize]
    }
}

/// The side whose half of the board a square is in.
fn whose_home(square: Square) -> Color {
    match square < Square::A5 {
        true => Color::White,
        false => Color::Black,
    }
}

/// The files of king and rook after castling to the right or to the left.
fn castled_files(right: bool) -> [File; 2] {
    match right {
        true => [File::G, File::F],
        false => [File::C, File::D],
    }
}

/// Whether a move leads two ranks ahead, if a pawn makes it.
#[inline(always)]
fn is_double_step(mv: Move) -> bool {
    // A single step changes the lowest bit of the rank, a capture the file.
    const SECOND_BIT_OF_RANK: u8 = 2 << 3;
    mv.from as u8 ^ mv.to as u8 == SECOND_BIT_OF_RANK
}

/// The square right behind a piece of `side`: the pawn captured en passant.
fn behind(piece: BitBoard, side: Color) -> Square {
    first_of(BitBoard(match side {
        Color::White => piece.0 >> 8,
        Color::Black => piece.0 << 8,
    }))
}

#[inline(always)]
fn first_of(set: BitBoard) -> Square {
    Square::index(set.0.trailing_zeros() as usize & 63)
}

#[cfg(test)]
mod tests;
