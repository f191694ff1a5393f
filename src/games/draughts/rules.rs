//! The rule sets as data. The generator reads these constants at compile time.

use super::board::{Dark8, Dark10, Full8, Geometry};
use super::draws::{self, DrawRule};
use crate::games::Side;
use std::fmt::Debug;

/// Sets of directions, one bit each (see [`super::board`]).
pub type Compass = u8;

const DIAGONALS: Compass = 0b0000_1111;
const STRAIGHTS: Compass = 0b1111_0000;
const UPWARD_DIAGONALS: Compass = 0b0000_0011;
const DOWNWARD_DIAGONALS: Compass = 0b0000_1100;
const UP_AND_SIDEWAYS: Compass = 0b1011_0000;
const DOWN_AND_SIDEWAYS: Compass = 0b1110_0000;

/// The directions of men's quiet moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManStep {
    DiagonallyForward,
    ForwardOrSideways,
}

/// The directions of men's captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManCapture {
    DiagonallyForward,
    EveryDiagonal,
    /// Diagonals, rows and columns.
    EightWays,
    ForwardOrSideways,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingReach {
    /// One square, and jumps over a neighbour to the square behind it.
    Short,
    /// Any distance, landing anywhere behind the captured piece.
    Flying,
}

/// What happens to a man that reaches the promotion row while capturing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FarRow {
    /// The turn ends there and the man becomes a king.
    Ends,
    /// It becomes a king at once and continues as one.
    Crowns,
    /// It continues as a man if it can, and becomes a king only if the turn ends there.
    Passes,
}

/// Which of the possible captures are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Captures are optional, and a chain may stop after any jump.
    Optional,
    /// Any capture, played to its end.
    Free,
    /// Those that capture most pieces.
    Most,
    /// Most pieces, then by a king, then most kings, then a king earliest in the chain.
    Italian,
    /// Most pieces, then most kings.
    Spanish,
    /// By a king if a king can capture.
    KingFirst,
    /// Highest value, where a king is worth just under two men; then by a king.
    Value,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// They block the way until the turn ends and cannot be jumped twice.
    AfterTurn,
    /// At once, opening lines; the capturing piece may not turn back on its path.
    AtOnce,
}

/// One rule set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleBook {
    /// The name in configs and on the command line.
    pub name: &'static str,
    /// The number of the PDN tag `GameType`; `None` where the standard has none.
    pub game_type: Option<&'static str>,
    pub first: Side,
    pub man_step: ManStep,
    pub man_capture: ManCapture,
    pub man_takes_king: bool,
    pub king: KingReach,
    pub far_row: FarRow,
    pub choice: Choice,
    pub removal: Removal,
    /// Limit of consecutive quiet moves with the same king, for a side with men; `None` for no limit.
    pub king_tempo: Option<u8>,
    /// The playing squares are mirrored: the corner at white's left is light.
    pub mirrored: bool,
    /// A side without pieces or moves has lost, even if it is not its turn.
    pub loses_off_turn: bool,
    pub repetitions: Option<u8>,
    pub draws: &'static [DrawRule],
}

impl RuleBook {
    pub const fn man_steps(&self, white: bool) -> Compass {
        match (self.man_step, white) {
            (ManStep::DiagonallyForward, true) => UPWARD_DIAGONALS,
            (ManStep::DiagonallyForward, false) => DOWNWARD_DIAGONALS,
            (ManStep::ForwardOrSideways, true) => UP_AND_SIDEWAYS,
            (ManStep::ForwardOrSideways, false) => DOWN_AND_SIDEWAYS,
        }
    }

    pub const fn man_captures(&self, white: bool) -> Compass {
        match (self.man_capture, white) {
            (ManCapture::DiagonallyForward, true) => UPWARD_DIAGONALS,
            (ManCapture::DiagonallyForward, false) => DOWNWARD_DIAGONALS,
            (ManCapture::EveryDiagonal, _) => DIAGONALS,
            (ManCapture::EightWays, _) => DIAGONALS | STRAIGHTS,
            (ManCapture::ForwardOrSideways, true) => UP_AND_SIDEWAYS,
            (ManCapture::ForwardOrSideways, false) => DOWN_AND_SIDEWAYS,
        }
    }

    pub const fn king_steps(&self) -> Compass {
        match self.man_step {
            ManStep::DiagonallyForward => DIAGONALS,
            ManStep::ForwardOrSideways => STRAIGHTS,
        }
    }

    pub const fn king_captures(&self) -> Compass {
        match self.man_capture {
            ManCapture::EightWays => DIAGONALS | STRAIGHTS,
            ManCapture::ForwardOrSideways => STRAIGHTS,
            _ => DIAGONALS,
        }
    }

    /// Whether captures are forced.
    pub const fn captures_are_forced(&self) -> bool {
        !matches!(self.choice, Choice::Optional)
    }

    /// The rank of a capture by a king or man before its first victim.
    pub(super) const fn rank_of_capturer(&self, is_king: bool) -> u32 {
        match self.choice {
            Choice::Italian | Choice::KingFirst => (is_king as u32) << 25,
            Choice::Value => is_king as u32,
            _ => 0,
        }
    }

    /// What victim number `index` of a chain adds to its rank. Only the captures of highest rank are
    /// legal. A rank packs several criteria, the first in the highest bits.
    #[inline(always)]
    pub(super) const fn rank_of_victim(&self, index: u32, is_king: bool) -> u32 {
        const PIECE: u32 = 1 << 26;
        let king = is_king as u32;
        match self.choice {
            Choice::Optional | Choice::Free | Choice::KingFirst => 0,
            Choice::Most => PIECE,
            Choice::Spanish => PIECE + (king << 20),
            // Any n kings lose to 2 n men and beat 2 n - 1.
            Choice::Value => (if is_king { 199 } else { 100 }) << 1,
            Choice::Italian => {
                let earlier_is_higher = if index < 20 { king << (19 - index) } else { 0 };
                PIECE + (king << 20) + earlier_is_higher
            }
        }
    }
}

/// A rule set as a type, so that code is specialised for its constants.
pub trait Rules: Copy + PartialEq + Debug + Send + Sync + 'static {
    type Board: Geometry;
    const BOOK: RuleBook;
}

macro_rules! rule_sets {
    ($($(#[$doc:meta])* $name:ident on $board:ty = $book:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $name;

            impl Rules for $name {
                type Board = $board;
                const BOOK: RuleBook = $book;
            }
        )*

        /// Every rule set, in the order of the documentation.
        pub const ALL: &[RuleBook] = &[$($name::BOOK),*];
    };
}

/// The defaults of rule sets on dark squares; others list their differences.
const COMMON: RuleBook = RuleBook {
    name: "",
    game_type: None,
    first: Side::White,
    man_step: ManStep::DiagonallyForward,
    man_capture: ManCapture::DiagonallyForward,
    man_takes_king: true,
    king: KingReach::Flying,
    far_row: FarRow::Ends,
    choice: Choice::Free,
    removal: Removal::AfterTurn,
    king_tempo: None,
    mirrored: false,
    loses_off_turn: false,
    repetitions: Some(3),
    draws: &[],
};

rule_sets! {
    /// The rules of the older checkers program: captures are optional and a chain may stop after any
    /// jump.
    Checkers on Dark8 = RuleBook {
        name: "checkers",
        king: KingReach::Short,
        far_row: FarRow::Crowns,
        choice: Choice::Optional,
        loses_off_turn: true,
        repetitions: None,
        draws: draws::CHECKERS,
        ..COMMON
    };
    English on Dark8 = RuleBook {
        name: "english",
        game_type: Some("21"),
        first: Side::Black,
        king: KingReach::Short,
        draws: draws::ENGLISH,
        ..COMMON
    };
    Russian on Dark8 = RuleBook {
        name: "russian",
        game_type: Some("25"),
        man_capture: ManCapture::EveryDiagonal,
        far_row: FarRow::Crowns,
        draws: draws::RUSSIAN,
        ..COMMON
    };
    Brazilian on Dark8 = RuleBook {
        name: "brazilian",
        game_type: Some("26"),
        draws: draws::BRAZILIAN,
        ..International::BOOK
    };
    Pool on Dark8 = RuleBook {
        name: "pool",
        game_type: Some("23"),
        choice: Choice::Free,
        draws: draws::POOL,
        ..International::BOOK
    };
    Italian on Dark8 = RuleBook {
        name: "italian",
        game_type: Some("22"),
        man_takes_king: false,
        king: KingReach::Short,
        choice: Choice::Italian,
        mirrored: true,
        draws: draws::ITALIAN,
        ..COMMON
    };
    Spanish on Dark8 = RuleBook {
        name: "spanish",
        game_type: Some("24"),
        choice: Choice::Spanish,
        mirrored: true,
        draws: draws::SPANISH,
        ..COMMON
    };
    Czech on Dark8 = RuleBook {
        name: "czech",
        game_type: Some("29"),
        choice: Choice::KingFirst,
        draws: draws::CZECH,
        ..COMMON
    };
    International on Dark10 = RuleBook {
        name: "international",
        game_type: Some("20"),
        man_capture: ManCapture::EveryDiagonal,
        far_row: FarRow::Passes,
        choice: Choice::Most,
        draws: draws::INTERNATIONAL,
        ..COMMON
    };
    Frisian on Dark10 = RuleBook {
        name: "frisian",
        game_type: Some("40"),
        man_capture: ManCapture::EightWays,
        choice: Choice::Value,
        king_tempo: Some(3),
        draws: draws::FRISIAN,
        ..International::BOOK
    };
    /// Along rows and columns of all 64 squares.
    Turkish on Full8 = RuleBook {
        name: "turkish",
        game_type: Some("30"),
        man_step: ManStep::ForwardOrSideways,
        man_capture: ManCapture::ForwardOrSideways,
        far_row: FarRow::Passes,
        choice: Choice::Most,
        removal: Removal::AtOnce,
        draws: draws::TURKISH,
        ..COMMON
    };
}
