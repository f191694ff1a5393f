//! One game: its moves, its players, and what may be done now.

mod actions;

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::clock::GameClock;
use super::permits::Permits;
use super::why::Why;
use super::{lock, worker};
use crate::eval::Score;
use crate::eval::catalog::GameId;
use crate::games::{AnyPosition, GameResult, LegalMove, Outcome, Side};
use crate::play::{DrawRules, PlayerSpec, end_of_game};
use crate::search::Signal;
use crate::serve::Refusal;

/// A search continues this long without a visitor: long enough for a look at another tab.
const GRACE: Duration = Duration::from_secs(60);
/// A game without visitors is forgotten after this.
const MOST_IDLE: Duration = Duration::from_secs(4 * 3600);
/// Moves of one game.
const MOST_PLIES: usize = 2000;

/// Who plays a side.
#[derive(Clone)]
pub enum Seat {
    Human,
    Bot {
        player: Box<PlayerSpec>,
        /// The config and player of an engine, by which a form finds it again.
        engine: Option<(String, String)>,
    },
}

impl Seat {
    pub fn bot(&self) -> Option<&PlayerSpec> {
        match self {
            Seat::Human => None,
            Seat::Bot { player, .. } => Some(player.as_ref()),
        }
    }

    pub fn name(&self) -> &str {
        self.bot().map_or("Player", |player| player.name.as_str())
    }
}

/// How a game begins.
pub struct Start {
    pub game: GameId,
    pub position: Box<dyn AnyPosition>,
    /// Moves already played there.
    pub moves: Vec<String>,
    pub seats: [Seat; 2],
    /// Time and increment.
    pub clock: Option<(Duration, Duration)>,
    pub delay: Duration,
    pub paused: bool,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// From the mover's side, in score steps.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

/// A played move.
#[derive(Clone, Debug)]
pub struct Ply {
    pub mv: LegalMove,
    pub side: Side,
    /// What the bot found; `None` for a human.
    pub found: Option<Found>,
    clock: Option<[Duration; 2]>,
}

/// An end that the rules alone do not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub result: GameResult,
    pub reason: &'static str,
}

/// What a search reports while it runs.
#[derive(Clone, Debug)]
pub struct Progress {
    pub side: Side,
    pub depth: u32,
    pub selective_depth: u32,
    pub score: Score,
    pub nodes: u64,
    pub elapsed: Duration,
    pub pv: Vec<String>,
}

/// What the thread of the game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    Think,
    Hint,
    Why,
}

pub struct Running {
    pub job: Job,
    pub signal: Arc<Signal>,
}

pub struct State {
    pub game: GameId,
    /// The position before each move, and the last one.
    pub positions: Vec<Box<dyn AnyPosition>>,
    pub line: Vec<Ply>,
    /// How many moves of the line are played; fewer than all while looking back.
    pub at: usize,
    pub seats: [Seat; 2],
    pub clock: Option<GameClock>,
    ended: Option<Ended>,
    /// The side that offers a draw.
    pub offer: Option<Side>,
    /// The last thing that the players said.
    pub says: Option<String>,
    pub paused: bool,
    /// One move although paused.
    pub step: bool,
    pub delay: Duration,
    pub moved: Instant,
    pub hint: Option<Hint>,
    pub progress: Option<Progress>,
    pub why: Option<Why>,
    pub running: Option<Running>,
    /// Changes with the position and the players: what an older search found is dropped.
    pub ticket: u64,
    pub closed: bool,
    visitors: usize,
    left: Instant,
    /// A page said that it will not come back.
    abandoned: bool,
    used: Instant,
    /// No visitor for a while: no searches.
    pub suspended: bool,
    /// Counts changes, so that a page can tell an older answer from a newer one.
    pub version: u64,
}

/// A move that the strongest player of the game would make.
pub enum Hint {
    Wanted,
    Found(LegalMove),
}

pub struct Session {
    pub id: String,
    state: Mutex<State>,
    changed: Condvar,
    /// Counts changes, for the streams.
    version: watch::Sender<u64>,
    pub(super) permits: Arc<Permits>,
}

impl Session {
    pub(super) fn begin(
        id: String,
        start: Start,
        permits: Arc<Permits>,
    ) -> Result<Arc<Session>, Refusal> {
        let now = Instant::now();
        let mut state = State {
            game: start.game,
            positions: vec![start.position],
            line: Vec::new(),
            at: 0,
            seats: start.seats,
            clock: start
                .clock
                .map(|(time, increment)| GameClock::new(time, increment)),
            ended: None,
            offer: None,
            says: None,
            paused: start.paused,
            step: false,
            delay: start.delay,
            moved: now,
            hint: None,
            progress: None,
            why: None,
            running: None,
            ticket: 0,
            closed: false,
            visitors: 0,
            left: now,
            abandoned: false,
            used: now,
            suspended: false,
            version: 0,
        };
        for text in &start.moves {
            // Games of collections may continue after a position that a player could have claimed as a draw.
            let number = state.position().find_move(text).map_err(Refusal::invalid)?;
            state.advance(number, None)?;
        }
        let session = Arc::new(Session {
            id,
            state: Mutex::new(state),
            changed: Condvar::new(),
            version: watch::Sender::new(0),
            permits,
        });
        worker::start(Arc::clone(&session))
            .map_err(|error| Refusal::busy(format!("no thread for another game: {error}")))?;
        Ok(session)
    }

    pub fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Reads the state.
    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&lock(&self.state))
    }

    /// Changes the state, and tells the thread and all streams.
    pub fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = {
            let mut state = lock(&self.state);
            state.used = Instant::now();
            state.version += 1;
            change(&mut state)
        };
        self.changed.notify_all();
        self.version.send_modify(|version| *version += 1);
        changed
    }

    /// What a visitor does.
    pub fn act<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        self.change(|state| {
            state.left = Instant::now();
            state.abandoned = false;
            state.suspended = false;
            act(state)
        })
    }

    /// Waits until `next` has something to do; `None` when the game is closed.
    pub(super) fn wait<T>(
        &self,
        mut next: impl FnMut(&mut State) -> Result<T, Duration>,
    ) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return None;
            }
            let pause = match next(&mut state) {
                Ok(job) => return Some(job),
                Err(pause) => pause,
            };
            let waited = self.changed.wait_timeout(state, pause);
            state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    pub fn close(&self) {
        self.change(|state| {
            state.closed = true;
            state.interrupt();
        });
    }

    pub fn has_visitors(&self) -> bool {
        lock(&self.state).visitors > 0
    }

    pub(super) fn last_used(&self) -> Instant {
        lock(&self.state).used
    }

    pub fn arrive(&self) {
        self.change(|state| {
            state.visitors += 1;
            state.abandoned = false;
            state.suspended = false;
            state.run_clock();
        });
    }

    pub fn depart(&self) {
        let mut state = lock(&self.state);
        state.visitors = state.visitors.saturating_sub(1);
        state.left = Instant::now();
    }

    /// A page was closed: what it searched for is not wanted any more, unless another page shows the game.
    pub fn leave(&self) {
        self.change(|state| state.abandoned = true);
    }

    /// Looks after the limits of time; false if the game is to be forgotten.
    pub(super) fn tick(&self) -> bool {
        let mut state = lock(&self.state);
        let alone = state.visitors == 0 && (state.abandoned || state.left.elapsed() > GRACE);
        if alone && !state.suspended {
            state.suspend();
        }
        let fallen = state.flag();
        let forgotten = state.visitors == 0 && state.used.elapsed() > MOST_IDLE;
        drop(state);
        if fallen {
            self.change(|_| {});
        }
        if forgotten {
            self.close();
        }
        !forgotten
    }
}

impl State {
    pub fn position(&self) -> &dyn AnyPosition {
        self.positions[self.at].as_ref()
    }

    pub fn turn(&self) -> Side {
        self.position().side_to_move()
    }

    /// Repetition keys of the positions before this one.
    pub fn history(&self) -> Vec<u64> {
        let before = self.positions[..self.at].iter();
        before.map(|position| position.repetition_key()).collect()
    }

    pub fn is_at_tip(&self) -> bool {
        self.at == self.line.len()
    }

    fn outcome(&self) -> Option<Outcome> {
        end_of_game(self.position(), &self.history(), DrawRules::Claimed)
    }

    /// How the game has ended, seen from the present position.
    pub fn end(&self) -> Option<Ended> {
        let by_rules = self.outcome().map(|outcome| Ended {
            result: outcome.into(),
            reason: outcome.reason.name(),
        });
        by_rules.or_else(|| self.ended.clone().filter(|_| self.is_at_tip()))
    }

    /// The bot that is to move now.
    pub fn bot_to_move(&self) -> Option<&PlayerSpec> {
        let bot = self.seats[self.turn() as usize].bot()?;
        let plays = self.is_at_tip() && self.end().is_none() && self.line.len() < MOST_PLIES;
        plays.then_some(bot)
    }

    /// Stops what runs; its result is dropped.
    pub fn interrupt(&mut self) {
        self.ticket += 1;
        if let Some(running) = self.running.take() {
            running.signal.stop();
        }
        self.progress = None;
        self.hint = None;
    }

    fn suspend(&mut self) {
        let mover = self.turn();
        if let Some(clock) = &mut self.clock {
            clock.pause(mover);
        }
        self.interrupt();
        self.suspended = true;
    }

    /// The clock runs from the second move on, while somebody is there.
    fn run_clock(&mut self) {
        let runs = self.is_at_tip()
            && !self.line.is_empty()
            && self.end().is_none()
            && !self.paused
            && !self.suspended;
        let mover = self.turn();
        match &mut self.clock {
            Some(clock) if runs => clock.start(),
            Some(clock) => clock.pause(mover),
            None => {}
        }
    }

    /// Ends the game if the mover's time is over.
    pub fn flag(&mut self) -> bool {
        let mover = self.turn();
        let fallen = self
            .clock
            .as_ref()
            .is_some_and(|clock| clock.has_fallen(mover));
        if fallen && self.end().is_none() {
            self.finish(mover.other().into(), "forfeit-time");
        }
        fallen
    }

    fn finish(&mut self, result: GameResult, reason: &'static str) {
        let mover = self.turn();
        if let Some(clock) = &mut self.clock {
            clock.pause(mover);
        }
        self.ended = Some(Ended { result, reason });
        self.offer = None;
        self.interrupt();
    }

    /// A game that a player cannot continue.
    pub fn forfeit(&mut self, side: Side, reason: &'static str) {
        self.finish(side.other().into(), reason);
    }

    /// Plays a legal move by its index; what followed here before is dropped.
    pub fn push(&mut self, number: usize, found: Option<Found>) -> Result<(), Refusal> {
        if self.end().is_some() {
            return Err(Refusal::conflict(
                "the game is over; take a move back or start a new game",
            ));
        }
        self.advance(number, found)
    }

    fn advance(&mut self, number: usize, found: Option<Found>) -> Result<(), Refusal> {
        if self.line.len() >= MOST_PLIES {
            return Err(Refusal::conflict(format!(
                "the game has {MOST_PLIES} moves; start a new one"
            )));
        }
        let side = self.turn();
        let mut next = self.position().clone_box();
        let Some(mv) = self
            .position()
            .legal_move(number)
            .filter(|_| next.play(number))
        else {
            return Err(Refusal::conflict("no such move here"));
        };
        self.interrupt();
        self.line.truncate(self.at);
        self.positions.truncate(self.at + 1);
        self.ended = None;
        self.says = None;
        // An offer stands until the other side has moved.
        if self.offer == Some(side.other()) {
            self.offer = None;
        }
        if let Some(clock) = &mut self.clock {
            clock.press(side);
        }
        self.positions.push(next);
        let clock = self.clock.as_ref().map(|clock| clock.left);
        self.line.push(Ply {
            mv,
            side,
            found,
            clock,
        });
        self.at += 1;
        self.step = false;
        self.moved = Instant::now();
        self.run_clock();
        Ok(())
    }

    /// A human's move.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.flag();
        if self.end().is_some() {
            return Err(Refusal::conflict(
                "the game is over; take a move back or start a new game",
            ));
        }
        if self.seats[self.turn() as usize].bot().is_some() {
            let message = format!(
                "it is the turn of {}, which is played by a bot",
                self.turn()
            );
            return Err(Refusal::conflict(message));
        }
        let number = self.position().find_move(text).map_err(Refusal::conflict)?;
        self.push(number, None)?;
        // Who moves wants an answer.
        self.paused = false;
        self.run_clock();
        Ok(())
    }

    /// Goes to the position after `ply` moves.
    pub fn go_to(&mut self, ply: usize) -> Result<(), Refusal> {
        if ply > self.line.len() {
            return Err(Refusal::conflict(format!(
                "the game has {} moves",
                self.line.len()
            )));
        }
        if ply == self.at {
            return Ok(());
        }
        self.interrupt();
        self.at = ply;
        self.says = None;
        self.offer = None;
        let left = match ply {
            0 => self.clock.as_ref().map(|clock| [clock.time; 2]),
            _ => self.line[ply - 1].clock,
        };
        if let (Some(clock), Some(left)) = (&mut self.clock, left) {
            *clock = GameClock::new(clock.time, clock.increment);
            clock.left = left;
        }
        self.moved = Instant::now();
        self.run_clock();
        Ok(())
    }

    fn is_humans(&self, ply: usize) -> bool {
        let side = self.positions[ply].side_to_move();
        self.seats[side as usize].bot().is_none()
    }

    /// The ply that undo goes to: the last turn of a human before, or one move back if two bots play.
    pub fn undo_to(&self) -> Option<usize> {
        let bots = self.seats.iter().all(|seat| seat.bot().is_some());
        let mut before = (0..self.at).rev();
        before.find(|ply| bots || self.is_humans(*ply))
    }

    pub fn redo_to(&self) -> Option<usize> {
        let bots = self.seats.iter().all(|seat| seat.bot().is_some());
        let tip = self.line.len();
        let mut after = self.at + 1..=tip;
        after.find(|ply| bots || *ply == tip || self.is_humans(*ply))
    }

    /// Drops the moves after this position, so that the game continues here.
    pub fn continue_here(&mut self) {
        self.interrupt();
        self.line.truncate(self.at);
        self.positions.truncate(self.at + 1);
        self.ended = None;
        self.paused = false;
        self.moved = Instant::now();
        self.run_clock();
    }
}
