//! `sparring serve` for a test, and as much of HTTP as it needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::common::sparring;

/// A server on a free port; ends with the value.
pub struct Serving {
    pub child: Child,
    pub url: String,
    pub port: u16,
}

impl Serving {
    pub fn start(reports: &Path, configs: &Path) -> Serving {
        Serving::start_with(reports, configs, &[])
    }

    pub fn start_with(reports: &Path, configs: &Path, options: &[&str]) -> Serving {
        let mut child = sparring(&["serve", "--port", "0"])
            .args(options)
            .arg("--reports")
            .arg(reports)
            .arg("--configs")
            .arg(configs)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let output = child.stdout.take().expect("its standard output");
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        read.expect("the server prints its address");
        let url = line.trim().strip_prefix("serving: ").expect("an address");
        let url = url.split('?').next().unwrap_or(url);
        let url = url.trim_end_matches('/').to_string();
        let port = url.rsplit(':').next().and_then(|port| port.parse().ok());
        Serving {
            child,
            port: port.expect("a port"),
            url,
        }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        );
        stream
            .write_all(request.as_bytes())
            .expect("a request is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer comes");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.expect("a status"), body.to_string())
    }

    pub fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    pub fn text(&self, path: &str) -> String {
        let (status, body) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert_eq!(status, 200, "{path} {body}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    /// The status and message of a request that must be refused.
    pub fn refusal(&self, path: &str, body: &Value) -> (u16, String) {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert!(status >= 400, "{path} {body}: {answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        (status, answer["error"].as_str().unwrap_or("").to_string())
    }

    /// Follows the events of a game until one satisfies the condition, and returns its state.
    pub fn follow(&self, id: &str, until: impl Fn(&Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        let request = format!(
            "GET /api/play/{id}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            self.port
        );
        stream
            .write_all(request.as_bytes())
            .expect("a request is sent");
        let mut event = String::new();
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if let Some(name) = line.strip_prefix("event: ") {
                event = name.to_string();
            }
            let Some(data) = line.strip_prefix("data: ").filter(|_| event == "game") else {
                continue;
            };
            let state: Value = serde_json::from_str(data).expect("JSON");
            if until(&state) {
                return state;
            }
        }
        panic!("the events of game {id} ended before the condition held");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
