//! How much each tuned parameter matters: the spread of Elo over its range, by the model.

use super::slices::by_effect;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, Ticks, axis_below, heading};
use crate::report::lines::short_number;
use crate::report::scale::{Scale, round_ends};
use crate::report::theme;
use crate::report::wording::{decimal, parameter, short};

const MOST: usize = 40;

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let tuning = data.tuning.as_ref()?;
    let mut all = by_effect(&tuning.slices);
    if all.len() < 2 {
        return None;
    }
    all.truncate(MOST);
    let rows: Vec<Row> = all
        .iter()
        .map(|slice| Row {
            name: parameter(&slice.name).to_string(),
            colour: None,
            figure: decimal(slice.effect, 1),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let title = format!(
        "{}: {} Elo over its range",
        short(parameter(&all[0].name)),
        decimal(all[0].effect, 1)
    );
    let subtitle = format!(
        "{}: standard deviation of Elo along each slice, by the model",
        data.title
    );
    let top = heading(&mut plan, &title, &subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let (low, high) = round_ends(0.0, all[0].effect.max(1.0), 6);
    let scale = Scale::linear((low, high), (layout.left, layout.right));
    let ticks = Ticks::across(&scale, short_number);
    let span = (layout.top, layout.bottom());
    plan.height = axis_below(&mut plan, &scale, &ticks, span, "Elo");
    for (index, slice) in all.iter().enumerate() {
        let (y, half) = (layout.middle(index), layout.bar());
        let (left, right) = (scale.at(0.0), scale.at(slice.effect));
        plan.rectangle((left, y - half), (right, y + half), theme::WIN);
        plan.hint(format!("{}: {} Elo", slice.name, decimal(slice.effect, 1)));
    }
    Some(plan)
}
