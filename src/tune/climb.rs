//! Hill climbing: keeps a random change if it won its match. The simple baseline.

use super::{Duel, Finding, Findings, Space, TuneError, Tuner, TunerSettings, TunerSetup};
use crate::play::Stream;
use crate::stats::{Pentanomial, Sample};

pub fn build(setup: TunerSetup) -> Result<Box<dyn Tuner>, TuneError> {
    Ok(Box::new(HillClimb::new(setup.space, &setup.settings)))
}

pub struct HillClimb {
    space: Space,
    values: Vec<f64>,
    /// Step size as a share of each range; shrinks without success.
    reach: f64,
    pairs: u64,
    kept: u64,
    tried: u64,
    failures: u32,
}

/// Minimum likelihood of superiority to keep a change.
const SURE_ENOUGH: f64 = 0.9;

impl HillClimb {
    pub fn new(space: Space, settings: &TunerSettings) -> HillClimb {
        HillClimb {
            values: space.start(),
            reach: settings.sigma,
            pairs: settings.batch * settings.pairs,
            kept: 0,
            tried: 0,
            failures: 0,
            space,
        }
    }
}

impl Tuner for HillClimb {
    fn figures(&self) -> &'static [&'static str] {
        &["score", "reach"]
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<Duel> {
        let mut one = Vec::new();
        for (parameter, value) in self.space.parameters.iter().zip(&self.values) {
            let by = (self.reach * parameter.width()).max(parameter.step) * draws.normal();
            one.push(parameter.clamped(value + by));
        }
        self.space.project(&mut one);
        vec![Duel {
            one,
            other: self.values.clone(),
            pairs: self.pairs,
        }]
    }

    fn tell(&mut self, duels: &[Duel], results: &[Pentanomial]) -> Vec<Option<f64>> {
        let (Some(duel), Some(result)) = (duels.first(), results.first()) else {
            return vec![None, None];
        };
        self.tried += 1;
        if result.los().is_some_and(|los| los >= SURE_ENOUGH) {
            self.values = duel.one.clone();
            self.kept += 1;
            self.failures = 0;
        } else {
            self.failures += 1;
            // After this many failed changes the steps are too large.
            if self.failures.is_multiple_of(10) {
                self.reach *= 0.7;
            }
        }
        let score = result.points() / (result.games() as f64).max(1.0);
        vec![Some(score), Some(self.reach)]
    }

    fn estimate(&self) -> Vec<f64> {
        self.values.clone()
    }

    fn status(&self, _space: &Space) -> String {
        format!("{} of {} changes kept", self.kept, self.tried)
    }

    fn findings(&self, _space: &Space) -> Findings {
        let note = if self.kept > 0 { "" } else { "unchanged" };
        let finding = |value: &f64| Finding {
            value: *value,
            note,
            ..Finding::default()
        };
        Findings {
            parameters: self.values.iter().map(finding).collect(),
            ..Findings::default()
        }
    }
}
