//! One thread of a [`Runner`](super::Runner): plays pairs and scores positions in its own seats.

use super::Experiment;
use super::game::play_game;
use super::player::SearchSpec;
use super::runner::{PlayedPair, RunError};
use super::seat::Seats;
use super::stream::{Purpose, Stream};
use crate::eval::{Evaluated, Score};
use crate::games::{AnyPosition, any};
use crate::search::Limit;

/// One thread's seats, for any game.
pub trait Worker: Send {
    /// Plays one pair; `None` if stopped by `stop`. The result does not depend on earlier players in
    /// the seats.
    fn play_pair(
        &mut self,
        experiment: &Experiment,
        pair: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedPair>, RunError>;

    /// The score of a position of the worker's game as a new player sees it, from the mover's
    /// side; `None` when the game has no such evaluator.
    fn judge(
        &mut self,
        judge: &SearchSpec,
        limit: Limit,
        position: &dyn AnyPosition,
    ) -> Result<Option<Score>, RunError>;
}

impl<G: Evaluated> Worker for Seats<G> {
    fn play_pair(
        &mut self,
        experiment: &Experiment,
        pair: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedPair>, RunError> {
        play_pair(experiment, pair, self, stop)
    }

    fn judge(
        &mut self,
        judge: &SearchSpec,
        limit: Limit,
        position: &dyn AnyPosition,
    ) -> Result<Option<Score>, RunError> {
        // A new player each time: positions must be scored independently.
        let Some(mut player) = self.take_player(judge, limit, 0)? else {
            return Ok(None);
        };
        let score = player.think(position.of::<G>(), &[]).score;
        self.give_player_back(player);
        Ok(Some(score))
    }
}

fn play_pair<G: Evaluated>(
    experiment: &Experiment,
    pair: u64,
    seats: &mut Seats<G>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedPair>, RunError> {
    let (_, pairing) = experiment.schedule.pairing_of(pair);
    let drawn = experiment.opening(any::rules::<G>(), pair)?;
    let opening = drawn.of::<G>();
    let mut keys = Stream::new(experiment.seed, pair, Purpose::Players);
    let mut seat = |index: usize| -> Result<_, RunError> {
        let seat = seats.take(index, experiment, keys.draw())?;
        Ok(seat.expect("the config only names evaluators of its game"))
    };
    let mut first = seat(pairing.first)?;
    let mut second = seat(pairing.second)?;
    let endings = &experiment.endings;
    let one = play_game(opening, &mut first, &mut second, endings, stop);
    let two = match one {
        Some(_) => play_game(opening, &mut second, &mut first, endings, stop),
        None => None,
    };
    seats.give_back(first);
    seats.give_back(second);
    let (Some(one), Some(two)) = (one, two) else {
        return Ok(None);
    };
    Ok(Some(PlayedPair {
        pair,
        pairing,
        games: [one, two],
    }))
}
