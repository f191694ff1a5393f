//! The UCI options: a fixed few, and on request every weight and search option.

use super::Settings;
use crate::config;
use crate::eval::catalog::GameId;
use crate::eval::{AnyPreset, TermShape};
use crate::search::{Options, Profile};

/// The effect of setting an option.
pub enum Effect {
    /// The search settings changed.
    Changed,
    Nothing,
    NewGame,
    /// The game changed between chess and Chess960.
    Switch(GameId),
}

/// The lines that answer `uci`.
pub fn list(settings: &Settings, game: GameId) -> String {
    let mut names = game.evaluators().preset_names();
    if !names.contains(&settings.evaluator) {
        names.push(settings.evaluator);
    }
    let file = settings
        .weights
        .learnt()
        .map_or("<empty>", |it| it.origin());
    let profile = Options::row("profile").map_or(String::new(), |row| row.value(&settings.options));
    let (least, most) = hash_range();
    let mut text = String::new();
    let mut push =
        |name: &str, kind: &str| text.push_str(&format!("option name {name} type {kind}\n"));
    push("Evaluator", &combo(settings.evaluator, &names));
    push("EvalFile", &format!("string default {file}"));
    push("Profile", &combo(&profile, Profile::NAMES));
    push(
        "Hash",
        &format!(
            "spin default {} min {least} max {most}",
            settings.options.table_mb
        ),
    );
    push("Clear Hash", "button");
    push("Threads", "spin default 1 min 1 max 1");
    push("Ponder", "check default false");
    push(
        "Move Overhead",
        &format!(
            "spin default {} min 0 max {MOST_OVERHEAD}",
            settings.overhead
        ),
    );
    push(
        "UCI_Chess960",
        &format!("check default {}", game == GameId::Chess960),
    );
    push(
        "UCI_EngineAbout",
        "string default a player of the self-play laboratory Sparring",
    );
    if settings.tunable {
        list_search(settings, game, &mut push);
        list_weights(settings, game, &mut push);
    }
    text
}

const MOST_OVERHEAD: u64 = 5000;

fn hash_range() -> (i32, i32) {
    Options::row("table_mb")
        .and_then(|row| row.range)
        .unwrap_or((1, 1))
}

fn combo(default: &str, choices: &[&str]) -> String {
    let mut text = format!("combo default {default}");
    for choice in choices {
        text.push_str(&format!(" var {choice}"));
    }
    text
}

fn list_search(settings: &Settings, game: GameId, push: &mut impl FnMut(&str, &str)) {
    let rows = Options::rows()
        .iter()
        .filter(|row| row.applies_to(game.facts()) && row.name != "profile");
    for row in rows {
        let value = row.value(&settings.options);
        let kind = match row.range {
            Some((low, high)) => format!("spin default {value} min {low} max {high}"),
            None => combo(&value, row.choices),
        };
        push(&format!("search.{}", row.name), &kind);
    }
}

/// A weight that is a single whole number is a spin; all others are strings as in a config.
fn list_weights(settings: &Settings, game: GameId, push: &mut impl FnMut(&str, &str)) {
    let Some(preset) = game.evaluators().preset(settings.evaluator) else {
        return;
    };
    for (term, value) in settings.weights.values(preset.terms()) {
        let (low, high) = term.range;
        let number = value.opening[0];
        let whole = [number, low, high].iter().all(|n| n.fract() == 0.0);
        let kind = if term.shape() == TermShape::Number && !term.is_tapered() && whole {
            format!("spin default {number} min {low} max {high}")
        } else if value.opening == value.ending {
            format!("string default {}", list_text(&value.opening))
        } else {
            format!(
                "string default {{ opening = {}, ending = {} }}",
                list_text(&value.opening),
                list_text(&value.ending)
            )
        };
        push(&format!("weights.{}", term.name), &kind);
    }
}

fn list_text(numbers: &[f64]) -> String {
    match numbers {
        [one] => one.to_string(),
        all => {
            let all: Vec<String> = all.iter().map(f64::to_string).collect();
            format!("[{}]", all.join(", "))
        }
    }
}

/// Changes a setting; the error is one line.
pub fn set(
    settings: &mut Settings,
    game: GameId,
    name: &str,
    value: &str,
) -> Result<Effect, String> {
    match name.to_lowercase().as_str() {
        "evaluator" => {
            // A file stays until another evaluator is named.
            if value == settings.evaluator && settings.weights.learnt().is_some() {
                return Ok(Effect::Nothing);
            }
            set_evaluator(settings, game, value)?;
        }
        "evalfile" if value.is_empty() || value == "<empty>" => return Ok(Effect::Nothing),
        "evalfile" => set_evaluator(settings, game, value)?,
        "profile" => {
            let kept = settings.options.table_mb;
            settings.options = Options::for_game(game.facts(), [("profile", value)])
                .map_err(|error| error.to_string())?;
            settings.options.table_mb = kept;
        }
        "hash" => return set_search(settings, game, "table_mb", value),
        "clear hash" => return Ok(Effect::NewGame),
        "threads" | "ponder" | "uci_engineabout" => return Ok(Effect::Nothing),
        "move overhead" => {
            let number = value.parse().ok().filter(|ms| *ms <= MOST_OVERHEAD);
            settings.overhead = number
                .ok_or_else(|| format!("Move Overhead `{value}`: expected 0 to {MOST_OVERHEAD}"))?;
            return Ok(Effect::Nothing);
        }
        "uci_chess960" => {
            let wanted = match value {
                "true" => GameId::Chess960,
                "false" => GameId::Chess,
                _ => return Err(format!("UCI_Chess960 `{value}`: expected true or false")),
            };
            return Ok(if wanted == game {
                Effect::Nothing
            } else {
                Effect::Switch(wanted)
            });
        }
        lower => {
            if let Some(name) = lower.strip_prefix("search.") {
                return set_search(settings, game, name, value);
            }
            let Some(name) = lower.strip_prefix("weights.") else {
                return Err(format!("no option `{name}`"));
            };
            let preset = find_preset(game, settings.evaluator)?;
            config::set_weight_text(&mut settings.weights, game, preset, name, value)
                .map_err(|error| error.message)?;
        }
    }
    Ok(Effect::Changed)
}

fn set_evaluator(settings: &mut Settings, game: GameId, name: &str) -> Result<(), String> {
    let found = config::evaluator(game, name, None);
    let (preset, weights) = found.map_err(|error| error.message)?;
    settings.evaluator = preset.name();
    settings.weights = weights;
    Ok(())
}

fn find_preset(game: GameId, name: &str) -> Result<&'static dyn AnyPreset, String> {
    let evaluators = game.evaluators();
    evaluators.preset(name).ok_or_else(|| {
        let hint = config::did_you_mean(name, evaluators.preset_names());
        format!("unknown evaluator `{name}`; {hint}")
    })
}

fn set_search(
    settings: &mut Settings,
    game: GameId,
    name: &str,
    value: &str,
) -> Result<Effect, String> {
    let applies = Options::row(name).is_none_or(|row| row.applies_to(game.facts()));
    if !applies {
        return Err(format!(
            "search option `{name}` does not apply to this game"
        ));
    }
    let mut options = settings.options.clone();
    options
        .set(name, value)
        .map_err(|error| error.to_string())?;
    settings.options = options;
    Ok(Effect::Changed)
}
