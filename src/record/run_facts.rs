//! What the `config.toml` of a run says to those who only read it: names, game, sequential test.
//! It was checked when the run began, so anything unknown here is simply left out.

use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::stats::{Model, Sprt};

/// Facts of a run that its games do not tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFacts {
    pub name: Option<String>,
    pub game: Option<String>,
    pub seed: Option<String>,
    /// In the order of the config.
    pub players: Vec<String>,
    /// Those whose games differ from run to run: programs of their own, and players by the clock.
    pub not_reproducible: Vec<String>,
    pub sprt: Option<Sprt>,
    /// The config's text.
    pub text: String,
}

impl RunFacts {
    /// Of the run in a directory; `None` if there is no config.
    pub fn read(directory: &Path) -> Option<RunFacts> {
        fs::read_to_string(directory.join("config.toml"))
            .ok()
            .map(RunFacts::of)
    }

    pub fn of(text: String) -> RunFacts {
        let mut facts = RunFacts::default();
        if let Ok(table) = DeTable::parse(&text) {
            let table = table.get_ref();
            facts.name = word(table, "name");
            facts.game = word(table, "game");
            facts.seed = word(table, "seed");
            facts.players = players(table, |_| true);
            facts.not_reproducible = players(table, |player| {
                let keys = ["engine", "movetime", "clock"];
                keys.iter().any(|key| player.get(*key).is_some())
            });
            facts.sprt = sprt(table);
        }
        facts.text = text;
        facts
    }
}

/// A text or number as text.
fn word(table: &DeTable<'_>, key: &str) -> Option<String> {
    match table.get(key)?.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The names of the players that are wanted.
fn players(table: &DeTable<'_>, wanted: impl Fn(&DeTable<'_>) -> bool) -> Vec<String> {
    let Some(DeValue::Array(players)) = table.get("player").map(|node| node.get_ref()) else {
        return Vec::new();
    };
    let name = |player: &DeValue<'_>| match player {
        DeValue::Table(player) if wanted(player) => word(player, "name"),
        _ => None,
    };
    let names = players.iter().filter_map(|player| name(player.get_ref()));
    names.collect()
}

fn sprt(table: &DeTable<'_>) -> Option<Sprt> {
    let DeValue::Table(keys) = table.get("sprt")?.get_ref() else {
        return None;
    };
    let number = |key: &str| word(keys, key)?.parse::<f64>().ok();
    let model = word(keys, "model");
    let model = Model::ALL
        .into_iter()
        .find(|known| model.as_deref().is_none_or(|name| known.name() == name))?;
    let rate = |key: &str| number(key).unwrap_or(0.05);
    Sprt::new(model, number("elo0")?, number("elo1")?)
        .and_then(|sprt| sprt.with_error_rates(rate("alpha"), rate("beta")))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_a_resolved_config() {
        let text = "name = \"n\"\ngame = \"chess\"\nseed = 7\n\n[sprt]\nelo0 = 0.0\nelo1 = 5.0\n\
                    model = \"logistic\"\nalpha = 0.1\nbeta = 0.1\n\n[[player]]\nname = \"a\"\n\n[[player]]\nname = \"b\"\n";
        let facts = RunFacts::of(text.to_string());
        assert_eq!(facts.game.as_deref(), Some("chess"));
        assert_eq!(facts.seed.as_deref(), Some("7"));
        assert_eq!(facts.players, ["a", "b"]);
        let sprt = facts.sprt.unwrap();
        assert_eq!(
            (sprt.model(), sprt.elo1(), sprt.alpha()),
            (Model::Logistic, 5.0, 0.1)
        );
        assert_eq!(RunFacts::of("no toml".to_string()).game, None);
    }
}
