//! Draws a plan of rectangles, lines and text to SVG or PNG.
//!
//! A chart first makes a plan, so that what is drawn can be tested as data, and both formats are
//! drawn from the same one. The font is part of the program: no font or font library of the
//! machine is used.

use std::fmt;
use std::sync::OnceLock;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBColor, register_font};

use super::theme;
use crate::record::RecordError;

const FONT: &str = "DejaVu Sans";

/// Where a text begins relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Centre,
    Right,
}

/// One thing to draw, in logical pixels. Text stands vertically centred on its point.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Box {
        from: (i32, i32),
        to: (i32, i32),
        colour: RGBColor,
    },
    Line {
        points: Vec<(i32, i32)>,
        colour: RGBColor,
        width: u32,
    },
    Text {
        at: (i32, i32),
        text: String,
        size: i32,
        anchor: Anchor,
        colour: RGBColor,
        bold: bool,
    },
}

/// A picture to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub width: i32,
    pub height: i32,
    pub shapes: Vec<Shape>,
}

impl Plan {
    pub fn new(width: i32, height: i32) -> Plan {
        Plan {
            width,
            height,
            shapes: Vec::new(),
        }
    }

    /// The finding, and below it what it rests on.
    pub fn heading(&mut self, title: &str, subtitle: &str) {
        let room = self.width - 2 * theme::MARGIN;
        let title = fit(title, theme::TITLE_SIZE, true, room);
        let subtitle = fit(subtitle, theme::SUBTITLE_SIZE, false, room);
        self.shapes.push(Shape::Text {
            at: (theme::MARGIN, 32),
            text: title,
            size: theme::TITLE_SIZE,
            anchor: Anchor::Left,
            colour: theme::INK,
            bold: true,
        });
        self.text(
            (theme::MARGIN, 60),
            &subtitle,
            theme::SUBTITLE_SIZE,
            Anchor::Left,
            theme::FAINT_INK,
        );
    }

    pub fn text(
        &mut self,
        at: (i32, i32),
        text: &str,
        size: i32,
        anchor: Anchor,
        colour: RGBColor,
    ) {
        let text = text.to_string();
        self.shapes.push(Shape::Text {
            at,
            text,
            size,
            anchor,
            colour,
            bold: false,
        });
    }

    pub fn rectangle(&mut self, from: (i32, i32), to: (i32, i32), colour: RGBColor) {
        self.shapes.push(Shape::Box { from, to, colour });
    }

    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: RGBColor) {
        self.shapes.push(Shape::Line {
            points: vec![from, to],
            colour,
            width: 1,
        });
    }
}

#[derive(Debug)]
pub enum DrawError {
    Drawing { message: String },
    File(RecordError),
}

impl DrawError {
    fn drawing(error: impl fmt::Display) -> DrawError {
        DrawError::Drawing {
            message: error.to_string(),
        }
    }
}

impl From<RecordError> for DrawError {
    fn from(error: RecordError) -> DrawError {
        DrawError::File(error)
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::Drawing { message } => write!(f, "a chart could not be drawn: {message}"),
            DrawError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DrawError {}

/// Makes the font known to plotters, once.
fn load_font() {
    static LOADED: OnceLock<()> = OnceLock::new();
    LOADED.get_or_init(|| {
        // The bytes come with the program; a font that fails to parse would fail every test.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font(FONT, FontStyle::Bold, dejavu::sans::bold());
    });
}

fn font(size: f64, bold: bool) -> FontDesc<'static> {
    load_font();
    let style = if bold {
        FontStyle::Bold
    } else {
        FontStyle::Normal
    };
    FontDesc::new(FontFamily::Name(FONT), size, style)
}

/// How wide a text will be, in logical pixels.
pub fn text_width(text: &str, size: i32, bold: bool) -> i32 {
    match font(f64::from(size), bold).box_size(text) {
        Ok((width, _)) => width as i32,
        Err(_) => text.chars().count() as i32 * size,
    }
}

/// The text, cut with an ellipsis if it is wider than `room`.
pub fn fit(text: &str, size: i32, bold: bool, room: i32) -> String {
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

pub fn svg(plan: &Plan) -> Result<String, DrawError> {
    let mut text = String::new();
    let size = (plan.width as u32, plan.height as u32);
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    draw(plan, &area, 1).map_err(DrawError::drawing)?;
    drop(area);
    // A viewer without the font falls back to one of the same widths.
    Ok(text.replace(
        &format!("font-family=\"{FONT}\""),
        &format!("font-family=\"{FONT}, Verdana, sans-serif\""),
    ))
}

/// Twice the logical size, for sharp screens and print.
pub fn png(plan: &Plan) -> Result<Vec<u8>, DrawError> {
    const SCALE: i32 = 2;
    let size = ((plan.width * SCALE) as u32, (plan.height * SCALE) as u32);
    let mut pixels = vec![0; (size.0 * size.1 * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
        draw(plan, &area, SCALE).map_err(DrawError::drawing)?;
    }
    encode(&pixels, size)
}

fn encode(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(DrawError::drawing)?;
    writer
        .write_image_data(pixels)
        .map_err(DrawError::drawing)?;
    writer.finish().map_err(DrawError::drawing)?;
    Ok(bytes)
}

type Area<DB> = DrawingArea<DB, plotters::coord::Shift>;

fn draw<DB: DrawingBackend>(
    plan: &Plan,
    area: &Area<DB>,
    scale: i32,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    area.fill(&theme::BACKGROUND)?;
    let scaled = |(x, y): (i32, i32)| (x * scale, y * scale);
    for shape in &plan.shapes {
        match shape {
            Shape::Box { from, to, colour } => {
                area.draw(&Rectangle::new(
                    [scaled(*from), scaled(*to)],
                    colour.filled(),
                ))?;
            }
            Shape::Line {
                points,
                colour,
                width,
            } => {
                let points: Vec<_> = points.iter().copied().map(scaled).collect();
                area.draw(&PathElement::new(
                    points,
                    colour.stroke_width(width * scale as u32),
                ))?;
            }
            Shape::Text {
                at,
                text,
                size,
                anchor,
                colour,
                bold,
            } => {
                let horizontal = match anchor {
                    Anchor::Left => HPos::Left,
                    Anchor::Centre => HPos::Center,
                    Anchor::Right => HPos::Right,
                };
                let style = font(f64::from(size * scale), *bold)
                    .color(colour)
                    .pos(Pos::new(horizontal, VPos::Center));
                area.draw_text(text, &style, scaled(*at))?;
            }
        }
    }
    area.present()
}
