//! The first line of a page: what the run has shown.

use super::data::ReportData;
use super::race::race_words;
use super::wording::{counted, elo_text, listed, score_text, short};
use crate::record::{START, Standing, ValidationRow};
use crate::stats::Verdict;

/// How the first line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    /// Nothing is decided.
    Open,
}

impl Tone {
    /// The class on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Open => "open",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    pub tone: Tone,
    pub text: String,
}

impl Headline {
    fn new(tone: Tone, text: String) -> Headline {
        Headline { tone, text }
    }
}

/// What the run has shown; `None` without games.
pub fn headline(data: &ReportData) -> Option<Headline> {
    if let Some(tuning) = &data.tuning {
        return Some(of_tuning(&tuning.validations));
    }
    of_race(data)
        .or_else(|| sequential(data))
        .or_else(|| leader(data))
}

/// Who wins a race, and whether it is better than the start.
fn of_race(data: &ReportData) -> Option<Headline> {
    let words = race_words(data).filter(|_| data.tally.game_count() > 0)?;
    let tone = match words.gain() {
        Some(gain) if gain.low > Some(0.0) => Tone::Good,
        Some(gain) if gain.high.is_some() && gain.high < Some(0.0) => Tone::Bad,
        _ => Tone::Open,
    };
    Some(Headline::new(tone, words.headline()))
}

/// Whether the validation proves a gain.
pub fn of_tuning(matches: &[ValidationRow]) -> Headline {
    let mut against_start = matches.iter().filter(|row| row.opponent == START);
    let Some(first) = against_start.clone().next() else {
        let text = match matches.len() {
            0 => "Not validated: nothing shows that the tuned numbers are better than the start.",
            _ => "Not proven: no match against the start was played.",
        };
        return Headline::new(Tone::Open, text.to_string());
    };
    let result = |row: &ValidationRow| {
        format!(
            "{} Elo (95 % interval) at {} after {}",
            elo_text(&row.elo),
            row.limit,
            counted(row.pairs, "pair")
        )
    };
    if ValidationRow::prove_gain(matches) {
        let text = format!(
            "Proven: the tuned numbers beat the start, {}.",
            result(first)
        );
        return Headline::new(Tone::Good, text);
    }
    if let Some(failed) = against_start.find(|row| row.verdict == Verdict::AcceptH0) {
        let text = format!(
            "Failed: the tuned numbers are no better than the start, {}.",
            result(failed)
        );
        return Headline::new(Tone::Bad, text);
    }
    if first.elo.high < Some(0.0) && first.elo.high.is_some() {
        let text = format!(
            "Failed: the tuned numbers are weaker than the start, {}.",
            result(first)
        );
        return Headline::new(Tone::Bad, text);
    }
    let text = format!(
        "Not proven: {} against the start, which decides nothing; more validation pairs may.",
        result(first)
    );
    Headline::new(Tone::Open, text)
}

/// One line for each validation match.
pub fn validation_text(row: &ValidationRow) -> String {
    let los = row.los.map_or(String::new(), |los| {
        format!(", LOS {}", super::wording::likelihood(los))
    });
    format!(
        "against {} at {}: {} Elo, {}{los}, LLR {:.2}: {}",
        row.opponent,
        row.limit,
        elo_text(&row.elo),
        counted(row.pairs, "pair"),
        row.llr,
        match row.verdict {
            Verdict::AcceptH1 => "H1, better",
            Verdict::AcceptH0 => "H0, not better",
            Verdict::Continue => "undecided",
        }
    )
}

/// The verdict of the sequential test.
fn sequential(data: &ReportData) -> Option<Headline> {
    let sprt = data.only_sprt()?;
    let (pairs, counts) = data.pairs.last()?;
    let llr = sprt.llr(counts);
    let (tone, meaning) = match sprt.verdict(llr) {
        Verdict::AcceptH1 => (Tone::Good, "H1 is accepted: the gain is real"),
        Verdict::AcceptH0 => (Tone::Bad, "H0 is accepted: no such gain"),
        Verdict::Continue => (Tone::Open, "no verdict yet"),
    };
    let text = format!(
        "SPRT of [{}, {}] {} Elo after {}: LLR {llr:.2} ({:.2}, {:.2}), {meaning}.",
        sprt.elo0(),
        sprt.elo1(),
        sprt.model().name(),
        counted(*pairs, "pair"),
        sprt.lower_bound(),
        sprt.upper_bound()
    );
    Some(Headline::new(tone, text))
}

/// The most letters of names in a headline.
const MOST_LETTERS: usize = 48;

/// With fewer different games than this share, intervals say nothing about strength.
const ENOUGH_DIFFERENT: f64 = 0.5;

/// Who is strongest, as far as that is known.
pub fn leader(data: &ReportData) -> Option<Headline> {
    let [first, second, ..] = data.ladder() else {
        return None;
    };
    let repeats = &data.repeats;
    if repeats.effective_games() < ENOUGH_DIFFERENT * repeats.games() as f64 {
        let text = format!(
            "Too few different games to say who is stronger: {} are distinct, and tell as much as {:.0}. Use \
             more openings.",
            counted(repeats.distinct_games(), "game"),
            repeats.effective_games()
        );
        return Some(Headline::new(Tone::Open, text));
    }
    let (leader, next) = (&first.name, &second.name);
    let score = score_text(&first.score);
    let figure = elo_text(&data.lead()?);
    Some(match data.standings.leaders()[..] {
        [_] => {
            let text = format!(
                "{leader} is the strongest: it scores {score} and stands {figure} Elo above {next} \
                 (95 % interval)."
            );
            Headline::new(Tone::Good, text)
        }
        [_, _] => {
            let text = format!(
                "No clear winner: {leader}, with {score}, and {next} are {figure} Elo apart \
                 (95 % interval)."
            );
            Headline::new(Tone::Open, text)
        }
        ref level => {
            let text = format!(
                "No clear winner among {}: {leader} scores {score} and stands {figure} Elo above {next} \
                 (95 % interval).",
                level_names(level)
            );
            Headline::new(Tone::Open, text)
        }
    })
}

/// The players that none is proven to beat: by name if there are few and their names are short.
pub fn level_names(level: &[&Standing]) -> String {
    let names: Vec<String> = level.iter().map(|it| short(&it.name)).collect();
    let letters: usize = names.iter().map(|name| name.chars().count()).sum();
    match letters {
        ..=MOST_LETTERS => listed(&names),
        _ if names.len() == 2 => listed(&names),
        _ => format!("the first {} players", names.len()),
    }
}

/// The headline of a chart of results: `clear` where there is a winner, who is level otherwise.
pub fn winner_or_level(data: &ReportData, clear: impl FnOnce(&Standing) -> String) -> String {
    match data.standings.leaders()[..] {
        [] => "No games".to_string(),
        [winner] => clear(winner),
        ref level => format!("No clear winner: {} are level", level_names(level)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Basis, Estimate};

    fn row(low: f64, high: f64, verdict: Verdict) -> ValidationRow {
        ValidationRow {
            opponent: START.to_string(),
            limit: "depth 5".to_string(),
            directory: "validation-start".to_string(),
            pairs: 60,
            elo: Estimate {
                value: Some((low + high) / 2.0),
                low: Some(low),
                high: Some(high),
                basis: Basis::Normal,
            },
            los: None,
            llr: 0.0,
            verdict,
        }
    }

    #[test]
    fn a_failed_run_says_so_first() {
        let tone = |rows: &[ValidationRow]| of_tuning(rows).tone;
        let gain = row(5.0, 15.0, Verdict::AcceptH1);
        assert_eq!(tone(std::slice::from_ref(&gain)), Tone::Good);
        let refuted = row(-5.0, 5.0, Verdict::AcceptH0);
        assert_eq!(tone(&[gain, refuted]), Tone::Bad);
        assert_eq!(tone(&[row(-20.0, -5.0, Verdict::Continue)]), Tone::Bad);
        assert_eq!(tone(&[row(-20.0, 50.0, Verdict::Continue)]), Tone::Open);
        assert!(of_tuning(&[]).text.starts_with("Not validated"));
    }
}
