//! Renders a plan as PNG, at twice the logical size for high-resolution screens and print.

use plotters::prelude::*;

use super::canvas::{ChartPlan, DrawError};
use super::paint::{Grain, paint};

/// Pixels in a logical pixel.
const SCALE: usize = 2;

/// Supersampling factor per direction: plotters has no antialiasing.
const SMOOTH: usize = 2;

const GRAIN: Grain = Grain {
    scale: (SCALE * SMOOTH) as f64,
    // Here a size is the height of the font from its highest to its deepest point.
    em: 2384.0 / 2048.0,
    // It puts the baseline 0.11 em below the point; half a capital is 0.36 em.
    drop: 0.25,
};

pub fn png(plan: &ChartPlan) -> Result<Vec<u8>, DrawError> {
    let pixels = |length: f64| (length * SCALE as f64).ceil().max(1.0) as usize;
    let (width, height) = (pixels(plan.width), pixels(plan.height));
    let drawn = (width * SMOOTH, height * SMOOTH);
    let mut buffer = vec![0; drawn.0 * drawn.1 * 3];
    {
        let size = (drawn.0 as u32, drawn.1 as u32);
        let area = BitMapBackend::with_buffer(&mut buffer, size).into_drawing_area();
        paint(plan, &area, GRAIN).map_err(DrawError::drawing)?;
    }
    encode(&smoothed(&buffer, drawn.0), width, height)
}

/// The picture at its final size; `row` is the number of drawn pixels in a row.
fn smoothed(drawn: &[u8], row: usize) -> Vec<u8> {
    let bytes = row * 3;
    let mut means = Vec::with_capacity(drawn.len() / (SMOOTH * SMOOTH));
    for rows in drawn.chunks_exact(bytes * SMOOTH) {
        for left in (0..bytes).step_by(3 * SMOOTH) {
            for channel in 0..3 {
                let mut sum = 0u32;
                for down in 0..SMOOTH {
                    for right in 0..SMOOTH {
                        sum += u32::from(rows[down * bytes + left + right * 3 + channel]);
                    }
                }
                let count = (SMOOTH * SMOOTH) as u32;
                means.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    means
}

fn encode(pixels: &[u8], width: usize, height: usize) -> Result<Vec<u8>, DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(DrawError::drawing)?;
    writer
        .write_image_data(pixels)
        .map_err(DrawError::drawing)?;
    writer.finish().map_err(DrawError::drawing)?;
    Ok(bytes)
}
