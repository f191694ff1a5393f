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
mod race;
mod scale;
mod share;
mod summary;
mod svg;
mod swept;
mod tables;
mod theme;
mod times;
mod trace;
mod tuning;
mod verdict;
mod viewer;
mod wording;

pub use canvas::{DrawError, TextBox};
pub use charts::{CHARTS, Chart};
pub use data::{Growing, ReportData, Source, read};
pub use race::{RaceWords, race_words};
pub use summary::sentences;
pub use tables::{PageTable, TableCell, pairings, parameters, standings};
pub use tuning::Tuning;
pub use verdict::{Headline, Tone, headline, of_tuning as tuning_headline};
pub use viewer::{Replay, Replayed, ViewerBoard, ViewerTurn};
pub use wording::{counted, elo_text, grouped, likelihood, score_text};

use std::path::PathBuf;

use crate::record::RunFiles;
use canvas::ChartPlan;

/// A chart of some data, for every width that it is shown at.
pub struct Drawing {
    pub chart: &'static Chart,
    plan: ChartPlan,
    card: ChartPlan,
    narrow: ChartPlan,
}

impl Drawing {
    /// `None` if the chart does not apply.
    fn of(chart: &'static Chart, data: &ReportData) -> Option<Drawing> {
        let plan = |width: f64| (chart.plan)(data, width);
        Some(Drawing {
            chart,
            plan: plan(theme::WIDTH)?,
            card: plan(theme::CARD_WIDTH)?,
            narrow: plan(theme::NARROW_WIDTH)?,
        })
    }

    /// The file.
    pub fn svg(&self) -> Result<String, DrawError> {
        svg::svg(&self.plan)
    }

    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        png::png(&self.plan)
    }

    /// For a column of a page, and for a phone.
    pub fn embedded(&self) -> Result<[String; 2], DrawError> {
        Ok([svg::svg(&self.card)?, svg::svg(&self.narrow)?])
    }

    /// The bounding boxes of the texts at each width, with the size of the drawing.
    pub fn layouts(&self) -> Vec<Layout> {
        let plans = [&self.plan, &self.card, &self.narrow];
        let layouts = plans.map(|plan| Layout {
            size: (plan.width, plan.height),
            texts: plan.text_boxes(),
        });
        layouts.into()
    }
}

/// The texts of a chart at one width.
pub struct Layout {
    /// Width and height.
    pub size: (f64, f64),
    pub texts: Vec<TextBox>,
}

/// All charts that apply to the data. Charts that do not apply are omitted.
pub fn drawings(data: &ReportData) -> Vec<Drawing> {
    let drawn = CHARTS.iter().filter_map(|chart| Drawing::of(chart, data));
    drawn.collect()
}

/// Whether [`write_all`] writes files of this name.
pub fn is_written(name: &str) -> bool {
    let is_chart = |(stem, extension): (&str, &str)| {
        ["svg", "png"].contains(&extension) && CHARTS.iter().any(|chart| chart.name == stem)
    };
    ["report.md", "report.html"].contains(&name) || name.rsplit_once('.').is_some_and(is_chart)
}

/// Writes all charts that apply as SVG and PNG, `report.md`, and `report.html` with a game viewer if
/// the rules are known. Returns the page's path.
pub fn write_all(
    data: &ReportData,
    files: &mut RunFiles,
    rules: Option<&dyn Replay>,
) -> Result<PathBuf, DrawError> {
    let drawings = drawings(data);
    for drawing in &drawings {
        let name = |extension: &str| format!("{}.{extension}", drawing.chart.name);
        files.replace(&name("svg"), drawing.svg()?.as_bytes())?;
        files.replace(&name("png"), &drawing.png()?)?;
    }
    remove_stale(&drawings, files);
    let viewer = match rules {
        Some(rules) => viewer::collect(data, rules)?,
        None => None,
    };
    let text = markdown::markdown(data);
    files.replace("report.md", text.as_bytes())?;
    let html = page::html(data, &drawings, viewer.as_ref(), files.directory())?;
    files.replace("report.html", html.as_bytes())?;
    Ok(files.directory().join("report.html"))
}

/// Removes charts of an earlier report that no longer apply.
fn remove_stale(drawings: &[Drawing], files: &mut RunFiles) {
    let drawn = |chart: &Chart| {
        drawings
            .iter()
            .any(|drawing| drawing.chart.name == chart.name)
    };
    for chart in CHARTS.iter().filter(|chart| !drawn(chart)) {
        for extension in ["svg", "png"] {
            files.remove(&format!("{}.{extension}", chart.name));
        }
    }
}
