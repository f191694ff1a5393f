//! Engines that do everything wrong: each fault has its termination, runs complete, no row is
//! lost and no process stays behind. The engines are shell scripts; outcomes are asserted, never
//! times.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Watched, sparring, wait_until};
use crate::lab::{engine_folder, rows};
use sparring::record::GameRow;
use tempfile::TempDir;

/// A script that behaves, and plays a legal first move from the start position as either side;
/// `later` is what it does when asked for another.
fn well_behaved_at_first(later: &str) -> String {
    format!(
        r#"#!/bin/sh
asked=0
while read -r line; do
  case "$line" in
    uci) echo "id name hostile"; echo "option name Hash type spin default 1 min 1 max 64"; echo uciok;;
    isready) echo readyok;;
    ucinewgame) asked=0;;
    position*) set -- $line; words=$#;;
    go*)
      asked=$((asked + 1))
      if [ "$words" -eq 2 ]; then move=e2e4; else move=e7e5; fi
      if [ "$asked" -gt 1 ]; then
        {later}
      else
        echo "info depth 1 score cp 7 nodes 1"; echo "bestmove $move"
      fi;;
    quit) exit 0;;
  esac
done
"#
    )
}

/// The same, but from the first move on.
fn hostile(on_go: &str) -> String {
    well_behaved_at_first(on_go).replace("-gt 1", "-gt 0")
}

struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new(script: &str) -> Lab {
        let folder = engine_folder(script);
        Lab { folder }
    }

    fn config(&self, keys: &str, pairs: u32) -> PathBuf {
        let path = self.folder.path().join("lab.toml");
        let text = format!(
            r#"game = "chess"
[match]
pairs = {pairs}
[openings]
source = "start"
[[player]]
name = "ours"
evaluator = "random"
depth = 1
[[player]]
name = "theirs"
engine = "./engine"
{keys}
"#
        );
        fs::write(&path, text).unwrap();
        path
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn command(&self, config: &Path) -> Command {
        let (config, out) = (config.to_string_lossy(), self.out());
        sparring(&[
            "run",
            &config,
            "--threads",
            "2",
            "--out",
            &out.to_string_lossy(),
        ])
    }

    fn rows(&self) -> Vec<GameRow> {
        rows(&self.out())
    }

    /// Plays to the end and returns the rows and what was printed.
    fn play(&self, keys: &str, pairs: u32) -> (Vec<GameRow>, String) {
        let output = self.command(&self.config(keys, pairs)).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
        let rows = self.rows();
        assert_eq!(rows.len(), 2 * pairs as usize, "{message}");
        self.assert_no_process_is_left();
        (rows, String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Every game is lost by the engine, for this reason.
    fn assert_all_lost(&self, keys: &str, termination: &str) {
        let (rows, printed) = self.play(keys, 2);
        for row in &rows {
            let lost = if row.white == "theirs" { "0-1" } else { "1-0" };
            assert_eq!(
                (row.result.text(), row.termination.as_str()),
                (lost, termination)
            );
        }
        let line = format!("{termination}: 4 games lost by `theirs`; see ");
        assert!(printed.contains(&line), "{printed}");
        let log = fs::read_to_string(self.out().join("engines/theirs.log")).unwrap();
        assert!(log.contains(termination), "{log}");
    }

    /// Processes whose command line names this folder: the engine, and what it started.
    fn engines(&self) -> Vec<String> {
        let mark = self.folder.path();
        let mark = mark.to_string_lossy();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Ok(line) = fs::read(entry.path().join("cmdline")) else {
                continue;
            };
            let line = String::from_utf8_lossy(&line).into_owned();
            if line.contains(&*mark) {
                found.push(line);
            }
        }
        found
    }

    fn assert_no_process_is_left(&self) {
        // A killed process takes a moment to leave the table.
        wait_until("every engine has ended", None, || self.engines().is_empty());
    }
}

/// An engine that starts once, for the check before the first game, and never again.
fn starts_once(later: &str) -> String {
    let script = well_behaved_at_first("exit 1");
    script.replacen(
        "#!/bin/sh\n",
        &format!("#!/bin/sh\nif [ -e \"$0.met\" ]; then {later}; fi\n: > \"$0.met\"\n"),
        1,
    )
}

#[test]
fn a_program_that_is_no_engine_stops_the_run_before_the_first_game() {
    for (script, why) in [
        ("#!/bin/sh\nexit 127\n", "ended before it was ready"),
        (
            "#!/bin/sh\nwhile read -r line; do :; done\n",
            "does not answer its protocol's first words",
        ),
    ] {
        let lab = Lab::new(script);
        let config = lab.config("nodes = 10\nstart_timeout = \"200ms\"", 2);
        let output = lab.command(&config).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("player `theirs`: "), "{message}");
        assert!(
            message.contains("is it an engine of protocol `uci`"),
            "{message}"
        );
        assert!(message.contains(why), "{message}");
        assert!(!lab.out().join("games.csv").exists(), "{message}");
        lab.assert_no_process_is_left();
    }
}

#[test]
fn an_engine_that_never_says_uciok_stalls() {
    let lab = Lab::new(&starts_once("while read -r line; do :; done"));
    lab.assert_all_lost("nodes = 10\nstart_timeout = \"200ms\"", "forfeit-stall");
}

#[test]
fn an_engine_that_ends_at_once_crashes() {
    let lab = Lab::new(&starts_once(
        "echo 'cannot open shared object' >&2; exit 127",
    ));
    lab.assert_all_lost("nodes = 10", "forfeit-crash");
    let log = fs::read_to_string(lab.out().join("engines/theirs.log")).unwrap();
    assert!(log.contains("cannot open shared object"), "{log}");
}

#[test]
fn a_crash_in_the_middle_of_a_game_loses_it_and_the_engine_is_started_again() {
    let lab = Lab::new(&well_behaved_at_first("echo 'out of luck' >&2; exit 3"));
    lab.assert_all_lost("nodes = 10", "forfeit-crash");
    // Each game saw the engine's first move.
    assert!(lab.rows().iter().all(|row| row.plies >= 2));
    let log = fs::read_to_string(lab.out().join("engines/theirs.log")).unwrap();
    assert_eq!(log.matches("out of luck").count(), 4, "{log}");
    assert!(log.contains("exit status: 3"), "{log}");
}

#[test]
fn an_illegal_move_loses_and_the_engine_may_play_the_next_game() {
    for bad in ["e2e5", "Nf3", "0000", "(none)", ""] {
        let lab = Lab::new(&well_behaved_at_first(&format!("echo 'bestmove {bad}'")));
        lab.assert_all_lost("nodes = 10", "forfeit-illegal-move");
    }
}

#[test]
fn garbage_is_passed_over_and_megabytes_are_not_kept() {
    let noise = r#"head -c 3000000 /dev/zero | tr '\0' x
        echo; head -c 100000 /dev/urandom; echo
        echo "info depth"; echo "info score cp"; echo bestmov e2e4
        if [ "$asked" -ge 2 ]; then echo bestmove a1a1; else echo "bestmove $move"; fi"#;
    let lab = Lab::new(&hostile(noise));
    lab.assert_all_lost("nodes = 10", "forfeit-illegal-move");
    assert!(lab.rows().iter().all(|row| row.plies >= 2));
}

#[test]
fn a_flood_without_end_stalls() {
    for flood in ["yes | tr -d '\\n'", "yes info depth 1", "cat /dev/zero"] {
        let lab = Lab::new(&well_behaved_at_first(flood));
        lab.assert_all_lost("nodes = 10\nmove_timeout = \"300ms\"", "forfeit-stall");
    }
}

#[test]
fn an_engine_that_ignores_stop_stalls_whatever_its_limit() {
    let lab = Lab::new(&well_behaved_at_first("echo info string thinking"));
    lab.assert_all_lost("depth = 3\nmove_timeout = \"200ms\"", "forfeit-stall");
    let lab = Lab::new(&well_behaved_at_first("while :; do sleep 1; done"));
    lab.assert_all_lost(
        "movetime = \"20ms\"\ntime_margin = \"100ms\"",
        "forfeit-stall",
    );
}

#[test]
fn an_engine_that_exits_after_its_move_crashes_at_the_next() {
    let lab = Lab::new(&hostile("echo \"bestmove $move\"; exit 0"));
    lab.assert_all_lost("nodes = 10", "forfeit-crash");
    assert!(lab.rows().iter().all(|row| row.plies >= 2));
}

#[test]
fn a_late_answer_loses_on_time() {
    // It answers `stop`, which comes when its time is over.
    let late = "read -r next; echo \"bestmove $move\"";
    for limit in [
        "movetime = \"20ms\"\ntime_margin = \"30ms\"",
        "clock = \"50ms+1ms\"\ntime_margin = \"30ms\"",
    ] {
        let lab = Lab::new(&hostile(late));
        lab.assert_all_lost(limit, "forfeit-time");
    }
    // Without a time there is nothing to be late for.
    let lab = Lab::new(&hostile(late));
    lab.assert_all_lost("nodes = 5\nmove_timeout = \"100ms\"", "forfeit-stall");
}

#[test]
fn options_and_programs_are_checked_before_the_first_game() {
    let lab = Lab::new(&well_behaved_at_first("exit"));
    let refused = |keys: &str| {
        let output = lab.command(&lab.config(keys, 1)).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(!lab.out().exists(), "a refused run leaves nothing behind");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let message = refused("nodes = 1\noptions = { Hosh = 16 }");
    assert!(
        message.contains("hostile has no option `Hosh`; did you mean `Hash`?"),
        "{message}"
    );
    let message = refused("nodes = 1\noptions = { Hash = 128 }");
    assert!(
        message.contains("option `Hash` = `128`: expected 1 to 64"),
        "{message}"
    );
    let message = refused("");
    assert!(
        message.contains("lab.toml:12: an engine needs a limit"),
        "{message}"
    );
    let message = refused("nodes = 1\nweights = { pawn = 1 }");
    assert!(
        message.contains("`weights` does not apply to a player with `engine`"),
        "{message}"
    );
    let message = refused("nodes = 1\nclock = \"soon\"");
    assert!(
        message.contains("clock = \"soon\": expected a time with its increment"),
        "{message}"
    );
    let message = refused("nodes = 1\ndir = \"nowhere\"");
    assert!(
        message.contains("dir = \"nowhere\": expected a directory"),
        "{message}"
    );
    fs::remove_file(lab.folder.path().join("engine")).unwrap();
    let message = refused("nodes = 1");
    assert!(
        message.contains("engine = \"./engine\": program not found"),
        "{message}"
    );
}

/// Plays by asking our own engine; slow enough to be interrupted.
fn honest() -> String {
    let ours = env!("CARGO_BIN_EXE_sparring");
    format!("#!/bin/sh\nexec {ours} uci --evaluator material --profile alpha-beta\n")
}

#[test]
fn a_run_says_what_is_not_reproducible_and_resumes_after_an_interruption() {
    let lab = Lab::new(&honest());
    let config = lab.config("depth = 1", 30);
    let mut run = Watched::start(&mut lab.command(&config));
    assert!(run.sees_pairs(2), "there is something to resume");
    let status = run.interrupt().status;
    lab.assert_no_process_is_left();
    // It may have been faster than the signal.
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    let before = lab.rows();
    let (rows, printed) = lab.play("depth = 1", 30);
    assert_eq!(rows[..before.len()], before, "what was played stays");
    assert!(
        printed.contains("not reproducible: `theirs` is an external engine"),
        "{printed}"
    );
    let resolved = fs::read_to_string(lab.out().join("config.toml")).unwrap();
    assert!(
        resolved.contains("# `theirs` is an external engine"),
        "{resolved}"
    );
    assert!(!resolved.contains("The same text gives the same games"));
    assert!(
        rows.iter()
            .all(|row| !row.termination.starts_with("forfeit"))
    );
}

#[test]
#[cfg(target_os = "linux")]
fn engines_die_with_us_even_when_we_are_killed() {
    // Deaf from its first search on: it would never see its input close.
    let lab = Lab::new(&hostile(
        "trap '' HUP INT TERM; : > \"$0.deaf\"; while :; do sleep 1; done",
    ));
    let config = lab.config("depth = 1\nmove_timeout = \"600s\"", 2);
    let mut child = lab
        .command(&config)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let deaf = lab.folder.path().join("engine.deaf");
    wait_until("an engine ignores signals", Some(&mut child), || {
        deaf.exists()
    });
    assert!(!lab.engines().is_empty(), "no engine runs");
    child.kill().unwrap();
    child.wait().unwrap();
    lab.assert_no_process_is_left();
}

#[test]
fn an_engine_that_never_reads_stalls_and_holds_nothing_up() {
    // The option is longer than a pipe holds.
    let lab = Lab::new(
        "#!/bin/sh\nread -r line\necho 'option name Book type string'; echo uciok\n\
         if [ ! -e \"$0.met\" ]; then : > \"$0.met\"; head -n 1 > /dev/null; echo readyok; fi\n\
         while :; do sleep 1; done\n",
    );
    let book = "x".repeat(300_000);
    lab.assert_all_lost(
        &format!("nodes = 10\nstart_timeout = \"500ms\"\noptions = {{ Book = \"{book}\" }}"),
        "forfeit-stall",
    );
}

#[test]
fn floods_of_options_names_and_errors_are_bounded() {
    let script = well_behaved_at_first("exit 3").replace(
        "uci) ",
        "uci) yes 'no end of noise' >&2 & yes 'option name A type spin' | head -n 100000; echo \"id name $(head -c 60000 /dev/zero | tr '\\0' x)\"; ",
    );
    let lab = Lab::new(&script);
    let output = lab.command(&lab.config("nodes = 10", 1)).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", printed.len());
    assert!(
        printed.len() < 4096,
        "{} bytes on the terminal",
        printed.len()
    );
    let log = fs::metadata(lab.out().join("engines/theirs.log")).unwrap();
    // Two threads and two games: at most four starts.
    assert!(log.len() < 5 << 20, "{} bytes of log", log.len());
    lab.assert_no_process_is_left();
}

/// Starts a child with its output elsewhere, in a new session, that ignores signals.
#[cfg(target_os = "linux")]
fn with_detached_child(lab: &Lab) {
    use std::os::unix::fs::PermissionsExt;
    let child = lab.folder.path().join("engine-child");
    let text = "#!/bin/sh\ntrap '' HUP INT TERM\n: > \"$0.runs\"\nwhile :; do sleep 1; done\n";
    fs::write(&child, text).unwrap();
    fs::set_permissions(&child, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
const START_CHILD: &str = "uci) setsid \"$0-child\" </dev/null >/dev/null 2>&1 & ";

#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_started_ends_with_it_in_whatever_session() {
    let script = well_behaved_at_first("echo 'bestmove a1a1'").replace("uci) ", START_CHILD);
    let lab = Lab::new(&script);
    with_detached_child(&lab);
    lab.assert_all_lost("nodes = 10", "forfeit-illegal-move");
    assert!(lab.folder.path().join("engine-child.runs").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_started_ends_when_we_are_killed() {
    let deaf = "trap '' HUP INT TERM; : > \"$0.deaf\"; while :; do sleep 1; done";
    let lab = Lab::new(&hostile(deaf).replace("uci) ", START_CHILD));
    with_detached_child(&lab);
    // The engine is started by a wrapper script, which is all that we know of.
    let (engine, wrapper) = (
        lab.folder.path().join("engine"),
        lab.folder.path().join("real-engine"),
    );
    fs::rename(&engine, &wrapper).unwrap();
    fs::rename(
        lab.folder.path().join("engine-child"),
        lab.folder.path().join("real-engine-child"),
    )
    .unwrap();
    let text = format!("#!/bin/sh\n'{}'\nexit 0\n", wrapper.display());
    fs::write(&engine, text).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let config = lab.config("depth = 1\nmove_timeout = \"600s\"", 2);
    let mut run = lab
        .command(&config)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let marks = ["real-engine.deaf", "real-engine-child.runs"];
    wait_until("the engine and its child run", Some(&mut run), || {
        marks
            .iter()
            .all(|mark| lab.folder.path().join(mark).exists())
    });
    assert!(lab.engines().len() >= 3, "{:?}", lab.engines());
    run.kill().unwrap();
    run.wait().unwrap();
    lab.assert_no_process_is_left();
}

#[test]
#[cfg(target_os = "linux")]
fn no_dead_engine_stays_in_the_process_table() {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use sparring::play::{RunError, Runner};

    let lab = Lab::new(&well_behaved_at_first("exit 3"));
    let loaded = sparring::config::load(&lab.config("nodes = 10", 5), &[]).unwrap();
    let mut pairs = 0;
    let mut runner = Runner::new(loaded.game, 2).unwrap();
    runner
        .run::<_, RunError>(
            &loaded.experiment,
            1..=5,
            &AtomicBool::new(false),
            |pair| pair,
            |_| {
                pairs += 1;
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
    assert_eq!(pairs, 5);
    drop(runner);
    let own = std::process::id().to_string();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // "pid (name) state parent ..."
        let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        let mut fields = rest.split(' ');
        let (state, parent) = (fields.next(), fields.next());
        // Other tests of this process may have children of theirs.
        let is_ours = parent == Some(&own) && stat.contains("(engine)");
        assert!(!is_ours || state != Some("Z"), "{stat}");
    }
}
