//! The loop of a tuning run, shared by all methods: ask, play, tell, log. Steps in the log are not
//! played again.

use std::fmt;
use std::path::Path;

use super::arena::Arena;
use super::{Space, Tuner};
use crate::play::{Purpose, RunError, Stream};
use crate::record::{RecordError, Trajectory, TrajectoryColumns, TrajectoryRow};
use crate::stats::Pentanomial;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseEnd {
    /// The budget is used up, or the method has finished.
    Done,
    Interrupted,
}

/// Why a run failed.
#[derive(Debug)]
pub enum CourseError {
    Run(RunError),
    Record(RecordError),
}

impl fmt::Display for CourseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CourseError::Run(error) => error.fmt(f),
            CourseError::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CourseError {}

/// A tuning run in progress.
pub struct Course<'t> {
    pub tuner: &'t mut dyn Tuner,
    pub space: &'t Space,
    pub seed: u64,
    /// No further step starts after this many games; `None` leaves the end to the method.
    pub budget: Option<u64>,
    iteration: u64,
    games: u64,
    /// Whether the log contains the start.
    is_begun: bool,
}

impl<'t> Course<'t> {
    pub fn new(
        tuner: &'t mut dyn Tuner,
        space: &'t Space,
        seed: u64,
        budget: Option<u64>,
    ) -> Course<'t> {
        Course {
            tuner,
            space,
            seed,
            budget,
            iteration: 0,
            games: 0,
            is_begun: false,
        }
    }

    /// The columns of the trajectory.
    pub fn columns(&self) -> TrajectoryColumns {
        let figures = self.tuner.figures().iter();
        let parameters = self.space.parameters.iter();
        TrajectoryColumns {
            figures: figures.map(|name| name.to_string()).collect(),
            parameters: parameters.map(|it| it.name.clone()).collect(),
        }
    }

    pub fn iterations(&self) -> u64 {
        self.iteration
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    fn is_over(&self) -> bool {
        self.tuner.is_done() || self.budget.is_some_and(|budget| self.games >= budget)
    }

    /// Replays the log: restores the method's state from the logged results.
    pub fn replay(&mut self, log: &Path, rows: &[TrajectoryRow]) -> Result<(), RecordError> {
        let start = self.start_row();
        for (index, logged) in rows.iter().enumerate() {
            let is_start = index == 0 && start.is_some();
            let row = if is_start {
                start.clone()
            } else {
                self.step(|_, duels, _| {
                    let fits = duels.len() == logged.results.len();
                    Ok::<_, RecordError>(fits.then(|| logged.results.clone()))
                })?
            };
            // Compared as text: the log contains rounded numbers.
            if row.is_none_or(|row| row.cells() != logged.cells()) {
                return Err(RecordError::Row {
                    path: log.to_path_buf(),
                    line: index as u64 + 2,
                    message: "differs from what this run would have written: the log was edited or written by another version".to_string(),
                });
            }
        }
        self.is_begun = !rows.is_empty();
        Ok(())
    }

    fn start_row(&self) -> Option<TrajectoryRow> {
        Some(TrajectoryRow {
            iteration: 0,
            games: 0,
            figures: self.tuner.start_figures()?,
            results: Vec::new(),
            values: self.tuner.estimate(),
        })
    }

    /// Runs to the end. Calls `watch` with every row once it is on disk.
    pub fn run(
        &mut self,
        arena: &mut dyn Arena,
        log: &mut Trajectory,
        watch: &mut dyn FnMut(&TrajectoryRow, &dyn Tuner),
    ) -> Result<CourseEnd, CourseError> {
        if !self.is_begun
            && let Some(row) = self.start_row()
        {
            log.append(&row).map_err(CourseError::Record)?;
            watch(&row, self.tuner);
        }
        self.is_begun = true;
        while !self.is_over() {
            let row = self.step(|first_pair, duels, sharing| match duels {
                [] => Ok(Some(Vec::new())),
                duels => arena
                    .play(first_pair, duels, sharing)
                    .map_err(CourseError::Run),
            })?;
            let Some(row) = row else {
                return Ok(CourseEnd::Interrupted);
            };
            log.append(&row).map_err(CourseError::Record)?;
            watch(&row, self.tuner);
        }
        Ok(CourseEnd::Done)
    }

    /// One iteration; `None` if stopped.
    fn step<E>(
        &mut self,
        play: impl FnOnce(u64, &[super::Duel], usize) -> Result<Option<Vec<Pentanomial>>, E>,
    ) -> Result<Option<TrajectoryRow>, E> {
        let iteration = self.iteration + 1;
        let mut draws = Stream::new(self.seed, iteration, Purpose::Tuner);
        let duels = self.tuner.ask(&mut draws);
        let Some(results) = play(self.games / 2 + 1, &duels, self.tuner.sharing())? else {
            return Ok(None);
        };
        let figures = self.tuner.tell(&duels, &results);
        self.iteration = iteration;
        self.games += results.iter().map(Pentanomial::games).sum::<u64>();
        Ok(Some(TrajectoryRow {
            iteration,
            games: self.games,
            figures,
            results,
            values: self.tuner.estimate(),
        }))
    }
}
