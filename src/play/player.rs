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

    /// Searches the position. `history` holds the repetition keys of the game so far.
    pub fn think(&mut self, position: &G, history: &[u64]) -> Found<G::Move> {
        self.searcher
            .search(position, history, self.evaluator.as_mut(), self.limit)
    }
}
