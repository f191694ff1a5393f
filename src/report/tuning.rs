//! The files of a tuning run, as charts need them.

use std::path::Path;

/// A CSV file: its columns by name, cells as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CsvTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl CsvTable {
    /// `None` where there is no such file, or nothing in it.
    fn read(path: &Path) -> Option<CsvTable> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_path(path)
            .ok()?;
        let columns = reader.headers().ok()?.iter().map(str::to_string).collect();
        let rows: Vec<Vec<String>> = reader
            .records()
            .map_while(Result::ok)
            .map(|row| row.iter().map(str::to_string).collect())
            .collect();
        (!rows.is_empty()).then_some(CsvTable { columns, rows })
    }

    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn text(&self, row: usize, column: &str) -> &str {
        let at = self.columns.iter().position(|name| name == column);
        at.and_then(|at| self.rows[row].get(at))
            .map_or("", String::as_str)
    }

    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        let number: f64 = self.text(row, column).parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// The numbers of a column; rows without one are left out.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        (0..self.len())
            .filter_map(|row| self.number(row, column))
            .collect()
    }
}

/// One parameter of a tuning run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    pub name: String,
    pub start: f64,
    pub value: f64,
    pub error: Option<f64>,
    pub z: Option<f64>,
    /// Width of its range.
    pub width: f64,
}

/// A tuning run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    pub trajectory: CsvTable,
    pub parameters: Vec<Tuned>,
    pub correlations: Option<CsvTable>,
    pub sweep: Option<CsvTable>,
}

impl Tuning {
    /// The tuning run of a directory, if it is one.
    pub fn read(directory: &Path) -> Option<Tuning> {
        let trajectory = CsvTable::read(&directory.join("trajectory.csv"))?;
        let parameters = CsvTable::read(&directory.join("parameters.csv"))?;
        let tuned = |row: usize| {
            Some(Tuned {
                name: short_name(parameters.text(row, "parameter")),
                start: parameters.number(row, "start")?,
                value: parameters.number(row, "value")?,
                error: parameters.number(row, "error"),
                z: parameters.number(row, "z"),
                width: parameters.number(row, "high")? - parameters.number(row, "low")?,
            })
        };
        Some(Tuning {
            parameters: (0..parameters.len()).filter_map(tuned).collect(),
            trajectory,
            correlations: CsvTable::read(&directory.join("correlations.csv")),
            sweep: CsvTable::read(&directory.join("sweep.csv")),
        })
    }

    /// Games behind the trajectory; 0 for a fit.
    pub fn games(&self) -> u64 {
        self.trajectory
            .numbers("games")
            .last()
            .map_or(0, |games| *games as u64)
    }

    /// The places of the parameters that changed most, by z where it is known, at most so many.
    pub fn most_changed(&self, most: usize) -> Vec<usize> {
        let change = |index: &usize| {
            let tuned = &self.parameters[*index];
            tuned
                .z
                .unwrap_or((tuned.value - tuned.start) / tuned.width)
                .abs()
        };
        let mut order: Vec<usize> = (0..self.parameters.len()).collect();
        order.sort_by(|a, b| change(b).total_cmp(&change(a)).then(a.cmp(b)));
        order.truncate(most);
        order
    }
}

/// The usual prefix says nothing in a chart.
pub fn short_name(name: &str) -> String {
    name.strip_prefix("weights.").unwrap_or(name).to_string()
}
