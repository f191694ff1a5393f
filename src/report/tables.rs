//! Standings and pairings as tables of texts, for the page and for Markdown.

use super::data::ReportData;
use super::tuning::Tuning;
use super::wording::{decimal, likelihood};
use crate::record::{pairing_rows, standing_rows};

/// A cell with what it is sorted by.
pub struct Cell {
    pub text: String,
    pub sort: Option<f64>,
}

pub struct Table {
    /// Names, and whether the column holds numbers.
    pub columns: Vec<(&'static str, bool)>,
    pub rows: Vec<Vec<Cell>>,
}

fn word(text: &str) -> Cell {
    Cell {
        text: text.to_string(),
        sort: None,
    }
}

fn count(value: u64) -> Cell {
    Cell {
        text: value.to_string(),
        sort: Some(value as f64),
    }
}

/// A figure of the CSV files, as `show` puts it; blank stays blank.
fn figure(text: &str, show: impl Fn(f64) -> String) -> Cell {
    let value = text.parse().ok();
    Cell {
        text: value.map_or(String::new(), show),
        sort: value,
    }
}

fn percent(value: f64) -> String {
    format!("{:.2} %", 100.0 * value)
}

fn one_decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// `-10.0 to 20.0`, `above 5.0`, `below 5.0`.
fn interval(low: &str, high: &str) -> Cell {
    let text = match (low, high) {
        ("", "") => String::new(),
        (low, "") => format!("above {low}"),
        ("", high) => format!("below {high}"),
        (low, high) => format!("{low} to {high}"),
    };
    Cell {
        text,
        sort: low.parse().ok().or_else(|| high.parse().ok()),
    }
}

pub fn standings(data: &ReportData) -> Table {
    let rows = standing_rows(&data.tally).into_iter().map(|row| {
        vec![
            count(row.rank as u64),
            word(&row.player),
            count(row.games),
            count(row.wins),
            count(row.draws),
            count(row.losses),
            figure(&row.score, percent),
            figure(&row.elo, one_decimal),
            interval(&row.elo_low, &row.elo_high),
            figure(&row.los, likelihood),
        ]
    });
    Table {
        columns: vec![
            ("rank", true),
            ("player", false),
            ("games", true),
            ("wins", true),
            ("draws", true),
            ("losses", true),
            ("score", true),
            ("Elo", true),
            ("95 % interval", true),
            ("LOS", true),
        ],
        rows: rows.collect(),
    }
}

pub fn pairings(data: &ReportData) -> Table {
    let sprt = data.sprt();
    let mut columns = vec![
        ("player", false),
        ("opponent", false),
        ("games", true),
        ("wins", true),
        ("draws", true),
        ("losses", true),
        ("score", true),
        ("Elo", true),
        ("95 % interval", true),
        ("nElo", true),
        ("LOS", true),
    ];
    if sprt.is_some() {
        columns.push(("LLR", true));
    }
    let rows = pairing_rows(&data.tally, sprt.as_ref())
        .into_iter()
        .map(|row| {
            let mut cells = vec![
                word(&row.player),
                word(&row.opponent),
                count(row.games),
                count(row.wins),
                count(row.draws),
                count(row.losses),
                figure(&row.score, percent),
                figure(&row.elo, one_decimal),
                interval(&row.elo_low, &row.elo_high),
                figure(&row.nelo, one_decimal),
                figure(&row.los, likelihood),
            ];
            if sprt.is_some() {
                cells.push(figure(&row.llr, |value| format!("{value:.2}")));
            }
            cells
        });
    Table {
        rows: rows.collect(),
        columns,
    }
}

/// What became of the parameters of a tuning run.
pub fn parameters(tuning: &Tuning) -> Table {
    let known = |value: Option<f64>| Cell {
        text: value.map_or(String::new(), |value| decimal(value, 2)),
        sort: value,
    };
    let rows = tuning.parameters.iter().map(|parameter| {
        vec![
            word(&parameter.name),
            known(Some(parameter.start)),
            known(Some(parameter.value)),
            known(parameter.error),
            known(parameter.z),
        ]
    });
    Table {
        columns: vec![
            ("parameter", false),
            ("start", true),
            ("tuned", true),
            ("standard error", true),
            ("z", true),
        ],
        rows: rows.collect(),
    }
}
