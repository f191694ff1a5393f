//! The thread of a game: it does what the state of the game asks for, one search at a time. A bot's move comes first,
//! then a hint, then explanations.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::permits::Rank;
use super::session::{Found, Hint, Job, Progress, Running, Session, State};
use super::why;
use crate::engines::Trouble;
use crate::eval::catalog::GameId;
use crate::eval::{Score, Weights};
use crate::games::{AnyPosition, Side};
use crate::play::{
    Ask, Bot, Clocks, Details, MoveNote, PlayerKind, PlayerSpec, SearchSpec, Team, Turn, bot,
};
use crate::search::{Clock, Limit, Options, SearchResult, Signal, TimeLeft};

/// Enough for the deepest line.
const STACK: usize = 16 << 20;
/// The longest wait; changes wake the thread.
const IDLE: Duration = Duration::from_secs(3600);
/// Nodes of a hint.
const HINT_NODES: u64 = 100_000;
/// Nodes of the search that chooses a move for one that was stopped before it had completed a depth.
const SHALLOW_NODES: u64 = 30_000;

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
    /// Megabytes of its transposition table.
    table_mb: u32,
}

impl Task {
    fn rank(&self) -> Rank {
        let is_engine = self.player.as_ref().is_some_and(|it| it.engine().is_some());
        match self.job {
            Job::Why => Rank::Explanation,
            _ if self.limit.time.is_some() => Rank::Timed,
            _ if is_engine => Rank::Engine,
            _ => Rank::Move,
        }
    }
}

/// The table of a search in megabytes.
fn table_mb(spec: &SearchSpec) -> u32 {
    match spec.options.table {
        true => spec.options.table_mb.unsigned_abs(),
        false => 0,
    }
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
        let permit = session
            .permits
            .take(task.rank(), task.table_mb, &task.signal);
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
        details: Details::default(),
    });
    let searching = match job {
        Job::Why => state.why.as_ref().map(|why| &why.request.spec),
        _ => player.as_ref().and_then(PlayerSpec::search),
    };
    let table_mb = searching.map_or(0, table_mb);
    Task {
        table_mb,
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
    let mut found = bot.think(&ask, &mut |report| {
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
    let is_wanted = || session.read(|state| state.ticket == task.ticket);
    if found.depth == 0 && found.best.is_some() && task.signal.stop_requested() && is_wanted() {
        found = shallow(bot.as_mut(), task);
    }
    Some((found, began.elapsed()))
}

/// A search that was stopped before it had completed a depth has neither a move nor a score: a short one by the same
/// player gives both.
fn shallow(bot: &mut dyn Bot, task: &Task) -> SearchResult<String> {
    let mut nodes = SHALLOW_NODES;
    loop {
        bot.clear();
        let ask = Ask {
            position: task.position.as_ref(),
            history: &task.history,
            // With a limit on nodes, every search deepens step by step.
            limit: Limit {
                nodes: Some(nodes),
                ..Limit::depth(task.limit.depth)
            },
            only: &[],
            signal: None,
        };
        let found = bot.think(&ask, &mut |_| {});
        if found.depth > 0 || nodes >= 64 * SHALLOW_NODES {
            return found;
        }
        nodes *= 4;
    }
}

/// The score of a position from the mover's side by a search of two plies; `None` if it cannot be searched.
pub fn quick_score(
    game: GameId,
    spec: &SearchSpec,
    position: &dyn AnyPosition,
    history: &[u64],
) -> Option<Score> {
    const DEPTH: u32 = 2;
    let spec = SearchSpec {
        options: strong_options(game),
        ..spec.clone()
    };
    let mut bot = new_bot(game, &spec)?;
    let ask = Ask {
        history,
        ..Ask::new(
            position,
            Limit {
                nodes: Some(SHALLOW_NODES),
                ..Limit::depth(DEPTH)
            },
        )
    };
    let found = bot.think(&ask, &mut |_| {});
    (found.depth > 0).then_some(found.score)
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
        // Without a completed depth it is a placeholder.
        score: (found.depth > 0).then_some(found.score),
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
    // A stop means the best move so far, unless the game has changed.
    let hurry = || task.signal.stop_requested();
    let stop = || hurry() && session.read(|state| state.ticket != task.ticket);
    let mut seat = engines.take(player, spec, None);
    let turn = Turn {
        position: task.position.as_ref(),
        history: &task.history,
        moves: &task.moves,
        clocks: &task.clocks,
        hurry: &hurry,
        wants_details: false,
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
