//! The keys of a config: name, default and help of each stand here and nowhere else. The reader,
//! `sparring new` and the resolved config are all derived from this list.

use super::source::{Node, Place, Table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Top,
    Match,
    Openings,
    Adjudicate,
    Sprt,
    Log,
    Tune,
    Player,
}

impl Section {
    pub const ALL: [Section; 8] = [
        Section::Top,
        Section::Match,
        Section::Openings,
        Section::Adjudicate,
        Section::Sprt,
        Section::Log,
        Section::Tune,
        Section::Player,
    ];

    /// As it is written in a config; the top level has no name.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Top => "",
            Section::Match => "match",
            Section::Openings => "openings",
            Section::Adjudicate => "adjudicate",
            Section::Sprt => "sprt",
            Section::Log => "log",
            Section::Tune => "tune",
            Section::Player => "player",
        }
    }

    /// What a section is for that only counts where it is given; `None` for the others.
    pub const fn option(self) -> Option<&'static str> {
        match self {
            Section::Adjudicate => Some("end games early that both players see alike"),
            Section::Log => Some("further files"),
            Section::Tune => Some("for `sparring tune`: better numbers for a player"),
            Section::Sprt => Some("stop as soon as the result is clear (two players)"),
            _ => None,
        }
    }

    pub fn keys(self) -> impl Iterator<Item = &'static Key> + Clone {
        KEYS.iter().filter(move |key| key.section == self)
    }
}

/// Which players a key concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Any,
    /// Players that search with an evaluator of ours.
    Search,
    /// Players that are programs of their own.
    Engine,
}

pub struct Key {
    pub section: Section,
    pub name: &'static str,
    /// As TOML; `None` for a key that must be given, or that is absent unless given.
    pub default: Option<&'static str>,
    pub help: &'static str,
    pub whose: Whose,
}

const fn key(
    section: Section,
    name: &'static str,
    default: Option<&'static str>,
    help: &'static str,
) -> Key {
    Key {
        section,
        name,
        default,
        help,
        whose: Whose::Any,
    }
}

/// A key of players of one kind.
const fn player_key(
    whose: Whose,
    name: &'static str,
    default: Option<&'static str>,
    help: &'static str,
) -> Key {
    Key {
        whose,
        ..key(Section::Player, name, default, help)
    }
}

pub const KEYS: &[Key] = &[
    key(
        Section::Top,
        "name",
        None,
        "names the run directory below reports/; the file's name if absent",
    ),
    key(Section::Top, "game", None, "see `sparring list games`"),
    key(
        Section::Top,
        "seed",
        Some("1"),
        "another seed, another set of openings and games",
    ),
    key(
        Section::Match,
        "format",
        Some("\"round-robin\""),
        "round-robin | gauntlet (the first players against all others) | pair",
    ),
    key(
        Section::Match,
        "seeds",
        Some("1"),
        "of a gauntlet: how many of the first players meet all others",
    ),
    key(
        Section::Match,
        "pairs",
        Some("50"),
        "opening pairs per pairing; each is two games with colours swapped",
    ),
    key(
        Section::Match,
        "max_plies",
        Some("0"),
        "a game this long is drawn; 0 leaves it to the rules",
    ),
    key(
        Section::Match,
        "draws",
        Some("\"claimed\""),
        "chess: claimed (threefold, fifty moves) | automatic (fivefold, 75 moves)",
    ),
    key(
        Section::Openings,
        "source",
        Some("\"random\""),
        "random | start | a file of positions: .epd .fen, or of games: .pgn .pdn",
    ),
    key(
        Section::Openings,
        "plies",
        Some("8"),
        "random moves before the players take over; of a .pgn or .pdn: moves taken from each game",
    ),
    key(
        Section::Openings,
        "order",
        Some("\"sequential\""),
        "of a file: sequential | shuffled (by lot, from the seed)",
    ),
    key(
        Section::Openings,
        "skip",
        Some("0"),
        "of a file: leave out so many openings at its beginning",
    ),
    key(
        Section::Openings,
        "count",
        Some("0"),
        "of a file: use so many openings after those; 0 all that are left",
    ),
    key(
        Section::Adjudicate,
        "resign_score",
        Some("0"),
        "won when both players see it this far apart, in the evaluators' unit; 0 never",
    ),
    key(
        Section::Adjudicate,
        "resign_moves",
        Some("4"),
        "for so many moves of each in a row",
    ),
    key(
        Section::Adjudicate,
        "draw_score",
        Some("0"),
        "drawn when both players see less than this in it; 0 never",
    ),
    key(
        Section::Adjudicate,
        "draw_moves",
        Some("8"),
        "for so many moves of each in a row",
    ),
    key(
        Section::Adjudicate,
        "draw_after",
        Some("40"),
        "and not before each has made so many moves from the opening on",
    ),
    key(
        Section::Sprt,
        "elo0",
        Some("0.0"),
        "H0: the first player is stronger by this much or less",
    ),
    key(
        Section::Sprt,
        "elo1",
        Some("10.0"),
        "H1: by this much or more",
    ),
    key(
        Section::Sprt,
        "alpha",
        Some("0.05"),
        "accepted risk of a false H1",
    ),
    key(
        Section::Sprt,
        "beta",
        Some("0.05"),
        "accepted risk of a false H0",
    ),
    key(
        Section::Sprt,
        "model",
        Some("\"normalized\""),
        "normalized | logistic: the scale of elo0 and elo1",
    ),
    key(
        Section::Log,
        "moves",
        Some("true"),
        "moves.csv: score, depth and nodes of every move",
    ),
    key(
        Section::Tune,
        "method",
        Some("\"spsa\""),
        "see `sparring list tuners`",
    ),
    key(
        Section::Tune,
        "player",
        None,
        "whose numbers are tuned; the first player if absent",
    ),
    key(
        Section::Tune,
        "parameters",
        Some("[\"weights.*\"]"),
        "terms, group:NAME, globs, search.OPTION, options.OPTION of an engine, or { name, start, range, step, c, sign, monotone, tie }",
    ),
    key(
        Section::Tune,
        "freeze",
        Some("[]"),
        "names among the parameters that stay as they are",
    ),
    key(
        Section::Tune,
        "budget",
        Some("0"),
        "games to play, or positions to fit; 0: 20000 games, or all positions",
    ),
    key(
        Section::Tune,
        "validate",
        Some("true"),
        "play the tuned player against the start at the end, on openings not used before",
    ),
    key(
        Section::Tune,
        "validate_pairs",
        Some("1000"),
        "most pairs of each validation match; [sprt] sets its test, elo0 = 0 and elo1 = 10 if absent",
    ),
    key(
        Section::Tune,
        "opponents",
        Some("[\"start\"]"),
        "who is met in the validation: start, and names of players",
    ),
    key(
        Section::Tune,
        "batch",
        Some("16"),
        "duels of an iteration (cma-es: the population; sweep: all points, whatever is given)",
    ),
    key(Section::Tune, "pairs", Some("1"), "opening pairs of a duel"),
    key(
        Section::Tune,
        "alpha",
        Some("0.602"),
        "spsa: how fast the learning rate falls",
    ),
    key(
        Section::Tune,
        "gamma",
        Some("0.101"),
        "spsa: how fast the perturbation falls",
    ),
    key(
        Section::Tune,
        "a_ratio",
        Some("0.1"),
        "spsa: A as a part of the budget",
    ),
    key(
        Section::Tune,
        "c_end",
        Some("0.05"),
        "spsa: last perturbation, as a part of the range",
    ),
    key(
        Section::Tune,
        "r_end",
        Some("0.0"),
        "spsa: last learning rate, in units of c; 0 derives it from the budget",
    ),
    key(
        Section::Tune,
        "sigma",
        Some("0.15"),
        "cma-es, hill-climb: width of the first changes, as a part of the range",
    ),
    key(
        Section::Tune,
        "points",
        Some("9"),
        "sweep: values of each parameter",
    ),
    key(
        Section::Tune,
        "data",
        Some("\"self-play\""),
        "fit: files of labelled positions or games.csv, or the games of this config's match",
    ),
    key(
        Section::Tune,
        "optimizer",
        Some("\"newton\""),
        "fit: newton (Levenberg-Marquardt) | adam",
    ),
    key(
        Section::Tune,
        "loss",
        Some("\"cross-entropy\""),
        "fit: cross-entropy | squared",
    ),
    key(
        Section::Tune,
        "iterations",
        Some("0"),
        "fit: at most so many; 0: 100 of newton, 1000 of adam",
    ),
    key(
        Section::Tune,
        "validation",
        Some("0.1"),
        "fit: part of the games that is only checked against",
    ),
    key(
        Section::Tune,
        "patience",
        Some("0"),
        "fit: iterations without a better validation loss before the end; 0: 3 of newton, 50 of adam",
    ),
    key(
        Section::Tune,
        "prior",
        Some("0.02"),
        "fit: L2 towards the start: how far a weight may be, in halves of its range; 0 turns it off",
    ),
    key(
        Section::Tune,
        "quiet",
        Some("\"filter\""),
        "fit: filter | resolve | off: positions in the middle of captures",
    ),
    key(
        Section::Tune,
        "k",
        Some("0.0"),
        "fit: steepness of the sigmoid; 0 fits it to the start",
    ),
    key(
        Section::Tune,
        "learning_rate",
        Some("0.0"),
        "fit: of adam, in units; 0: a hundredth of a pawn or man",
    ),
    key(
        Section::Tune,
        "score_share",
        Some("0.0"),
        "fit: part of the label that comes from the score beside the position",
    ),
    key(Section::Player, "name", None, "any text, each once"),
    player_key(
        Whose::Search,
        "evaluator",
        None,
        "a preset, see `sparring list evaluators`, or a weights file",
    ),
    key(Section::Player, "depth", Some("3"), "plies to look ahead"),
    key(
        Section::Player,
        "nodes",
        None,
        "positions to visit, exactly; without `depth` as deep as they reach",
    ),
    key(
        Section::Player,
        "movetime",
        None,
        "time for a move, such as \"50ms\": games differ from run to run then",
    ),
    key(
        Section::Player,
        "clock",
        None,
        "time for a game and for each move of it, such as \"10s+100ms\"; differs from run to run too",
    ),
    player_key(
        Whose::Search,
        "weights",
        Some("{}"),
        "overrides by term name, see `sparring list terms`; \"king_*\" = 0 means all of such a name",
    ),
    player_key(
        Whose::Search,
        "search",
        Some("{}"),
        "options by name, see `sparring list search`",
    ),
    player_key(
        Whose::Engine,
        "engine",
        None,
        "a UCI program instead of an evaluator: a name in the PATH, or a path such as \"./engine\"",
    ),
    player_key(Whose::Engine, "args", Some("[]"), "its arguments"),
    player_key(
        Whose::Engine,
        "dir",
        None,
        "the directory it runs in; ours if absent",
    ),
    player_key(
        Whose::Engine,
        "options",
        Some("{}"),
        "its UCI options: { Hash = 16, \"Skill Level\" = 3 }",
    ),
    player_key(
        Whose::Engine,
        "start_timeout",
        Some("\"10s\""),
        "time to get ready; then the game is lost as forfeit-stall",
    ),
    player_key(
        Whose::Engine,
        "move_timeout",
        Some("\"60s\""),
        "the same for a move that is limited by depth or nodes",
    ),
    key(
        Section::Player,
        "time_margin",
        Some("\"100ms\""),
        "what movetime or clock may be exceeded by before a game is lost as forfeit-time",
    ),
    key(
        Section::Player,
        "sweep",
        Some("{}"),
        "repeats the player over values: { \"depth\" = [1, 2, 3] }",
    ),
];

impl Key {
    /// The default as a value, where there is one.
    pub fn default_node(&self) -> Option<Node> {
        let text = format!("value = {}", self.default?);
        let table = Table::parse(&text, "defaults").ok()?;
        let value = table.get("value")?.value.clone();
        Some(Node {
            value,
            place: Place::File {
                path: "defaults".to_string(),
                line: 1,
            },
        })
    }
}

/// A commented config to start from: every key with its default, and the given players.
pub fn starter(game: &str, evaluators: &[&str]) -> String {
    let mut text = String::from("# Run it with: sparring run FILE\n");
    for section in Section::ALL {
        let mark = if section.option().is_some() { "# " } else { "" };
        if section == Section::Player {
            for (index, evaluator) in evaluators.iter().enumerate() {
                text.push_str(&starter_player(evaluator, index == 0));
            }
            text.push_str(&starter_engine());
            continue;
        }
        if section != Section::Top {
            let head = format!("{mark}[{}]", section.name());
            match section.option() {
                Some(what) => text.push_str(&format!("\n{head:<30} # optional: {what}\n")),
                None => text.push_str(&format!("\n{head}\n")),
            }
        }
        for key in section.keys() {
            let value = match (key.name, key.default) {
                ("name", _) => "\"my-experiment\"".to_string(),
                ("game", _) => format!("\"{game}\""),
                (_, default) => default.unwrap_or("\"\"").to_string(),
            };
            text.push_str(&commented(mark, key, &value));
        }
    }
    text
}

/// A player that is a program, all commented out.
fn starter_engine() -> String {
    let mut text = format!(
        "\n{:<30} # optional: a program of its own\n",
        "# [[player]]"
    );
    for key in Section::Player
        .keys()
        .filter(|key| key.whose != Whose::Search)
    {
        let value = match key.name {
            "name" | "engine" => "\"stockfish\"",
            "clock" => "\"10s+100ms\"",
            // One limit is enough, and they are explained above.
            "depth" | "nodes" | "movetime" | "sweep" => continue,
            _ => key.default.unwrap_or("\".\""),
        };
        text.push_str(&commented("# ", key, value));
    }
    text
}

fn starter_player(evaluator: &str, with_help: bool) -> String {
    let mut text = String::from("\n[[player]]\n");
    // The limit by a clock, like all that only engines have, is shown with them.
    let concerns =
        |key: &&Key| key.whose != Whose::Engine && !matches!(key.name, "clock" | "time_margin");
    for key in Section::Player.keys().filter(concerns) {
        let value = match (key.name, key.default) {
            ("name" | "evaluator", _) => format!("\"{evaluator}\""),
            (_, default) => default.unwrap_or("\"\"").to_string(),
        };
        if with_help {
            // An empty sweep is the same as none, and clearer left out.
            let value = match key.name {
                "nodes" => "10000".to_string(),
                "movetime" => "\"50ms\"".to_string(),
                _ => value,
            };
            let mark = if matches!(key.name, "sweep" | "nodes" | "movetime") {
                "# "
            } else {
                ""
            };
            text.push_str(&commented(mark, key, &value));
        } else if matches!(key.name, "name" | "evaluator" | "depth") {
            text.push_str(&format!("{} = {value}\n", key.name));
        }
    }
    text
}

fn commented(mark: &str, key: &Key, value: &str) -> String {
    let assignment = format!("{mark}{} = {value}", key.name);
    format!("{assignment:<30} # {}\n", key.help)
}
