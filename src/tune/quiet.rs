//! Quiet positions: those whose static eval agrees with quiescence search.

use super::parallel::map_chunks;
use super::positions::Labelled;
use crate::eval::catalog::GameId;
use crate::eval::{Evaluated, Evaluator, Score, Weights};
use crate::games::{AnyPosition, Game, MoveInfo};
use crate::search::MATE;
use crate::with_game;

/// How positions in the middle of an exchange are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Keep all positions.
    Off,
    /// Keep only positions whose quiescence score equals the static eval.
    Filter,
    /// Replace a position by the quiet leaf of its quiescence search.
    Resolve,
}

impl Quiet {
    pub const ALL: [Quiet; 3] = [Quiet::Off, Quiet::Filter, Quiet::Resolve];

    pub const fn name(self) -> &'static str {
        match self {
            Quiet::Off => "off",
            Quiet::Filter => "filter",
            Quiet::Resolve => "resolve",
        }
    }

    /// The position to learn from, if there is one.
    fn of<G: Game>(self, position: &G, evaluator: &mut dyn Evaluator<G>) -> Option<G> {
        if position.end().is_some() {
            return None;
        }
        if self == Quiet::Off {
            return Some(position.clone());
        }
        if position.in_check() {
            return None;
        }
        let (_, leaf) = quiesce(position, evaluator, -MATE, MATE, 0);
        let leaf = leaf?;
        match self {
            Quiet::Filter => (leaf == *position).then_some(leaf),
            _ => Some(leaf),
        }
    }
}

impl Quiet {
    /// The positions to learn from among many, on all cores.
    pub fn all_of(self, positions: Vec<Labelled>, judge: Judge<'_>) -> Vec<Labelled> {
        let quiet = map_chunks(positions.len(), &|range| {
            let Some(mut finder) = judge.finder(self) else {
                return Vec::new();
            };
            let positions = positions[range].iter();
            let quiet = positions.filter_map(|labelled| {
                let position = finder(labelled.position.as_ref())?;
                Some(Labelled {
                    position,
                    ..labelled.clone()
                })
            });
            quiet.collect::<Vec<_>>()
        });
        quiet.into_iter().flatten().collect()
    }
}

/// The evaluator that decides what is quiet.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'w> {
    pub game: GameId,
    pub preset: &'w str,
    pub weights: &'w Weights,
}

/// Finds positions to learn from, for one thread.
type Finder = Box<dyn FnMut(&dyn AnyPosition) -> Option<Box<dyn AnyPosition>>>;

impl Judge<'_> {
    /// `None` if the game has no such preset.
    fn finder(&self, quiet: Quiet) -> Option<Finder> {
        with_game!(self.game, G => self.finder_of::<G>(quiet))
    }

    fn finder_of<G: Evaluated>(&self, quiet: Quiet) -> Option<Finder> {
        let mut evaluator = (G::preset(self.preset)?.build)(self.weights, 0);
        Some(Box::new(move |position| {
            let found = quiet.of(position.of::<G>(), evaluator.as_mut())?;
            Some(Box::new(found))
        }))
    }
}

/// Maximum length of an exchange in plies.
const MOST_PLIES: usize = 40;

/// Quiescence: the score from the mover's side, and the position at the end of the PV; `None` if the
/// game ends there.
fn quiesce<G: Game>(
    position: &G,
    evaluator: &mut dyn Evaluator<G>,
    mut alpha: Score,
    beta: Score,
    ply: usize,
) -> (Score, Option<G>) {
    let mut moves: Vec<(G::Move, MoveInfo)> = Vec::new();
    if position.in_check() {
        position.for_each_move_with_info(|mv, info| moves.push((mv, info)));
    } else {
        position.for_each_noisy_move(|mv, info| moves.push((mv, info)));
    }
    if moves.is_empty() && !position.has_moves() {
        let outcome = position.end_without_moves();
        let score = match outcome.winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => ply as Score - MATE,
        };
        return (score, None);
    }
    let must_move = position.in_check() || (G::CAPTURES_FORCED && !moves.is_empty());
    let mut best = (-MATE, None);
    if !must_move || ply >= MOST_PLIES {
        best = (evaluator.evaluate(position), Some(position.clone()));
        alpha = alpha.max(best.0);
        if alpha >= beta || ply >= MOST_PLIES {
            return best;
        }
    }
    // Ranks with indices, not moves: one sort for all games.
    let rank = |(index, (_, info)): (usize, &(G::Move, MoveInfo))| {
        (-(i32::from(info.victim) + i32::from(info.promotion)), index)
    };
    let mut order: Vec<(i32, usize)> = moves.iter().enumerate().map(rank).collect();
    order.sort_unstable();
    for (_, index) in order {
        let mv = moves[index].0;
        let mut next = position.clone();
        next.play(mv);
        if next.end_by_position().is_some() {
            continue;
        }
        let (score, leaf) = quiesce(&next, evaluator, -beta, -alpha, ply + 1);
        let score = -score;
        if score > best.0 {
            best = (score, leaf);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(fen: &str, mode: Quiet) -> Option<String> {
        let game = GameId::Chess;
        let preset = game.evaluators().preset("material").expect("a preset");
        let judge = Judge {
            game,
            preset: preset.name(),
            weights: &Weights::defaults(preset.terms()),
        };
        let mut finder = judge.finder(mode).expect("a preset of the game");
        let position = game.rules().read_fen(fen).expect("a position");
        finder(position.as_ref()).map(|position| position.fen())
    }

    #[test]
    fn a_hanging_queen_is_not_quiet_and_is_taken_when_resolved() {
        let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(quiet(fen, Quiet::Filter), None);
        let leaf = quiet(fen, Quiet::Resolve).expect("a leaf");
        assert_eq!(leaf, "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
        assert!(quiet("4k3/8/8/3q4/8/4P3/8/4K3 w - - 0 1", Quiet::Filter).is_some());
    }

    #[test]
    fn checks_and_finished_games_are_left_out() {
        assert_eq!(
            quiet("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", Quiet::Filter),
            None
        );
        assert_eq!(quiet("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Quiet::Off), None);
    }
}
