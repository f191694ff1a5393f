//! Which groups of terms have non-zero weights: other groups cost no time.

use super::TERMS;
use crate::eval::{Term, Weights};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    pub imbalance: bool,
    pub mobility: bool,
    pub passed: bool,
    pub king: bool,
    pub danger: bool,
    pub rooks: bool,
    pub minors: bool,
    pub threats: bool,
}

impl Groups {
    /// All groups, for recorders.
    pub const ALL: Groups = Groups {
        imbalance: true,
        mobility: true,
        passed: true,
        king: true,
        danger: true,
        rooks: true,
        minors: true,
        threats: true,
    };

    /// The groups in which some weight is not zero.
    pub fn weighed(weights: &Weights) -> Groups {
        let any = |wanted: fn(&Term) -> bool| {
            let mut first = 0;
            TERMS.iter().any(|term| {
                let slots = first..first + term.shape().slots();
                first = slots.end;
                wanted(term)
                    && slots
                        .map(|slot| weights.get(slot))
                        .any(|weight| weight.opening != 0 || weight.ending != 0)
            })
        };
        Groups {
            imbalance: any(|term| term.group == "imbalance"),
            mobility: any(|term| term.group == "mobility"),
            passed: any(|term| term.group == "passed"),
            king: any(|term| term.group == "king"),
            // Danger with zero weights need not be computed.
            danger: any(|term| matches!(term.name, "danger_opening" | "danger_ending")),
            rooks: any(|term| term.group == "rooks"),
            minors: any(|term| term.group == "minors"),
            threats: any(|term| term.group == "threats"),
        }
    }

    /// Whether any group needs attack maps.
    pub fn attack_maps(self) -> bool {
        self.mobility || self.passed || self.danger || self.minors || self.threats
    }
}
