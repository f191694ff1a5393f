//! What a run says about the speed of its engines' reactions, and about an overloaded machine.

use std::path::Path;

use super::complain;
use super::run::available_threads;
use super::table::TextTable;
use crate::config::Loaded;
use crate::record::{Latencies, LatencyRow, read_latencies};

/// The engines' reactions in the last session, as a table; empty without engines.
pub fn text(directory: &Path) -> String {
    let rows = read_latencies(directory);
    let engines: Vec<&LatencyRow> = rows
        .iter()
        .filter(|row| row.first_max_ms.is_some())
        .collect();
    if engines.is_empty() {
        return String::new();
    }
    let header = [
        "latency, ms",
        "first p50",
        "p99",
        "max",
        "overhead p50",
        "p99",
        "max",
    ];
    let mut table = TextTable::new(1, &header);
    for row in engines {
        let figures = [
            row.first_p50_ms,
            row.first_p99_ms,
            row.first_max_ms,
            row.overhead_p50_ms,
            row.overhead_p99_ms,
            row.overhead_max_ms,
        ];
        let shown = figures
            .iter()
            .map(|value| value.map_or_else(String::new, |it| format!("{it:.1}")));
        let mut cells = vec![row.player.clone()];
        cells.extend(shown);
        table.row(cells);
    }
    table.text()
}

/// Late moves of this share mean that the machine had no time for its players.
const MOST_LATE: f64 = 0.01;

/// Warns if a run with clocks or times per move was played on an overloaded machine.
pub fn warn(latencies: &Latencies, loaded: &Loaded) {
    let players = &loaded.experiment.players;
    let timed = |limit: &crate::search::Limit| limit.time.is_some() || limit.clock.is_some();
    if !players.iter().any(|player| timed(&player.limit)) {
        return;
    }
    for row in latencies.rows() {
        if row.late_moves as f64 > MOST_LATE * row.limited_moves as f64 {
            complain(&format!(
                "warning: {} of {} moves of `{}` came more than 10 ms after their time, the last one \
                 {:.0} ms: the machine is overloaded, or the engine needs a smaller movetime; use fewer \
                 --threads",
                row.late_moves,
                row.limited_moves,
                row.player,
                row.latest_ms.unwrap_or(0.0)
            ));
        }
    }
    let cores = available_threads();
    if let Some(load) = load_average().filter(|load| *load > 1.25 * cores as f64) {
        complain(&format!(
            "warning: load average {load:.1} on {cores} cores: other programs took time from the \
             players, so games by time are not comparable with those of a quiet machine"
        ));
    }
}

/// Processes that ran or waited, averaged over the last minute, where the system tells.
fn load_average() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
