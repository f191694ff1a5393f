//! As much of the WebDriver protocol as the tests of the page need.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A headless chromium with a fresh profile; ends with the value.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

fn installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

impl Browser {
    /// Fails with the remedy if chromium or chromedriver is missing.
    pub fn start() -> Browser {
        for program in ["chromedriver", "chromium"] {
            assert!(
                installed(program),
                "`{program}` is not installed (Debian: apt-get install chromium chromium-driver)"
            );
        }
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let output = driver.stdout.take().expect("chromedriver speaks");
        let mut lines = BufReader::new(output).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let rest = line.split("started successfully on port ").nth(1)?;
                rest.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver names its port");
        // Keeps the pipe empty, so that the driver never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            _profile: profile,
        };
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &folder,
        ];
        let answer = browser.ask(
            "POST",
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }}}),
        );
        browser.session = answer["sessionId"]
            .as_str()
            .expect("a session begins")
            .to_string();
        browser.resize(1280, 900);
        browser
    }

    /// One request and the value of its answer.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        let body = body.to_string();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream
            .write_all(request.as_bytes())
            .expect("a request is sent");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("an answer comes");
            if line.trim().is_empty() {
                break;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length is a number");
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("the answer is whole");
        let answer: Value = serde_json::from_slice(&answer).expect("the answer is JSON");
        let value = answer["value"].clone();
        assert!(value.get("error").is_none(), "{path}: {value}");
        value
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}{path}", self.session), body)
    }

    pub fn open(&self, file: &Path) {
        self.visit(&format!("file://{}", file.display()));
    }

    pub fn visit(&self, url: &str) {
        self.command("/url", &json!({ "url": url }));
    }

    /// Waits until a script returns something true; returns that. The deadline is for a page that hangs.
    #[cfg(unix)]
    pub fn wait_for(&self, what: &str, script: &str) -> Value {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(300);
        loop {
            let value = self.run(script);
            let is_true = !matches!(&value, Value::Null | Value::Bool(false)) && value != json!("");
            if is_true {
                return value;
            }
            assert!(
                std::time::Instant::now() < deadline,
                "timed out waiting for {what}: {}",
                self.run("return document.body.innerText")
            );
        }
    }

    /// Waits in the page until the expression is true; fails after five minutes.
    pub fn until(&self, condition: &str) {
        let minutes = json!({ "script": 300_000 });
        self.command("/timeouts", &minutes);
        let script = format!(
            "const done = arguments[0]; const look = () => {{ if ({condition}) done(true); else setTimeout(look, 10); }}; look();"
        );
        let body = json!({"script": script, "args": []});
        self.command("/execute/async", &body);
    }

    pub fn text(&self, selector: &str) -> String {
        let found = self.run(&format!(
            "return document.querySelector('{selector}')?.textContent ?? ''"
        ));
        found.as_str().unwrap_or("").to_string()
    }

    /// The centre of an element, scrolled into view.
    fn centre(&self, selector: &str) -> (i64, i64) {
        let place = self.run(&format!(
            "const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'nearest'}}); \
             const b = e.getBoundingClientRect(); \
             return [Math.round(b.left + b.width / 2), Math.round(b.top + b.height / 2)]"
        ));
        let at = |index: usize| place[index].as_i64().expect("a place on the screen");
        (at(0), at(1))
    }

    /// Presses at each place in turn, moves on to the next, and lets go at the last.
    fn pointer(&self, kind: &str, places: &[(i64, i64)]) {
        let go = |(x, y): &(i64, i64)| json!({"type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport"});
        let mut actions = vec![go(&places[0]), json!({"type": "pointerDown", "button": 0})];
        actions.extend(places[1..].iter().map(go));
        actions.push(json!({"type": "pointerUp", "button": 0}));
        let pointer = json!({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions});
        self.command("/actions", &json!({ "actions": [pointer] }));
    }

    pub fn click(&self, selector: &str) {
        let place = self.centre(selector);
        self.pointer("mouse", &[place]);
    }

    pub fn tap(&self, selector: &str) {
        let place = self.centre(selector);
        self.pointer("touch", &[place]);
    }

    /// Drags from one element to another, by `mouse` or `touch`.
    pub fn drag(&self, kind: &str, from: &str, to: &str) {
        let (from, to) = (self.centre(from), self.centre(to));
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        self.pointer(kind, &[from, middle, to]);
    }

    /// Types keys, one after the other. Special keys have the code points of WebDriver.
    pub fn keys(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                let key = key.to_string();
                [
                    json!({"type": "keyDown", "value": key}),
                    json!({"type": "keyUp", "value": key}),
                ]
            })
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.command("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Light or dark, as the system would say.
    pub fn prefer(&self, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        let command = json!({"cmd": "Emulation.setEmulatedMedia", "params": features});
        self.command("/goog/cdp/execute", &command);
    }

    /// Runs the body of a function in the page and returns its value.
    pub fn run(&self, script: &str) -> Value {
        self.command("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// A key pressed while the element has the focus.
    pub fn press(&self, id: &str, key: &str) {
        self.run(&format!(
            "document.getElementById('{id}').dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        ));
    }

    /// The size of the page's view, which may be smaller than any window.
    pub fn resize(&self, width: u64, height: u64) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": size});
        self.command("/goog/cdp/execute", &command);
    }

    /// What came into a log since it was last asked for.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        let answer = self.command("/se/log", &json!({ "type": kind }));
        answer.as_array().cloned().unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asks the browser to end; after a failed test nothing here may fail again.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let path = format!("/session/{}", self.session);
            let request =
                format!("DELETE {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(request.as_bytes());
            let _ = stream.read(&mut [0; 64]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
