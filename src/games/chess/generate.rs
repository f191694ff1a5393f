//! Move generation: all moves, or noisy and quiet moves separately, so that a staged search does not
//! generate moves it never tries.
//!
//! Each kind has one function that collects target sets, compiled once for all callers; the loop that
//! returns the moves is compiled into each caller. Whether a piece can move is unpredictable, so the
//! code does not branch on it.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Color, File, Move, Piece, PieceMoves, Rank, Square, get_between_rays,
    get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_pawn_quiets, get_rook_moves, get_rook_rays,
};

use super::board::Board;
use super::moves::{LAST_RANKS, PIECE_VALUES, slot};
use super::squares;
use crate::games::MoveInfo;

/// The moves of one piece.
struct Set {
    to: BitBoard,
    /// Info of a quiet move to square 0.
    facts: PackedInfo,
    from: Square,
    promotion: Option<Piece>,
}

impl Set {
    #[inline(always)]
    fn to_square(&self, to: Square) -> Move {
        Move {
            from: self.from,
            to,
            promotion: self.promotion,
        }
    }
}

/// A [`MoveInfo`] packed into one number, first field lowest, so that it is copied as a whole: the
/// compiler copies the struct field by field.
#[derive(Clone, Copy)]
struct PackedInfo(u64);

impl PackedInfo {
    #[inline(always)]
    fn new(slot: usize, value: i16) -> PackedInfo {
        PackedInfo(slot as u64 | (value as u64) << 16)
    }

    #[inline(always)]
    fn promote(&mut self, gain: i16) {
        self.0 |= (gain as u64) << 48;
    }

    #[inline(always)]
    fn of(self, to: Square, victim: i16) -> MoveInfo {
        let all = self.0 + (to as u64 | (victim as u64) << 32);
        MoveInfo {
            slot: all as u16,
            mover: (all >> 16) as i16,
            victim: (all >> 32) as i16,
            promotion: (all >> 48) as i16,
        }
    }
}

/// Room for sixteen pieces, of which eight pawns may each promote to four pieces, plus en passant
/// and castling.
type Sets = ArrayVec<Set, 64>;

/// Adds the set unless it is empty.
#[inline(always)]
fn add(sets: &mut Sets, set: Set) {
    let kept = sets.len() + usize::from(!set.to.is_empty());
    sets.push(set);
    sets.truncate(kept);
}

/// Target squares to which quiet moves are restricted.
pub struct QuietTargets {
    /// By piece.
    pub targets: [BitBoard; Piece::NUM],
    /// Pieces without a restriction.
    pub anywhere: BitBoard,
}

impl QuietTargets {
    pub const ALL: QuietTargets = QuietTargets {
        targets: [BitBoard::FULL; Piece::NUM],
        anywhere: BitBoard::EMPTY,
    };

    #[inline(always)]
    fn of(&self, piece: Piece, from: Square) -> BitBoard {
        let free = (self.anywhere.0 >> from as u32) & 1;
        self.targets[piece as usize] | BitBoard(free.wrapping_neg())
    }
}

/// A position with facts shared by all its moves.
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
    pub fn each_noisy(board: &Board, f: impl FnMut(Move, MoveInfo)) {
        let mut sets = Sets::new();
        list_noisy(board, &mut sets);
        let victims = Victims::new(board);
        visit_noisy(&mut sets, &victims, f);
    }

    /// Visits the quiet moves that are `wanted`.
    #[inline(always)]
    pub fn each_quiet(board: &Board, wanted: &QuietTargets, f: impl FnMut(Move, MoveInfo)) {
        let mut sets = Sets::new();
        list_quiet(board, wanted, &mut sets);
        visit_quiet(&sets, f);
    }

    /// Captures and promotions to a queen.
    fn list_noisy(&self, sets: &mut Sets) {
        let targets = self.enemies & self.answers();
        self.pawns_noisy(targets, sets);
        self.en_passant(sets);
        self.pieces(|_, _| targets, sets);
        let takes = get_king_moves(self.king) & self.enemies;
        if !takes.is_empty() {
            add(sets, self.set(Piece::King, self.king, self.safe(takes)));
        }
    }

    /// The moves that are not noisy.
    fn list_quiet(&self, wanted: &QuietTargets, sets: &mut Sets) {
        let empty = !self.occupied;
        let targets = empty & self.answers();
        self.pawns_quiet(wanted, targets, sets);
        self.pieces(|piece, from| wanted.of(piece, from) & targets, sets);
        let to = wanted.of(Piece::King, self.king);
        let steps = get_king_moves(self.king) & to & empty;
        add(sets, self.set(Piece::King, self.king, self.safe(steps)));
        if self.board.checkers().is_empty() {
            self.castling(to, sets);
        }
    }

    /// Targets of pieces other than the king: in check, only the checker and the squares between it
    /// and the king.
    #[inline(always)]
    fn answers(&self) -> BitBoard {
        let checkers = self.board.checkers();
        if checkers.is_empty() {
            return BitBoard::FULL;
        }
        squares(checkers)
            .map(|checker| get_between_rays(checker, self.king) | checker.bitboard())
            .fold(BitBoard::FULL, |all, one| all & one)
    }

    #[inline(always)]
    fn set(&self, piece: Piece, from: Square, to: BitBoard) -> Set {
        Set {
            to,
            facts: PackedInfo::new(
                slot(self.mover, piece, Square::A1),
                PIECE_VALUES[piece as usize],
            ),
            from,
            promotion: None,
        }
    }

    /// Knights to queens, to these targets of each.
    #[inline(always)]
    fn pieces(&self, targets: impl Fn(Piece, Square) -> BitBoard, sets: &mut Sets) {
        let diagonal = |from| get_bishop_moves(from, self.occupied);
        let straight = |from| get_rook_moves(from, self.occupied);
        let both = |from| diagonal(from) | straight(from);
        self.kind(Piece::Knight, get_knight_moves, &targets, sets);
        self.kind(Piece::Bishop, diagonal, &targets, sets);
        self.kind(Piece::Rook, straight, &targets, sets);
        self.kind(Piece::Queen, both, &targets, sets);
    }

    #[inline(always)]
    fn kind(
        &self,
        piece: Piece,
        moves: impl Fn(Square) -> BitBoard,
        targets: &impl Fn(Piece, Square) -> BitBoard,
        sets: &mut Sets,
    ) {
        for from in squares(self.board.pieces(piece) & self.own) {
            let mut to = moves(from) & targets(piece, from);
            if self.pinned.has(from) {
                to &= get_line_rays(self.king, from);
            }
            add(sets, self.set(piece, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&self) -> BitBoard {
        self.board.pieces(Piece::Pawn) & self.own
    }

    /// Shifts a set one rank ahead. Bits that leave the board wrap around to a rank without targets.
    #[inline(always)]
    fn ahead(&self, set: BitBoard) -> BitBoard {
        BitBoard(set.0.rotate_left(8 + 48 * self.mover as u32))
    }

    #[inline(always)]
    fn behind(&self, set: BitBoard) -> BitBoard {
        BitBoard(set.0.rotate_right(8 + 48 * self.mover as u32))
    }

    /// Captures of these targets and steps to the last rank.
    #[inline(always)]
    fn pawns_noisy(&self, targets: BitBoard, sets: &mut Sets) {
        let last = LAST_RANKS & !self.occupied & self.answers();
        let takers = self.behind(beside(targets));
        for from in squares(self.pawns() & (takers | self.behind(last))) {
            let mut takes = get_pawn_attacks(from, self.mover) & targets;
            let mut step = self.ahead(from.bitboard()) & last;
            if self.pinned.has(from) {
                let line = get_line_rays(self.king, from);
                takes &= line;
                step &= line;
            }
            if ((takes | step) & LAST_RANKS).is_empty() {
                add(sets, self.set(Piece::Pawn, from, takes));
            } else {
                self.promote(from, takes | step, Piece::Queen, sets);
                self.promote_less(from, takes, sets);
            }
        }
    }

    /// Steps to these targets, and promotions to less than a queen.
    #[inline(always)]
    fn pawns_quiet(&self, wanted: &QuietTargets, targets: BitBoard, sets: &mut Sets) {
        let (ahead, behind) = (|set| self.ahead(set), |set| self.behind(set));
        // A pinned pawn may only move towards the king or away from it.
        let pushers = self.pawns() & (!self.pinned | self.king.file().bitboard());
        let third = Rank::Third.relative_to(self.mover).bitboard();
        let once = ahead(pushers) & !self.occupied;
        let free = ahead(wanted.anywhere);
        let plain = wanted.targets[Piece::Pawn as usize];
        let twice = ahead(once & third) & targets & (plain | ahead(free));
        let once = once & targets & (plain | free);
        for from in squares(behind(once | behind(twice))) {
            let step = ahead(from.bitboard());
            let to = (step & once) | (ahead(step) & twice);
            if (to & LAST_RANKS).is_empty() {
                sets.push(self.set(Piece::Pawn, from, to));
            } else {
                self.promote_less(from, to, sets);
            }
        }
    }

    #[cold]
    fn promote_less(&self, from: Square, to: BitBoard, sets: &mut Sets) {
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook] {
            self.promote(from, to, piece, sets);
        }
    }

    fn promote(&self, from: Square, to: BitBoard, piece: Piece, sets: &mut Sets) {
        let mut set = self.set(Piece::Pawn, from, to);
        set.promotion = Some(piece);
        set.facts
            .promote(PIECE_VALUES[piece as usize] - PIECE_VALUES[Piece::Pawn as usize]);
        add(sets, set);
    }

    /// The pawns that can take en passant.
    #[inline(always)]
    fn en_passant_takers(&self) -> impl Iterator<Item = (Square, Square)> {
        squares(self.board.en_passant()).flat_map(move |to| {
            squares(get_pawn_attacks(to, !self.mover) & self.pawns())
                .filter(move |&from| self.board.may_take_en_passant(from, to))
                .map(move |from| (from, to))
        })
    }

    #[inline(always)]
    fn en_passant(&self, sets: &mut Sets) {
        if self.board.en_passant().is_empty() {
            return;
        }
        for (from, to) in self.en_passant_takers() {
            sets.push(self.set(Piece::Pawn, from, to.bitboard()));
        }
    }

    /// The rooks among these that the king, not in check, can castle with.
    #[inline(always)]
    fn castling_rooks(&self, wanted: BitBoard) -> impl Iterator<Item = Square> {
        // The right one first.
        let rooks = self.board.castling_rooks(self.mover) & wanted;
        let left = BitBoard(self.king.bitboard().0 - 1);
        squares(rooks & !left)
            .chain(squares(rooks & left))
            .filter(|&rook| {
                // Usually the path is blocked, which is cheap to test.
                let between = get_between_rays(self.king, rook) & self.occupied;
                between.is_empty() && self.board.may_castle(rook)
            })
    }

    #[inline(always)]
    fn castling(&self, wanted: BitBoard, sets: &mut Sets) {
        for rook in self.castling_rooks(wanted) {
            let mut set = self.set(Piece::King, self.king, rook.bitboard());
            set.facts.promote(MoveInfo::CASTLING);
            sets.push(set);
        }
    }

    /// Visits the moves of each piece, by kind, pinned pieces last. Returns whether the visitor
    /// stopped.
    #[inline(always)]
    fn each_piece(&self, f: &mut impl FnMut(PieceMoves) -> bool) -> bool {
        let targets = self.answers() & !self.own;
        let takes = |from| get_pawn_attacks(from, self.mover) & self.enemies;
        let pawns = |from| get_pawn_quiets(from, self.mover, self.occupied) | takes(from);
        let diagonal = |from| get_bishop_moves(from, self.occupied);
        let straight = |from| get_rook_moves(from, self.occupied);
        let both = |from| diagonal(from) | straight(from);
        self.each_of(Piece::Pawn, pawns, targets, f)
            || self.each_en_passant(f)
            || self.each_of(Piece::Knight, get_knight_moves, targets, f)
            || self.each_of(Piece::Bishop, diagonal, targets, f)
            || self.each_of(Piece::Rook, straight, targets, f)
            || self.each_of(Piece::Queen, both, targets, f)
            || self.each_of_king(f)
    }

    #[inline(always)]
    fn each_of(
        &self,
        piece: Piece,
        moves: impl Fn(Square) -> BitBoard,
        targets: BitBoard,
        f: &mut impl FnMut(PieceMoves) -> bool,
    ) -> bool {
        let pieces = self.board.pieces(piece) & self.own;
        for from in squares(pieces & !self.pinned) {
            let to = moves(from) & targets;
            if !to.is_empty() && f(PieceMoves { piece, from, to }) {
                return true;
            }
        }
        for from in squares(pieces & self.pinned) {
            let to = moves(from) & targets & get_line_rays(self.king, from);
            if !to.is_empty() && f(PieceMoves { piece, from, to }) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn each_en_passant(&self, f: &mut impl FnMut(PieceMoves) -> bool) -> bool {
        if self.board.en_passant().is_empty() {
            return false;
        }
        self.en_passant_takers().any(|(from, to)| {
            let (piece, to) = (Piece::Pawn, to.bitboard());
            f(PieceMoves { piece, from, to })
        })
    }

    #[inline(always)]
    fn each_of_king(&self, f: &mut impl FnMut(PieceMoves) -> bool) -> bool {
        let (piece, from) = (Piece::King, self.king);
        let mut to = self.safe(get_king_moves(from) & !self.own);
        if self.board.checkers().is_empty() {
            for rook in self.castling_rooks(BitBoard::FULL) {
                to |= rook.bitboard();
            }
        }
        !to.is_empty() && f(PieceMoves { piece, from, to })
    }

    /// Pseudo-legal targets of a piece other than the king, without en passant.
    fn pseudo(&self, piece: Piece, from: Square) -> BitBoard {
        match piece {
            Piece::Pawn => {
                get_pawn_quiets(from, self.mover, self.occupied)
                    | (get_pawn_attacks(from, self.mover) & self.enemies)
            }
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, self.occupied),
            Piece::Rook => get_rook_moves(from, self.occupied),
            _ => get_bishop_moves(from, self.occupied) | get_rook_moves(from, self.occupied),
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let Move { from, to, .. } = mv;
        if !self.own.has(from) {
            return false;
        }
        let piece = self.board.numbers().piece_on(from);
        let promotes = piece == Piece::Pawn && LAST_RANKS.has(to);
        let promotion_fits = match mv.promotion {
            Some(promotion) => promotes && !matches!(promotion, Piece::Pawn | Piece::King),
            None => !promotes,
        };
        if !promotion_fits {
            return false;
        }
        if piece == Piece::King {
            return if self.own.has(to) {
                self.board.checkers().is_empty()
                    && self.castling_rooks(to.bitboard()).next().is_some()
            } else {
                get_king_moves(from).has(to) && !self.safe(to.bitboard()).is_empty()
            };
        }
        if piece == Piece::Pawn && self.board.en_passant().has(to) {
            return get_pawn_attacks(from, self.mover).has(to)
                && self.board.may_take_en_passant(from, to);
        }
        let free = !self.pinned.has(from) || get_line_rays(self.king, from).has(to);
        free && (self.pseudo(piece, from) & self.answers() & !self.own).has(to)
    }

    /// The king's targets that are not attacked.
    #[inline(always)]
    fn safe(&self, steps: BitBoard) -> BitBoard {
        let of = |piece: Piece| self.board.pieces(piece) & self.enemies;
        let pawns = self.behind(beside(of(Piece::Pawn)));
        let steps = steps & !(pawns | get_king_moves(self.board.king(!self.mover)));
        let queens = of(Piece::Queen);
        let diagonal = of(Piece::Bishop) | queens;
        let straight = of(Piece::Rook) | queens;
        // Sliders attack through the king's old square.
        let occupied = self.occupied ^ self.king.bitboard();
        let mut safe = steps;
        for square in squares(steps) {
            let mut attackers = get_knight_moves(square) & of(Piece::Knight);
            let sliders = get_bishop_rays(square) & diagonal;
            if !sliders.is_empty() {
                attackers |= get_bishop_moves(square, occupied) & sliders;
            }
            let sliders = get_rook_rays(square) & straight;
            if !sliders.is_empty() {
                attackers |= get_rook_moves(square, occupied) & sliders;
            }
            safe.0 &= !(u64::from(!attackers.is_empty()) << square as u32);
        }
        safe
    }
}

#[inline(never)]
fn list_noisy(board: &Board, sets: &mut Sets) {
    Quarry::new(board).list_noisy(sets);
}

#[inline(never)]
fn list_quiet(board: &Board, wanted: &QuietTargets, sets: &mut Sets) {
    Quarry::new(board).list_quiet(wanted, sets);
}

/// The squares to the left and right of a set.
#[inline(always)]
fn beside(set: BitBoard) -> BitBoard {
    let (left, right) = (!File::A.bitboard(), !File::H.bitboard());
    BitBoard((set & right).0 << 1 | (set & left).0 >> 1)
}

/// Visits the moves of each piece. Returns whether the visitor stopped. Inlined, for callers that do
/// little else.
#[inline(always)]
pub fn each_piece_inline(board: &Board, mut f: impl FnMut(PieceMoves) -> bool) -> bool {
    Quarry::new(board).each_piece(&mut f)
}

/// The same, not inlined: a copy per caller would crowd the instruction cache, which a search fills
/// anyway.
#[inline(never)]
pub fn each_piece(board: &Board, f: &mut dyn FnMut(PieceMoves) -> bool) -> bool {
    each_piece_inline(board, f)
}

pub fn is_legal(board: &Board, mv: Move) -> bool {
    Quarry::new(board).is_legal(mv)
}

/// Visits quiet moves.
#[inline(always)]
fn visit_quiet(sets: &Sets, mut f: impl FnMut(Move, MoveInfo)) {
    for set in sets {
        for to in squares(set.to) {
            f(set.to_square(to), set.facts.of(to, 0));
        }
    }
}

/// Visits noisy moves. One flat loop instead of nested loops over sets and squares: most sets hold
/// one or two moves, so the end of an inner loop is unpredictable.
#[inline(always)]
fn visit_noisy(sets: &mut Sets, victims: &Victims, mut f: impl FnMut(Move, MoveInfo)) {
    let mut at = 0;
    while let Some(set) = sets.get_mut(at) {
        let to = Square::index(set.to.0.trailing_zeros() as usize & 63);
        set.to.0 &= set.to.0.wrapping_sub(1);
        at += usize::from(set.to.is_empty());
        f(set.to_square(to), set.facts.of(to, victims.worth_on(to)));
    }
}

/// Piece numbers in bit-sliced form: each set holds one bit of the number of every square's piece.
/// Finds the value of a piece without unpredictable branches.
struct Victims([BitBoard; 3]);

impl Victims {
    #[inline(always)]
    fn new(board: &Board) -> Victims {
        let of = |piece: Piece| board.pieces(piece);
        // A pawn that can be captured en passant counts on the target square.
        let passed = board.en_passant();
        let queens = of(Piece::Queen);
        let bishops = of(Piece::Bishop);
        Victims([
            of(Piece::Pawn) | bishops | queens | passed,
            of(Piece::Knight) | bishops,
            of(Piece::Rook) | queens,
        ])
    }

    /// The value of the enemy piece on a square, 0 for none. Never a king.
    #[inline(always)]
    fn worth_on(&self, square: Square) -> i16 {
        const VALUES: [i16; 8] = {
            let [pawn, knight, bishop, rook, queen, _] = PIECE_VALUES;
            [0, pawn, knight, bishop, rook, queen, 0, 0]
        };
        let bit = |at: usize| (self.0[at].0 >> square as u32) & 1;
        VALUES[(bit(0) | bit(1) << 1 | bit(2) << 2) as usize]
    }
}
