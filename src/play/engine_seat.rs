//! A seat for an external engine, and the pool of running engines.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::clocks::Clocks;
use super::game::MoveNote;
use super::player::PlayerSpec;
use super::seat::{Thought, Turn};
use crate::engines::{
    Answer, Asked, Engine, EngineScore, EngineSpec, Fault, Offer, Protocol, StartFault, Trouble,
};
use crate::eval::{STEPS, Score};
use crate::games::{AnyGame, AnyPosition, Side, hub};
use crate::search::{Limit, MATE, MATE_BOUND};

/// After this many failed starts in a row, games are forfeited without another attempt: a broken
/// engine must not delay a run for hours.
const PATIENCE: u32 = 3;

/// An engine at the board.
pub struct EngineSeat {
    player: String,
    spec: EngineSpec,
    limit: Limit,
    /// The log of its standard error and faults.
    log: Option<PathBuf>,
    engine: Option<Engine>,
    /// Options that changed since they were last sent.
    unsent: Vec<(String, String)>,
    /// The last failed start, and the number of consecutive failures.
    failed: Option<(Fault, u32)>,
    game: GameSoFar,
}

/// The game as the engine is told it.
#[derive(Default)]
struct GameSoFar {
    /// The command that sets the position, without the moves.
    opening: String,
    /// The moves in the engine's notation.
    moves: Vec<String>,
    /// Hub: the position after them.
    position: Option<Box<dyn AnyPosition>>,
}

impl GameSoFar {
    fn new(protocol: Protocol, rules: &dyn AnyGame, opening: &str) -> GameSoFar {
        if protocol == Protocol::Uci {
            let usual = rules.facts().starts == 1 && opening == rules.usual_start().fen();
            return GameSoFar {
                opening: match usual {
                    true => "position startpos".to_string(),
                    false => format!("position fen {opening}"),
                },
                ..GameSoFar::default()
            };
        }
        let position = rules.read_fen(opening).ok();
        let text = position
            .as_deref()
            .map_or_else(String::new, hub::position_text);
        GameSoFar {
            opening: match protocol {
                Protocol::Hub1 => {
                    // The side to move is lower case in version 1, the kings are not.
                    let (side, squares) = text.split_at_checked(1).unwrap_or(("", ""));
                    format!("pos {}{squares}", side.to_ascii_lowercase())
                }
                _ => format!("pos pos={text}"),
            },
            moves: Vec::new(),
            position,
        }
    }

    /// Adds the moves that the engine does not know yet.
    fn follow(&mut self, moves: &[MoveNote]) {
        for mv in moves.iter().skip(self.moves.len()) {
            let text = self.position.as_mut().and_then(|position| {
                let number = position.find_move(&mv.text).ok()?;
                let text = hub::move_text(position.as_ref(), number);
                let _ = position.play(number);
                text
            });
            self.moves.push(text.unwrap_or_else(|| mv.text.clone()));
        }
    }

    /// The lines that set the position.
    fn lines(&self, protocol: Protocol) -> String {
        let opening = &self.opening;
        match (protocol, &self.moves[..]) {
            (Protocol::Hub1, moves) => {
                let moves: String = moves.iter().map(|text| format!("move {text}\n")).collect();
                format!("{opening}\n{moves}")
            }
            (_, []) => format!("{opening}\n"),
            (Protocol::Uci, moves) => format!("{opening} moves {}\n", moves.join(" ")),
            (Protocol::Hub, moves) => format!("{opening} moves=\"{}\"\n", moves.join(" ")),
        }
    }
}

impl EngineSeat {
    fn new(player: &PlayerSpec, spec: &EngineSpec, logs: Option<&Path>) -> EngineSeat {
        EngineSeat {
            player: player.name.clone(),
            spec: spec.clone(),
            limit: player.limit,
            log: log_of(player, logs),
            engine: None,
            unsent: Vec::new(),
            failed: None,
            game: GameSoFar::default(),
        }
    }

    /// Reuses the seat for another player with the same program; false if the program must be
    /// restarted for that.
    fn take_over(&mut self, player: &PlayerSpec, spec: &EngineSpec, logs: Option<&Path>) -> bool {
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
        Engine::start(&self.spec, extra, self.open_log(), stop)
    }

    /// Finds a move, as an index into the legal moves.
    pub fn think(&mut self, turn: &Turn<'_>) -> Result<Thought<usize>, Trouble> {
        let protocol = self.spec.protocol;
        self.game.follow(turn.moves);
        let side = turn.position.side_to_move();
        let mut lines = self.game.lines(protocol);
        lines.push_str(&match protocol {
            Protocol::Uci => format!("go {}\n", go_words(&self.limit, turn.clocks, side)),
            Protocol::Hub => hub_go(&self.limit, turn.clocks, side),
            Protocol::Hub1 => format!("depth {}\ngo\n", self.limit.depth),
        });
        let time = match turn.clocks.left(side) {
            Some(left) => Some(left.time),
            None => self.limit.time.map(|time| time.hard),
        };
        let Some(engine) = &mut self.engine else {
            return Err(Fault::Crash.into());
        };
        let asked = Asked {
            lines: &lines,
            time,
        };
        match engine.think(&asked, turn.hurry, turn.stop) {
            Ok(answer) => match read_move(protocol, turn.position, &answer.best) {
                Some(best) => Ok(thought(&answer, best)),
                None => {
                    self.note(&format!(
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
        self.note(&words);
    }

    fn open_log(&self) -> Option<File> {
        let path = self.log.as_ref()?;
        fs::create_dir_all(path.parent()?).ok()?;
        OpenOptions::new().create(true).append(true).open(path).ok()
    }

    /// A log that cannot be written does not end a run.
    fn note(&self, text: &str) {
        if let Some(mut log) = self.open_log() {
            let _ = writeln!(log, "sparring: {}: {text}", self.player);
        }
    }
}

fn log_of(player: &PlayerSpec, logs: Option<&Path>) -> Option<PathBuf> {
    logs.map(|folder| folder.join(log_name(&player.name)))
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

/// The arguments of `go`. Each player's clock is independent of the opponent's.
fn go_words(limit: &Limit, clocks: &Clocks, side: Side) -> String {
    let mut words = Vec::new();
    if let Some(own) = clocks.left(side) {
        let of = |side: Side| clocks.left(side).unwrap_or(own).time.as_millis();
        let increment = |side: Side| clocks.increment(side).as_millis();
        words.push(format!(
            "wtime {} btime {} winc {} binc {}",
            of(Side::White),
            of(Side::Black),
            increment(Side::White),
            increment(Side::Black)
        ));
        words.extend(own.moves.map(|moves| format!("movestogo {moves}")));
    }
    if let Some(time) = limit.time {
        words.push(format!("movetime {}", time.hard.as_millis().max(1)));
    }
    if limit.depth < Limit::MAX_DEPTH {
        words.push(format!("depth {}", limit.depth));
    }
    if let Some(nodes) = limit.nodes {
        words.push(format!("nodes {nodes}"));
    }
    words.join(" ")
}

/// The lines that start a search in Hub: times in seconds. An engine adds the increment before it
/// looks at its clock.
fn hub_go(limit: &Limit, clocks: &Clocks, side: Side) -> String {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let mut words = Vec::new();
    if let Some(left) = clocks.left(side) {
        let increment = clocks.increment(side);
        words.extend(left.moves.map(|moves| format!("moves={moves}")));
        words.push(format!(
            "time={}",
            seconds(left.time.saturating_sub(increment))
        ));
        if !increment.is_zero() {
            words.push(format!("inc={}", seconds(increment)));
        }
    }
    words.extend(
        limit
            .time
            .map(|time| format!("move-time={}", seconds(time.hard))),
    );
    if limit.depth < Limit::MAX_DEPTH {
        words.push(format!("depth={}", limit.depth));
    }
    words.extend(limit.nodes.map(|nodes| format!("nodes={nodes}")));
    format!("level {}\ngo think\n", words.join(" "))
}

/// Parses a move of an engine; in UCI with either notation of castling.
fn read_move(protocol: Protocol, position: &dyn AnyPosition, text: &str) -> Option<usize> {
    if protocol != Protocol::Uci {
        return hub::find_move(position, text).ok();
    }
    let text = text.to_ascii_lowercase();
    let squares = text.as_bytes().get(..4)?;
    let is_square = |at: &[u8]| at[0].is_ascii_lowercase() && at[1].is_ascii_digit();
    if !is_square(&squares[..2]) || !is_square(&squares[2..]) {
        return None;
    }
    position.find_move(&text).ok()
}

fn thought(answer: &Answer, best: usize) -> Thought<usize> {
    let mate = |moves: i32| {
        let plies = if moves > 0 {
            2 * i64::from(moves) - 1
        } else {
            -2 * i64::from(moves)
        };
        let score = i64::from(MATE) - plies.min(i64::from(MATE - MATE_BOUND) - 1);
        (if moves > 0 { score } else { -score }) as Score
    };
    let score = answer.score.map(|score| match score {
        EngineScore::Mate(moves) => mate(moves),
        EngineScore::Centipawns(units) => units
            .saturating_mul(STEPS)
            .clamp(1 - MATE_BOUND, MATE_BOUND - 1),
    });
    Thought {
        best: Some(best),
        score,
        depth: answer.depth,
        nodes: answer.nodes,
        time: answer.time,
    }
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
        logs: Option<&Path>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::{Chess, Chess960};
    use crate::games::draughts::International;
    use crate::games::{GameRules, Notation, any};
    use crate::search::{Clock, mate_distance};

    #[test]
    fn only_coordinates_are_moves_of_an_engine() {
        let start = Chess::start(0);
        assert!(read_move(Protocol::Uci, &start, "e2e4").is_some());
        for text in ["Nf3", "e4", "e2e5", "", "(none)", "0000", "e2", "é2e4"] {
            assert_eq!(read_move(Protocol::Uci, &start, text), None, "{text}");
        }
        let takes = Chess::from_fen("k7/8/8/8/8/2p5/1P6/K7 w - - 0 1").unwrap();
        assert_eq!(read_move(Protocol::Uci, &takes, "bxc3"), None);
        let promotes = Chess::from_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1").unwrap();
        assert!(read_move(Protocol::Uci, &promotes, "a7a8Q").is_some());
        let castles = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(
            read_move(Protocol::Uci, &castles, "e1g1"),
            read_move(Protocol::Uci, &castles, "e1h1")
        );
        let other = Chess960::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert!(read_move(Protocol::Uci, &other, "e1h1").is_some());
    }

    #[test]
    fn a_hub_engine_is_told_position_moves_and_times() {
        let rules = any::rules::<International>();
        let start = rules.usual_start();
        let note = |text: &str| MoveNote {
            text: text.to_string(),
            record: text.to_string(),
            score: None,
            depth: 0,
            nodes: 0,
            time: None,
            left: None,
        };
        let moves = ["32-28", "19-23", "28x19", "14x23"].map(note);
        let squares = format!("{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let mut game = GameSoFar::new(Protocol::Hub, rules, &start.fen());
        assert_eq!(game.lines(Protocol::Hub), format!("pos pos=W{squares}\n"));
        game.follow(&moves[..1]);
        game.follow(&moves);
        assert_eq!(
            game.lines(Protocol::Hub),
            format!("pos pos=W{squares} moves=\"32-28 19-23 28x19x23 14x23x19\"\n")
        );
        let mut game = GameSoFar::new(Protocol::Hub1, rules, &start.fen());
        game.follow(&moves[..3]);
        assert_eq!(
            game.lines(Protocol::Hub1),
            format!("pos w{squares}\nmove 32-28\nmove 19-23\nmove 28x19x23\n")
        );
        let clock = Clock {
            time: Duration::from_secs(10),
            increment: Duration::from_millis(500),
            margin: Duration::ZERO,
            moves: None,
        };
        let clocks = Clocks::new(Some(clock), None);
        assert_eq!(
            hub_go(&Limit::depth(4), &clocks, Side::White),
            "level time=9.500 inc=0.500 depth=4\ngo think\n"
        );
        let time = Limit::movetime(Duration::from_millis(50));
        assert_eq!(
            hub_go(&time, &clocks, Side::Black),
            "level move-time=0.050\ngo think\n"
        );
    }

    #[test]
    fn mates_keep_their_distance() {
        let score_of = |moves| {
            let answer = Answer {
                best: String::new(),
                score: Some(EngineScore::Mate(moves)),
                depth: 1,
                nodes: 1,
                time: Duration::ZERO,
            };
            thought(&answer, 0).score.and_then(mate_distance)
        };
        for moves in [1, 7, -1, -7, i32::MAX, i32::MIN] {
            let distance = score_of(moves).unwrap();
            assert_eq!(distance.signum(), moves.signum());
            assert!(moves.unsigned_abs() > 1000 || distance == moves, "{moves}");
        }
    }

    #[test]
    fn an_engine_is_told_its_own_limits() {
        let clocks = Clocks::default();
        assert_eq!(
            go_words(&Limit::nodes(500), &clocks, Side::White),
            "nodes 500"
        );
        let both = Limit {
            nodes: Some(9),
            ..Limit::depth(3)
        };
        assert_eq!(go_words(&both, &clocks, Side::Black), "depth 3 nodes 9");
        let clock = Clock {
            time: Duration::from_secs(60),
            increment: Duration::from_millis(100),
            margin: Duration::ZERO,
            moves: Some(40),
        };
        let mut running = Clocks::new(Some(clock), Some(clock));
        assert!(running.spend(Side::Black, Duration::from_secs(20)));
        let words = go_words(&Limit::NONE, &running, Side::Black);
        assert_eq!(
            words,
            "wtime 60000 btime 40100 winc 100 binc 100 movestogo 39"
        );
        let time = Limit::movetime(Duration::from_millis(50));
        assert_eq!(go_words(&time, &clocks, Side::White), "movetime 50");
    }
}
