//! Every game of `games.csv` replays legally from its opening to its stated result.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::common::stdout;
use sparring::eval::Evaluated;
use sparring::eval::catalog::GameId;
use sparring::games::{EndReason, Outcome, Side};
use sparring::record::{GameRow, MoveRow, read_games};
use tempfile::tempdir;

/// Replays a game; `logged` are its moves in `moves.csv` if the players' scores may end it.
fn replay<G: Evaluated>(row: &GameRow, logged: Option<&[MoveRow]>) -> Result<(), String> {
    let mut position = G::from_fen(&row.opening).map_err(|error| error.to_string())?;
    let mut keys = vec![position.repetition_key()];
    let mut plies = 0;
    for text in row.moves.split_whitespace() {
        if let Some(outcome) = end(&position, &keys) {
            return Err(format!("continues after {outcome:?}"));
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
    let ending = match (end(&position, &keys), logged) {
        (Some(outcome), _) => (outcome.winner, outcome.reason.name()),
        (None, Some(moves)) => adjudicated(row, moves)?,
        (None, None) => return Err("stops before the end".to_string()),
    };
    let result = match ending.0 {
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    };
    if (result, ending.1) != (row.result.text(), &row.termination) {
        return Err(format!(
            "ends {ending:?}, recorded {} {}",
            row.result, row.termination
        ));
    }
    Ok(())
}

const ADJUDICATE: &str = "[adjudicate]\nresign_score = 300\nresign_moves = 3\n\
    draw_score = 60.5\ndraw_moves = 2\ndraw_after = 10\n[log]\nmoves = true\n";

/// The score that white sees: a mate is more than any number.
fn white_view(row: &MoveRow) -> f64 {
    let score = match (row.score.as_str(), row.mate.as_str()) {
        (score, "") => score.parse().unwrap(),
        (_, mate) => mate.parse::<f64>().unwrap().signum() * 1e9,
    };
    match row.side.as_str() {
        "white" => score,
        "black" => -score,
        other => panic!("side {other}"),
    }
}

/// The end that the last scores of a game mean under [`ADJUDICATE`], counted again. One ply
/// earlier they must not have meant it: games end as soon as they can.
fn adjudicated(row: &GameRow, moves: &[MoveRow]) -> Result<(Option<Side>, &'static str), String> {
    let texts: Vec<&str> = moves.iter().map(|mv| mv.text.as_str()).collect();
    if texts.join(" ") != row.moves {
        return Err(format!("moves.csv has {texts:?}"));
    }
    let scores: Vec<f64> = moves.iter().map(white_view).collect();
    let meaning = |scores: &[f64]| {
        let last = |plies: usize| scores.len().checked_sub(plies).map(|from| &scores[from..]);
        let all = |plies, holds: &dyn Fn(f64) -> bool| {
            last(plies).is_some_and(|last| last.iter().all(|score| holds(*score)))
        };
        if all(6, &|score| score >= 300.0) {
            Some((Some(Side::White), "adjudicated-win"))
        } else if all(6, &|score| score <= -300.0) {
            Some((Some(Side::Black), "adjudicated-win"))
        } else if scores.len() >= 20 && all(4, &|score| score.abs() < 60.5) {
            Some((None, "adjudicated-draw"))
        } else {
            None
        }
    };
    if let Some(early) = meaning(&scores[..scores.len().saturating_sub(1)]) {
        return Err(format!("continues after {early:?}"));
    }
    meaning(&scores).ok_or("stops before the end".to_string())
}

/// An independent version, so that the program's ends are checked: all positions of the
/// game are compared, not only those since the last irreversible move.
fn end<G: Evaluated>(position: &G, keys: &[u64]) -> Option<Outcome> {
    if let Some(outcome) = position.end() {
        return Some(outcome);
    }
    let now = position.repetition_key();
    let times = keys.iter().filter(|key| **key == now).count();
    let needed = usize::from(G::REPETITIONS?);
    (times >= needed).then_some(Outcome::draw(EndReason::REPETITION))
}

/// Plays a round-robin in a folder and returns the run directory.
fn play(game: GameId, evaluators: [&str; 3], pairs: &str, further: &str, folder: &Path) -> PathBuf {
    let config = folder.join("config.toml");
    let mut text = format!("game = \"{}\"\n{further}", game.name());
    for (index, evaluator) in evaluators.iter().enumerate() {
        text.push_str(&format!(
            "[[player]]\nname = \"player {index}\"\nevaluator = \"{evaluator}\"\ndepth = {}\n",
            index + 1
        ));
    }
    std::fs::write(&config, text).unwrap();
    let out = folder.join("run");
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--pairs",
        pairs,
    ]);
    out
}

fn check(game: GameId, evaluators: [&str; 3], pairs: &str) -> usize {
    let folder = tempdir().unwrap();
    let out = play(game, evaluators, pairs, "", folder.path());
    let mut games = 0;
    read_games(&out.join("games.csv"), |row, _| {
        games += 1;
        if let Err(message) = sparring::with_game!(game, G => replay::<G>(&row, None)) {
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
fn every_game_but_chess_replays_legally_to_its_stated_result() {
    for game in GameId::ALL
        .iter()
        .filter(|game| !game.name().starts_with("chess"))
    {
        let presets = sparring::with_game!(*game, G => [G::presets()[0].name, G::STRONGEST]);
        let [simplest, strongest] = presets;
        let middle = if strongest == "draughts" {
            "basic"
        } else {
            strongest
        };
        assert_eq!(check(*game, ["random", middle, simplest], "4"), 24);
    }
}

#[test]
fn adjudicated_games_end_as_the_scores_of_their_moves_say() {
    let folder = tempdir().unwrap();
    let players = ["material", "simplified", "simplified"];
    let out = play(GameId::Chess, players, "10", ADJUDICATE, folder.path());
    let mut moves: HashMap<u64, Vec<MoveRow>> = HashMap::new();
    for row in csv::Reader::from_path(out.join("moves.csv"))
        .unwrap()
        .deserialize()
    {
        let row: MoveRow = row.unwrap();
        let game = moves.entry(row.game).or_default();
        assert_eq!(row.ply, game.len() as u64 + 1);
        game.push(row);
    }
    let mut seen = BTreeSet::new();
    read_games(&out.join("games.csv"), |row, _| {
        let logged = &moves[&row.game];
        let nodes: u64 = logged.iter().map(|mv| mv.nodes).sum();
        assert_eq!(
            nodes,
            row.white_nodes + row.black_nodes,
            "game {}",
            row.game
        );
        if let Err(message) = replay::<sparring::games::chess::Chess>(&row, Some(logged)) {
            panic!("game {}: {message}", row.game);
        }
        seen.insert(row.termination);
        Ok(())
    })
    .unwrap();
    for ending in ["adjudicated-win", "adjudicated-draw"] {
        assert!(seen.contains(ending), "only {seen:?}");
    }
}
