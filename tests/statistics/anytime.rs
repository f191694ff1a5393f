//! Intervals that hold at every time, races and families of tests, against planted truth. Every stream is
//! seeded. `cargo test --test statistics anytime:: -- --ignored --nocapture` prints the tables of
//! `docs/statistics.md`.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sparring::stats::{
    Anytime, Model, Pentanomial, Race, RaceEnd, RaceRules, Sprt, Verdict, elo_to_score,
    family_verdicts,
};

use super::sprt_simulation::{CHESS, Pairs, SHARP, World, draw};

fn numbers(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let mut fraction = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let radius = (-2.0 * fraction().ln()).sqrt();
    radius * (std::f64::consts::TAU * fraction()).cos()
}

fn mean(pairs: &Pairs) -> f64 {
    pairs
        .iter()
        .zip(0..)
        .map(|(p, i)| p * f64::from(i) / 4.0)
        .sum()
}

/// How many of `matches` refute the truth at any time of `length` pairs, looked at after every pair; and
/// how many do so with the interval of a fixed length.
fn misses(world: World, elo: f64, matches: u64, length: u64, seed: u64) -> (u64, u64) {
    let pairs = world.at(Model::Logistic, elo);
    let truth = mean(&pairs);
    let enough = -(0.025_f64.ln());
    let (mut anytime, mut fixed) = (0, 0);
    for index in 0..matches {
        let mut rng = numbers(seed, index);
        let mut results = Anytime::within(0.0, 1.0);
        let (mut sum, mut squares) = (0.0, 0.0);
        let (mut missed, mut fixed_missed) = (false, false);
        for count in 1..=length {
            let score = draw(&pairs, &mut rng).half_points() as f64 / 4.0;
            results.push(score);
            missed |=
                results.evidence_below(truth) >= enough || results.evidence_above(truth) >= enough;
            sum += score;
            squares += score * score;
            let n = count as f64;
            let variance = squares / n - (sum / n).powi(2);
            let reach = 1.96 * (variance / n).sqrt();
            fixed_missed |= count >= 20 && (sum / n - truth).abs() > reach;
        }
        anytime += u64::from(missed);
        fixed += u64::from(fixed_missed);
    }
    (anytime, fixed)
}

#[test]
fn anytime_intervals_miss_rarely_under_a_look_after_every_pair() {
    let (anytime, fixed) = misses(CHESS, 20.0, 400, 300, 2700);
    // 5 % of 400 are 20: at most that many at all times together, and usually far fewer.
    assert!(anytime <= 20, "{anytime}");
    assert!(
        fixed > 80,
        "looking often misleads the usual interval: {fixed}"
    );
}

#[test]
#[ignore = "prints a table of the documentation"]
fn print_the_misses_of_anytime_intervals() {
    for (name, world) in [("drawish", CHESS), ("sharp", SHARP)] {
        for elo in [0.0, 50.0, 200.0] {
            let (anytime, fixed) = misses(world, elo, 2000, 2000, 2710);
            let share = |count: u64| count as f64 / 20.0;
            println!(
                "| {name} | {elo} | {:.1} % | {:.1} % |",
                share(anytime),
                share(fixed)
            );
        }
    }
}

/// A field of players around 0 Elo, and what they score against each other.
struct FieldOfPlayers {
    elo: Vec<f64>,
    /// Pairs by the difference in steps of 5 Elo from -400 on.
    tables: Vec<Pairs>,
}

impl FieldOfPlayers {
    fn draw(players: usize, spread: f64, rng: &mut ChaCha8Rng, tables: &[Pairs]) -> FieldOfPlayers {
        FieldOfPlayers {
            elo: (0..players).map(|_| spread * normal(rng)).collect(),
            tables: tables.to_vec(),
        }
    }

    fn half_points(&self, one: usize, other: usize, rng: &mut ChaCha8Rng) -> u64 {
        let difference = (self.elo[one] - self.elo[other]).clamp(-400.0, 400.0);
        let step = ((difference + 400.0) / 5.0).round() as usize;
        draw(&self.tables[step], rng).half_points()
    }

    fn regret(&self, player: usize) -> f64 {
        let best = self.elo.iter().copied().fold(f64::MIN, f64::max);
        best - self.elo[player]
    }
}

fn tables() -> Vec<Pairs> {
    (0..=160)
        .map(|step| CHESS.at(Model::Logistic, f64::from(step) * 5.0 - 400.0))
        .collect()
}

fn rules(budget: u64, within: Option<f64>, seed: u64) -> RaceRules {
    RaceRules {
        budget,
        within,
        certainty: 0.95,
        look: 10,
        confirm: 0,
        seed,
    }
}

/// The winner of a race, how it ended and its pairs.
fn race(field: &FieldOfPlayers, rules: RaceRules, rng: &mut ChaCha8Rng) -> (usize, RaceEnd, u64) {
    let mut race = Race::new(field.elo.len(), rules);
    while let Some((one, other)) = race.next_pairing() {
        race.push(field.half_points(one, other, rng));
    }
    let winner = race.winner().expect("a race has a winner");
    (winner, race.end().expect("an end"), race.search_pairs())
}

/// The player with the best score after `pairs` of a round-robin.
fn round_robin(field: &FieldOfPlayers, pairs: u64, rng: &mut ChaCha8Rng) -> usize {
    let players = field.elo.len();
    let meetings = (players * (players - 1) / 2) as u64;
    let mut points = vec![0.0; players];
    for one in 0..players {
        for other in one + 1..players {
            let each = (pairs / meetings).max(1);
            let sum: u64 = (0..each).map(|_| field.half_points(one, other, rng)).sum();
            points[one] += sum as f64;
            points[other] += 4.0 * each as f64 - sum as f64;
        }
    }
    (0..players)
        .max_by(|a, b| points[*a].total_cmp(&points[*b]))
        .expect("players")
}

/// Mean and standard error.
fn summary(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Regrets of a race and of a round-robin with the same pairs.
fn regrets(players: usize, spread: f64, budget: u64, runs: u64, seed: u64) -> [Vec<f64>; 2] {
    let tables = tables();
    let mut found = [Vec::new(), Vec::new()];
    for run in 0..runs {
        let mut rng = numbers(seed, run);
        let field = FieldOfPlayers::draw(players, spread, &mut rng, &tables);
        let (winner, ..) = race(&field, rules(budget, None, run), &mut rng);
        found[0].push(field.regret(winner));
        found[1].push(field.regret(round_robin(&field, budget, &mut rng)));
    }
    found
}

#[test]
fn a_race_loses_clearly_less_than_a_round_robin_of_the_same_cost() {
    let [race, all] = regrets(16, 30.0, 960, 100, 2720).map(|it| summary(&it));
    assert!(race.0 < 0.7 * all.0, "{race:?} {all:?}");
    assert!(race.0 < 5.0, "{race:?}");
}

#[test]
fn a_race_with_a_tolerance_keeps_its_promise() {
    let tables = tables();
    let (mut broken, mut spent, mut pairs) = (0, 0, 0);
    for run in 0..60 {
        let mut rng = numbers(2730, run);
        let field = FieldOfPlayers::draw(6, 60.0, &mut rng, &tables);
        let (winner, end, cost) = race(&field, rules(20_000, Some(30.0), run), &mut rng);
        broken += u64::from(end == RaceEnd::Shown && field.regret(winner) > 30.0);
        spent += u64::from(end == RaceEnd::Spent);
        pairs += cost;
    }
    // 5 % of 60.
    assert!(broken <= 3 && spent == 0, "{broken} {spent}");
    assert!(pairs / 60 < 6000, "{pairs}");
}

#[test]
#[ignore = "prints a table of the documentation"]
fn print_the_regret_of_races() {
    for (players, spread) in [(8, 30.0), (16, 30.0), (32, 30.0), (32, 100.0)] {
        for budget in [480, 960, 1920, 3840] {
            let found = regrets(players, spread, budget, 400, 2740);
            let [race, all] = found.map(|it| summary(&it));
            println!(
                "| {players} | {spread} | {budget} | {:.1} ± {:.1} | {:.1} ± {:.1} |",
                race.0, race.1, all.0, all.1
            );
        }
    }
    let tables = tables();
    for (players, spread, within) in [(8, 60.0, 20.0), (16, 60.0, 20.0), (32, 60.0, 30.0)] {
        let (mut broken, mut spent, mut costs) = (0, 0, Vec::new());
        for run in 0..200 {
            let mut rng = numbers(2750, run);
            let field = FieldOfPlayers::draw(players, spread, &mut rng, &tables);
            let most = 1000 * players as u64;
            let (winner, end, cost) = race(&field, rules(most, Some(within), run), &mut rng);
            broken += u64::from(end == RaceEnd::Shown && field.regret(winner) > within);
            spent += u64::from(end == RaceEnd::Spent);
            costs.push(cost as f64);
        }
        let (cost, error) = summary(&costs);
        println!(
            "| {players} | {spread} | {within} | {broken} | {spent} | {cost:.0} ± {error:.0} |"
        );
    }
}

/// Families of equal variations against one base in shared openings: in how many is any H1 accepted, with
/// error rates of each by itself and of all together? And pairs per family.
fn false_families(tests: usize, families: u64, looks: u64, seed: u64) -> [(u64, u64); 2] {
    let sprt = Sprt::new(Model::Normalized, 0.0, 30.0).expect("a test");
    // A base that is better or worse at an opening is so against all variations.
    let worlds = [-0.25, 0.0, 0.25].map(|strength| CHESS.pairs(strength));
    [false, true].map(|together| {
        let (mut wrong, mut played) = (0, 0);
        for family in 0..families {
            let mut rng = numbers(seed, family);
            let mut counts = vec![Pentanomial::default(); tests];
            let mut verdicts = vec![Verdict::Continue; tests];
            for _ in 0..looks {
                for _ in 0..10 {
                    let pairs = &worlds[(rng.next_u64() % 3) as usize];
                    for (count, verdict) in counts.iter_mut().zip(&verdicts) {
                        let result = draw(pairs, &mut rng);
                        if *verdict == Verdict::Continue {
                            count.push(result);
                            played += 1;
                        }
                    }
                }
                let llrs: Vec<f64> = counts.iter().map(|it| sprt.llr(it)).collect();
                verdicts = match together {
                    true => family_verdicts(&sprt, &llrs, tests),
                    false => llrs.iter().map(|llr| sprt.verdict(*llr)).collect(),
                };
                if verdicts.iter().all(|it| *it != Verdict::Continue) {
                    break;
                }
            }
            wrong += u64::from(verdicts.contains(&Verdict::AcceptH1));
        }
        (wrong, played / families)
    })
}

#[test]
fn a_family_of_tests_keeps_its_error_rate_and_single_tests_do_not() {
    let [(alone, _), (together, _)] = false_families(12, 100, 60, 2760);
    // 5 % of 100, and two standard deviations.
    assert!(together <= 9, "{together}");
    assert!(alone >= 20, "{alone}");
}

#[test]
#[ignore = "prints a table of the documentation"]
fn print_the_error_rates_of_families() {
    for tests in [4, 12, 24] {
        let [alone, together] = false_families(tests, 1000, 400, 2770);
        println!(
            "| {tests} | {:.1} % | {} | {:.1} % | {} |",
            alone.0 as f64 / 10.0,
            alone.1,
            together.0 as f64 / 10.0,
            together.1
        );
    }
}

#[test]
fn the_score_of_a_difference_is_that_of_the_world() {
    let pairs = &tables()[100];
    assert!((mean(pairs) - elo_to_score(100.0)).abs() < 1e-6);
}
