//! The one place where a game's name becomes a type. A new game or rule set is one row here.

use super::any::{AnyEvaluators, evaluators};
use crate::games::{AnyGame, GameFacts, any};

/// The table of games: one row each. Calls the macro `$then` with `$context` and all rows.
#[doc(hidden)]
#[macro_export]
macro_rules! game_rows {
    ($then:ident $($context:tt)*) => {
        $crate::$then! { ($($context)*)
            Chess: $crate::games::chess::Chess = "chess", "orthodox chess";
            Chess960: $crate::games::chess::Chess960 = "chess960", "chess from 960 start positions (Fischer random)";
            Checkers: $crate::games::draughts::Checkers = "checkers", "checkers as in the older program: captures optional, a chain may stop";
            English: $crate::games::draughts::English = "english", "English draughts, American checkers: black moves first";
            Russian: $crate::games::draughts::Russian = "russian", "Russian draughts (shashki): flying kings, free choice of capture";
            Brazilian: $crate::games::draughts::Brazilian = "brazilian", "the international rules on 8x8 squares";
            Pool: $crate::games::draughts::Pool = "pool", "American pool checkers: flying kings, free choice of capture";
            Italian: $crate::games::draughts::Italian = "italian", "Italian draughts: men cannot take kings, most and best captures first";
            Spanish: $crate::games::draughts::Spanish = "spanish", "Spanish draughts: flying kings, most captures first";
            Czech: $crate::games::draughts::Czech = "czech", "Czech draughts: a king must capture before a man";
            International: $crate::games::draughts::International = "international", "international draughts on 10x10 squares";
            Frisian: $crate::games::draughts::Frisian = "frisian", "Frisian draughts on 10x10 squares: captures along ranks and files too";
            Turkish: $crate::games::draughts::Turkish = "turkish", "Turkish draughts on all 64 squares, along ranks and files";
            Othello: $crate::games::othello::Othello = "othello", "Othello (Reversi): black moves first, a side that cannot flip passes";
            ConnectFour: $crate::games::connect_four::ConnectFour = "connect-four", "Connect Four on 7x6: four in a line win";
        }
    };
}

/// Evaluates an expression with the type of a game that is only known at run time:
/// `with_game!(id, G => perft(&G::start(0), 5))`.
#[macro_export]
macro_rules! with_game {
    ($id:expr, $G:ident => $body:expr) => {
        $crate::game_rows! { with_game_row $id, $G => $body }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! with_game_row {
    (($id:expr, $G:ident => $body:expr) $($row:ident: $game:ty = $name:literal, $help:literal;)*) => {
        match $id {
            $($crate::eval::catalog::GameId::$row => {
                type $G = $game;
                $body
            })*
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! define_game_id {
    (() $($row:ident: $game:ty = $name:literal, $help:literal;)*) => {
        /// The games that can be named in a config.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum GameId {
            $($row,)*
        }

        impl GameId {
            pub const ALL: &'static [GameId] = &[$(GameId::$row,)*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(GameId::$row => $name,)*
                }
            }

            pub const fn help(self) -> &'static str {
                match self {
                    $(GameId::$row => $help,)*
                }
            }
        }
    };
}

game_rows! { define_game_id }

impl GameId {
    pub fn from_name(name: &str) -> Option<GameId> {
        GameId::ALL.iter().copied().find(|game| game.name() == name)
    }

    /// The rules, for code that knows the game only by this name.
    pub fn rules(self) -> &'static dyn AnyGame {
        with_game!(self, G => any::rules::<G>())
    }

    pub fn facts(self) -> &'static GameFacts {
        self.rules().facts()
    }

    /// The evaluators, once per family.
    pub fn evaluators(self) -> &'static dyn AnyEvaluators {
        with_game!(self, G => evaluators::<G>())
    }
}
