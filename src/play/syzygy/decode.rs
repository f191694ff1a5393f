//! The compressed values of a table: blocks of Huffman codes, whose symbols stand for pairs of symbols.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// A file read at places; what is used of a table is a few kilobytes.
#[derive(Debug)]
pub struct Bytes {
    file: Mutex<File>,
    pub length: u64,
}

impl Bytes {
    pub fn new(file: File) -> io::Result<Bytes> {
        let length = file.metadata()?.len();
        Ok(Bytes {
            file: Mutex::new(file),
            length,
        })
    }

    pub fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }

    pub fn array<const N: usize>(&self, at: u64) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }
}

/// Where the values of one side to move and one file of pawns are, and how they are written.
#[derive(Debug, Default)]
pub struct Values {
    /// All positions have this value, if so.
    pub single: Option<u8>,
    pub positions: u64,
    pub block_size: u64,
    pub span: u64,
    pub sparse_entries: u64,
    pub blocks: u64,
    pub block_lengths: u64,
    /// Places in the file.
    pub sparse_at: u64,
    pub lengths_at: u64,
    pub data_at: u64,
    shortest: u32,
    /// The first code of each length, aligned to the left, and its symbol.
    bases: Vec<u64>,
    lowest: Vec<u16>,
    /// Left and right symbol of each symbol; a right of 0xFFF marks a value.
    pairs: Vec<(u16, u16)>,
    /// How many values a symbol stands for, less one.
    lengths: Vec<u32>,
}

/// Why values cannot be read.
#[derive(Debug)]
pub enum Fault {
    Io(io::Error),
    /// The file says what cannot be.
    Nonsense(&'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Io(error)
    }
}

const LEAF: u16 = 0xFFF;

/// Codes are at most this long.
const LONGEST_CODE: u32 = 32;

impl Values {
    /// Reads the header at `at` of a part with this many positions; returns the place behind it.
    pub fn read_header(bytes: &Bytes, at: u64, positions: u64) -> Result<(Values, u64), Fault> {
        let [flags, first] = bytes.array::<2>(at)?;
        let mut values = Values {
            positions,
            ..Values::default()
        };
        if flags & 0x80 != 0 {
            values.single = Some(first);
            return Ok((values, at + 2));
        }
        let [_, block, span, padding, b0, b1, b2, b3, longest, shortest] = bytes.array::<10>(at)?;
        let (longest, shortest) = (u32::from(longest), u32::from(shortest));
        if block > 20 || span > 30 || shortest == 0 || longest < shortest || longest > LONGEST_CODE
        {
            return Err(Fault::Nonsense("impossible sizes in its header"));
        }
        values.block_size = 1 << block;
        values.span = 1 << span;
        values.sparse_entries = positions.div_ceil(values.span);
        values.blocks = u64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        values.block_lengths = values.blocks + u64::from(padding);
        values.shortest = shortest;
        let count = (longest - shortest + 1) as usize;
        let mut at = at + 10;
        for _ in 0..count {
            values.lowest.push(u16::from_le_bytes(bytes.array(at)?));
            at += 2;
        }
        values.bases = vec![0; count];
        for index in (0..count - 1).rev() {
            let next = values.bases[index + 1] + u64::from(values.lowest[index]);
            let next = next.checked_sub(u64::from(values.lowest[index + 1]));
            values.bases[index] = next.ok_or(Fault::Nonsense("impossible codes"))? / 2;
        }
        for (index, base) in values.bases.iter_mut().enumerate() {
            *base <<= 64 - index as u32 - shortest;
        }
        let symbols = u64::from(u16::from_le_bytes(bytes.array(at)?));
        at += 2;
        values.read_symbols(bytes, at, symbols as usize)?;
        Ok((values, at + symbols * 3 + (symbols & 1)))
    }

    fn read_symbols(&mut self, bytes: &Bytes, at: u64, count: usize) -> Result<(), Fault> {
        let mut raw = vec![0; count * 3];
        bytes.read(at, &mut raw)?;
        for entry in raw.chunks_exact(3) {
            let [low, middle, high] = [entry[0], entry[1], entry[2]].map(u16::from);
            self.pairs
                .push(((middle & 0xF) << 8 | low, high << 4 | middle >> 4));
        }
        // A symbol's pair comes before it or behind it: lengths are found by following pairs.
        let mut lengths: Vec<Option<u32>> = vec![None; count];
        for symbol in 0..count {
            self.length_of(symbol, &mut lengths, 0)?;
        }
        self.lengths = lengths.into_iter().map(Option::unwrap_or_default).collect();
        Ok(())
    }

    fn length_of(
        &self,
        symbol: usize,
        lengths: &mut [Option<u32>],
        depth: usize,
    ) -> Result<u32, Fault> {
        const NO_END: Fault = Fault::Nonsense("symbols without an end");
        if let Some(known) = *lengths.get(symbol).ok_or(NO_END)? {
            return Ok(known);
        }
        if depth > 4096 {
            return Err(NO_END);
        }
        let (left, right) = self.pairs[symbol];
        let length = match right {
            LEAF => 0,
            _ => {
                let left = self.length_of(usize::from(left), lengths, depth + 1)?;
                let right = self.length_of(usize::from(right), lengths, depth + 1)?;
                left.saturating_add(right).saturating_add(1)
            }
        };
        lengths[symbol] = Some(length);
        Ok(length)
    }

    /// The value of a position.
    pub fn value(&self, bytes: &Bytes, index: u64) -> Result<u8, Fault> {
        const OUTSIDE: Fault = Fault::Nonsense("an index leads outside it");
        if let Some(value) = self.single {
            return Ok(value);
        }
        if index >= self.positions {
            return Err(OUTSIDE);
        }
        let entry = bytes.array::<6>(self.sparse_at + index / self.span * 6)?;
        let mut block = u64::from(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
        let mut offset = i64::from(u16::from_le_bytes([entry[4], entry[5]]));
        offset += (index % self.span) as i64 - (self.span / 2) as i64;
        let length = |block: u64| -> Result<i64, Fault> {
            if block >= self.block_lengths {
                return Err(OUTSIDE);
            }
            let bytes = bytes.array(self.lengths_at + 2 * block)?;
            Ok(i64::from(u16::from_le_bytes(bytes)))
        };
        while offset < 0 {
            block = block.checked_sub(1).ok_or(OUTSIDE)?;
            offset += length(block)? + 1;
        }
        loop {
            let values = length(block)?;
            if offset <= values {
                break;
            }
            offset -= values + 1;
            block += 1;
        }
        if block >= self.blocks {
            return Err(OUTSIDE);
        }
        let mut data = vec![0; self.block_size as usize];
        bytes.read(self.data_at + block * self.block_size, &mut data)?;
        self.decode(&data, offset as u64).ok_or(OUTSIDE)
    }

    /// Value number `offset` of a block.
    fn decode(&self, block: &[u8], mut offset: u64) -> Option<u8> {
        let word = |at: usize| {
            let bytes = block.get(at..at + 4)?;
            Some(u64::from(u32::from_be_bytes(bytes.try_into().ok()?)))
        };
        let mut bits = word(0)? << 32 | word(4).unwrap_or(0);
        let (mut left, mut at) = (64, 8);
        let mut symbol = loop {
            let step = self.bases.iter().position(|base| bits >= *base)?;
            let length = step as u32 + self.shortest;
            let code = (bits - self.bases[step]).checked_shr(64 - length)?;
            let symbol = usize::from(self.lowest[step]) + usize::try_from(code).ok()?;
            let values = u64::from(*self.lengths.get(symbol)?) + 1;
            if offset < values {
                break symbol;
            }
            offset -= values;
            bits = bits.checked_shl(length)?;
            left -= length;
            if left <= 32 {
                // Behind the end of a block come zeros that no code uses.
                bits |= word(at).unwrap_or(0) << (32 - left);
                left += 32;
                at += 4;
            }
        };
        loop {
            let (first, second) = *self.pairs.get(symbol)?;
            if second == LEAF {
                return u8::try_from(first).ok();
            }
            let values = u64::from(*self.lengths.get(usize::from(first))?) + 1;
            symbol = usize::from(if offset < values { first } else { second });
            if offset >= values {
                offset -= values;
            }
        }
    }
}
