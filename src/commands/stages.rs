//! Runs in stages: the results of a stage, the outcome, and whether a run can be extended.

use std::path::Path;

use super::table::TextTable;
use super::{Done, Failure};
use crate::config::Loaded;
use crate::play::{Closed, Director, PlayerSpec, Stages};
use crate::record::{Manifest, Standings};
use crate::report::counted;
use crate::stats::Verdict;

/// Longer stages are not listed.
const MOST_MEETINGS: usize = 16;

/// The results of a round; `None` for stages that are no rounds.
pub fn words(closed: &Closed, stages: &Stages, players: &[PlayerSpec]) -> Option<String> {
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

/// The outcome of a knockout or Swiss tournament; empty for other runs.
pub fn result(director: &Director, players: &[PlayerSpec]) -> String {
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
    let verdicts = standings.pairings.iter();
    let verdicts = verdicts.map(|pairing| sprt.verdict(sprt.llr(&pairing.pairs)));
    let open = verdicts.filter(|verdict| *verdict == Verdict::Continue);
    let all = standings.pairings.len();
    format!(
        "SPRT {}: {} of {} decided, each by itself; see the column llr of pairings.csv\n",
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
