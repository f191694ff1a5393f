//! Score against a swept value, with its interval, one line per player.

use super::{colour, sample};
use crate::record::Setting;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Dot, Interval, Join, LineChart, Series};
use crate::report::share::{in_percent, level_with_the_best, share_lines};
use crate::report::swept::{Sweep, sweeps};
use crate::report::theme;
use crate::report::wording::{counted, listed, parameter, score_text, short};
use crate::stats::Estimate;

/// A player's score at one value.
struct SweepPoint {
    player: usize,
    x: f64,
    value: String,
    score: Estimate,
    games: u64,
}

struct Curve {
    name: String,
    points: Vec<SweepPoint>,
}

struct Curves {
    key: String,
    curves: Vec<Curve>,
    /// Labels for values that are not numbers.
    words: Option<Vec<(f64, String)>>,
}

impl Curves {
    /// The sweeps over the key that most players have.
    fn of(data: &ReportData) -> Option<Curves> {
        let all = sweeps(data, 1);
        let key = all
            .iter()
            .max_by_key(|sweep| sweep.players.len())
            .map(|sweep| sweep.keys[0].clone())?;
        let same: Vec<&Sweep> = all.iter().filter(|sweep| sweep.keys[0] == key).collect();
        let mut values: Vec<Setting> = Vec::new();
        for value in same.iter().flat_map(|sweep| sweep.values(0)) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let numeric = values.iter().all(|value| value.number().is_some());
        let place = |value: &Setting| match value.number().filter(|_| numeric) {
            Some(number) => number,
            None => values.iter().position(|known| known == value).unwrap_or(0) as f64,
        };
        let curve = |sweep: &&Sweep| {
            let mut points: Vec<SweepPoint> = sweep
                .players
                .iter()
                .map(|swept| {
                    let summary = data.tally.players()[swept.player].summary();
                    SweepPoint {
                        player: swept.player,
                        x: place(&swept.values[0]),
                        value: swept.values[0].to_string(),
                        score: summary.score,
                        games: summary.games,
                    }
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Curve {
                name: sweep.base.clone(),
                points,
            }
        };
        let words = || {
            values
                .iter()
                .map(|value| (place(value), value.to_string()))
                .collect()
        };
        Some(Curves {
            curves: same.iter().map(curve).collect(),
            words: (!numeric).then(words),
            key,
        })
    }

    /// The headline: the best value if there is one, otherwise the values that are level.
    fn title(&self) -> String {
        let value = |at: &SweepPoint| at.score.value.unwrap_or(f64::NEG_INFINITY);
        let best = |curve: &&Curve| curve.points.iter().map(value).fold(f64::MIN, f64::max);
        let key = parameter(&self.key);
        let Some(curve) = self
            .curves
            .iter()
            .max_by(|a, b| best(a).total_cmp(&best(b)))
        else {
            return format!("Score against {key}");
        };
        let whose = match self.curves.len() {
            1 => String::new(),
            _ => format!("{}: ", short(&curve.name)),
        };
        let points: Vec<&SweepPoint> = curve.points.iter().collect();
        let scores: Vec<Estimate> = points.iter().map(|at| at.score).collect();
        let level = level_with_the_best(&scores);
        if let [one] = level[..] {
            let (value, figure) = (&points[one].value, score_text(&points[one].score));
            return format!("{whose}{key} = {value} scores best: {figure}");
        }
        if level.len() == points.len() {
            return format!("{whose}No value of {key} is clearly better than another");
        }
        let names: Vec<String> = level.iter().map(|at| points[*at].value.clone()).collect();
        let names = match names.len() {
            ..=5 => listed(&names),
            many => format!("{many} of {} values", points.len()),
        };
        format!("{whose}No clear best {key}: {names} score alike")
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let curves = Curves::of(data)?;
    let single = curves.curves.len() == 1;
    let series = curves.curves.iter().enumerate().map(|(index, curve)| {
        let dots = curve.points.iter().map(|at| Dot {
            hint: format!(
                "{} {}={}: {} in {}",
                curve.name,
                curves.key,
                at.value,
                score_text(&at.score),
                counted(at.games, "game")
            ),
            colour: match single {
                true => colour(data, at.player),
                false => theme::player(index),
            },
        });
        Series {
            name: curve.name.clone(),
            colour: theme::player(index),
            points: curve
                .points
                .iter()
                .map(|at| (at.x, in_percent(&at.score)))
                .collect(),
            interval: Interval::Bars,
            join: if single { Join::Guide } else { Join::Line },
            dots: dots.collect(),
        }
    });
    let chart = LineChart {
        title: curves.title(),
        subtitle: format!(
            "{}; score against all opponents met; bars: 95 % intervals",
            sample(data)
        ),
        x_name: curves.key.clone(),
        x_ticks: ticks(&curves),
        ..share_lines(series.collect())
    };
    Some(chart.plan(width))
}

/// Labels, or the swept numbers themselves if there are few.
fn ticks(curves: &Curves) -> Option<Vec<(f64, String)>> {
    if curves.words.is_some() {
        return curves.words.clone();
    }
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for at in curves.curves.iter().flat_map(|curve| &curve.points) {
        if !ticks.iter().any(|(x, _)| *x == at.x) {
            ticks.push((at.x, at.value.clone()));
        }
    }
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (ticks.first()?.0, ticks.last()?.0);
    // Label evenly spaced values; other labels could overlap.
    let even = (last - first) / (ticks.len() - 1).max(1) as f64;
    let regular = ticks
        .windows(2)
        .all(|pair| pair[1].0 - pair[0].0 > 0.6 * even);
    (regular && ticks.len() <= 12).then_some(ticks)
}
