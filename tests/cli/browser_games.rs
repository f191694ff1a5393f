//! Every game on the page in a real browser, played by clicks on its board; clocks, and several boards on one page.
//! Run like `browser`.

use serde_json::{Value, json};

use crate::browser_play::Visit;

fn human() -> Value {
    json!({ "kind": "human" })
}

fn begin(visit: &Visit, request: &Value) -> String {
    let begun = visit.server.post("/api/play", request);
    let id = begun["id"].as_str().expect("an id").to_string();
    // Another address first: a changed fragment alone does not load the page again.
    visit.browser.visit("about:blank");
    visit.open(&format!("/play#game-{id}"));
    id
}

/// Enters a move as a visitor does: square by square, then what the page asks for.
fn enter(visit: &Visit, mv: &Value) {
    let route = mv["routes"][0].as_array().cloned().unwrap_or_default();
    if route.is_empty() {
        visit.browser.click("#pass");
        return;
    }
    for square in &route {
        visit
            .browser
            .click(&format!("#board .hit[data-square=\"{square}\"]"));
    }
    let shown = "return document.querySelector('#choice').open ? 'choice' : document.querySelector('#end-turn').hidden ? '' : 'end'";
    match visit.browser.run(shown).as_str() {
        Some("choice") => {
            let text = mv["text"].as_str().unwrap_or("");
            visit
                .browser
                .click(&format!("#choice button[value=\"{text}\"]"));
        }
        Some("end") => visit.browser.click("#end-turn"),
        _ => {}
    }
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn every_game_is_played_by_clicks() {
    const PLIES: usize = 10;
    let visit = Visit::start();
    let games = visit.server.get("/api/games");
    let games = games.as_array().expect("a list");
    assert_eq!(games.len(), 15);
    for game in games {
        let name = game["name"].as_str().expect("a name");
        let request = json!({ "game": name, "white": human(), "black": human() });
        let id = begin(&visit, &request);
        for ply in 0..PLIES {
            let state = visit.server.get(&format!("/api/play/{id}"));
            let legal = state["legal"].as_array().expect("moves");
            let mv = &legal[(7 * ply + 3) % legal.len()];
            enter(&visit, mv);
            visit.until_moves(ply + 1);
            let state = visit.server.get(&format!("/api/play/{id}"));
            let played = state["moves"].as_array().and_then(|moves| moves.last());
            assert_eq!(
                played.map(|played| &played["text"]),
                Some(&mv["text"]),
                "{name}"
            );
        }
        // The board fills its place, and every piece is drawn.
        let state = visit.server.get(&format!("/api/play/{id}"));
        let letters = state["letters"].as_str().unwrap_or("");
        let pieces = letters.chars().filter(|letter| !" .".contains(*letter));
        visit.browser.until(&format!(
            "document.querySelectorAll('#board .pieces [data-letter]').length === {}",
            pieces.count()
        ));
    }
    visit.refuse_noise();
}

/// The moves of a game of two bots with these depths.
fn bots_play_othello(visit: &Visit, (white, black): (u32, u32)) -> Vec<String> {
    let bot = |depth: u32| {
        let depth = depth.to_string();
        json!({ "kind": "bot", "settings": [["name", "m"], ["evaluator", "othello"], ["depth", depth]] })
    };
    let request = json!({ "game": "othello", "white": bot(white), "black": bot(black) });
    let begun = visit.server.post("/api/play", &request);
    let id = begun["id"].as_str().expect("an id");
    let over = visit.server.follow(id, |state| !state["end"].is_null());
    let moves = over["moves"].as_array().expect("moves").iter();
    moves
        .map(|mv| mv["text"].as_str().unwrap_or("").to_string())
        .collect()
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_player_of_othello_who_cannot_move_passes_by_a_button() {
    let visit = Visit::start();
    // A game with a pass, by two bots.
    let depths = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (3, 3)];
    let mut games = depths
        .into_iter()
        .map(|depths| bots_play_othello(&visit, depths));
    let found = games.find_map(|texts| {
        let pass = texts.iter().position(|text| text == "pass")?;
        Some((texts, pass))
    });
    let (texts, pass) = found.expect("one of the games has a pass");
    let request =
        json!({ "game": "othello", "white": human(), "black": human(), "moves": texts[..pass] });
    begin(&visit, &request);
    visit
        .browser
        .until("!document.querySelector('#pass').hidden");
    let said = visit.status();
    visit.browser.click("#pass");
    visit.until_moves(pass + 1);
    visit
        .browser
        .until("document.querySelector('#pass').hidden");
    assert_ne!(visit.status(), said);
    visit.refuse_noise();
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn a_refused_new_game_keeps_the_present_one_and_no_name_occurs_twice() {
    let visit = Visit::start();
    visit.open("/play");
    visit.browser.click("#new");
    visit
        .browser
        .until("document.querySelector('#new-game').open");
    visit.browser.run(
        "const g = document.querySelector('#new-game [name=game]'); g.value = 'chess960'; g.dispatchEvent(new Event('change'))",
    );
    visit
        .browser
        .until("document.querySelector('#new-game [name=start]')");
    // Two boards on one page.
    visit.browser.click("#new-game .editor summary");
    visit
        .browser
        .until("document.querySelectorAll('.board').length === 2");
    let twice = visit.browser.run(
        "const all = [...document.querySelectorAll('[id]')].map(e => e.id); return all.filter((id, at) => all.indexOf(id) !== at)",
    );
    assert_eq!(twice, json!([]));
    visit
        .browser
        .run("document.querySelector('#new-game [name=start]').value = '5000'; document.querySelector('#new-game form').noValidate = true");
    visit.browser.click("#start");
    visit
        .browser
        .until("document.querySelector('#new-game .error').textContent.includes('5000')");
    visit
        .browser
        .run("document.querySelector('#new-game').close()");
    // The answer of the bot still arrives.
    visit.click_squares(&["e2", "e4"]);
    visit.until_moves(2);
}

#[test]
#[ignore = "needs chromium and chromedriver; .ci/run runs it"]
fn clocks_run_for_who_is_to_move_and_end_the_game() {
    let visit = Visit::start();
    let easy = json!({ "kind": "bot", "settings": [["name", "Easy"], ["evaluator", "four-factor"], ["depth", "2"]] });
    let request = json!({ "game": "chess", "white": human(), "black": easy, "clock": [3_000, 0] });
    begin(&visit, &request);
    let clock = |side: &str| visit.browser.text(&format!(".bar.{side} .clock"));
    // Nobody's time runs before the first move.
    assert_eq!(
        (clock("white"), clock("black")),
        ("0:03.0".into(), "0:03.0".into())
    );
    visit.click_squares(&["e2", "e4"]);
    visit.until_moves(2);
    visit
        .browser
        .until("document.querySelector('.bar.white .clock').textContent < '0:02.8'");
    assert!(clock("black").as_str() >= "0:02.0", "{}", clock("black"));
    visit
        .browser
        .until("document.querySelector('#status').textContent === 'Black wins: time is over'");
    assert_eq!(clock("white"), "0:00.0");
    visit.refuse_noise();
}
