//! `sparring tune`, `data` and `apply` from the command line.

use std::fs;
use std::path::Path;

use crate::common::{complaint, line_count, output, sparring, stdout, text, wait_until};

const SPSA: &str = r#"
game = "checkers"
[openings]
plies = 4
[tune]
method = "spsa"
budget = 320
batch = 4
validate_pairs = 4
parameters = ["man", { name = "king", range = [1, 9] }, { name = "move", step = 0.5 }]
[[player]]
name = "basic"
evaluator = "basic"
depth = 1
"#;

const FIT: &str = r#"
game = "chess"
[match]
pairs = 12
[openings]
plies = 6
[tune]
method = "fit"
parameters = ["group:material", { name = "pawn_table", tie = true }]
validate = false
[[player]]
name = "one"
evaluator = "simplified"
depth = 1
[[player]]
name = "two"
evaluator = "simplified"
depth = 1
search = { blunder_rate = 20 }
"#;

/// A scratch folder with a config: the folder, the config's path and the run's path.
fn prepared(config: &str) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("tune.toml");
    fs::write(&path, config).expect("written");
    let run = folder.path().join("run").display().to_string();
    let path = path.display().to_string();
    (folder, path, run)
}

#[test]
fn a_killed_run_ends_with_the_same_trajectory_and_weights() {
    let (_folder, config, whole) = prepared(SPSA);
    let printed = stdout(&["tune", &config, "--out", &whole, "--quiet"]);
    assert!(printed.ends_with(&format!("run: {whole}\n")), "{printed}");
    assert!(printed.contains("weights.king"), "{printed}");
    let killed = format!("{whole}-killed");
    let log = Path::new(&killed).join("trajectory.csv");
    let mut child = sparring(&[
        "tune",
        &config,
        "--out",
        &killed,
        "--quiet",
        "--threads",
        "1",
    ])
    .spawn()
    .expect("started");
    let logged = || line_count(&log) >= 4;
    wait_until("three iterations are logged", Some(&mut child), logged);
    child.kill().expect("killed");
    child.wait().expect("ended");
    // An incomplete row, as after a power failure.
    let mut torn = fs::read(&log).expect("a log");
    torn.extend(b"9999,12");
    fs::write(&log, torn).expect("written");
    stdout(&[
        "tune",
        &config,
        "--out",
        &killed,
        "--quiet",
        "--threads",
        "3",
    ]);
    for file in [
        "trajectory.csv",
        "weights.toml",
        "parameters.csv",
        "config.toml",
    ] {
        let read = |run: &str| text(&Path::new(run).join(file));
        assert_eq!(read(&whole), read(&killed), "{file}");
    }
    assert!(Path::new(&whole).join("trajectory.svg").exists());
}

#[test]
fn a_finished_run_can_be_extended() {
    let (_folder, config, run) = prepared(SPSA);
    let log = Path::new(&run).join("trajectory.csv");
    let quick = ["--quiet", "--set", "tune.validate=false"];
    stdout(&[&["tune", &config, "--out", &run], &quick[..]].concat());
    let before = text(&log);
    stdout(
        &[
            &["tune", &config, "--out", &run, "--budget", "400"],
            &quick[..],
        ]
        .concat(),
    );
    let after = text(&log);
    assert!(after.starts_with(&before) && after.len() > before.len());
}

#[test]
fn a_finished_run_can_be_validated_later_and_in_other_ways() {
    let (_folder, config, run) = prepared(SPSA);
    let tune = |set: &[&str]| output(&[&["tune", &config, "--out", &run, "--quiet"], set].concat());
    let weights = || text(&Path::new(&run).join("weights.toml"));
    let log = || text(&Path::new(&run).join("trajectory.csv"));
    assert!(tune(&["--set", "tune.validate=false"]).status.success());
    let (before, unproven) = (log(), weights());
    assert!(unproven.contains("# Not validated"), "{unproven}");
    assert!(tune(&[]).status.success());
    let few = weights();
    assert!(few.contains("4 pairs"), "{few}");
    let more = [
        "--set",
        "tune.validate_pairs=6",
        "--set",
        "sprt.elo1=50",
        "--set",
        "tune.opponents=[\"start\"]",
    ];
    assert!(tune(&more).status.success());
    assert!(weights().contains("6 pairs"), "{}", weights());
    // More pairs alone bring other openings: another try, and all tries are listed.
    let more = [&more[2..], &["--set", "tune.validate_pairs=7"]].concat();
    assert!(tune(&more).status.success());
    for part in ["7 pairs", "earlier try, validation-start.1: ", "start.2: "] {
        assert!(weights().contains(part), "{part}: {}", weights());
    }
    // The page says first what the matches have shown, and leads to them.
    let page = text(&Path::new(&run).join("report.html"));
    let verdict = page.find("id=\"verdict\"").expect("a verdict");
    assert!(verdict < page.find("<figure").expect("a chart"), "{page}");
    let rows = text(&Path::new(&run).join("validation.csv"));
    for line in rows.lines().skip(1) {
        let match_page = format!("{}/report.html", line.split(',').nth(2).expect("a folder"));
        assert!(page.contains(&format!("<a href=\"{match_page}\">against start")));
        assert!(Path::new(&run).join(match_page).exists());
    }
    assert_eq!(rows.lines().count(), 3, "{rows}");
    assert_eq!(log(), before);
    // Changes to the tuning itself are still refused, by name.
    let batch = ["tune", &config, "--out", &run, "--set", "tune.batch=8"];
    assert!(complaint(&batch).contains("batch = 8"));
}

#[test]
fn unproven_weights_are_only_applied_by_force() {
    let (folder, config, run) = prepared(SPSA);
    stdout(&[
        "tune",
        &config,
        "--out",
        &run,
        "--quiet",
        "--set",
        "tune.validate=false",
    ]);
    let weights = text(&Path::new(&run).join("weights.toml"));
    assert!(weights.contains("# Not validated"), "{weights}");
    let to = folder.path().join("mine.toml").display().to_string();
    let refused = output(&["apply", &run, "--to", &to]);
    assert_eq!(refused.status.code(), Some(1));
    stdout(&["apply", &run, "--to", &to, "--force"]);
    assert_eq!(text(Path::new(&to)), weights);
    let proven = weights.replace("proven = false", "proven = true");
    let edited = folder.path().join("edited.toml").display().to_string();
    fs::write(&edited, &proven).expect("written");
    stdout(&["apply", &edited, "--to", &to]);
    fs::write(Path::new(&run).join("weights.toml"), proven).expect("written");
    let damaged = complaint(&["apply", &run, "--to", &to]);
    assert!(
        damaged.contains("weights.toml: does not match its checksum"),
        "{damaged}"
    );
    // They are ordinary weights.
    stdout(&[
        "eval",
        "--game",
        "checkers",
        "--evaluator",
        &to,
        "W:W21,22,K30:B1,2,K5",
    ]);
}

#[test]
fn a_fit_plays_its_games_and_writes_weights_with_errors() {
    let (_folder, config, run) = prepared(FIT);
    let printed = stdout(&["tune", &config, "--out", &run, "--quiet"]);
    assert!(printed.contains("weights.queen"), "{printed}");
    let parameters = text(&Path::new(&run).join("parameters.csv"));
    let tied = parameters.lines().last().expect("a row");
    assert!(tied.starts_with("pawn_table,"), "{tied}");
    let weights = text(&Path::new(&run).join("weights.toml"));
    assert!(
        weights.contains("[weights]") && weights.contains("king_table = ["),
        "{weights}"
    );
    assert!(Path::new(&run).join("games/games.csv").exists());
    assert!(Path::new(&run).join("losses.png").exists());
}

#[test]
fn games_become_labelled_positions_that_a_fit_can_read() {
    let (folder, config, run) = prepared(FIT);
    stdout(&["tune", &config, "--out", &run, "--quiet"]);
    let games = Path::new(&run).join("games").display().to_string();
    for name in ["data.csv", "data.epd"] {
        let file = folder.path().join(name).display().to_string();
        let printed = stdout(&[
            "data",
            &games,
            "--out",
            &file,
            "--per-game",
            "8",
            "--balanced",
        ]);
        assert!(printed.starts_with(&format!("data: {file}")), "{printed}");
        let again = folder.path().join("again").display().to_string();
        let data = format!("tune.data={name}");
        let args = [
            "tune", &config, "--out", &again, "--quiet", "--fresh", "--set", &data,
        ];
        stdout(&args);
    }
    let csv = text(&folder.path().join("data.csv"));
    assert!(
        csv.starts_with("fen,result,game,split,score,opening\n"),
        "{csv}"
    );
    assert!(csv.contains(",train") && csv.contains(",validation"));
    let refused = complaint(&["data", &games, "--out", "data.docx"]);
    assert!(
        refused.contains(".csv, .epd, .fen, .txt or .bullet"),
        "{refused}"
    );
}

#[test]
fn bad_configs_and_bad_data_are_refused_with_a_remedy() {
    let (folder, config, run) = prepared(SPSA);
    let refused = |set: &str| complaint(&["tune", &config, "--out", &run, "--set", set]);
    for (set, expected) in [
        ("tune.method=spas", "did you mean `spsa`?"),
        ("tune.parameters=[\"mna\"]", "did you mean `weights.man`?"),
        (
            "tune.freeze=[\"group:materiel\"]",
            "did you mean `group:material`?",
        ),
        (
            "tune.freeze=[\"weights.*\"]",
            "at least one name that is not frozen",
        ),
        (
            "tune.parameters=[{ name = \"man\", range = [0, 1] }]",
            "start 2: must lie between",
        ),
        (
            "tune.parameters=[{ name = \"man\", rnage = [0, 9] }]",
            "did you mean `range`?",
        ),
        ("tune.player=missing", "expected one of basic"),
        ("tune.c_end=2", "0.000001 to 1"),
    ] {
        let message = refused(set);
        assert!(message.contains(expected), "{set}: {message}");
    }
    let fen = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1";
    let (fit_folder, fit, fit_run) = prepared(FIT);
    for (name, data, expected) in [
        ("empty.epd", String::new(), "the file is empty"),
        ("plain.epd", format!("{fen}\n"), "no label"),
        ("nan.txt", format!("{fen} [NaN]\n"), "label `NaN`"),
        ("other.txt", "W:W21:B1 [1.0]\n".to_string(), "line 1"),
        ("alike.txt", format!("{fen} [1.0]\n"), "labels are 1"),
    ] {
        fs::write(fit_folder.path().join(name), data).expect("written");
        let set = format!("tune.data={name}");
        let message = complaint(&["tune", &fit, "--out", &fit_run, "--set", &set]);
        assert!(message.contains(expected), "{name}: {message}");
    }
    let message = complaint(&[
        "tune",
        &fit,
        "--out",
        &fit_run,
        "--set",
        "tune.parameters=[\"mate\"]",
        "--quiet",
    ]);
    assert!(message.contains("use spsa"), "{message}");
    let no_tune = folder.path().join("none.toml");
    fs::write(
        &no_tune,
        "game = \"chess\"\n[[player]]\nname = \"a\"\nevaluator = \"material\"\n",
    )
    .expect("written");
    let message = complaint(&["tune", &no_tune.display().to_string()]);
    assert!(message.contains("no [tune]"), "{message}");
}

#[test]
fn a_budget_that_cannot_cross_the_ranges_is_named() {
    let (_folder, config, run) = prepared(SPSA);
    let tune = |set: &[&str]| {
        let quick = ["tune", &config, "--quiet", "--out", &run, "--fresh"];
        let validate = ["--set", "tune.validate=false"];
        output(&[&quick[..], &validate[..], set].concat())
    };
    let said = |set: &[&str]| String::from_utf8_lossy(&tune(set).stderr).into_owned();
    let short = said(&[]);
    assert!(
        short.contains("warning: 320 games cannot cross the range"),
        "{short}"
    );
    assert!(
        short.contains("raise tune.budget, or narrow the ranges"),
        "{short}"
    );
    let enough = said(&["--set", "tune.r_end=0.5"]);
    assert!(!enough.contains("cannot cross"), "{enough}");
}
