//! Othello on 8x8 squares. Black moves first. A side that cannot flip a disc passes, which is a move
//! too. The game ends when neither side can flip; the side with more discs wins.

mod flips;

use super::sets::{PieceLayout, PieceSets};
use super::{
    BoardView, EndReason, GameRules, MoveInfo, Notation, NotationError, Outcome, SearchHints, Side,
    discs,
};

pub use flips::{legal_moves, neighbours};

/// A position. Bit `8 * row + column` of a bitboard is a square; a1 is bit 0 and the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    white: u64,
    black: u64,
    turn: Side,
}

/// Neither side can move: the side with more discs wins.
const BY_COUNT: EndReason = EndReason::new("count");

/// The square of the new disc, or [`Move::PASS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    pub const PASS: Move = Move(64);

    pub const fn square(self) -> usize {
        self.0 as usize
    }
}

impl Othello {
    pub const fn discs(&self, side: Side) -> u64 {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The squares on which a side could place a disc if it were to move.
    pub fn placements(&self, side: Side) -> u64 {
        legal_moves(self.discs(side), self.discs(side.other()))
    }

    fn is_over(&self) -> bool {
        self.placements(Side::White) == 0 && self.placements(Side::Black) == 0
    }

    fn outcome(&self) -> Outcome {
        match self.white.count_ones().cmp(&self.black.count_ones()) {
            std::cmp::Ordering::Greater => Outcome::win(Side::White, BY_COUNT),
            std::cmp::Ordering::Less => Outcome::win(Side::Black, BY_COUNT),
            std::cmp::Ordering::Equal => Outcome::draw(BY_COUNT),
        }
    }
}

impl GameRules for Othello {
    type Move = Move;

    // Discs never leave the board, so no position occurs twice.
    const REPETITIONS: Option<u8> = None;

    fn start(_: u32) -> Othello {
        // White d4 and e5, black d5 and e4.
        Othello {
            white: 1 << 27 | 1 << 36,
            black: 1 << 28 | 1 << 35,
            turn: Side::Black,
        }
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn for_each_move(&self, mut f: impl FnMut(Move)) {
        let mut left = self.placements(self.turn);
        if left == 0 && self.placements(self.turn.other()) != 0 {
            f(Move::PASS);
        }
        while left != 0 {
            f(Move(left.trailing_zeros() as u8));
            left &= left - 1;
        }
    }

    fn count_moves(&self) -> u64 {
        match self.placements(self.turn) {
            0 => u64::from(self.placements(self.turn.other()) != 0),
            moves => u64::from(moves.count_ones()),
        }
    }

    // Every move flips discs, so no move counts as noisy.
    fn is_capture(&self, _mv: Move) -> bool {
        false
    }

    fn play(&mut self, mv: Move) {
        let side = self.turn;
        self.turn = side.other();
        if mv == Move::PASS {
            return;
        }
        let (own, other) = (self.discs(side), self.discs(side.other()));
        let flipped = flips::flipped_by(mv.square(), own, other);
        let (own, other) = (own | flipped | 1 << mv.square(), other & !flipped);
        (self.white, self.black) = match side {
            Side::White => (own, other),
            Side::Black => (other, own),
        };
    }

    fn hash(&self) -> u64 {
        discs::key(self.white, self.black, self.turn)
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn end_by_position(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome())
    }

    fn end_without_moves(&self) -> Outcome {
        self.outcome()
    }

    fn colour_flipped(&self) -> Othello {
        Othello {
            white: self.black,
            black: self.white,
            turn: self.turn.other(),
        }
    }
}

impl Notation for Othello {
    const COLLECTION_TAGS: &'static [(&'static str, &'static str)] = &[("Variant", "Othello")];

    fn from_fen(fen: &str) -> Result<Othello, NotationError> {
        let (mut white, mut black) = (0, 0);
        let turn = discs::read_fen(fen, 8, 8, |row, column, side| {
            let square = 1 << (8 * row + column);
            match side {
                Side::White => white |= square,
                Side::Black => black |= square,
            }
        })?;
        Ok(Othello { white, black, turn })
    }

    fn fen(&self) -> String {
        discs::write_fen(8, 8, self.turn, |row, column| self.disc_at(row, column))
    }

    fn move_text(&self, mv: Move) -> String {
        if mv == Move::PASS {
            return "pass".to_string();
        }
        let (rank, file) = (mv.square() / 8, mv.square() % 8);
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mut found = None;
        let wanted = text.to_ascii_lowercase();
        self.for_each_move(|mv| {
            if self.move_text(mv) == wanted {
                found = Some(mv);
            }
        });
        found.ok_or_else(|| {
            NotationError::new(format!(
                "`{text}`: no legal move here; expected a square such as d3, or pass"
            ))
        })
    }
}

impl Othello {
    fn disc_at(&self, row: usize, column: usize) -> Option<Side> {
        let square = 1 << (8 * row + column);
        Side::BOTH
            .into_iter()
            .find(|side| self.discs(*side) & square != 0)
    }
}

impl BoardView for Othello {
    const ROW_1_AT_TOP: bool = true;

    const LAYOUT: PieceLayout = PieceLayout {
        squares: 64,
        kinds: 1,
        most_pieces: 64,
        flip: |square| square,
        mirror: None,
        symmetries: &[
            |square| square ^ 7,
            |square| square ^ 56,
            |square| square ^ 63,
            |square| 8 * (square % 8) + square / 8,
            |square| 8 * ((square % 8) ^ 7) + square / 8,
            |square| 8 * (square % 8) + ((square / 8) ^ 7),
            |square| 8 * ((square % 8) ^ 7) + ((square / 8) ^ 7),
        ],
        place: |square| Some((square / 8, square % 8)),
    };

    #[inline]
    fn piece_sets(&self) -> PieceSets {
        [[self.white, 0, 0, 0, 0, 0], [self.black, 0, 0, 0, 0, 0]]
    }

    fn routes(&self, mv: Move) -> Vec<Vec<usize>> {
        if mv == Move::PASS {
            return Vec::new();
        }
        vec![vec![mv.square()]]
    }

    fn letter_at(&self, row: usize, column: usize) -> char {
        self.disc_at(row, column).map_or('.', discs::letter)
    }
}

impl SearchHints for Othello {
    const HISTORY_SLOTS: usize = 2 * 65;

    fn move_code(mv: Move) -> u16 {
        1 + u16::from(mv.0)
    }

    fn move_info(&self, mv: Move) -> MoveInfo {
        MoveInfo {
            slot: (65 * self.turn as usize + mv.square()) as u16,
            mover: MoveInfo::MAN,
            ..MoveInfo::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_can_flip_nothing_passes() {
        let position = Othello::from_fen("8/8/8/8/8/8/8/1wb5 w").unwrap();
        let mut moves = Vec::new();
        position.for_each_move(|mv| moves.push(position.move_text(mv)));
        assert_eq!(moves, ["d8"]);
        let passes = Othello::from_fen("8/8/8/8/8/8/8/bw6 w").unwrap();
        assert_eq!(passes.parse_move("pass"), Ok(Move::PASS));
        assert_eq!(passes.count_moves(), 1);
        let mut next = passes;
        next.play(Move::PASS);
        assert_eq!(next.side_to_move(), Side::Black);
    }

    #[test]
    fn the_larger_number_of_discs_wins_when_neither_side_can_move() {
        let over = Othello::from_fen("8/8/8/8/8/8/8/www5 b").unwrap();
        assert_eq!(over.end(), Some(Outcome::win(Side::White, BY_COUNT)));
        assert_eq!(over.count_moves(), 0);
    }

    #[test]
    fn fens_round_trip_and_bad_ones_are_refused() {
        let start = Othello::start(0);
        assert_eq!(start.fen(), "8/8/8/3wb3/3bw3/8/8/8 b");
        assert_eq!(Othello::from_fen(&start.fen()), Ok(start));
        for bad in [
            "",
            "8/8 b",
            "9/8/8/8/8/8/8/8 b",
            "8/8/8/8/8/8/8/7x b",
            "8/8/8/8/8/8/8/7 b",
            "8/8/8/8/8/8/8/8 x",
        ] {
            assert!(Othello::from_fen(bad).is_err(), "{bad}");
        }
    }
}
