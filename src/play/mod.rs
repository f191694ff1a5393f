//! Plays games: one game, one opening pair, or a whole schedule in parallel. Knows nothing of files
//! or screens.

mod adjudication;
mod audit;
mod benchmark;
mod bot;
mod clocks;
mod engine_seat;
mod game;
mod knockout;
mod matching;
mod openings;
mod player;
mod polyglot;
mod race;
mod runner;
mod schedule;
mod seat;
mod stages;
mod stream;
mod suite;
mod swiss;
mod worker;

pub use adjudication::{Adjudication, Agree, Resign, ResignSides};
pub use audit::{LoggedGame, audit_game};
pub use benchmark::bench_positions;
pub use bot::{Ask, Bot, bot, bot_of};
pub use clocks::Clocks;
pub use engine_seat::{Introduction, Team, introduce, log_name};
pub use game::{DrawRules, Endings, MoveNote, PlayedGame, Termination, end_of_game, play_game};
pub use openings::{OpeningOrder, Openings, OpeningsError};
pub use player::{Player, PlayerKind, PlayerSpec, SearchSpec};
pub use polyglot::{BookChoice, PolyglotBook, polyglot_key};
pub use runner::{PlayedPair, RunError, Runner};
pub use schedule::{Format, Pairing, Schedule};
pub use seat::{Seat, Seats, Thought, Turn};
pub use stages::{Closed, Director, Stages};
pub use stream::{Purpose, Stream};
pub use suite::{Candidates, Judged, Seen, SuiteRules, make_suite};
pub use swiss::{Meeting, SwissScore};
pub use worker::Worker;

use std::path::PathBuf;

use crate::games::AnyPosition;

/// All settings that the games of a run depend on, except the rules, which belong to the [`Runner`].
#[derive(Clone, Debug)]
pub struct Experiment {
    pub seed: u64,
    pub players: Vec<PlayerSpec>,
    pub schedule: Schedule,
    pub openings: Openings,
    pub endings: Endings,
    /// Directory of the engines' logs; `None` for no logs.
    pub engine_logs: Option<PathBuf>,
}

impl Experiment {
    /// The opening of a pair, numbered from 1.
    pub fn opening(
        &self,
        worker: &mut dyn Worker,
        pair: u64,
    ) -> Result<Box<dyn AnyPosition>, RunError> {
        let place = self.schedule.opening_of(pair, self.openings.listed());
        let stream = self.schedule.opening_stream(pair);
        let mut draws = Stream::new(self.seed, stream, Purpose::Opening);
        worker.draw_opening(&self.openings, place, &mut draws)
    }
}
