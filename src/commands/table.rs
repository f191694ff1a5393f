//! Plain tables for the terminal.

use super::output::printable_in_line;

/// Columns padded to their widest cell; the first `left` columns are aligned to the left.
pub struct TextTable {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub fn new(left: usize, header: &[&str]) -> TextTable {
        TextTable {
            left,
            rows: vec![header.iter().map(|cell| cell.to_string()).collect()],
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        let cells = cells.iter().map(|cell| printable_in_line(cell));
        self.rows.push(cells.collect());
    }

    pub fn text(&self) -> String {
        self.written(&self.widths())
    }

    /// At most `most` columns wide: the widest cells are wrapped between words.
    pub fn text_within(&self, most: usize) -> String {
        let mut widths = self.widths();
        let gaps = 2 * widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > most {
            let Some(widest) = widths.iter_mut().max() else {
                break;
            };
            if *widest <= NARROWEST {
                break;
            }
            *widest -= 1;
        }
        self.written(&widths)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }

    fn written(&self, widths: &[usize]) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(widths);
            let cells: Vec<Vec<String>> =
                cells.map(|(cell, width)| wrapped(cell, *width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for index in 0..height {
                let mut line = String::new();
                for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
                    let cell = cell.get(index).map_or("", String::as_str);
                    if column > 0 {
                        line.push_str("  ");
                    }
                    if column < self.left {
                        line.push_str(&format!("{cell:<width$}"));
                    } else {
                        line.push_str(&format!("{cell:>width$}"));
                    }
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        text
    }
}

/// No column is made narrower than this.
const NARROWEST: usize = 12;

/// The lines of a cell of this width. A longer word is cut.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let length = |text: &str| text.chars().count();
    for word in text.split(' ') {
        let last = lines.last_mut().map_or(0, |line| length(line));
        match lines.last_mut() {
            Some(line) if last == 0 => line.push_str(word),
            Some(line) if last + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
        while let Some(long) = lines.last_mut()
            && length(long) > width.max(1)
        {
            let at = long.char_indices().nth(width.max(1));
            let rest = at.map_or(String::new(), |(at, _)| long.split_off(at));
            lines.push(rest);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_are_wrapped_between_words() {
        let mut table = TextTable::new(2, &["name", "help"]);
        table.row(vec![
            "a".to_string(),
            "one two three four five six".to_string(),
        ]);
        assert_eq!(
            table.text_within(20),
            "name  help\na     one two three\n      four five six\n"
        );
        assert_eq!(table.text().lines().count(), 2);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
