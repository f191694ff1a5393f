//! A plan of shapes to draw: bars, lines, areas, dots and text, in logical pixels.
//!
//! A chart makes a plan first, so that it can be tested as data. Both formats, [`super::svg`] and
//! [`super::png`], are drawn from the same plan.

use std::fmt;

use super::font::text_width;
use super::theme::{self, Colour};
use crate::record::RecordError;

pub type Point = (f64, f64);

/// Horizontal alignment of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Centre,
    Right,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f64,
    pub dashed: bool,
}

impl Stroke {
    pub const fn thin(colour: Colour) -> Stroke {
        Stroke::solid(colour, 1.0)
    }

    pub const fn solid(colour: Colour, width: f64) -> Stroke {
        Stroke {
            colour,
            width,
            dashed: false,
        }
    }

    pub const fn dashed(colour: Colour, width: f64) -> Stroke {
        Stroke {
            colour,
            width,
            dashed: true,
        }
    }
}

/// Letters: size, colour and weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub size: f64,
    pub colour: Colour,
    pub bold: bool,
}

impl Style {
    pub const fn plain(size: f64, colour: Colour) -> Style {
        Style {
            size,
            colour,
            bold: false,
        }
    }

    pub const LABEL: Style = Style::plain(theme::LABEL_SIZE, theme::INK);
    pub const SMALL: Style = Style::plain(theme::SMALL_SIZE, theme::FAINT_INK);

    pub const fn coloured(self, colour: Colour) -> Style {
        Style { colour, ..self }
    }
}

/// A shape and its position. Text is vertically centred on its point.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Box {
        from: Point,
        to: Point,
        fill: Colour,
    },
    Line {
        points: Vec<Point>,
        stroke: Stroke,
    },
    /// A closed shape; `opacity` from 0 to 1.
    Area {
        points: Vec<Point>,
        fill: Colour,
        opacity: f64,
    },
    Dot {
        at: Point,
        radius: f64,
        fill: Colour,
        outline: Colour,
    },
    Text {
        at: Point,
        text: String,
        anchor: Anchor,
        style: Style,
    },
}

/// One item to draw. The hint is its tooltip: the figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub form: Form,
    pub hint: Option<String>,
}

/// A picture to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartPlan {
    pub width: f64,
    pub height: f64,
    /// The headline, as alternative text.
    pub title: String,
    pub shapes: Vec<Shape>,
}

/// The bounding box of a text: left, top, right, bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBox {
    pub text: String,
    pub edges: [f64; 4],
}

impl ChartPlan {
    pub fn new(width: f64, height: f64) -> ChartPlan {
        ChartPlan {
            width,
            height,
            title: String::new(),
            shapes: Vec::new(),
        }
    }

    /// The space beside the drawing.
    pub fn margin(&self) -> f64 {
        if self.is_narrow() {
            12.0
        } else {
            theme::MARGIN
        }
    }

    /// For a phone: too narrow for names beside their data.
    pub fn is_narrow(&self) -> bool {
        self.width < theme::NARROW_LIMIT
    }

    fn push(&mut self, form: Form) -> &mut ChartPlan {
        self.shapes.push(Shape { form, hint: None });
        self
    }

    /// Sets the hint of the last shape.
    pub fn hint(&mut self, hint: impl Into<String>) {
        if let Some(shape) = self.shapes.last_mut() {
            shape.hint = Some(hint.into());
        }
    }

    pub fn text(&mut self, at: Point, text: &str, anchor: Anchor, style: Style) -> &mut ChartPlan {
        if text.is_empty() {
            return self;
        }
        self.push(Form::Text {
            at,
            text: text.to_string(),
            anchor,
            style,
        })
    }

    pub fn rectangle(&mut self, from: Point, to: Point, fill: Colour) -> &mut ChartPlan {
        self.push(Form::Box { from, to, fill })
    }

    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) -> &mut ChartPlan {
        self.path(vec![from, to], stroke)
    }

    pub fn path(&mut self, points: Vec<Point>, stroke: Stroke) -> &mut ChartPlan {
        self.push(Form::Line { points, stroke })
    }

    pub fn area(&mut self, points: Vec<Point>, fill: Colour, opacity: f64) -> &mut ChartPlan {
        self.push(Form::Area {
            points,
            fill,
            opacity,
        })
    }

    pub fn dot(&mut self, at: Point, radius: f64, fill: Colour, outline: Colour) -> &mut ChartPlan {
        self.push(Form::Dot {
            at,
            radius,
            fill,
            outline,
        })
    }

    /// Every text with its bounding box. Tests check that no two overlap.
    pub fn text_boxes(&self) -> Vec<TextBox> {
        let boxes = self.shapes.iter().filter_map(|shape| match &shape.form {
            Form::Text {
                at: (x, y),
                text,
                anchor,
                style,
            } => {
                let width = text_width(text, style.size, style.bold);
                let left = match anchor {
                    Anchor::Left => *x,
                    Anchor::Centre => x - width / 2.0,
                    Anchor::Right => x - width,
                };
                // The height of capitals and digits.
                let half = style.size * 0.4;
                Some(TextBox {
                    text: text.clone(),
                    edges: [left, y - half, left + width, y + half],
                })
            }
            _ => None,
        });
        boxes.collect()
    }
}

#[derive(Debug)]
pub enum DrawError {
    Drawing { message: String },
    File(RecordError),
}

impl DrawError {
    pub(super) fn drawing(error: impl fmt::Display) -> DrawError {
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
