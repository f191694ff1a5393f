//! Times of moves: where they are written, and that other runs do not have them.

use std::collections::HashMap;

use crate::common::{complaint, stdout, text};
use tempfile::tempdir;

fn config(limit: &str, log: &str) -> String {
    format!(
        r#"game = "chess"
[match]
pairs = 1
max_plies = 50
[log]
{log}
[[player]]
name = "timed"
evaluator = "material"
{limit}
time_margin = "60s"
[[player]]
name = "fixed"
evaluator = "material"
depth = 1
"#
    )
}

/// Plays a config into a new folder.
fn play(config: &str) -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    let path = folder.path().join("times.toml");
    std::fs::write(&path, config).unwrap();
    let out = folder.path().join("run");
    stdout(&[
        "run",
        path.to_str().unwrap(),
        "--quiet",
        "--out",
        out.to_str().unwrap(),
    ]);
    folder
}

fn rows(path: &std::path::Path) -> Vec<HashMap<String, String>> {
    let reader = csv::Reader::from_path(path).unwrap();
    reader.into_deserialize().map(Result::unwrap).collect()
}

#[test]
fn a_clock_shows_in_the_game_files_and_the_report() {
    let folder = play(&config(
        "clock = \"20/2s+10ms\"",
        "site = \"here\"\nevent = \"a test\"",
    ));
    let run = folder.path().join("run");
    let games = rows(&run.join("games.csv"));
    for row in &games {
        let times: Vec<f64> = row["times"]
            .split(' ')
            .map(|it| it.parse().unwrap())
            .collect();
        assert_eq!(times.len(), row["plies"].parse::<usize>().unwrap());
        assert!(times.iter().all(|time| *time >= 0.0) && times.iter().any(|time| *time > 0.0));
    }
    // The clock of the timed player follows from its times; the other has none.
    let mut left = HashMap::new();
    for row in rows(&run.join("moves.csv")) {
        let game = &games[row["game"].parse::<usize>().unwrap() - 1];
        if game[&row["side"]] == "fixed" {
            assert_eq!(row["clock"], "");
            continue;
        }
        let (clock, moves) = left.entry(row["game"].clone()).or_insert((2.0, 0));
        *clock += 0.01 - row["time"].parse::<f64>().unwrap();
        *moves += 1;
        if *moves % 20 == 0 {
            *clock += 2.0;
        }
        let shown: f64 = row["clock"].parse().unwrap();
        assert!((shown - *clock).abs() < 1e-4, "{shown} {clock}");
    }
    assert_eq!(left.len(), 2);
    let pgn = text(&run.join("games.pgn"));
    for tag in [
        "[Event \"a test\"]",
        "[Site \"here\"]",
        "[Round \"1.2\"]",
        "[WhiteTimeControl \"20/2+0.01\"]",
        "[BlackTimeControl \"-\"]",
        "[UTCTime \"",
    ] {
        assert!(pgn.contains(tag), "{tag}: {pgn}");
    }
    assert!(
        !pgn.contains("????.??.??") && pgn.contains("[%clk 0:00:0"),
        "{pgn}"
    );
    let report = text(&run.join("report.md"));
    assert!(
        report.contains("## Time") && report.contains("| lost on time |"),
        "{report}"
    );
    // The times are read back from the collection.
    let out = folder.path().join("again");
    let pgn = run.join("games.pgn");
    stdout(&[
        "report",
        pgn.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    let again = text(&out.join("report.md"));
    assert!(again.contains("## Time"), "{again}");
}

#[test]
fn a_run_without_timed_players_has_no_times_and_no_dates() {
    let folder = play(&config("depth = 1", "moves = true").replace("time_margin = \"60s\"\n", ""));
    let run = folder.path().join("run");
    let header = |name: &str| text(&run.join(name)).lines().next().unwrap().to_string();
    assert!(header("games.csv").ends_with(",first_mover,scores"));
    assert!(header("moves.csv").ends_with(",depth,nodes"));
    let pgn = text(&run.join("games.pgn"));
    assert!(
        pgn.contains("[Date \"????.??.??\"]") && !pgn.contains("TimeControl"),
        "{pgn}"
    );
    assert!(!text(&run.join("report.md")).contains("## Time"));
}

#[test]
fn comments_can_be_commands_or_absent() {
    let folder = play(&config("movetime = \"1ms\"", "comments = \"commands\""));
    let pgn = text(&folder.path().join("run/games.pgn"));
    assert!(
        pgn.contains("[%eval ") && pgn.contains("[%emt 0:00:00.0"),
        "{pgn}"
    );
    assert!(pgn.contains("TimeControl \"0.001/move\"]"), "{pgn}");
    let folder = play(&config("movetime = \"1ms\"", "comments = \"none\""));
    assert!(!text(&folder.path().join("run/games.pgn")).contains('{'));
}

#[test]
fn a_wrong_clock_is_refused_with_an_example() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    for clock in ["0/60s", "x/60s", "40/", "40/60", "-1/60s"] {
        std::fs::write(&path, config(&format!("clock = \"{clock}\""), "")).unwrap();
        let said = complaint(&["run", path.to_str().unwrap()]);
        assert!(said.contains("clock") && said.contains(clock), "{said}");
    }
}

#[test]
fn last_positions_are_written_as_epd_with_the_result() {
    let log = "moves = false\nfinal = true";
    let folder = play(&config("depth = 1", log).replace("time_margin = \"60s\"\n", ""));
    let run = folder.path().join("run");
    let lines = text(&run.join("final.epd"));
    let games = rows(&run.join("games.csv"));
    assert_eq!(lines.lines().count(), games.len());
    for (line, row) in lines.lines().zip(&games) {
        let (position, result) = line.split_once(" c9 ").unwrap();
        assert_eq!(result, format!("\"{}\";", row["result"]));
        let mut board = cozy_chess::Board::from_fen(&row["opening"], false).unwrap();
        for text in row["moves"].split(' ') {
            board.play(cozy_chess::util::parse_uci_move(&board, text).unwrap());
        }
        let expected = board.to_string();
        let placement = |fen: &str| fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert_eq!(placement(position), placement(&expected));
    }
}
