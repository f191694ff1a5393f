//! Who thinks at one side of the board: a search of ours, or a program of its own.

use std::time::{Duration, Instant};

use super::Experiment;
use super::clocks::Clocks;
use super::engine_seat::{EngineSeat, Team};
use super::game::MoveNote;
use super::player::Player;
use crate::engines::Trouble;
use crate::eval::{Evaluated, Score};
use crate::games::Game;
use crate::search::Clock;

/// A position to find a move in, and how it came about.
pub struct Turn<'t, G: Game> {
    pub position: &'t G,
    /// Repetition keys of the positions before it.
    pub history: &'t [u64],
    /// The moves from the opening on.
    pub moves: &'t [MoveNote],
    pub clocks: &'t Clocks,
    pub stop: &'t dyn Fn() -> bool,
}

/// What a player made of its turn.
pub struct Thought<M> {
    /// `None` when there is no move.
    pub best: Option<M>,
    /// From the mover's side, in score steps; `None` if the player did not say.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    /// Nothing where no clock runs.
    pub time: Duration,
}

#[allow(clippy::large_enum_variant, reason = "there are two for a game")]
pub enum Seat<G: Evaluated> {
    Own(Player<G>),
    Engine(EngineSeat),
}

impl<G: Evaluated> Seat<G> {
    /// Gets ready for a game from the opening with this FEN.
    pub fn begin(&mut self, opening: &str, stop: &dyn Fn() -> bool) -> Result<(), Trouble> {
        match self {
            Seat::Own(player) => {
                player.begin_game();
                Ok(())
            }
            Seat::Engine(engine) => engine.begin::<G>(opening, stop),
        }
    }

    pub fn clock(&self) -> Option<Clock> {
        match self {
            Seat::Own(player) => player.limit().clock,
            Seat::Engine(engine) => engine.limit().clock,
        }
    }

    pub fn think(&mut self, turn: &Turn<'_, G>) -> Result<Thought<G::Move>, Trouble> {
        let player = match self {
            Seat::Own(player) => player,
            Seat::Engine(engine) => return engine.think(turn),
        };
        let left = turn.clocks.left(turn.position.side_to_move());
        let began = left.map(|_| Instant::now());
        let found = player.think_within(turn.position, turn.history, left);
        Ok(Thought {
            best: found.best,
            score: Some(found.score),
            depth: found.depth,
            nodes: found.nodes,
            time: began.map_or(Duration::ZERO, |began| began.elapsed()),
        })
    }
}

/// Whom a worker has seated before: making a searcher anew for every pair costs more than a fast
/// game, and starting a program more still. Our own players are kept up to a limit.
pub struct Seats<G: Evaluated> {
    free: Vec<(usize, Player<G>)>,
    engines: Team,
}

impl<G: Evaluated> Seats<G> {
    const MOST: usize = 32;

    pub fn new() -> Seats<G> {
        Seats {
            free: Vec::new(),
            engines: Team::default(),
        }
    }

    /// Seats player number `index`. `None` when the game has no such evaluator.
    pub fn take(&mut self, index: usize, experiment: &Experiment, key: u64) -> Option<Seat<G>> {
        let spec = &experiment.players[index];
        if let Some(engine) = &spec.engine {
            let logs = experiment.engine_logs.as_deref();
            return Some(Seat::Engine(self.engines.take(index, spec, engine, logs)));
        }
        let player = match self.free.iter().position(|(free, _)| *free == index) {
            Some(at) => self.free.swap_remove(at).1.seat_again(spec, key),
            None => Player::new(spec, key),
        };
        player.map(Seat::Own)
    }

    /// Takes a player back.
    pub fn give_back(&mut self, index: usize, seat: Seat<G>) {
        match seat {
            Seat::Engine(engine) => self.engines.give_back(index, engine),
            Seat::Own(player) => {
                if self.free.len() < Seats::<G>::MOST && player.is_worth_keeping() {
                    self.free.push((index, player));
                }
            }
        }
    }
}

impl<G: Evaluated> Default for Seats<G> {
    fn default() -> Seats<G> {
        Seats::new()
    }
}
