//! Which parameters can stand in for each other: correlations of their estimates.

use crate::report::canvas::Plan;
use crate::report::data::ReportData;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, Matrix};
use crate::report::theme;
use crate::report::tuning::short_name;

pub fn plan(data: &ReportData) -> Option<Plan> {
    let table = data.tuning.as_ref()?.correlations.as_ref()?;
    let mut names: Vec<String> = Vec::new();
    for row in 0..table.len() {
        let name = short_name(table.text(row, "one"));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let size = names.len();
    if size < 2 || table.len() != size * size {
        return None;
    }
    let mut strongest: Option<(f64, usize, usize)> = None;
    let cells = (0..size).map(|row| {
        let cells = (0..size).map(|column| {
            let value = table.number(row * size + column, "correlation")?;
            if row < column && strongest.is_none_or(|(most, ..)| value.abs() > most.abs()) {
                strongest = Some((value, row, column));
            }
            Some(Cell {
                share: (value + 1.0) / 2.0,
                text: if row == column {
                    String::new()
                } else {
                    format!("{:.0}", 100.0 * value)
                },
                hint: format!("{} and {}: {value:+.2}", names[row], names[column]),
            })
        });
        cells.collect()
    });
    let matrix = Matrix {
        cells: cells.collect(),
        rows: names
            .iter()
            .enumerate()
            .map(|(index, name)| format!("{} {name}", index + 1))
            .collect(),
        columns: (1..=size).map(|place| place.to_string()).collect(),
        across: "the same parameters, by number".to_string(),
        low: "one for the other".to_string(),
        even: "apart".to_string(),
        high: "together".to_string(),
    };
    let (value, one, other) = strongest?;
    let title = format!(
        "{} and {} hang together most: {value:+.2}",
        names[one], names[other]
    );
    let subtitle = format!(
        "{}: correlation of the estimates in %, the {size} clearest changes",
        data.title
    );
    let mut plan = Plan::new(theme::WIDTH, 0.0);
    let top = heading(&mut plan, &title, &subtitle);
    plan.height = matrix.draw(&mut plan, top);
    Some(plan)
}
