//! Which groups of terms have any weight: a group switched off costs no time.

use super::TERMS;
use crate::eval::Weights;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    pub pawns: bool,
    pub mobility: bool,
    pub passed: bool,
}

impl Groups {
    /// Everything is visited, as a recorder wants it.
    pub const ALL: Groups = Groups {
        pawns: true,
        mobility: true,
        passed: true,
    };

    /// The groups in which some weight is not zero.
    pub fn weighed(weights: &Weights) -> Groups {
        let has = |group: &str| {
            let mut first = 0;
            TERMS.iter().any(|term| {
                let slots = first..first + term.shape().slots();
                first = slots.end;
                term.group == group
                    && slots
                        .map(|slot| weights.get(slot))
                        .any(|weight| weight.opening != 0 || weight.ending != 0)
            })
        };
        Groups {
            pawns: has("pawns"),
            mobility: has("mobility"),
            passed: has("passed"),
        }
    }
}
