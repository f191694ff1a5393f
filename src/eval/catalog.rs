//! The one place where a game's name becomes a type. A new game or rule set is one row here.

use super::Evaluated;
use crate::games::{chess, draughts};

/// Something to do with the positions of a game whose type is only known at run time.
pub trait GameTask {
    type Output;

    fn run<G: Evaluated>(self) -> Self::Output;
}

macro_rules! games {
    ($($id:ident: $game:ty = $name:literal, $help:literal;)*) => {
        /// The games that can be named in a config.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum GameId {
            $($id,)*
        }

        impl GameId {
            pub const ALL: &'static [GameId] = &[$(GameId::$id,)*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(GameId::$id => $name,)*
                }
            }

            pub const fn help(self) -> &'static str {
                match self {
                    $(GameId::$id => $help,)*
                }
            }

            /// Runs a task with the type behind the name.
            pub fn dispatch<T: GameTask>(self, task: T) -> T::Output {
                match self {
                    $(GameId::$id => task.run::<$game>(),)*
                }
            }
        }
    };
}

games! {
    Chess: chess::Chess = "chess", "orthodox chess";
    Chess960: chess::Chess960 = "chess960", "chess from 960 start positions (Fischer random)";
    Checkers: draughts::Checkers = "checkers", "the older program's checkers: captures optional, a chain may stop";
    English: draughts::English = "english", "English draughts, American checkers: black moves first";
    Russian: draughts::Russian = "russian", "Russian draughts (shashki): flying kings, free choice of capture";
    Brazilian: draughts::Brazilian = "brazilian", "the international rules on 8x8 squares";
    Pool: draughts::Pool = "pool", "American pool checkers: flying kings, free choice of capture";
    Italian: draughts::Italian = "italian", "Italian draughts: men cannot take kings, most and best captures first";
    Spanish: draughts::Spanish = "spanish", "Spanish draughts: flying kings, most captures first";
    Czech: draughts::Czech = "czech", "Czech draughts: a king must capture before a man";
    International: draughts::International = "international", "international draughts on 10x10 squares";
    Frisian: draughts::Frisian = "frisian", "Frisian draughts on 10x10 squares: captures along ranks and files too";
    Turkish: draughts::Turkish = "turkish", "Turkish draughts on all 64 squares, along ranks and files";
}

impl GameId {
    pub fn from_name(name: &str) -> Option<GameId> {
        GameId::ALL.iter().copied().find(|game| game.name() == name)
    }
}
