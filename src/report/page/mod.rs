//! `report.html`: everything about a run in one self-contained file. All text from the run is escaped;
//! names never become markup or script.

use super::Drawing;
use super::canvas::DrawError;
use super::data::ReportData;
use super::summary::sentences;
use super::svg::escape;
use super::tables::{PageTable, pairings, parameters, standings, times};
use super::viewer::Viewer;
use crate::record::Manifest;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
const PIECES: &str = include_str!("pieces.svg");
const VIEWER: &str = include_str!("viewer.html");

pub fn html(
    data: &ReportData,
    drawings: &[Drawing],
    viewer: Option<&Viewer>,
) -> Result<String, DrawError> {
    let title = escape(&data.title);
    let summary: Vec<String> = sentences(data)
        .iter()
        .map(|sentence| format!("<p>{}</p>", escape(sentence)))
        .collect();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"sparring {version}\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<div id=\"summary\">{summary}</div>\n{nav}</header>\n<main>\n",
        version = env!("CARGO_PKG_VERSION"),
        summary = summary.join("\n"),
        nav = navigation(data, viewer.is_some()),
    );
    let played = data.tally.game_count() > 0;
    if played {
        page.push_str("<section id=\"standings\">\n<h2>Standings</h2>\n");
        page.push_str(&table(&standings(data), "standings-table"));
        page.push_str("</section>\n");
    }
    page.push_str("<section id=\"charts\">\n<h2>Charts</h2>\n<div class=\"charts\">\n");
    for drawing in drawings {
        page.push_str(&format!(
            "<figure id=\"chart-{name}\"><div class=\"scroll\">{svg}</div>\
             <figcaption class=\"faint\">{help}</figcaption></figure>\n",
            name = drawing.chart.name,
            svg = drawing.svg()?,
            help = escape(drawing.chart.help)
        ));
    }
    page.push_str("</div>\n</section>\n");
    if played {
        page.push_str("<section id=\"pairings\">\n<h2>Pairings</h2>\n");
        page.push_str(&table(&pairings(data), "pairings-table"));
        page.push_str("</section>\n");
    }
    if let Some(times) = times(data) {
        page.push_str("<section id=\"time\">\n<h2>Time</h2>\n");
        page.push_str(&table(&times, "time-table"));
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
    page.push_str(&reproduce(data));
    page.push_str("</main>\n<footer>");
    page.push_str(&format!(
        "Made by sparring {} from the files of the run. Elo intervals are 95 %; LOS is the \
         likelihood of being the stronger one.",
        env!("CARGO_PKG_VERSION")
    ));
    page.push_str(&format!(
        "</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ));
    Ok(page)
}

fn navigation(data: &ReportData, viewer: bool) -> String {
    let played = data.tally.game_count() > 0;
    let configured = data.sources.iter().any(|source| source.manifest.is_some());
    let links = [
        ("standings", "Standings", played),
        ("charts", "Charts", true),
        ("pairings", "Pairings", played),
        ("time", "Time", times(data).is_some()),
        ("parameters", "Parameters", data.tuning.is_some()),
        ("games", "Games", viewer),
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
    let class = |numeric: bool| if numeric { "number" } else { "name" };
    let mut text =
        format!("<div class=\"scroll\"><table class=\"sortable\" id=\"{id}\">\n<thead><tr>");
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
        let open = if data.sources.len() == 1 { " open" } else { "" };
        text.push_str(&format!(
            "<details{open}><summary>{}, with every default written out</summary>\n<pre>{}</pre></details>\n",
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
