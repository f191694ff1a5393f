//! A draughts position: pieces as sets of squares, side to move, clocks and hash.

use super::bits::Bits;
use super::board::Geometry;
use super::draws::DrawClocks;
use super::hash;
use super::rules::{KingReach, ManStep, Rules};
use crate::games::Side;
use std::marker::PhantomData;

/// The set-of-squares type of a rule set's board.
pub type BitsOf<R> = <<R as Rules>::Board as Geometry>::Bits;

/// One whole turn: a step, or a capture with everything it takes.
///
/// Two routes with the same start, end and victims are the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<B> {
    pub captured: B,
    pub from: u8,
    pub to: u8,
    /// A man becomes a king, at the end or on the way.
    pub promotes: bool,
}

/// Consecutive quiet moves that a side made with the same king, in rule sets that limit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct KingTempo {
    pub king: u8,
    /// 0 when the last move was none of a king; `king` is then 0 too.
    pub moves: u8,
}

/// A position under the rules `R`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draughts<R: Rules> {
    sides: [BitsOf<R>; 2],
    kings: BitsOf<R>,
    turn: Side,
    tempo: [KingTempo; 2],
    clocks: DrawClocks,
    hash: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Draughts<R> {
    /// Squares of the board: square `i` is number `i + 1`, except on mirrored boards.
    pub const SQUARES: usize = R::Board::SQUARES;
    pub const ROWS: usize = R::Board::ROWS;
    /// Playable squares in a row.
    pub const WIDTH: usize = R::Board::WIDTH;

    /// A position with its clocks at zero. `kings` outside both sides are dropped.
    pub(super) fn set_up(
        white: BitsOf<R>,
        black: BitsOf<R>,
        kings: BitsOf<R>,
        turn: Side,
    ) -> Draughts<R> {
        let mut position = Draughts {
            sides: [white, black],
            kings: kings & (white | black),
            turn,
            tempo: [KingTempo::default(); 2],
            clocks: DrawClocks::default(),
            hash: 0,
            rules: PhantomData,
        };
        position.hash = position.recomputed_hash();
        position
    }

    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Men and kings of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> BitsOf<R> {
        self.sides[side as usize]
    }

    #[inline(always)]
    pub fn men(&self, side: Side) -> BitsOf<R> {
        self.sides[side as usize] & !self.kings
    }

    #[inline(always)]
    pub fn kings(&self, side: Side) -> BitsOf<R> {
        self.sides[side as usize] & self.kings
    }

    #[inline(always)]
    pub fn empty(&self) -> BitsOf<R> {
        !(self.sides[0] | self.sides[1]) & R::Board::all()
    }

    /// The row where the men of `side` become kings.
    #[inline(always)]
    pub fn far_row(side: Side) -> BitsOf<R> {
        BitsOf::<R>::from_u64(match side {
            Side::White => R::Board::TOP_ROW,
            Side::Black => R::Board::BOTTOM_ROW,
        })
    }

    pub fn clocks(&self) -> DrawClocks {
        self.clocks
    }

    /// The same position with other clocks, for tests and for games resumed in the middle.
    pub fn with_clocks(mut self, clocks: DrawClocks) -> Draughts<R> {
        self.clocks = clocks;
        self
    }

    /// The same position with `side` to move.
    pub fn with_turn(mut self, side: Side) -> Draughts<R> {
        if self.turn != side {
            self.turn = side;
            self.hash ^= hash::TURN;
        }
        self
    }

    pub fn tempo(&self, side: Side) -> KingTempo {
        self.tempo[side as usize]
    }

    /// Kings that may only capture, because they used up their consecutive quiet moves.
    #[inline(always)]
    pub(super) fn resting(&self, side: Side) -> BitsOf<R> {
        match R::BOOK.king_tempo {
            Some(limit) if self.tempo[side as usize].moves >= limit => {
                BitsOf::<R>::square(self.tempo[side as usize].king as usize)
            }
            _ => BitsOf::<R>::EMPTY,
        }
    }

    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.hash
    }

    /// The hash computed from scratch. Tests compare it with the incremental one.
    pub fn recomputed_hash(&self) -> u64 {
        let mut key = if self.turn == Side::White {
            0
        } else {
            hash::TURN
        };
        for side in Side::BOTH {
            for square in self.pieces(side).squares() {
                key ^= hash::piece(side, self.kings.has(square), square);
            }
            key ^= hash::tempo(side, self.tempo[side as usize]);
        }
        key
    }

    #[inline(always)]
    pub(super) fn make(&mut self, mv: Move<BitsOf<R>>) {
        // With the side known at compile time, table offsets are constants.
        match self.turn {
            Side::White => self.make_as(Side::White, mv),
            Side::Black => self.make_as(Side::Black, mv),
        }
    }

    #[inline(always)]
    fn make_as(&mut self, side: Side, mv: Move<BitsOf<R>>) {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let was_king = self.kings.has(from);
        let is_king = was_king | mv.promotes;

        let mut key = self.hash ^ hash::TURN;
        key ^= hash::piece(side, was_king, from) ^ hash::piece(side, is_king, to);
        for square in mv.captured.squares() {
            key ^= hash::piece(side.other(), self.kings.has(square), square);
        }
        self.move_pieces(side, mv, is_king);
        self.hash = key;

        let capture = mv.captured.any();
        let advanced = !was_king
            && match R::BOOK.man_step {
                ManStep::DiagonallyForward => true,
                ManStep::ForwardOrSideways => R::Board::row(from) != R::Board::row(to),
            };
        self.clocks.tick(capture, advanced, mv.promotes);
        if R::BOOK.king_tempo.is_some() {
            self.note_tempo(side, mv, was_king);
        }
    }

    /// The pieces and side to move after a move: enough to count the next moves, unless a king's
    /// moves are limited.
    #[inline(always)]
    pub(super) fn after(&self, mv: Move<BitsOf<R>>) -> Draughts<R> {
        let mut next = *self;
        if R::BOOK.king_tempo.is_some() {
            next.make(mv);
            return next;
        }
        let is_king = self.kings.has(mv.from as usize) | mv.promotes;
        match self.turn {
            Side::White => next.move_pieces(Side::White, mv, is_king),
            Side::Black => next.move_pieces(Side::Black, mv, is_king),
        }
        next
    }

    #[inline(always)]
    fn move_pieces(&mut self, side: Side, mv: Move<BitsOf<R>>, is_king: bool) {
        let (us, them) = (side as usize, side.other() as usize);
        let from_bit = BitsOf::<R>::square(mv.from as usize);
        let to_bit = BitsOf::<R>::square(mv.to as usize);
        // A capture may end where it started, so clear before setting.
        self.sides[us] = (self.sides[us] & !from_bit) | to_bit;
        self.sides[them] &= !mv.captured;
        self.kings &= !(from_bit | mv.captured);
        if is_king {
            self.kings |= to_bit;
        }
        self.turn = side.other();
    }

    /// Counts consecutive quiet king moves. The limit applies only to sides with men, so sides
    /// without men are not counted: equivalent positions keep equal hashes.
    fn note_tempo(&mut self, side: Side, mv: Move<BitsOf<R>>, was_king: bool) {
        let ours = self.tempo(side);
        let next = if mv.captured.any() || !was_king {
            KingTempo::default()
        } else if ours.moves > 0 && ours.king == mv.from {
            KingTempo {
                king: mv.to,
                moves: ours.moves.saturating_add(1),
            }
        } else {
            KingTempo {
                king: mv.to,
                moves: 1,
            }
        };
        self.set_tempo(
            side,
            if self.men(side).any() {
                next
            } else {
                KingTempo::default()
            },
        );
        let theirs = self.tempo(side.other());
        let taken = theirs.moves > 0 && mv.captured.has(theirs.king as usize);
        if taken || !self.men(side.other()).any() {
            self.set_tempo(side.other(), KingTempo::default());
        }
    }

    fn set_tempo(&mut self, side: Side, tempo: KingTempo) {
        self.hash ^= hash::tempo(side, self.tempo(side)) ^ hash::tempo(side, tempo);
        self.tempo[side as usize] = tempo;
    }

    /// The board rotated by 180 degrees with flipped colours.
    pub(super) fn turned(&self) -> Draughts<R> {
        let unused = BitsOf::<R>::ROOM - R::Board::SQUARES as u32;
        let turn = |set: BitsOf<R>| set.reversed().down(unused);
        let mut position = Draughts::set_up(
            turn(self.sides[1]),
            turn(self.sides[0]),
            turn(self.kings),
            self.turn.other(),
        );
        position.clocks = self.clocks;
        for side in Side::BOTH {
            let tempo = self.tempo(side);
            if tempo.moves > 0 {
                let king = R::Board::SQUARES as u8 - 1 - tempo.king;
                position.set_tempo(
                    side.other(),
                    KingTempo {
                        king,
                        moves: tempo.moves,
                    },
                );
            }
        }
        position
    }

    /// Single steps a side could make if it were to move, ignoring forced captures: pairs of a piece
    /// and a target square.
    pub fn single_steps(&self, side: Side) -> u32 {
        match side {
            Side::White => self.count_steps::<true>() as u32,
            Side::Black => self.count_steps::<false>() as u32,
        }
    }

    /// Single jumps a side could start if it were to move: pairs of a piece and a victim.
    pub fn single_jumps(&self, side: Side) -> u32 {
        match side {
            Side::White => self.count_jumps::<true>(),
            Side::Black => self.count_jumps::<false>(),
        }
    }

    fn count_jumps<const WHITE: bool>(&self) -> u32 {
        let side = if WHITE { Side::White } else { Side::Black };
        let (empty, them) = (self.empty(), self.pieces(side.other()));
        let mut jumps = 0;
        for direction in 0..8 {
            if R::BOOK.man_captures(WHITE) >> direction & 1 == 1 {
                let prey = if R::BOOK.man_takes_king {
                    them
                } else {
                    them & !self.kings
                };
                let over = R::Board::step(self.men(side), direction) & prey;
                jumps += (R::Board::step(over, direction) & empty).count();
            }
            if R::BOOK.king_captures() >> direction & 1 == 0 {
                continue;
            }
            match R::BOOK.king {
                KingReach::Short => {
                    let over = R::Board::step(self.kings(side), direction) & them;
                    jumps += (R::Board::step(over, direction) & empty).count();
                }
                KingReach::Flying => {
                    for king in self.kings(side).squares() {
                        let (_, first) = R::Board::look(king, direction, !empty);
                        jumps += (R::Board::step(first & them, direction) & empty).count();
                    }
                }
            }
        }
        jumps
    }
}
