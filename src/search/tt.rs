//! The transposition table (TT): search results by zobrist key, in a fixed amount of memory.
//!
//! Clearing it between games is cheap: each entry carries the number of its game, and an entry of
//! an earlier game counts as empty. Results are the same as with a newly allocated table.

use std::fmt;
use std::hint::select_unpredictable;

use super::block::Block;
use crate::eval::Score;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Fail low: the true score is at most this.
    Upper = 1,
    /// Fail high: the true score is at least this.
    Lower = 2,
    Exact = 3,
}

/// The stored result of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The code of the best move, 0 for none.
    pub move_code: u16,
    /// Remaining depth in plies; 0 for quiescence.
    pub depth: i32,
    pub bound: Bound,
    /// From the mover's side. Mate scores count from this position.
    pub score: Score,
    /// The static eval, [`NO_EVAL`] if none was computed.
    pub eval: Score,
}

pub const NO_EVAL: Score = Score::MIN;

/// Words per entry. First: key, move code, depth, age and bound. Second: score, eval and game.
const ENTRY_WORDS: usize = 2;
const BUCKET_ENTRIES: usize = 4;
/// 64 bytes, one cache line.
const BUCKET_WORDS: usize = ENTRY_WORDS * BUCKET_ENTRIES;
/// Bits of each entry's key in the bucket's tag word.
const TAG_BITS: u32 = u32::BITS / BUCKET_ENTRIES as u32;
const TAG: u32 = (1 << TAG_BITS) - 1;
const AGES: u8 = 64;
/// Game numbers before the table must be zeroed. Number 0 marks memory that was never written.
const GAMES: u8 = u8::MAX;

/// The system has no memory for search tables of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory {
    pub megabytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no memory for search tables of {} MB; lower search.table_mb (UCI: Hash)",
            self.megabytes
        )
    }
}

impl std::error::Error for NoMemory {}

/// An error if the system cannot provide so much memory for tables, which are filled at once. Takes
/// none.
pub fn probe_memory(megabytes: usize) -> Result<(), NoMemory> {
    let no_memory = NoMemory { megabytes };
    if free_megabytes().is_some_and(|free| megabytes > free) {
        return Err(no_memory);
    }
    #[cfg(target_os = "linux")]
    {
        // Not touched: this asks for addresses, which `ulimit -v` limits.
        let bytes = megabytes.checked_mul(1 << 20).ok_or(no_memory)?;
        memmap2::MmapMut::map_anon(bytes.max(1)).map_err(|_| no_memory)?;
    }
    Ok(())
}

/// Memory that processes can still get, with swap; `None` where the system does not say.
fn free_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = |name: &str| -> Option<usize> {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    Some((kilobytes("MemAvailable:")? + kilobytes("SwapFree:")?) >> 10)
}

pub struct TranspositionTable {
    words: Block<u64>,
    /// The tags of each bucket. A tag may belong to an entry of an earlier game.
    tags: Block<u32>,
    /// Words skipped to align buckets with cache lines.
    skip: usize,
    buckets: usize,
    game: u8,
    /// Counts the searches of a game.
    age: u8,
    used: bool,
}

impl TranspositionTable {
    pub fn new(megabytes: usize) -> Result<TranspositionTable, NoMemory> {
        let buckets = ((megabytes << 20) / (BUCKET_WORDS * size_of::<u64>())).max(1);
        // The system provides zeroed memory page by page, as it is touched.
        let no_memory = NoMemory { megabytes };
        let words: Block<u64> = Block::try_zeroed((buckets + 1) * BUCKET_WORDS).ok_or(no_memory)?;
        let line = BUCKET_WORDS * size_of::<u64>();
        let beyond = words.as_ptr() as usize % line;
        Ok(TranspositionTable {
            skip: (line - beyond) % line / size_of::<u64>(),
            words,
            tags: Block::try_zeroed(buckets).ok_or(no_memory)?,
            buckets,
            game: 1,
            age: 0,
            used: false,
        })
    }

    /// Empties the table.
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

    /// Starts a new age: entries of older searches of the same game are replaced first.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket_of(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize
    }

    /// The tag of a key in this game. It depends on the game because the second game of a pair
    /// visits the positions of the first, whose entries no longer count.
    #[inline(always)]
    fn tag(&self, key: u64) -> u32 {
        (key as u32 ^ u32::from(self.game)) & TAG
    }

    /// Whether the bucket may contain the key. Reads the tags only: they are in the cache while
    /// the bucket itself is still being fetched.
    #[inline(always)]
    fn may_contain(&self, bucket: usize, key: u64) -> bool {
        const EACH: u32 = u32::MAX / TAG;
        let differences = self.tags[bucket] ^ (self.tag(key) * EACH);
        // Non-zero exactly if some byte is zero: that byte borrows without its own top bit set.
        differences.wrapping_sub(EACH) & !differences & (EACH << (TAG_BITS - 1)) != 0
    }

    /// Prefetches the bucket of a zobrist key. A cache miss takes as long as hundreds of
    /// instructions.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket_of(key);
            let first = self.skip + bucket * BUCKET_WORDS;
            if let (Some(word), Some(tags)) = (self.words.get(first), self.tags.get(bucket)) {
                // SAFETY: prefetching addresses inside the table neither reads nor writes them.
                unsafe {
                    _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(tags).cast());
                    _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Looks up a zobrist key.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let bucket = self.bucket_of(key);
        if !self.may_contain(bucket, key) {
            return None;
        }
        let first = self.skip + bucket * BUCKET_WORDS;
        let words = self.words[first..].first_chunk::<BUCKET_WORDS>()?;
        (0..BUCKET_ENTRIES)
            .map(|slot| PackedEntry(words[2 * slot], words[2 * slot + 1]))
            .find(|entry| entry.matches(key, self.game))
            .map(PackedEntry::unpack)
    }

    /// Stores an entry in its own slot, or replaces the least valuable entry of the bucket.
    #[inline]
    pub fn store(&mut self, key: u64, mut entry: TtEntry) {
        self.used = true;
        let (age, game) = (self.age, self.game);
        let bucket = self.bucket_of(key);
        let first = self.skip + bucket * BUCKET_WORDS;
        let Some(words) = self.words[first..].first_chunk_mut::<BUCKET_WORDS>() else {
            return;
        };
        let old = |slot: usize| PackedEntry(words[2 * slot], words[2 * slot + 1]);
        let mut matching = BUCKET_ENTRIES;
        for slot in 0..BUCKET_ENTRIES {
            matching = select_unpredictable(old(slot).matches(key, game), slot, matching);
        }
        let matching = (matching < BUCKET_ENTRIES).then_some(matching);
        let slot = match matching {
            Some(slot) => {
                let old = old(slot);
                if entry.move_code == 0 {
                    entry.move_code = old.move_code();
                }
                // Keep a much deeper result of the same search.
                const KEPT_DEPTH_MARGIN: i32 = 3;
                if entry.bound != Bound::Exact
                    && entry.depth + KEPT_DEPTH_MARGIN < old.depth()
                    && old.age() == age
                {
                    return;
                }
                slot
            }
            None => {
                // Branchless: the bucket may still be on its way to the cache, and only the write
                // should wait for it.
                let mut worst = 0;
                let mut least = old(0).replacement_value(age, game);
                for slot in 1..BUCKET_ENTRIES {
                    let value = old(slot).replacement_value(age, game);
                    let less = value < least;
                    worst = select_unpredictable(less, slot, worst);
                    least = select_unpredictable(less, value, least);
                }
                worst
            }
        };
        let new = PackedEntry::new(key, age, game, entry);
        words[2 * slot] = new.0;
        words[2 * slot + 1] = new.1;
        let shift = TAG_BITS * slot as u32;
        let tag = self.tag(key);
        let tags = &mut self.tags[bucket];
        *tags = *tags & !(TAG << shift) | tag << shift;
    }

    /// Share of entries written by this search, per mille, from a sample (UCI `hashfull`).
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 256;
        let sampled = SAMPLE.min(self.buckets);
        let mut used = 0;
        for sample in 0..sampled {
            let bucket = sample * (self.buckets / sampled);
            let first = self.skip + bucket * BUCKET_WORDS;
            for slot in 0..BUCKET_ENTRIES {
                let at = first + 2 * slot;
                let old = PackedEntry(self.words[at], self.words[at + 1]);
                used += usize::from(old.game() == self.game && old.age() == self.age);
            }
        }
        (used * 1000 / (sampled * BUCKET_ENTRIES)) as u32
    }
}

/// A [`TtEntry`] in two words. First: the low half of the key, move code, depth, age and bound.
/// Second: score, eval in three bytes, and game.
#[derive(Clone, Copy)]
struct PackedEntry(u64, u64);

/// The largest eval that is stored: it must fit in three bytes.
const MAX_EVAL: Score = (1 << 23) - 1;

impl PackedEntry {
    fn new(key: u64, age: u8, game: u8, entry: TtEntry) -> PackedEntry {
        let depth = entry.depth.clamp(0, 255) as u64;
        let age_and_bound = u64::from(age) << 2 | entry.bound as u64;
        let eval = match (-MAX_EVAL..=MAX_EVAL).contains(&entry.eval) {
            true => entry.eval,
            false => -MAX_EVAL - 1,
        };
        let eval_and_game = (eval as u32 & 0xFF_FFFF) | u32::from(game) << 24;
        PackedEntry(
            key & 0xFFFF_FFFF
                | u64::from(entry.move_code) << 32
                | depth << 48
                | age_and_bound << 56,
            u64::from(entry.score as u32) | u64::from(eval_and_game) << 32,
        )
    }

    fn game(self) -> u8 {
        (self.1 >> 56) as u8
    }

    #[inline(always)]
    fn matches(self, key: u64, game: u8) -> bool {
        self.0 as u32 == key as u32 && self.game() == game
    }

    fn eval(self) -> Score {
        match (self.1 >> 24) as Score >> 8 {
            eval if eval < -MAX_EVAL => NO_EVAL,
            eval => eval,
        }
    }

    fn move_code(self) -> u16 {
        (self.0 >> 32) as u16
    }

    fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32
    }

    fn age(self) -> u8 {
        (self.0 >> 58) as u8
    }

    /// Depth less a penalty for age: the entry with the lowest value is replaced.
    fn replacement_value(self, age: u8, game: u8) -> i32 {
        const AGE_PENALTY: i32 = 4;
        let searches_ago = (AGES + age - self.age()) % AGES;
        let value = self.depth() - AGE_PENALTY * i32::from(searches_ago);
        select_unpredictable(self.game() == game, value, i32::MIN)
    }

    fn unpack(self) -> TtEntry {
        TtEntry {
            move_code: self.move_code(),
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

    fn entry(depth: i32, score: Score) -> TtEntry {
        TtEntry {
            move_code: 77,
            depth,
            bound: Bound::Lower,
            score,
            eval: score / -200,
        }
    }

    #[test]
    fn an_eval_too_large_to_store_comes_back_as_none() {
        let mut table = TranspositionTable::new(1).unwrap();
        for (eval, kept) in [
            (MAX_EVAL, MAX_EVAL),
            (-MAX_EVAL, -MAX_EVAL),
            (MAX_EVAL + 1, NO_EVAL),
            (-MAX_EVAL - 1, NO_EVAL),
            (NO_EVAL, NO_EVAL),
        ] {
            let stored = TtEntry {
                eval,
                ..entry(3, 17)
            };
            table.store(99, stored);
            assert_eq!(table.probe(99).map(|found| found.eval), Some(kept));
        }
    }

    #[test]
    fn entries_of_earlier_games_are_never_returned() {
        let mut table = TranspositionTable::new(1).unwrap();
        for game in 0..600 {
            assert_eq!(table.probe(5), None, "game {game}");
            table.store(5, entry(4, game));
            table.clear();
        }
    }

    #[test]
    fn tags_rarely_match_positions_of_the_previous_game() {
        let mut table = TranspositionTable::new(1).unwrap();
        let hashes = || (1..=200u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for hash in hashes() {
            table.store(hash, entry(4, 1));
            assert!(table.may_contain(table.bucket_of(hash), hash));
        }
        table.clear();
        let matching = hashes().filter(|&hash| table.may_contain(table.bucket_of(hash), hash));
        // A few tags match by chance.
        assert!(matching.count() < 20);
    }

    #[test]
    fn a_stored_entry_comes_back() {
        let mut table = TranspositionTable::new(1).unwrap();
        for score in [0, 1, -1, 999_999_999, -999_999_999] {
            table.store(42 << 40 | 7, entry(9, score));
            assert_eq!(table.probe(42 << 40 | 7), Some(entry(9, score)));
            assert_eq!(table.probe(42 << 40 | 8), None);
        }
    }

    #[test]
    fn a_cleared_table_behaves_like_a_new_one() {
        let mut used = TranspositionTable::new(1).unwrap();
        let mut seed = 1u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ seed >> 29
        };
        for _ in 0..200_000 {
            used.store(draw(), entry((draw() % 20) as i32, 5));
        }
        used.clear();
        let mut new = TranspositionTable::new(1).unwrap();
        let keys: Vec<u64> = (0..200_000).map(|_| draw()).collect();
        for &key in &keys {
            assert_eq!(used.probe(key), new.probe(key));
            let depth = (key % 20) as i32;
            used.store(key, entry(depth, 6));
            new.store(key, entry(depth, 6));
        }
        for &key in &keys {
            assert_eq!(used.probe(key), new.probe(key));
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let mut table = TranspositionTable::new(1).unwrap();
        // The upper bits choose the bucket: all these share one.
        for low in 1..=100u64 {
            table.store(low, entry(if low == 1 { 30 } else { 1 }, 3));
        }
        assert_eq!(table.probe(1).map(|found| found.depth), Some(30));
    }
}
