//! Replays logged games for the report's viewer, which knows no rules.

use std::marker::PhantomData;

use crate::eval::catalog::GameId;
use crate::games::{Game, Side};
use crate::report::{Board, Replay, Replayed, Turn};
use crate::with_game;

/// The rules of a game, as far as the viewer needs them.
pub fn replayer(game: GameId) -> Box<dyn Replay> {
    with_game!(game, G => Box::new(Replayer::<G>(PhantomData)))
}

struct Replayer<G>(PhantomData<G>);

/// Row and column of every square, from the top left.
fn squares<G: Game>() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..G::ROWS * G::COLUMNS).map(|cell| (cell / G::COLUMNS, cell % G::COLUMNS))
}

/// The letters of all squares that are played on, row by row.
fn letters<G: Game>(position: &G) -> Vec<char> {
    squares::<G>()
        .map(|(row, column)| position.letter_at(row, column))
        .filter(|letter| *letter != ' ')
        .collect()
}

impl<G: Game> Replay for Replayer<G> {
    fn board(&self) -> Board {
        let start = G::start(G::USUAL_START);
        let squares = squares::<G>();
        Board {
            rows: G::ROWS,
            columns: G::COLUMNS,
            checkered: G::CHECKERED,
            pieces: G::PIECES
                .iter()
                .map(|look| (look.letter, look.symbol, look.side == Side::White))
                .collect(),
            played: squares
                .clone()
                .map(|(row, column)| start.letter_at(row, column) != ' ')
                .collect(),
            numbers: squares
                .filter_map(|(row, column)| G::number_at(row, column))
                .collect(),
        }
    }

    fn replay(&self, opening: &str, moves: &str) -> Option<Replayed> {
        let mut position = if opening.trim().is_empty() {
            G::start(G::USUAL_START)
        } else {
            G::from_fen(opening).ok()?
        };
        let mut before = letters(&position);
        let mut replayed = Replayed {
            start: before.iter().collect(),
            white_begins: position.side_to_move() == Side::White,
            turns: Vec::new(),
        };
        for text in moves.split_whitespace() {
            let mv = position.parse_move(text).ok()?;
            let text = position.record_text(mv);
            position.play(mv);
            let after = letters(&position);
            let both = before.iter().zip(&after).enumerate();
            let changes = both
                .filter(|(_, (old, new))| old != new)
                .map(|(square, (_, new))| (square, *new));
            replayed.turns.push(Turn {
                text,
                changes: changes.collect(),
            });
            before = after;
        }
        Some(replayed)
    }
}
