//! Evaluators of chess, for the orthodox game and Chess960 alike.

mod classical;
mod material;
mod simplified;
mod tables;

pub use classical::Classical;
pub use material::Material;
pub use simplified::Simplified;

use super::{Evaluated, Preset, Sink};
use crate::games::chess::{Color, Piece, Position};

impl<const FRC: bool> Evaluated for Position<FRC> {
    const UNIT: &'static str = "centipawns";

    fn presets() -> &'static [Preset<Self>] {
        const {
            &[
                Preset::of::<Material>("material", "piece values alone"),
                Preset::of::<Simplified>(
                    "simplified",
                    "material and doubled piece-square tables, from the desktop program in Python",
                ),
                Preset::cached::<Classical>(
                    "classical",
                    "a modern tapered evaluator: structure, mobility, king safety, threats",
                ),
                Preset::random(),
            ]
        }
    }
}

/// Counts the pieces of one kind, each side by itself.
fn count_pieces<const FRC: bool>(
    position: &Position<FRC>,
    piece: Piece,
    slot: usize,
    sink: &mut impl Sink,
) {
    let board = position.board();
    sink.add(
        slot,
        board.colored_pieces(Color::White, piece).len() as i32,
        board.colored_pieces(Color::Black, piece).len() as i32,
    );
}
