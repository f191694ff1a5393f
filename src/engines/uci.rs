//! Drives an engine: the conversation of UCI, and that of Hub, which has the same steps.

use std::fmt;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use super::guard::{self, CANNOT_START};
use super::hub::{quoted, read_done, read_id, read_param};
use super::info::Info;
use super::offer::{MOST_OFFERS, Offer, bounded, read_offer};
use super::process::{Heard, Process, Unsent};
use super::transcript::Transcript;
use super::{EngineSpec, Fault, Protocol, Trouble};

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
    /// The reply that it expects, and would ponder on.
    pub reply: Option<String>,
    pub info: Info,
    /// From our request to the move.
    pub time: Duration,
    /// From our request to the first line of any kind.
    pub first: Duration,
}

/// A running engine that answered `uci`.
pub struct Engine {
    process: Process,
    spec: EngineSpec,
    /// Its `id name`.
    pub name: String,
    pub offers: Vec<Offer>,
    transcript: Transcript,
    is_pondering: bool,
}

/// How long an engine has to answer `stop`.
const STOP_GRACE: Duration = Duration::from_secs(1);

impl Engine {
    /// Starts the program, does the handshake and sets its options.
    pub fn start(
        spec: &EngineSpec,
        extra: &[(&str, &str)],
        log: Option<File>,
        transcript: &Transcript,
        stop: &dyn Fn() -> bool,
    ) -> Result<Engine, StartFault> {
        let process = Process::start(spec, log).map_err(StartFault::Program)?;
        let mut engine = Engine {
            process,
            spec: spec.clone(),
            name: String::new(),
            offers: Vec::new(),
            transcript: transcript.clone(),
            is_pondering: false,
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
            let (name, offer) = match self.spec.protocol {
                Protocol::Uci => (
                    line.strip_prefix("id name ").map(str::to_string),
                    line.strip_prefix("option ").and_then(read_offer),
                ),
                Protocol::Hub => (
                    line.strip_prefix("id ").and_then(read_id),
                    line.strip_prefix("param ").and_then(read_param),
                ),
                Protocol::Hub1 => (line.strip_prefix("name ").map(str::to_string), None),
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
        // The word of UCI for an engine that may think on the opponent's time.
        let ponder = (is_uci && self.spec.ponder).then_some(("Ponder", "true"));
        let all = extra.iter().copied().chain(ponder).chain(own);
        let mut text: String = all.map(|option| set_option(protocol, option)).collect();
        for line in &self.spec.init {
            text.push_str(line);
            text.push('\n');
        }
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
        self.stop_pondering(stop)?;
        match self.spec.protocol {
            Protocol::Uci => self.ask("ucinewgame\nisready\n", "readyok", stop),
            Protocol::Hub => self.ask("new-game\nping\n", "pong", stop),
            // Version 1 has no answer to it.
            Protocol::Hub1 => self.send("new\n", stop),
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
        self.transcript.sent(text);
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
            Heard::Line(line, at) => {
                self.transcript.heard(&line);
                Ok((line, at))
            }
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
        self.stop_pondering(stop)?;
        self.search(asked, hurry, stop)
    }

    /// Starts a search on the opponent's time, in the position after the reply that the engine expects.
    pub fn ponder(&mut self, lines: &str, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        self.is_pondering = true;
        self.send(lines, stop)
    }

    /// The opponent made the expected move: the search goes on, now on the engine's own time.
    pub fn ponder_hit(
        &mut self,
        time: Option<Duration>,
        hurry: &dyn Fn() -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        self.is_pondering = false;
        let lines = match self.spec.protocol {
            Protocol::Uci => "ponderhit\n",
            Protocol::Hub | Protocol::Hub1 => "ponder-hit\n",
        };
        self.search(&Asked { lines, time }, hurry, stop)
    }

    /// Ends a search on the opponent's time; its move is not used.
    pub fn stop_pondering(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        if !self.is_pondering {
            return Ok(());
        }
        self.is_pondering = false;
        self.send("stop\n", stop)?;
        let now = Instant::now();
        self.wait_for_move(now, now + STOP_GRACE, &mut Search::default(), stop)?;
        Ok(())
    }

    fn search(
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
        let mut search = Search::default();
        match self.wait_for_move(began, began + patience, &mut search, &|| hurry() || stop()) {
            Ok(answer) if answer.time > patience => Err(Fault::Time.into()),
            Err(Trouble::Stopped) if !stop() => {
                self.send("stop\n", stop)?;
                self.wait_for_move(began, Instant::now() + STOP_GRACE, &mut search, stop)
            }
            Err(Trouble::Fault(Fault::Stall)) => {
                self.send("stop\n", stop)?;
                let deadline = Instant::now() + STOP_GRACE;
                self.wait_for_move(began, deadline, &mut search, stop)?;
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
        search: &mut Search,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Trouble> {
        loop {
            let (line, at) = self.hear(deadline, stop)?;
            let time = at.saturating_duration_since(began);
            let first = *search.first.get_or_insert(time);
            if let Some((best, reply)) = self.spec.protocol.read(line.trim(), &mut search.info) {
                return Ok(Answer {
                    best,
                    reply,
                    info: std::mem::take(&mut search.info),
                    time,
                    first,
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

/// What an engine said in a search so far.
#[derive(Default)]
struct Search {
    info: Info,
    /// The time of its first line.
    first: Option<Duration>,
}

impl Protocol {
    /// Reads a line of a search: the best move and the expected reply, if it ends with this line.
    fn read(self, line: &str, info: &mut Info) -> Option<(String, Option<String>)> {
        let (command, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let mut words = rest.split_ascii_whitespace();
        match (self, command) {
            (Protocol::Uci, "info") => info.read(line),
            (Protocol::Uci, "bestmove") => {
                let best = words.next().unwrap_or("").to_string();
                let reply = words.next().filter(|word| *word == "ponder");
                let reply = reply.and_then(|_| words.next());
                return Some((best, reply.map(str::to_string)));
            }
            (Protocol::Hub, "info") => info.read_hub(rest),
            (Protocol::Hub, "done") => return Some(read_done(rest)),
            (Protocol::Hub1, "info") => info.read_hub_1(rest),
            (Protocol::Hub1, "move") => {
                let best = words.next().unwrap_or("").to_string();
                return Some((best, words.next().map(str::to_string)));
            }
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
