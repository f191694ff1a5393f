//! The state of a run: one row of the list.

use std::time::Duration;

use serde::Serialize;

use super::folder;
use super::jobs::Jobs;
use super::watched::Watched;
use crate::record::{Manifest, Setting, TuningEntry};
use crate::report::grouped;
use crate::tune::{Feed, TunerRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Running,
    Interrupted,
    Finished,
    /// It ended with an error.
    Failed,
    /// Its files cannot be read.
    Damaged,
}

/// A row of the list, with everything as text that has a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEntry {
    pub id: String,
    pub name: String,
    /// `match` or `tune`.
    pub kind: &'static str,
    pub method: Option<String>,
    pub game: String,
    pub players: usize,
    pub seed: Option<u64>,
    pub state: RunState,
    /// Why it failed or cannot be read.
    pub error: Option<String>,
    pub games: u64,
    /// Games of the whole schedule or budget; with an SPRT, at most.
    pub total: Option<u64>,
    pub progress: String,
    /// 0 to 1.
    pub share: Option<f64>,
    pub leader: Option<String>,
    /// Its lead over the next player in Elo, with its interval.
    pub lead: Option<String>,
    pub verdict: Option<String>,
    pub seconds_left: Option<u64>,
    pub time_left: Option<String>,
    pub modified: u64,
    /// Pairs per pairing, or games of a tuning budget: what `extend` raises.
    pub pairs: Option<u64>,
    pub can_stop: bool,
    pub can_resume: bool,
    pub can_extend: bool,
    pub has_page: bool,
    /// The share of the files that the server has read, below 1 for a moment.
    pub read: f64,
    /// Who plays it.
    pub holder: Option<String>,
    /// The runs in its directory: the games and validations of a tuning run.
    pub matches: Vec<String>,
}

pub fn entry(run: &mut Watched, jobs: &Jobs) -> RunEntry {
    let results = run.results();
    let (sealed, decided) = (results.sealed, results.decided);
    let tally_games = run
        .growing()
        .map_or(0, |growing| growing.tally().game_count());
    let manifest = run.manifest();
    let is_tuning = manifest.is_some_and(|it| it.tuning.is_some());
    let tuned = run.growing().and_then(|growing| growing.tuned());
    let games = tuned.map_or(tally_games, |(_, games)| games);
    let total = manifest.and_then(|it| total_games(it, jobs.budget(run.id())));
    let is_running = run.holder().is_some() || jobs.is_running(run.id());
    let failure = jobs.outcome(run.id()).filter(|_| !is_running);
    let is_complete =
        is_tuning || decided || results.over || total.is_some_and(|total| games >= total);
    let state = if is_running {
        RunState::Running
    } else if run.error().is_some() && failure.is_none() {
        RunState::Damaged
    // Until its games are read, the page that it wrote at its end counts. A refused extension changes nothing.
    } else if sealed && (is_complete || !run.all_read()) && run.error().is_none() {
        RunState::Finished
    } else if failure.is_some() {
        RunState::Failed
    } else {
        RunState::Interrupted
    };
    let failure = failure.map(|words| match state {
        RunState::Finished => format!("it was not resumed or extended: {words}"),
        _ => words,
    });
    let left = seconds_left(run, games, total);
    let may_end_early = manifest.is_some_and(|it| it.sprt.is_some() || it.schedule.race.is_some());
    let playable = manifest.is_some() && run.error().is_none() && !is_running;
    RunEntry {
        id: run.id().to_string(),
        name: manifest.map_or_else(|| run.id().to_string(), |it| it.name.clone()),
        kind: if is_tuning { "tune" } else { "match" },
        method: manifest.and_then(|it| Some(it.tuning.as_ref()?.method.clone())),
        game: manifest.map_or_else(String::new, |it| it.game.clone()),
        players: manifest.map_or(0, |it| it.players.len()),
        seed: manifest.map(|it| it.seed),
        state,
        error: failure.or_else(|| run.error().map(str::to_string)),
        games,
        total,
        // A finished tuning run may have had another budget than that of its config.
        progress: progress(
            games,
            total.filter(|_| !is_tuning || state != RunState::Finished),
            tuned,
        ),
        share: share(state, games, total),
        leader: results.leader,
        lead: results.lead,
        verdict: results.verdict,
        seconds_left: left,
        time_left: left.map(|seconds| time_left(seconds, may_end_early)),
        modified: run.modified(),
        pairs: manifest.and_then(|it| match it.tuning {
            Some(_) => total,
            None => Some(it.schedule.pairs),
        }),
        can_stop: is_running && jobs.may_stop(run.id(), run.holder()),
        can_resume: playable && state != RunState::Finished,
        can_extend: playable && !decided,
        has_page: sealed,
        read: run.share_read(),
        holder: run.holder().map(|holder| holder.words.clone()),
        matches: matches(run, is_tuning),
    }
}

fn matches(run: &Watched, is_tuning: bool) -> Vec<String> {
    if !is_tuning {
        return Vec::new();
    }
    let below = folder::runs(run.path()).into_iter();
    let mut ids: Vec<String> = below.map(|(id, _)| format!("{}/{id}", run.id())).collect();
    ids.sort();
    ids
}

fn share(state: RunState, games: u64, total: Option<u64>) -> Option<f64> {
    let total = total.filter(|total| *total > 0)?;
    Some(match state {
        RunState::Finished => 1.0,
        _ => (games as f64 / total as f64).min(1.0),
    })
}

fn time_left(seconds: u64, may_end_early: bool) -> String {
    let words = time_words(seconds);
    match may_end_early {
        true => format!("at most {words}"),
        false => words,
    }
}

/// Whether a tuning method plays games, and is not a fit to positions.
pub fn plays_games(tuning: &TuningEntry) -> bool {
    TunerRow::find(&tuning.method).is_some_and(|row| row.feed == Feed::Games)
}

/// `extended`: the budget of a tuning run that was extended.
fn total_games(manifest: &Manifest, extended: Option<u64>) -> Option<u64> {
    let Some(tuning) = &manifest.tuning else {
        return Some(manifest.game_count());
    };
    let budget = manifest
        .settings
        .get("tune.budget")
        .and_then(Setting::number)
        .filter(|games| *games > 0.0 && plays_games(tuning));
    extended.or(budget.map(|games| games as u64))
}

fn progress(games: u64, total: Option<u64>, tuned: Option<(u64, u64)>) -> String {
    let iterations = tuned.map(|(iterations, _)| format!("{} iterations", grouped(iterations)));
    match (total, iterations) {
        (_, Some(iterations)) if games == 0 => iterations,
        (Some(total), Some(iterations)) => {
            format!(
                "{} of {} games, {iterations}",
                grouped(games),
                grouped(total)
            )
        }
        (Some(total), None) => format!("{} of {} games", grouped(games), grouped(total)),
        (None, Some(iterations)) => format!("{} games, {iterations}", grouped(games)),
        (None, None) => format!("{} games", grouped(games)),
    }
}

fn seconds_left(run: &Watched, games: u64, total: Option<u64>) -> Option<u64> {
    let speed = run.games_per_second()?;
    let left = total?.saturating_sub(games) as f64 / speed;
    Some(left.round() as u64)
}

/// A duration as a person says it.
pub fn time_words(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {:02} s", seconds % 60),
        (0, ..) => format!("{hours} h {minutes:02} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// Two entries differ enough to be sent again. Time is no news by itself.
pub fn is_news(old: &RunEntry, new: &RunEntry) -> bool {
    let coarse = |entry: &RunEntry| {
        let mut entry = entry.clone();
        entry.seconds_left = entry.seconds_left.map(|seconds| seconds / 5);
        entry.time_left = None;
        entry
    };
    coarse(old) != coarse(new)
}

/// How often lists are looked at.
pub const LIST_EVERY: Duration = Duration::from_millis(1000);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        assert_eq!(time_words(59), "59 s");
        assert_eq!(time_words(61), "1 min 01 s");
        assert_eq!(time_words(7320), "2 h 02 min");
        assert_eq!(time_words(200_000), "2 d 7 h");
    }
}
