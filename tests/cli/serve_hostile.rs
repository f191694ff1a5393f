//! The server under a hostile client: forged requests, ways out of its folders, sizes and numbers beyond every limit.
//! Each gets its status code; the server stays alive, answers others, and its memory stays bounded.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::web::Served;

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// More than the server ever needs; a client must not make it need more.
const MOST_MEMORY: u64 = 1 << 30;

fn refuse_harm(server: &mut Served) {
    assert!(server.is_alive(), "the server ended");
    let answer = server.get("/api/games");
    assert_eq!(answer.status, 200, "{}", answer.body);
    #[cfg(target_os = "linux")]
    assert!(server.memory() < MOST_MEMORY, "{} bytes", server.memory());
}

#[test]
fn forged_requests_are_refused() {
    let mut server = Served::start();
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "10.0.0.1",
    ] {
        for path in [
            "/",
            "/runs",
            "/api/games",
            "/api/runs/events",
            "/assets/app.js",
            "/none",
        ] {
            let answer = server.ask("GET", path, &[("Host", host)], "");
            assert_eq!(answer.status, 421, "{host} {path}: {}", answer.body);
        }
    }
    let begin = json!({ "text": "game = \"chess\"", "name": "x" }).to_string();
    for path in [
        "/api/start",
        "/api/run/x/stop",
        "/api/run/x/resume",
        "/api/draft",
        "/api/play",
    ] {
        let foreign = [JSON, ("Origin", "http://evil.example")];
        assert_eq!(
            server.ask("POST", path, &foreign, &begin).status,
            403,
            "{path}"
        );
        let null = [JSON, ("Origin", "null")];
        assert_eq!(
            server.ask("POST", path, &null, &begin).status,
            403,
            "{path}"
        );
        // What a form of another site can send without asking.
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
        ] {
            let form = [("Content-Type", kind)];
            assert_eq!(
                server.ask("POST", path, &form, &begin).status,
                415,
                "{path} {kind}"
            );
        }
        let site = [
            JSON,
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Mode", "cors"),
        ];
        assert_eq!(
            server.ask("POST", path, &site, &begin).status,
            403,
            "{path}"
        );
        // An action is no link.
        assert!(matches!(server.get(path).status, 404 | 405), "{path}");
    }
    assert!(
        fs::read_dir(server.reports())
            .expect("a folder")
            .next()
            .is_none()
    );
    refuse_harm(&mut server);
}

#[test]
fn with_a_token_nothing_is_answered_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = "0123456789abcdef";
    let server = Served::start_with(folder, &["--token", token]);
    for path in [
        "/",
        "/runs",
        "/api/games",
        "/api/runs/events",
        "/assets/app.js",
        "/none",
        "/?token=wrong",
    ] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    let stop = server.post("/api/run/x/stop", &json!({}));
    assert_eq!(stop.status, 401);
    // The printed address sets a cookie and leaves the token out of the next one.
    let first = server.get(&format!("/runs?token={token}"));
    let head = first.head.to_lowercase();
    assert_eq!(first.status, 303, "{head}");
    assert!(
        head.contains("location: /runs\r\n") || head.ends_with("location: /runs"),
        "{head}"
    );
    assert!(
        head.contains("httponly") && head.contains("samesite=strict"),
        "{head}"
    );
    let cookie = format!("sparring={token}");
    assert_eq!(
        server
            .ask("GET", "/runs", &[("Cookie", &cookie)], "")
            .status,
        200
    );
    let bearer = format!("Bearer {token}");
    assert_eq!(
        server
            .ask("GET", "/api/games", &[("Authorization", &bearer)], "")
            .status,
        200
    );
    let wrong = format!("sparring={}", token.replace('f', "e"));
    assert_eq!(
        server.ask("GET", "/runs", &[("Cookie", &wrong)], "").status,
        401
    );
}

#[test]
fn every_answer_forbids_script_of_others() {
    let server = Served::start();
    for path in [
        "/",
        "/runs",
        "/run",
        "/compare",
        "/start",
        "/assets/run.js",
        "/api/games",
        "/none",
    ] {
        let answer = server.get(path);
        let head = answer.head.to_lowercase();
        for line in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(line), "{path}: {head}");
        }
        assert!(!head.contains("unsafe"), "{path}: {head}");
        assert!(
            !answer.body.contains("<script>") && !answer.body.contains("style=\""),
            "{path}"
        );
    }
}

/// Files beside the folders, and links to them from inside.
fn place_secrets(server: &Served) {
    let secret = server.folder.path().join("secret");
    fs::create_dir(&secret).expect("a folder");
    for name in ["config.toml", "manifest.json", "games.csv"] {
        fs::write(secret.join(name), "the secret").expect("written");
    }
    fs::write(server.folder.path().join("secret.toml"), "the secret").expect("written");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, server.reports().join("link")).expect("a link");
        let run = server.reports().join("run");
        fs::create_dir(&run).expect("a folder");
        fs::write(run.join("manifest.json"), "{}").expect("written");
        let file = secret.join("config.toml");
        std::os::unix::fs::symlink(file, run.join("config.toml")).expect("a link");
        let file = server.folder.path().join("secret.toml");
        std::os::unix::fs::symlink(file, server.configs().join("linked.toml")).expect("a link");
    }
}

/// Names of runs and files that lead elsewhere, as addresses have them.
const WAYS: &[&str] = &[
    "..%2Fsecret",
    "..%2fsecret",
    "%2e%2e%2Fsecret",
    "%2E%2E%5Csecret",
    "..%5Csecret",
    "run%2F..%2F..%2Fsecret",
    "run%2F..%2F..%2F..%2F..%2Fetc",
    "%2Fetc",
    "link",
    "link%2F.",
    ".%2Flink",
    "..%252Fsecret",
    "..",
    ".",
    "%00",
    "run%00",
    "C:%5C",
    "..;%2Fsecret",
];

#[test]
fn no_path_leads_out_of_the_folders() {
    let mut server = Served::start();
    place_secrets(&server);
    for way in WAYS {
        for path in [
            format!("/api/run/{way}/file/config.toml"),
            format!("/api/run/{way}/game/1"),
            format!("/api/run/{way}/events"),
            format!("/api/reported/{way}/1"),
            format!("/api/configs/run/{way}"),
            format!("/api/configs/config/{way}"),
            format!("/api/configs/config/{way}.toml"),
            format!("/api/runs/compare?run={way}&run={way}"),
            format!("/assets/{way}"),
            format!("/{way}"),
        ] {
            let answer = server.get(&path);
            assert!(
                matches!(answer.status, 400 | 404),
                "{path}: {} {}",
                answer.status,
                answer.body
            );
            assert!(
                !answer.body.contains("the secret"),
                "{path}: {}",
                answer.body
            );
        }
        let answer = server.post(
            "/api/draft",
            &json!({ "text": "", "run": way.replace("%2F", "/") }),
        );
        assert!(
            matches!(answer.status, 400 | 404),
            "{way}: {} {}",
            answer.status,
            answer.body
        );
    }
    for path in [
        "/api/run/run/file/config.toml",
        "/api/run/run/file/..%2F..%2Fsecret.toml",
        "/api/run/run/file/.lock",
        "/api/configs/config/linked.toml",
        "/../../../../etc/passwd",
        "/assets/../../Cargo.toml",
        "//etc/passwd",
    ] {
        let answer = server.get(path);
        assert!(
            matches!(answer.status, 400 | 404),
            "{path}: {} {}",
            answer.status,
            answer.body
        );
        assert!(!answer.body.contains("the secret"), "{path}");
    }
    refuse_harm(&mut server);
}

#[test]
fn malformed_and_oversized_requests_are_refused() {
    let mut server = Served::start();
    let large = "x".repeat(10 << 20);
    for path in ["/api/draft", "/api/start", "/api/play", "/api/position"] {
        assert_eq!(
            server.ask("POST", path, &[JSON], &large).status,
            413,
            "{path}"
        );
        // The same without saying so before.
        let mut text = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
        .into_bytes();
        for _ in 0..20 {
            text.extend_from_slice(b"80000\r\n");
            text.extend_from_slice(&large.as_bytes()[..0x80000]);
            text.extend_from_slice(b"\r\n");
        }
        text.extend_from_slice(b"0\r\n\r\n");
        // The server may close while the client still sends.
        if let Some(answer) = server.send(&text) {
            assert_eq!(answer.status, 413, "{path}");
        }
        let deep = "[".repeat(200_000);
        for bad in [
            "{",
            "null",
            "[]",
            "\u{0}",
            "{\"text\": 1}",
            "{\"game\": \"chess\", \"no\": 1}",
            &deep,
        ] {
            let answer = server.ask("POST", path, &[JSON], bad);
            assert_eq!(answer.status, 400, "{path} {:.20}: {}", bad, answer.body);
        }
    }
    let long = format!("/{}", "a".repeat(100_000));
    if let Some(answer) = server.send(
        format!("GET {long} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes(),
    ) {
        assert!(matches!(answer.status, 414 | 431), "{}", answer.status);
    }
    for method in ["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"] {
        let status = server.ask(method, "/api/games", &[JSON], "").status;
        assert_eq!(status, 405, "{method}");
    }
    let names = ["..", "a/b", "", ".hidden", "-rf", "x\u{0}y", "CON:"];
    for name in names {
        let text = "game = \"chess\"\n[[player]]\nname = \"a\"\nevaluator = \"material\"\n[[player]]\nname = \"b\"\nevaluator = \"material\"\ndepth = 2\n";
        let answer = server.post("/api/start", &json!({ "text": text, "name": name }));
        assert_eq!(answer.status, 422, "{name}: {}", answer.body);
    }
    refuse_harm(&mut server);
}

#[test]
fn what_is_no_request_is_refused() {
    let mut server = Served::start();
    for bytes in [
        &b"GET"[..],
        b"\r\n\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /api/draft HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/draft HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    ] {
        let mut stream = server.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4"),
            "{bytes:?}: {answer}"
        );
    }
    refuse_harm(&mut server);
}

#[test]
fn moves_that_are_not_the_visitors_are_refused() {
    let mut server = Served::start();
    let human = json!({ "kind": "human" });
    let bot = json!({ "kind": "bot", "settings": [["name", "bot"], ["evaluator", "material"], ["depth", "1"]] });
    let game = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": bot, "black": human, "paused": true }),
    );
    assert_eq!(game.status, 200, "{}", game.body);
    let id = game.json()["id"]
        .as_str()
        .map(str::to_string)
        .expect("an id");
    let act = |body: serde_json::Value| server.post(&format!("/api/play/{id}/move"), &body);
    // White is the bot: no visitor moves for it.
    let answer = act(json!({ "move": "e2e4" }));
    assert!(
        (400..500).contains(&answer.status),
        "{} {}",
        answer.status,
        answer.body
    );
    let game = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": human, "black": human }),
    );
    let id = game.json()["id"]
        .as_str()
        .map(str::to_string)
        .expect("an id");
    let act = |body: serde_json::Value| server.post(&format!("/api/play/{id}/move"), &body);
    for text in [
        "e2e5",
        "e7e5",
        "",
        "O-O",
        "\u{0}",
        "e2e4 e7e5",
        &"x".repeat(10_000),
    ] {
        let answer = act(json!({ "move": text }));
        assert!(
            (400..500).contains(&answer.status),
            "{text:.20}: {} {}",
            answer.status,
            answer.body
        );
    }
    // A click on an old board.
    assert_eq!(act(json!({ "move": "e2e4", "at": 7 })).status, 409);
    assert_eq!(act(json!({ "move": "e2e4", "at": 0 })).status, 200);
    assert_eq!(
        server
            .post("/api/play/999/move", &json!({ "move": "e2e4" }))
            .status,
        404
    );
    refuse_harm(&mut server);
}

#[test]
fn a_deep_search_on_every_tab_leaves_room_for_others() {
    let mut server = Served::start();
    let bot = json!({ "kind": "bot", "settings": [["name", "bot"], ["evaluator", "classical"], ["depth", "60"], ["search.profile", "strong"], ["search.table_mb", "64"]] });
    let begin = json!({ "game": "chess", "white": bot, "black": bot });
    let mut refused = 0;
    for _ in 0..100 {
        let answer = server.post("/api/play", &begin);
        match answer.status {
            200 => {}
            429 => refused += 1,
            other => panic!("{other}: {}", answer.body),
        }
    }
    // Games without visitors make room.
    assert_eq!(refused, 0);
    refuse_harm(&mut server);
    let huge = json!({ "kind": "bot", "settings": [["name", "bot"], ["evaluator", "classical"], ["search.table_mb", "60000"]] });
    let answer = server.post(
        "/api/play",
        &json!({ "game": "chess", "white": huge, "black": huge }),
    );
    assert_eq!(answer.status, 422, "{}", answer.body);
}

#[test]
fn the_number_of_runs_is_limited() {
    let server = Served::start();
    let text = "game = \"checkers\"\n[match]\npairs = 100000\n[[player]]\nname = \"a\"\nevaluator = \"basic\"\ndepth = 6\n\
                [[player]]\nname = \"b\"\nevaluator = \"basic\"\ndepth = 5\n";
    let statuses: Vec<u16> = (0..6)
        .map(|number| {
            let asked = json!({ "text": text, "name": format!("run {number}"), "threads": 1 });
            server.post("/api/start", &asked).status
        })
        .collect();
    assert_eq!(statuses, [200, 200, 200, 200, 429, 429]);
    for number in 0..4 {
        server.head_when(&format!("run%20{number}"), |head| !head["holder"].is_null());
        let answer = server.post(&format!("/api/run/run%20{number}/stop"), &json!({}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        server.head_when(&format!("run%20{number}"), |head| {
            head["state"] != "running"
        });
    }
    let threads = json!({ "text": text, "name": "many", "threads": 100_000 });
    assert_eq!(server.post("/api/start", &threads).status, 422);
}

#[test]
fn a_thousand_connections_and_slow_ones_do_not_keep_others_out_for_long() {
    let mut server = Served::start();
    let mut open: Vec<TcpStream> = Vec::new();
    for number in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", server.serving.port)) else {
            break;
        };
        // Some say nothing, some send a head that never ends.
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
        }
        open.push(stream);
    }
    // Those above the limit are answered at once; the others are closed when their time is over.
    let mut answered = 0;
    for stream in &mut open {
        let mut answer = Vec::new();
        stream
            .set_read_timeout(Some(std::time::Duration::from_secs(120)))
            .expect("a limit");
        // Some bytes more, as slow clients do; they gain no time.
        let _ = stream.write_all(b"x");
        if stream.read_to_end(&mut answer).is_ok() && answer.starts_with(b"HTTP/1.1 503") {
            answered += 1;
        }
    }
    assert!(answered > 0, "no limit on connections");
    refuse_harm(&mut server);
}
