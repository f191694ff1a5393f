//! Draws a plan with plotters, for SVG and PNG.

use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Anchor, ChartPlan, Form, Point, Stroke, Style};
use super::font::FONT;
use super::theme::{self, Colour};

/// Converts a plan's coordinates to the integers of plotters.
#[derive(Clone, Copy)]
pub struct Grain {
    /// Steps in a logical pixel.
    pub scale: f64,
    /// What plotters calls the size of a font whose em is one step.
    pub em: f64,
    /// How far below its point a text is drawn so that capitals stand centred on it, in ems.
    pub drop: f64,
}

/// Dash and gap of dashed lines, in logical pixels.
const DASH: (f64, f64) = (6.0, 4.0);

impl Grain {
    fn steps(self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    fn point(self, (x, y): Point) -> (i32, i32) {
        (self.steps(x), self.steps(y))
    }

    fn points(self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|point| self.point(*point)).collect()
    }

    fn pen(self, stroke: &Stroke) -> ShapeStyle {
        let width = self.steps(stroke.width).max(1) as u32;
        rgb(stroke.colour).stroke_width(width)
    }

    fn letters(self, style: &Style, anchor: Anchor) -> TextStyle<'static> {
        load_font();
        let weight = if style.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let size = style.size * self.scale * self.em;
        FontDesc::new(FontFamily::Name(FONT), size, weight)
            .color(&rgb(style.colour))
            .pos(Pos::new(horizontal, VPos::Center))
    }
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

/// Registers the font with plotters, once.
fn load_font() {
    static LOADED: OnceLock<()> = OnceLock::new();
    LOADED.get_or_init(|| {
        // The font is embedded; if it failed to parse, every test would fail.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font(FONT, FontStyle::Bold, dejavu::sans::bold());
    });
}

pub type Area<DB> = DrawingArea<DB, Shift>;
type PaintResult<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

pub fn paint<DB: DrawingBackend>(
    plan: &ChartPlan,
    area: &Area<DB>,
    grain: Grain,
) -> PaintResult<DB> {
    area.fill(&rgb(theme::BACKGROUND))?;
    for shape in &plan.shapes {
        draw(&shape.form, area, grain)?;
    }
    area.present()
}

fn draw<DB: DrawingBackend>(form: &Form, area: &Area<DB>, grain: Grain) -> PaintResult<DB> {
    match form {
        Form::Box { from, to, fill } => {
            // Sort the corners, because SVG has no negative widths.
            let low = grain.point((from.0.min(to.0), from.1.min(to.1)));
            let high = grain.point((from.0.max(to.0), from.1.max(to.1)));
            area.draw(&Rectangle::new([low, high], rgb(*fill).filled()))
        }
        Form::Line { points, stroke } => {
            let (points, pen) = (grain.points(points), grain.pen(stroke));
            if stroke.dashed {
                let (dash, gap) = (grain.steps(DASH.0), grain.steps(DASH.1));
                area.draw(&DashedPathElement::new(points, dash, gap, pen))
            } else {
                area.draw(&PathElement::new(points, pen))
            }
        }
        Form::Area {
            points,
            fill,
            opacity,
        } => area.draw(&Polygon::new(
            grain.points(points),
            rgb(*fill).mix(*opacity),
        )),
        Form::Dot {
            at,
            radius,
            fill,
            outline,
        } => {
            let (at, radius) = (grain.point(*at), grain.steps(*radius));
            // The outline is the rim of a larger disc.
            let rim = grain.steps(0.5);
            area.draw(&Circle::new(at, radius + rim, rgb(*outline).filled()))?;
            area.draw(&Circle::new(at, (radius - rim).max(0), rgb(*fill).filled()))
        }
        Form::Text {
            at,
            text,
            anchor,
            style,
        } => {
            let at = grain.point((at.0, at.1 + style.size * grain.drop));
            // Control characters are not allowed in XML at all.
            let text = text.replace(char::is_control, " ");
            area.draw_text(&text, &grain.letters(style, *anchor), at)
        }
    }
}
