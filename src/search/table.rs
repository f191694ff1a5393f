//! The transposition table: what was learnt of positions, in a fixed amount of memory.
//!
//! Emptying it between games costs next to nothing: entries are stamped with the game they belong
//! to, and one of an earlier game counts as empty. Scores come back exactly as from a new table.

use std::hint::select_unpredictable;

use super::block::Block;
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

/// Two words an entry: key, code, depth, age and bound; score, evaluation and game.
const ENTRY_WORDS: usize = 2;
const BUCKET_ENTRIES: usize = 4;
/// 64 bytes, a line of the processor's cache.
const BUCKET_WORDS: usize = ENTRY_WORDS * BUCKET_ENTRIES;
/// Of each entry's hash, the tags of a bucket in one word.
const TAG_BITS: u32 = u32::BITS / BUCKET_ENTRIES as u32;
const TAG: u32 = (1 << TAG_BITS) - 1;
const AGES: u8 = 64;
/// Games until the stamps are used up and the table is really emptied. 0 is the stamp of memory
/// that was never written.
const GAMES: u8 = u8::MAX;

pub struct Table {
    words: Block<u64>,
    /// The tags of each bucket. A tag may be that of an entry of an earlier game.
    tags: Block<u32>,
    /// Words to skip so that buckets start with a cache line. Where things lie, not what they are.
    skip: usize,
    buckets: usize,
    game: u8,
    /// Counts the searches of a game.
    age: u8,
    used: bool,
}

impl Table {
    pub fn new(megabytes: usize) -> Table {
        let buckets = ((megabytes << 20) / (BUCKET_WORDS * size_of::<u64>())).max(1);
        // Zeroed memory comes from the system page by page as it is used.
        let words = Block::zeroed((buckets + 1) * BUCKET_WORDS);
        let line = BUCKET_WORDS * size_of::<u64>();
        let beyond = words.as_ptr() as usize % line;
        Table {
            skip: (line - beyond) % line / size_of::<u64>(),
            words,
            tags: Block::zeroed(buckets),
            buckets,
            game: 1,
            age: 0,
            used: false,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.used {
            if self.game == GAMES {
                self.words.fill(0);
                self.game = 0;
            }
            self.game += 1;
            self.used = false;
        }
        self.age = 0;
    }

    /// Tells older searches of the same game from this one, so that what they left goes first.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket_of(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets as u128) >> 64) as usize
    }

    /// The tag of a position in this game. Another one than in the game before: the second game of
    /// a pair meets the positions of the first, whose entries say nothing any more.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32 ^ u32::from(self.game)) & TAG
    }

    /// Whether the bucket may hold the position. Answered by the tags, which are near when the
    /// bucket itself is still on its way from far memory.
    #[inline(always)]
    fn may_know(&self, bucket: usize, hash: u64) -> bool {
        const EACH: u32 = u32::MAX / TAG;
        let differences = self.tags[bucket] ^ (self.tag(hash) * EACH);
        // Some byte is zero exactly if this finds a borrow that its own top bit does not explain.
        differences.wrapping_sub(EACH) & !differences & (EACH << (TAG_BITS - 1)) != 0
    }

    /// Tells the processor that the bucket of this position will be asked for soon: fetching it
    /// takes as long as hundreds of instructions, which can be spent meanwhile.
    #[inline(always)]
    pub fn announce(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket_of(hash);
            let first = self.skip + bucket * BUCKET_WORDS;
            if let (Some(word), Some(tags)) = (self.words.get(first), self.tags.get(bucket)) {
                // SAFETY: hints about addresses inside the table; they read and change nothing.
                unsafe {
                    _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(tags).cast());
                    _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    #[inline(always)]
    pub fn probe(&self, hash: u64) -> Option<Memory> {
        let bucket = self.bucket_of(hash);
        if !self.may_know(bucket, hash) {
            return None;
        }
        let first = self.skip + bucket * BUCKET_WORDS;
        let words = self.words[first..].first_chunk::<BUCKET_WORDS>()?;
        (0..BUCKET_ENTRIES)
            .map(|entry| Entry(words[2 * entry], words[2 * entry + 1]))
            .find(|entry| entry.is_of(hash, self.game))
            .map(Entry::memory)
    }

    #[inline]
    pub fn store(&mut self, hash: u64, mut memory: Memory) {
        self.used = true;
        let (age, game) = (self.age, self.game);
        let bucket = self.bucket_of(hash);
        let first = self.skip + bucket * BUCKET_WORDS;
        let Some(words) = self.words[first..].first_chunk_mut::<BUCKET_WORDS>() else {
            return;
        };
        let old = |entry: usize| Entry(words[2 * entry], words[2 * entry + 1]);
        let mut known = BUCKET_ENTRIES;
        for entry in 0..BUCKET_ENTRIES {
            known = select_unpredictable(old(entry).is_of(hash, game), entry, known);
        }
        let known = (known < BUCKET_ENTRIES).then_some(known);
        let place = match known {
            Some(entry) => {
                let old = old(entry);
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
                entry
            }
            None => {
                // The entries may be long in coming: nothing here waits for them but what is
                // written.
                let mut worst = 0;
                let mut least = old(0).worth(age, game);
                for entry in 1..BUCKET_ENTRIES {
                    let worth = old(entry).worth(age, game);
                    let less = worth < least;
                    worst = select_unpredictable(less, entry, worst);
                    least = select_unpredictable(less, worth, least);
                }
                worst
            }
        };
        let new = Entry::new(hash, age, game, memory);
        words[2 * place] = new.0;
        words[2 * place + 1] = new.1;
        let shift = TAG_BITS * place as u32;
        let tag = self.tag(hash);
        let tags = &mut self.tags[bucket];
        *tags = *tags & !(TAG << shift) | tag << shift;
    }

    /// How full the table is of this search's entries, in thousandths, from a sample.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 256;
        let sampled = SAMPLE.min(self.buckets);
        let mut used = 0;
        for sample in 0..sampled {
            let bucket = sample * (self.buckets / sampled);
            let first = self.skip + bucket * BUCKET_WORDS;
            for entry in 0..BUCKET_ENTRIES {
                let at = first + 2 * entry;
                let old = Entry(self.words[at], self.words[at + 1]);
                used += usize::from(old.game() == self.game && old.age() == self.age);
            }
        }
        (used * 1000 / (sampled * BUCKET_ENTRIES)) as u32
    }
}

/// Key in the lower half of the first word, then code, depth, and age with bound; score,
/// evaluation in three bytes and game in the second.
#[derive(Clone, Copy)]
struct Entry(u64, u64);

/// Evaluations beyond this are not remembered: no score that people use comes near it.
const MOST_EVAL: Score = (1 << 23) - 1;

impl Entry {
    fn new(hash: u64, age: u8, game: u8, memory: Memory) -> Entry {
        let depth = memory.depth.clamp(0, 255) as u64;
        let aged = u64::from(age) << 2 | memory.bound as u64;
        let eval = match (-MOST_EVAL..=MOST_EVAL).contains(&memory.eval) {
            true => memory.eval,
            false => -MOST_EVAL - 1,
        };
        let judged = (eval as u32 & 0xFF_FFFF) | u32::from(game) << 24;
        Entry(
            hash & 0xFFFF_FFFF | u64::from(memory.code) << 32 | depth << 48 | aged << 56,
            u64::from(memory.score as u32) | u64::from(judged) << 32,
        )
    }

    fn game(self) -> u8 {
        (self.1 >> 56) as u8
    }

    #[inline(always)]
    fn is_of(self, hash: u64, game: u8) -> bool {
        self.0 as u32 == hash as u32 && self.game() == game
    }

    fn eval(self) -> Score {
        match (self.1 >> 24) as Score >> 8 {
            eval if eval < -MOST_EVAL => NO_EVAL,
            eval => eval,
        }
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
    fn worth(self, age: u8, game: u8) -> i32 {
        const YEARLY_LOSS: i32 = 4;
        let years = (AGES + age - self.age()) % AGES;
        let worth = self.depth() - YEARLY_LOSS * i32::from(years);
        select_unpredictable(self.game() == game, worth, i32::MIN)
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
            eval: self.eval(),
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
            eval: score / -200,
        }
    }

    #[test]
    fn an_evaluation_too_large_to_be_kept_comes_back_as_none() {
        let mut table = Table::new(1);
        for (eval, kept) in [
            (MOST_EVAL, MOST_EVAL),
            (-MOST_EVAL, -MOST_EVAL),
            (MOST_EVAL + 1, NO_EVAL),
            (-MOST_EVAL - 1, NO_EVAL),
            (NO_EVAL, NO_EVAL),
        ] {
            let stored = Memory {
                eval,
                ..memory(3, 17)
            };
            table.store(99, stored);
            assert_eq!(table.probe(99).map(|found| found.eval), Some(kept));
        }
    }

    #[test]
    fn nothing_comes_back_from_any_earlier_game() {
        let mut table = Table::new(1);
        for game in 0..600 {
            assert_eq!(table.probe(5), None, "game {game}");
            table.store(5, memory(4, game));
            table.clear();
        }
    }

    #[test]
    fn a_position_of_the_game_before_is_not_even_suspected() {
        let mut table = Table::new(1);
        let hashes = || (1..=200u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for hash in hashes() {
            table.store(hash, memory(4, 1));
            assert!(table.may_know(table.bucket_of(hash), hash));
        }
        table.clear();
        let suspected = hashes().filter(|&hash| table.may_know(table.bucket_of(hash), hash));
        // A few look alike by chance.
        assert!(suspected.count() < 20);
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
