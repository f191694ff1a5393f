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
