//! Material, mobility, piece-square tables and capturing: the evaluator of the other desktop
//! program in Java.
//!
//! Only a description of that program survives. Tables are taken from `simplified`, other constants
//! are common values.

use super::moves::{PawnMoves, attacks};
use super::rows::{BlackReads, PIECES, count_material, place, place_all, table};
use super::tables;
use crate::eval::TermDefault::List;
use crate::eval::{Sink, Term, Terms, Weights, slot};
use crate::games::chess::{BitBoard, Board, Color, Piece, Position};

pub struct Swing;

#[rustfmt::skip]
const TERMS: &[Term] = &[
    PIECES[0], PIECES[1], PIECES[2], PIECES[3], PIECES[4],
    Term::linear("mobility", "mobility", List(&[1.0, 4.0, 3.0, 2.0, 1.0, 0.0]), (-50.0, 100.0),
        "a square that a piece can go to: pawn, knight, bishop, rook, queen, king"),
    table("pawn_table", "tables", &tables::PAWN, "a pawn on this square"),
    table("knight_table", "tables", &tables::KNIGHT, "a knight on this square"),
    table("bishop_table", "tables", &tables::BISHOP, "a bishop on this square"),
    table("rook_table", "tables", &tables::ROOK, "a rook on this square"),
    table("queen_table", "tables", &tables::QUEEN, "a queen on this square"),
    table("king_table", "tables", &tables::KING_MIDDLEGAME, "the king on this square"),
    Term::linear("capturing", "capturing", List(&[2.0, 6.0, 6.0, 10.0, 18.0, 0.0]), (-50.0, 200.0),
        "a pseudo-legal capture, by captured piece: pawn, knight, bishop, rook, queen, king"),
];

/// One side's moves and captures, in the order of [`Piece::ALL`].
struct Reach {
    squares: [i32; 6],
    captures: [i32; 6],
}

impl Reach {
    fn of(board: &Board, colour: Color) -> Reach {
        let mut reach = Reach {
            squares: [0; 6],
            captures: [0; 6],
        };
        let prey = Piece::ALL.map(|piece| board.colored_pieces(!colour, piece));
        let own = board.colors(colour);
        let pawns = PawnMoves::of(board, colour);
        reach.squares[Piece::Pawn as usize] = pawns.count();
        for takes in pawns.takes {
            reach.capture(takes, &prey);
        }
        for &piece in &Piece::ALL[1..] {
            for square in board.colored_pieces(colour, piece) {
                let targets = attacks(piece, square, board.occupied()) & !own;
                reach.squares[piece as usize] += targets.len() as i32;
                reach.capture(targets, &prey);
            }
        }
        reach
    }

    #[inline(always)]
    fn capture(&mut self, targets: BitBoard, prey: &[BitBoard; 6]) {
        for (count, victims) in self.captures.iter_mut().zip(prey) {
            *count += (targets & *victims).len() as i32;
        }
    }
}

impl<const FRC: bool> Terms<Position<FRC>> for Swing {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Position<FRC>, _weights: &Weights, sink: &mut impl Sink) {
        count_material(position, const { slot(TERMS, "pawn") }, sink);

        let black = BlackReads::Mirrored;
        let pawn_table = const { slot(TERMS, "pawn_table") };
        place_all(position, pawn_table, black, 1, sink);
        let king_table = const { slot(TERMS, "king_table") };
        place(position, Piece::King, king_table, black, 1, sink);

        let white = Reach::of(position.board(), Color::White);
        let black = Reach::of(position.board(), Color::Black);
        for &piece in &Piece::ALL {
            let index = piece as usize;
            sink.add(
                const { slot(TERMS, "mobility") } + index,
                white.squares[index],
                black.squares[index],
            );
            sink.add(
                const { slot(TERMS, "capturing") } + index,
                white.captures[index],
                black.captures[index],
            );
        }
    }
}
