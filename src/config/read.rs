//! Reads the keys of one section, with complaints that name key, value and remedy.

use std::path::{Path, PathBuf};

use super::keys::{Key, Section};
use super::source::{ConfigError, Entry, Node, Table, Value};
use super::suggest::did_you_mean;

/// The section's keys in the order of the list, defaults filled in; unknown ones are refused.
pub(super) fn resolve_section(section: Section, given: &Table) -> Result<Table, ConfigError> {
    for entry in &given.entries {
        let is_key = section.keys().any(|key| key.name == entry.key);
        let is_section =
            section == Section::Top && Section::ALL.iter().any(|s| s.name() == entry.key);
        if !is_key && !is_section {
            return Err(unknown_key(section, entry));
        }
    }
    let entry = |key: &Key| {
        let node = given
            .get(key.name)
            .cloned()
            .or_else(|| key.default_node())?;
        Some(Entry {
            key: key.name.to_string(),
            place: node.place.clone(),
            node,
        })
    };
    Ok(Table {
        entries: section.keys().filter_map(entry).collect(),
    })
}

pub(super) fn unknown_key(section: Section, entry: &Entry) -> ConfigError {
    // A key of another section was most likely put in the wrong place.
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

/// Reads values of one section, with complaints that name key, value and remedy.
pub(super) struct Reader<'t> {
    pub section: Section,
    pub table: &'t Table,
}

impl Reader<'_> {
    pub fn node(&self, name: &str) -> Result<&Node, ConfigError> {
        self.table.get(name).ok_or_else(|| {
            let section = self.section.name();
            ConfigError::bare(format!("the key `{name}` is missing in [{section}]"))
        })
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

    pub fn whole(&self, name: &str, low: i64, high: i64) -> Result<i64, ConfigError> {
        let node = self.node(name)?;
        match node.value {
            Value::Integer(number) if (low..=high).contains(&number) => Ok(number),
            Value::Integer(_) if high == i64::MAX => {
                Err(mismatch(name, node, &format!("{low} or more")))
            }
            Value::Integer(_) => Err(mismatch(name, node, &format!("{low} to {high}"))),
            _ => Err(mismatch(name, node, "a whole number")),
        }
    }

    pub fn truth(&self, name: &str) -> Result<bool, ConfigError> {
        let node = self.node(name)?;
        match node.value {
            Value::Boolean(truth) => Ok(truth),
            _ => Err(mismatch(name, node, "true or false")),
        }
    }

    /// A number of things.
    pub fn size(&self, name: &str) -> Result<usize, ConfigError> {
        Ok(self.whole(name, 0, u32::MAX.into())? as usize)
    }

    /// One of a few words.
    pub fn choice<T: Copy>(
        &self,
        name: &str,
        all: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<T, ConfigError> {
        let given = self.text(name)?;
        let found = all.iter().copied().find(|item| word(*item) == given);
        found.map_or_else(
            || {
                let hint = did_you_mean(given, all.iter().map(|item| word(*item)));
                let place = &self.node(name)?.place;
                Err(ConfigError::at(
                    place,
                    format!("unknown {name} `{given}`; {hint}"),
                ))
            },
            Ok,
        )
    }

    pub fn number(&self, name: &str) -> Result<f64, ConfigError> {
        let node = self.node(name)?;
        number(node).ok_or_else(|| mismatch(name, node, "a number"))
    }

    pub fn table(&self, name: &str) -> Result<&Table, ConfigError> {
        let node = self.node(name)?;
        match &node.value {
            Value::Table(table) => Ok(table),
            _ => Err(mismatch(name, node, "a table: { name = value }")),
        }
    }
}

pub(super) fn mismatch(name: &str, node: &Node, expected: &str) -> ConfigError {
    ConfigError::at(
        &node.place,
        format!("{name} = {}: expected {expected}", node.value),
    )
}

pub(super) fn number(node: &Node) -> Option<f64> {
    match node.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) if number.is_finite() => Some(number),
        _ => None,
    }
}

pub(super) fn read_file(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path)
        .map_err(|error| ConfigError::bare(format!("{}: cannot be read: {error}", path.display())))
}

/// A file named in a config lies beside the config, wherever the program was started.
pub(super) fn beside(folder: Option<&Path>, file: &str) -> PathBuf {
    folder.map_or_else(|| PathBuf::from(file), |folder| folder.join(file))
}
