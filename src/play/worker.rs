//! One thread of a [`Runner`](super::Runner): plays pairs and scores positions in its own seats.

use super::Experiment;
use super::game::play_game;
use super::openings::OpeningsError;
use super::player::SearchSpec;
use super::runner::PlayedPair;
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
    ) -> Result<Option<PlayedPair>, OpeningsError>;

    /// The score of a position of the worker's game as a new player sees it, from the mover's
    /// side; `None` when the game has no such evaluator.
    fn judge(
        &mut self,
        judge: &SearchSpec,
        limit: Limit,
        position: &dyn AnyPosition,
    ) -> Option<Score>;
}

impl<G: Evaluated> Worker for Seats<G> {
    fn play_pair(
        &mut self,
        experiment: &Experiment,
        pair: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedPair>, OpeningsError> {
        play_pair(experiment, pair, self, stop)
    }

    fn judge(
        &mut self,
        judge: &SearchSpec,
        limit: Limit,
        position: &dyn AnyPosition,
    ) -> Option<Score> {
        // A new player each time: positions must be scored independently.
        let mut player = self.take_player(judge, limit, 0)?;
        let score = player.think(position.of::<G>(), &[]).score;
        self.give_player_back(player);
        Some(score)
    }
}

fn play_pair<G: Evaluated>(
    experiment: &Experiment,
    pair: u64,
    seats: &mut Seats<G>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedPair>, OpeningsError> {
    let (_, pairing) = experiment.schedule.pairing_of(pair);
    let place = experiment
        .schedule
        .opening_of(pair, experiment.openings.listed());
    let mut draws = Stream::new(experiment.seed, pair, Purpose::Opening);
    let drawn = experiment
        .openings
        .draw(any::rules::<G>(), place, &mut draws)?;
    let opening = drawn.of::<G>();
    let mut keys = Stream::new(experiment.seed, pair, Purpose::Players);
    let mut seat = |index: usize| {
        seats
            .take(index, experiment, keys.draw())
            .expect("the config only names evaluators of its game")
    };
    let mut first = seat(pairing.first);
    let mut second = seat(pairing.second);
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
