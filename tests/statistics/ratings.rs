//! Ratings: published worked examples, identities, and results whose likelihood has no maximum.

use proptest::prelude::*;
use sparring::stats::{
    Basis, FirstMove, PairResult, PairTable, Pentanomial, PlayerResult, RatingError, RatingOptions,
    Ratings, Sample, Tournament, Wdl, normal, score_to_elo,
};

const PLAIN: RatingOptions = RatingOptions {
    first_move: FirstMove::Ignored,
    virtual_games: 0.0,
};

pub(super) const ELO_PER_NATURAL: f64 = 400.0 / std::f64::consts::LN_10;

pub(super) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: found {found}, expected {expected}"
    );
}

/// The strength behind a rating: natural logarithm, scale for draws undone.
fn strength(ratings: &Ratings, player: usize) -> f64 {
    let scale = 1.0 - ratings.draw_rate().unwrap();
    ratings.players()[player].elo.value.unwrap() / scale / ELO_PER_NATURAL
}

/// A. Agresti, "Categorical Data Analysis" (2002), section 10.6: home wins and away wins of the
/// 1987 season, `[home][away]`, Milwaukee first and Baltimore last, as in the data set `baseball` of the R package BradleyTerry2.
const BASEBALL: [[(u64, u64); 7]; 7] = [
    [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
];

fn baseball() -> Tournament {
    let mut tournament = Tournament::new(7);
    for (home, row) in BASEBALL.iter().enumerate() {
        for (away, &(won, lost)) in row.iter().enumerate() {
            tournament.add_games(home, away, Wdl::new(won, 0, lost));
        }
    }
    tournament
}

#[test]
fn agrestis_baseball_agrees_with_bradleyterry2() {
    let ratings = Ratings::of(&baseball(), PLAIN).unwrap();
    assert_eq!(ratings.draw_rate(), Some(0.0));
    assert_eq!(ratings.first_move().value, None);
    for (team, expected) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68].into_iter().enumerate() {
        let difference = ratings.difference(team, 6);
        let found = difference.value.unwrap() / ELO_PER_NATURAL;
        assert_close(found, expected, 0.005, &format!("team {team}"));
        let error = difference.error().unwrap() / normal::Z95 / ELO_PER_NATURAL;
        assert_close(error, 0.3, 0.05, &format!("team {team}"));
    }
}

#[test]
fn agrestis_home_advantage_agrees_with_bradleyterry2() {
    let options = RatingOptions {
        first_move: FirstMove::Fitted,
        ..PLAIN
    };
    let ratings = Ratings::of(&baseball(), options).unwrap();
    let advantage = ratings.first_move().value.unwrap() / ELO_PER_NATURAL;
    assert_close(advantage, 0.302, 0.0005, "home advantage");
    let worths: Vec<f64> = (0..7).map(|team| strength(&ratings, team).exp()).collect();
    let sum: f64 = worths.iter().sum();
    let shares = [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044];
    for (team, expected) in shares.into_iter().enumerate() {
        assert_close(
            worths[team] / sum,
            expected,
            0.0005,
            &format!("team {team}"),
        );
    }
}

#[test]
fn two_players_have_the_error_of_the_pentanomial() {
    for table in [
        [[3, 8, 30], [5, 40, 12], [40, 14, 9]],
        [[20, 8, 3], [9, 40, 12], [4, 14, 30]],
    ] {
        let mut tournament = Tournament::new(2);
        tournament.add_pairs(0, 1, &table);
        let mut pairs = Pentanomial::default();
        for (i, row) in table.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                for _ in 0..count {
                    pairs.push(PairResult::of(PlayerResult::ALL[i], PlayerResult::ALL[j]));
                }
            }
        }
        let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
        assert!(ratings.pairs_used());
        let (rated, counted) = (ratings.difference(0, 1), pairs.elo());
        let (value, expected) = (rated.value.unwrap(), counted.value.unwrap());
        assert_close(value, expected, 0.03 * expected.abs(), "Elo");
        let (error, expected) = (rated.error().unwrap(), counted.error().unwrap());
        assert_close(error, expected, 0.03 * expected, "error");
        assert_close(
            ratings.los(0, 1).unwrap(),
            pairs.los().unwrap(),
            0.01,
            "LOS",
        );
        let score = ratings.expected_score(0, 1).unwrap();
        assert_close(score, pairs.score().unwrap(), 0.003, "score");
    }
}

#[test]
fn the_zero_of_a_group_is_within_it() {
    let ratings = Ratings::of(&baseball(), RatingOptions::default()).unwrap();
    let elo = |team: usize| ratings.players()[team].elo.value.unwrap();
    assert!(elo(0) > 20.0 && elo(6) < -20.0);
    let sum: f64 = (0..7).map(elo).sum();
    // Nearly even games weigh nearly alike.
    assert!(sum.abs() < 50.0, "{sum}");
    assert_eq!(ratings.groups(), [vec![0, 1, 2, 3, 4, 5, 6]]);
    for rating in ratings.players() {
        assert_eq!(rating.elo.basis, Basis::Normal);
        let half_width = normal::Z95 * rating.standard_error.unwrap();
        assert_close(rating.elo.error().unwrap(), half_width, 1e-9, "interval");
    }
    let matrix = ratings.los_matrix();
    assert_eq!(matrix[3][3], None);
    assert_close(
        matrix[0][6].unwrap() + matrix[6][0].unwrap(),
        1.0,
        1e-12,
        "matrix",
    );
    assert!(matrix[0][6].unwrap() > 0.99);
}

#[test]
fn a_player_who_won_everything_has_a_lower_end_only() {
    let mut tournament = Tournament::new(4);
    for (a, b, results) in [
        (0, 1, Wdl::new(10, 0, 0)),
        (0, 2, Wdl::new(10, 0, 0)),
        (1, 2, Wdl::new(4, 2, 4)),
        (2, 1, Wdl::new(5, 2, 3)),
        (1, 3, Wdl::new(6, 0, 0)),
        (3, 2, Wdl::new(0, 0, 8)),
    ] {
        tournament.add_games(a, b, results);
    }
    assert_eq!(
        Ratings::of(&tournament, PLAIN).unwrap_err(),
        RatingError::NoMaximum
    );
    let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
    let elo: Vec<_> = ratings.players().iter().map(|rating| rating.elo).collect();
    assert!(elo[0].low.unwrap() > 0.0 && elo[0].high.is_none());
    assert!(elo[0].value.unwrap() > 200.0 && elo[0].value.unwrap() < 1200.0);
    assert!(elo[3].high.unwrap() < 0.0 && elo[3].low.is_none());
    assert_eq!((elo[0].basis, elo[3].basis), (Basis::Prior, Basis::Prior));
    // The two players bounded on both sides set the zero, and have ordinary intervals.
    for player in [1, 2] {
        assert_eq!(elo[player].basis, Basis::Normal);
        assert!(elo[player].error().unwrap() < 200.0);
    }
    assert!(elo[1].value.unwrap() * elo[2].value.unwrap() < 0.0);
    assert!(ratings.los(0, 1).unwrap() > 0.95);
    // A winner and a loser alone: neither has an anchor, each is bounded on one side.
    let mut duel = Tournament::new(2);
    duel.add_games(0, 1, Wdl::new(10, 0, 0));
    let ratings = Ratings::of(&duel, RatingOptions::default()).unwrap();
    let [winner, loser] = [0, 1].map(|player| ratings.players()[player].elo);
    assert!(winner.high.is_none() && winner.low.is_some());
    assert_eq!(winner.basis, Basis::Prior);
    assert_eq!(loser.negated(), winner);
}

#[test]
fn no_weak_player_moves_the_zero() {
    let rated = |upsets: u64| {
        let mut tournament = Tournament::new(4);
        for (first, second) in [(0, 1), (1, 2), (0, 2)] {
            tournament.add_pairs(first, second, &[[10, 8, 20], [6, 12, 9], [20, 9, 16]]);
        }
        for first in 0..3 {
            let lost = u64::from(first > 0) * upsets;
            tournament.add_pairs(first, 3, &[[0, 0, lost], [0, 0, 0], [0, 0, 100 - lost]]);
        }
        Ratings::of(&tournament, RatingOptions::default()).unwrap()
    };
    let (never, once) = (rated(0), rated(1));
    let elo = |ratings: &Ratings| ratings.players()[0].elo;
    let error = elo(&once).error().unwrap();
    let moved = elo(&once).value.unwrap() - elo(&never).value.unwrap();
    assert!(moved.abs() < error, "{moved} {error}");
    let lead = |ratings: &Ratings| ratings.difference(0, 1);
    let moved = lead(&once).value.unwrap() - lead(&never).value.unwrap();
    assert!(moved.abs() < lead(&once).error().unwrap(), "{moved}");
}

#[test]
fn chances_of_ranks_add_up_and_agree_with_the_likelihood_of_superiority() {
    let ratings = Ratings::of(&baseball(), PLAIN).unwrap();
    let chances = ratings.rank_chances();
    for rank in 0..7 {
        let sum: f64 = chances.iter().map(|row| row[rank]).sum();
        assert_close(sum, 1.0, 1e-9, "a rank");
    }
    let two = {
        let mut tournament = Tournament::new(2);
        tournament.add_games(0, 1, Wdl::new(30, 5, 20));
        tournament.add_games(1, 0, Wdl::new(22, 5, 25));
        Ratings::of(&tournament, PLAIN).unwrap()
    };
    let first = two.rank_chances()[0][0];
    assert_close(first, two.los(0, 1).unwrap(), 0.012, "first of two");
}

#[test]
fn one_helpless_player_leaves_the_others_bounded() {
    let mut tournament = baseball();
    for opponent in 0..7 {
        tournament.add_games(opponent, 7, Wdl::new(10, 0, 0));
    }
    let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
    for player in &ratings.players()[..7] {
        assert_eq!(player.elo.basis, Basis::Normal);
        assert!(player.elo.error().unwrap() < 120.0);
    }
    let helpless = ratings.players()[7].elo;
    assert!(helpless.low.is_none() && helpless.high.unwrap() < -100.0);
}

#[test]
fn players_that_no_games_connect_are_not_compared() {
    let mut tournament = Tournament::new(5);
    tournament.add_games(0, 1, Wdl::new(5, 5, 2));
    tournament.add_games(2, 3, Wdl::new(1, 5, 7));
    let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
    assert_eq!(ratings.groups(), [vec![0, 1], vec![2, 3]]);
    assert_eq!(ratings.los(0, 2), None);
    assert_eq!(ratings.difference(1, 3).value, None);
    assert_eq!(ratings.expected_score(0, 3), None);
    assert!(ratings.los(2, 3).is_some());
    let idle = ratings.players()[4];
    assert_eq!(
        (idle.elo.value, idle.standard_error, idle.group),
        (None, None, None)
    );
    for pair in [[0, 1], [2, 3]] {
        let sum: f64 = pair
            .iter()
            .map(|&i| ratings.players()[i].elo.value.unwrap())
            .sum();
        assert_close(sum, 0.0, 1e-6, "each group has its own zero");
    }
}

#[test]
fn tournaments_without_games_have_no_ratings() {
    for players in [0, 1, 5] {
        let ratings = Ratings::of(&Tournament::new(players), RatingOptions::default()).unwrap();
        assert_eq!(ratings.players().len(), players);
        assert!(ratings.groups().is_empty());
        assert_eq!(ratings.first_move().value, None);
        assert_eq!(ratings.draw_rate(), None);
        assert_eq!(ratings.los(0, 1), None);
    }
}

#[test]
fn one_sided_worlds_stay_finite() {
    // White wins everything; everything is drawn; a single game.
    let mut white = Tournament::new(2);
    white.add_games(0, 1, Wdl::new(50, 0, 0));
    white.add_games(1, 0, Wdl::new(50, 0, 0));
    let mut draws = Tournament::new(3);
    draws.add_games(0, 1, Wdl::new(0, 100, 0));
    draws.add_games(1, 2, Wdl::new(0, 100, 0));
    let mut single = Tournament::new(2);
    single.add_games(1, 0, Wdl::new(0, 0, 1));
    for tournament in [&white, &draws] {
        let ratings = Ratings::of(tournament, RatingOptions::default()).unwrap();
        for rating in ratings.players() {
            assert_close(rating.elo.value.unwrap(), 0.0, 1e-6, "level");
            assert!(rating.standard_error.unwrap() > 0.5);
        }
    }
    let ratings = Ratings::of(&white, RatingOptions::default()).unwrap();
    assert!(ratings.first_move().value.unwrap() > 300.0);
    let ratings = Ratings::of(&single, RatingOptions::default()).unwrap();
    assert!(ratings.players()[0].elo.value > ratings.players()[1].elo.value);
    assert!(ratings.los(0, 1).unwrap() < 0.9);
    for options in [f64::NAN, -1.0, f64::INFINITY] {
        let options = RatingOptions {
            virtual_games: options,
            ..RatingOptions::default()
        };
        assert!(Ratings::of(&single, options).is_err());
    }
}

#[test]
fn small_differences_are_on_the_scale_of_ordinary_elo() {
    // 52.5 % with many draws: the logistic curve says 17.4 Elo, Davidson's strengths twice that.
    let mut tournament = Tournament::new(2);
    for (white, black) in [(0, 1), (1, 0)] {
        let results = Wdl::new(50_000, 110_000, 40_000);
        let seen = if white == 0 {
            results
        } else {
            results.swapped()
        };
        tournament.add_games(white, black, seen);
    }
    let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
    let elo = ratings.difference(0, 1).value.unwrap();
    assert_close(elo, score_to_elo(0.525).unwrap(), 0.1, "Elo");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ratings_of_any_results_are_finite(
        meetings in prop::collection::vec(
            (0usize..6, 0usize..6, prop::array::uniform3(prop_oneof![
                3 => Just(0u64), 3 => 0u64..5, 2 => 0u64..200, 1 => 0u64..1_000_000_000
            ])),
            0..12,
        ),
        pairs in prop::collection::vec((0usize..6, 0usize..6, 0usize..9, 0u64..80), 0..12),
    ) {
        let mut tournament = Tournament::new(6);
        for &(white, black, [wins, draws, losses]) in &meetings {
            tournament.add_games(white, black, Wdl::new(wins, draws, losses));
        }
        for &(first, second, cell, count) in &pairs {
            let mut table = PairTable::default();
            table[cell / 3][cell % 3] = count;
            tournament.add_pairs(first, second, &table);
        }
        let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
        for rating in ratings.players() {
            let elo = rating.elo;
            for part in [elo.value, elo.low, elo.high, rating.standard_error] {
                prop_assert!(part.is_none_or(f64::is_finite), "{rating:?}");
            }
            prop_assert_eq!(elo.value.is_some(), rating.group.is_some());
            prop_assert!(elo.low.is_some() || elo.high.is_some() || elo.value.is_none());
        }
        for los in ratings.los_matrix().into_iter().flatten().flatten() {
            prop_assert!((0.0..=1.0).contains(&los));
        }
    }

    #[test]
    fn enormous_counts_are_rated_or_refused(counts in prop::array::uniform9(any::<u64>())) {
        let mut tournament = Tournament::new(3);
        for (white, black, at) in [(0, 1, 0), (1, 2, 3), (2, 0, 6)] {
            let results = Wdl::new(counts[at], counts[at + 1], counts[at + 2]);
            tournament.add_games(white, black, results);
        }
        tournament.add_pairs(0, 2, &[[counts[0], 0, 0], [0, counts[5], 0], [1, 0, counts[8]]]);
        if let Ok(ratings) = Ratings::of(&tournament, RatingOptions::default()) {
            for rating in ratings.players() {
                prop_assert!(rating.elo.value.is_some_and(f64::is_finite));
                prop_assert!(rating.standard_error.is_some_and(f64::is_finite));
            }
        }
    }

    #[test]
    fn numbering_the_players_otherwise_changes_nothing(
        results in prop::collection::vec(prop::array::uniform3(1u64..40), 12),
    ) {
        let order = [2usize, 0, 3, 1];
        let (mut one, mut other) = (Tournament::new(4), Tournament::new(4));
        let mut results = results.iter();
        for white in 0..4 {
            for black in (0..4).filter(|&black| black != white) {
                let &[wins, draws, losses] = results.next().unwrap();
                let counts = Wdl::new(wins, draws, losses);
                one.add_games(white, black, counts);
                other.add_games(order[white], order[black], counts);
            }
        }
        let one = Ratings::of(&one, RatingOptions::default()).unwrap();
        let other = Ratings::of(&other, RatingOptions::default()).unwrap();
        for (a, place) in one.players().iter().zip(order) {
            let b = other.players()[place];
            prop_assert!((a.elo.value.unwrap() - b.elo.value.unwrap()).abs() < 1e-6);
            prop_assert!((a.standard_error.unwrap() - b.standard_error.unwrap()).abs() < 1e-6);
        }
    }
}
