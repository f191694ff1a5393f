//! The text that names patterns: one per line, with its squares.

use std::fmt;

use crate::eval::catalog::GameId;
use crate::games::GameFacts;
use crate::games::sets::MOST_KINDS;

/// Entries of one table, at most: an index fits 16 bits.
pub const MOST_ENTRIES: usize = 1 << 16;

/// Entries of all tables, at most.
pub const MOST_IN_ALL: usize = 1 << 21;

/// Stages, at most.
pub const MOST_STAGES: usize = 16;

/// Patterns of a set, at most.
pub const MOST_PATTERNS: usize = 256;

/// From whose side a pattern is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternView {
    /// From both: what it is worth to one side counts against the other.
    Both,
    /// From the mover's only: the table can tell whose turn it is.
    Mover,
}

impl PatternView {
    pub const ALL: [PatternView; 2] = [PatternView::Both, PatternView::Mover];

    pub const fn name(self) -> &'static str {
        match self {
            PatternView::Both => "both",
            PatternView::Mover => "mover",
        }
    }
}

/// Squares whose contents choose a weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub name: String,
    /// In the numbering of the game's [`crate::games::sets::PieceLayout`].
    pub squares: Vec<usize>,
    /// The kinds of piece that it sees; others count as empty squares.
    pub kinds: Vec<usize>,
    pub view: PatternView,
}

impl Pattern {
    /// What a square can contain.
    pub fn states(&self) -> usize {
        2 * self.kinds.len() + 1
    }

    /// Entries of its table.
    pub fn entries(&self) -> usize {
        self.states().pow(self.squares.len() as u32)
    }
}

/// The patterns of an evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSet {
    pub game: GameId,
    /// Weights of each entry, from an empty board to a full one; those of a position lie between.
    pub stages: usize,
    pub patterns: Vec<Pattern>,
}

/// A line that names no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for SpecError {}

/// The names of the kinds of piece, in the order of the layout.
pub fn kind_names(kinds: usize) -> &'static [&'static str] {
    match kinds {
        1 => &["disc"],
        2 => &["man", "king"],
        _ => &["pawn", "knight", "bishop", "rook", "queen", "king"],
    }
}

/// The name of a square: its number in games that number them, else file and row.
fn square_name(game: GameId, square: usize) -> Option<String> {
    let facts = game.facts();
    let (row, column) = (facts.layout.place)(square)?;
    if let Some(number) = game.rules().number_at(row, column) {
        return Some(number.to_string());
    }
    let file = char::from(b'a' + column as u8);
    let rank = match facts.row_1_at_top {
        true => row + 1,
        false => facts.rows - row,
    };
    Some(format!("{file}{rank}"))
}

/// What holds for the patterns that follow in the text.
struct Reading {
    game: GameId,
    facts: &'static GameFacts,
    /// The name of every square.
    names: Vec<Option<String>>,
    kinds: Vec<usize>,
    view: PatternView,
    set: PatternSet,
    in_all: usize,
}

impl PatternSet {
    /// Reads the text. The first line that counts names the game.
    pub fn parse(text: &str) -> Result<PatternSet, SpecError> {
        let mut reading: Option<Reading> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |message| SpecError {
                line: index + 1,
                message,
            };
            match &mut reading {
                None => reading = Some(Reading::of_game(line).map_err(wrong)?),
                Some(reading) => reading.take(line).map_err(wrong)?,
            }
        }
        let missing = |message: &str| SpecError {
            line: text.lines().count().max(1),
            message: message.to_string(),
        };
        let set = reading.ok_or_else(|| missing("no patterns; begin with `game NAME`"))?;
        if set.set.patterns.is_empty() {
            return Err(missing(
                "no patterns; expected lines such as `NAME: SQUARE SQUARE ...`",
            ));
        }
        Ok(set.set)
    }

    /// The text again: the same for the same patterns.
    pub fn text(&self) -> String {
        let mut text = format!("game {}\nstages {}\n", self.game.name(), self.stages);
        let layout = &self.game.facts().layout;
        let names = kind_names(layout.kinds);
        let (mut kinds, mut view) = ((0..layout.kinds).collect::<Vec<_>>(), PatternView::Both);
        for pattern in &self.patterns {
            if pattern.kinds != kinds {
                kinds.clone_from(&pattern.kinds);
                let shown: Vec<&str> = kinds.iter().map(|kind| names[*kind]).collect();
                text.push_str(&format!("pieces {}\n", shown.join(" ")));
            }
            if pattern.view != view {
                view = pattern.view;
                text.push_str(&format!("view {}\n", view.name()));
            }
            let squares = pattern.squares.iter();
            let squares = squares.filter_map(|square| square_name(self.game, *square));
            let squares: Vec<String> = squares.collect();
            text.push_str(&format!("{}: {}\n", pattern.name, squares.join(" ")));
        }
        text
    }
}

impl Reading {
    fn of_game(line: &str) -> Result<Reading, String> {
        let Some(("game", name)) = line.split_once(char::is_whitespace) else {
            return Err(format!("`{line}`: expected `game NAME` first"));
        };
        let name = name.trim();
        let game = GameId::from_name(name)
            .ok_or_else(|| format!("unknown game `{name}`; see `sparring list games`"))?;
        let facts = game.facts();
        let layout = &facts.layout;
        Ok(Reading {
            game,
            facts,
            names: (0..layout.squares)
                .map(|square| square_name(game, square))
                .collect(),
            kinds: (0..layout.kinds.min(MOST_KINDS)).collect(),
            view: PatternView::Both,
            set: PatternSet {
                game,
                stages: 2,
                patterns: Vec::new(),
            },
            in_all: 0,
        })
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        if let Some((name, squares)) = line.split_once(':') {
            return self.pattern(name.trim(), squares);
        }
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = value.trim();
        match key {
            "stages" => {
                let stages = value.parse().ok();
                let stages = stages.filter(|stages| (2..=MOST_STAGES).contains(stages));
                self.set.stages = stages
                    .ok_or_else(|| format!("stages `{value}`: expected 2 to {MOST_STAGES}"))?;
            }
            "view" => {
                let found = PatternView::ALL.into_iter().find(|it| it.name() == value);
                self.view =
                    found.ok_or_else(|| format!("view `{value}`: expected both or mover"))?;
            }
            "pieces" => self.kinds = self.read_kinds(value)?,
            _ => {
                return Err(format!(
                    "`{line}`: expected `stages N`, `pieces KIND ...`, `view both`, `view mover`, or \
                     a pattern `NAME: SQUARE SQUARE ...`"
                ));
            }
        }
        Ok(())
    }

    fn read_kinds(&self, value: &str) -> Result<Vec<usize>, String> {
        let names = kind_names(self.facts.layout.kinds);
        if value == "all" {
            return Ok((0..names.len()).collect());
        }
        let mut kinds = Vec::new();
        for word in value.split_whitespace() {
            let kind = names
                .iter()
                .position(|name| *name == word)
                .ok_or_else(|| format!("piece `{word}`: expected all, {}", names.join(", ")))?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds.sort_unstable();
        match kinds.is_empty() {
            true => Err(format!("pieces: expected all, {}", names.join(", "))),
            false => Ok(kinds),
        }
    }

    fn pattern(&mut self, name: &str, squares: &str) -> Result<(), String> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!(
                "pattern name `{name}`: expected letters, digits, `_`, `-` and `.`"
            ));
        }
        let known = self.set.patterns.iter().any(|other| other.name == name);
        if known {
            return Err(format!(
                "pattern `{name}` is there already; choose another name"
            ));
        }
        if self.set.patterns.len() == MOST_PATTERNS {
            return Err(format!("more than {MOST_PATTERNS} patterns"));
        }
        let mut found = Vec::new();
        for word in squares.split_whitespace() {
            let square = self
                .names
                .iter()
                .position(|name| name.as_deref() == Some(word));
            let square = square.ok_or_else(|| {
                let example = self.names.iter().flatten().next();
                let example = example.map_or("", String::as_str);
                format!(
                    "square `{word}`: not on the board of {}; expected names such as {example}",
                    self.game.name()
                )
            })?;
            if found.contains(&square) {
                return Err(format!("square `{word}` occurs twice in `{name}`"));
            }
            found.push(square);
        }
        if found.is_empty() {
            return Err(format!("pattern `{name}` has no squares"));
        }
        let states = 2 * self.kinds.len() + 1;
        let entries = (0..found.len()).try_fold(1_usize, |all, _| {
            Some(all * states).filter(|all| *all <= MOST_ENTRIES)
        });
        let entries = entries.ok_or_else(|| {
            format!(
                "pattern `{name}`: {} squares with {states} contents each are more than {MOST_ENTRIES} \
                 combinations; use fewer squares, or fewer `pieces`",
                found.len()
            )
        })?;
        self.in_all += entries;
        if self.in_all > MOST_IN_ALL {
            return Err(format!("more than {MOST_IN_ALL} weights with `{name}`"));
        }
        self.set.patterns.push(Pattern {
            name: name.to_string(),
            squares: found,
            kinds: self.kinds.clone(),
            view: self.view,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_set_gives_the_set_again() {
        let text = "# corners and edges\n\ngame othello\nstages 4\nview mover\ncorner: a1 b1 a2 b2 # 81\n\
                    edge: a1 b1 c1 d1 e1 f1 g1 h1\nview both\nmiddle: d4 e4 d5 e5\n";
        let set = PatternSet::parse(text).expect("a set");
        assert_eq!(set.patterns[0].squares, [0, 1, 8, 9]);
        assert_eq!(set.patterns[0].entries(), 81);
        assert_eq!(PatternSet::parse(&set.text()).expect("the same"), set);
        let draughts = "game russian\npieces man\nside: 1 5 9\npieces all\nkings: 29 25\n";
        let set = PatternSet::parse(draughts).expect("a set");
        assert_eq!(set.patterns[1].entries(), 25);
        assert_eq!(PatternSet::parse(&set.text()).expect("the same"), set);
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_number_and_the_remedy() {
        let cases = [
            ("", "1: no patterns; begin with"),
            ("corner: a1", "1: `corner: a1`: expected `game NAME` first"),
            ("game otello", "1: unknown game `otello`"),
            ("game othello\n", "1: no patterns; expected lines"),
            (
                "game othello\n\nstages 1",
                "3: stages `1`: expected 2 to 16",
            ),
            (
                "game othello\nview white",
                "2: view `white`: expected both or mover",
            ),
            (
                "game russian\npieces pawn",
                "2: piece `pawn`: expected all, man, king",
            ),
            (
                "game othello\ncorner: a1 i1",
                "2: square `i1`: not on the board of othello",
            ),
            ("game othello\ncorner: a1 a1", "2: square `a1` occurs twice"),
            (
                "game othello\nc: a1\nc: a2",
                "3: pattern `c` is there already",
            ),
            ("game othello\nc d: a1", "2: pattern name `c d`"),
            ("game othello\nc:", "2: pattern `c` has no squares"),
            (
                "game othello\ncorner a1",
                "2: `corner a1`: expected `stages N`",
            ),
            (
                "game othello\nbig: a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2",
                "2: pattern `big`: 11 squares with 3 contents each are more than 65536",
            ),
        ];
        for (text, expected) in cases {
            let error = PatternSet::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
