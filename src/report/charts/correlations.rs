//! Correlations between tuned parameters.

use crate::report::canvas::ChartPlan;

use crate::report::data::ReportData;
use crate::report::frame::heading;
use crate::report::matrix::{Cell, HeatMap, numbered};
use crate::report::wording::{decimal, parameter, short};

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let found = data.tuning.as_ref()?.correlations.as_ref()?;
    let (names, table) = (&found.names, &found.values);
    if names.len() < 2 {
        return None;
    }
    let names: Vec<String> = names
        .iter()
        .map(|name| parameter(name).to_string())
        .collect();
    let mut strongest: Option<(f64, usize, usize)> = None;
    for (row, values) in table.iter().enumerate() {
        for (column, value) in values.iter().enumerate().take(row) {
            if let Some(value) = value
                && strongest.is_none_or(|(most, ..)| value.abs() > most.abs())
            {
                strongest = Some((*value, row, column));
            }
        }
    }
    let (value, row, column) = strongest?;
    let title = format!(
        "{} and {} are most correlated: {}",
        short(&names[column]),
        short(&names[row]),
        decimal(value, 2)
    );
    let cells = table.iter().enumerate().map(|(row, values)| {
        let cells = values.iter().enumerate().map(|(column, value)| {
            let value = value.filter(|_| row != column)?;
            Some(Cell {
                share: (1.0 + value) / 2.0,
                text: decimal(value, 1),
                hint: format!(
                    "{} and {}: {}",
                    names[row],
                    names[column],
                    decimal(value, 3)
                ),
            })
        });
        cells.collect()
    });
    let matrix = HeatMap {
        rows: numbered(&names),
        columns: (1..=names.len()).map(|place| place.to_string()).collect(),
        cells: cells.collect(),
        across: "parameter, by number".to_string(),
        low: "−1".to_string(),
        even: "0".to_string(),
        high: "+1".to_string(),
    };
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}: correlation of the parameters' errors; near ±1 the data cannot separate two parameters",
        data.title
    );
    let top = heading(&mut plan, &title, &subtitle);
    plan.height = matrix.draw(&mut plan, top);
    Some(plan)
}
