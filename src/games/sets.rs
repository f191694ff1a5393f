//! Positions as sets of squares, one per side and kind of piece: the inputs of learnt evaluators.

use super::{BoardView, Side};

/// Kinds of piece of a side, at most.
pub const MOST_KINDS: usize = 6;

/// Squares of a board with piece sets, at most.
pub const MOST_SQUARES: usize = 64;

/// The pieces of white and of black: a set of squares for each kind.
pub type PieceSets = [[u64; MOST_KINDS]; 2];

/// How the piece sets of a game are numbered, and its symmetries.
#[derive(Clone, Copy, Debug)]
pub struct PieceLayout {
    /// Squares of a set, at most [`MOST_SQUARES`].
    pub squares: usize,
    pub kinds: usize,
    /// The most pieces that a game can have on the board.
    pub most_pieces: usize,
    /// The square to which [`super::GameRules::colour_flipped`] moves the piece of a square.
    pub flip: fn(usize) -> usize,
    /// Left and right exchanged, in games that are symmetric except for the place of one piece.
    pub mirror: Option<Mirror>,
    /// All symmetries of the board but the identity, under which a position keeps its worth, if not
    /// always its exact rules: castling does not survive the mirror. Patterns share weights by them.
    pub symmetries: &'static [fn(usize) -> usize],
    /// Row and column of a square in a diagram; `None` for a bit that is no square.
    pub place: fn(usize) -> Option<(usize, usize)>,
}

/// A position is looked at in the mirror if the viewer's single piece of the kind `anchor` stands on
/// the right half.
#[derive(Clone, Copy, Debug)]
pub struct Mirror {
    pub anchor: usize,
    pub of: fn(usize) -> usize,
    /// The squares of the right half, from white's view.
    pub right: u64,
}

/// The default of [`BoardView::piece_sets`]: reads every square of the diagram.
pub fn sets_of_diagram<G: BoardView>(position: &G) -> PieceSets {
    let mut sets = PieceSets::default();
    for square in 0..(G::ROWS * G::COLUMNS).min(MOST_SQUARES) {
        let letter = position.letter_at(square / G::COLUMNS, square % G::COLUMNS);
        if let Some((side, kind)) = kind_of_letter::<G>(letter) {
            sets[side as usize][kind.min(MOST_KINDS - 1)] |= 1 << square;
        }
    }
    sets
}

/// The side and kind of a piece by its letter: kinds are numbered per side, in the order of
/// [`BoardView::PIECES`].
pub fn kind_of_letter<G: BoardView>(letter: char) -> Option<(Side, usize)> {
    let look = G::PIECES.iter().find(|look| look.letter == letter)?;
    let same_side = G::PIECES.iter().filter(|other| other.side == look.side);
    let kind = same_side.take_while(|other| *other != look).count();
    Some((look.side, kind))
}

/// The default of [`BoardView::LAYOUT`]: squares row by row from the top left, no symmetry known but
/// that of the colours.
pub const fn layout_of_diagram<G: BoardView>() -> PieceLayout {
    let squares = G::ROWS * G::COLUMNS;
    PieceLayout {
        squares,
        kinds: G::PIECES.len() / 2,
        most_pieces: squares,
        // Flipped from top to bottom, as a board with white at the bottom is.
        flip: |square| (G::ROWS - 1 - square / G::COLUMNS) * G::COLUMNS + square % G::COLUMNS,
        mirror: None,
        symmetries: &[],
        place: |square| Some((square / G::COLUMNS, square % G::COLUMNS)),
    }
}
