//! `slices.csv`: what a model of a tuning run says of each parameter by itself.

use std::path::Path;

use super::error::RecordError;
use super::run_files::RunFiles;
use super::sheet::{Sheet, write_table};

const SLICES: &str = "slices.csv";
const COLUMNS: [&str; 5] = ["parameter", "value", "elo", "elo_error", "effect"];

/// The effect of one parameter, all others averaged out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    pub name: String,
    /// Standard deviation of Elo over the parameter's range: its importance.
    pub effect: f64,
    pub points: Vec<SlicePoint>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlicePoint {
    pub value: f64,
    /// Against the start value.
    pub elo: f64,
    /// Half of its 95 % interval.
    pub error: f64,
}

impl Slice {
    pub fn write_all(files: &mut RunFiles, slices: &[Slice]) -> Result<(), RecordError> {
        let rows = slices.iter().flat_map(|slice| {
            slice.points.iter().map(|point| {
                let figures = [point.elo, point.error, slice.effect];
                let mut cells = vec![slice.name.clone(), format!("{:.6}", point.value)];
                cells.extend(figures.map(|figure| format!("{figure:.4}")));
                cells
            })
        });
        write_table(files, SLICES, &COLUMNS.map(str::to_string), rows)
    }

    /// Reads `slices.csv`; none if there is no such file.
    pub fn read_all(directory: &Path) -> Result<Vec<Slice>, RecordError> {
        let path = directory.join(SLICES);
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(Vec::new());
        };
        let mut slices: Vec<Slice> = Vec::new();
        for row in &sheet.rows {
            let name = sheet.text(row, "parameter");
            if slices.last().is_none_or(|slice| slice.name != name) {
                slices.push(Slice {
                    name: name.to_string(),
                    effect: sheet.number(row, "effect")?,
                    points: Vec::new(),
                });
            }
            let point = SlicePoint {
                value: sheet.number(row, "value")?,
                elo: sheet.number(row, "elo")?,
                error: sheet.number(row, "elo_error")?,
            };
            if let Some(slice) = slices.last_mut() {
                slice.points.push(point);
            }
        }
        Ok(slices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let slice = |name: &str| Slice {
            name: name.to_string(),
            effect: 3.5,
            points: vec![
                SlicePoint {
                    value: -1.5,
                    elo: 2.25,
                    error: 4.0,
                };
                2
            ],
        };
        let slices = vec![slice("a, b"), slice("c")];
        let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
        Slice::write_all(&mut files, &slices).unwrap();
        assert_eq!(Slice::read_all(folder.path()).unwrap(), slices);
    }
}
