//! Ratings of simulated worlds with known strengths: they are recovered, within errors that hold as often as
//! they say.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sparring::stats::{PairTable, RatingOptions, Ratings, Tournament, Wdl, normal};

use crate::ratings::{ELO_PER_NATURAL, assert_close};

/// A world with planted strengths (natural logarithms), first-move advantage, draw weight, and
/// openings whose bias is shared by both games of a pair.
struct World {
    strengths: Vec<f64>,
    first_move: f64,
    draw_weight: f64,
    bias: f64,
}

impl World {
    /// Loss, draw, win of white.
    fn game(&self, difference: f64) -> [f64; 3] {
        let weights = [
            (-difference / 2.0).exp(),
            self.draw_weight,
            (difference / 2.0).exp(),
        ];
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Chances of `[as white][as black]` of the first player in a pair.
    fn pair(&self, first: usize, second: usize) -> [[f64; 3]; 3] {
        let gap = self.strengths[first] - self.strengths[second];
        let mut chances = [[0.0; 3]; 3];
        for bias in [-self.bias, self.bias] {
            let as_white = self.game(gap + self.first_move + bias);
            let opponent = self.game(-gap + self.first_move + bias);
            for (white, row) in chances.iter_mut().enumerate() {
                for (black, chance) in row.iter_mut().enumerate() {
                    *chance += 0.5 * as_white[white] * opponent[2 - black];
                }
            }
        }
        chances
    }

    fn play(&self, pairs: u32, seed: u64) -> Tournament {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut tournament = Tournament::new(self.strengths.len());
        for first in 0..self.strengths.len() {
            for second in 0..first {
                let chances = self.pair(first, second);
                let cells: Vec<f64> = chances.into_iter().flatten().collect();
                let mut table = PairTable::default();
                for _ in 0..pairs {
                    let mut left = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                    let cell = cells.iter().position(|chance| {
                        left -= chance;
                        left < 0.0
                    });
                    let cell = cell.unwrap_or(8);
                    table[cell / 3][cell % 3] += 1;
                }
                tournament.add_pairs(first, second, &table);
            }
        }
        tournament
    }

    /// The limit of infinitely many games.
    fn truth(&self) -> Ratings {
        let mut tournament = Tournament::new(self.strengths.len());
        for first in 0..self.strengths.len() {
            for second in 0..first {
                let table = self
                    .pair(first, second)
                    .map(|row| row.map(|chance| (chance * 1e9).round() as u64));
                tournament.add_pairs(first, second, &table);
            }
        }
        let options = RatingOptions {
            virtual_games: 0.0,
            ..RatingOptions::default()
        };
        Ratings::of(&tournament, options).unwrap()
    }
}

fn spread_out(players: usize, width: f64) -> Vec<f64> {
    let middle = (players - 1) as f64 / 2.0;
    (0..players)
        .map(|i| (i as f64 - middle) / middle * width)
        .collect()
}

/// Mean squared z-score, share of 95 % intervals that hold the truth, over players and runs.
fn calibration(world: &World, pairs: u32, runs: u64) -> (f64, f64) {
    let truth = world.truth();
    let (mut squares, mut held, mut count) = (0.0, 0.0, 0.0);
    for run in 0..runs {
        let ratings = Ratings::of(&world.play(pairs, run), RatingOptions::default()).unwrap();
        for (rating, true_rating) in ratings.players().iter().zip(truth.players()) {
            let true_elo = true_rating.elo.value.unwrap();
            let z = (rating.elo.value.unwrap() - true_elo) / rating.standard_error.unwrap();
            squares += z * z;
            held += f64::from(u8::from(z.abs() <= normal::Z95));
            count += 1.0;
        }
    }
    println!(
        "{} players, {pairs} pairs each: mean z^2 {:.3}, covered {:.4}",
        world.strengths.len(),
        squares / count,
        held / count
    );
    (squares / count, held / count)
}

#[test]
fn planted_strengths_are_what_endless_play_shows() {
    let world = World {
        strengths: spread_out(6, 1.2),
        first_move: 0.2,
        draw_weight: 0.9,
        bias: 0.0,
    };
    let truth = world.truth();
    let scale = 2.0 / 2.9 * ELO_PER_NATURAL;
    for (rating, strength) in truth.players().iter().zip(&world.strengths) {
        assert_close(rating.elo.value.unwrap(), strength * scale, 1e-4, "rating");
    }
    assert_close(
        truth.first_move().value.unwrap(),
        0.2 * scale,
        1e-4,
        "first move",
    );
    assert_close(truth.draw_rate().unwrap(), 0.9 / 2.9, 1e-6, "draw rate");
}

#[test]
fn planted_ratings_are_recovered_within_their_errors() {
    for (players, width, draw_weight, pairs) in
        [(8, 1.0, 0.8, 20), (5, 2.0, 0.3, 50), (12, 0.5, 2.0, 10)]
    {
        let world = World {
            strengths: spread_out(players, width),
            first_move: 0.15,
            draw_weight,
            bias: 0.0,
        };
        let (squares, held) = calibration(&world, pairs, 400);
        assert!((0.85..1.15).contains(&squares), "{squares}");
        assert!((0.93..0.97).contains(&held), "{held}");
    }
}

#[test]
fn few_pairs_use_the_variance_of_the_model() {
    let world = World {
        strengths: spread_out(6, 0.8),
        first_move: 0.1,
        draw_weight: 1.0,
        bias: 0.0,
    };
    assert!(
        !Ratings::of(&world.play(4, 1), RatingOptions::default())
            .unwrap()
            .pairs_used()
    );
    let (squares, held) = calibration(&world, 4, 400);
    assert!((0.8..1.15).contains(&squares), "{squares}");
    assert!((0.93..0.98).contains(&held), "{held}");
}

#[test]
fn errors_stay_right_when_openings_tie_the_games_of_a_pair() {
    // Openings worth +-1.5: the games of a pair go opposite ways, which the model does not know.
    let world = World {
        strengths: spread_out(6, 0.6),
        first_move: 0.0,
        draw_weight: 0.8,
        bias: 1.5,
    };
    let (squares, held) = calibration(&world, 30, 400);
    assert!((0.85..1.15).contains(&squares), "{squares}");
    assert!((0.93..0.97).contains(&held), "{held}");
    // The same games without their pairs would seem far less certain.
    let mut apart = Tournament::new(2);
    let mut together = Tournament::new(2);
    let table = [[0, 2, 90], [3, 30, 5], [60, 4, 1]];
    together.add_pairs(0, 1, &table);
    for (as_white, row) in table.iter().enumerate() {
        for (as_black, &count) in row.iter().enumerate() {
            let counted = |result: usize| {
                let mut counts = [0; 3];
                counts[result] = count;
                Wdl::new(counts[2], counts[1], counts[0])
            };
            apart.add_games(0, 1, counted(as_white));
            apart.add_games(1, 0, counted(as_black).swapped());
        }
    }
    let error = |tournament: &Tournament| {
        let ratings = Ratings::of(tournament, RatingOptions::default()).unwrap();
        ratings.difference(0, 1).error().unwrap()
    };
    assert!(error(&together) < error(&apart) / 2.0);
}

#[test]
fn forty_players_and_a_hundred_thousand_games_are_rated() {
    let world = World {
        strengths: spread_out(40, 2.0),
        first_move: 0.1,
        draw_weight: 0.7,
        bias: 0.3,
    };
    let tournament = world.play(64, 7);
    let ratings = Ratings::of(&tournament, RatingOptions::default()).unwrap();
    let best = ratings.players()[39].elo.value.unwrap();
    let worst = ratings.players()[0].elo.value.unwrap();
    assert!(best - worst > 300.0);
}
