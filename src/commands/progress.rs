//! Progress for whoever waits: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    total: u64,
    /// Games that were there before this session began.
    before: u64,
    started: Instant,
    last_line: Instant,
    tenths: u64,
}

/// Plain lines come at each tenth of the way, and at least this often.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// The words beside the bar change no faster than they can be read.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

impl Progress {
    pub fn new(total: u64, before: u64, quiet: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            let template = "{bar:30} {pos}/{len} games  {per_sec:>13}  ETA {eta:>4}  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                let style = style.with_key(
                    "per_sec",
                    |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                        let _ = write!(out, "{:.1} games/s", state.per_sec());
                    },
                );
                bar.set_style(style);
            }
            bar.set_position(before);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        let tenths = before * 10 / total.max(1);
        Progress {
            bar,
            plain: !quiet && !terminal,
            total,
            before,
            started: now,
            last_line: now,
            tenths,
        }
    }

    /// Shows that so many games are done. `leader` says who is ahead.
    pub fn show(&mut self, games: u64, leader: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(games);
            if self.last_line.elapsed() > BAR_INTERVAL || games == self.total {
                self.last_line = Instant::now();
                bar.set_message(leader());
            }
            return;
        }
        let tenths = games * 10 / self.total.max(1);
        if !self.plain || (tenths == self.tenths && self.last_line.elapsed() < PLAIN_INTERVAL) {
            return;
        }
        self.tenths = tenths;
        self.last_line = Instant::now();
        let rate = self.games_per_second(games);
        let left = (self.total - games) as f64 / rate.max(f64::MIN_POSITIVE);
        let _ = writeln!(
            std::io::stderr().lock(),
            "{games}/{} games, {rate:.1} games/s, ETA {left:.0} s, {}",
            self.total,
            leader()
        );
    }

    /// Of this session alone.
    pub fn games_per_second(&self, games: u64) -> f64 {
        let seconds = self.started.elapsed().as_secs_f64();
        games.saturating_sub(self.before) as f64 / seconds.max(1e-9)
    }

    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
