//! Hub, both ways: our draughts players as engines, engines as players, and engines that do everything
//! wrong.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::common::{complaint, sparring, stdout};
use crate::lab::{engine_folder, rows};
use sparring::record::GameRow;
use tempfile::{TempDir, tempdir};

/// `sparring hub` with pipes.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut child = sparring(&[&["hub"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Engine {
            child,
            input,
            lines: BufReader::new(output).lines(),
        }
    }

    /// Sends lines, and reads up to a line that begins with `end`.
    fn ask(&mut self, text: &str, end: &str) -> Vec<String> {
        writeln!(self.input, "{text}").unwrap();
        let mut heard = Vec::new();
        for line in self.lines.by_ref() {
            let line = line.unwrap();
            let is_end = line.starts_with(end);
            heard.push(line);
            if is_end {
                return heard;
            }
        }
        panic!("ended before `{end}`: {heard:?}");
    }

    fn quit(mut self) {
        writeln!(self.input, "quit").unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

fn start_position() -> String {
    format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20))
}

#[test]
fn a_session_answers_as_the_protocol_asks() {
    let mut engine = Engine::start(&["--evaluator", "material"]);
    let hello = engine.ask("hub", "wait");
    assert!(
        hello[0].starts_with("id name=Sparring version="),
        "{hello:?}"
    );
    let variant = "param name=variant value=normal type=enum values=\"normal frisian\"";
    assert!(hello.iter().any(|line| line == variant), "{hello:?}");
    assert_eq!(engine.ask("init", "ready"), ["ready"]);
    assert_eq!(engine.ask("new-game\nping", "pong"), ["pong"]);
    let start = start_position();
    // The only capture there is.
    let text = format!("pos pos={start} moves=\"32-28 19-23\"\nlevel depth=3\ngo think");
    let heard = engine.ask(&text, "done");
    let (last, infos) = heard.split_last().unwrap();
    assert!(last.starts_with("done move=28x19x23"), "{last}");
    assert!(
        infos.iter().all(|line| line.starts_with("info depth=")),
        "{infos:?}"
    );
    assert!(infos.last().unwrap().contains("pv=\"28x19x23"), "{infos:?}");
    // An analysis ends when it is stopped, and answers in the meantime.
    let heard = engine.ask(
        &format!("pos pos={start}\nlevel infinite\ngo analyze\nping"),
        "pong",
    );
    assert!(
        !heard.iter().any(|line| line.starts_with("done")),
        "{heard:?}"
    );
    engine.ask("stop", "done move=");
    // Frisian captures sideways and backwards along lines; international does not.
    let sideways = format!("W{}bw{}", "e".repeat(26), "e".repeat(22));
    let frisian = engine.ask(
        &format!("set-param name=variant value=frisian\npos pos={sideways}\nlevel depth=1\ngo"),
        "done",
    );
    assert!(frisian.last().unwrap().contains('x'), "{frisian:?}");
    engine.quit();
}

#[test]
fn nonsense_is_an_error_message_and_the_session_continues() {
    let mut engine = Engine::start(&["--game", "russian", "--evaluator", "material"]);
    for text in [
        "nonsense",
        "pos pos=X",
        "pos pos=Wwww",
        "pos other=1",
        "pos moves=\"99-98\"",
        "pos moves=\"\u{1F600}\"",
        "level depth=many",
        "go sideways",
        "set-param name=variant value=frisian",
        "set-param name=evaluator value=queen",
        "set-param",
        "set-param name=table-mb value=-1",
    ] {
        let heard = engine.ask(text, "error message=");
        assert_eq!(heard.len(), 1, "{text}: {heard:?}");
    }
    let heard = engine.ask("pos\nlevel depth=1\ngo", "done move=");
    assert!(heard.last().unwrap().contains('-'));
    // Two kings against none: no move, no panic.
    engine.ask(
        &format!("pos pos=B{}W\nlevel depth=1\ngo", "e".repeat(31)),
        "error message=",
    );
    engine.quit();
    let refused = complaint(&["hub", "--game", "chess", "--evaluator", "material"]);
    assert!(
        refused.contains("Hub is a protocol of draughts"),
        "{refused}"
    );
}

/// A folder with an engine and a config that names it.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new(script: &str) -> Lab {
        let folder = engine_folder(script);
        Lab { folder }
    }

    /// Plays a match of a built-in player against the engine, or against a built-in twin.
    fn play(&self, game: &str, opponent: &str, pairs: u32) -> (Vec<GameRow>, String) {
        let config = self.folder.path().join("lab.toml");
        let text = format!(
            r#"game = "{game}"
[match]
pairs = {pairs}
max_plies = 60
[openings]
plies = 4
[[player]]
name = "ours"
evaluator = "material"
depth = 2
[[player]]
name = "theirs"
{opponent}
"#
        );
        fs::write(&config, text).unwrap();
        let out = tempdir().unwrap();
        let path = out.path().join("run");
        let printed = stdout(&[
            "run",
            config.to_str().unwrap(),
            "--threads",
            "2",
            "--out",
            path.to_str().unwrap(),
        ]);
        (rows(&path), printed)
    }
}

fn games(rows: &[GameRow]) -> Vec<[&str; 3]> {
    rows.iter()
        .map(|row| {
            [
                row.opening.as_str(),
                row.moves.as_str(),
                row.termination.as_str(),
            ]
        })
        .collect()
}

const TWIN: &str = "evaluator = \"material\"\ndepth = 3\nsearch = { profile = \"alpha-beta\" }";

#[test]
fn our_engine_over_hub_plays_the_moves_of_the_same_player_in_process() {
    let program = env!("CARGO_BIN_EXE_sparring");
    for game in ["international", "frisian", "russian", "turkish", "checkers"] {
        let lab = Lab::new("");
        let engine = format!(
            "engine = \"{program}\"\nargs = [\"hub\", \"--game\", \"{game}\", \"--evaluator\", \"material\", \
             \"--profile\", \"alpha-beta\"]\ndepth = 3"
        );
        let (over_hub, _) = lab.play(game, &engine, 3);
        let (inside, _) = lab.play(game, TWIN, 3);
        assert_eq!(games(&over_hub), games(&inside), "{game}");
    }
}

#[test]
fn an_engine_of_version_one_plays_the_same_moves() {
    // Translates version 1 to the version 2 of our engine.
    let program = env!("CARGO_BIN_EXE_sparring");
    let script = format!(
        r#"#!/bin/sh
folder=$(mktemp -d)
mkfifo "$folder/in" "$folder/out"
"{program}" hub --evaluator material --profile alpha-beta < "$folder/in" > "$folder/out" &
exec 3> "$folder/in" 4< "$folder/out"
rm -r "$folder"
while read -r command rest; do
  case "$command" in
    hub) echo "name old"; echo wait;;
    init) echo ready;;
    pos) pos=$rest; moves=;;
    move) moves="$moves $rest";;
    depth) depth=$rest;;
    go)
      printf 'pos pos=%s moves="%s"\nlevel depth=%s\ngo think\n' "$pos" "$moves" "$depth" >&3
      while read -r word answer <&4; do
        case "$word" in
          info) echo "info 3 3.0 25 77 0.0 1.0";;
          done) answer=${{answer#move=}}; echo "move ${{answer%% *}}"; break;;
        esac
      done;;
    quit) exit 0;;
  esac
done
"#
    );
    let lab = Lab::new(&script);
    let (old, _) = lab.play(
        "international",
        "engine = \"./engine\"\nprotocol = \"hub1\"\ndepth = 3",
        2,
    );
    let (inside, _) = lab.play("international", TWIN, 2);
    assert_eq!(games(&old), games(&inside));
    // Its infos count: a quarter of a man is 25 points.
    let row = &old[0];
    let first = if row.white == "theirs" { 0 } else { 1 };
    let opens = row.first_mover == Some(sparring::record::Side::White);
    let ply = if opens { first } else { 1 - first };
    let shown = row
        .move_scores()
        .nth(ply)
        .flatten()
        .map(|score| score.to_string());
    assert_eq!(shown.as_deref(), Some("+25.00"));
}

/// An engine that behaves until it has to search.
fn hostile(on_go: &str) -> String {
    format!(
        r#"#!/bin/sh
while read -r line; do
  case "$line" in
    hub) echo 'id name=hostile version="0 =" broken="'; echo 'param name=size value=1 type=int min=1 max=9'
      echo 'param'; echo 'param type="'; echo wait;;
    init) echo ready;;
    ping) echo pong;;
    go*) {on_go};;
    quit) exit 0;;
  esac
done
"#
    )
}

#[test]
fn every_fault_of_a_hub_engine_has_its_termination() {
    for (on_go, termination) in [
        ("echo 'done move=99-98'", "forfeit-illegal-move"),
        ("echo 'done move='", "forfeit-illegal-move"),
        ("echo done", "forfeit-illegal-move"),
        ("echo 'done move=\"31-26 x\"'", "forfeit-illegal-move"),
        ("echo 'done move=1x2x3x4x5x6x7x8x9'", "forfeit-illegal-move"),
        (
            "echo 'info score=nan depth=-1'; echo 'done move=00000000000000000000-1'",
            "forfeit-illegal-move",
        ),
        ("exit 3", "forfeit-crash"),
        ("exec 1>&-; sleep 60", "forfeit-crash"),
        (":", "forfeit-stall"),
        (
            "yes 'info depth=1 score=0.1 pv=\"' | head -n 90000; echo 'done move=x'",
            "forfeit-illegal-move",
        ),
    ] {
        let lab = Lab::new(&hostile(on_go));
        let keys = "engine = \"./engine\"\nnodes = 10\nmove_timeout = \"3s\"";
        let keys = keys.replace("3s", if on_go == ":" { "300ms" } else { "60s" });
        let (rows, printed) = lab.play("international", &keys, 1);
        assert_eq!(rows.len(), 2, "{on_go}");
        for row in &rows {
            let lost = if row.white == "theirs" { "0-1" } else { "1-0" };
            assert_eq!(
                (row.result.text(), row.termination.as_str()),
                (lost, termination),
                "{on_go}"
            );
        }
        assert!(
            printed.contains(&format!("{termination}: 2 games lost by `theirs`")),
            "{printed}"
        );
    }
}

#[test]
fn the_check_of_an_engine_names_what_it_cannot_do() {
    let program = env!("CARGO_BIN_EXE_sparring");
    let ours = ["hub", "--game", "russian", "--evaluator", "material"];
    let args = ["engine", "check", "--game", "russian", program];
    let said = stdout(&[&args[..], &ours].concat());
    assert!(said.ends_with("verdict: the engine can play\n"), "{said}");
    assert!(
        !said.contains("FAIL") && said.contains("ok    plays games"),
        "{said}"
    );
    let uci = ["engine", "check", program, "uci", "--evaluator", "material"];
    let said = stdout(&uci);
    assert!(said.contains("ok    describes its options"), "{said}");
    assert!(said.ends_with("verdict: the engine can play\n"), "{said}");
    let script = hostile("echo 'done move=99-98'").replace("value=1 type=int", "value=77 type=int");
    let lab = Lab::new(&script);
    let engine = lab.folder.path().join("engine").display().to_string();
    let check = |protocol: &str| {
        let args = [
            "engine",
            "check",
            "--game",
            "international",
            "--protocol",
            protocol,
        ];
        let timeout = ["--timeout", "300ms", &engine];
        let ended = crate::common::output(&[&args[..], &timeout].concat());
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        (ended.status.code(), said)
    };
    let (code, said) = check("hub");
    assert_eq!(code, Some(1), "{said}");
    for line in [
        "ok    starts: protocol hub",
        "FAIL  describes its options: `size` has the default `77`: expected 1 to 9",
        "FAIL  moves within depth 2: forfeit-illegal-move in W:",
        "FAIL  plays games: forfeit-illegal-move after 0 moves",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let (code, said) = check("uci");
    assert_eq!((code, said.as_str()), (Some(2), ""));
}

#[test]
fn a_strict_run_fails_after_a_forfeit_and_keeps_its_games() {
    let lab = Lab::new(&hostile("echo done"));
    lab.play("international", "engine = \"./engine\"\nnodes = 10", 1);
    let config = lab.folder.path().join("lab.toml");
    let out = lab.folder.path().join("strict");
    let args = [
        "run",
        config.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--strict",
    ];
    let ended = crate::common::output(&args);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("--strict: 2 games forfeited"), "{said}");
    assert_eq!(rows(&out).len(), 2);
}

#[test]
fn configs_of_hub_engines_are_checked_before_the_first_game() {
    let lab = Lab::new(&hostile(":"));
    let folder = lab.folder.path();
    let refused = |game: &str, keys: &str| {
        let text = format!(
            "game = \"{game}\"\n[[player]]\nname = \"a\"\nevaluator = \"random\"\n[[player]]\nname = \"b\"\n\
             engine = \"./engine\"\n{keys}\n"
        );
        let path = folder.join("wrong.toml");
        fs::write(&path, text).unwrap();
        let out = folder.join("out");
        complaint(&[
            "run",
            path.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ])
    };
    let said = refused("international", "protocol = \"uci\"\ndepth = 1");
    assert!(said.contains("expected hub or hub1"), "{said}");
    let said = refused("chess", "protocol = \"hub\"\ndepth = 1");
    assert!(said.contains("expected uci"), "{said}");
    let said = refused("international", "protocol = \"hub1\"\nnodes = 5");
    assert!(said.contains("use depth, movetime or clock"), "{said}");
    let said = refused("othello", "depth = 1");
    assert!(said.contains("this game has neither"), "{said}");
    let said = refused("international", "depth = 1\noptions = { sise = 3 }");
    assert!(said.contains("did you mean `size`"), "{said}");
    let said = refused("international", "depth = 1\noptions = { size = 30 }");
    assert!(said.contains("expected 1 to 9"), "{said}");
}
