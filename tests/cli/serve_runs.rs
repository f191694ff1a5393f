//! Runs on the page, without a browser: lists, starts, stops, resumes and compares them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{line_count, sparring, stdout, text, wait_until};
use crate::web::Served;

/// Two players of checkers; the number of pairs decides how long it takes.
fn config(name: &str, pairs: u32, depth: u32) -> String {
    let player = |name: &str, king: u32| {
        format!(
            "[[player]]\nname = \"{name}\"\nevaluator = \"basic\"\ndepth = {depth}\nweights = {{ king = {king}.5 }}\n"
        )
    };
    format!(
        "name = \"{name}\"\ngame = \"checkers\"\nseed = 11\n[match]\npairs = {pairs}\n[openings]\nplies = 6\n{}{}",
        player("one", 2),
        player("two", 3)
    )
}

/// The same of chess, which engines play.
fn chess(name: &str) -> String {
    config(name, 1, 1)
        .replace("checkers", "chess")
        .replace("basic", "material")
        .replace("king = ", "queen = ")
}

/// Every file of a run but times, with its bytes.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(run).expect("a run").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "timings.csv" && entry.path().is_file() {
            files.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
    files
}

fn assert_same_files(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &other {
        assert!(one[name] == *bytes, "{name} differs");
    }
}

fn play(server: &Served, name: &str, pairs: u32) {
    let path = server
        .folder
        .path()
        .join(format!("{}.toml", name.replace('/', "-")));
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let inner: String = name.chars().map(plain).collect();
    fs::write(&path, config(&inner, pairs, 1)).expect("written");
    let out = server.reports().join(name).to_string_lossy().into_owned();
    stdout(&["run", &path.to_string_lossy(), "--out", &out, "--quiet"]);
}

fn list(server: &Served) -> BTreeMap<String, Value> {
    let mut events = server.events("/api/runs/events");
    let (name, value) = events.next();
    assert_eq!((name.as_str(), &value["all"]), ("runs", &json!(true)));
    let runs = value["runs"].as_array().expect("a list").iter();
    runs.map(|run| (run["id"].as_str().unwrap_or("").to_string(), run.clone()))
        .collect()
}

#[test]
fn a_run_of_the_page_stopped_and_resumed_has_the_files_of_one_in_a_terminal() {
    let server = Served::start();
    let text = config("again", 500, 3);
    let asked = json!({ "text": text, "name": "page", "threads": 1 });
    let answer = server.post("/api/start", &asked);
    assert_eq!(
        (answer.status, &answer.json()["run"]),
        (200, &json!("page"))
    );
    // A second run of this name is refused, whether it has a directory yet or not.
    assert_eq!(server.post("/api/start", &asked).status, 409);
    let head = server.head_when("page", |head| head["games"].as_u64() >= Some(2));
    assert_eq!(
        (&head["state"], &head["canStop"]),
        (&json!("running"), &json!(true)),
        "{head}"
    );
    assert_eq!(server.post("/api/run/page/resume", &json!({})).status, 409);
    assert_eq!(server.post("/api/run/page/stop", &json!({})).status, 200);
    let head = server.head_when("page", |head| head["state"] != "running");
    assert_eq!(head["state"], "interrupted", "{head}");
    assert!(
        head["games"].as_u64() < Some(1000),
        "it ended before it was stopped: {head}"
    );
    assert_eq!(
        server
            .post("/api/run/page/resume", &json!({ "threads": 1 }))
            .status,
        200
    );
    let head = server.head_when("page", |head| head["state"] == "finished");
    assert_eq!(head["games"], 1000, "{head}");

    let path = server.folder.path().join("terminal.toml");
    fs::write(&path, &text).expect("written");
    let out = server.folder.path().join("terminal");
    stdout(&[
        "run",
        &path.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--quiet",
    ]);
    assert_same_files(&server.reports().join("page"), &out);

    // Extended, it is the longer run.
    assert_eq!(
        server
            .post("/api/run/page/resume", &json!({ "more": 10 }))
            .status,
        422
    );
    assert_eq!(
        server
            .post("/api/run/page/resume", &json!({ "more": 510 }))
            .status,
        200
    );
    let head = server.head_when("page", |head| {
        head["state"] == "finished" && head["games"] == 1020
    });
    assert_eq!(head["pairs"], 510);
}

#[test]
fn a_tuning_run_of_the_page_has_the_files_of_one_in_a_terminal() {
    let server = Served::start();
    let text = config("tuned", 1, 3)
        + "[tune]\nmethod = \"spsa\"\nparameters = [{ name = \"king\", range = [0.5, 16] }]\nbudget = 2000\nvalidate = false\n";
    let asked = json!({ "text": text, "name": "page", "threads": 1 });
    let answer = server.post("/api/start", &asked);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let head = server.head_when("page", |head| head["games"].as_u64() >= Some(2));
    assert_eq!(
        (&head["kind"], &head["method"]),
        (&json!("tune"), &json!("spsa"))
    );
    server.post("/api/run/page/stop", &json!({}));
    let head = server.head_when("page", |head| head["state"] != "running");
    assert_eq!(
        head["state"], "interrupted",
        "it ended before it was stopped: {head}"
    );
    assert_eq!(server.post("/api/run/page/resume", &json!({})).status, 200);
    server.head_when("page", |head| head["state"] == "finished");
    let path = server.folder.path().join("terminal.toml");
    fs::write(&path, &text).expect("written");
    let out = server.folder.path().join("terminal");
    stdout(&[
        "tune",
        &path.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--quiet",
    ]);
    assert_same_files(&server.reports().join("page"), &out);
}

#[test]
fn a_run_outlives_its_server_and_a_later_server_stops_it() {
    let server = Served::start();
    let asked = json!({ "text": config("long", 100_000, 4), "name": "long", "threads": 1 });
    assert_eq!(server.post("/api/start", &asked).status, 200);
    server.head_when("long", |head| head["games"].as_u64() >= Some(2));
    let folder = server.kill();
    let games = folder.path().join("reports/long/games.csv");
    let before = line_count(&games);
    wait_until("games after the server", None, || {
        line_count(&games) > before + 2
    });
    let server = Served::start_in(folder);
    let head = server.head_when("long", |head| head["state"] == "running");
    assert_eq!(head["canStop"], json!(true), "{head}");
    assert_eq!(server.post("/api/run/long/stop", &json!({})).status, 200);
    let head = server.head_when("long", |head| head["state"] != "running");
    assert_eq!(
        (&head["state"], &head["canResume"]),
        (&json!("interrupted"), &json!(true))
    );
    assert!(server.reports().join("long/report.html").exists());
}

#[test]
fn every_kind_of_run_is_listed_with_its_state() {
    let server = Served::start();
    play(&server, "done", 3);
    play(&server, "broken", 3);
    fs::create_dir(server.reports().join("night")).expect("a folder");
    play(&server, "night/below", 2);
    let games = server.reports().join("broken/games.csv");
    let (good, bad) = (text(&games), text(&games).replacen(",one,", ",onf,", 1));
    assert_ne!(good, bad);
    fs::write(&games, bad).expect("written");
    // One in a terminal, by somebody else.
    let path = server.folder.path().join("terminal.toml");
    fs::write(&path, config("terminal", 100_000, 4)).expect("written");
    let out = server.reports().join("terminal");
    let mut child = sparring(&[
        "run",
        &path.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--threads",
        "1",
        "--quiet",
    ])
    .stdout(Stdio::null())
    .spawn()
    .expect("it starts");
    wait_until("two games", Some(&mut child), || {
        line_count(&out.join("games.csv")) > 2
    });
    let runs = list(&server);
    let state = |id: &str| runs[id]["state"].as_str().unwrap_or("").to_string();
    assert_eq!(state("done"), "finished", "{}", runs["done"]);
    assert_eq!(state("night/below"), "finished");
    assert_eq!(state("broken"), "damaged", "{}", runs["broken"]);
    assert!(
        runs["broken"]["error"]
            .as_str()
            .unwrap_or("")
            .contains("games.csv:"),
        "{}",
        runs["broken"]
    );
    assert_eq!(state("terminal"), "running");
    assert_eq!(runs["terminal"]["canStop"], json!(false));
    let refused = server.post("/api/run/terminal/stop", &json!({}));
    assert_eq!(refused.status, 409);
    assert!(
        refused.body.contains("not started from this page"),
        "{}",
        refused.body
    );
    child.kill().expect("killed");
    child.wait().expect("ended");
    let head = server.head_when("terminal", |head| head["state"] != "running");
    assert_eq!(head["state"], "interrupted", "{head}");
    // The page says what the terminal says.
    let standings = text(&server.reports().join("done/standings.csv"));
    let first = standings
        .lines()
        .nth(1)
        .and_then(|row| row.split(',').nth(1));
    assert_eq!(runs["done"]["leader"].as_str(), first);
}

#[test]
fn a_game_of_the_run_is_shown_move_by_move() {
    let server = Served::start();
    // More pairs than between two marks of the reader.
    play(&server, "many", 150);
    for number in [1, 2, 127, 128, 129, 130, 299, 300] {
        let answer = server.get(&format!("/api/run/many/game/{number}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let game = answer.json();
        let row = text(&server.reports().join("many/games.csv"));
        let row = row.lines().nth(number).expect("a row").to_string();
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(game["number"], json!(number), "{row}");
        assert_eq!(game["white"], cells[2], "{row}");
        let moves = game["moves"].as_array().map_or(0, Vec::len);
        assert!(row.contains(&format!(",{moves},")), "{row}");
        assert_eq!(game["letters"].as_array().map(Vec::len), Some(moves + 1));
    }
    for number in ["0", "301", "18446744073709551615"] {
        assert_eq!(
            server.get(&format!("/api/run/many/game/{number}")).status,
            404
        );
    }
    assert_eq!(server.get("/api/run/many/game/one").status, 400);
}

#[test]
fn runs_are_compared_as_a_report_joins_them() {
    let server = Served::start();
    play(&server, "a", 4);
    play(&server, "b", 6);
    let answer = server.get("/api/runs/compare?run=a&run=b");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let value = answer.json();
    // The same seed: the shorter run is the beginning of the longer one, but they are different runs.
    let out = server
        .folder
        .path()
        .join("joined")
        .to_string_lossy()
        .into_owned();
    let path = |name: &str| server.reports().join(name).to_string_lossy().into_owned();
    stdout(&["report", &path("a"), &path("b"), "--out", &out]);
    let page = text(&Path::new(&out).join("report.html"));
    for sentence in value["joined"]["summary"]["sentences"]
        .as_array()
        .expect("sentences")
    {
        let sentence = sentence.as_str().unwrap_or("").replace('\'', "&#39;");
        assert!(page.contains(&sentence), "{sentence}");
    }
    let keys: Vec<&str> = value["differences"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row[0].as_str())
        .collect();
    assert_eq!(keys, ["match.pairs", "name"]);
    assert_eq!(server.get("/api/runs/compare?run=a").status, 400);
    assert_eq!(server.get("/api/runs/compare?run=a&run=none").status, 404);
}

#[test]
fn a_config_is_checked_as_it_is_typed_and_names_no_more_than_the_disk_does() {
    let server = Served::start();
    let check = |text: &str| {
        let answer = server.post("/api/draft", &json!({ "text": text }));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    };
    let good = check(&config("good", 7, 1));
    assert_eq!(
        (&good["errors"], &good["games"]),
        (&json!([]), &json!(14)),
        "{good}"
    );
    let fault = |text: &str| {
        let found = check(text);
        let error = &found["errors"][0];
        let message = error["message"].as_str().unwrap_or("").to_string();
        (error["line"].as_u64(), message)
    };
    let misspelt = config("x", 1, 1).replace("pairs", "pears");
    let (line, message) = fault(&misspelt);
    assert_eq!(line, Some(5), "{message}");
    assert!(message.contains("did you mean `pairs`"), "{message}");
    assert_eq!(fault("game = \"chess\"\nseed = = 1\n").0, Some(2));

    let engine = |program: &str| {
        chess("e") + &format!("[[player]]\nname = \"engine\"\nengine = \"{program}\"\ndepth = 1\n")
    };
    for (text, needle) in [
        (
            engine("sh"),
            "no config in the folder of configs starts this program",
        ),
        (engine("/bin/sh"), "outside of the folders"),
        (
            config("p", 1, 1).replace("plies = 6", "source = \"/etc/passwd\""),
            "outside of the folders",
        ),
        (
            config("p", 1, 1).replace("plies = 6", "source = \"../../secret.fen\""),
            "outside of the folders",
        ),
    ] {
        let (line, message) = fault(&text);
        assert!(
            line.is_some() && message.contains(needle),
            "{line:?} {message}"
        );
        let start = json!({ "text": text, "name": "evil" });
        assert_eq!(server.post("/api/start", &start).status, 422);
    }
    // A config on disk starts it: then the page may.
    fs::write(server.configs().join("engines.toml"), engine("sh")).expect("written");
    assert_eq!(check(&engine("sh"))["errors"], json!([]));
    let options = engine("sh") + "args = [\"-c\", \"touch /tmp/owned\"]\n";
    let (_, message) = fault(&options);
    assert!(message.contains("with these args"), "{message}");
    assert!(!server.reports().join("evil").exists());
}

#[test]
fn a_run_that_fails_says_why() {
    let server = Served::start();
    // A program that is no engine: the run ends before its first game.
    let text = chess("e") + "[[player]]\nname = \"engine\"\nengine = \"true\"\ndepth = 1\n";
    fs::write(server.configs().join("engines.toml"), &text).expect("written");
    let answer = server.post("/api/start", &json!({ "text": text, "name": "fails" }));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let head = server.head_when("fails", |head| head["state"] != "running");
    assert_eq!(head["state"], "failed", "{head}");
    assert!(
        head["error"].as_str().unwrap_or("").contains("engine"),
        "{head}"
    );
}

#[test]
fn a_refused_extension_leaves_a_finished_run_finished_and_says_why() {
    let server = Served::start();
    play(&server, "done", 3);
    // What the run needs is gone, as an engine or a file of openings may be.
    let config = server.reports().join("done/config.toml");
    let (good, bad) = (
        text(&config),
        text(&config).replace("seed = 11", "seed = 12"),
    );
    fs::write(&config, &bad).expect("written");
    let answer = server.post("/api/run/done/resume", &json!({ "more": 5 }));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let head = server.head_when("done", |head| {
        head["state"] != "running" && !head["error"].is_null()
    });
    assert_eq!(head["state"], "finished", "{head}");
    let error = head["error"].as_str().unwrap_or("");
    assert!(
        error.starts_with("it was not resumed or extended: "),
        "{error}"
    );
    // Put right, it can be extended.
    fs::write(&config, &good).expect("written");
    server.post("/api/run/done/resume", &json!({ "more": 5 }));
    let head = server.head_when("done", |head| {
        head["games"] == 10 && head["state"] == "finished"
    });
    assert_eq!(head["error"], Value::Null, "{head}");
}

#[test]
fn the_limit_of_started_runs_counts_those_of_an_earlier_server() {
    let start = |server: &Served, name: &str| {
        let text = config(name, 100_000, 5);
        let asked = json!({ "text": text, "name": name, "threads": 1 });
        server.post("/api/start", &asked)
    };
    let server = Served::start();
    for name in ["one", "two", "three"] {
        assert_eq!(start(&server, name).status, 200);
        server.head_when(name, |head| head["games"].as_u64() >= Some(1));
    }
    let server = Served::start_in(server.kill());
    assert_eq!(start(&server, "four").status, 200);
    let refused = start(&server, "five");
    assert_eq!(refused.status, 429, "{}", refused.body);
    let stop = |name: &str| {
        let answer = server.post(&format!("/api/run/{name}/stop"), &json!({}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        server.head_when(name, |head| head["state"] == "interrupted");
    };
    stop("one");
    assert_eq!(start(&server, "six").status, 200);
    server.head_when("four", |head| !head["holder"].is_null());
    server.head_when("six", |head| !head["holder"].is_null());
    for name in ["two", "three", "four", "six"] {
        stop(name);
    }
}

#[test]
fn names_with_commas_and_blanks_are_listed_opened_and_compared() {
    let server = Served::start();
    play(&server, "a, b & c", 2);
    play(&server, "d", 3);
    assert!(list(&server).contains_key("a, b & c"));
    let address = "a%2C%20b%20%26%20c";
    let head = server.head_when(address, |head| head["state"] == "finished");
    assert_eq!(head["id"], "a, b & c");
    let compared = server.get(&format!("/api/runs/compare?run={address}&run=d"));
    assert_eq!(compared.status, 200, "{}", compared.body);
    assert_eq!(compared.json()["runs"][0]["entry"]["id"], "a, b & c");
}

#[test]
fn an_extended_tuning_run_is_resumed_to_its_new_budget() {
    let server = Served::start();
    let text = config("tuned", 1, 3)
        + "[tune]\nmethod = \"spsa\"\nparameters = [{ name = \"king\", range = [0.5, 16] }]\nbudget = 40\nvalidate = false\n";
    let asked = json!({ "text": text, "name": "page", "threads": 1 });
    assert_eq!(server.post("/api/start", &asked).status, 200);
    server.head_when("page", |head| head["state"] == "finished");
    let short = server.post("/api/run/page/resume", &json!({ "more": 10 }));
    assert_eq!(short.status, 422, "{}", short.body);
    let more = json!({ "more": 2000, "threads": 1 });
    assert_eq!(server.post("/api/run/page/resume", &more).status, 200);
    let head = server.head_when("page", |head| head["games"].as_u64() > Some(200));
    assert_eq!(head["total"], 2000, "{head}");
    server.post("/api/run/page/stop", &json!({}));
    let head = server.head_when("page", |head| head["state"] != "running");
    assert_eq!(head["state"], "interrupted", "{head}");
    // A later server knows it, too.
    let server = Served::start_in(server.kill());
    assert_eq!(server.post("/api/run/page/resume", &json!({})).status, 200);
    let head = server.head_when("page", |head| head["state"] == "finished");
    assert!(head["games"].as_u64() >= Some(2000), "{head}");
}

#[test]
fn a_file_of_any_size_is_sent_as_it_is() {
    use std::io::Write as _;
    let mut server = Served::start();
    play(&server, "large", 2);
    let path = server.reports().join("large/games.csv");
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("opened");
    // Above the memory that any answer may need: 200 MB.
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..200 {
        file.write_all(&piece).expect("written");
    }
    #[cfg(target_os = "linux")]
    let before = server.memory();
    let answer = server.get("/api/run/large/file/games.csv");
    assert_eq!(answer.status, 200);
    let bytes = fs::read(&path).expect("read");
    assert!(answer.body.as_bytes() == bytes, "it differs");
    let length = format!("content-length: {}", bytes.len());
    assert!(
        answer.head.to_lowercase().contains(&length),
        "{}",
        answer.head
    );
    #[cfg(target_os = "linux")]
    assert!(server.memory() < before + (64 << 20));
    assert!(server.is_alive());
    // A folder of this name is no file.
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    assert_eq!(server.get("/api/run/large/file/games.csv").status, 404);
}
