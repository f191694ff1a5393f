//! Known values, identities and edge cases of the statistics.

use proptest::prelude::*;
use sparring::stats::{
    Basis, Estimate, Model, NormalFigures, PairResult, Pentanomial, PlayerResult, Sample,
    SequentialTest, Sprt, Summary, Tally, Verdict, Wdl, score_to_elo,
};

/// Equal to the digits printed.
fn assert_close(found: f64, expected: f64, digits: i32, what: &str) {
    assert!(
        (found - expected).abs() <= 0.5000001 * 10f64.powi(-digits),
        "{what}: found {found}, expected {expected}"
    );
}

fn assert_figures(
    sample: &impl Sample,
    elo: (f64, f64),
    nelo: (f64, f64),
    los_percent: f64,
    what: &str,
) {
    let normal = sample.normal_figures();
    let found = sample.elo().value.unwrap();
    assert_close(found, elo.0, 6, &format!("{what} Elo"));
    let found = normal.elo_error.unwrap();
    assert_close(found, elo.1, 6, &format!("{what} Elo error"));
    let found = sample.nelo().value.unwrap();
    assert_close(found, nelo.0, 6, &format!("{what} nElo"));
    let found = normal.nelo_error.unwrap();
    assert_close(found, nelo.1, 6, &format!("{what} nElo error"));
    let los = normal.los.unwrap();
    assert_close(100.0 * los, los_percent, 2, &format!("{what} LOS"));
}

#[test]
fn normal_approximations_of_known_results_are_what_fastchess_prints() {
    assert_figures(
        &Wdl::new(136, 111, 96),
        (40.702458, 30.427218),
        (49.768415, 36.768451),
        99.60,
        "136/111/96",
    );
    assert_figures(
        &Wdl::new(500, 1100, 400),
        (17.386278, 10.214498),
        (25.968555, 15.226756),
        99.96,
        "500/1100/400",
    );
    assert_figures(
        &Pentanomial::new(34, 54, 63, 64, 75),
        (55.579780, 27.653430),
        (57.935600, 28.275376),
        100.0,
        "[34, 54, 63, 64, 75]",
    );
    assert_figures(
        &Pentanomial::new(20, 180, 600, 220, 30),
        (9.929433, 7.928016),
        (18.624502, 14.859792),
        99.30,
        "[20, 180, 600, 220, 30]",
    );
}

#[test]
fn log_likelihood_ratios_of_known_games_are_what_fastchess_prints() {
    for (model, elo0, elo1, [wins, draws, losses], llr, digits) in [
        (Model::Normalized, 0.0, 2.0, [36433, 68692, 36027], 0.92, 2),
        (Model::Logistic, 0.5, 2.5, [21404, 40708, 21184], -1.57, 2),
        (Model::Normalized, 0.0, 5.0, [500, 1100, 400], 1.938533, 6),
        (Model::Logistic, 0.0, 5.0, [500, 1100, 400], 2.740092, 6),
    ] {
        let sprt = Sprt::new(model, elo0, elo1).unwrap();
        let found = sprt.llr_games(&Wdl::new(wins, draws, losses));
        assert_close(
            found,
            llr,
            digits,
            &format!("{model} {wins}/{draws}/{losses}"),
        );
    }
}

#[test]
fn log_likelihood_ratios_of_known_pairs_are_what_fastchess_prints() {
    for (model, elo1, counts, llr, digits) in [
        (
            Model::Normalized,
            2.0,
            [365, 16618, 36229, 16974, 390],
            2.25,
            2,
        ),
        (Model::Normalized, 10.0, [34, 54, 63, 64, 75], 2.483695, 6),
        (Model::Logistic, 10.0, [34, 54, 63, 64, 75], 2.551080, 6),
        (Model::Normalized, 5.0, [20, 180, 600, 220, 30], 1.398747, 6),
        (Model::Logistic, 5.0, [20, 180, 600, 220, 30], 2.266866, 6),
    ] {
        let sprt = Sprt::new(model, 0.0, elo1).unwrap();
        let found = sprt.llr(&Pentanomial::from_array(counts));
        assert_close(found, llr, digits, &format!("{model} {counts:?}"));
    }
}

/// Computed by a separate implementation of the same procedure, where counts of zero matter.
#[test]
fn log_likelihood_ratios_with_empty_counts_follow_the_same_procedure() {
    for (model, elo0, elo1, counts, llr) in [
        (Model::Normalized, 0.0, 5.0, [0, 5, 40, 8, 0], 0.112376),
        (Model::Logistic, 0.0, 5.0, [0, 5, 40, 8, 0], 0.264244),
        (Model::Normalized, 0.0, 5.0, [0, 0, 100, 0, 0], -0.037753),
        (Model::Logistic, 0.0, 5.0, [0, 0, 100, 0, 0], -1.441588),
        (Model::Normalized, 0.0, 10.0, [0, 0, 0, 0, 10], 0.398671),
        (Model::Logistic, 0.0, 10.0, [0, 0, 0, 0, 10], 0.283737),
        (Model::Normalized, -5.0, 0.0, [3, 0, 0, 2, 1], -0.022805),
    ] {
        let sprt = Sprt::new(model, elo0, elo1).unwrap();
        let found = sprt.llr(&Pentanomial::from_array(counts));
        assert_close(found, llr, 6, &format!("{model} {counts:?}"));
    }
    let sprt = Sprt::new(Model::Normalized, 0.0, 10.0).unwrap();
    assert_close(sprt.llr_games(&Wdl::new(65, 14, 0)), 2.030976, 6, "65/14/0");
    let sprt = Sprt::new(Model::Logistic, 0.0, 5.0).unwrap();
    assert_close(sprt.llr_games(&Wdl::new(10, 0, 0)), 0.142876, 6, "10/0/0");
    assert_close(
        sprt.llr_games(&Wdl::new(0, 100, 0)),
        -1.441846,
        6,
        "0/100/0",
    );
}

/// One row per sample: scores, counts, and SciPy's results. See the first line of the file.
#[test]
fn intervals_of_any_length_of_match_agree_with_scipy() {
    let mut rows = 0;
    for line in include_str!("../data/intervals.csv").lines().skip(2) {
        let mut cells = line.split(',');
        let (kind, counts) = (cells.next().unwrap(), numbers(cells.next().unwrap()));
        let expected: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let found = |sample: &dyn Sample| {
            let (score, nelo) = (sample.score_estimate(), sample.nelo());
            let (elo, m) = (sample.elo(), sample.moments().unwrap());
            assert_eq!(score.basis, Basis::Normal, "{line}");
            vec![
                score.low.unwrap(),
                score.high.unwrap(),
                elo.low.unwrap(),
                elo.high.unwrap(),
                m.skewness,
                m.kurtosis,
                nelo.value.unwrap(),
                nelo.error().unwrap(),
            ]
        };
        let found = match kind {
            "pairs" => found(&Pentanomial::from_array(counts.try_into().unwrap())),
            _ => found(&Wdl::new(counts[2], counts[1], counts[0])),
        };
        for (found, expected) in found.iter().zip(&expected) {
            assert_close(*found, *expected, 8, line);
        }
        rows += 1;
    }
    assert!(rows >= 8, "{rows}");
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(' ')
        .map(|count| count.parse().unwrap())
        .collect()
}

#[test]
fn likelihood_of_superiority_agrees_with_mpmath_and_scipy() {
    let mut rows = 0;
    for line in include_str!("../data/los.csv").lines().skip(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let counts = numbers(cells[1]);
        let los = match cells[0] {
            "pairs" => Pentanomial::from_array(counts.try_into().unwrap()).los(),
            _ => Wdl::new(counts[2], counts[1], counts[0]).los(),
        };
        assert_close(los.unwrap(), cells[2].parse().unwrap(), 12, line);
        rows += 1;
    }
    assert!(rows >= 20, "{rows}");
}

#[test]
fn a_better_result_never_lowers_the_likelihood_of_superiority() {
    for counts in [
        [0, 0, 0, 1, 1],
        [0, 0, 0, 2, 0],
        [1, 5, 20, 4, 0],
        [0, 0, 0, 0, 0],
    ] {
        for step in 0..4 {
            for more in [1, 50] {
                let (mut worse, mut better) = (counts, counts);
                worse[step] += more;
                better[step + 1] += more;
                let los = |counts| Pentanomial::from_array(counts).los().unwrap();
                assert!(los(worse) < los(better), "{worse:?} {better:?}");
            }
        }
    }
}

#[test]
fn no_result_is_certain() {
    for pairs in [
        Pentanomial::new(0, 0, 0, 0, 1_000_000_000),
        Pentanomial::new(0, 0, 0, u64::MAX, u64::MAX),
        Pentanomial::new(1, 0, 0, 0, u64::MAX),
    ] {
        let (sure, hopeless) = (pairs.los().unwrap(), pairs.swapped().los().unwrap());
        assert!(sure < 1.0 && sure > 0.9999, "{sure}");
        assert!(hopeless > 0.0 && hopeless < 1e-4, "{hopeless}");
    }
}

#[test]
fn without_games_all_figures_are_unknown() {
    for summary in [
        Summary::of_games(&Wdl::default()),
        Summary::of_pairs(&Pentanomial::default()),
    ] {
        assert_eq!(summary.games, 0);
        for estimate in [summary.score, summary.elo, summary.nelo] {
            assert_eq!(estimate, Estimate::UNKNOWN);
        }
        assert_eq!(summary.los, None);
        assert_eq!(summary.draw_ratio, None);
        assert_eq!(summary.pair_ratio, None);
    }
    for model in Model::ALL {
        let sprt = Sprt::new(model, 0.0, 5.0).unwrap();
        assert_eq!(sprt.llr(&Pentanomial::default()), 0.0);
        assert_eq!(sprt.llr_games(&Wdl::default()), 0.0);
    }
}

#[test]
fn wins_only_give_a_lower_end_and_no_value() {
    let games = Wdl::new(10, 0, 0);
    let elo = games.elo();
    assert_eq!(elo.basis, Basis::Exact);
    assert_eq!((elo.value, elo.high, elo.error()), (None, None, None));
    // Clopper and Pearson: 0.025^(1/10) = 0.691503.
    assert_close(games.score_estimate().low.unwrap(), 0.691503, 6, "score");
    assert_close(
        elo.low.unwrap(),
        score_to_elo(0.691_502_9).unwrap(),
        3,
        "Elo",
    );
    let nelo = games.nelo();
    assert_eq!((nelo.value, nelo.high), (None, None));
    // (0.691503 - 0.5) / sqrt(0.691503 (1 - 0.691503)) x 347.4356.
    assert_close(nelo.low.unwrap(), 144.05, 2, "nElo");
    // Beta(10.5, 0.5) above one half.
    assert!((0.999..1.0).contains(&games.los().unwrap()));
    assert_eq!(games.normal_figures(), NormalFigures::default());
    assert!(Wdl::new(100, 0, 0).elo().low > elo.low);
}

#[test]
fn draws_only_are_level_but_not_certain() {
    let games = Wdl::new(0, 100, 0);
    let elo = games.elo();
    assert_eq!((elo.value, elo.basis), (Some(0.0), Basis::Exact));
    // Up to 1 - 0.025^(1/100) = 3.62 % of games may be decisive, all for one side.
    assert_close(games.score_estimate().high.unwrap(), 0.518108, 6, "score");
    assert_close(elo.high.unwrap(), 12.59, 2, "Elo");
    assert_close(elo.low.unwrap() + elo.high.unwrap(), 0.0, 9, "symmetry");
    assert_eq!(games.nelo().value, Some(0.0));
    assert!(games.nelo().low.unwrap() < -50.0);
    assert_close(games.los().unwrap(), 0.5, 12, "LOS");
}

#[test]
fn one_game_gives_a_wide_interval() {
    let elo = Wdl::new(1, 0, 0).elo();
    assert_close(
        elo.low.unwrap(),
        score_to_elo(0.025).unwrap(),
        6,
        "lower end",
    );
    // Beta(3/2, 1/2) above one half: 1/2 + 1/pi.
    let won = Wdl::new(1, 0, 0).los().unwrap();
    assert_close(won, 0.5 + std::f64::consts::FRAC_1_PI, 12, "won");
    let lost = Wdl::new(0, 0, 1).los().unwrap();
    assert_close(lost, 0.5 - std::f64::consts::FRAC_1_PI, 12, "lost");
    let draw = Wdl::new(0, 1, 0).elo();
    assert_eq!(draw.value, Some(0.0));
    assert!(draw.high.unwrap() > 600.0);
}

#[test]
fn lopsided_results_fall_back_to_wilson() {
    let games = Wdl::new(9, 0, 1);
    let score = games.score_estimate();
    assert_eq!(score.basis, Basis::Wilson);
    // Newcombe (1998) and every textbook's formula: 9 of 10 gives 0.5958 to 0.9821.
    assert_close(score.low.unwrap(), 0.5958, 4, "low");
    assert_close(score.high.unwrap(), 0.9821, 4, "high");
    assert_close(games.elo().value.unwrap(), 381.697, 3, "value");
    assert!(games.elo().high.is_some());
}

#[test]
fn pairs_of_independent_games_agree_with_the_games() {
    // Exactly the pair frequencies of independent games with W/D/L 0.3/0.5/0.2, times 10,000.
    let pairs = Pentanomial::new(400, 2000, 2500 + 1200, 3000, 900);
    let games = Wdl::new(6000, 10000, 4000);
    assert_close(pairs.score().unwrap(), games.score().unwrap(), 12, "score");
    assert_close(
        2.0 * pairs.variance().unwrap(),
        games.variance().unwrap(),
        12,
        "variance",
    );
    for (p, g) in [(pairs.elo(), games.elo()), (pairs.nelo(), games.nelo())] {
        assert_close(p.value.unwrap(), g.value.unwrap(), 9, "value");
    }
    let (p, g) = (pairs.normal_figures(), games.normal_figures());
    assert_close(p.elo_error.unwrap(), g.elo_error.unwrap(), 9, "Elo error");
    assert_close(
        p.nelo_error.unwrap(),
        g.nelo_error.unwrap(),
        9,
        "nElo error",
    );
    assert_close(p.los.unwrap(), g.los.unwrap(), 12, "LOS");
}

#[test]
fn swapped_colours_of_a_biased_opening_narrow_the_interval() {
    // Every opening wins for white: games look wild, pairs are nearly all level.
    let mut tally = Tally::default();
    for i in 0..100 {
        let as_black = if i % 10 == 0 {
            PlayerResult::Draw
        } else {
            PlayerResult::Loss
        };
        tally.push_pair(PlayerResult::Win, as_black);
    }
    let from_pairs = tally.summary().elo.error().unwrap();
    let from_games = Summary::of_games(&tally.wdl()).elo.error().unwrap();
    assert!(from_pairs < from_games / 4.0, "{from_pairs} {from_games}");
    assert_eq!(tally.as_white(), Wdl::new(100, 0, 0));
    assert_eq!(tally.as_black(), Wdl::new(0, 10, 90));
}

#[test]
fn an_incomplete_pair_makes_the_summary_count_games() {
    let mut tally = Tally::default();
    tally.push_pair(PlayerResult::Win, PlayerResult::Draw);
    assert_eq!(tally.summary().pairs, Some(1));
    tally.push_black(PlayerResult::Loss);
    let summary = tally.summary();
    assert_eq!((summary.pairs, summary.games), (None, 3));
    assert_eq!(tally.swapped().as_white(), Wdl::new(1, 1, 0));
    assert_eq!(tally.swapped().swapped(), tally);
}

#[test]
fn ratios_of_pairs_are_counts_over_counts() {
    let pairs = Pentanomial::new(20, 180, 600, 220, 30);
    assert_close(pairs.pair_ratio().unwrap(), 1.25, 12, "pair ratio");
    assert_close(
        pairs.draw_ratio().unwrap(),
        600.0 / 1050.0,
        12,
        "draw ratio",
    );
    assert_eq!(Pentanomial::new(0, 0, 5, 3, 0).pair_ratio(), None);
    assert_eq!((pairs.pairs(), pairs.games()), (1050, 2100));
    assert_close(pairs.points(), 1080.0, 12, "points");
}

#[test]
fn bounds_are_walds() {
    let sprt = Sprt::new(Model::Normalized, 0.0, 5.0).unwrap();
    assert_close(sprt.lower_bound(), -2.944439, 6, "lower");
    assert_close(sprt.upper_bound(), 2.944439, 6, "upper");
    let strict = sprt.with_error_rates(0.01, 0.1).unwrap();
    assert_close(strict.lower_bound(), (0.1f64 / 0.99).ln(), 12, "lower");
    assert_close(strict.upper_bound(), (0.9f64 / 0.01).ln(), 12, "upper");
    assert_eq!(strict.verdict(-2.0), Verdict::Continue);
    assert_eq!(strict.verdict(-2.3), Verdict::AcceptH0);
    assert_eq!(strict.verdict(4.5), Verdict::AcceptH1);
}

#[test]
fn impossible_tests_are_refused_with_a_remedy() {
    let order = Sprt::new(Model::Logistic, 5.0, 5.0).unwrap_err();
    assert!(
        order.to_string().contains("elo0 must be below elo1"),
        "{order}"
    );
    assert!(Sprt::new(Model::Logistic, f64::NAN, 5.0).is_err());
    assert!(Sprt::new(Model::Normalized, 0.0, 201.0).is_err());
    assert!(Sprt::new(Model::Logistic, 0.0, f64::INFINITY).is_err());
    let sprt = Sprt::new(Model::Normalized, 0.0, 5.0).unwrap();
    for (alpha, beta) in [(0.0, 0.05), (0.05, 1.0), (f64::NAN, 0.1), (0.6, 0.4)] {
        assert!(
            sprt.with_error_rates(alpha, beta).is_err(),
            "{alpha} {beta}"
        );
    }
}

#[test]
fn test_keeps_the_deciding_pair_and_ignores_the_rest() {
    let sprt = Sprt::new(Model::Normalized, 0.0, 20.0).unwrap();
    let mut test = SequentialTest::new(sprt);
    assert_eq!(test.decided_after(), None);
    let cycle = [PairResult::WinWin, PairResult::Level, PairResult::WinDraw];
    let mut pairs = cycle.iter().copied().cycle();
    while test.verdict() == Verdict::Continue {
        test.push(pairs.next().unwrap());
    }
    let decided = test.clone();
    assert_eq!(decided.verdict(), Verdict::AcceptH1);
    assert_eq!(decided.decided_after(), Some(decided.counts().pairs()));
    assert!(decided.llr() >= sprt.upper_bound());
    for _ in 0..50 {
        assert_eq!(test.push(PairResult::LossLoss), Verdict::AcceptH1);
    }
    assert_eq!(test, decided);
}

fn all_finite(estimate: &Estimate) -> bool {
    let parts = [estimate.value, estimate.low, estimate.high];
    let ordered = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    };
    parts.iter().flatten().all(|x| x.is_finite())
        && ordered(estimate.low, estimate.value)
        && ordered(estimate.value, estimate.high)
        && ordered(estimate.low, estimate.high)
}

fn assert_meaningful(sample: &impl Sample) {
    for estimate in [sample.score_estimate(), sample.elo(), sample.nelo()] {
        assert!(all_finite(&estimate), "{estimate:?}");
        let known = estimate.low.is_some() || estimate.high.is_some();
        assert_eq!(known, sample.moments().is_some(), "{estimate:?}");
    }
    if let Some(los) = sample.los() {
        assert!((0.0..=1.0).contains(&los), "{los}");
    }
}

/// Small counts, often zero, and occasionally huge ones.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0u64), 3 => 1u64..4, 3 => 0u64..2000, 1 => any::<u64>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn figures_of_any_games_are_finite(wins in count(), draws in count(), losses in count()) {
        assert_meaningful(&Wdl::new(wins, draws, losses));
    }

    #[test]
    fn figures_of_any_pairs_are_finite(counts in prop::array::uniform5(count())) {
        assert_meaningful(&Pentanomial::from_array(counts));
    }

    #[test]
    fn the_opponent_sees_every_figure_negated(counts in prop::array::uniform5(0u64..500)) {
        let (pairs, other) = (
            Pentanomial::from_array(counts),
            Pentanomial::from_array(counts).swapped(),
        );
        for (a, b) in [(pairs.elo(), other.elo().negated()), (pairs.nelo(), other.nelo().negated())] {
            for (a, b) in [(a.value, b.value), (a.low, b.low), (a.high, b.high)] {
                prop_assert_eq!(a.is_some(), b.is_some());
                prop_assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-8);
            }
        }
        prop_assert!((pairs.los().unwrap_or(0.5) + other.los().unwrap_or(0.5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn log_likelihood_ratio_of_any_counts_is_finite(
        counts in prop::array::uniform5(count()),
        elo0 in -150.0..150.0f64,
        gap in 0.1..40.0f64,
    ) {
        let pairs = Pentanomial::from_array(counts);
        let games = Wdl::new(counts[0], counts[1], counts[2]);
        for model in Model::ALL {
            let sprt = Sprt::new(model, elo0, elo0 + gap).unwrap();
            prop_assert!(sprt.llr(&pairs).is_finite(), "{}", sprt.llr(&pairs));
            prop_assert!(sprt.llr_games(&games).is_finite());
        }
    }

    #[test]
    fn mirrored_hypotheses_mirror_the_ratio(
        counts in prop::array::uniform5(0u64..300),
        elo0 in -30.0..30.0f64,
        gap in 0.5..30.0f64,
    ) {
        let pairs = Pentanomial::from_array(counts);
        for model in Model::ALL {
            let ours = Sprt::new(model, elo0, elo0 + gap).unwrap().llr(&pairs);
            let theirs = Sprt::new(model, -elo0 - gap, -elo0).unwrap().llr(&pairs.swapped());
            // The search for theta stops within a tolerance, not at the same digit on both sides.
            prop_assert!((ours + theirs).abs() < 2e-3 + 2e-4 * ours.abs(), "{ours} {theirs}");
        }
    }
}
