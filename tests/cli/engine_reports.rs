//! What a run tells about its engines and moves: latency, further figures, pinned threads, and a number of
//! threads that changes while it runs.

use std::fs;
use std::path::Path;

use crate::common::{Watched, complaint, sparring, stdout, text};
use tempfile::tempdir;

fn config(folder: &Path, log: &str, player: &str, pairs: u32) -> String {
    let path = folder.join("run.toml");
    let config = format!(
        "game = \"chess\"\n[match]\npairs = {pairs}\nmax_plies = 8\n[log]\n{log}\n\
         [[player]]\nname = \"ours\"\nevaluator = \"material\"\ndepth = 2\n\
         [[player]]\nname = \"theirs\"\n{player}\n"
    );
    fs::write(&path, config).unwrap();
    path.to_str().unwrap().to_string()
}

fn own_engine(limit: &str) -> String {
    let program = env!("CARGO_BIN_EXE_sparring");
    format!("engine = \"{program}\"\nargs = [\"uci\", \"--evaluator\", \"material\"]\n{limit}")
}

#[test]
fn further_figures_of_moves_are_recorded_on_request() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let own = "evaluator = \"material\"\ndepth = 3";
    let log = "info = [\"pv\", \"seldepth\"]";
    stdout(&[
        "run",
        &config(folder.path(), log, own, 2),
        "--out",
        out.to_str().unwrap(),
    ]);
    let moves = text(&out.join("moves.csv"));
    let header = "game,ply,side,move,score,mate,depth,nodes,seldepth,pv";
    assert_eq!(moves.lines().next(), Some(header));
    let mut reader = csv::Reader::from_reader(moves.as_bytes());
    let mut seen = 0;
    for row in reader.records() {
        let row = row.unwrap();
        // The variation begins with the move, and is as deep as the search at least says.
        assert_eq!(row[9].split(' ').next(), Some(&row[3]));
        assert!(row[8].parse::<u32>().unwrap() >= row[6].parse::<u32>().unwrap());
        seen += 1;
    }
    assert_eq!(seen, 4 * 8);
    let games = text(&out.join("games.pgn")).replace('\n', " ");
    assert_eq!(games.matches(" pv=\"").count(), 4 * 8, "{games}");
    let said = stdout(&["check", out.to_str().unwrap()]);
    assert!(!said.contains("damage"), "{said}");
    let wrong = config(folder.path(), "info = [\"pw\"]", own, 2);
    let said = complaint(&["run", &wrong, "--fresh", "--out", out.to_str().unwrap()]);
    assert!(
        said.contains("run.toml:6: unknown info `pw`; did you mean `pv`?"),
        "{said}"
    );
}

#[test]
fn engines_have_a_latency_report_and_in_process_players_have_none() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let log = "info = [\"nps\", \"hashfull\", \"pv\"]";
    let path = config(folder.path(), log, &own_engine("nodes = 500"), 2);
    let printed = stdout(&[
        "run",
        &path,
        "--pin",
        "--threads",
        "1",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(printed.contains("latency, ms"), "{printed}");
    let latency = text(&out.join("latency.csv"));
    let rows: Vec<&str> = latency.lines().collect();
    assert!(
        rows[0].starts_with("player,moves,first_p50_ms,"),
        "{latency}"
    );
    assert_eq!(rows.len(), 2, "{latency}");
    assert!(rows[1].starts_with("theirs,16,"), "{latency}");
    for page in ["report.html", "report.md"] {
        let shown = text(&out.join(page));
        assert!(shown.contains("first line, ms: median"), "{page}");
    }
    let moves = text(&out.join("moves.csv"));
    assert!(
        moves.starts_with("game,ply,side,move,score,mate,depth,nodes,time,clock,nps,hashfull,pv\n"),
        "{moves}"
    );
    let plain = folder.path().join("plain");
    let path = config(folder.path(), "", "evaluator = \"random\"\ndepth = 1", 1);
    let printed = stdout(&["run", &path, "--out", plain.to_str().unwrap()]);
    assert!(!printed.contains("latency") && !plain.join("latency.csv").exists());
}

#[test]
fn more_threads_than_cores_cannot_be_pinned() {
    let folder = tempdir().unwrap();
    let path = config(folder.path(), "", "evaluator = \"random\"\ndepth = 1", 5000);
    let out = folder.path().join("out");
    let said = complaint(&[
        "run",
        &path,
        "--pin",
        "--threads",
        "4096",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(
        said.contains("--pin: 4096 threads need 4096 cores"),
        "{said}"
    );
}

#[test]
fn threads_change_while_a_run_goes_and_its_bytes_do_not() {
    let folder = tempdir().unwrap();
    let path = config(folder.path(), "", "evaluator = \"random\"\ndepth = 1", 600);
    let changed = folder.path().join("changed");
    let mut run =
        Watched::start(sparring(&["run", &path, "--threads", "2", "--out"]).arg(&changed));
    assert!(run.sees_pairs(20));
    fs::write(changed.join("threads"), "1\n").unwrap();
    assert!(run.sees_pairs(60));
    fs::write(changed.join("threads"), "2\n").unwrap();
    let output = run.finish();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let steady = folder.path().join("steady");
    stdout(&[
        "run",
        &path,
        "--threads",
        "1",
        "--out",
        steady.to_str().unwrap(),
    ]);
    for file in [
        "games.csv",
        "games.pgn",
        "moves.csv",
        "standings.csv",
        "report.html",
    ] {
        assert_eq!(
            text(&changed.join(file)),
            text(&steady.join(file)),
            "{file}"
        );
    }
}

#[test]
fn a_rest_between_games_changes_no_byte() {
    let folder = tempdir().unwrap();
    let path = config(folder.path(), "", "evaluator = \"random\"\ndepth = 1", 2);
    for (name, wait) in [("rested", "20"), ("plain", "0")] {
        let out = folder.path().join(name);
        stdout(&["run", &path, "--wait", wait, "--out", out.to_str().unwrap()]);
    }
    for file in ["games.csv", "games.pgn", "moves.csv", "report.html"] {
        let of = |name: &str| text(&folder.path().join(name).join(file));
        assert_eq!(of("rested"), of("plain"), "{file}");
    }
}
