//! Sets of squares as 64-bit words, seen from one side of the board. `WHITE` says whose side.

use crate::games::chess::{self, BitBoard, Square};

pub const FILE_A: u64 = 0x0101_0101_0101_0101;
pub const FILE_H: u64 = FILE_A << 7;

pub const LIGHT: u64 = 0x55AA_55AA_55AA_55AA;

/// One step up the board.
#[inline(always)]
pub const fn forward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set << 8 } else { set >> 8 }
}

/// One step down the board.
#[inline(always)]
pub const fn back<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set >> 8 } else { set << 8 }
}

/// The set and all squares above it.
#[inline(always)]
pub const fn fill_forward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE {
        let set = set | set << 8;
        let set = set | set << 16;
        set | set << 32
    } else {
        let set = set | set >> 8;
        let set = set | set >> 16;
        set | set >> 32
    }
}

/// All files that the set touches.
#[inline(always)]
pub const fn fill_files(set: u64) -> u64 {
    fill_forward::<true>(set) | fill_forward::<false>(set)
}

/// The squares left and right of the set.
#[inline(always)]
pub const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// The squares that pawns attack towards the a-file and towards the h-file.
#[inline(always)]
pub const fn pawn_attacks<const WHITE: bool>(pawns: u64) -> (u64, u64) {
    let ahead = forward::<WHITE>(pawns);
    ((ahead & !FILE_A) >> 1, (ahead & !FILE_H) << 1)
}

/// The squares of a rank, counted from 0 at the side's own edge.
#[inline(always)]
pub const fn rank<const WHITE: bool>(number: u32) -> u64 {
    let number = if WHITE { number } else { 7 - number };
    0xFF << (8 * number)
}

/// The rank of a square, counted from 0 at the side's own edge.
#[inline(always)]
pub const fn rank_of<const WHITE: bool>(square: Square) -> usize {
    let rank = square as usize >> 3;
    if WHITE { rank } else { 7 - rank }
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

/// King steps between two squares.
#[inline(always)]
pub fn distance(a: Square, b: Square) -> usize {
    usize::from(DISTANCES[a as usize][b as usize])
}

static DISTANCES: [[u8; 64]; 64] = {
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
};

/// Where a side finds a square in a table that is written from its own view, the eighth rank
/// first.
#[inline(always)]
pub const fn table_index<const WHITE: bool>(square: Square) -> usize {
    if WHITE {
        square as usize ^ 56
    } else {
        square as usize
    }
}

/// The files that count as the flank of a king on each file.
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
