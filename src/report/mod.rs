//! Charts and pages of one or several runs, from their files alone. The charts stand in
//! [`CHARTS`], one file each.

mod canvas;
mod charts;
mod data;
mod font;
mod frame;
mod lines;
mod matrix;
mod openings;
mod paint;
mod png;
mod scale;
mod svg;
mod swept;
mod theme;
mod trace;
mod wording;

pub use canvas::{DrawError, TextBox};
pub use charts::{CHARTS, Chart};
pub use data::{ReportData, Source, read};

use std::path::{Path, PathBuf};

use crate::record::replace_file;
use canvas::Plan;

/// A chart of some data.
pub struct Drawing {
    pub chart: &'static Chart,
    plan: Plan,
}

impl Drawing {
    pub fn svg(&self) -> Result<String, DrawError> {
        svg::svg(&self.plan)
    }

    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        png::png(&self.plan)
    }

    /// Every text with the room it takes.
    pub fn text_boxes(&self) -> Vec<TextBox> {
        self.plan.text_boxes()
    }

    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        (self.plan.width, self.plan.height)
    }
}

/// Every chart that makes sense of the data; the others are left out.
pub fn drawings(data: &ReportData) -> Vec<Drawing> {
    let drawn = CHARTS.iter().filter_map(|chart| {
        let plan = (chart.plan)(data)?;
        Some(Drawing { chart, plan })
    });
    drawn.collect()
}

/// Draws every chart the data allow, as SVG and PNG, and returns the paths.
pub fn draw_all(data: &ReportData, directory: &Path) -> Result<Vec<PathBuf>, DrawError> {
    let mut paths = Vec::new();
    for drawing in drawings(data) {
        let svg_path = directory.join(format!("{}.svg", drawing.chart.name));
        replace_file(&svg_path, drawing.svg()?.as_bytes())?;
        let png_path = directory.join(format!("{}.png", drawing.chart.name));
        replace_file(&png_path, &drawing.png()?)?;
        paths.extend([svg_path, png_path]);
    }
    Ok(paths)
}
