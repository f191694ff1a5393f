//! The search options a player can set. One row each holds name, default, values, help and what
//! the game must offer; configs, lists, errors and tuners read the rows and nothing else.

use std::fmt;

use super::profiles::Profile;
use crate::games::GameFacts;

/// What a game must offer for an option to mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Check,
    NullMove,
    Exchange,
    ForcedCaptures,
    /// Squares, pawns and castling in the sense of the older chess program.
    Chess,
}

impl Needs {
    pub fn met_by(self, game: &GameFacts) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Check | Needs::Chess => game.has_check,
            Needs::NullMove => game.has_null_move,
            Needs::Exchange => game.has_exchange,
            Needs::ForcedCaptures => game.captures_forced,
        }
    }

    /// Completes "... needs a game with".
    pub const fn describe(self) -> &'static str {
        match self {
            Needs::Nothing => "moves",
            Needs::Check => "check",
            Needs::NullMove => "turns that can be passed",
            Needs::Exchange => "exchanges on one square",
            Needs::ForcedCaptures => "forced captures",
            Needs::Chess => "the pieces of chess",
        }
    }
}

/// A type that an option can have.
trait Setting: Copy + PartialEq {
    const CHOICES: &'static [&'static str];
    fn write(self) -> String;
    fn read(text: &str, range: Option<(i32, i32)>) -> Option<Self>;
    fn number(self) -> Option<i32> {
        None
    }
    /// What this very value needs, beyond what its option does.
    fn needs(self) -> Needs {
        Needs::Nothing
    }
}

impl Setting for bool {
    const CHOICES: &'static [&'static str] = &["off", "on"];

    fn write(self) -> String {
        Self::CHOICES[usize::from(self)].to_string()
    }

    fn read(text: &str, _: Option<(i32, i32)>) -> Option<bool> {
        match text {
            "on" | "true" => Some(true),
            "off" | "false" => Some(false),
            _ => None,
        }
    }
}

impl Setting for i32 {
    const CHOICES: &'static [&'static str] = &[];

    fn write(self) -> String {
        self.to_string()
    }

    fn read(text: &str, range: Option<(i32, i32)>) -> Option<i32> {
        let value = text.parse().ok()?;
        let (low, high) = range?;
        (low..=high).contains(&value).then_some(value)
    }

    fn number(self) -> Option<i32> {
        Some(self)
    }
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $text:literal $(needs $needs:ident)?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$item_doc])* $item,)*
        }

        impl Setting for $name {
            const CHOICES: &'static [&'static str] = &[$($text,)*];

            fn write(self) -> String {
                Self::CHOICES[self as usize].to_string()
            }

            fn read(text: &str, _: Option<(i32, i32)>) -> Option<$name> {
                match text {
                    $($text => Some($name::$item),)*
                    _ => None,
                }
            }

            fn needs(self) -> Needs {
                match self {
                    $($name::$item => { let needs = Needs::Nothing; $(let needs = { let _ = needs; Needs::$needs };)? needs })*
                }
            }
        }
    };
}

choice! {
    /// How the tree is walked.
    Algorithm {
        /// Every move of every position: for teaching, and to check the others against.
        Minimax = "minimax",
        AlphaBeta = "alpha-beta",
        /// Alpha-beta that expects the first move to be best and only tests the others.
        Pvs = "pvs",
    }
}

choice! {
    /// How moves are sorted, hash move and learnt orders apart.
    Ordering {
        /// As the rules generate them.
        None = "none",
        /// Most valuable victim first, then least valuable taker.
        MvvLva = "mvv-lva",
        /// The same, with captures that lose the exchange behind the quiet moves.
        See = "see" needs Exchange,
        /// Promotions, captures, castling, the more valuable mover, the higher square.
        Legacy = "legacy" needs Chess,
    }
}

choice! {
    /// What happens when the depth is spent.
    Quiescence {
        /// The position is judged as it stands.
        None = "none",
        /// Captures and promotions are played out first; answers to check too.
        Captures = "captures",
        /// And, in the first ply, quiet moves that give check.
        CapturesAndChecks = "captures+checks" needs Check,
        /// After an active move three more plies are searched, see `search::activity`.
        Activity = "activity" needs Chess,
    }
}

choice! {
    /// How a finished game is scored.
    Ends {
        /// Mate by its distance, draws by the contempt.
        Mate = "mate",
        /// As the evaluator says, where it has a say; the older programs did so.
        Evaluator = "evaluator",
        /// The same, times one more than the depth that remained: early ends weigh more.
        EvaluatorEarly = "evaluator-early",
    }
}

/// One option: everything a list, a config, an error or a tuner needs to know of it.
pub struct OptionRow {
    pub name: &'static str,
    pub help: &'static str,
    /// The words it takes; empty for a number.
    pub choices: &'static [&'static str],
    /// The least and the greatest value of a number.
    pub range: Option<(i32, i32)>,
    pub needs: Needs,
    get: fn(&Options) -> String,
    number: fn(&Options) -> Option<i32>,
    needs_of_value: fn(&Options) -> Needs,
    set: fn(&mut Options, &str) -> Option<()>,
}

macro_rules! options {
    ($($field:ident: $kind:ty = $default:expr, $range:expr, $needs:ident, $help:literal;)*) => {
        /// All options of one player's search. The default is the profile `alpha-beta`.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            /// The profile that the other options started from.
            pub profile: Profile,
            $(#[doc = $help] pub $field: $kind,)*
        }

        impl Default for Options {
            fn default() -> Options {
                Options { profile: Profile::AlphaBeta, $($field: $default,)* }
            }
        }

        const ROWS: &[OptionRow] = &[
            OptionRow {
                name: "profile",
                help: "the set of options to start from; single options override it",
                choices: Profile::NAMES,
                range: None,
                needs: Needs::Nothing,
                get: |options| options.profile.name().to_string(),
                number: |_| None,
                needs_of_value: |options| options.profile.needs(),
                set: |options, text| {
                    *options = Profile::from_name(text)?.options();
                    Some(())
                },
            },
            $(OptionRow {
                name: stringify!($field),
                help: $help,
                choices: <$kind as Setting>::CHOICES,
                range: $range,
                needs: Needs::$needs,
                get: |options| options.$field.write(),
                number: |options| options.$field.number(),
                needs_of_value: |options| options.$field.needs(),
                set: |options, text| {
                    options.$field = <$kind as Setting>::read(text, $range)?;
                    Some(())
                },
            },)*
        ];
    };
}

const fn within(low: i32, high: i32) -> Option<(i32, i32)> {
    Some((low, high))
}

options! {
    algorithm: Algorithm = Algorithm::AlphaBeta, None, Nothing,
        "how the tree is walked";
    iterative_deepening: bool = false, None, Nothing,
        "search depth 1, 2, 3 ... and use each for the next; always on under limits other than depth";
    aspiration: bool = false, None, Nothing,
        "start each depth with a narrow window around the score of the one before";
    aspiration_window: i32 = 12, within(1, 1000), Nothing,
        "half the first window, in hundredths of `piece_unit`";
    piece_unit: i32 = 100, within(1, 10000), Nothing,
        "what a pawn or a man is worth in the evaluator's unit; all margins are hundredths of it";
    table: bool = false, None, Nothing,
        "remember positions in a transposition table, emptied before every game";
    table_mb: i32 = 8, within(1, 4096), Nothing,
        "size of the table in megabytes, for each player";
    table_same_depth: bool = false, None, Nothing,
        "trust a remembered score only at exactly its depth, so that a table never changes a score";
    ordering: Ordering = Ordering::MvvLva, None, Nothing,
        "how moves are sorted";
    hash_move: bool = true, None, Nothing,
        "try the move of the table, or of the depth before, first";
    killers: bool = false, None, Nothing,
        "try quiet moves early that refuted a sibling";
    countermoves: bool = false, None, Nothing,
        "try the quiet move early that refuted the same previous move elsewhere";
    history: bool = false, None, Nothing,
        "sort quiet moves by how often their like refuted";
    continuation: bool = false, None, Nothing,
        "sort quiet moves also by how they did after the same move one, two or four plies before";
    quiescence: Quiescence = Quiescence::None, None, Nothing,
        "what is played out after the last ply of the depth";
    quiescence_table: bool = true, None, Nothing,
        "use the table in quiescence too, not only where depth remains";
    quiescence_see: bool = false, None, Exchange,
        "leave out captures that lose the exchange";
    delta_pruning: bool = false, None, Nothing,
        "leave out captures that cannot lift the score to the window";
    delta_margin: i32 = 400, within(0, 2000), Nothing,
        "what a capture may bring beyond its victim, in hundredths of `piece_unit`";
    activity_budget: i32 = 25000, within(0, 1000000), Chess,
        "extensions that the activity rule may spend in one search";
    check_extension: bool = false, None, Check,
        "do not count the ply of a side in check, unless the checking piece is lost for less";
    capture_extension: bool = false, None, ForcedCaptures,
        "do not count the ply of a side that must capture";
    null_move: bool = false, None, NullMove,
        "trust a position that stays above the window even after passing";
    null_move_base: i32 = 3, within(1, 8), NullMove,
        "plies that the test of a pass leaves out";
    null_move_divisor: i32 = 4, within(1, 12), NullMove,
        "and one more for so many plies of depth";
    null_move_surplus: i32 = 130, within(-1000, 1000), NullMove,
        "how far above the window it must stand, in hundredths of `piece_unit`, less 10 for each ply of depth";
    reverse_futility: bool = false, None, Nothing,
        "trust a static score far above the window when little depth remains";
    reverse_futility_margin: i32 = 75, within(1, 1000), Nothing,
        "how far for each ply of depth, in hundredths of `piece_unit`";
    reverse_futility_depth: i32 = 8, within(1, 20), Nothing,
        "the greatest depth for it";
    razoring: bool = false, None, Nothing,
        "drop to quiescence when the static score is far below the window and little depth remains";
    razoring_margin: i32 = 250, within(1, 2000), Nothing,
        "how far for each ply of depth, in hundredths of `piece_unit`";
    futility: bool = false, None, Nothing,
        "leave out quiet moves when the static score is far below the window";
    futility_base: i32 = 90, within(0, 1000), Nothing,
        "how far at depth 0, in hundredths of `piece_unit`";
    futility_margin: i32 = 50, within(1, 1000), Nothing,
        "and how much farther for each ply of depth";
    late_move_pruning: bool = false, None, Nothing,
        "leave out quiet moves late in the order when little depth remains";
    late_move_pruning_base: i32 = 5, within(1, 30), Nothing,
        "quiet moves that are always tried; the square of the depth comes on top";
    late_move_reductions: bool = false, None, Nothing,
        "search moves late in the order less deeply, and again if they surprise";
    reduction_base: i32 = 75, within(0, 300), Nothing,
        "reduction at the first moves, in hundredths of a ply";
    reduction_divisor: i32 = 225, within(50, 1000), Nothing,
        "the greater, the smaller the growth of reductions with depth and move number, in hundredths";
    reduction_first: i32 = 2, within(1, 20), Nothing,
        "moves that are never reduced; two more on the expected line";
    reduction_cut: i32 = 1, within(0, 3), Nothing,
        "plies more where a move is expected to refute";
    reduction_worse: i32 = 1, within(0, 3), Nothing,
        "plies more where the mover's position does not improve";
    reduction_cutoffs: i32 = 2, within(0, 20), Nothing,
        "a ply more once more than so many moves were refuted in their turn; 0: never";
    see_pruning: bool = false, None, Exchange,
        "leave out moves that lose too much in an exchange when little depth remains";
    see_quiet_margin: i32 = 60, within(1, 1000), Exchange,
        "how much a quiet move may lose for each ply of depth, in hundredths of a pawn";
    see_capture_margin: i32 = 100, within(1, 1000), Exchange,
        "how much a capture may lose for each ply of depth, in hundredths of a pawn";
    internal_iterative_reduction: bool = false, None, Nothing,
        "search a ply less where the table knows no move";
    singular_extension: bool = false, None, Nothing,
        "search the move of the table a ply deeper when all others are clearly worse";
    singular_depth: i32 = 6, within(4, 20), Nothing,
        "the least depth for it";
    mate_distance_pruning: bool = false, None, Nothing,
        "look for no mate that is longer than one already found";
    repetition: bool = true, None, Nothing,
        "score a position that occurred before as a draw";
    ends: Ends = Ends::Mate, None, Nothing,
        "how a finished game is scored";
    contempt: i32 = 0, within(-10000, 10000), Nothing,
        "what a draw is short of nothing for the player who searches, in the evaluator's unit";
    root_margin: i32 = 0, within(0, 10000), Nothing,
        "choose by lot among root moves this close to the best, in the evaluator's unit";
    temperature: i32 = 0, within(0, 10000), Nothing,
        "choose root moves by lot, softmax with this temperature in the evaluator's unit";
    blunder_rate: i32 = 0, within(0, 100), Nothing,
        "play any legal move, by lot, so many times in a hundred";
}

/// An option or a value that does not exist, or that means nothing to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    Unknown {
        name: String,
    },
    Value {
        name: &'static str,
        value: String,
        choices: &'static [&'static str],
        range: Option<(i32, i32)>,
    },
    Game {
        name: &'static str,
        value: String,
        needs: Needs,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name } => write!(f, "unknown search option `{name}`"),
            OptionError::Value {
                name,
                value,
                choices,
                range,
            } => {
                write!(f, "search option `{name}` = `{value}`: expected ")?;
                match range {
                    Some((low, high)) => write!(f, "a whole number from {low} to {high}"),
                    None => f.write_str(&choices.join(" or ")),
                }
            }
            OptionError::Game { name, value, needs } => write!(
                f,
                "search option `{name}` = `{value}`: needs a game with {}; leave it out for this one",
                needs.describe()
            ),
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// Every option, `profile` first: set in this order, none undoes another.
    pub fn rows() -> &'static [OptionRow] {
        ROWS
    }

    pub fn row(name: &str) -> Option<&'static OptionRow> {
        ROWS.iter().find(|row| row.name == name)
    }

    /// Sets one option. `profile` sets all of them, so it comes first.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = Options::row(name).ok_or_else(|| OptionError::Unknown {
            name: name.to_string(),
        })?;
        (row.set)(self, value).ok_or_else(|| OptionError::Value {
            name: row.name,
            value: value.to_string(),
            choices: row.choices,
            range: row.range,
        })
    }

    /// The options of a profile.
    pub fn profile(name: &str) -> Result<Options, OptionError> {
        let mut options = Options::default();
        options.set("profile", name)?;
        Ok(options)
    }

    /// The options that settings in any order ask for in a game: the profile first, less the
    /// options the game cannot use; then the rest, where such an option is refused by name.
    pub fn for_game<'s>(
        game: &GameFacts,
        settings: impl IntoIterator<Item = (&'s str, &'s str)> + Clone,
    ) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for (name, value) in settings.clone() {
            if name == "profile" {
                options.set(name, value)?;
                options.refuse(game, name)?;
            }
        }
        options.reset_useless(game);
        for (name, value) in settings {
            if name != "profile" {
                options.set(name, value)?;
                options.refuse(game, name)?;
            }
        }
        Ok(options)
    }

    /// Refuses an option that is set to something the game cannot use.
    fn refuse(&self, game: &GameFacts, name: &str) -> Result<(), OptionError> {
        let Some(row) = Options::row(name) else {
            return Ok(());
        };
        match row.lack(game, self) {
            Some(needs) => Err(OptionError::Game {
                name: row.name,
                value: row.value(self),
                needs,
            }),
            None => Ok(()),
        }
    }

    fn reset_useless(&mut self, game: &GameFacts) {
        let plain = Options::default();
        for row in ROWS.iter().filter(|row| row.name != "profile") {
            if row.lack(game, self).is_some() {
                let value = match row.name {
                    "quiescence" => "captures".to_string(),
                    _ => row.value(&plain),
                };
                // The value comes from the row itself, so it is one that the row takes.
                let _ = (row.set)(self, &value);
            }
        }
    }
}

impl OptionRow {
    /// The value this option has in `options`, as it is written.
    pub fn value(&self, options: &Options) -> String {
        (self.get)(options)
    }

    /// The value of a number.
    pub fn number(&self, options: &Options) -> Option<i32> {
        (self.number)(options)
    }

    /// The game can use the option.
    pub fn applies_to(&self, game: &GameFacts) -> bool {
        self.needs.met_by(game)
    }

    /// What the game lacks for this option to have the value it has. A switch that is off
    /// lacks nothing.
    fn lack(&self, game: &GameFacts, options: &Options) -> Option<Needs> {
        if self.value(options) == "off" {
            return None;
        }
        [self.needs, (self.needs_of_value)(options)]
            .into_iter()
            .find(|needs| !needs.met_by(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_every_option_can_be_set_and_read_back() {
        for row in Options::rows() {
            let numbers = row.range.map_or(vec![], |(low, high)| {
                vec![low.to_string(), high.to_string()]
            });
            let words = row.choices.iter().map(|choice| choice.to_string());
            for value in words.chain(numbers) {
                let mut options = Options::default();
                options.set(row.name, &value).expect("a listed value");
                assert_eq!(row.value(&options), value, "{}", row.name);
            }
        }
    }

    #[test]
    fn numbers_outside_their_range_and_unknown_words_are_refused() {
        let mut options = Options::default();
        let error = options.set("table_mb", "0").expect_err("too small");
        assert_eq!(
            error.to_string(),
            "search option `table_mb` = `0`: expected a whole number from 1 to 4096"
        );
        assert!(options.set("quiescence", "sometimes").is_err());
        assert!(options.set("quiescense", "none").is_err());
    }

    #[test]
    fn defaults_lie_within_their_ranges() {
        for row in Options::rows() {
            if let (Some((low, high)), Some(value)) = (row.range, row.number(&Options::default())) {
                assert!((low..=high).contains(&value), "{}", row.name);
            }
        }
    }
}
