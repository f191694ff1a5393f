//! Evaluators of the draughts family, for every rule set alike.

mod basic;
mod material;
mod modern;

pub use basic::Basic;
pub use material::Material;
pub use modern::Modern;

use super::{Evaluated, Preset, Sink};
use crate::games::Side;
use crate::games::draughts::{Draughts, bits::Bits, rules::Rules};

impl<R: Rules> Evaluated for Draughts<R> {
    const UNIT: &'static str = "points";

    fn presets() -> &'static [Preset<Self>] {
        const {
            &[
                Preset::of::<Material>("material", "men and kings alone"),
                Preset::of::<Basic>(
                    "basic",
                    "men, kings and possible moves, from the checkers program",
                ),
                Preset::of::<Modern>(
                    "draughts",
                    "a modern tapered evaluator: structure, runaways, kings, mobility",
                ),
                Preset::random(),
            ]
        }
    }
}

/// Counts men and kings, each side by itself.
fn count_material<R: Rules>(position: &Draughts<R>, man: usize, king: usize, sink: &mut impl Sink) {
    let men = |side| position.men(side).count() as i32;
    let kings = |side| position.kings(side).count() as i32;
    sink.add(man, men(Side::White), men(Side::Black));
    sink.add(king, kings(Side::White), kings(Side::Black));
}
