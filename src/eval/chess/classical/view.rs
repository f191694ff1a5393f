//! The view of a position that the terms use: both sides' pieces and the squares they attack.

use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use super::bits::{WAYS, Way, bit};
use super::king::Shelter;
use super::numbers::Numbers;
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
    /// The king ring: the king's square, adjacent squares and one more rank towards the enemy,
    /// except squares defended by two pawns.
    pub ring: u64,
    /// Squares that count for mobility.
    pub free: u64,
    /// By [`Piece`]; knights to queens only after [`super::mobility`] has run.
    pub attacks: [u64; 6],
    pub attacked: u64,
    pub attacked_twice: u64,
    /// Danger from its pieces that attack the enemy king's ring.
    pub ring_danger: i32,
    /// Total king steps from its knights and bishops to its king; filled in with the attacks.
    pub steps_to_king: i32,
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
    fn new<const FRC: bool>(position: &Position<FRC>, way: &Way) -> Army {
        let board = position.board();
        let color = if way.white {
            Color::White
        } else {
            Color::Black
        };
        let all = board.colors(color).0;
        let pieces = Piece::ALL.map(|piece| board.pieces(piece).0 & all);
        let king = Square::index(pieces[Piece::King as usize].trailing_zeros() as usize & 63);
        let (left, right) = way.pawn_attacks(pieces[Piece::Pawn as usize]);
        let around = get_king_moves(king).0;
        let close = around | bit(king);
        let mut attacks = [0; 6];
        attacks[Piece::Pawn as usize] = left | right;
        attacks[Piece::King as usize] = around;
        Army {
            pieces,
            all,
            king,
            ring: (close | way.forward(close)) & !(left & right),
            free: 0,
            attacks,
            attacked: left | right | around,
            attacked_twice: (left & right) | ((left | right) & around),
            ring_danger: 0,
            steps_to_king: 0,
        }
    }

    /// The mobility area: squares not attacked by an enemy pawn and not occupied by the king, the
    /// queen, or a blocked or unmoved pawn.
    #[inline(always)]
    fn set_free(&mut self, way: &Way, occupied: u64, enemy_pawn_attacks: u64) {
        let pawns = self.pieces(Piece::Pawn);
        let home = way.ranks[1] | way.ranks[2];
        let stuck = pawns & (home | way.back(occupied));
        let royal = self.pieces(Piece::King) | self.pieces(Piece::Queen);
        self.free = !(enemy_pawn_attacks | stuck | royal);
    }
}

pub struct View {
    pub occupied: u64,
    /// White's and black's.
    pub armies: [Army; 2],
    pub white_to_move: bool,
}

/// A view from one side.
pub struct Scene<'v> {
    pub way: &'static Way,
    pub us: &'v Army,
    pub them: &'v Army,
    pub occupied: u64,
    pub our_turn: bool,
}

impl View {
    #[inline(always)]
    pub fn new<const FRC: bool>(position: &Position<FRC>) -> View {
        let [white, black] = &WAYS;
        let mut view = View {
            occupied: position.board().occupied().0,
            armies: [Army::new(position, white), Army::new(position, black)],
            white_to_move: position.board().side_to_move() == Color::White,
        };
        let occupied = view.occupied;
        let [ours, theirs] = &mut view.armies;
        ours.set_free(white, occupied, theirs.attacks(Piece::Pawn));
        theirs.set_free(black, occupied, ours.attacks(Piece::Pawn));
        view
    }

    /// White's and black's pieces of a kind.
    #[inline(always)]
    pub fn of(&self, piece: Piece) -> [u64; 2] {
        let [white, black] = &self.armies;
        [white.pieces(piece), black.pieces(piece)]
    }

    #[inline(always)]
    pub fn numbers(&self) -> Numbers {
        let [white, black] = &self.armies;
        Numbers::new([&white.pieces, &black.pieces])
    }

    /// White's view, then black's.
    #[inline(always)]
    pub fn scenes(&self) -> [Scene<'_>; 2] {
        let [white, black] = &self.armies;
        let scene = |way, us, them, our_turn| Scene {
            way,
            us,
            them,
            occupied: self.occupied,
            our_turn,
        };
        [
            scene(&WAYS[0], white, black, self.white_to_move),
            scene(&WAYS[1], black, white, !self.white_to_move),
        ]
    }
}

impl Scene<'_> {
    #[inline(always)]
    pub fn shelter(&self) -> Shelter {
        let way = self.way;
        Shelter {
            king: Square::index(way.table_index(self.us.king) ^ 56),
            ours: way.own_view(self.us.pieces(Piece::Pawn)),
            theirs: way.own_view(self.them.pieces(Piece::Pawn)),
        }
    }
}

/// The squares a piece attacks. Not for pawns.
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
