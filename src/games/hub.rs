//! Positions and moves of draughts as the Hub protocol writes them.
//!
//! A position is the side to move and a letter for each square, from number 1 on: `w` and `b` men, `W` and
//! `B` kings, `e` empty. A move is `32-28`, or for a capture the start, the end and every captured
//! square: `28x19x23`. So captures with the same pieces need no route.

use super::{AnyGame, AnyPosition, NotationError, Side};

/// The letters of the squares in the order of their numbers.
fn squares(position: &dyn AnyPosition) -> Vec<char> {
    let rules = position.rules();
    let facts = rules.facts();
    let mut letters: Vec<(usize, char)> = Vec::new();
    for row in 0..facts.rows {
        for column in 0..facts.columns {
            if let Some(number) = rules.number_at(row, column) {
                letters.push((number, position.letter_at(row, column)));
            }
        }
    }
    letters.sort_unstable();
    letters.into_iter().map(|(_, letter)| letter).collect()
}

/// The position in the notation of Hub.
pub fn position_text(position: &dyn AnyPosition) -> String {
    let side = match position.side_to_move() {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let letters = squares(position).into_iter();
    let letters = letters.map(|letter| if letter == '.' { 'e' } else { letter });
    std::iter::once(side).chain(letters).collect()
}

/// Reads a position in the notation of Hub.
pub fn read_position(
    rules: &dyn AnyGame,
    text: &str,
) -> Result<Box<dyn AnyPosition>, NotationError> {
    let count = squares(rules.usual_start().as_ref()).len();
    let wrong = |what: String| {
        NotationError::new(format!(
            "{what}: expected W or B, and one of w, b, W, B, e for each of {count} squares"
        ))
    };
    let mut letters = text.chars();
    let side = match letters.next() {
        Some('W' | 'w') => 'W',
        Some('B' | 'b') => 'B',
        _ => return Err(wrong("no side to move".to_string())),
    };
    let mut lists = [Vec::new(), Vec::new()];
    let mut seen = 0;
    for letter in letters {
        seen += 1;
        match letter {
            'w' => lists[0].push(seen.to_string()),
            'W' => lists[0].push(format!("K{seen}")),
            'b' => lists[1].push(seen.to_string()),
            'B' => lists[1].push(format!("K{seen}")),
            'e' => {}
            _ => return Err(wrong(format!("square {seen} is not a piece or `e`"))),
        }
    }
    if seen != count {
        return Err(wrong(format!("{seen} squares")));
    }
    rules.read_fen(&format!(
        "{side}:W{}:B{}",
        lists[0].join(","),
        lists[1].join(",")
    ))
}

/// A move: start, end, and the captured squares in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HubMove {
    from: usize,
    to: usize,
    captured: Vec<usize>,
}

/// The legal move with this index.
fn hub_move(position: &dyn AnyPosition, before: &[char], number: usize) -> Option<HubMove> {
    let text = position.legal_move(number)?.text;
    let mut ends = text.split(['-', 'x']).map(|part| part.parse().ok());
    let from = ends.next()??;
    let to = ends.next_back()??;
    let mut after = position.clone_box();
    if !after.play(number) {
        return None;
    }
    let enemies = match position.side_to_move() {
        Side::White => ['b', 'B'],
        Side::Black => ['w', 'W'],
    };
    let after = squares(after.as_ref());
    let both = before.iter().zip(&after).enumerate();
    let gone = both.filter(|(_, (old, new))| enemies.contains(old) && !enemies.contains(new));
    Some(HubMove {
        from,
        to,
        captured: gone.map(|(index, _)| index + 1).collect(),
    })
}

/// The legal move with this index in the notation of Hub.
pub fn move_text(position: &dyn AnyPosition, number: usize) -> Option<String> {
    let mv = hub_move(position, &squares(position), number)?;
    if mv.captured.is_empty() {
        return Some(format!("{}-{}", mv.from, mv.to));
    }
    let squares = [mv.from, mv.to].into_iter().chain(mv.captured);
    let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
    Some(squares.join("x"))
}

/// The index of the legal move with this text. Captured squares may be in any order, and may be missing
/// if start and end are enough.
pub fn find_move(position: &dyn AnyPosition, text: &str) -> Result<usize, NotationError> {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    let wrong = |why: &str| NotationError::new(format!("`{shown}` {why} in {}", position.fen()));
    let numbers: Option<Vec<usize>> = text
        .split(['-', 'x'])
        .map(|part| part.parse().ok())
        .collect();
    let Some([from, to, captured @ ..]) = numbers.as_deref() else {
        return Err(wrong("is not a move such as 32-28 or 28x19x23"));
    };
    let mut captured = captured.to_vec();
    captured.sort_unstable();
    let before = squares(position);
    let count = usize::try_from(position.count_moves()).unwrap_or(0);
    let mut similar = Vec::new();
    for number in 0..count {
        let Some(mv) = hub_move(position, &before, number) else {
            continue;
        };
        if (mv.from, mv.to) != (*from, *to) {
            continue;
        }
        if mv.captured == captured {
            return Ok(number);
        }
        similar.push(number);
    }
    match similar[..] {
        [only] if captured.is_empty() => Ok(only),
        _ => Err(wrong("is not a legal move")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::any;
    use crate::games::draughts::{English, Frisian, International, Russian, Turkish};

    #[test]
    fn the_start_position_is_that_of_the_protocol() {
        let start = any::rules::<International>().usual_start();
        let expected = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert_eq!(position_text(start.as_ref()), expected);
    }

    /// Random games: every position and move reads as it was written, and no two moves look the same.
    fn check<G: crate::games::Game>(games: u64) {
        let rules = any::rules::<G>();
        for game in 0..games {
            // A generator after Knuth: any sequence will do.
            let mut state = game;
            let mut draw = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                state >> 33
            };
            let mut position = rules.usual_start();
            for _ in 0..120 {
                let count = position.count_moves();
                if position.end().is_some() || count == 0 {
                    break;
                }
                let text = position_text(position.as_ref());
                let read = read_position(rules, &text).unwrap();
                assert_eq!(position_text(read.as_ref()), text);
                for number in 0..count as usize {
                    let text = move_text(position.as_ref(), number).unwrap();
                    assert_eq!(find_move(position.as_ref(), &text), Ok(number), "{text}");
                }
                assert!(position.play((draw() % count) as usize));
            }
        }
    }

    #[test]
    fn moves_and_positions_read_as_they_are_written() {
        check::<International>(6);
        check::<Frisian>(3);
        check::<Russian>(6);
        check::<English>(3);
        check::<Turkish>(3);
    }

    #[test]
    fn captured_squares_may_be_in_any_order_and_nonsense_is_refused() {
        let rules = any::rules::<International>();
        let position = rules.read_fen("W:W32:B28,19").unwrap();
        let number = find_move(position.as_ref(), "32x14x28x19").unwrap();
        assert_eq!(find_move(position.as_ref(), "32x14x19x28"), Ok(number));
        assert_eq!(find_move(position.as_ref(), "32x14"), Ok(number));
        let text = move_text(position.as_ref(), number).unwrap();
        assert_eq!(text, "32x14x19x28");
        for text in [
            "",
            "32",
            "32-27",
            "32x14x28",
            "32x14x28x20",
            "x",
            "32xx14",
            "99-98",
        ] {
            assert!(find_move(position.as_ref(), text).is_err(), "{text}");
        }
        for text in ["", "X", "W", "Wwwe", &format!("W{}", "x".repeat(50))] {
            assert!(read_position(rules, text).is_err(), "{text}");
        }
    }
}
