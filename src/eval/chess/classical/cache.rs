//! What the evaluator keeps between positions: sums drawn from the weights once, and the pawn
//! structures it has seen.

use super::bits::{squares, table_index};
use super::groups::Groups;
use super::imbalance::{self, Numbers};
use super::king;
use super::material::{TABLES, VALUES};
use super::pawns::{self, Structure};
use super::view::View;
use crate::eval::{Sink, Weigher, Weights};
use crate::games::chess::{Piece, Square};

/// Pawn structures remembered; a power of two. More no longer helps a search, and must leave
/// the near caches to others.
const PAWN_ENTRIES: usize = 1 << 11;

/// One line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry {
    /// The pawns themselves: nothing can be taken for something else.
    white: u64,
    black: u64,
    /// See [`Weigher::packed_sum`].
    sum: i64,
    structure: Structure,
    /// The shelters of the last black and the last white king seen with these pawns.
    shelters: [i64; 2],
    /// Where those kings stood, [`NOWHERE`] if there was none yet.
    kings: [u8; 2],
}

const NOWHERE: u8 = 64;

/// Numbers of pieces remembered; a power of two.
const NUMBERS_ENTRIES: usize = 1 << 11;

pub struct Cache {
    pub placed: Placed,
    pawns: Box<[Entry]>,
    /// Numbers of pieces and what they come to.
    imbalances: Box<[(Numbers, i64)]>,
    /// What is worth visiting at all.
    pub groups: Groups,
}

impl Cache {
    pub fn new(weights: &Weights) -> Cache {
        let mut placed = Box::new([[0; 64]; 6]);
        for piece in Piece::ALL {
            for index in 0..64 {
                let mut sink = Weigher::new(weights);
                sink.add(TABLES[piece as usize] + index, 1, 0);
                if let Some(&value) = VALUES.get(piece as usize) {
                    sink.add(value, 1, 0);
                }
                placed[piece as usize][index] = sink.packed_sum();
            }
        }
        // A board without pawns has no structure: an empty entry is right for it.
        let bare = Entry {
            white: 0,
            black: 0,
            sum: 0,
            structure: Structure::default(),
            shelters: [0; 2],
            kings: [NOWHERE; 2],
        };
        Cache {
            placed: Placed(placed),
            pawns: vec![bare; PAWN_ENTRIES].into_boxed_slice(),
            // No pieces come to nothing.
            imbalances: vec![(Numbers(0), 0); NUMBERS_ENTRIES].into_boxed_slice(),
            groups: Groups::weighed(weights),
        }
    }

    /// What the numbers of pieces come to, from memory where they have been seen.
    #[inline(always)]
    pub fn add_imbalance(&mut self, view: &View, weights: &Weights, sink: &mut Weigher<'_>) {
        let numbers = Numbers::of(view);
        let place = numbers.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - NUMBERS_ENTRIES.ilog2());
        let entry = &mut self.imbalances[place as usize];
        if entry.0 != numbers {
            let mut fresh = Weigher::new(weights);
            imbalance::visit(numbers, &mut fresh);
            *entry = (numbers, fresh.packed_sum());
        }
        sink.add_packed(entry.1);
    }

    /// Both kings' shelters.
    #[inline(always)]
    pub fn add_shelters(&mut self, view: &View, weights: &Weights, sink: &mut Weigher<'_>) {
        self.add_shelter::<true>(view, weights, sink);
        self.add_shelter::<false>(view, weights, sink);
    }

    /// One king's shelter, from memory where the pawns and the king have not changed. The
    /// structure must have been asked for before.
    #[inline(always)]
    fn add_shelter<const WHITE: bool>(
        &mut self,
        view: &View,
        weights: &Weights,
        sink: &mut Weigher<'_>,
    ) {
        let shelter = view.shelter::<WHITE>();
        let place = place(
            view.white.pieces(Piece::Pawn),
            view.black.pieces(Piece::Pawn),
        );
        let entry = &mut self.pawns[place];
        let side = usize::from(WHITE);
        if entry.kings[side] != shelter.king as u8 {
            let mut fresh = Weigher::new(weights);
            king::visit::<WHITE>(&shelter, &mut fresh);
            entry.kings[side] = shelter.king as u8;
            entry.shelters[side] = fresh.packed_sum();
        }
        sink.add_packed(entry.shelters[side]);
    }

    /// The pawn terms with values and tables, from memory where this structure has been seen.
    #[inline(always)]
    pub fn add_pawns(
        &mut self,
        view: &View,
        weights: &Weights,
        sink: &mut Weigher<'_>,
    ) -> Structure {
        let white = view.white.pieces(Piece::Pawn);
        let black = view.black.pieces(Piece::Pawn);
        let entry = &mut self.pawns[place(white, black)];
        if entry.white != white || entry.black != black {
            let mut fresh = Weigher::new(weights);
            let structure = pawns::visit(white, black, &mut fresh);
            self.placed.add(Piece::Pawn, view, &mut fresh);
            *entry = Entry {
                white,
                black,
                sum: fresh.packed_sum(),
                structure,
                shelters: [0; 2],
                kings: [NOWHERE; 2],
            };
        }
        sink.add_packed(entry.sum);
        entry.structure
    }
}

/// Value and table of each piece on each square, packed, from its own side's view.
pub struct Placed(Box<[[i64; 64]; 6]>);

impl Placed {
    /// Both sides' pieces of a kind.
    #[inline(always)]
    pub fn add(&self, piece: Piece, view: &View, sink: &mut Weigher<'_>) {
        for square in squares(view.white.pieces(piece)) {
            self.place::<true>(piece, square, sink);
        }
        for square in squares(view.black.pieces(piece)) {
            self.place::<false>(piece, square, sink);
        }
    }
}

/// Adds the value and table of a piece while another term looks at it anyway.
pub trait Place<S: Sink> {
    fn place<const WHITE: bool>(&self, piece: Piece, square: Square, sink: &mut S);
}

impl Place<Weigher<'_>> for Placed {
    #[inline(always)]
    fn place<const WHITE: bool>(&self, piece: Piece, square: Square, sink: &mut Weigher<'_>) {
        let worth = self.0[piece as usize][table_index::<WHITE>(square)];
        sink.add_packed(if WHITE { worth } else { -worth });
    }
}

/// For whoever has counted values and tables already.
pub struct CountedBefore;

impl<S: Sink> Place<S> for CountedBefore {
    #[inline(always)]
    fn place<const WHITE: bool>(&self, _: Piece, _: Square, _: &mut S) {}
}

/// Two odd multipliers mix the sets; the upper bits are the well mixed ones.
#[inline(always)]
fn place(white: u64, black: u64) -> usize {
    let mixed = white
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(black.rotate_left(29).wrapping_mul(0xD1B5_4A32_D192_ED03));
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) as usize
        >> (64 - PAWN_ENTRIES.ilog2())
}
