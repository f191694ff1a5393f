//! The linear evaluator with a memory of its own, for sets of terms that can save work by it.
//! The memory never changes a value: only the time it takes.

use std::marker::PhantomData;

use super::{Evaluator, Score, Terms, Weights};
use crate::games::{Game, Outcome};

/// Terms that can be added up faster with something kept between positions.
pub trait CachedTerms<G: Game>: Terms<G> {
    /// What is kept: tables drawn from the weights once, results of slow terms.
    type Cache: Send;

    /// An empty memory for an evaluator with these weights.
    fn cache(weights: &Weights) -> Self::Cache;

    /// The score from white's view: what [`Terms::visit`] adds up to, blended and
    /// [`Terms::scaled`], to the last step.
    fn white_view(position: &G, weights: &Weights, cache: &mut Self::Cache) -> Score;
}

/// Terms times weights, with a memory.
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
