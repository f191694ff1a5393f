//! Flipped discs, in all eight directions at once.

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Shifts a set one step in direction `D`, 0 to 7, and drops squares that leave the board.
#[inline(always)]
const fn step<const D: usize>(set: u64) -> u64 {
    match D {
        0 => set << 8,
        1 => set >> 8,
        2 => (set << 1) & NOT_A,
        3 => (set >> 1) & NOT_H,
        4 => (set << 9) & NOT_A,
        5 => (set >> 9) & NOT_H,
        6 => (set << 7) & NOT_H,
        _ => (set >> 7) & NOT_A,
    }
}

/// The run of `other` discs next to `from` in one direction. Six are the longest that can flip.
#[inline(always)]
fn run<const D: usize>(from: u64, other: u64) -> u64 {
    let mut run = step::<D>(from) & other;
    for _ in 0..5 {
        run |= step::<D>(run) & other;
    }
    run
}

macro_rules! each_direction {
    ($of:ident, $($argument:expr),*) => {
        $of::<0>($($argument),*) | $of::<1>($($argument),*) | $of::<2>($($argument),*)
            | $of::<3>($($argument),*) | $of::<4>($($argument),*) | $of::<5>($($argument),*)
            | $of::<6>($($argument),*) | $of::<7>($($argument),*)
    };
}

#[inline(always)]
fn landings<const D: usize>(own: u64, other: u64) -> u64 {
    step::<D>(run::<D>(own, other))
}

/// The empty squares on which a disc flips at least one of `other`.
pub fn legal_moves(own: u64, other: u64) -> u64 {
    !(own | other) & (each_direction!(landings, own, other))
}

#[inline(always)]
fn flipped_along<const D: usize>(from: u64, own: u64, other: u64) -> u64 {
    let run = run::<D>(from, other);
    if step::<D>(run | from) & !run & own != 0 {
        run
    } else {
        0
    }
}

/// The discs that a new one on `square` flips.
pub fn flipped_by(square: usize, own: u64, other: u64) -> u64 {
    let from = 1 << square;
    each_direction!(flipped_along, from, own, other)
}

/// The squares next to a set, diagonally included.
pub fn neighbours(set: u64) -> u64 {
    each_direction!(step, set)
}
