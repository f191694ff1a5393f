//! Rules of the games, and nothing else: no evaluation, no clocks, no files.
//!
//! A position is a small value that is copied and changed (copy-make). History lives outside it:
//! the caller that plays or searches handles repetition.

pub mod any;
pub mod chess;
pub mod connect_four;
mod discs;
pub mod draughts;
pub mod hub;
pub mod othello;
mod result;
pub mod sets;

pub use any::{AnyGame, AnyPosition, GameFacts, LegalMove};
pub use result::{GameResult, UnknownResult};
pub use sets::{PieceLayout, PieceSets};

use std::fmt;

use serde::{Deserialize, Serialize};

/// The traits of a game, for code that calls their methods on a concrete game.
pub mod prelude {
    pub use super::{BoardView, Game, GameRules, Notation, SearchHints};
}

/// A side. White is at the bottom of a diagram, even if black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// +1 for white, -1 for black: converts white's view to this side's view.
    pub const fn sign(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
        })
    }
}

/// Why a game ended under its rules, by the name that the logs use. Each game defines its own
/// reasons; those that several games share are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndReason(&'static str);

impl EndReason {
    pub const REPETITION: EndReason = EndReason::new("repetition");
    /// The side to move has no move, or no piece, and loses.
    pub const NO_MOVES: EndReason = EndReason::new("no-moves");

    /// A reason with this name: lower-case words joined by hyphens.
    pub const fn new(name: &'static str) -> EndReason {
        EndReason(name)
    }

    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// How a game ended: `winner` is `None` for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    pub winner: Option<Side>,
    pub reason: EndReason,
}

impl Outcome {
    pub const fn win(winner: Side, reason: EndReason) -> Outcome {
        Outcome {
            winner: Some(winner),
            reason,
        }
    }

    pub const fn draw(reason: EndReason) -> Outcome {
        Outcome {
            winner: None,
            reason,
        }
    }
}

/// Invalid text of a position or move: the value, what is wrong, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError(String);

impl NotationError {
    pub fn new(message: impl Into<String>) -> NotationError {
        NotationError(message.into())
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotationError {}

/// What move ordering needs to know about a move. Piece values are nominal, in hundredths of a pawn
/// or man, and independent of the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveInfo {
    /// The history slot (piece and target square), below [`SearchHints::HISTORY_SLOTS`]. Moves with
    /// the same slot share history scores.
    pub slot: u16,
    /// The value of the moving piece.
    pub mover: i16,
    /// The value of the captured pieces, 0 for a quiet move.
    pub victim: i16,
    /// The value gained by promotion, or [`MoveInfo::CASTLING`]. Shared to keep the struct at eight
    /// bytes: move lists are copied a lot.
    pub promotion: i16,
}

impl MoveInfo {
    /// In place of a promotion's gain.
    pub const CASTLING: i16 = -1;

    pub fn castles(&self) -> bool {
        self.promotion == MoveInfo::CASTLING
    }

    /// Captures, or promotes to the best piece.
    pub fn is_noisy(&self) -> bool {
        self.victim > 0 || self.promotion >= MoveInfo::BEST_PROMOTION
    }

    /// The gain of a promotion to a queen. Underpromotions count as quiet moves.
    pub const BEST_PROMOTION: i16 = 800;

    /// Nominal value of a man, also used for moves of games without piece values.
    pub const MAN: i16 = 100;
}

/// A position of a two-player game with perfect information, and its rules.
pub trait GameRules: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// One whole turn, a complete jump chain included: splitting it would let a side move twice
    /// and break the signs of negamax.
    type Move: Copy + Eq + fmt::Debug + Send + Sync + 'static;

    /// The number of start positions (960 for Chess960, otherwise 1).
    const STARTS: u32 = 1;

    /// The default start position.
    const USUAL_START: u32 = 0;

    /// How often a position must occur to draw the game; `None` if the rules have no such draw.
    const REPETITIONS: Option<u8>;

    /// The same under the rules that need no claim by a player (chess: five times).
    const AUTOMATIC_REPETITIONS: Option<u8> = Self::REPETITIONS;

    /// The start position number `index`, below [`Self::STARTS`].
    fn start(index: u32) -> Self;

    fn side_to_move(&self) -> Side;

    /// Calls `f` with every legal move, always in the same order for the same position.
    fn for_each_move(&self, f: impl FnMut(Self::Move));

    /// The number of legal moves; faster than visiting them where the rules allow.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// Perft that counts each route of a capture separately: a capture may take the same pieces
    /// along several routes. In games without such moves, the same as [`perft`].
    fn perft_routes(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn has_moves(&self) -> bool {
        self.count_moves() > 0
    }

    /// The number of legal moves after a legal move.
    #[inline(always)]
    fn count_replies(&self, mv: Self::Move) -> u64 {
        let mut next = self.clone();
        next.play(mv);
        next.count_moves()
    }

    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Plays a legal move. An illegal move gives a wrong position or a panic.
    fn play(&mut self, mv: Self::Move);

    /// The zobrist key: everything the rest of the game depends on, except the draw clocks.
    fn hash(&self) -> u64;

    /// The key under which the rules call two positions the same.
    fn repetition_key(&self) -> u64 {
        self.hash()
    }

    /// Turns since the last irreversible one: no earlier position can repeat.
    fn reversible_plies(&self) -> usize;

    /// An end of the game visible in the position, except for missing moves.
    fn end_by_position(&self) -> Option<Outcome>;

    /// The same under the rules that need no claim by a player (chess: 75 moves, not 50).
    fn automatic_end_by_position(&self) -> Option<Outcome> {
        self.end_by_position()
    }

    /// The outcome if the mover has no legal move.
    fn end_without_moves(&self) -> Outcome;

    /// The position with flipped colours, board included.
    fn colour_flipped(&self) -> Self;

    /// How the game has ended here, ignoring repetition.
    fn end(&self) -> Option<Outcome> {
        self.end_by_position().or_else(|| self.end_by_moves())
    }

    /// The end caused by missing moves of the mover.
    fn end_by_moves(&self) -> Option<Outcome> {
        (!self.has_moves()).then(|| self.end_without_moves())
    }
}

/// Positions, moves and game collections as text.
pub trait Notation: GameRules {
    /// The file format of its game collections, which is also their extension.
    const COLLECTION: &'static str = "pgn";

    /// Engines of this game speak UCI.
    const SPEAKS_UCI: bool = false;

    /// Whether engines of the game speak Hub: draughts.
    const SPEAKS_HUB: bool = false;

    /// The extension of its opening suites: `epd` if the first four fields of a FEN are a complete
    /// position, otherwise `fen`.
    const SUITE: &'static str = "fen";

    /// Tags of every game in a collection.
    const COLLECTION_TAGS: &'static [(&'static str, &'static str)] = &[];

    fn from_fen(fen: &str) -> Result<Self, NotationError>;

    /// Reads the position at the start of a line of a position file and ignores the rest.
    fn from_epd(line: &str) -> Result<Self, NotationError> {
        Self::from_fen(line)
    }

    fn fen(&self) -> String;

    /// The move in the game's usual notation, unambiguous among the legal moves here.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The number that collections write before the move made here.
    fn move_number(&self) -> u32 {
        1
    }

    /// The move as collections of games write it (SAN in chess).
    fn record_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;
}

/// How a piece looks on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// As in [`BoardView::letter_at`].
    pub letter: char,
    pub side: Side,
    /// The page's symbol: `man`, `king`, or `piece-` and the letter of a chess piece.
    pub symbol: &'static str,
}

impl PieceLook {
    pub const fn new(letter: char, side: Side, symbol: &'static str) -> PieceLook {
        PieceLook {
            letter,
            side,
            symbol,
        }
    }

    /// Men and kings, or plain discs.
    pub const DISCS: &'static [PieceLook] = &[
        PieceLook::new('w', Side::White, "man"),
        PieceLook::new('W', Side::White, "king"),
        PieceLook::new('b', Side::Black, "man"),
        PieceLook::new('B', Side::Black, "king"),
    ];
}

/// What pages and terminals need to draw a position.
pub trait BoardView: GameRules {
    const ROWS: usize = 8;
    const COLUMNS: usize = 8;

    /// Row 1 of the notation is at the top of a diagram, as in Othello, not at the bottom.
    const ROW_1_AT_TOP: bool = false;

    /// Dark and light squares alternate.
    const CHECKERED: bool = false;

    const PIECES: &'static [PieceLook] = PieceLook::DISCS;

    /// A move names a column only: the piece falls to its lowest empty square.
    const DROPS: bool = false;

    /// The content of a square of a diagram, row 0 at the top and column 0 at the left: a letter
    /// (as in FEN in chess; `w` and `b` men, `W` and `B` kings), `.` on an empty square, a blank on
    /// one that is not played on.
    fn letter_at(&self, row: usize, column: usize) -> char;

    /// The number by which moves name that square, in games that use numbers.
    fn number_at(_row: usize, _column: usize) -> Option<usize> {
        None
    }

    /// The board as lines of text, row 0 first.
    fn diagram(&self) -> String {
        let mut text = String::new();
        for row in 0..Self::ROWS {
            let number = if Self::ROW_1_AT_TOP {
                row + 1
            } else {
                Self::ROWS - row
            };
            text.push_str(&format!("{number:>2} "));
            for column in 0..Self::COLUMNS {
                text.push(' ');
                text.push(self.letter_at(row, column));
            }
            text.push('\n');
        }
        text.push_str("   ");
        for file in ('a'..='z').take(Self::COLUMNS) {
            text.push(' ');
            text.push(file);
        }
        text.push('\n');
        text
    }

    /// How [`Self::piece_sets`] is numbered.
    const LAYOUT: PieceLayout = sets::layout_of_diagram::<Self>();

    /// The pieces as sets of squares. Learnt evaluators call it in every node: games on bitboards
    /// return those.
    fn piece_sets(&self) -> PieceSets {
        sets::sets_of_diagram(self)
    }

    /// The number of the square a move goes to, counted from the top left of a diagram.
    fn destination(_mv: Self::Move) -> usize {
        0
    }

    /// The squares that the moved piece visits, first to last, for entering the move by clicks;
    /// numbered as in [`Self::destination`]. Several lists if several routes make the same move, one
    /// square if a piece is placed, none for a pass.
    fn routes(&self, _mv: Self::Move) -> Vec<Vec<usize>> {
        Vec::new()
    }
}

/// Hints for the search. Each has a default that is correct, if slow, for any game.
pub trait SearchHints: GameRules {
    /// Whether [`Self::hash_after`] returns a key.
    const PREDICTS_HASH: bool = false;

    /// A prediction of the zobrist key after a move, for prefetching: nearly always correct. `None`
    /// from games that cannot predict it. `info` belongs to the move.
    fn hash_after(&self, _mv: Self::Move, _info: &MoveInfo) -> Option<u64> {
        None
    }

    /// Numbers that [`MoveInfo::slot`] can take. The lower half is for white's moves, the upper
    /// for black's.
    const HISTORY_SLOTS: usize = 1;

    /// The game has check: a threat that must be answered at once.
    const HAS_CHECK: bool = false;

    /// Null move pruning is sound in this game, see [`Self::null_move`].
    const HAS_NULL_MOVE: bool = false;

    /// [`Self::see_ge`] is a full static exchange evaluation, not just the first capture.
    const HAS_SEE: bool = false;

    /// Captures are forced: with a capture available, quiet moves are illegal.
    const CAPTURES_FORCED: bool = false;

    /// A 16-bit code that (nearly) identifies a move among those of one position. 0 means no move;
    /// games without codes return 0 for all moves.
    fn move_code(_mv: Self::Move) -> u16 {
        0
    }

    /// The legal move with this [`SearchHints::move_code`], for games that need not generate all
    /// moves for it.
    fn move_of_code(&self, _code: u16) -> Option<Self::Move> {
        None
    }

    fn move_info(&self, mv: Self::Move) -> MoveInfo {
        MoveInfo {
            victim: if self.is_capture(mv) {
                MoveInfo::MAN
            } else {
                0
            },
            ..MoveInfo::default()
        }
    }

    /// Every legal move with its [`MoveInfo`], in the order of [`GameRules::for_each_move`].
    fn for_each_move_with_info(&self, mut f: impl FnMut(Self::Move, MoveInfo)) {
        self.for_each_move(|mv| f(mv, self.move_info(mv)));
    }

    /// The same for noisy moves, see [`MoveInfo::is_noisy`].
    fn for_each_noisy_move(&self, mut f: impl FnMut(Self::Move, MoveInfo)) {
        self.for_each_move_with_info(|mv, info| {
            if info.is_noisy() {
                f(mv, info);
            }
        });
    }

    /// The moves that are not noisy.
    fn for_each_quiet_move(&self, mut f: impl FnMut(Self::Move, MoveInfo)) {
        self.for_each_move_with_info(|mv, info| {
            if !info.is_noisy() {
                f(mv, info);
            }
        });
    }

    /// The quiet moves that give check.
    fn for_each_quiet_check(&self, mut f: impl FnMut(Self::Move, MoveInfo)) {
        if Self::HAS_CHECK {
            self.for_each_quiet_move(|mv, info| {
                if self.gives_check(mv) {
                    f(mv, info);
                }
            });
        }
    }

    /// Staged generation: generating noisy and quiet moves separately costs no more than together.
    const STAGED_GENERATION: bool = false;

    /// The mover is in check.
    fn in_check(&self) -> bool {
        false
    }

    fn gives_check(&self, mv: Self::Move) -> bool {
        Self::HAS_CHECK && {
            let mut next = self.clone();
            next.play(mv);
            next.in_check()
        }
    }

    /// The position after a null move. `None` in check, or with so little material that zugzwang is
    /// likely.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Static exchange evaluation (SEE): whether the move gains at least `threshold`, in the values
    /// of [`MoveInfo`]. `info` belongs to the move.
    fn see_ge(&self, _mv: Self::Move, info: &MoveInfo, threshold: i32) -> bool {
        i32::from(info.victim) + i32::from(info.promotion) >= threshold
    }

    /// Whether the move makes a threat with a pawn or man: the older chess program in Java extends
    /// such moves. The position is the one before the move.
    fn threatens_by_pawn(&self, _mv: Self::Move) -> bool {
        false
    }
}

/// A complete game: implemented for every type with the four parts.
///
/// ```
/// use sparring::games::chess::Chess;
/// use sparring::games::prelude::*;
///
/// let mut position = Chess::start(Chess::USUAL_START);
/// let mv = position.parse_move("e2e4")?;
/// assert_eq!(position.record_text(mv), "e4");
/// position.play(mv);
/// assert_eq!(position.count_moves(), 20);
/// assert!(position.end().is_none());
/// # Ok::<(), sparring::games::NotationError>(())
/// ```
pub trait Game: Notation + BoardView + SearchHints {}

impl<G: Notation + BoardView + SearchHints> Game for G {}

/// Counts the leaves of the tree of legal moves. The last level is bulk-counted.
pub fn perft<G: GameRules>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        // Most nodes are here: bulk-counting their children saves a call per child.
        2 => {
            let mut leaves = 0;
            position.for_each_move(|mv| leaves += position.count_replies(mv));
            leaves
        }
        _ => {
            let mut leaves = 0;
            position.for_each_move(|mv| {
                let mut next = position.clone();
                next.play(mv);
                leaves += perft(&next, depth - 1);
            });
            leaves
        }
    }
}

/// [`perft`] of each root move, in the generator's order.
pub fn perft_divide<G: GameRules>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut rows = Vec::new();
    position.for_each_move(|mv| {
        let mut next = position.clone();
        next.play(mv);
        rows.push((mv, perft(&next, depth.saturating_sub(1))));
    });
    rows
}
