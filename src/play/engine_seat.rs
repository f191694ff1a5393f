//! A seat for an external engine, and the pool of running engines.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::engine_words::{GameSoFar, Mode, go_lines, read_move, thought};
use super::player::PlayerSpec;
use super::seat::{Thought, Turn};
use crate::engines::{
    Asked, Engine, EngineLog, EngineSpec, Fault, Offer, Protocol, Restart, StartFault, Transcript,
    Trouble,
};
use crate::games::AnyGame;
use crate::search::Limit;

/// After this many failed starts in a row, games are forfeited without another attempt: a broken
/// engine must not delay a run for hours.
const PATIENCE: u32 = 3;

/// Where the engines' logs go, and what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLogs {
    pub directory: PathBuf,
    pub lines: EngineLog,
}

/// An engine at the board.
pub struct EngineSeat {
    player: String,
    spec: EngineSpec,
    limit: Limit,
    /// The log of its standard error and faults.
    log: Option<PathBuf>,
    transcript: Transcript,
    engine: Option<Engine>,
    /// Options that changed since they were last sent.
    unsent: Vec<(String, String)>,
    /// The last failed start, and the number of consecutive failures.
    failed: Option<(Fault, u32)>,
    game: GameSoFar,
    /// The reply that it expects to its last move, as it wrote it.
    reply: Option<String>,
    /// The move of the opponent on which it ponders, in the notation of the logs.
    pondered: Option<String>,
}

impl EngineSeat {
    fn new(player: &PlayerSpec, spec: &EngineSpec, logs: Option<&EngineLogs>) -> EngineSeat {
        EngineSeat {
            player: player.name.clone(),
            spec: spec.clone(),
            limit: player.limit,
            log: log_of(player, logs),
            transcript: transcript_of(player, logs),
            engine: None,
            unsent: Vec::new(),
            failed: None,
            game: GameSoFar::default(),
            reply: None,
            pondered: None,
        }
    }

    /// Reuses the seat for another player with the same program; false if the program must be
    /// restarted for that.
    fn take_over(
        &mut self,
        player: &PlayerSpec,
        spec: &EngineSpec,
        logs: Option<&EngineLogs>,
    ) -> bool {
        // The program writes to the log that it was started with.
        if self.log != log_of(player, logs) {
            return false;
        }
        let Some(changes) = self.spec.changes_to(spec) else {
            return false;
        };
        if !changes.is_empty() {
            // Other options may let a start succeed that failed before.
            self.failed = None;
        }
        self.unsent.extend(changes);
        self.spec = spec.clone();
        self.limit = player.limit;
        true
    }

    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Prepares the engine for a game; restarts it if it ended between games.
    pub fn begin(
        &mut self,
        rules: &dyn AnyGame,
        opening: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Trouble> {
        self.game = GameSoFar::new(self.spec.protocol, rules, opening);
        (self.reply, self.pondered) = (None, None);
        self.transcript.new_game();
        if self.spec.restart == Restart::Game {
            // Dropping says quit and waits. The new process gets all options.
            self.engine = None;
        }
        let unsent = std::mem::take(&mut self.unsent);
        if let Some(engine) = &mut self.engine {
            let ready = match unsent[..] {
                [] => Ok(()),
                _ => engine.set_options(&unsent, stop),
            };
            match ready.and_then(|()| engine.new_game(stop)) {
                Ok(()) => return Ok(()),
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                Err(Trouble::Fault(fault)) => {
                    self.note(&format!("{} between games; started again", fault.name()));
                    self.engine = None;
                }
            }
        }
        match self.failed {
            Some((fault, times)) if times >= PATIENCE => return Err(fault.into()),
            _ => {}
        }
        match self.start(rules, stop) {
            Ok(engine) => {
                self.failed = None;
                self.engine = Some(engine);
                self.engine
                    .as_mut()
                    .map_or(Ok(()), |engine| engine.new_game(stop))
            }
            Err(StartFault::Stopped) => Err(Trouble::Stopped),
            Err(fault) => {
                let fault = match fault {
                    StartFault::Engine(fault) => fault,
                    _ => Fault::Crash,
                };
                let times = self.failed.map_or(1, |(_, times)| times + 1);
                self.failed = Some((fault, times));
                self.note(&format!("{} at its start", fault.name()));
                Err(fault.into())
            }
        }
    }

    fn start(&self, rules: &dyn AnyGame, stop: &dyn Fn() -> bool) -> Result<Engine, StartFault> {
        let is_uci = self.spec.protocol == Protocol::Uci;
        let extra: &[(&str, &str)] = if is_uci && rules.facts().starts > 1 {
            &[("UCI_Chess960", "true")]
        } else {
            &[]
        };
        Engine::start(&self.spec, extra, self.open_log(), &self.transcript, stop)
    }

    /// Finds a move, as an index into the legal moves.
    pub fn think(&mut self, turn: &Turn<'_>) -> Result<Thought<usize>, Trouble> {
        let protocol = self.spec.protocol;
        self.game.follow(turn.moves);
        let side = turn.position.side_to_move();
        let time = match turn.clocks.left(side) {
            Some(left) => Some(left.time),
            None => self.limit.time.map(|time| time.hard),
        };
        let pondered = self.pondered.take();
        let is_hit = pondered
            .is_some_and(|expected| turn.moves.last().is_some_and(|last| last.text == expected));
        let Some(engine) = &mut self.engine else {
            return Err(Fault::Crash.into());
        };
        let answer = match is_hit {
            true => engine.ponder_hit(time, turn.hurry, turn.stop),
            false => {
                let mut lines = self.game.lines(protocol, None);
                let go = go_lines(protocol, Mode::Think, &self.limit, turn.clocks, side);
                lines.push_str(&go);
                let asked = Asked {
                    lines: &lines,
                    time,
                };
                engine.think(&asked, turn.hurry, turn.stop)
            }
        };
        match answer {
            Ok(answer) => match read_move(protocol, turn.position, &answer.best) {
                Some(best) => {
                    self.reply = answer.reply.clone();
                    Ok(thought(answer, best))
                }
                None => {
                    self.note_fault(&format!(
                        "{}: `{}` in {}",
                        Fault::IllegalMove.name(),
                        answer.best,
                        turn.position.fen()
                    ));
                    Err(Fault::IllegalMove.into())
                }
            },
            Err(trouble) => {
                self.record_fault(trouble, turn);
                Err(trouble)
            }
        }
    }

    /// Starts to think on the opponent's time, if the engine said which move it expects. `turn` is the
    /// opponent's.
    pub fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), Trouble> {
        let protocol = self.spec.protocol;
        let Some(reply) = self.reply.take().filter(|_| self.spec.ponder) else {
            return Ok(());
        };
        let expected = read_move(protocol, turn.position, &reply)
            .and_then(|number| turn.position.legal_move(number));
        let (Some(expected), Some(engine)) = (expected, &mut self.engine) else {
            return Ok(());
        };
        self.game.follow(turn.moves);
        let side = turn.position.side_to_move().other();
        let mut lines = self.game.lines(protocol, Some(&reply));
        let go = go_lines(protocol, Mode::Ponder, &self.limit, turn.clocks, side);
        lines.push_str(&go);
        self.pondered = Some(expected.text);
        let begun = engine.ponder(&lines, turn.stop);
        if let Err(trouble) = begun {
            self.record_fault(trouble, turn);
        }
        begun
    }

    /// Ends a search on the opponent's time when the game is over.
    pub fn end(&mut self, stop: &dyn Fn() -> bool) {
        if let Some(engine) = &mut self.engine
            && let Err(trouble) = engine.stop_pondering(stop)
        {
            self.engine = None;
            if let Trouble::Fault(fault) = trouble {
                self.note(&format!("{} after the game; started again", fault.name()));
            }
        }
    }

    /// Logs a fault, and ends a program that must not play another game.
    fn record_fault(&mut self, trouble: Trouble, turn: &Turn<'_>) {
        let Trouble::Fault(fault) = trouble else {
            self.engine = None;
            return;
        };
        let mut words = format!("{} in {}", fault.name(), turn.position.fen());
        if fault == Fault::Crash
            && let Some(engine) = &mut self.engine
        {
            words.push_str(&format!(" ({})", engine.exit_words()));
        }
        if fault != Fault::Time {
            self.engine = None;
        }
        self.note_fault(&words);
    }

    /// Logs a fault with what was said in its game.
    fn note_fault(&self, words: &str) {
        let lines = self.transcript.text();
        self.note(&format!(
            "{words}\nthe game (seconds, > sent, < received):\n{}",
            lines.trim_end()
        ));
    }

    fn open_log(&self) -> Option<File> {
        append_to(self.log.as_ref()?)
    }

    /// A log that cannot be written does not end a run.
    fn note(&self, text: &str) {
        if let Some(mut log) = self.open_log() {
            let _ = writeln!(log, "sparring: {}: {text}", self.player);
        }
    }
}

fn append_to(path: &PathBuf) -> Option<File> {
    fs::create_dir_all(path.parent()?).ok()?;
    OpenOptions::new().create(true).append(true).open(path).ok()
}

fn log_of(player: &PlayerSpec, logs: Option<&EngineLogs>) -> Option<PathBuf> {
    logs.map(|logs| logs.directory.join(log_name(&player.name)))
}

/// The transcript of a new seat: all lines go to a file of their own if the run asks for them.
fn transcript_of(player: &PlayerSpec, logs: Option<&EngineLogs>) -> Transcript {
    static SEATS: AtomicUsize = AtomicUsize::new(1);
    let number = SEATS.fetch_add(1, Ordering::Relaxed);
    let all = logs.filter(|logs| logs.lines == EngineLog::All);
    let path = all.map(|logs| {
        let name = log_name(&player.name);
        let stem = name.strip_suffix(".log").unwrap_or(&name);
        logs.directory.join(format!("{stem}.lines.log"))
    });
    Transcript::new(path.as_ref().and_then(append_to), number)
}

/// The path of a player's log.
pub fn log_name(player: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = player
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    format!("{name}.log")
}

/// The idle engines of one worker, most recently used last.
#[derive(Default)]
pub struct Team(Vec<EngineSeat>);

impl Team {
    /// The seat of an engine. Reuses a running engine of this name where only options or the limit
    /// changed. A batch of a tuner seats many players with the same name and program: they share
    /// two engines.
    pub fn take(
        &mut self,
        player: &PlayerSpec,
        spec: &EngineSpec,
        logs: Option<&EngineLogs>,
    ) -> EngineSeat {
        let mut at = self.0.len();
        while at > 0 {
            at -= 1;
            if self.0[at].player != player.name {
                continue;
            }
            let mut seat = self.0.remove(at);
            if seat.take_over(player, spec, logs) {
                return seat;
            }
        }
        EngineSeat::new(player, spec, logs)
    }

    pub fn give_back(&mut self, seat: EngineSeat) {
        self.0.push(seat);
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // All at once, so that they end in parallel.
        for engine in self.0.iter_mut().filter_map(|seat| seat.engine.as_mut()) {
            engine.say_quit();
        }
    }
}

/// The `id name` and options of an engine.
pub struct Introduction {
    pub name: String,
    pub offers: Vec<Offer>,
}

/// Starts the engine of a player once, to identify it; `None` for a player without one.
pub fn introduce(
    rules: &dyn AnyGame,
    player: &PlayerSpec,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Introduction, StartFault>> {
    let spec = player.engine()?;
    let seat = EngineSeat::new(player, spec, None);
    Some(seat.start(rules, stop).map(|engine| Introduction {
        name: engine.name.clone(),
        offers: engine.offers.clone(),
    }))
}
