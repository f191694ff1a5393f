//! A player: an evaluator, a search and a limit under a name.

use crate::eval::{Evaluated, Evaluator, Weights};
use crate::search::{Found, Limit, Options, Searcher};

/// What a config says of a player, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    pub name: String,
    /// The name of a preset of the experiment's game.
    pub evaluator: &'static str,
    pub weights: Weights,
    pub options: Options,
    pub limit: Limit,
}

/// A player at the board.
pub struct Player<G: Evaluated> {
    evaluator: Box<dyn Evaluator<G>>,
    searcher: Searcher<G>,
    limit: Limit,
}

impl<G: Evaluated> Player<G> {
    /// Seats a player. The key seeds whatever the player draws by lot. `None` when the game has
    /// no such evaluator.
    pub fn new(spec: &PlayerSpec, key: u64) -> Option<Player<G>> {
        let preset = G::preset(spec.evaluator)?;
        let mut searcher = Searcher::new(spec.options.clone());
        searcher.new_game(key);
        Some(Player {
            evaluator: (preset.build)(&spec.weights, key),
            searcher,
            limit: spec.limit,
        })
    }

    /// Seats the player of another pair in this one's place, without asking for memory again.
    /// `None` when the game has no such evaluator.
    fn seat_again(mut self, spec: &PlayerSpec, key: u64) -> Option<Player<G>> {
        let preset = G::preset(spec.evaluator)?;
        self.searcher.new_game(key);
        self.evaluator = (preset.build)(&spec.weights, key);
        Some(self)
    }

    /// Searches the position. `history` holds the repetition keys of the game so far.
    pub fn think(&mut self, position: &G, history: &[u64]) -> Found<G::Move> {
        self.searcher
            .search(position, history, self.evaluator.as_mut(), self.limit)
    }
}

/// The players that a worker has seated before: making a searcher anew for every pair costs more
/// than a fast game. Grows with the players of a run, up to a limit.
pub struct Seats<G: Evaluated> {
    free: Vec<(usize, Player<G>)>,
}

impl<G: Evaluated> Seats<G> {
    const MOST: usize = 32;

    pub fn new() -> Seats<G> {
        Seats { free: Vec::new() }
    }

    /// Seats player number `index`. `None` when the game has no such evaluator.
    pub fn take(&mut self, index: usize, spec: &PlayerSpec, key: u64) -> Option<Player<G>> {
        match self.free.iter().position(|(free, _)| *free == index) {
            Some(at) => self.free.swap_remove(at).1.seat_again(spec, key),
            None => Player::new(spec, key),
        }
    }

    /// Takes a player back.
    pub fn give_back(&mut self, index: usize, player: Player<G>) {
        // A table is cheaper made than cleared: what a game does not touch costs nothing.
        if self.free.len() < Seats::<G>::MOST && !player.searcher.options().table {
            self.free.push((index, player));
        }
    }
}

impl<G: Evaluated> Default for Seats<G> {
    fn default() -> Seats<G> {
        Seats::new()
    }
}
