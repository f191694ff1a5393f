//! Searches of several games against each other, searches that are told to end, and what bots say of draws.

use std::fs;
use std::thread;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::serving::Serving;
use crate::web::{Events, Served};

fn bot(settings: &[(&str, &str)]) -> Value {
    json!({ "kind": "bot", "settings": settings })
}

fn human() -> Value {
    json!({ "kind": "human" })
}

fn begin(server: &Served, request: &Value) -> String {
    let answer = server.post("/api/play", request);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["id"].as_str().expect("an id").to_string()
}

fn act(server: &Served, id: &str, action: &str, body: &Value) -> Value {
    let answer = server.post(&format!("/api/play/{id}/{action}"), body);
    assert_eq!(answer.status, 200, "{action}: {}", answer.body);
    answer.json()
}

fn state(server: &Served, id: &str) -> Value {
    server.get(&format!("/api/play/{id}")).json()
}

/// The next event of this name that satisfies the condition.
fn event(events: &mut Events, name: &str, until: impl Fn(&Value) -> bool) -> Value {
    loop {
        let (found, value) = events.next();
        if found == name && until(&value) {
            return value;
        }
    }
}

fn follow(server: &Served, id: &str, until: impl Fn(&Value) -> bool) -> Value {
    event(
        &mut server.events(&format!("/api/play/{id}/events")),
        "game",
        until,
    )
}

fn plies(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

/// A search that does not end by itself.
const ENDLESS: &[(&str, &str)] = &[
    ("name", "deep"),
    ("evaluator", "classical"),
    ("depth", "60"),
    ("search.profile", "strong"),
];
const QUICK: &[(&str, &str)] = &[
    ("name", "quick"),
    ("evaluator", "four-factor"),
    ("depth", "2"),
];

/// More than there are places for searches.
fn crowd() -> usize {
    thread::available_parallelism().map_or(1, usize::from) + 1
}

#[test]
fn a_bot_moves_while_deep_explanations_of_other_games_wait() {
    let server = Served::start();
    // Each follows an explanation that takes much longer than a minute.
    let explained: Vec<String> = (0..crowd())
        .map(|_| {
            let id = begin(
                &server,
                &json!({ "game": "chess", "white": human(), "black": human() }),
            );
            let settings = [("name", "x"), ("evaluator", "classical"), ("depth", "12")];
            let why = json!({ "settings": settings, "depth": 12, "moves_depth": 12 });
            act(&server, &id, "why", &json!({ "why": why }));
            id
        })
        .collect();
    let id = begin(
        &server,
        &json!({ "game": "chess", "white": human(), "black": bot(QUICK) }),
    );
    act(&server, &id, "move", &json!({ "move": "e2e4" }));
    follow(&server, &id, |state| plies(state) == 2);
    // None of the explanations had to end for that.
    for id in explained {
        let mut events = server.events(&format!("/api/play/{id}/events"));
        let why = event(&mut events, "why", |_| true);
        assert_eq!(why["done"], json!(false), "{why}");
    }
}

#[test]
fn a_quick_bot_moves_while_deep_ones_of_other_games_search() {
    let server = Served::start();
    let deep: Vec<String> = (0..crowd())
        .map(|_| {
            let id = begin(
                &server,
                &json!({ "game": "chess", "white": bot(ENDLESS), "black": human() }),
            );
            follow(&server, &id, |state| state["thinking"] == json!(true));
            id
        })
        .collect();
    let id = begin(
        &server,
        &json!({ "game": "chess", "white": human(), "black": bot(QUICK) }),
    );
    act(&server, &id, "move", &json!({ "move": "e2e4" }));
    follow(&server, &id, |state| plies(state) == 2);
    // All of them still think.
    for id in deep {
        let state = state(&server, &id);
        assert_eq!(
            (&state["thinking"], plies(&state)),
            (&json!(true), 0),
            "{state}"
        );
    }
}

#[test]
fn a_search_without_deepening_that_is_told_to_move_plays_a_move_with_a_real_score() {
    let server = Served::start();
    // Black can take a queen; without iterative deepening, depth 30 never ends.
    let fen = "3qk3/8/8/8/8/8/3Q4/7K b - - 0 1";
    for settings in [
        &[("name", "x"), ("evaluator", "material"), ("depth", "30")][..],
        &[
            ("name", "x"),
            ("evaluator", "staged"),
            ("depth", "30"),
            ("search.profile", "staged"),
        ],
    ] {
        let id = begin(
            &server,
            &json!({ "game": "chess", "white": human(), "black": bot(settings), "fen": fen }),
        );
        follow(&server, &id, |state| state["thinking"] == json!(true));
        act(&server, &id, "now", &json!({}));
        let moved = follow(&server, &id, |state| plies(state) == 1);
        let mv = &moved["moves"][0];
        assert_eq!(mv["text"], "d8d2", "{mv}");
        assert!(mv["found"]["depth"].as_u64() >= Some(1), "{mv}");
        // White is a queen behind.
        let score = mv["found"]["score"]["value"].as_f64().unwrap_or(0.0);
        assert!(score < -3.0, "{mv}");
        let answer = act(&server, &id, "draw", &json!({}));
        assert!(answer["end"].is_null(), "{answer}");
    }
}

#[test]
fn a_draw_is_decided_by_the_position_and_not_by_a_placeholder() {
    let server = Served::start();
    let hard: &[(&str, &str)] = &[
        ("name", "Hard"),
        ("evaluator", "basic"),
        ("depth", "7"),
        ("search.profile", "checkers"),
    ];
    let material: &[(&str, &str)] = &[("name", "m"), ("evaluator", "material"), ("depth", "2")];
    // The bot has not moved yet. White is three queens ahead, three behind, level.
    for (game, fen, settings, bots, accepts) in [
        (
            "chess",
            "QQQ1k3/8/8/8/8/8/8/4K3 b - - 0 1",
            material,
            "white",
            false,
        ),
        (
            "chess",
            "qqq1k3/8/8/8/8/8/8/4K3 b - - 0 1",
            material,
            "white",
            true,
        ),
        (
            "chess",
            "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1",
            material,
            "white",
            true,
        ),
        // Its static score is behind, but it takes a queen now.
        (
            "chess",
            "4k3/8/8/8/3q4/8/8/3RK3 w - - 0 1",
            material,
            "white",
            false,
        ),
        ("checkers", "B:W22,23,24,K30:B1", hard, "white", false),
        ("checkers", "B:W22:B1,2,3,K4", hard, "white", true),
    ] {
        let seats = match bots {
            "white" => (bot(settings), human()),
            _ => (human(), bot(settings)),
        };
        let id = begin(
            &server,
            &json!({ "game": game, "white": seats.0, "black": seats.1, "fen": fen, "paused": true }),
        );
        let answer = act(&server, &id, "draw", &json!({}));
        let says = answer["says"].as_str().unwrap_or("");
        assert_eq!(
            answer["end"]["reason"] == "agreement",
            accepts,
            "{fen}: {says}"
        );
    }
}

#[test]
fn a_bot_with_a_clock_moves_in_its_time_and_the_clocks_stand_still_while_nobody_looks() {
    let server = Served::start();
    let master: &[(&str, &str)] = &[
        ("name", "m"),
        ("evaluator", "classical"),
        ("depth", "60"),
        ("search.profile", "strong"),
    ];
    let id = begin(
        &server,
        &json!({ "game": "chess", "white": human(), "black": bot(master), "clock": [60_000, 1_000] }),
    );
    let mut events = server.events(&format!("/api/play/{id}/events"));
    let first = event(&mut events, "game", |_| true);
    assert_eq!(first["clock"]["running"], json!(false), "{first}");
    act(&server, &id, "move", &json!({ "move": "e2e4" }));
    // Without the clock, this search would end after a minute at the earliest.
    let moved = event(&mut events, "game", |state| plies(state) == 2);
    assert!(moved["end"].is_null(), "{moved}");
    let left = |side: &str| moved["clock"][side].as_u64().unwrap_or(0);
    // The first move costs nothing; the visitor's clock runs since the answer.
    assert!((60_000..=61_000).contains(&left("white")), "{moved}");
    assert!((1..61_000).contains(&left("black")), "{moved}");
    assert_eq!(moved["clock"]["running"], json!(true));
    let id = begin(
        &server,
        &json!({ "game": "checkers", "white": bot(&[("name", "a"), ("evaluator", "basic"), ("depth", "40"), ("search.profile", "strong")]), "black": human(), "clock": [2_000, 0] }),
    );
    let over = follow(&server, &id, |state| !state["end"].is_null());
    // The visitor never moves, so that only the visitor's clock can run out.
    assert_eq!(over["end"]["reason"], "forfeit-time", "{over}");
    assert_eq!(over["end"]["winner"], "white", "{over}");
}

fn hub_config(program: &str, more: &str) -> String {
    format!(
        "game = \"international\"\n[[player]]\nname = \"guest\"\nengine = {program:?}\nprotocol = \"hub\"\n\
         args = [\"hub\"]\n{more}\n[[player]]\nname = \"other\"\nevaluator = \"material\"\n"
    )
}

#[test]
fn a_hub_engine_plays_is_told_to_move_and_keeps_its_clock() {
    let (reports, configs) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let program = env!("CARGO_BIN_EXE_sparring");
    for (name, more) in [("shallow", "depth = 3"), ("deep", "depth = 60")] {
        let path = configs.path().join(format!("{name}.toml"));
        fs::write(path, hub_config(program, more)).expect("written");
    }
    let server = Serving::start(reports.path(), configs.path());
    let seat = |config: &str| json!({ "kind": "engine", "config": format!("{config}.toml"), "player": "guest" });
    let begin = |more: Value| {
        let mut request = json!({ "game": "international", "white": human() });
        for (key, value) in more.as_object().expect("fields") {
            request[key] = value.clone();
        }
        let begun = server.post("/api/play", &request);
        begun["id"].as_str().expect("an id").to_string()
    };
    let play = |id: &str, text: &str| {
        server.post(&format!("/api/play/{id}/move"), &json!({ "move": text }));
    };
    let id = begin(json!({ "black": seat("shallow") }));
    // The first move that the rules offer: a capture, where there is one.
    let play_first = |id: &str| {
        let now = server.get(&format!("/api/play/{id}"));
        let first = now["legal"][0]["text"].as_str().expect("a move");
        play(id, first);
    };
    for ply in [2, 4, 6] {
        play_first(&id);
        let after = server.follow(&id, |state| plies(state) >= ply || !state["end"].is_null());
        assert!(after["end"].is_null(), "{after}");
        assert_eq!(after["moves"][ply - 1]["found"]["depth"], 3, "{after}");
    }
    // It thinks for ever, and can be told to move.
    let id = begin(json!({ "black": seat("deep") }));
    play(&id, "32-28");
    server.follow(&id, |state| state["thinking"] == json!(true));
    server.post(&format!("/api/play/{id}/now"), &json!({}));
    let moved = server.follow(&id, |state| plies(state) == 2 || !state["end"].is_null());
    assert!(moved["end"].is_null(), "{moved}");
    // Left, it stops, and moves when the visitor is back.
    play_first(&id);
    server.follow(&id, |state| state["thinking"] == json!(true));
    server.post(&format!("/api/play/{id}/undo"), &json!({}));
    let back = server.get(&format!("/api/play/{id}"));
    assert_eq!((&back["thinking"], &back["at"]), (&json!(false), &json!(2)));
    // With a clock it moves in time.
    let id = begin(json!({ "black": seat("deep"), "clock": [30_000, 0] }));
    play(&id, "32-28");
    let moved = server.follow(&id, |state| plies(state) == 2 || !state["end"].is_null());
    assert!(moved["end"].is_null(), "{moved}");
    assert!(
        (1..30_000).contains(&moved["clock"]["black"].as_u64().unwrap_or(0)),
        "{moved}"
    );
}
