//! The net in floating point: output, gradient, and the way to and from quantised numbers.
//!
//! Compiled for the baseline of the processor family and for AVX2 from one source. Sums are in a
//! fixed order that does not depend on the width of vectors, so both give the same bits.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{CLIP, TrainRows};
use crate::eval::net::{Net, NetParts, NetShape, QA, QB, features_of};
use crate::play::Stream;
use crate::tune::fit::Loss;

/// Partial sums of a dot product; hidden units are a multiple.
pub const WIDTH: usize = 16;

/// A net in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNet {
    pub shape: NetShape,
    /// Hidden weights by feature, hidden biases, output weights by bucket, output biases.
    pub values: Vec<f32>,
}

/// Where the parts of [`FloatNet::values`] begin.
#[derive(Clone, Copy)]
struct Places {
    biases: usize,
    outputs: usize,
    output_biases: usize,
    end: usize,
}

impl Places {
    fn of(shape: &NetShape) -> Places {
        let biases = shape.inputs() * shape.hidden;
        let outputs = biases + shape.hidden;
        let output_biases = outputs + 2 * shape.hidden * shape.buckets;
        Places {
            biases,
            outputs,
            output_biases,
            end: output_biases + shape.buckets,
        }
    }
}

/// Buffers of one chunk.
pub struct Scratch {
    /// Features of the mover's and the opponent's view.
    features: [Vec<u16>; 2],
    /// Their hidden sums.
    sums: [Vec<f32>; 2],
    delta: Vec<f32>,
}

impl Scratch {
    pub fn new(hidden: usize) -> Scratch {
        Scratch {
            features: [Vec::new(), Vec::new()],
            sums: [vec![0.0; hidden], vec![0.0; hidden]],
            delta: vec![0.0; hidden],
        }
    }

    /// Finds the features of a position; returns its output bucket.
    fn look(&mut self, shape: &NetShape, rows: &TrainRows, index: usize) -> usize {
        let (sets, mover) = rows.position(index);
        let viewers = [mover, mover.other()];
        for (features, viewer) in self.features.iter_mut().zip(viewers) {
            features.clear();
            let push = |feature| features.push(feature);
            features_of(shape, rows.layout(), &sets, viewer, push);
        }
        shape.bucket(self.features[0].len())
    }
}

impl FloatNet {
    /// All values zero.
    pub fn zero(shape: NetShape) -> FloatNet {
        FloatNet {
            values: vec![0.0; Places::of(&shape).end],
            shape,
        }
    }

    /// Random weights, with hidden sums inside the range in which activations have a slope.
    pub fn random(shape: NetShape, draws: &mut Stream) -> FloatNet {
        let mut net = FloatNet::zero(shape);
        let places = Places::of(&shape);
        let mut within = |most: f64| (most * (2.0 * draws.fraction() - 1.0)) as f32;
        for value in &mut net.values[..places.biases] {
            *value = within(0.1);
        }
        net.values[places.biases..places.outputs].fill(0.1);
        let most = (1.0 / (2 * shape.hidden) as f64).sqrt();
        for value in &mut net.values[places.outputs..places.output_biases] {
            *value = within(most);
        }
        net
    }

    /// The numbers of a quantised net.
    pub fn of_net(net: &Net) -> FloatNet {
        let parts = net.parts();
        let scaled = |number: f64, by: i32| (number / f64::from(by)) as f32;
        let hidden = parts.feature_weights.iter().chain(&parts.feature_biases);
        let mut values: Vec<f32> = hidden.map(|n| scaled(f64::from(*n), QA)).collect();
        values.extend(
            parts
                .output_weights
                .iter()
                .map(|n| scaled(f64::from(*n), QB)),
        );
        values.extend(
            parts
                .output_biases
                .iter()
                .map(|n| scaled(f64::from(*n), QA * QB)),
        );
        FloatNet {
            shape: parts.shape,
            values,
        }
    }

    /// Whether the hidden units fill the partial sums.
    pub fn is_trainable(&self) -> bool {
        self.shape.hidden.is_multiple_of(WIDTH)
    }

    pub fn quantised(&self, game: &str, scale: f64) -> NetParts {
        let places = Places::of(&self.shape);
        let rounded = |value: &f32, by: i32| (f64::from(*value) * f64::from(by)).round();
        let small = |values: &[f32], by| values.iter().map(|v| rounded(v, by) as i16).collect();
        let values = &self.values;
        NetParts {
            game: game.to_string(),
            shape: self.shape,
            scale,
            feature_weights: small(&values[..places.biases], QA),
            feature_biases: small(&values[places.biases..places.outputs], QA),
            output_weights: small(&values[places.outputs..places.output_biases], QB),
            output_biases: values[places.output_biases..]
                .iter()
                .map(|value| rounded(value, QA * QB) as i32)
                .collect(),
            provenance: BTreeMap::new(),
        }
    }

    /// The output for a position, in scales.
    pub fn output(&self, rows: &TrainRows, index: usize) -> f32 {
        let mut scratch = Scratch::new(self.shape.hidden);
        output(self, rows, index, &mut scratch)
    }

    /// The mean loss of these positions.
    pub fn loss(&self, rows: &TrainRows, loss: Loss) -> f64 {
        const CHUNK: usize = 4096;
        let starts: Vec<usize> = (0..rows.len()).step_by(CHUNK).collect();
        let sums = starts.into_par_iter().map(|start| {
            let mut scratch = Scratch::new(self.shape.hidden);
            let rows_of_chunk = start..rows.len().min(start + CHUNK);
            let losses = rows_of_chunk.map(|index| {
                let out = output(self, rows, index, &mut scratch);
                loss_and_slope(loss, f64::from(out), f64::from(rows.target(index))).0
            });
            losses.sum::<f64>()
        });
        // Collected first: added in order.
        let sums: Vec<f64> = sums.collect();
        sums.iter().sum::<f64>() / rows.len().max(1) as f64
    }

    /// The gradient of the summed loss of all positions.
    pub fn gradient(&self, rows: &TrainRows, loss: Loss) -> Vec<f32> {
        let mut gradient = vec![0.0; self.values.len()];
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let mut scratch = Scratch::new(self.shape.hidden);
        accumulate(self, rows, &all, loss, &mut gradient, &mut scratch);
        gradient
    }
}

/// The output of the quantised numbers, in scales.
pub fn quantised_output(parts: &NetParts, rows: &TrainRows, index: usize) -> f64 {
    let hidden = parts.shape.hidden;
    let mut scratch = Scratch::new(0);
    let bucket = scratch.look(&parts.shape, rows, index);
    let mut total = 0_i64;
    for (half, features) in scratch.features.iter().enumerate() {
        for unit in 0..hidden {
            let weights = features.iter().map(|feature| {
                i64::from(parts.feature_weights[usize::from(*feature) * hidden + unit])
            });
            let sum = i64::from(parts.feature_biases[unit]) + weights.sum::<i64>();
            let active = sum.clamp(0, i64::from(QA));
            let weight = parts.output_weights[(2 * bucket + half) * hidden + unit];
            total += active * active * i64::from(weight);
        }
    }
    let total = total as f64 / f64::from(QA) + f64::from(parts.output_biases[bucket]);
    total / f64::from(QA * QB)
}

/// The loss of an output, and its derivative.
pub fn loss_and_slope(loss: Loss, out: f64, target: f64) -> (f64, f64) {
    let small = (-out.abs()).exp();
    let p = if out >= 0.0 {
        1.0 / (1.0 + small)
    } else {
        small / (1.0 + small)
    };
    match loss {
        Loss::Squared => ((p - target).powi(2), 2.0 * (p - target) * p * (1.0 - p)),
        Loss::CrossEntropy => {
            let wrong = if out >= 0.0 { 1.0 - target } else { target };
            (small.ln_1p() + wrong * out.abs(), p - target)
        }
    }
}

/// Adds the gradient of the loss of some rows; returns the sum of their losses.
pub fn accumulate(
    net: &FloatNet,
    rows: &TrainRows,
    chosen: &[u32],
    loss: Loss,
    gradient: &mut [f32],
    scratch: &mut Scratch,
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 has just been found.
        return unsafe { accumulate_avx2(net, rows, chosen, loss, gradient, scratch) };
    }
    accumulate_inline(net, rows, chosen, loss, gradient, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn accumulate_avx2(
    net: &FloatNet,
    rows: &TrainRows,
    chosen: &[u32],
    loss: Loss,
    gradient: &mut [f32],
    scratch: &mut Scratch,
) -> f64 {
    accumulate_inline(net, rows, chosen, loss, gradient, scratch)
}

#[inline(always)]
fn accumulate_inline(
    net: &FloatNet,
    rows: &TrainRows,
    chosen: &[u32],
    loss: Loss,
    gradient: &mut [f32],
    scratch: &mut Scratch,
) -> f64 {
    let hidden = net.shape.hidden;
    let places = Places::of(&net.shape);
    let mut total = 0.0;
    for index in chosen.iter().map(|index| *index as usize) {
        let (out, bucket) = output_inline(net, rows, index, scratch);
        let (lost, slope) = loss_and_slope(loss, f64::from(out), f64::from(rows.target(index)));
        total += lost;
        let slope = slope as f32;
        gradient[places.output_biases + bucket] += slope;
        for half in 0..2 {
            let first = places.outputs + (2 * bucket + half) * hidden;
            let weights = &net.values[first..first + hidden];
            let outputs = &mut gradient[first..first + hidden];
            let sums = &scratch.sums[half][..hidden];
            let delta = &mut scratch.delta[..hidden];
            for unit in 0..hidden {
                let clipped = sums[unit].clamp(0.0, 1.0);
                outputs[unit] += slope * clipped * clipped;
                let inside = if clipped == sums[unit] {
                    2.0 * clipped
                } else {
                    0.0
                };
                delta[unit] = slope * weights[unit] * inside;
            }
            add(&mut gradient[places.biases..places.outputs], delta);
            for feature in &scratch.features[half] {
                let first = usize::from(*feature) * hidden;
                add(&mut gradient[first..first + hidden], delta);
            }
        }
    }
    total
}

fn output(net: &FloatNet, rows: &TrainRows, index: usize, scratch: &mut Scratch) -> f32 {
    output_inline(net, rows, index, scratch).0
}

/// The output, and its bucket.
#[inline(always)]
fn output_inline(
    net: &FloatNet,
    rows: &TrainRows,
    index: usize,
    scratch: &mut Scratch,
) -> (f32, usize) {
    let hidden = net.shape.hidden;
    let bucket = scratch.look(&net.shape, rows, index);
    let places = Places::of(&net.shape);
    let mut out = net.values[places.output_biases + bucket];
    for (half, features) in scratch.features.iter().enumerate() {
        let sums = &mut scratch.sums[half][..hidden];
        sums.copy_from_slice(&net.values[places.biases..places.outputs]);
        for feature in features {
            let first = usize::from(*feature) * hidden;
            add(sums, &net.values[first..first + hidden]);
        }
        let first = places.outputs + (2 * bucket + half) * hidden;
        let mut parts = [0.0_f32; WIDTH];
        let weights = net.values[first..first + hidden].chunks_exact(WIDTH);
        for (sums, weights) in sums.chunks_exact(WIDTH).zip(weights) {
            for lane in 0..WIDTH {
                let clipped = sums[lane].clamp(0.0, 1.0);
                parts[lane] += clipped * clipped * weights[lane];
            }
        }
        out += parts.iter().sum::<f32>();
    }
    (out, bucket)
}

#[inline(always)]
fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += *what;
    }
}

const _: () = assert!(CLIP * (QB as f32) < 127.5);
