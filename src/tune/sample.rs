//! Samples positions from games for a data set.

use std::collections::HashMap;

use super::positions::{Balance, Labelled, Read, Split, remove_duplicates};
use super::quiet::{Judge, Quiet};
use crate::play::{Purpose, Stream};

/// How positions are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// At most this many per game; 0 for all.
    pub per_game: usize,
    /// Plies skipped at the start of each game.
    pub skip: usize,
    pub quiet: Quiet,
    pub unique: bool,
    /// Balance the results: as many wins of white as of black, and no more draws than either.
    pub balanced: bool,
    /// Share of games marked for validation.
    pub validation: f64,
    pub seed: u64,
}

/// Numbers of kept and dropped positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleReport {
    pub games: u64,
    pub positions: u64,
    pub skipped: u64,
    pub not_quiet: u64,
    pub not_drawn: u64,
    pub duplicates: u64,
    pub unbalanced: u64,
    pub balance: Balance,
    pub train: u64,
    pub validation: u64,
}

/// Samples positions of games; the judge decides which are quiet. The result has a game and a part of the split for each.
pub fn sample(read: Read, judge: Judge<'_>, sampling: &Sampling) -> (Vec<Labelled>, SampleReport) {
    let mut report = SampleReport {
        games: read.games,
        positions: read.positions.len() as u64,
        ..SampleReport::default()
    };
    let mut plies: HashMap<u64, usize> = HashMap::new();
    let mut positions = read.positions;
    positions.retain(|labelled| {
        let ply = plies.entry(labelled.game.unwrap_or(0)).or_insert(0);
        *ply += 1;
        *ply > sampling.skip
    });
    report.skipped = report.positions - positions.len() as u64;
    let before = positions.len() as u64;
    let mut positions = sampling.quiet.all_of(positions, judge);
    report.not_quiet = before - positions.len() as u64;
    if sampling.unique {
        report.duplicates = remove_duplicates(&mut positions);
    }
    if sampling.per_game > 0 {
        let before = positions.len() as u64;
        positions = draw_per_game(positions, sampling);
        report.not_drawn = before - positions.len() as u64;
    }
    if sampling.balanced {
        report.unbalanced = balance(&mut positions);
    }
    for labelled in &mut positions {
        let game = labelled.game.unwrap_or(0);
        let draw = Stream::new(sampling.seed, game, Purpose::Sampling).fraction();
        let split = if draw < sampling.validation {
            Split::Validation
        } else {
            Split::Train
        };
        labelled.split = Some(split);
        match split {
            Split::Train => report.train += 1,
            Split::Validation => report.validation += 1,
        }
    }
    report.balance = Balance::of(positions.iter().map(|labelled| labelled.result));
    (positions, report)
}

/// Samples positions of each game at random, keeping their order.
fn draw_per_game(positions: Vec<Labelled>, sampling: &Sampling) -> Vec<Labelled> {
    let mut kept = Vec::new();
    let mut game: Vec<Labelled> = Vec::new();
    let mut positions = positions.into_iter().peekable();
    while let Some(labelled) = positions.next() {
        let number = labelled.game;
        game.push(labelled);
        if positions.peek().is_some_and(|next| next.game == number) {
            continue;
        }
        // The first random number of a game decides its split, so these draws come after it.
        let mut draws = Stream::new(sampling.seed, number.unwrap_or(0), Purpose::Sampling);
        draws.draw();
        let mut wanted = sampling.per_game.min(game.len());
        let mut left = game.len();
        for labelled in game.drain(..) {
            if draws.below(left as u64) < wanted as u64 {
                wanted -= 1;
                kept.push(labelled);
            }
            left -= 1;
        }
    }
    kept
}

/// Drops positions, evenly spread, until no result is more common than the rarer kind of win.
fn balance(positions: &mut Vec<Labelled>) -> u64 {
    let before = positions.len();
    let counts = Balance::of(positions.iter().map(|labelled| labelled.result));
    let wanted = counts.wins.min(counts.losses);
    let mut seen = [0_u64; 3];
    positions.retain(|labelled| {
        let (place, all) = match labelled.result {
            result if result > 0.5 => (0, counts.wins),
            result if result < 0.5 => (1, counts.losses),
            _ => (2, counts.draws),
        };
        seen[place] += 1;
        let wanted = wanted.min(all);
        seen[place] * wanted / all != (seen[place] - 1) * wanted / all
    });
    (before - positions.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::eval::catalog::GameId;

    fn games() -> Read {
        let mut read = Read {
            games: 30,
            ..Read::default()
        };
        for game in 1..=30 {
            let mut position = GameId::Chess.rules().usual_start();
            let mut draws = Stream::new(9, game, Purpose::Players);
            for _ in 0..30 {
                read.positions.push(Labelled {
                    position: position.clone(),
                    result: [1.0, 1.0, 0.5, 0.0][game as usize % 4],
                    score: None,
                    game: Some(game),
                    split: None,
                });
                let moves = position.count_moves();
                if moves == 0 || !position.play(draws.below(moves) as usize) {
                    break;
                }
            }
        }
        read
    }

    #[test]
    fn a_sample_keeps_what_was_asked_for_and_splits_by_game() {
        let evaluators = GameId::Chess.evaluators();
        let preset = evaluators.preset("material").expect("a preset");
        let sampling = Sampling {
            per_game: 5,
            skip: 4,
            quiet: Quiet::Filter,
            unique: true,
            balanced: true,
            validation: 0.3,
            seed: 1,
        };
        let weights = Weights::defaults(preset.terms());
        let judge = Judge {
            game: GameId::Chess,
            preset: preset.name(),
            weights: &weights,
        };
        let (kept, report) = sample(games(), judge, &sampling);
        assert_eq!(report.balance.wins, report.balance.losses);
        assert!(report.balance.draws <= report.balance.wins);
        assert!(report.train > 0 && report.validation > 0);
        assert_eq!(report.train + report.validation, kept.len() as u64);
        let mut by_game: HashMap<Option<u64>, Vec<&Labelled>> = HashMap::new();
        kept.iter()
            .for_each(|l| by_game.entry(l.game).or_default().push(l));
        for of_game in by_game.values() {
            assert!(of_game.len() <= 5);
            assert!(
                of_game
                    .iter()
                    .all(|labelled| labelled.split == of_game[0].split)
            );
        }
        let again = sample(games(), judge, &sampling).0;
        let fens = |kept: &[Labelled]| -> Vec<String> {
            let shown = |l: &Labelled| format!("{} {:?} {:?}", l.position.fen(), l.game, l.split);
            kept.iter().map(shown).collect()
        };
        assert_eq!(fens(&kept), fens(&again));
    }
}
