//! The pages of runs in a real browser: a run is started, watched, stopped and resumed by clicks.

use std::fs;

use serde_json::{Value, json};

use crate::common::{stdout, text};
use crate::web::Served;
use crate::webdriver::Browser;

fn config(name: &str, pairs: u32, depth: u32) -> String {
    let player = |name: &str, king: u32| {
        format!(
            "[[player]]\nname = \"{name}\"\nevaluator = \"basic\"\ndepth = {depth}\nweights = {{ king = {king}.5 }}\n"
        )
    };
    format!(
        "name = \"{name}\"\ngame = \"checkers\"\nseed = 11\n[match]\npairs = {pairs}\n[openings]\nplies = 6\n{}{}{}",
        player("one", 2),
        player("two", 3),
        player("three", 4)
    )
}

fn play(server: &Served, name: &str, text: &str) {
    let path = server.folder.path().join("played.toml");
    fs::write(&path, text).expect("written");
    let out = server.reports().join(name).to_string_lossy().into_owned();
    stdout(&["run", &path.to_string_lossy(), "--out", &out, "--quiet"]);
}

fn click(browser: &Browser, selector: &str) {
    let script = format!(
        "return document.querySelector('{selector}') && !document.querySelector('{selector}').disabled"
    );
    browser.wait_for(selector, &script);
    browser.run(&format!("document.querySelector('{selector}').click()"));
}

/// Types a config, as a person does: the text changes, then the page asks.
fn enter(browser: &Browser, text: &str) {
    let text = json!(text).to_string();
    browser.run(&format!(
        "const t = document.querySelector('[name=config]'); t.value = {text}; t.dispatchEvent(new Event('input'))"
    ));
}

/// No error on the console, and no request to another host.
fn refuse_noise(browser: &Browser, server: &Served) {
    let errors = browser.log("browser");
    assert!(errors.is_empty(), "the console says {errors:?}");
    let mut asked = 0;
    for entry in browser.log("performance") {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap_or("null"))
            .expect("a message is JSON");
        let message = &message["message"];
        let asker = message["params"]["documentURL"].as_str().unwrap_or("");
        if message["method"] == "Network.requestWillBeSent" && asker.starts_with(&server.url("")) {
            let url = message["params"]["request"]["url"].as_str().unwrap_or("");
            assert!(
                url.starts_with(&server.url("/")) || url.starts_with("data:"),
                "the page asks for {url}"
            );
            asked += 1;
        }
    }
    assert!(asked > 0, "the log shows no request: it reads nothing");
}

/// The page fits the width, and its words can be read: no element is wider than the view.
fn fits_every_screen(browser: &Browser, name: &str) {
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        for width in [360, 1280, 1920] {
            browser.resize(width, 900);
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert!(wide.as_u64() <= Some(width), "{name}: {wide} at {width}");
        }
    }
    browser.resize(1280, 900);
    browser.prefer("light");
}

/// An error is shown at its line while it is typed, and the run cannot be started.
fn an_error_is_shown_at_its_line(browser: &Browser, typed: &str) {
    enter(browser, &typed.replace("plies", "pleis"));
    browser.wait_for(
        "the line",
        "return document.querySelector('.line-numbers .wrong')?.textContent.trim() === '7'",
    );
    let message = browser.run("return document.getElementById('verdict').textContent");
    assert!(
        message
            .as_str()
            .unwrap_or("")
            .contains("did you mean `plies`"),
        "{message}"
    );
    assert_eq!(
        browser.run("return document.getElementById('run').disabled"),
        json!(true)
    );
    fits_every_screen(browser, "start");
}

fn the_files_are_those_of_the_terminal(server: &Served) {
    for name in [
        "config.toml",
        "manifest.json",
        "games.csv",
        "games.pdn",
        "checksums.csv",
        "standings.csv",
        "pairings.csv",
        "files.csv",
        "report.html",
        "report.md",
        "results.svg",
        "elo.png",
    ] {
        let bytes = |run: &str| fs::read(server.reports().join(run).join(name)).expect("a file");
        assert!(bytes("page") == bytes("terminal"), "{name} differs");
    }
}

fn the_page_shows_the_table(browser: &Browser, server: &Served) {
    let shown = browser.wait_for("all games", "return document.querySelector('#progress').textContent.startsWith('600 of 600') && [...document.querySelectorAll('#standings tbody tr')].map(r => r.querySelector('.player').textContent + ',' + r.querySelector('.number:nth-child(3)').textContent).join(';')");
    let table = text(&server.reports().join("page/standings.csv"));
    let expected: Vec<String> = table
        .lines()
        .skip(1)
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            format!("{},{}", cells[1], cells[2])
        })
        .collect();
    assert_eq!(shown, json!(expected.join(";")));
}

fn a_game_is_shown_move_by_move(browser: &Browser) {
    click(browser, "#latest .game");
    browser.wait_for(
        "the viewer",
        "return document.querySelector('#viewer[open] .board use') !== null",
    );
    let pieces = |ply: &str| {
        browser.run(&format!("const s = document.querySelector('#viewer input'); s.value = {ply}; s.dispatchEvent(new Event('input'))"));
        let count = browser.run("return document.querySelectorAll('#viewer .pieces use').length");
        count.as_u64().unwrap_or(0)
    };
    // Six random plies take two pieces at most from each side.
    let (first, last) = (pieces("0"), pieces("s.max"));
    assert!(first >= 18 && last < first, "{first} {last}");
    browser.run("document.getElementById('close').click()");
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_run_is_started_watched_stopped_and_resumed_on_the_page() {
    let browser = Browser::start();
    let server = Served::start();
    let typed = config("from the page", 100, 4);
    fs::write(server.configs().join("mine.toml"), config("mine", 2, 1)).expect("written");
    browser.visit(&server.url("/start"));
    browser.wait_for(
        "the config of the folder",
        "return document.querySelector('[name=config]')?.value.includes('mine')",
    );

    an_error_is_shown_at_its_line(&browser, &typed);
    enter(&browser, &typed);
    browser.run("const n = document.querySelector('[name=name]'); n.value = 'page'; n.dispatchEvent(new Event('input'));
                 document.querySelector('[name=threads]').value = '1'");
    click(&browser, "#run");
    browser.wait_for("the page of the run", "return location.pathname === '/run'");
    browser.wait_for(
        "standings",
        "return document.querySelectorAll('#standings tbody tr').length === 3",
    );
    browser.wait_for(
        "charts",
        "return document.querySelectorAll('#charts svg').length >= 3",
    );
    browser.wait_for(
        "boards",
        "return document.querySelectorAll('#latest .board use').length > 4",
    );
    // It grows.
    let script = "return Number(document.getElementById('progress').textContent.split(' ')[0].replace(',', ''))";
    let before = browser.run(script).as_u64().unwrap_or(0);
    browser.wait_for("more games", &format!("{} > {before}", script));
    fits_every_screen(&browser, "run");

    click(&browser, "#stop");
    browser.wait_for(
        "the stop",
        "return document.querySelector('.badge.interrupted') !== null",
    );
    click(&browser, "#resume");
    browser.wait_for(
        "the end",
        "return document.querySelector('.badge.finished') !== null",
    );
    browser.wait_for("the report", "return [...document.querySelectorAll('#actions a')].some(a => a.textContent === 'Full report')");

    play(&server, "terminal", &typed);
    the_files_are_those_of_the_terminal(&server);
    the_page_shows_the_table(&browser, &server);
    a_game_is_shown_move_by_move(&browser);
    refuse_noise(&browser, &server);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn runs_are_searched_sorted_and_compared_on_the_page() {
    let browser = Browser::start();
    let server = Served::start();
    let hostile = "<img src=x onerror=alert(1)>";
    play(&server, "first", &config("first", 3, 1));
    // Another seed: games that two runs have in common count once.
    let second = config("second", 5, 1).replace("seed = 11", "seed = 12");
    play(&server, "second", &second);
    play(
        &server,
        "other",
        &config("other", 2, 1).replace("\"three\"", &format!("'{hostile}'")),
    );
    browser.visit(&server.url("/runs"));
    let names =
        "return [...document.querySelectorAll('tbody .name a')].map(a => a.textContent).join()";
    browser.wait_for("the list", &format!("{names}.split(',').length === 3"));
    click(&browser, "th[data-key=name] button");
    assert_eq!(browser.run(names), json!("first,other,second"));
    click(&browser, "th[data-key=name] button");
    assert_eq!(browser.run(names), json!("second,other,first"));
    browser.run("const s = document.querySelector('[name=search]'); s.value = 'fir'; s.dispatchEvent(new Event('input'))");
    assert_eq!(browser.run(names), json!("first"));
    browser.run("const s = document.querySelector('[name=search]'); s.value = ''; s.dispatchEvent(new Event('input'))");
    fits_every_screen(&browser, "runs");
    for run in ["first", "second"] {
        browser.run(&format!(
            "document.querySelector('tr[data-run={run}] input').click()"
        ));
    }
    click(&browser, "#compare");
    browser.wait_for(
        "the comparison",
        "return document.querySelectorAll('.column').length === 2",
    );
    let joined = browser.wait_for(
        "the joined standings",
        "return document.querySelector('#joined tbody tr .number:nth-child(3)')?.textContent",
    );
    // Three pairings: 3 pairs in one run and 5 in the other, two games each, two opponents for each player.
    assert_eq!(joined, json!("32"));
    browser.wait_for(
        "charts",
        "return document.querySelectorAll('.column svg').length >= 6",
    );
    fits_every_screen(&browser, "compare");

    browser.visit(&server.url("/run?id=other"));
    browser.wait_for(
        "its standings",
        "return document.querySelectorAll('#standings tbody tr').length === 3",
    );
    let shown = browser
        .run("return [...document.querySelectorAll('#standings .player')].map(p => p.textContent)");
    assert!(
        shown
            .as_array()
            .is_some_and(|names| names.contains(&json!(hostile))),
        "{shown}"
    );
    browser.wait_for(
        "its charts",
        "return document.querySelectorAll('#charts svg').length >= 3",
    );
    refuse_noise(&browser, &server);

    // The report opens in its own sandbox.
    browser.visit(&server.url("/api/run/other/file/report.html"));
    browser.wait_for(
        "the report",
        "return document.querySelectorAll('#list tbody tr').length > 0",
    );
    let stored = browser
        .run("try { return String(localStorage.length) } catch (error) { return error.name }");
    assert_eq!(stored, json!("SecurityError"));
}
