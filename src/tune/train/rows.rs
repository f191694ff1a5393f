//! Positions with a target: what a learnt evaluator is trained on. Pieces are kept as sets of squares,
//! which are smaller than their features.

use std::ops::Range;

use super::TrainSettings;
use crate::eval::catalog::GameId;
use crate::eval::{Evaluated, STEPS};
use crate::games::sets::{MOST_KINDS, PieceLayout, PieceSets};
use crate::games::{Game, Side};
use crate::play::{Purpose, Stream};
use crate::tune::parallel::map_chunks;
use crate::tune::positions::{DataError, Labelled, Read, Split, remove_duplicates};
use crate::tune::quiet::Judge;
use crate::with_game;

/// Positions with targets.
#[derive(Clone, Debug)]
pub struct TrainRows {
    layout: PieceLayout,
    /// White's sets by kind, then black's.
    sets: Vec<u64>,
    movers: Vec<Side>,
    /// Expected points of the mover.
    targets: Vec<f32>,
}

impl TrainRows {
    pub fn new(layout: PieceLayout) -> TrainRows {
        TrainRows {
            layout,
            sets: Vec::new(),
            movers: Vec::new(),
            targets: Vec::new(),
        }
    }

    pub fn layout(&self) -> &PieceLayout {
        &self.layout
    }

    pub fn len(&self) -> usize {
        self.targets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The pieces of a position, and whose turn it is.
    #[inline]
    pub fn position(&self, index: usize) -> (PieceSets, Side) {
        let kinds = self.layout.kinds.min(MOST_KINDS);
        let both = &self.sets[2 * kinds * index..][..2 * kinds];
        let mut sets = PieceSets::default();
        sets[0][..kinds].copy_from_slice(&both[..kinds]);
        sets[1][..kinds].copy_from_slice(&both[kinds..]);
        (sets, self.movers[index])
    }

    #[inline]
    pub fn target(&self, index: usize) -> f32 {
        self.targets[index]
    }

    /// Gives every row a new target.
    pub fn retarget(&mut self, mut target: impl FnMut(&TrainRows, usize) -> f32) {
        let targets = (0..self.len()).map(|index| target(self, index)).collect();
        self.targets = targets;
    }

    /// Adds a position. The target counts for the mover.
    pub fn push(&mut self, sets: &PieceSets, mover: Side, target: f32) {
        for side in sets {
            self.sets.extend(&side[..self.layout.kinds.min(MOST_KINDS)]);
        }
        self.movers.push(mover);
        self.targets.push(target);
    }

    fn append(&mut self, other: TrainRows) {
        self.sets.extend(other.sets);
        self.movers.extend(other.movers);
        self.targets.extend(other.targets);
    }
}

/// What was read, and what was dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainReport {
    pub positions: u64,
    pub games: u64,
    pub bad: u64,
    pub duplicates: u64,
    pub not_quiet: u64,
}

/// Rows for training and for validation, of different opening pairs.
#[derive(Clone, Debug)]
pub struct TrainData {
    pub train: TrainRows,
    pub validation: TrainRows,
    pub report: TrainReport,
}

impl TrainData {
    fn new(layout: PieceLayout) -> TrainData {
        TrainData {
            train: TrainRows::new(layout),
            validation: TrainRows::new(layout),
            report: TrainReport::default(),
        }
    }

    fn part(&mut self, is_validation: bool) -> &mut TrainRows {
        match is_validation {
            true => &mut self.validation,
            false => &mut self.train,
        }
    }

    fn append(&mut self, other: TrainData) {
        self.train.append(other.train);
        self.validation.append(other.validation);
    }
}

/// What a position's row depends on, besides the position.
#[derive(Clone, Copy)]
struct Making<'m> {
    layout: PieceLayout,
    settings: &'m TrainSettings,
    seed: u64,
}

impl Making<'_> {
    /// The part of a position: both games of an opening pair are in the same.
    fn is_validation(&self, labelled: &Labelled, index: usize) -> bool {
        let pair = match labelled.game {
            Some(game) => game.saturating_sub(1) / 2,
            // Each position alone; the bit separates both kinds of numbers.
            None => index as u64 | 1 << 63,
        };
        match labelled.split {
            Some(split) => split == Split::Validation,
            None => {
                let draw = Stream::new(self.seed, pair, Purpose::Sampling).fraction();
                draw < self.settings.validation
            }
        }
    }
}

/// A scale that suits the scores to learn: four units shown to users where those are worth pawns.
/// Otherwise that at which the labels' scores predict their results best, so that scores of the
/// evaluator that searched keep their size; without such labels, or with a teacher, the root mean
/// square of the scores.
pub fn usual_scale(game: GameId, positions: &[Labelled], teacher: Option<Judge<'_>>) -> f64 {
    let evaluators = game.evaluators();
    let units = evaluators.units().units_in_one;
    if units > 1.0 {
        return 4.0 * units;
    }
    if teacher.is_none()
        && let Some(scale) = fitted_scale(positions)
    {
        return scale;
    }
    const MOST: usize = 1000;
    let preset = teacher.and_then(|it| Some((evaluators.preset(it.preset)?, it.weights)));
    let score = |labelled: &Labelled| match preset {
        Some((preset, weights)) => Some(preset.explain(weights, labelled.position.as_ref()).score),
        None => labelled.score,
    };
    let spread = positions.iter().step_by(1 + positions.len() / MOST);
    let squares: Vec<f64> = spread
        .filter_map(score)
        .map(|score| score * score)
        .collect();
    let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
    in_hundredths(mean.sqrt())
}

/// As the file of a net holds it.
fn in_hundredths(scale: f64) -> f64 {
    (100.0 * scale).round().clamp(100.0, 1e8) / 100.0
}

/// The scale at which the scores of labels predict their results best: Newton's method on its
/// inverse. `None` if they predict nothing.
fn fitted_scale(positions: &[Labelled]) -> Option<f64> {
    const MOST: usize = 100_000;
    let spread = positions.iter().step_by(1 + positions.len() / MOST);
    let labels = spread.filter_map(|labelled| Some((labelled.score?, labelled.result)));
    let labels: Vec<(f64, f64)> = labels.collect();
    let squares: f64 = labels.iter().map(|(score, _)| score * score).sum();
    let usual = (squares / labels.len().max(1) as f64).sqrt();
    if labels.len() < LEAST_LABELS || usual <= 0.0 {
        return None;
    }
    let mut k = 1.0 / usual;
    for _ in 0..50 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (score, result) in &labels {
            let p = 1.0 / (1.0 + (-k * score).exp());
            slope += (p - result) * score;
            curvature += p * (1.0 - p) * score * score;
        }
        let next = k - slope / curvature.max(f64::MIN_POSITIVE);
        k = next.clamp(k / 3.0, k * 3.0);
    }
    let plausible = (0.01..=100.0).contains(&(k * usual));
    plausible.then(|| in_hundredths(1.0 / k))
}

/// Fewer labels with a score do not determine a scale.
const LEAST_LABELS: usize = 200;

/// Makes rows of labelled positions; with a teacher, of positions off them. At most `budget` rows; 0
/// for all. `judge` decides which labelled positions are quiet.
pub fn train_data(
    read: Read,
    settings: &TrainSettings,
    judge: Judge<'_>,
    teacher: Option<Judge<'_>>,
    (budget, seed): (u64, u64),
) -> Result<TrainData, DataError> {
    let mut report = TrainReport {
        positions: read.positions.len() as u64,
        games: read.games,
        bad: read.bad.len() as u64,
        ..TrainReport::default()
    };
    let making = Making {
        layout: judge.game.facts().layout,
        settings,
        seed,
    };
    let mut positions = read.positions;
    let parts = match teacher {
        Some(teacher) => {
            thin(&mut positions, budget / settings.variations.max(1));
            taught(teacher.game, &positions, teacher, making)
        }
        None => {
            report.duplicates = remove_duplicates(&mut positions);
            let before = positions.len() as u64;
            let mut positions = settings.quiet.all_of(positions, judge);
            report.not_quiet = before - positions.len() as u64;
            thin(&mut positions, budget);
            map_chunks(positions.len(), &|range| labels(&positions, range, making))
        }
    };
    let mut data = TrainData {
        report,
        ..TrainData::new(making.layout)
    };
    parts.into_iter().for_each(|part| data.append(part));
    if data.train.is_empty() {
        return Err(DataError::Useless(
            "no positions left to learn from; use more data, or quiet = \"resolve\"".to_string(),
        ));
    }
    Ok(data)
}

/// Keeps at most `most`, evenly spread; 0 keeps all.
fn thin(positions: &mut Vec<Labelled>, most: u64) {
    let all = positions.len() as u64;
    if most == 0 || all <= most {
        return;
    }
    let mut index = 0;
    positions.retain(|_| {
        index += 1;
        index * most / all != (index - 1) * most / all
    });
}

/// Rows whose targets blend result and score.
fn labels(positions: &[Labelled], range: Range<usize>, making: Making<'_>) -> TrainData {
    let mut data = TrainData::new(making.layout);
    let settings = making.settings;
    for index in range {
        let labelled = &positions[index];
        let of_white = match labelled.score {
            Some(score) => {
                let share = settings.score_share;
                share * settings.expected(score) + (1.0 - share) * labelled.result
            }
            None => labelled.result,
        };
        let mover = labelled.position.side_to_move();
        let target = match mover {
            Side::White => of_white,
            Side::Black => 1.0 - of_white,
        };
        let sets = labelled.position.piece_sets();
        let rows = data.part(making.is_validation(labelled, index));
        rows.push(&sets, mover, target as f32);
    }
    data
}

fn taught(
    game: GameId,
    positions: &[Labelled],
    teacher: Judge<'_>,
    making: Making<'_>,
) -> Vec<TrainData> {
    with_game!(game, G => map_chunks(positions.len(), &|range| {
        teach::<G>(positions, range, teacher, making)
    }))
}

/// Rows of positions one to three random moves off the games, with the teacher's static score.
fn teach<G: Evaluated>(
    positions: &[Labelled],
    range: Range<usize>,
    teacher: Judge<'_>,
    making: Making<'_>,
) -> TrainData {
    let mut data = TrainData::new(making.layout);
    let Some(preset) = G::preset(teacher.preset) else {
        return data;
    };
    let mut evaluator = (preset.build)(teacher.weights, 0);
    for index in range {
        let labelled = &positions[index];
        let is_validation = making.is_validation(labelled, index);
        let mut draws = Stream::new(making.seed, index as u64, Purpose::Distilling);
        for _ in 0..making.settings.variations {
            let position = wander(labelled.position.of::<G>(), &mut draws);
            // A check is answered before the search evaluates.
            if position.in_check() || position.end().is_some() {
                continue;
            }
            let score = f64::from(evaluator.evaluate(&position)) / f64::from(STEPS);
            let target = making.settings.expected(score) as f32;
            let (sets, mover) = (position.piece_sets(), position.side_to_move());
            let rows = data.part(is_validation);
            rows.push(&sets, mover, target);
        }
    }
    data
}

/// The position after one to three random moves.
fn wander<G: Game>(from: &G, draws: &mut Stream) -> G {
    let mut position = from.clone();
    for _ in 0..=draws.below(3) {
        let mut moves = Vec::new();
        position.for_each_move(|mv| moves.push(mv));
        if moves.is_empty() || position.end_by_position().is_some() {
            break;
        }
        position.play(moves[draws.below(moves.len() as u64) as usize]);
    }
    position
}
