//! The tuned player against its opponents: Elo of every validation match.

use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{LegendKey, Row, Rows, heading, legend, whiskers};
use crate::report::share::elo_axis;
use crate::report::theme::{self, Colour};
use crate::report::verdict::validation_text;
use crate::report::wording::{counted, elo_text};
use crate::stats::Verdict;

/// Colours and words of the verdicts.
const VERDICTS: [(Verdict, Colour, &str); 3] = [
    (Verdict::AcceptH1, theme::WIN, "better (H1)"),
    (Verdict::AcceptH0, theme::LOSS, "not better (H0)"),
    (Verdict::Continue, theme::RULE, "undecided"),
];

fn colour(verdict: Verdict) -> Colour {
    let row = VERDICTS.iter().find(|(of, ..)| *of == verdict);
    row.map_or(theme::RULE, |(_, colour, _)| *colour)
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let matches = &data.tuning.as_ref()?.validations;
    let first = matches.first()?;
    let proven = matches
        .iter()
        .filter(|row| row.verdict == Verdict::AcceptH1)
        .count();
    let title = match (matches.len(), proven) {
        (1, _) => format!(
            "{} Elo against {} at {}",
            elo_text(&first.elo),
            first.opponent,
            first.limit
        ),
        (many, proven) => format!("Better in {proven} of {many} validation matches"),
    };
    let pairs: u64 = matches.iter().map(|row| row.pairs).sum();
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}: {} on openings that the tuning has not used; whiskers: 95 % interval",
        data.title,
        counted(pairs, "pair")
    );
    let top = heading(&mut plan, &title, &subtitle);
    let keys: Vec<LegendKey<'_>> = VERDICTS
        .iter()
        .filter(|(verdict, ..)| matches.iter().any(|row| row.verdict == *verdict))
        .map(|(_, colour, name)| LegendKey {
            colour: *colour,
            name,
        })
        .collect();
    let top = legend(&mut plan, top, &keys);
    let rows: Vec<Row> = matches
        .iter()
        .map(|row| Row {
            name: format!("{}, {}", row.opponent, row.limit),
            colour: None,
            figure: elo_text(&row.elo),
        })
        .collect();
    let layout = Rows::begin(&mut plan, top, &rows);
    let figures = matches.iter().map(|row| &row.elo);
    let scale = elo_axis(&mut plan, &layout, "Elo of the tuned player", figures);
    for (index, row) in matches.iter().enumerate() {
        let colour = colour(row.verdict);
        whiskers(
            &mut plan,
            &scale,
            layout.middle(index),
            &row.elo,
            colour,
            colour,
        );
        plan.hint(validation_text(row));
    }
    Some(plan)
}
