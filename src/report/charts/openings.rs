//! The leader's results by opening: its score with white and with black. OpeningsChart that decide the
//! game are in the lower right or the upper left corner.

use super::{colour, sample};
use crate::report::canvas::{Anchor, ChartPlan, Stroke, Style};
use crate::report::data::ReportData;
use crate::report::font::{fit, fit_name};
use crate::report::frame::{Ticks, axis_below, axis_left, heading};
use crate::report::scale::Scale;
use crate::report::theme::{self, Colour};
use crate::report::wording::{counted, decimal, percent, short};

/// OpeningsChart with the same results of the leader.
struct Spot {
    white: f64,
    black: f64,
    openings: u64,
}

struct OpeningsChart {
    leader: String,
    colour: Colour,
    spots: Vec<Spot>,
    openings: u64,
}

impl OpeningsChart {
    fn of(data: &ReportData) -> Option<OpeningsChart> {
        let leader = data.ladder().first()?.player;
        let mut spots: Vec<Spot> = Vec::new();
        let mut openings = 0;
        for (white, black) in data.openings.iter().filter_map(|scores| scores.shares()) {
            openings += 1;
            match spots
                .iter_mut()
                .find(|spot| (spot.white, spot.black) == (white, black))
            {
                Some(spot) => spot.openings += 1,
                None => spots.push(Spot {
                    white,
                    black,
                    openings: 1,
                }),
            }
        }
        // Larger dots first, so that they do not hide smaller ones.
        spots.sort_by(|a, b| {
            let key = |spot: &Spot| (std::cmp::Reverse(spot.openings), spot.white, spot.black);
            key(a)
                .partial_cmp(&key(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        // Not for a single opening.
        (openings > 1).then(|| OpeningsChart {
            leader: data.name(leader).to_string(),
            colour: colour(data, leader),
            spots,
            openings,
        })
    }

    /// The share of openings that satisfy a condition.
    fn share(&self, holds: impl Fn(&Spot) -> bool) -> f64 {
        let found: u64 = self
            .spots
            .iter()
            .filter(|spot| holds(spot))
            .map(|spot| spot.openings)
            .sum();
        found as f64 / self.openings as f64
    }

    fn title(&self) -> String {
        format!(
            "{} gains in {} of the openings and loses in {}",
            short(&self.leader),
            percent(self.share(|spot| spot.white + spot.black > 1.0)),
            percent(self.share(|spot| spot.white + spot.black < 1.0))
        )
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let chart = OpeningsChart::of(data)?;
    let mut plan = ChartPlan::new(width, 0.0);
    let lopsided = chart.share(|spot| (spot.white - spot.black).abs() == 1.0);
    let subtitle = format!(
        "{}; {}, dot size = number of openings; one colour won both games in {} of them",
        sample(data),
        counted(chart.openings, "opening"),
        percent(lopsided)
    );
    let top = heading(&mut plan, &chart.title(), &subtitle) + 36.0;
    let beside = width >= theme::WIDTH;
    let left = plan.margin() + 46.0;
    let side = (width - left - plan.margin() - 10.0).min(420.0);
    let x = Scale::linear((-8.0, 108.0), (left, left + side));
    let y = Scale::linear((-8.0, 108.0), (top + side, top));
    let ticks = || {
        let values = vec![0.0, 25.0, 50.0, 75.0, 100.0];
        let texts = values.iter().map(|value| format!("{value:.0} %"));
        Ticks {
            texts: texts.collect(),
            values,
        }
    };
    let name = |side: &str| {
        format!(
            "share of {}'s points with {side}",
            short_label(&chart.leader)
        )
    };
    axis_left(&mut plan, &y, &ticks(), (left, left + side), &name("black"));
    let ends = (top, top + side);
    plan.height = axis_below(&mut plan, &x, &ticks(), ends, &name("white"));
    // On this line the leader scores 50 %.
    let level = [(x.at(0.0), y.at(100.0)), (x.at(100.0), y.at(0.0))];
    plan.line(level[0], level[1], Stroke::dashed(theme::RULE, 1.5));
    let most = chart
        .spots
        .iter()
        .map(|spot| spot.openings)
        .max()
        .unwrap_or(1);
    for spot in &chart.spots {
        let radius = (26.0 * (spot.openings as f64 / most as f64).sqrt()).max(3.0);
        let at = (x.at(100.0 * spot.white), y.at(100.0 * spot.black));
        plan.dot(at, radius, chart.colour, theme::BACKGROUND)
            .hint(format!(
                "{}: {} % with white, {} % with black",
                counted(spot.openings, "opening"),
                decimal(100.0 * spot.white, 0),
                decimal(100.0 * spot.black, 0)
            ));
    }
    if beside {
        legend(&mut plan, &chart, left + side + 36.0, top);
    } else {
        legend_below(&mut plan, &chart);
    }
    Some(plan)
}

fn short_label(name: &str) -> String {
    fit_name(name, theme::SMALL_SIZE, false, 200.0)
}

/// What the corners mean, with their shares.
fn corners(chart: &OpeningsChart, leader: &str) -> [([String; 2], String); 4] {
    let corner = |white: f64, black: f64| {
        percent(chart.share(|spot| (spot.white, spot.black) == (white, black)))
    };
    let words = |place: &str, what: &str| [place.to_string(), what.to_string()];
    [
        (
            [
                format!("upper right: {leader}"),
                "wins with both colours".to_string(),
            ],
            corner(1.0, 1.0),
        ),
        (
            words("lower right: white wins", "both games"),
            corner(1.0, 0.0),
        ),
        (
            words("upper left: black wins", "both games"),
            corner(0.0, 1.0),
        ),
        (
            words("lower left: the others", "win with both colours"),
            corner(0.0, 0.0),
        ),
    ]
}

const ABOVE: [&str; 2] = ["above the dashed line:", "more than half the points"];

/// The legend of the corners from `left` on.
fn legend(plan: &mut ChartPlan, chart: &OpeningsChart, left: f64, top: f64) {
    let right = plan.width - plan.margin();
    let leader = fit_name(&chart.leader, theme::SMALL_SIZE, false, right - left - 90.0);
    let above = (ABOVE.map(str::to_string), String::new());
    for (index, (texts, share)) in corners(chart, &leader)
        .into_iter()
        .chain([above])
        .enumerate()
    {
        let y = top + 12.0 + 50.0 * index as f64;
        plan.text((left, y), &texts[0], Anchor::Left, Style::SMALL);
        plan.text((left, y + 19.0), &texts[1], Anchor::Left, Style::SMALL);
        let style = Style::SMALL.coloured(theme::INK);
        plan.text((right, y + 19.0), &share, Anchor::Right, style);
    }
}

/// The same below the chart, a line for each corner.
fn legend_below(plan: &mut ChartPlan, chart: &OpeningsChart) {
    let (left, right) = (plan.margin(), plan.width - plan.margin());
    let room = right - left - 60.0;
    let leader = fit_name(&chart.leader, theme::SMALL_SIZE, false, room - 220.0);
    let above = (ABOVE.map(str::to_string), String::new());
    for (texts, share) in corners(chart, &leader).into_iter().chain([above]) {
        let y = plan.height + 8.0;
        let room = if share.is_empty() { right - left } else { room };
        let text = fit(&texts.join(" "), theme::SMALL_SIZE, false, room);
        plan.text((left, y), &text, Anchor::Left, Style::SMALL);
        let style = Style::SMALL.coloured(theme::INK);
        plan.text((right, y), &share, Anchor::Right, style);
        plan.height += 20.0;
    }
    plan.height += 10.0;
}
