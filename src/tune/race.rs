//! A race of points of the space: games go where they matter. The start is one of the points.

use super::design::{self, Sample};
use super::gp::{Comparison, Process};
use super::slices::slices;
use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::Stream;
use crate::record::{Grid, GridPoint};
use crate::stats::{Estimate, Pentanomial, Race, RaceRow, RaceRules};

/// More points than this have intervals that say nothing.
const MOST_POINTS: usize = 500;

/// At most this many duels per step, rounded up to whole openings.
const MOST_DUELS: usize = 64;

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    let settings = &setup.settings;
    let points = match settings.sample {
        Sample::Grid => {
            let points = settings.points.checked_pow(setup.space.len() as u32);
            points.unwrap_or(usize::MAX)
        }
        _ => settings.candidates,
    };
    if points > MOST_POINTS {
        return Err(TuneError(format!(
            "a race over a grid of {} parameters with points = {} has too many points (at most \
             {MOST_POINTS}); choose fewer, or sample = \"latin\"",
            setup.space.len(),
            settings.points
        )));
    }
    Ok(Box::new(RaceTuner {
        space: setup.space,
        settings: setup.settings,
        candidates: Vec::new(),
        race: None,
        met: Vec::new(),
        upcoming: Vec::new(),
    }))
}

struct RaceTuner {
    space: Space,
    settings: TunerSettings,
    /// The start first.
    candidates: Vec<Vec<f64>>,
    race: Option<Race>,
    /// Results by players.
    met: Vec<((usize, usize), Pentanomial)>,
    /// The players of the duels asked for.
    upcoming: Vec<(usize, usize)>,
}

impl RaceTuner {
    /// The first step's random numbers choose the points.
    fn begin(&mut self, draws: &mut Stream) -> Race {
        let (space, count) = (&self.space, self.settings.candidates.max(2) - 1);
        let sampled = match self.settings.sample {
            Sample::Latin => design::latin(space, count, draws),
            Sample::Random => design::random(space, count, draws),
            Sample::Grid => design::grid(space, self.settings.points),
        };
        self.candidates = vec![space.start()];
        for point in sampled {
            if !self.candidates.contains(&point) {
                self.candidates.push(point);
            }
        }
        let rules = RaceRules {
            budget: (self.settings.budget / 2).clamp(1, RaceRules::MOST_PAIRS),
            within: Some(self.settings.within).filter(|elo| *elo > 0.0),
            certainty: self.settings.certainty,
            look: 10,
            // The validation confirms.
            confirm: 0,
            seed: draws.draw(),
        };
        Race::new(self.candidates.len(), rules)
    }

    fn now(&self) -> Vec<RaceRow> {
        self.race.as_ref().map_or_else(Vec::new, Race::now)
    }

    fn process(&self) -> Option<Process> {
        let place = |index: usize| design::place(&self.space, &self.candidates[index]);
        let observed = self.met.iter().map(|((one, other), pairs)| Comparison {
            one: place(*one),
            other: place(*other),
            pairs: *pairs,
        });
        let mut observed: Vec<Comparison> = observed.collect();
        // The work grows with the cube of these.
        observed.sort_by_key(|it| std::cmp::Reverse(it.pairs.pairs()));
        observed.truncate(400);
        Process::of(observed)
    }
}

impl Tuner for RaceTuner {
    fn figures(&self) -> &'static [&'static str] {
        &["field", "second", "second_low", "second_high"]
    }

    fn sharing(&self) -> usize {
        let stage = self.race.as_ref().and_then(Race::stage);
        stage.map_or(1, |stage| stage.width)
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel> {
        if self.race.is_none() {
            self.race = Some(self.begin(draws));
        }
        let race = self.race.as_ref();
        self.upcoming = race.map_or_else(Vec::new, |race| race.upcoming(MOST_DUELS));
        let duel = |(one, other): &(usize, usize)| Duel {
            one: self.candidates[*one].clone(),
            other: self.candidates[*other].clone(),
            pairs: 1,
        };
        self.upcoming.iter().map(duel).collect()
    }

    fn tell(&mut self, _duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        let Some(race) = &mut self.race else {
            return vec![None; 4];
        };
        for (players, result) in self.upcoming.iter().zip(results) {
            let half_points = (2.0 * result.points()).round() as u64;
            race.push(half_points);
            match self.met.iter_mut().find(|(known, _)| known == players) {
                Some((_, pairs)) => *pairs += *result,
                None => self.met.push((*players, *result)),
            }
        }
        let second = self
            .now()
            .get(1)
            .map_or(Estimate::UNKNOWN, |row| row.to_leader);
        let field = self.race.as_ref().map_or(0, |race| race.survivors().len());
        vec![Some(field as f64), second.value, second.low, second.high]
    }

    fn estimate(&self) -> Vec<f64> {
        let leader = self.now().first().map(|row| row.player);
        let values = leader.and_then(|leader| self.candidates.get(leader));
        values.cloned().unwrap_or_else(|| self.space.start())
    }

    fn is_done(&self) -> bool {
        self.race
            .as_ref()
            .is_some_and(|race| race.stage().is_none())
    }

    fn status(&self, _space: &Space) -> String {
        let field = self.race.as_ref().map_or(0, |race| race.survivors().len());
        format!("{field} of {} points still in", self.candidates.len())
    }

    fn findings(&self, space: &Space) -> Findings {
        let process = self.process();
        let estimate = self.estimate();
        let note = if estimate == space.start() {
            "unchanged"
        } else {
            ""
        };
        let finding = |value: &f64| Finding {
            value: *value,
            note,
            ..Finding::default()
        };
        let start = design::place(space, &space.start());
        let pairs_of = |player: usize| -> u64 {
            let met = self.met.iter();
            let own = met.filter(|((one, other), _)| *one == player || *other == player);
            own.map(|(_, pairs)| pairs.pairs()).sum()
        };
        let grid = process.as_ref().map(|process| Grid {
            names: space.parameters.iter().map(|it| it.name.clone()).collect(),
            points: self
                .candidates
                .iter()
                .enumerate()
                .map(|(index, values)| {
                    let place = design::place(space, values);
                    let (elo, variance) = process.difference(&place, &start);
                    let error = 1.96 * variance.sqrt();
                    GridPoint {
                        values: values.clone(),
                        pairs: pairs_of(index),
                        elo,
                        elo_error: error,
                        curve: elo,
                        curve_error: error,
                    }
                })
                .collect(),
        });
        Findings {
            parameters: estimate.iter().map(finding).collect(),
            warnings: vec![
                "a race picks the best of its points: the validation says whether that is better than the \
                 start"
                    .to_string(),
            ],
            slices: process.map_or_else(Vec::new, |process| slices(&process, space)),
            grid: grid.filter(|grid| grid.names.len() == 2),
            ..Findings::default()
        }
    }
}
