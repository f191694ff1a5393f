//! Evaluators of games known only at run time, behind `dyn`, for configs, pages and tuners.
//! A search uses the evaluator directly, see [`super::Preset::build`].

use std::marker::PhantomData;

use super::{Evaluated, Explanation, Preset, Score, Term, Trace, Weights};
use crate::games::{AnyGame, AnyPosition, any};

/// One evaluator of a game.
pub trait AnyPreset: Send + Sync {
    fn name(&self) -> &'static str;
    fn help(&self) -> &'static str;
    fn terms(&self) -> &'static [Term];

    /// The score with every term. The position must be one of the preset's game.
    fn explain(&self, weights: &Weights, position: &dyn AnyPosition) -> Explanation;

    fn trace(&self, weights: &Weights, position: &dyn AnyPosition) -> Trace;

    /// See [`super::weigh_trace`].
    fn weigh_trace(&self, weights: &Weights, position: &dyn AnyPosition, trace: &Trace) -> Score;
}

impl<G: Evaluated> AnyPreset for Preset<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn terms(&self) -> &'static [Term] {
        self.terms
    }

    fn explain(&self, weights: &Weights, position: &dyn AnyPosition) -> Explanation {
        (self.explain)(weights, position.of::<G>())
    }

    fn trace(&self, weights: &Weights, position: &dyn AnyPosition) -> Trace {
        (self.trace)(weights, position.of::<G>())
    }

    fn weigh_trace(&self, weights: &Weights, position: &dyn AnyPosition, trace: &Trace) -> Score {
        (self.weigh_trace)(weights, position.of::<G>(), trace)
    }
}

/// The constants of [`Evaluated`], as data.
#[derive(Debug)]
pub struct Units {
    /// What one unit of a score is called.
    pub unit: &'static str,
    /// The unit shown to users, if it differs.
    pub counted_in: &'static str,
    pub units_in_one: f64,
}

/// The evaluators of one game. [`evaluators`] makes it from the game's type.
pub trait AnyEvaluators: Send + Sync {
    fn rules(&self) -> &'static dyn AnyGame;

    fn units(&self) -> &'static Units;

    /// Those that need no file.
    fn presets(&self) -> Vec<&'static dyn AnyPreset>;

    /// The evaluator of this name, those that need a file included.
    fn preset(&self, name: &str) -> Option<&'static dyn AnyPreset>;

    /// The name of the preset that plays best.
    fn strongest(&self) -> &'static str;
}

impl dyn AnyEvaluators + '_ {
    pub fn preset_names(&self) -> Vec<&'static str> {
        let presets = self.presets().into_iter();
        presets.map(|preset| preset.name()).collect()
    }
}

/// The evaluators of `G` behind `dyn`.
pub fn evaluators<G: Evaluated>() -> &'static dyn AnyEvaluators {
    &EvaluatorsOf::<G>(PhantomData)
}

struct EvaluatorsOf<G>(PhantomData<fn() -> G>);

impl<G: Evaluated> EvaluatorsOf<G> {
    const UNITS: Units = Units {
        unit: G::UNIT,
        counted_in: G::COUNTED_IN,
        units_in_one: G::UNITS_IN_ONE,
    };
}

impl<G: Evaluated> AnyEvaluators for EvaluatorsOf<G> {
    fn rules(&self) -> &'static dyn AnyGame {
        any::rules::<G>()
    }

    fn units(&self) -> &'static Units {
        &Self::UNITS
    }

    fn presets(&self) -> Vec<&'static dyn AnyPreset> {
        let presets = G::presets().iter();
        presets.map(|preset| preset as &dyn AnyPreset).collect()
    }

    fn preset(&self, name: &str) -> Option<&'static dyn AnyPreset> {
        G::preset(name).map(|preset| preset as &dyn AnyPreset)
    }

    fn strongest(&self) -> &'static str {
        G::STRONGEST
    }
}
