//! A runner reuses seats between games; no game may depend on earlier games in its seat.

use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::AtomicBool;

use sparring::config::Loaded;
use sparring::play::{Experiment, PlayedPair, RunError, Runner};
use tempfile::tempdir;

const PLAYERS: &str = r#"
seed = 3
[match]
pairs = 200
[openings]
plies = 6
[[player]]
name = "strong"
evaluator = "EVALUATOR"
depth = 2
search = { profile = "strong", table_mb = 1 }
[[player]]
name = "other options"
evaluator = "EVALUATOR"
depth = 2
search = { profile = "strong", table_mb = 1, reduction_base = 20, contempt = 30 }
[[player]]
name = "at random"
evaluator = "random"
depth = 1
"#;

fn load(game: &str, evaluator: &str) -> Loaded {
    let folder = tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let players = PLAYERS.replace("EVALUATOR", evaluator);
    fs::write(&path, format!("game = \"{game}\"\n{players}")).unwrap();
    sparring::config::load(&path, &[]).unwrap()
}

fn play(
    runner: &mut Runner,
    experiment: &Experiment,
    range: RangeInclusive<u64>,
) -> Vec<PlayedPair> {
    let mut pairs = Vec::new();
    runner
        .run::<_, RunError>(
            experiment,
            range,
            &AtomicBool::new(false),
            |pair| pair,
            |pair| {
                pairs.push(pair);
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
    pairs
}

/// Compares all moves, scores, depths and nodes.
fn check(game: &str, evaluator: &str) {
    let Loaded {
        game, experiment, ..
    } = load(game, evaluator);
    let runner = || Runner::new(game, 1).unwrap();
    let mut used = runner();
    // More than 255 games per seat: the game numbers of the TT wrap around.
    play(&mut used, &experiment, 1..=300);
    for pair in [301, 302, 303, 304, 1] {
        let fresh = play(&mut runner(), &experiment, pair..=pair);
        let again = play(&mut used, &experiment, pair..=pair);
        assert_eq!(fresh.len(), 1);
        assert_eq!(fresh, again, "pair {pair}");
    }
}

#[test]
fn a_pair_of_chess_is_the_same_in_new_seats_and_after_hundreds_of_games() {
    check("chess", "classical");
}

#[test]
fn a_pair_of_draughts_is_the_same_in_new_seats_and_after_hundreds_of_games() {
    check("english", "draughts");
}
