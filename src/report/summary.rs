//! The summary text of a run below its headline, for the page and for Markdown.

use std::collections::HashMap;

use super::data::ReportData;
use super::race::race_words;
use super::verdict::leader;
use super::wording::{counted, listed, percent, score_text};
use crate::record::PlayerEntry;

/// What was played and the results, in a few sentences.
pub fn sentences(data: &ReportData) -> Vec<String> {
    let mut sentences = Vec::new();
    sentences.extend(what_was_tuned(data));
    if data.tally.game_count() == 0 {
        return sentences;
    }
    sentences.push(what_was_played(data));
    // Without a test, the leader is in the headline.
    if data.only_sprt().is_some() {
        sentences.extend(leader(data).map(|headline| headline.text));
    }
    if let Some(race) = race_words(data) {
        sentences.extend(race.sentences());
    }
    sentences.extend(about_the_games(data));
    sentences.extend(warnings(data));
    sentences
}

fn what_was_tuned(data: &ReportData) -> Option<String> {
    let tuning = data.tuning.as_ref()?;
    if tuning.figure("rate").is_some() {
        let steps = counted(tuning.iterations(), "step");
        return Some(format!(
            "A net trained in {steps}. Loss is not strength: the validation matches decide."
        ));
    }
    let parameters = counted(tuning.names().len() as u64, "parameter");
    let steps = counted(tuning.iterations(), "iteration");
    let games = match tuning.games() {
        0 => String::new(),
        games => format!(" with {}", counted(games, "game")),
    };
    Some(format!("{parameters} tuned in {steps}{games}."))
}

fn what_was_played(data: &ReportData) -> String {
    let games = counted(data.tally.game_count(), "game");
    let of = data
        .game()
        .map_or(String::new(), |game| format!(" of {game}"));
    let players = counted(data.ladder().len() as u64, "player");
    let pairs = if data.paired() {
        let pairs = counted(data.tally.pair_count(), "opening pair");
        format!(", in {pairs} with colours swapped")
    } else {
        String::new()
    };
    let repeats = &data.repeats;
    let openings = counted(repeats.distinct_openings(), "distinct opening");
    let mut text = format!("{players} played {games}{of}{pairs}, from {openings}");
    if repeats.repeated() > 0 {
        text.push_str(&format!(
            "; {} are distinct, the effective sample size is {:.0} games",
            counted(repeats.distinct_games(), "game"),
            repeats.effective_games()
        ));
    }
    text + "."
}

fn about_the_games(data: &ReportData) -> Option<String> {
    let white = score_text(&data.white_summary().score);
    let mut text = format!("White scored {white}");
    let games = data.tally.game_count() as f64;
    let draws = percent(data.white.draws as f64 / games);
    text.push_str(&format!("; {draws} of the games were drawn"));
    let pairs = data.white_pairs.pairs();
    if pairs > 0 {
        let [black_won, .., white_won] = data.white_pairs.to_array();
        let share = percent((black_won + white_won) as f64 / pairs as f64);
        text.push_str(&format!(
            "; one colour won both games of {share} of the pairs"
        ));
    }
    let most = data.endings.iter().max_by_key(|(_, counts)| counts.total());
    if let Some((ending, counts)) = most {
        let share = percent(counts.total() as f64 / games);
        text.push_str(&format!("; {share} ended by {ending}"));
    }
    text.push('.');
    Some(text)
}

/// Caveats about the figures.
fn warnings(data: &ReportData) -> Vec<String> {
    let mut sentences = Vec::new();
    let groups = data.group_count();
    if groups > 1 {
        sentences.push(format!(
            "The players fall into {groups} groups that never met: ratings of different groups \
             cannot be compared."
        ));
    }
    if !data.paired() {
        sentences.push(
            "Some games belong to no complete pair: intervals treat the games as independent."
                .to_string(),
        );
    }
    if data.repeats.repeated() > 0 {
        sentences.push(
            "Some games are exact repeats: they tell nothing new, so the intervals are too narrow. Use \
             more openings."
                .to_string(),
        );
    }
    for note in data.standings.notes() {
        sentences.push(note.trim().to_string());
    }
    for (count, what) in [
        (data.known, "that an earlier source contains"),
        (data.left_out.unfinished, "without a result"),
        (data.left_out.against_itself, "of a player against itself"),
    ] {
        if count > 0 {
            sentences.push(format!("Omitted: {} {what}.", counted(count, "game")));
        }
    }
    let changed = players_that_differ(data);
    if !changed.is_empty() {
        sentences.push(format!(
            "Not the same in all of the joined runs: {}. Their games are counted together by name.",
            listed(&changed)
        ));
    }
    sentences
}

/// Names whose players differ between joined runs.
fn players_that_differ(data: &ReportData) -> Vec<String> {
    let mut seen: HashMap<&str, &PlayerEntry> = HashMap::new();
    let mut changed: Vec<String> = Vec::new();
    let manifests = data.sources.iter().filter_map(|it| it.manifest.as_ref());
    for player in manifests.flat_map(|manifest| &manifest.players) {
        let first = *seen.entry(&player.name).or_insert(player);
        if first != player && !changed.contains(&player.name) {
            changed.push(player.name.clone());
        }
    }
    changed
}
