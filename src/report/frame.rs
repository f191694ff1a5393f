//! The frame of charts: headings, legends, axes, rows of players.

use super::canvas::{Anchor, ChartPlan, Stroke, Style};
use super::font::{fit, fit_name, text_width, wrap};
use super::scale::Scale;
use super::theme::{self, Colour};

/// Draws the headline and the subtitle. Returns the top of the remaining area.
pub fn heading(plan: &mut ChartPlan, title: &str, subtitle: &str) -> f64 {
    let margin = plan.margin();
    let room = plan.width - 2.0 * margin;
    let (size, pitch, most) = if plan.width >= theme::WIDTH {
        (theme::TITLE_SIZE, 27.0, 2)
    } else {
        (theme::CARD_TITLE_SIZE, 22.0, 3)
    };
    let mut y = if plan.is_narrow() { 6.0 } else { 14.0 };
    plan.title = title.to_string();
    let mut lines = |text: &str, style: Style, pitch: f64, most: usize| {
        for line in wrap(text, style.size, style.bold, room, most) {
            y += pitch;
            plan.text((margin, y - pitch / 2.0), &line, Anchor::Left, style);
        }
        y += 4.0;
        y
    };
    let bold = Style {
        bold: true,
        ..Style::plain(size, theme::INK)
    };
    lines(title, bold, pitch, most);
    let quiet = Style::plain(theme::SUBTITLE_SIZE, theme::FAINT_INK);
    lines(subtitle, quiet, 20.0, 4) + 6.0
}

/// What a colour means.
pub struct LegendKey<'k> {
    pub colour: Colour,
    pub name: &'k str,
}

/// Keys side by side, in as many lines as they need. Returns where the rest may begin.
pub fn legend(plan: &mut ChartPlan, top: f64, keys: &[LegendKey<'_>]) -> f64 {
    let left = plan.margin();
    let room = plan.width - 2.0 * left;
    let (mut x, mut y) = (left, top + 10.0);
    for key in keys {
        let name = fit_name(key.name, theme::SMALL_SIZE, false, room - 18.0);
        let width = 18.0 + text_width(&name, theme::SMALL_SIZE, false);
        if x > left && x + width > left + room {
            (x, y) = (left, y + 20.0);
        }
        plan.dot((x + 6.0, y), 5.5, key.colour, theme::RULE);
        plan.text((x + 18.0, y), &name, Anchor::Left, Style::SMALL);
        x += width + 20.0;
    }
    y + 18.0
}

/// Ticks: values along an axis with their labels.
pub struct Ticks {
    pub values: Vec<f64>,
    pub texts: Vec<String>,
}

impl Ticks {
    /// As many round values as fit on a horizontal scale.
    pub fn across(scale: &Scale, text: impl Fn(f64) -> String) -> Ticks {
        let mut most = 10;
        loop {
            let values = scale.ticks(most);
            let texts: Vec<String> = values.iter().map(|value| text(*value)).collect();
            let ends: Vec<(f64, f64)> = values
                .iter()
                .zip(&texts)
                .map(|(value, text)| {
                    let half = text_width(text, theme::SMALL_SIZE, false) / 2.0;
                    (scale.at(*value) - half, scale.at(*value) + half)
                })
                .collect();
            let apart = ends.windows(2).all(|pair| pair[0].1 + 10.0 <= pair[1].0);
            if apart || most <= 2 {
                return Ticks { values, texts };
            }
            most -= 1;
        }
    }

    /// Only whole numbers, for counts.
    pub fn whole(self) -> Ticks {
        let both = self.values.into_iter().zip(self.texts);
        let (values, texts) = both.filter(|(value, _)| value.fract() == 0.0).unzip();
        Ticks { values, texts }
    }

    pub fn along(scale: &Scale, most: usize, text: impl Fn(f64) -> String) -> Ticks {
        let values = scale.ticks(most);
        let texts = values.iter().map(|value| text(*value)).collect();
        Ticks { values, texts }
    }
}

/// Vertical lines from `top` to `bottom` with their values below, and the axis's name under them.
/// Returns where the rest may begin.
pub fn axis_below(
    plan: &mut ChartPlan,
    scale: &Scale,
    ticks: &Ticks,
    (top, bottom): (f64, f64),
    name: &str,
) -> f64 {
    for (value, text) in ticks.values.iter().zip(&ticks.texts) {
        let x = scale.at(*value);
        plan.line((x, top), (x, bottom), Stroke::thin(theme::GRID));
        plan.text((x, bottom + 13.0), text, Anchor::Centre, Style::SMALL);
    }
    if name.is_empty() {
        return bottom + 28.0;
    }
    let middle = (scale.from + scale.to) / 2.0;
    let room = 2.0 * middle.min(plan.width - middle) - plan.margin();
    let name = fit(name, theme::SMALL_SIZE, false, room);
    plan.text((middle, bottom + 33.0), &name, Anchor::Centre, Style::SMALL);
    bottom + 50.0
}

/// Horizontal lines with their values on the left. The axis's name stands above its upper end.
pub fn axis_left(
    plan: &mut ChartPlan,
    scale: &Scale,
    ticks: &Ticks,
    (left, right): (f64, f64),
    name: &str,
) {
    for (value, text) in ticks.values.iter().zip(&ticks.texts) {
        let y = scale.at(*value);
        plan.line((left, y), (right, y), Stroke::thin(theme::GRID));
        plan.text((left - 8.0, y), text, Anchor::Right, Style::SMALL);
    }
    let top = scale.from.min(scale.to);
    let at = (plan.margin(), top - 20.0);
    let room = plan.width - 2.0 * plan.margin();
    let name = fit(name, theme::SMALL_SIZE, false, room);
    plan.text(at, &name, Anchor::Left, Style::SMALL);
}

/// The width of the widest text.
pub fn widest<'t>(texts: impl IntoIterator<Item = &'t str>, size: f64) -> f64 {
    let widths = texts.into_iter().map(|text| text_width(text, size, false));
    widths.fold(0.0, f64::max)
}

/// One row of a chart by players (or other things with names).
pub struct Row {
    pub name: String,
    pub colour: Option<Colour>,
    /// The text at the right end.
    pub figure: String,
}

/// Rows: names on the left, figures on the right, data in between. In a narrow chart names and figures
/// stand above their data, which has the whole width.
pub struct Rows {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub pitch: f64,
    /// The part of a row's height that is above its data.
    head: f64,
    count: usize,
}

/// The height of names above their data.
const HEAD: f64 = 20.0;

/// Beside the data of a narrow chart: half of a label of the axis.
const INSET: f64 = 14.0;

impl Rows {
    /// Draws names and figures. Returns the area for the data.
    pub fn begin(plan: &mut ChartPlan, top: f64, rows: &[Row]) -> Rows {
        let margin = plan.margin();
        let figures = rows.iter().map(|row| row.figure.as_str());
        let figure_room = widest(figures, theme::SMALL_SIZE);
        let chips = rows.iter().any(|row| row.colour.is_some());
        let chip = if chips { 18.0 } else { 0.0 };
        let stacked = plan.is_narrow();
        let inner = plan.width - 2.0 * margin - chip - figure_room - 14.0;
        let most = if stacked {
            inner
        } else {
            (inner * 0.5).min(300.0)
        };
        let names: Vec<String> = rows
            .iter()
            .map(|row| fit_name(&row.name, theme::LABEL_SIZE, false, most))
            .collect();
        let name_room = widest(names.iter().map(String::as_str), theme::LABEL_SIZE);
        let dense = rows.len() > 12;
        let layout = if stacked {
            Rows {
                left: margin + INSET,
                right: plan.width - margin - INSET,
                top,
                pitch: HEAD + if dense { 18.0 } else { 24.0 },
                head: HEAD,
                count: rows.len(),
            }
        } else {
            Rows {
                left: margin + chip + name_room + 14.0,
                right: plan.width - margin - figure_room - 14.0,
                top,
                pitch: if dense { 26.0 } else { 34.0 },
                head: 0.0,
                count: rows.len(),
            }
        };
        for (index, (row, name)) in rows.iter().zip(&names).enumerate() {
            let y = match stacked {
                true => layout.top + layout.pitch * index as f64 + HEAD / 2.0 + 2.0,
                false => layout.middle(index),
            };
            if let Some(colour) = row.colour {
                plan.dot((margin + 6.0, y), 5.5, colour, theme::RULE);
            }
            plan.text((margin + chip, y), name, Anchor::Left, Style::LABEL);
            if *name != row.name {
                plan.hint(&row.name);
            }
            let figure = Style::SMALL.coloured(theme::INK);
            let at = (plan.width - margin, y);
            plan.text(at, &row.figure, Anchor::Right, figure);
        }
        layout
    }

    /// The middle of a row's data.
    pub fn middle(&self, index: usize) -> f64 {
        let top = self.top + self.pitch * index as f64;
        top + (self.head + self.pitch) / 2.0
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.pitch * self.count as f64
    }

    /// Half the height of a bar.
    pub fn bar(&self) -> f64 {
        (self.pitch - self.head) * 0.33
    }
}

/// A dot with whiskers to both ends of an interval. Unknown ends are dashed to the edge of the scale.
pub fn whiskers(
    plan: &mut ChartPlan,
    scale: &Scale,
    y: f64,
    estimate: &crate::stats::Estimate,
    colour: Colour,
    fill: Colour,
) {
    let centre = estimate.value.or(estimate.low).or(estimate.high);
    let Some(centre) = centre else { return };
    let ends = [(estimate.low, scale.from), (estimate.high, scale.to)];
    for (end, edge) in ends {
        match end {
            Some(end) => {
                let x = scale.at(end);
                plan.line((scale.at(centre), y), (x, y), Stroke::solid(colour, 2.0));
                plan.line((x, y - 5.0), (x, y + 5.0), Stroke::solid(colour, 2.0));
            }
            None => {
                let from = (scale.at(centre), y);
                plan.line(from, (edge, y), Stroke::dashed(colour, 2.0));
            }
        }
    }
    if let Some(value) = estimate.value {
        plan.dot((scale.at(value), y), 5.5, fill, colour);
    }
}

/// Positions for labels near given heights: in order, at least `pitch` apart, within `low..high`, each
/// as close to its target as possible.
pub fn spread_out(wishes: &[f64], pitch: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|a, b| wishes[*a].total_cmp(&wishes[*b]));
    // Groups of touching labels, each centred on the mean of its targets.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for &index in &order {
        let mut group = (wishes[index], 1);
        while let Some(&(centre, count)) = groups.last() {
            let reach = pitch * (count + group.1) as f64 / 2.0;
            if centre + reach <= group.0 + 1e-9 {
                break;
            }
            let total = (count + group.1) as f64;
            group = (
                (centre * count as f64 + group.0 * group.1 as f64) / total,
                count + group.1,
            );
            groups.pop();
        }
        groups.push(group);
    }
    let mut places = Vec::new();
    for (centre, count) in groups {
        let first = centre - pitch * (count - 1) as f64 / 2.0;
        places.extend((0..count).map(|step| first + pitch * step as f64));
    }
    // Push back inside, from both ends.
    let mut limit = high;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - pitch;
    }
    let mut limit = low;
    for place in &mut places {
        *place = place.max(limit);
        limit = *place + pitch;
    }
    let mut by_wish = vec![0.0; wishes.len()];
    for (place, &index) in places.iter().zip(&order) {
        by_wish[index] = *place;
    }
    by_wish
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_order_and_their_distance() {
        let places = spread_out(&[50.0, 52.0, 51.0, 90.0], 16.0, (0.0, 100.0));
        assert!(places[0] < places[2] && places[2] < places[1] && places[1] < places[3]);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(
            sorted
                .windows(2)
                .all(|pair| pair[1] - pair[0] >= 16.0 - 1e-9)
        );
        assert!(sorted[0] >= 0.0 && sorted[3] <= 100.0);
        assert_eq!(spread_out(&[10.0, 80.0], 16.0, (0.0, 100.0)), [10.0, 80.0]);
    }
}
