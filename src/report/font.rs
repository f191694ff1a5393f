//! The embedded font: text widths and glyph outlines, so that charts look the same on machines without
//! fonts.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont};

/// The parsed fonts; a font that failed to parse would fail every test.
static REGULAR: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(dejavu::sans::regular()).ok());
static BOLD: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(dejavu::sans::bold()).ok());

/// Its name in plotters.
pub const FONT: &str = "DejaVu Sans";

/// Its family in SVG. Viewers without it fall back to fonts of nearly the same widths.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

pub fn face(bold: bool) -> Option<&'static FontRef<'static>> {
    if bold {
        BOLD.as_ref()
    } else {
        REGULAR.as_ref()
    }
}

/// The scale at which one em is `size` pixels, as in SVG and CSS.
fn scale(font: &FontRef<'_>, size: f64) -> PxScale {
    let units = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(size as f32 * font.height_unscaled() / units)
}

/// The glyphs of a text from `(0, 0)`, with the baseline at y = 0, and its width.
pub fn layout(text: &str, size: f64, bold: bool) -> (Vec<Glyph>, f64) {
    let Some(font) = face(bold) else {
        return (Vec::new(), text.chars().count() as f64 * size);
    };
    let scale = scale(font, size);
    let scaled = font.as_scaled(scale);
    let mut x = 0.0;
    let mut glyphs = Vec::new();
    for letter in text.chars() {
        let id = font.glyph_id(letter);
        glyphs.push(id.with_scale_and_position(scale, ab_glyph::point(x, 0.0)));
        x += scaled.h_advance(id);
    }
    (glyphs, f64::from(x))
}

/// The width of a text.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    layout(text, size, bold).1
}

/// The text, truncated with an ellipsis to fit `room`.
pub fn fit(text: &str, size: f64, bold: bool, room: f64) -> String {
    if text_width(text, size, bold) <= room {
        return text.to_string();
    }
    let mut letters: Vec<char> = text.chars().collect();
    while !letters.is_empty() {
        letters.pop();
        let cut: String = letters.iter().collect::<String>().trim_end().to_string() + "…";
        if text_width(&cut, size, bold) <= room {
            return cut;
        }
    }
    String::new()
}

/// A name, truncated in the middle to fit `room`: names often differ only at the end.
pub fn fit_name(name: &str, size: f64, bold: bool, room: f64) -> String {
    if text_width(name, size, bold) <= room {
        return name.to_string();
    }
    let letters: Vec<char> = name.chars().collect();
    for kept in (1..letters.len()).rev() {
        let tail = kept * 2 / 5;
        let head: String = letters[..kept - tail].iter().collect();
        let end: String = letters[letters.len() - tail..].iter().collect();
        let cut = format!("{}…{}", head.trim_end(), end.trim_start());
        if text_width(&cut, size, bold) <= room {
            return cut;
        }
    }
    String::new()
}

/// Wraps the text to at most `lines` lines of width `room`, and truncates the rest. A last line that is
/// short takes words from those before.
pub fn wrap(text: &str, size: f64, bold: bool, room: f64, lines: usize) -> Vec<String> {
    let wrapped = wrap_greedily(text, size, bold, room, lines);
    // A headline is balanced; other text only must not end in a single word.
    let least = if bold { 0.4 } else { 0.12 };
    let short = |line: &String| text_width(line, size, bold) < least * room;
    if wrapped.len() < 2 || !wrapped.last().is_some_and(short) {
        return wrapped;
    }
    // The narrowest room that needs no more lines.
    let (mut best, mut low, mut high) = (wrapped.clone(), 0.4, 1.0);
    for _ in 0..6 {
        let share = (low + high) / 2.0;
        let tried = wrap_greedily(text, size, bold, room * share, usize::MAX);
        let whole = tried.iter().all(|line| !line.ends_with('…'));
        if tried.len() <= wrapped.len() && whole {
            (best, high) = (tried, share);
        } else {
            low = share;
        }
    }
    best
}

/// The words of a text; a figure stays with its error and its unit.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joined = false;
    for word in text.split_whitespace() {
        let tied = word == "±" || word.starts_with('%') || word.starts_with("Elo");
        match words.last_mut() {
            Some(last) if joined || tied => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_string()),
        }
        joined = word == "±";
    }
    words
}

/// Fills every line before the next begins.
fn wrap_greedily(text: &str, size: f64, bold: bool, room: f64, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut words = words(text).into_iter().peekable();
    while let Some(word) = words.next() {
        let longer = if line.is_empty() {
            word.clone()
        } else {
            format!("{line} {word}")
        };
        if line.is_empty() || text_width(&longer, size, bold) <= room {
            line = longer;
        } else if wrapped.len() < lines.saturating_sub(1) {
            wrapped.push(std::mem::replace(&mut line, word));
        } else {
            let rest: Vec<String> = std::iter::once(word).chain(words).collect();
            line = format!("{line} {}", rest.join(" "));
            break;
        }
    }
    wrapped.push(line);
    wrapped
        .iter()
        .map(|line| fit(line, size, bold, room))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_wide_as_its_letters() {
        // Advances of DejaVu Sans in units of 1/2048 em: "H" 1540, "i" 569.
        let expected = 16.0 * (1540.0 + 569.0) / 2048.0;
        assert!((text_width("Hi", 16.0, false) - expected).abs() < 0.01);
    }

    #[test]
    fn what_does_not_fit_is_cut_with_an_ellipsis() {
        let cut = fit("a name that is far too long", 14.0, false, 100.0);
        assert!(
            cut.ends_with('…') && text_width(&cut, 14.0, false) <= 100.0,
            "{cut}"
        );
        assert_eq!(fit("short", 14.0, false, 100.0), "short");
        assert_eq!(fit("wide", 14.0, false, 1.0), "");
        let cut = fit_name("player weights.mobility=5", 14.0, false, 120.0);
        assert!(cut.starts_with("player") && cut.ends_with("=5"), "{cut}");
    }

    #[test]
    fn wrapped_lines_hold_all_words_or_end_in_an_ellipsis() {
        let text = "one two three four five six";
        let lines = wrap(text, 14.0, false, 100.0, 9);
        assert_eq!(lines.join(" "), text);
        // No line of one short word at the end of a title.
        let room = text_width("one two three four five", 14.0, true) + 1.0;
        assert_eq!(
            wrap(text, 14.0, true, room, 9),
            ["one two three", "four five six"]
        );
        let lines = wrap(text, 14.0, false, 60.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'), "{lines:?}");
    }
}
