//! Games against the server of `sparring serve`, over HTTP: moves, set-up, forms, and what is refused.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::common::stdout;
use crate::serving::Serving;

fn serving() -> (Serving, TempDir) {
    let folder = tempdir().expect("a folder");
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    (Serving::start(folder.path(), &configs), folder)
}

fn bot(settings: &[(&str, &str)]) -> Value {
    json!({ "kind": "bot", "settings": settings })
}

fn human() -> Value {
    json!({ "kind": "human" })
}

fn id_of(state: &Value) -> String {
    state["id"].as_str().expect("an id").to_string()
}

fn texts(state: &Value) -> Vec<String> {
    let moves = state["moves"].as_array().cloned().unwrap_or_default();
    let texts = moves
        .iter()
        .map(|mv| mv["text"].as_str().unwrap_or("").to_string());
    texts.collect()
}

/// What `sparring search` prints for the player at this position.
fn searched(game: &str, settings: &[(&str, &str)], fen: &str) -> String {
    let mut args = vec!["search".to_string(), "--game".to_string(), game.to_string()];
    for (key, value) in settings {
        match *key {
            "name" => {}
            "evaluator" | "depth" | "nodes" => {
                args.extend([format!("--{key}"), value.to_string()]);
            }
            key => args.extend(["--set".to_string(), format!("{key}={value}")]),
        }
    }
    args.push(fen.to_string());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let printed = stdout(&args);
    let last = printed.lines().last().unwrap_or("").to_string();
    let word = last.split_whitespace().nth(1).unwrap_or("").to_string();
    assert!(last.starts_with("bestmove "), "{printed}");
    word
}

#[test]
fn bots_play_the_moves_of_sparring_search() {
    const PLIES: usize = 12;
    let (server, _folder) = serving();
    type Texts = &'static [(&'static str, &'static str)];
    let cases: [(&str, Texts, Texts); 4] = [
        (
            "chess",
            &[
                ("name", "Easy"),
                ("evaluator", "four-factor"),
                ("depth", "2"),
            ],
            &[
                ("name", "strong"),
                ("evaluator", "classical"),
                ("nodes", "3000"),
                ("search.profile", "strong"),
            ],
        ),
        (
            "checkers",
            &[
                ("name", "Medium"),
                ("evaluator", "basic"),
                ("depth", "5"),
                ("search.profile", "checkers"),
            ],
            &[
                ("name", "extreme"),
                ("evaluator", "extreme"),
                ("depth", "4"),
            ],
        ),
        (
            "international",
            &[
                ("name", "Casual"),
                ("evaluator", "draughts"),
                ("depth", "3"),
                ("search.profile", "strong"),
            ],
            &[
                ("name", "material"),
                ("evaluator", "material"),
                ("depth", "3"),
            ],
        ),
        (
            "othello",
            &[("name", "a"), ("evaluator", "othello"), ("depth", "3")],
            &[("name", "b"), ("evaluator", "material"), ("depth", "2")],
        ),
    ];
    for (game, white, black) in cases {
        let begun = server.post(
            "/api/play",
            &json!({ "game": game, "white": bot(white), "black": bot(black) }),
        );
        let id = id_of(&begun);
        let state = server.follow(&id, |state| texts(state).len() >= PLIES);
        for (ply, mv) in texts(&state).iter().take(PLIES).enumerate() {
            let position = server.get(&format!("/api/play/{id}/position/{ply}"));
            let player = if position["turn"] == "white" {
                white
            } else {
                black
            };
            let fen = position["fen"].as_str().expect("a FEN");
            assert_eq!(
                *mv,
                searched(game, player, fen),
                "{game}, {fen}, {player:?}"
            );
        }
    }
}

#[test]
fn every_level_of_the_older_programs_can_be_chosen_by_name() {
    let (server, _folder) = serving();
    for (game, names) in [
        (
            "checkers",
            &["Easy", "Medium", "Hard", "Extreme", "Adaptive"][..],
        ),
        ("chess", &["Easy", "Hard", "Staged", "Simplified", "Swing"]),
    ] {
        let detail = server.get(&format!("/api/games/{game}"));
        let opponents = detail["opponents"].as_array().expect("a list");
        for name in names {
            let opponent = opponents
                .iter()
                .find(|one| one["group"] == "Levels" && one["name"] == *name);
            let opponent = opponent.unwrap_or_else(|| panic!("{game}: no level {name}"));
            let seat = json!({ "kind": "bot", "settings": opponent["settings"] });
            let begun = server.post(
                "/api/play",
                &json!({ "game": game, "white": human(), "black": seat, "paused": true }),
            );
            assert_eq!(begun["seats"]["black"]["name"], *name);
        }
        let groups: Vec<&str> = opponents
            .iter()
            .filter_map(|one| one["group"].as_str())
            .collect();
        let configs = if game == "chess" {
            "configs/originals.toml"
        } else {
            "configs/levels.toml"
        };
        for group in ["Presets", configs] {
            assert!(groups.contains(&group), "{game}: no {group} in {groups:?}");
        }
    }
}

#[test]
fn a_wrong_value_of_a_form_gets_the_message_of_a_config_and_changes_nothing() {
    let (server, folder) = serving();
    let seat = [
        ("name", "x"),
        ("evaluator", "four-factor"),
        ("depth", "2"),
        ("weights.mobility", "4"),
    ];
    let begun = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": human(), "black": bot(&seat) }),
    );
    let path = format!("/api/play/{}/seat", id_of(&begun));
    for (key, value) in [
        ("weights.mobility", "4000000"),
        ("weights.mobilty", "4"),
        ("weights.mobility", "many"),
        ("depth", "0"),
        ("search.profile", "stong"),
    ] {
        let mut settings = vec![("name", "x"), ("evaluator", "four-factor")];
        settings.push((key, value));
        let request = json!({ "side": "black", "seat": bot(&settings) });
        let (status, message) = server.refusal(&path, &request);
        assert_eq!(status, 422, "{key} = {value}: {message}");
        // The same line in a config.
        let quoted = match value.parse::<f64>() {
            Ok(_) => value.to_string(),
            Err(_) => format!("\"{value}\""),
        };
        let config = folder.path().join("x.toml");
        let player =
            format!("[[player]]\nname = \"x\"\nevaluator = \"four-factor\"\n{key} = {quoted}\n");
        let other = "[[player]]\nname = \"y\"\nevaluator = \"material\"\n";
        fs::write(&config, format!("game = \"chess\"\n{player}{other}")).expect("written");
        let complaint = crate::common::complaint(&["run", &config.to_string_lossy()]);
        let end = |text: &str| text.trim().rsplit(": ").next().unwrap_or("").to_string();
        assert_eq!(end(&message), end(&complaint), "{message}\n{complaint}");
    }
    let after = server.get(&format!("/api/play/{}", id_of(&begun)));
    assert_eq!(after["seats"]["black"], begun["seats"]["black"]);
}

#[test]
fn a_game_is_set_up_from_a_fen_a_pgn_or_a_pdn() {
    let (server, _folder) = serving();
    let read =
        |game: &str, text: &str| server.post("/api/text", &json!({ "game": game, "text": text }));
    let fen = "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1";
    assert_eq!(read("chess", fen)["fen"], fen);
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 {best} Nc6 (2... d6) 3. Bb5 *\n";
    let game = read("chess", pgn);
    assert_eq!(
        game["moves"],
        json!(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"])
    );
    let pdn = "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *";
    assert_eq!(
        read("international", pdn)["moves"],
        json!(["32-28", "19-23", "28x19", "14x23"])
    );
    let (status, message) = server.refusal(
        "/api/text",
        &json!({ "game": "chess", "text": "1. e4 e5\n2. Ke4 *" }),
    );
    assert_eq!(status, 422);
    assert!(message.starts_with("line 2: "), "{message}");
    let (_, message) = server.refusal(
        "/api/text",
        &json!({ "game": "chess", "text": "8/8/8/8 w - -" }),
    );
    assert!(!message.is_empty());
}

#[test]
fn the_text_of_a_game_reads_back_as_the_same_game() {
    let (server, _folder) = serving();
    for (game, format) in [("chess", "pgn"), ("checkers", "pdn")] {
        let material = [("name", "m"), ("evaluator", "material"), ("depth", "2")];
        let begun = server.post(
            "/api/play",
            &json!({ "game": game, "white": bot(&material), "black": bot(&material) }),
        );
        let id = id_of(&begun);
        server.follow(&id, |state| texts(state).len() >= 10);
        let paused = server.post(&format!("/api/play/{id}/pause"), &json!({ "paused": true }));
        let text = server.text(&format!("/api/play/{id}/export?format={format}"));
        let read = server.post("/api/text", &json!({ "game": game, "text": text }));
        assert_eq!(read["moves"], json!(texts(&paused)), "{text}");
    }
}

#[test]
fn a_bot_answers_a_draw_offer_by_its_score() {
    let (server, _folder) = serving();
    let material = [("name", "m"), ("evaluator", "material"), ("depth", "2")];
    // Black is a queen ahead in the first, and a rook behind in the second.
    for (fen, accepts) in [
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", true),
    ] {
        let begun = server.post(
            "/api/play",
            &json!({ "game": "chess", "white": human(), "black": bot(&material), "fen": fen }),
        );
        let id = id_of(&begun);
        server.post(&format!("/api/play/{id}/move"), &json!({ "move": "e1f2" }));
        server.follow(&id, |state| texts(state).len() == 2);
        let answer = server.post(&format!("/api/play/{id}/draw"), &json!({}));
        let says = answer["says"].as_str().unwrap_or("");
        assert_eq!(answer["end"]["reason"] == "agreement", accepts, "{says}");
        assert_eq!(says.contains("accepts"), accepts, "{says}");
    }
}

#[test]
fn a_player_whose_clock_runs_out_loses() {
    let (server, _folder) = serving();
    let begun = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": human(), "black": human(), "clock": [1000, 0] }),
    );
    let id = id_of(&begun);
    server.post(&format!("/api/play/{id}/move"), &json!({ "move": "e2e4" }));
    let over = server.follow(&id, |state| !state["end"].is_null());
    assert_eq!(over["end"]["reason"], "forfeit-time");
    assert_eq!(over["end"]["winner"], "white");
    assert_eq!(over["clock"]["black"], 0);
    // The time comes back with the move.
    let undone = server.post(&format!("/api/play/{id}/undo"), &json!({}));
    assert_eq!(undone["end"], Value::Null);
    assert_eq!(undone["clock"]["white"], 1000);
}

#[test]
fn an_engine_plays_if_a_config_names_it_and_only_then() {
    let reports = tempdir().expect("a folder");
    let configs = tempdir().expect("a folder");
    let config = format!(
        "game = \"chess\"\n[[player]]\nname = \"guest\"\nengine = {:?}\nargs = [\"uci\"]\ndepth = 2\n\
         [[player]]\nname = \"other\"\nevaluator = \"material\"\n",
        env!("CARGO_BIN_EXE_sparring")
    );
    fs::write(configs.path().join("guests.toml"), config).expect("written");
    fs::write(reports.path().join("outside.toml"), "").expect("written");
    let server = Serving::start(reports.path(), configs.path());
    let detail = server.get("/api/games/chess");
    let opponents = detail["opponents"].as_array().expect("a list");
    let guest = opponents.iter().find(|one| one["name"] == "guest");
    let engine = guest.expect("the engine is listed")["engine"].clone();
    assert_eq!(
        engine,
        json!({ "config": "guests.toml", "player": "guest" })
    );
    let with = |config: &str, player: &str| json!({ "game": "chess", "white": human(), "black": { "kind": "engine", "config": config, "player": player } });
    let id = id_of(&server.post("/api/play", &with("guests.toml", "guest")));
    server.post(&format!("/api/play/{id}/move"), &json!({ "move": "e2e4" }));
    let answered = server.follow(&id, |state| texts(state).len() == 2);
    assert_eq!(answered["end"], Value::Null);
    assert_eq!(answered["moves"][1]["found"]["depth"], 2);
    for (config, player) in [
        ("guests.toml", "other"),
        ("guests.toml", "stranger"),
        ("../outside.toml", "guest"),
        ("/etc/passwd", "guest"),
        ("runs/../outside.toml", "guest"),
        ("absent.toml", "guest"),
    ] {
        let (status, message) = server.refusal("/api/play", &with(config, player));
        assert!(
            [400, 404, 422].contains(&status),
            "{config}: {status} {message}"
        );
    }
}

#[test]
fn nets_of_the_configs_play_and_other_files_are_not_read() {
    let reports = tempdir().expect("a folder");
    let configs = tempdir().expect("a folder");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/nets/quantised.bin");
    fs::copy(&golden, configs.path().join("small.bin")).expect("copied");
    let server = Serving::start(reports.path(), configs.path());
    let detail = server.get("/api/games/chess");
    let opponents = detail["opponents"].as_array().expect("a list");
    let net = opponents
        .iter()
        .find(|one| one["group"] == "Nets and patterns");
    let net = net.expect("the net is listed");
    assert_eq!(net["name"], "small.bin");
    let seat = json!({ "kind": "bot", "settings": net["settings"] });
    let id = id_of(&server.post(
        "/api/play",
        &json!({ "game": "chess", "white": human(), "black": seat }),
    ));
    server.post(&format!("/api/play/{id}/move"), &json!({ "move": "e2e4" }));
    server.follow(&id, |state| texts(state).len() == 2);
    let other = golden.to_string_lossy();
    let quoted = format!("\"{other}\"");
    for path in [
        &*other,
        &quoted,
        "/no/such.bin",
        "../small.bin",
        "\"x.toml\"",
    ] {
        let seat = bot(&[("name", "x"), ("evaluator", path)]);
        let request = json!({ "game": "chess", "white": human(), "black": seat });
        let (status, message) = server.refusal("/api/play", &request);
        assert_eq!(status, 422, "{message}");
        assert!(message.contains("expected a preset"), "{message}");
    }
}

#[test]
fn moves_are_taken_back_played_again_and_replaced() {
    let (server, _folder) = serving();
    let easy = [
        ("name", "Easy"),
        ("evaluator", "four-factor"),
        ("depth", "2"),
    ];
    let begun = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": human(), "black": bot(&easy) }),
    );
    let id = id_of(&begun);
    let act = |action: &str, body: Value| server.post(&format!("/api/play/{id}/{action}"), &body);
    act("move", json!({ "move": "e2e4" }));
    let first = server.follow(&id, |state| texts(state).len() == 2);
    let undone = act("undo", json!({}));
    assert_eq!(
        (&undone["at"], &undone["turn"]),
        (&json!(0), &json!("white"))
    );
    let again = act("redo", json!({}));
    assert_eq!(again["at"], json!(2));
    assert_eq!(texts(&again), texts(&first));
    act("undo", json!({}));
    act("move", json!({ "move": "d2d4" }));
    let other = server.follow(&id, |state| texts(state).len() == 2);
    assert_eq!(texts(&other)[0], "d2d4");
    // A move for the bot, an illegal one, and one made on an old board.
    act("move", json!({ "move": "g1f3" }));
    for (body, status) in [
        (json!({ "move": "e2e5" }), 409),
        (json!({ "move": "nonsense" }), 409),
        (json!({ "move": "b1c3", "at": 0 }), 409),
        (json!({ "mov": "b1c3" }), 400),
    ] {
        let refused = server.refusal(&format!("/api/play/{id}/move"), &body);
        assert_eq!(refused.0, status, "{body}: {}", refused.1);
    }
}
