//! Writes games as PGN and PDN, in the export format of the PGN standard.

use std::time::Duration;

use super::rows::MoveScore;
use crate::games::{GameResult, Side};

/// The format of a game's collections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionFormat {
    /// `pgn` or `pdn`: also the file's extension.
    pub extension: &'static str,
    /// Tags of every game in addition to the seven of the roster.
    pub tags: Vec<(String, String)>,
}

/// What stands in the comments of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentStyle {
    /// `+0.31/12 0.045s 1234n`, as match runners write.
    #[default]
    Plain,
    /// `[%eval 0.31,12] [%emt 0:00:00.045]`, as websites and libraries read. Scores are white's view.
    Commands,
    /// No comments.
    None,
}

impl CommentStyle {
    pub const ALL: [CommentStyle; 3] = [
        CommentStyle::Plain,
        CommentStyle::Commands,
        CommentStyle::None,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            CommentStyle::Plain => "plain",
            CommentStyle::Commands => "commands",
            CommentStyle::None => "none",
        }
    }

    /// The comment of a move.
    pub fn comment(self, facts: &MoveFacts) -> String {
        let parts = match self {
            CommentStyle::Plain => facts.plain(),
            CommentStyle::Commands => facts.commands(),
            CommentStyle::None => Vec::new(),
        };
        parts.join(" ")
    }
}

/// What is known of a move besides itself.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    pub mover: Side,
    /// From the mover's side.
    pub score: Option<MoveScore>,
    pub depth: u32,
    pub nodes: u64,
    pub time: Option<Duration>,
    /// Left on the mover's clock.
    pub left: Option<Duration>,
}

impl MoveFacts {
    fn plain(&self) -> Vec<String> {
        let depth = self.depth;
        let score = self.score.map(|score| format!("{score}/{depth}"));
        let mut parts = vec![score.unwrap_or_else(|| depth.to_string())];
        let seconds = |time: Duration| format!("{:.3}s", time.as_secs_f64());
        parts.extend(self.time.map(seconds));
        parts.push(format!("{}n", self.nodes));
        parts.extend(self.clock());
        parts
    }

    fn commands(&self) -> Vec<String> {
        let white = |score: MoveScore| match self.mover {
            Side::White => score,
            Side::Black => score.negated(),
        };
        let eval = self.score.map(white).map(|score| match score {
            MoveScore::Mate(moves) => format!("[%eval #{moves},{}]", self.depth),
            MoveScore::Plain(value) => format!("[%eval {value:.2},{}]", self.depth),
        });
        let time = self.time.map(|time| format!("[%emt {}]", clock_text(time)));
        [eval, time, self.clock()].into_iter().flatten().collect()
    }

    fn clock(&self) -> Option<String> {
        self.left.map(|left| format!("[%clk {}]", clock_text(left)))
    }
}

/// Hours, minutes and seconds: `0:01:02.345`.
fn clock_text(time: Duration) -> String {
    let milliseconds = (time.as_micros() + 500) / 1000;
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    format!(
        "{}:{:02}:{:02}.{milliseconds:03}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// A move with its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    pub text: String,
    /// Written in braces after the move: score, nodes.
    pub comment: String,
}

/// One game ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    pub event: String,
    pub site: String,
    /// `2026.11.19`; unknown in games that are the same on every day.
    pub date: Option<String>,
    /// The pair and the game within it, such as `12.1`.
    pub round: String,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    /// A word of the standard: `normal`, `adjudication`, ...
    pub termination: String,
    /// The termination as in the logs, such as `checkmate`.
    pub ending: String,
    /// FEN of the first position, unless it is the usual start.
    pub opening: Option<String>,
    /// Whether the first move here is made by the side that moves second in the usual game (black
    /// in chess, white in english draughts), and the number of that move.
    pub second_side_begins: bool,
    pub first_number: u32,
    /// Further tags of this game.
    pub tags: Vec<(&'static str, String)>,
    pub moves: Vec<MoveText>,
}

/// The longest line of movetext: the standard discourages lines of 80 characters or more.
const WIDTH: usize = 79;

impl CollectionFormat {
    /// The game with its tags, moves and result, and an empty line at the end.
    pub fn write(&self, game: &GameText) -> String {
        let mut text = String::new();
        let roster = [
            ("Event", game.event.as_str()),
            ("Site", game.site.as_str()),
            ("Date", game.date.as_deref().unwrap_or("????.??.??")),
            ("Round", &game.round),
            ("White", &game.white),
            ("Black", &game.black),
            ("Result", game.result.text()),
        ];
        for (name, value) in roster {
            push_tag(&mut text, name, value);
        }
        let plies = game.moves.len().to_string();
        let mut others: Vec<(&str, &str)> = self
            .tags
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let own = game.tags.iter();
        others.extend(own.map(|(name, value)| (*name, value.as_str())));
        if let Some(opening) = &game.opening {
            others.extend([("FEN", opening.as_str()), ("SetUp", "1")]);
        }
        others.extend([
            ("PlyCount", plies.as_str()),
            ("Termination", &game.termination),
            ("TerminationDetails", &game.ending),
        ]);
        // The standard requires the roster first, then the others sorted by name.
        others.sort_unstable();
        for (name, value) in others {
            push_tag(&mut text, name, value);
        }
        text.push('\n');
        push_movetext(&mut text, game);
        text.push('\n');
        text
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace(char::is_control, " ");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

fn push_movetext(text: &mut String, game: &GameText) {
    let mut line = 0;
    let mut push = |token: &str| {
        let length = token.chars().count();
        if line > 0 && line + 1 + length > WIDTH {
            text.push('\n');
            line = 0;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        text.push_str(token);
        line += length;
    };
    let offset = usize::from(game.second_side_begins);
    for (index, mv) in game.moves.iter().enumerate() {
        let number = game.first_number as usize + (index + offset) / 2;
        if (index + offset) % 2 == 0 {
            push(&format!("{number}."));
        } else if index == 0 || !game.moves[index - 1].comment.is_empty() {
            // After a comment the standard requires the number again.
            push(&format!("{number}..."));
        }
        push(&mv.text);
        if !mv.comment.is_empty() {
            // Comments may be wrapped like other text.
            let comment = format!("{{{}}}", mv.comment.replace(['{', '}'], ""));
            for word in comment.split_whitespace() {
                push(word);
            }
        }
    }
    push(game.result.text());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> GameText {
        let mv = |text: &str, comment: &str| MoveText {
            text: text.to_string(),
            comment: comment.to_string(),
        };
        GameText {
            site: "sparring".to_string(),
            date: None,
            tags: Vec::new(),
            event: "a \"quoted\" back\\slash\nand a line".to_string(),
            round: "1.1".to_string(),
            white: "one".to_string(),
            black: "two".to_string(),
            result: GameResult::BlackWins,
            termination: "normal".to_string(),
            ending: "checkmate".to_string(),
            opening: None,
            second_side_begins: false,
            first_number: 1,
            moves: vec![
                mv("f3", "-0.10/2 20n"),
                mv("e5", "{odd} braces"),
                mv("g4", ""),
                mv("Qh4#", ""),
            ],
        }
    }

    #[test]
    fn a_game_is_written_in_the_export_format() {
        let format = CollectionFormat {
            extension: "pgn",
            tags: vec![("Variant".to_string(), "Chess960".to_string())],
        };
        let expected = r#"[Event "a \"quoted\" back\\slash and a line"]
[Site "sparring"]
[Date "????.??.??"]
[Round "1.1"]
[White "one"]
[Black "two"]
[Result "0-1"]
[PlyCount "4"]
[Termination "normal"]
[TerminationDetails "checkmate"]
[Variant "Chess960"]

1. f3 {-0.10/2 20n} 1... e5 {odd braces} 2. g4 Qh4# 0-1

"#;
        assert_eq!(format.write(&game()), expected);
    }

    #[test]
    fn comments_hold_score_depth_time_nodes_and_clock() {
        let facts = MoveFacts {
            mover: Side::Black,
            score: Some(MoveScore::Plain(0.31)),
            depth: 12,
            nodes: 1234,
            time: Some(Duration::from_micros(45_400)),
            left: Some(Duration::from_micros(3_725_999_600)),
        };
        let untimed = MoveFacts {
            time: None,
            left: None,
            ..facts
        };
        let mated = MoveFacts {
            score: Some(MoveScore::Mate(-3)),
            left: None,
            ..facts
        };
        let unknown = MoveFacts {
            score: None,
            ..untimed
        };
        for (style, facts, expected) in [
            (
                CommentStyle::Plain,
                facts,
                "+0.31/12 0.045s 1234n [%clk 1:02:06.000]",
            ),
            (CommentStyle::Plain, untimed, "+0.31/12 1234n"),
            (CommentStyle::Plain, mated, "-M3/12 0.045s 1234n"),
            (CommentStyle::Plain, unknown, "12 1234n"),
            (
                CommentStyle::Commands,
                facts,
                "[%eval -0.31,12] [%emt 0:00:00.045] [%clk 1:02:06.000]",
            ),
            (
                CommentStyle::Commands,
                mated,
                "[%eval #3,12] [%emt 0:00:00.045]",
            ),
            (CommentStyle::Commands, unknown, ""),
            (CommentStyle::None, facts, ""),
        ] {
            assert_eq!(style.comment(&facts), expected);
        }
    }

    #[test]
    fn a_set_up_position_is_given_and_the_numbers_follow_it() {
        let format = CollectionFormat {
            extension: "pgn",
            tags: Vec::new(),
        };
        let game = GameText {
            opening: Some("some position".to_string()),
            second_side_begins: true,
            first_number: 7,
            ..game()
        };
        let text = format.write(&game);
        assert!(text.contains(
            "[Result \"0-1\"]\n[FEN \"some position\"]\n[PlyCount \"4\"]\n[SetUp \"1\"]\n"
        ));
        assert!(text.contains("\n7... f3 {-0.10/2 20n} 8. e5 {odd braces} 8... g4 9. Qh4# 0-1\n"));
    }

    #[test]
    fn no_line_reaches_eighty_characters() {
        let format = CollectionFormat {
            extension: "pgn",
            tags: Vec::new(),
        };
        let mut game = game();
        game.moves = (0..60).flat_map(|_| game.moves.clone()).collect();
        let text = format.write(&game);
        assert!(text.lines().all(|line| line.chars().count() < 80));
    }
}
