//! How UCI writes what a search finds.

use super::worker::{Dialect, Task};
use crate::eval::STEPS;
use crate::search::{DepthReport, Score, SearchResult, mate_distance};

pub struct UciWords;

impl Dialect for UciWords {
    fn ready(&self) -> &'static str {
        "readyok\n"
    }

    fn depth(&self, _: &Task, report: &DepthReport<'_, String>) -> String {
        info_line(report)
    }

    fn last_line(&self, _: &Task, found: &SearchResult<String>) -> String {
        format!(
            "info depth {} score {} nodes {} pv{}\n",
            found.depth.max(1),
            score_words(found.score),
            found.nodes,
            line_words(&found.pv)
        )
    }

    fn answer(&self, _: &Task, found: &SearchResult<String>) -> String {
        let Some(best) = &found.best else {
            let score = score_words(found.score);
            return format!("info depth 0 score {score}\nbestmove (none)\n");
        };
        let mut answer = format!("bestmove {best}");
        if let [_, reply, ..] = &found.pv[..] {
            answer.push_str(&format!(" ponder {reply}"));
        }
        answer.push('\n');
        answer
    }
}

/// A score in UCI format: centipawns, or moves to mate.
fn score_words(score: Score) -> String {
    match mate_distance(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", (f64::from(score) / f64::from(STEPS)).round()),
    }
}

fn info_line(report: &DepthReport<'_, String>) -> String {
    let mut line = format!(
        "info depth {} seldepth {} score {} nodes {} nps {} time {}",
        report.depth,
        report.selective_depth,
        score_words(report.score),
        report.nodes,
        report.nodes_per_second(),
        report.elapsed.as_millis()
    );
    if let Some(permille) = report.table_permille {
        line.push_str(&format!(" hashfull {permille}"));
    }
    line.push_str(" pv");
    line.push_str(&line_words(report.pv));
    line.push('\n');
    line
}

/// Moves with a blank before each.
fn line_words(moves: &[String]) -> String {
    moves.iter().map(|text| format!(" {text}")).collect()
}
