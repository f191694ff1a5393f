//! Games for any viewer: PGN and PDN text, in the export format of the PGN standard.

/// How games of a kind are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionFormat {
    /// `pgn` or `pdn`: also the file's extension.
    pub extension: &'static str,
    /// Tags every game has beside the seven of the roster.
    pub tags: Vec<(String, String)>,
}

/// A move as it is written, with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    pub text: String,
    /// Behind the move in braces: score, nodes.
    pub comment: String,
}

/// One game, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    pub event: String,
    /// The pair and the game within it, such as `12.1`.
    pub round: String,
    pub white: String,
    pub black: String,
    pub result: String,
    pub termination: String,
    pub opening: String,
    /// The side that moves first, and the number of its move.
    pub black_begins: bool,
    pub first_number: u32,
    pub moves: Vec<MoveText>,
}

/// The longest line of movetext.
const WIDTH: usize = 80;

impl CollectionFormat {
    /// The game with its tags, moves and result, and an empty line at the end.
    pub fn write(&self, game: &GameText) -> String {
        let mut text = String::new();
        let roster = [
            ("Event", game.event.as_str()),
            ("Site", "sparring"),
            // Dates would differ from run to run.
            ("Date", "????.??.??"),
            ("Round", &game.round),
            ("White", &game.white),
            ("Black", &game.black),
            ("Result", &game.result),
        ];
        for (name, value) in roster {
            push_tag(&mut text, name, value);
        }
        for (name, value) in &self.tags {
            push_tag(&mut text, name, value);
        }
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &game.opening);
        push_tag(&mut text, "PlyCount", &game.moves.len().to_string());
        push_tag(&mut text, "Termination", &game.termination);
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
        .replace(['\n', '\r'], " ");
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
    let offset = usize::from(game.black_begins);
    for (index, mv) in game.moves.iter().enumerate() {
        let number = game.first_number as usize + (index + offset) / 2;
        if (index + offset) % 2 == 0 {
            push(&format!("{number}."));
        } else if index == 0 || !game.moves[index - 1].comment.is_empty() {
            // After a comment the standard wants the number again.
            push(&format!("{number}..."));
        }
        push(&mv.text);
        if !mv.comment.is_empty() {
            // Comments may break between their words like anything else.
            let comment = format!("{{{}}}", mv.comment.replace(['{', '}'], ""));
            for word in comment.split(' ') {
                push(word);
            }
        }
    }
    push(&game.result);
    text.push('\n');
}
