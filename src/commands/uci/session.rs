//! Reads commands of a GUI line by line. Only `quit` and the end of the input end the session.

use std::io::BufRead;
use std::sync::Arc;

use super::super::{eval, print};
use super::Settings;
use super::go::Go;
use super::options::{self, Effect};
use super::words::UciWords;
use super::worker::{SearchWorker, Task};
use crate::engines::read_line;
use crate::eval::catalog::GameId;
use crate::games::AnyPosition;
use crate::search::Signal;

/// Why a session ended.
pub enum Leave {
    Quit,
    /// The GUI switched between chess and Chess960; settings are kept.
    Switch(GameId, Box<Settings>),
}

/// Room for a game of more than ten thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// The default depth of `bench`.
const BENCH_DEPTH: u32 = 8;

pub fn serve(game: GameId, settings: Settings, input: &mut impl BufRead) -> Leave {
    let Some(worker) = SearchWorker::start(game, &settings, Box::new(UciWords)) else {
        complain("the system grants no thread to search with");
        return Leave::Quit;
    };
    let mut session = Session {
        game,
        settings,
        position: game.rules().usual_start(),
        history: Vec::new(),
        worker,
    };
    let mut line = Vec::new();
    while read_line(input, &mut line, LONGEST_LINE).unwrap_or(false) {
        let text = String::from_utf8_lossy(&line);
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(leave) = session.obey(&words) {
            return leave;
        }
    }
    // If the GUI is gone, exit without an answer.
    Leave::Quit
}

/// Reports an error to the GUI as `info string`.
fn complain(message: &str) {
    print(&format!("info string {}\n", message.replace('\n', "; ")));
}

struct Session {
    game: GameId,
    settings: Settings,
    position: Box<dyn AnyPosition>,
    history: Vec<u64>,
    worker: SearchWorker,
}

impl Session {
    fn obey(&mut self, words: &[&str]) -> Option<Leave> {
        let (command, rest) = words.split_first()?;
        match *command {
            "uci" => print(&format!(
                "id name {}\nid author the Sparring authors\n{}uciok\n",
                self.settings.name,
                options::list(&self.settings, self.game)
            )),
            // Answer at once during a search; otherwise after all earlier commands.
            "isready" if self.worker.is_searching() => print("readyok\n"),
            "isready" => self.worker.report_ready(),
            "setoption" => return self.set_option(rest),
            "ucinewgame" => self.worker.new_game(),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "stop" => self.worker.stop(),
            "ponderhit" => self.worker.ponder_hit(),
            "quit" => return Some(Leave::Quit),
            "d" => print(&format!(
                "{}\nFen: {}\nKey: {:016X}\n",
                self.position.diagram(),
                self.position.fen(),
                self.position.hash()
            )),
            "eval" => self.explain(),
            "bench" => self.bench(rest),
            "debug" | "register" => {}
            other => complain(&format!("unknown command `{}`", shortened(other))),
        }
        None
    }

    fn set_option(&mut self, words: &[&str]) -> Option<Leave> {
        let Some((name, value)) = name_and_value(words) else {
            complain("expected: setoption name NAME value VALUE");
            return None;
        };
        match options::set(&mut self.settings, self.game, &name, &value) {
            Ok(Effect::Changed) => self.worker.configure(&self.settings),
            Ok(Effect::NewGame) => self.worker.new_game(),
            Ok(Effect::Nothing) => {}
            Ok(Effect::Switch(game)) => {
                return Some(Leave::Switch(game, Box::new(self.settings.clone())));
            }
            Err(message) => complain(&message),
        }
        None
    }

    /// `startpos` or `fen FEN`, then `moves`. An invalid position changes nothing; moves are played up to
    /// the first illegal one.
    fn set_position(&mut self, words: &[&str]) {
        let moves = words.iter().position(|word| *word == "moves");
        let (place, moves) = match moves {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let rules = self.game.rules();
        let start = match place {
            ["startpos"] => Ok(rules.usual_start()),
            ["fen", fields @ ..] => rules.read_epd(&fields.join(" ")).map_err(|e| e.to_string()),
            _ => Err("expected: position startpos|fen FEN [moves ...]".to_string()),
        };
        let mut position = match start {
            Ok(position) => position,
            Err(message) => return complain(&message),
        };
        let mut history = Vec::with_capacity(moves.len());
        for text in moves {
            let key = position.repetition_key();
            match position.play_text(text) {
                Ok(()) => history.push(key),
                Err(error) => {
                    complain(&error.to_string());
                    break;
                }
            }
        }
        (self.position, self.history) = (position, history);
    }

    fn go(&mut self, words: &[&str]) {
        let go = Go::parse(words);
        if !go.ignored.is_empty() {
            complain(&format!("ignored: {}", shortened(&go.ignored.join(" "))));
        }
        let mut only = Vec::new();
        for text in &go.search_moves {
            match self.position.find_move(text) {
                Ok(mv) => only.push(mv),
                Err(error) => complain(&error.to_string()),
            }
        }
        let side = self.position.side_to_move();
        let limit = go.limit(side, self.settings.overhead, self.settings.limit);
        let signal = if go.ponder {
            Signal::for_pondering()
        } else {
            Signal::default()
        };
        self.worker.think(Task {
            position: self.position.clone(),
            history: self.history.clone(),
            limit,
            only,
            infinite: go.infinite,
            mate: go.mate,
            signal: Arc::new(signal),
        });
    }

    fn explain(&self) {
        let evaluators = self.game.evaluators();
        if let Some(preset) = evaluators.preset(self.settings.evaluator) {
            let position = self.position.as_ref();
            let explanation = preset.explain(&self.settings.weights, position);
            print(&eval::text(position, evaluators.units(), &explanation));
        }
    }

    fn bench(&mut self, words: &[&str]) {
        let depth = match words {
            [] => Some(BENCH_DEPTH),
            [depth, ..] => depth.parse().ok().filter(|depth| (1..=30).contains(depth)),
        };
        match depth {
            Some(depth) => self.worker.bench(depth),
            None => complain("expected: bench [DEPTH], 1 to 30"),
        }
    }
}

/// `name` up to `value`; both may contain blanks, and buttons have no value.
fn name_and_value(words: &[&str]) -> Option<(String, String)> {
    let (first, rest) = words.split_first()?;
    if *first != "name" || rest.is_empty() {
        return None;
    }
    let at = rest.iter().position(|word| *word == "value");
    let (name, value) = match at {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    Some((name.join(" "), value.join(" ")))
}

/// A prefix of a text that may be very long.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}
