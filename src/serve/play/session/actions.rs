//! What a visitor does besides moving: resign, offer a draw, change players, pause, ask.

use std::time::Instant;

use super::super::view::score_words;
use super::super::why::{Why, WhyRequest};
use super::super::worker::quick_score;
use super::{Hint, Job, Seat, State};
use crate::eval::Score;
use crate::games::{GameResult, Side};
use crate::play::{PlayerKind, PlayerSpec};
use crate::serve::Refusal;

impl State {
    /// The side for which the visitor acts: the human's, or the mover if both are.
    fn acting(&self) -> Result<Side, Refusal> {
        match (&self.seats[0], &self.seats[1]) {
            (Seat::Human, Seat::Human) => Ok(self.turn()),
            (Seat::Human, _) => Ok(Side::White),
            (_, Seat::Human) => Ok(Side::Black),
            _ => Err(Refusal::conflict("both sides are played by bots")),
        }
    }

    fn must_be_running(&self) -> Result<(), Refusal> {
        match self.end() {
            Some(_) => Err(Refusal::conflict("the game is over")),
            None if !self.is_at_tip() => Err(Refusal::conflict(
                "this is an earlier position; go to the last one first",
            )),
            None => Ok(()),
        }
    }

    pub fn resign(&mut self) -> Result<(), Refusal> {
        self.must_be_running()?;
        let side = self.acting()?;
        self.finish(side.other().into(), "resignation");
        Ok(())
    }

    /// What a bot thinks of the present position, from its side: the score of its last move, and that of a quick
    /// search if there is none or if the visitor has moved since.
    fn judgement(&self, side: Side) -> Option<Score> {
        let own = self.line.iter().rev().find(|ply| ply.side == side);
        let last = own.and_then(|ply| ply.found.as_ref()?.score);
        if last.is_some() && self.turn() != side {
            return last;
        }
        let spec = self.seats[side as usize].bot()?.search();
        let quick = spec.and_then(|spec| {
            let score = quick_score(self.game, spec, self.position(), &self.history())?;
            Some(if self.turn() == side { score } else { -score })
        });
        last.max(quick)
    }

    /// Offers a draw, or accepts one. A bot accepts if it does not see itself ahead.
    pub fn offer_draw(&mut self) -> Result<(), Refusal> {
        self.must_be_running()?;
        let side = self.acting()?;
        let Some(bot) = self.seats[side.other() as usize].bot() else {
            // Both players sit at this page.
            match self.offer {
                Some(offered) if offered != side => self.finish(GameResult::Draw, "agreement"),
                _ => self.offer = Some(side),
            }
            return Ok(());
        };
        let name = bot.name.clone();
        let units = self.game.evaluators().units();
        match self.judgement(side.other()) {
            Some(score) if score <= 0 => {
                self.finish(GameResult::Draw, "agreement");
                self.says = Some(format!("{name} accepts the draw"));
            }
            Some(score) => {
                let sees = score_words(score, units.units_in_one);
                self.says = Some(format!("{name} declines: it sees {sees} for itself"));
            }
            None => {
                self.says = Some(format!("{name} declines: it has told no score yet"));
            }
        }
        Ok(())
    }

    pub fn seat(&mut self, side: Side, seat: Seat) {
        self.interrupt();
        self.seats[side as usize] = seat;
        self.moved = Instant::now();
    }

    pub fn pause(&mut self, paused: bool) {
        if !paused {
            self.return_to_the_end();
        }
        if paused != self.paused && self.bot_to_move().is_some() {
            self.interrupt();
        }
        self.paused = paused;
        self.step = false;
        self.run_clock();
    }

    /// Two bots continue at the end of their game, wherever the visitor has looked.
    fn return_to_the_end(&mut self) {
        let end = self.line.len();
        if self.seats.iter().all(|seat| seat.bot().is_some()) && self.at != end {
            // The end is a position of the game, so this is never refused.
            let _ = self.go_to(end);
        }
    }

    /// One move of the bot although the game is paused.
    pub fn step_once(&mut self) {
        self.return_to_the_end();
        if self.bot_to_move().is_some() {
            self.interrupt();
            self.paused = true;
            self.step = true;
        }
    }

    /// The bot plays the best move that it has found so far.
    pub fn move_now(&mut self) -> Result<(), Refusal> {
        match &self.running {
            Some(running) if running.job == Job::Think => running.signal.stop(),
            _ => return Err(Refusal::conflict("no bot is thinking")),
        }
        Ok(())
    }

    pub fn want_hint(&mut self) -> Result<(), Refusal> {
        if self.end().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        if self.bot_to_move().is_some() && !self.paused {
            return Err(Refusal::conflict("the bot is thinking; ask on your turn"));
        }
        self.hint = Some(Hint::Wanted);
        Ok(())
    }

    /// Opens, changes or closes (`None`) the explanation.
    pub fn ask_why(&mut self, request: Option<WhyRequest>) {
        if let Some(running) = &self.running
            && running.job == Job::Why
        {
            running.signal.stop();
        }
        self.why = request.map(|request| Why::new(request, self.why.take()));
    }

    /// The search that answers why-questions if none is chosen: the bot of the mover, or of the other side.
    pub fn lens(&self) -> Option<&PlayerSpec> {
        let turn = self.turn();
        let bots = [turn, turn.other()].map(|side| self.seats[side as usize].bot());
        let mut searching = bots.into_iter().flatten();
        searching.find(|player| matches!(player.kind, PlayerKind::Search(_)))
    }
}
