//! Openings that several pairings share: joint errors and paired comparisons against numpy and scipy, and
//! how often their intervals hold the truth.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sparring::stats::{
    Basis, PairedComparison, PlayerResult, RatingOptions, Ratings, Tournament, elo_to_score,
};

const GOLDEN: &str = include_str!("../data/shared-openings.csv");

fn result(half_points: &str) -> PlayerResult {
    PlayerResult::ALL[half_points.parse::<usize>().unwrap()]
}

fn golden_tournament() -> Tournament {
    let mut tournament = Tournament::new(4);
    let rows = GOLDEN.lines().filter(|line| !line.starts_with('#')).skip(1);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let players = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        let opening = cells[0].parse().unwrap();
        tournament.push_pair_from(opening, players, result(cells[3]), result(cells[4]));
    }
    tournament
}

/// The expected figures of a kind, by two players.
fn golden(kind: &str) -> Vec<(usize, usize, Vec<f64>)> {
    let prefix = format!("# {kind},");
    let lines = GOLDEN.lines().filter_map(|line| line.strip_prefix(&prefix));
    lines
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            (cells[0] as usize, cells[1] as usize, cells[2..].to_vec())
        })
        .collect()
}

fn assert_close(found: Option<f64>, expected: f64, tolerance: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what} is unknown"));
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: found {found}, expected {expected}"
    );
}

#[test]
fn differences_of_ratings_have_the_errors_of_an_independent_sandwich_by_opening() {
    let options = RatingOptions {
        virtual_games: 0.0,
        ..RatingOptions::default()
    };
    let ratings = Ratings::of(&golden_tournament(), options).unwrap();
    assert_eq!(ratings.openings_used(), Some(48));
    for (player, other, expected) in golden("rated") {
        let found = ratings.difference(player, other);
        assert_close(found.value, expected[0], 1e-3, "difference");
        assert_close(found.error(), expected[1], 1e-3, "error");
    }
}

#[test]
fn paired_comparisons_agree_with_numpy_and_scipy() {
    let tournament = golden_tournament();
    for (player, other, expected) in golden("paired") {
        let found = PairedComparison::of(&tournament, player, other).unwrap();
        assert_eq!(
            [found.openings, found.pairs],
            [expected[0] as u64, expected[1] as u64]
        );
        let figures = [
            Some(found.scores[0]),
            Some(found.scores[1]),
            found.score.low,
            found.score.high,
            found.elo.value,
            found.elo.error(),
            found.unpaired_error,
            found.p,
        ];
        for (index, (found, expected)) in figures.into_iter().zip(&expected[2..]).enumerate() {
            assert_close(found, *expected, 1e-6, &format!("figure {index}"));
        }
        let turned = PairedComparison::of(&tournament, other, player).unwrap();
        assert_eq!(turned.score.value, found.score.value.map(|it| -it));
        assert_eq!(turned.p, found.p);
    }
    assert_eq!(PairedComparison::of(&tournament, 2, 2), None);
    // Player 0 met all others, but 1 alone met 2 besides it.
    assert!(PairedComparison::of(&tournament, 0, 1).is_some());
    assert_eq!(PairedComparison::of(&tournament, 0, 3), None);
}

#[test]
fn results_that_are_all_alike_leave_an_exact_bound_and_no_p_value() {
    let mut tournament = Tournament::new(3);
    for opening in 0..20 {
        for player in [1, 2] {
            let players = (player, 0);
            tournament.push_pair_from(opening, players, PlayerResult::Win, PlayerResult::Loss);
        }
    }
    let found = PairedComparison::of(&tournament, 1, 2).unwrap();
    assert_eq!(
        (found.score.value, found.score.basis),
        (Some(0.0), Basis::Exact)
    );
    let missed = 1.0 - 0.025f64.powf(1.0 / 20.0);
    assert_close(found.score.high, missed, 1e-12, "upper end");
    assert_close(found.score.low, -missed, 1e-12, "lower end");
    assert_eq!((found.p, found.elo.low), (None, None));
}

#[test]
fn few_openings_and_pairs_without_a_known_one_leave_the_errors_as_they_were() {
    let mut known = Tournament::new(3);
    let mut unknown = Tournament::new(3);
    let mut few = Tournament::new(3);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for pair in 0..120u32 {
        for players in [(0, 1), (0, 2), (1, 2)] {
            let mut draw = || PlayerResult::ALL[(rng.next_u32() % 3) as usize];
            let (white, black) = (draw(), draw());
            // An opening for each pair of each pairing: none is shared.
            let own = 3 * pair + (players.0 + players.1) as u32;
            known.push_pair_from(own, players, white, black);
            unknown.push_pair(players.0, players.1, white, black);
            few.push_pair_from(pair % 7, players, white, black);
        }
    }
    let ratings =
        |tournament: &Tournament| Ratings::of(tournament, RatingOptions::default()).unwrap();
    let plain = ratings(&unknown);
    for other in [&known, &few] {
        let other = ratings(other);
        assert_eq!(other.openings_used(), None);
        for (a, b) in [(0, 1), (1, 2)] {
            assert_eq!(other.difference(a, b), plain.difference(a, b));
        }
    }
}

/// Two candidates with scores of 54 and 46 % against one opponent. From every opening the opponent, and
/// `common` of the candidates' luck, is the same for both.
struct Field {
    openings: u32,
    common: f64,
}

const SHIFTS: [f64; 2] = [0.04, -0.04];

impl Field {
    fn play(&self, seed: u64, stream: u64) -> Tournament {
        let mut tournament = Tournament::new(3);
        self.pairs(seed, stream, |opening, players, white, black| {
            tournament.push_pair_from(opening, players, white, black);
        });
        tournament
    }

    /// The same games, and nothing known of their openings.
    fn play_unshared(&self, seed: u64, stream: u64) -> Tournament {
        let mut tournament = Tournament::new(3);
        self.pairs(seed, stream, |_, players, white, black| {
            tournament.push_pair(players.0, players.1, white, black);
        });
        tournament
    }

    fn pairs(
        &self,
        seed: u64,
        stream: u64,
        mut push: impl FnMut(u32, (usize, usize), PlayerResult, PlayerResult),
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        for opening in 0..self.openings {
            let shared = uniform() - 0.5;
            for (index, shift) in SHIFTS.into_iter().enumerate() {
                let luck = self.common * shared + (1.0 - self.common) * (uniform() - 0.5);
                let chance = 0.5 + shift + 0.7 * luck;
                let mut game = || match uniform() < chance {
                    true => PlayerResult::Win,
                    false => PlayerResult::Loss,
                };
                let (white, black) = (game(), game());
                push(opening, (index + 1, 0), white, black);
            }
        }
    }
}

/// How often intervals hold the truth, and their mean half width.
#[derive(Default)]
struct Held {
    held: u32,
    width: f64,
}

impl Held {
    fn see(&mut self, low: Option<f64>, high: Option<f64>, truth: f64) {
        let (low, high) = (low.unwrap(), high.unwrap());
        self.held += u32::from(low <= truth && truth <= high);
        self.width += (high - low) / 2.0;
    }

    fn text(&self, trials: u64) -> String {
        let trials = trials as f64;
        let share = 100.0 * f64::from(self.held) / trials;
        format!("{share:.1} % (+- {:.1})", self.width / trials)
    }
}

/// Coverage of the rating difference, of the paired comparison, and of the rating difference that takes
/// the openings as different.
fn coverage(field: &Field, trials: u64, seed: u64) -> [Held; 3] {
    let mut held = [(); 3].map(|()| Held::default());
    // What the model fits in the limit: the Elo of both expected scores against the opponent.
    let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let truth = elo(0.5 + SHIFTS[0]) - elo(0.5 + SHIFTS[1]);
    assert!((elo_to_score(elo(0.54)) - 0.54).abs() < 1e-12);
    for trial in 0..trials {
        let tournament = field.play(seed, trial);
        let unshared = field.play_unshared(seed, trial);
        let joint = Ratings::of(&tournament, RatingOptions::default()).unwrap();
        let alone = Ratings::of(&unshared, RatingOptions::default()).unwrap();
        let paired = PairedComparison::of(&tournament, 1, 2).unwrap().elo;
        let estimates = [joint.difference(1, 2), paired, alone.difference(1, 2)];
        for (held, estimate) in held.iter_mut().zip(estimates) {
            held.see(estimate.low, estimate.high, truth);
        }
    }
    held
}

#[test]
fn intervals_of_differences_in_shared_openings_hold_their_95_percent_and_are_shorter() {
    let trials = 1000;
    let [joint, paired, alone] = coverage(
        &Field {
            openings: 100,
            common: 0.9,
        },
        trials,
        31,
    );
    for held in [&joint, &paired] {
        let share = f64::from(held.held) / trials as f64;
        // Four standard errors of a simulated share, and the small-sample loss of a sandwich.
        assert!((0.915..0.975).contains(&share), "{share}");
        assert!(held.width < 0.9 * alone.width);
    }
}

/// Prints the table of docs/statistics.md: `cargo test --test statistics -- --ignored --nocapture shared`.
#[test]
#[ignore = "a table, not a check"]
fn table_of_coverage_in_shared_openings() {
    for (openings, common) in [(30, 0.9), (100, 0.0), (100, 0.5), (100, 0.9), (400, 0.9)] {
        let found = coverage(&Field { openings, common }, 4000, 31);
        let cells = found.map(|held| held.text(4000)).join(" | ");
        println!("| {openings} | {:.0} % | {cells} |", 100.0 * common);
    }
}
