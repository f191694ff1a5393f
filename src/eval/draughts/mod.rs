//! Evaluators of the draughts family, for every rule set alike.

mod adaptive;
mod basic;
mod extreme;
mod material;
mod modern;
mod rows;
mod single;

pub use adaptive::Adaptive;
pub use basic::Basic;
pub use extreme::Extreme;
pub use material::Material;
pub use modern::Modern;

use super::{Evaluated, Preset};
use crate::games::draughts::{Draughts, rules::Rules};

impl<R: Rules> Evaluated for Draughts<R> {
    const UNIT: &'static str = "points";
    const STRONGEST: &'static str = "draughts";

    fn presets() -> &'static [Preset<Self>] {
        const {
            &[
                Preset::of::<Material>("material", "men and kings only"),
                Preset::of::<Basic>(
                    "basic",
                    "men, kings and possible moves, from the older checkers program",
                ),
                Preset::of::<Extreme>(
                    "extreme",
                    "basic with the back row and the edges, from the older checkers program",
                ),
                Preset::of::<Adaptive>(
                    "adaptive",
                    "pieces worth more the fewer are left, from the older checkers program",
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
