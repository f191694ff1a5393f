//! `sparring list`: what can be named in a config.

use clap::{Args, ValueEnum};

use super::table::{TextTable, wrapped};
use super::{Done, Failure, find_game, print, trimmed};
use crate::config::{KEYS, did_you_mean, saved_engines};
use crate::eval::catalog::GameId;
use crate::eval::{AnyPreset, Role, Term, TermDefault, TermShape};
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
    /// Engines of engines.toml, which players name as engine = "@NAME"
    Engines,
}

#[derive(Args)]
pub struct ListArgs {
    /// What to list [default: everything except terms and keys; with --evaluator its terms]
    #[arg(value_enum)]
    pub topic: Option<Topic>,
    /// List only what applies to this game
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
    /// List only the terms of this evaluator
    #[arg(long, value_name = "E")]
    pub evaluator: Option<String>,
}

/// Lines are no longer than this.
const WIDTH: usize = 100;

pub fn run(args: &ListArgs) -> Done {
    let games = match &args.game {
        Some(name) => vec![find_game(name)?],
        None => GameId::ALL.to_vec(),
    };
    let topics = match args.topic {
        Some(topic) => vec![topic],
        None if args.evaluator.is_some() => vec![Topic::Terms],
        None => vec![
            Topic::Games,
            Topic::Evaluators,
            Topic::Search,
            Topic::Charts,
            Topic::Tuners,
        ],
    };
    if let Some(name) = &args.evaluator {
        check_evaluator(name, &games, &topics)?;
    }
    let sections: Vec<String> = topics
        .into_iter()
        .map(|topic| match topic {
            Topic::Games => Ok(games_text(&games)),
            Topic::Evaluators => Ok(evaluators_text(&games, args.game.is_some())),
            Topic::Terms => Ok(terms_text(&games, args.evaluator.as_deref())),
            Topic::Search => Ok(search_text()),
            Topic::Charts => Ok(charts_text()),
            Topic::Tuners => Ok(tuners_text()),
            Topic::Keys => Ok(keys_text()),
            Topic::Engines => engines_text(),
        })
        .collect::<Result<_, Failure>>()?;
    print(&sections.join("\n"));
    Ok(())
}

/// Rejects an evaluator that none of the games has, and topics without evaluators.
fn check_evaluator(name: &str, games: &[GameId], topics: &[Topic]) -> Done {
    if !matches!(topics, [Topic::Terms]) {
        return Err(Failure::bad_input(
            "--evaluator selects terms: sparring list terms --evaluator E",
        ));
    }
    if games
        .iter()
        .any(|game| game.evaluators().preset(name).is_some())
    {
        return Ok(());
    }
    let mut names: Vec<&str> = Vec::new();
    for known in games
        .iter()
        .flat_map(|game| game.evaluators().preset_names())
    {
        if !names.contains(&known) {
            names.push(known);
        }
    }
    let hint = did_you_mean(name, names);
    Err(Failure::bad_input(format!(
        "--evaluator {name}: unknown evaluator; {hint}"
    )))
}

fn words(cells: [&str; 4]) -> Vec<String> {
    cells.map(str::to_string).to_vec()
}

fn games_text(games: &[GameId]) -> String {
    let mut table = TextTable::new(2, &["game", ""]);
    for game in games {
        table.row(vec![game.name().to_string(), game.help().to_string()]);
    }
    table.text_within(WIDTH)
}

fn search_text() -> String {
    let mut table = TextTable::new(4, &["search option", "default", "values", ""]);
    let defaults = Options::default();
    for row in Options::rows() {
        let values = match row.range {
            Some((low, high)) => format!("{low} to {high}"),
            None => row.choices.join(" | "),
        };
        table.row(words([row.name, &row.value(&defaults), &values, row.help]));
    }
    table.text_within(WIDTH)
}

fn charts_text() -> String {
    let mut table = TextTable::new(2, &["chart", ""]);
    for chart in CHARTS {
        table.row(vec![chart.name.to_string(), chart.help.to_string()]);
    }
    table.text_within(WIDTH)
}

/// The saved engines of the current directory and of the user.
fn engines_text() -> Result<String, Failure> {
    let engines = saved_engines(None)?;
    if engines.is_empty() {
        return Ok("no engines.toml here or in the user's settings\n".to_string());
    }
    let mut table = TextTable::new(3, &["engine", "start", "list"]);
    for engine in engines {
        let file = engine.file.display().to_string();
        table.row(vec![format!("@{}", engine.name), engine.words(), file]);
    }
    Ok(table.text_within(WIDTH))
}

fn tuners_text() -> String {
    let mut table = TextTable::new(3, &["tuner", "learns from", ""]);
    for row in TUNERS {
        let feed = match row.feed {
            Feed::Games => "games",
            Feed::Positions | Feed::Net => "positions",
        };
        let cells = [row.name, feed, row.help];
        table.row(cells.map(str::to_string).to_vec());
    }
    table.text_within(WIDTH)
}

fn keys_text() -> String {
    let mut table = TextTable::new(4, &["config key", "default", "values", ""]);
    for key in KEYS {
        let default = key.default.unwrap_or("");
        table.row(words([&key.path(), default, &key.kind.values(), key.help]));
    }
    table.text_within(WIDTH)
}

/// Merges games that share an item, in the order of the catalog.
fn merged<T: PartialEq>(items: impl Iterator<Item = (GameId, T)>) -> Vec<(Vec<GameId>, T)> {
    let mut families: Vec<(Vec<GameId>, T)> = Vec::new();
    for (game, item) in items {
        match families.iter_mut().find(|(_, known)| *known == item) {
            Some((games, _)) => games.push(game),
            None => families.push((vec![game], item)),
        }
    }
    families
}

/// The names of games, in lines of the usual width.
fn heading(games: &[GameId]) -> String {
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    wrapped(&names.join(", "), WIDTH).join("\n")
}

/// The evaluators, once per family of games; for one game as a table with its name.
fn evaluators_text(games: &[GameId], is_one: bool) -> String {
    let presets = |game: GameId| game.evaluators().presets().into_iter();
    if is_one {
        let mut table = TextTable::new(3, &["game", "evaluator", ""]);
        for game in games {
            for preset in presets(*game) {
                let cells = [game.name(), preset.name(), preset.help()];
                table.row(cells.map(str::to_string).to_vec());
            }
        }
        return table.text_within(WIDTH);
    }
    let named = |game: GameId| -> Vec<[&str; 2]> {
        presets(game).map(|it| [it.name(), it.help()]).collect()
    };
    let families = merged(games.iter().map(|game| (*game, named(*game))));
    let blocks = families.into_iter().map(|(games, presets)| {
        let mut table = TextTable::new(2, &["evaluator", ""]);
        for cells in presets {
            table.row(cells.map(str::to_string).to_vec());
        }
        format!("{}:\n{}", heading(&games), table.text_within(WIDTH))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// The terms of every evaluator, or of one, once per family of games.
fn terms_text(games: &[GameId], evaluator: Option<&str>) -> String {
    let tables = games.iter().flat_map(|game| {
        let presets = game.evaluators().presets().into_iter();
        let asked = presets.filter(|preset| evaluator.is_none_or(|name| name == preset.name()));
        asked
            .filter(|preset| !preset.terms().is_empty())
            .map(|preset| (*game, terms_table(*game, preset)))
    });
    let blocks = merged(tables).into_iter();
    let blocks: Vec<String> = blocks
        .map(|(games, table)| format!("{}:\n{table}", heading(&games)))
        .collect();
    match blocks.is_empty() {
        true => "no terms\n".to_string(),
        false => blocks.join("\n"),
    }
}

fn terms_table(game: GameId, preset: &dyn AnyPreset) -> String {
    let mut table = TextTable::new(5, &["term", "group", "default", "range", ""]);
    for term in preset.terms() {
        let role = match term.role {
            Role::Linear => "",
            Role::Parameter => " (parameter)",
        };
        table.row(vec![
            term.name.to_string(),
            term.group.to_string(),
            default_text(term),
            format!("{} to {}", trimmed(term.range.0), trimmed(term.range.1)),
            format!("{}{role}", term.help),
        ]);
    }
    let unit = game.evaluators().units().unit;
    format!("{}, in {unit}\n{}", preset.name(), table.text_within(WIDTH))
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
