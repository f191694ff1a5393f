//! Replays logged games for the report's viewer, which does not know the rules.

use crate::eval::catalog::GameId;
use crate::games::{AnyGame, AnyPosition, GameFacts, Side};
use crate::report::{Replay, Replayed, ViewerBoard, ViewerTurn};

/// The rules of a game, as far as the viewer needs them.
pub fn replayer(game: GameId) -> Box<dyn Replay> {
    Box::new(Replayer(game.rules()))
}

struct Replayer(&'static dyn AnyGame);

/// Row and column of every square, from the top left.
fn squares(game: &GameFacts) -> impl Iterator<Item = (usize, usize)> + Clone {
    let columns = game.columns;
    (0..game.rows * columns).map(move |cell| (cell / columns, cell % columns))
}

/// The letters of all playable squares, row by row.
fn letters(position: &dyn AnyPosition) -> Vec<char> {
    squares(position.rules().facts())
        .map(|(row, column)| position.letter_at(row, column))
        .filter(|letter| *letter != ' ')
        .collect()
}

impl Replay for Replayer {
    fn board(&self) -> ViewerBoard {
        let facts = self.0.facts();
        let start = self.0.usual_start();
        let squares = squares(facts);
        ViewerBoard {
            rows: facts.rows,
            columns: facts.columns,
            row_1_at_top: facts.row_1_at_top,
            checkered: facts.checkered,
            drops: facts.drops,
            pieces: facts
                .pieces
                .iter()
                .map(|look| (look.letter, look.symbol, look.side == Side::White))
                .collect(),
            played: squares
                .clone()
                .map(|(row, column)| start.letter_at(row, column) != ' ')
                .collect(),
            numbers: squares
                .filter_map(|(row, column)| self.0.number_at(row, column))
                .collect(),
        }
    }

    fn replay(&self, opening: &str, moves: &str) -> Option<Replayed> {
        let mut position = if opening.trim().is_empty() {
            self.0.usual_start()
        } else {
            self.0.read_fen(opening).ok()?
        };
        let mut before = letters(position.as_ref());
        let mut replayed = Replayed {
            start: before.iter().collect(),
            white_begins: position.side_to_move() == Side::White,
            turns: Vec::new(),
        };
        for text in moves.split_whitespace() {
            let number = position.find_move(text).ok()?;
            let text = position.legal_move(number)?.record;
            if !position.play(number) {
                return None;
            }
            let after = letters(position.as_ref());
            let both = before.iter().zip(&after).enumerate();
            let changes = both
                .filter(|(_, (old, new))| old != new)
                .map(|(square, (_, new))| (square, *new));
            replayed.turns.push(ViewerTurn {
                text,
                changes: changes.collect(),
            });
            before = after;
        }
        Some(replayed)
    }
}
