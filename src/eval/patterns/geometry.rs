//! Where the squares of patterns are on the board: every pattern at its mirrored places, and how much
//! each piece on each square adds to the index of each.

use crate::games::Side;
use crate::games::sets::{MOST_SQUARES, PieceLayout, PieceSets};

use super::spec::{Pattern, PatternSet, PatternView};

/// Indices that are changed together; rows are padded to a multiple.
const LANE: usize = 16;

/// The patterns of one view.
#[derive(Debug)]
pub(super) struct Block {
    /// The pattern of each place, and where its table begins.
    pub places: Vec<(usize, u32)>,
    width: usize,
    /// By viewer, side and kind of a piece: one row of `width` numbers per square.
    rows: [[Vec<Box<[u16]>>; 2]; 2],
}

/// The tables of a set of patterns on the board of its game.
#[derive(Debug)]
pub struct Geometry {
    pub(super) blocks: [Block; 2],
    /// Entries of all tables.
    pub entries: usize,
    kinds: usize,
    /// The entry that holds the weight of each: a pattern that is its own mirror image sees the same
    /// thing under two indices.
    pub alias: Vec<u32>,
}

impl Geometry {
    pub fn new(set: &PatternSet) -> Geometry {
        let layout = &set.game.facts().layout;
        let mut first = 0;
        let mut alias = Vec::new();
        let mut placed: [Vec<(usize, u32, Vec<usize>)>; 2] = [Vec::new(), Vec::new()];
        for (index, pattern) in set.patterns.iter().enumerate() {
            let images = images(pattern, layout);
            alias.extend(aliases(pattern, &images).into_iter().map(|at| first + at));
            for squares in images.places {
                placed[pattern.view as usize].push((index, first, squares));
            }
            first += pattern.entries() as u32;
        }
        let block = |view: PatternView| Block::new(set, layout, &placed[view as usize]);
        Geometry {
            blocks: PatternView::ALL.map(block),
            entries: first as usize,
            kinds: layout.kinds,
            alias,
        }
    }
}

/// A pattern's squares at each of its places, in the order of its digits.
struct Images {
    places: Vec<Vec<usize>>,
    /// The symmetric places with the same squares in another order.
    own: Vec<Vec<usize>>,
}

fn images(pattern: &Pattern, layout: &PieceLayout) -> Images {
    let sorted = |squares: &[usize]| {
        let mut sorted = squares.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let mut places = vec![pattern.squares.clone()];
    let mut own = Vec::new();
    for symmetry in layout.symmetries {
        let image: Vec<usize> = pattern
            .squares
            .iter()
            .map(|square| symmetry(*square))
            .collect();
        if sorted(&image) == sorted(&pattern.squares) {
            own.push(image);
        } else if places.iter().all(|place| sorted(place) != sorted(&image)) {
            places.push(image);
        }
    }
    Images { places, own }
}

/// For each entry of the pattern the least that means the same.
fn aliases(pattern: &Pattern, images: &Images) -> Vec<u32> {
    let (states, length) = (pattern.states(), pattern.squares.len());
    let orders: Vec<Vec<usize>> = images
        .own
        .iter()
        .map(|image| {
            let place = |square: &usize| pattern.squares.iter().position(|at| at == square);
            image.iter().filter_map(place).collect()
        })
        .collect();
    let entry = |index: usize| {
        let digits: Vec<usize> = (0..length)
            .map(|at| index / states.pow(at as u32) % states)
            .collect();
        let seen = |order: &Vec<usize>| -> usize {
            let digits = order.iter().map(|at| digits[*at]).enumerate();
            digits
                .map(|(at, digit)| digit * states.pow(at as u32))
                .sum()
        };
        orders.iter().map(seen).fold(index, usize::min) as u32
    };
    (0..pattern.entries()).map(entry).collect()
}

impl Block {
    fn new(set: &PatternSet, layout: &PieceLayout, placed: &[(usize, u32, Vec<usize>)]) -> Block {
        let width = placed.len().next_multiple_of(LANE);
        let row = |viewer: Side, side: Side, kind: usize| {
            let mut rows = vec![0_u16; MOST_SQUARES * width].into_boxed_slice();
            for square in 0..layout.squares {
                let seen = match viewer {
                    Side::White => square,
                    Side::Black => (layout.flip)(square),
                };
                for (lane, (index, _, squares)) in placed.iter().enumerate() {
                    let pattern = &set.patterns[*index];
                    let kinds = &pattern.kinds;
                    let digit = kinds.iter().position(|it| *it == kind);
                    let place = squares.iter().position(|at| *at == seen);
                    if let (Some(digit), Some(place)) = (digit, place) {
                        let of_other = if side == viewer { 0 } else { kinds.len() };
                        let digit = 1 + digit + of_other;
                        let weight = pattern.states().pow(place as u32);
                        rows[square * width + lane] = (digit * weight) as u16;
                    }
                }
            }
            rows
        };
        let kinds = |viewer, side| {
            (0..layout.kinds)
                .map(|kind| row(viewer, side, kind))
                .collect()
        };
        let sides = |viewer| Side::BOTH.map(|side| kinds(viewer, side));
        Block {
            places: placed
                .iter()
                .map(|(index, first, _)| (*index, *first))
                .collect(),
            width,
            rows: Side::BOTH.map(sides),
        }
    }
}

/// The indices of one side's view, and the pieces they are of.
#[derive(Clone, Debug)]
struct Seen {
    sets: PieceSets,
    indices: Box<[u16]>,
}

/// Finds the entries that a position looks up, by the difference to the last position seen. Never
/// allocates after its making.
#[derive(Clone, Debug)]
pub struct Scanner {
    /// By view and viewer.
    seen: [[Seen; 2]; 2],
}

impl Scanner {
    pub fn new(geometry: &Geometry) -> Scanner {
        let seen = |block: &Block| Seen {
            sets: PieceSets::default(),
            indices: vec![0; block.width].into_boxed_slice(),
        };
        Scanner {
            seen: [0, 1].map(|view| [0, 1].map(|_| seen(&geometry.blocks[view]))),
        }
    }

    /// Calls `f` with each entry that these pieces look up and its sign from the mover's side.
    #[inline(always)]
    pub fn for_each_entry(
        &mut self,
        geometry: &Geometry,
        sets: &PieceSets,
        mover: Side,
        mut f: impl FnMut(usize, i32),
    ) {
        self.for_each_place(geometry, sets, mover, |_, entry, viewer| {
            f(entry, if viewer == mover { 1 } else { -1 });
        });
    }

    /// The same with the number of the pattern and the side that sees it.
    #[inline(always)]
    pub fn for_each_place(
        &mut self,
        geometry: &Geometry,
        sets: &PieceSets,
        mover: Side,
        mut f: impl FnMut(usize, usize, Side),
    ) {
        for (view, block) in PatternView::ALL.into_iter().zip(&geometry.blocks) {
            if block.places.is_empty() {
                continue;
            }
            for viewer in [mover, mover.other()] {
                if view == PatternView::Mover && viewer != mover {
                    continue;
                }
                let seen = &mut self.seen[view as usize][viewer as usize];
                seen.update(geometry.kinds, block, viewer, sets);
                for ((pattern, first), index) in block.places.iter().zip(&seen.indices) {
                    f(*pattern, *first as usize + usize::from(*index), viewer);
                }
            }
        }
    }
}

impl Seen {
    #[inline]
    fn update(&mut self, kinds: usize, block: &Block, viewer: Side, sets: &PieceSets) {
        for side in Side::BOTH {
            let both = self.sets[side as usize].iter().zip(&sets[side as usize]);
            for (kind, (old, new)) in both.take(kinds).enumerate() {
                let mut changed = old ^ new;
                let rows = &block.rows[viewer as usize][side as usize][kind];
                while changed != 0 {
                    let square = changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    let row = &rows[square * block.width..][..block.width];
                    change(&mut self.indices, row, new >> square & 1 == 1);
                }
            }
        }
        self.sets = *sets;
    }
}

/// Adds or subtracts a row.
#[inline(always)]
fn change(indices: &mut [u16], row: &[u16], adds: bool) {
    // Without a branch: who moved where is unpredictable.
    let flip = if adds { 0 } else { u16::MAX };
    let one = u16::from(!adds);
    let lanes = indices.as_chunks_mut::<LANE>().0.iter_mut();
    for (indices, row) in lanes.zip(row.as_chunks::<LANE>().0) {
        for (index, by) in indices.iter_mut().zip(row) {
            *index = index.wrapping_add((by ^ flip).wrapping_add(one));
        }
    }
}
