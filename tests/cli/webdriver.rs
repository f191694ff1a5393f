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
        let url = format!("file://{}", file.display());
        self.command("/url", &json!({ "url": url }));
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
