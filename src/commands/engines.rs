//! Checks the engines of a run before the first game, and summarises their faults after the last.

use std::collections::BTreeMap;
use std::path::Path;

use super::output::printable_in_line;
use super::{Done, Failure, complain};
use crate::config::{Loaded, did_you_mean};
use crate::engines::{EngineLog, Protocol, StartFault};
use crate::games::GameFacts;
use crate::play::{EngineLogs, Introduction, PlayerSpec, introduce, log_name};
use crate::record::{GameResult, GameRow};

/// The folder of engine logs in a run directory.
pub const LOGS: &str = "engines";

/// The engines' logs of a run.
pub fn logs_in(directory: &Path, lines: EngineLog) -> EngineLogs {
    EngineLogs {
        directory: directory.join(LOGS),
        lines,
    }
}

/// Starts every engine once, to report programs that cannot run, programs that are no engines, and
/// unknown options before the first game.
pub fn meet_engines(loaded: &Loaded, quiet: bool, stop: &dyn Fn() -> bool) -> Done {
    let rules = loaded.game.rules();
    for player in &loaded.experiment.players {
        let Some(met) = introduce(rules, player, stop) else {
            continue;
        };
        let name = &player.name;
        match met {
            Ok(introduction) => {
                check_options(rules.facts(), player, &introduction)?;
                if !quiet {
                    complain(&format!(
                        "`{}` is {}",
                        printable_in_line(name),
                        printable_in_line(&introduction.name)
                    ));
                }
            }
            Err(error @ StartFault::Program(_)) => {
                return Err(Failure::bad_input(format!("player `{name}`: {error}")));
            }
            Err(StartFault::Engine(fault)) => {
                let program = player.engine().map(|engine| engine.program.display());
                let program = program.map_or_else(String::new, |program| format!("{program}: "));
                return Err(Failure::bad_input(format!(
                    "player `{name}`: {program}{}: is it an engine of protocol `{}`, and are its args \
                     right? A slow start needs a longer start_timeout",
                    StartFault::Engine(fault),
                    player
                        .engine()
                        .map_or("uci", |engine| engine.protocol.name())
                )));
            }
            Err(StartFault::Stopped) => return Ok(()),
        }
    }
    Ok(())
}

fn check_options(game: &GameFacts, player: &PlayerSpec, engine: &Introduction) -> Done {
    let name = &player.name;
    let offered = |option: &str| {
        let same = |offer: &&_| offer_name(offer).eq_ignore_ascii_case(option);
        engine.offers.iter().find(same)
    };
    let is_uci = player
        .engine()
        .is_some_and(|spec| spec.protocol == Protocol::Uci);
    if is_uci && game.starts > 1 && offered("UCI_Chess960").is_none() {
        return Err(Failure::bad_input(format!(
            "player `{name}`: {} does not play chess960: it has no option UCI_Chess960",
            engine.name
        )));
    }
    let ponders = player.engine().is_some_and(|spec| spec.ponder);
    if is_uci && ponders && offered("Ponder").is_none() {
        return Err(Failure::bad_input(format!(
            "player `{name}`: {} has no option Ponder: it cannot think on the opponent's time; remove \
             ponder = true",
            engine.name
        )));
    }
    // Version 1 of Hub does not list its options.
    let options = player
        .engine()
        .into_iter()
        .filter(|spec| spec.protocol != Protocol::Hub1)
        .flat_map(|spec| &spec.options);
    for (option, value) in options {
        let Some(offer) = offered(option) else {
            let names: Vec<&str> = engine.offers.iter().map(offer_name).collect();
            let hint = did_you_mean(option, names);
            return Err(Failure::bad_input(format!(
                "player `{name}`: {} has no option `{option}`; {hint}",
                engine.name
            )));
        };
        if let Some(objection) = offer.objection(value) {
            return Err(Failure::bad_input(format!(
                "player `{name}`: option `{option}` = `{value}`: {objection}"
            )));
        }
    }
    Ok(())
}

fn offer_name(offer: &crate::engines::Offer) -> &str {
    &offer.name
}

/// Forfeited games, by player and reason.
#[derive(Default)]
pub struct Forfeits(BTreeMap<(String, String), u64>);

impl Forfeits {
    pub fn see(&mut self, row: &GameRow) {
        if row.termination.starts_with("forfeit-") {
            let loser = if row.result == GameResult::WhiteWins {
                &row.black
            } else {
                &row.white
            };
            let key = (loser.clone(), row.termination.clone());
            *self.0.entry(key).or_default() += 1;
        }
    }

    pub fn games(&self) -> u64 {
        self.0.values().sum()
    }

    /// One line per player and reason.
    pub fn text(&self, directory: &Path) -> String {
        let line = |((player, reason), games): (&(String, String), &u64)| {
            let log = directory.join(LOGS).join(log_name(player));
            let more = match log.exists() {
                true => format!("; see {}", log.display()),
                false => String::new(),
            };
            format!("{reason}: {games} games lost by `{player}`{more}\n")
        };
        self.0.iter().map(line).collect()
    }
}
