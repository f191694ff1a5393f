//! The rows of the files of a tuning run: `trajectory.csv`, `parameters.csv`, `correlations.csv`
//! and `sweep.csv`.

use std::path::Path;

use super::checksums::Unit;
use super::error::RecordError;
use super::figures::decimal_or_blank;
use super::run_files::RunFiles;
use super::sheet::{Sheet, finite, write_table};
use super::verify::read_units;
use crate::stats::Pentanomial;

/// Decimals of a parameter's values.
const DECIMALS: usize = 6;

fn exact(value: f64) -> String {
    format!("{value:.DECIMALS$}")
}

/// The columns of `trajectory.csv` that differ between runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrajectoryColumns {
    /// The figures of the method.
    pub figures: Vec<String>,
    pub parameters: Vec<String>,
}

/// One iteration of `trajectory.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct TrajectoryRow {
    /// Numbered from 1; 0 is the start, for methods that report its figures.
    pub iteration: u64,
    /// Games since the start of the run; 0 for methods without games.
    pub games: u64,
    /// In the order of [`TrajectoryColumns::figures`].
    pub figures: Vec<Option<f64>>,
    /// Of each duel, from its first player's side.
    pub results: Vec<Pentanomial>,
    /// In the order of [`TrajectoryColumns::parameters`].
    pub values: Vec<f64>,
}

impl TrajectoryColumns {
    pub fn header(&self) -> Vec<String> {
        let mut header = vec!["iteration".to_string(), "games".to_string()];
        header.extend_from_slice(&self.figures);
        header.push("results".to_string());
        header.extend_from_slice(&self.parameters);
        header
    }

    /// The columns that a header names.
    fn of(header: &[String]) -> Option<TrajectoryColumns> {
        let results = header.iter().position(|column| column == "results")?;
        Some(TrajectoryColumns {
            figures: header.get(2..results)?.to_vec(),
            parameters: header[results + 1..].to_vec(),
        })
    }

    /// The row in these cells, which are as many as there are columns.
    fn row(&self, cells: &[String]) -> Result<TrajectoryRow, String> {
        let number =
            |text: &String| finite(text.trim()).ok_or_else(|| format!("`{text}` is not a number"));
        let whole = |text: &String| {
            let read = text.trim().parse();
            read.map_err(|_| format!("`{text}` is not a whole number"))
        };
        let results = 2 + self.figures.len();
        let figure = |text: &String| match text.trim() {
            "" => Ok(None),
            _ => number(text).map(Some),
        };
        Ok(TrajectoryRow {
            iteration: whole(&cells[0])?,
            games: whole(&cells[1])?,
            figures: cells[2..results]
                .iter()
                .map(figure)
                .collect::<Result<_, _>>()?,
            results: read_counts(&cells[results])
                .ok_or_else(|| format!("`{}`: the results are not counts", cells[results]))?,
            values: cells[results + 1..]
                .iter()
                .map(number)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl TrajectoryRow {
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.iteration.to_string(), self.games.to_string()];
        let figures = self.figures.iter();
        let known = |figure: &Option<f64>| figure.filter(|value| value.is_finite());
        cells.extend(figures.map(|figure| known(figure).map_or_else(String::new, exact)));
        let results: Vec<String> = self.results.iter().map(counts_text).collect();
        cells.push(results.join(" "));
        cells.extend(self.values.iter().map(|value| exact(*value)));
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

impl TrajectoryColumns {
    /// The row in a line of the file.
    pub fn read_line(
        &self,
        path: &Path,
        line: u64,
        bytes: &[u8],
    ) -> Result<TrajectoryRow, RecordError> {
        let wrong = |message: String| RecordError::Row {
            path: path.to_path_buf(),
            line,
            message,
        };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(bytes);
        let mut record = csv::StringRecord::new();
        let read = reader.read_record(&mut record);
        read.map_err(|error| RecordError::csv(path, &error).at_line(line))?;
        let cells: Vec<String> = record.iter().map(str::to_string).collect();
        let expected = self.header().len();
        if cells.len() != expected {
            return Err(wrong(format!("{} cells, expected {expected}", cells.len())));
        }
        self.row(&cells).map_err(wrong)
    }
}

/// The rows of a `trajectory.csv` in its bytes.
pub(super) fn trajectory_rows(
    path: &Path,
    bytes: &[u8],
) -> Result<(TrajectoryColumns, Vec<TrajectoryRow>), RecordError> {
    let sheet = Sheet::of(path, bytes)?;
    let columns = TrajectoryColumns::of(&sheet.header).ok_or_else(|| {
        let message = "no column `results`: not the log of a tuning run".to_string();
        sheet.refuse(1, message)
    })?;
    let rows = sheet.rows.iter().map(|row| {
        let read = columns.row(&row.cells);
        read.map_err(|message| sheet.refuse(row.line, message))
    });
    let rows = rows.collect::<Result<_, _>>()?;
    Ok((columns, rows))
}

/// Reads `trajectory.csv`; `None` if there is no such file.
pub fn read_trajectory(
    directory: &Path,
) -> Result<Option<(TrajectoryColumns, Vec<TrajectoryRow>)>, RecordError> {
    let path = directory.join("trajectory.csv");
    if !path.exists() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let checked = read_units(directory, Unit::Row, &mut |_, _, row| {
        bytes.extend_from_slice(row);
        Ok(())
    })?;
    if checked.is_none() {
        bytes = std::fs::read(&path).map_err(|error| RecordError::io(&path, &error))?;
    }
    trajectory_rows(&path, &bytes).map(Some)
}

/// One row of `parameters.csv`: the outcome of a parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterRow {
    pub name: String,
    pub start: f64,
    pub value: f64,
    /// The searched range.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Standard error.
    pub error: Option<f64>,
    /// Standard errors between start and value.
    pub z: Option<f64>,
    /// Number of positions in which the term occurs.
    pub support: Option<u64>,
    pub note: String,
    /// Ends of the 95 % interval of the value, where the method knows them.
    pub interval: Option<(f64, f64)>,
    /// P-value of the change, adjusted for the number of parameters (Holm).
    pub p_holm: Option<f64>,
}

const PARAMETERS: &str = "parameters.csv";

impl ParameterRow {
    const COLUMNS: [&str; 12] = [
        "parameter",
        "start",
        "value",
        "low",
        "high",
        "error",
        "z",
        "support",
        "note",
        "value_low",
        "value_high",
        "p_holm",
    ];

    /// Width of the searched range.
    pub fn width(&self) -> Option<f64> {
        Some(self.high? - self.low?).filter(|width| *width > 0.0)
    }

    /// Writes `parameters.csv`.
    pub fn write_all(files: &mut RunFiles, rows: &[ParameterRow]) -> Result<(), RecordError> {
        let cells = |row: &ParameterRow| {
            let end = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
            let number = |value: Option<f64>| value.map_or_else(String::new, exact);
            let support = row
                .support
                .map_or_else(String::new, |count| count.to_string());
            vec![
                row.name.clone(),
                exact(row.start),
                exact(row.value),
                end(row.low),
                end(row.high),
                number(row.error),
                number(row.z),
                support,
                row.note.clone(),
                number(row.interval.map(|(low, _)| low)),
                number(row.interval.map(|(_, high)| high)),
                number(row.p_holm),
            ]
        };
        let header = ParameterRow::COLUMNS.map(str::to_string);
        write_table(files, PARAMETERS, &header, rows.iter().map(cells))
    }

    /// Reads `parameters.csv`; no rows if there is no such file.
    pub fn read_all(directory: &Path) -> Result<Vec<ParameterRow>, RecordError> {
        let path = directory.join(PARAMETERS);
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(Vec::new());
        };
        let rows = sheet.rows.iter().map(|row| {
            Ok(ParameterRow {
                name: sheet.text(row, "parameter").to_string(),
                start: sheet.number(row, "start")?,
                value: sheet.number(row, "value")?,
                low: sheet.maybe(row, "low")?,
                high: sheet.maybe(row, "high")?,
                error: sheet.maybe(row, "error")?,
                z: sheet.maybe(row, "z")?,
                support: sheet.maybe(row, "support")?,
                note: sheet.text(row, "note").to_string(),
                interval: sheet
                    .maybe(row, "value_low")?
                    .zip(sheet.maybe(row, "value_high")?),
                // Blank in files of earlier versions.
                p_holm: sheet.maybe(row, "p_holm")?,
            })
        });
        rows.collect()
    }
}

/// Correlations of parameters: `correlations.csv` has a row for each two of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlations {
    pub names: Vec<String>,
    /// By row and column.
    pub values: Vec<Vec<Option<f64>>>,
}

const CORRELATIONS: &str = "correlations.csv";

impl Correlations {
    /// Of these names; values that are not finite are unknown.
    pub fn of(names: Vec<String>, value: impl Fn(usize, usize) -> Option<f64>) -> Correlations {
        let all = 0..names.len();
        let cell = |a: usize, b: usize| value(a, b).filter(|value| value.is_finite());
        let row = |a: usize| all.clone().map(|b| cell(a, b)).collect();
        Correlations {
            values: all.clone().map(row).collect(),
            names,
        }
    }

    pub fn write(&self, files: &mut RunFiles) -> Result<(), RecordError> {
        let header = ["one", "other", "correlation"].map(str::to_string);
        let rows = self
            .names
            .iter()
            .zip(&self.values)
            .flat_map(|(one, values)| {
                let each = self.names.iter().zip(values);
                each.map(|(other, value)| {
                    let value = decimal_or_blank(*value, DECIMALS);
                    vec![one.clone(), other.clone(), value]
                })
            });
        write_table(files, CORRELATIONS, &header, rows)
    }

    /// Reads `correlations.csv`; `None` if there is no such file, or it is empty.
    pub fn read(directory: &Path) -> Result<Option<Correlations>, RecordError> {
        let path = directory.join(CORRELATIONS);
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(None);
        };
        let mut names: Vec<String> = Vec::new();
        for row in &sheet.rows {
            let name = sheet.text(row, "one");
            if !names.iter().any(|known| known == name) {
                names.push(name.to_string());
            }
        }
        let mut values = vec![vec![None; names.len()]; names.len()];
        let place = |name: &str| names.iter().position(|known| known == name);
        for row in &sheet.rows {
            let (one, other) = (sheet.text(row, "one"), sheet.text(row, "other"));
            if let (Some(one), Some(other)) = (place(one), place(other)) {
                values[one][other] = sheet.maybe(row, "correlation")?;
            }
        }
        Ok((!names.is_empty()).then_some(Correlations { names, values }))
    }
}

/// The points of a grid over parameters: `sweep.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    pub names: Vec<String>,
    pub points: Vec<GridPoint>,
}

/// The values tried, and their Elo.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPoint {
    /// In the order of [`Grid::names`].
    pub values: Vec<f64>,
    pub pairs: u64,
    /// Elo against the start, and half of its 95 % interval.
    pub elo: f64,
    pub elo_error: f64,
    /// The same of the curve through all points.
    pub curve: f64,
    pub curve_error: f64,
}

const GRID: &str = "sweep.csv";

impl Grid {
    const COLUMNS: [&str; 5] = ["pairs", "elo", "elo_error", "curve", "curve_error"];

    pub fn write(&self, files: &mut RunFiles) -> Result<(), RecordError> {
        let mut header = self.names.clone();
        header.extend(Grid::COLUMNS.map(str::to_string));
        let rows = self.points.iter().map(|point| {
            let mut cells: Vec<String> = point.values.iter().map(|value| exact(*value)).collect();
            cells.push(point.pairs.to_string());
            let figures = [point.elo, point.elo_error, point.curve, point.curve_error];
            cells.extend(figures.map(|figure| format!("{figure:.4}")));
            cells
        });
        write_table(files, GRID, &header, rows)
    }

    /// Reads `sweep.csv`; `None` if there is no such file.
    pub fn read(directory: &Path) -> Result<Option<Grid>, RecordError> {
        let path = directory.join(GRID);
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(None);
        };
        let Some(first) = sheet.column("pairs") else {
            return Ok(None);
        };
        let names = sheet.header[..first].to_vec();
        let mut points = Vec::new();
        for row in &sheet.rows {
            let values = names.iter().map(|name| sheet.number(row, name));
            points.push(GridPoint {
                values: values.collect::<Result<_, _>>()?,
                pairs: sheet.maybe(row, "pairs")?.unwrap_or(0),
                elo: sheet.number(row, "elo")?,
                elo_error: sheet.number(row, "elo_error")?,
                curve: sheet.number(row, "curve")?,
                curve_error: sheet.number(row, "curve_error")?,
            });
        }
        Ok(Some(Grid { names, points }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_tuning_run_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path();
        let parameters = vec![
            ParameterRow {
                name: "options.a, \"b\"".to_string(),
                start: 1.5,
                value: -2.25,
                low: Some(-5.0),
                high: Some(0.5),
                support: Some(7),
                ..ParameterRow::default()
            },
            ParameterRow {
                error: Some(0.125),
                z: Some(3.0),
                note: "at the end of the range".to_string(),
                interval: Some((-1.5, 0.25)),
                ..ParameterRow::default()
            },
        ];
        let mut files = RunFiles::begin_all(directory, |_| false).unwrap();
        ParameterRow::write_all(&mut files, &parameters).unwrap();
        assert_eq!(ParameterRow::read_all(directory).unwrap(), parameters);
        assert_eq!(parameters[0].width(), Some(5.5));
        let names = vec!["a".to_string(), "b".to_string()];
        let correlations = Correlations::of(names.clone(), |a, b| {
            Some(if a == b { 1.0 } else { f64::NAN })
        });
        correlations.write(&mut files).unwrap();
        assert_eq!(Correlations::read(directory).unwrap(), Some(correlations));
        let grid = Grid {
            names,
            points: vec![GridPoint {
                values: vec![0.5, 2.0],
                pairs: 100,
                elo: -3.5,
                elo_error: 14.0,
                curve: 2.0,
                curve_error: 8.25,
            }],
        };
        grid.write(&mut files).unwrap();
        assert_eq!(Grid::read(directory).unwrap(), Some(grid));
    }

    #[test]
    fn a_cell_that_is_no_number_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(PARAMETERS);
        std::fs::write(&path, "parameter,start,value\na,1,x\n").unwrap();
        let refused = ParameterRow::read_all(folder.path())
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("parameters.csv:2: column `value`: `x` is not a number"),
            "{refused}"
        );
    }

    #[test]
    fn an_iteration_reads_as_it_was_written() {
        let columns = TrajectoryColumns {
            figures: vec!["score".to_string(), "loss".to_string()],
            parameters: vec!["a, b".to_string()],
        };
        let row = TrajectoryRow {
            iteration: 3,
            games: 12,
            figures: vec![Some(0.5), None],
            results: vec![Pentanomial::from_array([0, 1, 2, 0, 3]); 2],
            values: vec![-1.25],
        };
        assert_eq!(columns.row(&row.cells()), Ok(row.clone()));
        assert_eq!(TrajectoryColumns::of(&columns.header()), Some(columns));
    }
}
