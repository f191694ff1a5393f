//! SPSA (simultaneous perturbation stochastic approximation) with the conventions of fishtest and
//! OpenBench: a step is wins minus losses of one opening pair between the values plus and minus a
//! perturbation.

use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::Stream;
use crate::stats::{Pentanomial, Z95, holm, two_sided_z};

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    Ok(Box::new(Spsa::new(setup.space, &setup.settings)))
}

/// Gains of one parameter, at step 0.
struct Gains {
    a: f64,
    c: f64,
    c_end: f64,
}

pub struct Spsa {
    space: Space,
    values: Vec<f64>,
    gains: Vec<Gains>,
    /// Stability constant A: added to the step number, so that the first steps are not too large.
    stability: f64,
    alpha: f64,
    gamma: f64,
    batch: u64,
    pairs: u64,
    /// Pairs played: the number of the step.
    step: u64,
    /// Perturbation signs of the current duels.
    flips: Vec<Vec<f64>>,
    /// Sum and sum of squares of each parameter's moves.
    drift: Vec<(f64, f64)>,
}

/// The score of the better side of a step that a plan assumes: two perturbations apart.
const STEADY: f64 = 0.55;
/// A signal is a change with an adjusted p-value below this: a run of random walks shows one in 5 %
/// of all cases, however many parameters it has.
const SIGNIFICANT: f64 = 0.05;

/// The learning rate at the end of the budget. Chosen on simulated surfaces of 2 to 20 parameters:
/// larger ones end in a random walk, smaller ones do not reach the optimum.
fn derived_r_end(pairs: f64) -> f64 {
    (1.5 / pairs.sqrt()).clamp(0.002, 0.1)
}

impl Spsa {
    pub fn new(space: Space, settings: &TunerSettings) -> Spsa {
        let steps = (settings.budget as f64 / 2.0).max(1.0);
        let stability = settings.a_ratio * steps;
        let r_end = match settings.r_end {
            0.0 => derived_r_end(steps),
            given => given,
        };
        let gains = space.parameters.iter().map(|parameter| {
            // With less than a step both sides would be identical.
            let c_end = parameter
                .c_end
                .unwrap_or(settings.c_end * parameter.width())
                .max(parameter.step / 2.0);
            let a_end = r_end * c_end * c_end;
            Gains {
                a: a_end * (stability + steps).powf(settings.alpha),
                c: c_end * steps.powf(settings.gamma),
                c_end,
            }
        });
        Spsa {
            values: space.start(),
            gains: gains.collect(),
            stability,
            alpha: settings.alpha,
            gamma: settings.gamma,
            batch: settings.batch,
            pairs: settings.pairs,
            step: 0,
            flips: Vec::new(),
            drift: vec![(0.0, 0.0); space.len()],
            space,
        }
    }

    /// Perturbation of a parameter at a step.
    fn perturbation(&self, index: usize, step: u64) -> f64 {
        self.gains[index].c / (step as f64 + 1.0).powf(self.gamma)
    }

    /// How far a parameter moves per net win.
    fn gain(&self, index: usize, step: u64) -> f64 {
        let a = self.gains[index].a / (self.stability + step as f64 + 1.0).powf(self.alpha);
        a / self.perturbation(index, step)
    }

    /// How far a parameter moves in the first `pairs` pairs, if the better side scores [`STEADY`].
    fn reach(&self, index: usize, pairs: u64) -> f64 {
        // The gains change slowly: a thousand of them are enough.
        let stride = pairs.div_ceil(1000).max(1);
        let steps = (0..pairs).step_by(stride as usize);
        let sum: f64 = steps.map(|step| self.gain(index, step)).sum();
        let lead = 2.0 * (2.0 * STEADY - 1.0);
        sum * stride as f64 * lead
    }

    /// The distance from the start to the farther end of the range.
    fn farthest(&self, index: usize) -> f64 {
        let parameter = &self.space.parameters[index];
        let (low, high) = parameter.range;
        (parameter.start - low).max(high - parameter.start)
    }

    /// Standard error of the sum of the moves: the noise of the walk.
    fn error(&self, index: usize) -> Option<f64> {
        let (_, squares) = self.drift[index];
        (squares > 0.0).then(|| squares.sqrt())
    }

    /// The 95 % interval of a parameter: as wide as a walk without any pull would be. Near an optimum
    /// the pull makes the true error smaller. The scatter of the iterates would be far too narrow: within
    /// a budget the walk does not forget where it came from. `None` while the walk could not have reached
    /// an optimum anywhere in the range.
    fn interval(&self, index: usize) -> Option<(f64, f64)> {
        if self.reach(index, self.step) < self.farthest(index) {
            return None;
        }
        let reach = Z95 * self.error(index)?;
        let (low, high) = self.space.parameters[index].range;
        let value = self.values[index];
        Some(((value - reach).max(low), (value + reach).min(high)))
    }

    fn z(&self, index: usize) -> Option<f64> {
        let (sum, squares) = self.drift[index];
        (squares > 0.0).then(|| sum / squares.sqrt())
    }
}

impl Tuner for Spsa {
    fn doubts(&self, games: u64) -> Vec<String> {
        let reaches: Vec<(f64, f64)> = self
            .space
            .parameters
            .iter()
            .enumerate()
            .map(|(index, _)| (self.reach(index, games / 2), self.farthest(index)))
            .collect();
        let short = |(reach, needed): &(f64, f64)| reach < needed;
        let count = reaches.iter().filter(|it| short(it)).count();
        let share = |(reach, needed): &(f64, f64)| reach / needed;
        let worst =
            (0..reaches.len()).min_by(|a, b| share(&reaches[*a]).total_cmp(&share(&reaches[*b])));
        let Some(worst) = worst.filter(|_| count > 0) else {
            return Vec::new();
        };
        let (reach, needed) = reaches[worst];
        vec![format!(
            "{games} games cannot cross the range of {count} of {} parameters: where the better side of a \
             step scores {:.0} %, `{}` moves by {reach:.1}, but its range reaches {needed:.1} from its \
             start; raise tune.budget, or narrow the ranges",
            reaches.len(),
            100.0 * STEADY,
            self.space.parameters[worst].name
        )]
    }

    fn figures(&self) -> &'static [&'static str] {
        // Score of the plus side: about one half in any case.
        &["score"]
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel> {
        self.flips.clear();
        let mut duels = Vec::new();
        for number in 0..self.batch {
            let step = self.step + number * self.pairs;
            let mut duel = Duel {
                one: Vec::new(),
                other: Vec::new(),
                pairs: self.pairs,
            };
            let mut flips = Vec::new();
            for (index, parameter) in self.space.parameters.iter().enumerate() {
                let flip = if draws.draw() & 1 == 0 { 1.0 } else { -1.0 };
                let reach = flip * self.perturbation(index, step);
                // Both sides use the same random number for rounding, so that it favours neither.
                let draw = draws.fraction();
                duel.one
                    .push(parameter.rounded(self.values[index] + reach, draw));
                duel.other
                    .push(parameter.rounded(self.values[index] - reach, draw));
                flips.push(flip);
            }
            self.space.project(&mut duel.one);
            self.space.project(&mut duel.other);
            self.flips.push(flips);
            duels.push(duel);
        }
        duels
    }

    fn tell(&mut self, duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        let (mut points, mut games) = (0.0, 0.0);
        let mut moved = self.values.clone();
        for ((flips, result), duel) in self.flips.iter().zip(results).zip(duels) {
            let lead = 2.0 * result.points() - result.games() as f64;
            for (index, flip) in flips.iter().enumerate() {
                let by = self.gain(index, self.step) * lead * flip;
                moved[index] += by;
                self.drift[index].0 += by;
                self.drift[index].1 += by * by;
            }
            self.step += duel.pairs;
            points += result.points();
            games += result.games() as f64;
        }
        self.space.project(&mut moved);
        self.values = moved;
        vec![(games > 0.0).then(|| points / games)]
    }

    fn estimate(&self) -> Vec<f64> {
        self.values.clone()
    }

    fn status(&self, space: &Space) -> String {
        // Largest moves first, in units of c.
        let mut moves: Vec<(usize, f64)> = (0..space.len())
            .map(|index| {
                let by = self.values[index] - space.parameters[index].start;
                (index, by / self.gains[index].c_end)
            })
            .collect();
        moves.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown = moves.iter().take(6).map(|(index, by)| {
            let name = &space.parameters[*index].name;
            format!("{name} {:.2} ({by:+.1}c)", self.values[*index])
        });
        shown.collect::<Vec<_>>().join("  ")
    }

    fn findings(&self, _space: &Space) -> Findings {
        // Some |z| of many is large by chance alone.
        let each = (0..self.values.len()).map(|index| self.z(index).map(two_sided_z));
        let p_values = holm(&each.collect::<Vec<_>>());
        let parameters = (0..self.values.len()).map(|index| Finding {
            value: self.values[index],
            z: self.z(index),
            error: self.error(index),
            interval: self.interval(index),
            note: match p_values[index] {
                Some(p) if p < SIGNIFICANT => "signal",
                Some(_) => "may be a random walk",
                None => "never moved",
            },
            ..Finding::default()
        });
        Findings {
            parameters: parameters.collect(),
            ..Findings::default()
        }
    }
}
