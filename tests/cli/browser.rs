//! The page in a real browser: chromium, driven through chromedriver's HTTP interface.
//!
//! `cargo test` leaves these tests out, because they need the two programs; `.ci/run` installs both
//! and runs them: `cargo test --test cli browser:: -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::stdout;
use crate::webdriver::Browser;
use serde_json::{Value, json};
use sparring::games::Game;
use sparring::games::chess::Chess;
use sparring::games::draughts::International;
use sparring::record::{GameResult, GameRow, read_games};
use tempfile::tempdir;

/// Plays a few games of two players and returns the run directory.
fn play(folder: &Path, game: &str, evaluator: &str, names: [&str; 2]) -> PathBuf {
    let config = folder.join(format!("{game}.toml"));
    let players: Vec<String> = names
        .iter()
        .zip([2, 1])
        .map(|(name, depth)| {
            format!(
                "[[player]]\nname = '''{name}'''\nevaluator = \"{evaluator}\"\ndepth = {depth}\n"
            )
        })
        .collect();
    let text = format!(
        "name = \"{game}\"\ngame = \"{game}\"\nseed = 5\n[match]\npairs = 2\n\
         [openings]\nplies = 4\n{}",
        players.join("")
    );
    fs::write(&config, text).expect("the config is written");
    let out = folder.join(game);
    stdout(&[
        "run",
        &config.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
        "--quiet",
    ]);
    out
}

fn rows(run: &Path) -> Vec<GameRow> {
    let mut rows = Vec::new();
    read_games(&run.join("games.csv"), |row, _| {
        rows.push(row);
        Ok(())
    })
    .expect("the games are read");
    rows
}

/// The men of the last position, as a diagram shows them, without empty squares.
fn final_men<G: Game>(row: &GameRow) -> String {
    let mut position = G::from_fen(&row.opening).expect("the opening is a position");
    for text in row.moves.split_whitespace() {
        let mv = position.parse_move(text).expect("the move is legal");
        position.play(mv);
    }
    let squares = (0..G::ROWS).flat_map(|row| (0..G::COLUMNS).map(move |column| (row, column)));
    squares
        .map(|(row, column)| position.letter_at(row, column))
        .filter(|letter| !" .".contains(*letter))
        .collect()
}

const MEN: &str = "return [...document.querySelectorAll('#board .pieces [data-letter]')].map(u => u.dataset.letter).join('')";

fn text_of(browser: &Browser, id: &str) -> String {
    let script = format!("return document.getElementById('{id}').textContent");
    browser.run(&script).as_str().unwrap_or("").to_string()
}

/// Steps through the first game and compares its end with the log.
fn steps_to_the_stated_result<G: Game>(browser: &Browser, run: &Path) {
    browser.open(&run.join("report.html"));
    let row = &rows(run)[0];
    let plies = row.moves.split_whitespace().count();
    let start = text_of(browser, "where");
    assert!(start.starts_with(&format!("0 of {plies}")), "{start}");
    // By the button, by the keyboard, and to the end.
    browser.run("document.getElementById('next').click()");
    assert!(text_of(browser, "where").starts_with("1 of"));
    for _ in 0..plies {
        browser.press("viewer", "ArrowRight");
    }
    let end = text_of(browser, "where");
    let stated = format!("– {}, {}", row.result, row.termination);
    assert!(end.starts_with(&format!("{plies} of {plies}")), "{end}");
    assert!(end.ends_with(&stated), "{end}: expected {stated}");
    assert_eq!(browser.run(MEN).as_str().unwrap_or(""), final_men::<G>(row));
    // There and back: the start stands as before.
    browser.press("viewer", "Home");
    assert_eq!(text_of(browser, "where"), start);
    browser.press("viewer", "End");
    assert_eq!(text_of(browser, "where"), end);
    let graph = browser.run("return document.querySelectorAll('#graph polyline').length");
    assert_eq!(graph, json!(2), "both players have scores");
}

fn refuse_noise(browser: &Browser) {
    let errors = browser.log("browser");
    assert!(errors.is_empty(), "the console says {errors:?}");
    let requests = browser.log("performance");
    let mut files = 0;
    for entry in requests {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap_or("null"))
            .expect("a message is JSON");
        let message = &message["message"];
        // The browser's own start page asks for things, too.
        let asker = message["params"]["documentURL"].as_str().unwrap_or("");
        if message["method"] == "Network.requestWillBeSent" && asker.starts_with("file:") {
            let url = message["params"]["request"]["url"].as_str().unwrap_or("");
            assert!(
                url.starts_with("file:") || url.starts_with("data:"),
                "the page asks for {url}"
            );
            files += 1;
        }
    }
    assert!(
        files > 0,
        "the log shows no request at all: it reads nothing"
    );
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn the_viewer_replays_chess_and_draughts_to_the_stated_result() {
    let browser = Browser::start();
    let folder = tempdir().expect("a folder");
    let chess = play(folder.path(), "chess", "material", ["one", "two"]);
    steps_to_the_stated_result::<Chess>(&browser, &chess);
    let draughts = play(folder.path(), "international", "material", ["one", "two"]);
    steps_to_the_stated_result::<International>(&browser, &draughts);
    refuse_noise(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn tables_sort_and_the_list_filters() {
    let browser = Browser::start();
    let folder = tempdir().expect("a folder");
    let run = play(folder.path(), "chess", "material", ["zeta", "alpha"]);
    browser.open(&run.join("report.html"));
    let column = |index: usize| {
        let script = format!(
            "return [...document.querySelectorAll('#standings-table tbody tr')].map(r => r.cells[{index}].textContent)"
        );
        let list = browser.run(&script);
        let words = list.as_array().cloned().unwrap_or_default();
        words
            .iter()
            .map(|word| word.as_str().unwrap_or("").to_string())
            .collect::<Vec<_>>()
    };
    let click = |index: usize| {
        browser.run(&format!(
            "document.querySelectorAll('#standings-table th button')[{index}].click()"
        ));
    };
    assert_eq!(column(0), ["1", "2"]);
    click(1);
    assert_eq!(column(1), ["alpha", "zeta"]);
    click(1);
    assert_eq!(column(1), ["zeta", "alpha"]);
    // Losses: most first, then fewest.
    click(5);
    let numbers = |words: Vec<String>| -> Vec<i64> {
        words
            .iter()
            .map(|word| word.parse().expect("a number"))
            .collect()
    };
    let down = numbers(column(5));
    click(5);
    let up = numbers(column(5));
    assert!(down[0] >= down[1] && up[0] <= up[1], "{down:?} {up:?}");

    let all = rows(&run);
    let listed = || {
        let script = "return document.querySelectorAll('#list tbody tr').length";
        browser.run(script).as_u64().unwrap_or(0) as usize
    };
    let choose = |filter: &str, value: &str| {
        browser.run(&format!(
            "const s = document.getElementById('filter-{filter}'); s.value = '{value}'; s.dispatchEvent(new Event('change'))"
        ));
    };
    assert_eq!(listed(), all.len());
    choose("result", "1-0");
    assert_eq!(
        listed(),
        all.iter()
            .filter(|row| row.result == GameResult::WhiteWins)
            .count()
    );
    choose("result", "won");
    choose("player", "zeta");
    let won = |row: &&GameRow| {
        (row.result == GameResult::WhiteWins && row.white == "zeta")
            || (row.result == GameResult::BlackWins && row.black == "zeta")
    };
    assert_eq!(listed(), all.iter().filter(won).count());
    choose("result", "");
    choose("player", "");
    choose("ending", &all[0].termination);
    let same = |row: &&GameRow| row.termination == all[0].termination;
    assert_eq!(listed(), all.iter().filter(same).count());
    refuse_noise(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn hostile_names_are_shown_literally_and_the_page_fits_any_screen() {
    let browser = Browser::start();
    let folder = tempdir().expect("a folder");
    let names = [
        "</script><script>document.title='owned'</script>",
        "<img src=x onerror=\"document.title='owned'\"> & \"日本\"",
    ];
    let run = play(folder.path(), "chess", "material", names);
    browser.open(&run.join("report.html"));
    let title = browser.run("return document.title");
    assert_eq!(title, json!("chess"));
    for name in names {
        let script = "return [...document.querySelectorAll('#standings-table td.name')].map(c => c.textContent)";
        let shown = browser.run(script);
        let shown = shown.as_array().cloned().unwrap_or_default();
        assert!(shown.contains(&json!(name)), "{shown:?}");
        let listed = browser.run("return document.querySelector('#list tbody tr').textContent");
        assert!(listed.as_str().unwrap_or("").contains(name), "{listed}");
    }
    for width in [360, 1280, 1920] {
        browser.resize(width, 900);
        let wide = browser.run("return document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width), "{wide} at {width}");
    }
    refuse_noise(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn arrow_keys_step_at_once_and_the_address_and_the_list_follow_the_game() {
    let browser = Browser::start();
    let folder = tempdir().expect("a folder");
    let run = play(folder.path(), "chess", "material", ["one", "two"]);
    browser.open(&run.join("report.html"));
    let hash = || browser.run("return location.hash");
    assert_eq!(hash(), json!(""), "nothing was touched");
    let press = |key: &str| {
        browser.run(&format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        ));
    };
    press("ArrowRight");
    press("ArrowRight");
    assert!(text_of(&browser, "where").starts_with("2 of"));
    assert_eq!(hash(), json!("#game-1-2"));
    press("ArrowLeft");
    assert_eq!(hash(), json!("#game-1-1"));
    // Keys that scroll the page do so.
    press("End");
    assert!(text_of(&browser, "where").starts_with("1 of"));
    // A list too low for all games: the last one opened is in view.
    browser.run("document.getElementById('list').style.height = '80px'");
    browser.run("location.hash = '#game-4-3'");
    let seen = browser.run(
        "const list = document.getElementById('list').getBoundingClientRect();
         const row = document.querySelector('#list tr.now').getBoundingClientRect();
         return [location.hash, row.top >= list.top && row.bottom <= list.bottom + 1]",
    );
    assert_eq!(seen, json!(["#game-4-3", true]));
    assert!(text_of(&browser, "where").starts_with("3 of"));
    refuse_noise(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn charts_fit_small_and_wide_screens_light_and_dark() {
    let browser = Browser::start();
    let folder = tempdir().expect("a folder");
    let run = play(folder.path(), "chess", "material", ["one", "two"]);
    browser.open(&run.join("report.html"));
    let columns = || {
        let script = "return new Set([...document.querySelectorAll('.charts figure')]\
                      .map(f => Math.round(f.getBoundingClientRect().left))).size";
        browser.run(script)
    };
    // The drawings in view, and the size of their smallest text in pixels of the screen.
    let drawings = || {
        browser.run(
            "const seen = [...document.querySelectorAll('figure svg')].filter(s => s.getBoundingClientRect().width > 0);
             const small = seen.map(s => 12 * s.getBoundingClientRect().width / s.width.baseVal.value);
             return [seen.length, document.querySelectorAll('figure').length, Math.min(...small) >= 10.5,
                     seen.every(s => s.getBoundingClientRect().right <= innerWidth)]",
        )
    };
    for (width, expected) in [(400, 1), (1280, 2), (1920, 3)] {
        browser.resize(width, 900);
        assert_eq!(columns(), json!(expected), "at {width}");
        let seen = drawings();
        assert_eq!(seen[0], seen[1], "one drawing per chart at {width}");
        assert_eq!(
            [&seen[2], &seen[3]],
            [&json!(true); 2],
            "at {width}: {seen}"
        );
    }
    // The verdict comes first, and its chart beside it.
    let first = browser.run(
        "const verdict = document.getElementById('verdict').getBoundingClientRect();
         return document.querySelector('header figure').getBoundingClientRect().top < 200 && verdict.top < 200",
    );
    assert_eq!(first, json!(true));
    let colours = || {
        browser.run(
            "const text = document.querySelector('figure svg text');
             return [getComputedStyle(document.body).backgroundColor, getComputedStyle(text).fill]",
        )
    };
    browser.prefer("light");
    assert_eq!(colours(), json!(["rgb(255, 255, 255)", "rgb(33, 37, 41)"]));
    browser.prefer("dark");
    assert_eq!(colours(), json!(["rgb(23, 26, 31)", "rgb(230, 233, 237)"]));
    refuse_noise(&browser);
    // The policy of the page refuses script that is not its own.
    browser.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')",
    );
    browser.run("document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title=2'}))");
    assert_eq!(browser.run("return document.title"), json!("chess"));
}
