//! Duels of a tuning run, played by workers.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::coordinator::{Coordinator, Course};
use super::error::ClusterError;
use super::wire::{Duels, Work};
use crate::play::{Experiment, RunError};
use crate::stats::Pentanomial;
use crate::tune::{Arena, Duel, Space, duel_experiment, pair_result};

pub struct ClusterArena<'a> {
    pub experiment: &'a Experiment,
    pub space: &'a Space,
    pub coordinator: &'a mut Coordinator,
    pub stop: &'a AtomicBool,
}

impl Arena for ClusterArena<'_> {
    fn play(
        &mut self,
        first_pair: u64,
        duels: &[Duel],
        sharing: usize,
    ) -> Result<Option<Vec<Pentanomial>>, RunError> {
        let experiment = duel_experiment(self.experiment, self.space, first_pair, duels, sharing);
        let all = experiment.schedule.pair_count();
        let mut results = vec![Pentanomial::default(); duels.len()];
        let mut played = 0;
        let course = Course {
            experiment: &experiment,
            work: Work::Duels(Duels::new(first_pair, duels, sharing)),
            range: first_pair..=first_pair + all - 1,
        };
        let is_over = || self.stop.load(Ordering::Relaxed);
        self.coordinator
            .play::<ClusterError>(&course, &is_over, |pair| {
                results[pair.pairing.first / 2].push(pair_result(&pair));
                played += 1;
                Ok(ControlFlow::Continue(()))
            })
            .map_err(|error| RunError::Elsewhere {
                message: error.to_string(),
            })?;
        Ok((played == all).then_some(results))
    }
}
