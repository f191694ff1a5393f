//! Trains a net on labelled positions, or on the static scores of another evaluator.
//!
//! Every batch is divided into the same chunks and their gradients are added in the same order, so
//! that the bytes of a net do not depend on the number of threads. A checkpoint after every step
//! makes a killed run end with the same bytes, too.

mod checkpoint;
mod model;
mod rows;

pub use model::FloatNet;
pub use rows::{TrainData, TrainReport, TrainRows, train_data, usual_scale};

use rayon::prelude::*;

use super::fit::Loss;
use super::quiet::Quiet;
use crate::eval::net::{NetParts, NetShape};
use crate::play::{Purpose, Stream};
use model::{Scratch, accumulate};

/// The keys of `[tune]` for this method.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainSettings {
    pub hidden: usize,
    pub buckets: usize,
    /// Passes over the positions.
    pub epochs: u64,
    /// Positions per batch.
    pub batch_size: usize,
    /// The rate of the first step; it falls to zero along a cosine. 0 chooses it.
    pub learning_rate: f64,
    pub weight_decay: f64,
    pub loss: Loss,
    /// Units of the evaluator for an output of 1.0; 0 before it is chosen, see [`usual_scale`].
    pub scale: f64,
    /// Share of the label taken from the position's score instead of the result.
    pub score_share: f64,
    /// The evaluator to learn from; empty for labels.
    pub teacher: String,
    /// Positions off each position of the games for the teacher.
    pub variations: u64,
    pub validation: f64,
    pub quiet: Quiet,
}

impl TrainSettings {
    fn rate(&self) -> f64 {
        match self.learning_rate {
            0.0 => USUAL_RATE,
            given => given,
        }
    }

    /// Expected points of a score in units.
    fn expected(&self, units: f64) -> f64 {
        1.0 / (1.0 + (-units / self.scale).exp())
    }
}

const USUAL_RATE: f64 = 0.001;

/// Chunks of a batch. More threads than chunks do not help.
const CHUNKS: usize = 16;

/// Steps of the log, each with a checkpoint.
const STEPS: u64 = 40;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// Weights stay below what the quantised numbers can hold.
pub const CLIP: f32 = 1.98;

/// What a step reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrainFigures {
    pub train_loss: f64,
    pub validation_loss: Option<f64>,
    pub rate: f64,
    /// Positions seen in the step.
    pub positions: u64,
}

impl TrainFigures {
    /// Columns of the trajectory.
    pub const NAMES: [&'static str; 3] = ["train_loss", "validation_loss", "rate"];

    pub fn values(&self) -> Vec<Option<f64>> {
        vec![Some(self.train_loss), self.validation_loss, Some(self.rate)]
    }
}

/// A training run in progress.
pub struct Train {
    net: FloatNet,
    settings: TrainSettings,
    data: TrainData,
    seed: u64,
    /// Running means of the gradient and of its square.
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Steps of the log, and batches.
    step: u64,
    batch: u64,
    last: TrainFigures,
    /// The order of the positions in this epoch.
    order: Vec<u32>,
    order_of: Option<u64>,
    gradients: Vec<Vec<f32>>,
}

impl Train {
    /// Starts from `start`, or from random weights.
    pub fn new(
        shape: NetShape,
        start: Option<FloatNet>,
        settings: TrainSettings,
        data: TrainData,
        seed: u64,
    ) -> Train {
        let net = start.unwrap_or_else(|| {
            FloatNet::random(shape, &mut Stream::new(seed, 0, Purpose::NetWeights))
        });
        let size = net.values.len();
        Train {
            order: (0..data.train.len() as u32).collect(),
            order_of: None,
            mean: vec![0.0; size],
            square: vec![0.0; size],
            gradients: vec![vec![0.0; size]; CHUNKS],
            step: 0,
            batch: 0,
            last: TrainFigures::default(),
            net,
            settings,
            data,
            seed,
        }
    }

    pub fn net(&self) -> &FloatNet {
        &self.net
    }

    pub fn data(&self) -> &TrainData {
        &self.data
    }

    pub fn step(&self) -> u64 {
        self.step
    }

    /// The figures of the last step.
    pub fn last(&self) -> TrainFigures {
        self.last
    }

    fn batches_per_epoch(&self) -> u64 {
        self.data.train.len().div_ceil(self.settings.batch_size) as u64
    }

    fn batches(&self) -> u64 {
        self.settings.epochs * self.batches_per_epoch()
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        STEPS.min(self.batches())
    }

    pub fn is_done(&self) -> bool {
        self.step >= self.steps()
    }

    /// Trains for one step.
    pub fn advance(&mut self) -> TrainFigures {
        self.step += 1;
        let end = self.step * self.batches() / self.steps();
        let (mut sum, mut positions, mut rate) = (0.0, 0, 0.0);
        while self.batch < end {
            rate = self.rate_now();
            let (loss, count) = self.train_batch(rate as f32);
            sum += loss;
            positions += count;
        }
        self.last = TrainFigures {
            train_loss: sum / positions.max(1) as f64,
            validation_loss: self.validation_loss(),
            rate,
            positions,
        };
        self.last
    }

    fn rate_now(&self) -> f64 {
        let done = self.batch as f64 / self.batches() as f64;
        0.5 * self.settings.rate() * (1.0 + (std::f64::consts::PI * done).cos())
    }

    /// Returns the sum of the losses, and the number of positions.
    fn train_batch(&mut self, rate: f32) -> (f64, u64) {
        let per_epoch = self.batches_per_epoch();
        self.shuffle(self.batch / per_epoch);
        let size = self.settings.batch_size;
        let first = (self.batch % per_epoch) as usize * size;
        let rows = &self.order[first..self.order.len().min(first + size)];
        // Chunks of the same size for every batch but an epoch's last.
        let chunk = rows.len().div_ceil(CHUNKS);
        let (net, data, loss) = (&self.net, &self.data.train, self.settings.loss);
        let chunks: Vec<&[u32]> = rows.chunks(chunk).collect();
        let used = chunks.len();
        let losses: Vec<f64> = self.gradients[..used]
            .par_iter_mut()
            .zip(chunks)
            .map(|(gradient, rows)| {
                gradient.fill(0.0);
                let mut scratch = Scratch::new(net.shape.hidden);
                accumulate(net, data, rows, loss, gradient, &mut scratch)
            })
            .collect();
        let count = rows.len();
        self.batch += 1;
        self.descend(used, rate, count as f32);
        (losses.iter().sum(), count as u64)
    }

    /// One step of AdamW: Adam with decoupled weight decay.
    fn descend(&mut self, used: usize, rate: f32, count: f32) {
        const PART: usize = 4096;
        let steps = self.batch as i32;
        let mean_scale = 1.0 / (1.0 - f64::from(MEAN_DECAY).powi(steps)) as f32;
        let square_scale = 1.0 / (1.0 - f64::from(SQUARE_DECAY).powi(steps)) as f32;
        let keep = 1.0 - rate * self.settings.weight_decay as f32;
        let gradients = &self.gradients[..used];
        let parts = self.net.values.par_chunks_mut(PART);
        let parts = parts.zip(self.mean.par_chunks_mut(PART));
        let parts = parts.zip(self.square.par_chunks_mut(PART)).enumerate();
        parts.for_each(|(part, ((values, means), squares))| {
            for (index, value) in values.iter_mut().enumerate() {
                let at = part * PART + index;
                let slope = gradients.iter().map(|gradient| gradient[at]).sum::<f32>() / count;
                let mean = MEAN_DECAY * means[index] + (1.0 - MEAN_DECAY) * slope;
                let square = SQUARE_DECAY * squares[index] + (1.0 - SQUARE_DECAY) * slope * slope;
                (means[index], squares[index]) = (mean, square);
                let by = mean * mean_scale / ((square * square_scale).sqrt() + 1e-8);
                *value = (*value * keep - rate * by).clamp(-CLIP, CLIP);
            }
        });
    }

    /// Brings the positions into the order of an epoch.
    fn shuffle(&mut self, epoch: u64) {
        if self.order_of == Some(epoch) {
            return;
        }
        let mut draws = Stream::new(self.seed, epoch, Purpose::Shuffling);
        let count = self.data.train.len();
        self.order = (0..count as u32).collect();
        for index in (1..count).rev() {
            self.order
                .swap(index, draws.below(index as u64 + 1) as usize);
        }
        self.order_of = Some(epoch);
    }

    /// The mean loss of the validation positions.
    fn validation_loss(&self) -> Option<f64> {
        let rows = &self.data.validation;
        (!rows.is_empty()).then(|| self.net.loss(rows, self.settings.loss))
    }

    /// The quantised net.
    pub fn quantised(&self, game: &str) -> NetParts {
        self.net.quantised(game, self.settings.scale)
    }

    /// What quantising does to scores: the mean and the largest change, in units, over validation
    /// positions (or those of the training).
    pub fn quantisation_error(&self, parts: &NetParts) -> (f64, f64) {
        let rows = match self.data.validation.is_empty() {
            true => &self.data.train,
            false => &self.data.validation,
        };
        const MOST: usize = 20_000;
        let (mut sum, mut most, count) = (0.0, 0.0_f64, rows.len().min(MOST));
        for index in 0..count {
            let exact = f64::from(self.net.output(rows, index));
            let error = (exact - model::quantised_output(parts, rows, index)).abs();
            sum += error;
            most = most.max(error);
        }
        let scale = self.settings.scale;
        (scale * sum / count.max(1) as f64, scale * most)
    }
}
