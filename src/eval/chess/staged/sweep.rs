//! One pass over a side's pseudo-legal moves: mobility, attacks, centre and tropism.

use cozy_chess::File;

use super::TERMS;
use crate::eval::chess::moves::{PawnMoves, attacks, castling_moves, ranks_ahead};
use crate::eval::{STEPS, Score, Weights, slot};
use crate::games::chess::{BitBoard, Board, Color, Piece, Square};

/// d4, e4, d5 and e5.
pub const CENTRE: BitBoard = BitBoard(0x0000_0018_1800_0000);

/// Kinds of moves that mobility distinguishes, in the order of their rows.
#[derive(Clone, Copy)]
pub enum MoveKind {
    RookForward,
    RookSideways,
    RookBackward,
    BishopForward,
    BishopBackward,
    KnightForward,
    KnightBackward,
    Other,
}

impl MoveKind {
    pub const ALL: [MoveKind; 8] = [
        MoveKind::RookForward,
        MoveKind::RookSideways,
        MoveKind::RookBackward,
        MoveKind::BishopForward,
        MoveKind::BishopBackward,
        MoveKind::KnightForward,
        MoveKind::KnightBackward,
        MoveKind::Other,
    ];
}

/// The counts of one side's moves.
pub struct MoveSweep {
    colour: Color,
    moves: [i32; 8],
    /// Captures of a piece worth at least as much as the attacker.
    pub attacks: i32,
    /// Moves to the centre squares of the enemy half, and of the own half.
    pub far_centre: i32,
    pub near_centre: i32,
    /// Target squares of each kind of piece except the king, in the order of [`Piece::ALL`].
    landings: [BitBoard; 5],
}

impl MoveSweep {
    pub fn of(board: &Board, colour: Color) -> MoveSweep {
        let mut sweep = MoveSweep {
            colour,
            moves: [0; 8],
            attacks: 0,
            far_centre: 0,
            near_centre: 0,
            landings: [BitBoard::EMPTY; 5],
        };
        sweep.pawns(board);
        // Piece values rise in this order, so the set of victims shrinks.
        let enemy = |piece| board.colored_pieces(!colour, piece);
        let mut victims = board.colors(!colour);
        for (piece, lesser) in [
            (Piece::Knight, Piece::Pawn),
            (Piece::Bishop, Piece::Knight),
            (Piece::Rook, Piece::Bishop),
            (Piece::Queen, Piece::Rook),
            (Piece::King, Piece::Queen),
        ] {
            victims &= !enemy(lesser);
            sweep.pieces(board, piece, victims);
        }
        sweep.moves[MoveKind::Other as usize] += castling_moves(board, colour);
        sweep
    }

    pub fn moves(&self, kind: MoveKind) -> i32 {
        self.moves[kind as usize]
    }

    fn pawns(&mut self, board: &Board) {
        let moves = PawnMoves::of(board, self.colour);
        self.moves[MoveKind::Other as usize] += moves.count();
        for set in moves.sets() {
            self.centre(set);
        }
        // No piece is worth less than a pawn.
        self.attacks += (moves.takes[0].len() + moves.takes[1].len()) as i32;
        self.landings[Piece::Pawn as usize] = moves.landings();
    }

    #[inline(always)]
    fn pieces(&mut self, board: &Board, piece: Piece, victims: BitBoard) {
        let occupied = board.occupied();
        let own = board.colors(self.colour);
        for square in board.colored_pieces(self.colour, piece) {
            let targets = attacks(piece, square, occupied) & !own;
            self.mobility(piece, square, targets);
            self.centre(targets);
            // Most pieces attack nothing: a test is cheaper than a count.
            if !targets.is_disjoint(victims) {
                self.attacks += (targets & victims).len() as i32;
            }
            if piece != Piece::King {
                self.landings[piece as usize] |= targets;
            }
        }
    }

    #[inline(always)]
    fn mobility(&mut self, piece: Piece, square: Square, targets: BitBoard) {
        let all = targets.len() as i32;
        let forward = || (targets & ranks_ahead(square, self.colour)).len() as i32;
        match piece {
            Piece::Rook => {
                let forward = forward();
                let sideways = (targets & square.rank().bitboard()).len() as i32;
                self.moves[MoveKind::RookForward as usize] += forward;
                self.moves[MoveKind::RookSideways as usize] += sideways;
                self.moves[MoveKind::RookBackward as usize] += all - forward - sideways;
            }
            Piece::Bishop => {
                let forward = forward();
                self.moves[MoveKind::BishopForward as usize] += forward;
                self.moves[MoveKind::BishopBackward as usize] += all - forward;
            }
            Piece::Knight => {
                let forward = forward();
                self.moves[MoveKind::KnightForward as usize] += forward;
                self.moves[MoveKind::KnightBackward as usize] += all - forward;
            }
            Piece::Pawn | Piece::Queen | Piece::King => self.moves[MoveKind::Other as usize] += all,
        }
    }

    #[inline(always)]
    fn centre(&mut self, targets: BitBoard) {
        // For two adjacent bits this is faster than a population count.
        let pair = |first: Square| {
            let bits = targets.0 >> first as u32;
            ((bits & 1) + (bits >> 1 & 1)) as i32
        };
        let (far, near) = match self.colour {
            Color::White => (Square::D5, Square::D4),
            Color::Black => (Square::D4, Square::D5),
        };
        self.far_centre += pair(far);
        self.near_centre += pair(near);
    }

    /// The tropism penalty of the side whose king these moves approach, in score steps; at most 0
    /// for non-negative weights.
    pub fn tropism(&self, board: &Board, victim: Color, weights: &Weights) -> Score {
        let Some((distance, ring)) = self.nearest(board.king(victim)) else {
            return 0;
        };
        let at_ring = |piece: &&Piece| !self.landings[**piece as usize].is_disjoint(ring);
        let mut kinds = Piece::ALL[..5].iter().filter(at_ring);
        let least = kinds.next().copied();
        let tied = kinds.next().is_some();
        let by_order = weights.get(const { slot(TERMS, "tropism_ties") }).opening < STEPS / 2;
        let piece = match least {
            Some(_) if tied && by_order => self.first_in_map_order(board, ring),
            other => other,
        };
        let Some(piece) = piece else {
            return 0;
        };
        let share = weights.get(const { slot(TERMS, "tropism") } + piece as usize);
        let reach = weights.get(const { slot(TERMS, "tropism_reach") });
        let nearer = i64::from(reach.opening - distance * STEPS);
        (-i64::from(share.opening) * nearer / i64::from(STEPS)) as Score
    }

    /// The distance in king steps from `king` to the nearest target square, and all squares within
    /// that distance.
    fn nearest(&self, king: Square) -> Option<(Score, BitBoard)> {
        let landings = self.landings.iter().fold(BitBoard::EMPTY, |a, b| a | *b);
        let mut within = king.bitboard();
        for distance in 0..8 {
            if !within.is_disjoint(landings) {
                return Some((distance, within));
            }
            let sides = BitBoard((within & !File::H.bitboard()).0 << 1)
                | BitBoard((within & !File::A.bitboard()).0 >> 1);
            let row = within | sides;
            within = row | BitBoard(row.0 << 8) | BitBoard(row.0 >> 8);
        }
        None
    }

    /// The first piece, in the older program's order, that can land in `ring`. It iterates a hash
    /// map keyed by square index (a8 = 0), whose bucket count doubles with the number of pieces.
    fn first_in_map_order(&self, board: &Board, ring: BitBoard) -> Option<Piece> {
        let buckets = match board.occupied().len() {
            0..=12 => 16,
            13..=24 => 32,
            _ => 64,
        };
        let order = |square: Square| {
            let index = square as usize ^ 56;
            (index % buckets, index)
        };
        let occupied = board.occupied();
        let own = board.colors(self.colour);
        let mut first = None;
        for &piece in &Piece::ALL[..5] {
            if self.landings[piece as usize].is_disjoint(ring) {
                continue;
            }
            for square in board.colored_pieces(self.colour, piece) {
                let targets = match piece {
                    Piece::Pawn => {
                        PawnMoves::from(board, self.colour, square.bitboard()).landings()
                    }
                    _ => attacks(piece, square, occupied) & !own,
                };
                let candidate = (order(square), piece);
                if !targets.is_disjoint(ring) && first.is_none_or(|(best, _)| candidate.0 < best) {
                    first = Some(candidate);
                }
            }
        }
        first.map(|(_, piece)| piece)
    }
}
