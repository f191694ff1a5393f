//! Nets wherever an evaluator may stand: configs, commands, UCI; and their errors.

use std::fs;
use std::path::Path;

use crate::common::{complaint, sparring, stdout, text};
use tempfile::tempdir;

/// A net in bullet's layout; see `tests/golden/nets/make.py`.
const BULLET: &str = "tests/golden/nets/quantised.bin";

/// Its score of the start position by NumPy, in centipawns.
const START_SCORE: &str = "-617.19";

fn config(net: &str) -> String {
    format!(
        "game = \"chess\"\n[match]\npairs = 2\n[openings]\nplies = 2\n\
         [[player]]\nname = \"net\"\nevaluator = \"{net}\"\nnodes = 60\n\
         [[player]]\nname = \"material\"\nevaluator = \"material\"\nnodes = 60\n"
    )
}

fn run(config: &Path, out: &Path) {
    let [config, out] = [config, out].map(|path| path.display().to_string());
    stdout(&["run", &config, "--out", &out, "--quiet"]);
}

/// The one net in a run directory.
fn kept_net(run: &Path) -> String {
    let names = fs::read_dir(run).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().into_owned()
    });
    let nets: Vec<String> = names
        .filter(|name| name.ends_with(".safetensors"))
        .collect();
    assert_eq!(nets.len(), 1, "{nets:?}");
    nets[0].clone()
}

#[test]
fn a_run_keeps_the_nets_it_played_with_and_plays_again_from_them() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::copy(BULLET, path("mine.bin")).unwrap();
    fs::write(path("match.toml"), config("mine.bin")).unwrap();
    run(&path("match.toml"), &path("first"));
    let kept = kept_net(&path("first"));
    let resolved = text(&path("first/config.toml"));
    assert!(
        resolved.contains(&format!("evaluator = \"{kept}\"")),
        "{resolved}"
    );
    // The original may be gone.
    fs::remove_file(path("mine.bin")).unwrap();
    run(&path("first/config.toml"), &path("again"));
    for file in ["games.csv", "config.toml", kept.as_str()] {
        let bytes = ["first", "again"].map(|run| fs::read(path(run).join(file)).unwrap());
        assert!(bytes[0] == bytes[1], "{file} differs");
    }
    // Another net under the same name is another experiment.
    let mut other = fs::read(BULLET).unwrap();
    other[0] ^= 1;
    fs::write(path("mine.bin"), other).unwrap();
    let [config, out] = [path("match.toml"), path("first")].map(|p| p.display().to_string());
    complaint(&["run", &config, "--out", &out, "--quiet"]);
}

#[test]
fn a_net_evaluates_and_searches_from_the_command_line() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let shown = stdout(&["eval", "--evaluator", BULLET, start]);
    assert!(shown.contains(&format!("score {START_SCORE}")), "{shown}");
    assert!(shown.contains("the effect of a piece"), "{shown}");
    let line = stdout(&["eval", "--json", "--evaluator", BULLET, start]);
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    // Kings cannot be missing.
    assert_eq!(value["pieces"].as_array().unwrap().len(), 30);
    let found = stdout(&["search", "--evaluator", BULLET, "--nodes", "500"]);
    assert!(
        found.contains("bestmove") || found.contains("best"),
        "{found}"
    );
}

#[test]
fn a_gui_chooses_a_net_by_the_option_evalfile() {
    use std::io::Write;
    let mut child = sparring(&["uci"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let commands = format!(
        "uci\nsetoption name EvalFile value {BULLET}\nposition startpos\neval\nuci\nquit\n"
    );
    child
        .stdin
        .take()
        .unwrap()
        .write_all(commands.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains(&format!("score {START_SCORE}")), "{shown}");
    assert!(
        shown.contains("option name Evaluator type combo default net "),
        "{shown}"
    );
}

#[test]
fn a_net_that_cannot_be_used_is_refused_with_its_place() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let refused = |net: &str, game: &str| {
        let text = config(net).replace("\"chess\"", &format!("\"{game}\""));
        fs::write(path("c.toml"), text).unwrap();
        let out = path("out").display().to_string();
        complaint(&["run", &path("c.toml").display().to_string(), "--out", &out])
    };
    let missing = refused("none.safetensors", "chess");
    assert!(
        missing.contains("c.toml:8") && missing.contains("cannot be read"),
        "{missing}"
    );
    fs::write(
        path("text.safetensors"),
        "these are not numbers, but a text\n",
    )
    .unwrap();
    let foreign = refused("text.safetensors", "chess");
    assert!(foreign.contains("text.safetensors: damaged"), "{foreign}");
    let bare = refused("net", "chess");
    assert!(bare.contains("evaluator = \"FILE.safetensors\""), "{bare}");
    fs::copy(BULLET, path("chess.bin")).unwrap();
    let other = refused("chess.bin", "english");
    assert!(
        other.contains("a net for chess, not for english"),
        "{other}"
    );
    fs::write(path("short.bin"), [0; 100]).unwrap();
    let short = refused("short.bin", "chess");
    assert!(short.contains("100 bytes"), "{short}");
}

const TRAIN: &str = r#"
game = "connect-four"
[match]
pairs = 20
[openings]
plies = 4
[tune]
method = "train"
teacher = "lines"
variations = 3
hidden = 16
buckets = 2
epochs = 30
batch_size = 64
validate_pairs = 2
[[player]]
name = "lines"
evaluator = "lines"
depth = 1
"#;

#[test]
fn a_killed_training_ends_with_the_same_net_and_its_match_is_played() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("t.toml"), TRAIN).unwrap();
    let tune = |out: &str, threads: &str| {
        [
            "tune",
            &path("t.toml"),
            "--out",
            &path(out),
            "--quiet",
            "--threads",
            threads,
        ]
        .map(str::to_string)
    };
    let args = tune("whole", "1");
    let shown = stdout(&args.each_ref().map(String::as_str));
    assert!(shown.contains("loss is not strength"), "{shown}");
    assert!(shown.contains("against start at depth 1"), "{shown}");
    let args = tune("killed", "2");
    let args = args.each_ref().map(String::as_str);
    let mut child = sparring(&args).spawn().unwrap();
    let log = Path::new(&path("killed")).join("trajectory.csv");
    let logged = || crate::common::line_count(&log) >= 3;
    crate::common::wait_until("two steps are logged", Some(&mut child), logged);
    child.kill().unwrap();
    child.wait().unwrap();
    stdout(&args);
    let net = kept_nets(Path::new(&path("whole")));
    for file in [
        "trajectory.csv",
        "weights.toml",
        "checkpoint.safetensors",
        &net,
    ] {
        let read = |run: &str| fs::read(Path::new(&path(run)).join(file)).unwrap();
        assert!(read("whole") == read("killed"), "{file} differs");
    }
    // The weights file stands for the net, and names it.
    let weights = path("whole") + "/weights.toml";
    let start = "7/7/7/7/7/7 w";
    let by_weights = stdout(&[
        "eval",
        "--game",
        "connect-four",
        "--evaluator",
        &weights,
        start,
    ]);
    let net = path("whole") + "/" + &net;
    let by_net = stdout(&["eval", "--game", "connect-four", "--evaluator", &net, start]);
    assert_eq!(by_weights, by_net);
    let applied = path("mine.safetensors");
    stdout(&["apply", &path("whole"), "--to", &applied, "--force"]);
    assert_eq!(fs::read(&applied).unwrap(), fs::read(&net).unwrap());
    complaint(&[
        "apply",
        &path("whole"),
        "--to",
        &path("mine.toml"),
        "--force",
    ]);
}

/// The net that a training wrote; the checkpoint is no net.
fn kept_nets(run: &Path) -> String {
    let text = text(&run.join("weights.toml"));
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("evaluator = \""));
    line.unwrap().trim_end_matches('"').to_string()
}

#[test]
fn a_training_that_cannot_be_is_refused_with_its_place() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("t.toml");
    let refused = |from: &str, to: &str| {
        fs::write(&config, TRAIN.replace(from, to)).unwrap();
        complaint(&["tune", &config.display().to_string(), "--quiet"])
    };
    let odd = refused("hidden = 16", "hidden = 40");
    assert!(
        odd.contains("t.toml:11") && odd.contains("a multiple of 16"),
        "{odd}"
    );
    let unknown = refused("teacher = \"lines\"", "teacher = \"missing\"");
    assert!(
        unknown.contains("t.toml:9") && unknown.contains("missing"),
        "{unknown}"
    );
}

const PATTERNS: &str = r#"game = "connect-four"
name = "patterns"
seed = 5
[match]
pairs = 40
[openings]
plies = 4
[tune]
method = "train"
patterns = "p.txt"
epochs = 6
score_share = 0.5
quiet = "off"
validate_pairs = 2
[[player]]
name = "lines"
evaluator = "lines"
depth = 2
[[player]]
name = "deeper"
evaluator = "lines"
depth = 3
"#;

const COLUMNS: &str = "game connect-four\na: a1 a2 a3 a4\nfloor: a1 b1 c1 d1 e1\n";

#[test]
fn trained_patterns_play_explain_and_are_kept_with_the_runs_that_used_them() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("t.toml"), PATTERNS).unwrap();
    fs::write(path("p.txt"), COLUMNS).unwrap();
    for (out, threads) in [("one", "1"), ("two", "2")] {
        let args = ["--out", &path(out), "--threads", threads, "--quiet"];
        let shown = stdout(&[&["tune", &path("t.toml")], &args[..]].concat());
        assert!(shown.contains("patterns: "), "{shown}");
    }
    let file = kept_nets(Path::new(&path("one")));
    assert!(file.starts_with("patterns-"), "{file}");
    let read = |run: &str, file: &str| fs::read(Path::new(&path(run)).join(file)).unwrap();
    assert!(read("one", &file) == read("two", &file));
    // A second training starts from the file, and learns from the games of the first.
    let mine = path("mine.safetensors");
    stdout(&["apply", &path("one"), "--to", &mine, "--force"]);
    let start = "7/7/7/7/3b3/3w3 w";
    let game = ["--game", "connect-four", "--evaluator", &mine, start];
    let shown = stdout(&[&["eval"], &game[..]].concat());
    for word in ["floor", "disc", "tempo", "score "] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let json = stdout(&[&["eval", "--json"], &game[..]].concat());
    let line: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = line["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["disc", "tempo", "a", "floor"]);
    let run = path("match");
    let players = [mine.as_str(), "lines:depth=2"];
    let args = [
        "--game",
        "connect-four",
        "--depth",
        "2",
        "--pairs",
        "2",
        "--out",
        &run,
        "--quiet",
    ];
    stdout(&[&["match"], &players[..], &args[..]].concat());
    assert_eq!(read("match", &file), fs::read(&mine).unwrap());
    stdout(&["check", &run]);
}

#[test]
fn patterns_that_cannot_be_trained_are_refused_with_their_place() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("t.toml");
    fs::write(&config, PATTERNS).unwrap();
    let refused = |text: &str| {
        fs::write(folder.path().join("p.txt"), text).unwrap();
        complaint(&["tune", &config.display().to_string(), "--quiet"])
    };
    let square = refused("game connect-four\n\na: a1 a9\n");
    assert!(
        square.contains("p.txt:3: square `a9`: not on the board"),
        "{square}"
    );
    let game = refused("game othello\na: a1\n");
    assert!(
        game.contains("t.toml:10") && game.contains("patterns for othello, not for connect-four"),
        "{game}"
    );
    fs::remove_file(folder.path().join("p.txt")).unwrap();
    let missing = complaint(&["tune", &config.display().to_string(), "--quiet"]);
    assert!(
        missing.contains("t.toml:10") && missing.contains("p.txt"),
        "{missing}"
    );
}

const LEARN: &str = r#"game = "connect-four"
name = "learn"
seed = 3
[match]
pairs = 40
[openings]
plies = 4
reject = 0
[sprt]
elo0 = -200
elo1 = -50
[tune]
method = "train"
patterns = "p.txt"
epochs = 12
quiet = "off"
scale = 100
validate_pairs = 30
[learn]
generations = 3
window = 2
anchor = "columns"
measure_pairs = 4
[[player]]
name = "learner"
evaluator = "random"
depth = 1
[[player]]
name = "learner at depth 2"
evaluator = "random"
depth = 2
"#;

#[test]
fn generations_learn_from_each_other_and_a_killed_run_ends_with_the_same_bytes() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("l.toml"), LEARN).unwrap();
    fs::write(path("p.txt"), COLUMNS).unwrap();
    let learn = |out: &str, more: &[&str]| {
        let mut args = vec!["learn".to_string(), path("l.toml"), "--quiet".to_string()];
        args.extend(["--out".to_string(), path(out)]);
        args.extend(more.iter().map(ToString::to_string));
        args
    };
    let finish = |out: &str, more: &[&str]| {
        let args = learn(out, more);
        stdout(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let shown = finish("whole", &["--threads", "1"]);
    assert!(shown.contains("generation 3: "), "{shown}");
    assert!(shown.contains("Elo"), "no generation was kept: {shown}");
    // Extended in two sittings, one of them killed.
    finish("parts", &["--generations", "1"]);
    let args = learn("parts", &["--threads", "2"]);
    let mut child = sparring(&args.iter().map(String::as_str).collect::<Vec<_>>())
        .spawn()
        .unwrap();
    let log = Path::new(&path("parts")).join("generation-002/trajectory.csv");
    let begun = || crate::common::line_count(&log) >= 2;
    crate::common::wait_until("generation 2 trains", Some(&mut child), begun);
    child.kill().unwrap();
    child.wait().unwrap();
    finish("parts", &["--threads", "2"]);
    let kept = |run: &str, file: &str| fs::read(Path::new(&path(run)).join(file)).unwrap();
    for file in [
        "trajectory.csv",
        "generations.svg",
        "generation-002/games/games.csv",
        "generation-003/trajectory.csv",
    ] {
        assert!(kept("whole", file) == kept("parts", file), "{file} differs");
    }
    // The third generation also trained on the games of the second.
    let third = text(&Path::new(&path("whole")).join("generation-003/config.toml"));
    assert!(third.contains("generation-002/games/games.csv"), "{third}");
    assert!(!third.contains("generation-001/games/games.csv"), "{third}");
    let refused = complaint(&[
        "tune",
        &path("l.toml"),
        "--set",
        "learn.window=0",
        "--quiet",
    ]);
    assert!(refused.contains("learn.window"), "{refused}");
    fs::write(
        path("l.toml"),
        LEARN.replace("[learn]", "[log]").replace(
            "generations = 3\nwindow = 2\nanchor = \"columns\"\nmeasure_pairs = 4\n",
            "",
        ),
    )
    .unwrap();
    let missing = complaint(&["learn", &path("l.toml"), "--quiet"]);
    assert!(missing.contains("no [learn]"), "{missing}");
}

#[test]
fn games_become_bulletformat_and_text_and_are_read_back() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = "game,pair,white,black,opening,result,moves,first_mover,scores\n\
        1,1,a,b,4k3/8/8/8/8/4P3/8/4K3 w - - 0 1,1-0,e3e4 e8d8 e4e5,white,+0.35 -1.20 +2.00\n";
    fs::write(path("games.csv"), games).unwrap();
    let data = |from: &str, to: &str| {
        let (from, to) = (path(from), path(to));
        let all = ["--quiet", "off", "--per-game", "0", "--validation", "0"];
        let args = [
            &[
                "data",
                from.as_str(),
                "--game",
                "chess",
                "--out",
                to.as_str(),
            ],
            &all[..],
        ];
        stdout(&args.concat());
        fs::read(to).unwrap()
    };
    let lines = String::from_utf8(data("games.csv", "a.txt")).unwrap();
    let expected = [
        "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1 | 35 | 1.0",
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1 | 120 | 1.0",
        "3k4/8/8/8/4P3/8/8/4K3 w - - 1 2 | 200 | 1.0",
        "3k4/8/8/4P3/8/8/8/4K3 b - - 0 2 |  | 1.0",
    ];
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    let records = data("games.csv", "a.bullet");
    assert_eq!(records.len(), 4 * 32);
    // Text and records say the same, and records survive a second trip.
    assert_eq!(data("a.txt", "b.bullet"), records);
    assert_eq!(data("a.bullet", "c.bullet"), records);
    let scores: Vec<i16> = records
        .chunks(32)
        .map(|it| i16::from_le_bytes([it[24], it[25]]))
        .collect();
    assert_eq!(scores, [35, -120, 200, 0]);
    fs::write(path("short.bullet"), &records[..40]).unwrap();
    let out = path("x.csv");
    let short = complaint(&[
        "data",
        &path("short.bullet"),
        "--game",
        "chess",
        "--out",
        &out,
    ]);
    assert!(
        short.contains("40 bytes: not a whole number of records"),
        "{short}"
    );
    let draughts = complaint(&[
        "data",
        &path("a.bullet"),
        "--game",
        "english",
        "--out",
        &out,
    ]);
    assert!(
        draughts.contains("positions of chess, not of english"),
        "{draughts}"
    );
}
