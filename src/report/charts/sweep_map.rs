//! Score over two swept values, as a heat map per swept player.

use super::sample;
use crate::record::Setting;
use crate::report::canvas::{Anchor, ChartPlan, Style};
use crate::report::data::ReportData;
use crate::report::font::fit;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, HeatMap};
use crate::report::share::level_with_the_best;
use crate::report::swept::{Sweep, sweeps};
use crate::report::theme;
use crate::report::wording::{counted, decimal, parameter, score_text, short};
use crate::stats::Estimate;

/// The score at one combination of values.
struct MapCell {
    row: usize,
    column: usize,
    score: Estimate,
    games: u64,
}

struct Map {
    name: String,
    keys: [String; 2],
    rows: Vec<String>,
    columns: Vec<String>,
    cells: Vec<MapCell>,
}

impl Map {
    fn of(data: &ReportData, sweep: &Sweep) -> Map {
        let (rows, columns) = (sweep.values(0), sweep.values(1));
        let place = |values: &[Setting], value: &Setting| {
            values.iter().position(|known| known == value).unwrap_or(0)
        };
        let cells = sweep.players.iter().map(|swept| {
            let summary = data.tally.players()[swept.player].summary();
            MapCell {
                row: place(&rows, &swept.values[0]),
                column: place(&columns, &swept.values[1]),
                score: summary.score,
                games: summary.games,
            }
        });
        Map {
            name: sweep.base.clone(),
            keys: [sweep.keys[0].clone(), sweep.keys[1].clone()],
            cells: cells.collect(),
            rows: rows.iter().map(Setting::to_string).collect(),
            columns: columns.iter().map(Setting::to_string).collect(),
        }
    }

    fn best(&self) -> Option<&MapCell> {
        let value = |at: &MapCell| at.score.value.unwrap_or(0.0);
        let cells = self.cells.iter();
        cells.max_by(|a, b| value(a).total_cmp(&value(b)))
    }

    fn matrix(&self) -> HeatMap {
        let mut cells: Vec<Vec<Option<Cell>>> = Vec::new();
        for _ in &self.rows {
            cells.push(self.columns.iter().map(|_| None).collect());
        }
        for at in &self.cells {
            let share = at.score.value.unwrap_or(0.5);
            cells[at.row][at.column] = Some(Cell {
                share,
                text: decimal(100.0 * share, 0),
                hint: format!(
                    "{}, {} = {}, {} = {}: {} in {}",
                    self.name,
                    self.keys[0],
                    self.rows[at.row],
                    self.keys[1],
                    self.columns[at.column],
                    score_text(&at.score),
                    counted(at.games, "game")
                ),
            });
        }
        let named = |value: &String| format!("{} = {value}", self.keys[0]);
        HeatMap {
            rows: self.rows.iter().map(named).collect(),
            columns: self.columns.clone(),
            cells,
            across: self.keys[1].clone(),
            low: "0 %".to_string(),
            even: "50 %".to_string(),
            high: "100 %".to_string(),
        }
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let found = sweeps(data, 2);
    let maps: Vec<Map> = found.iter().map(|sweep| Map::of(data, sweep)).collect();
    let value = |map: &&Map| map.best().and_then(|at| at.score.value).unwrap_or(0.0);
    let top = maps.iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
    let best = top.best()?;
    let scores: Vec<Estimate> = top.cells.iter().map(|at| at.score).collect();
    let level = level_with_the_best(&scores).len();
    let [key, other] = [0, 1].map(|key| parameter(&top.keys[key]));
    let title = match level {
        1 => format!(
            "{}: {key} = {}, {other} = {} scores best: {}",
            short(&top.name),
            top.rows[best.row],
            top.columns[best.column],
            score_text(&best.score)
        ),
        level => format!(
            "{}: no clear best {key} and {other}, {level} of {} score alike",
            short(&top.name),
            counted(scores.len() as u64, "combination")
        ),
    };
    let cells = maps.iter().flat_map(|map| &map.cells);
    let reach = cells.filter_map(|at| at.score.error()).fold(0.0, f64::max);
    let subtitle = format!(
        "{}; score in % against all opponents met; 95 % intervals reach up to ± {:.1} %",
        sample(data),
        100.0 * reach
    );
    let mut plan = ChartPlan::new(width, 0.0);
    let mut y = heading(&mut plan, &title, &subtitle);
    for map in &maps {
        if maps.len() > 1 {
            let name = fit(
                &map.name,
                theme::LABEL_SIZE,
                true,
                plan.width - 2.0 * plan.margin(),
            );
            let style = Style {
                bold: true,
                ..Style::LABEL
            };
            let at = (plan.margin(), y + 10.0);
            plan.text(at, &name, Anchor::Left, style);
            y += 26.0;
        }
        y = map.matrix().draw(&mut plan, y);
    }
    plan.height = y;
    Some(plan)
}
