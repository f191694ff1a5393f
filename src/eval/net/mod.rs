//! Small neural nets over piece-square features.
//!
//! A position is seen twice, by the mover and by the opponent, each with its pieces as the first
//! and the board turned its way. One hidden layer is shared by both views; its activation is the
//! clipped square (SCReLU). The output has one set of weights per bucket, chosen by the number of
//! pieces. All numbers are small integers, so that every processor computes the same score.
//!
//! The search knows nothing of it: the evaluator keeps the hidden sums of the last position it saw
//! and changes them by the difference.

mod evaluator;
mod explain;
mod format;
mod kernel;

pub use evaluator::{NetEvaluator, features_of};
pub use explain::explain;
pub use format::{MAGIC, NetError, ReadTensors, Tensor, TensorData, read_tensors, write_tensors};
pub(super) use format::{Metadata, digest};
pub use kernel::Kernel;

use std::collections::BTreeMap;
use std::fmt;

use super::{STEPS, Score};
use crate::games::sets::{MOST_SQUARES, PieceLayout};
use kernel::{LANE, Lane, MOST_FAST_WEIGHT};

/// The name of the evaluator in configs and lists.
pub const NAME: &str = "net";

/// 1.0 in hidden weights and activations.
pub const QA: i32 = kernel::QA as i32;

/// 1.0 in output weights.
pub const QB: i32 = 64;

/// Hidden units, at most.
pub const MOST_HIDDEN: usize = 1024;

/// Output buckets, at most.
pub const MOST_BUCKETS: usize = 64;

/// The size of a net and the board it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetShape {
    pub squares: usize,
    pub kinds: usize,
    pub hidden: usize,
    pub buckets: usize,
    /// See [`PieceLayout::most_pieces`]: divides the buckets.
    pub most_pieces: usize,
    /// See [`PieceLayout::mirror`].
    pub mirrored: bool,
}

impl NetShape {
    /// The shape of a net for this board.
    pub fn of(layout: &PieceLayout, hidden: usize, buckets: usize) -> NetShape {
        NetShape {
            squares: layout.squares,
            kinds: layout.kinds,
            hidden,
            buckets,
            most_pieces: layout.most_pieces,
            mirrored: layout.mirror.is_some(),
        }
    }

    /// Features of one view.
    pub fn inputs(&self) -> usize {
        2 * self.kinds * self.squares
    }

    /// The output bucket of a position with this many pieces.
    pub fn bucket(&self, pieces: usize) -> usize {
        let width = self.most_pieces.div_ceil(self.buckets);
        (pieces.saturating_sub(2) / width).min(self.buckets - 1)
    }

    /// Whether positions of this board are inputs of the net.
    pub fn fits(&self, layout: &PieceLayout) -> bool {
        self.squares == layout.squares
            && self.kinds == layout.kinds
            && (!self.mirrored || layout.mirror.is_some())
    }
}

/// The quantised numbers of a net, row by row: one row of hidden weights per feature, one row of
/// output weights per bucket (the mover's units first).
#[derive(Clone, Debug, PartialEq)]
pub struct NetParts {
    /// The name of the game.
    pub game: String,
    pub shape: NetShape,
    /// Units of the evaluator for an output of 1.0.
    pub scale: f64,
    pub feature_weights: Vec<i16>,
    pub feature_biases: Vec<i16>,
    pub output_weights: Vec<i16>,
    pub output_biases: Vec<i32>,
    /// How it was made: free text by key.
    pub provenance: BTreeMap<String, String>,
}

/// A net, ready for inference.
pub struct Net {
    parts: NetParts,
    /// Score steps for an output of 1.0.
    scale: i64,
    feature_weights: Box<[Lane]>,
    feature_biases: Box<[Lane]>,
    output_weights: Box<[Lane]>,
    /// No weight or sum is too large for the fast dot product.
    is_fast: bool,
    digest: u64,
    /// Where it was read from, for those who show or pass on the player.
    origin: String,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({}, {:016x})", self.parts.game, self.digest)
    }
}

impl PartialEq for Net {
    fn eq(&self, other: &Net) -> bool {
        self.digest == other.digest && self.parts == other.parts
    }
}

impl Net {
    /// Checks the numbers and arranges them for inference.
    pub fn new(parts: NetParts) -> Result<Net, NetError> {
        check_shape(&parts)?;
        check_hidden_sums(&parts)?;
        let hidden = parts.shape.hidden;
        let (scale, is_fast) = (scale_steps(parts.scale)?, is_fast(&parts));
        let digest = format::digest(&parts.to_bytes());
        Ok(Net {
            scale,
            feature_weights: lanes(&parts.feature_weights, hidden),
            feature_biases: lanes(&parts.feature_biases, hidden),
            output_weights: lanes(&parts.output_weights, hidden),
            is_fast,
            digest,
            origin: String::new(),
            parts,
        })
    }

    pub fn parts(&self) -> &NetParts {
        &self.parts
    }

    pub fn read_from(self, origin: impl Into<String>) -> Net {
        Net {
            origin: origin.into(),
            ..self
        }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn shape(&self) -> &NetShape {
        &self.parts.shape
    }

    /// The name of a file with this net: the same for the same bytes only.
    pub fn file_name(&self) -> String {
        format!("net-{:016x}.safetensors", self.digest)
    }

    /// The score of hidden sums, from the mover's side.
    #[inline]
    fn output(&self, kernel: Kernel, mover: &[Lane], other: &[Lane], pieces: usize) -> Score {
        let bucket = self.parts.shape.bucket(pieces);
        let width = self.feature_biases.len();
        let row = &self.output_weights[2 * width * bucket..][..2 * width];
        let (ours, theirs) = row.split_at(width);
        let sum = if self.is_fast {
            i64::from(kernel.activate(mover, ours)) + i64::from(kernel.activate(other, theirs))
        } else {
            kernel::activate_wide(mover, ours) + kernel::activate_wide(other, theirs)
        };
        const QA: i64 = super::net::QA as i64;
        const QB: i64 = super::net::QB as i64;
        let total = sum + i64::from(self.parts.output_biases[bucket]) * QA;
        let score = total * self.scale / (QA * QA * QB);
        score.clamp(-MOST_SCORE, MOST_SCORE) as Score
    }
}

/// Scores stay far from the mate scores of the search, which clamps them again.
const MOST_SCORE: i64 = 100_000_000;

fn scale_steps(scale: f64) -> Result<i64, NetError> {
    let steps = scale * f64::from(STEPS);
    let wrong = || NetError::Metadata {
        key: "scale",
        value: scale.to_string(),
        expected: "0.01 to 1000000, in hundredths".to_string(),
    };
    let is_whole = (steps - steps.round()).abs() < 1e-6;
    if !(1.0..=1e8).contains(&steps) || !is_whole {
        return Err(wrong());
    }
    Ok(steps.round() as i64)
}

fn check_shape(parts: &NetParts) -> Result<(), NetError> {
    let shape = &parts.shape;
    let limits = [
        ("hidden", shape.hidden, 1, MOST_HIDDEN),
        ("buckets", shape.buckets, 1, MOST_BUCKETS),
        ("squares", shape.squares, 1, MOST_SQUARES),
        ("kinds", shape.kinds, 1, crate::games::sets::MOST_KINDS),
        ("most_pieces", shape.most_pieces, 1, MOST_SQUARES),
    ];
    for (key, value, least, most) in limits {
        if !(least..=most).contains(&value) {
            return Err(NetError::Metadata {
                key,
                value: value.to_string(),
                expected: format!("{least} to {most}"),
            });
        }
    }
    let lengths = [
        (
            format::FEATURE_WEIGHTS,
            parts.feature_weights.len(),
            shape.inputs() * shape.hidden,
        ),
        (
            format::FEATURE_BIASES,
            parts.feature_biases.len(),
            shape.hidden,
        ),
        (
            format::OUTPUT_WEIGHTS,
            parts.output_weights.len(),
            2 * shape.hidden * shape.buckets,
        ),
        (
            format::OUTPUT_BIASES,
            parts.output_biases.len(),
            shape.buckets,
        ),
    ];
    for (name, found, expected) in lengths {
        if found != expected {
            return Err(NetError::Length {
                name,
                found,
                expected,
            });
        }
    }
    Ok(())
}

/// No position can make a hidden sum that exceeds 16 bits: at most one piece per square counts, and
/// the squares with the largest weights.
fn check_hidden_sums(parts: &NetParts) -> Result<(), NetError> {
    let shape = &parts.shape;
    let weight = |feature: usize, unit: usize| {
        i32::from(parts.feature_weights[feature * shape.hidden + unit])
    };
    for unit in 0..shape.hidden {
        for sign in [1, -1] {
            let mut largest: Vec<i32> = (0..shape.squares)
                .map(|square| {
                    let features = (0..2 * shape.kinds).map(|kind| kind * shape.squares + square);
                    let sizes = features.map(|feature| sign * weight(feature, unit));
                    sizes.max().unwrap_or(0).max(0)
                })
                .collect();
            largest.sort_unstable_by(|a, b| b.cmp(a));
            let bias = sign * i32::from(parts.feature_biases[unit]);
            let sum = bias + largest.iter().take(shape.most_pieces).sum::<i32>();
            if sum > i32::from(i16::MAX) {
                return Err(NetError::Overflow { unit });
            }
        }
    }
    Ok(())
}

fn is_fast(parts: &NetParts) -> bool {
    let rows = parts.output_weights.chunks(parts.shape.hidden);
    rows.into_iter().all(|row| {
        let sizes = row.iter().map(|weight| i64::from(*weight));
        let is_small = |weight: i64| weight.abs() <= i64::from(MOST_FAST_WEIGHT);
        let most = i64::from(i32::MAX) / i64::from(QA * QA);
        // Neither the positive nor the negative weights alone exceed 32 bits, so no partial sum does.
        sizes.clone().all(is_small)
            && sizes.clone().map(|weight| weight.max(0)).sum::<i64>() <= most
            && sizes.map(|weight| (-weight).max(0)).sum::<i64>() <= most
    })
}

/// Rows of `width` numbers, each padded with zeros to whole lanes.
fn lanes(numbers: &[i16], width: usize) -> Box<[Lane]> {
    let rows = numbers.chunks(width);
    rows.into_iter()
        .flat_map(|row| {
            row.chunks(LANE).map(|part| {
                let mut lane = Lane::ZERO;
                lane.0[..part.len()].copy_from_slice(part);
                lane
            })
        })
        .collect()
}
