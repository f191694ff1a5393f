//! The transposition table: what was learnt of positions, in a fixed amount of memory.
//!
//! Emptying it between games costs nothing: blocks are stamped with the game they belong to, and
//! a block of an earlier game counts as empty. Scores come back exactly as from a new table.

use super::words::Words;
use crate::eval::Score;

/// What a remembered score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The code of the best move, 0 for none.
    pub code: u16,
    /// Plies that were searched below the position; 0 for quiescence.
    pub depth: i32,
    pub bound: Bound,
    /// From the mover's side; mates are counted from this position.
    pub score: Score,
    /// The static evaluation, [`NO_EVAL`] when it was not taken.
    pub eval: Score,
}

pub const NO_EVAL: Score = Score::MIN;

/// Two words an entry: key, code, depth, age and bound; score and evaluation.
const ENTRY_WORDS: usize = 2;
const BUCKET_ENTRIES: usize = 4;
/// 64 bytes, a line of the processor's cache.
const BUCKET_WORDS: usize = ENTRY_WORDS * BUCKET_ENTRIES;
/// Buckets that are emptied together: few enough to be quick, many enough for few stamps.
const BLOCK_BUCKETS: usize = 16;
const AGES: u8 = 64;

pub struct Table {
    words: Words,
    /// Words to skip so that buckets start with a cache line. Where things lie, not what they are.
    skip: usize,
    buckets: usize,
    /// The game that each block was last emptied for.
    stamps: Vec<u32>,
    game: u32,
    /// Counts the searches of a game.
    age: u8,
    used: bool,
}

impl Table {
    pub fn new(megabytes: usize) -> Table {
        let blocks = (megabytes << 20) / (BLOCK_BUCKETS * BUCKET_WORDS * size_of::<u64>());
        let buckets = blocks.max(1) * BLOCK_BUCKETS;
        // Zeroed memory comes from the system page by page as it is used.
        let words = Words::zeroed((buckets + 1) * BUCKET_WORDS);
        let line = BUCKET_WORDS * size_of::<u64>();
        let beyond = words.as_ptr() as usize % line;
        Table {
            skip: (line - beyond) % line / size_of::<u64>(),
            words,
            buckets,
            stamps: vec![0; blocks.max(1)],
            game: 0,
            age: 0,
            used: false,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.used {
            self.game += 1;
            self.age = 0;
            self.used = false;
        }
    }

    /// Tells older searches of the same game from this one, so that what they left goes first.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket_of(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets as u128) >> 64) as usize
    }

    /// Tells the processor that the bucket of this position will be asked for soon: fetching it
    /// takes as long as hundreds of instructions, which can be spent meanwhile.
    #[inline(always)]
    pub fn announce(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let first = self.skip + self.bucket_of(hash) * BUCKET_WORDS;
            if let Some(word) = self.words.get(first) {
                // SAFETY: a hint about an address inside `words`; it reads and changes nothing.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Memory> {
        let bucket = self.bucket_of(hash);
        if self.stamps[bucket / BLOCK_BUCKETS] != self.game {
            return None;
        }
        let first = self.skip + bucket * BUCKET_WORDS;
        let words = &self.words[first..first + BUCKET_WORDS];
        (0..BUCKET_ENTRIES)
            .map(|entry| Entry(words[2 * entry], words[2 * entry + 1]))
            .find(|entry| entry.is_of(hash))
            .map(Entry::memory)
    }

    #[inline]
    pub fn store(&mut self, hash: u64, mut memory: Memory) {
        let bucket = self.bucket_of(hash);
        let block = bucket / BLOCK_BUCKETS;
        if self.stamps[block] != self.game {
            let first = self.skip + block * BLOCK_BUCKETS * BUCKET_WORDS;
            self.words[first..first + BLOCK_BUCKETS * BUCKET_WORDS].fill(0);
            self.stamps[block] = self.game;
        }
        self.used = true;
        let age = self.age;
        let first = self.skip + bucket * BUCKET_WORDS;
        let words = &mut self.words[first..first + BUCKET_WORDS];
        let mut worst = 0;
        let mut least = i32::MAX;
        for entry in 0..BUCKET_ENTRIES {
            let old = Entry(words[2 * entry], words[2 * entry + 1]);
            if old.is_of(hash) {
                if memory.code == 0 {
                    memory.code = old.code();
                }
                // A shallower bound of the same search is no reason to forget a deep one.
                const WORTH_KEEPING: i32 = 3;
                if memory.bound != Bound::Exact
                    && memory.depth + WORTH_KEEPING < old.depth()
                    && old.age() == age
                {
                    return;
                }
                worst = entry;
                break;
            }
            let worth = old.worth(age);
            if worth < least {
                least = worth;
                worst = entry;
            }
        }
        let new = Entry::new(hash, age, memory);
        words[2 * worst] = new.0;
        words[2 * worst + 1] = new.1;
    }

    /// How full the table is of this search's entries, in thousandths, from a sample.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 256;
        let sampled = SAMPLE.min(self.buckets);
        let mut used = 0;
        for sample in 0..sampled {
            let bucket = sample * (self.buckets / sampled);
            if self.stamps[bucket / BLOCK_BUCKETS] != self.game {
                continue;
            }
            let first = self.skip + bucket * BUCKET_WORDS;
            for entry in 0..BUCKET_ENTRIES {
                let old = Entry(self.words[first + 2 * entry], 0);
                used += usize::from(!old.is_empty() && old.age() == self.age);
            }
        }
        (used * 1000 / (sampled * BUCKET_ENTRIES)) as u32
    }
}

/// Key in the lower half of the first word, then code, depth, and age with bound; score and
/// evaluation in the second.
#[derive(Clone, Copy)]
struct Entry(u64, u64);

impl Entry {
    fn new(hash: u64, age: u8, memory: Memory) -> Entry {
        let depth = memory.depth.clamp(0, 255) as u64;
        let aged = u64::from(age) << 2 | memory.bound as u64;
        Entry(
            hash & 0xFFFF_FFFF | u64::from(memory.code) << 32 | depth << 48 | aged << 56,
            u64::from(memory.score as u32) | u64::from(memory.eval as u32) << 32,
        )
    }

    /// Every bound has a bit set.
    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    #[inline(always)]
    fn is_of(self, hash: u64) -> bool {
        self.0 as u32 == hash as u32 && !self.is_empty()
    }

    fn code(self) -> u16 {
        (self.0 >> 32) as u16
    }

    fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32
    }

    fn age(self) -> u8 {
        (self.0 >> 58) as u8
    }

    /// How much would be lost by overwriting this entry.
    fn worth(self, age: u8) -> i32 {
        const YEARLY_LOSS: i32 = 4;
        if self.is_empty() {
            return i32::MIN;
        }
        let years = (AGES + age - self.age()) % AGES;
        self.depth() - YEARLY_LOSS * i32::from(years)
    }

    fn memory(self) -> Memory {
        Memory {
            code: self.code(),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            score: self.1 as u32 as Score,
            eval: (self.1 >> 32) as u32 as Score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(depth: i32, score: Score) -> Memory {
        Memory {
            code: 77,
            depth,
            bound: Bound::Lower,
            score,
            eval: -score,
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut table = Table::new(1);
        for score in [0, 1, -1, 999_999_999, -999_999_999] {
            table.store(42 << 40 | 7, memory(9, score));
            assert_eq!(table.probe(42 << 40 | 7), Some(memory(9, score)));
            assert_eq!(table.probe(42 << 40 | 8), None);
        }
    }

    #[test]
    fn a_cleared_table_is_as_if_new() {
        let mut used = Table::new(1);
        let mut seed = 1u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ seed >> 29
        };
        for _ in 0..200_000 {
            used.store(draw(), memory((draw() % 20) as i32, 5));
        }
        used.clear();
        let mut new = Table::new(1);
        let keys: Vec<u64> = (0..200_000).map(|_| draw()).collect();
        for &key in &keys {
            assert_eq!(used.probe(key), new.probe(key));
            let depth = (key % 20) as i32;
            used.store(key, memory(depth, 6));
            new.store(key, memory(depth, 6));
        }
        for &key in &keys {
            assert_eq!(used.probe(key), new.probe(key));
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let mut table = Table::new(1);
        // The upper bits choose the bucket: all these share one.
        for low in 1..=100u64 {
            table.store(low, memory(if low == 1 { 30 } else { 1 }, 3));
        }
        assert_eq!(table.probe(1).map(|found| found.depth), Some(30));
    }
}
