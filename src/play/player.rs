//! A player: an evaluator, a search and a limit under a name.

use std::time::Duration;

use crate::engines::EngineSpec;
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
    /// A program that thinks instead; evaluator, weights and options mean nothing then.
    pub engine: Option<EngineSpec>,
}

impl PlayerSpec {
    /// What makes the games of this player differ from run to run; `None` if nothing does.
    pub fn why_not_reproducible(&self) -> Option<&'static str> {
        match &self.engine {
            Some(_) => Some("is a program of its own"),
            None if self.limit.is_deterministic() => None,
            None => Some("is limited by time"),
        }
    }
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
    pub(super) fn seat_again(mut self, spec: &PlayerSpec, key: u64) -> Option<Player<G>> {
        let preset = G::preset(spec.evaluator)?;
        self.searcher.new_game(key);
        self.evaluator = (preset.build)(&spec.weights, key);
        Some(self)
    }

    /// Gets ready for another game: nothing of the last one is remembered.
    pub fn begin_game(&mut self) {
        self.searcher.forget();
    }

    /// Searches the position. `history` holds the repetition keys of the game so far.
    pub fn think(&mut self, position: &G, history: &[u64]) -> Found<G::Move> {
        self.think_within(position, history, None)
    }

    /// The same with so much left on its clock.
    pub fn think_within(
        &mut self,
        position: &G,
        history: &[u64],
        left: Option<Duration>,
    ) -> Found<G::Move> {
        let limit = left.map_or(self.limit, |left| self.limit.on_clock(left));
        self.searcher
            .search(position, history, self.evaluator.as_mut(), limit)
    }

    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Tables are given back: kept for every player of a large field they would fill the memory.
    pub(super) fn is_worth_keeping(&self) -> bool {
        !self.searcher.options().table
    }
}
