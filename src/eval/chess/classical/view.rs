//! What the terms look at: the pieces of both sides, and which squares they attack.

use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use super::bits::{back, bit, forward, pawn_attacks, rank};
use super::king::Shelter;
use crate::games::chess::{BitBoard, Color, Piece, Position, Square};

/// Knight, bishop, rook, queen: the pieces that have mobility, in the order of their lists.
pub const MOBILE: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// One side's pieces and what they attack.
#[derive(Clone, Copy)]
pub struct Army {
    /// By [`Piece`].
    pub pieces: [u64; 6],
    pub all: u64,
    pub king: Square,
    /// The king's square and those around it, with one more row towards the enemy, except what
    /// two pawns guard.
    pub ring: u64,
    /// Squares that count for mobility.
    pub free: u64,
    /// By [`Piece`]; knights to queens only once [`super::mobility`] has passed.
    pub attacks: [u64; 6],
    pub attacked: u64,
    pub attacked_twice: u64,
    /// How many knights, bishops, rooks and queens attack the enemy king's ring.
    pub ring_attackers: [i32; 4],
    /// How often those attack a square of it.
    pub ring_hits: i32,
}

impl Army {
    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> u64 {
        self.pieces[piece as usize]
    }

    #[inline(always)]
    pub fn attacks(&self, piece: Piece) -> u64 {
        self.attacks[piece as usize]
    }

    #[inline(always)]
    fn new<const FRC: bool, const WHITE: bool>(position: &Position<FRC>) -> Army {
        let board = position.board();
        let color = if WHITE { Color::White } else { Color::Black };
        let all = board.colors(color).0;
        let pieces = Piece::ALL.map(|piece| board.pieces(piece).0 & all);
        let king = Square::index(pieces[Piece::King as usize].trailing_zeros() as usize);
        let (left, right) = pawn_attacks::<WHITE>(pieces[Piece::Pawn as usize]);
        let around = get_king_moves(king).0;
        let close = around | bit(king);
        let mut attacks = [0; 6];
        attacks[Piece::Pawn as usize] = left | right;
        attacks[Piece::King as usize] = around;
        Army {
            pieces,
            all,
            king,
            ring: (close | forward::<WHITE>(close)) & !(left & right),
            free: 0,
            attacks,
            attacked: left | right | around,
            attacked_twice: (left & right) | ((left | right) & around),
            ring_attackers: [0; 4],
            ring_hits: 0,
        }
    }

    /// Squares worth moving to: not guarded by an enemy pawn, not taken by the king, the queen or
    /// a pawn that is stuck or still at home.
    #[inline(always)]
    fn set_free<const WHITE: bool>(&mut self, occupied: u64, enemy_pawn_attacks: u64) {
        let pawns = self.pieces(Piece::Pawn);
        let home = rank::<WHITE>(1) | rank::<WHITE>(2);
        let stuck = pawns & (home | back::<WHITE>(occupied));
        let royal = self.pieces(Piece::King) | self.pieces(Piece::Queen);
        self.free = !(enemy_pawn_attacks | stuck | royal);
    }
}

pub struct View {
    pub occupied: u64,
    pub white: Army,
    pub black: Army,
    pub white_to_move: bool,
}

impl View {
    #[inline(always)]
    pub fn new<const FRC: bool>(position: &Position<FRC>) -> View {
        let mut view = View {
            occupied: position.board().occupied().0,
            white: Army::new::<FRC, true>(position),
            black: Army::new::<FRC, false>(position),
            white_to_move: position.board().side_to_move() == Color::White,
        };
        let occupied = view.occupied;
        let (white, black) = (&mut view.white, &mut view.black);
        white.set_free::<true>(occupied, black.attacks(Piece::Pawn));
        black.set_free::<false>(occupied, white.attacks(Piece::Pawn));
        view
    }

    /// The side in question and its enemy.
    #[inline(always)]
    pub fn sides<const WHITE: bool>(&self) -> (&Army, &Army) {
        if WHITE {
            (&self.white, &self.black)
        } else {
            (&self.black, &self.white)
        }
    }

    #[inline(always)]
    pub fn shelter<const WHITE: bool>(&self) -> Shelter {
        let (us, them) = self.sides::<WHITE>();
        Shelter {
            king: us.king,
            ours: us.pieces(Piece::Pawn),
            theirs: them.pieces(Piece::Pawn),
        }
    }

    #[inline(always)]
    pub fn sides_mut<const WHITE: bool>(&mut self) -> (&mut Army, &Army) {
        if WHITE {
            (&mut self.white, &self.black)
        } else {
            (&mut self.black, &self.white)
        }
    }
}

/// The squares a piece attacks. Pawns are not asked for.
#[inline(always)]
pub fn moves(piece: Piece, square: Square, occupied: u64) -> u64 {
    let blockers = BitBoard(occupied);
    match piece {
        Piece::Knight => get_knight_moves(square).0,
        Piece::Bishop => get_bishop_moves(square, blockers).0,
        Piece::Rook => get_rook_moves(square, blockers).0,
        Piece::Queen => get_bishop_moves(square, blockers).0 | get_rook_moves(square, blockers).0,
        Piece::King | Piece::Pawn => get_king_moves(square).0,
    }
}
