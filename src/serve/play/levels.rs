//! The levels that a visitor can choose by name: those of the older programs, and some for every game.

use crate::eval::catalog::GameId;

/// A level of an older program, by the name on its screen.
pub struct Level {
    pub game: GameId,
    pub name: &'static str,
    pub evaluator: &'static str,
    pub depth: u32,
    pub profile: Option<&'static str>,
    pub help: &'static str,
}

const fn level(
    game: GameId,
    name: &'static str,
    evaluator: &'static str,
    depth: u32,
    profile: Option<&'static str>,
    help: &'static str,
) -> Level {
    Level {
        game,
        name,
        evaluator,
        depth,
        profile,
        help,
    }
}

const CHECKERS: Option<&str> = Some("checkers");

pub const LEVELS: &[Level] = &[
    level(
        GameId::Checkers,
        "Easy",
        "basic",
        3,
        CHECKERS,
        "the older checkers program, 3 plies",
    ),
    level(
        GameId::Checkers,
        "Medium",
        "basic",
        5,
        CHECKERS,
        "the older checkers program, 5 plies",
    ),
    level(
        GameId::Checkers,
        "Hard",
        "basic",
        7,
        CHECKERS,
        "the older checkers program, 7 plies",
    ),
    level(
        GameId::Checkers,
        "Extreme",
        "extreme",
        7,
        CHECKERS,
        "back row and safe edges count too",
    ),
    level(
        GameId::Checkers,
        "Adaptive",
        "adaptive",
        7,
        CHECKERS,
        "pieces count more as they get fewer",
    ),
    level(
        GameId::Chess,
        "Easy",
        "four-factor",
        2,
        None,
        "the older phone program, 2 plies",
    ),
    level(
        GameId::Chess,
        "Hard",
        "four-factor",
        4,
        None,
        "the older phone program, 4 plies",
    ),
    level(
        GameId::Chess,
        "Simplified",
        "simplified",
        3,
        Some("simplified"),
        "the older program in Python",
    ),
    level(
        GameId::Chess,
        "Swing",
        "swing",
        4,
        None,
        "the older program with bitboards",
    ),
    level(
        GameId::Chess,
        "Staged",
        "staged",
        4,
        Some("staged"),
        "the older program in Java; slow",
    ),
];

/// Levels of every game: the strongest evaluator and search with a limit.
pub const STRENGTHS: &[(&str, &str, &str, &str)] = &[
    ("Beginner", "depth", "1", "the strongest evaluator, 1 ply"),
    ("Casual", "depth", "3", "the strongest evaluator, 3 plies"),
    ("Club", "depth", "6", "the strongest evaluator, 6 plies"),
    (
        "Master",
        "nodes",
        "300000",
        "the strongest evaluator, 300,000 positions per move",
    ),
];
