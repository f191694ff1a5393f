//! The linear evaluator with a cache, for sets of terms that benefit from one. The cache never
//! changes a score.

use std::marker::PhantomData;

use super::{Evaluator, Score, Terms, Weights};
use crate::games::{Game, Outcome};

/// Terms that can be summed faster with a cache.
pub trait CachedTerms<G: Game>: Terms<G> {
    /// Tables precomputed from the weights, and results of slow terms.
    type Cache: Send;

    /// An empty cache for an evaluator with these weights.
    fn cache(weights: &Weights) -> Self::Cache;

    /// The score from white's view: exactly the sum of [`Terms::visit`], tapered and
    /// [`Terms::scaled`].
    fn white_view(position: &G, weights: &Weights, cache: &mut Self::Cache) -> Score;
}

/// Terms times weights, with a cache.
pub struct Cached<G: Game, T: CachedTerms<G>> {
    weights: Weights,
    cache: T::Cache,
    of: PhantomData<fn() -> G>,
}

impl<G: Game, T: CachedTerms<G>> Cached<G, T> {
    pub fn new(weights: Weights) -> Cached<G, T> {
        debug_assert_eq!(weights.len(), super::slot_count(T::TERMS));
        Cached {
            cache: T::cache(&weights),
            weights,
            of: PhantomData,
        }
    }
}

impl<G: Game, T: CachedTerms<G>> Evaluator<G> for Cached<G, T> {
    fn evaluate(&mut self, position: &G) -> Score {
        T::white_view(position, &self.weights, &mut self.cache) * position.side_to_move().sign()
    }

    fn finished(&mut self, position: &G, outcome: Outcome) -> Option<Score> {
        let sum = self.evaluate(position);
        let mover = position.side_to_move();
        T::finished(position, &self.weights, outcome, mover, sum)
    }
}
