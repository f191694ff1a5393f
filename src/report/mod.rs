//! Charts and pages of one or several runs, made only from their files. [`CHARTS`] lists the charts,
//! one file each.

mod canvas;
mod charts;
mod data;
mod font;
mod frame;
mod lines;
mod markdown;
mod matrix;
mod openings;
mod page;
mod paint;
mod png;
mod scale;
mod share;
mod summary;
mod svg;
mod swept;
mod tables;
mod theme;
mod trace;
mod tuning;
mod viewer;
mod wording;

pub use canvas::{DrawError, TextBox};
pub use charts::{CHARTS, Chart};
pub use data::{ReportData, Source, read};
pub use viewer::{Replay, Replayed, ViewerBoard, ViewerTurn};
pub use wording::grouped;

use std::path::{Path, PathBuf};

use crate::record::replace_file;
use canvas::ChartPlan;

/// A chart of some data.
pub struct Drawing {
    pub chart: &'static Chart,
    plan: ChartPlan,
}

impl Drawing {
    pub fn svg(&self) -> Result<String, DrawError> {
        svg::svg(&self.plan)
    }

    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        png::png(&self.plan)
    }

    /// Every text with its bounding box.
    pub fn text_boxes(&self) -> Vec<TextBox> {
        self.plan.text_boxes()
    }

    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        (self.plan.width, self.plan.height)
    }
}

/// All charts that apply to the data. Charts that do not apply are omitted.
pub fn drawings(data: &ReportData) -> Vec<Drawing> {
    let drawn = CHARTS.iter().filter_map(|chart| {
        let plan = (chart.plan)(data)?;
        Some(Drawing { chart, plan })
    });
    drawn.collect()
}

/// Writes all charts that apply as SVG and PNG, `report.md`, and `report.html` with a game viewer if
/// the rules are known. Returns the page's path.
pub fn write_all(
    data: &ReportData,
    directory: &Path,
    rules: Option<&dyn Replay>,
) -> Result<PathBuf, DrawError> {
    let drawings = drawings(data);
    for drawing in &drawings {
        let path = |extension: &str| directory.join(format!("{}.{extension}", drawing.chart.name));
        replace_file(&path("svg"), drawing.svg()?.as_bytes())?;
        replace_file(&path("png"), &drawing.png()?)?;
    }
    remove_stale(&drawings, directory);
    let viewer = match rules {
        Some(rules) => viewer::collect(data, rules)?,
        None => None,
    };
    let text = markdown::markdown(data);
    replace_file(&directory.join("report.md"), text.as_bytes())?;
    let page = directory.join("report.html");
    let html = page::html(data, &drawings, viewer.as_ref())?;
    replace_file(&page, html.as_bytes())?;
    Ok(page)
}

/// Removes charts of an earlier report that no longer apply.
fn remove_stale(drawings: &[Drawing], directory: &Path) {
    let drawn = |chart: &Chart| {
        drawings
            .iter()
            .any(|drawing| drawing.chart.name == chart.name)
    };
    for chart in CHARTS.iter().filter(|chart| !drawn(chart)) {
        for extension in ["svg", "png"] {
            // Most do not exist.
            let _ = std::fs::remove_file(directory.join(format!("{}.{extension}", chart.name)));
        }
    }
}
