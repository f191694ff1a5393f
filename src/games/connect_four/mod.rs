//! Connect Four on seven columns and six rows. White moves first. Four discs in a line win.

use super::sets::{PieceLayout, PieceSets};
use super::{
    BoardView, EndReason, GameRules, MoveInfo, Notation, NotationError, Outcome, SearchHints, Side,
    discs,
};

const ROWS: usize = 6;
const COLUMNS: usize = 7;

/// Bits of a column: its squares from the bottom, plus one that stays empty so that lines do not
/// wrap into the next column.
const HEIGHT: usize = ROWS + 1;

/// A position. Bit `7 * column + row` of a bitboard is a square, counted from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    white: u64,
    black: u64,
    turn: Side,
}

/// Four discs in a line win.
const LINE: EndReason = EndReason::new("line");

/// The board is full without a winner.
const BOARD_FULL: EndReason = EndReason::new("board-full");

/// The column a disc is dropped into, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u8);

/// Every square of the board.
pub const SQUARES: u64 = {
    let mut set = 0;
    let mut column = 0;
    while column < COLUMNS {
        set |= ((1 << ROWS) - 1) << (HEIGHT * column);
        column += 1;
    }
    set
};

/// The distance between neighbours on a line: upwards, sideways, and along both diagonals.
pub const DIRECTIONS: [usize; 4] = [1, HEIGHT, HEIGHT + 1, HEIGHT - 1];

const fn has_line(set: u64) -> bool {
    let mut index = 0;
    while index < DIRECTIONS.len() {
        let step = DIRECTIONS[index];
        let pairs = set & (set >> step);
        if pairs & (pairs >> (2 * step)) != 0 {
            return true;
        }
        index += 1;
    }
    false
}

impl ConnectFour {
    pub const fn discs(&self, side: Side) -> u64 {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Side with four in a line: only the last to move can have made one.
    fn winner(&self) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| has_line(self.discs(*side)))
    }

    /// Discs in a column.
    fn height(&self, column: usize) -> usize {
        let discs = (self.white | self.black) >> (HEIGHT * column) & ((1 << ROWS) - 1);
        discs.count_ones() as usize
    }

    fn disc_at(&self, row: usize, column: usize) -> Option<Side> {
        let square = 1 << (HEIGHT * column + ROWS - 1 - row);
        Side::BOTH
            .into_iter()
            .find(|side| self.discs(*side) & square != 0)
    }
}

impl GameRules for ConnectFour {
    type Move = Move;

    // Discs never leave the board, so no position occurs twice.
    const REPETITIONS: Option<u8> = None;

    fn start(_: u32) -> ConnectFour {
        ConnectFour {
            white: 0,
            black: 0,
            turn: Side::White,
        }
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn for_each_move(&self, mut f: impl FnMut(Move)) {
        if self.winner().is_some() {
            return;
        }
        let occupied = self.white | self.black;
        for column in 0..COLUMNS {
            if occupied & 1 << (HEIGHT * column + ROWS - 1) == 0 {
                f(Move(column as u8));
            }
        }
    }

    fn is_capture(&self, _mv: Move) -> bool {
        false
    }

    fn play(&mut self, mv: Move) {
        let bottom = 1 << (HEIGHT * usize::from(mv.0));
        // Adding one at the bottom of a column carries into its lowest empty square.
        let column = ((1 << ROWS) - 1) * bottom;
        let square = ((self.white | self.black) + bottom) & column;
        match self.turn {
            Side::White => self.white |= square,
            Side::Black => self.black |= square,
        }
        self.turn = self.turn.other();
    }

    fn hash(&self) -> u64 {
        discs::key(self.white, self.black, self.turn)
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn end_by_position(&self) -> Option<Outcome> {
        self.winner().map(|side| Outcome::win(side, LINE))
    }

    fn end_without_moves(&self) -> Outcome {
        self.end_by_position().unwrap_or(Outcome::draw(BOARD_FULL))
    }

    fn colour_flipped(&self) -> ConnectFour {
        ConnectFour {
            white: self.black,
            black: self.white,
            turn: self.turn.other(),
        }
    }
}

impl Notation for ConnectFour {
    const COLLECTION_TAGS: &'static [(&'static str, &'static str)] = &[("Variant", "Connect Four")];

    fn from_fen(fen: &str) -> Result<ConnectFour, NotationError> {
        let (mut white, mut black) = (0, 0);
        let turn = discs::read_fen(fen, ROWS, COLUMNS, |row, column, side| {
            let square = 1 << (HEIGHT * column + ROWS - 1 - row);
            match side {
                Side::White => white |= square,
                Side::Black => black |= square,
            }
        })?;
        let occupied: u64 = white | black;
        // Every disc lies on another one or on the bottom of the board.
        let bottoms: u64 = (0..COLUMNS).map(|column| 1 << (HEIGHT * column)).sum();
        if occupied & !(occupied << 1 | bottoms) != 0 {
            return Err(NotationError::new(format!(
                "`{fen}`: a disc has nothing below it; discs lie on each other from the bottom"
            )));
        }
        Ok(ConnectFour { white, black, turn })
    }

    fn fen(&self) -> String {
        discs::write_fen(ROWS, COLUMNS, self.turn, |row, column| {
            self.disc_at(row, column)
        })
    }

    fn move_text(&self, mv: Move) -> String {
        char::from(b'a' + mv.0).to_string()
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
                "`{text}`: no legal move here; expected a column, a to g, that is not full"
            ))
        })
    }
}

impl BoardView for ConnectFour {
    const LAYOUT: PieceLayout = PieceLayout {
        squares: HEIGHT * COLUMNS,
        kinds: 1,
        most_pieces: ROWS * COLUMNS,
        flip: |square| square,
        mirror: None,
        symmetries: &[|square| (COLUMNS - 1 - square / HEIGHT) * HEIGHT + square % HEIGHT],
        place: |square| {
            let row = (ROWS - 1).checked_sub(square % HEIGHT)?;
            Some((row, square / HEIGHT))
        },
    };

    #[inline]
    fn piece_sets(&self) -> PieceSets {
        [[self.white, 0, 0, 0, 0, 0], [self.black, 0, 0, 0, 0, 0]]
    }

    const DROPS: bool = true;
    const ROWS: usize = ROWS;
    const COLUMNS: usize = COLUMNS;

    fn routes(&self, mv: Move) -> Vec<Vec<usize>> {
        let column = usize::from(mv.0);
        let row = ROWS - 1 - self.height(column);
        vec![vec![COLUMNS * row + column]]
    }

    fn letter_at(&self, row: usize, column: usize) -> char {
        self.disc_at(row, column).map_or('.', discs::letter)
    }
}

impl SearchHints for ConnectFour {
    const HISTORY_SLOTS: usize = 2 * HEIGHT * COLUMNS;

    fn move_code(mv: Move) -> u16 {
        1 + u16::from(mv.0)
    }

    fn move_info(&self, mv: Move) -> MoveInfo {
        let column = usize::from(mv.0);
        let square = HEIGHT * column + self.height(column);
        MoveInfo {
            slot: (HEIGHT * COLUMNS * self.turn as usize + square) as u16,
            mover: MoveInfo::MAN,
            ..MoveInfo::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_all_directions_win() {
        for board in [
            "7/7/w6/w6/w6/w6",
            "7/7/7/7/7/3wwww",
            "7/7/w6/bw5/bbw4/bbbw3",
            "7/7/3w3/2wb3/1wbb3/wbbb3",
        ] {
            let position = ConnectFour::from_fen(&format!("{board} b")).unwrap();
            let won = Some(Outcome::win(Side::White, LINE));
            assert_eq!(position.end(), won, "{board}");
            assert_eq!(position.count_moves(), 0);
        }
    }

    #[test]
    fn fens_round_trip_and_bad_ones_are_refused() {
        let mut position = ConnectFour::start(0);
        for text in ["d", "d", "a", "g", "d"] {
            position.play(position.parse_move(text).unwrap());
        }
        assert_eq!(position.fen(), "7/7/7/3w3/3b3/w2w2b b");
        assert_eq!(ConnectFour::from_fen(&position.fen()), Ok(position));
        for bad in ["7/7/7/7/7 w", "7/7/7/7/w6/7 w", "8/7/7/7/7/7 w"] {
            assert!(ConnectFour::from_fen(bad).is_err(), "{bad}");
        }
    }
}
