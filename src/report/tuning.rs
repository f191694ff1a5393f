//! The data of a tuning run.

use std::path::Path;

use super::theme::{self, Colour};
use crate::record::{
    Correlations, Grid, ParameterRow, RecordError, Slice, TrajectoryColumns, TrajectoryRow,
    ValidationRow, read_trajectory,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Names of figures and parameters.
    pub columns: TrajectoryColumns,
    pub steps: Vec<TrajectoryRow>,
    pub parameters: Vec<ParameterRow>,
    pub correlations: Option<Correlations>,
    pub grid: Option<Grid>,
    /// Of a method with a model of the surface.
    pub slices: Vec<Slice>,
    pub validations: Vec<ValidationRow>,
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
            slices: Slice::read_all(directory)?,
            validations: ValidationRow::read_all(directory)?,
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

    /// What changes of a parameter are measured in: a hundredth of its range, so that parameters of
    /// different sizes fit one chart; 1 if the ranges are unknown.
    pub fn unit(&self, name: &str) -> f64 {
        if !self.ranges_are_known() {
            return 1.0;
        }
        let width = self.parameter(name).and_then(ParameterRow::width);
        width.map_or(1.0, |width| width / 100.0)
    }

    /// The unit of [`Tuning::unit`] on an axis.
    pub fn unit_name(&self) -> &'static str {
        match self.ranges_are_known() {
            true => "change from the start, in percent of the parameter's range",
            false => "change from the start, in the parameter's unit",
        }
    }

    fn ranges_are_known(&self) -> bool {
        let mut parameters = self.parameters.iter();
        !self.parameters.is_empty() && parameters.all(|found| found.width().is_some())
    }

    /// The colour of a parameter, the same in every chart: the largest moves have their own colours.
    pub fn colour(&self, name: &str) -> Colour {
        let size = |row: &ParameterRow| ((row.value - row.start) / self.unit(&row.name)).abs();
        let Some(own) = self.parameter(name).map(size) else {
            return theme::player(theme::DISTINCT);
        };
        let before = self.parameters.iter().take_while(|row| row.name != name);
        let after = self.parameters.iter().skip_while(|row| row.name != name);
        let rank = before.filter(|row| size(row) >= own).count()
            + after.skip(1).filter(|row| size(row) > own).count();
        theme::player(rank)
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
