//! Renders a plan as SVG: the same plan gives the same bytes on every machine.

use plotters::prelude::*;

use super::canvas::{ChartPlan, DrawError, Form, Point};
use super::font::{FAMILY, FONT};
use super::paint::{Grain, paint};

/// Tenths of a logical pixel, so that curves are smooth at any size.
const GRAIN: Grain = Grain {
    scale: 10.0,
    // plotters divides a size by this to get the em.
    em: 1.24,
    // It puts the baseline half an x below the point; half a capital is 0.36 em.
    drop: 0.09,
};

/// Escapes text for elements and quoted attributes of SVG and HTML.
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

pub fn svg(plan: &ChartPlan) -> Result<String, DrawError> {
    let steps = |length: f64| (length * GRAIN.scale).ceil() as u32;
    let size = (steps(plan.width), steps(plan.height));
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
        paint(plan, &area, GRAIN).map_err(DrawError::drawing)?;
    }
    // Replaces the header of plotters, which has the size in steps and no description.
    let body = drawn
        .split_once('>')
        .and_then(|(_, body)| body.trim_end().strip_suffix("</svg>"))
        .ok_or_else(|| DrawError::drawing("the output of plotters is not SVG"))?;
    // Viewers without the font fall back to one of similar widths.
    let body = body.replace(
        &format!("font-family=\"{FONT}\""),
        &format!("font-family=\"{FAMILY}\""),
    );
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{body}{}</svg>\n",
        plan.width,
        plan.height,
        size.0,
        size.1,
        escape(&plan.title),
        hints(plan)
    ))
}

/// The tooltip of a shape: an invisible box over it with a title.
fn hints(plan: &ChartPlan) -> String {
    let hinted = plan.shapes.iter().filter_map(|shape| {
        let hint = shape.hint.as_ref()?;
        let [left, top, right, bottom] = edges(&shape.form)?;
        let steps = |length: f64| (length * GRAIN.scale).round() as i64;
        Some(format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"0\"><title>{}</title></rect>\n",
            steps(left),
            steps(top),
            steps(right - left),
            steps(bottom - top),
            escape(hint)
        ))
    });
    hinted.collect()
}

/// Minimum hit area, in logical pixels to each side of a line.
const REACH: f64 = 3.0;

/// The hit area of a shape: left, top, right and bottom.
fn edges(form: &Form) -> Option<[f64; 4]> {
    let around = |points: &[Point], reach: f64| {
        let mut edges = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for (x, y) in points {
            edges = [
                edges[0].min(x - reach),
                edges[1].min(y - reach),
                edges[2].max(x + reach),
                edges[3].max(y + reach),
            ];
        }
        (!points.is_empty()).then_some(edges)
    };
    match form {
        Form::Box { from, to, .. } => around(&[*from, *to], 0.0),
        Form::Line { points, .. } => around(points, REACH),
        Form::Area { points, .. } => around(points, 0.0),
        Form::Dot { at, radius, .. } => around(&[*at], radius.max(REACH)),
        Form::Text { at, style, .. } => around(&[*at], style.size / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::canvas::{Anchor, Style};

    #[test]
    fn names_are_shown_literally() {
        let mut plan = ChartPlan::new(10.0, 10.0);
        plan.title = "\"quoted\" & <b>".to_string();
        plan.text((1.0, 2.0), "</text><script>x()", Anchor::Left, Style::LABEL);
        plan.hint("<i>'one'\u{7}</i>");
        let drawn = svg(&plan).expect("a drawing");
        assert!(drawn.contains("&lt;/text&gt;&lt;script&gt;x()"), "{drawn}");
        assert!(!drawn.contains("<script"), "{drawn}");
        assert!(
            drawn.contains("<title>&lt;i&gt;&#39;one&#39; &lt;/i&gt;</title>"),
            "{drawn}"
        );
        assert!(
            drawn.contains("aria-label=\"&quot;quoted&quot; &amp; &lt;b&gt;\""),
            "{drawn}"
        );
    }
}
