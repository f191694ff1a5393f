//! Chess and Chess960. Squares, sets of them, attacks and the reading of FEN come from cozy-chess;
//! this module adds a board made for searching, ends of the game, forgiving FEN, notation, and the
//! exchanges and move facts that a search asks for.

mod board;
mod fen;
mod generate;
mod keys;
mod moves;
mod san;
mod see;

pub use board::Board;
pub use cozy_chess::{BitBoard, Color, Move, Piece, Square};
use cozy_chess::{File, Rank, get_pawn_attacks};

use super::sets::{Mirror, PieceLayout, PieceSets};
use super::{EndReason, MoveInfo, NotationError, Outcome, PieceLook, Side};
use crate::games::prelude::*;

/// Orthodox chess: one start position, castling written as the king's own move (`e1g1`).
pub type Chess = Position<false>;

/// Chess960: 960 start positions, castling written as king takes rook (`e1h1`).
pub type Chess960 = Position<true>;

/// The dark squares: those a bishop on a1 can reach.
const DARK_SQUARES: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

/// Plies without capture or pawn move after which a player may claim a draw.
const FIFTY_MOVES: u16 = 100;

/// Plies without capture or pawn move after which the game is drawn without a claim.
const SEVENTY_FIVE_MOVES: u16 = 150;

/// How chess ends.
impl EndReason {
    pub const CHECKMATE: EndReason = EndReason::new("checkmate");
    pub const STALEMATE: EndReason = EndReason::new("stalemate");
    /// A hundred plies without capture or pawn move.
    pub const FIFTY_MOVE: EndReason = EndReason::new("fifty-move");
    /// A hundred and fifty plies, the rule that needs no claim.
    pub const SEVENTY_FIVE_MOVE: EndReason = EndReason::new("seventy-five-move");
    /// Neither side has the pieces to win.
    pub const MATERIAL: EndReason = EndReason::new("material");
}

/// The orthodox start position in the numbering of Chess960.
const ORTHODOX: u32 = 518;

/// The squares of a set, lowest first. Faster than the crate's iterator, in a hot loop.
#[inline(always)]
pub fn squares(set: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = set.0;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let square = Square::index(left.trailing_zeros() as usize & 63);
            left &= left.wrapping_sub(1);
            square
        })
    })
}

#[derive(Clone, Debug)]
pub struct Position<const FRC: bool> {
    board: Board,
    /// Whether white and black have castled since the position was set up. Not part of the rules or
    /// FEN, so equality and hash ignore it; the evaluator `staged` uses it.
    castled: [bool; 2],
}

impl<const FRC: bool> Position<FRC> {
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether this side has castled since the position was set up.
    pub fn has_castled(&self, colour: Color) -> bool {
        self.castled[colour as usize]
    }

    /// The move in standard algebraic notation, with its check or mate sign.
    pub fn san(&self, mv: Move) -> String {
        san::write(self, mv)
    }

    fn insufficient_material(&self) -> bool {
        let board = &self.board;
        let heavy =
            board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let knights = board.pieces(Piece::Knight);
        let bishops = board.pieces(Piece::Bishop);
        if knights.is_empty() {
            // Any number of bishops on one colour cannot mate.
            return bishops.is_subset(DARK_SQUARES) || bishops.is_disjoint(DARK_SQUARES);
        }
        (knights | bishops).len() == 1
    }

    fn end_by_clock(&self, limit: u16, reason: EndReason) -> Option<Outcome> {
        // Mate or stalemate on the last ply comes first: the clock only ends games that
        // could continue.
        (self.board.clock() >= limit && self.has_moves()).then_some(Outcome::draw(reason))
    }

    fn end_by_material(&self) -> Option<Outcome> {
        self.insufficient_material()
            .then_some(Outcome::draw(EndReason::MATERIAL))
    }

    fn castling_rook_square(&self, mv: Move) -> Option<Square> {
        self.board
            .colors(self.board.side_to_move())
            .has(mv.to)
            .then_some(mv.to)
    }

    /// The move as a UCI engine writes it.
    fn uci(&self, mv: Move) -> String {
        let mut written = mv;
        if !FRC && self.castling_rook_square(mv).is_some() {
            let file = if mv.from < mv.to { File::G } else { File::C };
            written.to = Square::new(file, mv.to.rank());
        }
        written.to_string()
    }

    /// Converts a king move from e1 or e8 to g or c into castling as the rules crate writes it.
    fn castling_by_king(&self, mv: Move) -> Move {
        let mover = self.board.side_to_move();
        let rights = self.board.castle_rights(mover);
        let home = Rank::First.relative_to(mover);
        let castles = mv.from == self.board.king(mover)
            && mv.from == Square::new(File::E, home)
            && mv.to.rank() == home;
        let rook = match mv.to.file() {
            File::G if castles => rights.short,
            File::C if castles => rights.long,
            _ => None,
        };
        let to = rook.map_or(mv.to, |file| Square::new(file, home));
        Move { to, ..mv }
    }

    fn parse_uci(&self, text: &str) -> Option<Move> {
        // The rules crate ignores text after a move.
        let well_formed = match text.as_bytes() {
            [_, _, _, _] => true,
            [_, _, _, _, promotion] => b"nbrq".contains(promotion),
            _ => false,
        };
        if !well_formed {
            return None;
        }
        let literal: Move = text.parse().ok()?;
        // Accepts both notations of castling in both games.
        let translated = self.castling_by_king(literal);
        let order = if FRC {
            [literal, translated]
        } else {
            [translated, literal]
        };
        order
            .into_iter()
            .find(|&mv| moves::is_legal(&self.board, mv))
    }
}

/// Equal under the rules: including clocks, ignoring an en passant square without a legal capture.
impl<const FRC: bool> PartialEq for Position<FRC> {
    fn eq(&self, other: &Self) -> bool {
        self.board.clock() == other.board.clock()
            && self.board.fullmove_number() == other.board.fullmove_number()
            && self.board.is_same_position(&other.board)
    }
}

impl<const FRC: bool> GameRules for Position<FRC> {
    type Move = Move;
    const STARTS: u32 = if FRC { 960 } else { 1 };
    const USUAL_START: u32 = if FRC { ORTHODOX } else { 0 };
    const REPETITIONS: Option<u8> = Some(3);
    const AUTOMATIC_REPETITIONS: Option<u8> = Some(5);

    fn start(index: u32) -> Self {
        let number = if FRC { index % Self::STARTS } else { ORTHODOX };
        Position {
            board: Board::of_rules(&cozy_chess::Board::chess960_startpos(number), 0),
            castled: [false; 2],
        }
    }

    fn side_to_move(&self) -> Side {
        side_of(self.board.side_to_move())
    }

    fn for_each_move(&self, mut f: impl FnMut(Move)) {
        moves::each_piece_inline(&self.board, |moves| {
            for mv in moves {
                f(mv);
            }
            false
        });
    }

    fn count_moves(&self) -> u64 {
        let mut count = 0;
        moves::each_piece_inline(&self.board, |moves| {
            count += moves.len() as u64;
            false
        });
        count
    }

    fn has_moves(&self) -> bool {
        moves::any(&self.board)
    }

    fn is_capture(&self, mv: Move) -> bool {
        let board = &self.board;
        if board.colors(!board.side_to_move()).has(mv.to) {
            return true;
        }
        // En passant: a pawn that changes its file onto an empty square.
        mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from)
    }

    fn play(&mut self, mv: Move) {
        let mover = self.board.side_to_move();
        self.castled[mover as usize] |= self.board.play(mv);
    }

    fn hash(&self) -> u64 {
        self.board.hash()
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.board.clock())
    }

    fn end_by_position(&self) -> Option<Outcome> {
        self.end_by_material()
            .or_else(|| self.end_by_clock(FIFTY_MOVES, EndReason::FIFTY_MOVE))
    }

    fn automatic_end_by_position(&self) -> Option<Outcome> {
        self.end_by_material()
            .or_else(|| self.end_by_clock(SEVENTY_FIVE_MOVES, EndReason::SEVENTY_FIVE_MOVE))
    }

    fn end_without_moves(&self) -> Outcome {
        if self.in_check() {
            Outcome::win(self.side_to_move().other(), EndReason::CHECKMATE)
        } else {
            Outcome::draw(EndReason::STALEMATE)
        }
    }

    fn colour_flipped(&self) -> Self {
        Position {
            board: self.board.flipped(),
            castled: [self.castled[1], self.castled[0]],
        }
    }
}

impl<const FRC: bool> Notation for Position<FRC> {
    const SPEAKS_UCI: bool = true;
    const SUITE: &'static str = "epd";
    const COLLECTION_TAGS: &'static [(&'static str, &'static str)] =
        if FRC { &[("Variant", "Chess960")] } else { &[] };

    fn from_fen(fen: &str) -> Result<Self, NotationError> {
        fen::read(fen)
    }

    fn from_epd(line: &str) -> Result<Self, NotationError> {
        fen::read_prefix(line)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn move_text(&self, mv: Move) -> String {
        self.uci(mv)
    }

    fn move_number(&self) -> u32 {
        u32::from(self.board.fullmove_number())
    }

    fn record_text(&self, mv: Move) -> String {
        self.san(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        match self.parse_uci(text) {
            Some(mv) => Ok(mv),
            None => san::read(self, text),
        }
    }
}

impl<const FRC: bool> BoardView for Position<FRC> {
    const CHECKERED: bool = true;

    const PIECES: &'static [PieceLook] = &[
        PieceLook::new('K', Side::White, "piece-k"),
        PieceLook::new('Q', Side::White, "piece-q"),
        PieceLook::new('R', Side::White, "piece-r"),
        PieceLook::new('B', Side::White, "piece-b"),
        PieceLook::new('N', Side::White, "piece-n"),
        PieceLook::new('P', Side::White, "piece-p"),
        PieceLook::new('k', Side::Black, "piece-k"),
        PieceLook::new('q', Side::Black, "piece-q"),
        PieceLook::new('r', Side::Black, "piece-r"),
        PieceLook::new('b', Side::Black, "piece-b"),
        PieceLook::new('n', Side::Black, "piece-n"),
        PieceLook::new('p', Side::Black, "piece-p"),
    ];

    // Kinds in the usual order, from pawn to king; squares from a1, rank by rank.
    const LAYOUT: PieceLayout = PieceLayout {
        squares: 64,
        kinds: Piece::NUM,
        most_pieces: 32,
        flip: |square| square ^ 56,
        mirror: Some(Mirror {
            anchor: Piece::King as usize,
            of: |square| square ^ 7,
            right: 0xF0F0_F0F0_F0F0_F0F0,
        }),
        symmetries: &[|square| square ^ 7],
        place: |square| Some((7 - square / 8, square % 8)),
    };

    #[inline]
    fn piece_sets(&self) -> PieceSets {
        let of = |colour| Piece::ALL.map(|piece| self.board.colored_pieces(colour, piece).0);
        [of(Color::White), of(Color::Black)]
    }

    fn destination(mv: Move) -> usize {
        mv.to.flip_rank() as usize
    }

    fn routes(&self, mv: Move) -> Vec<Vec<usize>> {
        let route = |to: Square| vec![mv.from.flip_rank() as usize, to.flip_rank() as usize];
        match self.castling_rook_square(mv) {
            // Castling is entered by the king's own move, or onto the rook.
            Some(rook) => {
                let file = if mv.from < rook { File::G } else { File::C };
                vec![route(Square::new(file, rook.rank())), route(rook)]
            }
            None => vec![route(mv.to)],
        }
    }

    fn letter_at(&self, row: usize, column: usize) -> char {
        let place = File::try_index(column).zip(Rank::try_index(7usize.wrapping_sub(row)));
        let square = place.map(|(file, rank)| Square::new(file, rank));
        square
            .and_then(|square| piece_letter(&self.board, square))
            .unwrap_or('.')
    }

    fn diagram(&self) -> String {
        let mut text = String::new();
        for row in 0..Self::ROWS {
            text.push_str(&format!("{} ", Self::ROWS - row));
            for column in 0..Self::ROWS {
                text.push(' ');
                text.push(self.letter_at(row, column));
            }
            text.push('\n');
        }
        text.push_str("   a b c d e f g h\n");
        text
    }
}

impl<const FRC: bool> SearchHints for Position<FRC> {
    const PREDICTS_HASH: bool = true;

    #[inline]
    fn hash_after(&self, mv: Move, info: &MoveInfo) -> Option<u64> {
        Some(keys::hash_after(&self.board, mv, info))
    }

    const HISTORY_SLOTS: usize = moves::SLOTS;
    const HAS_CHECK: bool = true;
    const HAS_NULL_MOVE: bool = true;
    const HAS_SEE: bool = true;

    fn move_code(mv: Move) -> u16 {
        moves::code(mv)
    }

    fn move_of_code(&self, code: u16) -> Option<Move> {
        moves::of_code(&self.board, code)
    }

    fn move_info(&self, mv: Move) -> MoveInfo {
        moves::info(&self.board, mv)
    }

    fn for_each_move_with_info(&self, f: impl FnMut(Move, MoveInfo)) {
        moves::each(&self.board, f);
    }

    fn for_each_noisy_move(&self, f: impl FnMut(Move, MoveInfo)) {
        moves::each_noisy(&self.board, f);
    }

    const STAGED_GENERATION: bool = true;

    fn for_each_quiet_move(&self, f: impl FnMut(Move, MoveInfo)) {
        moves::each_quiet(&self.board, f);
    }

    fn for_each_quiet_check(&self, f: impl FnMut(Move, MoveInfo)) {
        moves::each_quiet_check(&self.board, f);
    }

    fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    fn gives_check(&self, mv: Move) -> bool {
        moves::gives_check(&self.board, mv)
    }

    fn null_move(&self) -> Option<Self> {
        let board = &self.board;
        let mover = board.colors(board.side_to_move());
        let pieces = mover & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        // Zugzwang is common with only king and pawns.
        if pieces.is_empty() || self.in_check() {
            return None;
        }
        let mut next = self.clone();
        next.board.pass();
        Some(next)
    }

    #[inline]
    fn see_ge(&self, mv: Move, info: &MoveInfo, threshold: i32) -> bool {
        see::see_ge(&self.board, mv, info, threshold)
    }

    fn threatens_by_pawn(&self, mv: Move) -> bool {
        let board = &self.board;
        let ahead = get_pawn_attacks(mv.to, board.side_to_move());
        board.pieces(Piece::Pawn).has(mv.from) && !(ahead & board.occupied()).is_empty()
    }
}

pub(crate) fn side_of(colour: Color) -> Side {
    match colour {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The FEN letter of a square's content.
fn piece_letter(board: &Board, square: Square) -> Option<char> {
    let letter: char = board.piece_on(square)?.into();
    Some(match board.color_on(square)? {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    })
}
