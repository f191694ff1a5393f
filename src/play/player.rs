//! A player: an in-process search or an external engine, with a name and a limit.

use crate::engines::EngineSpec;
use crate::eval::{Evaluated, Evaluator, Preset, Weights};
use crate::games::Game;
use crate::search::{Limit, NoMemory, Options, SearchResult, Searcher, TimeLeft};

/// A validated player of a config.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    pub name: String,
    pub limit: Limit,
    pub kind: PlayerKind,
}

/// What chooses the moves of a player.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a run has a handful of players")]
pub enum PlayerKind {
    Search(SearchSpec),
    Engine(EngineSpec),
}

/// A player that searches in this process.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// The name of a preset of the game, or of an evaluator that the runner was given.
    pub evaluator: &'static str,
    pub weights: Weights,
    pub options: Options,
}

impl PlayerSpec {
    /// A player with the default weights of a preset, and with its name.
    pub fn of_preset<G: Game>(preset: &Preset<G>, limit: Limit, options: Options) -> PlayerSpec {
        PlayerSpec {
            name: preset.name.to_string(),
            limit,
            kind: PlayerKind::Search(SearchSpec {
                evaluator: preset.name,
                weights: Weights::defaults(preset.terms),
                options,
            }),
        }
    }

    /// The search; `None` if the player is an engine.
    pub fn search(&self) -> Option<&SearchSpec> {
        match &self.kind {
            PlayerKind::Search(search) => Some(search),
            PlayerKind::Engine(_) => None,
        }
    }

    /// The engine; `None` if the player searches in this process.
    pub fn engine(&self) -> Option<&EngineSpec> {
        match &self.kind {
            PlayerKind::Search(_) => None,
            PlayerKind::Engine(engine) => Some(engine),
        }
    }

    /// Whether the times of moves are worth recording: its games depend on them.
    pub fn is_timed(&self) -> bool {
        self.why_not_reproducible().is_some()
    }

    /// What makes the games of this player differ from run to run; `None` if nothing does.
    pub fn why_not_reproducible(&self) -> Option<&'static str> {
        match &self.kind {
            PlayerKind::Engine(engine) if engine.ponder => {
                Some("is an external engine that thinks on the opponent's time")
            }
            PlayerKind::Engine(_) => Some("is an external engine"),
            PlayerKind::Search(_) if self.limit.is_deterministic() => None,
            PlayerKind::Search(_) => Some("is limited by time"),
        }
    }
}

/// An evaluator with its settings, so that it can be reused for the same player.
pub(super) struct BuiltEvaluator<G: Evaluated> {
    name: &'static str,
    weights: Weights,
    evaluator: Box<dyn Evaluator<G>>,
}

impl<G: Evaluated> BuiltEvaluator<G> {
    /// Builds it from `more` or else from the presets of the game; `None` if neither has it.
    pub fn new(spec: &SearchSpec, more: &[Preset<G>], key: u64) -> Option<BuiltEvaluator<G>> {
        let named = more.iter().find(|preset| preset.name == spec.evaluator);
        let preset = named.or_else(|| G::preset(spec.evaluator))?;
        Some(BuiltEvaluator {
            name: spec.evaluator,
            weights: spec.weights.clone(),
            evaluator: (preset.build)(&spec.weights, key),
        })
    }

    pub fn is_for(&self, spec: &SearchSpec) -> bool {
        self.name == spec.evaluator && self.weights == spec.weights
    }
}

/// A player ready to play.
pub struct Player<G: Evaluated> {
    evaluator: BuiltEvaluator<G>,
    searcher: Searcher<G>,
    limit: Limit,
}

impl<G: Evaluated> Player<G> {
    /// Makes a player. The key seeds its random choices. `None` if the game has no such evaluator.
    pub fn new(spec: &SearchSpec, limit: Limit, key: u64) -> Option<Player<G>> {
        let evaluator = BuiltEvaluator::new(spec, &[], key)?;
        Some(Player::reusing(spec, limit, key, evaluator, None))
    }

    /// The same, reusing parts of earlier players: an evaluator for this spec, and perhaps a searcher with
    /// matching table sizes. Behaves like a new player.
    pub(super) fn reusing(
        spec: &SearchSpec,
        limit: Limit,
        key: u64,
        mut evaluator: BuiltEvaluator<G>,
        searcher: Option<Searcher<G>>,
    ) -> Player<G> {
        evaluator.evaluator.reseed(key);
        let mut searcher = searcher.unwrap_or_else(|| Searcher::new(spec.options.clone()));
        searcher.set_options(&spec.options);
        searcher.new_game(key);
        Player {
            evaluator,
            searcher,
            limit,
        }
    }

    pub(super) fn into_parts(self) -> (BuiltEvaluator<G>, Searcher<G>) {
        (self.evaluator, self.searcher)
    }

    /// Allocates the TT.
    pub(super) fn reserve(&mut self) -> Result<(), NoMemory> {
        self.searcher.reserve()
    }

    /// Prepares for another game: clears all state of the last one.
    pub fn begin_game(&mut self) {
        self.searcher.clear();
    }

    /// Searches the position. `history` holds the repetition keys of the game so far.
    pub fn think(&mut self, position: &G, history: &[u64]) -> SearchResult<G::Move> {
        self.think_within(position, history, None)
    }

    /// The same with `left` on its clock.
    pub fn think_within(
        &mut self,
        position: &G,
        history: &[u64],
        left: Option<TimeLeft>,
    ) -> SearchResult<G::Move> {
        let limit = left.map_or(self.limit, |left| self.limit.on_clock(left));
        self.searcher
            .search(position, history, self.evaluator.evaluator.as_mut(), limit)
    }

    pub fn limit(&self) -> &Limit {
        &self.limit
    }
}
