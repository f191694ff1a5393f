//! What is said to an engine and what it answers, line by line: all of it in a file, or the last game's
//! lines in memory until a fault needs them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How much of the conversation with engines is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineLog {
    /// Of games that end with a fault.
    #[default]
    Faults,
    /// Every line.
    All,
}

impl EngineLog {
    pub const ALL: [EngineLog; 2] = [EngineLog::Faults, EngineLog::All];

    pub const fn name(self) -> &'static str {
        match self {
            EngineLog::Faults => "faults",
            EngineLog::All => "all",
        }
    }
}

/// Lines of one game kept for a fault: a long game of an engine that reports every depth.
const MOST_LINES: usize = 4000;

/// Bytes kept of one line.
const LONGEST_LINE: usize = 4096;

/// The conversation with one engine, shared by its seat and its process.
#[derive(Clone)]
pub struct Transcript(Arc<Mutex<Conversation>>);

struct Conversation {
    began: Instant,
    /// Lines since the start of the game.
    lines: VecDeque<String>,
    dropped: u64,
    /// Takes every line as it comes.
    file: Option<File>,
    /// Tells the engines of several threads apart.
    number: usize,
}

impl Transcript {
    /// A transcript that keeps the lines of a game, and writes all lines to `file`.
    pub fn new(file: Option<File>, number: usize) -> Transcript {
        Transcript(Arc::new(Mutex::new(Conversation {
            began: Instant::now(),
            lines: VecDeque::new(),
            dropped: 0,
            file,
            number,
        })))
    }

    /// Forgets the last game.
    pub fn new_game(&self) {
        self.with(|it| {
            it.lines.clear();
            it.dropped = 0;
        });
    }

    pub(super) fn sent(&self, text: &str) {
        self.with(|it| text.lines().for_each(|line| it.push('>', line)));
    }

    pub(super) fn heard(&self, line: &str) {
        self.with(|it| it.push('<', line));
    }

    /// The lines of this game, oldest first: `>` is ours.
    pub fn text(&self) -> String {
        self.with(|it| {
            let mut text = match it.dropped {
                0 => String::new(),
                dropped => format!("({dropped} earlier lines of this game are not kept)\n"),
            };
            it.lines.iter().for_each(|line| text.push_str(line));
            text
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Conversation) -> T) -> T {
        // A panic elsewhere leaves only a shorter log.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Conversation {
    fn push(&mut self, side: char, line: &str) {
        let mut end = line.len().min(LONGEST_LINE);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let seconds = self.began.elapsed().as_secs_f64();
        let text = format!("{seconds:.4} {side} {}\n", &line[..end]);
        if let Some(file) = &mut self.file {
            // One write per line: several engines share the file. A log that cannot be written does
            // not end a run.
            let _ = file.write_all(format!("{} {text}", self.number).as_bytes());
        }
        self.lines.push_back(text);
        if self.lines.len() > MOST_LINES {
            self.lines.pop_front();
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_keeps_its_last_lines_and_counts_the_others() {
        let transcript = Transcript::new(None, 1);
        for number in 0..MOST_LINES + 7 {
            transcript.heard(&format!("info depth {number}"));
        }
        let text = transcript.text();
        assert!(text.starts_with("(7 earlier lines"), "{}", &text[..40]);
        assert_eq!(text.lines().count(), MOST_LINES + 1);
        assert!(text.ends_with(&format!("< info depth {}\n", MOST_LINES + 6)));
        transcript.new_game();
        transcript.sent("ucinewgame\nisready\n");
        let lines: Vec<String> = transcript.text().lines().map(str::to_string).collect();
        assert!(lines[0].ends_with("> ucinewgame") && lines[1].ends_with("> isready"));
    }
}
