//! Reads the keys of one section, with errors that name key, value and remedy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::keys::{Key, Section};
use super::kinds::{ClockTimes, Kind, duration_text, parse_clock, parse_time};
use super::source::{ConfigError, ConfigNode, ConfigTable, Entry, Place, Value};
use super::suggest::did_you_mean;

/// The section's keys in the order of the list, with defaults; rejects unknown keys. A default has the
/// place of its section, so that messages do not point to a line that does not exist.
pub(super) fn resolve_section(
    section: Section,
    given: &ConfigTable,
) -> Result<ConfigTable, ConfigError> {
    for entry in &given.entries {
        let is_key = section.keys().any(|key| key.name == entry.key);
        let is_section =
            section == Section::Top && Section::ALL.iter().any(|s| s.name() == entry.key);
        if !is_key && !is_section {
            return Err(unknown_key(section, entry));
        }
    }
    let home = given.home();
    let entry = |key: &Key| {
        let node = match given.get(key.name) {
            Some(node) => node.clone(),
            None => ConfigNode {
                value: key.default_value()?,
                place: home.clone().unwrap_or_else(|| default_place(key)),
            },
        };
        Some(Entry {
            key: key.name.to_string(),
            place: node.place.clone(),
            node,
        })
    };
    Ok(ConfigTable {
        entries: section.keys().filter_map(entry).collect(),
        place: home.clone(),
    })
}

/// The place of a default if the config does not have its section.
fn default_place(key: &Key) -> Place {
    Place::Given {
        text: format!("the default of {}", key.path()),
    }
}

pub(super) fn unknown_key(section: Section, entry: &Entry) -> ConfigError {
    // The key of another section is probably misplaced.
    let home = Section::ALL
        .into_iter()
        .find(|s| s.keys().any(|key| key.name == entry.key));
    let hint = match home {
        Some(Section::Top) => "it belongs at the top, before the first [section]".to_string(),
        Some(Section::Player) => "it belongs in a [[player]]".to_string(),
        Some(home) => format!("it belongs in [{}]", home.name()),
        None => {
            let sections = Section::ALL
                .iter()
                .map(|s| s.name())
                .filter(|name| section == Section::Top && !name.is_empty());
            did_you_mean(
                &entry.key,
                section
                    .keys()
                    .map(|key| key.name)
                    .chain(sections)
                    .collect::<Vec<_>>(),
            )
        }
    };
    let within = match section {
        Section::Top => String::new(),
        section => format!(" in [{}]", section.name()),
    };
    ConfigError::at(
        &entry.place,
        format!("unknown key `{}`{within}; {hint}", entry.key),
    )
}

/// Reads values of one section, with errors that name key, value and remedy. The row of a key in the
/// list of keys defines its values.
pub(super) struct Reader<'t> {
    pub section: Section,
    pub table: &'t ConfigTable,
}

impl Reader<'_> {
    pub fn node(&self, name: &str) -> Result<&ConfigNode, ConfigError> {
        self.table.get(name).ok_or_else(|| {
            let section = self.section.name();
            ConfigError::bare(format!("the key `{name}` is missing in [{section}]"))
        })
    }

    /// The value, with its kind from the list of keys.
    fn of_kind(&self, name: &str) -> Result<(&ConfigNode, Kind), ConfigError> {
        let node = self.node(name)?;
        match self.section.key(name) {
            Some(key) => Ok((node, key.kind)),
            None => Err(ConfigError::at(
                &node.place,
                format!("unknown key `{name}`"),
            )),
        }
    }

    pub fn text(&self, name: &str) -> Result<&str, ConfigError> {
        let node = self.node(name)?;
        match &node.value {
            Value::Text(text) => Ok(text),
            other => Err(mismatch(
                name,
                node,
                &format!("a text in quotes, not {}", other.kind()),
            )),
        }
    }

    pub fn whole(&self, name: &str) -> Result<i64, ConfigError> {
        self.whole_up_to(name, i64::MAX)
    }

    /// A whole number whose upper bound depends on the rest of the config.
    pub fn whole_up_to(&self, name: &str, limit: i64) -> Result<i64, ConfigError> {
        let (node, kind) = self.of_kind(name)?;
        let (Value::Integer(number), Kind::Whole { least, most }) = (&node.value, kind) else {
            return Err(mismatch(name, node, "a whole number"));
        };
        let most = most.min(limit);
        if (least..=most).contains(number) {
            return Ok(*number);
        }
        let range = Kind::whole(least, most).range().unwrap_or_default();
        Err(mismatch(name, node, &range))
    }

    /// A number of things.
    pub fn size(&self, name: &str) -> Result<usize, ConfigError> {
        let (node, number) = (self.node(name)?, self.whole(name)?);
        usize::try_from(number).map_err(|_| mismatch(name, node, "0 or more"))
    }

    pub fn truth(&self, name: &str) -> Result<bool, ConfigError> {
        let node = self.node(name)?;
        match node.value {
            Value::Boolean(truth) => Ok(truth),
            _ => Err(mismatch(name, node, "true or false")),
        }
    }

    /// One of a few words.
    pub fn choice<T: Copy>(
        &self,
        name: &str,
        all: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<T, ConfigError> {
        let find = |given: &str| all.iter().copied().find(|item| word(*item) == given);
        self.meaning(name, find)
    }

    /// The meaning of the key's word.
    pub fn meaning<T>(
        &self,
        name: &str,
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let given = self.text(name)?;
        if let Some(found) = meaning(given) {
            return Ok(found);
        }
        let (node, kind) = self.of_kind(name)?;
        let words = match kind {
            Kind::Choice(words) => words(),
            _ => Vec::new(),
        };
        let hint = did_you_mean(given, words);
        let message = format!("unknown {name} `{given}`; {hint}");
        Err(ConfigError::at(&node.place, message))
    }

    pub fn number(&self, name: &str) -> Result<f64, ConfigError> {
        let (node, kind) = self.of_kind(name)?;
        match (number(node), kind) {
            (Some(value), Kind::Number { least, most }) if (least..=most).contains(&value) => {
                Ok(value)
            }
            (Some(_), Kind::Number { .. }) => {
                Err(mismatch(name, node, &kind.range().unwrap_or_default()))
            }
            _ => Err(mismatch(name, node, "a number")),
        }
    }

    pub fn time(&self, name: &str) -> Result<Duration, ConfigError> {
        let (node, kind) = self.of_kind(name)?;
        let found = match &node.value {
            Value::Text(text) => parse_time(text),
            _ => None,
        };
        match (found, kind) {
            (Some(time), Kind::Time { most }) if is_within(time, most) => Ok(time),
            (Some(_), _) => Err(mismatch(name, node, &kind.range().unwrap_or_default())),
            (None, _) => Err(mismatch(
                name,
                node,
                &format!("a time such as {}", in_ms(node)),
            )),
        }
    }

    /// A clock: the time, the moves it is for, and the increment per move.
    pub fn clock(&self, name: &str) -> Result<ClockTimes, ConfigError> {
        let (node, kind) = self.of_kind(name)?;
        let found = match &node.value {
            Value::Text(text) => parse_clock(text),
            _ => None,
        };
        match (found, kind) {
            (Some(clock), Kind::Clock { most })
                if is_within(clock.time, most)
                    && clock.increment.is_none_or(|it| is_within(it, most))
                    && clock.moves != Some(0) =>
            {
                Ok(clock)
            }
            (Some(_), _) => {
                let range = kind.range().unwrap_or_default();
                Err(mismatch(name, node, &format!("times {range}")))
            }
            (None, _) => {
                let expected = "a time with its increment such as \"10s+100ms\", \"60s\", or \"40/60s\" for each 40 moves";
                Err(mismatch(name, node, expected))
            }
        }
    }

    /// A text or a list of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ConfigError> {
        let node = self.node(name)?;
        let text = |node: &ConfigNode| match &node.value {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(mismatch(name, node, "a text, or a list of texts")),
        };
        match &node.value {
            Value::List(items) => items.iter().map(text).collect(),
            _ => Ok(vec![text(node)?]),
        }
    }

    /// A list; the caller checks its items.
    pub fn list(&self, name: &str) -> Result<&[ConfigNode], ConfigError> {
        let node = self.node(name)?;
        match &node.value {
            Value::List(items) => Ok(items),
            _ => Err(self.no_such_item(name, node)),
        }
    }

    /// The error for an invalid item of the list.
    pub fn no_such_item(&self, name: &str, node: &ConfigNode) -> ConfigError {
        let of = match self.section.key(name).map(|key| key.kind) {
            Some(Kind::List(of)) => of,
            _ => "",
        };
        mismatch(name, node, &format!("a list of {of}"))
    }

    pub fn table(&self, name: &str) -> Result<&ConfigTable, ConfigError> {
        let node = self.node(name)?;
        match &node.value {
            Value::Table(table) => Ok(table),
            _ => Err(mismatch(name, node, "a table: { name = value }")),
        }
    }
}

fn is_within(time: Duration, most: Duration) -> bool {
    Duration::ZERO < time && time <= most
}

/// An example of a time: a bare number is probably meant in milliseconds.
fn in_ms(node: &ConfigNode) -> String {
    match node.value {
        Value::Integer(number @ 1..=3_600_000) => {
            let time = Duration::from_millis(number.unsigned_abs());
            match time.subsec_millis() {
                0 => format!("\"{number}ms\" or \"{}\"", duration_text(time)),
                _ => format!("\"{number}ms\""),
            }
        }
        _ => "\"50ms\" or \"1.5s\"".to_string(),
    }
}

pub(super) fn mismatch(name: &str, node: &ConfigNode, expected: &str) -> ConfigError {
    ConfigError::at(
        &node.place,
        format!("{name} = {}: expected {expected}", node.value),
    )
}

pub(super) fn number(node: &ConfigNode) -> Option<f64> {
    match node.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) if number.is_finite() => Some(number),
        _ => None,
    }
}

pub(super) fn read_file(path: &Path) -> Result<String, ConfigError> {
    let text = if path == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    text.map_err(|error| ConfigError::bare(format!("{}: cannot be read: {error}", path.display())))
}

/// Paths in a config are relative to the config's directory.
pub(super) fn beside(folder: Option<&Path>, file: &str) -> PathBuf {
    folder.map_or_else(|| PathBuf::from(file), |folder| folder.join(file))
}
