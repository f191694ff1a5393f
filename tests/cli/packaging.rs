//! Completions, manual pages, and the version.

use crate::common::{complaint, stdout};
use tempfile::tempdir;

#[test]
fn every_shell_has_a_script_that_names_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&["completions", shell]);
        for word in ["run", "match", "tune", "hub", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn there_is_a_page_for_every_command() {
    let page = stdout(&["man"]);
    assert!(
        page.contains(".TH sparring 1") && page.contains("SUBCOMMANDS"),
        "{page}"
    );
    let folder = tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    stdout(&["man", "--out", out]);
    for name in ["sparring.1", "sparring-run.1", "sparring-hub.1"] {
        let page = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(page.contains(".TH"), "{name}");
    }
    let nowhere = folder.path().join("none/where");
    let refused = complaint(&["man", "--out", nowhere.to_str().unwrap()]);
    assert!(refused.contains("none/where"), "{refused}");
}

#[test]
fn the_version_names_the_system_it_was_built_for() {
    let text = stdout(&["--version"]);
    let expected = format!("sparring {} (", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&expected), "{text}");
    let system = format!("{}-{})\n", std::env::consts::ARCH, std::env::consts::OS);
    assert!(text.ends_with(&system), "{text}");
}
