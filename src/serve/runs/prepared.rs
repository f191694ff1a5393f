//! What the run itself has written about its games: standings and charts. A page shows them at once, while a large
//! file of games is still read.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::view::player;
use crate::record::check_listed;
use crate::report::{CHARTS, likelihood};
use crate::stats::{Basis, Estimate};

/// Standings and charts of a run that was ended in order, each with the key of its event.
pub fn events(run: &Path) -> Vec<(String, &'static str, Value)> {
    let mut events = Vec::new();
    if let Some(standings) = standings(run) {
        let value = json!({ "sentences": [], "standings": standings });
        events.push(("summary".to_string(), "summary", value));
    }
    for chart in CHARTS {
        if let Some(svg) = read(run, &format!("{}.svg", chart.name)) {
            let value = json!({ "name": chart.name, "help": chart.help, "svg": svg });
            events.push((format!("chart {}", chart.name), "chart", value));
        }
    }
    events
}

/// A file, if it is as it was written.
fn read(run: &Path, name: &str) -> Option<String> {
    let bytes = fs::read(run.join(name)).ok()?;
    check_listed(run, name, &bytes).ok()?;
    String::from_utf8(bytes).ok()
}

/// The rows of `standings.csv`. Its score has no interval.
fn standings(run: &Path) -> Option<Vec<Value>> {
    let text = read(run, "standings.csv")?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().ok()?.clone();
    let rows = reader.records().map(|row| {
        let row = row.ok()?;
        let cell = |name: &str| {
            let at = header.iter().position(|column| column == name)?;
            row.get(at)
        };
        let number = |name: &str| cell(name)?.parse::<f64>().ok();
        let count = |name: &str| cell(name)?.parse::<u64>().ok();
        let estimate = |value: Option<f64>, low, high| Estimate {
            value,
            low,
            high,
            basis: Basis::Normal,
        };
        let elo = estimate(number("elo"), number("elo_low"), number("elo_high"));
        let score = estimate(number("score"), None, None);
        Some(player(
            usize::try_from(count("rank")?).ok()?,
            cell("player")?,
            [count("wins")?, count("draws")?, count("losses")?],
            &score,
            &elo,
            number("los").map_or_else(String::new, likelihood),
        ))
    });
    rows.collect()
}
