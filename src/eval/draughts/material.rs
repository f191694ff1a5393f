//! Men and kings only.

use super::rows::count_material;
use crate::eval::{Sink, Term, TermDefault::Number, Terms, Weights, slot};
use crate::games::draughts::{Draughts, rules::Rules};

pub struct Material;

const TERMS: &[Term] = &[
    Term::linear("man", "material", Number(100.0), (0.0, 1000.0), "a man"),
    Term::linear("king", "material", Number(250.0), (0.0, 5000.0), "a king"),
];

impl<R: Rules> Terms<Draughts<R>> for Material {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Draughts<R>, _weights: &Weights, sink: &mut impl Sink) {
        let (man, king) = const { (slot(TERMS, "man"), slot(TERMS, "king")) };
        count_material(position, man, king, sink);
    }
}
