//! Plays games: one game, one opening pair, or a whole schedule in parallel. Knows nothing of files
//! or screens.

mod adjudication;
mod audit;
mod benchmark;
mod bot;
mod clocks;
mod engine_seat;
mod engine_words;
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
mod syzygy;
mod worker;

pub use adjudication::{Adjudication, Agree, Resign, ResignSides};
pub use audit::{LoggedGame, audit_game};
pub use benchmark::{bench_nodes, bench_positions};
pub use bot::{Ask, Bot, bot, bot_of};
pub use clocks::Clocks;
pub use engine_seat::{EngineLogs, Introduction, Team, introduce, log_name};
pub use game::{
    DrawRules, Endings, MoveNote, PlayedGame, TableEndings, Termination, end_of_game, play_game,
};
pub use openings::{OpeningOrder, Openings, OpeningsError};
pub use player::{Player, PlayerKind, PlayerSpec, SearchSpec};
pub use polyglot::{BookChoice, PolyglotBook, polyglot_key};
pub use runner::{PlayedPair, RunError, Runner};
pub use schedule::{Format, Pairing, Schedule};
pub use seat::{Details, Latency, Seat, Seats, Thought, Turn};
pub use stages::{Closed, Director, Stages};
pub use stream::{Purpose, Stream};
pub use suite::{Candidates, Judged, Seen, SuiteRules, make_suite};
pub use swiss::{Meeting, SwissScore};
pub use syzygy::{MOST_MEN, TableError, Tables, Wdl};
pub use worker::Worker;

use std::time::Duration;

use crate::games::AnyPosition;

/// All settings that the games of a run depend on, except the rules, which belong to the [`Runner`].
#[derive(Clone, Debug)]
pub struct Experiment {
    pub seed: u64,
    pub players: Vec<PlayerSpec>,
    pub schedule: Schedule,
    pub openings: Openings,
    pub endings: Endings,
    pub conduct: Conduct,
}

/// How games are played and watched. It changes no game, except through the time it takes.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// The engines' logs; `None` for none.
    pub engine_logs: Option<EngineLogs>,
    /// Whether the [`Details`] of in-process searches are recorded.
    pub details: bool,
    /// A rest before each game of a thread but its first.
    pub wait: Duration,
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
