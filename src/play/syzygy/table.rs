//! One table file: its layout, and the number of a position in it.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::decode::{Bytes, Fault, Values};
use super::encode::{MAPS, THREE_MEN, TWO_KINGS, number_of_three, off_diagonal};
use super::{Side, TableError, Wdl};

const MAGIC: [u8; 4] = [0x71, 0xE8, 0x23, 0x5D];

/// Behind the values comes a checksum of this many bytes.
const CHECKSUM: u64 = 16;

#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Bytes,
    /// The same men on both sides: only white to move is stored.
    is_symmetric: bool,
    has_pawns: bool,
    /// Whether both sides have pawns.
    both_have_pawns: bool,
    /// Whether a man other than the kings is alone of its kind.
    has_unique: bool,
    /// By the leading pawn's file (one without pawns), and by the side to move.
    parts: Vec<Vec<Part>>,
}

/// The values of one side to move and one file.
#[derive(Debug, Default)]
struct Part {
    /// Men in the order in which they are numbered: 1 to 6 white pawn to king, 9 to 14 black.
    men: Vec<u8>,
    /// Sizes of groups of equal men, and what a group's number is multiplied with.
    groups: Vec<(usize, u64)>,
    values: Values,
}

impl Table {
    pub fn open(path: &Path, sides: &[Side; 2]) -> Result<Table, TableError> {
        let file = File::open(path).map_err(|error| TableError::unreadable(path, &error))?;
        let bytes = Bytes::new(file).map_err(|error| TableError::unreadable(path, &error))?;
        let [white, black] = sides;
        let pawns = [white[4], black[4]];
        let mut table = Table {
            path: path.to_path_buf(),
            bytes,
            is_symmetric: white == black,
            has_pawns: pawns != [0, 0],
            both_have_pawns: pawns[0] > 0 && pawns[1] > 0,
            has_unique: sides.iter().any(|side| side[..4].contains(&1)),
            parts: Vec::new(),
        };
        let men = 2 + sides
            .iter()
            .flatten()
            .map(|count| usize::from(*count))
            .sum::<usize>();
        match table.read_layout(men) {
            Ok(()) => Ok(table),
            Err(fault) => Err(table.error(fault)),
        }
    }

    fn error(&self, fault: Fault) -> TableError {
        match fault {
            Fault::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                TableError::damaged(&self.path, "it is truncated")
            }
            Fault::Io(error) => TableError::unreadable(&self.path, &error),
            Fault::Nonsense(what) => TableError::damaged(&self.path, what),
        }
    }

    fn read_layout(&mut self, men: usize) -> Result<(), Fault> {
        let [m0, m1, m2, m3, flags] = self.bytes.array::<5>(0)?;
        if [m0, m1, m2, m3] != MAGIC {
            return Err(Fault::Nonsense(
                "it does not begin as a table of wins and draws does",
            ));
        }
        let is_split = flags & 1 != 0;
        if is_split == self.is_symmetric || (flags & 2 != 0) != self.has_pawns {
            return Err(Fault::Nonsense(
                "it is the table of other men than its name says",
            ));
        }
        let files = if self.has_pawns { 4 } else { 1 };
        let sides = if is_split { 2 } else { 1 };
        let mut at = 5;
        let mut shapes = Vec::new();
        for file in 0..files {
            let order = self.bytes.array::<2>(at)?;
            at += 1 + u64::from(self.both_have_pawns);
            let mut codes = vec![0; men];
            self.bytes.read(at, &mut codes)?;
            at += men as u64;
            for side in 0..sides {
                let nibble = |byte: u8| if side == 0 { byte & 0xF } else { byte >> 4 };
                let second = if self.both_have_pawns {
                    nibble(order[1])
                } else {
                    0xF
                };
                let men: Vec<u8> = codes.iter().map(|code| nibble(*code)).collect();
                shapes.push(self.shape(men, [nibble(order[0]), second], file)?);
            }
        }
        at += at & 1;
        let mut parts = Vec::new();
        for (mut part, positions) in shapes {
            (part.values, at) = Values::read_header(&self.bytes, at, positions)?;
            parts.push(part);
        }
        for part in &mut parts {
            part.values.sparse_at = at;
            at += part.values.sparse_entries * 6;
        }
        for part in &mut parts {
            part.values.lengths_at = at;
            at += part.values.block_lengths * 2;
        }
        for part in &mut parts {
            at = at.next_multiple_of(64);
            part.values.data_at = at;
            at += part.values.blocks * part.values.block_size;
        }
        let expected = at.next_multiple_of(64) + CHECKSUM;
        if self.bytes.length != expected {
            let cut = self.bytes.length < expected;
            return Err(Fault::Nonsense(match cut {
                true => "it is truncated",
                false => "it is longer than its header says",
            }));
        }
        let mut parts = parts.into_iter();
        self.parts = (0..files)
            .map(|_| parts.by_ref().take(sides).collect())
            .collect();
        Ok(())
    }

    /// Groups the men of a part, and counts its positions.
    fn shape(&self, men: Vec<u8>, order: [u8; 2], file: usize) -> Result<(Part, u64), Fault> {
        let maps = &*MAPS;
        let leading = match (self.has_pawns, self.has_unique) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 2,
        };
        let mut groups: Vec<(usize, u64)> = vec![(1, 0)];
        for index in 1..men.len() {
            let last = groups.len() - 1;
            if index < leading || men[index] == men[index - 1] {
                groups[last].0 += 1;
            } else {
                groups.push((1, 0));
            }
        }
        const NONSENSE: Fault = Fault::Nonsense("impossible groups of men");
        let pawn_groups = if self.both_have_pawns { 2 } else { 1 };
        if groups.len() < pawn_groups || groups[0].0 > 5 && self.has_pawns {
            return Err(NONSENSE);
        }
        let second = if self.both_have_pawns { groups[1].0 } else { 0 };
        let mut free = (64 - groups[0].0).checked_sub(second).ok_or(NONSENSE)?;
        let mut next = pawn_groups;
        let mut positions = 1u64;
        let binomial = |k: usize, n: usize| -> Result<u64, Fault> {
            maps.binomial
                .get(k)
                .and_then(|row| row.get(n))
                .copied()
                .ok_or(NONSENSE)
        };
        let mut used = 0;
        for step in 0u8.. {
            let is_second = self.both_have_pawns && step == order[1];
            if next >= groups.len() && step != order[0] && !is_second {
                break;
            }
            let factor = if step == order[0] {
                used += 1;
                groups[0].1 = positions;
                match (self.has_pawns, self.has_unique) {
                    (true, _) => maps.lead_sizes[groups[0].0][file],
                    (false, true) => THREE_MEN,
                    (false, false) => TWO_KINGS,
                }
            } else if is_second {
                used += 1;
                groups[1].1 = positions;
                binomial(second, 48 - groups[0].0)?
            } else {
                let size = groups[next].0;
                groups[next].1 = positions;
                next += 1;
                let factor = binomial(size, free)?;
                free = free.checked_sub(size).ok_or(NONSENSE)?;
                factor
            };
            positions = positions.checked_mul(factor).ok_or(NONSENSE)?;
        }
        if used != pawn_groups {
            return Err(NONSENSE);
        }
        let part = Part {
            men,
            groups,
            values: Values::default(),
        };
        Ok((part, positions))
    }

    /// The value of a position of this table's men: squares and codes, in any order. `is_flipped`:
    /// black has the men that the file gives to white.
    pub fn probe(
        &self,
        men: &[(usize, u8)],
        black_moves: bool,
        is_flipped: bool,
    ) -> Result<Wdl, TableError> {
        // With the same men on both sides, black to move is the mirror image.
        let flip = is_flipped || self.is_symmetric && black_moves;
        let men: Vec<(usize, u8)> = men
            .iter()
            .map(|&(square, code)| match flip {
                true => (square ^ 56, code ^ 8),
                false => (square, code),
            })
            .collect();
        let side = usize::from(black_moves != flip);
        let value = self
            .number(men, side)
            .ok_or(Fault::Nonsense("its men are not those of its name"))
            .and_then(|(part, index)| part.values.value(&self.bytes, index))
            .map_err(|fault| self.error(fault))?;
        Wdl::from_byte(value).ok_or_else(|| self.error(Fault::Nonsense("an impossible value")))
    }

    /// The part of the file that holds a position, and the position's number there.
    fn number(&self, men: Vec<(usize, u8)>, side: usize) -> Option<(&Part, u64)> {
        let maps = &*MAPS;
        let first = *self.parts.first()?.first()?.men.first()?;
        // Leading pawns come first, the one with the highest number before the others.
        let (mut lead, others): (Vec<_>, Vec<_>) = men
            .into_iter()
            .partition(|(_, code)| self.has_pawns && *code == first);
        lead.sort_by_key(|(square, _)| std::cmp::Reverse(maps.pawns[*square]));
        let lead_count = lead.len();
        if lead_count > 1 {
            lead[1..].sort_by_key(|(square, _)| maps.pawns[*square]);
        }
        let file = match lead.first() {
            Some((square, _)) => (square % 8).min(7 - square % 8),
            None => 0,
        };
        let parts = self.parts.get(file)?;
        let part = parts.get(side)?;
        let squares = in_order_of(part, lead, others)?;
        let (squares, number) = if self.has_pawns {
            self.number_pawns(squares, lead_count)
        } else {
            self.number_men(part, squares)
        };
        let mut index = number * part.groups[0].1;
        let mut begin = part.groups[0].0;
        let mut shift = if self.both_have_pawns { 8 } else { 0 };
        for &(size, factor) in &part.groups[1..] {
            let (before, rest) = squares.split_at(begin);
            let mut group = rest[..size].to_vec();
            group.sort_unstable();
            let mut number = 0;
            for (at, square) in group.iter().enumerate() {
                let lower = before.iter().filter(|other| square > *other).count();
                let free = square.checked_sub(lower + shift)?;
                number += maps.binomial.get(at + 1)?.get(free)?;
            }
            // The first group behind leading pawns are the other side's pawns.
            shift = 0;
            index += number * factor;
            begin += size;
        }
        Some((part, index))
    }

    fn number_pawns(&self, mut squares: Vec<usize>, count: usize) -> (Vec<usize>, u64) {
        let maps = &*MAPS;
        if squares[0] % 8 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        let mut number = maps.lead[count][squares[0]];
        // Mirroring changes the order of the other pawns.
        squares[1..count].sort_by_key(|square| maps.pawns[*square]);
        for (at, square) in squares[1..count].iter().enumerate() {
            number += maps.binomial[at + 1][maps.pawns[*square] as usize];
        }
        (squares, number)
    }

    fn number_men(&self, part: &Part, mut squares: Vec<usize>) -> (Vec<usize>, u64) {
        let maps = &*MAPS;
        if squares[0] % 8 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        if squares[0] / 8 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 56);
        }
        let leading = part.groups[0].0;
        let off = squares[..leading]
            .iter()
            .position(|square| off_diagonal(*square) != 0);
        if let Some(at) = off.filter(|at| off_diagonal(squares[*at]) > 0) {
            for square in &mut squares[at..] {
                *square = (*square >> 3 | *square << 3) & 63;
            }
        }
        let number = match self.has_unique {
            true => number_of_three(&squares),
            false => maps.kings[maps.triangle[squares[0]] as usize][squares[1]],
        };
        (squares, number)
    }
}

/// The squares of men in the order of a part; `None` if the men are others.
fn in_order_of(
    part: &Part,
    lead: Vec<(usize, u8)>,
    mut others: Vec<(usize, u8)>,
) -> Option<Vec<usize>> {
    let mut squares: Vec<usize> = lead.iter().map(|(square, _)| *square).collect();
    if squares.len() + others.len() != part.men.len() {
        return None;
    }
    for code in &part.men[squares.len()..] {
        let at = others.iter().position(|(_, other)| other == code)?;
        squares.push(others.remove(at).0);
    }
    Some(squares)
}
