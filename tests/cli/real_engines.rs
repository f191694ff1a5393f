//! Engines from Debian's packages against players of ours. They need stockfish and gnuchess, so
//! `cargo test` leaves them out; `.ci/run` installs both and plays them.

use std::fs;

use crate::common::stdout;
use sparring::eval::Evaluated;
use sparring::eval::catalog::GameId;
use sparring::games::{EndReason, Outcome};
use sparring::record::{GameRow, read_games};
use tempfile::tempdir;

const MIXED: &str = r#"game = "chess"
[match]
pairs = 1
[openings]
plies = 6
[[player]]
name = "classical"
evaluator = "classical"
nodes = 2000
search = { profile = "strong" }
[[player]]
name = "simplified"
evaluator = "simplified"
depth = 2
[[player]]
name = "stockfish"
engine = "stockfish"
nodes = 500
options = { Hash = 16, "Skill Level" = 3 }
[[player]]
name = "gnuchess"
engine = "gnuchess"
args = ["--uci"]
depth = 3
"#;

const SHUFFLED: &str = r#"game = "chess960"
[match]
pairs = 2
[[player]]
name = "classical"
evaluator = "classical"
clock = "2s+100ms"
time_margin = "60s"
search = { profile = "strong" }
[[player]]
name = "stockfish"
engine = "stockfish"
clock = "2s+100ms"
time_margin = "60s"
"#;

/// Every move is legal and written as we write it, and the game ends as its row says.
fn replay<G: Evaluated>(row: &GameRow) {
    let mut position = G::from_fen(&row.opening).unwrap();
    let mut keys = vec![position.repetition_key()];
    for text in row.moves.split_whitespace() {
        assert_eq!(position.end(), None, "{row:?} continues");
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.move_text(mv), text);
        position.play(mv);
        keys.push(position.repetition_key());
    }
    let now = position.repetition_key();
    let repeated = keys.iter().filter(|key| **key == now).count() >= 3;
    let outcome = position
        .end()
        .or_else(|| repeated.then_some(Outcome::draw(EndReason::REPETITION)))
        .unwrap_or_else(|| panic!("{row:?} stops before the end"));
    assert_eq!(outcome.reason.name(), row.termination);
}

fn play(config: &str, games: usize) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("mixed.toml");
    fs::write(&path, config).unwrap();
    let out = folder.path().join("out");
    stdout(&[
        "run",
        &path.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
    ]);
    let game = config
        .split('"')
        .nth(1)
        .and_then(GameId::from_name)
        .unwrap();
    let mut seen = 0;
    read_games(&out.join("games.csv"), |row, _| {
        sparring::with_game!(game, G => replay::<G>(&row));
        seen += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, games);
}

#[test]
#[ignore = "needs stockfish and gnuchess"]
fn a_mixed_field_plays_legal_games_to_their_end() {
    play(MIXED, 12);
}

#[test]
#[ignore = "needs stockfish"]
fn an_engine_castles_as_chess960_does_and_keeps_a_clock() {
    play(SHUFFLED, 4);
}
