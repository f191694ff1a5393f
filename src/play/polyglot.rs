//! Polyglot opening books of chess: the file, and the moves of a position.
//!
//! An entry has 16 bytes, big-endian: key of the position, move, weight, and four bytes for programs
//! that learn. Entries are sorted by key.

use std::fmt;

use super::stream::Stream;
use crate::games::{AnyGame, AnyPosition, Side};

/// How the moves of a book are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookChoice {
    /// By their weights; moves of weight 0 are not played.
    Weighted,
    /// All alike.
    Uniform,
}

impl BookChoice {
    pub const ALL: [BookChoice; 2] = [BookChoice::Weighted, BookChoice::Uniform];

    pub const fn name(self) -> &'static str {
        match self {
            BookChoice::Weighted => "weighted",
            BookChoice::Uniform => "uniform",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// A book in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct PolyglotBook {
    /// Sorted by key.
    entries: Vec<Entry>,
}

/// Books are large.
impl fmt::Debug for PolyglotBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolyglotBook of {} entries", self.entries.len())
    }
}

/// A book's move: its index among the legal moves, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub number: usize,
    pub weight: u16,
}

const ENTRY: usize = 16;

impl PolyglotBook {
    /// Reads the bytes of a file; the error says what is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<PolyglotBook, String> {
        let (chunks, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(format!(
                "{} bytes: a Polyglot book has {ENTRY} for each entry; is the file complete?",
                bytes.len()
            ));
        }
        let entries: Vec<Entry> = chunks.iter().map(entry).collect();
        if entries.is_empty() {
            return Err("contains no move".to_string());
        }
        match entries.windows(2).position(|two| two[0].key > two[1].key) {
            Some(at) => Err(format!(
                "entry {} is out of order: no Polyglot book, or a damaged one",
                at + 2
            )),
            None => Ok(PolyglotBook { entries }),
        }
    }

    /// The legal moves of the book in a position with this key, in the book's order.
    pub fn moves(&self, position: &dyn AnyPosition, key: u64) -> Vec<BookMove> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let entries = self.entries[first..].iter();
        let here = entries.take_while(|entry| entry.key == key);
        here.filter_map(|entry| {
            let number = position.find_move(&move_text(entry.mv)).ok()?;
            let weight = entry.weight;
            Some(BookMove { number, weight })
        })
        .collect()
    }

    /// The position after at most `plies` moves of the book from the usual start; `None` if the book has
    /// no move there. Where the book ends earlier, so does the opening.
    pub fn walk(
        &self,
        rules: &dyn AnyGame,
        plies: u32,
        choice: BookChoice,
        stream: &mut Stream,
    ) -> Option<Box<dyn AnyPosition>> {
        let mut position = rules.usual_start();
        let mut last = None;
        for ply in 0..plies {
            let key = polyglot_key(position.as_ref(), last.as_deref());
            let Some(mv) = pick(&self.moves(position.as_ref(), key), choice, stream) else {
                return (ply > 0).then_some(position);
            };
            let mut next = position.clone();
            last = position.legal_move(mv.number).map(|mv| mv.text);
            // The game must not be over after the opening.
            if !next.play(mv.number) || next.end().is_some() {
                return Some(position);
            }
            position = next;
        }
        Some(position)
    }
}

fn entry(bytes: &[u8; ENTRY]) -> Entry {
    let number = |from: usize, to: usize| {
        let part = &bytes[from..to];
        part.iter()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    Entry {
        key: number(0, 8),
        mv: number(8, 10) as u16,
        weight: number(10, 12) as u16,
    }
}

/// A move as text; castling is king takes rook.
fn move_text(mv: u16) -> String {
    let part = |shift: u32| (mv >> shift & 7) as u8;
    let square = |file: u8, rank: u8| [char::from(b'a' + file), char::from(b'1' + rank)];
    let [from, to] = [square(part(6), part(9)), square(part(0), part(3))];
    let promotion = match part(12) {
        1 => "n",
        2 => "b",
        3 => "r",
        4 => "q",
        _ => "",
    };
    from.iter().chain(&to).collect::<String>() + promotion
}

fn pick(moves: &[BookMove], choice: BookChoice, stream: &mut Stream) -> Option<BookMove> {
    let weight = |mv: &BookMove| match choice {
        BookChoice::Weighted => u64::from(mv.weight),
        BookChoice::Uniform => 1,
    };
    let total: u64 = moves.iter().map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut drawn = stream.below(total);
    moves.iter().copied().find(|mv| {
        let share = weight(mv);
        let is_it = drawn < share;
        drawn = drawn.saturating_sub(share);
        is_it
    })
}

/// The key of a position of chess; 0 for other games. `last` is the move that led to it: an en passant
/// square counts if a pawn stands beside the one that moved, pinned or not.
pub fn polyglot_key(position: &dyn AnyPosition, last: Option<&str>) -> u64 {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let square = last.and_then(|last| en_passant(position, last));
    if let (Some(square), Some(field)) = (&square, fields.get_mut(3)) {
        *field = square;
    }
    polyglot_book_rs::hash::polyglot_hash_from_fen(&fields.join(" ")).unwrap_or(0)
}

/// The square behind a pawn that has just moved two ranks, if an enemy pawn stands beside it.
fn en_passant(position: &dyn AnyPosition, last: &str) -> Option<String> {
    let [file, from, to_file, to] = *last.as_bytes() else {
        return None;
    };
    let (pawn, behind) = match position.side_to_move() {
        Side::Black => (b"24", '3'),
        Side::White => (b"75", '6'),
    };
    if file != to_file || [from, to] != *pawn {
        return None;
    }
    let column = usize::from(file.checked_sub(b'a')?);
    let row = usize::from(b'8'.checked_sub(to)?);
    let (own, enemy) = match position.side_to_move() {
        Side::Black => ('P', 'p'),
        Side::White => ('p', 'P'),
    };
    let columns = position.rules().facts().columns;
    let beside = [
        column.checked_sub(1),
        Some(column + 1).filter(|it| *it < columns),
    ];
    let mut beside = beside.into_iter().flatten();
    let can_take = beside.any(|column| position.letter_at(row, column) == enemy);
    (position.letter_at(row, column) == own && can_take)
        .then(|| format!("{}{behind}", char::from(file)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::games::any;
    use crate::games::chess::Chess;
    use crate::play::Purpose;

    const BOOK: &[u8] = include_bytes!("../../tests/data/books/polyglot.bin");
    const MOVES: &str = include_str!("../../tests/data/books/polyglot.csv");
    const KEYS: &str = include_str!("../../tests/data/books/polyglot-keys.csv");

    /// The position after moves from the start, and its key.
    fn reached(moves: &str) -> (Box<dyn AnyPosition>, u64) {
        let mut position = any::rules::<Chess>().usual_start();
        let mut last = None;
        for text in moves.split_whitespace() {
            position.play_text(text).unwrap();
            last = Some(text);
        }
        let key = polyglot_key(position.as_ref(), last);
        (position, key)
    }

    #[test]
    fn keys_are_the_published_ones_and_those_of_an_independent_program() {
        let mut seen = 0;
        for line in KEYS.lines().skip(1) {
            let (key, moves) = line.split_once(',').unwrap();
            let expected = u64::from_str_radix(key, 16).unwrap();
            assert_eq!(reached(moves).1, expected, "{moves}");
            seen += 1;
        }
        assert_eq!(seen, 159);
    }

    #[test]
    fn a_book_of_polyglot_reads_as_an_independent_program_reads_it() {
        let book = PolyglotBook::read(BOOK).unwrap();
        let mut entries = 0;
        for line in MOVES.lines().skip(1) {
            let [key, moves, expected] = *line.split(',').collect::<Vec<_>>() else {
                panic!("{line}");
            };
            let (position, own) = reached(moves);
            assert_eq!(format!("{own:016x}"), key, "{moves}");
            let found = book.moves(position.as_ref(), own);
            let shown: Vec<String> = found
                .iter()
                .map(|mv| {
                    let text = position.legal_move(mv.number).unwrap().text;
                    format!("{text}:{}", mv.weight)
                })
                .collect();
            assert_eq!(shown.join(" "), expected, "{moves}");
            entries += found.len();
        }
        // Those that moves of the book lead to.
        assert_eq!(entries, 262);
    }

    #[test]
    fn weights_decide_how_often_a_move_is_chosen() {
        let book = PolyglotBook::read(BOOK).unwrap();
        let rules = any::rules::<Chess>();
        let (start, key) = reached("");
        let moves = book.moves(start.as_ref(), key);
        let total: u64 = moves.iter().map(|mv| u64::from(mv.weight)).sum();
        for choice in BookChoice::ALL {
            let mut counts: HashMap<u64, u32> = HashMap::new();
            const DRAWS: u64 = 4000;
            for pair in 1..=DRAWS {
                let mut stream = Stream::new(3, pair, Purpose::Opening);
                let position = book.walk(rules, 1, choice, &mut stream).unwrap();
                *counts.entry(position.hash()).or_default() += 1;
            }
            for mv in &moves {
                let mut after = start.clone();
                assert!(after.play(mv.number));
                let share = match choice {
                    BookChoice::Weighted => f64::from(mv.weight) / total as f64,
                    BookChoice::Uniform => 1.0 / moves.len() as f64,
                };
                let expected = share * DRAWS as f64;
                let found = f64::from(counts.get(&after.hash()).copied().unwrap_or(0));
                // Five standard deviations of a binomial count.
                let tolerance = 5.0 * (expected * (1.0 - share)).sqrt();
                assert!(
                    (found - expected).abs() <= tolerance,
                    "{choice:?} {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn the_same_stream_leads_to_the_same_opening_and_a_book_may_end_early() {
        let book = PolyglotBook::read(BOOK).unwrap();
        let rules = any::rules::<Chess>();
        let walk = |plies| {
            let mut stream = Stream::new(1, 1, Purpose::Opening);
            book.walk(rules, plies, BookChoice::Weighted, &mut stream)
                .unwrap()
                .fen()
        };
        assert_eq!(walk(8), walk(8));
        assert_eq!(walk(90), walk(200));
        assert_ne!(walk(2), walk(90));
    }

    #[test]
    fn damaged_books_are_refused() {
        let refused = |bytes: &[u8]| PolyglotBook::read(bytes).unwrap_err();
        assert!(refused(&[]).contains("no move"));
        assert!(refused(&BOOK[..100]).contains("100 bytes"));
        let mut turned = BOOK.to_vec();
        turned.rotate_left(ENTRY);
        assert!(refused(&turned).contains("out of order"));
        // Entries whose moves are not legal are passed over.
        let mut wrong = BOOK.to_vec();
        wrong
            .chunks_mut(ENTRY)
            .for_each(|entry| entry[8..10].fill(0xff));
        let (start, key) = reached("");
        assert_eq!(
            PolyglotBook::read(&wrong)
                .unwrap()
                .moves(start.as_ref(), key),
            []
        );
    }
}
