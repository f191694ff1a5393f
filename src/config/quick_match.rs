//! A match without a config file: players and settings from the command line make the same
//! document that a file would hold, so that every check and message is the same.

use super::build::{Loaded, load_document};
use super::source::{ConfigError, ConfigNode, ConfigTable, Place, Value, parse_assignment};

/// The arguments of `sparring match`.
#[derive(Debug, Default)]
pub struct QuickMatch<'a> {
    /// As typed: `classical:depth=4,name=mine`.
    pub players: &'a [String],
    /// Keys of every player without a limit, with the option that set each.
    pub limits: Vec<(&'static str, PlayerSetting)>,
    /// Keys of the config, with the option that set each.
    pub settings: Vec<(&'static str, PlayerSetting)>,
}

/// A value with its command-line text, for messages.
#[derive(Clone, Debug)]
pub struct PlayerSetting {
    pub value: Value,
    pub option: String,
}

impl PlayerSetting {
    pub fn new(value: Value, option: impl Into<String>) -> PlayerSetting {
        PlayerSetting {
            value,
            option: option.into(),
        }
    }

    fn node(&self) -> ConfigNode {
        ConfigNode {
            value: self.value.clone(),
            place: Place::Given {
                text: self.option.clone(),
            },
        }
    }
}

/// The keys that limit a player. A player's limit replaces those for all.
pub(super) const LIMITS: [&str; 4] = ["depth", "nodes", "movetime", "clock"];

/// Validates a match from the command line, with `--set` overrides.
pub fn load_match(given: &QuickMatch<'_>, overrides: &[String]) -> Result<Loaded, ConfigError> {
    let mut players = given
        .players
        .iter()
        .map(|text| player(text, &given.limits))
        .collect::<Result<Vec<_>, _>>()?;
    tell_apart(&mut players)?;
    let mut document = ConfigTable::default();
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let place = Place::Given {
        text: "match".to_string(),
    };
    let name = ConfigNode {
        value: Value::Text(run_name(&names)),
        place: place.clone(),
    };
    document.set(&["name"], name)?;
    for (key, setting) in &given.settings {
        document.set(&key.split('.').collect::<Vec<_>>(), setting.node())?;
    }
    let players = players.into_iter().map(|player| ConfigNode {
        value: Value::Table(player.table),
        place: player.place,
    });
    let players = ConfigNode {
        value: Value::List(players.collect()),
        place,
    };
    document.set(&["player"], players)?;
    load_document(document, "match", overrides)
}

struct GivenPlayer {
    name: String,
    /// The settings as typed, to distinguish players with the same evaluator by name.
    settings: String,
    is_named: bool,
    table: ConfigTable,
    place: Place,
}

/// Reads `PLAYER` or `PLAYER:KEY=VALUE,...`.
fn player(
    text: &str,
    limits: &[(&'static str, PlayerSetting)],
) -> Result<GivenPlayer, ConfigError> {
    let place = Place::Given {
        text: text.to_string(),
    };
    let (who, settings) = split_settings(text);
    let (key, value) = match who.split_once(':') {
        Some(("engine", program)) => ("engine", program),
        None if who == "engine" => ("engine", ""),
        _ => ("evaluator", who),
    };
    if value.is_empty() {
        return Err(ConfigError::at(
            &place,
            "no player is named; expected a preset, a weights file or engine:PROGRAM",
        ));
    }
    let node = |value: Value| ConfigNode {
        value,
        place: place.clone(),
    };
    let mut table = ConfigTable::default();
    table.set(&[key], node(Value::Text(value.to_string())))?;
    for assignment in split_list(settings) {
        let (key, given) = parse_assignment(assignment, &place)?;
        table.set(&key.split('.').collect::<Vec<_>>(), given)?;
    }
    if LIMITS.iter().all(|key| table.get(key).is_none()) {
        for (key, setting) in limits {
            table.set(&[*key], setting.node())?;
        }
    }
    let given_name = match table.get("name") {
        Some(ConfigNode {
            value: Value::Text(name),
            ..
        }) => Some(name.clone()),
        _ => None,
    };
    let is_named = table.get("name").is_some();
    let name = given_name.unwrap_or_else(|| stem(value.trim_start_matches('@')));
    Ok(GivenPlayer {
        name,
        settings: settings.to_string(),
        is_named,
        table,
        place,
    })
}

/// Splits off the settings: the text after the first colon that is followed by `KEY=`. A program's path
/// may contain colons.
fn split_settings(text: &str) -> (&str, &str) {
    let is_key = |rest: &str| {
        let key = rest.split('=').next().unwrap_or("");
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '*' | '-' | ' ');
        rest.contains('=') && !key.is_empty() && key.chars().all(plain)
    };
    let colons = text.match_indices(':').map(|(at, _)| at);
    for at in colons {
        if is_key(&text[at + 1..]) {
            return (&text[..at], &text[at + 1..]);
        }
    }
    (text.strip_suffix(':').unwrap_or(text), "")
}

/// Splits at commas outside brackets and quotes.
fn split_list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0usize, false, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The name of a preset, or of a file without its folder and extension.
fn stem(value: &str) -> String {
    let stem = std::path::Path::new(value).file_stem();
    stem.map_or_else(
        || value.to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// Names the players. Settings become part of a name if two would be equal.
fn tell_apart(players: &mut [GivenPlayer]) -> Result<(), ConfigError> {
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    for player in players {
        if player.is_named {
            continue;
        }
        let same = names.iter().filter(|name| **name == player.name).count();
        if same > 1 && !player.settings.is_empty() {
            player.name = format!("{} {}", player.name, player.settings.replace(',', " "));
        }
        let node = ConfigNode {
            value: Value::Text(player.name.clone()),
            place: player.place.clone(),
        };
        player.table.set(&["name"], node)?;
    }
    Ok(())
}

/// The name of the run, and of its directory.
fn run_name(players: &[&str]) -> String {
    const MOST_NAMED: usize = 3;
    let name = match players {
        few if few.len() <= MOST_NAMED => few.join("-vs-"),
        [first, rest @ ..] => format!("{first}-vs-{}-others", rest.len()),
        [] => "match".to_string(),
    };
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') => c,
        _ => '-',
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(players: &[&str]) -> Result<Loaded, ConfigError> {
        let players: Vec<String> = players.iter().map(|text| text.to_string()).collect();
        let depth = PlayerSetting::new(Value::Integer(2), "--depth 2");
        let game = PlayerSetting::new(Value::Text("chess".to_string()), "--game chess");
        let given = QuickMatch {
            players: &players,
            limits: vec![("depth", depth)],
            settings: vec![("game", game)],
        };
        load_match(&given, &[])
    }

    #[test]
    fn settings_behind_a_colon_are_keys_of_the_player() {
        let run = loaded(&[
            "classical:depth=4,weights.pawn_shelter=3,name=mine",
            "material",
        ]);
        let error = run.unwrap_err().to_string();
        assert!(error.starts_with("classical:depth=4"), "{error}");
        let run = loaded(&[
            "four-factor:depth=4,weights.mobility=3,name=mine",
            "material",
        ])
        .unwrap();
        let names: Vec<&str> = run
            .experiment
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        assert_eq!(names, ["mine", "material"]);
        let depths: Vec<u32> = run
            .experiment
            .players
            .iter()
            .map(|player| player.limit.depth)
            .collect();
        assert_eq!(depths, [4, 2]);
        assert_eq!(run.name, "mine-vs-material");
    }

    #[test]
    fn players_of_one_evaluator_are_named_by_their_settings() {
        let run = loaded(&["material:depth=1", "material:depth=3"]).unwrap();
        let names: Vec<&str> = run
            .experiment
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        assert_eq!(names, ["material depth=1", "material depth=3"]);
        let error = loaded(&["material", "material"]).unwrap_err().to_string();
        assert!(error.contains("two players have this name"), "{error}");
    }

    #[test]
    fn programs_may_have_colons_and_lists_may_have_commas() {
        assert_eq!(
            split_settings("engine:C:/a b/x.exe:nodes=5"),
            ("engine:C:/a b/x.exe", "nodes=5")
        );
        assert_eq!(split_settings("engine:stockfish"), ("engine:stockfish", ""));
        assert_eq!(split_settings("classical:"), ("classical", ""));
        assert_eq!(
            split_list("args=[\"a,b\", \"c\"],nodes=3"),
            ["args=[\"a,b\", \"c\"]", "nodes=3"]
        );
        for text in ["", ":", "engine:", ":depth=3"] {
            let error = loaded(&[text, "material"]).unwrap_err().to_string();
            assert!(error.contains("no player is named"), "{text}: {error}");
        }
    }
}
