//! Grid search: every point of the grid plays the same number of pairs against the start. A quadratic
//! surface fitted to the results gives the optimum with its interval.

use super::design::grid;
use super::quadratic::{Measured, Quadratic};
use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::Stream;
use crate::record::{Grid, GridPoint};
use crate::stats::{Pentanomial, Sample};

/// Maximum number of grid points.
const MOST_POINTS: usize = 1000;

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    let points = setup.settings.points.checked_pow(setup.space.len() as u32);
    match points {
        Some(points) if points <= MOST_POINTS => {
            Ok(Box::new(SweepTuner::new(setup.space, &setup.settings)))
        }
        _ => Err(TuneError(format!(
            "a sweep over {} parameters with points = {} has too many points (at most {MOST_POINTS}); \
             choose fewer, or another method",
            setup.space.len(),
            setup.settings.points
        ))),
    }
}

pub struct SweepTuner {
    space: Space,
    /// Values of every point, the last parameter changing fastest.
    grid: Vec<Vec<f64>>,
    results: Vec<Pentanomial>,
    pairs: u64,
    estimate: Vec<f64>,
}

impl SweepTuner {
    pub fn new(space: Space, settings: &TunerSettings) -> SweepTuner {
        let grid = grid(&space, settings.points);
        SweepTuner {
            results: vec![Pentanomial::default(); grid.len()],
            estimate: space.start(),
            pairs: settings.pairs,
            grid,
            space,
        }
    }

    /// A value as a coordinate from -1 to 1.
    fn coordinates(&self, values: &[f64]) -> Vec<f64> {
        let parameters = self.space.parameters.iter().zip(values);
        parameters
            .map(|(p, value)| 2.0 * (value - p.range.0) / p.width() - 1.0)
            .collect()
    }

    fn value(&self, index: usize, coordinate: f64) -> f64 {
        let parameter = &self.space.parameters[index];
        parameter.range.0 + (coordinate + 1.0) / 2.0 * parameter.width()
    }

    fn measured(&self) -> Vec<Measured> {
        let points = self.grid.iter().zip(&self.results);
        points
            .filter(|(_, result)| result.pairs() > 0)
            .map(|(values, result)| {
                let (value, variance) = elo_with_variance(result);
                Measured {
                    at: self.coordinates(values),
                    value,
                    variance,
                }
            })
            .collect()
    }
}

/// Elo and its variance, with half a win and half a loss added, so that both are finite.
pub(super) fn elo_with_variance(result: &Pentanomial) -> (f64, f64) {
    let games = result.games() as f64 + 1.0;
    let score = (result.points() + 0.5) / games;
    let moments = result.moments();
    let per_pair = moments.map_or(0.125, |moments| moments.variance);
    // A few identical pairs do not prove that the variance is zero.
    let pairs = result.pairs() as f64;
    let variance = (per_pair * pairs + 0.125) / (pairs + 1.0) / pairs.max(1.0);
    let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
    let elo = 400.0 * (score / (1.0 - score)).log10();
    (elo, slope * slope * variance)
}

impl Tuner for SweepTuner {
    fn figures(&self) -> &'static [&'static str] {
        &["elo", "elo_error"]
    }

    fn ask(&mut self, _draws: &mut Stream) -> Vec<Duel> {
        let duel = |values: &Vec<f64>| Duel {
            one: values.clone(),
            other: self.space.start(),
            pairs: self.pairs,
        };
        self.grid.iter().map(duel).collect()
    }

    fn tell(&mut self, _duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        for (sum, result) in self.results.iter_mut().zip(results) {
            *sum += *result;
        }
        let Some(surface) = Quadratic::through(&self.measured()) else {
            return vec![None, None];
        };
        let top = surface.top();
        self.estimate = top
            .iter()
            .enumerate()
            .map(|(index, coordinate)| self.value(index, *coordinate))
            .collect();
        vec![Some(surface.value(&top)), Some(surface.error(&top))]
    }

    fn estimate(&self) -> Vec<f64> {
        self.estimate.clone()
    }

    fn status(&self, space: &Space) -> String {
        let shown = space.parameters.iter().zip(&self.estimate);
        let shown = shown.map(|(parameter, value)| format!("{} {value:.2}", parameter.name));
        format!("optimum at {}", shown.collect::<Vec<_>>().join("  "))
    }

    fn findings(&self, space: &Space) -> Findings {
        let Some(surface) = Quadratic::through(&self.measured()) else {
            let finding = |value: &f64| Finding {
                value: *value,
                note: "no results",
                ..Finding::default()
            };
            return Findings {
                parameters: self.estimate.iter().map(finding).collect(),
                ..Findings::default()
            };
        };
        let top = surface.top();
        let intervals = surface.top_interval(self.results.len() as u64);
        let mut warnings = Vec::new();
        let mut parameters = Vec::new();
        for (index, ((low, high, error), coordinate)) in intervals.iter().zip(&top).enumerate() {
            let at_end = coordinate.abs() >= 1.0;
            let name = &space.parameters[index].name;
            let (low, high) = (self.value(index, *low), self.value(index, *high));
            let value = self.value(index, *coordinate);
            warnings.push(format!(
                "{name}: optimum at {value:.2}, 95 % between {low:.2} and {high:.2}"
            ));
            parameters.push(Finding {
                value,
                interval: Some((low, high)),
                error: Some(error / 2.0 * space.parameters[index].width()),
                note: if at_end {
                    "at the end of the range: widen it"
                } else {
                    ""
                },
                ..Finding::default()
            });
        }
        let points = self.grid.iter().zip(&self.results).map(|(values, result)| {
            let (elo, variance) = elo_with_variance(result);
            let at = self.coordinates(values);
            GridPoint {
                values: values.clone(),
                pairs: result.pairs(),
                elo,
                elo_error: 1.96 * variance.sqrt(),
                curve: surface.value(&at),
                curve_error: 1.96 * surface.error(&at),
            }
        });
        let names = space.parameters.iter().map(|it| it.name.clone());
        Findings {
            parameters,
            warnings,
            correlations: None,
            slices: Vec::new(),
            grid: Some(Grid {
                names: names.collect(),
                points: points.collect(),
            }),
        }
    }
}
