//! Line charts: one or several series over a common axis, with bands for their intervals and their
//! names at the right end.

use super::canvas::{Anchor, ChartPlan, Point, Stroke, Style};
use super::font::{fit_name, text_width};
use super::frame::{LegendKey, Ticks, axis_below, axis_left, heading, legend, spread_out, widest};
use super::scale::{Scale, Spread, round_ends};
use super::theme::{self, Colour};
use crate::stats::Estimate;

/// How the intervals of points are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    Hidden,
    /// Of a curve.
    Band,
    /// Of independent points.
    Bars,
}

/// What connects the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Nothing,
    /// A thin line between independent points.
    Guide,
    Line,
}

/// A point that is marked.
pub struct Dot {
    pub hint: String,
    pub colour: Colour,
}

pub struct Series {
    pub name: String,
    pub colour: Colour,
    /// By the value on the horizontal axis.
    pub points: Vec<(f64, Estimate)>,
    pub interval: Interval,
    pub join: Join,
    /// For few points: a dot on each, in their order.
    pub dots: Vec<Dot>,
}

/// A horizontal reference line.
pub struct Mark {
    pub value: f64,
    pub text: String,
}

pub struct LineChart {
    pub title: String,
    pub subtitle: String,
    /// Name and unit.
    pub x_name: String,
    pub y_name: String,
    pub x_spread: Spread,
    /// Values that the vertical axis must include, and its limits.
    pub y_include: Vec<f64>,
    pub y_limits: (f64, f64),
    pub y_text: fn(f64) -> String,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
    /// Values with their labels, if the horizontal axis is not numeric.
    pub x_ticks: Option<Vec<(f64, String)>>,
}

const HEIGHT: f64 = 340.0;
const LABEL_PITCH: f64 = 17.0;

impl LineChart {
    pub fn plan(&self, width: f64) -> ChartPlan {
        let mut plan = ChartPlan::new(width, 0.0);
        let mut top = heading(&mut plan, &self.title, &self.subtitle);
        // Without room beside the lines, their names stand above.
        let above = plan.is_narrow();
        let labels = self.labels(if above { theme::DISTINCT } else { usize::MAX });
        if above && !labels.is_empty() {
            let keys = labels.iter().map(|(index, name)| LegendKey {
                colour: self.series[*index].colour,
                name,
            });
            top = legend(&mut plan, top, &keys.collect::<Vec<_>>());
        }
        let top = top + 28.0;
        let height = if plan.is_narrow() { 240.0 } else { HEIGHT };
        let bottom = top + height;
        let y = Scale::linear(self.y_range(), (bottom, top));
        let y_ticks = Ticks::along(&y, 8, self.y_text);
        let left = plan.margin()
            + widest(y_ticks.texts.iter().map(String::as_str), theme::SMALL_SIZE)
            + 12.0;
        let beside = if above { &[][..] } else { &labels[..] };
        let names = beside.iter().map(|(_, name)| name.as_str());
        let label_room = widest(names, theme::SMALL_SIZE);
        let label_room = label_room + if plan.is_narrow() { 10.0 } else { 26.0 };
        let right = plan.width - plan.margin() - label_room;
        let x = self.x_scale((left, right));
        axis_left(&mut plan, &y, &y_ticks, (left, right), &self.y_name);
        let x_ticks = match &self.x_ticks {
            Some(ticks) => apart(ticks, &x),
            None if self.counts_only() => Ticks::across(&x, short_number).whole(),
            None => Ticks::across(&x, short_number),
        };
        plan.height = axis_below(&mut plan, &x, &x_ticks, (top, bottom), &self.x_name);
        for mark in &self.marks {
            let at = y.at(mark.value);
            plan.line((left, at), (right, at), Stroke::dashed(theme::RULE, 1.5));
        }
        // The first series matter most: draw them on top.
        for series in self.series.iter().rev() {
            draw(&mut plan, series, &x, &y);
        }
        // Texts last, so that lines do not hide them.
        for mark in &self.marks {
            let above = y.at(mark.value) - 9.0;
            let at = (
                left + 6.0,
                if above < top + 4.0 {
                    above + 18.0
                } else {
                    above
                },
            );
            plan.text(at, &mark.text, Anchor::Left, Style::SMALL);
        }
        self.name_lines(&mut plan, beside, &y, (top, bottom), right);
        plan
    }

    fn y_range(&self) -> (f64, f64) {
        let values = || {
            let seen = self.series.iter().flat_map(|series| {
                let hidden = series.interval == Interval::Hidden;
                series.points.iter().flat_map(move |(_, point)| {
                    let ends = if hidden {
                        [None; 2]
                    } else {
                        [point.low, point.high]
                    };
                    [point.value, ends[0], ends[1]].into_iter().flatten()
                })
            });
            seen.chain(self.y_include.iter().copied())
        };
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        if !low.is_finite() || !high.is_finite() {
            return (0.0, 1.0);
        }
        let (low, high) = round_ends(low, high, 6);
        (low.max(self.y_limits.0), high.min(self.y_limits.1))
    }

    fn counts_only(&self) -> bool {
        let mut points = self.series.iter().flat_map(|series| &series.points);
        points.all(|(x, _)| x.fract() == 0.0)
    }

    fn x_scale(&self, ends: (f64, f64)) -> Scale {
        let values = || {
            self.series
                .iter()
                .flat_map(|series| series.points.iter().map(|(x, _)| *x))
        };
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        match self.x_spread {
            Spread::Linear => Scale::linear((low, high), ends),
            Spread::Ratio => Scale::ratio((low, high), ends),
        }
    }

    /// The lines to label, as far as there is room; the first ones matter most.
    fn labels(&self, most: usize) -> Vec<(usize, String)> {
        if self.series.len() < 2 {
            return Vec::new();
        }
        let most = ((HEIGHT / LABEL_PITCH) as usize).min(most);
        let each = self.series.iter().enumerate().take(most);
        each.map(|(index, series)| {
            (
                index,
                fit_name(&series.name, theme::SMALL_SIZE, false, 190.0),
            )
        })
        .collect()
    }

    fn name_lines(
        &self,
        plan: &mut ChartPlan,
        labels: &[(usize, String)],
        y: &Scale,
        (top, bottom): (f64, f64),
        right: f64,
    ) {
        let ends: Vec<f64> = labels
            .iter()
            .map(|(index, _)| {
                let last = self.series[*index].points.last();
                y.at(last.and_then(|(_, point)| point.value).unwrap_or(0.0))
            })
            .collect();
        let places = spread_out(&ends, LABEL_PITCH, (top, bottom));
        for (((index, name), end), place) in labels.iter().zip(&ends).zip(places) {
            let colour = self.series[*index].colour;
            let leader = vec![
                (right + 2.0, *end),
                (right + 14.0, place),
                (right + 20.0, place),
            ];
            plan.path(leader, Stroke::thin(colour));
            let style = Style::SMALL.coloured(theme::INK);
            plan.text((right + 24.0, place), name, Anchor::Left, style);
            if *name != self.series[*index].name {
                plan.hint(&self.series[*index].name);
            }
        }
    }
}

/// The ticks whose labels do not overlap the one before.
fn apart(ticks: &[(f64, String)], scale: &Scale) -> Ticks {
    let mut kept = Ticks {
        values: Vec::new(),
        texts: Vec::new(),
    };
    let mut end = f64::NEG_INFINITY;
    for (value, text) in ticks {
        let half = text_width(text, theme::SMALL_SIZE, false) / 2.0;
        let at = scale.at(*value);
        if at - half >= end {
            kept.values.push(*value);
            kept.texts.push(text.clone());
            end = at + half + 6.0;
        }
    }
    kept
}

fn draw(plan: &mut ChartPlan, series: &Series, x: &Scale, y: &Scale) {
    let known = |pick: fn(&Estimate) -> Option<f64>| -> Vec<Point> {
        let points = series.points.iter();
        points
            .filter_map(|(at, point)| Some((x.at(*at), y.at(pick(point)?))))
            .collect()
    };
    match series.interval {
        Interval::Hidden => {}
        Interval::Band => {
            let mut outline = known(|point| point.low.or(point.value));
            outline.extend(known(|point| point.high.or(point.value)).into_iter().rev());
            plan.area(outline, series.colour, 0.18);
        }
        Interval::Bars => error_bars(plan, series, x, y),
    }
    let line = known(|point| point.value);
    if line.len() > 1 {
        match series.join {
            Join::Nothing => {}
            Join::Guide => {
                plan.path(line.clone(), Stroke::thin(theme::RULE));
            }
            Join::Line => {
                plan.path(line.clone(), Stroke::solid(series.colour, 2.0))
                    .hint(&series.name);
            }
        }
    }
    if series.dots.is_empty() && line.len() == 1 {
        plan.dot(line[0], 4.5, series.colour, theme::BACKGROUND);
    }
    let valued = series.points.iter().zip(&series.dots);
    for ((at, point), dot) in valued {
        if let Some(value) = point.value {
            plan.dot((x.at(*at), y.at(value)), 4.5, dot.colour, theme::BACKGROUND);
            plan.hint(&dot.hint);
        }
    }
}

/// A vertical whisker for every point.
fn error_bars(plan: &mut ChartPlan, series: &Series, x: &Scale, y: &Scale) {
    for (index, (at, point)) in series.points.iter().enumerate() {
        let (Some(low), Some(high)) = (point.low, point.high) else {
            continue;
        };
        let dot = series.dots.get(index);
        let stroke = Stroke::solid(dot.map_or(series.colour, |dot| dot.colour), 1.5);
        let (x, low, high) = (x.at(*at), y.at(low), y.at(high));
        plan.line((x, low), (x, high), stroke);
        for end in [low, high] {
            plan.line((x - 4.0, end), (x + 4.0, end), stroke);
        }
    }
}

/// Numbers for an axis: `250`, `0.25`, `10k`.
pub fn short_number(value: f64) -> String {
    let (value, unit) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, "G"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::short_number;

    #[test]
    fn numbers_on_an_axis_are_short() {
        let texts = [0.0, 0.25, 2500.0, 12_000.0, 2e6].map(short_number);
        assert_eq!(texts, ["0", "0.25", "2500", "12k", "2M"]);
    }
}
