//! `sparring list`: what can be named in a config.

use clap::{Args, ValueEnum};

use super::table::TextTable;
use super::{Done, find_game, print, trimmed};
use crate::config::KEYS;
use crate::eval::catalog::GameId;
use crate::eval::{Role, Term, TermDefault, TermShape};
use crate::report::CHARTS;
use crate::search::Options;
use crate::tune::{Feed, TUNERS};

#[derive(Clone, Copy, ValueEnum)]
pub enum Topic {
    Games,
    Evaluators,
    Terms,
    Search,
    Charts,
    Tuners,
    Keys,
}

#[derive(Args)]
pub struct ListArgs {
    /// What to list [default: everything except the terms]
    #[arg(value_enum)]
    pub topic: Option<Topic>,
    /// List only what applies to this game
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
}

pub fn run(args: &ListArgs) -> Done {
    let games = match &args.game {
        Some(name) => vec![find_game(name)?],
        None => GameId::ALL.to_vec(),
    };
    let topics = match args.topic {
        Some(topic) => vec![topic],
        None => vec![
            Topic::Games,
            Topic::Evaluators,
            Topic::Search,
            Topic::Charts,
            Topic::Tuners,
        ],
    };
    let sections: Vec<String> = topics
        .into_iter()
        .map(|topic| section(topic, &games))
        .collect();
    print(&sections.join("\n"));
    Ok(())
}

fn section(topic: Topic, games: &[GameId]) -> String {
    match topic {
        Topic::Games => {
            let mut table = TextTable::new(2, &["game", ""]);
            for game in games {
                table.row(vec![game.name().to_string(), game.help().to_string()]);
            }
            table.text()
        }
        Topic::Evaluators => {
            let mut table = TextTable::new(3, &["game", "evaluator", ""]);
            for game in games {
                list_evaluators(*game, &mut table);
            }
            table.text()
        }
        Topic::Terms => {
            let mut table = TextTable::new(
                8,
                &[
                    "game",
                    "evaluator",
                    "term",
                    "group",
                    "unit",
                    "default",
                    "range",
                    "",
                ],
            );
            for game in games {
                list_terms(*game, &mut table);
            }
            table.text()
        }
        Topic::Search => {
            let mut table = TextTable::new(4, &["search option", "default", "values", ""]);
            let defaults = Options::default();
            for row in Options::rows() {
                let values = match row.range {
                    Some((low, high)) => format!("{low} to {high}"),
                    None => row.choices.join(" | "),
                };
                table.row(vec![
                    row.name.to_string(),
                    row.value(&defaults),
                    values,
                    row.help.to_string(),
                ]);
            }
            table.text()
        }
        Topic::Charts => {
            let mut table = TextTable::new(2, &["chart", ""]);
            for chart in CHARTS {
                table.row(vec![chart.name.to_string(), chart.help.to_string()]);
            }
            table.text()
        }
        Topic::Tuners => {
            let mut table = TextTable::new(3, &["tuner", "learns from", ""]);
            for row in TUNERS {
                let feed = match row.feed {
                    Feed::Games => "games",
                    Feed::Positions => "positions",
                };
                table.row(vec![
                    row.name.to_string(),
                    feed.to_string(),
                    row.help.to_string(),
                ]);
            }
            table.text()
        }
        Topic::Keys => {
            let mut table = TextTable::new(4, &["config key", "default", "values", ""]);
            for key in KEYS {
                table.row(vec![
                    key.path(),
                    key.default.unwrap_or("").to_string(),
                    key.kind.values(),
                    key.help.to_string(),
                ]);
            }
            table.text()
        }
    }
}

fn list_evaluators(game: GameId, table: &mut TextTable) {
    for preset in game.evaluators().presets() {
        table.row(vec![
            game.name().to_string(),
            preset.name().to_string(),
            preset.help().to_string(),
        ]);
    }
}

fn list_terms(game: GameId, table: &mut TextTable) {
    for preset in game.evaluators().presets() {
        for term in preset.terms() {
            let role = match term.role {
                Role::Linear => "",
                Role::Parameter => " (parameter)",
            };
            table.row(vec![
                game.name().to_string(),
                preset.name().to_string(),
                term.name.to_string(),
                term.group.to_string(),
                game.evaluators().units().unit.to_string(),
                default_text(term),
                format!("{} to {}", trimmed(term.range.0), trimmed(term.range.1)),
                format!("{}{role}", term.help),
            ]);
        }
    }
}

fn default_text(term: &Term) -> String {
    match (term.shape(), term.default) {
        (_, TermDefault::Tapered(opening, ending)) => {
            format!("{} / {}", trimmed(opening), trimmed(ending))
        }
        (TermShape::Number, _) => trimmed(term.default_of(0).0),
        (TermShape::List(length), _) => {
            let values: Vec<String> = (0..length)
                .map(|index| match term.default_of(index) {
                    (opening, ending) if opening == ending => trimmed(opening),
                    (opening, ending) => format!("{}/{}", trimmed(opening), trimmed(ending)),
                })
                .collect();
            format!("[{}]", values.join(" "))
        }
        (TermShape::Squares, _) => {
            let low = (0..64)
                .map(|index| term.default_of(index).0)
                .fold(f64::INFINITY, f64::min);
            let high = (0..64)
                .map(|index| term.default_of(index).0)
                .fold(f64::NEG_INFINITY, f64::max);
            format!("8x8: {} to {}", trimmed(low), trimmed(high))
        }
    }
}
