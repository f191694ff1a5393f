//! Replays a logged game: every move legal, no move after the end, and the result that the rules or the
//! limits of the match give.

use super::adjudication::{Agree, Resign, ResignSides};
use super::game::{Endings, Termination, end_of_game};
use crate::eval::Score;
use crate::games::{AnyPosition, GameResult, Side};

/// What a log says about a game.
#[derive(Clone, Debug)]
pub struct LoggedGame<'g> {
    pub moves: Vec<&'g str>,
    pub result: GameResult,
    pub termination: &'g str,
    /// Of each move, from its mover's side, in score steps; `None` if unknown. Empty if none is known.
    pub scores: Vec<Option<Score>>,
    /// Half a unit of the last logged digit of a score, in score steps.
    pub rounding: Score,
    /// Sides that can forfeit: engines, and players with a clock. By [`Side`].
    pub can_forfeit: [bool; 2],
}

/// Replays a game from its opening. Returns the last position, or what contradicts the rules.
pub fn audit_game(
    opening: &dyn AnyPosition,
    game: &LoggedGame<'_>,
    endings: &Endings,
) -> Result<Box<dyn AnyPosition>, String> {
    let mut position = opening.clone_box();
    let mut history: Vec<u64> = Vec::with_capacity(game.moves.len());
    for (index, text) in game.moves.iter().enumerate() {
        if let Some((_, termination)) = end(position.as_ref(), &history, index, endings) {
            return Err(format!(
                "move {} `{text}` follows the end of the game ({})",
                index + 1,
                termination.name()
            ));
        }
        history.push(position.repetition_key());
        let number = position
            .find_move(text)
            .map_err(|error| format!("move {}: {error}", index + 1))?;
        let written = position.legal_move(number).map(|legal| legal.text);
        if written.as_deref() != Some(*text) {
            let expected = written.unwrap_or_default();
            return Err(format!(
                "move {}: `{text}` is written `{expected}`",
                index + 1
            ));
        }
        if !position.play(number) {
            return Err(format!("move {}: `{text}`: no legal move here", index + 1));
        }
    }
    let claimed = (game.result, game.termination);
    let actual = end(position.as_ref(), &history, game.moves.len(), endings);
    // Players' scores end a game before the limit of plies does.
    let is_adjudicated = adjudicated(position.side_to_move(), game, endings)?;
    match actual {
        Some((result, termination)) if (result, termination.name()) == claimed => Ok(position),
        Some((_, Termination::MaxPlies)) | None if is_adjudicated => Ok(position),
        Some((result, termination)) => Err(format!(
            "the result is {} ({}), but the moves end {result} ({})",
            game.result,
            game.termination,
            termination.name()
        )),
        None if is_forfeit(position.side_to_move(), game) => Ok(position),
        None => Err(format!(
            "the result is {} ({}), but nothing ends the game after its last move",
            game.result, game.termination
        )),
    }
}

/// The end by the rules or the limits of the match, in the order in which games are played.
fn end(
    position: &dyn AnyPosition,
    history: &[u64],
    plies: usize,
    endings: &Endings,
) -> Option<(GameResult, Termination)> {
    if let Some(outcome) = end_of_game(position, history, endings.draws) {
        return Some((outcome.into(), Termination::Rules(outcome.reason)));
    }
    let reaches = |limit: Option<u32>, plies: usize| limit.is_some_and(|it| plies >= it as usize);
    if reaches(endings.no_progress_plies, position.reversible_plies()) {
        return Some((GameResult::Draw, Termination::NoProgress));
    }
    // A table that cannot be read confirms nothing.
    let tables = endings.tables.as_ref();
    if let Some(Ok(Some(end))) = tables.map(|tables| tables.decide(position)) {
        return Some(end);
    }
    reaches(endings.max_plies, plies).then_some((GameResult::Draw, Termination::MaxPlies))
}

/// Whether the game says that it was adjudicated; an error if it cannot have been.
fn adjudicated(to_move: Side, game: &LoggedGame<'_>, endings: &Endings) -> Result<bool, String> {
    let rules = endings.adjudication;
    let is_win = game.termination == Termination::AdjudicatedWin.name();
    let is_draw = game.termination == Termination::AdjudicatedDraw.name();
    if !is_win && !is_draw {
        return Ok(false);
    }
    let agrees = match (is_win, rules.resign, rules.draw, game.result.winner()) {
        (true, Some(rule), _, Some(winner)) => resigned(to_move, winner, game, rule),
        (false, _, Some(rule), None) => agreed(game, rule),
        _ => false,
    };
    if agrees {
        return Ok(true);
    }
    Err(format!(
        "the result is {} ({}), but [adjudicate] and the scores do not give it",
        game.result, game.termination
    ))
}

/// The last scores, those of N moves of each side.
fn last_scores<'g>(game: &'g LoggedGame<'_>, moves: u32) -> Option<&'g [Option<Score>]> {
    let count = 2 * moves as usize;
    let at = game.scores.len().checked_sub(count)?;
    (game.scores.len() == game.moves.len()).then(|| &game.scores[at..])
}

fn resigned(to_move: Side, winner: Side, game: &LoggedGame<'_>, rule: Resign) -> bool {
    let least = rule.score.saturating_sub(game.rounding);
    last_scores(game, rule.moves).is_some_and(|scores| {
        // The last move was made by the side that is not to move.
        let movers = [to_move.other(), to_move].into_iter().cycle();
        scores.iter().rev().zip(movers).all(|(score, mover)| {
            let sign = if mover == winner { 1 } else { -1 };
            let is_silent = rule.sides == ResignSides::Loser && mover == winner;
            is_silent || score.is_some_and(|score| sign * score >= least)
        })
    })
}

fn agreed(game: &LoggedGame<'_>, rule: Agree) -> bool {
    let most = rule.score.saturating_add(game.rounding);
    game.moves.len() as u64 >= 2 * u64::from(rule.after)
        && last_scores(game, rule.moves).is_some_and(|scores| {
            let is_level = |score: &Option<Score>| score.is_some_and(|score| score.abs() <= most);
            scores.iter().all(is_level)
        })
}

/// Whether a side that can forfeit did. Without moves, either side may have failed to start.
fn is_forfeit(to_move: Side, game: &LoggedGame<'_>) -> bool {
    let Some(loser) = game.result.winner().map(Side::other) else {
        return false;
    };
    game.termination.starts_with("forfeit-")
        && game.can_forfeit[loser as usize]
        && (loser == to_move || game.moves.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::catalog::GameId;

    fn audit(moves: &str, result: GameResult, termination: &str) -> Result<(), String> {
        let game = LoggedGame {
            moves: moves.split_whitespace().collect(),
            result,
            termination,
            scores: Vec::new(),
            rounding: 0,
            can_forfeit: [true, false],
        };
        let start = GameId::Chess.rules().usual_start();
        audit_game(start.as_ref(), &game, &Endings::default()).map(|_| ())
    }

    #[test]
    fn a_game_must_follow_the_rules_to_its_result() {
        const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
        audit(MATE, GameResult::BlackWins, "checkmate").unwrap();
        for (moves, result, termination, expected) in [
            (
                MATE,
                GameResult::WhiteWins,
                "checkmate",
                "the moves end 0-1",
            ),
            (
                MATE,
                GameResult::BlackWins,
                "stalemate",
                "the moves end 0-1",
            ),
            (
                "f2f3 e7e5 g2g4 d8h5",
                GameResult::BlackWins,
                "checkmate",
                "move 4",
            ),
            (
                "f2f3 e7e5 g2g4",
                GameResult::BlackWins,
                "checkmate",
                "nothing ends",
            ),
            (
                "f2f3 e7e5 g2g4 d8h4 e1f2",
                GameResult::BlackWins,
                "checkmate",
                "move 5 `e1f2` follows the end",
            ),
            (
                "f2f3",
                GameResult::WhiteWins,
                "adjudicated-win",
                "[adjudicate]",
            ),
        ] {
            let refused = audit(moves, result, termination).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
    }

    #[test]
    fn only_players_that_can_forfeit_do() {
        // White, with a clock, loses its second move.
        audit("f2f3 e7e5", GameResult::BlackWins, "forfeit-time").unwrap();
        audit("f2f3", GameResult::WhiteWins, "forfeit-time").unwrap_err();
        audit("f2f3 e7e5", GameResult::WhiteWins, "forfeit-time").unwrap_err();
    }
}
