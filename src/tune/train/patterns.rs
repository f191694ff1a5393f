//! Patterns in floating point: output, gradient, and the way to and from whole numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::TrainRows;
use super::model::loss_and_slope;
use crate::eval::STEPS;
use crate::eval::patterns::{Geometry, PatternParts, PatternSet, Patterns, Scanner, Stage, count};
use crate::tune::fit::Loss;

/// An evaluator of patterns in floating point.
#[derive(Clone, Debug)]
pub struct FloatPatterns {
    set: PatternSet,
    geometry: Arc<Geometry>,
    kinds: usize,
    most_pieces: usize,
    /// Weights by entry and stage, material by kind and stage, tempo by stage; in scales.
    pub values: Vec<f32>,
}

/// The weights that a position uses: where they are, and by what they are multiplied.
pub struct PatternRow {
    cells: Vec<(u32, f32)>,
    scanner: Scanner,
}

impl FloatPatterns {
    /// All weights zero.
    pub fn zero(set: PatternSet) -> FloatPatterns {
        let geometry = Geometry::new(&set);
        let layout = &set.game.facts().layout;
        let rows = geometry.entries + layout.kinds + 1;
        FloatPatterns {
            values: vec![0.0; rows * set.stages],
            geometry: Arc::new(geometry),
            kinds: layout.kinds,
            most_pieces: layout.most_pieces,
            set,
        }
    }

    /// The numbers of a file.
    pub fn of_patterns(patterns: &Patterns) -> FloatPatterns {
        let parts = patterns.parts();
        let mut float = FloatPatterns::zero(parts.set.clone());
        let by = f64::from(parts.step) / f64::from(STEPS) / parts.scale;
        let numbers = parts.weights.iter();
        let numbers = numbers.chain(&parts.material).chain(&parts.tempo);
        for (value, number) in float.values.iter_mut().zip(numbers) {
            *value = (f64::from(*number) * by) as f32;
        }
        float
    }

    pub fn row(&self) -> PatternRow {
        PatternRow {
            cells: Vec::new(),
            scanner: Scanner::new(&self.geometry),
        }
    }

    /// Finds the weights of a position.
    #[inline]
    fn look(&self, rows: &TrainRows, index: usize, row: &mut PatternRow) {
        let (sets, mover) = rows.position(index);
        let stages = self.set.stages;
        let stage = Stage::of(count(&sets), self.most_pieces, stages);
        let whole = stage.whole() as f32;
        let shares = [stage.of_low as f32 / whole, stage.of_high as f32 / whole];
        let cells = &mut row.cells;
        cells.clear();
        let mut push = |at: usize, times: f32| {
            let first = (at * stages + stage.low) as u32;
            cells.push((first, times * shares[0]));
            cells.push((first + 1, times * shares[1]));
        };
        let alias = &self.geometry.alias;
        row.scanner
            .for_each_entry(&self.geometry, &sets, mover, |entry, sign| {
                push(alias[entry] as usize, sign as f32);
            });
        let both = sets[0].iter().zip(&sets[1]).take(self.kinds);
        for (kind, (white, black)) in both.enumerate() {
            let lead = white.count_ones() as f32 - black.count_ones() as f32;
            let surplus = lead * mover.sign() as f32;
            if surplus != 0.0 {
                push(self.geometry.entries + kind, surplus);
            }
        }
        push(self.geometry.entries + self.kinds, 1.0);
    }

    /// The output for a position, in scales.
    pub fn output(&self, rows: &TrainRows, index: usize, row: &mut PatternRow) -> f32 {
        self.look(rows, index, row);
        let cells = row.cells.iter();
        cells
            .map(|(at, times)| self.values[*at as usize] * times)
            .sum()
    }

    /// Adds the gradient of the loss of some rows; returns the sum of their losses.
    pub fn accumulate(
        &self,
        rows: &TrainRows,
        chosen: std::ops::Range<usize>,
        loss: Loss,
        gradient: &mut [f32],
    ) -> f64 {
        let mut row = self.row();
        let mut total = 0.0;
        for index in chosen {
            let out = f64::from(self.output(rows, index, &mut row));
            let (lost, slope) = loss_and_slope(loss, out, f64::from(rows.target(index)));
            total += lost;
            for (at, times) in &row.cells {
                gradient[*at as usize] += slope as f32 * times;
            }
        }
        total
    }

    /// The gradient of the summed loss of all positions.
    pub fn gradient(&self, rows: &TrainRows, loss: Loss) -> Vec<f32> {
        let mut gradient = vec![0.0; self.values.len()];
        self.accumulate(rows, 0..rows.len(), loss, &mut gradient);
        gradient
    }

    /// Adds to each weight what bounds the curvature of the loss: no loss curves more than a quarter,
    /// and a diagonal of |x| times the sum of all |x| of a row lies above the outer product of x.
    pub fn add_bounds(&self, rows: &TrainRows, chosen: std::ops::Range<usize>, bounds: &mut [f32]) {
        let mut row = self.row();
        for index in chosen {
            self.look(rows, index, &mut row);
            let all: f32 = row.cells.iter().map(|(_, times)| times.abs()).sum();
            for (at, times) in &row.cells {
                bounds[*at as usize] += 0.25 * all * times.abs();
            }
        }
    }

    /// The mean loss of these positions.
    pub fn loss(&self, rows: &TrainRows, loss: Loss) -> f64 {
        const CHUNK: usize = 4096;
        let starts: Vec<usize> = (0..rows.len()).step_by(CHUNK).collect();
        let sums = starts.into_par_iter().map(|start| {
            let mut row = self.row();
            let chosen = start..rows.len().min(start + CHUNK);
            let losses = chosen.map(|index| {
                let out = f64::from(self.output(rows, index, &mut row));
                loss_and_slope(loss, out, f64::from(rows.target(index))).0
            });
            losses.sum::<f64>()
        });
        // Collected first: added in order.
        let sums: Vec<f64> = sums.collect();
        sums.iter().sum::<f64>() / rows.len().max(1) as f64
    }

    /// Weights in whole numbers, as fine as the largest allows.
    pub fn quantised(&self, scale: f64) -> PatternParts {
        const MOST: f64 = 32_000.0;
        let steps = |value: &f32| f64::from(*value) * scale * f64::from(STEPS);
        let largest = self.values.iter().map(|it| steps(it).abs());
        let step = (largest.fold(0.0, f64::max) / MOST).ceil().max(1.0);
        let stages = self.set.stages;
        let rounded = |values: &[f32]| -> Vec<i16> {
            let whole = values.iter().map(|value| (steps(value) / step).round());
            whole.map(|number| number as i16).collect()
        };
        let (tables, rest) = self.values.split_at(self.geometry.entries * stages);
        let (material, tempo) = rest.split_at(self.kinds * stages);
        let alias = self.geometry.alias.iter().map(|at| *at as usize);
        let weights = alias.flat_map(|at| &tables[at * stages..(at + 1) * stages]);
        let weights: Vec<f32> = weights.copied().collect();
        PatternParts {
            set: self.set.clone(),
            step: step as i32,
            scale,
            weights: rounded(&weights),
            material: rounded(material),
            tempo: rounded(tempo),
            provenance: BTreeMap::new(),
        }
    }
}
