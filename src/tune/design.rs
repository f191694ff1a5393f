//! Points of a space to try: a grid, random ones, or a Latin hypercube, which spreads the values of every
//! parameter evenly. Coordinates go from 0 to 1 over each range.

use super::Space;
use crate::play::Stream;

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Latin,
    Random,
    Grid,
}

impl Sample {
    pub const ALL: [Sample; 3] = [Sample::Latin, Sample::Random, Sample::Grid];

    pub const fn name(self) -> &'static str {
        match self {
            Sample::Latin => "latin",
            Sample::Random => "random",
            Sample::Grid => "grid",
        }
    }
}

/// Values of `count` points: in each parameter one per slice of its range, in random order.
pub(super) fn latin(space: &Space, count: usize, draws: &mut Stream) -> Vec<Vec<f64>> {
    let columns = space.parameters.iter().map(|_| {
        let mut order: Vec<usize> = (0..count).collect();
        for place in (1..count).rev() {
            order.swap(place, draws.below(place as u64 + 1) as usize);
        }
        order
    });
    let columns: Vec<Vec<usize>> = columns.collect();
    (0..count)
        .map(|row| {
            let each = columns.iter();
            let at = each.map(|it| (it[row] as f64 + draws.fraction()) / count as f64);
            values(space, &at.collect::<Vec<f64>>())
        })
        .collect()
}

pub(super) fn random(space: &Space, count: usize, draws: &mut Stream) -> Vec<Vec<f64>> {
    (0..count)
        .map(|_| {
            let at: Vec<f64> = space.parameters.iter().map(|_| draws.fraction()).collect();
            values(space, &at)
        })
        .collect()
}

/// Every combination of `points` values per parameter, the last parameter changing fastest.
pub(super) fn grid(space: &Space, points: usize) -> Vec<Vec<f64>> {
    let mut grid: Vec<Vec<f64>> = vec![Vec::new()];
    for parameter in &space.parameters {
        let steps = points.max(2) - 1;
        let values = (0..=steps).map(|step| {
            let part = step as f64 / steps as f64;
            parameter.nearest(parameter.range.0 + part * parameter.width())
        });
        let values: Vec<f64> = values.collect();
        let longer = |point: &Vec<f64>| {
            let point = point.clone();
            values.clone().into_iter().map(move |value| {
                let mut point = point.clone();
                point.push(value);
                point
            })
        };
        grid = grid.iter().flat_map(longer).collect();
    }
    grid
}

/// The allowed values at a place in the unit cube.
pub(super) fn values(space: &Space, at: &[f64]) -> Vec<f64> {
    let each = space.parameters.iter().zip(at);
    let mut values: Vec<f64> = each
        .map(|(parameter, part)| parameter.range.0 + part * parameter.width())
        .collect();
    space.project(&mut values);
    let each = space.parameters.iter().zip(values);
    each.map(|(parameter, value)| parameter.nearest(value))
        .collect()
}

/// The place of values in the unit cube.
pub(super) fn place(space: &Space, values: &[f64]) -> Vec<f64> {
    let each = space.parameters.iter().zip(values);
    each.map(|(parameter, value)| {
        (value - parameter.range.0) / parameter.width().max(f64::MIN_POSITIVE)
    })
    .collect()
}
