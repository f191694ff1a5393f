//! Results of games from any supported file: Sparring's tables, or collections of games played
//! elsewhere. In collections, the two games of an opening pair have to be matched first.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use super::collection_reader::{CollectionKind, CollectionReader, ReadGame};
use super::error::RecordError;
use super::games_reader::{read_games, read_run_games};
use super::manifest::Manifest;
use super::rows::{GameOrigin, GameRow, MoveScore, times_cell};
use crate::games::Side;

/// The omitted games of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Games without a result.
    pub unfinished: u64,
    /// Games of a player against itself: they carry no information about strength.
    pub against_itself: u64,
}

/// How much of a collection's games is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Results,
    /// Also the moves, with their scores where the comments have them.
    Moves,
}

/// Reads the results of a run directory, a `games.csv`, a `.pgn` or a `.pdn`. The games of a pair
/// are consecutive and share its number. A directory without a manifest is an error.
pub fn read_results(
    path: &Path,
    seen: impl FnMut(GameRow) -> Result<(), RecordError>,
) -> Result<LeftOut, RecordError> {
    read_each(path, Detail::Results, seen)
}

/// Like [`read_results`], with the moves of all games.
pub fn read_played(
    path: &Path,
    seen: impl FnMut(GameRow) -> Result<(), RecordError>,
) -> Result<LeftOut, RecordError> {
    read_each(path, Detail::Moves, seen)
}

fn read_each(
    path: &Path,
    detail: Detail,
    mut seen: impl FnMut(GameRow) -> Result<(), RecordError>,
) -> Result<LeftOut, RecordError> {
    if path.is_dir() {
        Manifest::read(path)?;
        read_run_games(path, |row, _| seen(row))?;
        return Ok(LeftOut::default());
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let Some(kind) = extension.and_then(CollectionKind::from_extension) else {
        read_games(path, |row, _| seen(row))?;
        return Ok(LeftOut::default());
    };
    let file = File::open(path).map_err(|error| RecordError::io(path, &error))?;
    let mut pairs = PairFinder::default();
    let mut left_out = LeftOut::default();
    for game in CollectionReader::new(BufReader::new(file), kind) {
        let wrong = |line: usize, message: String| RecordError::Game {
            path: path.to_path_buf(),
            line: line as u64,
            message,
        };
        let game = game.map_err(|error| wrong(error.line(), error.message()))?;
        let row = game_row(&game).map_err(|message| wrong(game.line, message))?;
        let Some(mut row) = row else {
            left_out.unfinished += 1;
            continue;
        };
        if detail == Detail::Moves {
            add_moves(&mut row, &game, kind);
        }
        if row.white == row.black {
            left_out.against_itself += 1;
        } else if let Some(pair) = pairs.find(row, game.tag("Round")) {
            for row in pair {
                seen(row)?;
            }
        }
    }
    pairs.singles().into_iter().try_for_each(seen)?;
    Ok(left_out)
}

/// The row of a game from its tags; fields that need the moves stay blank. `None` for a game without a
/// result.
fn game_row(game: &ReadGame) -> Result<Option<GameRow>, String> {
    let name = |tag: &str| {
        let value = game
            .tag(tag)
            .map(str::trim)
            .filter(|value| !value.is_empty());
        value
            .map(str::to_string)
            .ok_or_else(|| format!("the game has no tag {tag}: statistics need both names"))
    };
    let ending = game.tag("TerminationDetails").or(game.tag("Termination"));
    let (white, black) = (name("White")?, name("Black")?);
    Ok(game.result.map(|result| GameRow {
        game: 0,
        pair: 0,
        white,
        black,
        opening: opening_of(game),
        result,
        termination: ending.unwrap_or("").to_string(),
        plies: game.moves.len() as u64,
        white_nodes: 0,
        black_nodes: 0,
        moves: String::new(),
        first_mover: None,
        scores: String::new(),
        times: None,
        origin: None,
    }))
}

/// Adds the moves of a game and what follows from them.
fn add_moves(row: &mut GameRow, game: &ReadGame, kind: CollectionKind) {
    let start = game.tag("FEN").unwrap_or("").trim();
    let texts = game.moves.iter().map(|mv| mv.text.as_str());
    row.moves = texts.collect::<Vec<_>>().join(" ");
    row.first_mover = first_mover(start, kind);
    let first = row.first_mover;
    let scores = game.moves.iter().enumerate().map(|(ply, mv)| {
        let is_white = first.map(|first| (first == Side::White) == ply.is_multiple_of(2));
        comment_score(&mv.comment, is_white)
    });
    row.scores = MoveScore::cell(scores);
    let times = times_cell(game.moves.iter().map(|mv| comment_time(&mv.comment)));
    row.times = (!times.is_empty()).then_some(times);
    row.origin = Some(GameOrigin {
        start: start.to_string(),
        line: game.line as u64,
    });
}

/// The side that moves first; `None` if only the rules know.
fn first_mover(fen: &str, kind: CollectionKind) -> Option<Side> {
    let side = match kind {
        CollectionKind::Pgn => fen.split_whitespace().nth(1).unwrap_or("w"),
        CollectionKind::Pdn => fen.get(..1).unwrap_or(""),
    };
    match side {
        "w" | "W" => Some(Side::White),
        "b" | "B" => Some(Side::Black),
        _ => None,
    }
}

/// The score in a move's comment: `+0.35/12 ...` of match runners, from the mover's side, or
/// `[%eval 0.35]`, from white's side.
fn comment_score(comment: &str, is_white: Option<bool>) -> Option<MoveScore> {
    if let Some((_, rest)) = comment.split_once("[%eval ") {
        let text = rest.split([']', ',', ' ']).next()?;
        let score = match text.strip_prefix('#') {
            Some(moves) => MoveScore::Mate(moves.parse().ok()?),
            None => text.parse().ok()?,
        };
        return is_white.map(|white| if white { score } else { score.negated() });
    }
    let (text, _) = comment.split_whitespace().next()?.split_once('/')?;
    match text.strip_prefix('M') {
        Some(moves) => moves.parse().ok().map(MoveScore::Mate),
        None => text.parse().ok(),
    }
}

/// The time in a move's comment: `+0.35/12 0.045s` of match runners, or `[%emt 0:00:00.045]`.
fn comment_time(comment: &str) -> Option<Duration> {
    let seconds = match comment.split_once("[%emt ") {
        Some((_, rest)) => {
            let mut parts = rest.split(']').next()?.trim().split(':').rev();
            let mut seconds: f64 = parts.next()?.parse().ok()?;
            for (part, unit) in parts.zip([60.0, 3600.0]) {
                seconds += unit * part.parse::<f64>().ok()?;
            }
            seconds
        }
        None => {
            let mut words = comment.split_whitespace();
            words.next()?.split_once('/')?;
            words
                .next()?
                .trim_end_matches(',')
                .strip_suffix('s')?
                .parse()
                .ok()?
        }
    };
    Duration::try_from_secs_f64(seconds).ok()
}

/// The opening as far as the collection shows it: the start position, and moves marked as book moves by
/// match runners. Blank for games from the usual start.
fn opening_of(game: &ReadGame) -> String {
    let mut text = game.tag("FEN").unwrap_or("").to_string();
    let from_book = game
        .moves
        .iter()
        .take_while(|mv| mv.comment.starts_with("book"));
    for mv in from_book {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&mv.text);
    }
    text
}

/// Two players, sorted by name, and their opening.
type PairKey = (String, String, String);

/// Finds the other game of an opening pair: same players, same opening, colours swapped, and the
/// same round where rounds are counted by pairs.
#[derive(Default)]
struct PairFinder {
    waiting: HashMap<PairKey, Vec<Waiting>>,
    found: u64,
    games: u64,
}

struct Waiting {
    row: GameRow,
    round: String,
}

impl PairFinder {
    /// The game with the other game of its pair, if that came before.
    fn find(&mut self, mut row: GameRow, round: Option<&str>) -> Option<[GameRow; 2]> {
        self.games += 1;
        row.game = self.games;
        let (one, other) = (row.white.clone(), row.black.clone());
        let key = if one < other {
            (one, other, row.opening.clone())
        } else {
            (other, one, row.opening.clone())
        };
        let round = round_of_pair(round.unwrap_or(""));
        let waiting = self.waiting.entry(key).or_default();
        let swapped = |other: &Waiting| other.row.white == row.black;
        let same_round = waiting
            .iter()
            .position(|other| swapped(other) && !round.is_empty() && other.round == round);
        // From the usual start, only a common round shows that two games are a pair.
        let any = || {
            let known = !row.opening.is_empty();
            waiting.iter().position(|other| known && swapped(other))
        };
        let Some(at) = same_round.or_else(any) else {
            let round = round.to_string();
            waiting.push(Waiting { row, round });
            return None;
        };
        let mut first = waiting.remove(at).row;
        self.found += 1;
        (first.pair, row.pair) = (self.found, self.found);
        Some([first, row])
    }

    /// The unpaired games, in the order of the file.
    fn singles(self) -> Vec<GameRow> {
        let mut rows: Vec<GameRow> = self
            .waiting
            .into_values()
            .flatten()
            .map(|waiting| waiting.row)
            .collect();
        rows.sort_by_key(|row| row.game);
        for (index, row) in rows.iter_mut().enumerate() {
            // A unique number, so that it does not count as a pair.
            row.pair = self.found + 1 + index as u64;
        }
        rows
    }
}

/// The pair number of a round: Sparring writes `12.1` and `12.2`, other programs the same number twice.
fn round_of_pair(round: &str) -> &str {
    let round = round.trim();
    match round {
        "?" | "-" => "",
        _ => round.split('.').next().unwrap_or(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(white: &str, black: &str, opening: &str) -> GameRow {
        let text =
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[FEN \"{opening}\"]\n\n1. e4 1-0\n");
        let text = text.replace("[FEN \"\"]\n", "");
        let mut reader = CollectionReader::new(text.as_bytes(), CollectionKind::Pgn);
        game_row(&reader.next().unwrap().unwrap()).unwrap().unwrap()
    }

    #[test]
    fn scores_of_comments_are_from_the_movers_side() {
        let plain = |value: f64| Some(MoveScore::Plain(value));
        for (comment, is_white, expected) in [
            ("+0.35/12 0.51s", None, plain(0.35)),
            ("-1.20/4 123n", Some(false), plain(-1.2)),
            ("0.00/10 0s, Draw by 3-fold repetition", None, plain(0.0)),
            ("+M5/20 0.1s", None, Some(MoveScore::Mate(5))),
            ("M5/20", None, Some(MoveScore::Mate(5))),
            ("-M2/20", None, Some(MoveScore::Mate(-2))),
            ("[%eval 0.35] [%clk 0:00:10]", Some(false), plain(-0.35)),
            ("[%eval #-3]", Some(true), Some(MoveScore::Mate(-3))),
            ("[%eval 0.35]", None, None),
            ("book", Some(true), None),
            ("and/or", Some(true), None),
            ("", Some(true), None),
        ] {
            assert_eq!(comment_score(comment, is_white), expected, "{comment}");
        }
    }

    #[test]
    fn times_of_comments_are_read_where_they_are_given() {
        for (comment, milliseconds) in [
            ("+0.35/12 0.51s", Some(510)),
            ("+0.35/12 0.045s, White mates", Some(45)),
            ("0.00/10 0s, Draw by 3-fold repetition", Some(0)),
            ("-1.20/4 2.5s 123n [%clk 0:00:09.5]", Some(2500)),
            ("[%eval 0.35] [%emt 0:01:02.25]", Some(62250)),
            ("[%emt 1:00:00]", Some(3_600_000)),
            ("+0.35/12 123n", None),
            ("+0.35/12 -1s", None),
            ("+0.35/12 NaNs", None),
            ("[%emt x]", None),
            ("book", None),
            ("", None),
        ] {
            let expected = milliseconds.map(Duration::from_millis);
            assert_eq!(comment_time(comment), expected, "{comment}");
        }
    }

    #[test]
    fn moves_are_read_from_the_start_position_and_book_moves_name_the_opening() {
        let text =
            "[White \"a\"]\n[Black \"b\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.30/5 1s} 1-0\n";
        let mut reader = CollectionReader::new(text.as_bytes(), CollectionKind::Pgn);
        let game = reader.next().unwrap().unwrap();
        let mut row = game_row(&game).unwrap().unwrap();
        assert_eq!(row.moves, "");
        add_moves(&mut row, &game, CollectionKind::Pgn);
        assert_eq!((row.opening.as_str(), row.start()), ("e4 e5", ""));
        assert_eq!(row.moves, "e4 e5 Nf3");
        assert_eq!(row.scores, "? ? +0.30");
    }

    /// Game numbers of the pairs found, and of what stayed alone.
    fn found(games: &[(&str, &str, &str, Option<&str>)]) -> (Vec<[u64; 2]>, Vec<u64>) {
        let mut finder = PairFinder::default();
        let pairs = games
            .iter()
            .filter_map(|(white, black, opening, round)| {
                finder.find(row(white, black, opening), *round)
            })
            .map(|pair| pair.map(|row| row.game));
        let pairs = pairs.collect();
        let singles = finder.singles().iter().map(|row| row.game).collect();
        (pairs, singles)
    }

    #[test]
    fn pairs_are_found_by_opening_and_colours_in_any_order() {
        let games = [
            ("a", "b", "x", None),
            ("a", "b", "y", None),
            ("b", "a", "y", None),
            ("b", "a", "x", None),
            ("a", "c", "x", None),
            ("a", "b", "x", None),
        ];
        assert_eq!(found(&games), (vec![[2, 3], [1, 4]], vec![5, 6]));
    }

    #[test]
    fn a_common_round_comes_before_an_earlier_game() {
        let games = [
            ("a", "b", "x", Some("1")),
            ("a", "b", "x", Some("2")),
            ("b", "a", "x", Some("2")),
            ("b", "a", "x", Some("1")),
        ];
        assert_eq!(found(&games), (vec![[2, 3], [1, 4]], vec![]));
    }

    #[test]
    fn games_from_the_usual_start_are_pairs_only_by_their_round() {
        let games = [("a", "b", "", Some("1.1")), ("b", "a", "", Some("1.2"))];
        assert_eq!(found(&games), (vec![[1, 2]], vec![]));
        let games = [("a", "b", "", Some("1")), ("b", "a", "", Some("2"))];
        assert_eq!(found(&games), (vec![], vec![1, 2]));
        let games = [("a", "b", "", Some("?")), ("b", "a", "", Some("?"))];
        assert_eq!(found(&games), (vec![], vec![1, 2]));
    }
}
