//! Turns played games into the rows and texts that are recorded.

use crate::eval::{Evaluated, STEPS, Score};
use crate::play::{Experiment, MoveNote, PairResult, PlayedGame, Termination};
use crate::record::{CollectionFormat, GameRow, GameText, MoveText};
use crate::search::mate_distance;

/// How collections of the game `G` are written.
pub fn collection_format<G: Evaluated>() -> CollectionFormat {
    let tags = G::COLLECTION_TAGS
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()));
    CollectionFormat {
        extension: G::COLLECTION,
        tags: tags.collect(),
    }
}

/// The two rows of a pair, and the two games as text.
pub fn record_pair<G: Evaluated>(
    event: &str,
    experiment: &Experiment,
    format: &CollectionFormat,
    pair: &PairResult,
) -> ([GameRow; 2], String) {
    let name = |index: usize| experiment.players[index].name.as_str();
    let (first, second) = (name(pair.pairing.first), name(pair.pairing.second));
    let mut texts = String::new();
    let mut index = 0;
    let rows = [(first, second), (second, first)].map(|(white, black)| {
        let game = &pair.games[index];
        index += 1;
        let round = format!("{}.{index}", pair.pair);
        texts.push_str(&format.write(&game_text::<G>(event, round, white, black, game)));
        let number = (pair.pair - 1) * 2 + index as u64;
        game_row(pair.pair, number, white, black, game)
    });
    (rows, texts)
}

/// A score as game collections write it: pawns (or points) with a sign, or moves to mate.
fn comment_score(score: Score, units_in_one: f64) -> String {
    match mate_distance(score) {
        Some(moves) if moves < 0 => format!("-M{}", -moves),
        Some(moves) => format!("+M{moves}"),
        None => format!("{:+.2}", f64::from(score) / f64::from(STEPS) / units_in_one),
    }
}

fn game_row(pair: u64, number: u64, white: &str, black: &str, game: &PlayedGame) -> GameRow {
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    GameRow {
        game: number,
        pair,
        white: white.to_string(),
        black: black.to_string(),
        opening: game.opening.clone(),
        result: game.result.text().to_string(),
        termination: game.termination.name().to_string(),
        plies: game.moves.len() as u64,
        white_nodes: game.white_nodes,
        black_nodes: game.black_nodes,
        moves: moves.join(" "),
    }
}

/// The words that the PGN standard has for the tag `Termination`.
fn standard_termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Rules(_) => "normal",
        Termination::MaxPlies => "adjudication",
    }
}

fn game_text<G: Evaluated>(
    event: &str,
    round: String,
    white: &str,
    black: &str,
    game: &PlayedGame,
) -> GameText {
    // A reader knows the start position, unless there are several.
    let usual = G::start(G::USUAL_START);
    let is_usual = G::STARTS == 1 && game.opening == usual.fen();
    let comment = |mv: &MoveNote| {
        let score = comment_score(mv.score, G::UNITS_IN_ONE);
        format!("{score}/{} {}n", mv.depth, mv.nodes)
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
        result: game.result.text().to_string(),
        termination: standard_termination(game.termination).to_string(),
        ending: game.termination.name().to_string(),
        opening: (!is_usual).then(|| game.opening.clone()),
        second_side_begins: game.first_mover != usual.side_to_move(),
        first_number: game.first_number,
        moves: moves.collect(),
    }
}
