//! Builds rows from labelled positions: filters, and counts how often each parameter occurs.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::FitSettings;
use super::rows::FitRows;
use crate::eval::catalog::GameId;
use crate::eval::{AnyPreset, STEPS};
use crate::games::AnyPosition;
use crate::play::{Purpose, Stream};
use crate::tune::parallel::map_chunks;
use crate::tune::positions::{Balance, DataError, Labelled, Read, Split, remove_duplicates};
use crate::tune::quiet::Judge;
use crate::tune::{Phase, Space, Target};

/// Training rows and validation rows.
#[derive(Clone, Debug)]
pub struct Dataset {
    pub train: FitRows,
    pub validation: FitRows,
    pub report: DataReport,
}

/// Statistics of a data set: what it contains, and what was dropped.
#[derive(Clone, Debug, Default)]
pub struct DataReport {
    pub lines: u64,
    pub games: u64,
    pub bad: Vec<String>,
    pub bad_count: u64,
    pub duplicates: u64,
    pub not_quiet: u64,
    /// Dropped because of the budget.
    pub left_out: u64,
    pub balance: Balance,
    pub train: u64,
    pub validation: u64,
    pub coefficients: u64,
    pub warnings: Vec<String>,
}

/// Maximum number of bad lines shown.
const BAD_SHOWN: usize = 5;

/// The share of bad lines that counts as an error.
const TOO_BAD: f64 = 0.5;

/// Builds the rows of a space from labelled positions. At most `budget` positions are used; 0
/// uses all.
pub fn dataset(
    game: GameId,
    read: Read,
    space: &Space,
    settings: &FitSettings,
    budget: u64,
    seed: u64,
) -> Result<Dataset, DataError> {
    let found = space.player.search().and_then(|search| {
        let preset = game.evaluators().preset(search.evaluator)?;
        Some((preset, &search.weights))
    });
    let (preset, weights) = found
        .ok_or_else(|| DataError::Useless("the evaluator is not one of this game".to_string()))?;
    let mut report = DataReport {
        lines: (read.positions.len() + read.bad.len()) as u64,
        games: read.games,
        bad_count: read.bad.len() as u64,
        bad: read
            .bad
            .iter()
            .take(BAD_SHOWN)
            .map(ToString::to_string)
            .collect(),
        ..DataReport::default()
    };
    if read.bad.len() as f64 > TOO_BAD * report.lines as f64 {
        let message = format!(
            "{} of {} lines are not labelled positions; the first: {}",
            read.bad.len(),
            report.lines,
            report.bad[0]
        );
        return Err(DataError::Useless(message));
    }
    let mut positions = read.positions;
    // In an order that does not depend on that of the file: sums, duplicates and the budget do.
    positions.par_sort_by(in_order);
    report.duplicates = remove_duplicates(&mut positions);
    let quiet = settings.quiet.all_of(
        positions,
        Judge {
            game,
            preset: preset.name(),
            weights,
        },
    );
    report.not_quiet = report.lines - report.bad_count - report.duplicates - quiet.len() as u64;
    let mut positions = quiet;
    report.duplicates += remove_duplicates(&mut positions);
    if budget > 0 && positions.len() as u64 > budget {
        let all = positions.len() as u64;
        report.left_out = all - budget;
        // Spread evenly over the games, so that none is favoured.
        let mut index = 0;
        positions.retain(|_| {
            index += 1;
            index * budget / all != (index - 1) * budget / all
        });
    }
    let recorded = record_rows(&positions, preset, space);
    let shown = positions.iter().zip(recorded).map(|(labelled, row)| Shown {
        result: labelled.result,
        score: labelled.score,
        game: labelled.game,
        split: labelled.split,
        row,
    });
    finish(report, shown.collect(), space, settings, seed)
}

/// By game, those without one last.
fn in_order(one: &Labelled, other: &Labelled) -> Ordering {
    let key = |it: &Labelled| {
        let score = it.score.map(f64::to_bits);
        let split = it.split.map(Split::name);
        (
            it.game.is_none(),
            it.game,
            it.position.hash(),
            it.result.to_bits(),
            score,
            split,
        )
    };
    let by_key = key(one).cmp(&key(other));
    // Clocks are no part of the hash.
    by_key.then_with(|| one.position.fen().cmp(&other.position.fen()))
}

/// A position reduced to its trace and label.
struct Shown {
    result: f64,
    score: Option<f64>,
    game: Option<u64>,
    split: Option<Split>,
    row: Recorded,
}

/// Splits the rows and checks them.
fn finish(
    mut report: DataReport,
    shown: Vec<Shown>,
    space: &Space,
    settings: &FitSettings,
    seed: u64,
) -> Result<Dataset, DataError> {
    report.balance = Balance::of(shown.iter().map(|shown| shown.result));
    check_labels(&shown)?;
    let mut train = FitRows::new(space.len());
    let mut validation = FitRows::new(space.len());
    let mut unnumbered = 0;
    let mut cluster = 0;
    let mut last = None;
    for shown in &shown {
        // Positions without a game count as one game each; the bit separates both kinds of numbers.
        let game = shown.game.unwrap_or(1 << 31 | unnumbered);
        unnumbered += u64::from(shown.game.is_none());
        // Positions are ordered by game.
        cluster += u32::from(last.is_some_and(|last| last != (shown.game, game)));
        last = Some((shown.game, game));
        let draw = || Stream::new(seed, game, Purpose::Sampling).fraction();
        let part = match shown.split {
            Some(Split::Train) => &mut train,
            Some(Split::Validation) => &mut validation,
            None if draw() < settings.validation => &mut validation,
            None => &mut train,
        };
        let label = settings.label(shown.result, shown.score);
        part.push(&shown.row.cells, shown.row.offset, label as f32, cluster);
    }
    if train.is_empty() {
        return Err(DataError::Useless(
            "no positions left to learn from; use more data, or quiet = \"resolve\"".to_string(),
        ));
    }
    report.train = train.len() as u64;
    report.validation = validation.len() as u64;
    report.coefficients = (train.coefficients() + validation.coefficients()) as u64;
    report.warnings = support_warnings(&train, space);
    report
        .warnings
        .extend(warning_of_unnumbered(unnumbered, shown.len() as u64));
    Ok(Dataset {
        train,
        validation,
        report,
    })
}

fn warning_of_unnumbered(unnumbered: u64, all: u64) -> Option<String> {
    (unnumbered > 0).then(|| {
        let how_many = match unnumbered == all {
            true => "the data have no game numbers".to_string(),
            false => format!("{unnumbered} of {all} positions have no game number"),
        };
        format!(
            "{how_many}: positions of one game may be on both sides of the split, and standard errors \
             treat each such position as independent"
        )
    })
}

fn check_labels(positions: &[Shown]) -> Result<(), DataError> {
    let Some(first) = positions.first() else {
        return Err(DataError::Useless(
            "no position is left: all are duplicates, finished, in check or in the middle of \
             captures; use more data, or quiet = \"resolve\""
                .to_string(),
        ));
    };
    if positions.iter().all(|shown| shown.result == first.result) {
        return Err(DataError::Useless(format!(
            "all {} labels are {}: the data need wins and losses",
            positions.len(),
            first.result
        )));
    }
    Ok(())
}

struct Recorded {
    cells: Vec<(u16, f32)>,
    offset: f32,
}

/// The parameter of each slot, for opening and ending.
struct Homes(Vec<[Option<u16>; 2]>);

impl Homes {
    fn of(space: &Space, slots: usize) -> Homes {
        let mut homes = vec![[None; 2]; slots];
        for (index, parameter) in space.parameters.iter().enumerate() {
            for member in &parameter.members {
                let Target::Weight { slot, phase } = &member.target else {
                    continue;
                };
                let home = Some(index as u16);
                match phase {
                    Phase::Both => homes[*slot] = [home; 2],
                    Phase::Opening => homes[*slot][0] = home,
                    Phase::Ending => homes[*slot][1] = home,
                }
            }
        }
        Homes(homes)
    }
}

fn record_rows(positions: &[Labelled], preset: &dyn AnyPreset, space: &Space) -> Vec<Recorded> {
    let start = space.player_with(&space.start());
    let Some(start) = start.search().map(|search| &search.weights) else {
        return Vec::new();
    };
    let homes = Homes::of(space, start.len());
    let rows = map_chunks(positions.len(), &|range| {
        let positions = positions[range].iter();
        let rows = positions.map(|l| record_row(l.position.as_ref(), preset, start, &homes));
        rows.collect::<Vec<_>>()
    });
    rows.into_iter().flatten().collect()
}

fn record_row(
    position: &dyn AnyPosition,
    preset: &dyn AnyPreset,
    start: &crate::eval::Weights,
    homes: &Homes,
) -> Recorded {
    let trace = preset.trace(start, position);
    let opening = f64::from(trace.phase) / f64::from(crate::eval::OPENING);
    let mut cells: Vec<(u16, f64)> = Vec::with_capacity(trace.coefficients.len());
    let mut offset = 0.0;
    let mut sum = 0.0;
    for seen in &trace.coefficients {
        let count = f64::from(seen.white - seen.black);
        if count == 0.0 {
            continue;
        }
        let weight = start.get(seen.slot);
        let phases = [
            (opening * count, weight.opening, homes.0[seen.slot][0]),
            (
                (1.0 - opening) * count,
                weight.ending,
                homes.0[seen.slot][1],
            ),
        ];
        for (count, weight, home) in phases {
            let contribution = count * f64::from(weight) / f64::from(STEPS);
            sum += contribution;
            match home {
                Some(home) if count != 0.0 => cells.push((home, count)),
                _ => offset += contribution,
            }
        }
    }
    let extras: i32 = trace
        .extras
        .iter()
        .map(|extra| extra.white - extra.black)
        .sum();
    let extras = f64::from(extras) / f64::from(STEPS);
    offset += extras;
    sum += extras;
    // `Terms::scaled`: usually a factor for drawish endgames, sometimes rounding.
    let score = f64::from(preset.weigh_trace(start, position, &trace)) / f64::from(STEPS);
    let factor = if sum.abs() > 1.0 { score / sum } else { 1.0 };
    if (0.0..=2.0).contains(&factor) && (factor - 1.0).abs() > 1e-3 {
        cells.iter_mut().for_each(|(_, value)| *value *= factor);
        offset *= factor;
    }
    // Tied weights and both phases of a flat one are one column.
    cells.sort_by_key(|(column, _)| *column);
    let mut merged: Vec<(u16, f64)> = Vec::with_capacity(cells.len());
    for (column, value) in cells {
        match merged.last_mut() {
            Some((last, total)) if *last == column => *total += value,
            _ => merged.push((column, value)),
        }
    }
    merged.retain(|(_, value)| value.abs() > 1e-9);
    Recorded {
        cells: merged
            .into_iter()
            .map(|(column, value)| (column, value as f32))
            .collect(),
        offset: offset as f32,
    }
}

fn support_warnings(train: &FitRows, space: &Space) -> Vec<String> {
    let mut unseen = Vec::new();
    let mut warnings = Vec::new();
    for (parameter, (count, constant)) in space.parameters.iter().zip(train.support()) {
        if count == 0 {
            unseen.push(parameter.name.as_str());
        } else if constant {
            warnings.push(format!(
                "{} is the same in every position: it cannot be separated from the advantage of a colour",
                parameter.name
            ));
        }
    }
    if !unseen.is_empty() {
        let shown = unseen
            .iter()
            .take(4)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let dots = if unseen.len() > 4 { ", ..." } else { "" };
        warnings.push(format!(
            "{} parameters never occur in the data and keep their start values: {shown}{dots}",
            unseen.len()
        ));
    }
    warnings
}

impl FitSettings {
    /// The target that the model predicts, from white's view.
    fn label(&self, result: f64, score: Option<f64>) -> f64 {
        match score {
            Some(score) if self.score_share > 0.0 => {
                let expected = 1.0 / (1.0 + (-self.usual_k() * score).exp());
                self.score_share * expected + (1.0 - self.score_share) * result
            }
            _ => result,
        }
    }

    /// The steepness of the Elo formula: odds of ten to one for four shown units.
    pub(super) fn usual_k(&self) -> f64 {
        std::f64::consts::LN_10 / (4.0 * self.unit)
    }
}

impl Dataset {
    /// All rows with a reported loss.
    pub fn is_checked(&self) -> bool {
        !self.validation.is_empty()
    }
}
