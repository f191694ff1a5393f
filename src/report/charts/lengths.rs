//! Lengths of games in plies, by result.

use super::endings::{RESULTS, result_keys};
use super::sample;
use crate::report::canvas::{Anchor, ChartPlan, Stroke, Style};
use crate::report::data::{ByResult, ReportData};
use crate::report::frame::{Ticks, axis_below, axis_left, heading, legend, widest};
use crate::report::lines::short_number;
use crate::report::scale::{Scale, round_ends, round_step};
use crate::report::theme;
use crate::report::wording::{counted, grouped};

struct Lengths {
    /// Plies per bar.
    step: u64,
    /// Of lengths `first` to `first + step - 1` and so on.
    first: u64,
    bars: Vec<ByResult>,
    median: u64,
    shortest: u64,
    longest: u64,
    games: u64,
}

/// Approximate maximum number of bars.
const BARS: f64 = 40.0;

impl Lengths {
    fn of(data: &ReportData) -> Option<Lengths> {
        let (shortest, _) = data.lengths.first_key_value()?;
        let (longest, _) = data.lengths.last_key_value()?;
        let games: u64 = data.lengths.values().map(ByResult::total).sum();
        let range = (longest - shortest + 1) as f64;
        let step = round_step((range / BARS).max(1.0)) as u64;
        let first = shortest / step * step;
        let mut bars = vec![ByResult::default(); ((longest - first) / step + 1) as usize];
        let mut before = 0;
        let mut median = None;
        for (plies, counts) in &data.lengths {
            let bar = &mut bars[((plies - first) / step) as usize];
            bar.white += counts.white;
            bar.drawn += counts.drawn;
            bar.black += counts.black;
            before += counts.total();
            if median.is_none() && before * 2 >= games {
                median = Some(*plies);
            }
        }
        Some(Lengths {
            step,
            first,
            bars,
            median: median.unwrap_or(*longest),
            shortest: *shortest,
            longest: *longest,
            games,
        })
    }

    fn title(&self) -> String {
        if self.shortest == self.longest {
            return format!(
                "Every game lasted {}",
                counted(self.longest, "ply").replace("plys", "plies")
            );
        }
        format!("Half of the games end within {} plies", self.median)
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let lengths = Lengths::of(data)?;
    let mut plan = ChartPlan::new(width, 0.0);
    let subtitle = format!(
        "{}; {} to {} plies, {} of known length",
        sample(data),
        lengths.shortest,
        lengths.longest,
        counted(lengths.games, "game")
    );
    let top = heading(&mut plan, &lengths.title(), &subtitle);
    let top = legend(&mut plan, top, &result_keys()) + 34.0;
    let bottom = top + 280.0;
    let most = lengths.bars.iter().map(ByResult::total).max().unwrap_or(1);
    let y = Scale::linear(round_ends(0.0, most as f64, 5), (bottom, top));
    let y_ticks = Ticks::along(&y, 6, |value| grouped(value as u64)).whole();
    let left =
        plan.margin() + widest(y_ticks.texts.iter().map(String::as_str), theme::SMALL_SIZE) + 12.0;
    let right = plan.width - plan.margin();
    axis_left(&mut plan, &y, &y_ticks, (left, right), "games");
    // With few bars, limit their width.
    let bars = lengths.bars.len().max(12) as u64;
    let last = lengths.first + lengths.step * bars;
    let x = Scale::linear((lengths.first as f64, last as f64), (left, right));
    let x_ticks = Ticks::across(&x, short_number).whole();
    let name = format!(
        "plies (half-moves) since the opening, in steps of {}",
        lengths.step
    );
    plan.height = axis_below(&mut plan, &x, &x_ticks, (top, bottom), &name);
    for (index, bar) in lengths.bars.iter().enumerate() {
        let from = lengths.first + lengths.step * index as u64;
        let to = from + lengths.step;
        let mut before = 0;
        for (count, (colour, word)) in bar.parts().into_iter().zip(RESULTS) {
            if count > 0 {
                let low = (x.at(from as f64) + 0.5, y.at(before as f64));
                let high = (x.at(to as f64) - 0.5, y.at((before + count) as f64));
                plan.rectangle(low, high, colour).hint(format!(
                    "{from} to {} plies, {word}: {}",
                    to - 1,
                    counted(count, "game")
                ));
            }
            before += count;
        }
    }
    let at = x.at(lengths.median as f64 + 0.5);
    plan.line(
        (at, top - 12.0),
        (at, bottom),
        Stroke::dashed(theme::INK, 1.5),
    );
    let (anchor, shift) = if at > (left + right) / 2.0 {
        (Anchor::Right, -6.0)
    } else {
        (Anchor::Left, 6.0)
    };
    let text = format!("median {}", lengths.median);
    let style = Style::SMALL.coloured(theme::INK);
    // The axis title is at the left, at the same height.
    plan.text(
        (at.max(left + 40.0) + shift, top - 12.0),
        &text,
        anchor,
        style,
    );
    Some(plan)
}
