//! What a run can ask of its engines: a saved list, start-up lines, a new process per game, thinking on
//! the opponent's time, and the log of what was said. The engines are shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

use crate::common::sparring;
use tempfile::{TempDir, tempdir};

/// Plays a fixed line as either side and expects it to go on. With the argument `miss`, black's second
/// move is another one.
const BOOK_PLAYER: &str = r#"#!/bin/sh
game="e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"
[ "$1" = miss ] && game="e2e4 e7e5 g1f3 g8f6 f1b5 a7a6 b5a4 b8c6"
answer() {
  set -- $game
  shift "$ply"
  echo "info depth 3 seldepth 5 score cp 7 nodes 9 nps 900 hashfull 12 time 2 pv $1 $2"
  echo "bestmove $1 ponder $2"
}
while read -r line; do
  case "$line" in
    uci) echo "id name book player"; echo "option name Ponder type check default false"
         echo "option name Hash type spin default 1 min 1 max 64"; echo uciok;;
    isready) echo readyok;;
    position*) set -- $line; ply=$(($# - 3)); [ $# -eq 2 ] && ply=0;;
    "go ponder"*) ;;
    go*) answer;;
    ponderhit) answer;;
    stop) echo "bestmove 0000";;
    quit) exit 0;;
  esac
done
"#;

struct Room {
    folder: TempDir,
}

impl Room {
    fn new() -> Room {
        let room = Room {
            folder: tempdir().unwrap(),
        };
        let engine = room.path("engine");
        fs::write(&engine, BOOK_PLAYER).unwrap();
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Six plies from the start position between two engines with these keys.
    fn run(&self, pairs: u32, one: &str, two: &str) -> Output {
        let config = format!(
            r#"game = "chess"
[match]
pairs = {pairs}
max_plies = 6
[openings]
source = "start"
[log]
engines = "all"
[[player]]
name = "one"
{one}
[[player]]
name = "two"
{two}
"#
        );
        fs::write(self.path("run.toml"), config).unwrap();
        let (config, out) = (self.path("run.toml"), self.path("out"));
        let (config, out) = (config.to_string_lossy(), out.to_string_lossy());
        sparring(&["run", &config, "--threads", "1", "--out", &out])
            .env("HOME", self.folder.path())
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .unwrap()
    }

    fn played(&self, pairs: u32, one: &str, two: &str) -> String {
        let output = self.run(pairs, one, two);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
        let games = fs::read_to_string(self.path("out/games.csv")).unwrap();
        assert_eq!(
            games.matches(",max-plies,6,").count(),
            2 * pairs as usize,
            "{games}"
        );
        message
    }

    fn refused(&self, one: &str) -> String {
        let output = self.run(1, one, &format!("{PLAIN}\ndepth = 1"));
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// What was said to a player's engines and by them, without times.
    fn lines(&self, player: &str) -> Vec<String> {
        let file = self.path("out/engines").join(format!("{player}.lines.log"));
        let text = fs::read_to_string(file).unwrap();
        let line = |line: &str| line.splitn(3, ' ').nth(2).unwrap().to_string();
        text.lines().map(line).collect()
    }
}

const PLAIN: &str = "engine = \"./engine\"";

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn an_engine_ponders_on_the_move_it_expects_and_is_stopped_when_another_comes() {
    let room = Room::new();
    let one = format!("{PLAIN}\nclock = \"60s+1s\"\nponder = true");
    let two = format!("{PLAIN}\nargs = [\"miss\"]\ndepth = 1");
    let message = room.played(1, &one, &two);
    assert!(
        message.contains("thinks on the opponent's time"),
        "{message}"
    );
    let lines = room.lines("one");
    assert_eq!(count(&lines, "> setoption name Ponder value true"), 1);
    // As white: e7e5 comes, b8c6 does not, and the last search is ended with the game. As black, both
    // expected moves come.
    assert_eq!(count(&lines, "> go ponder wtime "), 5, "{lines:#?}");
    assert_eq!(count(&lines, "> ponderhit"), 3, "{lines:#?}");
    assert_eq!(count(&lines, "> stop"), 2, "{lines:#?}");
    let miss = lines.iter().position(|line| line == "> stop").unwrap();
    assert_eq!(lines[miss + 1], "< bestmove 0000");
    assert_eq!(
        lines[miss + 2],
        "> position startpos moves e2e4 e7e5 g1f3 g8f6"
    );
    let on = "> position startpos moves e2e4 e7e5 g1f3 b8c6";
    let pondered = lines.iter().position(|line| line == on).unwrap();
    assert!(lines[pondered + 1].starts_with("> go ponder "));
    // The opponent does not ponder.
    assert_eq!(count(&room.lines("two"), "> go ponder"), 0);
}

#[test]
fn an_engine_can_get_lines_at_its_start_and_a_new_process_for_every_game() {
    let room = Room::new();
    let one = format!(
        "{PLAIN}\ndepth = 1\nrestart = \"game\"\ninit = [\"debug on\", \"setoption name Hash value 2\"]\n\
         options = {{ Hash = 4 }}"
    );
    room.played(2, &one, &format!("{PLAIN}\ndepth = 1"));
    let lines = room.lines("one");
    assert_eq!(
        count(&lines, "> uci"),
        4 + 4,
        "four starts, four ucinewgame: {lines:#?}"
    );
    let first = lines
        .iter()
        .position(|line| line.starts_with("> setoption"))
        .unwrap();
    let sent = [
        "> setoption name Hash value 4",
        "> debug on",
        "> setoption name Hash value 2",
        "> isready",
    ];
    assert_eq!(lines[first..first + 4], sent);
    assert_eq!(count(&room.lines("two"), "> uci"), 1 + 4);
}

#[test]
fn players_name_engines_of_a_saved_list_and_their_own_keys_count() {
    let room = Room::new();
    fs::create_dir_all(room.path(".config/sparring")).unwrap();
    let far = "[[engine]]\nname = \"far\"\nengine = \"../../engine\"\nnodes = 5\noptions = { Hash = 8 }\n\
               [[engine]]\nname = \"near\"\nengine = \"/nowhere\"\n";
    fs::write(room.path(".config/sparring/engines.toml"), far).unwrap();
    let near = "[[engine]]\nname = \"near\"\nengine = \"./engine\"\ndepth = 2\nargs = [\"miss\"]\n";
    fs::write(room.path("engines.toml"), near).unwrap();
    // The list beside the config hides the user's.
    room.played(
        1,
        "engine = \"@far\"\ndepth = 1\noptions = { Ponder = false }",
        "engine = \"@near\"",
    );
    let lines = room.lines("one");
    assert_eq!(
        count(&lines, "> go depth 1"),
        6,
        "its limit replaces the list's: {lines:#?}"
    );
    assert_eq!(count(&lines, "> setoption name Hash value 8"), 1);
    assert_eq!(count(&lines, "> setoption name Ponder value false"), 1);
    assert_eq!(count(&room.lines("two"), "> go depth 2"), 6);
    let kept = fs::read_to_string(room.path("out/config.toml")).unwrap();
    assert!(!kept.contains('@') && kept.contains("miss"), "{kept}");
}

#[test]
fn mistakes_in_a_saved_list_name_its_line() {
    let room = Room::new();
    let message = room.refused("engine = \"@none\"");
    assert!(
        message.contains("run.toml:11: engine = \"@none\": there is no list"),
        "{message}"
    );
    let cases = [
        (
            "[[engine]]\nname = \"far\"\nengine = \"x\"\n",
            "run.toml:11: engine = \"@fa\": no saved engine has this name; did you mean `far`?",
        ),
        (
            "[[engine]]\nname = \"fa\"\nengine = \"x\"\nevaluator = \"material\"\n",
            "engines.toml:4: unknown key `evaluator` in [[engine]]",
        ),
        (
            "[[engine]]\nname = \"fa\"\n",
            "engines.toml:1: an [[engine]] of a list needs the key `engine`",
        ),
        (
            "[[engine]]\nname = \"fa\"\nengine = \"@fa\"\n",
            "engines.toml:3: engine = \"@fa\": a list cannot name",
        ),
        (
            "[[engine]]\nname = 3\nengine = \"x\"\n",
            "engines.toml:2: name = 3: expected a text",
        ),
        (
            "[fa]\nengine = \"x\"\n",
            "engines.toml:1: `fa`: a list of engines holds [[engine]]",
        ),
        (
            "[[engine]]\nname = \"fa\"\nengine = \"./no-such\"\n",
            "engines.toml:3: engine = ",
        ),
        (
            "[[engine]]\nname = \"fa\"\nengine = \"./engine\"\nrestart = \"often\"\n",
            "engines.toml:4: unknown restart `often`",
        ),
    ];
    for (list, expected) in cases {
        fs::write(room.path("engines.toml"), list).unwrap();
        let message = room.refused("engine = \"@fa\"\ndepth = 1");
        assert!(message.contains(expected), "{list}: {message}");
    }
}

#[test]
fn a_lost_game_keeps_the_engine_lines_of_the_game() {
    let room = Room::new();
    let script = BOOK_PLAYER.replace(
        "shift \"$ply\"",
        "[ \"$ply\" -eq 2 ] && set -- e2e5; shift \"$((ply % 2))\"",
    );
    fs::write(room.path("engine"), script).unwrap();
    let output = room.run(
        1,
        &format!("{PLAIN}\ndepth = 1"),
        "evaluator = \"random\"\ndepth = 1",
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let log = fs::read_to_string(room.path("out/engines/one.log")).unwrap();
    assert!(log.contains("forfeit-illegal-move: `e2e5`"), "{log}");
    for line in [
        "> position startpos moves e2e4 ",
        "> go depth 1",
        "< bestmove e2e5",
    ] {
        assert!(log.contains(line), "{line} is missing in {log}");
    }
}
