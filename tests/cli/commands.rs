//! The commands as a user types them: last lines for scripts, and helpful errors.

use std::fs;

use crate::common::{Watched, complaint, output, sparring, stdout};
use tempfile::tempdir;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or("")
}

/// Runs a config that must be refused, and returns the error.
fn refused(config: &str) -> String {
    let folder = tempdir().unwrap();
    let path = folder.path().join("experiment.toml");
    fs::write(&path, config).unwrap();
    let out = folder.path().join("out");
    let message = complaint(&[
        "run",
        &path.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
    ]);
    assert!(!out.exists(), "a refused config leaves nothing behind");
    message
}

/// A valid config, as lines: line 7 is the first player's depth.
const SOUND: &str = r#"game = "chess"
[match]
pairs = 1
[[player]]
name = "a"
evaluator = "material"
depth = 1
[[player]]
name = "b"
evaluator = "random"
depth = 1
"#;

fn with(from: &str, to: &str) -> String {
    assert!(SOUND.contains(from));
    SOUND.replacen(from, to, 1)
}

#[test]
fn perft_prints_the_published_counts() {
    let nodes = |args: &[&str]| stdout(args);
    assert_eq!(
        nodes(&["perft", "--game", "chess", "--depth", "4"]),
        "nodes 197281\n"
    );
    assert_eq!(
        nodes(&["perft", "--game", "checkers", "--depth", "6"]),
        "nodes 190647\n"
    );
    let divided = stdout(&["perft", "--game", "chess", "--depth", "3", "--divide"]);
    assert_eq!(divided.lines().count(), 21);
    assert!(divided.contains("e2e4 600\n"));
    assert_eq!(last_line(&divided), "nodes 8902");
}

#[test]
fn eval_ends_with_the_score_and_names_every_term() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = stdout(&["eval", "--game", "chess", "--evaluator", "material", fen]);
    assert_eq!(last_line(&text), "score 100");
    for term in ["pawn", "knight", "bishop", "rook", "queen"] {
        assert!(
            text.lines().any(|line| line.starts_with(term)),
            "{term} is missing in {text}"
        );
    }
}

#[test]
fn eval_as_json_has_the_promised_fields() {
    let text = stdout(&[
        "eval",
        "--game",
        "checkers",
        "--evaluator",
        "basic",
        "--json",
        "W:W21,22,K30:B1,2,K5",
    ]);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["unit"], "points");
    assert!(object["score"].is_number() && object["fen"].is_string());
    let terms = object["terms"].as_array().unwrap();
    let number = |term: &serde_json::Value, key: &str| term[key].as_f64().unwrap();
    let sum: f64 = terms.iter().map(|term| number(term, "value")).sum();
    assert!((sum - object["score"].as_f64().unwrap()).abs() < 1e-9);
    for term in terms {
        assert!(
            (number(term, "white") - number(term, "black") - number(term, "value")).abs() < 1e-9
        );
    }
}

#[test]
fn search_ends_with_move_score_and_nodes() {
    // Mate in one: only a1a8 mates.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let text = stdout(&[
        "search",
        "--game",
        "chess",
        "--evaluator",
        "material",
        "--depth",
        "2",
        fen,
    ]);
    let last = last_line(&text);
    assert!(
        last.starts_with("bestmove a1a8 score mate 1 nodes "),
        "{last}"
    );
}

#[test]
fn new_prints_a_config_that_runs() {
    let folder = tempdir().unwrap();
    for game in ["chess", "checkers", "chess960", "english"] {
        let config = folder.path().join(format!("{game}.toml"));
        fs::write(&config, stdout(&["new", "--game", game])).unwrap();
        let out = folder.path().join(game);
        let text = stdout(&[
            "run",
            &config.to_string_lossy(),
            "--out",
            &out.to_string_lossy(),
            "--pairs",
            "1",
            "--set",
            "player.*.depth=1",
        ]);
        assert_eq!(last_line(&text), format!("run: {}", out.display()));
    }
}

#[test]
fn list_shows_what_configs_can_name() {
    let text = stdout(&["list"]);
    for name in [
        "chess",
        "checkers",
        "simplified",
        "basic",
        "random",
        "quiescence",
        "results",
    ] {
        assert!(text.contains(name), "{name} is missing");
    }
    assert!(stdout(&["list", "terms", "--game", "checkers"]).contains("king"));
    let keys = stdout(&["list", "keys"]);
    for (key, value) in [
        ("match.pairs", "1 to 1000000000"),
        ("sprt.model", "normalized | logistic"),
    ] {
        let row = keys.lines().find(|line| line.starts_with(key)).expect(key);
        assert!(row.contains(value), "{row}");
    }
}

#[test]
fn report_redraws_the_same_charts_from_the_files() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, SOUND).unwrap();
    let out = folder.path().join("run");
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--set",
        "name=run",
    ]);
    let drawn = fs::read(out.join("results.svg")).unwrap();
    fs::remove_file(out.join("results.svg")).unwrap();
    let text = stdout(&["report", &out.to_string_lossy()]);
    assert!(last_line(&text).starts_with("report: "));
    assert!(drawn == fs::read(out.join("results.svg")).unwrap());
}

#[test]
fn overrides_reach_match_openings_and_players() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, SOUND).unwrap();
    let out = folder.path().join("run");
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--pairs",
        "2",
        "--seed",
        "9",
        "--set",
        "openings.plies=4",
        "--set",
        "player.a.depth=2",
        "--set",
        "player.a.weights.pawn=90",
    ]);
    let resolved = crate::common::text(&out.join("config.toml"));
    for line in [
        "pairs = 2",
        "seed = 9",
        "plies = 4",
        "depth = 2",
        "weights = { pawn = 90 }",
    ] {
        assert!(resolved.contains(line), "{line} is missing in {resolved}");
    }
}

#[test]
fn a_misspelt_key_is_named_with_its_line_and_a_suggestion() {
    let message = refused(&with("depth = 1", "dept = 1"));
    assert!(
        message.contains("experiment.toml:7: unknown key `dept`"),
        "{message}"
    );
    assert!(message.contains("did you mean `depth`?"), "{message}");
    let message = refused(&with("pairs = 1", "plies = 1"));
    assert!(
        message.contains(
            "experiment.toml:3: unknown key `plies` in [match]; it belongs in [openings]"
        ),
        "{message}"
    );
}

#[test]
fn a_negative_depth_is_named_with_its_line_value_and_range() {
    let message = refused(&with("depth = 1", "depth = -1"));
    assert!(
        message.contains("experiment.toml:7: depth = -1: expected 1 to"),
        "{message}"
    );
    let message = refused(&with("depth = 1", "depth = \"deep\""));
    assert!(
        message.contains("experiment.toml:7: depth = \"deep\": expected a whole number"),
        "{message}"
    );
}

#[test]
fn an_unknown_evaluator_gets_a_suggestion() {
    let message = refused(&with("\"material\"", "\"materal\""));
    assert!(
        message
            .contains("experiment.toml:6: unknown evaluator `materal`; did you mean `material`?"),
        "{message}"
    );
    let message = complaint(&["eval", "--game", "chess", "--evaluator", "simplifed", START]);
    assert!(message.contains("did you mean `simplified`?"), "{message}");
}

#[test]
fn a_star_matches_many_weights_and_later_ones_override_it() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let config = folder.path().join("experiment.toml");
    let out = folder.path().join("run");
    let text = with(
        "depth = 1",
        "depth = 1\nweights = { \"*\" = 7, \"*k\" = 8, pawn = 9 }",
    );
    std::fs::write(&config, text).expect("written");
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
    ]);
    let resolved = crate::common::text(&out.join("config.toml"));
    let expected = "weights = { pawn = 9, knight = 7, bishop = 7, rook = 8, queen = 7 }";
    assert!(resolved.contains(expected), "{resolved}");
    let message = refused(&with("depth = 1", "weights = { \"x*\" = 300 }"));
    assert!(
        message.contains("experiment.toml:7: unknown weight `x*`"),
        "{message}"
    );
}

#[test]
fn an_unknown_weight_gets_a_suggestion_or_its_home() {
    let message = refused(&with("depth = 1", "weights = { bishp = 300 }"));
    assert!(
        message.contains("experiment.toml:7: unknown weight `bishp`; did you mean `bishop`?"),
        "{message}"
    );
    let message = refused(&with("depth = 1", "weights = { king_table = 3 }"));
    assert!(
        message.contains("it belongs to the evaluator") && message.contains("`simplified`"),
        "{message}"
    );
    let message = refused(&with("depth = 1", "weights = { pawn = 1e9 }"));
    assert!(message.contains("must lie between 0 and 4000"), "{message}");
}

#[test]
fn an_evaluator_of_another_game_is_reported_as_such() {
    let message = refused(&with("\"material\"", "\"othello\""));
    assert!(
        message.contains("experiment.toml:6: evaluator `othello` belongs to othello, not to chess"),
        "{message}"
    );
}

#[test]
fn a_misspelt_command_gets_a_suggestion() {
    for (typed, meant) in [("rnu", "'run'"), ("reprot", "'report'")] {
        let message = complaint(&[typed]);
        assert!(
            message.contains("tip:") && message.contains(meant),
            "{message}"
        );
    }
}

#[test]
fn a_time_without_its_unit_or_out_of_range_is_shown_how_it_should_be() {
    let message = refused(&with("depth = 1", "movetime = 50"));
    assert!(
        message.contains("experiment.toml:7: movetime = 50: expected a time such as \"50ms\""),
        "{message}"
    );
    let message = refused(&with("depth = 1", "movetime = \"2h\""));
    assert!(message.contains("expected a time such as"), "{message}");
    let message = refused(&with("depth = 1", "movetime = \"5000s\""));
    assert!(
        message.contains("expected above 0, at most 3600s"),
        "{message}"
    );
}

#[test]
fn a_sweep_is_counted_before_it_is_built() {
    let axis = |key: &str| {
        let values: Vec<String> = (0..1000).map(|value| value.to_string()).collect();
        format!("\"weights.{key}\" = [{}]", values.join(", "))
    };
    let axes: Vec<String> = ["pawn", "knight", "bishop", "rook", "queen"]
        .map(axis)
        .into();
    let sweep = format!("depth = 1\nsweep = {{ {} }}", axes.join(", "));
    let message = refused(&with("depth = 1", &sweep));
    assert!(
        message.contains(
            "experiment.toml:8: sweep: 5 axes make 1000000000000000 players, at most 10000"
        ),
        "{message}"
    );
}

#[test]
fn a_message_about_defaults_names_the_section_that_has_them() {
    let swiss = with("pairs = 1", "format = \"swiss\"");
    let message = refused(&format!("{swiss}\n[sprt]\n"));
    assert!(
        message.contains("experiment.toml:13: [sprt] stops pairings that are decided"),
        "{message}"
    );
}

#[test]
fn numbers_beyond_what_toml_holds_are_refused_as_numbers() {
    let message = complaint(&[
        "run",
        "configs/quickstart.toml",
        "--seed",
        "9223372036854775808",
    ]);
    assert!(
        message.contains("not in 0..=9223372036854775807"),
        "{message}"
    );
    let message = complaint(&[
        "run",
        "configs/quickstart.toml",
        "--set",
        "seed=9223372036854775808",
    ]);
    assert!(
        message.contains(
            "--set seed=9223372036854775808: 9223372036854775808: the number is too large"
        ),
        "{message}"
    );
}

#[test]
fn a_config_whose_file_has_no_plain_name_must_name_its_run() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("...toml");
    fs::write(&path, SOUND).unwrap();
    let message = complaint(&["run", &path.to_string_lossy()]);
    assert!(message.contains("give the config a name"), "{message}");
}

#[test]
fn an_unreadable_file_is_named_with_the_reason() {
    let message = complaint(&["run", "configs/absent.toml"]);
    assert!(
        message.contains("configs/absent.toml: cannot be read"),
        "{message}"
    );
    for command in [
        &["report"][..],
        &["stats"],
        &["apply", "--to", "x.toml"],
        &["data", "--out", "x"],
    ] {
        let message = complaint(&[command, &["reports/absent"]].concat());
        assert!(
            message.contains("reports/absent: no such run directory or file"),
            "{message}"
        );
    }
    let message = refused(&with(
        "[match]",
        "[openings]\nsource = \"absent.epd\"\n[match]",
    ));
    assert!(
        message.contains("experiment.toml:3") && message.contains("absent.epd: cannot be read"),
        "{message}"
    );
}

#[test]
fn a_bad_fen_is_named_with_what_is_wrong() {
    let search =
        |fen: &str| complaint(&["search", "--game", "chess", "--evaluator", "material", fen]);
    assert!(
        search("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1")
            .contains("covers 7 squares")
    );
    assert!(search("8/8/8/8/8/8/8/8 w - - 0 1").contains("white has 0 kings, expected one"));
    assert!(search("k7/8/8/8/8/8/8/K7 x - - 0 1").contains("side to move is `x`"));
    assert!(search("").contains("has 0 fields"));
    let message = complaint(&[
        "eval",
        "--game",
        "checkers",
        "--evaluator",
        "basic",
        "W:W77:B1",
    ]);
    assert!(message.contains("77"), "{message}");
}

#[test]
fn broken_toml_and_wrong_shapes_are_named_with_their_line() {
    assert!(refused(&with("[match]", "[match")).contains("experiment.toml:2: not valid TOML"));
    assert!(refused(&with("[match]\n", "match = 3\n[matches]\n")).contains("experiment.toml:"));
    assert!(refused("game = \"chess\"\nplayer = 3\n").contains("[[player]]"));
    assert!(refused("game = \"ches\"\n").contains("did you mean `chess`?"));
    assert!(refused("seed = 1\n").contains("`game` is missing"));
    assert!(refused(&with("name = \"b\"", "name = \"a\"")).contains("two players have this name"));
    assert!(
        refused(&with("pairs = 1", "pairs = 99999999999999999999")).contains("experiment.toml:3")
    );
    assert!(refused(&with("[match]", "[sprt]\nelo0 = 5\nelo1 = 0\n[match]")).contains("[sprt]"));
}

#[test]
fn an_unwritable_directory_is_a_clear_error() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, SOUND).unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let out = file.join("run");
    let message = complaint(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
    ]);
    assert!(message.contains(&*out.to_string_lossy()), "{message}");
}

#[test]
fn a_row_that_is_no_game_is_named_with_its_line() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.csv");
    let header =
        "game,pair,white,black,opening,result,termination,plies,white_nodes,black_nodes,moves";
    let row = "1,1,a,b,x,1-0,checkmate,1,1,1,e2e4";
    fs::write(
        &path,
        format!("{header}\n{row}\n{}\n", row.replace("1-0", "2-0")),
    )
    .unwrap();
    let message = complaint(&["report", &path.to_string_lossy()]);
    assert!(
        message.contains("games.csv:3: result `2-0`: expected 1-0, 0-1 or 1/2-1/2"),
        "{message}"
    );
    fs::write(
        &path,
        format!("{header}\n{}\n", row.replace("1,1,a", "one,1,a")),
    )
    .unwrap();
    let message = complaint(&["report", &path.to_string_lossy()]);
    assert!(message.contains("games.csv:2: column `game`"), "{message}");
}

#[test]
fn interrupting_a_run_says_how_to_resume_and_exits_130() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("c.toml");
    fs::write(&config, with("depth = 1", "depth = 3")).unwrap();
    let out = folder.path().join("run");
    let mut run = Watched::start(&mut sparring(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--pairs",
        "100000",
    ]));
    assert!(run.sees_pairs(1), "there is something to resume");
    let output = run.interrupt();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(
        message.contains("run the same command again to resume"),
        "{message}"
    );
    for file in ["games.csv", "standings.csv", "pairings.csv", "results.svg"] {
        assert!(out.join(file).exists(), "{file} is missing");
    }
}

#[test]
fn help_and_version_are_there() {
    assert!(stdout(&["--version"]).starts_with("sparring "));
    for command in [
        "run", "report", "eval", "search", "perft", "bench", "list", "new", "openings", "stats",
        "plan",
    ] {
        assert!(
            stdout(&[command, "--help"]).contains("Usage: sparring "),
            "{command}"
        );
    }
    assert_eq!(output(&["run"]).status.code(), Some(2));
    assert_eq!(output(&["fly"]).status.code(), Some(2));
}
