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

/// An evaluator with what it was built from, so that it can be reused for the same player.
pub(super) struct BuiltEvaluator<G: Evaluated> {
    name: &'static str,
    weights: Weights,
    evaluator: Box<dyn Evaluator<G>>,
}

impl<G: Evaluated> BuiltEvaluator<G> {
    pub fn is_for(&self, spec: &PlayerSpec) -> bool {
        self.name == spec.evaluator && self.weights == spec.weights
    }
}

/// A player at the board.
pub struct Player<G: Evaluated> {
    evaluator: BuiltEvaluator<G>,
    searcher: Searcher<G>,
    limit: Limit,
}

impl<G: Evaluated> Player<G> {
    /// Seats a player. The key seeds whatever the player draws at random. `None` when the game
    /// has no such evaluator.
    pub fn new(spec: &PlayerSpec, key: u64) -> Option<Player<G>> {
        Player::reusing(spec, key, None, None)
    }

    /// The same with parts of earlier players: an evaluator for this spec, and a searcher whose
    /// tables fit. The player is as if newly made.
    pub(super) fn reusing(
        spec: &PlayerSpec,
        key: u64,
        evaluator: Option<BuiltEvaluator<G>>,
        searcher: Option<Searcher<G>>,
    ) -> Option<Player<G>> {
        let mut evaluator = match evaluator {
            Some(evaluator) => evaluator,
            None => BuiltEvaluator {
                name: spec.evaluator,
                weights: spec.weights.clone(),
                evaluator: (G::preset(spec.evaluator)?.build)(&spec.weights, key),
            },
        };
        evaluator.evaluator.reseed(key);
        let mut searcher = searcher.unwrap_or_else(|| Searcher::new(spec.options.clone()));
        searcher.set_options(&spec.options);
        searcher.new_game(key);
        Some(Player {
            evaluator,
            searcher,
            limit: spec.limit,
        })
    }

    pub(super) fn into_parts(self) -> (BuiltEvaluator<G>, Searcher<G>) {
        (self.evaluator, self.searcher)
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
            .search(position, history, self.evaluator.evaluator.as_mut(), limit)
    }

    pub fn limit(&self) -> &Limit {
        &self.limit
    }
}
