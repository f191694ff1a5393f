//! The stages of a race, see [`crate::stats::Race`]: which pairs are played in which opening.

use super::schedule::{Pairing, Schedule};
use crate::stats::{Race, RaceStage};

/// The pairs of a stage, all of an opening next to each other.
pub(super) fn schedule(race: &Race, first_pair: u64) -> Option<Schedule> {
    let RaceStage {
        pairings,
        times,
        width,
        openings_before,
        ..
    } = race.stage()?;
    let pairings = pairings.iter();
    let pairings = pairings.map(|&(first, second)| Pairing { first, second });
    let stage = Schedule::round(pairings.collect(), *times, first_pair);
    Some(stage.with_openings_of(*width as u64, *openings_before))
}
