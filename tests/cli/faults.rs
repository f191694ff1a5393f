//! What can go wrong around a run: kills at any moment, incomplete and truncated files, a full disk, a
//! directory that cannot be written. Existing files stay good, and a second try ends with the
//! bytes of a run that nothing disturbed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{Watched, complaint, line_count, sparring, stdout};
use tempfile::{TempDir, tempdir};

/// All files of a run, but the one with times.
const FILES: &[&str] = &[
    "config.toml",
    "manifest.json",
    "games.csv",
    "games.pdn",
    "moves.csv",
    "checksums.csv",
    "files.csv",
    "standings.csv",
    "pairings.csv",
    "results.svg",
    "results.png",
];

/// Two players of nearly equal strength, so that a sequential test takes its time.
const PLAYERS: &str = r#"
[openings]
plies = 6
[log]
moves = true
[[player]]
name = "plain"
evaluator = "basic"
depth = 2
[[player]]
name = "tuned, by hand"
evaluator = "basic"
depth = 2
weights = { king = 5.5 }
"#;

fn fixed() -> String {
    format!("game = \"checkers\"\nseed = 6\n[match]\npairs = 250\n{PLAYERS}")
}

fn sequential() -> String {
    format!(
        "game = \"checkers\"\nseed = 7\n[match]\nformat = \"pair\"\npairs = 2000\n\
         [sprt]\nelo0 = 0.0\nelo1 = 30.0\n{PLAYERS}"
    )
}

/// A config in a scratch folder, and what a run that nothing disturbs makes of it.
struct Reference {
    folder: TempDir,
    config: PathBuf,
    whole: PathBuf,
}

impl Reference {
    fn new(config: &str) -> Reference {
        let folder = tempdir().unwrap();
        let path = folder.path().join("experiment.toml");
        fs::write(&path, config).unwrap();
        let reference = Reference {
            // The same name of the directory, because charts carry the run's name.
            whole: folder.path().join("whole").join("run"),
            config: path,
            folder,
        };
        reference.play(&reference.whole, 2);
        reference
    }

    fn scratch(&self, name: &str) -> PathBuf {
        self.folder.path().join(name).join("run")
    }

    fn command(&self, out: &Path, threads: u32) -> Command {
        let (config, out) = (self.config.to_string_lossy(), out.to_string_lossy());
        let threads = threads.to_string();
        sparring(&["run", &config, "--out", &out, "--threads", &threads])
    }

    fn play(&self, out: &Path, threads: u32) -> String {
        let output = self.command(out, threads).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
        message
    }

    fn refused(&self, out: &Path) -> String {
        let (config, out) = (self.config.to_string_lossy(), out.to_string_lossy());
        complaint(&["run", &config, "--out", &out])
    }

    fn assert_same(&self, out: &Path, what: &str) {
        for name in FILES {
            let read = |folder: &Path| {
                fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            assert!(read(&self.whole) == read(out), "{what}: {name} differs");
        }
    }

    /// A copy of the finished run's journal.
    fn copy(&self, name: &str) -> PathBuf {
        let out = self.scratch(name);
        fs::create_dir_all(&out).unwrap();
        for file in [
            "config.toml",
            "manifest.json",
            "games.csv",
            "games.pdn",
            "moves.csv",
            "checksums.csv",
            "files.csv",
        ] {
            fs::copy(self.whole.join(file), out.join(file)).unwrap();
        }
        out
    }

    /// The same as a kill leaves it: only some pairs are known to be synced.
    fn copy_of_killed(&self, name: &str, synced: u64) -> PathBuf {
        let out = self.copy(name);
        fs::write(out.join(".lock"), format!("synced {synced}.\n")).unwrap();
        out
    }
}

/// Numbers without a pattern, the same in every test run.
struct Moments(u64);

impl Moments {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % bound) as usize
    }
}

/// Kills runs with SIGKILL after N pairs, each resumed afterwards, until this many were killed;
/// those that end before are compared, and a new one is started.
fn check_kills(config: &str, kills: u32) {
    let reference = Reference::new(config);
    for threads in [1, 2, 4, 8] {
        let mut moments = Moments(u64::from(threads));
        let (mut killed, mut finished) = (0, 0);
        let mut out = reference.scratch(&format!("{threads}.0"));
        while killed < kills {
            let before = line_count(&out.join("games.csv")).saturating_sub(1) / 2;
            let mut run = Watched::start(&mut reference.command(&out, threads));
            // Sometimes before the first new pair, often in the middle of what follows one.
            if run.sees_pairs(before + moments.below(40)) {
                run.kill();
                killed += 1;
            } else {
                let output = run.finish();
                let message = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{message}");
                reference.assert_same(&out, &format!("{threads} threads, finished {finished}"));
                finished += 1;
                out = reference.scratch(&format!("{threads}.{finished}"));
                assert!(finished < 100, "the runs are too short to be killed");
            }
        }
        reference.play(&out, threads);
        reference.assert_same(&out, &format!("{threads} threads, {kills} kills"));
    }
}

#[test]
fn a_run_killed_at_any_moment_ends_with_the_same_files() {
    check_kills(&fixed(), 20);
}

#[test]
fn a_sequential_test_killed_at_any_moment_ends_with_the_same_files() {
    check_kills(&sequential(), 20);
}

#[test]
fn an_incomplete_last_pair_is_removed_reported_and_played_again() {
    let reference = Reference::new(&fixed().replace("pairs = 250", "pairs = 12"));
    for file in ["games.csv", "games.pdn", "moves.csv"] {
        let whole = fs::read(reference.whole.join(file)).unwrap();
        let length = whole.len();
        for cut in [length - 1, length - 40, length / 2, length / 3, 90, 5, 0] {
            let out = reference.copy_of_killed(&format!("{file}.{cut}"), 0);
            fs::write(out.join(file), &whole[..cut]).unwrap();
            let header = whole.iter().position(|byte| *byte == b'\n').unwrap();
            if file != "games.pdn" && cut <= header {
                // The header lines are synced before the first game.
                let message = reference.refused(&out);
                assert!(message.contains(&format!("{file}:1: ")), "{message}");
                continue;
            }
            let message = reference.play(&out, 2);
            assert!(
                message.contains(file) && message.contains("was removed; it is kept in"),
                "{file} at {cut}: {message}"
            );
            reference.assert_same(&out, &format!("{file} cut at {cut}"));
        }
    }
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let reference = Reference::new(&fixed().replace("pairs = 250", "pairs = 4"));
    let refused = |out: &Path| reference.refused(out);
    let out = reference.copy("missing");
    fs::remove_file(out.join("games.pdn")).unwrap();
    // The first refusal must not leave an empty file, which would look cut off to the second.
    refused(&out);
    let message = refused(&out);
    assert!(
        message.contains("games.pdn: missing") && message.contains("--fresh"),
        "{message}"
    );
    let rows = fs::read(out.join("games.csv")).unwrap();
    assert!(
        rows == fs::read(reference.whole.join("games.csv")).unwrap(),
        "nothing is harmed"
    );

    // A pair taken out of the middle would shift the numbers of those that follow.
    let out = reference.copy("gap");
    let rows = crate::common::text(&out.join("games.csv"));
    let without: Vec<&str> = rows
        .lines()
        .enumerate()
        .filter(|(index, _)| !(3..5).contains(index))
        .map(|(_, line)| line)
        .collect();
    fs::write(out.join("games.csv"), without.join("\n") + "\n").unwrap();
    let message = refused(&out);
    assert!(
        message.contains("games.csv:4: pair 2 does not match its checksum"),
        "{message}"
    );
}

/// What a full disk must look like: a clear error, what was written still good, and the same
/// files in the end once there is room.
fn check_full(reference: &Reference, output: &Output, out: &Path, what: &str) {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{what}: {message}");
    assert!(
        message.contains(&*out.to_string_lossy()),
        "{what}: {message}"
    );
    assert!(
        message.contains("run the same command again"),
        "{what}: {message}"
    );
    assert!(!message.contains("panicked"), "{what}: {message}");
    let written = fs::read(out.join("games.csv")).unwrap();
    let whole = fs::read(reference.whole.join("games.csv")).unwrap();
    assert!(
        whole.starts_with(&written),
        "{what}: what was written is harmed"
    );
    assert!(written.len() > 2000, "{what}: only {} bytes", written.len());
}

#[test]
fn a_file_that_may_not_grow_further_is_an_error_that_can_be_fixed() {
    let reference = Reference::new(&fixed());
    let out = reference.scratch("limited");
    let command = reference.command(&out, 2);
    // A limit on the size of files stands in for a full disk: writing stops in the same way. The
    // signal that comes with it is ignored, as a full disk sends none.
    let mut limited = Command::new("bash");
    limited
        .arg("-c")
        .arg("ulimit -f 100 && trap '' XFSZ && exec \"$0\" \"$@\"")
        .arg(command.get_program())
        .args(command.get_args());
    let output = limited.output().unwrap();
    check_full(&reference, &output, &out, "limit");
    assert!(String::from_utf8_lossy(&output.stderr).contains("File too large"));
    reference.play(&out, 2);
    reference.assert_same(&out, "after a limit");
}

#[test]
#[ignore = "mounts a small disk, which needs privileges; .ci/run runs it"]
fn a_full_disk_is_an_error_that_can_be_fixed() {
    let reference = Reference::new(&fixed());
    let disk = reference.folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "sparring-test"])
            .arg(&disk)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    assert!(
        mount("size=256k"),
        "cannot mount a tmpfs; run this test where mounting is allowed"
    );
    let out = disk.join("run");
    let output = reference.command(&out, 2).output().unwrap();
    let full = std::panic::catch_unwind(|| check_full(&reference, &output, &out, "disk"));
    let room = Command::new("mount")
        .args(["-o", "remount,size=64m"])
        .arg(&disk)
        .status();
    let again = std::panic::catch_unwind(|| {
        reference.play(&out, 2);
        reference.assert_same(&out, "after a full disk");
    });
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(room.unwrap().success() && unmounted.unwrap().success());
    for checked in [full, again] {
        if let Err(panic) = checked {
            std::panic::resume_unwind(panic);
        }
    }
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error() {
    let reference = Reference::new(&fixed().replace("pairs = 250", "pairs = 1"));
    let refused = |out: &Path| {
        let (config, out) = (reference.config.to_string_lossy(), out.to_string_lossy());
        let message = complaint(&["run", &config, "--out", &out]);
        assert!(message.contains(&*out), "{message}");
    };
    // Read-only for every user, including root.
    refused(Path::new("/proc/sparring/run"));
    let file = reference.folder.path().join("file");
    fs::write(&file, "").unwrap();
    refused(&file.join("run"));
    let out = reference.scratch("taken");
    fs::create_dir_all(out.join("games.csv")).unwrap();
    refused(&out);
}

#[test]
fn pairs_for_pipelines_come_in_order_and_all_of_them_after_a_kill() {
    let reference = Reference::new(&fixed().replace("pairs = 250", "pairs = 30"));
    let listen = |out: &Path, threads: &str| {
        let (config, out) = (reference.config.to_string_lossy(), out.to_string_lossy());
        stdout(&[
            "run",
            &config,
            "--out",
            &out,
            "--threads",
            threads,
            "--json",
        ])
    };
    let one = listen(&reference.scratch("one"), "1");
    assert_eq!(one, listen(&reference.scratch("four"), "4"));
    let out = reference.copy_of_killed("half", 10);
    let rows = crate::common::text(&out.join("games.csv"));
    let half: Vec<&str> = rows.lines().take(21).collect();
    fs::write(out.join("games.csv"), half.join("\n") + "\n").unwrap();
    assert_eq!(one, listen(&out, "2"));
    let objects: Vec<serde_json::Value> = one
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 30);
    for (index, object) in objects.iter().enumerate() {
        assert_eq!(object["pair"], index as u64 + 1);
        assert_eq!(object["player"], "plain");
        let games = ["wins", "draws", "losses"].map(|key| object[key].as_u64().unwrap());
        assert_eq!(games.iter().sum::<u64>(), 2 * (index as u64 + 1));
    }
}

/// The most memory a run ever held, in kilobytes, as the system counts it.
#[cfg(target_os = "linux")]
fn peak_memory(reference: &Reference, name: &str, pairs: &str) -> u64 {
    let (config, out) = (reference.config.to_string_lossy(), reference.scratch(name));
    let arguments = [
        "run",
        &*config,
        "--out",
        &*out.to_string_lossy(),
        "--pairs",
        pairs,
    ];
    let mut run =
        Watched::start(sparring(&arguments).args(["--threads", "2", "--set", "player.*.depth=1"]));
    let status = format!("/proc/{}/status", run.id());
    let mut peak = 0;
    while run.sees_pairs(10) {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now.unwrap_or(0));
    }
    assert!(run.finish().status.success());
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_games() {
    let reference = Reference::new(&fixed().replace("pairs = 250", "pairs = 1"));
    let few = peak_memory(&reference, "few", "1000");
    let many = peak_memory(&reference, "many", "5000");
    assert!(few > 1000, "{few} kB is no measurement");
    // Holding the games alone would take three times as much.
    assert!(
        many < few + few / 4,
        "{few} kB for 2000 games, {many} kB for 10000"
    );
}
