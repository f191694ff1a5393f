//! Scores during the run, by number of games.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::{ReportData, Snapshot};
use crate::report::lines::{Interval, Join, LineChart, Series};
use crate::report::share::{in_percent, share_lines};
use crate::report::theme::{self, Colour};
use crate::report::verdict::level_names;
use crate::report::wording::{counted, score_text, short};
use crate::stats::{Estimate, Sample};

struct ScorePath {
    name: String,
    colour: Colour,
    points: Vec<(u64, Estimate)>,
}

struct ProgressChart {
    paths: Vec<ScorePath>,
    players: usize,
}

/// Fewer games show only noise.
const FEWEST: u64 = 4;

fn score(snapshot: &Snapshot) -> Estimate {
    if snapshot.pairs.games() == snapshot.games.games() {
        snapshot.pairs.score_estimate()
    } else {
        snapshot.games.score_estimate()
    }
}

impl ProgressChart {
    fn of(data: &ReportData) -> Option<ProgressChart> {
        let shown = match data.ladder().len() {
            // The opponent's line would be the mirror image.
            2 => 1,
            many => many.min(theme::DISTINCT),
        };
        let path = |player: usize| {
            let all = data.progress[player].points();
            let last = all.last().map_or(0, |(games, _)| *games);
            // Half a pair shows the colours more than the players.
            let whole = all.iter().filter(|(games, state)| {
                *games == last || !data.paired() || state.pairs.games() == *games
            });
            let points = whole
                .filter(|(games, _)| *games >= FEWEST)
                .map(|(games, state)| (*games, score(state)));
            ScorePath {
                name: data.name(player).to_string(),
                colour: colour(data, player),
                points: points.collect(),
            }
        };
        let leaders = data.ladder().iter().take(shown);
        let paths: Vec<ScorePath> = leaders.map(|standing| path(standing.player)).collect();
        let enough = paths.iter().any(|path| path.points.len() > 1);
        enough.then_some(ProgressChart {
            paths,
            players: data.ladder().len(),
        })
    }

    /// The headline: since when the leader's score has stayed within its final interval.
    fn title(&self, data: &ReportData) -> String {
        let level = data.standings.leaders();
        if level.len() > 2 {
            return format!("No clear winner so far: {} are level", level_names(&level));
        }
        let leader = &self.paths[0];
        let Some((games, last)) = leader.points.last() else {
            return "Scores during the run".to_string();
        };
        let figure = score_text(last);
        let inside =
            |(_, point): &&(u64, Estimate)| point.value >= last.low && point.value <= last.high;
        let settled = leader.points.iter().rev().take_while(inside).last();
        let since = settled.map_or(*games, |(games, _)| *games);
        format!(
            "{} scores {figure}, within that interval since game {since}",
            short(&leader.name)
        )
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let progress = ProgressChart::of(data)?;
    let series = progress
        .paths
        .iter()
        .enumerate()
        .map(|(index, path)| Series {
            name: path.name.clone(),
            colour: path.colour,
            points: path
                .points
                .iter()
                .map(|(games, score)| (*games as f64, in_percent(score)))
                .collect(),
            interval: match index {
                0 => Interval::Band,
                _ => Interval::Hidden,
            },
            join: Join::Line,
            dots: Vec::new(),
        });
    let left_out = progress.players - progress.paths.len();
    let others = match (progress.players, left_out) {
        (2, _) | (_, 0) => String::new(),
        (_, more) => format!(
            "; the best {} shown, {} omitted",
            progress.paths.len(),
            counted(more as u64, "player")
        ),
    };
    let chart = LineChart {
        title: progress.title(data),
        subtitle: format!("{}{others}; band: the leader's 95 % interval", sample(data)),
        x_name: "games of the player, in schedule order".to_string(),
        y_name: "share of the points so far".to_string(),
        ..share_lines(series.collect())
    };
    Some(chart.plan(width))
}
