//! Tuners on simulated matches: strength is a known function of the parameters, game results are
//! random, and the distance to the optimum can be measured.

use std::sync::LazyLock;

use sparring::eval::{Evaluated, Weights};
use sparring::games::any::facts;
use sparring::games::chess::Chess;
use sparring::play::{PlayerKind, PlayerSpec, Purpose, RunError, SearchSpec, Stream};
use sparring::record::{Identity, LoggedRows, Manifest, RecordError, RunLock, Trajectory};
use sparring::search::{Limit, Options};
use sparring::stats::{PairResult, Pentanomial, PlayerResult, elo_to_score};
use sparring::tune::fit::{FitSettings, Loss, Optimizer};
use sparring::tune::quiet::Quiet;
use sparring::tune::{
    Arena, Course, CourseEnd, Duel, Parameter, Sample, Space, TunerRow, TunerSettings, TunerSetup,
    tunables,
};

/// The identity of the log directories: any run is fine.
fn open(
    directory: &std::path::Path,
    course: &Course<'_>,
) -> Result<(Trajectory, LoggedRows), RecordError> {
    let lock = RunLock::take(directory)?;
    Trajectory::open(lock, &identity(), &course.columns())
}

fn identity() -> Identity<'static> {
    const CONFIG: &str = "game = \"chess\"\n[[player]]\nname = \"a\"\nevaluator = \"material\"\n\
                          [[player]]\nname = \"b\"\nevaluator = \"material\"\n";
    static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| {
        let loaded = sparring::config::load_text(CONFIG, "config.toml", &[]);
        loaded.expect("a config").manifest
    });
    Identity::new(CONFIG, &MANIFEST)
}

const PARAMETERS: usize = 10;
const GAMES: u64 = 20_000;
const DRAWS: f64 = 0.35;
const START_ELO: f64 = -50.0;

/// A surface with a random optimum, and the start 50 Elo below it.
struct Surface {
    seed: u64,
    top: Vec<f64>,
    /// Elo lost at a distance of half the range from the optimum.
    steepness: Vec<f64>,
}

impl Surface {
    fn new(seed: u64, space: &Space) -> Surface {
        let mut stream = Stream::new(seed, 0, Purpose::Players);
        let mut top = Vec::new();
        let mut steepness = Vec::new();
        for parameter in &space.parameters {
            // Between a quarter and a half of the way to an end of the range.
            let away = 0.25 + 0.25 * stream.fraction();
            let sign = if stream.draw() & 1 == 0 { 1.0 } else { -1.0 };
            top.push(parameter.start + sign * away * parameter.width() / 2.0);
            let share = START_ELO / space.len() as f64;
            steepness.push(-share / (away * away));
        }
        Surface {
            seed,
            top,
            steepness,
        }
    }

    fn elo(&self, space: &Space, values: &[f64]) -> f64 {
        let mut elo = 0.0;
        for (index, parameter) in space.parameters.iter().enumerate() {
            let away = (values[index] - self.top[index]) / (parameter.width() / 2.0);
            elo -= self.steepness[index] * away * away;
        }
        elo
    }
}

struct Simulated<'a> {
    surface: &'a Surface,
    space: &'a Space,
}

impl Arena for Simulated<'_> {
    fn play(
        &mut self,
        first_pair: u64,
        duels: &[Duel],
        _sharing: usize,
    ) -> Result<Option<Vec<Pentanomial>>, RunError> {
        let mut pair = first_pair;
        let mut results = Vec::new();
        for duel in duels {
            let by =
                self.surface.elo(self.space, &duel.one) - self.surface.elo(self.space, &duel.other);
            let score = elo_to_score(by);
            let mut counts = Pentanomial::default();
            for _ in 0..duel.pairs {
                let mut stream = Stream::new(self.surface.seed, pair, Purpose::Opening);
                pair += 1;
                let mut game = || {
                    let drawn = stream.fraction();
                    let win = score - DRAWS / 2.0;
                    match drawn {
                        drawn if drawn < win => PlayerResult::Win,
                        drawn if drawn < win + DRAWS => PlayerResult::Draw,
                        _ => PlayerResult::Loss,
                    }
                };
                counts.push(PairResult::of(game(), game()));
            }
            results.push(counts);
        }
        Ok(Some(results))
    }
}

fn settings(budget: u64) -> TunerSettings {
    TunerSettings {
        budget,
        batch: 16,
        pairs: 1,
        alpha: 0.602,
        gamma: 0.101,
        a_ratio: 0.1,
        c_end: 0.05,
        r_end: 0.0,
        sigma: 0.15,
        points: 9,
        sample: Sample::Latin,
        candidates: 32,
        within: 0.0,
        certainty: 0.95,
        stop_below: 0.0,
        fit: FitSettings {
            optimizer: Optimizer::Newton,
            loss: Loss::CrossEntropy,
            iterations: 0,
            validation: 0.1,
            patience: 0,
            prior: 0.5,
            quiet: Quiet::Off,
            k: 0.0,
            learning_rate: 0.0,
            score_share: 0.0,
            unit: 100.0,
        },
    }
}

/// A space of several numbers, each from 0 to 100, starting in the middle.
fn space(parameters: usize) -> Space {
    let preset = Chess::preset("simplified").expect("a preset");
    let player = PlayerSpec {
        name: "tuned".to_string(),
        limit: Limit::depth(1),
        kind: PlayerKind::Search(SearchSpec {
            evaluator: preset.name,
            weights: Weights::defaults(preset.terms),
            options: Options::default(),
        }),
    };
    let all = tunables(facts::<Chess>(), &player, preset.terms);
    let chosen = all.iter().take(parameters).map(|tunable| Parameter {
        start: 50.0,
        range: (0.0, 100.0),
        ..Parameter::of(tunable)
    });
    Space {
        parameters: chosen.collect(),
        chains: Vec::new(),
        player,
    }
}

/// Elo below the optimum after tuning, and the text of the trajectory.
/// The tuned Elo, and the log.
fn tuned(method: &str, seed: u64, space: &Space, settings: TunerSettings) -> (f64, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let elo = tuned_in(&folder, method, seed, space, settings);
    (elo, text_of(&folder, "trajectory.csv"))
}

/// The same in a given run directory.
fn tuned_in(
    folder: &tempfile::TempDir,
    method: &str,
    seed: u64,
    space: &Space,
    settings: TunerSettings,
) -> f64 {
    let row = TunerRow::find(method).expect("a method");
    let surface = Surface::new(seed, space);
    let budget = settings.budget;
    let mut tuner = (row.build)(TunerSetup {
        space: space.clone(),
        settings,
        positions: None,
    })
    .expect("built");
    let mut course = Course::new(tuner.as_mut(), space, seed, Some(budget));
    let (mut log, _) = open(folder.path(), &course).expect("opened");
    let mut arena = Simulated {
        surface: &surface,
        space,
    };
    let end = course
        .run(&mut arena, &mut log, &mut |_, _| {})
        .expect("played");
    assert_eq!(end, CourseEnd::Done);
    surface.elo(space, &tuner.estimate())
}

fn text_of(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("a log")
}

/// How many of ten seeds end within 10 Elo of the optimum.
fn successes(method: &str, settings: impl Fn() -> TunerSettings) -> (usize, Vec<f64>) {
    let space = space(PARAMETERS);
    let ends: Vec<f64> = (1..=10)
        .map(|seed| tuned(method, seed, &space, settings()).0)
        .collect();
    (ends.iter().filter(|elo| **elo > -10.0).count(), ends)
}

#[test]
fn spsa_comes_within_10_elo_of_a_planted_optimum() {
    let (count, ends) = successes("spsa", || settings(GAMES));
    assert!(count >= 8, "{count} of 10: {ends:.1?}");
}

/// How many of the 95 % intervals of SPSA hold the optimum, and how many there are.
fn intervals_that_hold(space: &Space, budget: u64, surface: impl Fn(u64) -> Surface) -> (u32, u32) {
    let row = TunerRow::find("spsa").expect("a method");
    let (mut held, mut all) = (0, 0);
    for seed in 1..=20 {
        let surface = surface(seed);
        let mut tuner = (row.build)(TunerSetup {
            space: space.clone(),
            settings: settings(budget),
            positions: None,
        })
        .expect("built");
        let mut arena = Simulated {
            surface: &surface,
            space,
        };
        for first_pair in (1..=budget / 2).step_by(16) {
            let mut draws = Stream::new(seed, first_pair, Purpose::Players);
            let duels = tuner.ask(&mut draws);
            let results = arena.play(first_pair, &duels, 1).expect("played");
            tuner.tell(&duels, &results.expect("never stopped"));
        }
        for (found, top) in tuner.findings(space).parameters.iter().zip(&surface.top) {
            let Some((low, high)) = found.interval else {
                continue;
            };
            assert!(low <= found.value && found.value <= high);
            held += u32::from(low <= *top && *top <= high);
            all += 1;
        }
    }
    (held, all)
}

#[test]
fn spsa_intervals_hold_the_optimum_in_95_percent_and_no_effect_in_as_many() {
    let space = space(PARAMETERS);
    let (held, all) = intervals_that_hold(&space, GAMES, |seed| Surface::new(seed, &space));
    assert!(all == 200 && 20 * held >= 19 * all, "{held} of {all}");
    // Where nothing has an effect the interval is exact: 190 of 200, standard error 3.
    let flat = |seed| Surface {
        seed,
        top: space.start(),
        steepness: vec![0.0; space.len()],
    };
    let (held, all) = intervals_that_hold(&space, 4000, flat);
    assert_eq!(all, 200);
    assert!((180..=199).contains(&held), "{held} of {all}");
    // Too few games to cross a range: no interval.
    assert_eq!(intervals_that_hold(&space, 64, flat), (0, 0));
}

#[test]
fn cma_es_comes_within_10_elo_of_a_planted_optimum() {
    let (count, ends) = successes("cma-es", || TunerSettings {
        batch: 100,
        ..settings(GAMES)
    });
    assert!(count >= 8, "{count} of 10: {ends:.1?}");
}

#[test]
fn a_race_of_points_and_a_model_gain_on_a_planted_surface() {
    let space = space(3);
    for (method, budget) in [("race", 4000), ("bayes", 4000)] {
        let ends: Vec<f64> = (1..=4)
            .map(|seed| tuned(method, seed, &space, settings(budget)).0)
            .collect();
        // The start is 50 below.
        let good = ends.iter().filter(|elo| **elo > -30.0).count();
        assert!(good >= 3, "{method}: {ends:.1?}");
    }
}

#[test]
#[ignore = "prints a table of the documentation"]
fn print_the_regret_of_every_method() {
    const RUNS: u64 = 100;
    for parameters in [2, 6, 12] {
        for budget in [2000, 10_000] {
            for method in ["spsa", "cma-es", "race", "bayes"] {
                let space = space(parameters);
                let settings = || TunerSettings {
                    batch: if method == "cma-es" { 50 } else { 16 },
                    ..settings(budget)
                };
                let ends: Vec<f64> = (1..=RUNS)
                    .map(|seed| -tuned(method, seed, &space, settings()).0)
                    .collect();
                let mean = ends.iter().sum::<f64>() / RUNS as f64;
                let squares = ends.iter().map(|it| (it - mean).powi(2)).sum::<f64>();
                let error = (squares / (RUNS - 1) as f64 / RUNS as f64).sqrt();
                println!("| {parameters} | {budget} | {method} | {mean:.1} ± {error:.1} |");
            }
        }
    }
}

#[test]
fn a_sweep_finds_the_top_of_one_parameter_and_brackets_it() {
    let space = space(1);
    let row = TunerRow::find("sweep").expect("a method");
    let surface = Surface::new(3, &space);
    let mut tuner = (row.build)(TunerSetup {
        space: space.clone(),
        settings: TunerSettings {
            pairs: 50,
            ..settings(GAMES)
        },
        positions: None,
    })
    .expect("built");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut course = Course::new(tuner.as_mut(), &space, 3, Some(GAMES));
    let (mut log, _) = open(folder.path(), &course).expect("opened");
    let mut arena = Simulated {
        surface: &surface,
        space: &space,
    };
    course
        .run(&mut arena, &mut log, &mut |_, _| {})
        .expect("played");
    let found = tuner.findings(&space).parameters[0].clone();
    let error = found.error.expect("an error");
    assert!(
        (found.value - surface.top[0]).abs() < 3.0 * error && error < 10.0,
        "{} +- {error}, top {}",
        found.value,
        surface.top[0]
    );
}

#[test]
fn hill_climbing_does_not_go_down() {
    let space = space(3);
    let (elo, _) = tuned(
        "hill-climb",
        1,
        &space,
        TunerSettings {
            batch: 100,
            ..settings(GAMES)
        },
    );
    assert!(elo > START_ELO, "{elo}");
}

#[test]
fn a_log_cut_anywhere_leads_to_the_same_end() {
    let space = space(4);
    let make = || {
        let row = TunerRow::find("spsa").expect("a method");
        (row.build)(TunerSetup {
            space: space.clone(),
            settings: settings(2000),
            positions: None,
        })
        .expect("built")
    };
    let surface = Surface::new(5, &space);
    let original = tempfile::tempdir().expect("a scratch folder");
    tuned_in(&original, "spsa", 5, &space, settings(2000));
    let whole = text_of(&original, "trajectory.csv");
    let checksums = text_of(&original, "checksums.csv");
    for cut in [whole.len() / 3, whole.len() / 2 + 1, whole.len() - 1] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("trajectory.csv");
        let mut tuner = make();
        let mut course = Course::new(tuner.as_mut(), &space, 5, Some(2000));
        // As after a kill: the lock says that nothing is synced yet.
        drop(open(folder.path(), &course).expect("new"));
        std::fs::write(&path, &whole.as_bytes()[..cut]).expect("written");
        std::fs::write(folder.path().join("checksums.csv"), &checksums).expect("written");
        let (mut log, rows) = open(folder.path(), &course).expect("opened");
        course.replay(log.path(), &rows.rows).expect("its own log");
        let mut arena = Simulated {
            surface: &surface,
            space: &space,
        };
        course
            .run(&mut arena, &mut log, &mut |_, _| {})
            .expect("played");
        assert_eq!(text_of(&folder, "trajectory.csv"), whole);
        assert_eq!(text_of(&folder, "checksums.csv"), checksums);
    }
    // A changed result is noticed.
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut tuner = make();
    let mut course = Course::new(tuner.as_mut(), &space, 5, Some(2000));
    let (_, mut rows) = open(original.path(), &course).expect("opened");
    let results = &mut rows.rows[1].results;
    results[0] = results[0].swapped();
    assert_ne!(results[0], results[0].swapped(), "the change is one");
    let (mut log, _) = open(folder.path(), &course).expect("new");
    for row in &rows.rows {
        log.append(row).expect("written");
    }
    drop(log);
    let (log, rows) = open(folder.path(), &course).expect("opened");
    let error = course
        .replay(log.path(), &rows.rows)
        .expect_err("another log");
    assert!(
        error.to_string().contains("differs from what this run"),
        "{error}"
    );
}
