//! The data of a tuning run.

use std::path::Path;

use crate::record::{
    Correlations, Grid, ParameterRow, RecordError, TrajectoryColumns, TrajectoryRow,
    read_trajectory,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Names of figures and parameters.
    pub columns: TrajectoryColumns,
    pub steps: Vec<TrajectoryRow>,
    pub parameters: Vec<ParameterRow>,
    pub correlations: Option<Correlations>,
    pub grid: Option<Grid>,
}

impl Tuning {
    /// Reads the run in a directory; `None` if it is not a tuning run.
    pub fn read(directory: &Path) -> Result<Option<Tuning>, RecordError> {
        let Some((columns, steps)) = read_trajectory(directory)? else {
            return Ok(None);
        };
        Ok(Some(Tuning {
            columns,
            steps,
            parameters: ParameterRow::read_all(directory)?,
            correlations: Correlations::read(directory)?,
            grid: Grid::read(directory)?,
        }))
    }

    /// Names of the parameters.
    pub fn names(&self) -> &[String] {
        &self.columns.parameters
    }

    pub fn parameter(&self, name: &str) -> Option<&ParameterRow> {
        self.parameters.iter().find(|found| found.name == name)
    }

    /// The index of a figure.
    pub fn figure(&self, name: &str) -> Option<usize> {
        let figures = &self.columns.figures;
        figures.iter().position(|figure| figure == name)
    }

    /// Number of steps, without the row of the start.
    pub fn iterations(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.iteration)
    }

    /// Number of games; 0 for methods without games.
    pub fn games(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.games)
    }
}
