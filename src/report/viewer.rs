//! The games of the page's viewer, in a compact form. The rules are not here: the caller provides a
//! [`Replay`], and the page only places letters on squares.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::data::ReportData;
use super::wording::grouped;
use crate::record::{GameRow, MoveScore, RecordError};

/// The squares of a game's board.
pub struct ViewerBoard {
    pub rows: usize,
    pub columns: usize,
    /// Row 1 is at the top, not at the bottom.
    pub row_1_at_top: bool,
    /// Dark and light squares alternate.
    pub checkered: bool,
    /// A move names a column, and its piece drops down.
    pub drops: bool,
    /// Letter, symbol on the page, and whether it belongs to white.
    pub pieces: Vec<(char, &'static str, bool)>,
    /// Row by row from the top left: whether the square is playable.
    pub played: Vec<bool>,
    /// The numbers of the playable squares; empty if moves do not use numbers.
    pub numbers: Vec<usize>,
}

/// One turn: its text, and the content of all playable squares after it.
pub struct ViewerTurn {
    pub text: String,
    pub changes: Vec<(usize, char)>,
}

/// A game move by move.
pub struct Replayed {
    /// One letter per playable square.
    pub start: String,
    pub white_begins: bool,
    pub turns: Vec<ViewerTurn>,
}

/// Replays games by their rules.
pub trait Replay {
    fn board(&self) -> ViewerBoard;

    /// `None` if a move is illegal or the opening is invalid.
    fn replay(&self, opening: &str, moves: &str) -> Option<Replayed>;
}

/// Maximum number of games on a page: a few megabytes.
const MOST: u64 = 2000;

/// Names for squares, one letter each; no board has more playable squares.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The games of a page, with a note.
pub struct Viewer {
    pub json: Value,
    pub note: Option<String>,
}

/// Interns a text: its index in a growing list.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    places: HashMap<String, usize>,
}

impl Words {
    fn place(&mut self, word: &str) -> usize {
        if let Some(place) = self.places.get(word) {
            return *place;
        }
        self.places.insert(word.to_string(), self.list.len());
        self.list.push(word.to_string());
        self.list.len() - 1
    }
}

/// Collects the games of the viewer; `None` if no game can be replayed.
pub fn collect(data: &ReportData, rules: &dyn Replay) -> Result<Option<Viewer>, RecordError> {
    let total = data.tally.game_count();
    if total == 0 {
        return Ok(None);
    }
    // Whole pairs, evenly over all runs.
    let step = total.div_ceil(MOST).max(1);
    let board = rules.board();
    let (mut players, mut endings, mut starts) =
        (Words::default(), Words::default(), Words::default());
    let mut games: Vec<Value> = Vec::new();
    let (mut index, mut broken) = (0, 0);
    for source in &data.sources {
        let mut rows: Vec<GameRow> = Vec::new();
        source.read_games(|row| {
            if (index / 2_u64).is_multiple_of(step) {
                rows.push(row);
            }
            index += 1;
            Ok(())
        })?;
        for row in &rows {
            let replayed = rules.replay(row.start(), &row.moves);
            let Some(game) = replayed.filter(|game| !game.turns.is_empty()) else {
                broken += u64::from(!row.moves.is_empty());
                continue;
            };
            games.push(json!([
                row.game,
                players.place(&row.white),
                players.place(&row.black),
                row.result.text(),
                endings.place(&row.termination),
                starts.place(&game.start),
                u8::from(game.white_begins),
                turns(&game),
                score_line(row, &game),
            ]));
        }
    }
    if games.is_empty() {
        return Ok(None);
    }
    let shown = games.len() as u64;
    let mut note = (step > 1).then(|| {
        format!(
            "The viewer contains {} of {} games: every {} opening pair of the run.",
            grouped(shown),
            grouped(total),
            ordinal(step)
        )
    });
    if broken > 0 {
        let message = format!(
            "{} games with moves that cannot be replayed are omitted.",
            grouped(broken)
        );
        note = Some(note.map_or(message.clone(), |note| format!("{note} {message}")));
    }
    let pieces: serde_json::Map<String, Value> = board
        .pieces
        .iter()
        .map(|(letter, symbol, white)| (letter.to_string(), json!([symbol, white])))
        .collect();
    let played: String = board
        .played
        .iter()
        .map(|played| if *played { '1' } else { '0' })
        .collect();
    Ok(Some(Viewer {
        json: json!({
            "rows": board.rows,
            "columns": board.columns,
            "row1AtTop": board.row_1_at_top,
            "checkered": board.checkered,
            "drops": board.drops,
            "pieces": pieces,
            "played": played,
            "numbers": board.numbers,
            "players": players.list,
            "endings": endings.list,
            "starts": starts.list,
            "games": games,
        }),
        note,
    }))
}

fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// `e4,0.kP e5,...`: every turn with its changes, a square and a letter each.
fn turns(game: &Replayed) -> String {
    let mut text = String::new();
    for turn in &game.turns {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&turn.text);
        text.push(',');
        for (square, letter) in &turn.changes {
            text.push(char::from(SQUARES[square % SQUARES.len()]));
            text.push(*letter);
        }
    }
    text
}

/// The scores of a game from white's side, in hundredths or as moves to mate: `12 -30 M4 -M2`; a
/// turn without one is `?`. Empty if the row has none, or not one for each turn.
fn score_line(row: &GameRow, game: &Replayed) -> String {
    let scores: Vec<Option<MoveScore>> = row.move_scores().collect();
    if scores.len() != game.turns.len() {
        return String::new();
    }
    let each = scores.iter().enumerate().map(|(ply, score)| {
        let white = game.white_begins == ply.is_multiple_of(2);
        score.map_or_else(|| "?".to_string(), |score| white_view(score, white))
    });
    each.collect::<Vec<_>>().join(" ")
}

/// A score of white's or black's move in the page's format.
fn white_view(score: MoveScore, white: bool) -> String {
    match if white { score } else { score.negated() } {
        MoveScore::Mate(moves) if moves < 0 => format!("-M{}", moves.unsigned_abs()),
        MoveScore::Mate(moves) => format!("M{moves}"),
        MoveScore::Plain(value) => {
            let hundredths = (100.0 * value).round().clamp(-1e7, 1e7) as i64;
            hundredths.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_turned_to_whites_side() {
        assert_eq!(white_view(MoveScore::Plain(0.35), true), "35");
        assert_eq!(white_view(MoveScore::Plain(0.35), false), "-35");
        assert_eq!(white_view(MoveScore::Plain(0.0), false), "0");
        assert_eq!(white_view(MoveScore::Mate(-3), false), "M3");
        assert_eq!(white_view(MoveScore::Mate(3), false), "-M3");
    }

    #[test]
    fn ordinals_are_words() {
        let words: Vec<String> = [2, 3, 11, 12, 21, 50].into_iter().map(ordinal).collect();
        assert_eq!(words, ["2nd", "3rd", "11th", "12th", "21st", "50th"]);
    }
}
