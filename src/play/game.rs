//! Plays one game to its end.

use super::player::Player;
use crate::eval::{Evaluated, Score};
use crate::games::{EndReason, Outcome, Side};

/// Who won, seen from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    WhiteWins,
    BlackWins,
    Draw,
}

impl GameResult {
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner {
            Some(Side::White) => GameResult::WhiteWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    Rules(EndReason),
    /// Stopped by the match, and drawn.
    MaxPlies,
}

impl Termination {
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Rules(reason) => reason.name(),
            Termination::MaxPlies => "max-plies",
        }
    }
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNote {
    /// In the notation of the logs (UCI for chess, PDN for draughts).
    pub text: String,
    /// In the notation of game collections (SAN for chess, PDN for draughts).
    pub record: String,
    /// From the mover's side, in score steps.
    pub score: Score,
    pub nodes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// FEN of the position the players began from.
    pub opening: String,
    /// Who moves first there, and the number of that move in game collections.
    pub first_mover: Side,
    pub first_number: u32,
    pub result: GameResult,
    pub termination: Termination,
    pub moves: Vec<MoveNote>,
    pub white_nodes: u64,
    pub black_nodes: u64,
}

/// Plays from `opening` to the end; `None` if `stop` says so before that.
pub fn play_game<G: Evaluated>(
    opening: &G,
    white: &mut Player<G>,
    black: &mut Player<G>,
    max_plies: Option<u32>,
    stop: &dyn Fn() -> bool,
) -> Option<PlayedGame> {
    let mut position = opening.clone();
    let mut history: Vec<u64> = Vec::new();
    let mut moves: Vec<MoveNote> = Vec::new();
    let mut nodes = [0; 2];
    let (result, termination) = loop {
        if stop() {
            return None;
        }
        if let Some(outcome) = end_of_game(&position, &history) {
            break (outcome.into(), Termination::Rules(outcome.reason));
        }
        if max_plies.is_some_and(|limit| moves.len() >= limit as usize) {
            break (GameResult::Draw, Termination::MaxPlies);
        }
        let side = position.side_to_move();
        let player = match side {
            Side::White => &mut *white,
            Side::Black => &mut *black,
        };
        let found = player.think(&position, &history);
        nodes[side as usize] += found.nodes;
        let Some(best) = found.best else {
            let outcome = position.end_without_moves();
            break (outcome.into(), Termination::Rules(outcome.reason));
        };
        moves.push(MoveNote {
            text: position.move_text(best),
            record: position.record_text(best),
            score: found.score,
            nodes: found.nodes,
        });
        history.push(position.repetition_key());
        position.play(best);
    };
    Some(PlayedGame {
        opening: opening.fen(),
        first_mover: opening.side_to_move(),
        first_number: opening.move_number(),
        result,
        termination,
        moves,
        white_nodes: nodes[Side::White as usize],
        black_nodes: nodes[Side::Black as usize],
    })
}

/// The end of a game by its rules, repetition included.
fn end_of_game<G: Evaluated>(position: &G, history: &[u64]) -> Option<Outcome> {
    if let Some(outcome) = position.end() {
        return Some(outcome);
    }
    let needed = usize::from(G::REPETITIONS?);
    let key = position.repetition_key();
    let earlier = history
        .iter()
        .rev()
        .take(position.reversible_plies())
        .filter(|earlier| **earlier == key)
        .count();
    (earlier + 1 >= needed).then_some(Outcome::draw(EndReason::Repetition))
}
