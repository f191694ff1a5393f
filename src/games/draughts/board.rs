//! Boards: their squares and neighbours.
//!
//! Rows run from the top (black's home) to the bottom, squares from left to right. On the boards
//! where only dark squares are played the top row starts with a light square; the mirrored boards
//! of Italy and Spain differ only in notation.

use super::bits::Bits;
use std::fmt::Debug;

/// A direction; `direction ^ 2` is its reverse. Up is towards low squares, where white moves.
pub type Direction = usize;

pub const UP_LEFT: Direction = 0;
pub const UP_RIGHT: Direction = 1;
pub const DOWN_RIGHT: Direction = 2;
pub const DOWN_LEFT: Direction = 3;
pub const UP: Direction = 4;
pub const RIGHT: Direction = 5;
pub const DOWN: Direction = 6;
pub const LEFT: Direction = 7;

/// Whether squares get higher numbers in this direction.
pub const fn ascends(direction: Direction) -> bool {
    matches!(direction, DOWN_RIGHT | DOWN_LEFT | DOWN | RIGHT)
}

/// For each direction and square, the squares ahead up to the edge.
pub type Rays = [[u64; 64]; 8];

/// For each direction and square, the neighbour; squares at the edge have 255.
pub type Neighbours = [[u8; 64]; 8];

/// The geometry of a board.
pub trait Geometry: Copy + PartialEq + Debug + Send + Sync + 'static {
    type Bits: Bits;

    /// Rows, which is also the number of columns, light squares included.
    const ROWS: usize;

    /// Playable squares in a row.
    const WIDTH: usize;

    const RAYS: &'static Rays;

    const NEIGHBOURS: &'static Neighbours;

    const SQUARES: usize = Self::ROWS * Self::WIDTH;

    const ALL: u64 = u64::MAX >> (64 - Self::SQUARES);

    /// The row where white men become kings.
    const TOP_ROW: u64 = u64::MAX >> (64 - Self::WIDTH);

    /// The row where black men become kings.
    const BOTTOM_ROW: u64 = Self::TOP_ROW << (Self::SQUARES - Self::WIDTH);

    /// Shifts a set by one step and drops squares that leave the board. Along rows and columns of a
    /// dark-squared board, a step leads to the next dark square.
    fn step(bits: Self::Bits, direction: Direction) -> Self::Bits;

    fn all() -> Self::Bits {
        Self::Bits::from_u64(Self::ALL)
    }

    fn row(square: usize) -> usize {
        square / Self::WIDTH
    }

    /// Counted from the left, light squares included.
    fn column(square: usize) -> usize {
        column(square, Self::ROWS, Self::WIDTH)
    }

    fn square_at(row: usize, column: usize) -> Option<usize> {
        if row >= Self::ROWS || column >= Self::ROWS {
            return None;
        }
        if Self::WIDTH == Self::ROWS {
            return Some(row * Self::WIDTH + column);
        }
        ((row + column) % 2 == 1).then(|| row * Self::WIDTH + column / 2)
    }

    #[inline(always)]
    fn ray(square: usize, direction: Direction) -> Self::Bits {
        Self::Bits::from_u64(Self::RAYS[direction][square])
    }

    /// The next square in that direction, which must exist.
    #[inline(always)]
    fn neighbour(square: usize, direction: Direction) -> usize {
        usize::from(Self::NEIGHBOURS[direction][square])
    }

    /// The squares ahead of `square` before the first occupied one, and that one (empty if none).
    #[inline(always)]
    fn look(square: usize, direction: Direction, occupied: Self::Bits) -> (Self::Bits, Self::Bits) {
        let ray = Self::ray(square, direction);
        let blockers = ray & occupied;
        if !blockers.any() {
            return (ray, Self::Bits::EMPTY);
        }
        let first = if ascends(direction) {
            blockers.lowest()
        } else {
            blockers.highest()
        };
        (ray & !(first | Self::ray(first.first(), direction)), first)
    }
}

const fn column(square: usize, rows: usize, width: usize) -> usize {
    if rows == width {
        square % width
    } else {
        let row = square / width;
        2 * (square % width) + 1 - row % 2
    }
}

const fn rays(rows: usize, width: usize) -> Rays {
    let mut rays = [[0; 64]; 8];
    // Rows down and columns right, in the order of the directions above.
    let diagonal: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, 1), (1, -1)];
    let straight: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
    let straight_stride = if rows == width { 1 } else { 2 };
    let mut direction = 0;
    while direction < 8 {
        let (down, right, stride) = if direction < 4 {
            (diagonal[direction].0, diagonal[direction].1, 1)
        } else {
            (
                straight[direction - 4].0,
                straight[direction - 4].1,
                straight_stride,
            )
        };
        let mut square = 0;
        while square < rows * width {
            let mut row = (square / width) as isize + down * stride;
            let mut col = column(square, rows, width) as isize + right * stride;
            while row >= 0 && row < rows as isize && col >= 0 && col < rows as isize {
                let in_row = if rows == width { col } else { col / 2 };
                rays[direction][square] |= 1 << (row * width as isize + in_row);
                row += down * stride;
                col += right * stride;
            }
            square += 1;
        }
        direction += 1;
    }
    rays
}

const fn neighbours(rows: usize, width: usize) -> Neighbours {
    let rays = rays(rows, width);
    let mut neighbours = [[u8::MAX; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < rows * width {
            let ray: u64 = rays[direction][square];
            if ray != 0 {
                let nearest = if ascends(direction) {
                    ray.trailing_zeros()
                } else {
                    ray.ilog2()
                };
                neighbours[direction][square] = nearest as u8;
            }
            square += 1;
        }
        direction += 1;
    }
    neighbours
}

/// The rows `start`, `start + by`, ... as a set.
const fn rows(board: (usize, usize), start: usize, by: usize) -> u64 {
    let (rows, width) = board;
    let mut set = 0;
    let mut row = start;
    while row < rows {
        set |= (u64::MAX >> (64 - width)) << (row * width);
        row += by;
    }
    set
}

/// The squares at index `place` of their row.
const fn file(board: (usize, usize), place: usize) -> u64 {
    let (rows, width) = board;
    let mut set = 0;
    let mut row = 0;
    while row < rows {
        set |= 1 << (row * width + place);
        row += 1;
    }
    set
}

/// One step on the dark squares: the distance to a neighbour depends on the parity of the row.
#[inline(always)]
fn dark_step<B: Geometry>(bits: B::Bits, direction: Direction) -> B::Bits {
    let board = const { (B::ROWS, B::WIDTH) };
    let width = const { B::WIDTH as u32 };
    let even = B::Bits::from_u64(rows(board, 0, 2));
    let odd = B::Bits::from_u64(rows(board, 1, 2));
    let not_left = B::Bits::from_u64(!file(board, 0));
    let not_right = B::Bits::from_u64(!file(board, B::WIDTH - 1));
    let moved = match direction {
        UP_LEFT => (bits & even).down(width) | (bits & odd & not_left).down(width + 1),
        UP_RIGHT => (bits & even & not_right).down(width - 1) | (bits & odd).down(width),
        DOWN_RIGHT => (bits & even & not_right).up(width + 1) | (bits & odd).up(width),
        DOWN_LEFT => (bits & even).up(width) | (bits & odd & not_left).up(width - 1),
        UP => bits.down(2 * width),
        RIGHT => (bits & not_right).up(1),
        DOWN => bits.up(2 * width),
        _ => (bits & not_left).down(1),
    };
    moved & B::all()
}

/// The 32 dark squares of an 8x8 board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dark8;

impl Geometry for Dark8 {
    type Bits = u32;
    const ROWS: usize = 8;
    const WIDTH: usize = 4;
    const RAYS: &'static Rays = &const { rays(8, 4) };
    const NEIGHBOURS: &'static Neighbours = &const { neighbours(8, 4) };

    #[inline(always)]
    fn step(bits: u32, direction: Direction) -> u32 {
        dark_step::<Dark8>(bits, direction)
    }
}

/// The 50 dark squares of a 10x10 board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dark10;

impl Geometry for Dark10 {
    type Bits = u64;
    const ROWS: usize = 10;
    const WIDTH: usize = 5;
    const RAYS: &'static Rays = &const { rays(10, 5) };
    const NEIGHBOURS: &'static Neighbours = &const { neighbours(10, 5) };

    #[inline(always)]
    fn step(bits: u64, direction: Direction) -> u64 {
        dark_step::<Dark10>(bits, direction)
    }
}

/// All 64 squares of an 8x8 board, for games along rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Full8;

impl Geometry for Full8 {
    type Bits = u64;
    const ROWS: usize = 8;
    const WIDTH: usize = 8;
    const RAYS: &'static Rays = &const { rays(8, 8) };
    const NEIGHBOURS: &'static Neighbours = &const { neighbours(8, 8) };

    #[inline(always)]
    fn step(bits: u64, direction: Direction) -> u64 {
        let not_left = !file((8, 8), 0);
        let not_right = !file((8, 8), 7);
        match direction {
            UP_LEFT => (bits & not_left) >> 9,
            UP_RIGHT => (bits & not_right) >> 7,
            DOWN_RIGHT => (bits & not_right) << 9,
            DOWN_LEFT => (bits & not_left) << 7,
            UP => bits >> 8,
            RIGHT => (bits & not_right) << 1,
            DOWN => bits << 8,
            _ => (bits & not_left) >> 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_follow_rays<B: Geometry>() {
        for direction in 0..8 {
            for square in 0..B::SQUARES {
                let mut at = B::Bits::square(square);
                let mut walked = B::Bits::EMPTY;
                loop {
                    at = B::step(at, direction);
                    if !at.any() {
                        break;
                    }
                    walked |= at;
                }
                assert_eq!(walked, B::ray(square, direction), "{square} {direction}");
                let next = B::step(B::Bits::square(square), direction);
                if next.any() {
                    assert_eq!(next.first(), B::neighbour(square, direction));
                }
            }
        }
    }

    #[test]
    fn steps_and_rays_agree_on_every_board() {
        steps_follow_rays::<Dark8>();
        steps_follow_rays::<Dark10>();
        steps_follow_rays::<Full8>();
    }

    #[test]
    fn squares_and_coordinates_are_inverse() {
        for square in 0..50 {
            assert_eq!(
                Dark10::square_at(Dark10::row(square), Dark10::column(square)),
                Some(square)
            );
        }
        assert_eq!(Dark8::square_at(7, 0), Some(28), "a1 is square 29");
        assert_eq!(Dark8::square_at(7, 1), None);
    }
}
