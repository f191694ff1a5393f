//! Known values, identities and edge cases of the statistics.

use sparring::stats::{Model, Pentanomial, Sample, Sprt, Wdl};

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
    let found = sample.elo();
    assert_close(found.value.unwrap(), elo.0, 6, &format!("{what} Elo"));
    assert_close(
        found.error().unwrap(),
        elo.1,
        6,
        &format!("{what} Elo error"),
    );
    let found = sample.nelo();
    assert_close(found.value.unwrap(), nelo.0, 6, &format!("{what} nElo"));
    assert_close(
        found.error().unwrap(),
        nelo.1,
        6,
        &format!("{what} nElo error"),
    );
    let los = sample.los().unwrap();
    assert_close(100.0 * los, los_percent, 2, &format!("{what} LOS"));
}

#[test]
fn elo_of_known_results_is_what_fastchess_prints() {
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
