//! Piece values alone.

use super::count_pieces;
use crate::eval::{Sink, Term, TermDefault::Number, Terms, Weights, slot};
use crate::games::chess::{Piece, Position};

pub struct Material;

const TERMS: &[Term] = &[
    Term::linear("pawn", "material", Number(100.0), (0.0, 500.0), "a pawn"),
    Term::linear(
        "knight",
        "material",
        Number(320.0),
        (0.0, 1500.0),
        "a knight",
    ),
    Term::linear(
        "bishop",
        "material",
        Number(330.0),
        (0.0, 1500.0),
        "a bishop",
    ),
    Term::linear("rook", "material", Number(500.0), (0.0, 2000.0), "a rook"),
    Term::linear("queen", "material", Number(900.0), (0.0, 4000.0), "a queen"),
];

impl<const FRC: bool> Terms<Position<FRC>> for Material {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_pieces(position, Piece::Pawn, const { slot(TERMS, "pawn") }, sink);
        count_pieces(
            position,
            Piece::Knight,
            const { slot(TERMS, "knight") },
            sink,
        );
        count_pieces(
            position,
            Piece::Bishop,
            const { slot(TERMS, "bishop") },
            sink,
        );
        count_pieces(position, Piece::Rook, const { slot(TERMS, "rook") }, sink);
        count_pieces(position, Piece::Queen, const { slot(TERMS, "queen") }, sink);
    }
}
