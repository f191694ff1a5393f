//! Rows and counts shared by several chess presets: material and piece-square tables.

use super::tables;
use crate::eval::TermDefault::{Number, Squares};
use crate::eval::{Sink, Term};
use crate::games::chess::{Color, Piece, Position, Square};

/// The five piece values of the older programs, in the order of [`Piece::ALL`]. The kings' values
/// cancel out.
pub const PIECES: [Term; 5] = [
    material("pawn", 100.0, "a pawn"),
    material("knight", 320.0, "a knight"),
    material("bishop", 330.0, "a bishop"),
    material("rook", 500.0, "a rook"),
    material("queen", 900.0, "a queen"),
];

const fn material(name: &'static str, value: f64, help: &'static str) -> Term {
    Term::linear(name, "material", Number(value), (0.0, 4000.0), help)
}

/// A row for a piece-square table.
pub const fn table(
    name: &'static str,
    group: &'static str,
    squares: &'static [i16; 64],
    help: &'static str,
) -> Term {
    Term::linear(name, group, Squares(squares), (-300.0, 300.0), help)
}

/// Counts every piece but the kings. `first` is the slot of the pawn's value; those of the other
/// pieces follow it.
pub fn count_material<const FRC: bool>(
    position: &Position<FRC>,
    first: usize,
    sink: &mut impl Sink,
) {
    let board = position.board();
    for piece in &Piece::ALL[..PIECES.len()] {
        sink.add(
            first + *piece as usize,
            board.colored_pieces(Color::White, *piece).len() as i32,
            board.colored_pieces(Color::Black, *piece).len() as i32,
        );
    }
}

/// How black indexes a table written from white's view.
#[derive(Clone, Copy)]
pub enum BlackReads {
    /// Mirrored vertically.
    Mirrored,
    /// Rotated by 180 degrees.
    Turned,
}

impl BlackReads {
    fn index(self, square: Square) -> usize {
        match self {
            BlackReads::Mirrored => tables::black_index_mirrored(square),
            BlackReads::Turned => tables::black_index_turned(square),
        }
    }
}

/// Counts the pieces of one kind in the table whose first slot is `table`, each `times` times.
#[inline(always)]
pub fn place<const FRC: bool>(
    position: &Position<FRC>,
    piece: Piece,
    table: usize,
    black: BlackReads,
    times: i32,
    sink: &mut impl Sink,
) {
    let board = position.board();
    for square in board.colored_pieces(Color::White, piece) {
        sink.add(table + tables::white_index(square), times, 0);
    }
    for square in board.colored_pieces(Color::Black, piece) {
        sink.add(table + black.index(square), 0, times);
    }
}

/// The same for all pieces but the kings; their tables follow the pawns' table.
#[inline(always)]
pub fn place_all<const FRC: bool>(
    position: &Position<FRC>,
    pawn_table: usize,
    black: BlackReads,
    times: i32,
    sink: &mut impl Sink,
) {
    for piece in &Piece::ALL[..PIECES.len()] {
        let table = pawn_table + *piece as usize * 64;
        place(position, *piece, table, black, times, sink);
    }
}
