//! The weights of one evaluator: defaults from the term list, changed by name.

use super::term::{Term, TermShape, slot_count};
use super::{Learnt, STEPS, Score};
use std::fmt;

/// One slot's weight, in score steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    pub opening: Score,
    pub ending: Score,
}

/// Slots that a term list can have.
pub const MOST_SLOTS: usize = 1024;

/// Weights for every slot of a term list.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Opening in the upper 32 bits, ending in the lower: one addition sums both. As long as the
    /// longest list, to avoid bounds checks.
    packed: Box<[i64; MOST_SLOTS]>,
    len: usize,
    /// The numbers of a learnt evaluator.
    learnt: Option<Learnt>,
}

/// A value for a term, in units, as in a config or weights file: one number for all slots, or one
/// number per slot.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightValue {
    pub opening: Vec<f64>,
    pub ending: Vec<f64>,
}

impl WeightValue {
    /// The same numbers in the opening and the ending.
    pub fn flat(numbers: Vec<f64>) -> WeightValue {
        WeightValue {
            ending: numbers.clone(),
            opening: numbers,
        }
    }
}

/// A value that does not fit its term.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightError {
    Unknown {
        name: String,
    },
    TermShape {
        name: String,
        expected: TermShape,
    },
    /// Two values for a term that is not tapered.
    NotTapered {
        name: String,
    },
    Range {
        name: String,
        value: f64,
        range: (f64, f64),
    },
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightError::Unknown { name } => write!(f, "unknown weight `{name}`"),
            WeightError::TermShape {
                name,
                expected: TermShape::Number,
            } => {
                write!(f, "weight `{name}` is one number")
            }
            WeightError::TermShape {
                name,
                expected: TermShape::List(length),
            } => {
                write!(
                    f,
                    "weight `{name}` is a list of {length} numbers, or one number for all of them"
                )
            }
            WeightError::TermShape {
                name,
                expected: TermShape::Squares,
            } => {
                write!(
                    f,
                    "weight `{name}` is a table: 8 rows of 8 numbers, or one number for all squares"
                )
            }
            WeightError::NotTapered { name } => {
                write!(
                    f,
                    "weight `{name}` is not tapered: give one value instead of an opening and an ending value"
                )
            }
            WeightError::Range {
                name,
                value,
                range: (low, high),
            } => {
                write!(
                    f,
                    "weight `{name}` = {value}: must lie between {low} and {high}"
                )
            }
        }
    }
}

impl std::error::Error for WeightError {}

pub(super) fn pack(weight: Weight) -> i64 {
    (i64::from(weight.opening) << 32) + i64::from(weight.ending)
}

pub(super) fn unpack(packed: i64) -> (i32, i32) {
    let ending = packed as i32;
    // A negative lower half has borrowed one from the upper.
    let opening = ((packed - i64::from(ending)) >> 32) as i32;
    (opening, ending)
}

fn steps(units: f64) -> Score {
    (units * f64::from(STEPS)).round() as Score
}

impl Weights {
    pub fn defaults(terms: &[Term]) -> Weights {
        let mut packed = Box::new([0; MOST_SLOTS]);
        let slots = terms.iter().flat_map(|term| {
            (0..term.shape().slots()).map(|index| tapered(term.default_of(index)))
        });
        for (place, weight) in packed.iter_mut().zip(slots) {
            *place = weight;
        }
        Weights {
            packed,
            len: slot_count(terms),
            learnt: None,
        }
    }

    /// The weights of a learnt evaluator.
    pub fn of_learnt(learnt: Learnt) -> Weights {
        Weights {
            learnt: Some(learnt),
            ..Weights::defaults(&[])
        }
    }

    pub fn learnt(&self) -> Option<&Learnt> {
        self.learnt.as_ref()
    }

    #[inline(always)]
    pub(super) fn packed(&self, slot: usize) -> i64 {
        self.packed[slot]
    }

    pub fn get(&self, slot: usize) -> Weight {
        let (opening, ending) = unpack(self.packed[slot]);
        Weight { opening, ending }
    }

    /// Sets the weight of one slot. The caller checks the range.
    pub fn set_slot(&mut self, slot: usize, weight: Weight) {
        self.packed[slot] = pack(weight);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Every term of the list with its value, as in a weights file.
    pub fn values<'t>(&self, terms: &'t [Term]) -> impl Iterator<Item = (&'t Term, WeightValue)> {
        let mut first = 0;
        terms.iter().map(move |term| {
            let slots = first..first + term.shape().slots();
            first = slots.end;
            let of = |pick: fn(Weight) -> Score| {
                slots
                    .clone()
                    .map(|slot| f64::from(pick(self.get(slot))) / f64::from(STEPS))
                    .collect()
            };
            let value = WeightValue {
                opening: of(|weight| weight.opening),
                ending: of(|weight| weight.ending),
            };
            (term, value)
        })
    }

    /// Sets the value of the term `name` of the list `terms`.
    pub fn set(
        &mut self,
        terms: &[Term],
        name: &str,
        value: &WeightValue,
    ) -> Result<(), WeightError> {
        let mut first = 0;
        for term in terms {
            let slots = term.shape().slots();
            if term.name == name {
                return self.set_slots(term, first, value);
            }
            first += slots;
        }
        Err(WeightError::Unknown {
            name: name.to_string(),
        })
    }

    fn set_slots(
        &mut self,
        term: &Term,
        first: usize,
        value: &WeightValue,
    ) -> Result<(), WeightError> {
        let check = |number: f64| {
            let (low, high) = term.range;
            if (low..=high).contains(&number) {
                Ok(number)
            } else {
                Err(WeightError::Range {
                    name: term.name.to_string(),
                    value: number,
                    range: term.range,
                })
            }
        };
        let slots = term.shape().slots();
        let fits = |numbers: &[f64]| numbers.len() == 1 || numbers.len() == slots;
        if !fits(&value.opening) || !fits(&value.ending) {
            return Err(WeightError::TermShape {
                name: term.name.to_string(),
                expected: term.shape(),
            });
        }
        if !term.is_tapered() && value.opening != value.ending {
            return Err(WeightError::NotTapered {
                name: term.name.to_string(),
            });
        }
        let pick = |numbers: &[f64], index: usize| check(numbers[index.min(numbers.len() - 1)]);
        for index in 0..slots {
            let pair = (pick(&value.opening, index)?, pick(&value.ending, index)?);
            self.packed[first + index] = tapered(pair);
        }
        Ok(())
    }
}

fn tapered((opening, ending): (f64, f64)) -> i64 {
    pack(Weight {
        opening: steps(opening),
        ending: steps(ending),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::TermDefault::{List, Number, Tapered};

    const TERMS: &[Term] = &[
        Term::linear("pawn", "material", Number(100.0), (0.0, 500.0), "a pawn"),
        Term::linear(
            "passed",
            "pawns",
            Tapered(10.0, 20.5),
            (-50.0, 50.0),
            "a passed pawn",
        ),
        Term::linear(
            "by_stage",
            "pawns",
            List(&[1.0, 2.0, 3.0]),
            (0.0, 9.0),
            "by stage",
        ),
    ];

    #[test]
    fn values_written_out_and_set_again_give_the_same_weights() {
        let mut weights = Weights::defaults(TERMS);
        weights
            .set(TERMS, "by_stage", &WeightValue::flat(vec![4.0, 0.25, 9.0]))
            .expect("a list of three");
        let mut copy = Weights::defaults(TERMS);
        for (term, value) in weights.values(TERMS) {
            copy.set(TERMS, term.name, &value).expect("its own value");
        }
        assert_eq!(copy, weights);
        let passed = weights.values(TERMS).nth(1).expect("the second term").1;
        assert_eq!((passed.opening, passed.ending), (vec![10.0], vec![20.5]));
    }

    #[test]
    fn a_value_that_does_not_fit_its_term_is_refused_with_the_reason() {
        let mut weights = Weights::defaults(TERMS);
        let two = WeightValue {
            opening: vec![90.0],
            ending: vec![110.0],
        };
        let one = |number| WeightValue::flat(vec![number]);
        let mut message = |name: &str, value: &WeightValue| {
            let error = weights.set(TERMS, name, value).expect_err("a misfit");
            error.to_string()
        };
        assert_eq!(message("pwan", &one(1.0)), "unknown weight `pwan`");
        assert_eq!(
            message("pawn", &two),
            "weight `pawn` is not tapered: give one value instead of an opening and an ending value"
        );
        assert_eq!(
            message("pawn", &one(-1.0)),
            "weight `pawn` = -1: must lie between 0 and 500"
        );
        assert_eq!(
            message("by_stage", &WeightValue::flat(vec![1.0, 2.0])),
            "weight `by_stage` is a list of 3 numbers, or one number for all of them"
        );
    }

    #[test]
    fn packed_sums_keep_both_halves_apart() {
        let parts = [(120, -7), (-300, 45), (-1, -1), (9_000_000, -9_000_000)];
        let sum: i64 = parts
            .iter()
            .map(|&(opening, ending)| pack(Weight { opening, ending }))
            .sum();
        let expected = parts.iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert_eq!(unpack(sum), expected);
        assert_eq!(unpack(sum * -3), (expected.0 * -3, expected.1 * -3));
    }
}
