//! Drives an engine: the conversation of UCI, and that of Hub, which has the same steps.

use std::fmt;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use super::guard::{self, CANNOT_START};
use super::hub::{quoted, read_done, read_id, read_param};
use super::info::{EngineScore, Info};
use super::process::{Heard, Process, Unsent};
use super::{EngineSpec, Fault, Protocol, Trouble};

/// An option offered by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: String,
    /// `check`, `spin`, `combo`, `button` or `string`.
    pub kind: String,
    pub default: String,
    pub range: Option<(i64, i64)>,
    pub choices: Vec<String>,
}

/// Why an engine cannot play.
#[derive(Debug)]
pub enum StartFault {
    /// The system cannot start the program.
    Program(io::Error),
    /// It ended before it was ready, or did not answer.
    Engine(Fault),
    Stopped,
}

impl fmt::Display for StartFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartFault::Program(error) => write!(f, "the engine cannot be started: {error}"),
            StartFault::Engine(Fault::Crash) => f.write_str("the engine ended before it was ready"),
            StartFault::Engine(_) => {
                f.write_str("the engine does not answer its protocol's first words")
            }
            StartFault::Stopped => f.write_str("interrupted"),
        }
    }
}

impl From<Trouble> for StartFault {
    fn from(trouble: Trouble) -> StartFault {
        match trouble {
            Trouble::Fault(fault) => StartFault::Engine(fault),
            Trouble::Stopped => StartFault::Stopped,
        }
    }
}

/// A search request.
pub struct Asked<'a> {
    /// The lines that set the position and start the search.
    pub lines: &'a str,
    /// The time limit, if there is one.
    pub time: Option<Duration>,
}

/// A move with the engine's info.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// As the engine wrote it.
    pub best: String,
    pub score: Option<EngineScore>,
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

/// A running engine that answered `uci`.
pub struct Engine {
    process: Process,
    spec: EngineSpec,
    /// Its `id name`.
    pub name: String,
    pub offers: Vec<Offer>,
}

/// Limit of options per engine and of values per option. Real engines have a tenth.
const MOST_OFFERS: usize = 1024;

/// Limit of characters of a name or value from an engine.
const LONGEST_WORD: usize = 256;

/// Sanitises text from an engine for terminals and logs: shortened, without control characters.
fn bounded(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(LONGEST_WORD)
        .collect()
}

/// How long an engine has to answer `stop`.
const STOP_GRACE: Duration = Duration::from_secs(1);

impl Engine {
    /// Starts the program, does the handshake and sets its options.
    pub fn start(
        spec: &EngineSpec,
        extra: &[(&str, &str)],
        log: Option<File>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Engine, StartFault> {
        let process = Process::start(spec, log).map_err(StartFault::Program)?;
        let mut engine = Engine {
            process,
            spec: spec.clone(),
            name: String::new(),
            offers: Vec::new(),
        };
        engine.greet(extra, stop)?;
        Ok(engine)
    }

    fn greet(&mut self, extra: &[(&str, &str)], stop: &dyn Fn() -> bool) -> Result<(), StartFault> {
        let is_uci = self.spec.protocol == Protocol::Uci;
        let (hello, end) = if is_uci {
            ("uci\n", "uciok")
        } else {
            ("hub\n", "wait")
        };
        // A program that ended at once may have printed why.
        match self.send(hello, stop) {
            Ok(()) | Err(Trouble::Fault(Fault::Crash)) => {}
            Err(trouble) => return Err(trouble.into()),
        }
        let deadline = Instant::now() + self.spec.start_timeout;
        loop {
            let (line, _) = self.hear(deadline, stop)?;
            let line = line.trim();
            if line == end {
                break;
            } else if let Some(why) = line.strip_prefix(CANNOT_START) {
                return Err(StartFault::Program(io::Error::other(why.to_string())));
            }
            let (name, offer) = if is_uci {
                let name = line.strip_prefix("id name ").map(str::to_string);
                (name, line.strip_prefix("option ").and_then(read_offer))
            } else {
                let name = line.strip_prefix("id ").and_then(read_id);
                (name, line.strip_prefix("param ").and_then(read_param))
            };
            if let Some(name) = name {
                self.name = bounded(name.trim());
            }
            if self.offers.len() < MOST_OFFERS {
                self.offers.extend(offer);
            }
        }
        let own = self.spec.options.iter();
        let own = own.map(|(name, value)| (name.as_str(), value.as_str()));
        let protocol = self.spec.protocol;
        let all = extra.iter().copied().chain(own);
        let text: String = all.map(|option| set_option(protocol, option)).collect();
        self.send(&text, stop)?;
        match protocol {
            Protocol::Uci => self.ask("isready\n", "readyok", stop)?,
            Protocol::Hub | Protocol::Hub1 => self.ask("init\n", "ready", stop)?,
        }
        Ok(())
    }

    /// Sets options between games.
    pub fn set_options(
        &mut self,
        options: &[(String, String)],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Trouble> {
        let text: String = options
            .iter()
            .map(|(name, value)| set_option(self.spec.protocol, (name, value)))
            .collect();
        self.send(&text, stop)
    }

    /// Sends the protocol's command for a new game, if it has one.
    pub fn new_game(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        match self.spec.protocol {
            Protocol::Uci => self.ask("ucinewgame\nisready\n", "readyok", stop),
            Protocol::Hub => self.ask("new-game\nping\n", "pong", stop),
            Protocol::Hub1 => Ok(()),
        }
    }

    /// Sends lines and waits for the answer.
    fn ask(&mut self, text: &str, answer: &str, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        self.send(text, stop)?;
        let deadline = Instant::now() + self.spec.start_timeout;
        while self.hear(deadline, stop)?.0.trim() != answer {}
        Ok(())
    }

    fn send(&mut self, text: &str, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.spec.start_timeout;
        let sent = self.process.send(text, deadline, stop);
        sent.map_err(|unsent| match unsent {
            Unsent::Stalled => Fault::Stall.into(),
            Unsent::Gone => Fault::Crash.into(),
            Unsent::Stopped => Trouble::Stopped,
        })
    }

    fn hear(
        &mut self,
        deadline: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<(String, Instant), Trouble> {
        match self.process.listen(deadline, stop) {
            Heard::Line(line, at) => Ok((line, at)),
            Heard::Silence => Err(Fault::Stall.into()),
            Heard::Gone => Err(Fault::Crash.into()),
            Heard::Stopped => Err(Trouble::Stopped),
        }
    }

    /// Runs a search. After a fault other than [`Fault::Time`] the engine must not be used again.
    ///
    /// `hurry` asks for the best move so far, `stop` wants none.
    pub fn think(
        &mut self,
        asked: &Asked<'_>,
        hurry: &dyn Fn() -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        let began = Instant::now();
        self.send(asked.lines, stop)?;
        let patience = match asked.time {
            Some(time) => time + self.spec.time_margin,
            None => self.spec.move_timeout,
        };
        let mut info = Info::default();
        match self.wait_for_move(began, began + patience, &mut info, &|| hurry() || stop()) {
            Ok(answer) if answer.time > patience => Err(Fault::Time.into()),
            Err(Trouble::Stopped) if !stop() => {
                self.send("stop\n", stop)?;
                self.wait_for_move(began, Instant::now() + STOP_GRACE, &mut info, stop)
            }
            Err(Trouble::Fault(Fault::Stall)) => {
                self.send("stop\n", stop)?;
                let deadline = Instant::now() + STOP_GRACE;
                self.wait_for_move(began, deadline, &mut info, stop)?;
                // With a clock this is a loss on time; without one the engine hangs.
                Err(match asked.time {
                    Some(_) => Fault::Time.into(),
                    None => Fault::Stall.into(),
                })
            }
            other => other,
        }
    }

    fn wait_for_move(
        &mut self,
        began: Instant,
        deadline: Instant,
        info: &mut Info,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        loop {
            let (line, at) = self.hear(deadline, stop)?;
            if let Some(best) = self.spec.protocol.read(line.trim(), info) {
                return Ok(Answer {
                    best,
                    score: info.score,
                    depth: info.depth,
                    nodes: info.nodes,
                    time: at.saturating_duration_since(began),
                });
            }
        }
    }

    /// How the program ended, in words.
    pub fn exit_words(&mut self) -> String {
        match self.process.exit_status() {
            Some(status) => guard::exit_text(status),
            None => "its output was closed".to_string(),
        }
    }

    /// Sends `quit` without waiting; dropping waits.
    pub fn say_quit(&mut self) {
        self.process.say_quit();
    }
}

impl Protocol {
    /// Reads a line of a search: the best move, if it ends with this line.
    fn read(self, line: &str, info: &mut Info) -> Option<String> {
        let (command, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let first = || {
            rest.split_ascii_whitespace()
                .next()
                .unwrap_or("")
                .to_string()
        };
        match (self, command) {
            (Protocol::Uci, "info") => info.read(line),
            (Protocol::Uci, "bestmove") => return Some(first()),
            (Protocol::Hub, "info") => info.read_hub(rest),
            (Protocol::Hub, "done") => return Some(read_done(rest)),
            (Protocol::Hub1, "info") => info.read_hub_1(rest),
            (Protocol::Hub1, "move") => return Some(first()),
            _ => {}
        }
        None
    }
}

/// The line that sets an option; a button of UCI has an empty value.
fn set_option(protocol: Protocol, (name, value): (&str, &str)) -> String {
    match (protocol, value) {
        (Protocol::Uci, "") => format!("setoption name {name}\n"),
        (Protocol::Uci, value) => format!("setoption name {name} value {value}\n"),
        (Protocol::Hub, value) => {
            format!("set-param name={} value={}\n", quoted(name), quoted(value))
        }
        (Protocol::Hub1, value) => format!("set {name} {value}\n"),
    }
}

/// Reads what follows `option` on an engine's line: `name N... type T ...`, with blanks in names and values.
pub fn read_offer(text: &str) -> Option<Offer> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        // A name may hold any word but `type`.
        let in_name = matches!(fields.last(), Some(("name", _))) && word != "type";
        if KEYS.contains(&word) && !in_name {
            fields.push((word, Vec::new()));
        } else if let Some((_, words)) = fields.last_mut() {
            words.push(word);
        }
    }
    let get = |key: &str| {
        let field = fields.iter().find(|(name, _)| *name == key);
        field.map(|(_, words)| bounded(&words.join(" ")))
    };
    let bound = |key: &str| get(key)?.parse().ok();
    let choices = fields.iter().filter(|(key, _)| *key == "var");
    Some(Offer {
        name: get("name").filter(|name| !name.is_empty())?,
        kind: get("type")?,
        default: get("default").unwrap_or_default(),
        range: bound("min").zip(bound("max")),
        choices: choices
            .take(MOST_OFFERS)
            .map(|(_, words)| bounded(&words.join(" ")))
            .collect(),
    })
}

impl Offer {
    /// Why this option cannot have the value, if so.
    pub fn objection(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" if !matches!(value, "true" | "false") => {
                Some("expected true or false".to_string())
            }
            "spin" => match (value.parse::<i64>(), self.range) {
                (Err(_), _) => Some("expected a whole number".to_string()),
                (Ok(number), Some((low, high))) if !(low..=high).contains(&number) => {
                    Some(format!("expected {low} to {high}"))
                }
                _ => None,
            },
            "combo" if !self.choices.iter().any(|c| c.eq_ignore_ascii_case(value)) => {
                Some(format!("expected one of {}", self.choices.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_blanks_ranges_and_choices_are_read() {
        let skill = read_offer("name Skill Level type spin default 20 min 0 max 20").unwrap();
        assert_eq!(skill.name, "Skill Level");
        assert_eq!((skill.range, skill.default.as_str()), (Some((0, 20)), "20"));
        assert!(skill.objection("21").is_some() && skill.objection("0").is_none());
        let style = read_offer("name Style type combo default Risky One var Solid var Risky One");
        let style = style.unwrap();
        assert_eq!(style.choices, ["Solid", "Risky One"]);
        assert!(style.objection("solid").is_none() && style.objection("wild").is_some());
        let empty = read_offer("name Book File type string default <empty>").unwrap();
        assert_eq!(empty.kind, "string");
        assert!(empty.objection("anything at all").is_none());
        assert_eq!(read_offer("name type"), None);
        assert_eq!(read_offer(""), None);
    }
}
