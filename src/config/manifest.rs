//! Builds a run's manifest from its config.

use std::collections::BTreeMap;
use std::time::Duration;

use super::keys::Section;
use super::players::PlayerTable;
use super::source::{ConfigNode, ConfigTable, Value};
use crate::eval::catalog::GameId;
use crate::play::{Format, PlayerKind, PlayerSpec, Stages};
use crate::record::{
    BoardShape, ClockEntry, LimitEntry, Manifest, OpeningsEntry, PlayerEntry, PlayerSource,
    RaceEntry, ScheduleEntry, Setting, SprtEntry, SquareNames, SweptSetting,
};
use crate::search::Limit;
use crate::stats::Sprt;

/// A config that has been checked.
pub(super) struct Checked<'c> {
    pub name: &'c str,
    pub game: GameId,
    pub seed: u64,
    pub format: Format,
    pub stages: &'c Stages,
    pub sprt: Option<&'c Sprt>,
    /// The error rates are those of all pairings together.
    pub family: bool,
    pub sections: &'c [(Section, &'c ConfigTable)],
    pub players: &'c [PlayerSpec],
    /// The origin of each player, and its keys with defaults.
    pub tables: &'c [PlayerTable],
    pub resolved: &'c [ConfigTable],
}

impl Checked<'_> {
    pub fn manifest(&self) -> Manifest {
        let (format, program) = Manifest::current();
        let each = self.players.iter().zip(self.tables).zip(self.resolved);
        Manifest {
            format,
            program,
            name: self.name.to_string(),
            game: self.game.name().to_string(),
            board: board(self.game),
            seed: self.seed,
            schedule: ScheduleEntry {
                format: self.format.name().to_string(),
                pairings: self.stages.pairing_count(),
                pairs: self.stages.pairs_each,
                race: match self.format {
                    Format::Race(rules) => Some(RaceEntry::from(&rules)),
                    _ => None,
                },
            },
            openings: self.openings(),
            sprt: self.sprt.map(|sprt| SprtEntry {
                family: self.family,
                ..SprtEntry::from(sprt)
            }),
            tuning: None,
            shard: None,
            players: each
                .map(|((spec, table), resolved)| player(spec, table, resolved))
                .collect(),
            settings: settings(self.sections),
        }
    }

    fn openings(&self) -> OpeningsEntry {
        let found = self
            .sections
            .iter()
            .find(|(of, _)| *of == Section::Openings);
        let value = |key: &str| {
            found
                .and_then(|(_, table)| table.get(key))
                .map(|n| &n.value)
        };
        OpeningsEntry {
            source: match value("source") {
                Some(Value::Text(text)) => text.clone(),
                _ => String::new(),
            },
            plies: match value("plies") {
                Some(Value::Integer(plies)) => u32::try_from(*plies).unwrap_or(0),
                _ => 0,
            },
        }
    }
}

fn board(game: GameId) -> BoardShape {
    let (rules, facts) = (game.rules(), game.facts());
    let mut squares = (0..facts.rows * facts.columns)
        .map(|square| rules.number_at(square / facts.columns, square % facts.columns));
    BoardShape {
        rows: facts.rows,
        columns: facts.columns,
        squares: if squares.any(|number| number.is_some()) {
            SquareNames::Numbers
        } else {
            SquareNames::Coordinates
        },
    }
}

fn player(spec: &PlayerSpec, table: &PlayerTable, resolved: &ConfigTable) -> PlayerEntry {
    let is_swept = |key: &str| {
        table.swept.iter().any(|(swept, _)| {
            let rest = key.strip_prefix(swept.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let mut values = BTreeMap::new();
    push_settings("", resolved, &mut values);
    values.retain(|key, _| key != "name" && !is_swept(key));
    let swept = table.swept.iter().map(|(key, value)| SweptSetting {
        key: key.clone(),
        value: setting(value),
    });
    PlayerEntry {
        name: spec.name.clone(),
        base: table.base.clone().unwrap_or_else(|| spec.name.clone()),
        kind: match &spec.kind {
            PlayerKind::Search(search) => PlayerSource::Search {
                evaluator: search.evaluator.to_string(),
            },
            PlayerKind::Engine(engine) => PlayerSource::Engine {
                program: engine.program.to_string_lossy().into_owned(),
            },
        },
        limit: limit(&spec.limit),
        values,
        swept: swept.collect(),
        not_reproducible: spec.why_not_reproducible().map(str::to_string),
    }
}

fn limit(limit: &Limit) -> LimitEntry {
    let seconds = |time: Duration| time.as_secs_f64();
    LimitEntry {
        depth: (limit.depth < Limit::MAX_DEPTH).then_some(limit.depth),
        nodes: limit.nodes,
        movetime: limit.time.map(|time| seconds(time.hard)),
        clock: limit.clock.map(|clock| ClockEntry {
            time: seconds(clock.time),
            increment: seconds(clock.increment),
            margin: seconds(clock.margin),
            moves: clock.moves,
        }),
    }
}

/// Every key of the sections, as `section.key`.
pub(super) fn settings(sections: &[(Section, &ConfigTable)]) -> BTreeMap<String, Setting> {
    let mut settings = BTreeMap::new();
    for (section, table) in sections {
        push_settings(section.name(), table, &mut settings);
    }
    settings
}

fn push_settings(before: &str, table: &ConfigTable, into: &mut BTreeMap<String, Setting>) {
    for entry in &table.entries {
        let key = match before {
            "" => entry.key.clone(),
            before => format!("{before}.{}", entry.key),
        };
        match &entry.node.value {
            Value::Table(inner) => push_settings(&key, inner, into),
            value => {
                into.insert(key, setting(value));
            }
        }
    }
}

fn setting(value: &Value) -> Setting {
    match value {
        Value::Text(text) => Setting::Text(text.clone()),
        Value::Integer(number) => Setting::Whole(*number),
        Value::Float(number) if number.is_finite() => Setting::Number(*number),
        // JSON has no infinity.
        Value::Float(number) => Setting::Text(number.to_string()),
        Value::Boolean(truth) => Setting::Truth(*truth),
        Value::List(items) => {
            let item = |node: &ConfigNode| setting(&node.value);
            Setting::List(items.iter().map(item).collect())
        }
        Value::Table(table) => {
            let entries = table.entries.iter();
            Setting::Table(
                entries
                    .map(|entry| (entry.key.clone(), setting(&entry.node.value)))
                    .collect(),
            )
        }
    }
}
