//! Behaviour that a change must not alter by accident: the node counts of `sparring bench` and the
//! games of one small run, for every game of the registry.
//!
//! `SPARRING_BLESS=1 cargo test --test cli behaviour::` writes `tests/data/behaviour.csv` again. A commit
//! that does so states the old and the new total.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::stdout;
use sparring::eval::catalog::GameId;
use tempfile::tempdir;

const SOURCE: &str = "# source: `sparring bench` and small runs of this program, written by \
                      `SPARRING_BLESS=1 cargo test --test cli behaviour::`";

/// The columns of `games.csv` that are facts of a game. Others may be added without notice.
const FACTS: [&str; 9] = [
    "white",
    "black",
    "opening",
    "result",
    "termination",
    "plies",
    "white_nodes",
    "black_nodes",
    "moves",
];

/// What is pinned of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pinned {
    bench_nodes: u64,
    /// The evaluators of the two players of the small run.
    evaluators: [String; 2],
    /// [`hash`] of the small run's games, in hex.
    games: String,
}

fn data_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/behaviour.csv")
}

fn pinned() -> HashMap<String, Pinned> {
    let text = fs::read_to_string(data_file()).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let rows = reader.deserialize::<(String, u64, String, String, String)>();
    rows.map(|row| {
        let (game, bench_nodes, first, second, games) = row.expect("a row of behaviour.csv");
        let pinned = Pinned {
            bench_nodes,
            evaluators: [first, second],
            games,
        };
        (game, pinned)
    })
    .collect()
}

/// FNV-1a, 64 bits: simple enough to check by hand, and enough to notice a change.
fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}

/// The nodes that `sparring bench` prints for each game.
fn bench() -> HashMap<String, u64> {
    let printed = stdout(&["bench"]);
    let mut lines = printed.lines();
    let total = lines.next().expect("a total");
    let counts: HashMap<String, u64> = lines
        .map(|line| {
            let mut words = line.split(' ');
            let (game, nodes) = (words.next(), words.next());
            let nodes = nodes.and_then(|nodes| nodes.parse().ok());
            let nodes = nodes.unwrap_or_else(|| panic!("no node count in `{line}`"));
            (game.unwrap_or_default().to_string(), nodes)
        })
        .collect();
    let sum: u64 = counts.values().sum();
    assert_eq!(total, format!("bench {sum} nodes"));
    counts
}

/// The evaluators of a game that has no row yet: the simplest and the most elaborate.
fn first_and_last_evaluator(game: GameId) -> [String; 2] {
    let listed = stdout(&["list", "evaluators", "--game", game.name()]);
    let names: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with(game.name()))
        .filter_map(|line| line.split_whitespace().nth(1))
        .filter(|name| *name != "random")
        .collect();
    let (first, last) = (names.first(), names.last());
    [first, last].map(|name| name.expect("an evaluator").to_string())
}

/// Plays two opening pairs, one player with the plain search and one with all of it.
fn hash_of_games(game: GameId, evaluators: &[String; 2]) -> String {
    let folder = tempdir().expect("a scratch folder");
    let config = folder.path().join("behaviour.toml");
    let [first, second] = evaluators;
    let text = format!(
        "game = \"{}\"\nseed = 11\n[match]\npairs = 2\nmax_plies = 120\n[openings]\nplies = 4\nreject = 0\n\
         [[player]]\nname = \"plain\"\nevaluator = \"{first}\"\ndepth = 2\n\
         [[player]]\nname = \"strong\"\nevaluator = \"{second}\"\ndepth = 4\n\
         search = {{ profile = \"strong\" }}\n",
        game.name()
    );
    fs::write(&config, text).expect("the config is written");
    let out = folder.path().join("run");
    let (config, run) = (config.to_string_lossy(), out.to_string_lossy());
    stdout(&["run", &config, "--out", &run, "--quiet"]);
    let mut reader = csv::Reader::from_path(out.join("games.csv")).expect("games.csv");
    let mut facts = String::new();
    for row in reader.deserialize::<HashMap<String, String>>() {
        let row = row.expect("a game");
        for column in FACTS {
            write!(facts, "{}\u{1f}", row[column]).expect("a string grows");
        }
    }
    assert!(!facts.is_empty(), "no games of {}", game.name());
    format!("{:016x}", hash(facts.bytes()))
}

fn write_file(all: &[(GameId, Pinned)]) {
    let mut text = format!("{SOURCE}\ngame,bench_nodes,plain,strong,games_hash\n");
    for (game, row) in all {
        let [plain, strong] = &row.evaluators;
        let (nodes, games) = (row.bench_nodes, &row.games);
        writeln!(text, "{},{nodes},{plain},{strong},{games}", game.name()).expect("grows");
    }
    fs::create_dir_all(data_file().parent().expect("a folder")).expect("tests/data");
    fs::write(data_file(), text).expect("behaviour.csv is written");
}

#[test]
fn every_game_searches_and_plays_as_its_row_says() {
    let (counts, mut expected) = (bench(), pinned());
    let seen: Vec<(GameId, Pinned)> = GameId::ALL
        .iter()
        .map(|&game| {
            let row = expected.get(game.name());
            let evaluators = row.map(|row| row.evaluators.clone());
            let evaluators = evaluators.unwrap_or_else(|| first_and_last_evaluator(game));
            let bench_nodes = *counts
                .get(game.name())
                .unwrap_or_else(|| panic!("bench prints no count for {}", game.name()));
            let row = Pinned {
                bench_nodes,
                games: hash_of_games(game, &evaluators),
                evaluators,
            };
            (game, row)
        })
        .collect();
    if std::env::var("SPARRING_BLESS").is_ok() {
        write_file(&seen);
        expected = pinned();
    }
    let mut differences = Vec::new();
    for (game, now) in seen {
        match expected.remove(game.name()) {
            None => differences.push(format!("{}: no row; now {now:?}", game.name())),
            Some(row) if row != now => {
                differences.push(format!("{}: pinned {row:?}, now {now:?}", game.name()));
            }
            Some(_) => {}
        }
    }
    differences.extend(expected.keys().map(|name| format!("{name}: no such game")));
    assert!(
        differences.is_empty(),
        "behaviour differs from tests/data/behaviour.csv; if that is meant, see the head of this \
         file:\n{}",
        differences.join("\n")
    );
}
