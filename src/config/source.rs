//! A TOML document whose keys and values know their place, and `--set` overrides.

use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// The place of a key or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    File {
        path: String,
        line: usize,
    },
    /// An option on the command line, such as `--set match.pairs=10`.
    Given {
        text: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { path, line } => write!(f, "{path}:{line}"),
            Place::Given { text } => f.write_str(text),
        }
    }
}

/// An error in a config, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    pub place: Option<Place>,
    pub message: String,
}

impl ConfigError {
    pub fn at(place: &Place, message: impl Into<String>) -> ConfigError {
        ConfigError {
            place: Some(place.clone()),
            message: message.into(),
        }
    }

    pub fn bare(message: impl Into<String>) -> ConfigError {
        ConfigError {
            place: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    List(Vec<ConfigNode>),
    Table(ConfigTable),
}

impl Value {
    /// The kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Boolean(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "{}", quoted(text)),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Boolean(truth) => write!(f, "{truth}"),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.value.to_string()).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Value::Table(table) => {
                let entries: Vec<String> = table
                    .entries
                    .iter()
                    .map(|entry| format!("{} = {}", quoted_key(&entry.key), entry.node.value))
                    .collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// A text as TOML writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.push_str(&format!("\\u{:04X}", control as u32)),
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

/// A key in TOML: bare if allowed.
pub fn quoted_key(key: &str) -> String {
    let bare = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { key.to_string() } else { quoted(key) }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConfigNode {
    pub value: Value,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: String,
    /// The place of the key; the value may be on a later line.
    pub place: Place,
    pub node: ConfigNode,
}

/// Keys in the order they were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigTable {
    pub entries: Vec<Entry>,
    /// The place of its header or opening brace; `None` for a table without a file.
    pub place: Option<Place>,
}

impl ConfigTable {
    /// The place of the table, or of its first entry.
    pub(super) fn home(&self) -> Option<Place> {
        let first = || self.entries.first().map(|entry| entry.place.clone());
        self.place.clone().or_else(first)
    }

    pub fn get(&self, key: &str) -> Option<&ConfigNode> {
        self.entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.node)
    }

    /// Sets a value at a dotted key, creating tables as needed.
    pub fn set(&mut self, path: &[&str], node: ConfigNode) -> Result<(), ConfigError> {
        let Some((key, rest)) = path.split_first() else {
            return Ok(());
        };
        let place = node.place.clone();
        let at = match self.entries.iter().position(|entry| entry.key == *key) {
            Some(at) => at,
            None => {
                let value = Value::Table(ConfigTable::default());
                let node = ConfigNode {
                    value,
                    place: place.clone(),
                };
                self.entries.push(Entry {
                    key: key.to_string(),
                    place: place.clone(),
                    node,
                });
                self.entries.len() - 1
            }
        };
        if rest.is_empty() {
            self.entries[at].place = place;
            self.entries[at].node = node;
            return Ok(());
        }
        match &mut self.entries[at].node.value {
            Value::Table(table) => table.set(rest, node),
            other => Err(ConfigError::at(
                &place,
                format!("`{key}` is {}, not a table", other.kind()),
            )),
        }
    }

    /// Reads a document. `path` is only for messages.
    pub fn parse(text: &str, path: &str) -> Result<ConfigTable, ConfigError> {
        let lines = Lines::new(text, path);
        match DeTable::parse(text) {
            Ok(table) => convert_table(table.get_ref(), None, &lines),
            Err(error) => {
                let place = lines.place(error.span().unwrap_or(0..0));
                let message = error.message().lines().collect::<Vec<_>>().join("; ");
                Err(ConfigError::at(
                    &place,
                    format!("not valid TOML: {message}"),
                ))
            }
        }
    }
}

/// Reads the value of `--set KEY=VALUE`: any TOML value, or a text without quotes.
pub fn parse_override(text: &str) -> Result<(String, ConfigNode), ConfigError> {
    let place = Place::Given {
        text: format!("--set {text}"),
    };
    parse_assignment(text, &place)
}

/// Reads `KEY=VALUE` that was given at a place.
pub fn parse_assignment(text: &str, place: &Place) -> Result<(String, ConfigNode), ConfigError> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(ConfigError::at(
            place,
            "expected KEY=VALUE, for example match.pairs=10",
        ));
    };
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() {
        return Err(ConfigError::at(place, "the key before `=` is missing"));
    }
    let found = match ConfigTable::parse(&format!("value = {value}"), "") {
        Ok(table) => table.get("value").map(|node| node.value.clone()),
        // Text without quotes is convenient to type, but a number stays a number.
        Err(error) if value.parse::<f64>().is_ok() => {
            return Err(ConfigError::at(place, error.message));
        }
        Err(_) => None,
    };
    let value = match found {
        Some(value) => with_place(value, place),
        None => Value::Text(value.to_string()),
    };
    let place = place.clone();
    Ok((key.to_string(), ConfigNode { value, place }))
}

fn with_place(value: Value, place: &Place) -> Value {
    match value {
        Value::List(items) => Value::List(
            items
                .into_iter()
                .map(|item| ConfigNode {
                    value: with_place(item.value, place),
                    place: place.clone(),
                })
                .collect(),
        ),
        Value::Table(table) => Value::Table(ConfigTable {
            place: Some(place.clone()),
            entries: table
                .entries
                .into_iter()
                .map(|entry| Entry {
                    key: entry.key,
                    place: place.clone(),
                    node: ConfigNode {
                        value: with_place(entry.node.value, place),
                        place: place.clone(),
                    },
                })
                .collect(),
        }),
        plain => plain,
    }
}

/// Converts byte positions to line numbers.
struct Lines<'t> {
    path: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &str, path: &'t str) -> Lines<'t> {
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Lines { path, starts }
    }

    fn place(&self, span: Range<usize>) -> Place {
        let line = self.starts.partition_point(|start| *start <= span.start);
        Place::File {
            path: self.path.to_string(),
            line,
        }
    }
}

fn convert_table(
    table: &DeTable<'_>,
    home: Option<Place>,
    lines: &Lines<'_>,
) -> Result<ConfigTable, ConfigError> {
    let mut entries: Vec<(usize, Entry)> = Vec::new();
    for (key, value) in table.iter() {
        let place = lines.place(key.span());
        let at = lines.place(value.span());
        let node = ConfigNode {
            value: convert(value.get_ref(), &place, &at, lines)?,
            place: at,
        };
        entries.push((
            key.span().start,
            Entry {
                key: key.get_ref().to_string(),
                place,
                node,
            },
        ));
    }
    // The parser sorts keys; restore the order of the text.
    entries.sort_by_key(|(start, _)| *start);
    Ok(ConfigTable {
        entries: entries.into_iter().map(|(_, entry)| entry).collect(),
        place: home,
    })
}

/// `place` is that of the key, `home` that of the value.
fn convert(
    value: &DeValue<'_>,
    place: &Place,
    home: &Place,
    lines: &Lines<'_>,
) -> Result<Value, ConfigError> {
    Ok(match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Integer(
            i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| {
                ConfigError::at(place, format!("{number}: the number is too large"))
            })?,
        ),
        DeValue::Float(number) => Value::Float(
            number
                .as_str()
                .parse()
                .map_err(|_| ConfigError::at(place, format!("{number}: not a finite number")))?,
        ),
        DeValue::Boolean(truth) => Value::Boolean(*truth),
        DeValue::Datetime(date) => {
            return Err(ConfigError::at(
                place,
                format!("{date}: no key takes a date"),
            ));
        }
        DeValue::Array(items) => {
            let mut list = Vec::new();
            for item in items.iter() {
                let place = lines.place(item.span());
                list.push(ConfigNode {
                    value: convert(item.get_ref(), &place, &place, lines)?,
                    place,
                });
            }
            Value::List(list)
        }
        DeValue::Table(table) => Value::Table(convert_table(table, Some(home.clone()), lines)?),
    })
}
