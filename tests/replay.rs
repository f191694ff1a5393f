//! Every game of `games.csv` replays legally from its opening to its stated result.

mod common;

use common::stdout;
use sparring::eval::Evaluated;
use sparring::eval::catalog::{GameId, GameTask};
use sparring::games::{EndReason, Outcome, Side};
use sparring::record::{GameRow, read_games};
use tempfile::tempdir;

struct Replay<'r>(&'r GameRow);

impl GameTask for Replay<'_> {
    type Output = Result<(), String>;

    fn run<G: Evaluated>(self) -> Self::Output {
        let row = self.0;
        let mut position = G::from_fen(&row.opening).map_err(|error| error.to_string())?;
        let mut keys = vec![position.repetition_key()];
        let mut plies = 0;
        for text in row.moves.split_whitespace() {
            if let Some(outcome) = end(&position, &keys) {
                return Err(format!("goes on after {outcome:?}"));
            }
            let mv = position
                .parse_move(text)
                .map_err(|error| error.to_string())?;
            if position.move_text(mv) != text {
                return Err(format!("`{text}` is written `{}`", position.move_text(mv)));
            }
            position.play(mv);
            keys.push(position.repetition_key());
            plies += 1;
        }
        if plies != row.plies {
            return Err(format!("{plies} moves, but plies = {}", row.plies));
        }
        let outcome = end(&position, &keys).ok_or("stops before the end")?;
        let result = match outcome.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        };
        if result != row.result || outcome.reason.name() != row.termination {
            return Err(format!(
                "ends {outcome:?}, recorded {} {}",
                row.result, row.termination
            ));
        }
        Ok(())
    }
}

/// Written anew here, so that the program's own idea of an end is checked: all positions of the
/// game are compared, not only those since the last irreversible move.
fn end<G: Evaluated>(position: &G, keys: &[u64]) -> Option<Outcome> {
    if let Some(outcome) = position.end() {
        return Some(outcome);
    }
    let now = position.repetition_key();
    let times = keys.iter().filter(|key| **key == now).count();
    let needed = usize::from(G::REPETITIONS?);
    (times >= needed).then_some(Outcome::draw(EndReason::Repetition))
}

fn check(game: GameId, evaluators: [&str; 3], pairs: &str) -> usize {
    let folder = tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let mut text = format!("game = \"{}\"\n", game.name());
    for (index, evaluator) in evaluators.iter().enumerate() {
        text.push_str(&format!(
            "[[player]]\nname = \"player {index}\"\nevaluator = \"{evaluator}\"\ndepth = {}\n",
            index + 1
        ));
    }
    std::fs::write(&config, text).unwrap();
    let out = folder.path().join("run");
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--pairs",
        pairs,
    ]);
    let mut games = 0;
    read_games(&out.join("games.csv"), |row, _| {
        games += 1;
        if let Err(message) = game.dispatch(Replay(&row)) {
            panic!("{} game {}: {message}", game.name(), row.game);
        }
        Ok(())
    })
    .unwrap();
    games
}

#[test]
fn every_chess_game_replays_legally_to_its_stated_result() {
    assert_eq!(
        check(GameId::Chess, ["material", "simplified", "random"], "5"),
        30
    );
    assert_eq!(
        check(GameId::Chess960, ["random", "material", "simplified"], "5"),
        30
    );
}

#[test]
fn every_draughts_game_replays_legally_to_its_stated_result() {
    let draughts = GameId::ALL
        .iter()
        .filter(|game| !game.name().starts_with("chess"));
    for game in draughts {
        assert_eq!(check(*game, ["random", "basic", "material"], "4"), 24);
    }
}
