//! Reads commands of a GUI line by line. Only `quit` and the end of the input end the session.

use std::io::BufRead;
use std::sync::Arc;

use super::super::print;
use super::super::uci::Settings;
use super::super::uci::options;
use super::super::uci::worker::{SearchWorker, Task};
use super::go::Level;
use super::words::HubWords;
use crate::engines::{hub_fields, hub_quoted, read_line};
use crate::eval::catalog::GameId;
use crate::games::{AnyPosition, hub};
use crate::search::{Options, Profile, Signal};

/// Room for a game of more than ten thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// The games between which the parameter `variant` chooses.
const VARIANTS: [(&str, GameId); 2] = [
    ("normal", GameId::International),
    ("frisian", GameId::Frisian),
];

/// Parameters, and the options of the player that they set.
const PARAMETERS: [(&str, &str); 3] = [
    ("evaluator", "evaluator"),
    ("profile", "profile"),
    ("table-mb", "hash"),
];

/// Serves a GUI until it sends `quit` or closes the input.
pub fn listen(game: GameId, settings: Settings, input: &mut impl BufRead) {
    let Some(worker) = start(game, &settings) else {
        complain("the system grants no thread to search with");
        return;
    };
    let mut session = Session {
        game,
        settings,
        position: game.rules().usual_start(),
        history: Vec::new(),
        level: Level::default(),
        worker,
    };
    let mut line = Vec::new();
    while read_line(input, &mut line, LONGEST_LINE).unwrap_or(false) {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if command == "quit" {
            return;
        }
        session.obey(command, rest);
    }
}

fn start(game: GameId, settings: &Settings) -> Option<SearchWorker> {
    SearchWorker::start(
        game,
        settings,
        Box::new(HubWords {
            man: man(game, settings),
        }),
    )
}

/// The value of a man in the unit of the evaluator.
fn man(game: GameId, settings: &Settings) -> f64 {
    let preset = game.evaluators().preset(settings.evaluator);
    let value = preset.and_then(|preset| {
        let mut values = settings.weights.values(preset.terms());
        values.find_map(|(term, value)| (term.name == "man").then_some(value.opening[0]))
    });
    value.filter(|man| *man > 0.0).unwrap_or(1.0)
}

/// Reports an error to the GUI.
fn complain(message: &str) {
    let line: String = message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    print(&format!("error message={}\n", hub_quoted(&line)));
}

struct Session {
    game: GameId,
    settings: Settings,
    position: Box<dyn AnyPosition>,
    history: Vec<u64>,
    level: Level,
    worker: SearchWorker,
}

impl Session {
    fn obey(&mut self, command: &str, rest: &str) {
        match command {
            "hub" => self.introduce(),
            "init" => self.worker.report_ready(),
            "ping" => print("pong\n"),
            "set-param" => self.set_parameter(rest),
            "new-game" => self.worker.new_game(),
            "pos" => self.set_position(rest),
            "level" => {
                let (level, ignored) = Level::read(&hub_fields(rest));
                if !ignored.is_empty() {
                    complain(&format!("level: ignored {}", shortened(&ignored.join(" "))));
                }
                self.level = level;
            }
            "go" => self.go(rest),
            "stop" => self.worker.stop(),
            "ponder-hit" => self.worker.ponder_hit(),
            "" => {}
            other => complain(&format!("unknown command {}", shortened(other))),
        }
    }

    fn introduce(&self) {
        let name = self.settings.name.strip_prefix("Sparring ").unwrap_or("");
        let choices = |value: &str, all: &[&str]| {
            format!(
                "value={} type=enum values={}",
                hub_quoted(value),
                hub_quoted(&all.join(" "))
            )
        };
        let profile =
            Options::row("profile").map_or(String::new(), |row| row.value(&self.settings.options));
        let table = Options::row("table_mb")
            .and_then(|row| row.range)
            .unwrap_or((1, 1));
        let mut text = format!(
            "id name=Sparring version={} author=\"the Sparring authors\" country=\"\"\n",
            hub_quoted(name)
        );
        if let Some((variant, _)) = VARIANTS.iter().find(|(_, game)| *game == self.game) {
            let names = VARIANTS.map(|(name, _)| name);
            text.push_str(&format!(
                "param name=variant {}\n",
                choices(variant, &names)
            ));
        }
        let names = self.game.evaluators().preset_names();
        text.push_str(&format!(
            "param name=evaluator {}\n",
            choices(self.settings.evaluator, &names)
        ));
        text.push_str(&format!(
            "param name=profile {}\n",
            choices(&profile, Profile::NAMES)
        ));
        text.push_str(&format!(
            "param name=table-mb value={} type=int min={} max={}\nwait\n",
            self.settings.options.table_mb, table.0, table.1
        ));
        print(&text);
    }

    fn set_parameter(&mut self, rest: &str) {
        let fields = hub_fields(rest);
        let get = |name: &str| {
            let found = fields.iter().find(|(other, _)| other == name);
            found.map(|(_, value)| value.clone())
        };
        let (Some(name), Some(value)) = (get("name"), get("value")) else {
            return complain("expected: set-param name=NAME value=VALUE");
        };
        if name == "variant" {
            return self.set_variant(&value);
        }
        let Some((_, option)) = PARAMETERS.iter().find(|(parameter, _)| *parameter == name) else {
            return complain(&format!("no parameter {}", shortened(&name)));
        };
        match options::set(&mut self.settings, self.game, option, &value) {
            Ok(_) => self.restart(),
            Err(message) => complain(&message),
        }
    }

    fn set_variant(&mut self, value: &str) {
        let has_variants = VARIANTS.iter().any(|(_, game)| *game == self.game);
        match VARIANTS.iter().find(|(name, _)| *name == value) {
            Some((_, game)) if has_variants => {
                self.game = *game;
                self.position = game.rules().usual_start();
                self.history.clear();
                self.restart();
            }
            _ => complain(&format!("no variant {}", shortened(value))),
        }
    }

    /// A new search thread, because the game or the value of a man may be another.
    fn restart(&mut self) {
        if let Some(worker) = start(self.game, &self.settings) {
            self.worker = worker;
        }
    }

    /// `pos=X`, then `moves`. An invalid position changes nothing; moves are played up to the first
    /// illegal one.
    fn set_position(&mut self, rest: &str) {
        let rules = self.game.rules();
        let mut position = rules.usual_start();
        let mut moves = String::new();
        for (name, value) in hub_fields(rest) {
            match name.as_str() {
                "pos" => match hub::read_position(rules, &value) {
                    Ok(read) => position = read,
                    Err(error) => return complain(&error.to_string()),
                },
                "moves" => moves = value,
                // Older clients name the start position so, or leave it out.
                "start" => {}
                other => return complain(&format!("pos: unknown field {}", shortened(other))),
            }
        }
        let mut history = Vec::new();
        for text in moves.split_whitespace() {
            match hub::find_move(position.as_ref(), text) {
                Ok(number) => {
                    history.push(position.repetition_key());
                    let _ = position.play(number);
                }
                Err(error) => {
                    complain(&error.to_string());
                    break;
                }
            }
        }
        (self.position, self.history) = (position, history);
    }

    fn go(&mut self, rest: &str) {
        let mode = rest.split_whitespace().next().unwrap_or("think");
        let signal = match mode {
            "think" | "analyze" => Signal::default(),
            "ponder" => Signal::for_pondering(),
            other => {
                return complain(&format!(
                    "go {}: expected think, ponder or analyze",
                    shortened(other)
                ));
            }
        };
        self.worker.think(Task {
            position: self.position.clone(),
            history: self.history.clone(),
            limit: self
                .level
                .limit(self.settings.overhead, self.settings.limit),
            only: Vec::new(),
            // An analysis runs until it is stopped.
            infinite: mode == "analyze",
            mate: None,
            signal: Arc::new(signal),
        });
    }
}

/// A prefix of a text that may be very long.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    text.chars().take(SHOWN).collect()
}
