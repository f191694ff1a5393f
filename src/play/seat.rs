//! A seat: one side of the board, played by an in-process search or an external engine.

use std::time::{Duration, Instant};

use super::Experiment;
use super::clocks::Clocks;
use super::engine_seat::{EngineSeat, Team};
use super::game::MoveNote;
use super::player::{BuiltEvaluator, Player, PlayerKind, SearchSpec};
use crate::engines::Trouble;
use crate::eval::{Evaluated, Preset, Score};
use crate::games::AnyPosition;
use crate::games::any::{self, move_of};
use crate::search::{Clock, Limit, NoMemory, SearchResult, Searcher};

/// A position to move in, with its history.
pub struct Turn<'t> {
    pub position: &'t dyn AnyPosition,
    /// Repetition keys of the positions before it.
    pub history: &'t [u64],
    /// The moves since the opening.
    pub moves: &'t [MoveNote],
    pub clocks: &'t Clocks,
    /// Asks an engine for its best move so far.
    pub hurry: &'t dyn Fn() -> bool,
    /// Whether [`Details`] of an in-process search are recorded.
    pub wants_details: bool,
    pub stop: &'t dyn Fn() -> bool,
}

/// A player's move.
pub struct Thought<M> {
    /// `None` when there is no move.
    pub best: Option<M>,
    /// From the mover's side, in score steps; `None` if the player reported none.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    /// Zero if it is not measured.
    pub time: Duration,
    pub details: Details,
}

/// What else is known of a search; blank where a player does not report it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
pub struct Details {
    /// The longest line searched.
    pub selective_depth: Option<u32>,
    /// TT use per mille.
    pub table_permille: Option<u32>,
    /// As the player counts them.
    pub nodes_per_second: Option<u64>,
    /// The principal variation in the notation of the logs, or as an engine wrote it.
    pub pv: String,
    /// Of engines.
    pub latency: Option<Latency>,
}

/// How fast an engine reacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
pub struct Latency {
    /// From our request to the first line of any kind.
    pub first: Duration,
    /// Our time of the move less the time that the engine claims; `None` if it claims none.
    pub overhead: Option<Duration>,
}

#[allow(clippy::large_enum_variant, reason = "there are two for a game")]
pub enum Seat<G: Evaluated> {
    Own(Player<G>),
    Engine(EngineSeat),
}

impl<G: Evaluated> Seat<G> {
    /// Prepares for a game from the opening with this FEN.
    pub fn begin(&mut self, opening: &str, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        match self {
            Seat::Own(player) => {
                player.begin_game();
                Ok(())
            }
            Seat::Engine(engine) => engine.begin(any::rules::<G>(), opening, stop),
        }
    }

    fn limit(&self) -> &Limit {
        match self {
            Seat::Own(player) => player.limit(),
            Seat::Engine(engine) => engine.limit(),
        }
    }

    /// Whether its games depend on time, so that the times of moves are worth recording.
    pub fn is_timed(&self) -> bool {
        matches!(self, Seat::Engine(_)) || !self.limit().is_deterministic()
    }

    pub fn clock(&self) -> Option<Clock> {
        self.limit().clock
    }

    /// Finds a move. `position` is the turn's, by its type.
    pub fn think(&mut self, position: &G, turn: &Turn<'_>) -> Result<Thought<G::Move>, Trouble> {
        let player = match self {
            Seat::Own(player) => player,
            Seat::Engine(engine) => {
                let thought = engine.think(turn)?;
                let best = thought.best.and_then(|number| move_of(position, number));
                return Ok(Thought {
                    best,
                    score: thought.score,
                    depth: thought.depth,
                    nodes: thought.nodes,
                    time: thought.time,
                    details: thought.details,
                });
            }
        };
        let left = turn.clocks.left(position.side_to_move());
        let began = turn.clocks.measured.then(Instant::now);
        let found = player.think_within(position, turn.history, left);
        Ok(Thought {
            best: found.best,
            score: Some(found.score),
            depth: found.depth,
            nodes: found.nodes,
            time: began.map_or(Duration::ZERO, |began| began.elapsed()),
            details: if turn.wants_details {
                own_details(position, &found)
            } else {
                Details::default()
            },
        })
    }

    /// Lets an engine think on the opponent's time; `turn` is the opponent's.
    pub fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), Trouble> {
        match self {
            Seat::Own(_) => Ok(()),
            Seat::Engine(engine) => engine.ponder(turn),
        }
    }

    /// Ends what an engine still does for a game that is over.
    pub fn end(&mut self, stop: &dyn Fn() -> bool) {
        if let Seat::Engine(engine) = self {
            engine.end(stop);
        }
    }
}

fn own_details<G: Evaluated>(position: &G, found: &SearchResult<G::Move>) -> Details {
    let mut line = position.clone();
    let pv: Vec<String> = found
        .pv
        .iter()
        .map(|mv| {
            let text = line.move_text(*mv);
            line.play(*mv);
            text
        })
        .collect();
    Details {
        selective_depth: Some(found.tree.selective_depth),
        pv: pv.join(" "),
        ..Details::default()
    }
}

/// The seats of one worker, reused between games. Building a searcher for every pair costs more than
/// a fast game, and starting an engine even more.
pub struct Seats<G: Evaluated> {
    /// Idle seats, most recently used last.
    evaluators: Vec<BuiltEvaluator<G>>,
    searchers: Vec<Searcher<G>>,
    engines: Team,
    /// Whether they have played, so that the next game waits if it is to.
    pub(super) have_played: bool,
    /// Evaluators besides the presets of the game.
    more: &'static [Preset<G>],
}

impl<G: Evaluated> Seats<G> {
    const MAX_EVALUATORS: usize = 16;
    /// One per side; more only while their tables are small.
    const MIN_SEARCHERS: usize = 2;
    const MAX_IDLE_MB: usize = 256;
    const MAX_SEARCHERS: usize = 16;

    /// Seats for players with the presets of the game, and with `more` evaluators.
    pub fn new(more: &'static [Preset<G>]) -> Seats<G> {
        Seats {
            more,
            evaluators: Vec::new(),
            searchers: Vec::new(),
            engines: Team::default(),
            have_played: false,
        }
    }

    /// Seats player number `index`. `None` if the game has no such evaluator.
    pub fn take(
        &mut self,
        index: usize,
        experiment: &Experiment,
        key: u64,
    ) -> Result<Option<Seat<G>>, NoMemory> {
        let spec = &experiment.players[index];
        match &spec.kind {
            PlayerKind::Engine(engine) => {
                let seat = self
                    .engines
                    .take(spec, engine, experiment.conduct.engine_logs.as_ref());
                Ok(Some(Seat::Engine(seat)))
            }
            PlayerKind::Search(search) => {
                let player = self.take_player(search, spec.limit, key)?;
                Ok(player.map(Seat::Own))
            }
        }
    }

    /// Seats an in-process player, with its tables. It behaves like a new one.
    pub fn take_player(
        &mut self,
        spec: &SearchSpec,
        limit: Limit,
        key: u64,
    ) -> Result<Option<Player<G>>, NoMemory> {
        let evaluator = self.evaluators.iter().position(|e| e.is_for(spec));
        let evaluator = evaluator.map(|at| self.evaluators.remove(at));
        // Any searcher with tables of the same size fits: many players share a few searchers.
        let fits = |searcher: &Searcher<G>| searcher.has_tables_for(&spec.options);
        let searcher = self.searchers.iter().rposition(fits);
        let searcher = searcher.map(|at| self.searchers.remove(at));
        let evaluator = match evaluator {
            Some(evaluator) => evaluator,
            None => match BuiltEvaluator::new(spec, self.more, key) {
                Some(evaluator) => evaluator,
                None => return Ok(None),
            },
        };
        let mut player = Player::reusing(spec, limit, key, evaluator, searcher);
        player.reserve()?;
        Ok(Some(player))
    }

    /// Returns a player to the idle seats.
    pub fn give_back(&mut self, seat: Seat<G>) {
        match seat {
            Seat::Engine(engine) => self.engines.give_back(engine),
            Seat::Own(player) => self.give_player_back(player),
        }
    }

    pub fn give_player_back(&mut self, player: Player<G>) {
        let (evaluator, searcher) = player.into_parts();
        self.evaluators.push(evaluator);
        if self.evaluators.len() > Seats::<G>::MAX_EVALUATORS {
            self.evaluators.remove(0);
        }
        self.searchers.push(searcher);
        while self.has_too_many_searchers() {
            self.searchers.remove(0);
        }
    }

    fn has_too_many_searchers(&self) -> bool {
        let idle_mb: usize = self.searchers.iter().map(Searcher::table_mb).sum();
        let count = self.searchers.len();
        count > Seats::<G>::MAX_SEARCHERS
            || count > Seats::<G>::MIN_SEARCHERS && idle_mb > Seats::<G>::MAX_IDLE_MB
    }
}

impl<G: Evaluated> Default for Seats<G> {
    fn default() -> Seats<G> {
        Seats::new(&[])
    }
}
