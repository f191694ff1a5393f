//! `tune.parameters`: which numbers of the player are tuned, with starts, ranges and steps.

use super::read::{Reader, mismatch, number};
use super::source::{ConfigError, ConfigNode, Place, Value};
use super::suggest::did_you_mean;
use crate::eval::catalog::GameId;
use crate::play::PlayerSpec;
use crate::tune::{Feed, Monotone, Parameter, Space, Tunable, tunables};

/// Lists the numbers of the player, and the units per unit shown to users.
pub(super) fn list_tunables(game: GameId, player: &PlayerSpec) -> (Vec<Tunable>, f64) {
    let preset = player
        .search()
        .and_then(|search| game.evaluators().preset(search.evaluator));
    let terms = preset.map_or(&[][..], |preset| preset.terms());
    let units = game.evaluators().units();
    (tunables(game.facts(), player, terms), units.units_in_one)
}

/// Finds the player's numbers that match `parameters`.
pub(super) fn read_space(
    keys: &Reader<'_>,
    player: PlayerSpec,
    feed: Feed,
    all: &[Tunable],
) -> Result<Space, ConfigError> {
    let freeze = keys.texts("freeze")?;
    let node = keys.node("freeze")?;
    for pattern in &freeze {
        if !all.iter().any(|tunable| tunable.is_named_by(pattern)) {
            return Err(nothing_named(pattern, &node.place, all));
        }
    }
    let is_frozen = |tunable: &Tunable| freeze.iter().any(|name| tunable.is_named_by(name));
    let loose: Vec<Tunable> = all.iter().filter(|t| !is_frozen(t)).cloned().collect();
    let node = keys.node("parameters")?;
    let mut wishes = Vec::new();
    for item in keys.list("parameters")? {
        wishes.push(Wish::read(keys, item)?);
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut ordered: Vec<(Vec<String>, bool)> = Vec::new();
    for wish in &wishes {
        let mut chosen: Vec<Tunable> = loose
            .iter()
            .filter(|t| t.is_named_by(&wish.name))
            .cloned()
            .collect();
        if chosen.is_empty() {
            if all.iter().any(|t| t.is_named_by(&wish.name)) {
                // All of it is frozen.
                continue;
            }
            return Err(nothing_named(&wish.name, &wish.place, all));
        }
        // Patterns skip numbers that a fit cannot change; exact names are rejected later.
        if feed == Feed::Positions && chosen.iter().any(|t| t.is_linear) {
            chosen.retain(|tunable| tunable.is_linear);
        }
        for earlier in &mut parameters {
            earlier
                .members
                .retain(|member| chosen.iter().all(|t| t.name != member.name));
        }
        parameters.retain(|earlier| !earlier.members.is_empty());
        let added = wish.parameters(chosen, feed)?;
        if let Some(rising) = wish.rising {
            let names = added
                .iter()
                .map(|parameter| parameter.name.clone())
                .collect();
            ordered.push((names, rising));
        }
        parameters.extend(added);
    }
    let chains: Vec<Monotone> = ordered
        .iter()
        .flat_map(|(names, rising)| {
            let chosen: Vec<bool> = parameters
                .iter()
                .map(|parameter| names.contains(&parameter.name))
                .collect();
            Space::chains_of(&parameters, &chosen, *rising)
        })
        .collect();
    if parameters.is_empty() {
        return Err(mismatch(
            "parameters",
            node,
            "at least one name that is not frozen",
        ));
    }
    let mut player = player;
    let space = Space {
        parameters,
        chains,
        player: player.clone(),
    };
    // Start values in the config are part of the player to compare with.
    player = space.player_with(&space.start());
    Ok(Space { player, ..space })
}

fn nothing_named(pattern: &str, place: &Place, all: &[Tunable]) -> ConfigError {
    let mut names: Vec<String> = Vec::new();
    for tunable in all {
        let kind = tunable.name.split('.').next().unwrap_or("");
        for name in [
            format!("{kind}.{}", tunable.owner),
            format!("group:{}", tunable.group),
        ] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let wanted = match pattern.contains([':', '.']) {
        true => pattern.to_string(),
        false => format!("weights.{pattern}"),
    };
    let hint = did_you_mean(&wanted, names.iter().map(String::as_str));
    ConfigError::at(
        place,
        format!("parameter `{pattern}`: this player has none; {hint}"),
    )
}

/// How far from its start matches may take a number. The ranges of rows are far too wide for that: a
/// quarter of the value of a piece, half of other numbers, and a part of the range for numbers near 0.
fn usual_reach(parameter: &Parameter, start: f64) -> f64 {
    let (least, greatest) = parameter.range;
    let of_pieces = |tunable: &Tunable| tunable.group == "material";
    let reach = if parameter.members.iter().all(of_pieces) && start != 0.0 {
        0.25 * start.abs()
    } else if parameter
        .members
        .iter()
        .any(|member| member.group == "options")
        && start != 0.0
    {
        // Only the engine knows the range.
        0.5 * start.abs()
    } else {
        let least_share = if start == 0.0 { 0.03 } else { 0.01 };
        (0.5 * start.abs()).max(least_share * (greatest - least))
    };
    reach.max(2.0 * parameter.step)
}

/// One entry of `parameters`.
struct Wish {
    name: String,
    place: Place,
    start: Option<f64>,
    range: Option<(f64, f64)>,
    step: Option<f64>,
    c_end: Option<f64>,
    sign: Option<bool>,
    rising: Option<bool>,
    tie: bool,
}

const WISH_KEYS: [&str; 8] = [
    "name", "start", "range", "step", "c", "sign", "monotone", "tie",
];

impl Wish {
    fn read(keys: &Reader<'_>, node: &ConfigNode) -> Result<Wish, ConfigError> {
        let mut wish = Wish {
            name: String::new(),
            place: node.place.clone(),
            start: None,
            range: None,
            step: None,
            c_end: None,
            sign: None,
            rising: None,
            tie: false,
        };
        let table = match &node.value {
            Value::Text(name) => {
                wish.name = name.clone();
                return Ok(wish);
            }
            Value::Table(table) => table,
            _ => return Err(keys.no_such_item("parameters", node)),
        };
        let word = |node: &ConfigNode, yes: &str, no: &str, key: &str| match &node.value {
            Value::Text(text) if text == yes => Ok(Some(true)),
            Value::Text(text) if text == no => Ok(Some(false)),
            _ => Err(mismatch(key, node, &format!("\"{yes}\" or \"{no}\""))),
        };
        let plain = |node: &ConfigNode, key: &str| {
            number(node).ok_or_else(|| mismatch(key, node, "a number"))
        };
        for entry in &table.entries {
            let node = &entry.node;
            match entry.key.as_str() {
                "name" => match &node.value {
                    Value::Text(name) => wish.name = name.clone(),
                    _ => return Err(mismatch("name", node, "a text")),
                },
                "start" => wish.start = Some(plain(node, "start")?),
                "step" => wish.step = Some(plain(node, "step")?).filter(|step| *step > 0.0),
                "c" => wish.c_end = Some(plain(node, "c")?).filter(|c| *c > 0.0),
                "sign" => wish.sign = word(node, "positive", "negative", "sign")?,
                "monotone" => wish.rising = word(node, "rising", "falling", "monotone")?,
                "tie" => match node.value {
                    Value::Boolean(tie) => wish.tie = tie,
                    _ => return Err(mismatch("tie", node, "true or false")),
                },
                "range" => {
                    let ends: Option<Vec<f64>> = match &node.value {
                        Value::List(ends) => ends.iter().map(number).collect(),
                        _ => None,
                    };
                    match ends.as_deref() {
                        Some([low, high]) if low < high => wish.range = Some((*low, *high)),
                        _ => return Err(mismatch("range", node, "[low, high]")),
                    }
                }
                other => {
                    let hint = did_you_mean(other, WISH_KEYS);
                    let message = format!("unknown key `{other}` of a parameter; {hint}");
                    return Err(ConfigError::at(&entry.place, message));
                }
            }
        }
        if wish.name.is_empty() {
            return Err(ConfigError::at(&node.place, "a parameter needs a `name`"));
        }
        Ok(wish)
    }

    fn parameters(&self, chosen: Vec<Tunable>, feed: Feed) -> Result<Vec<Parameter>, ConfigError> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for tunable in &chosen {
            match parameters.first_mut() {
                Some(first) if self.tie => {
                    first.members.push(tunable.clone());
                    first.is_linear &= tunable.is_linear;
                    first.range.0 = first.range.0.max(tunable.range.0);
                    first.range.1 = first.range.1.min(tunable.range.1);
                }
                _ => parameters.push(Parameter::of(tunable)),
            }
        }
        if self.tie && chosen.len() > 1 {
            parameters[0].name = self.name.clone();
        }
        for parameter in &mut parameters {
            self.shape(parameter, feed)?;
        }
        Ok(parameters)
    }

    /// Applies the requested start, range and step, or the method's defaults.
    fn shape(&self, parameter: &mut Parameter, feed: Feed) -> Result<(), ConfigError> {
        let wrong = |message: String| {
            Err(ConfigError::at(
                &self.place,
                format!("parameter `{}`: {message}", parameter.name),
            ))
        };
        let (least, greatest) = parameter.range;
        let start = self.start.unwrap_or(parameter.start);
        let mut range = match self.range {
            Some((low, high)) if low < least || high > greatest => {
                return wrong(format!(
                    "range [{low}, {high}]: must lie between {least} and {greatest}"
                ));
            }
            Some(range) => range,
            None if feed == Feed::Games => {
                let reach = usual_reach(parameter, start);
                ((start - reach).max(least), (start + reach).min(greatest))
            }
            None => (least, greatest),
        };
        match self.sign {
            Some(true) => range.0 = range.0.max(0.0),
            Some(false) => range.1 = range.1.min(0.0),
            None => {}
        }
        if !(range.0 <= start && start <= range.1 && range.0 < range.1) {
            return wrong(format!(
                "start {start}: must lie between {} and {}",
                range.0, range.1
            ));
        }
        parameter.start = start;
        parameter.range = range;
        parameter.step = self
            .step
            .map_or(parameter.step, |step| step.max(parameter.step));
        parameter.c_end = self.c_end;
        Ok(())
    }
}
