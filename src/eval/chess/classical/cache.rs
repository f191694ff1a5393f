//! The caches of the evaluator: precomputed sums of weights, a material table and a pawn hash table.

use super::bits::{WAYS, squares};
use super::danger::Signs;
use super::groups::Groups;
use super::imbalance;
use super::king::{self, Shelter};
use super::material::{self, TABLES, VALUES};
use super::numbers::{MaterialFacts, Numbers};
use super::pawns::{self, Structure};
use super::view::{Scene, View};
use crate::eval::{Sink, Weigher, Weights};
use crate::games::chess::Piece;

pub struct Cache {
    pub placed: Placed,
    pub pawns: Pawns,
    pub materials: Materials,
    /// The groups with non-zero weights.
    pub groups: Groups,
    pub signs: Signs,
}

impl Cache {
    pub fn new(weights: &Weights) -> Cache {
        let placed = Placed::new(weights);
        let signs = Signs::of(weights);
        Cache {
            pawns: Pawns::new(&placed, weights),
            materials: Materials::new(weights, &signs),
            groups: Groups::weighed(weights),
            placed,
            signs,
        }
    }
}

/// A table filled with one entry. The constant length avoids bounds checks.
fn filled<T: Copy, const N: usize>(entry: T) -> Box<[T; N]> {
    match vec![entry; N].try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("a vector of N entries"),
    }
}

/// Entries of the material table; a power of two.
const NUMBERS_ENTRIES: usize = 1 << 11;

/// The material table: scores by numbers of pieces.
pub struct Materials(Box<[MaterialEntry; NUMBERS_ENTRIES]>);

#[derive(Clone, Copy)]
pub struct MaterialEntry {
    numbers: Numbers,
    /// See [`Weigher::packed_sum`].
    pub sum: i64,
    pub known: MaterialFacts,
}

impl Materials {
    fn new(weights: &Weights, signs: &Signs) -> Materials {
        // The empty entry is correct for bare kings.
        let bare = MaterialEntry::new(Numbers(0), weights, signs);
        Materials(filled(bare))
    }

    /// The entry of these numbers of pieces, computed on a miss.
    #[inline(always)]
    pub fn of(&mut self, numbers: Numbers, weights: &Weights, signs: &Signs) -> &MaterialEntry {
        let place = numbers.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - NUMBERS_ENTRIES.ilog2());
        let entry = &mut self.0[place as usize];
        if entry.numbers != numbers {
            *entry = MaterialEntry::new(numbers, weights, signs);
        }
        entry
    }
}

impl MaterialEntry {
    #[cold]
    #[inline(never)]
    fn new(numbers: Numbers, weights: &Weights, signs: &Signs) -> MaterialEntry {
        let mut sink = Weigher::new(weights);
        imbalance::visit(numbers, &mut sink);
        material::visit_pairs(numbers, &mut sink);
        MaterialEntry {
            numbers,
            sum: sink.packed_sum(),
            known: MaterialFacts::new(numbers, signs),
        }
    }
}

/// Entries of the pawn hash table; a power of two. A larger table does not speed up a search and
/// takes L2 cache from other data.
const PAWN_ENTRIES: usize = 1 << 11;

/// The pawn hash table: scores by pawn structure.
pub struct Pawns(Box<[PawnEntry; PAWN_ENTRIES]>);

/// Two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct PawnEntry {
    /// The full pawn bitboards as the key, so that there are no collisions. White's, then black's, as
    /// in all pairs here.
    pawns: [u64; 2],
    /// See [`Weigher::packed_sum`].
    sum: i64,
    /// Shelters of the two most recent kings with these pawns, most recent first. Two, because a king
    /// before and after castling shares the pawns.
    shelters: [[i64; 2]; 2],
    /// The squares of those kings, [`NOWHERE`] if empty.
    kings: [[u8; 2]; 2],
    pub structure: Structure,
}

const NOWHERE: u8 = 64;

impl Pawns {
    fn new(placed: &Placed, weights: &Weights) -> Pawns {
        // The empty entry is correct for a board without pawns.
        let bare = PawnEntry::new([0; 2], placed, weights);
        Pawns(filled(bare))
    }

    /// The entry of the pawns, with their terms, values, tables and the kings' shelters. Computed on
    /// a miss.
    #[inline(always)]
    pub fn of(
        &mut self,
        view: &View,
        groups: Groups,
        placed: &Placed,
        weights: &Weights,
    ) -> &PawnEntry {
        let pawns = view.of(Piece::Pawn);
        let entry = &mut self.0[place(pawns)];
        if entry.pawns != pawns {
            *entry = PawnEntry::new(pawns, placed, weights);
        }
        if groups.king {
            let [white, black] = view.scenes();
            entry.shelter::<0>(&white, weights);
            entry.shelter::<1>(&black, weights);
        }
        entry
    }
}

#[cold]
#[inline(never)]
fn weigh_shelter(shelter: Shelter, weights: &Weights) -> i64 {
    let mut sink = Weigher::new(weights);
    king::visit(&shelter, &mut sink);
    sink.packed_sum()
}

impl PawnEntry {
    #[cold]
    #[inline(never)]
    fn new(pawns: [u64; 2], placed: &Placed, weights: &Weights) -> PawnEntry {
        let mut sink = Weigher::new(weights);
        let structure = pawns::visit(pawns, &mut sink);
        placed.add(Piece::Pawn, pawns, &mut sink);
        PawnEntry {
            pawns,
            sum: sink.packed_sum(),
            shelters: [[0; 2]; 2],
            structure,
            kings: [[NOWHERE; 2]; 2],
        }
    }

    /// Moves the shelter of the side's king to the front, computing it on a miss.
    #[inline(always)]
    fn shelter<const SIDE: usize>(&mut self, scene: &Scene<'_>, weights: &Weights) {
        let king = scene.us.king as u8;
        let (kings, shelters) = (&mut self.kings[SIDE], &mut self.shelters[SIDE]);
        if kings[0] != king {
            kings.swap(0, 1);
            shelters.swap(0, 1);
            if kings[0] != king {
                kings[0] = king;
                shelters[0] = weigh_shelter(scene.shelter(), weights);
            }
        }
    }

    /// The terms of the pawns and the shelters, packed, from white's view.
    #[inline(always)]
    pub fn sum(&self) -> i64 {
        self.sum + self.shelters[0][0] - self.shelters[1][0]
    }
}

/// Value plus PST of each piece on each square, packed, from its own side's view.
pub struct Placed([[i64; 64]; 6]);

impl Placed {
    fn new(weights: &Weights) -> Placed {
        let mut placed = [[0; 64]; 6];
        for piece in Piece::ALL {
            for (index, place) in placed[piece as usize].iter_mut().enumerate() {
                let mut sink = Weigher::new(weights);
                sink.add(TABLES[piece as usize] + index, 1, 0);
                if let Some(&value) = VALUES.get(piece as usize) {
                    sink.add(value, 1, 0);
                }
                *place = sink.packed_sum();
            }
        }
        Placed(placed)
    }

    /// Both kings.
    #[inline(always)]
    pub fn add_kings(&self, view: &View, sink: &mut Weigher<'_>) {
        let [white, black] = &view.armies;
        self.place(Piece::King, WAYS[0].table_index(white.king), sink);
        sink.turn();
        self.place(Piece::King, WAYS[1].table_index(black.king), sink);
        sink.turn();
    }

    /// Both sides' pieces of a kind.
    #[inline(always)]
    pub fn add(&self, piece: Piece, of: [u64; 2], sink: &mut Weigher<'_>) {
        for (way, pieces) in WAYS.iter().zip(of) {
            for square in squares(pieces) {
                self.place(piece, way.table_index(square), sink);
            }
            sink.turn();
        }
    }
}

/// Adds value and PST of a piece while another term visits it.
pub trait PlacePiece<S: Sink> {
    /// `index`: the table index of the square, for the current side.
    fn place(&self, piece: Piece, index: usize, sink: &mut S);
}

impl PlacePiece<Weigher<'_>> for Placed {
    #[inline(always)]
    fn place(&self, piece: Piece, index: usize, sink: &mut Weigher<'_>) {
        sink.add_packed(self.0[piece as usize][index & 63]);
    }
}

/// Adds nothing: values and tables are already counted.
pub struct CountedBefore;

impl<S: Sink> PlacePiece<S> for CountedBefore {
    #[inline(always)]
    fn place(&self, _: Piece, _: usize, _: &mut S) {}
}

/// Two odd multipliers mix the sets; the upper bits are the well mixed ones.
#[inline(always)]
fn place([white, black]: [u64; 2]) -> usize {
    let mixed = white
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(black.wrapping_mul(0xD1B5_4A32_D192_ED03));
    mixed as usize >> (64 - PAWN_ENTRIES.ilog2())
}
