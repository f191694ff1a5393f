//! A search behind `dyn`, for callers that know the game only at run time: UCI, pages, commands.

use std::sync::Arc;

use crate::eval::catalog::GameId;
use crate::eval::{Evaluated, Evaluator, Weights};
use crate::games::AnyPosition;
use crate::games::any::move_of;
use crate::games::prelude::*;
use crate::search::{DepthReport, Limit, NoMemory, Options, SearchResult, Searcher, Signal};
use crate::with_game;

/// A position to search.
pub struct Ask<'a> {
    /// A position of the bot's game.
    pub position: &'a dyn AnyPosition,
    /// Repetition keys of the game so far, oldest first, without the position's own.
    pub history: &'a [u64],
    pub limit: Limit,
    /// Indices of the only root moves to search; all moves if empty.
    pub only: &'a [usize],
    /// Stops the search from another thread.
    pub signal: Option<Arc<Signal>>,
}

impl<'a> Ask<'a> {
    /// A search of all moves without a game before it.
    pub fn new(position: &'a dyn AnyPosition, limit: Limit) -> Ask<'a> {
        Ask {
            position,
            history: &[],
            limit,
            only: &[],
            signal: None,
        }
    }
}

/// An evaluator with a search. Moves are texts, see [`AnyPosition::find_move`]. Keeps its tables
/// between searches of a game.
pub trait Bot: Send {
    /// Resets the search. The key seeds the random choice of root moves, if the options enable it,
    /// and random evaluators.
    fn new_game(&mut self, key: u64);

    /// Clears the TT and the histories, and nothing else.
    fn clear(&mut self);

    /// Allocates the TT. Without memory for it, the first search would panic.
    fn reserve(&mut self) -> Result<(), NoMemory>;

    /// Searches, and reports each completed depth.
    fn think(
        &mut self,
        ask: &Ask<'_>,
        on_depth: &mut dyn FnMut(&DepthReport<'_, String>),
    ) -> SearchResult<String>;
}

/// A bot with this preset of the game; `None` if there is no such preset.
pub fn bot(
    game: GameId,
    preset: &str,
    weights: &Weights,
    options: &Options,
) -> Option<Box<dyn Bot>> {
    with_game!(game, G => bot_of::<G>(preset, weights, options))
}

/// [`bot`] for callers that know the game by its type, such as one outside this crate.
pub fn bot_of<G: Evaluated>(
    preset: &str,
    weights: &Weights,
    options: &Options,
) -> Option<Box<dyn Bot>> {
    Some(Box::new(Thinker::<G> {
        searcher: Searcher::new(options.clone()),
        evaluator: (G::preset(preset)?.build)(weights, 0),
    }))
}

struct Thinker<G: Evaluated> {
    searcher: Searcher<G>,
    evaluator: Box<dyn Evaluator<G>>,
}

impl<G: Evaluated> Bot for Thinker<G> {
    fn new_game(&mut self, key: u64) {
        self.evaluator.reseed(key);
        self.searcher.new_game(key);
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn reserve(&mut self) -> Result<(), NoMemory> {
        self.searcher.reserve()
    }

    fn think(
        &mut self,
        ask: &Ask<'_>,
        on_depth: &mut dyn FnMut(&DepthReport<'_, String>),
    ) -> SearchResult<String> {
        let root = ask.position.of::<G>();
        let only = ask.only.iter().filter_map(|number| move_of(root, *number));
        self.searcher.restrict_root_moves(&only.collect::<Vec<_>>());
        self.searcher.set_signal(ask.signal.clone());
        let found = self.searcher.search_with(
            root,
            ask.history,
            self.evaluator.as_mut(),
            ask.limit,
            &mut |report| {
                let pv = pv_texts(root, report.pv);
                on_depth(&DepthReport {
                    pv: &pv,
                    depth: report.depth,
                    selective_depth: report.selective_depth,
                    score: report.score,
                    nodes: report.nodes,
                    elapsed: report.elapsed,
                    table_permille: report.table_permille,
                });
            },
        );
        SearchResult {
            best: found.best.map(|mv| root.move_text(mv)),
            pv: pv_texts(root, &found.pv),
            score: found.score,
            nodes: found.nodes,
            depth: found.depth,
            tree: found.tree,
        }
    }
}

fn pv_texts<G: Game>(root: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves {
        texts.push(position.move_text(*mv));
        position.play(*mv);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_returns_what_its_search_returns() {
        let options = Options::default();
        let game = GameId::English;
        let evaluators = game.evaluators();
        let preset = evaluators.preset(evaluators.strongest()).unwrap();
        let weights = Weights::defaults(preset.terms());
        let mut bot = bot(game, preset.name(), &weights, &options).unwrap();
        let start = game.rules().usual_start();
        let mut depths = Vec::new();
        let ask = Ask::new(start.as_ref(), Limit::nodes(2_000));
        let found = bot.think(&ask, &mut |report| depths.push(report.depth));
        assert_eq!(depths.last(), Some(&found.depth));
        assert_eq!(found.best.as_ref(), found.pv.first());
        let best = start.find_move(&found.best.unwrap()).unwrap();
        // A search restricted to one root move returns that move.
        let other = usize::from(best == 0);
        let only = Ask {
            only: &[other],
            ..Ask::new(start.as_ref(), Limit::depth(2))
        };
        let text = bot.think(&only, &mut |_| {}).best.unwrap();
        assert_eq!(start.find_move(&text), Ok(other));
    }

    #[test]
    fn an_unknown_preset_makes_no_bot() {
        let none = Weights::defaults(&[]);
        assert!(bot(GameId::Othello, "nonsense", &none, &Options::default()).is_none());
    }
}
