//! Play and Watch of `sparring serve` in a real browser: whole games by clicks, captures step by step, set-up, weights,
//! the keyboard. Run like `browser`.

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::common::stdout;
use crate::serving::Serving;
use crate::webdriver::Browser;

/// A browser on a server of its own.
pub struct Visit {
    pub browser: Browser,
    pub server: Serving,
    pub reports: TempDir,
}

impl Visit {
    pub fn start() -> Visit {
        let reports = tempdir().expect("a folder");
        let configs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
        Visit {
            browser: Browser::start(),
            server: Serving::start(reports.path(), &configs),
            reports,
        }
    }

    pub fn open(&self, path: &str) {
        self.browser.visit(&format!("{}{path}", self.server.url));
        self.browser
            .until("document.querySelector('#status')?.textContent");
    }

    /// Begins a game of two players at this position, and opens it.
    pub fn set_up(&self, game: &str, fen: &str) {
        let human = json!({ "kind": "human" });
        let begun = self.server.post(
            "/api/play",
            &json!({ "game": game, "white": human, "black": human, "fen": fen }),
        );
        // Another address first: a changed fragment alone does not load the page again.
        self.browser.visit("about:blank");
        self.open(&format!(
            "/play#game-{}",
            begun["id"].as_str().expect("an id")
        ));
    }

    /// Clicks squares of the board by their names.
    pub fn click_squares(&self, names: &[&str]) {
        for name in names {
            self.browser.click(&square(&self.browser, name));
        }
    }

    pub fn status(&self) -> String {
        self.browser.text("#status")
    }

    pub fn moves(&self) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll('#moves .move')].map(m => m.textContent)";
        let list = self.browser.run(script);
        let list = list.as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|mv| mv.as_str().unwrap_or("").to_string())
            .collect()
    }

    pub fn until_moves(&self, count: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('#moves .move').length === {count}"
        ));
    }

    pub fn fen(&self) -> String {
        let fen = self
            .browser
            .run("return document.querySelector('#fen').value");
        fen.as_str().unwrap_or("").to_string()
    }

    /// No error in the console, and no request to another host.
    pub fn refuse_noise(&self) {
        let errors = self.browser.log("browser");
        assert!(errors.is_empty(), "the console says {errors:?}");
        let mut requests = 0;
        for entry in self.browser.log("performance") {
            let message: Value =
                serde_json::from_str(entry["message"].as_str().unwrap_or("null")).expect("JSON");
            let message = &message["message"];
            // The browser's own start page asks for things, too.
            let asker = message["params"]["documentURL"].as_str().unwrap_or("");
            if message["method"] != "Network.requestWillBeSent" || !asker.starts_with("http") {
                continue;
            }
            let url = message["params"]["request"]["url"].as_str().unwrap_or("");
            let own = url.starts_with(&self.server.url) || url.starts_with("data:");
            assert!(own, "the page asks for {url}");
            requests += 1;
        }
        assert!(requests > 3, "the log shows no requests: it reads nothing");
    }
}

/// The selector of a square by its name: `e4`, or a number in draughts. Its label begins with the name.
fn square(browser: &Browser, name: &str) -> String {
    let id = browser.run(&format!(
        "return [...document.querySelectorAll('#board .hit')].find(h => h.getAttribute('aria-label').split(',')[0] === '{name}').id"
    ));
    format!("#board #{}", id.as_str().expect("a square of this name"))
}

/// The strongest built-in move, by the command line.
fn best_move(fen: &str) -> String {
    let printed = stdout(&[
        "search",
        "--evaluator",
        "classical",
        "--depth",
        "5",
        "--set",
        "search.profile=strong",
        fen,
    ]);
    let last = printed.lines().last().unwrap_or("");
    last.split_whitespace().nth(1).unwrap_or("").to_string()
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_game_of_chess_against_easy_is_won_by_clicks() {
    let visit = Visit::start();
    visit.open("/play");
    assert!(
        visit
            .browser
            .text("#board + div, .bar.black")
            .contains("Easy")
    );
    let mut plies = 0;
    while !visit.status().contains("wins") {
        assert!(plies < 200, "no mate after {plies} plies: {}", visit.fen());
        let mv = best_move(&visit.fen());
        visit.click_squares(&[&mv[..2], &mv[2..4]]);
        if mv.len() > 4 {
            visit.browser.click(&format!("#choice button[value={mv}]"));
        }
        plies += 2;
        // Either the answer has come, or the game is over.
        visit.browser.until(&format!(
            "document.querySelectorAll('#moves .move').length === {plies} || document.querySelector('#status').classList.contains('over')"
        ));
    }
    assert_eq!(visit.status(), "White wins: checkmate");
    let last = visit.moves().pop().expect("moves");
    assert!(last.ends_with('#'), "{last}");
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_chain_of_captures_in_checkers_stops_at_end_turn() {
    let visit = Visit::start();
    visit.set_up("checkers", "W:W22,32:B18,10,1,2");
    visit.click_squares(&["22", "15"]);
    // The chain may continue to 6 or stop here.
    visit
        .browser
        .until("!document.querySelector('#end-turn').hidden");
    assert_eq!(visit.moves(), [] as [&str; 0]);
    visit.browser.click("#end-turn");
    visit.until_moves(1);
    assert_eq!(visit.moves(), ["22x15"]);
    assert_eq!(visit.fen(), "B:W15,32:B1,2,10");
    // Taken back, the whole chain is played.
    visit.browser.click("#undo");
    visit
        .browser
        .until("document.querySelector('#status').textContent.startsWith('Position after 0')");
    visit.click_squares(&["22", "15", "6"]);
    visit
        .browser
        .until("document.querySelector('#fen').value === 'B:W6,32:B1,2'");
    assert_eq!(visit.moves(), ["22x6"]);
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn of_two_routes_of_a_capture_the_clicked_one_is_taken() {
    let visit = Visit::start();
    // From 3 to 25 by way of 21 and 43, or of 26 and 48.
    for (route, record, left) in [
        (["3", "21", "43", "25"], "3x21x43x25", "B:W25:B13,19,42"),
        (["3", "26", "48", "25"], "3x26x48x25", "B:W25:B13,19,27"),
    ] {
        visit.set_up("international", "W:WK3:B8,13,19,27,34,42");
        // The end alone names no route.
        visit.click_squares(&["3", "25"]);
        assert_eq!(visit.moves(), [] as [&str; 0]);
        let said = visit.browser.text("#board [aria-live]");
        assert!(said.contains("several ways"), "{said}");
        visit.click_squares(&route[1..]);
        visit.until_moves(1);
        assert_eq!(visit.moves(), [record]);
        let men = visit.fen().replace('K', "");
        assert_eq!(men, left);
    }
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_pawn_becomes_the_chosen_piece_and_undo_brings_it_back() {
    let visit = Visit::start();
    visit.set_up("chess", "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1");
    visit.browser.drag(
        "mouse",
        &square(&visit.browser, "e7"),
        &square(&visit.browser, "e8"),
    );
    visit
        .browser
        .until("document.querySelector('#choice').open");
    visit.browser.click("#choice button[value=e7e8n]");
    visit.until_moves(1);
    assert!(visit.fen().starts_with("4N3/6k1"), "{}", visit.fen());
    visit.browser.click("#undo");
    visit
        .browser
        .until("document.querySelector('#fen').value.startsWith('8/4P1k1')");
    visit.browser.click("#redo");
    visit
        .browser
        .until("document.querySelector('#fen').value.startsWith('4N3/6k1')");
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_position_is_set_up_by_its_fen_and_by_hand() {
    let visit = Visit::start();
    visit.open("/play");
    let set_up = |text: &str| {
        visit.browser.click("#new");
        visit
            .browser
            .until("document.querySelector('#new-game').open");
        visit.browser.click("#new-game input[value=person]");
        visit.browser.run(&format!(
            "const f = document.querySelector('#new-game [name=fen]'); f.value = {}; f.dispatchEvent(new Event('change'))",
            json!(text)
        ));
    };
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    set_up(fen);
    visit.browser.click("#start");
    visit
        .browser
        .until(&format!("document.querySelector('#fen').value === '{fen}'"));
    // Castling by a click on the square of the king.
    visit.click_squares(&["e1", "g1"]);
    visit.until_moves(1);
    assert_eq!(visit.moves(), ["O-O"]);
    // Each piece by hand, then what the rules say of a board without kings.
    set_up("");
    visit.browser.click("#new-game .editor summary");
    visit
        .browser
        .until("document.querySelector('#new-game .palette')");
    visit.browser.click("#new-game .editor .controls button");
    visit
        .browser
        .until("document.querySelector('#new-game .error').textContent.includes('king')");
    // No other position is played instead.
    visit.browser.click("#start");
    visit
        .browser
        .until("document.querySelector('#new-game .error').textContent.includes('king')");
    for (letter, name) in [("K", "a1"), ("k", "a3"), ("Q", "h2")] {
        visit
            .browser
            .click(&format!("#new-game [data-letter={letter}]"));
        let column = name.as_bytes()[0] - b'a';
        let row = b'8' - name.as_bytes()[1];
        let id = row * 8 + column;
        visit
            .browser
            .click(&format!("#new-game .hit[data-square=\"{id}\"]"));
    }
    visit.browser.until(
        "document.querySelector('#new-game [name=fen]').value === '8/8/8/8/8/k7/7Q/K7 w - - 0 1'",
    );
    visit.browser.click("#start");
    visit
        .browser
        .until("document.querySelector('#fen').value === '8/8/8/8/8/k7/7Q/K7 w - - 0 1'");
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_changed_weight_changes_the_score_and_a_wrong_one_says_why() {
    let visit = Visit::start();
    visit.open("/play");
    visit.browser.click("#panel-why > summary");
    let score = || visit.browser.text("#why-score strong");
    let done = "document.querySelectorAll('#why-moves li').length === 20 && !document.querySelector('.why.stale')";
    visit.browser.until(done);
    // Both sides have the same moves at first; after 1. e4 white has more.
    visit.click_squares(&["e2", "e4"]);
    visit.until_moves(2);
    visit.browser.until("document.querySelector('#status').textContent === 'White to move' && document.querySelectorAll('#why-moves li').length === 29 && !document.querySelector('.why.stale')");
    let before = score();
    let set = |value: &str| {
        visit.browser.run(&format!(
            "const f = document.querySelector('#why-terms [name=\"why.mobility\"]'); f.value = '{value}'; f.dispatchEvent(new Event('change'))"
        ));
    };
    visit.refuse_noise();
    set("50");
    visit
        .browser
        .until("document.querySelector('#why-score s')");
    assert_eq!(visit.browser.text("#why-score s"), before);
    assert_ne!(score(), before);
    // The form of the bot has it, too.
    let field = "document.querySelector('#form-black [name=\"weights.mobility\"]')";
    visit.browser.until(&format!("{field}.value === '50'"));
    let after = score();
    set("5000000");
    visit
        .browser
        .until("document.querySelector('.why .error').textContent.includes('5000000')");
    assert_eq!(score(), after);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn two_bots_are_watched_stepped_and_played_to_the_end() {
    let visit = Visit::start();
    visit.open("/watch");
    visit.browser.click("#pause");
    visit
        .browser
        .until("document.querySelector('#pause').textContent === 'Resume'");
    let before = visit.moves().len();
    visit.browser.click("#step");
    visit.until_moves(before + 1);
    visit
        .browser
        .until("document.querySelector('#pause').textContent === 'Resume'");
    // No pause between moves.
    visit.browser.run("const s = document.querySelector('#speed'); s.value = 0; s.dispatchEvent(new Event('change'))");
    visit.browser.click("#pause");
    visit
        .browser
        .until("document.querySelector('#status').classList.contains('over')");
    let status = visit.status();
    assert!(
        status.contains("wins") || status.starts_with("Draw"),
        "{status}"
    );
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_game_of_a_report_is_continued_from_any_move() {
    let visit = Visit::start();
    let config = visit.reports.path().join("short.toml");
    let players = ["one", "two"].map(|name| {
        format!("[[player]]\nname = \"{name}\"\nevaluator = \"material\"\ndepth = 1\n")
    });
    let text = format!("game = \"chess\"\n[match]\npairs = 1\n{}", players.concat());
    std::fs::write(&config, text).expect("written");
    let out = visit.reports.path().join("short");
    let (config, out) = (config.to_string_lossy(), out.to_string_lossy());
    stdout(&["run", &config, "--out", &out, "--quiet"]);
    let game = visit.server.get("/api/reported/short/2");
    let moves = game["moves"].as_array().expect("moves").len();
    visit.open("/play?run=short&game=2&ply=4");
    visit.browser.until(&format!(
        "document.querySelector('#status').textContent.startsWith('Position after 4 of {moves}')"
    ));
    visit.browser.click("#continue");
    visit
        .browser
        .until("document.querySelectorAll('#moves .move').length < 7");
    // The dialog lists the run, too.
    visit.browser.click("#new");
    visit
        .browser
        .until("document.querySelector('#new-game [name=run]')?.value === 'short'");
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn the_keyboard_alone_plays_a_move_and_the_board_names_its_squares() {
    let visit = Visit::start();
    visit.open("/play");
    const UP: char = '\u{e013}';
    const LEFT: char = '\u{e012}';
    const ENTER: char = '\u{e007}';
    const TAB: char = '\u{e004}';
    // Tab reaches the board; the cursor begins at the first piece that can move: the knight on b1 or a pawn.
    for _ in 0..20 {
        let on_board = visit
            .browser
            .run("return document.activeElement.matches('.board')");
        if on_board == json!(true) {
            break;
        }
        visit.browser.keys(&TAB.to_string());
    }
    visit.browser.keys(&LEFT.to_string());
    let cursor = || {
        let script = "const b = document.querySelector('#board .board'); \
                      return document.getElementById(b.getAttribute('aria-activedescendant')).getAttribute('aria-label')";
        visit.browser.run(script).as_str().unwrap_or("").to_string()
    };
    let name = cursor();
    assert_eq!(name, "a2, white pawn");
    visit.browser.keys(&format!("{ENTER}{UP}{UP}"));
    assert_eq!(cursor(), "a4, empty");
    visit.browser.keys(&ENTER.to_string());
    visit.until_moves(2);
    assert_eq!(visit.moves()[0], "a4");
    // Letters are shortcuts.
    visit.browser.keys("u");
    visit
        .browser
        .until("document.querySelector('#status').textContent.startsWith('Position after 0')");
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn the_pages_fit_any_screen_and_the_board_stays_square() {
    let visit = Visit::start();
    for scheme in ["light", "dark"] {
        visit.browser.prefer(scheme);
        let mut grounds = Vec::new();
        for width in [320, 360, 1280, 1920] {
            visit.browser.resize(width, 900);
            for page in ["/play", "/watch"] {
                visit.open(page);
                let wide = visit
                    .browser
                    .run("return document.documentElement.scrollWidth");
                assert!(wide.as_u64() <= Some(width), "{page}: {wide} at {width}");
                let size = visit.browser.run(
                    "const b = document.querySelector('#board .board').getBoundingClientRect(); return [b.width, b.height, b.bottom]",
                );
                let (across, down) = (size[0].as_f64(), size[1].as_f64());
                assert_eq!(across, down, "{page} at {width}");
                assert!(across >= Some(300.0), "{page}: {across:?} at {width}");
                assert!(
                    size[2].as_f64() < Some(900.0),
                    "{page}: the board ends below the screen"
                );
            }
            let ground = visit
                .browser
                .run("return getComputedStyle(document.body).backgroundColor");
            grounds.push(ground);
        }
        let dark = grounds
            .iter()
            .all(|ground| *ground == json!("rgb(21, 24, 28)"));
        assert_eq!(dark, scheme == "dark", "{grounds:?}");
    }
    // A finger taps and drags.
    visit.browser.resize(360, 740);
    visit.open("/play");
    visit.browser.tap(&square(&visit.browser, "e2"));
    visit.browser.tap(&square(&visit.browser, "e4"));
    visit.until_moves(2);
    visit.browser.drag(
        "touch",
        &square(&visit.browser, "d2"),
        &square(&visit.browser, "d3"),
    );
    visit.until_moves(4);
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_search_stops_when_its_game_is_left() {
    let visit = Visit::start();
    let deep = json!({ "kind": "bot", "settings": [["name", "deep"], ["evaluator", "classical"], ["depth", "40"], ["search.profile", "strong"]] });
    let begun = visit.server.post(
        "/api/play",
        &json!({ "game": "chess", "white": deep, "black": { "kind": "human" } }),
    );
    let id = begun["id"].as_str().expect("an id").to_string();
    visit.open(&format!("/play#game-{id}"));
    visit
        .browser
        .until("document.querySelector('#thought').textContent.startsWith('depth')");
    // The page answers while the bot thinks.
    visit.browser.click("#turn");
    let bottom = visit.browser.text("#board + div");
    assert!(bottom.contains("deep"), "{bottom}");
    // It can be told to move.
    visit
        .browser
        .until("!document.querySelector('#now').hidden");
    visit.browser.click("#now");
    visit.until_moves(1);
    visit.click_squares(&["a7", "a6"]);
    visit.until_moves(2);
    visit
        .browser
        .until("document.querySelector('#thought').textContent.startsWith('depth')");
    visit.browser.visit("about:blank");
    // A search that runs to its limit plays a move; one that is stopped plays none.
    let left = loop {
        let state = visit.server.get(&format!("/api/play/{id}"));
        if state["thinking"] == json!(false) {
            break state;
        }
    };
    assert_eq!(left["moves"].as_array().map(Vec::len), Some(2));
    visit.refuse_noise();
}
