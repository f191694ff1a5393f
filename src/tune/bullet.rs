//! bulletformat, the 32 bytes per position that bullet trains on: chess from the mover's side.

use super::positions::Labelled;
use crate::games::{AnyGame, Side};

/// Bytes of a position.
pub const RECORD: usize = 32;

/// The letters of black pieces by kind, as in FEN.
const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

/// A square as the mover sees it.
fn seen(mover: Side, square: usize) -> usize {
    match mover {
        Side::White => square,
        Side::Black => square ^ 56,
    }
}

/// The record of a chess position. A position without a score gets 0.
pub fn record(labelled: &Labelled) -> [u8; RECORD] {
    let position = labelled.position.as_ref();
    let (sets, mover) = (position.piece_sets(), position.side_to_move());
    let mut pieces: Vec<(usize, u8)> = Vec::with_capacity(32);
    let mut kings = [0_u8; 2];
    for side in Side::BOTH {
        for (kind, set) in sets[side as usize].iter().enumerate() {
            for square in (0..64).filter(|square| set >> square & 1 == 1) {
                let at = seen(mover, square);
                let of_other = side != mover;
                pieces.push((at, kind as u8 | u8::from(of_other) << 3));
                if LETTERS[kind] == 'k' {
                    // Each king from its own side.
                    kings[usize::from(of_other)] = (if of_other { at ^ 56 } else { at }) as u8;
                }
            }
        }
    }
    pieces.sort_unstable();
    let sign = f64::from(mover.sign());
    let score = labelled.score.map_or(0.0, |score| (score * sign).round());
    let score = score.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16;
    let points = match mover {
        Side::White => labelled.result,
        Side::Black => 1.0 - labelled.result,
    };
    let mut bytes = [0; RECORD];
    let occupied = pieces.iter().fold(0_u64, |set, (at, _)| set | 1 << at);
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    for (index, (_, piece)) in pieces.iter().take(32).enumerate() {
        bytes[8 + index / 2] |= piece << (4 * (index % 2));
    }
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = (2.0 * points).round() as u8;
    bytes[27..29].copy_from_slice(&kings);
    bytes
}

/// The position of a record, with the mover as white: the file does not say who it was.
pub fn read_record(rules: &dyn AnyGame, bytes: &[u8; RECORD]) -> Result<Labelled, String> {
    let word = |from: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[from..from + 8]);
        u64::from_le_bytes(eight)
    };
    let occupied = word(0);
    if occupied.count_ones() > 32 {
        return Err(format!(
            "{} pieces, expected at most 32",
            occupied.count_ones()
        ));
    }
    let mut board = [None; 64];
    let squares = (0..64).filter(|square| occupied >> square & 1 == 1);
    for (index, square) in squares.enumerate() {
        let piece = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let letter = LETTERS.get(usize::from(piece & 7));
        let letter = letter.ok_or_else(|| format!("a piece of kind {}", piece & 7))?;
        board[square] = Some(match piece & 8 {
            0 => letter.to_ascii_uppercase(),
            _ => *letter,
        });
    }
    let ranks = board.chunks(8).rev().map(|rank| {
        let mut text = String::new();
        let mut empty = 0;
        for square in rank.iter().chain([&Some('/')]) {
            match square {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(*letter);
                }
            }
        }
        text
    });
    let ranks: String = ranks.collect();
    let fen = format!("{} w - - 0 1", ranks.trim_end_matches('/'));
    let result = match bytes[26] {
        points @ 0..=2 => f64::from(points) / 2.0,
        other => return Err(format!("the result {other}, expected 0, 1 or 2")),
    };
    Ok(Labelled {
        position: rules.read_fen(&fen).map_err(|error| error.to_string())?,
        result,
        score: Some(f64::from(i16::from_le_bytes([bytes[24], bytes[25]]))),
        game: None,
        split: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::catalog::GameId;

    fn labelled(fen: &str, result: f64, score: f64) -> Labelled {
        Labelled {
            position: GameId::Chess.rules().read_fen(fen).expect("a position"),
            result,
            score: Some(score),
            game: None,
            split: None,
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Written by `struct.pack` in Python, from the description of the format.
    const RECORDS: [(&str, f64, f64, &str); 2] = [
        (
            "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
            1.0,
            35.0,
            "1000100000000010050d00000000000000000000000000002300020404000000",
        ),
        (
            "r3k3/8/8/3p4/8/8/6Q1/4K2R b - - 0 1",
            0.5,
            -120.0,
            "110000080000409053c0bd000000000000000000000000007800010404000000",
        ),
    ];

    #[test]
    fn records_equal_those_of_an_independent_writer_and_are_read_back() {
        for (fen, result, score, expected) in RECORDS {
            let bytes = record(&labelled(fen, result, score));
            assert_eq!(hex(&bytes), expected, "{fen}");
            let read = read_record(GameId::Chess.rules(), &bytes).expect("a record");
            // Seen from the mover, who becomes white.
            assert_eq!(record(&read), bytes, "{fen}");
        }
    }

    #[test]
    fn a_damaged_record_is_refused_with_the_reason() {
        let good = record(&labelled(RECORDS[0].0, 1.0, 0.0));
        let refused = |at: usize, byte: u8| {
            let mut bytes = good;
            bytes[at] = byte;
            read_record(GameId::Chess.rules(), &bytes).expect_err("damage")
        };
        assert_eq!(refused(26, 3), "the result 3, expected 0, 1 or 2");
        assert_eq!(refused(8, 0x66), "a piece of kind 6");
    }
}
