//! Runs in stages: the results of a stage, the outcome, and whether a run can be extended.

use std::path::Path;

use super::table::TextTable;
use super::{Done, Failure};
use crate::config::Loaded;
use crate::play::{Closed, Director, PlayerSpec, Stages};
use crate::record::{Manifest, Standings};
use crate::report::{RaceWords, counted, elo_text};
use crate::stats::{Race, Verdict};

/// More pairings are not listed.
const MOST_ROWS: usize = 40;

/// Longer stages are not listed.
const MOST_MEETINGS: usize = 16;

/// The results of a round; `None` for stages that are no rounds.
pub fn words(
    closed: &Closed,
    director: &Director,
    stages: &Stages,
    players: &[PlayerSpec],
) -> Option<String> {
    if let Some(race) = director.race() {
        let words = race_words(race, players);
        return words.round(race.rounds().len().checked_sub(1)?);
    }
    if !stages.format.depends_on_results() || closed.meetings.len() > MOST_MEETINGS {
        return None;
    }
    let name = |index: usize| players[index].name.as_str();
    let meetings = closed.meetings.iter().map(|meeting| {
        let [own, other] = meeting.points.map(game_points);
        let (first, second) = (name(meeting.pairing.first), name(meeting.pairing.second));
        format!("{first} {own} - {other} {second}")
    });
    let mut words: Vec<String> = meetings.collect();
    words.extend(closed.bye.map(|player| format!("bye: {}", name(player))));
    Some(format!("round over: {}", words.join("; ")))
}

/// Points of games as players count them: a win is 1.
fn game_points(points: u64) -> String {
    let half = if points.is_multiple_of(2) { "" } else { ".5" };
    format!("{}{half}", points / 2)
}

fn race_words<'r>(race: &'r Race, players: &'r [PlayerSpec]) -> RaceWords<'r> {
    let names = players.iter().map(|player| player.name.as_str());
    RaceWords {
        race,
        names: names.collect(),
    }
}

/// The players of a race, as they went out, and its outcome.
fn race_result(race: &Race, players: &[PlayerSpec]) -> String {
    let words = race_words(race, players);
    let table = words.table();
    let header: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    let mut text = TextTable::new(3, &header);
    for row in table.rows {
        text.row(row.into_iter().map(|cell| cell.text).collect());
    }
    let sentences = words.sentences().join("\n");
    format!("{}{}\n{sentences}\n", text.text(), words.headline())
}

/// The outcome of a race, a knockout or a Swiss tournament; empty for other runs.
pub fn result(director: &Director, players: &[PlayerSpec]) -> String {
    if let Some(race) = director.race() {
        return race_result(race, players);
    }
    if let Some(winner) = director.winner() {
        return format!("winner: {}\n", players[winner].name);
    }
    let Some(table) = director.swiss() else {
        return String::new();
    };
    let header = ["place", "player", "match points", "game points", "byes"];
    let mut text = TextTable::new(2, &header);
    for (place, (player, score)) in table.into_iter().enumerate() {
        text.row(vec![
            (place + 1).to_string(),
            players[player].name.clone(),
            game_points(score.match_points),
            game_points(score.game_points),
            score.byes.to_string(),
        ]);
    }
    text.text()
}

/// How many pairings of a run with more than two players were decided.
pub fn decided(loaded: &Loaded, standings: &Standings) -> String {
    let Some(sprt) = &loaded.sprt else {
        return String::new();
    };
    let verdicts = standings.pairings.iter().filter_map(|it| it.verdict);
    let open = verdicts.filter(|verdict| *verdict == Verdict::Continue);
    let all = standings.pairings.len();
    let how = match loaded.manifest.family() {
        Some(_) => "error rates of all together",
        None => "each by itself",
    };
    let mut text = TextTable::new(2, &["player", "opponent", "pairs", "Elo", "LLR", "verdict"]);
    for pairing in &standings.pairings {
        let elo = &pairing.summary.elo;
        text.row(vec![
            pairing.player.clone(),
            pairing.opponent.clone(),
            pairing.pairs.pairs().to_string(),
            elo_text(elo),
            pairing
                .llr
                .map_or_else(String::new, |llr| format!("{llr:.2}")),
            pairing.verdict.map_or("", Verdict::name).to_string(),
        ]);
    }
    // Without all rows of a large round-robin: they are in the file.
    let text = match all {
        ..=MOST_ROWS => text.text(),
        _ => String::new(),
    };
    format!(
        "{text}SPRT {}: {} of {} decided, {how}; see the column verdict of pairings.csv\n",
        sprt.model().name(),
        all - open.count(),
        counted(all as u64, "pairing")
    )
}

/// A run can be extended where that leaves the games that were played as they are, and never shortened.
pub fn refuse_other_pairs(directory: &Path, stages: &Stages) -> Done {
    // Other errors of the manifest are reported when the run is opened.
    let Ok(Some(manifest)) = Manifest::read_if_there(directory) else {
        return Ok(());
    };
    let (there, pairs) = (manifest.schedule.pairs, stages.pairs_each);
    if manifest.schedule.format != stages.format.name() || stages.extends(there) {
        return Ok(());
    }
    let remedy = if pairs < there {
        format!("and {pairs} are fewer; give pairs = {there} or more")
    } else {
        // Later pairings follow from these results.
        format!("and what it plays next depends on that; give pairs = {there}")
    };
    Err(Failure::bad_input(format!(
        "{}: a run of {there} pairs per pairing, {remedy}, another --out, or --fresh to start over",
        directory.display()
    )))
}
