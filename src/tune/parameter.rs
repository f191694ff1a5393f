//! What can be tuned: every number of a player under one name, such as `weights.mobility`,
//! `weights.passed[3].ending`, `weights.king_table[e4]` or `search.null_move_base`.

use crate::eval::{Role, STEPS, Term, TermShape, Weight};
use crate::games::GameFacts;
use crate::play::{PlayerKind, PlayerSpec, SearchSpec};
use crate::search::Options;

/// The location of a number in a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Weight {
        slot: usize,
        phase: Phase,
    },
    Search {
        option: &'static str,
    },
    /// A UCI option of an engine, by index in the config.
    Engine {
        place: usize,
    },
}

/// Which of a weight's two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The term is not tapered.
    Both,
    Opening,
    Ending,
}

/// One number of a player that a tuner may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    pub name: String,
    /// The term or option, and its group.
    pub owner: String,
    pub group: &'static str,
    /// Its part of the owner: list index or square, and opening or ending.
    index: Option<(usize, String)>,
    phase: Phase,
    /// In units.
    pub value: f64,
    pub range: (f64, f64),
    /// The smallest meaningful change.
    pub step: f64,
    /// Linear: a count times this number is part of the score.
    pub is_linear: bool,
    pub target: Target,
}

/// Every number of a player, weights before search options.
pub fn tunables(game: &GameFacts, player: &PlayerSpec, terms: &'static [Term]) -> Vec<Tunable> {
    let player = match &player.kind {
        PlayerKind::Search(search) => search,
        PlayerKind::Engine(engine) => return engine_tunables(&engine.options),
    };
    let mut all = Vec::new();
    let mut first = 0;
    for term in terms {
        for index in 0..term.shape().slots() {
            weight_tunables(player, term, first + index, index, &mut all);
        }
        first += term.shape().slots();
    }
    for row in Options::rows().iter().filter(|row| row.applies_to(game)) {
        let (Some((low, high)), Some(value)) = (row.range, row.number(&player.options)) else {
            continue;
        };
        all.push(Tunable {
            name: format!("search.{}", row.name),
            owner: row.name.to_string(),
            group: "search",
            index: None,
            phase: Phase::Both,
            value: f64::from(value),
            range: (f64::from(low), f64::from(high)),
            step: 1.0,
            is_linear: false,
            target: Target::Search { option: row.name },
        });
    }
    all
}

/// The options of an engine with a whole number in the config. Only the engine knows their ranges,
/// so the config must give them.
fn engine_tunables(options: &[(String, String)]) -> Vec<Tunable> {
    let tunable = |(place, (name, value)): (usize, &(String, String))| {
        let value = f64::from(value.parse::<i32>().ok()?);
        Some(Tunable {
            name: format!("options.{name}"),
            owner: name.clone(),
            group: "options",
            index: None,
            phase: Phase::Both,
            value,
            range: (f64::from(i32::MIN), f64::from(i32::MAX)),
            step: 1.0,
            is_linear: false,
            target: Target::Engine { place },
        })
    };
    options.iter().enumerate().filter_map(tunable).collect()
}

fn weight_tunables(
    player: &SearchSpec,
    term: &'static Term,
    slot: usize,
    index: usize,
    all: &mut Vec<Tunable>,
) {
    let label = match term.shape() {
        TermShape::Number => None,
        TermShape::List(_) => Some((index, index.to_string())),
        TermShape::Squares => Some((index, square(index))),
    };
    let phases: &[Phase] = if term.is_tapered() {
        &[Phase::Opening, Phase::Ending]
    } else {
        &[Phase::Both]
    };
    let weight = player.weights.get(slot);
    for &phase in phases {
        let mut name = format!("weights.{}", term.name);
        if let Some((_, label)) = &label {
            name.push_str(&format!("[{label}]"));
        }
        let steps = match phase {
            Phase::Both => weight.opening,
            Phase::Opening => {
                name.push_str(".opening");
                weight.opening
            }
            Phase::Ending => {
                name.push_str(".ending");
                weight.ending
            }
        };
        all.push(Tunable {
            name,
            owner: term.name.to_string(),
            group: term.group,
            index: label.clone(),
            phase,
            value: f64::from(steps) / f64::from(STEPS),
            range: term.range,
            step: 1.0 / f64::from(STEPS),
            is_linear: term.role == Role::Linear,
            target: Target::Weight { slot, phase },
        });
    }
}

/// The square at an index of a table written from white's view, the eighth rank first.
fn square(index: usize) -> String {
    format!("{}{}", (b'a' + (index % 8) as u8) as char, 8 - index / 8)
}

impl Tunable {
    /// Whether a pattern of a config matches this number: a term or option, one of its numbers, a
    /// group (`group:material`), each with or without `weights.`, and `*` as a wildcard.
    pub fn is_named_by(&self, pattern: &str) -> bool {
        if let Some(group) = pattern.strip_prefix("group:") {
            return glob(group, self.group);
        }
        let kind = self.name.split('.').next().unwrap_or("");
        let pattern = match pattern.split_once('.') {
            Some((of, rest)) if of == kind => rest,
            Some(("weights" | "search" | "options", _)) => return false,
            // A name without a prefix is a weight.
            _ if kind == "weights" => pattern,
            _ => return false,
        };
        let own = self.name.split_once('.').map_or("", |(_, own)| own);
        let place = own.split_once('[').map(|_| {
            let label = self.index.as_ref().map_or("", |(_, label)| label);
            format!("{}[{label}]", self.owner)
        });
        let phase = match self.phase {
            Phase::Both => None,
            Phase::Opening => Some(format!("{}.opening", self.owner)),
            Phase::Ending => Some(format!("{}.ending", self.owner)),
        };
        glob(pattern, &self.owner)
            || glob(pattern, own)
            || place.is_some_and(|name| glob(pattern, &name))
            || phase.is_some_and(|name| glob(pattern, &name))
    }

    /// Two adjacent numbers of one list, for constraints on their order.
    fn follows(&self, other: &Tunable) -> bool {
        let index = |tunable: &Tunable| tunable.index.as_ref().map(|(index, _)| *index);
        self.owner == other.owner
            && self.phase == other.phase
            && index(self) == index(other).map(|index| index + 1)
    }
}

/// Glob match: `*` matches any letters, `?` one; brackets are literal.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut last_star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(&letter) if letter == b'?' || letter == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match last_star {
                // Backtrack: the last star matches one more letter.
                Some((star, taken)) => {
                    last_star = Some((star, taken + 1));
                    (p, t) = (star + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == b'*')
}

/// One dimension of the search space; tied numbers of a player share one.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub start: f64,
    pub range: (f64, f64),
    /// Played values are multiples of it.
    pub step: f64,
    /// SPSA: the last perturbation; by default a share of the range.
    pub c_end: Option<f64>,
    pub is_linear: bool,
    pub members: Vec<Tunable>,
}

impl Parameter {
    pub fn of(tunable: &Tunable) -> Parameter {
        Parameter {
            name: tunable.name.clone(),
            start: tunable.value,
            range: tunable.range,
            step: tunable.step,
            c_end: None,
            is_linear: tunable.is_linear,
            members: vec![tunable.clone()],
        }
    }

    pub fn width(&self) -> f64 {
        self.range.1 - self.range.0
    }

    /// Stochastic rounding to a multiple of the step, by a random `draw` between 0 and 1: the mean is
    /// the value itself, so that small moves are not lost.
    pub fn rounded(&self, value: f64, draw: f64) -> f64 {
        let steps = (value / self.step + draw).floor();
        self.clamped(steps * self.step)
    }

    pub fn nearest(&self, value: f64) -> f64 {
        self.rounded(value, 0.5)
    }

    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.range.0, self.range.1)
    }
}

/// Monotonicity constraint between adjacent numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monotone {
    pub members: Vec<usize>,
    pub rising: bool,
}

/// The search space of a tuner: parameters, constraints, and the player they belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    pub parameters: Vec<Parameter>,
    pub chains: Vec<Monotone>,
    /// The player with its weights before tuning.
    pub player: PlayerSpec,
}

impl Space {
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|p| p.start).collect()
    }

    /// The player with these values, rounded to their steps.
    pub fn player_with(&self, values: &[f64]) -> PlayerSpec {
        let mut player = self.player.clone();
        for (parameter, value) in self.parameters.iter().zip(values) {
            for member in &parameter.members {
                put(&mut player, &member.target, parameter.nearest(*value));
            }
        }
        player
    }

    /// Projects values onto the ranges and order constraints.
    pub fn project(&self, values: &mut [f64]) {
        for chain in &self.chains {
            pool_violators(chain, values);
        }
        for (parameter, value) in self.parameters.iter().zip(values) {
            *value = parameter.clamped(*value);
        }
    }

    /// Lists adjacent pairs of one list or table among the parameters that `chosen` names.
    pub fn chains_of(parameters: &[Parameter], chosen: &[bool], rising: bool) -> Vec<Monotone> {
        let mut chains: Vec<Monotone> = Vec::new();
        for index in (0..parameters.len()).filter(|index| chosen[*index]) {
            let last = chains.iter_mut().find(|chain| {
                let before = chain
                    .members
                    .last()
                    .map(|last| &parameters[*last].members[0]);
                before.is_some_and(|before| parameters[index].members[0].follows(before))
            });
            match last {
                Some(chain) => chain.members.push(index),
                None => chains.push(Monotone {
                    members: vec![index],
                    rising,
                }),
            }
        }
        chains.retain(|chain| chain.members.len() > 1);
        chains
    }
}

fn put(player: &mut PlayerSpec, target: &Target, value: f64) {
    match (target, &mut player.kind) {
        (Target::Weight { slot, phase }, PlayerKind::Search(search)) => {
            let steps = (value * f64::from(STEPS)).round() as i32;
            let old = search.weights.get(*slot);
            let (opening, ending) = match phase {
                Phase::Both => (steps, steps),
                Phase::Opening => (steps, old.ending),
                Phase::Ending => (old.opening, steps),
            };
            search.weights.set_slot(*slot, Weight { opening, ending });
        }
        (Target::Search { option }, PlayerKind::Search(search)) => {
            // Within its row's range, so it is accepted.
            let _ = search
                .options
                .set(option, &format!("{}", value.round() as i64));
        }
        (Target::Engine { place }, PlayerKind::Engine(engine)) => {
            engine.options[*place].1 = format!("{}", value.round() as i64);
        }
        // The targets belong to this player, so the kinds match.
        _ => {}
    }
}

/// Isotonic regression (pool adjacent violators): the nearest values in the required order.
fn pool_violators(chain: &Monotone, values: &mut [f64]) {
    let sign = if chain.rising { 1.0 } else { -1.0 };
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &member in &chain.members {
        blocks.push((sign * values[member], 1));
        while let [.., (before, size), (last, count)] = blocks[..] {
            if before <= last {
                break;
            }
            let mean = (before * size as f64 + last * count as f64) / (size + count) as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, size + count));
        }
    }
    let mut members = chain.members.iter();
    for (mean, size) in blocks {
        for &member in members.by_ref().take(size) {
            values[member] = sign * mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluated, Weights};
    use crate::games::any::facts;
    use crate::games::chess::Chess;
    use crate::search::Limit;

    fn all_of(evaluator: &str) -> Vec<Tunable> {
        let preset = Chess::preset(evaluator).expect("a preset");
        let player = PlayerSpec {
            name: "tuned".to_string(),
            limit: Limit::depth(3),
            kind: PlayerKind::Search(SearchSpec {
                evaluator: preset.name,
                weights: Weights::defaults(preset.terms),
                options: Options::default(),
            }),
        };
        tunables(facts::<Chess>(), &player, preset.terms)
    }

    fn named(all: &[Tunable], pattern: &str) -> usize {
        all.iter()
            .filter(|tunable| tunable.is_named_by(pattern))
            .count()
    }

    #[test]
    fn names_groups_and_globs_choose_numbers() {
        let all = all_of("simplified");
        assert_eq!(named(&all, "pawn"), 1);
        assert_eq!(named(&all, "weights.pawn_table"), 64);
        assert_eq!(named(&all, "pawn_table[e4]"), 1);
        assert_eq!(named(&all, "king_*"), 128);
        assert_eq!(named(&all, "group:material"), 5);
        assert_eq!(named(&all, "search.null_move_base"), 1);
        assert_eq!(named(&all, "null_move_base"), 0);
        assert_eq!(named(&all, "weights.*"), 5 + 7 * 64 + 2);
        let e4 = all
            .iter()
            .find(|tunable| tunable.name == "weights.pawn_table[e4]");
        assert_eq!(e4.map(|tunable| tunable.value), Some(20.0));
    }

    #[test]
    fn a_tapered_term_has_two_numbers_that_can_be_named_apart() {
        let all = all_of("classical");
        let tapered: Vec<&Tunable> = all.iter().filter(|t| t.phase == Phase::Opening).collect();
        assert!(!tapered.is_empty());
        let owner = &tapered[0].owner;
        assert_eq!(
            named(&all, owner.as_str()),
            2 * named(&all, &format!("{owner}.ending"))
        );
    }

    #[test]
    fn values_out_of_order_share_their_mean() {
        let chain = Monotone {
            members: vec![0, 1, 2, 3],
            rising: true,
        };
        let mut values = [1.0, 5.0, 3.0, 9.0];
        pool_violators(&chain, &mut values);
        assert_eq!(values, [1.0, 4.0, 4.0, 9.0]);
        let falling = Monotone {
            rising: false,
            ..chain
        };
        pool_violators(&falling, &mut values);
        assert_eq!(values, [4.5; 4]);
    }

    #[test]
    fn random_rounding_keeps_the_mean() {
        let all = all_of("simplified");
        let row = all.iter().find(|t| t.name == "search.null_move_base");
        let parameter = Parameter::of(row.expect("an option"));
        let mean: f64 = (0..1000)
            .map(|draw| parameter.rounded(3.3, (f64::from(draw) + 0.5) / 1000.0))
            .sum::<f64>()
            / 1000.0;
        assert!((mean - 3.3).abs() < 1e-9);
    }

    #[test]
    fn stars_match_any_letters() {
        assert!(glob("king_*", "king_table"));
        assert!(glob("*table[?4]", "pawn_table[e4]"));
        assert!(!glob("king", "king_table"));
        assert!(glob("*", ""));
        assert!(!glob("a*b", "abc"));
    }
}
