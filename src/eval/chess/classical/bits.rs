//! Bitboards, seen from one side of the board.

use crate::games::chess::{self, BitBoard, Square};

pub const FILE_A: u64 = 0x0101_0101_0101_0101;
pub const FILE_H: u64 = FILE_A << 7;

pub const LIGHT: u64 = 0x55AA_55AA_55AA_55AA;

/// The direction of a side. Ranks count from its own edge.
pub struct Way {
    pub white: bool,
    /// Rotation of a bitboard for one rank forward.
    up: u32,
    /// Ranks by their number.
    pub ranks: [u64; 8],
    /// XOR that maps a rank to the side's own numbering.
    turned: usize,
    /// XOR that maps a square to its index in a table written from the side's view, the eighth rank
    /// first.
    table: usize,
    /// All squares in front of each square, on its file.
    pub ahead: [u64; 64],
}

/// The directions of white and black.
pub static WAYS: [Way; 2] = [Way::new(true), Way::new(false)];

impl Way {
    const fn new(white: bool) -> Way {
        let mut ranks = [0; 8];
        let mut number = 0;
        while number < 8 {
            ranks[number] = 0xFF << (8 * if white { number } else { 7 - number });
            number += 1;
        }
        let mut ahead = [0; 64];
        let mut square = 0;
        while square < 64 {
            let bit = 1 << square;
            ahead[square] = if white {
                fill_up(bit << 8)
            } else {
                fill_down(bit >> 8)
            };
            square += 1;
        }
        Way {
            white,
            up: if white { 8 } else { 56 },
            ranks,
            turned: if white { 0 } else { 7 },
            table: if white { 56 } else { 0 },
            ahead,
        }
    }

    /// The other side's direction.
    #[inline(always)]
    pub fn other(&self) -> &'static Way {
        &WAYS[usize::from(self.white)]
    }

    /// One step up the board.
    #[inline(always)]
    pub const fn forward(&self, set: u64) -> u64 {
        set.rotate_left(self.up) & !self.ranks[0]
    }

    /// One step down the board.
    #[inline(always)]
    pub const fn back(&self, set: u64) -> u64 {
        set.rotate_right(self.up) & !self.ranks[7]
    }

    /// The set and all squares above it.
    #[inline(always)]
    pub const fn fill_forward(&self, set: u64) -> u64 {
        if self.white {
            fill_up(set)
        } else {
            fill_down(set)
        }
    }

    /// Pawn attacks to the left and to the right.
    #[inline(always)]
    pub const fn pawn_attacks(&self, pawns: u64) -> (u64, u64) {
        let ahead = self.forward(pawns);
        ((ahead & !FILE_A) >> 1, (ahead & !FILE_H) << 1)
    }

    /// The bitboard from the side's view: mirrored vertically for black.
    #[inline(always)]
    pub const fn own_view(&self, set: u64) -> u64 {
        if self.white { set } else { set.swap_bytes() }
    }

    /// The rank of a square, counted from 0 at the side's own edge.
    #[inline(always)]
    pub const fn rank_of(&self, square: usize) -> usize {
        square >> 3 ^ self.turned
    }

    /// The index of a square in a table written from the side's view, the eighth rank first.
    #[inline(always)]
    pub const fn table_index(&self, square: Square) -> usize {
        square as usize ^ self.table
    }
}

pub const fn fill_up(set: u64) -> u64 {
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

pub const fn fill_down(set: u64) -> u64 {
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

/// All files with a square of the set.
#[inline(always)]
pub const fn fill_files(set: u64) -> u64 {
    fill_up(set) | fill_down(set)
}

/// The squares left and right of the set.
#[inline(always)]
pub const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

#[inline(always)]
pub const fn file_of(square: Square) -> usize {
    square as usize & 7
}

#[inline(always)]
pub const fn bit(square: Square) -> u64 {
    1 << square as u32
}

#[inline(always)]
pub const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The squares of a set, lowest first.
#[inline(always)]
pub fn squares(set: u64) -> impl Iterator<Item = Square> {
    chess::squares(BitBoard(set))
}

/// The squares of a set as one-bit sets, lowest first. Making a [`Square`] can be slow: it is a
/// 64-way match, which a compiler may turn into a jump table.
#[inline(always)]
pub fn singles(set: u64) -> impl Iterator<Item = u64> {
    let mut left = set;
    std::iter::from_fn(move || {
        let single = left & left.wrapping_neg();
        left ^= single;
        (single != 0).then_some(single)
    })
}

/// King steps between two squares.
#[inline(always)]
pub fn distance(a: Square, b: Square) -> usize {
    usize::from(DISTANCES[a as usize][b as usize])
}

/// King steps to the square of a one-bit set.
#[inline(always)]
pub fn distance_to(from: Square, single: u64) -> usize {
    usize::from(DISTANCES[from as usize][single.trailing_zeros() as usize & 63])
}

static DISTANCES: [[u8; 64]; 64] = distances();

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (pair / 64, pair % 64);
        let files = (a % 8usize).abs_diff(b % 8);
        let ranks = (a / 8usize).abs_diff(b / 8);
        table[a][b] = if files > ranks { files } else { ranks } as u8;
        pair += 1;
    }
    table
}

/// The squares more than 1, 2, ... 6 king steps away from each square.
static BEYOND: [[u64; 6]; 64] = {
    let distances = distances();
    let mut table = [[0; 6]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let mut steps = 1;
        while steps < distances[from][to] {
            table[from][steps as usize - 1] |= 1 << to;
            steps += 1;
        }
        pair += 1;
    }
    table
};

/// King steps from a square to the nearest square of a set that does not contain it; 0 if the set is
/// empty.
#[inline(always)]
pub fn steps_to_nearest(from: Square, set: u64) -> i32 {
    let further = BEYOND[from as usize].map(|beyond| i32::from(set & !beyond == 0));
    i32::from(set != 0) * (1 + further.iter().sum::<i32>())
}

/// The flank (as files) of a king on each file.
pub const FLANKS: [u64; 8] = {
    let (left, middle, right) = (0x0F, 0x3C, 0xF0);
    let files = [left, left, left, middle, middle, right, right, right];
    let mut flanks = [0; 8];
    let mut file = 0;
    while file < 8 {
        flanks[file] = files[file] * FILE_A;
        file += 1;
    }
    flanks
};
