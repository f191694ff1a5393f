//! Complete tables in CSV files. Growing files are handled by the journal and the trajectory.

use std::path::Path;

use super::disk::parent;
use super::error::RecordError;
use super::run_files::{RunFiles, check_listed};

/// Writes a table atomically.
pub(super) fn write_table(
    files: &mut RunFiles,
    name: &str,
    header: &[String],
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<(), RecordError> {
    let bytes = table(&files.directory().join(name), header, rows)?;
    files.replace(name, &bytes)
}

/// The bytes of a table.
pub(super) fn table(
    path: &Path,
    header: &[String],
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<Vec<u8>, RecordError> {
    let failed = |error: csv::Error| RecordError::csv(path, &error);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(failed)?;
    for row in rows {
        writer.write_record(row).map_err(failed)?;
    }
    writer
        .into_inner()
        .map_err(|error| RecordError::io(path, error.error()))
}

/// One row as CSV, with its line end.
pub(super) fn csv_line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing UTF-8 text to memory cannot fail.
    let written = writer.write_record(cells);
    debug_assert!(written.is_ok(), "{written:?}");
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// A table read from a file. Cells are found by column name.
pub(super) struct Sheet<'p> {
    path: &'p Path,
    pub header: Vec<String>,
    pub rows: Vec<SheetRow>,
}

pub(super) struct SheetRow {
    pub line: u64,
    pub cells: Vec<String>,
}

impl<'p> Sheet<'p> {
    /// `None` if there is no such file.
    pub fn read(path: &'p Path) -> Result<Option<Sheet<'p>>, RecordError> {
        if !path.exists() {
            return Ok(None);
        }
        let bytes = std::fs::read(path).map_err(|error| RecordError::io(path, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        check_listed(parent(path), &name, &bytes)?;
        Sheet::of(path, &bytes).map(Some)
    }

    /// The table in the bytes of a file.
    pub fn of(path: &'p Path, bytes: &[u8]) -> Result<Sheet<'p>, RecordError> {
        let failed = |error: csv::Error| RecordError::csv(path, &error);
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(failed)?;
        let header = header.iter().map(str::to_string).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(failed)?;
            rows.push(SheetRow {
                line: record.position().map_or(0, csv::Position::line),
                cells: record.iter().map(str::to_string).collect(),
            });
        }
        Ok(Sheet { path, header, rows })
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The text of a cell; blank if the file has no such column.
    pub fn text<'r>(&self, row: &'r SheetRow, name: &str) -> &'r str {
        let cell = self.column(name).and_then(|at| row.cells.get(at));
        cell.map_or("", |text| text.trim())
    }

    /// A required number.
    pub fn number(&self, row: &SheetRow, name: &str) -> Result<f64, RecordError> {
        let text = self.text(row, name);
        finite(text).ok_or_else(|| self.wrong(row, name, text))
    }

    /// A number, or `None` for a blank cell or a missing column.
    pub fn maybe<T: std::str::FromStr>(
        &self,
        row: &SheetRow,
        name: &str,
    ) -> Result<Option<T>, RecordError> {
        match self.text(row, name) {
            "" => Ok(None),
            text => match text.parse() {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(self.wrong(row, name, text)),
            },
        }
    }

    fn wrong(&self, row: &SheetRow, name: &str, text: &str) -> RecordError {
        self.refuse(
            row.line,
            format!("column `{name}`: `{text}` is not a number"),
        )
    }

    pub fn refuse(&self, line: u64, message: String) -> RecordError {
        RecordError::Row {
            path: self.path.to_path_buf(),
            line,
            message,
        }
    }
}

/// A finite number.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}
