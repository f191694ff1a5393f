//! How Hub writes what a search finds: scores in men, times in seconds.

use super::super::uci::worker::{Dialect, Task};
use crate::eval::STEPS;
use crate::games::hub;
use crate::search::{DepthReport, Score, SearchResult, mate_distance};

pub struct HubWords {
    /// The value of a man in the evaluator's unit.
    pub man: f64,
}

/// The score of a win in 0 plies; one that needs N plies is N hundredths less, as in Scan.
const WIN: f64 = 100.0;

impl HubWords {
    /// A score in men.
    fn score(&self, score: Score) -> String {
        let men = match mate_distance(score) {
            Some(moves) => {
                let plies = 2.0 * f64::from(moves.unsigned_abs()) - f64::from(u8::from(moves > 0));
                f64::from(moves.signum()) * (WIN - plies.min(900.0) / 100.0)
            }
            None => {
                let men = f64::from(score) / f64::from(STEPS) / self.man;
                // Not to be taken for a win.
                men.clamp(-80.0, 80.0)
            }
        };
        format!("{men:.2}")
    }

    /// A line of play in the notation of Hub, as far as its moves are legal.
    fn line(task: &Task, moves: &[String]) -> Vec<String> {
        let mut position = task.position.clone();
        let mut line = Vec::new();
        for text in moves {
            let Ok(number) = position.find_move(text) else {
                break;
            };
            let Some(text) = hub::move_text(position.as_ref(), number) else {
                break;
            };
            line.push(text);
            if !position.play(number) {
                break;
            }
        }
        line
    }
}

impl Dialect for HubWords {
    fn ready(&self) -> &'static str {
        "ready\n"
    }

    fn depth(&self, task: &Task, report: &DepthReport<'_, String>) -> String {
        let seconds = report.elapsed.as_secs_f64();
        format!(
            "info depth={} mean-depth={:.1} score={} nodes={} time={seconds:.3} nps={:.3} pv=\"{}\"\n",
            report.depth,
            f64::from(report.depth.max(report.selective_depth)),
            self.score(report.score),
            report.nodes,
            report.nodes_per_second() as f64 / 1e6,
            HubWords::line(task, report.pv).join(" ")
        )
    }

    fn last_line(&self, task: &Task, found: &SearchResult<String>) -> String {
        format!(
            "info depth={} score={} nodes={} pv=\"{}\"\n",
            found.depth.max(1),
            self.score(found.score),
            found.nodes,
            HubWords::line(task, &found.pv).join(" ")
        )
    }

    fn answer(&self, task: &Task, found: &SearchResult<String>) -> String {
        let Some(best) = &found.best else {
            return "error message=\"no legal move\"\n".to_string();
        };
        let line = match found.pv.first() == Some(best) {
            true => HubWords::line(task, &found.pv),
            false => HubWords::line(task, std::slice::from_ref(best)),
        };
        match &line[..] {
            [best, reply, ..] => format!("done move={best} ponder={reply}\n"),
            [best] => format!("done move={best}\n"),
            [] => "error message=\"no legal move\"\n".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn scores_are_in_men_and_wins_are_near_a_hundred() {
        let words = HubWords { man: 2.0 };
        assert_eq!(words.score(3 * STEPS), "1.50");
        assert_eq!(words.score(-1000 * STEPS), "-80.00");
        assert_eq!(words.score(MATE - 3), "99.97");
        assert_eq!(words.score(4 - MATE), "-99.96");
    }
}
