//! The course of a tuning run, the same for every method: ask, play, tell, log. What the log
//! holds is never played again.

use std::fmt;

use super::arena::Arena;
use super::{Space, Tuner};
use crate::play::{Purpose, RunError, Stream};
use crate::record::{RecordError, Trajectory};
use crate::stats::Pentanomial;

/// One iteration as the trajectory holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Numbered from 1; 0 is the start, of methods that know its figures.
    pub iteration: u64,
    /// Played since the beginning of the run.
    pub games: u64,
    pub figures: Vec<Option<f64>>,
    pub results: Vec<Pentanomial>,
    pub values: Vec<f64>,
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.iteration.to_string(), self.games.to_string()];
        cells.extend(self.figures.iter().map(|figure| super::cell(*figure)));
        let results: Vec<String> = self.results.iter().map(counts_text).collect();
        cells.push(results.join(" "));
        cells.extend(self.values.iter().map(|value| format!("{value:.6}")));
        cells
    }
}

fn counts_text(pairs: &Pentanomial) -> String {
    let counts = pairs.to_array().map(|count| count.to_string());
    counts.join("-")
}

fn read_counts(text: &str) -> Option<Vec<Pentanomial>> {
    let read = |text: &str| {
        let counts: Option<Vec<u64>> = text.split('-').map(|count| count.parse().ok()).collect();
        Some(Pentanomial::from_array(counts?.try_into().ok()?))
    };
    text.split_whitespace().map(read).collect()
}

/// How a course ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseEnd {
    /// The budget is spent, or the method has nothing left to do.
    Done,
    Interrupted,
}

/// Why a course broke off.
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

/// A tuning run under way.
pub struct Course<'t> {
    pub tuner: &'t mut dyn Tuner,
    pub space: &'t Space,
    pub seed: u64,
    /// Games after which no further step is begun; `None` leaves the end to the method.
    pub budget: Option<u64>,
    iteration: u64,
    games: u64,
    /// The log holds the start.
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
    pub fn columns(&self) -> Vec<String> {
        let mut columns = vec!["iteration".to_string(), "games".to_string()];
        columns.extend(self.tuner.figures().iter().map(|name| name.to_string()));
        columns.push("results".to_string());
        columns.extend(self.space.parameters.iter().map(|p| p.name.clone()));
        columns
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

    /// Brings the method to where the log ends, from the results in it.
    pub fn replay(&mut self, log: &Trajectory, rows: &[Vec<String>]) -> Result<(), RecordError> {
        const CHANGED: &str = "not what this run would have written: the log was changed, or comes from another version";
        let at = 2 + self.tuner.figures().len();
        let start = self.start_row();
        for (index, cells) in rows.iter().enumerate() {
            let wrong = |message: &str| RecordError::Row {
                path: log.path().to_path_buf(),
                line: index as u64 + 2,
                message: message.to_string(),
            };
            if let (0, Some(start)) = (index, &start) {
                if start.cells() != *cells {
                    return Err(wrong(CHANGED));
                }
                continue;
            }
            let results = cells.get(at).and_then(|text| read_counts(text));
            let results = results.ok_or_else(|| wrong("the results do not read as counts"))?;
            let row = self.step(|_, duels| {
                let fits = duels.len() == results.len();
                Ok::<_, RecordError>(fits.then_some(results))
            })?;
            let same = row.is_some_and(|row| row.cells() == *cells);
            if !same {
                return Err(wrong(CHANGED));
            }
        }
        self.is_begun = !rows.is_empty();
        Ok(())
    }

    fn start_row(&self) -> Option<Row> {
        Some(Row {
            iteration: 0,
            games: 0,
            figures: self.tuner.start_figures()?,
            results: Vec::new(),
            values: self.tuner.estimate(),
        })
    }

    /// Goes on to the end. `watch` sees every row once it is on disk.
    pub fn run(
        &mut self,
        arena: &mut dyn Arena,
        log: &mut Trajectory,
        watch: &mut dyn FnMut(&Row, &dyn Tuner),
    ) -> Result<CourseEnd, CourseError> {
        if !self.is_begun
            && let Some(row) = self.start_row()
        {
            log.append(&row.cells()).map_err(CourseError::Record)?;
            watch(&row, self.tuner);
        }
        self.is_begun = true;
        while !self.is_over() {
            let row = self.step(|first_pair, duels| match duels {
                [] => Ok(Some(Vec::new())),
                duels => arena.play(first_pair, duels).map_err(CourseError::Run),
            })?;
            let Some(row) = row else {
                return Ok(CourseEnd::Interrupted);
            };
            log.append(&row.cells()).map_err(CourseError::Record)?;
            watch(&row, self.tuner);
        }
        Ok(CourseEnd::Done)
    }

    /// One iteration; `None` if the games were broken off.
    fn step<E>(
        &mut self,
        play: impl FnOnce(u64, &[super::Duel]) -> Result<Option<Vec<Pentanomial>>, E>,
    ) -> Result<Option<Row>, E> {
        let iteration = self.iteration + 1;
        let mut draws = Stream::new(self.seed, iteration, Purpose::Tuner);
        let duels = self.tuner.ask(&mut draws);
        let Some(results) = play(self.games / 2 + 1, &duels)? else {
            return Ok(None);
        };
        let figures = self.tuner.tell(&duels, &results);
        self.iteration = iteration;
        self.games += results.iter().map(Pentanomial::games).sum::<u64>();
        Ok(Some(Row {
            iteration,
            games: self.games,
            figures,
            results,
            values: self.tuner.estimate(),
        }))
    }
}
