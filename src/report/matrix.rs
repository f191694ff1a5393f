//! A heat map: coloured cells in rows and columns.

use super::canvas::{Anchor, ChartPlan, Stroke, Style};
use super::font::{fit, fit_name, text_width};
use super::frame::widest;
use super::theme;

/// One cell: its position on the colour scale from 0 to 1, its text and its tooltip.
pub struct Cell {
    pub share: f64,
    pub text: String,
    pub hint: String,
}

pub struct HeatMap {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// By row and column; `None` stays blank.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// The title of the columns.
    pub across: String,
    /// The labels of the ends and the middle of the colour scale.
    pub low: String,
    pub even: String,
    pub high: String,
}

/// Names with their ranks, which are the column heads.
pub fn numbered(names: &[String]) -> Vec<String> {
    let each = names.iter().enumerate();
    each.map(|(place, name)| format!("{}  {name}", place + 1))
        .collect()
}

impl HeatMap {
    /// Of players against players, both in the order of the standings: `cell` is asked by place.
    pub fn of_players(
        names: &[String],
        (low, high): (&str, &str),
        cell: impl Fn(usize, usize) -> Option<Cell>,
    ) -> HeatMap {
        let all = 0..names.len();
        let row = |player: usize| all.clone().map(|opponent| cell(player, opponent)).collect();
        HeatMap {
            rows: numbered(names),
            columns: (1..=names.len()).map(|place| place.to_string()).collect(),
            cells: all.clone().map(row).collect(),
            across: "opponent, by rank".to_string(),
            low: low.to_string(),
            even: "50 %".to_string(),
            high: high.to_string(),
        }
    }

    /// Draws the map from `top`. Returns the top of the remaining area.
    pub fn draw(&self, plan: &mut ChartPlan, top: f64) -> f64 {
        // Shorten names so that cells stay readable.
        let narrowest = if plan.width < theme::WIDTH { 5.0 } else { 14.0 };
        let columns = self.columns.len().max(1) as f64;
        let beside = plan.width - 2.0 * plan.margin() - 12.0 - narrowest * columns;
        let name_room = beside.clamp(80.0, 300.0);
        let names: Vec<String> = self
            .rows
            .iter()
            .map(|name| fit_name(name, theme::LABEL_SIZE, false, name_room))
            .collect();
        let left =
            plan.margin() + widest(names.iter().map(String::as_str), theme::LABEL_SIZE) + 12.0;
        let room = plan.width - plan.margin() - left;
        let width = (room / columns).clamp(narrowest, 84.0);
        let height = width.clamp(22.0, 34.0);
        let size = (width * 0.36).clamp(8.0, theme::SMALL_SIZE);
        let across = fit(&self.across, theme::SMALL_SIZE, false, room);
        plan.text((left, top + 8.0), &across, Anchor::Left, Style::SMALL);
        let head = top + 28.0;
        let head_size = size.min(theme::SMALL_SIZE);
        // Column heads would overlap if they do not fit.
        let head_room = widest(self.columns.iter().map(String::as_str), head_size) + 4.0;
        let every = (head_room / width).ceil().max(1.0) as usize;
        for (index, column) in self.columns.iter().enumerate() {
            let x = left + width * (index as f64 + 0.5);
            if index.is_multiple_of(every) {
                let style = Style::plain(head_size, theme::FAINT_INK);
                plan.text((x, head), column, Anchor::Centre, style);
            }
        }
        let top = head + 14.0;
        for (row, (name, full)) in names.iter().zip(&self.rows).enumerate() {
            let y = top + height * row as f64;
            let at = (left - 12.0, y + height / 2.0);
            plan.text(at, name, Anchor::Right, Style::LABEL);
            if name != full {
                plan.hint(full);
            }
            for (column, cell) in self.cells[row].iter().enumerate() {
                let x = left + width * column as f64;
                let Some(cell) = cell else { continue };
                let fill = theme::heat(cell.share);
                let (from, to) = ((x + 0.5, y + 0.5), (x + width - 0.5, y + height - 0.5));
                plan.rectangle(from, to, fill).hint(&cell.hint);
                if text_width(&cell.text, size, false) + 2.0 <= width {
                    let style = Style::plain(size, fill.ink());
                    let middle = (x + width / 2.0, y + height / 2.0);
                    plan.text(middle, &cell.text, Anchor::Centre, style);
                }
            }
        }
        let bottom = top + height * names.len() as f64;
        self.key(plan, bottom + 18.0)
    }

    /// The legend of the colour scale.
    fn key(&self, plan: &mut ChartPlan, top: f64) -> f64 {
        const STEPS: usize = 25;
        let (width, height) = (240.0, 12.0);
        let left = plan.margin();
        for step in 0..STEPS {
            let edge = |step: usize| left + width * step as f64 / STEPS as f64;
            let share = step as f64 / (STEPS - 1) as f64;
            let to = (edge(step + 1), top + height);
            plan.rectangle((edge(step), top), to, theme::heat(share));
        }
        let frame = vec![
            (left, top),
            (left + width, top),
            (left + width, top + height),
            (left, top + height),
            (left, top),
        ];
        plan.path(frame, Stroke::thin(theme::RULE));
        let y = top + height + 12.0;
        plan.text((left, y), &self.low, Anchor::Left, Style::SMALL);
        let middle = (left + width / 2.0, y);
        plan.text(middle, &self.even, Anchor::Centre, Style::SMALL);
        plan.text((left + width, y), &self.high, Anchor::Right, Style::SMALL);
        y + 22.0
    }
}
