//! Fields of several players that are interrupted before all have played, and run directories
//! that lack a file: there are tables of what there is, or an error that names the remedy.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{complaint, line_count, output, sparring, stdout, text, wait_until};
use tempfile::{TempDir, tempdir};

/// Five players of checkers; the first two meet first.
fn field(depth: u32, pairs: u32) -> (TempDir, String, PathBuf) {
    let folder = tempdir().expect("a folder");
    let players: String = (1..=5)
        .map(|number| {
            format!(
                "[[player]]\nname = \"p{number}\"\nevaluator = \"basic\"\ndepth = {depth}\n\
                 weights = {{ king = {number}.5 }}\n"
            )
        })
        .collect();
    let config = folder.path().join("field.toml");
    let text = format!("game = \"checkers\"\nseed = 3\n[match]\npairs = {pairs}\n{players}");
    fs::write(&config, text).expect("the config is written");
    let out = folder.path().join("run");
    let config = config.to_string_lossy().into_owned();
    (folder, config, out)
}

fn standings(run: &Path) -> Vec<Vec<String>> {
    let table = text(&run.join("standings.csv"));
    let rows = table.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_string).collect())
        .collect()
}

/// Interrupts a run of a large field once `ready` holds of its directory.
fn interrupt(ready: impl Fn(&Path) -> bool) -> Vec<Vec<String>> {
    let (_folder, config, out) = field(6, 100_000);
    let mut child = sparring(&[
        "run",
        &config,
        "--out",
        &out.to_string_lossy(),
        "--threads",
        "1",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the program starts");
    wait_until("the run has begun", Some(&mut child), || ready(&out));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let ended = child.wait_with_output().expect("the run ends");
    let message = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    for file in ["pairings.csv", "report.html", "report.md"] {
        assert!(out.join(file).exists(), "{file} is missing");
    }
    standings(&out)
}

#[test]
fn a_field_interrupted_at_its_first_games_has_tables_of_all_players() {
    let before_games = interrupt(|out| out.join("games.csv").exists());
    assert_eq!(before_games.len(), 5);
    let after_a_pair = interrupt(|out| line_count(&out.join("games.csv")) >= 3);
    assert_eq!(after_a_pair.len(), 5);
    let played = |row: &&Vec<String>| row[2] != "0";
    let count = after_a_pair.iter().filter(played).count();
    assert!(count >= 2, "{after_a_pair:?}");
    // Those without games stand at the end, with nothing known of their strength.
    for row in &after_a_pair[count..] {
        assert_eq!(row[2..6], ["0", "0", "0", "0"], "{row:?}");
        assert!(row[6..].iter().all(String::is_empty), "{row:?}");
    }
}

#[test]
fn every_beginning_of_a_field_can_be_reported() {
    let (_folder, config, out) = field(1, 1);
    let run = out.to_string_lossy().into_owned();
    stdout(&["run", &config, "--out", &run, "--quiet"]);
    let games = out.join("games.csv");
    let whole = text(&games);
    let lines: Vec<&str> = whole.lines().collect();
    // As after a kill: nothing but the header is known to be synced.
    fs::write(out.join(".lock"), "synced 0.\n").expect("written");
    for kept in 3..=lines.len() {
        fs::write(&games, lines[..kept].join("\n") + "\n").expect("rows are cut off");
        assert!(stdout(&["report", &run]).starts_with("report: "), "{kept}");
        assert!(!stdout(&["stats", &run]).is_empty(), "{kept}");
    }
    fs::write(&games, format!("{}\n", lines[0])).expect("all rows are cut off");
    let message = complaint(&["report", &run]);
    assert!(message.contains("contains no games"), "{message}");
}

#[test]
fn a_run_directory_without_its_manifest_is_refused_and_its_games_are_not() {
    let (folder, config, out) = field(1, 1);
    let run = out.to_string_lossy().into_owned();
    stdout(&["run", &config, "--out", &run, "--quiet"]);
    let games = out.join("games.csv");
    let whole = text(&games);
    fs::remove_file(out.join("manifest.json")).expect("the manifest was there");
    let data = folder
        .path()
        .join("data.csv")
        .to_string_lossy()
        .into_owned();
    let commands: [&[&str]; 4] = [
        &["report", &run],
        &["stats", &run],
        &["data", &run, "--out", &data],
        &["run", &config, "--out", &run],
    ];
    for command in commands {
        let message = complaint(command);
        assert!(
            message.contains("no manifest.json"),
            "{command:?}: {message}"
        );
        assert!(message.contains("run/games.csv"), "{command:?}: {message}");
    }
    let file = games.to_string_lossy().into_owned();
    let charts = folder.path().join("charts").to_string_lossy().into_owned();
    stdout(&["report", &file, "--game", "checkers", "--out", &charts]);
    assert!(stdout(&["stats", &file]).contains("p1 against p2"));
    assert_eq!(text(&games), whole);
    // Tables of other programs have the eleven old columns.
    let old = folder.path().join("old.csv");
    let mut reader = csv::Reader::from_path(&games).expect("the rows are read");
    let mut writer = csv::Writer::from_path(&old).expect("a table");
    let header = reader.headers().expect("a header").clone();
    writer
        .write_record(header.iter().take(11))
        .expect("written");
    for row in reader.records() {
        let row = row.expect("a row");
        writer.write_record(row.iter().take(11)).expect("written");
    }
    writer.flush().expect("written");
    let of = |path: &str| output(&["stats", path]).stdout;
    assert_eq!(of(&old.to_string_lossy()), of(&file));
}

/// An engine that says that it has to move, and moves once a line comes through a pipe.
const PATIENT: &str = r#"#!/bin/sh
here=$(dirname "$0")
asked=0
while read -r line; do
  case "$line" in
    uci) echo uciok;;
    isready) echo readyok;;
    position*moves*) move=e7e5;;
    position*) move=e2e4;;
    go*) asked=$((asked + 1)); : > "$here/waiting$asked"; read -r word < "$here/gate$asked"; echo "bestmove $move";;
    quit) exit 0;;
  esac
done
"#;

/// A run whose first game waits for the engine; sends Ctrl-C and reads up to the answer.
struct Interrupted {
    folder: TempDir,
    child: std::process::Child,
    errors: std::io::Lines<std::io::BufReader<std::process::ChildStderr>>,
}

impl Interrupted {
    fn start() -> Interrupted {
        use std::io::BufRead;
        use std::os::unix::fs::PermissionsExt;
        let folder = tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("engine"), PATIENT).expect("written");
        fs::set_permissions(path("engine"), fs::Permissions::from_mode(0o755)).expect("set");
        // One for each move: a pipe that is opened again may still be closing.
        for gate in ["gate1", "gate2"] {
            let made = Command::new("mkfifo").arg(path(gate)).status();
            assert!(made.expect("mkfifo runs").success());
        }
        let config = "game = \"chess\"\n[match]\npairs = 9\nmax_plies = 2\n[openings]\nsource = \"start\"\n\
                      [[player]]\nname = \"ours\"\nevaluator = \"material\"\ndepth = 1\n\
                      [[player]]\nname = \"theirs\"\nengine = \"./engine\"\nnodes = 1\n";
        fs::write(path("patient.toml"), config).expect("written");
        let (config, out) = (path("patient.toml"), path("run"));
        let mut child = sparring(&[
            "run",
            &config.to_string_lossy(),
            "--out",
            &out.to_string_lossy(),
            "--threads",
            "1",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
        let errors = std::io::BufReader::new(child.stderr.take().expect("its errors")).lines();
        let waiting = path("waiting1");
        wait_until("the engine has to move", Some(&mut child), || {
            waiting.exists()
        });
        let mut run = Interrupted {
            folder,
            child,
            errors,
        };
        run.send_interrupt();
        run.expect("finishing the games in progress; Ctrl-C again drops them");
        run
    }

    fn send_interrupt(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Reads standard error up to a line with this text.
    fn expect(&mut self, text: &str) {
        let found = self.errors.by_ref().map_while(Result::ok);
        assert!(
            found.into_iter().any(|line| line.contains(text)),
            "no `{text}`"
        );
    }

    /// The number of games in the run, once it has ended.
    fn games(mut self) -> usize {
        self.expect("run the same command again to resume");
        self.errors.by_ref().for_each(drop);
        let status = self.child.wait().expect("ended");
        assert_eq!(status.code(), Some(130));
        line_count(&self.folder.path().join("run/games.csv")) - 1
    }
}

#[test]
fn the_first_ctrl_c_finishes_the_games_in_progress() {
    let run = Interrupted::start();
    // One move of the engine in each game of the pair. Opening a pipe waits for the engine to read it.
    for gate in ["gate1", "gate2"] {
        fs::write(run.folder.path().join(gate), "resume\n").expect("written");
    }
    assert_eq!(run.games(), 2);
}

#[test]
fn the_second_ctrl_c_drops_the_games_in_progress() {
    let run = Interrupted::start();
    run.send_interrupt();
    assert_eq!(run.games(), 0);
}
