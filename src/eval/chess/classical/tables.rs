//! Piece-square tables, opening and ending, in centipawns, the eighth rank first.
//!
//! Each square is the sum of what its rank and its file are worth, files counted from the edge
//! to the centre; a tuner takes it from there, square by square.

type Pair = ([i16; 64], [i16; 64]);

/// `ranks` from the side's own edge on, `files` from the edge to the centre.
const fn sum(ranks: [i16; 8], files: [i16; 4]) -> [i16; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let file = square % 8;
        let inward = if file < 4 { file } else { 7 - file };
        table[square] = ranks[7 - square / 8] + files[inward];
        square += 1;
    }
    table
}

pub const PAWN: Pair = (
    sum([0, -4, -2, 4, 12, 22, 35, 0], [-10, -2, 2, 10]),
    sum([0, -4, -4, 0, 8, 22, 40, 0], [4, 2, 0, -2]),
);

pub const KNIGHT: Pair = (
    sum([-24, -12, 0, 8, 16, 18, 4, -40], [-22, -6, 4, 10]),
    sum([-18, -10, -2, 6, 8, 4, -6, -20], [-18, -6, 2, 8]),
);

pub const BISHOP: Pair = (
    sum([-8, 4, 6, 6, 6, 6, -6, -16], [-6, 2, 2, 4]),
    sum([-8, -4, 2, 4, 4, 4, -2, -6], [-6, -2, 2, 4]),
);

pub const ROOK: Pair = (
    sum([0, -8, -8, -6, -2, 4, 10, 6], [-6, -2, 2, 6]),
    sum([-4, -6, -4, 0, 4, 6, 8, 6], [0, 0, 0, 0]),
);

pub const QUEEN: Pair = (
    sum([0, 2, 2, 0, 0, 2, 2, 2], [-4, 0, 2, 2]),
    sum([-20, -12, -2, 8, 14, 14, 8, 0], [-10, -2, 4, 8]),
);

pub const KING: Pair = (
    sum([24, 10, -20, -40, -50, -50, -50, -50], [10, 16, -12, -16]),
    sum([-26, -10, 0, 8, 14, 16, 6, -16], [-16, -2, 6, 10]),
);
