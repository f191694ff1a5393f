//! Simulated matches: the error rates of the sequential test, and the coverage of the 95 % interval.
//! Every stream is seeded, so the counts are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sparring::stats::{
    Model, PairResult, Pentanomial, Plan, Sample, SequentialTest, Sprt, StoppedEstimate, Verdict,
    elo_to_score, nelo_per_t,
};

/// Probabilities of LL, LD, DD+WL, WD, WW.
pub type Pairs = [f64; 5];

/// How drawish a game is, and how much an opening may favour white, both on the log scale.
#[derive(Clone, Copy)]
pub struct World {
    pub draw: f64,
    pub bias: f64,
}

/// Half the games drawn, openings up to about a pawn in white's favour.
pub const CHESS: World = World {
    draw: 0.8,
    bias: 1.0,
};

/// Few draws and sharp openings.
pub const SHARP: World = World {
    draw: -1.5,
    bias: 1.6,
};

impl World {
    /// Loss, draw, win at a strength difference on the log scale.
    fn game(self, difference: f64) -> [f64; 3] {
        let weights = [
            (-difference / 2.0).exp(),
            self.draw.exp(),
            (difference / 2.0).exp(),
        ];
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// An opening pair of players `strength` apart: the opening's bias helps in one game and hurts
    /// in the other, so the two games are not independent.
    pub fn pairs(self, strength: f64) -> Pairs {
        let mut pairs = [0.0; 5];
        for bias in [-0.5 * self.bias, 0.0, 0.5 * self.bias, self.bias] {
            let white = self.game(strength + bias);
            let black = self.game(strength - bias);
            for (i, p) in white.iter().enumerate() {
                for (j, q) in black.iter().enumerate() {
                    pairs[i + j] += 0.25 * p * q;
                }
            }
        }
        pairs
    }

    /// The distribution at which the players are `elo` apart in the model's own Elo.
    pub fn at(self, model: Model, elo: f64) -> Pairs {
        let (mut low, mut high) = (-8.0, 8.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if true_elo(&self.pairs(middle), model) < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.pairs(low)
    }
}

fn true_elo(pairs: &Pairs, model: Model) -> f64 {
    let mean: f64 = pairs
        .iter()
        .zip(0..)
        .map(|(p, i)| p * f64::from(i) / 4.0)
        .sum();
    match model {
        Model::Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
        Model::Normalized => {
            let variance: f64 = pairs
                .iter()
                .zip(0..)
                .map(|(p, i)| p * (f64::from(i) / 4.0 - mean).powi(2))
                .sum();
            (mean - 0.5) / (2.0 * variance).sqrt() * nelo_per_t()
        }
    }
}

pub fn draw(pairs: &Pairs, rng: &mut ChaCha8Rng) -> PairResult {
    let mut left = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    for (p, result) in pairs.iter().zip(PairResult::ALL) {
        if left < *p {
            return result;
        }
        left -= p;
    }
    PairResult::WinWin
}

const MATCHES: u32 = 2000;

struct Outcome {
    accepted_h1: f64,
    pairs_per_match: f64,
}

fn simulate(sprt: Sprt, pairs: &Pairs, seed: u64) -> Outcome {
    let (mut accepted, mut played) = (0u32, 0u64);
    for index in 0..MATCHES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(index));
        let mut test = SequentialTest::new(sprt);
        while test.push(draw(pairs, &mut rng)) == Verdict::Continue {}
        accepted += u32::from(test.verdict() == Verdict::AcceptH1);
        played += test.counts().pairs();
    }
    let outcome = Outcome {
        accepted_h1: f64::from(accepted) / f64::from(MATCHES),
        pairs_per_match: played as f64 / f64::from(MATCHES),
    };
    println!(
        "{} [{}, {}]: H1 accepted {:.4}, {:.0} pairs per match",
        sprt.model(),
        sprt.elo0(),
        sprt.elo1(),
        outcome.accepted_h1,
        outcome.pairs_per_match
    );
    outcome
}

fn assert_error_rates(sprt: Sprt, world: World, seed: u64) {
    let at_h0 = simulate(sprt, &world.at(sprt.model(), sprt.elo0()), seed);
    assert!(
        at_h0.accepted_h1 <= sprt.alpha(),
        "false H1: {}",
        at_h0.accepted_h1
    );
    let at_h1 = simulate(sprt, &world.at(sprt.model(), sprt.elo1()), seed + 1);
    assert!(
        1.0 - at_h1.accepted_h1 <= sprt.beta(),
        "false H0: {}",
        1.0 - at_h1.accepted_h1
    );
    // The test must also stop early: Wald's
    // approximation puts the mean length at either hypothesis near 2 (0.9 ln 19) / gap^2.
    if let Model::Normalized = sprt.model() {
        let gap = (sprt.elo1() - sprt.elo0()) / nelo_per_t() * 2f64.sqrt();
        let expected = 2.0 * 0.9 * 19f64.ln() / (gap * gap);
        for outcome in [at_h0, at_h1] {
            let ratio = outcome.pairs_per_match / expected;
            assert!((0.9..1.25).contains(&ratio), "length ratio {ratio}");
        }
    }
}

#[test]
fn normalised_test_errs_no_more_often_than_promised() {
    let sprt = Sprt::new(Model::Normalized, 0.0, 25.0).unwrap();
    assert_error_rates(sprt, CHESS, 100);
}

#[test]
fn normalised_test_holds_its_rates_in_sharp_games() {
    let sprt = Sprt::new(Model::Normalized, -10.0, 20.0).unwrap();
    assert_error_rates(sprt, SHARP, 200);
}

#[test]
fn logistic_test_errs_no_more_often_than_promised() {
    let sprt = Sprt::new(Model::Logistic, 0.0, 15.0).unwrap();
    assert_error_rates(sprt, CHESS, 300);
}

#[test]
fn unequal_error_rates_are_both_kept() {
    let sprt = Sprt::new(Model::Logistic, 0.0, 25.0)
        .and_then(|sprt| sprt.with_error_rates(0.02, 0.1))
        .unwrap();
    let at_h0 = simulate(sprt, &SHARP.at(Model::Logistic, 0.0), 400);
    assert!(at_h0.accepted_h1 <= 0.02, "{}", at_h0.accepted_h1);
    let at_h1 = simulate(sprt, &SHARP.at(Model::Logistic, 25.0), 401);
    assert!(1.0 - at_h1.accepted_h1 <= 0.1, "{}", at_h1.accepted_h1);
}

/// Shares of H1, of H0 and of no verdict, and mean pairs, of tests that play `limit` pairs at most.
fn play_up_to(sprt: Sprt, pairs: &Pairs, limit: u64, seed: u64) -> ([f64; 3], f64) {
    let (mut counts, mut played) = ([0u32; 3], 0);
    for index in 0..MATCHES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(index));
        let mut test = SequentialTest::new(sprt);
        while test.counts().pairs() < limit && test.push(draw(pairs, &mut rng)) == Verdict::Continue
        {
        }
        counts[match test.verdict() {
            Verdict::AcceptH1 => 0,
            Verdict::AcceptH0 => 1,
            Verdict::Continue => 2,
        }] += 1;
        played += test.counts().pairs();
    }
    let share = |count: u32| f64::from(count) / f64::from(MATCHES);
    (counts.map(share), played as f64 / f64::from(MATCHES))
}

#[test]
fn plan_predicts_what_simulated_tests_do() {
    // Independent games with 40 % draws between equals.
    let world = World {
        draw: (0.8f64 / 0.6).ln(),
        bias: 0.0,
    };
    for (model, elo0, elo1, limit, seed) in [
        (Model::Normalized, 0.0, 25.0, 500, 700),
        (Model::Normalized, -10.0, 30.0, 100_000, 710),
        (Model::Logistic, 0.0, 20.0, 400, 720),
    ] {
        let sprt = Sprt::new(model, elo0, elo1).unwrap();
        let plan = Plan::new(sprt, 0.4, Some(limit)).unwrap();
        for (outlook, part) in plan.outlooks().iter().zip([0.0, 0.5, 1.0]) {
            let pairs = world.at(model, elo0 + part * (elo1 - elo0));
            let (shares, mean) = play_up_to(sprt, &pairs, limit, seed);
            println!("{model} [{elo0}, {elo1}] {limit}: {shares:.3?} {mean:.0} {outlook:.3?}");
            let expected = [outlook.accept_h1, outlook.accept_h0, outlook.undecided];
            for (share, expected) in shares.iter().zip(expected) {
                // Three standard errors of 2,000 tests.
                assert!((share - expected).abs() < 0.034, "{share} {expected}");
            }
            let ratio = mean / outlook.mean_pairs;
            assert!((0.94..1.06).contains(&ratio), "{ratio}");
        }
    }
}

const STOPS: u32 = 2500;

/// Share of tests whose estimate after the stop is above the true Elo, and share whose interval
/// holds it.
fn after_the_stop(sprt: Sprt, pairs: &Pairs, limit: u64, seed: u64) -> (f64, f64) {
    let truth = true_elo(pairs, Model::Logistic);
    let (mut above, mut held) = (0u32, 0u32);
    for index in 0..STOPS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(index));
        let mut test = SequentialTest::new(sprt);
        while test.counts().pairs() < limit && test.push(draw(pairs, &mut rng)) == Verdict::Continue
        {
        }
        let elo = StoppedEstimate::of(&sprt, test.counts()).elo;
        above += u32::from(elo.value.is_some_and(|value| value > truth));
        let (low, high) = (elo.low, elo.high);
        held +=
            u32::from(low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high));
    }
    let share = |count: u32| f64::from(count) / f64::from(STOPS);
    (share(above), share(held))
}

#[test]
fn estimates_after_a_stop_are_as_often_too_high_as_too_low() {
    for (model, elo1, limit, world, seed) in [
        (Model::Normalized, 40.0, 100_000, CHESS, 900),
        (Model::Logistic, 30.0, 200, SHARP, 910),
    ] {
        let sprt = Sprt::new(model, 0.0, elo1).unwrap();
        for (part, seed) in [0.0, 0.5, 1.0, 2.0].into_iter().zip(seed..) {
            let pairs = world.at(model, part * elo1);
            let (above, held) = after_the_stop(sprt, &pairs, limit, seed);
            println!("{model} [0, {elo1}] at {part}: above {above:.3}, held {held:.3}");
            // Three standard errors, and 0.02 for results that come in steps where the estimate takes
            // Brownian motion: in 6,000 of the shortest tests, logistic at 2 x H1, 0.521 were above.
            assert!((above - 0.5).abs() < 0.05, "{above}");
            assert!((0.92..0.98).contains(&held), "{held}");
        }
    }
}

#[test]
fn a_mirrored_test_has_the_mirrored_estimate() {
    for counts in [[3, 20, 40, 32, 9], [9, 32, 40, 20, 3], [5, 21, 50, 20, 6]] {
        let pairs = Pentanomial::from_array(counts);
        for model in Model::ALL {
            let (ours, theirs) = (
                Sprt::new(model, -5.0, 25.0).unwrap(),
                Sprt::new(model, -25.0, 5.0).unwrap(),
            );
            let one = StoppedEstimate::of(&ours, &pairs);
            let other = StoppedEstimate::of(&theirs, &pairs.swapped());
            let back = other.elo.negated();
            for (a, b) in [
                (one.elo.value, back.value),
                (one.elo.low, back.low),
                (one.elo.high, back.high),
                (one.confidence, other.confidence.map(|p| 1.0 - p)),
            ] {
                let (a, b) = (a.unwrap(), b.unwrap());
                assert!(
                    (a - b).abs() < 0.02 + 1e-3 * a.abs(),
                    "{model} {counts:?}: {a} {b}"
                );
            }
        }
    }
}

/// Coverage of the 95 % intervals of Elo and normalised Elo in matches of fixed length.
fn coverage(world: World, elo: f64, length: u32, seed: u64) -> [f64; 2] {
    let pairs = world.at(Model::Logistic, elo);
    let truth = [elo, true_elo(&pairs, Model::Normalized)];
    let simulations = 4000;
    let mut held = [0; 2];
    for index in 0..simulations {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index);
        let counts: Pentanomial = (0..length).map(|_| draw(&pairs, &mut rng)).collect();
        for (held, (estimate, truth)) in held
            .iter_mut()
            .zip([counts.elo(), counts.nelo()].iter().zip(truth))
        {
            let above = estimate.low.is_none_or(|low| low <= truth);
            let below = estimate.high.is_none_or(|high| truth <= high);
            *held += u32::from(above && below);
        }
    }
    let rates = held.map(|held| f64::from(held) / simulations as f64);
    println!("{elo} Elo, {length} pairs: covered {rates:.4?}");
    rates
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_matches() {
    for (world, elo, length) in [
        (CHESS, 0.0, 10),
        (SHARP, 0.0, 10),
        (CHESS, 100.0, 20),
        (CHESS, 0.0, 100),
        (CHESS, 20.0, 400),
        (CHESS, -80.0, 200),
        (SHARP, 0.0, 100),
        (SHARP, 50.0, 400),
        (CHESS, 200.0, 200),
        (CHESS, 400.0, 500),
        (SHARP, 400.0, 500),
    ] {
        let [elo_rate, nelo_rate] = coverage(world, elo, length, 500);
        assert!(
            (0.935..0.965).contains(&elo_rate),
            "{elo} Elo, {length} pairs: {elo_rate}"
        );
        // Cautious below 100 pairs, where the deviation may miss rare results.
        let most = if length < 100 { 1.0 } else { 0.965 };
        assert!(
            (0.935..=most).contains(&nelo_rate),
            "{elo} Elo, {length} pairs: {nelo_rate}"
        );
    }
}

#[test]
fn intervals_of_very_few_or_lopsided_pairs_are_cautious() {
    for (world, elo, length) in [
        (CHESS, 0.0, 1),
        (CHESS, 0.0, 5),
        (SHARP, 0.0, 5),
        (CHESS, 300.0, 10),
        (SHARP, 500.0, 20),
        (SHARP, 800.0, 100),
    ] {
        let [elo_rate, nelo_rate] = coverage(world, elo, length, 600);
        assert!(elo_rate > 0.94, "{elo} Elo, {length} pairs: {elo_rate}");
        assert!(nelo_rate > 0.94, "{elo} Elo, {length} pairs: {nelo_rate}");
    }
}

#[test]
fn worlds_are_what_they_are_meant_to_be() {
    let level = CHESS.at(Model::Logistic, 0.0);
    assert!((level.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((level[0] - level[4]).abs() < 1e-9);
    for model in Model::ALL {
        assert!((true_elo(&SHARP.at(model, 15.0), model) - 15.0).abs() < 1e-9);
    }
    let ten = CHESS.at(Model::Logistic, 10.0);
    let mean: f64 = ten
        .iter()
        .zip(0..)
        .map(|(p, i)| p * f64::from(i) / 4.0)
        .sum();
    assert!((mean - elo_to_score(10.0)).abs() < 1e-12);
}

/// Shares of matches between equals whose LOS is above 95 %, 97.5 % and 99 %.
fn false_superiority(world: World, length: u32, seed: u64) -> [f64; 3] {
    let pairs = world.at(Model::Logistic, 0.0);
    let simulations = 4000;
    let mut above = [0; 3];
    for index in 0..simulations {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index);
        let counts: Pentanomial = (0..length).map(|_| draw(&pairs, &mut rng)).collect();
        let los = counts.los().expect("pairs were played");
        for (above, level) in above.iter_mut().zip([0.95, 0.975, 0.99]) {
            *above += u32::from(los > level);
        }
    }
    let rates = above.map(|above| f64::from(above) / simulations as f64);
    println!("equal players, {length} pairs: LOS above 95, 97.5, 99 %: {rates:.4?}");
    rates
}

#[test]
fn los_errs_about_as_often_as_it_says() {
    for world in [CHESS, SHARP] {
        for length in [5, 10, 20, 50, 200] {
            let rates = false_superiority(world, length, 800);
            for (rate, level) in rates.into_iter().zip([0.05, 0.025, 0.01]) {
                // Three standard errors of the simulation.
                let room = 3.0 * (level / 4000.0_f64).sqrt();
                assert!(rate < level + room, "{length} pairs, {level}: {rate}");
            }
        }
    }
}
