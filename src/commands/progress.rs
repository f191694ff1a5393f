//! Progress: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use super::output::printable_in_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

pub struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    /// What is counted, in the plural.
    noun: &'static str,
    total: Option<u64>,
    /// The count at the start of this session.
    before: u64,
    started: Instant,
    last_line: Instant,
    last_table: Instant,
    tenths: u64,
}

/// Plain lines are printed at every tenth, and at least this often.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// Minimum time between updates of the text next to the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// Minimum time between tables.
const TABLE_INTERVAL: Duration = Duration::from_secs(60);

impl Progress {
    /// Progress of games.
    pub fn new(total: u64, before: u64, quiet: bool) -> Progress {
        Progress::of("games", Some(total), before, quiet)
    }

    /// Progress of anything countable; `total` is `None` if unknown.
    pub fn of(noun: &'static str, total: Option<u64>, before: u64, quiet: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        Progress {
            bar: (!quiet && terminal).then(|| bar(noun, total, before)),
            plain: !quiet && !terminal,
            noun,
            total,
            before,
            started: now,
            last_line: now,
            last_table: now,
            tenths: total.map_or(0, |total| before * 10 / total.max(1)),
        }
    }

    /// Shows that `done` are finished, with a status line.
    pub fn show(&mut self, count: u64, words: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(count);
            if self.last_line.elapsed() > BAR_INTERVAL || Some(count) == self.total {
                self.last_line = Instant::now();
                bar.set_message(printable_in_line(&words()));
            }
            return;
        }
        let tenths = self.total.map_or(0, |total| count * 10 / total.max(1));
        if !self.plain || (tenths == self.tenths && self.last_line.elapsed() < PLAIN_INTERVAL) {
            return;
        }
        self.tenths = tenths;
        self.last_line = Instant::now();
        let (noun, rate) = (self.noun, self.per_second(count));
        let way = match self.total {
            None => format!("{count} {noun}, {rate:.1} {noun}/s"),
            Some(total) => {
                let left = total.saturating_sub(count) as f64 / rate.max(f64::MIN_POSITIVE);
                format!("{count}/{total} {noun}, {rate:.1} {noun}/s, ETA {left:.0} s")
            }
        };
        let _ = writeln!(
            std::io::stderr().lock(),
            "{way}, {}",
            printable_in_line(&words())
        );
    }

    /// Shows a table from time to time, above the bar.
    pub fn table(&mut self, text: impl FnOnce() -> String) {
        if (!self.plain && self.bar.is_none()) || self.last_table.elapsed() < TABLE_INTERVAL {
            return;
        }
        self.last_table = Instant::now();
        let text = text();
        match &self.bar {
            Some(bar) => bar.println(text.trim_end()),
            None => {
                let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end());
            }
        }
    }

    /// Prints a line above the bar.
    pub fn say(&self, text: impl FnOnce() -> Option<String>) {
        if !self.plain && self.bar.is_none() {
            return;
        }
        let Some(text) = text() else { return };
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr().lock(), "{text}");
            }
        }
    }

    /// The rate of this session only.
    pub fn per_second(&self, count: u64) -> f64 {
        let seconds = self.started.elapsed().as_secs_f64();
        count.saturating_sub(self.before) as f64 / seconds.max(1e-9)
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

fn bar(noun: &'static str, total: Option<u64>, before: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
    let template = match total {
        // The status is on a separate line: next to the bar, narrow terminals would cut it off.
        Some(_) => "{bar:30} {pos}/{len}  {rate}  ETA {eta}\n{wide_msg}",
        None => "{spinner} {pos}  {rate}\n{wide_msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        let rate = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1} {noun}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar.set_position(before);
    bar.reset_eta();
    bar
}
