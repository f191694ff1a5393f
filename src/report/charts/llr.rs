//! The log-likelihood ratio of the SPRT by pairs played, with its bounds.

use super::sample;
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::lines::{Interval, Join, LineChart, Mark, Series};
use crate::report::scale::Spread;
use crate::report::theme;
use crate::report::wording::{counted, decimal, short};
use crate::stats::{Basis, Estimate, Sprt, Verdict};

struct Test {
    sprt: Sprt,
    player: String,
    opponent: String,
    /// Pairs played, and the ratio after them.
    points: Vec<(u64, f64)>,
}

impl Test {
    fn of(data: &ReportData) -> Option<Test> {
        let sprt = data.only_sprt()?;
        let [pairing] = data.tally.pairings() else {
            return None;
        };
        let mut points = vec![(0, 0.0)];
        let kept = data.pairs.points();
        points.extend(
            kept.iter()
                .map(|(pairs, counts)| (*pairs, sprt.llr(counts))),
        );
        (points.len() > 1).then(|| Test {
            sprt,
            player: data.name(pairing.first).to_string(),
            opponent: data.name(pairing.second).to_string(),
            points,
        })
    }

    fn title(&self) -> String {
        let (pairs, llr) = self.points.last().copied().unwrap_or((0, 0.0));
        let pairs = counted(pairs, "pair");
        let (player, opponent) = (short(&self.player), short(&self.opponent));
        match self.sprt.verdict(llr) {
            Verdict::AcceptH1 => format!("{player} passes against {opponent} after {pairs}"),
            Verdict::AcceptH0 => format!("{player} fails against {opponent} after {pairs}"),
            Verdict::Continue => format!("No verdict after {pairs}: LLR {}", decimal(llr, 2)),
        }
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let test = Test::of(data)?;
    let sprt = &test.sprt;
    let exact = |value: f64| Estimate {
        value: Some(value),
        low: None,
        high: None,
        basis: Basis::Normal,
    };
    let points = test
        .points
        .iter()
        .map(|(pairs, llr)| (*pairs as f64, exact(*llr)));
    let chart = LineChart {
        title: test.title(),
        subtitle: format!(
            "{}; SPRT of {} against {}: H0 {} against H1 {} Elo ({}), risks {} and {}",
            sample(data),
            short(&test.player),
            short(&test.opponent),
            sprt.elo0(),
            sprt.elo1(),
            sprt.model().name(),
            sprt.alpha(),
            sprt.beta()
        ),
        x_name: "opening pairs played".to_string(),
        y_name: "log-likelihood ratio".to_string(),
        x_spread: Spread::Linear,
        y_include: vec![sprt.lower_bound() - 0.3, sprt.upper_bound() + 0.3],
        y_limits: (f64::NEG_INFINITY, f64::INFINITY),
        y_text: |value| decimal(value, 1),
        series: vec![Series {
            name: format!("LLR {}", decimal(test.points.last()?.1, 2)),
            colour: theme::INK,
            points: points.collect(),
            interval: Interval::Hidden,
            join: Join::Line,
            dots: Vec::new(),
        }],
        marks: vec![
            Mark {
                value: sprt.upper_bound(),
                text: format!("H1 accepted at {}", decimal(sprt.upper_bound(), 2)),
            },
            Mark {
                value: sprt.lower_bound(),
                text: format!("H0 accepted at {}", decimal(sprt.lower_bound(), 2)),
            },
        ],
        x_ticks: None,
    };
    Some(chart.plan(width))
}
