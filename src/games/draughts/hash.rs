//! Zobrist keys, generated at compile time.

use super::position::KingTempo;
use crate::games::Side;

/// SplitMix64, output number `index` of the stream that starts at `seed`.
const fn splitmix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const SEED: u64 = 0x7370_6172_7269_6e67;

const fn keys<const N: usize>(first: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut index = 0;
    while index < N {
        keys[index] = splitmix(SEED, first + index as u64);
        index += 1;
    }
    keys
}

static PIECES: [u64; 256] = keys(0);
static TEMPO: [u64; 512] = keys(256);

/// Black to move.
pub(super) const TURN: u64 = splitmix(SEED, 768);

#[inline(always)]
pub(super) fn piece(side: Side, king: bool, square: usize) -> u64 {
    PIECES[((side as usize) << 7 | (king as usize) << 6 | square) & 255]
}

/// Consecutive quiet king moves, one to three; zero moves have no key.
pub(super) fn tempo(side: Side, tempo: KingTempo) -> u64 {
    if tempo.moves == 0 {
        return 0;
    }
    TEMPO[(side as usize) << 8 | (tempo.moves.min(3) as usize) << 6 | (tempo.king as usize & 63)]
}
