//! The keys of a config: the only place for name, kind, range, default and help of each. The readers,
//! `sparring new`, `sparring list keys` and the resolved config are derived from this list.

use std::time::Duration;

use super::kinds::Kind;
use super::source::{ConfigTable, Value};
use crate::engines::{EngineLog, Protocol, Restart};
use crate::eval::catalog::GameId;
use crate::play::{BookChoice, DrawRules, Format, MOST_MEN, OpeningOrder, ResignSides};
use crate::record::CommentStyle;
use crate::search::Limit;
use crate::stats::{Model, RaceRules};
use crate::tune::fit::{Loss, Optimizer};
use crate::tune::quiet::Quiet;
use crate::tune::{Sample, TUNERS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Top,
    Match,
    Openings,
    Adjudicate,
    Sprt,
    Log,
    Tune,
    Learn,
    Player,
}

impl Section {
    pub const ALL: [Section; 9] = [
        Section::Top,
        Section::Match,
        Section::Openings,
        Section::Adjudicate,
        Section::Sprt,
        Section::Log,
        Section::Tune,
        Section::Learn,
        Section::Player,
    ];

    /// The name in a config; empty for the top level.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Top => "",
            Section::Match => "match",
            Section::Openings => "openings",
            Section::Adjudicate => "adjudicate",
            Section::Sprt => "sprt",
            Section::Log => "log",
            Section::Tune => "tune",
            Section::Learn => "learn",
            Section::Player => "player",
        }
    }

    /// The purpose of an optional section; `None` for sections that always apply.
    pub const fn option(self) -> Option<&'static str> {
        match self {
            Section::Adjudicate => Some("end games early once both players agree on the score"),
            Section::Log => Some("further files, and what the files of games hold"),
            Section::Tune => Some("for `sparring tune`: find better numbers for a player"),
            Section::Learn => Some(
                "for `sparring learn`: repeat the training, each time from games of the best so far",
            ),
            Section::Sprt => Some("stop as soon as the result is clear"),
            _ => None,
        }
    }

    pub fn keys(self) -> impl Iterator<Item = &'static Key> + Clone {
        KEYS.iter().filter(move |key| key.section == self)
    }

    /// The row of one key.
    pub fn key(self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }
}

/// Which players a key applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Any,
    /// Players with a built-in evaluator.
    Search,
    /// Players that are external programs.
    Engine,
}

pub struct Key {
    pub section: Section,
    pub name: &'static str,
    pub kind: Kind,
    /// As TOML; `None` for a required key, or one without a default.
    pub default: Option<&'static str>,
    pub help: &'static str,
    pub scope: Scope,
}

impl Key {
    /// A key with a default, for all players.
    const fn new(
        section: Section,
        name: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
    ) -> Key {
        Key {
            section,
            name,
            kind,
            default: Some(default),
            help,
            scope: Scope::Any,
        }
    }

    /// A key without a default.
    const fn bare(section: Section, name: &'static str, kind: Kind, help: &'static str) -> Key {
        Key {
            default: None,
            ..Key::new(section, name, kind, "", help)
        }
    }

    /// The same key for players of one kind.
    const fn only(self, scope: Scope) -> Key {
        Key { scope, ..self }
    }

    /// The name in `--set` and messages, such as `match.pairs`.
    pub fn path(&self) -> String {
        match self.section {
            Section::Top => self.name.to_string(),
            section => format!("{}.{}", section.name(), self.name),
        }
    }

    /// The default as a value, if there is one.
    pub fn default_value(&self) -> Option<Value> {
        let table = ConfigTable::parse(&format!("value = {}", self.default?), "").ok()?;
        Some(table.get("value")?.value.clone())
    }
}

/// Longer times are considered typing errors.
const AN_HOUR: Duration = Duration::from_secs(3600);

/// Above any score that is not a mate.
const MOST_UNITS: f64 = 1e6;

/// Limit of positions, iterations and similar counts: more than any run reaches.
const A_MILLION: i64 = 1_000_000;

const TIME: Kind = Kind::Time { most: AN_HOUR };

#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    Key::bare(Section::Top, "name", Kind::Text,
        "name of the run directory below reports/; default: the file's name"),
    Key::bare(Section::Top, "game", Kind::Choice(|| GameId::ALL.iter().map(|game| game.name()).collect()),
        "see `sparring list games`"),
    Key::new(Section::Top, "seed", Kind::at_least(0), "1",
        "random seed: another seed gives other openings and games"),
    Key::new(Section::Match, "format", Kind::Choice(|| Format::ALL.iter().map(|it| it.name()).collect()), "\"round-robin\"",
        "pairings; in a gauntlet the first players meet all others"),
    Key::new(Section::Match, "rounds", Kind::whole(0, 10_000), "0",
        "swiss: rounds; 0: as many as a knockout of the players has"),
    Key::new(Section::Match, "tiebreaks", Kind::whole(0, 1000), "10",
        "knockout: extra opening pairs, one at a time, while a meeting is level; then the player named first advances"),
    Key::new(Section::Match, "look", Kind::whole(1, A_MILLION), "10",
        "[sprt] with more than two players: pairs of each pairing between two looks; decided pairings stop. race: openings between two looks"),
    Key::new(Section::Match, "budget", Kind::whole(0, RaceRules::MOST_PAIRS as i64), "0",
        "race: opening pairs before the confirmation, at most; 0: 60 for each player, with `within` 1000"),
    Key::new(Section::Match, "within", Kind::number(0.0, 400.0), "0",
        "race: stop when the leader is shown to be at most this much Elo below the best; 0: halve the field until the budget is spent"),
    Key::new(Section::Match, "certainty", Kind::number(0.5, 0.9999), "0.95",
        "race: the probability that all of its intervals hold, however often one looks"),
    Key::new(Section::Match, "seeds", Kind::at_least(1), "1",
        "gauntlet: how many of the first players meet all others"),
    Key::new(Section::Match, "pairs", Kind::whole(1, 1_000_000_000), "50",
        "opening pairs per pairing; each is two games with colours swapped. race: of each match of the confirmation"),
    Key::bare(Section::Match, "anchor", Kind::Text,
        "three players or more: the player whose rating is 0; default: the weighted mean of the players is 0"),
    Key::new(Section::Match, "max_plies", Kind::whole(0, 100_000), "0",
        "draw games of this length; 0: no limit beyond the rules"),
    Key::new(Section::Match, "no_progress_plies", Kind::whole(0, 10_000), "0",
        "draw after this many plies in a row without a capture or a move of a pawn or man; 0: by the rules alone"),
    Key::new(Section::Match, "draws", Kind::Choice(|| DrawRules::ALL.iter().map(|it| it.name()).collect()), "\"claimed\"",
        "chess: claimed (threefold, fifty moves) or automatic (fivefold, 75 moves)"),
    Key::new(Section::Openings, "source", Kind::Text, "\"random\"",
        "random | start | a file of positions: .epd .fen, of games: .pgn .pdn, or a Polyglot book: .bin; also with .gz, .zst, or in a .zip"),
    Key::new(Section::Openings, "plies", Kind::whole(0, 200), "8",
        "random moves before the players start; .pgn, .pdn, .bin: moves taken from each game or from the book"),
    Key::new(Section::Openings, "book", Kind::Choice(|| BookChoice::ALL.iter().map(|it| it.name()).collect()), "\"weighted\"",
        ".bin: choose moves by their weights, or all alike"),
    Key::new(Section::Openings, "reject", Kind::number(0.0, 1000.0), "3.0",
        "random: draw again if a search of two plies sees a mate or a lead of this many pawns or men (Othello, Connect Four: only decided games); 0: keep all"),
    Key::new(Section::Openings, "shared", Kind::Truth, "false",
        "true: all pairings play the same openings, which pairs the differences between rows of a gauntlet"),
    Key::new(Section::Openings, "order", Kind::Choice(|| OpeningOrder::ALL.iter().map(|it| it.name()).collect()), "\"sequential\"",
        "files: order of the openings, sequential or shuffled by the seed"),
    Key::new(Section::Openings, "skip", Kind::at_least(0), "0",
        "files: skip the first N openings"),
    Key::new(Section::Openings, "count", Kind::at_least(0), "0",
        "files: use the next N openings; 0: all remaining"),
    Key::new(Section::Adjudicate, "resign_score", Kind::number(0.0, MOST_UNITS), "0",
        "adjudicate a win when the players' scores reach this, in the evaluators' unit; 0: never"),
    Key::new(Section::Adjudicate, "resign_moves", Kind::whole(1, 10_000), "4",
        "for this many moves of each in a row"),
    Key::new(Section::Adjudicate, "resign_by", Kind::Choice(|| ResignSides::ALL.iter().map(|it| it.name()).collect()), "\"both\"",
        "both: both players' scores must agree; loser: the loser's scores are enough, as if it resigned"),
    Key::new(Section::Adjudicate, "draw_score", Kind::number(0.0, MOST_UNITS), "0",
        "adjudicate a draw when both players' scores stay below this, in the evaluators' unit; 0: never"),
    Key::new(Section::Adjudicate, "draw_moves", Kind::whole(1, 10_000), "8",
        "for this many moves of each in a row"),
    Key::new(Section::Adjudicate, "draw_after", Kind::whole(0, 10_000), "40",
        "no draw before each player has made this many moves since the opening"),
    Key::new(Section::Adjudicate, "syzygy", Kind::Text, "\"\"",
        "chess: a folder of Syzygy tables (.rtbw), which decide games with few men; \"\": none"),
    Key::new(Section::Adjudicate, "syzygy_pieces", Kind::whole(0, MOST_MEN as i64), "0",
        "use the tables of up to this many men, kings included; 0: as many as the folder holds"),
    Key::new(Section::Adjudicate, "syzygy_50", Kind::Truth, "true",
        "false: a win counts even if the fifty-move rule would spoil it"),
    Key::new(Section::Sprt, "elo0", Kind::ANY_NUMBER, "0.0",
        "H0: the first player (of each pairing) is stronger by at most this much"),
    Key::new(Section::Sprt, "elo1", Kind::ANY_NUMBER, "10.0",
        "H1: the first player (of each pairing) is stronger by at least this much"),
    Key::new(Section::Sprt, "alpha", Kind::ANY_NUMBER, "0.05",
        "accepted risk of a false H1, between 0 and 1"),
    Key::new(Section::Sprt, "beta", Kind::ANY_NUMBER, "0.05",
        "accepted risk of a false H0, between 0 and 1"),
    Key::new(Section::Sprt, "family", Kind::Truth, "false",
        "three players or more: alpha and beta are the risks of any error in all pairings together"),
    Key::new(Section::Sprt, "model", Kind::Choice(|| Model::ALL.iter().map(|it| it.name()).collect()), "\"normalized\"",
        "the scale of elo0 and elo1"),
    Key::new(Section::Log, "moves", Kind::Truth, "true",
        "moves.csv: score, depth and nodes of every move; time and clock where a player is timed"),
    Key::new(Section::Log, "final", Kind::Truth, "false",
        "final.epd (.fen in other games than chess): the last position of every game"),
    Key::new(Section::Log, "comments", Kind::Choice(|| CommentStyle::ALL.iter().map(|it| it.name()).collect()), "\"plain\"",
        "PGN and PDN: `+0.31/12 0.045s`, commands such as [%eval 0.31,12] [%clk 0:00:09.9], or none"),
    Key::new(Section::Log, "info", Kind::Texts, "[]",
        "further figures of each move, in moves.csv and comments: seldepth, nps, hashfull, pv"),
    Key::bare(Section::Log, "event", Kind::Text,
        "PGN and PDN: the tag Event; default: the run's name"),
    Key::new(Section::Log, "site", Kind::Text, "\"sparring\"",
        "PGN and PDN: the tag Site"),
    Key::new(Section::Log, "engines", Kind::Choice(|| EngineLog::ALL.iter().map(|it| it.name()).collect()), "\"faults\"",
        "engines/PLAYER.log: the lines of games that end with a fault; all: every line, in engines/PLAYER.lines.log"),
    Key::new(Section::Tune, "method", Kind::Choice(|| TUNERS.iter().map(|row| row.name).collect()), "\"spsa\"",
        "see `sparring list tuners`"),
    Key::bare(Section::Tune, "player", Kind::Text,
        "the player to tune; default: the first player"),
    Key::new(Section::Tune, "parameters", Kind::List("names, or tables { name = ... }"), "[\"weights.*\"]",
        "terms, group:NAME, globs, search.OPTION, options.OPTION of an engine, or { name, start, range, step, c, sign, monotone, tie }"),
    Key::new(Section::Tune, "freeze", Kind::Texts, "[]",
        "parameters that keep their value"),
    Key::new(Section::Tune, "budget", Kind::whole(0, 1_000_000_000), "0",
        "games to play, or positions to fit; 0: 20000 games, or all positions"),
    Key::new(Section::Tune, "validate", Kind::Truth, "true",
        "at the end, play the tuned player against the start on unused openings"),
    Key::new(Section::Tune, "validate_pairs", Kind::whole(1, A_MILLION), "1000",
        "maximum pairs of each validation match; [sprt] sets its test, by default elo0 = 0 and elo1 = 10"),
    Key::new(Section::Tune, "confirm_pairs", Kind::whole(0, A_MILLION), "0",
        "after acceptance, play this many pairs of fixed length on further unused openings: the figure to publish; 0: none"),
    Key::new(Section::Tune, "opponents", Kind::Texts, "[\"start\"]",
        "opponents of the validation: start, and names of players"),
    Key::new(Section::Tune, "batch", Kind::whole(1, 10_000), "16",
        "duels per iteration (cma-es: the population; sweep: always all points)"),
    Key::new(Section::Tune, "pairs", Kind::whole(1, 100_000), "1",
        "opening pairs per duel"),
    Key::new(Section::Tune, "alpha", Kind::number(0.0, 2.0), "0.602",
        "spsa: decay exponent of the learning rate"),
    Key::new(Section::Tune, "gamma", Kind::number(0.0, 1.0), "0.101",
        "spsa: decay exponent of the perturbation"),
    Key::new(Section::Tune, "a_ratio", Kind::number(0.0, 1.0), "0.1",
        "spsa: A as a share of the budget"),
    Key::new(Section::Tune, "c_end", Kind::number(1e-6, 1.0), "0.05",
        "spsa: last perturbation, as a share of the range"),
    Key::new(Section::Tune, "r_end", Kind::number(0.0, 1.0), "0.0",
        "spsa: last learning rate, in units of c; 0: derived from the budget"),
    Key::new(Section::Tune, "sigma", Kind::number(1e-6, 1.0), "0.15",
        "cma-es, hill-climb: initial step size, as a share of the range"),
    Key::new(Section::Tune, "points", Kind::whole(3, 1000), "9",
        "sweep, race with sample = \"grid\": number of values per parameter"),
    Key::new(Section::Tune, "sample", Kind::Choice(|| Sample::ALL.iter().map(|it| it.name()).collect()), "\"latin\"",
        "race: how its points are chosen; latin spreads the values of every parameter evenly"),
    Key::new(Section::Tune, "candidates", Kind::whole(2, 500), "32",
        "race: number of points, the start included"),
    Key::new(Section::Tune, "within", Kind::number(0.0, 400.0), "0",
        "race: stop when the leader is shown to be at most this much Elo below the best; 0: halve the field until the budget is spent"),
    Key::new(Section::Tune, "certainty", Kind::number(0.5, 0.9999), "0.95",
        "race: the probability that all of its intervals hold, however often one looks"),
    Key::new(Section::Tune, "stop_below", Kind::number(0.0, 100.0), "0",
        "bayes: stop when no point is expected to gain this much Elo; 0: play the whole budget"),
    Key::new(Section::Tune, "data", Kind::Texts, "\"self-play\"",
        "fit, train: files of labelled positions or games.csv, or the games of this config's match"),
    Key::new(Section::Tune, "optimizer", Kind::Choice(|| Optimizer::ALL.iter().map(|it| it.name()).collect()), "\"newton\"",
        "fit: newton is Levenberg-Marquardt"),
    Key::new(Section::Tune, "loss", Kind::Choice(|| Loss::ALL.iter().map(|it| it.name()).collect()), "\"cross-entropy\"",
        "fit, train: loss function"),
    Key::new(Section::Tune, "iterations", Kind::whole(0, A_MILLION), "0",
        "fit: maximum number of iterations; 0: 100 with newton, 1000 with adam"),
    Key::new(Section::Tune, "validation", Kind::number(0.0, 0.9), "0.1",
        "fit, train: share of the games held out for validation"),
    Key::new(Section::Tune, "patience", Kind::whole(0, A_MILLION), "0",
        "fit: early stopping after this many iterations without a better validation loss; 0: 3 with newton, 50 with adam"),
    Key::new(Section::Tune, "prior", Kind::number(0.0, 1e6), "0.02",
        "fit: L2 prior around the start: standard deviation of a weight, in halves of its range; 0: off"),
    Key::new(Section::Tune, "quiet", Kind::Choice(|| Quiet::ALL.iter().map(|it| it.name()).collect()), "\"filter\"",
        "fit, train: what to do with positions that are not quiet"),
    Key::new(Section::Tune, "k", Kind::number(0.0, 1e6), "0.0",
        "fit: steepness of the sigmoid; 0: fitted to the start"),
    Key::new(Section::Tune, "learning_rate", Kind::number(0.0, 1e6), "0.0",
        "fit: learning rate of adam, in units; 0: a hundredth of a pawn or man; train: first rate, 0: 0.001"),
    Key::new(Section::Tune, "score_share", Kind::number(0.0, 1.0), "0.0",
        "fit, train: share of the label taken from the position's score instead of the result"),
    Key::new(Section::Tune, "teacher", Kind::Text, "\"\"",
        "train: learn the static scores of this evaluator (a preset or a file) instead of results"),
    Key::new(Section::Tune, "variations", Kind::whole(1, 10_000), "16",
        "train with a teacher: positions 1 to 3 random moves off each position of the games"),
    Key::new(Section::Tune, "hidden", Kind::whole(16, 1024), "128",
        "train a net: hidden units, a multiple of 16"),
    Key::new(Section::Tune, "buckets", Kind::whole(1, 64), "8",
        "train a net: output buckets by number of pieces"),
    Key::new(Section::Tune, "patterns", Kind::Text, "\"\"",
        "train: a file of patterns to train instead of a net, see docs/learning.md"),
    Key::new(Section::Tune, "shrink", Kind::number(0.0, 1e9), "20.0",
        "train patterns: an entry that this many positions show keeps half of what they say"),
    Key::new(Section::Tune, "epochs", Kind::whole(0, 100_000), "0",
        "train: passes over the positions; 0: 3 for a net, 80 for patterns"),
    Key::new(Section::Tune, "batch_size", Kind::whole(16, A_MILLION), "16384",
        "train a net: positions per batch"),
    Key::new(Section::Tune, "weight_decay", Kind::number(0.0, 1.0), "0.01",
        "train a net: decoupled weight decay"),
    Key::new(Section::Tune, "scale", Kind::number(0.0, 1e6), "0.0",
        "train: score in units at which a side expects 73 % of the points; 0: four pawns, or the size of the scores to learn"),
    Key::new(Section::Learn, "generations", Kind::whole(1, 100_000), "10",
        "trainings, each from games of the best evaluator so far; its result is kept if it is proven better"),
    Key::new(Section::Learn, "window", Kind::whole(1, 100_000), "4",
        "train on the games of this many generations, the newest included"),
    Key::new(Section::Learn, "anchor", Kind::Text, "\"\"",
        "measure every kept evaluator against this one, with the same search; default: that of the config"),
    Key::new(Section::Learn, "measure_pairs", Kind::whole(0, A_MILLION), "100",
        "pairs of each such match, of fixed length; 0: none"),
    Key::bare(Section::Player, "name", Kind::Text,
        "any text, unique per player"),
    Key::bare(Section::Player, "evaluator", Kind::Text,
        "a preset, see `sparring list evaluators`, a weights file (.toml), or a file of a net or patterns (.safetensors, or .bin of bullet)").only(Scope::Search),
    Key::new(Section::Player, "depth", Kind::whole(1, Limit::MAX_DEPTH as i64), "3",
        "search depth in plies"),
    Key::bare(Section::Player, "nodes", Kind::at_least(1),
        "exact number of nodes per move; without `depth`, as deep as they reach"),
    Key::bare(Section::Player, "movetime", TIME,
        "time per move, such as \"50ms\"; makes games differ between runs"),
    Key::bare(Section::Player, "clock", Kind::Clock { most: AN_HOUR },
        "time per game and increment per move, such as \"10s+100ms\", or \"40/60s\" for each 40 moves; makes games differ between runs"),
    Key::new(Section::Player, "weights", Kind::Table, "{}",
        "overrides by term name, see `sparring list terms`; \"king_*\" = 0 sets all terms with such a name").only(Scope::Search),
    Key::new(Section::Player, "search", Kind::Table, "{}",
        "options by name, see `sparring list search`").only(Scope::Search),
    Key::bare(Section::Player, "engine", Kind::Text,
        "an engine instead of an evaluator: a name in the PATH, or a path such as \"./engine\"").only(Scope::Engine),
    Key::bare(Section::Player, "protocol", Kind::Choice(|| Protocol::ALL.iter().map(|it| it.name()).collect()),
        "the engine's language; default: uci in chess, hub (version 2) in draughts").only(Scope::Engine),
    Key::new(Section::Player, "args", Kind::List("texts: [\"--uci\"]"), "[]",
        "the engine's arguments").only(Scope::Engine),
    Key::bare(Section::Player, "dir", Kind::Text,
        "the engine's working directory; default: the current one").only(Scope::Engine),
    Key::new(Section::Player, "options", Kind::Table, "{}",
        "the engine's options: { Hash = 16, \"Skill Level\" = 3 }").only(Scope::Engine),
    Key::new(Section::Player, "init", Kind::Texts, "[]",
        "lines sent to the engine as they are, after its options: [\"debug on\"]").only(Scope::Engine),
    Key::new(Section::Player, "restart", Kind::Choice(|| Restart::ALL.iter().map(|it| it.name()).collect()), "\"never\"",
        "never: the engine keeps running between games; game: every game gets a new process").only(Scope::Engine),
    Key::new(Section::Player, "ponder", Kind::Truth, "false",
        "think on the opponent's time: a game then keeps two cores busy").only(Scope::Engine),
    Key::new(Section::Player, "start_timeout", TIME, "\"10s\"",
        "time to get ready; otherwise the game is lost as forfeit-stall").only(Scope::Engine),
    Key::new(Section::Player, "move_timeout", TIME, "\"60s\"",
        "time for a move limited by depth or nodes; otherwise the game is lost as forfeit-stall").only(Scope::Engine),
    Key::new(Section::Player, "time_margin", TIME, "\"100ms\"",
        "how far movetime or clock may be exceeded before a game is lost as forfeit-time"),
    Key::new(Section::Player, "sweep", Kind::Table, "{}",
        "repeats the player over values: { \"depth\" = [1, 2, 3] }"),
];

#[cfg(test)]
mod tests {
    use super::super::read::Reader;
    use super::*;

    /// Reads a key's default by its kind.
    fn check(reader: &Reader<'_>, key: &Key) -> Result<(), super::super::source::ConfigError> {
        match key.kind {
            Kind::Text => reader.text(key.name).map(drop),
            Kind::Choice(words) => {
                let find = |given: &str| words().into_iter().find(|word| *word == given);
                reader.meaning(key.name, find).map(drop)
            }
            Kind::Whole { .. } => reader.whole(key.name).map(drop),
            Kind::Number { .. } => reader.number(key.name).map(drop),
            Kind::Truth => reader.truth(key.name).map(drop),
            Kind::Time { .. } => reader.time(key.name).map(drop),
            Kind::Clock { .. } => reader.clock(key.name).map(drop),
            Kind::Texts => reader.texts(key.name).map(drop),
            Kind::List(_) => reader.list(key.name).map(drop),
            Kind::Table => reader.table(key.name).map(drop),
        }
    }

    #[test]
    fn every_default_is_a_value_that_its_key_takes() {
        let mut checked = 0;
        for key in KEYS.iter().filter(|key| key.default.is_some()) {
            let text = format!("{} = {}", key.name, key.default.unwrap());
            let table = ConfigTable::parse(&text, "defaults").unwrap();
            let reader = Reader {
                section: key.section,
                table: &table,
            };
            check(&reader, key).unwrap_or_else(|error| panic!("{}: {error}", key.path()));
            checked += 1;
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn every_key_stands_once_in_its_section() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(
                KEYS[..index].iter().all(|other| other.path() != key.path()),
                "{}",
                key.path()
            );
        }
    }
}
