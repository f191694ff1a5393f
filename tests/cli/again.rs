//! A run directory stands on its own: its config plays the same games from anywhere, a finished run can
//! be extended, and games from PGN and PDN count like those of `games.csv`.

use std::fs;
use std::path::Path;

use crate::common::{complaint, stdout, text};
use crate::lab::assert_same_files;
use tempfile::{TempDir, tempdir};

const LISTED: &str = r#"
game = "checkers"
seed = 3
[match]
pairs = 2
[openings]
source = "../books/games.fen"
order = "shuffled"
[[player]]
name = "one"
evaluator = "basic"
depth = 1
[[player]]
name = "two"
evaluator = "basic"
depth = 2
[[player]]
name = "three"
evaluator = "../books/mine.toml"
depth = 1
"#;

/// A config in one folder, and the files it names in another.
fn prepared(config: &str) -> (TempDir, String) {
    let folder = tempdir().expect("a folder");
    for name in ["configs", "books"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/openings/checkers.fen");
    let fens: Vec<String> = text(&suite).lines().take(20).map(str::to_string).collect();
    let books = folder.path().join("books");
    fs::write(books.join("games.fen"), fens.join("\n") + "\n").expect("written");
    let weights = "evaluator = \"basic\"\n[weights]\nking = 9\n";
    fs::write(books.join("mine.toml"), weights).expect("written");
    let path = folder.path().join("configs/c.toml");
    fs::write(&path, config).expect("written");
    let path = path.display().to_string();
    (folder, path)
}

fn run(config: &str, out: &Path, more: &[&str]) -> String {
    let out = out.display().to_string();
    let mut args = vec!["run", config, "--out", &out, "--quiet"];
    args.extend(more);
    stdout(&args)
}

/// The files of a run that do not depend on how it was played, without the name of its directory.
const SAME: [&str; 8] = [
    "config.toml",
    "manifest.json",
    "games.csv",
    "games.pdn",
    "standings.csv",
    "pairings.csv",
    "report.md",
    "report.html",
];

fn assert_same(one: &Path, other: &Path) {
    assert_same_files(one, other, &SAME);
}

#[test]
fn the_config_of_a_run_directory_plays_the_same_games_wherever_it_is() {
    let (folder, config) = prepared(LISTED);
    let first = folder.path().join("first");
    run(&config, &first, &[]);
    // A book may be called like a file of the run.
    assert!(text(&first.join("config.toml")).contains("source = \"openings.fen\""));
    let moved = folder.path().join("elsewhere/moved");
    fs::create_dir(folder.path().join("elsewhere")).expect("a folder");
    fs::rename(&first, &moved).expect("moved");
    fs::remove_dir_all(folder.path().join("books")).expect("removed");
    let again = folder.path().join("again");
    let own = moved.join("config.toml").display().to_string();
    run(&own, &again, &[]);
    assert_same(&moved, &again);
    // The directory's own config resumes it.
    let before = text(&moved.join("games.csv"));
    run(&own, &moved, &[]);
    assert_eq!(text(&moved.join("games.csv")), before);
}

#[test]
fn a_run_that_has_begun_rejects_another_book_of_the_same_name() {
    let (folder, config) = prepared(LISTED);
    let out = folder.path().join("run");
    run(&config, &out, &[]);
    let book = folder.path().join("books/games.fen");
    let lines: Vec<String> = text(&book).lines().rev().map(str::to_string).collect();
    fs::write(&book, lines.join("\n")).expect("written");
    let refused = complaint(&["run", &config, "--out", &out.display().to_string()]);
    assert!(refused.contains("that this run began with"), "{refused}");
}

#[test]
fn a_finished_run_is_extended_by_more_pairs() {
    let (folder, config) = prepared(LISTED);
    let (grown, whole) = (folder.path().join("grown"), folder.path().join("whole"));
    run(&config, &grown, &[]);
    let first = text(&grown.join("games.csv"));
    run(&config, &grown, &["--pairs", "5"]);
    run(&config, &whole, &["--pairs", "5"]);
    assert!(text(&grown.join("games.csv")).starts_with(&first));
    assert_same(&grown, &whole);
    // A larger number in the config does the same.
    let more = text(Path::new(&config)).replace("pairs = 2", "pairs = 6");
    fs::write(&config, more).expect("written");
    run(&config, &grown, &[]);
    run(&config, &whole, &["--pairs", "6"]);
    assert_same(&grown, &whole);
    // Games that are there cannot be taken back.
    let out = grown.display().to_string();
    let refused = complaint(&["run", &config, "--out", &out, "--pairs", "3"]);
    assert!(
        refused.contains("a run of 6 pairs per pairing, and 3 are fewer"),
        "{refused}"
    );
}

#[test]
fn a_tuning_run_is_repeated_from_its_directory() {
    let config = r#"
game = "checkers"
[tune]
method = "fit"
data = "../books/positions.csv"
validate = false
parameters = ["king", "move"]
[[player]]
name = "basic"
evaluator = "basic"
depth = 1
"#;
    let (folder, config) = prepared(config);
    let match_config = folder.path().join("configs/match.toml");
    fs::write(&match_config, LISTED).expect("written");
    let played = folder.path().join("played");
    let pairs = ["--pairs", "20"];
    run(&match_config.display().to_string(), &played, &pairs);
    let positions = folder.path().join("books/positions.csv");
    stdout(&[
        "data",
        &played.display().to_string(),
        "--out",
        &positions.display().to_string(),
    ]);
    let [first, again] = ["first", "again"].map(|name| folder.path().join(name));
    let tune = |config: &str, out: &Path| {
        stdout(&[
            "tune",
            config,
            "--quiet",
            "--out",
            &out.display().to_string(),
        ]);
    };
    tune(&config, &first);
    tune(&first.join("config.toml").display().to_string(), &again);
    for file in ["config.toml", "parameters.csv", "weights.toml"] {
        assert_eq!(text(&first.join(file)), text(&again.join(file)), "{file}");
    }
}

#[test]
fn games_of_a_collection_are_reported_like_those_of_the_run() {
    let chess = r#"
game = "chess"
[match]
pairs = 3
[openings]
plies = 4
[[player]]
name = "one"
evaluator = "simplified"
depth = 1
[[player]]
name = "two"
evaluator = "material"
depth = 2
"#;
    for (config, name, game) in [
        (chess, "games.pgn", "chess"),
        (LISTED, "games.pdn", "checkers"),
    ] {
        let (folder, config) = prepared(config);
        let played = folder.path().join("played");
        run(&config, &played, &[]);
        let path = |name: &str| folder.path().join(name).display().to_string();
        let collection = path("played/").to_string() + name;
        let out = path("report");
        stdout(&["report", &collection, "--game", game, "--out", &out]);
        let tables = |run: &Path| -> Vec<String> {
            let page = text(&run.join("report.md"));
            let rows = page.lines().filter(|line| line.starts_with('|'));
            rows.map(str::to_string).collect()
        };
        assert_eq!(tables(Path::new(&out)), tables(&played), "{name}");
        // The viewer replays them, with their scores.
        let page = text(&Path::new(&out).join("report.html"));
        let data = |page: &str| {
            let start = page.find("id=\"games-data\">").expect("a viewer");
            let json = page[start..].split_once('>').expect("data").1;
            let json = json.split_once("</script>").expect("an end").0;
            let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
            let games = value["games"].as_array().expect("games").iter();
            // Number, start, turns and scores; players and endings may be numbered otherwise.
            games
                .map(|game| [0, 5, 7, 8].map(|at| game[at].clone()))
                .collect::<Vec<_>>()
        };
        let own = text(&played.join("report.html"));
        assert_eq!(data(&page), data(&own), "{name}");
        // And they give the same labelled positions.
        let labelled = |from: &str, to: &str| {
            let to = path(to);
            stdout(&["data", from, "--game", game, "--out", &to]);
            text(Path::new(&to))
        };
        let rows = labelled(&path("played/games.csv"), "a.csv");
        assert_eq!(labelled(&collection, "b.csv"), rows, "{name}");
        assert!(rows.lines().count() > 20, "{rows}");
    }
}
