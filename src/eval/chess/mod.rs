//! Evaluators of chess, for the orthodox game and Chess960 alike.

mod classical;
mod four_factor;
mod material;
mod moves;
mod rows;
mod simplified;
mod staged;
mod swing;
mod tables;

pub use classical::Classical;
pub use four_factor::FourFactor;
pub use material::Material;
pub use simplified::Simplified;
pub use staged::Staged;
pub use swing::Swing;

use super::{Evaluated, Preset};
use crate::games::chess::Position;

impl<const FRC: bool> Evaluated for Position<FRC> {
    const UNIT: &'static str = "centipawns";
    const STRONGEST: &'static str = "classical";
    const COUNTED_IN: &'static str = "pawns";
    const UNITS_IN_ONE: f64 = 100.0;

    fn presets() -> &'static [Preset<Self>] {
        const {
            &[
                Preset::of::<Material>("material", "piece values only"),
                Preset::of::<Staged>(
                    "staged",
                    "ten terms in three game stages, from the older desktop program in Java",
                ),
                Preset::of::<Simplified>(
                    "simplified",
                    "material and doubled piece-square tables, from the older desktop program in Python",
                ),
                Preset::of::<FourFactor>(
                    "four-factor",
                    "material, mobility, attack and position, from the older phone program",
                ),
                Preset::of::<Swing>(
                    "swing",
                    "material, mobility, tables and capturing, from the other older program in Java",
                ),
                Preset::cached::<Classical>(
                    "classical",
                    "a modern tapered evaluator: structure, mobility, king safety, threats",
                ),
                Preset::random(),
            ]
        }
    }
}
