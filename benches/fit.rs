//! Speed of the fit on one core: positions per second of a first-order epoch and of a second-order
//! step, and how long each takes to converge, on 200,000 synthetic positions with 390 tapered
//! terms, 20 of them in each position.
//!
//!   cargo bench --bench fit

use std::time::Instant;

use sparring::eval::{Evaluated, Weights};
use sparring::games::any::facts;
use sparring::games::chess::Chess;
use sparring::play::{PlayerKind, PlayerSpec, Purpose, SearchSpec, Stream};
use sparring::search::{Limit, Options};
use sparring::tune::fit::{DataReport, Dataset, Fit, FitRows, FitSettings, Loss, Optimizer};
use sparring::tune::quiet::Quiet;
use sparring::tune::{Parameter, Space, Tuner, tunables};

const POSITIONS: usize = 200_000;
const TERMS: usize = 390;
/// One for the opening and one for the ending.
const PARAMETERS: usize = 2 * TERMS;
const TERMS_SEEN: usize = 20;
const EPOCHS: u64 = 1000;
const K: f64 = 0.005;

fn main() {
    let preset = Chess::preset("classical").expect("a preset");
    let player = PlayerSpec {
        name: "bench".to_string(),
        limit: Limit::depth(1),
        kind: PlayerKind::Search(SearchSpec {
            evaluator: preset.name,
            weights: Weights::defaults(preset.terms),
            options: Options::default(),
        }),
    };
    let all = tunables(facts::<Chess>(), &player, preset.terms);
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
        validation: FitRows::new(PARAMETERS),
        report: DataReport::default(),
    };
    println!(
        "{POSITIONS} positions, {TERMS} tapered terms, {:.1} coefficients a position, one core",
        data.train.coefficients() as f64 / POSITIONS as f64
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("one thread").install(|| {
        let newton = run(&space, &data, Optimizer::Newton, &[1, 2, 5]);
        let adam = run(&space, &data, Optimizer::Adam, &[100, 400]);
        assert!(
            newton <= adam,
            "the second-order loss {newton} is above Adam's {adam}"
        );
    });
}

/// Runs to the end and prints losses on the way; the last loss.
fn run(space: &Space, data: &Dataset, optimizer: Optimizer, shown: &[u64]) -> f64 {
    let settings = FitSettings {
        optimizer,
        loss: Loss::Squared,
        iterations: match optimizer {
            Optimizer::Adam => EPOCHS,
            Optimizer::Newton => 0,
        },
        validation: 0.0,
        patience: EPOCHS + 1,
        prior: 0.0,
        quiet: Quiet::Off,
        k: K,
        learning_rate: 1.0,
        score_share: 0.0,
        unit: 100.0,
    };
    let mut fit = Fit::new(space.clone(), settings, data.clone());
    println!(
        "{}: loss {:.7} at the start",
        optimizer.name(),
        fit.train_loss()
    );
    let began = Instant::now();
    let mut steps = 0;
    while !fit.is_done() {
        fit.tell(&[], &[]);
        steps += 1;
        if shown.contains(&steps) || fit.is_done() {
            let seconds = began.elapsed().as_secs_f64();
            println!(
                "{}: loss {:.7} after {steps} steps, {seconds:.2} s, {:.2} million positions/s a step",
                optimizer.name(),
                fit.train_loss(),
                (steps as usize * POSITIONS) as f64 / seconds / 1e6
            );
        }
    }
    fit.train_loss()
}

/// Positions whose labels are drawn from random weights.
fn synthetic() -> FitRows {
    let mut random = Stream::new(1, 1, Purpose::Sampling);
    let truth: Vec<f64> = (0..PARAMETERS).map(|_| 40.0 * random.normal()).collect();
    let mut rows = FitRows::new(PARAMETERS);
    for index in 0..POSITIONS {
        let mut terms: Vec<u16> = Vec::new();
        while terms.len() < TERMS_SEEN {
            let term = random.below(TERMS as u64) as u16;
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        terms.sort_unstable();
        let opening = random.below(25) as f32 / 24.0;
        let mut row: Vec<(u16, f32)> = Vec::new();
        for term in terms {
            let count = if random.draw() & 1 == 0 { 1.0 } else { -1.0 };
            let phases = [
                (2 * term, opening * count),
                (2 * term + 1, (1.0 - opening) * count),
            ];
            row.extend(phases.iter().filter(|(_, value)| *value != 0.0));
        }
        let score: f64 = row
            .iter()
            .map(|(column, value)| truth[usize::from(*column)] * f64::from(*value))
            .sum();
        let chance = 1.0 / (1.0 + (-K * score).exp());
        let label = if random.fraction() < chance { 1.0 } else { 0.0 };
        rows.push(&row, 0.0, label, index as u32);
    }
    rows
}
