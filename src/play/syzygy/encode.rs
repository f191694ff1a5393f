//! The numbering of positions in a table: men on squares become one number, after all symmetries have
//! been used.

use std::sync::LazyLock;

/// Numbers that the format is built from.
pub struct Maps {
    /// `binomial[k][n]`: ways to choose k of n squares.
    pub binomial: [[u64; 64]; 7],
    /// Squares below the diagonal a1-h8, counted.
    pub below: [u64; 64],
    /// Squares of the triangle a1-d1-d4, those on the diagonal last.
    pub triangle: [u64; 64],
    /// Both kings: the first one's number in the triangle, and the second one's square.
    pub kings: [[u64; 64]; 10],
    /// Squares of pawns, the order in which the leading pawn is chosen.
    pub pawns: [u64; 64],
    /// Numbers of the first of leading pawns, by how many there are.
    pub lead: [[u64; 64]; 6],
    /// How many placements of leading pawns there are, by their number and file.
    pub lead_sizes: [[u64; 4]; 6],
}

pub static MAPS: LazyLock<Maps> = LazyLock::new(Maps::new);

/// Above 0: above the diagonal a1-h8.
pub fn off_diagonal(square: usize) -> i32 {
    (square / 8) as i32 - (square % 8) as i32
}

fn are_adjacent(one: usize, two: usize) -> bool {
    let distance = |a: usize, b: usize| a.abs_diff(b);
    distance(one / 8, two / 8) <= 1 && distance(one % 8, two % 8) <= 1
}

impl Maps {
    fn new() -> Maps {
        let mut maps = Maps {
            binomial: [[0; 64]; 7],
            below: [0; 64],
            triangle: [0; 64],
            kings: [[0; 64]; 10],
            pawns: [0; 64],
            lead: [[0; 64]; 6],
            lead_sizes: [[0; 4]; 6],
        };
        for n in 0..64 {
            for k in 0..7 {
                maps.binomial[k][n] = match (k, n) {
                    (0, _) => 1,
                    (_, 0) => 0,
                    _ => maps.binomial[k - 1][n - 1] + maps.binomial[k][n - 1],
                };
            }
        }
        let below = (0..64).filter(|square| off_diagonal(*square) < 0);
        below
            .enumerate()
            .for_each(|(code, square)| maps.below[square] = code as u64);
        maps.number_kings();
        maps.number_pawns();
        maps
    }

    fn number_kings(&mut self) {
        let triangle = || (0..28).filter(|square| square % 8 < 4 && off_diagonal(*square) <= 0);
        let below = triangle().filter(|square| off_diagonal(*square) < 0);
        let on = triangle().filter(|square| off_diagonal(*square) == 0);
        let order: Vec<usize> = below.chain(on).collect();
        for (code, square) in order.iter().enumerate() {
            self.triangle[*square] = code as u64;
        }
        let mut code = 0;
        let mut both_on_diagonal = Vec::new();
        for (index, &first) in order.iter().enumerate() {
            for second in 0..64 {
                if are_adjacent(first, second) {
                    continue;
                }
                match (off_diagonal(first), off_diagonal(second)) {
                    // Mirrored at the diagonal, the second king is below it.
                    (0, above) if above > 0 => {}
                    (0, 0) => both_on_diagonal.push((index, second)),
                    _ => {
                        self.kings[index][second] = code;
                        code += 1;
                    }
                }
            }
        }
        for (index, second) in both_on_diagonal {
            self.kings[index][second] = code;
            code += 1;
        }
    }

    fn number_pawns(&mut self) {
        let mut next = 48;
        for count in 1..6 {
            for file in 0..4 {
                let mut index = 0;
                for rank in 1..7 {
                    let square = rank * 8 + file;
                    if count == 1 {
                        self.pawns[square] = next - 1;
                        self.pawns[square ^ 7] = next - 2;
                        next -= 2;
                    }
                    self.lead[count][square] = index;
                    index += self.binomial[count - 1][self.pawns[square] as usize];
                }
                self.lead_sizes[count][file] = index;
            }
        }
    }
}

/// Placements of two kings and a third man that is alone of its kind.
pub const THREE_MEN: u64 = 31332;

/// Placements of two kings.
pub const TWO_KINGS: u64 = 462;

/// The number of two kings and a unique man, already mirrored into the triangle.
pub fn number_of_three(squares: &[usize]) -> u64 {
    let maps = &*MAPS;
    let [a, b, c] = [squares[0], squares[1], squares[2]];
    let rank = |square: usize| (square / 8) as u64;
    let second = u64::from(b > a);
    let third = u64::from(c > a) + u64::from(c > b);
    let (b_square, c_square) = (b as u64 - second, c as u64 - third);
    if off_diagonal(a) != 0 {
        (maps.triangle[a] * 63 + b_square) * 62 + c_square
    } else if off_diagonal(b) != 0 {
        (6 * 63 + rank(a) * 28 + maps.below[b]) * 62 + c_square
    } else if off_diagonal(c) != 0 {
        6 * 63 * 62 + 4 * 28 * 62 + rank(a) * 7 * 28 + (rank(b) - second) * 28 + maps.below[c]
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + rank(a) * 7 * 6
            + (rank(b) - second) * 6
            + (rank(c) - third)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_have_462_placements_and_every_number_occurs_once() {
        let maps = &*MAPS;
        let mut seen = vec![0; TWO_KINGS as usize];
        for first in 0..28 {
            if first % 8 > 3 || off_diagonal(first) > 0 {
                continue;
            }
            for second in 0..64 {
                let mirrored = off_diagonal(first) == 0 && off_diagonal(second) > 0;
                if !are_adjacent(first, second) && !mirrored {
                    seen[maps.kings[maps.triangle[first] as usize][second] as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|count| *count == 1));
    }

    #[test]
    fn pawns_of_one_side_have_as_many_placements_as_squares_allow() {
        let maps = &*MAPS;
        // One pawn on 24 squares of the left half; two of 48 squares, mirrored: 48 * 47 / 2 / 2 ways
        // plus those that are their own mirror image's double.
        assert_eq!(maps.lead_sizes[1], [6, 6, 6, 6]);
        let two: u64 = maps.lead_sizes[2].iter().sum();
        assert_eq!(two, (48 * 47 / 2 + 24) / 2);
    }
}
