//! The validation matches of a tuning run: `validation.csv` has a row for each.

use std::path::Path;

use super::error::RecordError;
use super::figures::decimal_or_blank;
use super::run_files::RunFiles;
use super::sheet::{Sheet, write_table};
use crate::stats::{Basis, Estimate, Verdict};

const VALIDATION: &str = "validation.csv";

/// The opponent that stands for the player before tuning.
pub const START: &str = "start";

/// The result of one match of the tuned player.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationRow {
    pub opponent: String,
    /// Such as `depth 5`.
    pub limit: String,
    /// The run directory of the match, in that of the tuning run.
    pub directory: String,
    pub pairs: u64,
    /// From the tuned player's side.
    pub elo: Estimate,
    pub los: Option<f64>,
    pub llr: f64,
    pub verdict: Verdict,
}

impl ValidationRow {
    const COLUMNS: [&str; 10] = [
        "opponent",
        "limit",
        "directory",
        "pairs",
        "elo",
        "elo_low",
        "elo_high",
        "los",
        "llr",
        "verdict",
    ];

    /// Writes `validation.csv`.
    pub fn write_all(files: &mut RunFiles, rows: &[ValidationRow]) -> Result<(), RecordError> {
        let cells = |row: &ValidationRow| {
            vec![
                row.opponent.clone(),
                row.limit.clone(),
                row.directory.clone(),
                row.pairs.to_string(),
                decimal_or_blank(row.elo.value, 2),
                decimal_or_blank(row.elo.low, 2),
                decimal_or_blank(row.elo.high, 2),
                decimal_or_blank(row.los, 6),
                decimal_or_blank(Some(row.llr), 4),
                row.verdict.name().to_string(),
            ]
        };
        let header = ValidationRow::COLUMNS.map(str::to_string);
        write_table(files, VALIDATION, &header, rows.iter().map(cells))
    }

    /// Reads `validation.csv`; no rows if there is no such file.
    pub fn read_all(directory: &Path) -> Result<Vec<ValidationRow>, RecordError> {
        let path = directory.join(VALIDATION);
        let Some(sheet) = Sheet::read(&path)? else {
            return Ok(Vec::new());
        };
        let rows = sheet.rows.iter().map(|row| {
            let word = sheet.text(row, "verdict");
            let verdict = Verdict::ALL.into_iter().find(|it| it.name() == word);
            let verdict = verdict.ok_or_else(|| {
                sheet.refuse(
                    row.line,
                    format!("column `verdict`: unknown verdict `{word}`"),
                )
            })?;
            Ok(ValidationRow {
                opponent: sheet.text(row, "opponent").to_string(),
                limit: sheet.text(row, "limit").to_string(),
                directory: sheet.text(row, "directory").to_string(),
                pairs: sheet.maybe(row, "pairs")?.unwrap_or(0),
                elo: Estimate {
                    value: sheet.maybe(row, "elo")?,
                    low: sheet.maybe(row, "elo_low")?,
                    high: sheet.maybe(row, "elo_high")?,
                    basis: Basis::Normal,
                },
                los: sheet.maybe(row, "los")?,
                llr: sheet.maybe(row, "llr")?.unwrap_or(0.0),
                verdict,
            })
        });
        rows.collect()
    }

    /// Whether the matches prove the tuned player better than the start: at the limit of the tuning,
    /// and found not better at no other.
    pub fn prove_gain(rows: &[ValidationRow]) -> bool {
        let against_start = || rows.iter().filter(|row| row.opponent == START);
        against_start()
            .next()
            .is_some_and(|row| row.verdict == Verdict::AcceptH1)
            && against_start().all(|row| row.verdict != Verdict::AcceptH0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(opponent: &str, verdict: Verdict) -> ValidationRow {
        ValidationRow {
            opponent: opponent.to_string(),
            limit: "depth 5".to_string(),
            directory: "validation-start".to_string(),
            pairs: 60,
            elo: Estimate {
                value: None,
                low: Some(12.25),
                high: None,
                basis: Basis::Normal,
            },
            los: Some(0.75),
            llr: 1.5,
            verdict,
        }
    }

    #[test]
    fn validation_matches_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let rows = Verdict::ALL.map(|verdict| row("a, \"b\"", verdict));
        let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
        ValidationRow::write_all(&mut files, &rows).unwrap();
        assert_eq!(ValidationRow::read_all(folder.path()).unwrap(), rows);
    }

    #[test]
    fn a_gain_is_proven_at_the_tuning_limit_and_refuted_at_any() {
        let proven = row(START, Verdict::AcceptH1);
        let open = row(START, Verdict::Continue);
        let refuted = row(START, Verdict::AcceptH0);
        let prove = |rows: &[&ValidationRow]| {
            let rows: Vec<ValidationRow> = rows.iter().map(|row| (*row).clone()).collect();
            ValidationRow::prove_gain(&rows)
        };
        assert!(prove(&[&proven, &open]));
        assert!(!prove(&[&open, &proven]));
        assert!(!prove(&[&proven, &refuted]));
        assert!(!prove(&[&row("other", Verdict::AcceptH1)]));
        assert!(!prove(&[]));
    }
}
