//! The search options a player can set: one row each, with name, default, choices and help.

use std::fmt;

/// What happens when the depth is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quiescence {
    /// The position is judged as it stands.
    #[default]
    None,
    /// Captures are played out first.
    Captures,
}

/// How a finished game is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// Mate by its distance, draws as nothing.
    #[default]
    Mate,
    /// As the evaluator says, where it has a say; the older programs did so.
    Evaluator,
}

/// All options of one player's search.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    pub quiescence: Quiescence,
    pub ends: Ends,
}

/// One option: everything a list, a config or an error message needs to know of it.
pub struct OptionRow {
    pub name: &'static str,
    pub help: &'static str,
    /// The values it takes, the default first.
    pub choices: &'static [&'static str],
    get: fn(&Options) -> usize,
    set: fn(&mut Options, usize),
}

const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "quiescence",
        help: "what is played out after the last ply of the depth",
        choices: &["none", "captures"],
        get: |options| options.quiescence as usize,
        set: |options, choice| {
            options.quiescence = [Quiescence::None, Quiescence::Captures][choice];
        },
    },
    OptionRow {
        name: "ends",
        help: "how a finished game is scored: by its distance, or by the evaluator's own numbers",
        choices: &["mate", "evaluator"],
        get: |options| options.ends as usize,
        set: |options, choice| options.ends = [Ends::Mate, Ends::Evaluator][choice],
    },
];

/// An option or a value that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    Unknown {
        name: String,
    },
    Value {
        name: &'static str,
        value: String,
        choices: &'static [&'static str],
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
            } => {
                write!(
                    f,
                    "search option `{name}` = `{value}`: expected {}",
                    choices.join(" or ")
                )
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    pub fn rows() -> &'static [OptionRow] {
        ROWS
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = ROWS
            .iter()
            .find(|row| row.name == name)
            .ok_or_else(|| OptionError::Unknown {
                name: name.to_string(),
            })?;
        let choice = row
            .choices
            .iter()
            .position(|choice| *choice == value)
            .ok_or_else(|| OptionError::Value {
                name: row.name,
                value: value.to_string(),
                choices: row.choices,
            })?;
        (row.set)(self, choice);
        Ok(())
    }
}

impl OptionRow {
    /// The value this option has in `options`, as it is written.
    pub fn value(&self, options: &Options) -> &'static str {
        self.choices[(self.get)(options)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_every_option_can_be_set_and_read_back() {
        for row in Options::rows() {
            for choice in row.choices {
                let mut options = Options::default();
                options.set(row.name, choice).expect("a listed choice");
                assert_eq!(row.value(&options), *choice);
            }
            assert_eq!(
                row.value(&Options::default()),
                row.choices[0],
                "the default stands first"
            );
        }
    }
}
