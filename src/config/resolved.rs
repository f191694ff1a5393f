//! The resolved config: everything a run depends on, with defaults. Two runs with the same text play
//! the same games.

use super::keys::Section;
use super::source::{ConfigTable, Value, quoted_key};

/// Writes the resolved config. `sections` hold every key with its value; `not_reproducible` lists what
/// else the games depend on.
pub fn write(
    sections: &[(Section, &ConfigTable)],
    players: &[ConfigTable],
    not_reproducible: &[String],
) -> String {
    let mut text = format!(
        "# Resolved by sparring {}: every default written out.",
        env!("CARGO_PKG_VERSION")
    );
    if not_reproducible.is_empty() {
        text.push_str(" The same text gives the same games.\n");
    } else {
        text.push_str(" Games differ between runs:\n");
        for reason in not_reproducible {
            text.push_str(&format!("# {reason}\n"));
        }
    }
    for (section, table) in sections {
        if *section != Section::Top {
            text.push_str(&format!("\n[{}]\n", section.name()));
        }
        push_entries(&mut text, table);
    }
    for player in players {
        text.push_str("\n[[player]]\n");
        push_entries(&mut text, player);
    }
    text
}

/// Keys of `[tune]` that only the validation reads.
const OF_VALIDATION: [&str; 4] = ["validate", "validate_pairs", "confirm_pairs", "opponents"];

/// The part of a resolved config that the tuning depends on: the validation may change later.
pub fn without_validation(resolved: &str) -> String {
    without(resolved, |section, key| match section {
        "[sprt]" | "[learn]" => true,
        "[tune]" => OF_VALIDATION.contains(&key),
        _ => false,
    })
}

/// The part of a resolved config that the first generations of `sparring learn` depend on.
pub fn without_generations(resolved: &str) -> String {
    without(resolved, |section, key| {
        section == "[learn]" && key == "generations"
    })
}

/// The part of a resolved config that the first games depend on: a run may be extended later.
pub fn without_pairs(resolved: &str) -> String {
    without(resolved, |section, key| {
        section == "[match]" && (key == "pairs" || key == "anchor")
    })
}

/// The lines of a resolved config whose section and key are not left out.
fn without(resolved: &str, is_left_out: impl Fn(&str, &str) -> bool) -> String {
    let mut section = "";
    let mut text = String::new();
    for line in resolved.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            section = line;
        }
        let key = line.split(' ').next().unwrap_or("");
        if !is_left_out(section, key) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

fn push_entries(text: &mut String, table: &ConfigTable) {
    for entry in &table.entries {
        if matches!(&entry.node.value, Value::Table(table) if table.entries.is_empty()) {
            text.push_str(&format!("{} = {{}}\n", quoted_key(&entry.key)));
        } else {
            text.push_str(&format!(
                "{} = {}\n",
                quoted_key(&entry.key),
                entry.node.value
            ));
        }
    }
}
