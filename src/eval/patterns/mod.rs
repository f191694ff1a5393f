//! Tables of patterns: the contents of chosen squares choose a weight, and the weights add up.
//!
//! A pattern is looked up wherever the symmetries of the board put it, and from the view of both
//! sides, so that all of these share its table. Each entry has a weight per stage of the game, which
//! the number of pieces interpolates. All numbers are integers; the sum is linear in the weights.
//!
//! The search knows nothing of it: the evaluator keeps the indices of the last position it saw and
//! changes them by the difference.

mod evaluator;
mod explain;
mod format;
mod geometry;
mod spec;

pub use evaluator::PatternEvaluator;
pub use explain::explain;
pub use format::MAGIC;
pub use geometry::{Geometry, Scanner};
pub use spec::{MOST_ENTRIES, Pattern, PatternSet, PatternView, SpecError};

use std::collections::BTreeMap;
use std::fmt;

use super::net::NetError;
use super::{STEPS, Score};
use crate::games::Side;
use crate::games::sets::PieceSets;

/// The name of the evaluator in configs and lists.
pub const NAME: &str = "patterns";

/// The numbers of an evaluator of patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternParts {
    pub set: PatternSet,
    /// Score steps for a weight of 1.
    pub step: i32,
    /// The score in units at which a side expects 73 % of the points, for further training.
    pub scale: f64,
    /// By entry and stage, the empty board first.
    pub weights: Vec<i16>,
    /// By kind of piece and stage: what one more of them is worth.
    pub material: Vec<i16>,
    /// By stage: what it is worth to be on the move.
    pub tempo: Vec<i16>,
    /// How it was made: free text by key.
    pub provenance: BTreeMap<String, String>,
}

/// Patterns with their weights, ready to evaluate.
pub struct Patterns {
    parts: PatternParts,
    geometry: Geometry,
    kinds: usize,
    most_pieces: usize,
    digest: u64,
    /// Where it was read from, for those who show or pass on the player.
    origin: String,
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Patterns({}, {:016x})", self.game(), self.digest)
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        self.digest == other.digest && self.parts == other.parts
    }
}

/// The stages between which a position lies, and how near it is to each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The stage with fewer pieces; the other is the next.
    pub low: usize,
    /// Shares of both, of [`Stage::whole`].
    pub of_low: i32,
    pub of_high: i32,
}

impl Stage {
    /// The stage of a position with this many pieces, of `most` at most.
    #[inline]
    pub fn of(pieces: usize, most: usize, stages: usize) -> Stage {
        let at = pieces.min(most) * (stages - 1);
        let low = (at / most).min(stages - 2);
        let of_high = (at - low * most) as i32;
        Stage {
            low,
            of_low: most as i32 - of_high,
            of_high,
        }
    }

    pub fn whole(self) -> i32 {
        self.of_low + self.of_high
    }
}

/// The pieces on the board.
#[inline]
pub fn count(sets: &PieceSets) -> usize {
    sets.iter()
        .flatten()
        .map(|set| set.count_ones() as usize)
        .sum()
}

impl Patterns {
    /// Checks the numbers and arranges them.
    pub fn new(parts: PatternParts) -> Result<Patterns, NetError> {
        let layout = parts.set.game.facts().layout;
        let geometry = Geometry::new(&parts.set);
        let stages = parts.set.stages;
        let lengths = [
            (
                format::WEIGHTS,
                parts.weights.len(),
                geometry.entries * stages,
            ),
            (
                format::MATERIAL,
                parts.material.len(),
                layout.kinds * stages,
            ),
            (format::TEMPO, parts.tempo.len(), stages),
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
        if !(1..=MOST_STEP).contains(&parts.step) {
            return Err(NetError::Metadata {
                key: "step",
                value: parts.step.to_string(),
                expected: format!("1 to {MOST_STEP}"),
            });
        }
        let digest = super::net::digest(&parts.to_bytes());
        Ok(Patterns {
            geometry,
            kinds: layout.kinds,
            most_pieces: layout.most_pieces,
            digest,
            origin: String::new(),
            parts,
        })
    }

    pub fn parts(&self) -> &PatternParts {
        &self.parts
    }

    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub fn game(&self) -> &'static str {
        self.parts.set.game.name()
    }

    pub fn read_from(self, origin: impl Into<String>) -> Patterns {
        Patterns {
            origin: origin.into(),
            ..self
        }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The name of a file with these patterns: the same for the same bytes only.
    pub fn file_name(&self) -> String {
        format!("patterns-{:016x}.safetensors", self.digest)
    }

    /// The stage of these pieces.
    #[inline]
    fn stage(&self, sets: &PieceSets) -> Stage {
        Stage::of(count(sets), self.most_pieces, self.parts.set.stages)
    }

    /// One more piece than the opponent of each kind, from the mover's side.
    #[inline]
    fn surplus(sets: &PieceSets, kind: usize, mover: Side) -> i32 {
        let of = |side: Side| sets[side as usize][kind].count_ones() as i32;
        of(mover) - of(mover.other())
    }

    /// Score steps for sums of weights of both stages.
    #[inline]
    fn steps(&self, stage: Stage, low: i32, high: i32) -> Score {
        let sum =
            i64::from(low) * i64::from(stage.of_low) + i64::from(high) * i64::from(stage.of_high);
        // Rounds towards zero, so that exchanging the colours negates exactly.
        (sum * i64::from(self.parts.step) / i64::from(stage.whole())) as Score
    }
}

/// Score steps for a weight of 1, at most: scores stay far from the mate scores of the search, which
/// clamps them again.
const MOST_STEP: i32 = STEPS * 10;
