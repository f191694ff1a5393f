//! What the files of a tuning run say: `trajectory.csv`, and beside it `parameters.csv`,
//! `correlations.csv` and `sweep.csv` where the method wrote them.

use std::path::Path;

use crate::record::RecordError;

/// One iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub iteration: f64,
    /// Games played so far; 0 for a method that plays none.
    pub games: f64,
    /// In the order of [`Tuning::figures`].
    pub figures: Vec<Option<f64>>,
    /// In the order of [`Tuning::names`].
    pub values: Vec<f64>,
}

/// What became of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub start: f64,
    pub value: f64,
    /// Width of the range that was searched.
    pub width: Option<f64>,
    /// Standard error.
    pub error: Option<f64>,
    pub z: Option<f64>,
}

/// One point of a grid: the values tried, and what they were worth.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPoint {
    pub values: Vec<f64>,
    pub pairs: f64,
    /// Elo against the start, and half of its 95 % interval.
    pub elo: f64,
    pub elo_error: f64,
    /// The same of the curve through all points.
    pub curve: f64,
    pub curve_error: f64,
}

/// Names, and the correlation of each two, by row and column.
pub type Correlations = (Vec<String>, Vec<Vec<Option<f64>>>);

/// Names of the swept parameters, and the points.
pub type Grid = (Vec<String>, Vec<GridPoint>);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Of the figures that each step reports.
    pub figures: Vec<String>,
    /// Of the parameters.
    pub names: Vec<String>,
    pub steps: Vec<Step>,
    pub parameters: Vec<Parameter>,
    pub correlations: Option<Correlations>,
    pub grid: Option<Grid>,
}

/// A table of texts with the line of each row.
struct Sheet {
    header: Vec<String>,
    rows: Vec<(u64, Vec<String>)>,
}

impl Sheet {
    /// `None` if there is no such file.
    fn read(path: &Path) -> Result<Option<Sheet>, RecordError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |error: csv::Error| RecordError::csv(path, &error);
        let mut reader = csv::Reader::from_path(path).map_err(failed)?;
        let header = reader.headers().map_err(failed)?;
        let header = header.iter().map(str::to_string).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(failed)?;
            let line = record.position().map_or(0, csv::Position::line);
            rows.push((line, record.iter().map(str::to_string).collect()));
        }
        Ok(Some(Sheet { header, rows }))
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }
}

/// A number that must be there.
fn number(path: &Path, line: u64, cells: &[String], column: usize) -> Result<f64, RecordError> {
    let text = cells.get(column).map_or("", String::as_str);
    let value = text
        .trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| RecordError::Row {
        path: path.to_path_buf(),
        line,
        message: format!("`{text}` in cell {} is not a number", column + 1),
    })
}

fn maybe(cells: &[String], column: Option<usize>) -> Option<f64> {
    let text = cells.get(column?)?;
    text.trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}

impl Tuning {
    /// Of the run in a directory; `None` if it is not one of tuning.
    pub fn read(directory: &Path) -> Result<Option<Tuning>, RecordError> {
        let path = directory.join("trajectory.csv");
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(None);
        };
        let results = sheet.column("results").unwrap_or(1);
        let mut tuning = Tuning {
            figures: sheet.header.get(2..results).unwrap_or(&[]).to_vec(),
            names: sheet.header.get(results + 1..).unwrap_or(&[]).to_vec(),
            ..Tuning::default()
        };
        for (line, cells) in &sheet.rows {
            let values =
                (results + 1..sheet.header.len()).map(|at| number(&path, *line, cells, at));
            tuning.steps.push(Step {
                iteration: number(&path, *line, cells, 0)?,
                games: number(&path, *line, cells, 1)?,
                figures: (2..results).map(|at| maybe(cells, Some(at))).collect(),
                values: values.collect::<Result<_, _>>()?,
            });
        }
        tuning.parameters = read_parameters(&directory.join("parameters.csv"))?;
        tuning.correlations = read_correlations(&directory.join("correlations.csv"))?;
        tuning.grid = read_grid(&directory.join("sweep.csv"))?;
        Ok(Some(tuning))
    }

    /// The place of a figure among those that each step reports.
    pub fn figure(&self, name: &str) -> Option<usize> {
        self.figures.iter().position(|figure| figure == name)
    }

    /// Steps taken; the row of the start is none.
    pub fn iterations(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.iteration as u64)
    }

    /// Games played; 0 for a method that plays none.
    pub fn games(&self) -> f64 {
        self.steps.last().map_or(0.0, |step| step.games)
    }
}

fn read_parameters(path: &Path) -> Result<Vec<Parameter>, RecordError> {
    let Some(sheet) = Sheet::read(path)? else {
        return Ok(Vec::new());
    };
    let (error, z) = (sheet.column("error"), sheet.column("z"));
    let (low, high) = (sheet.column("low"), sheet.column("high"));
    let each = sheet.rows.iter().map(|(line, cells)| {
        Ok(Parameter {
            name: cells.first().cloned().unwrap_or_default(),
            start: number(path, *line, cells, 1)?,
            value: number(path, *line, cells, 2)?,
            width: maybe(cells, high)
                .zip(maybe(cells, low))
                .map(|(high, low)| high - low)
                .filter(|width| *width > 0.0),
            error: maybe(cells, error),
            z: maybe(cells, z),
        })
    });
    each.collect()
}

fn read_correlations(path: &Path) -> Result<Option<Correlations>, RecordError> {
    let Some(sheet) = Sheet::read(path)? else {
        return Ok(None);
    };
    let mut names: Vec<String> = Vec::new();
    for (_, cells) in &sheet.rows {
        if let Some(name) = cells.first()
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    let mut table = vec![vec![None; names.len()]; names.len()];
    let place = |name: Option<&String>| names.iter().position(|known| Some(known) == name);
    for (_, cells) in &sheet.rows {
        if let (Some(row), Some(column)) = (place(cells.first()), place(cells.get(1))) {
            table[row][column] = maybe(cells, Some(2));
        }
    }
    Ok((!names.is_empty()).then_some((names, table)))
}

fn read_grid(path: &Path) -> Result<Option<Grid>, RecordError> {
    let Some(sheet) = Sheet::read(path)? else {
        return Ok(None);
    };
    let Some(first) = sheet.column("pairs") else {
        return Ok(None);
    };
    let mut points = Vec::new();
    for (line, cells) in &sheet.rows {
        let at = |column: usize| number(path, *line, cells, column);
        points.push(GridPoint {
            values: (0..first).map(at).collect::<Result<_, _>>()?,
            pairs: at(first)?,
            elo: at(first + 1)?,
            elo_error: at(first + 2)?,
            curve: at(first + 3)?,
            curve_error: at(first + 4)?,
        });
    }
    Ok(Some((sheet.header[..first].to_vec(), points)))
}
