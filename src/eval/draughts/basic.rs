//! Men, kings and possible moves: the simplest evaluator of the older checkers program. Its users
//! could edit the six weights.

use super::rows::{count_material, count_moves, end_slots, ends, possible_move};
use crate::eval::{Sink, Term, TermDefault::Number, Terms, Weights, slot};
use crate::games::draughts::{Draughts, rules::Rules};

pub struct Basic;

const ENDS: [Term; 3] = ends(100.0, -100.0, -90.0);

const TERMS: &[Term] = &[
    Term::linear("man", "material", Number(2.0), (0.0, 100.0), "a man"),
    Term::linear("king", "material", Number(4.0), (0.0, 500.0), "a king"),
    possible_move(1.0),
    ENDS[0],
    ENDS[1],
    ENDS[2],
];

impl<R: Rules> Terms<Draughts<R>> for Basic {
    const TERMS: &'static [Term] = TERMS;
    const ENDS: Option<[usize; 3]> = end_slots(TERMS);

    fn visit(position: &Draughts<R>, _weights: &Weights, sink: &mut impl Sink) {
        let (man, king) = const { (slot(TERMS, "man"), slot(TERMS, "king")) };
        count_material(position, man, king, sink);
        count_moves(position, const { slot(TERMS, "move") }, sink);
    }
}
