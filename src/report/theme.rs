//! The look that all charts share: light, readable in print and by colour-blind people.

use plotters::style::RGBColor;

pub const BACKGROUND: RGBColor = RGBColor(255, 255, 255);
pub const INK: RGBColor = RGBColor(33, 37, 41);
pub const FAINT_INK: RGBColor = RGBColor(96, 103, 112);
pub const GRID: RGBColor = RGBColor(222, 226, 230);

/// Win, draw, loss: blue, grey and orange of the palette by Okabe and Ito, which stay apart for
/// all common kinds of colour blindness and in greyscale.
pub const WIN: RGBColor = RGBColor(0, 114, 178);
pub const DRAW: RGBColor = RGBColor(190, 196, 203);
pub const LOSS: RGBColor = RGBColor(230, 159, 0);

pub const TITLE_SIZE: i32 = 22;
pub const SUBTITLE_SIZE: i32 = 14;
pub const LABEL_SIZE: i32 = 14;
pub const SMALL_SIZE: i32 = 12;

pub const MARGIN: i32 = 24;
