//! UCI options of a program as the parameters of a tuner. The program is our own engine, which
//! offers its weights on request.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{complaint, output};
use tempfile::tempdir;

fn config(parameters: &str) -> String {
    format!(
        r#"name = "engine"
game = "chess"
[openings]
plies = 4
[[player]]
name = "theirs"
engine = "./engine"
depth = 1
options = {{ "weights.queen" = 10 }}
[tune]
method = "sweep"
parameters = [{parameters}]
points = 3
pairs = 1
budget = 12
validate_pairs = 1
"#
    )
}

#[test]
fn options_of_an_engine_are_tuned_and_written_as_options() {
    let folder = tempdir().unwrap();
    let engine = folder.path().join("engine");
    let ours = env!("CARGO_BIN_EXE_sparring");
    let script =
        format!("#!/bin/sh\nexec {ours} uci --tunable --evaluator material --profile alpha-beta\n");
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().join("tune.toml");
    let out = folder.path().join("out");
    let (config_text, out_text) = (path.to_string_lossy(), out.to_string_lossy());
    let args = ["tune", &*config_text, "--out", &*out_text, "--threads", "2"];

    fs::write(&path, config("\"options.weights.quen\"")).unwrap();
    let message = complaint(&args);
    assert!(
        message.contains("did you mean `options.weights.queen`?"),
        "{message}"
    );

    let range = r#"{ name = "options.weights.queen", range = [10, 1300] }"#;
    fs::write(&path, config(range)).unwrap();
    let done = output(&args);
    let message = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{message}");
    let printed = String::from_utf8_lossy(&done.stdout);
    assert!(printed.contains("options.weights.queen"), "{printed}");
    let found = fs::read_to_string(out.join("weights.toml")).unwrap();
    assert!(found.contains("[options]\n\"weights.queen\" = "), "{found}");
    // The validation was played by the engine with the new value against the one with the old.
    let validation = fs::read_to_string(out.join("validation-start.toml"));
    if let Ok(text) = validation {
        assert!(
            text.contains("options = { \"weights.queen\" = \"10\" }"),
            "{text}"
        );
    } else {
        assert!(
            message.contains("the tuned numbers equal the start"),
            "{message}"
        );
    }
}

#[test]
fn an_engine_lives_through_the_steps_of_a_tuner_and_is_told_new_options() {
    let folder = tempdir().unwrap();
    let engine = folder.path().join("engine");
    let ours = env!("CARGO_BIN_EXE_sparring");
    let heard = folder.path().join("heard");
    fs::create_dir(&heard).unwrap();
    let script = format!(
        "#!/bin/sh\ntee \"{}/$$\" | {ours} uci --tunable --evaluator material --profile alpha-beta\n",
        heard.display()
    );
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().join("tune.toml");
    let range = r#"{ name = "options.weights.queen", range = [10, 1300] }"#;
    let text = config(range)
        .replace("method = \"sweep\"", "method = \"spsa\"\nvalidate = false")
        .replace("points = 3\n", "");
    fs::write(&path, text).unwrap();
    let (config_text, out) = (path.to_string_lossy(), folder.path().join("out"));
    let out = out.to_string_lossy();
    let done = output(&["tune", &*config_text, "--out", &*out, "--threads", "1"]);
    let message = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{message}");
    let programs = fs::read_dir(&heard).unwrap();
    let heard: Vec<String> = programs
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    // One program for each side, with the values of every step.
    assert_eq!(heard.len(), 2);
    for lines in &heard {
        let is_value = |line: &&str| line.starts_with("setoption name weights.queen value ");
        let mut values: Vec<&str> = lines.lines().filter(is_value).collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 2, "{values:?}");
    }
}
