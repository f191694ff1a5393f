//! The arena plays duels: real games, or in tests a simulated surface of known strength.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::{Duel, Space};
use crate::play::{
    self, Experiment, Openings, Pairing, Purpose, RunError, Runner, Schedule, Stream,
};
use crate::record::{Side, player_result};
use crate::stats::{PairResult, Pentanomial};

pub trait Arena {
    /// The results of duels whose pairs are numbered from `first_pair`, each from the first player's
    /// side; `None` if stopped. As many duels in a row as `sharing` play the same opening, if it is more
    /// than one.
    fn play(
        &mut self,
        first_pair: u64,
        duels: &[Duel],
        sharing: usize,
    ) -> Result<Option<Vec<Pentanomial>>, RunError>;
}

/// Plays duels of a game with the openings and draw rules of an experiment.
pub struct GameArena<'a> {
    pub experiment: &'a Experiment,
    pub space: &'a Space,
    pub runner: &'a mut Runner,
    pub stop: &'a AtomicBool,
}

impl Arena for GameArena<'_> {
    fn play(
        &mut self,
        first_pair: u64,
        duels: &[Duel],
        sharing: usize,
    ) -> Result<Option<Vec<Pentanomial>>, RunError> {
        let experiment = duel_experiment(self.experiment, self.space, first_pair, duels, sharing);
        let range = first_pair..=first_pair + experiment.schedule.pair_count() - 1;
        let all = experiment.schedule.pair_count();
        let mut results = vec![Pentanomial::default(); duels.len()];
        let mut played = 0;
        self.runner.run::<_, RunError>(
            &experiment,
            range,
            self.stop,
            |pair| (pair.pairing.first / 2, pair_result(&pair)),
            |(duel, result)| {
                results[duel].push(result);
                played += 1;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok((played == all).then_some(results))
    }
}

/// The experiment whose pairings are the duels.
pub fn duel_experiment(
    experiment: &Experiment,
    space: &Space,
    first_pair: u64,
    duels: &[Duel],
    sharing: usize,
) -> Experiment {
    let pairs_each = duels.first().map_or(0, |duel| duel.pairs);
    let mut players = Vec::new();
    let mut pairings = Vec::new();
    for duel in duels {
        let first = players.len();
        pairings.push(Pairing {
            first,
            second: first + 1,
        });
        players.push(space.player_with(&duel.one));
        players.push(space.player_with(&duel.other));
    }
    let all = pairs_each * duels.len() as u64;
    let (openings, schedule) = match sharing {
        0 | 1 => (
            openings_from(&experiment.openings, first_pair, all),
            Schedule::of(pairings, pairs_each),
        ),
        // Numbers of openings below those of the pairs: validation has others.
        width => (
            experiment.openings.clone(),
            Schedule::sharing(pairings, width as u64, first_pair),
        ),
    };
    Experiment {
        openings,
        players,
        schedule,
        ..experiment.clone()
    }
}

/// A pair from its first player's side.
pub fn pair_result(pair: &play::PlayedPair) -> PairResult {
    let [one, two] = &pair.games;
    PairResult::of(
        player_result(one.result, Side::White),
        player_result(two.result, Side::Black),
    )
}

/// Openings for `count` pairs from `first_pair` on: listed ones in order.
fn openings_from(openings: &Openings, first_pair: u64, count: u64) -> Openings {
    match openings {
        Openings::Listed { fens } => {
            let place = |pair: u64| ((pair - 1) % fens.len().max(1) as u64) as usize;
            let pairs = first_pair..first_pair + count;
            let fens = pairs
                .filter_map(|pair| fens.get(place(pair)).cloned())
                .collect();
            Openings::Listed { fens }
        }
        other => other.clone(),
    }
}

/// Openings that neither tuning nor its data have used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreshOpenings {
    pub fens: Vec<String>,
    /// Openings left out because tuning or its data have used them.
    pub excluded: u64,
}

/// Up to `wanted` openings that pairs 1 to `used` of an experiment did not use and whose hashes are
/// not among those `taken`.
pub fn draw_fresh_openings(
    runner: &mut Runner,
    experiment: &Experiment,
    used: u64,
    mut taken: HashSet<u64>,
    wanted: u64,
) -> Result<FreshOpenings, RunError> {
    let mut draw = |pair: u64, purpose: Purpose| {
        let mut draws = Stream::new(experiment.seed, pair, purpose);
        runner.draw_opening(&openings_from(&experiment.openings, pair, 1), 0, &mut draws)
    };
    for pair in 1..=used {
        taken.insert(draw(pair, Purpose::Opening)?.hash());
    }
    let mut fresh = FreshOpenings::default();
    let (mut drawn, mut left_out) = (HashSet::new(), HashSet::new());
    // Listed openings continue after the last one used, once around the list; random ones come from
    // a separate stream.
    let tries = match experiment.openings.listed() as u64 {
        0 => wanted.saturating_mul(4),
        listed => listed,
    };
    for pair in used + 1..=used + tries {
        let opening = draw(pair, Purpose::Validation)?;
        let hash = opening.hash();
        if taken.contains(&hash) {
            left_out.insert(hash);
        } else if drawn.insert(hash) {
            fresh.fens.push(opening.fen());
        }
        if fresh.fens.len() as u64 == wanted {
            break;
        }
    }
    fresh.excluded = left_out.len() as u64;
    Ok(fresh)
}
