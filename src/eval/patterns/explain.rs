//! Which patterns speak in a position.

use std::sync::Arc;

use super::{PatternEvaluator, Patterns, Scanner};
use crate::eval::linear::units;
use crate::eval::{Explanation, TermEffect};
use crate::games::{Game, Side};

/// The group of what is no pattern.
const MATERIAL: &str = "material";

/// The score of a position with the effect of every pattern: what its places give either side.
pub fn explain<G: Game>(patterns: &Arc<Patterns>, position: &G) -> Explanation {
    let (sets, mover) = (position.piece_sets(), position.side_to_move());
    let (parts, stage) = (patterns.parts(), patterns.stage(&sets));
    let stages = parts.set.stages;
    let blended = |weights: &[i16], row: usize| -> f64 {
        let at = row * stages + stage.low;
        let sum = f64::from(weights[at]) * f64::from(stage.of_low)
            + f64::from(weights[at + 1]) * f64::from(stage.of_high);
        units(sum * f64::from(parts.step)) / f64::from(stage.whole())
    };
    let names = super::spec::kind_names(patterns.kinds);
    let mut terms: Vec<TermEffect> = Vec::new();
    for (kind, name) in names.iter().enumerate() {
        let mut effect = TermEffect::silent(*name, MATERIAL);
        effect.white_count = sets[0][kind].count_ones() as i32;
        effect.black_count = sets[1][kind].count_ones() as i32;
        let worth = blended(&parts.material, kind);
        effect.white = worth * f64::from(effect.white_count);
        effect.black = worth * f64::from(effect.black_count);
        terms.push(effect);
    }
    let mut tempo = TermEffect::silent("tempo", "tempo");
    add(&mut tempo, mover, blended(&parts.tempo, 0));
    terms.push(tempo);
    let first = terms.len();
    let of = |name: &str| TermEffect::silent(name.to_string(), super::NAME);
    terms.extend(parts.set.patterns.iter().map(|pattern| of(&pattern.name)));
    let mut scanner = Scanner::new(patterns.geometry());
    scanner.for_each_place(
        &patterns.geometry,
        &sets,
        mover,
        |pattern, entry, viewer| {
            add(
                &mut terms[first + pattern],
                viewer,
                blended(&parts.weights, entry),
            );
        },
    );
    let evaluator = PatternEvaluator::new::<G>(patterns.clone());
    let score = evaluator.map_or(0, |mut it| it.score(&sets, mover));
    Explanation {
        terms,
        ..Explanation::bare(score * mover.sign())
    }
}

/// One more place that speaks for a side.
fn add(effect: &mut TermEffect, side: Side, value: f64) {
    let (count, sum) = match side {
        Side::White => (&mut effect.white_count, &mut effect.white),
        Side::Black => (&mut effect.black_count, &mut effect.black),
    };
    *count += i32::from(value != 0.0);
    *sum += value;
}
