//! Reads collections of games, PGN and PDN, one game at a time: tags, moves and result as text.
//! The caller interprets the moves.
//!
//! Lenient where real files differ (line ends, a byte-order mark, missing blank lines, quotes inside a
//! tag, numbers joined to moves), and strict where the rest could be misread.

use std::fmt;
use std::io::{self, BufRead};

use crate::games::GameResult;

/// The format to read. The two differ in the meaning of `0-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// Chess: `0-0` is castling.
    Pgn,
    /// Draughts: `0-0` is a game that both sides lost.
    Pdn,
}

impl CollectionKind {
    pub fn from_extension(extension: &str) -> Option<CollectionKind> {
        match extension {
            "pgn" => Some(CollectionKind::Pgn),
            "pdn" => Some(CollectionKind::Pdn),
            _ => None,
        }
    }
}

/// The text of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadMove {
    /// Without number and annotation signs.
    pub text: String,
    /// Comments after it, joined by spaces.
    pub comment: String,
    pub line: usize,
}

/// The text of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadGame {
    /// The line where it starts.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    pub moves: Vec<ReadMove>,
    /// `None` for an unfinished game (`*`).
    pub result: Option<GameResult>,
}

impl ReadGame {
    /// The value of a tag; ignores the case of its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Why reading a collection failed.
#[derive(Debug)]
pub enum CollectionError {
    Text { line: usize, message: String },
    Io { line: usize, error: io::Error },
}

impl CollectionError {
    pub fn line(&self) -> usize {
        match self {
            CollectionError::Text { line, .. } | CollectionError::Io { line, .. } => *line,
        }
    }

    /// The error without the line.
    pub fn message(&self) -> String {
        match self {
            CollectionError::Text { message, .. } => message.clone(),
            CollectionError::Io { error, .. } => format!("cannot be read: {error}"),
        }
    }
}

impl fmt::Display for CollectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line(), self.message())
    }
}

impl std::error::Error for CollectionError {}

/// The games of a collection, in order. Ends after the first error: the rest cannot be trusted.
pub struct CollectionReader<R> {
    input: Bytes<R>,
    kind: CollectionKind,
    /// A tag of the next game that was read ahead, with its line.
    held: Option<(usize, (String, String))>,
    failed: bool,
}

/// The longest word, tag or comment. Longer ones lack a closing sign.
const LONGEST: usize = 1 << 20;

impl<R: BufRead> CollectionReader<R> {
    pub fn new(input: R, kind: CollectionKind) -> CollectionReader<R> {
        CollectionReader {
            input: Bytes {
                input,
                line: 1,
                line_begins: true,
            },
            kind,
            held: None,
            failed: false,
        }
    }
}

impl<R: BufRead> Iterator for CollectionReader<R> {
    type Item = Result<ReadGame, CollectionError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.game().transpose();
        self.failed = matches!(game, Some(Err(_)));
        game
    }
}

impl<R: BufRead> CollectionReader<R> {
    fn game(&mut self) -> Result<Option<ReadGame>, CollectionError> {
        let mut draft = Draft::default();
        if let Some((line, tag)) = self.held.take() {
            draft.tag(line, tag);
        }
        while let Some(byte) = self.input.peek()? {
            let line = self.input.line;
            match byte {
                b'[' if draft.open.is_empty() => {
                    // A tag after moves belongs to the next game: this one has no result.
                    if draft.has_moves {
                        break;
                    }
                    let tag = self.input.tag()?;
                    // So does a second event: this game has no moves either.
                    if tag.0 == EVENT && draft.game.tag(EVENT).is_some() {
                        self.held = Some((line, tag));
                        break;
                    }
                    draft.tag(line, tag);
                }
                b'{' | b';' => draft.comment(&self.input.comment(byte)?),
                b'%' if self.input.line_begins => self.input.skip_line()?,
                b'(' | b')' => {
                    self.input.next()?;
                    draft.variation(byte, line)?;
                }
                b'}' | b']' | b'[' => {
                    let sign = byte as char;
                    return Err(wrong(line, format!("`{sign}` does not belong here")));
                }
                _ if is_space(byte) => {
                    self.input.next()?;
                }
                _ => {
                    let word = self.input.word()?;
                    draft.word(&word, line, self.kind);
                    if draft.result.is_some() {
                        break;
                    }
                }
            }
        }
        draft.finish(self.kind)
    }
}

const EVENT: &str = "Event";

/// The game under construction.
#[derive(Default)]
struct Draft {
    game: ReadGame,
    has_moves: bool,
    /// The word that ended the game, if any.
    result: Option<Option<GameResult>>,
    /// Lines of the open variations, which are skipped.
    open: Vec<usize>,
}

impl Draft {
    fn begin(&mut self, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn tag(&mut self, line: usize, tag: (String, String)) {
        self.begin(line);
        self.game.tags.push(tag);
    }

    /// Adds a comment to the move before it. Comments before the first move are dropped.
    fn comment(&mut self, comment: &str) {
        if let Some(mv) = self.game.moves.last_mut()
            && self.open.is_empty()
            && !comment.is_empty()
        {
            if !mv.comment.is_empty() {
                mv.comment.push(' ');
            }
            mv.comment.push_str(comment);
        }
    }

    fn variation(&mut self, sign: u8, line: usize) -> Result<(), CollectionError> {
        if sign == b'(' {
            self.open.push(line);
        } else if self.open.pop().is_none() {
            return Err(wrong(line, "`)` closes no variation"));
        }
        Ok(())
    }

    fn word(&mut self, word: &str, line: usize, kind: CollectionKind) {
        if word.is_empty() || !self.open.is_empty() {
            return;
        }
        self.begin(line);
        self.has_moves = true;
        self.result = result_of(word, kind);
        if self.result.is_none()
            && let Some(text) = move_of(word)
        {
            self.game.moves.push(ReadMove {
                text: text.to_string(),
                line,
                ..ReadMove::default()
            });
        }
    }

    fn finish(mut self, kind: CollectionKind) -> Result<Option<ReadGame>, CollectionError> {
        if let Some(line) = self.open.pop() {
            return Err(wrong(line, "the variation is not closed; expected `)`"));
        }
        if self.game.line == 0 {
            return Ok(None);
        }
        let in_tag = || result_of(self.game.tag("Result")?.trim(), kind);
        self.game.result = self.result.or_else(in_tag).flatten();
        Ok(Some(self.game))
    }
}

/// The result of a word; the inner `None` is an unfinished game. Checked first, because results of
/// draughts look like moves.
fn result_of(word: &str, kind: CollectionKind) -> Option<Option<GameResult>> {
    match word {
        "1-0" | "2-0" => Some(Some(GameResult::WhiteWins)),
        "0-1" | "0-2" => Some(Some(GameResult::BlackWins)),
        "1/2-1/2" | "1/2" | "1-1" | "½-½" => Some(Some(GameResult::Draw)),
        "*" => Some(None),
        "0-0" if kind == CollectionKind::Pdn => Some(None),
        _ => None,
    }
}

/// The move in a word, without its number and its annotation signs; `None` if there is none.
fn move_of(word: &str) -> Option<&str> {
    if word.starts_with('$') || matches!(word, "e.p." | "ep") {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.is_empty() || digits.starts_with(['.', '…']) {
        digits.trim_start_matches(['.', '…'])
    } else {
        word
    };
    // Draughts collections mark a strong move with a star.
    let text = rest.trim_end_matches(['!', '?', '*']);
    (!text.is_empty()).then_some(text)
}

fn wrong(line: usize, message: impl Into<String>) -> CollectionError {
    CollectionError::Text {
        line,
        message: message.into(),
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0B
}

/// Collections are UTF-8 today and were Latin-1 when the standard was written.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The bytes of a collection with their line.
struct Bytes<R> {
    input: R,
    line: usize,
    line_begins: bool,
}

impl<R: BufRead> Bytes<R> {
    fn peek(&mut self) -> Result<Option<u8>, CollectionError> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(CollectionError::Io {
                        line: self.line,
                        error,
                    });
                }
            }
        }
    }

    fn next(&mut self) -> Result<Option<u8>, CollectionError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line_begins = byte == b'\n';
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Takes bytes while they match.
    fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> Result<Vec<u8>, CollectionError> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| fits(*byte)) {
            if bytes.len() == LONGEST {
                return Err(wrong(self.line, "a word of more than a million characters"));
            }
            bytes.push(byte);
            self.next()?;
        }
        Ok(bytes)
    }

    fn skip_line(&mut self) -> Result<(), CollectionError> {
        while self.next()?.is_some_and(|byte| byte != b'\n') {}
        Ok(())
    }

    /// A move, a number, a result or a numeric annotation. Never empty.
    fn word(&mut self) -> Result<String, CollectionError> {
        let mut bytes: Vec<u8> = self.next()?.into_iter().collect();
        bytes.extend(self.take_while(|byte| !is_space(byte) && !b"{}()[];$".contains(&byte))?);
        let text = decoded(bytes);
        // A byte-order mark at the beginning, or where files were joined.
        Ok(text.trim_start_matches('\u{FEFF}').to_string())
    }

    /// `{...}` or `; ...` to the end of the line, with normalised white space.
    fn comment(&mut self, opening: u8) -> Result<String, CollectionError> {
        let line = self.line;
        self.next()?;
        let mut bytes = Vec::new();
        loop {
            match (self.next()?, opening) {
                (Some(b'}'), b'{') | (Some(b'\n') | None, b';') => break,
                (None, _) => return Err(wrong(line, "the comment is not closed; expected `}`")),
                (Some(_), _) if bytes.len() == LONGEST => {
                    return Err(wrong(
                        line,
                        "the comment has more than a million characters; is its `}` missing?",
                    ));
                }
                (Some(byte), _) => bytes.push(byte),
            }
        }
        let text = decoded(bytes);
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(words.join(" "))
    }

    /// `[Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), CollectionError> {
        let line = self.line;
        self.next()?;
        self.take_while(is_space)?;
        let name = decoded(self.take_while(|byte| !is_space(byte) && !b"\"[]".contains(&byte))?);
        self.take_while(is_space)?;
        if name.is_empty() || self.peek()? != Some(b'"') {
            return Err(wrong(line, "not a tag; expected `[Name \"value\"]`"));
        }
        self.next()?;
        match self.tag_value()? {
            Some(value) => Ok((name, decoded(value))),
            None => Err(wrong(
                line,
                format!("the tag `{name}` is not closed; expected `[{name} \"value\"]`"),
            )),
        }
    }

    /// The rest of a tag after its first quote; `None` if it does not end on its line.
    fn tag_value(&mut self) -> Result<Option<Vec<u8>>, CollectionError> {
        let mut value = Vec::new();
        loop {
            match self.next()? {
                None | Some(b'\n') => return Ok(None),
                Some(_) if value.len() >= LONGEST => return Ok(None),
                Some(b'\\') => match self.peek()? {
                    Some(escaped @ (b'"' | b'\\')) => {
                        self.next()?;
                        value.push(escaped);
                    }
                    _ => value.push(b'\\'),
                },
                Some(b'"') => {
                    let space = self.take_while(|byte| byte == b' ' || byte == b'\t')?;
                    if self.peek()? == Some(b']') {
                        self.next()?;
                        return Ok(Some(value));
                    }
                    // Many files forget to escape the quotes of a name in the middle.
                    value.push(b'"');
                    value.extend(space);
                }
                Some(byte) => value.push(byte),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<ReadGame> {
        read(text, CollectionKind::Pgn).unwrap()
    }

    fn read(text: &str, kind: CollectionKind) -> Result<Vec<ReadGame>, String> {
        CollectionReader::new(text.as_bytes(), kind)
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }

    fn moves(game: &ReadGame) -> Vec<&str> {
        game.moves.iter().map(|mv| mv.text.as_str()).collect()
    }

    #[test]
    fn tags_moves_comments_and_results_are_read() {
        let text = "[Event \"A \\\"b\\\" c\\\\d\"]\n[Result \"1-0\"]\n\n1. e4 {best\nby test} e5 $1 $14 \
                    2.Nf3! ; to the end ) } ]\n2...Nc6?! (2... d6 (2... f6? {x)}) 3. d4) 3. Bb5 1-0\n";
        let read = games(text);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].tag("event"), Some("A \"b\" c\\d"));
        assert_eq!(moves(&read[0]), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
        assert_eq!(read[0].moves[0].comment, "best by test");
        assert_eq!(read[0].moves[2].comment, "to the end ) } ]");
        assert_eq!(read[0].moves[4].line, 6);
        assert_eq!(read[0].result, Some(GameResult::WhiteWins));
    }

    fn result(game: &ReadGame) -> &'static str {
        game.result.map_or("*", GameResult::text)
    }

    #[test]
    fn files_from_the_wild_are_understood() {
        let text = "\u{FEFF}[Event \"The \"big\" one\"]\r\n[Result \"0-1\"]\r\n1.e4 e5\r\n[Event \"two\"]\r\n\
                    1 d4 ... d5 e.p. 1/2-1/2 [Event \"three\"]\n[Event \"four\"]\n% escaped { line\n*\n\
                    1. c4 *";
        let read = games(text);
        let seen: Vec<_> = read
            .iter()
            .map(|game| (game.line, game.tag("Event"), moves(game), result(game)))
            .collect();
        assert_eq!(
            seen,
            [
                (1, Some("The \"big\" one"), vec!["e4", "e5"], "0-1"),
                (4, Some("two"), vec!["d4", "d5"], "1/2-1/2"),
                (5, Some("three"), vec![], "*"),
                (6, Some("four"), vec![], "*"),
                (9, None, vec!["c4"], "*"),
            ]
        );
    }

    #[test]
    fn results_of_draughts_are_no_moves() {
        let text = "1. 11-15 23-19 2. 8x11* 2-0  1. 11-15 1-1  1. 11-15 0-2  1. 12-16 0-0";
        let read = read(text, CollectionKind::Pdn).unwrap();
        let results: Vec<&str> = read.iter().map(result).collect();
        assert_eq!(results, ["1-0", "1/2-1/2", "0-1", "*"]);
        assert_eq!(moves(&read[0]), ["11-15", "23-19", "8x11"]);
        assert_eq!(moves(&games("1. 0-0 0-0-0 *")[0]), ["0-0", "0-0-0"]);
    }

    #[test]
    fn old_files_in_latin_1_are_understood() {
        let text = b"[White \"K\xF6nig\"] 1. e4 *";
        let mut reader = CollectionReader::new(&text[..], CollectionKind::Pgn);
        let game = reader.next().unwrap().unwrap();
        assert_eq!(game.tag("White"), Some("König"));
        assert!(reader.next().is_none());
    }

    #[test]
    fn an_error_names_the_line_and_ends_the_reading() {
        let complaint = |text: &str| read(text, CollectionKind::Pgn).unwrap_err();
        assert_eq!(
            complaint("1. e4 *\n\n1. e4 {open\n\n"),
            "line 3: the comment is not closed; expected `}`"
        );
        assert_eq!(
            complaint("1. e4\n(1. d4"),
            "line 2: the variation is not closed; expected `)`"
        );
        assert_eq!(complaint("1. e4 )"), "line 1: `)` closes no variation");
        assert_eq!(complaint("\n1. e4 ]"), "line 2: `]` does not belong here");
        assert_eq!(
            complaint("[Event \"x\n\"]"),
            "line 1: the tag `Event` is not closed; expected `[Event \"value\"]`"
        );
        assert_eq!(
            complaint("[Event x]"),
            "line 1: not a tag; expected `[Name \"value\"]`"
        );
        let mut reader = CollectionReader::new(&b"} *"[..], CollectionKind::Pgn);
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().is_none());
    }

    #[test]
    fn what_is_missing_at_the_end_of_a_file_is_no_game() {
        assert!(games("").is_empty());
        assert!(games(" \r\n\t{only a comment} ; another\n").is_empty());
    }
}
