//! Evaluators of chess, for the orthodox game and Chess960 alike.

mod classical;
mod material;
mod moves;
mod rows;
mod simplified;
mod staged;
mod tables;

pub use classical::Classical;
pub use material::Material;
pub use simplified::Simplified;
pub use staged::Staged;

use super::{Evaluated, Preset};
use crate::games::chess::Position;

impl<const FRC: bool> Evaluated for Position<FRC> {
    const UNIT: &'static str = "centipawns";
    const UNITS_IN_ONE: f64 = 100.0;

    fn presets() -> &'static [Preset<Self>] {
        const {
            &[
                Preset::of::<Material>("material", "piece values alone"),
                Preset::of::<Simplified>(
                    "simplified",
                    "material and doubled piece-square tables, from the desktop program in Python",
                ),
                Preset::cached::<Classical>(
                    "classical",
                    "a modern tapered evaluator: structure, mobility, king safety, threats",
                ),
                Preset::of::<Staged>(
                    "staged",
                    "ten terms in three stages of the game, from the desktop program in Java",
                ),
                Preset::random(),
            ]
        }
    }
}
