//! One thread of a [`Runner`](super::Runner): plays pairs and scores positions in its own seats.

use std::time::{Duration, Instant};

use super::Experiment;
use super::game::play_game;
use super::openings::Openings;
use super::player::SearchSpec;
use super::runner::{PlayedPair, RunError};
use super::seat::Seats;
use super::stream::{Purpose, Stream};
use crate::eval::{Evaluated, Score, Weights};
use crate::games::{AnyPosition, any};
use crate::search::{Limit, Options, Quiescence};

/// Sees a mate in one, and pieces that are lost at once.
const JUDGING_DEPTH: u32 = 2;

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

    /// An opening from the stream, or number `place` of a list. Random ones are judged by counting
    /// material, or by the strongest evaluator where material means little, two plies deep.
    fn draw_opening(
        &mut self,
        openings: &Openings,
        place: usize,
        stream: &mut Stream,
    ) -> Result<Box<dyn AnyPosition>, RunError>;

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

    fn draw_opening(
        &mut self,
        openings: &Openings,
        place: usize,
        stream: &mut Stream,
    ) -> Result<Box<dyn AnyPosition>, RunError> {
        let preset = G::preset("material").or_else(|| G::preset(G::STRONGEST));
        let spec = preset.map(|preset| SearchSpec {
            evaluator: preset.name,
            weights: Weights::defaults(preset.terms),
            options: Options {
                quiescence: Quiescence::Captures,
                ..Options::default()
            },
        });
        let mut failure = None;
        let judge = &mut |position: &dyn AnyPosition| {
            let score = self.judge(spec.as_ref()?, Limit::depth(JUDGING_DEPTH), position);
            score.unwrap_or_else(|error| {
                failure = Some(error);
                None
            })
        };
        let drawn = openings.draw(any::rules::<G>(), place, stream, judge);
        match failure {
            Some(error) => Err(error),
            None => Ok(drawn?),
        }
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

/// Waits between games, unless stopped.
fn rest(time: Duration, stop: &dyn Fn() -> bool) {
    const LOOK: Duration = Duration::from_millis(50);
    let end = Instant::now() + time;
    while !time.is_zero() && !stop() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

fn play_pair<G: Evaluated>(
    experiment: &Experiment,
    pair: u64,
    seats: &mut Seats<G>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedPair>, RunError> {
    let (_, pairing) = experiment.schedule.pairing_of(pair);
    let drawn = experiment.opening(seats, pair)?;
    let opening = drawn.of::<G>();
    let mut keys = Stream::new(experiment.seed, pair, Purpose::Players);
    let mut seat = |index: usize| -> Result<_, RunError> {
        let seat = seats.take(index, experiment, keys.draw())?;
        Ok(seat.expect("the config only names evaluators of its game"))
    };
    let mut first = seat(pairing.first)?;
    let mut second = seat(pairing.second)?;
    let (endings, conduct) = (&experiment.endings, &experiment.conduct);
    let mut play = |white: &mut _, black: &mut _| {
        if std::mem::replace(&mut seats.have_played, true) {
            rest(conduct.wait, stop);
        }
        play_game(opening, white, black, endings, conduct, stop)
    };
    let one = play(&mut first, &mut second)?;
    let two = match one {
        Some(_) => play(&mut second, &mut first)?,
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
