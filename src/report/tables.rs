//! Standings and pairings as tables of text, for the page and for Markdown.

use super::data::ReportData;
use super::tuning::Tuning;
use super::wording::{decimal, grouped, likelihood};
use crate::record::{ParameterRow, figures};
use crate::stats::{Estimate, Sample, Verdict, Wdl};

/// A cell with its sort key.
pub struct TableCell {
    pub text: String,
    pub sort: Option<f64>,
}

pub struct PageTable {
    /// Names, and whether the column holds numbers.
    pub columns: Vec<(&'static str, bool)>,
    pub rows: Vec<Vec<TableCell>>,
}

fn word(text: &str) -> TableCell {
    TableCell {
        text: text.to_string(),
        sort: None,
    }
}

fn count(value: u64) -> TableCell {
    TableCell {
        text: value.to_string(),
        sort: Some(value as f64),
    }
}

/// A figure as `show` writes it; blank if it is not known.
fn figure(value: Option<f64>, show: impl Fn(f64) -> String) -> TableCell {
    TableCell {
        text: value.map_or_else(String::new, show),
        sort: value,
    }
}

fn share(value: f64) -> String {
    figures::percent(value, 2)
}

fn one_decimal(value: f64) -> String {
    decimal(value, 1)
}

fn p_value(p: f64) -> String {
    figures::p_value(Some(p))
}

fn interval(elo: &Estimate) -> TableCell {
    TableCell {
        text: figures::interval(elo),
        sort: elo.low.or(elo.high),
    }
}

/// The columns that standings and pairings share: results, score, Elo.
const RESULTS: [(&str, bool); 7] = [
    ("games", true),
    ("wins", true),
    ("draws", true),
    ("losses", true),
    ("score", true),
    ("Elo", true),
    ("95 % interval", true),
];

fn results(games: &Wdl, elo: &Estimate) -> [TableCell; 7] {
    [
        count(games.games()),
        count(games.wins),
        count(games.draws),
        count(games.losses),
        figure(games.score(), share),
        figure(elo.value, one_decimal),
        interval(elo),
    ]
}

fn difference(elo: &Estimate) -> TableCell {
    TableCell {
        text: figures::difference(elo),
        sort: elo.value,
    }
}

pub fn standings(data: &ReportData) -> PageTable {
    let is_field = data.ladder().len() > 2;
    let rows = data.standings.players.iter().map(|row| {
        let mut cells = vec![count(row.rank as u64), word(&row.name)];
        cells.extend(results(&row.games, &row.elo));
        cells.push(figure(row.los, likelihood));
        if is_field {
            cells.extend([difference(&row.to_leader), difference(&row.to_next)]);
            cells.push(figure(row.rank_chances.first().copied(), |it| {
                figures::likelihood(it, 1)
            }));
            cells.push(TableCell {
                text: row
                    .rank_range()
                    .map_or_else(String::new, |(low, high)| match low == high {
                        true => low.to_string(),
                        false => format!("{low} to {high}"),
                    }),
                sort: row.rank_range().map(|(low, high)| (low + high) as f64),
            });
        }
        cells
    });
    let mut columns = vec![("rank", true), ("player", false)];
    columns.extend(RESULTS);
    columns.push(("LOS", true));
    if is_field {
        columns.extend([
            ("to leader", true),
            ("to next", true),
            ("P(rank 1)", true),
            ("ranks, 95 %", true),
        ]);
    }
    PageTable {
        columns,
        rows: rows.collect(),
    }
}

pub fn pairings(data: &ReportData) -> PageTable {
    let has_test = data.sprt().is_some();
    let mut columns = vec![("player", false), ("opponent", false)];
    columns.extend(RESULTS);
    columns.extend([("nElo", true), ("LOS", true)]);
    columns.extend(has_test.then_some(("LLR", true)));
    let has_verdicts = data
        .standings
        .pairings
        .iter()
        .any(|it| it.verdict.is_some());
    columns.extend(has_verdicts.then_some(("verdict", false)));
    let is_field = data.ladder().len() > 2;
    if is_field {
        columns.extend([("p (Holm)", true), ("off ratings by", true)]);
    }
    let rows = data.standings.pairings.iter().map(|row| {
        let mut cells = vec![word(&row.player), word(&row.opponent)];
        cells.extend(results(&row.games, &row.summary.elo));
        cells.push(figure(row.summary.nelo.value, one_decimal));
        cells.push(figure(row.summary.los, likelihood));
        cells.extend(has_test.then(|| figure(row.llr, |value| decimal(value, 2))));
        cells.extend(has_verdicts.then(|| word(row.verdict.map_or("", Verdict::name))));
        if is_field {
            cells.push(figure(row.p_holm, p_value));
            let residual = row.residual.and_then(|it| it.elo);
            cells.push(figure(residual, |elo| format!("{elo:+.0} Elo")));
        }
        cells
    });
    PageTable {
        rows: rows.collect(),
        columns,
    }
}

/// Comparisons through common opponents in shared openings; `None` without any.
pub fn paired(data: &ReportData) -> Option<PageTable> {
    let rows = data.standings.paired.iter().map(|row| {
        let result = &row.result;
        vec![
            word(&row.player),
            word(&row.other),
            count(result.openings),
            TableCell {
                text: figures::percent_difference(&result.score),
                sort: result.score.value,
            },
            difference(&result.elo),
            figure(result.unpaired_error, |error| {
                format!("± {}", one_decimal(error))
            }),
            figure(row.p_holm, p_value),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let columns = vec![
        ("player", false),
        ("above it", false),
        ("openings", true),
        ("score", true),
        ("Elo", true),
        ("unpaired", true),
        ("p (Holm)", true),
    ];
    (!rows.is_empty()).then_some(PageTable { columns, rows })
}

/// What the table of paired comparisons shows.
pub const PAIRED_NOTE: &str = "Results against common opponents from the same openings, from the first \
     player's side, with 95 % intervals. Unpaired: the error if the openings had differed. p: that the scores \
     are equal, adjusted for all rows.";

/// Use of time; `None` if no moves were timed.
pub fn times(data: &ReportData) -> Option<PageTable> {
    let timed = data.ladder().iter().filter_map(|row| {
        let used = data.times.get(row.player)?;
        (used.moves > 0).then_some((row.name.as_str(), used))
    });
    let milliseconds = |seconds: f64| decimal(1000.0 * seconds, if seconds < 0.1 { 2 } else { 0 });
    let rows = timed.map(|(name, used)| {
        let error = used.per_move.standard_error().map(|error| 1.96 * error);
        vec![
            word(name),
            count(used.moves),
            figure(Some(used.per_move.mean), milliseconds),
            figure(error, milliseconds),
            figure(Some(used.longest), milliseconds),
            figure(used.nodes_per_second(), |speed| grouped(speed as u64)),
            count(used.lost_on_time),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let columns = vec![
        ("player", false),
        ("moves", true),
        ("ms per move", true),
        ("± (95 %)", true),
        ("longest, ms", true),
        ("nodes/s", true),
        ("lost on time", true),
    ];
    (!rows.is_empty()).then_some(PageTable { columns, rows })
}

/// What the figures of latency mean.
pub const LATENCY_NOTE: &str = "First line: from the request to the first answer of any kind. Overhead: the time \
    of a move as measured here, less the time that the engine says it took. Late: more than 10 ms beyond a \
    time per move. All of the last session.";

/// How fast engines reacted; `None` without engines.
pub fn latencies(data: &ReportData) -> Option<PageTable> {
    let engines = data
        .latencies
        .iter()
        .filter(|row| row.first_max_ms.is_some());
    let rows: Vec<_> = engines
        .map(|row| {
            vec![
                word(&row.player),
                count(row.moves),
                figure(row.first_p50_ms, one_decimal),
                figure(row.first_p99_ms, one_decimal),
                figure(row.first_max_ms, one_decimal),
                figure(row.overhead_p50_ms, one_decimal),
                figure(row.overhead_p99_ms, one_decimal),
                figure(row.overhead_max_ms, one_decimal),
                count(row.late_moves),
            ]
        })
        .collect();
    let columns = vec![
        ("engine", false),
        ("moves", true),
        ("first line, ms: median", true),
        ("99 %", true),
        ("max", true),
        ("overhead, ms: median", true),
        ("99 %", true),
        ("max", true),
        ("late moves", true),
    ];
    (!rows.is_empty()).then_some(PageTable { columns, rows })
}

/// The searched range.
fn range(parameter: &ParameterRow) -> String {
    let ends = parameter.low.zip(parameter.high);
    ends.map_or_else(String::new, |(low, high)| format!("{low} to {high}"))
}

/// The parameters of a tuning run.
pub fn parameters(tuning: &Tuning) -> PageTable {
    let known = |value: Option<f64>| TableCell {
        text: value.map_or(String::new(), |value| decimal(value, 2)),
        sort: value,
    };
    let rows = tuning.parameters.iter().map(|parameter| {
        vec![
            word(&parameter.name),
            known(Some(parameter.start)),
            known(Some(parameter.value)),
            known(parameter.error),
            TableCell {
                text: parameter.interval.map_or_else(String::new, |(low, high)| {
                    format!("{} to {}", decimal(low, 2), decimal(high, 2))
                }),
                sort: parameter.interval.map(|(low, _)| low),
            },
            known(parameter.z),
            figure(parameter.p_holm, p_value),
            word(&range(parameter)),
            word(&parameter.note),
        ]
    });
    let mut table = PageTable {
        columns: vec![
            ("parameter", false),
            ("start", true),
            ("tuned", true),
            ("standard error", true),
            ("95 % interval", true),
            ("z", true),
            ("p (Holm)", true),
            ("range", false),
            ("note", false),
        ],
        rows: rows.collect(),
    };
    // Columns that the method does not fill.
    let filled = !table.rows.is_empty();
    for column in (0..table.columns.len()).rev().filter(|_| filled) {
        if table.rows.iter().all(|row| row[column].text.is_empty()) {
            table.columns.remove(column);
            table
                .rows
                .iter_mut()
                .for_each(|row| drop(row.remove(column)));
        }
    }
    table
}
