//! A plan as SVG text: the same plan gives the same bytes on every machine.

use std::fmt::Write;

use super::canvas::{Anchor, Form, Plan, Point, Stroke};
use super::font::FAMILY;
use super::theme;

/// Text that is shown literally, in elements and in quoted attributes, of SVG and of HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters are not allowed in XML at all.
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// One decimal, without needless zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_string()
}

fn points(points: &[Point]) -> String {
    let each = points
        .iter()
        .map(|(x, y)| format!("{},{}", number(*x), number(*y)));
    each.collect::<Vec<_>>().join(" ")
}

fn stroke(stroke: &Stroke) -> String {
    let dash = if stroke.dashed {
        " stroke-dasharray=\"6 4\""
    } else {
        ""
    };
    format!(
        "stroke=\"{}\" stroke-width=\"{}\"{dash}",
        stroke.colour.hex(),
        number(stroke.width)
    )
}

pub fn svg(plan: &Plan) -> String {
    let (width, height) = (number(plan.width), number(plan.height));
    let title = escape(&plan.title);
    // Writing to a string cannot fail.
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" role=\"img\" \
         aria-label=\"{title}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        theme::BACKGROUND.hex()
    );
    for shape in &plan.shapes {
        let (name, attributes, content) = element(&shape.form);
        let hint = shape.hint.as_ref().map_or(String::new(), |hint| {
            format!("<title>{}</title>", escape(hint))
        });
        let _ = if content.is_empty() && hint.is_empty() {
            writeln!(text, "<{name} {attributes}/>")
        } else {
            writeln!(text, "<{name} {attributes}>{hint}{content}</{name}>")
        };
    }
    text.push_str("</svg>\n");
    text
}

/// The element's name, its attributes and its content.
fn element(form: &Form) -> (&'static str, String, String) {
    match form {
        Form::Box { from, to, fill } => {
            let attributes = format!(
                "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"",
                number(from.0.min(to.0)),
                number(from.1.min(to.1)),
                number((to.0 - from.0).abs()),
                number((to.1 - from.1).abs()),
                fill.hex()
            );
            ("rect", attributes, String::new())
        }
        Form::Line {
            points: line,
            stroke: pen,
        } => {
            let attributes = format!(
                "points=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\"",
                points(line),
                stroke(pen)
            );
            ("polyline", attributes, String::new())
        }
        Form::Area {
            points: outline,
            fill,
            opacity,
        } => {
            let attributes = format!(
                "points=\"{}\" fill=\"{}\" fill-opacity=\"{opacity}\"",
                points(outline),
                fill.hex()
            );
            ("polygon", attributes, String::new())
        }
        Form::Dot {
            at,
            radius,
            fill,
            outline,
        } => {
            let attributes = format!(
                "cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\"",
                number(at.0),
                number(at.1),
                number(*radius),
                fill.hex(),
                outline.hex()
            );
            ("circle", attributes, String::new())
        }
        Form::Text {
            at,
            text,
            anchor,
            style,
        } => {
            let anchor = match anchor {
                Anchor::Left => "start",
                Anchor::Centre => "middle",
                Anchor::Right => "end",
            };
            let weight = if style.bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let attributes = format!(
                "x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{weight}",
                number(at.0),
                number(at.1 + style.size * BASELINE),
                number(style.size),
                style.colour.hex()
            );
            ("text", attributes, escape(text))
        }
    }
}

/// How far below the middle of a line its baseline stands, in ems: half the height of a capital.
pub const BASELINE: f64 = 0.36;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::canvas::Style;

    #[test]
    fn names_are_shown_literally() {
        let mut plan = Plan::new(10.0, 10.0);
        plan.title = "\"quoted\" & <b>".to_string();
        plan.text((1.0, 2.0), "</text><script>x()", Anchor::Left, Style::LABEL);
        plan.hint("<i>'one'\u{7}</i>");
        let drawn = svg(&plan);
        assert!(
            drawn.contains("&lt;/text&gt;&lt;script&gt;x()</text>"),
            "{drawn}"
        );
        assert!(
            drawn.contains("<title>&lt;i&gt;&#39;one&#39; &lt;/i&gt;</title>"),
            "{drawn}"
        );
        assert!(
            drawn.contains("aria-label=\"&quot;quoted&quot; &amp; &lt;b&gt;\""),
            "{drawn}"
        );
    }

    #[test]
    fn numbers_are_short_and_never_minus_nothing() {
        assert_eq!(number(12.0), "12");
        assert_eq!(number(12.34), "12.3");
        assert_eq!(number(-0.01), "0");
    }
}
