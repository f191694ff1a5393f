//! The search options of a player. One row each holds name, default, values, help and required
//! game features. Configs, lists, errors and tuners are derived from the rows.

use std::fmt;

use super::profiles::Profile;
use crate::games::GameFacts;

/// The game feature an option requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Check,
    NullMove,
    See,
    ForcedCaptures,
    /// Squares, pawns and castling of chess.
    Chess,
}

impl Needs {
    pub fn met_by(self, game: &GameFacts) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Check | Needs::Chess => game.has_check,
            Needs::NullMove => game.has_null_move,
            Needs::See => game.has_see,
            Needs::ForcedCaptures => game.captures_forced,
        }
    }

    /// Completes "... needs a game with".
    pub const fn describe(self) -> &'static str {
        match self {
            Needs::Nothing => "moves",
            Needs::Check => "check",
            Needs::NullMove => "null moves",
            Needs::See => "static exchange evaluation (SEE)",
            Needs::ForcedCaptures => "forced captures",
            Needs::Chess => "the pieces of chess",
        }
    }
}

/// The type of an option's value.
trait OptionValue: Copy + PartialEq {
    const CHOICES: &'static [&'static str];
    fn write(self) -> String;
    fn read(text: &str, range: Option<(i32, i32)>) -> Option<Self>;
    fn number(self) -> Option<i32> {
        None
    }
    /// What this value needs, in addition to its option.
    fn needs(self) -> Needs {
        Needs::Nothing
    }
}

impl OptionValue for bool {
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

impl OptionValue for i32 {
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

        impl OptionValue for $name {
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
    /// The search algorithm.
    Algorithm {
        /// No pruning at all: for teaching, and as a reference for the others.
        Minimax = "minimax",
        AlphaBeta = "alpha-beta",
        /// Principal variation search: all moves but the first get a zero window.
        Pvs = "pvs",
    }
}

choice! {
    /// How moves are ordered, apart from hash move, killers and histories.
    Ordering {
        /// As generated.
        None = "none",
        /// Most valuable victim first, then least valuable attacker.
        MvvLva = "mvv-lva",
        /// The same, with captures that lose material (SEE < 0) behind the quiet moves.
        See = "see" needs See,
        /// Promotions, captures, castling, the more valuable mover, the higher square.
        Legacy = "legacy" needs Chess,
    }
}

choice! {
    /// What is searched at depth 0.
    Quiescence {
        /// Nothing: the static eval.
        None = "none",
        /// Captures and promotions; in check, all evasions.
        Captures = "captures",
        /// And, in the first ply, quiet checks.
        CapturesAndChecks = "captures+checks" needs Check,
        /// Three more plies after an active move, see `search::activity`.
        Activity = "activity" needs Chess,
    }
}

choice! {
    /// How a finished game is scored.
    Ends {
        /// Mate scores by distance, draws by contempt.
        Mate = "mate",
        /// By the evaluator, if it scores finished games; as in the older programs.
        Evaluator = "evaluator",
        /// The same, multiplied by the remaining depth + 1: early ends weigh more.
        EvaluatorEarly = "evaluator-early",
    }
}

/// One option: everything that lists, configs, errors and tuners use.
pub struct OptionRow {
    pub name: &'static str,
    pub help: &'static str,
    /// The allowed words; empty for a number.
    pub choices: &'static [&'static str],
    /// The minimum and maximum of a number.
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
                choices: <$kind as OptionValue>::CHOICES,
                range: $range,
                needs: Needs::$needs,
                get: |options| options.$field.write(),
                number: |options| options.$field.number(),
                needs_of_value: |options| options.$field.needs(),
                set: |options, text| {
                    options.$field = <$kind as OptionValue>::read(text, $range)?;
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
        "search algorithm";
    iterative_deepening: bool = false, None, Nothing,
        "search depth 1, 2, 3 ... and order moves by the depth before; always on unless the limit is a depth";
    aspiration: bool = false, None, Nothing,
        "aspiration windows: start each depth with a narrow window around the previous score";
    aspiration_window: i32 = 12, within(1, 1000), Nothing,
        "half the width of the first aspiration window, in hundredths of `piece_unit`";
    piece_unit: i32 = 100, within(1, 10000), Nothing,
        "value of a pawn or man in the evaluator's unit; all margins are hundredths of it";
    table: bool = false, None, Nothing,
        "use a transposition table (TT), cleared before every game";
    table_mb: i32 = 8, within(1, 4096), Nothing,
        "TT size in megabytes, per player";
    table_same_depth: bool = false, None, Nothing,
        "use TT scores only at exactly the stored depth, so that the TT never changes a score";
    ordering: Ordering = Ordering::MvvLva, None, Nothing,
        "move ordering";
    hash_move: bool = true, None, Nothing,
        "try the hash move (from the TT or the previous depth) first";
    killers: bool = false, None, Nothing,
        "killers: try quiet moves early that caused a cutoff at the same ply";
    countermoves: bool = false, None, Nothing,
        "countermoves: try early the quiet move that last caused a beta cutoff after the same move";
    history: bool = false, None, Nothing,
        "history: order quiet moves by how often they caused cutoffs";
    continuation: bool = false, None, Nothing,
        "continuation history: also order quiet moves by their cutoffs after the moves 1, 2 and 4 plies before";
    quiescence: Quiescence = Quiescence::None, None, Nothing,
        "quiescence search: what is searched at depth 0";
    quiescence_table: bool = true, None, Nothing,
        "use the TT in quiescence too";
    quiescence_see: bool = false, None, See,
        "prune captures with SEE below 0 in quiescence";
    delta_pruning: bool = false, None, Nothing,
        "delta pruning: prune captures in quiescence that cannot raise the score to alpha";
    delta_margin: i32 = 400, within(0, 2000), Nothing,
        "margin added to the value of the victim, in hundredths of `piece_unit`";
    activity_budget: i32 = 25000, within(0, 1000000), Chess,
        "limit of activity extensions per search";
    activity_threshold: i32 = 2, within(0, 10), Chess,
        "activity extension: the least activity of a move that is extended; its book says 3";
    check_extension: bool = false, None, Check,
        "extend checks by a ply, unless the checking move loses material (SEE < 0)";
    capture_extension: bool = false, None, ForcedCaptures,
        "extend by a ply when the opponent must capture";
    null_move: bool = false, None, NullMove,
        "null move pruning: fail high if the score stays above beta after a null move";
    null_move_base: i32 = 3, within(1, 8), NullMove,
        "null move: base reduction in plies";
    null_move_divisor: i32 = 4, within(1, 12), NullMove,
        "null move: one more ply of reduction per this many plies of depth";
    null_move_surplus: i32 = 130, within(-1000, 1000), NullMove,
        "null move: static eval must exceed beta by this, in hundredths of `piece_unit`, minus 10 per ply of depth";
    reverse_futility: bool = false, None, Nothing,
        "reverse futility pruning: fail high at low depth if static eval - margin >= beta";
    reverse_futility_margin: i32 = 75, within(1, 1000), Nothing,
        "reverse futility: margin per ply of depth, in hundredths of `piece_unit`";
    reverse_futility_depth: i32 = 8, within(1, 20), Nothing,
        "reverse futility: maximum depth";
    razoring: bool = false, None, Nothing,
        "razoring: drop into quiescence at low depth if static eval + margin <= alpha";
    razoring_margin: i32 = 250, within(1, 2000), Nothing,
        "razoring: margin per ply of depth, in hundredths of `piece_unit`";
    futility: bool = false, None, Nothing,
        "futility pruning: prune quiet moves at low depth if static eval + margin <= alpha";
    futility_base: i32 = 90, within(0, 1000), Nothing,
        "futility: margin at depth 0, in hundredths of `piece_unit`";
    futility_margin: i32 = 50, within(1, 1000), Nothing,
        "futility: additional margin per ply of depth";
    late_move_pruning: bool = false, None, Nothing,
        "late move pruning (LMP): prune late quiet moves at low depth";
    late_move_pruning_base: i32 = 5, within(1, 30), Nothing,
        "LMP: keep this many quiet moves plus the square of the depth";
    late_move_reductions: bool = false, None, Nothing,
        "late move reductions (LMR): search late moves at reduced depth, and re-search those that beat alpha";
    reduction_base: i32 = 75, within(0, 300), Nothing,
        "LMR: base reduction, in hundredths of a ply";
    reduction_divisor: i32 = 225, within(50, 1000), Nothing,
        "LMR: divisor of ln(depth) * ln(move number), in hundredths; higher reduces less";
    reduction_first: i32 = 2, within(1, 20), Nothing,
        "LMR: moves that are never reduced; two more in PV nodes";
    reduction_cut: i32 = 1, within(0, 3), Nothing,
        "LMR: additional plies in cut nodes";
    reduction_worse: i32 = 1, within(0, 3), Nothing,
        "LMR: additional plies if the static eval is not improving";
    reduction_cutoffs: i32 = 2, within(0, 20), Nothing,
        "LMR: one more ply after more than this many cutoffs in child nodes; 0 disables it";
    see_pruning: bool = false, None, See,
        "SEE pruning: prune moves at low depth that lose too much material";
    see_quiet_margin: i32 = 60, within(1, 1000), See,
        "SEE pruning: loss allowed to a quiet move per ply of depth, in hundredths of a pawn";
    see_capture_margin: i32 = 100, within(1, 1000), See,
        "SEE pruning: loss allowed to a capture per ply of depth, in hundredths of a pawn";
    internal_iterative_reduction: bool = false, None, Nothing,
        "internal iterative reduction: reduce nodes without a hash move by a ply";
    singular_extension: bool = false, None, Nothing,
        "singular extension: extend the hash move if all other moves are clearly worse";
    singular_depth: i32 = 6, within(4, 20), Nothing,
        "singular extension: minimum depth";
    mate_distance_pruning: bool = false, None, Nothing,
        "mate distance pruning: do not search for mates longer than one already found";
    repetition: bool = true, None, Nothing,
        "score a position that occurred before as a draw";
    ends: Ends = Ends::Mate, None, Nothing,
        "how a finished game is scored";
    contempt: i32 = 0, within(-10000, 10000), Nothing,
        "contempt: a draw scores this much below zero for the searching player, in the evaluator's unit";
    root_margin: i32 = 0, within(0, 10000), Nothing,
        "choose at random among root moves this close to the best, in the evaluator's unit";
    temperature: i32 = 0, within(0, 10000), Nothing,
        "choose root moves at random: softmax with this temperature, in the evaluator's unit";
    blunder_rate: i32 = 0, within(0, 100), Nothing,
        "percentage of moves that are chosen at random among all legal moves";
}

/// An unknown option or value, or one that does not apply to the game.
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
                "search option `{name}` = `{value}`: needs a game with {}; remove it for this one",
                needs.describe()
            ),
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// All options. `profile` is first because it sets all others.
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

    /// Applies settings, in any order, for a game. The profile comes first, without options that do not
    /// apply to the game. Other settings that do not apply are errors.
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
        options.reset_unsupported(game);
        for (name, value) in settings {
            if name != "profile" {
                options.set(name, value)?;
                options.refuse(game, name)?;
            }
        }
        Ok(options)
    }

    /// Refuses an option whose value does not apply to the game.
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

    fn reset_unsupported(&mut self, game: &GameFacts) {
        let plain = Options::default();
        for row in ROWS.iter().filter(|row| row.name != "profile") {
            if row.lack(game, self).is_some() {
                let value = match row.name {
                    "quiescence" => "captures".to_string(),
                    _ => row.value(&plain),
                };
                // The value comes from the row itself, so it is valid.
                let _ = (row.set)(self, &value);
            }
        }
    }
}

impl OptionRow {
    /// The value of this option in `options`, as text.
    pub fn value(&self, options: &Options) -> String {
        (self.get)(options)
    }

    /// The value of a number.
    pub fn number(&self, options: &Options) -> Option<i32> {
        (self.number)(options)
    }

    /// Whether the option applies to the game.
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
