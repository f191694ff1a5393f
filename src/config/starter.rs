//! `sparring new`: a commented config with every key and its default.

use super::keys::{Key, Scope, Section};

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
                ("anchor", _) => format!("\"{}\"", evaluators.first().unwrap_or(&"")),
                (_, default) => default.unwrap_or("\"\"").to_string(),
            };
            // The default is no anchor.
            let mark = if key.name == "anchor" { "# " } else { mark };
            text.push_str(&commented(mark, key, &value));
        }
    }
    text
}

/// An external engine as a player, commented out.
fn starter_engine() -> String {
    let mut text = format!("\n{:<30} # optional: an external engine\n", "# [[player]]");
    for key in Section::Player
        .keys()
        .filter(|key| key.scope != Scope::Search)
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
    // The clock is shown with the engines, like the keys that only they have.
    let concerns =
        |key: &&Key| key.scope != Scope::Engine && !matches!(key.name, "clock" | "time_margin");
    for key in Section::Player.keys().filter(concerns) {
        let value = match (key.name, key.default) {
            ("name" | "evaluator", _) => format!("\"{evaluator}\""),
            (_, default) => default.unwrap_or("\"\"").to_string(),
        };
        if with_help {
            // An empty sweep is the same as none, and clearer if omitted.
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
    let help = match key.kind.range() {
        Some(range) => format!("{} [{range}]", key.help),
        None => key.help.to_string(),
    };
    format!("{assignment:<30} # {help}\n")
}
