//! Line charts: one or several series over a common axis, with bands for their intervals and their
//! names at the right end.

use super::canvas::{Anchor, ChartPlan, Point, Stroke, Style};
use super::font::fit_name;
use super::frame::{Ticks, axis_below, axis_left, heading, spread_out, widest};
use super::scale::{Scale, Spread, round_ends};
use super::theme::{self, Colour};
use crate::stats::Estimate;

pub struct Series {
    pub name: String,
    pub colour: Colour,
    /// By the value on the horizontal axis.
    pub points: Vec<(f64, Estimate)>,
    /// Whether to show the interval.
    pub band: bool,
    /// Draw dots on the points: for few, independent points.
    pub dots: bool,
    /// Tooltips of the dots, in the order of the points; may be shorter.
    pub hints: Vec<String>,
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
    pub fn plan(&self) -> ChartPlan {
        let mut plan = ChartPlan::new(theme::WIDTH, 0.0);
        let top = heading(&mut plan, &self.title, &self.subtitle) + 28.0;
        let bottom = top + HEIGHT;
        let y = Scale::linear(self.y_range(), (bottom, top));
        let y_ticks = Ticks::along(&y, 8, self.y_text);
        let left = theme::MARGIN
            + widest(y_ticks.texts.iter().map(String::as_str), theme::SMALL_SIZE)
            + 12.0;
        let labels = self.labels();
        let label_room = widest(
            labels.iter().map(|(_, name)| name.as_str()),
            theme::SMALL_SIZE,
        );
        let right = plan.width - theme::MARGIN - label_room - 26.0;
        let x = self.x_scale((left, right));
        axis_left(&mut plan, &y, &y_ticks, (left, right), &self.y_name);
        let x_ticks = match &self.x_ticks {
            Some(ticks) => Ticks {
                values: ticks.iter().map(|(value, _)| *value).collect(),
                texts: ticks.iter().map(|(_, text)| text.clone()).collect(),
            },
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
        self.name_lines(&mut plan, &labels, &y, (top, bottom), right);
        plan
    }

    fn y_range(&self) -> (f64, f64) {
        let values = || {
            let seen = self.series.iter().flat_map(|series| {
                let band = series.band;
                series.points.iter().flat_map(move |(_, point)| {
                    let ends = if band {
                        [point.low, point.high]
                    } else {
                        [None; 2]
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
    fn labels(&self) -> Vec<(usize, String)> {
        if self.series.len() < 2 {
            return Vec::new();
        }
        let most = (HEIGHT / LABEL_PITCH) as usize;
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

fn draw(plan: &mut ChartPlan, series: &Series, x: &Scale, y: &Scale) {
    let known = |pick: fn(&Estimate) -> Option<f64>| -> Vec<Point> {
        let points = series.points.iter();
        points
            .filter_map(|(at, point)| Some((x.at(*at), y.at(pick(point)?))))
            .collect()
    };
    if series.band {
        let mut outline = known(|point| point.low.or(point.value));
        outline.extend(known(|point| point.high.or(point.value)).into_iter().rev());
        plan.area(outline, series.colour, 0.18);
    }
    let line = known(|point| point.value);
    if line.len() > 1 {
        plan.path(line.clone(), Stroke::solid(series.colour, 2.0))
            .hint(&series.name);
    }
    if series.dots || line.len() == 1 {
        for (index, at) in line.iter().enumerate() {
            plan.dot(*at, 4.5, series.colour, theme::BACKGROUND);
            if let Some(hint) = series.hints.get(index) {
                plan.hint(hint);
            }
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
