//! Draughts on one bitboard core: the rule sets are rows of a table ([`rules`]), not copies.
//!
//! A position is [`Draughts<R>`] with `R` one of the types in [`rules`]; the aliases here name the
//! games. A move is a whole turn. Routes of a capture with the same start, end and victims are one
//! move; [`perft_routes`] counts them separately.

/// Runs the body for each direction of a set known at compile time.
macro_rules! for_directions {
    ($direction:ident in $compass:expr => $body:block) => {
        for $direction in 0..8usize {
            if const { $compass } >> $direction & 1 == 1 $body
        }
    };
}

pub mod bits;
pub mod board;
mod chains;
mod diagram;
pub mod draws;
mod fen;
mod generate;
mod hash;
mod position;
pub mod rules;
mod text;

pub use generate::perft_routes;
pub use position::{BitsOf, Draughts, KingTempo, Move};

use super::sets::{MOST_KINDS, PieceLayout, PieceSets};
use super::{EndReason, MoveInfo, NotationError, Outcome, Side};
use crate::games::prelude::*;
use bits::Bits;
use board::Geometry;
use draws::DrawMaterial;
use rules::Rules;

pub type Checkers = Draughts<rules::Checkers>;
pub type English = Draughts<rules::English>;
pub type Russian = Draughts<rules::Russian>;
pub type Brazilian = Draughts<rules::Brazilian>;
pub type Pool = Draughts<rules::Pool>;
pub type Italian = Draughts<rules::Italian>;
pub type Spanish = Draughts<rules::Spanish>;
pub type Czech = Draughts<rules::Czech>;
pub type International = Draughts<rules::International>;
pub type Frisian = Draughts<rules::Frisian>;
pub type Turkish = Draughts<rules::Turkish>;

/// How draughts end, apart from a side without moves.
impl EndReason {
    /// Too many turns without progress, by the rule set's own count.
    pub const NO_CAPTURES: EndReason = EndReason::new("no-captures");
}

/// Nominal value of a king, for move ordering.
const KING: i16 = 250;

impl<R: Rules> Draughts<R> {
    /// The PDN tag that identifies the rules.
    const GAME_TYPE: [(&'static str, &'static str); 1] = [(
        "GameType",
        match R::BOOK.game_type {
            Some(number) => number,
            None => "",
        },
    )];

    fn is_draw_by_clock(&self) -> bool {
        draws::is_draw(R::BOOK.draws, self.clocks(), || DrawMaterial {
            sides: [self.pieces(Side::White), self.pieces(Side::Black)],
            kings: self.kings(Side::White) | self.kings(Side::Black),
        })
    }

    /// The side that has lost by having no pieces or moves, even if it is not its turn. Black is
    /// checked first: if neither side can move, white wins.
    fn loser_off_turn(&self) -> Option<Side> {
        [Side::Black, Side::White]
            .into_iter()
            .find(|&side| !self.can_move(side))
    }
}

impl<R: Rules> GameRules for Draughts<R> {
    type Move = Move<BitsOf<R>>;

    const REPETITIONS: Option<u8> = R::BOOK.repetitions;

    fn start(_: u32) -> Self {
        // Two rows in the middle stay empty; on a full board the back rows too.
        let full = R::Board::WIDTH == R::Board::ROWS;
        let men = (R::Board::ROWS / 2 - 1 - full as usize) * R::Board::WIDTH;
        let back = if full { R::Board::WIDTH } else { 0 };
        let black = (u64::MAX >> (64 - men)) << back;
        let white = black << (R::Board::SQUARES - men - 2 * back);
        let set = BitsOf::<R>::from_u64;
        Draughts::set_up(set(white), set(black), BitsOf::<R>::EMPTY, R::BOOK.first)
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.turn()
    }

    #[inline]
    fn for_each_move(&self, mut f: impl FnMut(Self::Move)) {
        self.visit_moves(&mut f);
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.number_of_moves()
    }

    #[inline(always)]
    fn count_replies(&self, mv: Self::Move) -> u64 {
        self.after(mv).number_of_moves()
    }

    #[inline(always)]
    fn perft_routes(&self, depth: u32) -> u64 {
        perft_routes(self, depth)
    }

    fn is_capture(&self, mv: Self::Move) -> bool {
        mv.captured.any()
    }

    #[inline]
    fn play(&mut self, mv: Self::Move) {
        self.make(mv);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.key()
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.clocks().since_progress)
    }

    fn end_by_position(&self) -> Option<Outcome> {
        if R::BOOK.loses_off_turn
            && let Some(loser) = self.loser_off_turn()
        {
            return Some(Outcome::win(loser.other(), EndReason::NO_MOVES));
        }
        // A side without moves has lost, before draw rules apply.
        (self.is_draw_by_clock() && self.can_move(self.turn()))
            .then(|| Outcome::draw(EndReason::NO_CAPTURES))
    }

    fn end_without_moves(&self) -> Outcome {
        Outcome::win(self.turn().other(), EndReason::NO_MOVES)
    }

    fn colour_flipped(&self) -> Self {
        self.turned()
    }

    fn end(&self) -> Option<Outcome> {
        self.end_by_position()
            .or_else(|| (!self.can_move(self.turn())).then(|| self.end_without_moves()))
    }
}

impl<R: Rules> Notation for Draughts<R> {
    const COLLECTION: &'static str = "pdn";

    const SPEAKS_HUB: bool = true;

    const COLLECTION_TAGS: &'static [(&'static str, &'static str)] = match R::BOOK.game_type {
        Some(_) => &Self::GAME_TYPE,
        None => &[],
    };

    fn from_fen(fen: &str) -> Result<Self, NotationError> {
        fen::parse(fen)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn move_text(&self, mv: Self::Move) -> String {
        text::write(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        text::parse(self, text)
    }
}

impl<R: Rules> BoardView for Draughts<R> {
    // Men, then kings.
    const LAYOUT: PieceLayout = PieceLayout {
        squares: R::Board::SQUARES,
        kinds: 2,
        most_pieces: R::Board::SQUARES,
        flip: |square| R::Board::SQUARES - 1 - square,
        mirror: None,
        // Where only the dark squares are played on, the mirror image is no board.
        symmetries: match R::Board::WIDTH == R::Board::ROWS {
            true => &[|square| {
                square / R::Board::WIDTH * R::Board::WIDTH
                    + (R::Board::WIDTH - 1 - square % R::Board::WIDTH)
            }],
            false => &[],
        },
        place: |square| {
            let cell = diagram::cells::<R>().get(square).copied()?;
            Some((cell / R::Board::ROWS, cell % R::Board::ROWS))
        },
    };

    #[inline]
    fn piece_sets(&self) -> PieceSets {
        let mut sets = [[0; MOST_KINDS]; 2];
        for side in Side::BOTH {
            sets[side as usize][0] = self.men(side).to_u64();
            sets[side as usize][1] = self.kings(side).to_u64();
        }
        sets
    }

    fn destination(mv: Self::Move) -> usize {
        usize::from(mv.to)
    }

    fn routes(&self, mv: Self::Move) -> Vec<Vec<usize>> {
        let cells: Vec<usize> = diagram::cells::<R>();
        let mut routes = Vec::new();
        self.for_each_route(&mut |other, squares| {
            if other == mv {
                routes.push(squares.iter().map(|&at| cells[usize::from(at)]).collect());
            }
        });
        routes
    }

    const ROWS: usize = R::Board::ROWS;
    const COLUMNS: usize = R::Board::ROWS;
    const CHECKERED: bool = R::Board::WIDTH < R::Board::ROWS;

    fn letter_at(&self, row: usize, column: usize) -> char {
        diagram::square_at::<R>(row, column).map_or(' ', |square| diagram::letter(self, square))
    }

    fn number_at(row: usize, column: usize) -> Option<usize> {
        diagram::square_at::<R>(row, column).map(fen::number::<R>)
    }

    fn diagram(&self) -> String {
        diagram::draw(self)
    }
}

impl<R: Rules> SearchHints for Draughts<R> {
    // Men and kings of either side on every square.
    const HISTORY_SLOTS: usize = 4 * Self::SQUARES;
    const CAPTURES_FORCED: bool = R::BOOK.captures_are_forced();

    fn move_code(mv: Self::Move) -> u16 {
        // A few bits of the victims distinguish captures that differ only in victims.
        let victims = mv.captured.to_u64().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        1 + (u16::from(mv.from) | u16::from(mv.to) << 6 | (victims as u16) << 12).min(u16::MAX - 1)
    }

    fn move_info(&self, mv: Self::Move) -> MoveInfo {
        let side = self.turn();
        let king = (self.kings(side) & BitsOf::<R>::square(usize::from(mv.from))).any();
        let kind = 2 * side as usize + usize::from(king);
        let taken = mv.captured.count() as i16;
        let kings_taken = (mv.captured & self.kings(side.other())).count() as i16;
        MoveInfo {
            slot: (kind * Self::SQUARES + usize::from(mv.to)) as u16,
            mover: if king { KING } else { MoveInfo::MAN },
            victim: taken * MoveInfo::MAN + kings_taken * (KING - MoveInfo::MAN),
            promotion: if mv.promotes { KING - MoveInfo::MAN } else { 0 },
        }
    }

    fn for_each_noisy_move(&self, mut f: impl FnMut(Self::Move, MoveInfo)) {
        if self.can_capture() {
            self.for_each_move_with_info(|mv, info| {
                if info.is_noisy() {
                    f(mv, info);
                }
            });
        }
    }
}
