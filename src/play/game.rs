//! Plays one game to its end.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::Conduct;
use super::adjudication::{Adjudication, Adjudicator, Decision};
use super::clocks::Clocks;
use super::seat::{Details, Seat, Turn};
use super::syzygy::{TableError, Tables, Wdl};
use crate::engines::{Fault, Trouble};
use crate::eval::{Evaluated, Score};
use crate::games::{EndReason, GameResult, Outcome, Side};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    Rules(EndReason),
    /// Drawn by the match's limit of plies.
    MaxPlies,
    /// Drawn by the match's limit of plies without progress.
    NoProgress,
    /// Adjudicated: both players' scores agreed.
    AdjudicatedWin,
    AdjudicatedDraw,
    /// Adjudicated by endgame tables.
    TablebaseWin,
    TablebaseDraw,
    /// Forfeited, usually by the side to move.
    Forfeit(Fault),
}

impl Termination {
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Rules(reason) => reason.name(),
            Termination::MaxPlies => "max-plies",
            Termination::NoProgress => "no-progress",
            Termination::AdjudicatedWin => "adjudicated-win",
            Termination::AdjudicatedDraw => "adjudicated-draw",
            Termination::TablebaseWin => "tablebase-win",
            Termination::TablebaseDraw => "tablebase-draw",
            Termination::Forfeit(fault) => fault.name(),
        }
    }
}

/// Which draws by repetition and by the draw clock end a game. Only chess distinguishes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawRules {
    /// Claimed at the first opportunity: threefold repetition, fifty moves.
    #[default]
    Claimed,
    /// Never claimed: fivefold repetition, seventy-five moves.
    Automatic,
}

impl DrawRules {
    pub const ALL: [DrawRules; 2] = [DrawRules::Claimed, DrawRules::Automatic];

    pub const fn name(self) -> &'static str {
        match self {
            DrawRules::Claimed => "claimed",
            DrawRules::Automatic => "automatic",
        }
    }
}

/// How games of a match can end, in addition to the rules of the game.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    pub draws: DrawRules,
    /// Drawn after this many plies.
    pub max_plies: Option<u32>,
    /// Drawn after this many plies in a row without progress (a capture, or a move of a pawn or man),
    /// those before the opening included.
    pub no_progress_plies: Option<u32>,
    pub adjudication: Adjudication,
    pub tables: Option<TableEndings>,
}

/// Ends games that the endgame tables decide.
#[derive(Clone, Debug)]
pub struct TableEndings {
    pub tables: Arc<Tables>,
    /// Whether a win that takes longer than the fifty-move rule allows is a draw.
    pub fifty_moves: bool,
}

impl TableEndings {
    /// The result of a position; `None` if the tables do not hold it. Only after a capture or a pawn's
    /// move, when they are exact.
    pub fn decide(
        &self,
        position: &dyn crate::games::AnyPosition,
    ) -> Result<Option<(GameResult, Termination)>, TableError> {
        if position.reversible_plies() > 0 {
            return Ok(None);
        }
        let side = position.side_to_move();
        Ok(self.tables.probe(position)?.map(|wdl| match wdl {
            Wdl::Win => (side.into(), Termination::TablebaseWin),
            Wdl::Loss => (side.other().into(), Termination::TablebaseWin),
            Wdl::CursedWin if !self.fifty_moves => (side.into(), Termination::TablebaseWin),
            Wdl::BlessedLoss if !self.fifty_moves => {
                (side.other().into(), Termination::TablebaseWin)
            }
            _ => (GameResult::Draw, Termination::TablebaseDraw),
        }))
    }
}

/// A played move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNote {
    /// In the notation of the logs (UCI for chess, PDN for draughts).
    pub text: String,
    /// In the notation of game collections (SAN for chess, PDN for draughts).
    pub record: String,
    /// From the mover's side, in score steps; `None` if the player reported none.
    pub score: Option<Score>,
    /// The last completed depth.
    pub depth: u32,
    pub nodes: u64,
    /// In games where a player's limit is time or a player is an engine; `None` in games that are the same
    /// on every machine.
    pub time: Option<Duration>,
    /// What is left on the mover's clock after the move.
    pub left: Option<Duration>,
    pub details: Details,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// When it began, if the times of its moves are known.
    pub began: Option<SystemTime>,
    /// FEN of the opening position.
    pub opening: String,
    /// The side to move there, and the number of that move in game collections.
    pub first_mover: Side,
    pub first_number: u32,
    pub result: GameResult,
    pub termination: Termination,
    pub moves: Vec<MoveNote>,
    pub white_nodes: u64,
    pub black_nodes: u64,
}

/// Plays from `opening` to the end; `None` if stopped by `stop`. Fails if an endgame table cannot be read.
pub fn play_game<G: Evaluated>(
    opening: &G,
    white: &mut Seat<G>,
    black: &mut Seat<G>,
    endings: &Endings,
    conduct: &Conduct,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedGame>, TableError> {
    let mut position = opening.clone();
    let mut history: Vec<u64> = Vec::new();
    let mut moves: Vec<MoveNote> = Vec::new();
    let mut nodes = [0; 2];
    let opening_fen = opening.fen();
    let mut clocks = Clocks::new(white.clock(), black.clock());
    clocks.measured = white.is_timed() || black.is_timed();
    let began = clocks.measured.then(SystemTime::now);
    let mut absent = None;
    for (side, seat) in [(Side::White, &mut *white), (Side::Black, &mut *black)] {
        match seat.begin(&opening_fen, stop) {
            Ok(()) => {}
            Err(Trouble::Stopped) => return Ok(None),
            Err(Trouble::Fault(fault)) => absent = absent.or(Some((side, fault))),
        }
    }
    let mut adjudicator = Adjudicator::new(endings.adjudication);
    let (result, termination) = loop {
        if stop() {
            return Ok(None);
        }
        // A player that cannot start forfeits.
        if let Some((side, fault)) = absent {
            break (side.other().into(), Termination::Forfeit(fault));
        }
        if let Some(outcome) = end_of_game(&position, &history, endings.draws) {
            break (outcome.into(), Termination::Rules(outcome.reason));
        }
        if endings
            .no_progress_plies
            .is_some_and(|limit| position.reversible_plies() >= limit as usize)
        {
            break (GameResult::Draw, Termination::NoProgress);
        }
        if let Some(tables) = &endings.tables
            && let Some(end) = tables.decide(&position)?
        {
            break end;
        }
        match adjudicator.decision() {
            Some(Decision::Win(side)) => break (side.into(), Termination::AdjudicatedWin),
            Some(Decision::Draw) => break (GameResult::Draw, Termination::AdjudicatedDraw),
            None => {}
        }
        if endings
            .max_plies
            .is_some_and(|limit| moves.len() >= limit as usize)
        {
            break (GameResult::Draw, Termination::MaxPlies);
        }
        let side = position.side_to_move();
        let (player, opponent) = match side {
            Side::White => (&mut *white, &mut *black),
            Side::Black => (&mut *black, &mut *white),
        };
        let turn = Turn {
            position: &position,
            history: &history,
            moves: &moves,
            clocks: &clocks,
            hurry: &|| false,
            wants_details: conduct.details,
            stop,
        };
        match opponent.ponder(&turn) {
            Ok(()) => {}
            Err(Trouble::Stopped) => return Ok(None),
            Err(Trouble::Fault(fault)) => break (side.into(), Termination::Forfeit(fault)),
        }
        let found = match player.think(&position, &turn) {
            Ok(found) => found,
            Err(Trouble::Stopped) => return Ok(None),
            Err(Trouble::Fault(fault)) => {
                break (side.other().into(), Termination::Forfeit(fault));
            }
        };
        nodes[side as usize] += found.nodes;
        if !clocks.spend(side, found.time) {
            break (side.other().into(), Termination::Forfeit(Fault::Time));
        }
        let Some(best) = found.best else {
            let outcome = position.end_without_moves();
            break (outcome.into(), Termination::Rules(outcome.reason));
        };
        moves.push(MoveNote {
            text: position.move_text(best),
            record: position.record_text(best),
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
            time: clocks.measured.then_some(found.time),
            left: clocks.left(side).map(|left| left.time),
            details: found.details,
        });
        adjudicator.see(side, found.score);
        history.push(position.repetition_key());
        position.play(best);
    };
    [white, black].into_iter().for_each(|seat| seat.end(stop));
    Ok(Some(PlayedGame {
        began,
        opening: opening_fen,
        first_mover: opening.side_to_move(),
        first_number: opening.move_number(),
        result,
        termination,
        moves,
        white_nodes: nodes[Side::White as usize],
        black_nodes: nodes[Side::Black as usize],
    }))
}

/// The end of a game by its rules, repetition included. `history` holds the repetition keys of
/// the earlier positions, oldest first.
pub fn end_of_game(
    position: &dyn crate::games::AnyPosition,
    history: &[u64],
    draws: DrawRules,
) -> Option<Outcome> {
    let facts = position.rules().facts();
    let (by_position, needed) = match draws {
        DrawRules::Claimed => (position.end_by_position(), facts.repetitions),
        DrawRules::Automatic => (
            position.automatic_end_by_position(),
            facts.automatic_repetitions,
        ),
    };
    if let Some(outcome) = by_position.or_else(|| position.end_by_moves()) {
        return Some(outcome);
    }
    let key = position.repetition_key();
    let earlier = history
        .iter()
        .rev()
        .take(position.reversible_plies())
        .filter(|earlier| **earlier == key)
        .count();
    (earlier + 1 >= usize::from(needed?)).then_some(Outcome::draw(EndReason::REPETITION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::Chess;
    use crate::games::{GameRules, Notation};

    /// How the game ends when these moves are played, and after how many of them.
    fn end_after(fen: &str, moves: &[&str], draws: DrawRules) -> (usize, Option<Outcome>) {
        let mut position = Chess::from_fen(fen).unwrap();
        let mut history = Vec::new();
        for (played, text) in moves.iter().enumerate() {
            if let Some(outcome) = end_of_game(&position, &history, draws) {
                return (played, Some(outcome));
            }
            let mv = position.parse_move(text).unwrap();
            history.push(position.repetition_key());
            position.play(mv);
        }
        (moves.len(), end_of_game(&position, &history, draws))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const DANCE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    fn repetition() -> Option<Outcome> {
        Some(Outcome::draw(EndReason::REPETITION))
    }

    #[test]
    fn a_claimed_draw_comes_with_the_third_occurrence_an_automatic_one_with_the_fifth() {
        let moves = DANCE.repeat(5);
        let claimed = end_after(START, &moves, DrawRules::Claimed);
        assert_eq!(claimed, (8, repetition()));
        let automatic = end_after(START, &moves, DrawRules::Automatic);
        assert_eq!(automatic, (16, repetition()));
    }

    #[test]
    fn a_position_that_lost_a_castling_right_is_another_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        // The rook's first trip costs the right; the count starts with its return.
        let moves = ["h1g1", "h8g8", "g1h1", "g8h8"].repeat(3);
        let (played, outcome) = end_after(fen, &moves, DrawRules::Claimed);
        assert_eq!(outcome, repetition());
        // After g1 and g8 both rights on that side are gone: plies 2, 6 and 10 are the same.
        assert_eq!(played, 10);
    }

    #[test]
    fn an_en_passant_right_counts_only_if_the_capture_is_legal() {
        let dance = ["g8f6", "g1f3", "f6g8", "f3g1"];
        // No black pawn is next to e4: the position after the double step counts at once.
        let mut plain = vec!["e2e4"];
        plain.extend(dance.repeat(3));
        assert_eq!(
            end_after(START, &plain, DrawRules::Claimed),
            (9, repetition())
        );
        // Here d4xe3 is possible once, so the first occurrence is another position.
        let taken = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            end_after(taken, &plain, DrawRules::Claimed),
            (10, repetition())
        );
        // And here the pawn is pinned to its king by the rook: it could never take.
        let pinned = "6n1/3k4/8/8/3p4/8/4P3/3RK1N1 w - - 0 1";
        assert_eq!(
            end_after(pinned, &plain, DrawRules::Claimed),
            (9, repetition())
        );
    }

    #[test]
    fn the_clock_ends_a_game_after_fifty_or_seventy_five_moves() {
        let quiet = "8/8/4k3/8/8/4K3/8/R7 w - - 99 80";
        let (played, outcome) = end_after(quiet, &["a1a2"], DrawRules::Claimed);
        assert_eq!(played, 1);
        assert_eq!(outcome, Some(Outcome::draw(EndReason::FIFTY_MOVE)));
        assert_eq!(end_after(quiet, &["a1a2"], DrawRules::Automatic).1, None);
        let longer = "8/8/4k3/8/8/4K3/8/R7 w - - 149 80";
        let (_, outcome) = end_after(longer, &["a1a2"], DrawRules::Automatic);
        assert_eq!(outcome, Some(Outcome::draw(EndReason::SEVENTY_FIVE_MOVE)));
    }

    #[test]
    fn mate_and_stalemate_on_the_last_ply_come_before_the_clock() {
        for (clock, draws) in [(99, DrawRules::Claimed), (149, DrawRules::Automatic)] {
            let mate = format!("7k/5ppp/8/8/8/8/8/R5K1 w - - {clock} 80");
            assert_eq!(
                end_after(&mate, &["a1a8"], draws).1,
                Some(Outcome::win(Side::White, EndReason::CHECKMATE))
            );
            let stalemate = format!("7k/8/8/6Q1/8/8/8/K7 w - - {clock} 80");
            assert_eq!(
                end_after(&stalemate, &["g5g6"], draws).1,
                Some(Outcome::draw(EndReason::STALEMATE))
            );
        }
    }
}
