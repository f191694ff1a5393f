//! Score against a swept value, with its interval, one line per player.

use super::sample;
use crate::record::Setting;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{LineChart, Series};
use crate::report::share::{in_percent, share_lines};
use crate::report::swept::{Sweep, sweeps};
use crate::report::theme;
use crate::report::wording::{counted, score_text, short};
use crate::stats::Estimate;

/// A player's score at one value.
struct SweepPoint {
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

    /// The headline: the best value, and whether it is significantly better than others.
    fn title(&self) -> String {
        let best = |curve: &Curve| -> Option<(usize, f64)> {
            let values = curve.points.iter().enumerate();
            values
                .filter_map(|(index, at)| Some((index, at.score.value?)))
                .max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let top = self
            .curves
            .iter()
            .filter_map(|curve| best(curve).map(|(index, score)| (curve, index, score)))
            .max_by(|a, b| a.2.total_cmp(&b.2));
        let Some((curve, index, _)) = top else {
            return format!("Score against {}", self.key);
        };
        let at = &curve.points[index];
        let rivals = curve.points.iter().enumerate();
        let close = rivals
            .filter(|(other, rival)| *other != index && rival.score.high >= at.score.low)
            .count();
        let name = short(&curve.name);
        let figure = score_text(&at.score);
        if close == 0 {
            format!("{name} is best at {} = {}: {figure}", self.key, at.value)
        } else {
            format!(
                "{name} scores most at {} = {}: {figure}, but {} may be as good",
                self.key,
                at.value,
                counted(close as u64, "other value")
            )
        }
    }
}

pub fn plan(data: &ReportData) -> Option<ChartPlan> {
    let curves = Curves::of(data)?;
    let series = curves
        .curves
        .iter()
        .enumerate()
        .map(|(index, curve)| Series {
            name: curve.name.clone(),
            colour: theme::player(index),
            points: curve
                .points
                .iter()
                .map(|at| (at.x, in_percent(&at.score)))
                .collect(),
            band: true,
            dots: true,
            hints: curve
                .points
                .iter()
                .map(|at| {
                    format!(
                        "{} {}={}: {} in {}",
                        curve.name,
                        curves.key,
                        at.value,
                        score_text(&at.score),
                        counted(at.games, "game")
                    )
                })
                .collect(),
        });
    let chart = LineChart {
        title: curves.title(),
        subtitle: format!(
            "{}; score against all opponents met; band: 95 % interval at each value",
            sample(data)
        ),
        x_name: curves.key.clone(),
        x_ticks: ticks(&curves),
        ..share_lines(series.collect())
    };
    Some(chart.plan())
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
