//! `report.html`: everything about a run in one self-contained file. All text from the run is escaped;
//! names never become markup or script.

mod files;
mod policy;

use std::path::Path;

use super::Drawing;
use super::canvas::DrawError;
use super::data::ReportData;
use super::race::race_words;
use super::summary::sentences;
use super::svg::escape;
use super::tables::{
    LATENCY_NOTE, PAIRED_NOTE, PageTable, latencies, paired, pairings, parameters, standings, times,
};
use super::theme;
use super::verdict::{headline, validation_text};
use super::viewer::Viewer;
use crate::record::Manifest;
use files::links;
use policy::policy;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// The board of the viewer; the pages of `sparring serve` load the same files.
const BOARD_STYLE: &str = include_str!("board.css");
const BOARD: &str = include_str!("board.js");
const PIECES: &str = include_str!("pieces.svg");
const VIEWER: &str = include_str!("viewer.html");

/// The charts that show a run's result best: the first one that applies stands beside the verdict.
const FIRST: [&str; 10] = [
    "validation",
    "tune-curve",
    "losses",
    "trajectory",
    "llr",
    "race",
    "sweep-map",
    "sweep",
    "elo",
    "scores",
];

/// The page for a run's `directory`, which the page links to.
pub fn html(
    data: &ReportData,
    drawings: &[Drawing],
    viewer: Option<&Viewer>,
    directory: &Path,
) -> Result<String, DrawError> {
    let mut page = head(data);
    let played = data.tally.game_count() > 0;
    let of_name = |name: &&str| drawings.iter().find(|it| it.chart.name == *name);
    let first = FIRST.iter().find_map(of_name);
    page.push_str(&overview(data, first, viewer.is_some())?);
    page.push_str("<main>\n");
    if played {
        page.push_str("<section id=\"standings\">\n<h2>Standings</h2>\n");
        page.push_str(&table(&standings(data), "standings-table"));
        page.push_str("</section>\n");
    }
    if let Some(race) = race_words(data) {
        page.push_str("<section id=\"race\">\n<h2>Race</h2>\n");
        page.push_str(&table(&race.table(), "race-table"));
        page.push_str("</section>\n");
    }
    page.push_str("<section id=\"charts\">\n<h2>Charts</h2>\n<div class=\"charts\">\n");
    let shown = first.map(|drawing| drawing.chart.name);
    for drawing in drawings.iter().filter(|it| Some(it.chart.name) != shown) {
        page.push_str(&figure(drawing)?);
    }
    page.push_str("</div>\n</section>\n");
    if played {
        page.push_str("<section id=\"pairings\">\n<h2>Pairings</h2>\n");
        page.push_str(&table(&pairings(data), "pairings-table"));
        if let Some(found) = paired(data) {
            page.push_str("<h3>Paired by opening</h3>\n");
            page.push_str(&table(&found, "paired-table"));
            page.push_str(&format!("<p class=\"note\">{PAIRED_NOTE}</p>\n"));
        }
        page.push_str("</section>\n");
    }
    if let Some(times) = times(data) {
        page.push_str("<section id=\"time\">\n<h2>Time</h2>\n");
        page.push_str(&table(&times, "time-table"));
        if let Some(latencies) = latencies(data) {
            page.push_str(&format!("<h3>Latency</h3>\n<p>{LATENCY_NOTE}</p>\n"));
            page.push_str(&table(&latencies, "latency-table"));
        }
        page.push_str("</section>\n");
    }
    if let Some(tuning) = &data.tuning {
        page.push_str("<section id=\"parameters\">\n<h2>Parameters</h2>\n");
        page.push_str(&table(&parameters(tuning), "parameters-table"));
        page.push_str("</section>\n");
    }
    if let Some(viewer) = viewer {
        page.push_str(&games(viewer));
    }
    page.push_str(&links(data, directory));
    page.push_str(&reproduce(data));
    page.push_str("</main>\n<footer>");
    page.push_str(&format!(
        "Made by sparring {} from the files of the run. Elo intervals are 95 %; LOS is the \
         likelihood of being the stronger one.",
        env!("CARGO_PKG_VERSION")
    ));
    page.push_str(&format!(
        "</footer>\n<script type=\"module\">{}</script>\n</body>\n</html>\n",
        script()
    ));
    Ok(page)
}

/// A module, so that the board can be the file that other pages import.
fn script() -> String {
    format!("{BOARD}{SCRIPT}")
}

fn head(data: &ReportData) -> String {
    let style = format!("{STYLE}{BOARD_STYLE}{}", dark_charts());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"sparring {version}\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{style}</style>\n\
         </head>\n<body>\n",
        policy = policy(&style, &script()),
        version = env!("CARGO_PKG_VERSION"),
        title = escape(&data.title),
    )
}

/// The rules that give charts their colours on a dark page. Text on fills keeps its colour.
fn dark_charts() -> String {
    let rules = theme::DARK.iter().map(|(light, dark)| {
        let (light, shown) = (light.hex(), dark.hex());
        let filled = match light == theme::BACKGROUND.hex() {
            true => ":not(text)",
            false => "",
        };
        format!(
            "figure svg {filled}[fill=\"{light}\"] {{ fill: {shown}; }} \
             figure svg [stroke=\"{light}\"] {{ stroke: {shown}; }}\n"
        )
    });
    let rules: String = rules.collect();
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n")
}

/// The verdict, the summary, and the chart that shows the result.
fn overview(data: &ReportData, first: Option<&Drawing>, viewer: bool) -> Result<String, DrawError> {
    let mut text = format!(
        "<header>\n<div>\n<h1>{}</h1>\n<div id=\"summary\">\n",
        escape(&data.title)
    );
    if let Some(headline) = headline(data) {
        text.push_str(&format!(
            "<p id=\"verdict\" class=\"{}\">{}</p>\n",
            headline.tone.name(),
            escape(&headline.text)
        ));
    }
    text.push_str(&validations(data));
    for sentence in sentences(data) {
        text.push_str(&format!("<p>{}</p>\n", escape(&sentence)));
    }
    text.push_str(&format!("</div>\n{}</div>\n", navigation(data, viewer)));
    if let Some(drawing) = first {
        text.push_str(&figure(drawing)?);
    }
    text.push_str("</header>\n");
    Ok(text)
}

/// The validation matches with links to their pages.
fn validations(data: &ReportData) -> String {
    let rows = data.tuning.iter().flat_map(|tuning| &tuning.validations);
    let lines = rows.map(|row| {
        format!(
            "<li><a href=\"{}/report.html\">{}</a></li>\n",
            escape(&files::address(&row.directory)),
            escape(&validation_text(row))
        )
    });
    let lines: String = lines.collect();
    if lines.is_empty() {
        return lines;
    }
    format!("<ul id=\"validations\">\n{lines}</ul>\n")
}

/// A chart at two widths, of which the style shows one.
fn figure(drawing: &Drawing) -> Result<String, DrawError> {
    let name = drawing.chart.name;
    let [card, narrow] = drawing.embedded()?;
    Ok(format!(
        "<figure id=\"chart-{name}\"><div class=\"card\">{card}</div><div class=\"narrow\">{narrow}</div>\
         <figcaption class=\"faint\"><span>{help}</span> <span class=\"no-print\"><a href=\"{name}.svg\">SVG</a> \
         <a href=\"{name}.png\">PNG</a></span></figcaption></figure>\n",
        help = escape(drawing.chart.help)
    ))
}

fn navigation(data: &ReportData, viewer: bool) -> String {
    let played = data.tally.game_count() > 0;
    let configured = data.sources.iter().any(|source| source.manifest.is_some());
    let links = [
        ("standings", "Standings", played),
        ("race", "Race", data.race.is_some()),
        ("charts", "Charts", true),
        ("pairings", "Pairings", played),
        ("time", "Time", times(data).is_some()),
        ("parameters", "Parameters", data.tuning.is_some()),
        ("games", "Games", viewer),
        ("files", "Files", true),
        ("reproduce", "Config", configured),
    ];
    let shown = links.iter().filter(|(_, _, there)| *there);
    let links: Vec<String> = shown
        .map(|(id, name, _)| format!("<a href=\"#{id}\">{name}</a>"))
        .collect();
    format!("<nav>{}</nav>\n", links.join(" "))
}

/// A table that can be sorted by clicking on column heads.
fn table(table: &PageTable, id: &str) -> String {
    // Long tables scroll inside, so that the rest of the page stays in reach.
    let box_class = match table.rows.len() {
        ..=24 => "scroll",
        _ => "scroll long",
    };
    let class = |numeric: bool| if numeric { "number" } else { "name" };
    let mut text =
        format!("<div class=\"{box_class}\"><table class=\"sortable\" id=\"{id}\">\n<thead><tr>");
    for (name, numeric) in &table.columns {
        // Ranks sort ascending first.
        let first = if *name == "rank" {
            " data-first=\"ascending\""
        } else {
            ""
        };
        text.push_str(&format!(
            "<th class=\"{}\"{first} scope=\"col\"><button type=\"button\">{}</button></th>",
            class(*numeric),
            escape(name)
        ));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for (cell, (_, numeric)) in row.iter().zip(&table.columns) {
            let sort = cell
                .sort
                .map_or(String::new(), |value| format!(" data-sort=\"{value}\""));
            let shown = escape(&cell.text);
            text.push_str(&format!(
                "<td class=\"{}\"{sort}>{shown}</td>",
                class(*numeric)
            ));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

fn games(viewer: &Viewer) -> String {
    let note = viewer.note.as_ref().map_or(String::new(), |note| {
        format!("<p class=\"faint\" id=\"sample\">{}</p>\n", escape(note))
    });
    // Inside a script element only `<` could end it; JSON may write it as an escape.
    let json = viewer
        .json
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    format!(
        "<section id=\"games\" class=\"no-print\">\n<h2>Games</h2>\n{note}{PIECES}{VIEWER}\
         <script type=\"application/json\" id=\"games-data\">{json}</script>\n</section>\n"
    )
}

/// The configs, and how to reproduce the games.
fn reproduce(data: &ReportData) -> String {
    let mut text = String::new();
    for source in &data.sources {
        let Some(config) = source.config() else {
            continue;
        };
        if text.is_empty() {
            let command = if data.tuning.is_some() { "tune" } else { "run" };
            text.push_str(&format!(
                "<section id=\"reproduce\">\n<h2>Config</h2>\n\
                 <p>{} Save a config below as \
                 <code>config.toml</code>, or take the one beside this page, then:</p>\n\
                 <pre>sparring {command} config.toml --out again</pre>\n",
                escape(&promise(data))
            ));
        }
        text.push_str(&format!(
            "<details><summary>{}, with every default written out</summary>\n<pre>{}</pre></details>\n",
            escape(&source.name),
            escape_lines(&config)
        ));
    }
    if !text.is_empty() {
        text.push_str("</section>\n");
    }
    text
}

/// Whether the games are reproducible.
fn promise(data: &ReportData) -> String {
    let manifests = data
        .sources
        .iter()
        .filter_map(|source| source.manifest.as_ref());
    let mut names: Vec<&str> = manifests
        .flat_map(Manifest::not_reproducible)
        .map(|player| player.name.as_str())
        .collect();
    names.dedup();
    if names.is_empty() {
        return "The same config and seed give the same games.".to_string();
    }
    format!(
        "Not reproducible: the games of {} (external engines, or limited by time) differ \
         from run to run; openings and pairings are the same, and so are all other games.",
        names.join(", ")
    )
}

/// Text of several lines.
fn escape_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escape).collect();
    lines.join("\n")
}
