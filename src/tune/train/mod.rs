//! Trains a net or patterns on labelled positions, or on the static scores of another evaluator.
//!
//! A net learns by AdamW on batches. Patterns are linear: they learn from all positions at once, with
//! steps that a bound of the curvature of each weight makes safe (FISTA with restarts), so that rare
//! entries neither overshoot nor stand still.
//!
//! Every batch is divided into the same chunks and their gradients are added in the same order, so
//! that the bytes of a net do not depend on the number of threads. A checkpoint after every step
//! makes a killed run end with the same bytes, too.

mod checkpoint;
mod model;
mod patterns;
mod rows;

pub use checkpoint::verify_checkpoint;
pub use model::FloatNet;
pub use patterns::FloatPatterns;
pub use rows::{TrainData, TrainReport, TrainRows, train_data, usual_scale};

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::fit::Loss;
use super::quiet::Quiet;
use crate::eval::net::{Net, NetError, NetParts, NetShape};
use crate::eval::patterns::{PatternEvaluator, PatternSet, Patterns};
use crate::eval::{Learnt, STEPS as SCORE_STEPS};
use crate::play::{Purpose, Stream};
use model::{Scratch, accumulate};

/// The keys of `[tune]` for this method.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainSettings {
    pub hidden: usize,
    pub buckets: usize,
    /// The patterns to train instead of a net.
    pub patterns: Option<PatternSet>,
    /// Patterns: an entry that this many positions show keeps half of what they say.
    pub shrink: f64,
    /// Passes over the positions; 0 chooses.
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

/// Passes over the positions.
const NET_EPOCHS: u64 = 3;
const PATTERN_EPOCHS: u64 = 80;

/// What is trained, in floating point.
#[derive(Clone, Debug)]
pub enum Learner {
    Net(FloatNet),
    Patterns(FloatPatterns),
}

impl Learner {
    /// A net with random weights.
    pub fn random_net(shape: NetShape, seed: u64) -> Learner {
        let mut draws = Stream::new(seed, 0, Purpose::NetWeights);
        Learner::Net(FloatNet::random(shape, &mut draws))
    }

    /// Further training of an evaluator.
    pub fn of(learnt: &Learnt) -> Learner {
        match learnt {
            Learnt::Net(net) => Learner::Net(FloatNet::of_net(net)),
            Learnt::Patterns(patterns) => Learner::Patterns(FloatPatterns::of_patterns(patterns)),
        }
    }

    fn values(&self) -> &[f32] {
        match self {
            Learner::Net(net) => &net.values,
            Learner::Patterns(patterns) => &patterns.values,
        }
    }

    fn values_mut(&mut self) -> &mut Vec<f32> {
        match self {
            Learner::Net(net) => &mut net.values,
            Learner::Patterns(patterns) => &mut patterns.values,
        }
    }

    /// The mean loss of these positions.
    pub fn loss(&self, rows: &TrainRows, loss: Loss) -> f64 {
        match self {
            Learner::Net(net) => net.loss(rows, loss),
            Learner::Patterns(patterns) => patterns.loss(rows, loss),
        }
    }
}

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
    learner: Learner,
    settings: TrainSettings,
    data: TrainData,
    seed: u64,
    /// Running means of the gradient and of its square; for patterns the values of the step before,
    /// and the bounds of the curvature.
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Steps of the log, and batches; for patterns the steps since the last restart.
    step: u64,
    batch: u64,
    last: TrainFigures,
    /// Patterns: the values of the step with the lowest validation loss, and that loss. Without
    /// validation rows, the last values.
    best: Vec<f32>,
    best_loss: Option<f64>,
    /// The order of the positions in this epoch.
    order: Vec<u32>,
    order_of: Option<u64>,
    gradients: Vec<Vec<f32>>,
}

impl Train {
    pub fn new(learner: Learner, settings: TrainSettings, data: TrainData, seed: u64) -> Train {
        let size = learner.values().len();
        let mut train = Train {
            order: Vec::new(),
            order_of: None,
            mean: learner.values().to_vec(),
            square: vec![0.0; size],
            gradients: vec![vec![0.0; size]; CHUNKS],
            step: 0,
            batch: 0,
            last: TrainFigures::default(),
            best: Vec::new(),
            best_loss: None,
            learner,
            settings,
            data,
            seed,
        };
        match &train.learner {
            Learner::Net(_) => train.mean.fill(0.0),
            Learner::Patterns(_) => train.find_bounds(),
        }
        train
    }

    pub fn learner(&self) -> &Learner {
        &self.learner
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

    /// Passes over the positions.
    pub fn epochs(&self) -> u64 {
        match (self.settings.epochs, &self.learner) {
            (0, Learner::Net(_)) => NET_EPOCHS,
            (0, Learner::Patterns(_)) => PATTERN_EPOCHS,
            (given, _) => given,
        }
    }

    fn batches(&self) -> u64 {
        self.epochs() * self.batches_per_epoch()
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        match self.learner {
            Learner::Net(_) => STEPS.min(self.batches()),
            Learner::Patterns(_) => self.epochs(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.step >= self.steps()
    }

    /// Trains for one step.
    pub fn advance(&mut self) -> TrainFigures {
        self.step += 1;
        let (train_loss, rate, positions) = match self.learner {
            Learner::Net(_) => self.train_batches(),
            Learner::Patterns(_) => (self.take_whole_step(), 1.0, self.data.train.len() as u64),
        };
        self.last = TrainFigures {
            train_loss,
            validation_loss: self.validation_loss(),
            rate,
            positions,
        };
        if let (Learner::Patterns(patterns), Some(loss)) =
            (&self.learner, self.last.validation_loss)
            && self.best_loss.is_none_or(|best| loss < best)
        {
            self.best_loss = Some(loss);
            self.best.clone_from(&patterns.values);
        }
        self.last
    }

    /// What the training made: the best patterns, or the last net.
    fn outcome(&self) -> Learner {
        let mut learner = self.learner.clone();
        if !self.best.is_empty() {
            learner.values_mut().clone_from(&self.best);
        }
        learner
    }

    /// The batches of a step: mean loss, last rate and positions.
    fn train_batches(&mut self) -> (f64, f64, u64) {
        let end = self.step * self.batches() / self.steps();
        let (mut sum, mut positions, mut rate) = (0.0, 0, 0.0);
        while self.batch < end {
            rate = self.rate_now();
            let (loss, count) = self.train_batch(rate as f32);
            sum += loss;
            positions += count;
        }
        (sum / positions.max(1) as f64, rate, positions)
    }

    /// The rows in as many parts as there are sums of gradients.
    fn row_chunks(&self) -> impl IndexedParallelIterator<Item = std::ops::Range<usize>> + use<> {
        let rows = self.data.train.len();
        let chunks = (0..CHUNKS).into_par_iter();
        chunks.map(move |chunk| chunk * rows / CHUNKS..(chunk + 1) * rows / CHUNKS)
    }

    /// Finds the bound of the curvature of each weight.
    fn find_bounds(&mut self) {
        let Learner::Patterns(patterns) = &self.learner else {
            return;
        };
        let (rows, chunks) = (&self.data.train, self.row_chunks());
        let sums = self.gradients.par_iter_mut().zip(chunks);
        sums.for_each(|(bounds, chosen)| patterns.add_bounds(rows, chosen, bounds));
        for (index, bound) in self.square.iter_mut().enumerate() {
            *bound = self.gradients.iter().map(|part| part[index]).sum();
        }
    }

    /// A step from all positions. Returns their mean loss at the point from which it starts.
    fn take_whole_step(&mut self) -> f64 {
        // How far to look ahead in the direction of the last step.
        let ahead = self.batch as f32 / (self.batch + 3) as f32;
        let values = self.learner.values_mut();
        let mut direction = Vec::with_capacity(values.len());
        for (value, before) in values.iter_mut().zip(&mut self.mean) {
            let last = *value - *before;
            *before = *value;
            *value += ahead * last;
            direction.push(last);
        }
        let chunks = self.row_chunks();
        let (rows, loss) = (&self.data.train, self.settings.loss);
        let Learner::Patterns(patterns) = &mut self.learner else {
            return 0.0;
        };
        let point: &FloatPatterns = patterns;
        let losses: Vec<f64> = self
            .gradients
            .par_iter_mut()
            .zip(chunks)
            .map(|(gradient, chosen)| {
                gradient.fill(0.0);
                point.accumulate(rows, chosen, loss, gradient)
            })
            .collect();
        let prior = 0.25 * self.settings.shrink as f32;
        let mut along = 0.0;
        for (index, value) in patterns.values.iter_mut().enumerate() {
            let slope: f32 = self.gradients.iter().map(|part| part[index]).sum();
            let bound = self.square[index] + prior;
            if bound > 0.0 {
                let by = (slope + prior * *value) / bound;
                *value -= by;
                let moved = *value - self.mean[index];
                along += f64::from(by * bound) * f64::from(moved);
            }
        }
        // A step against the momentum: start gathering it again.
        self.batch = if along > 0.0 { 0 } else { self.batch + 1 };
        losses.iter().sum::<f64>() / rows.len().max(1) as f64
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
        let Learner::Net(net) = &self.learner else {
            return (0.0, 0);
        };
        let (data, loss) = (&self.data.train, self.settings.loss);
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
        let parts = self.learner.values_mut().par_chunks_mut(PART);
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
        (!rows.is_empty()).then(|| self.learner.loss(rows, self.settings.loss))
    }

    /// The evaluator in whole numbers, as its file holds it.
    pub fn learnt(
        &self,
        game: &str,
        provenance: BTreeMap<String, String>,
    ) -> Result<Learnt, NetError> {
        let scale = self.settings.scale;
        Ok(match &self.outcome() {
            Learner::Net(net) => Learnt::Net(Arc::new(Net::new(NetParts {
                provenance,
                ..net.quantised(game, scale)
            })?)),
            Learner::Patterns(patterns) => {
                let mut parts = patterns.quantised(scale);
                parts.provenance = provenance;
                Learnt::Patterns(Arc::new(Patterns::new(parts)?))
            }
        })
    }

    /// What quantising does to scores: the mean and the largest change, in units, over validation
    /// positions (or those of the training).
    pub fn quantisation_error(&self, learnt: &Learnt) -> (f64, f64) {
        let rows = match self.data.validation.is_empty() {
            true => &self.data.train,
            false => &self.data.validation,
        };
        const MOST: usize = 20_000;
        let scale = self.settings.scale;
        let count = rows.len().min(MOST);
        let errors: Vec<f64> = match (&self.outcome(), learnt) {
            (Learner::Net(net), Learnt::Net(whole)) => {
                let error = |index: usize| {
                    let exact = f64::from(net.output(rows, index));
                    scale * (exact - model::quantised_output(whole.parts(), rows, index)).abs()
                };
                (0..count).map(error).collect()
            }
            (Learner::Patterns(patterns), Learnt::Patterns(whole)) => {
                let mut evaluator = PatternEvaluator::of(whole.clone());
                let mut row = patterns.row();
                let error = |index: usize| {
                    let exact = scale * f64::from(patterns.output(rows, index, &mut row));
                    let (sets, mover) = rows.position(index);
                    let score = evaluator.score(&sets, mover);
                    (exact - f64::from(score) / f64::from(SCORE_STEPS)).abs()
                };
                (0..count).map(error).collect()
            }
            _ => Vec::new(),
        };
        let most = errors.iter().copied().fold(0.0, f64::max);
        (errors.iter().sum::<f64>() / count.max(1) as f64, most)
    }
}
