//! Charts of a run, from its files alone. One file per chart; a new chart is one row of
//! [`CHARTS`].

mod canvas;
mod results;
mod theme;

pub use canvas::DrawError;

use std::path::{Path, PathBuf};

use crate::record::{RecordError, Tally, read_games, replace_file};
use canvas::{Plan, png, svg};

/// What charts are drawn from.
#[derive(Clone, Debug)]
pub struct ReportData {
    pub title: String,
    pub tally: Tally,
}

/// A kind of chart: `plan` says what to draw, or that these data have nothing to show.
pub struct Chart {
    /// Also the file's name.
    pub name: &'static str,
    pub help: &'static str,
    plan: fn(&ReportData) -> Option<Plan>,
}

pub const CHARTS: &[Chart] = &[Chart {
    name: "results",
    help: "wins, draws and losses of every player as stacked bars",
    plan: results::plan,
}];

/// Reads the games of one or several run directories, or of CSV files.
pub fn read(paths: &[PathBuf]) -> Result<ReportData, RecordError> {
    let mut tally = Tally::default();
    let mut titles = Vec::new();
    for path in paths {
        let games = if path.is_dir() {
            path.join("games.csv")
        } else {
            path.clone()
        };
        let mut row_number = 1;
        read_games(&games, |row| {
            row_number += 1;
            tally.push(&row).map_err(|result| RecordError::Row {
                path: games.clone(),
                line: row_number,
                message: format!("result `{}`: expected 1-0, 0-1 or 1/2-1/2", result.0),
            })
        })?;
        titles.extend(
            path.file_stem()
                .map(|name| name.to_string_lossy().into_owned()),
        );
    }
    Ok(ReportData {
        title: titles.join(", "),
        tally,
    })
}

/// Draws every chart the data allow, as SVG and PNG, and returns the paths.
pub fn draw_all(data: &ReportData, directory: &Path) -> Result<Vec<PathBuf>, DrawError> {
    let mut paths = Vec::new();
    for chart in CHARTS {
        let Some(plan) = (chart.plan)(data) else {
            continue;
        };
        let svg_path = directory.join(format!("{}.svg", chart.name));
        replace_file(&svg_path, svg(&plan)?.as_bytes())?;
        let png_path = directory.join(format!("{}.png", chart.name));
        replace_file(&png_path, &png(&plan)?)?;
        paths.extend([svg_path, png_path]);
    }
    Ok(paths)
}
