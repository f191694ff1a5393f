//! A plan as PNG bytes, at twice the logical size for sharp screens and print.

use ab_glyph::{Font, OutlineCurve};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform,
};

use super::canvas::{Anchor, DrawError, Form, Plan, Point, Stroke};
use super::font::{face, layout};
use super::svg::BASELINE;
use super::theme::{self, Colour};

const SCALE: f32 = 2.0;

pub fn png(plan: &Plan) -> Result<Vec<u8>, DrawError> {
    let size = |length: f64| (length * f64::from(SCALE)).ceil() as u32;
    let mut pixels = Pixmap::new(size(plan.width), size(plan.height))
        .ok_or_else(|| DrawError::drawing("the picture is empty or too large"))?;
    pixels.fill(solid(theme::BACKGROUND, 1.0));
    for shape in &plan.shapes {
        draw(&mut pixels, &shape.form);
    }
    // Few colours and flat areas: no need for the slower, smaller kinds of compression.
    encode(&pixels)
}

fn solid(colour: Colour, opacity: f64) -> Color {
    let alpha = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
    Color::from_rgba8(colour.0, colour.1, colour.2, alpha)
}

fn paint(colour: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(solid(colour, opacity));
    paint
}

fn outline(points: &[Point], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 {
            builder.move_to(*x as f32, *y as f32);
        } else {
            builder.line_to(*x as f32, *y as f32);
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn pen(stroke: &Stroke) -> tiny_skia::Stroke {
    tiny_skia::Stroke {
        width: stroke.width as f32,
        line_cap: LineCap::Butt,
        line_join: LineJoin::Round,
        dash: stroke
            .dashed
            .then(|| StrokeDash::new(vec![6.0, 4.0], 0.0))
            .flatten(),
        ..tiny_skia::Stroke::default()
    }
}

/// A shape without extent is skipped, as SVG does.
fn draw(pixels: &mut Pixmap, form: &Form) {
    let scale = Transform::from_scale(SCALE, SCALE);
    match form {
        Form::Box { from, to, fill } => {
            let corners = [*from, (to.0, from.1), *to, (from.0, to.1)];
            if let Some(path) = outline(&corners, true) {
                pixels.fill_path(&path, &paint(*fill, 1.0), FillRule::Winding, scale, None);
            }
        }
        Form::Line { points, stroke } => {
            if let Some(path) = outline(points, false) {
                pixels.stroke_path(&path, &paint(stroke.colour, 1.0), &pen(stroke), scale, None);
            }
        }
        Form::Area {
            points,
            fill,
            opacity,
        } => {
            if let Some(path) = outline(points, true) {
                let paint = paint(*fill, *opacity);
                pixels.fill_path(&path, &paint, FillRule::Winding, scale, None);
            }
        }
        Form::Dot {
            at,
            radius,
            fill,
            outline,
        } => {
            let circle = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32);
            if let Some(path) = circle {
                pixels.fill_path(&path, &paint(*fill, 1.0), FillRule::Winding, scale, None);
                let edge = pen(&Stroke::thin(*outline));
                pixels.stroke_path(&path, &paint(*outline, 1.0), &edge, scale, None);
            }
        }
        Form::Text {
            at,
            text,
            anchor,
            style,
        } => {
            let (glyphs, width) = layout(text, style.size, style.bold);
            let left = match anchor {
                Anchor::Left => at.0,
                Anchor::Centre => at.0 - width / 2.0,
                Anchor::Right => at.0 - width,
            };
            let baseline = at.1 + style.size * BASELINE;
            let place = scale.pre_translate(left as f32, baseline as f32);
            if let Some(path) = letters(&glyphs, style.bold) {
                let paint = paint(style.colour, 1.0);
                pixels.fill_path(&path, &paint, FillRule::Winding, place, None);
            }
        }
    }
}

/// The outlines of letters as one path, the baseline being y = 0.
fn letters(glyphs: &[ab_glyph::Glyph], bold: bool) -> Option<Path> {
    let font = face(bold)?;
    let mut builder = PathBuilder::new();
    for glyph in glyphs {
        let Some(outline) = font.outline(glyph.id) else {
            continue;
        };
        // Outlines come in font units with y up.
        let factor = glyph.scale.y / font.height_unscaled();
        let place = |point: ab_glyph::Point| {
            (
                glyph.position.x + point.x * factor,
                glyph.position.y - point.y * factor,
            )
        };
        let mut last = None;
        for curve in &outline.curves {
            let (start, end) = match curve {
                OutlineCurve::Line(a, b) => (*a, *b),
                OutlineCurve::Quad(a, _, b) => (*a, *b),
                OutlineCurve::Cubic(a, _, _, b) => (*a, *b),
            };
            if last != Some(start) {
                let (x, y) = place(start);
                builder.move_to(x, y);
            }
            last = Some(end);
            let (x, y) = place(end);
            match curve {
                OutlineCurve::Line(..) => builder.line_to(x, y),
                OutlineCurve::Quad(_, control, _) => {
                    let control = place(*control);
                    builder.quad_to(control.0, control.1, x, y);
                }
                OutlineCurve::Cubic(_, one, two, _) => {
                    let (one, two) = (place(*one), place(*two));
                    builder.cubic_to(one.0, one.1, two.0, two.1, x, y);
                }
            }
        }
    }
    builder.finish()
}

fn encode(pixels: &Pixmap) -> Result<Vec<u8>, DrawError> {
    // The background is opaque, so premultiplied colours are the colours.
    let rgb: Vec<u8> = pixels
        .pixels()
        .iter()
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect();
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(DrawError::drawing)?;
    writer.write_image_data(&rgb).map_err(DrawError::drawing)?;
    writer.finish().map_err(DrawError::drawing)?;
    Ok(bytes)
}
