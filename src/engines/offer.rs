//! The options that an engine offers, and which values they take.

/// An option offered by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: String,
    /// `check`, `spin`, `combo`, `button` or `string`.
    pub kind: String,
    pub default: String,
    pub range: Option<(i64, i64)>,
    pub choices: Vec<String>,
}

/// Limit of options per engine and of values per option. Real engines have a tenth.
pub const MOST_OFFERS: usize = 1024;

/// Limit of characters of a name or value from an engine.
const LONGEST_WORD: usize = 256;

/// Sanitises text from an engine for terminals and logs: shortened, without control characters.
pub fn bounded(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(LONGEST_WORD)
        .collect()
}

/// Reads what follows `option` on an engine's line: `name N... type T ...`, with blanks in names and values.
pub fn read_offer(text: &str) -> Option<Offer> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        // A name may hold any word but `type`.
        let in_name = matches!(fields.last(), Some(("name", _))) && word != "type";
        if KEYS.contains(&word) && !in_name {
            fields.push((word, Vec::new()));
        } else if let Some((_, words)) = fields.last_mut() {
            words.push(word);
        }
    }
    let get = |key: &str| {
        let field = fields.iter().find(|(name, _)| *name == key);
        field.map(|(_, words)| bounded(&words.join(" ")))
    };
    let bound = |key: &str| get(key)?.parse().ok();
    let choices = fields.iter().filter(|(key, _)| *key == "var");
    Some(Offer {
        name: get("name").filter(|name| !name.is_empty())?,
        kind: get("type")?,
        default: get("default").unwrap_or_default(),
        range: bound("min").zip(bound("max")),
        choices: choices
            .take(MOST_OFFERS)
            .map(|(_, words)| bounded(&words.join(" ")))
            .collect(),
    })
}

impl Offer {
    /// Why this option cannot have the value, if so.
    pub fn objection(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" if !matches!(value, "true" | "false") => {
                Some("expected true or false".to_string())
            }
            "spin" => match (value.parse::<i64>(), self.range) {
                (Err(_), _) => Some("expected a whole number".to_string()),
                (Ok(number), Some((low, high))) if !(low..=high).contains(&number) => {
                    Some(format!("expected {low} to {high}"))
                }
                _ => None,
            },
            "combo" if !self.choices.iter().any(|c| c.eq_ignore_ascii_case(value)) => {
                Some(format!("expected one of {}", self.choices.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_blanks_ranges_and_choices_are_read() {
        let skill = read_offer("name Skill Level type spin default 20 min 0 max 20").unwrap();
        assert_eq!(skill.name, "Skill Level");
        assert_eq!((skill.range, skill.default.as_str()), (Some((0, 20)), "20"));
        assert!(skill.objection("21").is_some() && skill.objection("0").is_none());
        let style = read_offer("name Style type combo default Risky One var Solid var Risky One");
        let style = style.unwrap();
        assert_eq!(style.choices, ["Solid", "Risky One"]);
        assert!(style.objection("solid").is_none() && style.objection("wild").is_some());
        let empty = read_offer("name Book File type string default <empty>").unwrap();
        assert_eq!(empty.kind, "string");
        assert!(empty.objection("anything at all").is_none());
        assert_eq!(read_offer("name type"), None);
        assert_eq!(read_offer(""), None);
    }
}
