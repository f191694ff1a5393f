//! What a Gaussian process says of each parameter by itself: its effect with all others averaged out, and
//! how much of the difference between points is due to it.

use super::Space;
use super::design;
use super::gp::Process;
use crate::play::{Purpose, Stream};
use crate::record::{Slice, SlicePoint};

/// Points over which the other parameters are averaged.
const OTHERS: usize = 24;
/// Values of each parameter.
const STEPS: usize = 17;

/// Every parameter's slice: Elo against its start value, the others averaged.
pub(super) fn slices(process: &Process, space: &Space) -> Vec<Slice> {
    let mut draws = Stream::new(1, 0, Purpose::Tuner);
    let others = design::latin(space, OTHERS, &mut draws);
    let others: Vec<Vec<f64>> = others.iter().map(|it| design::place(space, it)).collect();
    let start = design::place(space, &space.start());
    let each = space.parameters.iter().enumerate();
    each.map(|(index, parameter)| {
        let points = (0..STEPS).map(|step| {
            let at = step as f64 / (STEPS - 1) as f64;
            let with = |value: f64| {
                let each = others.iter().map(move |place| {
                    let mut place = place.clone();
                    place[index] = value;
                    place
                });
                each.collect::<Vec<Vec<f64>>>()
            };
            let (there, here) = (with(at), with(start[index]));
            let weight = 1.0 / OTHERS as f64;
            let parts = there.iter().map(|place| (weight, place.as_slice()));
            let zero = here.iter().map(|place| (-weight, place.as_slice()));
            let parts: Vec<(f64, &[f64])> = parts.chain(zero).collect();
            let (elo, variance) = process.sum(&parts);
            SlicePoint {
                value: parameter.range.0 + at * parameter.width(),
                elo,
                error: 1.96 * variance.sqrt(),
            }
        });
        let points: Vec<SlicePoint> = points.collect();
        let mean = points.iter().map(|it| it.elo).sum::<f64>() / STEPS as f64;
        let squares: f64 = points.iter().map(|it| (it.elo - mean).powi(2)).sum();
        Slice {
            name: parameter.name.clone(),
            effect: (squares / STEPS as f64).sqrt(),
            points,
        }
    })
    .collect()
}
