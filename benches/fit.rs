//! Speed of the fit on one core: positions a second of a first-order epoch, and time to converge
//! of the second-order method, on 200,000 synthetic positions with 390 parameters and 20
//! coefficients each.
//!
//!   cargo bench --bench fit

use std::time::Instant;

use sparring::eval::{Evaluated, Weights};
use sparring::games::chess::Chess;
use sparring::play::{PlayerSpec, Purpose, Stream};
use sparring::search::{Limit, Options};
use sparring::tune::fit::{DataReport, Dataset, Fit, FitSettings, Loss, Optimizer, Rows};
use sparring::tune::quiet::Quiet;
use sparring::tune::{Parameter, Space, Tuner, tunables};

const POSITIONS: usize = 200_000;
const PARAMETERS: usize = 390;
const COEFFICIENTS: usize = 20;
const EPOCHS: u64 = 1000;

fn main() {
    let preset = Chess::preset("simplified").expect("a preset");
    let player = PlayerSpec {
        name: "bench".to_string(),
        evaluator: preset.name,
        weights: Weights::defaults(preset.terms),
        options: Options::default(),
        limit: Limit::depth(1),
        engine: None,
    };
    let all = tunables::<Chess>(&player, preset.terms);
    let parameters = all.iter().take(PARAMETERS).map(|tunable| Parameter {
        start: 0.0,
        range: (-1000.0, 1000.0),
        ..Parameter::of(tunable)
    });
    let space = Space {
        parameters: parameters.collect(),
        chains: Vec::new(),
        player,
    };
    let data = Dataset {
        train: synthetic(),
        validation: Rows::new(PARAMETERS),
        report: DataReport::default(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("one thread").install(|| {
        let newton = run(&space, &data, Optimizer::Newton);
        let adam = run(&space, &data, Optimizer::Adam);
        let per_second = (EPOCHS as usize * POSITIONS) as f64 / adam.0;
        println!(
            "newton: loss {:.7} after {} steps, {:.2} s",
            newton.1, newton.2, newton.0
        );
        println!(
            "adam: loss {:.7} after {} epochs, {:.2} s, {:.1} million positions/s an epoch",
            adam.1,
            adam.2,
            adam.0,
            per_second / 1e6
        );
    });
}

/// Seconds, loss and steps.
fn run(space: &Space, data: &Dataset, optimizer: Optimizer) -> (f64, f64, u64) {
    let settings = FitSettings {
        optimizer,
        loss: Loss::Squared,
        iterations: if optimizer == Optimizer::Adam {
            EPOCHS
        } else {
            0
        },
        validation: 0.0,
        patience: EPOCHS + 1,
        prior: 0.0,
        quiet: Quiet::Off,
        k: 0.005,
        learning_rate: 1.0,
        score_share: 0.0,
        unit: 100.0,
    };
    let mut fit = Fit::new(space.clone(), settings, data.clone());
    let began = Instant::now();
    let mut steps = 0;
    while !fit.is_done() {
        fit.tell(&[], &[]);
        steps += 1;
    }
    (began.elapsed().as_secs_f64(), fit.train_loss(), steps)
}

/// Positions whose labels are drawn from weights drawn by lot.
fn synthetic() -> Rows {
    let mut lots = Stream::new(1, 1, Purpose::Sampling);
    let truth: Vec<f64> = (0..PARAMETERS).map(|_| 40.0 * lots.normal()).collect();
    let mut rows = Rows::new(PARAMETERS);
    for index in 0..POSITIONS {
        let mut columns: Vec<u16> = Vec::new();
        while columns.len() < COEFFICIENTS {
            let column = lots.below(PARAMETERS as u64) as u16;
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns.sort_unstable();
        let row: Vec<(u16, f32)> = columns
            .iter()
            .map(|column| (*column, if lots.draw() & 1 == 0 { 1.0 } else { -1.0 }))
            .collect();
        let score: f64 = row
            .iter()
            .map(|(column, value)| truth[usize::from(*column)] * f64::from(*value))
            .sum();
        let chance = 1.0 / (1.0 + (-0.005 * score).exp());
        let label = if lots.fraction() < chance { 1.0 } else { 0.0 };
        rows.push(&row, 0.0, label, index as u32);
    }
    rows
}
