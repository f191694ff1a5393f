//! The thread of a game: it does what the state of the game asks for, one search at a time. A bot's move comes first,
//! then a hint, then explanations.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::session::{Found, Hint, Job, Progress, Running, Session, State};
use super::why;
use crate::engines::Trouble;
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::games::{AnyPosition, Side};
use crate::play::{
    Ask, Bot, Clocks, MoveNote, PlayerKind, PlayerSpec, SearchSpec, Team, Turn, bot,
};
use crate::search::{Clock, Limit, Options, SearchResult, Signal, TimeLeft};

/// Enough for the deepest line.
const STACK: usize = 16 << 20;
/// The longest wait; changes wake the thread.
const IDLE: Duration = Duration::from_secs(3600);
/// Nodes of a hint.
const HINT_NODES: u64 = 100_000;

/// What to do, copied from the state.
struct Task {
    job: Job,
    ticket: u64,
    signal: Arc<Signal>,
    game: GameId,
    side: Side,
    position: Box<dyn AnyPosition>,
    history: Vec<u64>,
    player: Option<PlayerSpec>,
    limit: Limit,
    clocks: Clocks,
    opening: String,
    moves: Vec<MoveNote>,
}

pub fn start(session: Arc<Session>) -> std::io::Result<()> {
    let thread = thread::Builder::new()
        .name(format!("game {}", session.id))
        .stack_size(STACK);
    thread.spawn(move || work(&session)).map(|_| ())
}

fn work(session: &Session) {
    let mut engines = Team::default();
    while let Some(task) = session.wait(next_task) {
        let permit = session.permits.take(&task.signal);
        if permit.is_none() || task.signal.stop_requested() {
            session.change(|state| done(state, &task));
            continue;
        }
        if task.job != Job::Why {
            session.change(|_| {});
        }
        match (task.job, task.player.as_ref().map(|player| &player.kind)) {
            (Job::Why, _) => why::answer(session, task.ticket, &task.signal),
            (job, Some(PlayerKind::Search(spec))) => {
                let found = search(session, &task, spec);
                session.change(|state| match job {
                    Job::Hint => hinted(state, &task, found),
                    _ => moved(state, &task, found),
                });
            }
            (_, Some(PlayerKind::Engine(_))) => ask_engine(session, &task, &mut engines),
            (_, None) => {}
        }
        session.change(|state| done(state, &task));
    }
}

fn done(state: &mut State, task: &Task) {
    let own = |running: &Running| Arc::ptr_eq(&running.signal, &task.signal);
    if state.running.as_ref().is_some_and(own) {
        state.running = None;
        state.progress = None;
    }
}

/// The next task, or how long to wait for one.
fn next_task(state: &mut State) -> Result<Task, Duration> {
    if state.suspended {
        return Err(IDLE);
    }
    let mut wait = IDLE;
    let thinks = !state.paused || state.step;
    if let Some(player) = state.bot_to_move().cloned().filter(|_| thinks) {
        let passed = state.moved.elapsed();
        if passed >= state.delay || state.step {
            return Ok(task(state, Job::Think, Some(player)));
        }
        wait = state.delay.saturating_sub(passed);
    }
    if matches!(state.hint, Some(Hint::Wanted)) {
        let player = strongest(state.game);
        return Ok(task(state, Job::Hint, player));
    }
    if state
        .why
        .as_ref()
        .is_some_and(|why| !why.is_answered(state))
    {
        return Ok(task(state, Job::Why, None));
    }
    Err(wait)
}

fn task(state: &mut State, job: Job, player: Option<PlayerSpec>) -> Task {
    let signal = Arc::new(Signal::default());
    state.running = Some(Running {
        job,
        signal: Arc::clone(&signal),
        since: Instant::now(),
    });
    let side = state.turn();
    let mut limit = player.as_ref().map_or(Limit::NONE, |player| player.limit);
    if let (Some(clock), Job::Think) = (&state.clock, job) {
        limit.clock = Some(clock.as_limit());
        limit = limit.on_clock(TimeLeft {
            time: clock.left(side, side),
            moves: None,
        });
    }
    let clocks = match &state.clock {
        Some(clock) => {
            let of = |side_of: Side| {
                Some(Clock {
                    time: clock.left(side_of, side),
                    ..clock.as_limit()
                })
            };
            Clocks::new(of(Side::White), of(Side::Black))
        }
        None => Clocks::default(),
    };
    let notes = state.line[..state.at].iter().map(|ply| MoveNote {
        text: ply.mv.text.clone(),
        record: ply.mv.record.clone(),
        score: None,
        depth: 0,
        nodes: 0,
        time: None,
        left: None,
    });
    Task {
        job,
        ticket: state.ticket,
        signal,
        game: state.game,
        side,
        position: state.position().clone_box(),
        history: state.history(),
        player,
        limit,
        clocks,
        opening: state.positions[0].fen(),
        moves: notes.collect(),
    }
}

/// The strongest preset with the strongest search, for hints.
pub fn strongest(game: GameId) -> Option<PlayerSpec> {
    let evaluators = game.evaluators();
    let preset = evaluators.preset(evaluators.strongest())?;
    Some(PlayerSpec {
        name: preset.name().to_string(),
        limit: Limit::nodes(HINT_NODES),
        kind: PlayerKind::Search(SearchSpec {
            evaluator: preset.name(),
            weights: Weights::defaults(preset.terms()),
            options: strong_options(game),
        }),
    })
}

fn strong_options(game: GameId) -> Options {
    Options::for_game(game.facts(), [("profile", "strong")]).unwrap_or_default()
}

/// A new bot: it knows nothing of earlier searches, as one of `sparring search`, so that the same position gives the
/// same move whatever was played or taken back before.
pub fn new_bot(game: GameId, spec: &SearchSpec) -> Option<Box<dyn Bot>> {
    bot(game, spec.evaluator, &spec.weights, &spec.options)
}

fn search(
    session: &Session,
    task: &Task,
    spec: &SearchSpec,
) -> Option<(SearchResult<String>, Duration)> {
    let began = Instant::now();
    let mut bot = new_bot(task.game, spec)?;
    let ask = Ask {
        position: task.position.as_ref(),
        history: &task.history,
        limit: task.limit,
        only: &[],
        signal: Some(Arc::clone(&task.signal)),
    };
    let mut told = began;
    let found = bot.think(&ask, &mut |report| {
        // The page needs a few reports per second, not every depth of a fast search.
        if task.job != Job::Think || told.elapsed() < Duration::from_millis(100) {
            return;
        }
        told = Instant::now();
        let progress = Progress {
            side: task.side,
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: report.score,
            nodes: report.nodes,
            elapsed: report.elapsed,
            pv: report.pv.to_vec(),
        };
        session.change(|state| {
            if state.ticket == task.ticket {
                state.progress = Some(progress);
            }
        });
    });
    Some((found, began.elapsed()))
}

/// Plays the move that a search found, unless the game has changed meanwhile.
fn moved(state: &mut State, task: &Task, found: Option<(SearchResult<String>, Duration)>) {
    if state.ticket != task.ticket {
        return;
    }
    if state.flag() {
        return;
    }
    let Some((found, time)) = found else { return };
    // Stopped before it found any move: it begins again.
    if found.best.is_none() && task.signal.stop_requested() {
        return;
    }
    let number = found
        .best
        .and_then(|best| task.position.find_move(&best).ok());
    let found = Found {
        score: Some(found.score),
        depth: found.depth,
        nodes: found.nodes,
        time,
    };
    play(state, task, number, found);
}

fn play(state: &mut State, task: &Task, number: Option<usize>, found: Found) {
    let played = number.map(|number| state.push(number, Some(found)));
    if !matches!(played, Some(Ok(()))) {
        // Bots find a move wherever there is one.
        state.forfeit(task.side, "forfeit-illegal");
    }
}

fn hinted(state: &mut State, task: &Task, found: Option<(SearchResult<String>, Duration)>) {
    if state.ticket != task.ticket {
        return;
    }
    let best = found.and_then(|(found, _)| found.best);
    let number = best.and_then(|best| task.position.find_move(&best).ok());
    let mv = number.and_then(|number| task.position.legal_move(number));
    state.hint = mv.map(Hint::Found);
}

fn ask_engine(session: &Session, task: &Task, engines: &mut Team) {
    let Some(player) = &task.player else { return };
    let Some(spec) = player.engine() else { return };
    let stop = || task.signal.stop_requested();
    let mut seat = engines.take(player, spec, None);
    let turn = Turn {
        position: task.position.as_ref(),
        history: &task.history,
        moves: &task.moves,
        clocks: &task.clocks,
        stop: &stop,
    };
    let began = seat.begin(task.game.rules(), &task.opening, &stop);
    let thought = began.and_then(|()| seat.think(&turn));
    engines.give_back(seat);
    session.change(|state| {
        if state.ticket != task.ticket || state.flag() {
            return;
        }
        match thought {
            Ok(thought) => {
                let found = Found {
                    score: thought.score,
                    depth: thought.depth,
                    nodes: thought.nodes,
                    time: thought.time,
                };
                play(state, task, thought.best, found);
            }
            Err(Trouble::Stopped) => {}
            Err(Trouble::Fault(fault)) => state.forfeit(task.side, fault.name()),
        }
    });
}
