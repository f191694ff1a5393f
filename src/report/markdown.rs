//! `report.md`: the tables for pull requests and forum posts.

use super::data::ReportData;
use super::race::race_words;
use super::summary::sentences;
use super::tables::{
    LATENCY_NOTE, PAIRED_NOTE, PageTable, TableCell, latencies, paired, pairings, parameters,
    standings, times,
};
use super::verdict::{headline, validation_text};
use super::wording::grouped;

/// Maximum number of rows.
const MOST_PARAMETERS: usize = 40;

/// Escapes text for Markdown, also in table cells.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '@' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

fn table(table: &PageTable) -> String {
    let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let columns = table.columns.iter();
    let mut text = cells(columns.clone().map(|(name, _)| name.to_string()).collect());
    let rule = |numeric: bool| if numeric { "---:" } else { ":---" }.to_string();
    text.push_str(&cells(columns.map(|(_, numeric)| rule(*numeric)).collect()));
    for row in &table.rows {
        text.push_str(&cells(row.iter().map(|cell| escape(&cell.text)).collect()));
    }
    text
}

pub fn markdown(data: &ReportData) -> String {
    let mut text = format!("# {}\n\n", escape(&data.title));
    if let Some(headline) = headline(data) {
        text.push_str(&format!("**{}**\n\n", escape(&headline.text)));
    }
    let validations = data.tuning.iter().flat_map(|tuning| &tuning.validations);
    let lines = validations.map(|row| format!("- {}\n", escape(&validation_text(row))));
    let lines: String = lines.collect();
    if !lines.is_empty() {
        text.push_str(&format!("{lines}\n"));
    }
    for sentence in sentences(data) {
        text.push_str(&format!("{}\n\n", escape(&sentence)));
    }
    if data.tally.game_count() > 0 {
        text.push_str("## Standings\n\n");
        text.push_str(&table(&standings(data)));
        if let Some(race) = race_words(data) {
            text.push_str("\n## Race\n\n");
            text.push_str(&table(&race.table()));
        }
        text.push_str("\n## Pairings\n\n");
        text.push_str(&table(&pairings(data)));
        if let Some(found) = paired(data) {
            text.push_str("\n### Paired by opening\n\n");
            text.push_str(&table(&found));
            text.push_str(&format!("\n{PAIRED_NOTE}\n"));
        }
        if let Some(times) = times(data) {
            text.push_str("\n## Time\n\n");
            text.push_str(&table(&times));
            if let Some(latencies) = latencies(data) {
                text.push_str(&format!("\n{LATENCY_NOTE}\n\n"));
                text.push_str(&table(&latencies));
            }
        }
    }
    if let Some(tuning) = &data.tuning {
        text.push_str("## Parameters\n\n");
        let mut found = parameters(tuning);
        let all = found.rows.len();
        if all > MOST_PARAMETERS {
            let z = found.columns.iter().position(|(name, _)| *name == "z");
            let clearness = |cells: &[TableCell]| {
                let z = z.and_then(|z| cells[z].sort);
                z.unwrap_or(0.0).abs()
            };
            found
                .rows
                .sort_by(|a, b| clearness(b).total_cmp(&clearness(a)));
            found.rows.truncate(MOST_PARAMETERS);
        }
        text.push_str(&table(&found));
        if all > MOST_PARAMETERS {
            text.push_str(&format!(
                "\nThe clearest {MOST_PARAMETERS} changes of {}; all are in `parameters.csv`.\n",
                grouped(all as u64)
            ));
        }
    }
    text.push_str(&format!(
        "\nElo intervals are 95 %; LOS is the likelihood of being the stronger one. \
         Made by sparring {}.\n",
        env!("CARGO_PKG_VERSION")
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_stay_in_their_cells() {
        assert_eq!(escape("a|b"), "a\\|b");
        assert_eq!(escape("<b>*x*"), "&lt;b&gt;\\*x\\*");
        assert_eq!(escape("two\nlines"), "two lines");
    }
}
