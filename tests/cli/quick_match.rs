//! `sparring match`: the same run as that of a config, without one.

use crate::common::{complaint, stdout, text};
use tempfile::tempdir;

#[test]
fn a_match_writes_the_config_it_stands_for_and_that_config_gives_the_same_games() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (first, again) = (path("first"), path("again"));
    let args = [
        "match",
        "four-factor:weights.mobility=3,name=mine",
        "material:depth=1",
        "--depth",
        "2",
    ];
    let rest = ["--pairs", "3", "--seed", "5", "--quiet", "--out", &first];
    let printed = stdout(&[&args[..], &rest[..]].concat());
    assert!(
        printed.contains("mine") && printed.ends_with(&format!("run: {first}\n")),
        "{printed}"
    );
    let config = format!("{first}/config.toml");
    stdout(&["run", &config, "--quiet", "--out", &again]);
    for file in ["games.csv", "games.pgn", "standings.csv"] {
        let both = [&first, &again].map(|out| text(&std::path::Path::new(out).join(file)));
        assert!(both[0] == both[1], "{file} differs");
    }
    // The same command again finds its games.
    stdout(&[&args[..], &rest[..]].concat());
}

#[test]
fn errors_of_a_match_name_the_word_on_the_command_line() {
    let refused = |args: &[&str]| complaint(&[&["match"], args].concat());
    let message = refused(&["four-factor:dept=3", "material"]);
    assert!(
        message.contains("four-factor:dept=3: ") && message.contains("did you mean `depth`"),
        "{message}"
    );
    let message = refused(&["materiel", "material"]);
    assert!(message.contains("did you mean `material`"), "{message}");
    let message = refused(&["basic", "material", "--sprt", "5"]);
    assert!(
        message.contains("--sprt 5: expected two numbers"),
        "{message}"
    );
    let message = refused(&["four-factor", "material", "--depth", "999"]);
    assert!(message.contains("--depth"), "{message}");
    let message = refused(&["four-factor", "material", "--openings", "nowhere.epd"]);
    assert!(message.contains("nowhere.epd"), "{message}");
}
