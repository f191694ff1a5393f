//! Piece values only.

use super::rows::{PIECES, count_material};
use crate::eval::{Sink, Term, Terms, Weights, slot};
use crate::games::chess::Position;

pub struct Material;

const TERMS: &[Term] = &PIECES;

impl<const FRC: bool> Terms<Position<FRC>> for Material {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_material(position, const { slot(TERMS, "pawn") }, sink);
    }
}
