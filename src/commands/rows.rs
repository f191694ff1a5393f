//! Converts played games to the rows and texts of the journal.

use super::trimmed;
use crate::config::Loaded;
use crate::engines::Fault;
use crate::eval::catalog::GameId;
use crate::eval::{STEPS, Score};
use crate::games::GameFacts;
use crate::play::{MoveNote, PlayedGame, PlayedPair, Termination};
use crate::record::{
    CollectionFormat, Companion, GameRow, GameText, MoveRow, MoveScore, MoveText, PairEntry,
    csv_rows,
};
use crate::search::mate_distance;

/// The collection format of a game.
pub fn collection_format(game: &GameFacts) -> CollectionFormat {
    let tags = game
        .collection_tags
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()));
    CollectionFormat {
        extension: game.collection,
        tags: tags.collect(),
    }
}

/// Records the games of a run.
pub struct Recorder<'r> {
    loaded: &'r Loaded,
    format: CollectionFormat,
    /// The companion files of `games.csv`.
    pub companions: Vec<Companion>,
}

impl<'r> Recorder<'r> {
    pub fn new(loaded: &'r Loaded) -> Recorder<'r> {
        let format = collection_format(loaded.game.facts());
        let mut companions = vec![Companion::Collection(format.extension)];
        companions.extend(loaded.log_moves.then_some(Companion::Moves));
        Recorder {
            loaded,
            format,
            companions,
        }
    }

    /// The two rows of a pair, and its text for the companion files.
    pub fn record(&self, pair: &PlayedPair) -> RecordedPair {
        let name = |index: usize| self.loaded.experiment.players[index].name.as_str();
        let (first, second) = (name(pair.pairing.first), name(pair.pairing.second));
        let seats = [(1, first, second), (2, second, first)];
        let units_in_one = self.loaded.game.evaluators().units().units_in_one;
        let rows = seats.map(|(index, white, black)| {
            let number = (pair.pair - 1) * 2 + index;
            game_row(
                units_in_one,
                pair.pair,
                number,
                white,
                black,
                &pair.games[index as usize - 1],
            )
        });
        let text = |companion: &Companion| match companion {
            Companion::Collection(_) => {
                let texts = seats.map(|(index, white, black)| {
                    let (round, game) = (
                        format!("{}.{index}", pair.pair),
                        &pair.games[index as usize - 1],
                    );
                    let text = game_text(
                        self.loaded.game,
                        &self.loaded.name,
                        round,
                        white,
                        black,
                        game,
                    );
                    self.format.write(&text)
                });
                texts.concat().into_bytes()
            }
            Companion::Moves => {
                let games = rows.iter().zip(&pair.games);
                let moves = games.flat_map(|(row, game)| move_rows(row.game, game));
                csv_rows(&moves.collect::<Vec<_>>())
            }
        };
        let entry = PairEntry {
            rows: csv_rows(&rows),
            companions: self.companions.iter().map(text).collect(),
        };
        RecordedPair { rows, entry }
    }
}

/// A pair ready to be written.
pub struct RecordedPair {
    pub rows: [GameRow; 2],
    pub entry: PairEntry,
}

fn move_rows(number: u64, game: &PlayedGame) -> impl Iterator<Item = MoveRow> {
    let mut side = game.first_mover.other();
    game.moves.iter().enumerate().map(move |(index, mv)| {
        side = side.other();
        let mate = mv.score.and_then(mate_distance);
        let plain = mv.score.filter(|_| mate.is_none());
        let units = |score| trimmed(f64::from(score) / f64::from(STEPS));
        MoveRow {
            game: number,
            ply: index as u64 + 1,
            side: side.to_string(),
            text: mv.text.clone(),
            score: plain.map_or_else(String::new, units),
            mate: mate.map_or_else(String::new, |moves| moves.to_string()),
            depth: mv.depth,
            nodes: mv.nodes,
        }
    })
}

/// A score in the format of games.csv and game collections.
fn move_score(score: Score, units_in_one: f64) -> MoveScore {
    match mate_distance(score) {
        Some(moves) => MoveScore::Mate(moves),
        None => MoveScore::Plain(f64::from(score) / f64::from(STEPS) / units_in_one),
    }
}

fn game_row(
    units_in_one: f64,
    pair: u64,
    number: u64,
    white: &str,
    black: &str,
    game: &PlayedGame,
) -> GameRow {
    let scores = game.moves.iter().map(|mv| mv.score);
    let scores = scores.map(|score| Some(move_score(score?, units_in_one)));
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    GameRow {
        game: number,
        pair,
        white: white.to_string(),
        black: black.to_string(),
        opening: game.opening.clone(),
        result: game.result,
        termination: game.termination.name().to_string(),
        plies: game.moves.len() as u64,
        white_nodes: game.white_nodes,
        black_nodes: game.black_nodes,
        moves: moves.join(" "),
        first_mover: Some(game.first_mover),
        scores: MoveScore::cell(scores),
        origin: None,
    }
}

/// The value of the PGN tag `Termination`.
fn standard_termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Rules(_) => "normal",
        Termination::MaxPlies
        | Termination::NoProgress
        | Termination::AdjudicatedWin
        | Termination::AdjudicatedDraw => "adjudication",
        Termination::Forfeit(Fault::IllegalMove) => "rules infraction",
        Termination::Forfeit(Fault::Time | Fault::Stall) => "time forfeit",
        Termination::Forfeit(Fault::Crash) => "abandoned",
    }
}

fn game_text(
    id: GameId,
    event: &str,
    round: String,
    white: &str,
    black: &str,
    game: &PlayedGame,
) -> GameText {
    // Omitted for the usual start position, unless the game has several.
    let rules = id.rules();
    let usual = rules.usual_start();
    let units_in_one = id.evaluators().units().units_in_one;
    let is_usual = rules.facts().starts == 1 && game.opening == usual.fen();
    let comment = |mv: &MoveNote| {
        let rest = format!("{} {}n", mv.depth, mv.nodes);
        mv.score.map_or_else(
            || rest.clone(),
            |score| format!("{}/{rest}", move_score(score, units_in_one)),
        )
    };
    let moves = game.moves.iter().map(|mv| MoveText {
        text: mv.record.clone(),
        comment: comment(mv),
    });
    GameText {
        event: event.to_string(),
        round,
        white: white.to_string(),
        black: black.to_string(),
        result: game.result,
        termination: standard_termination(game.termination).to_string(),
        ending: game.termination.name().to_string(),
        opening: (!is_usual).then(|| game.opening.clone()),
        second_side_begins: game.first_mover != usual.side_to_move(),
        first_number: game.first_number,
        moves: moves.collect(),
    }
}
