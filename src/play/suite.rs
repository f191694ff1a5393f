//! Makes suites of balanced openings: random or all candidates, kept if a search scores them as
//! balanced, each position once.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::openings::random_walk;
use super::player::SearchSpec;
use super::runner::{RunError, Runner};
use super::stream::{Purpose, Stream};
use super::worker::Worker;
use crate::eval::Score;
use crate::games::{AnyGame, AnyPosition};
use crate::search::Limit;

/// The source of a suite's candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// This many random moves, until `count` openings are found.
    Random { plies: u32, count: usize, seed: u64 },
    /// Every position that this many moves can lead to, in the order of the move generator.
    All { plies: u32 },
}

/// The requirements of a suite.
#[derive(Clone, Copy, Debug)]
pub struct SuiteRules<'s> {
    pub candidates: Candidates,
    /// Kept if the score is at least this for one side, in score steps; 0 for balanced suites.
    pub least: Score,
    /// And below this for either side.
    pub bound: Score,
    /// Scores the candidates.
    pub judge: &'s SearchSpec,
    /// The limit of each judging search.
    pub limit: Limit,
}

/// A judged candidate.
#[derive(Clone, Debug)]
pub struct Judged {
    pub position: Box<dyn AnyPosition>,
    /// From the mover's side, in score steps.
    pub score: Score,
}

/// Whether a candidate became an opening.
#[derive(Clone, Debug)]
pub enum Seen {
    Kept(Judged),
    Refused,
}

/// Consecutive random candidates without a new position after which a suite counts as complete.
const PATIENCE: u64 = 2_000;

/// Makes a suite. Calls `seen` for every candidate in order; the openings do not depend on the number
/// of threads. Ends when enough are found, when candidates run out, or when `stop` is set.
pub fn make_suite<E: From<RunError>>(
    rules: &SuiteRules<'_>,
    runner: &mut Runner,
    stop: &AtomicBool,
    mut seen: impl FnMut(Seen),
) -> Result<(), E> {
    let game = runner.rules();
    let listed = match rules.candidates {
        Candidates::All { plies } => all_positions(game, plies),
        Candidates::Random { .. } => Vec::new(),
    };
    let (last, wanted) = match rules.candidates {
        Candidates::Random { count, .. } => (u64::MAX - 1, count),
        Candidates::All { .. } => (listed.len() as u64, usize::MAX),
    };
    let work = |worker: &mut dyn Worker, number: u64, _: &dyn Fn() -> bool| {
        let candidate = match rules.candidates {
            Candidates::Random { plies, seed, .. } => random_walk(
                game,
                plies,
                &mut Stream::new(seed, number, Purpose::Opening),
            ),
            Candidates::All { .. } => Some(listed[number as usize - 1].clone()),
        };
        let judged = candidate.map(|position| judge(rules, worker, position));
        Ok(Some(judged.transpose()?.flatten()))
    };
    let mut positions = HashSet::new();
    let mut misses = 0;
    runner.in_order(1..=last, stop, work, |judged: Option<Judged>| {
        let new = judged.filter(|judged| positions.insert(judged.position.hash()));
        misses = if new.is_some() { 0 } else { misses + 1 };
        seen(new.map_or(Seen::Refused, Seen::Kept));
        Ok(if positions.len() >= wanted || misses >= PATIENCE {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })
}

/// The position with its score, if that is within the bound.
fn judge(
    rules: &SuiteRules<'_>,
    worker: &mut dyn Worker,
    position: Box<dyn AnyPosition>,
) -> Result<Option<Judged>, RunError> {
    let score = worker.judge(rules.judge, rules.limit, position.as_ref())?;
    let kept = score.filter(|score| (rules.least..rules.bound).contains(&score.abs()));
    Ok(kept.map(|score| Judged { position, score }))
}

/// Every position that this many moves can lead to, once, without finished games.
fn all_positions(game: &dyn AnyGame, plies: u32) -> Vec<Box<dyn AnyPosition>> {
    let starts = 0..game.facts().starts;
    let mut positions: Vec<_> = starts.map(|index| game.start(index)).collect();
    for _ in 0..plies {
        let mut known = HashSet::new();
        let mut next = Vec::new();
        for position in positions {
            for number in 0..position.count_moves() as usize {
                let mut after = position.clone();
                if after.play(number) && known.insert(after.hash()) && after.end().is_none() {
                    next.push(after);
                }
            }
        }
        positions = next;
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::any;
    use crate::games::chess::Chess;
    use crate::games::draughts::English;

    #[test]
    fn all_positions_are_found_once() {
        // Known numbers of distinct positions; an en passant square counts if it can be used.
        assert_eq!(all_positions(any::rules::<Chess>(), 1).len(), 20);
        assert_eq!(all_positions(any::rules::<Chess>(), 2).len(), 400);
        assert_eq!(all_positions(any::rules::<Chess>(), 3).len(), 5362);
        assert_eq!(all_positions(any::rules::<English>(), 1).len(), 7);
        assert_eq!(all_positions(any::rules::<English>(), 2).len(), 49);
    }
}
