//! Games known only at run time: the same rules behind `dyn`, for text, files, pages and
//! commands. Searches and evaluators use the traits of the game itself, which cost no indirection.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use super::{
    Game, NotationError, Outcome, PieceLayout, PieceLook, PieceSets, Side, perft, perft_divide,
};

/// The constants of a game's traits, as data.
#[derive(Debug)]
pub struct GameFacts {
    pub rows: usize,
    pub columns: usize,
    /// See [`super::BoardView::ROW_1_AT_TOP`].
    pub row_1_at_top: bool,
    /// Dark and light squares alternate.
    pub checkered: bool,
    pub pieces: &'static [PieceLook],
    /// See [`super::BoardView::DROPS`].
    pub drops: bool,
    /// See [`super::BoardView::LAYOUT`].
    pub layout: PieceLayout,
    /// How many start positions there are.
    pub starts: u32,
    pub usual_start: u32,
    pub repetitions: Option<u8>,
    pub automatic_repetitions: Option<u8>,
    /// The file format of game collections, which is also their extension.
    pub collection: &'static str,
    pub collection_tags: &'static [(&'static str, &'static str)],
    /// The extension of opening suites.
    pub suite: &'static str,
    pub speaks_uci: bool,
    pub speaks_hub: bool,
    pub has_check: bool,
    pub has_null_move: bool,
    pub has_see: bool,
    pub captures_forced: bool,
}

/// The rules of one game. [`rules`] makes it from the game's type.
pub trait AnyGame: Send + Sync {
    fn facts(&self) -> &'static GameFacts;

    /// The start position number `index`, below [`GameFacts::starts`].
    fn start(&self, index: u32) -> Box<dyn AnyPosition>;

    fn read_fen(&self, fen: &str) -> Result<Box<dyn AnyPosition>, NotationError>;

    /// Reads a position at the beginning of a line of a position file.
    fn read_epd(&self, line: &str) -> Result<Box<dyn AnyPosition>, NotationError>;

    /// The number by which moves name a square of the diagram, in games that use numbers.
    fn number_at(&self, row: usize, column: usize) -> Option<usize>;
}

impl dyn AnyGame + '_ {
    /// The start position of a game for which none is named.
    pub fn usual_start(&self) -> Box<dyn AnyPosition> {
        self.start(self.facts().usual_start)
    }

    /// The position of a FEN, or the usual start.
    pub fn position(&self, fen: Option<&str>) -> Result<Box<dyn AnyPosition>, NotationError> {
        fen.map_or_else(|| Ok(self.usual_start()), |fen| self.read_fen(fen))
    }
}

/// A legal move as shown by pages and files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// As in logs: UCI in chess, PDN in draughts.
    pub text: String,
    /// As in game collections: SAN in chess.
    pub record: String,
    pub is_capture: bool,
    /// See [`super::BoardView::routes`].
    pub routes: Vec<Vec<usize>>,
}

/// A position of any game. Moves are identified by their index in the generator's order, which is
/// fixed, or by their text.
pub trait AnyPosition: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn clone_box(&self) -> Box<dyn AnyPosition>;
    fn is_same(&self, other: &dyn AnyPosition) -> bool;
    fn rules(&self) -> &'static dyn AnyGame;

    fn side_to_move(&self) -> Side;
    fn fen(&self) -> String;
    fn move_number(&self) -> u32;
    /// A 64-bit key of everything the rest of the game depends on, except the draw clocks.
    fn hash(&self) -> u64;
    fn repetition_key(&self) -> u64;
    fn reversible_plies(&self) -> usize;
    fn in_check(&self) -> bool;

    fn count_moves(&self) -> u64;
    /// All legal moves, in the order of the generator.
    fn legal_moves(&self) -> Vec<LegalMove>;
    /// The legal move with this index.
    fn legal_move(&self, number: usize) -> Option<LegalMove>;
    /// The index of the move with this text.
    fn find_move(&self, text: &str) -> Result<usize, NotationError>;
    /// Plays the move with this index; false if there is none.
    #[must_use]
    fn play(&mut self, number: usize) -> bool;
    fn play_text(&mut self, text: &str) -> Result<(), NotationError>;

    /// See [`super::GameRules::end_by_position`].
    fn end_by_position(&self) -> Option<Outcome>;
    fn automatic_end_by_position(&self) -> Option<Outcome>;
    fn end_by_moves(&self) -> Option<Outcome>;
    /// How the game has ended here, ignoring repetition.
    fn end(&self) -> Option<Outcome>;

    /// See [`super::BoardView::letter_at`].
    fn letter_at(&self, row: usize, column: usize) -> char;

    /// See [`super::BoardView::piece_sets`].
    fn piece_sets(&self) -> PieceSets;
    fn diagram(&self) -> String;

    fn perft(&self, depth: u32) -> u64;
    fn perft_routes(&self, depth: u32) -> u64;
    /// The text of each root move with the leaves below it.
    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)>;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl PartialEq for dyn AnyPosition {
    fn eq(&self, other: &dyn AnyPosition) -> bool {
        self.is_same(other)
    }
}

impl dyn AnyPosition + '_ {
    /// The position as one of the game `G`.
    ///
    /// # Panics
    /// If it belongs to another game: a bug, never caused by user input.
    pub fn of<G: Game>(&self) -> &G {
        match self.as_any().downcast_ref() {
            Some(position) => position,
            None => panic!("{self:?} is a position of another game"),
        }
    }
}

/// The rules of `G` behind `dyn`.
pub fn rules<G: Game>() -> &'static dyn AnyGame {
    &RulesOf::<G>(PhantomData)
}

/// The constants of `G`.
pub fn facts<G: Game>() -> &'static GameFacts {
    &RulesOf::<G>::FACTS
}

struct RulesOf<G>(PhantomData<fn() -> G>);

impl<G: Game> RulesOf<G> {
    const FACTS: GameFacts = GameFacts {
        rows: G::ROWS,
        columns: G::COLUMNS,
        row_1_at_top: G::ROW_1_AT_TOP,
        checkered: G::CHECKERED,
        pieces: G::PIECES,
        drops: G::DROPS,
        layout: G::LAYOUT,
        starts: G::STARTS,
        usual_start: G::USUAL_START,
        repetitions: G::REPETITIONS,
        automatic_repetitions: G::AUTOMATIC_REPETITIONS,
        collection: G::COLLECTION,
        collection_tags: G::COLLECTION_TAGS,
        suite: G::SUITE,
        speaks_uci: G::SPEAKS_UCI,
        speaks_hub: G::SPEAKS_HUB,
        has_check: G::HAS_CHECK,
        has_null_move: G::HAS_NULL_MOVE,
        has_see: G::HAS_SEE,
        captures_forced: G::CAPTURES_FORCED,
    };
}

impl<G: Game> AnyGame for RulesOf<G> {
    fn facts(&self) -> &'static GameFacts {
        facts::<G>()
    }

    fn start(&self, index: u32) -> Box<dyn AnyPosition> {
        Box::new(G::start(index))
    }

    fn read_fen(&self, fen: &str) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(Box::new(G::from_fen(fen)?))
    }

    fn read_epd(&self, line: &str) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(Box::new(G::from_epd(line)?))
    }

    fn number_at(&self, row: usize, column: usize) -> Option<usize> {
        G::number_at(row, column)
    }
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.for_each_move(|mv| moves.push(mv));
    moves
}

/// The index of a legal move, for code that knows the game by its type.
pub fn number_of<G: Game>(position: &G, mv: G::Move) -> Option<usize> {
    moves(position).iter().position(|other| *other == mv)
}

/// The legal move with this index, for code that knows the game by its type.
pub fn move_of<G: Game>(position: &G, number: usize) -> Option<G::Move> {
    moves(position).get(number).copied()
}

fn describe<G: Game>(position: &G, mv: G::Move) -> LegalMove {
    LegalMove {
        text: position.move_text(mv),
        record: position.record_text(mv),
        is_capture: position.is_capture(mv),
        routes: position.routes(mv),
    }
}

impl<G: Game> AnyPosition for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn clone_box(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn rules(&self) -> &'static dyn AnyGame {
        rules::<G>()
    }

    fn side_to_move(&self) -> Side {
        G::side_to_move(self)
    }

    fn fen(&self) -> String {
        G::fen(self)
    }

    fn move_number(&self) -> u32 {
        G::move_number(self)
    }

    fn hash(&self) -> u64 {
        G::hash(self)
    }

    fn repetition_key(&self) -> u64 {
        G::repetition_key(self)
    }

    fn reversible_plies(&self) -> usize {
        G::reversible_plies(self)
    }

    fn in_check(&self) -> bool {
        G::in_check(self)
    }

    fn count_moves(&self) -> u64 {
        G::count_moves(self)
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        let all = moves(self).into_iter();
        all.map(|mv| describe(self, mv)).collect()
    }

    fn legal_move(&self, number: usize) -> Option<LegalMove> {
        move_of(self, number).map(|mv| describe(self, mv))
    }

    fn find_move(&self, text: &str) -> Result<usize, NotationError> {
        let mv = self.parse_move(text)?;
        number_of(self, mv)
            .ok_or_else(|| NotationError::new(format!("`{text}`: no legal move here")))
    }

    fn play(&mut self, number: usize) -> bool {
        let mv = move_of(self, number);
        if let Some(mv) = mv {
            G::play(self, mv);
        }
        mv.is_some()
    }

    fn play_text(&mut self, text: &str) -> Result<(), NotationError> {
        let mv = self.parse_move(text)?;
        G::play(self, mv);
        Ok(())
    }

    fn end_by_position(&self) -> Option<Outcome> {
        G::end_by_position(self)
    }

    fn automatic_end_by_position(&self) -> Option<Outcome> {
        G::automatic_end_by_position(self)
    }

    fn end_by_moves(&self) -> Option<Outcome> {
        G::end_by_moves(self)
    }

    fn end(&self) -> Option<Outcome> {
        G::end(self)
    }

    fn letter_at(&self, row: usize, column: usize) -> char {
        G::letter_at(self, row, column)
    }

    fn piece_sets(&self) -> PieceSets {
        G::piece_sets(self)
    }

    fn diagram(&self) -> String {
        G::diagram(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn perft_routes(&self, depth: u32) -> u64 {
        G::perft_routes(self, depth)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let rows = perft_divide(self, depth).into_iter();
        rows.map(|(mv, leaves)| (self.move_text(mv), leaves))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::Chess;
    use crate::games::connect_four::ConnectFour;
    use crate::games::draughts::{Checkers, English};
    use crate::games::othello::Othello;

    fn routes_of(rules: &dyn AnyGame, fen: &str, text: &str) -> Vec<Vec<usize>> {
        let position = rules.read_fen(fen).unwrap();
        let number = position.find_move(text).unwrap();
        position.legal_move(number).unwrap().routes
    }

    #[test]
    fn moves_are_named_by_number_and_by_text() {
        for rules in [rules::<Chess>(), rules::<Checkers>(), rules::<Othello>()] {
            let start = rules.usual_start();
            for (number, mv) in start.legal_moves().into_iter().enumerate() {
                assert_eq!(start.find_move(&mv.text), Ok(number));
                assert_eq!(start.legal_move(number), Some(mv.clone()));
                let (mut one, mut other) = (start.clone(), start.clone());
                assert!(one.play(number));
                other.play_text(&mv.text).unwrap();
                assert!(*one == *other && *one != *start);
            }
            let none = start.legal_moves().len();
            assert!(start.legal_move(none).is_none() && !start.clone().play(none));
        }
    }

    #[test]
    fn positions_of_different_games_are_never_the_same() {
        let (chess, english) = (rules::<Chess>(), rules::<English>());
        assert!(*chess.usual_start() != *english.usual_start());
    }

    #[test]
    fn routes_lead_over_the_squares_that_a_piece_visits() {
        let chess = rules::<Chess>();
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(
            routes_of(chess, castling, "e1g1"),
            [vec![60, 62], vec![60, 63]]
        );
        assert_eq!(routes_of(chess, castling, "h1h8"), [vec![63, 7]]);
        // Square 30 of English draughts is in the last row, third column of a diagram.
        let english = rules::<English>();
        assert_eq!(
            routes_of(english, "W:W30:B17,25", "30x14"),
            [vec![58, 40, 26]]
        );
        assert_eq!(
            routes_of(rules::<Othello>(), "8/8/8/8/8/8/8/1wb5 w", "d8"),
            [vec![59]]
        );
        assert!(routes_of(rules::<Othello>(), "8/8/8/8/8/8/8/bw6 w", "pass").is_empty());
        // A disc falls down to the lowest empty square of its column.
        let four = rules::<ConnectFour>();
        assert_eq!(routes_of(four, "7/7/7/7/7/3w3 b", "d"), [vec![31]]);
    }
}
