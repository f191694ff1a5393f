//! A server under test, and a client that can also misbehave.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serving::Serving;

/// A server with its own folders; ends with the value.
pub struct Served {
    pub serving: Serving,
    pub folder: TempDir,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Served {
    pub fn start() -> Served {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["reports", "configs"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Served::start_in(folder)
    }

    pub fn start_in(folder: TempDir) -> Served {
        Served::start_with(folder, &[])
    }

    pub fn start_with(folder: TempDir, options: &[&str]) -> Served {
        let path = |name: &str| folder.path().join(name);
        Served {
            serving: Serving::start_with(&path("reports"), &path("configs"), options),
            folder,
        }
    }

    pub fn reports(&self) -> PathBuf {
        self.folder.path().join("reports")
    }

    pub fn configs(&self) -> PathBuf {
        self.folder.path().join("configs")
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.serving.port)
    }

    pub fn connect(&self) -> TcpStream {
        let stream =
            TcpStream::connect(("127.0.0.1", self.serving.port)).expect("the server listens");
        // For a server that hangs: no test waits for ever.
        let limit = Some(Duration::from_secs(120));
        stream.set_read_timeout(limit).expect("a limit");
        stream
    }

    /// Sends these bytes and reads until the server closes. `None` if it closed without an answer.
    pub fn send(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer {
            status,
            head: head.to_string(),
            body: body.to_string(),
        })
    }

    /// A request with these headers besides the necessary ones; a later `Host` takes the place of the usual one.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let host = format!("127.0.0.1:{}", self.serving.port);
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            text.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "POST" {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body);
        self.send(text.as_bytes())
            .unwrap_or_else(|| panic!("{method} {path}: no answer"))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let kind = [("Content-Type", "application/json")];
        self.ask("POST", path, &kind, &body.to_string())
    }

    /// Server-sent events from an address.
    pub fn events(&self, path: &str) -> Events {
        let mut stream = self.connect();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            self.serving.port
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while reader.read_line(&mut line).expect("a head") > 2 {
            line.clear();
        }
        Events {
            reader,
            text: String::new(),
        }
    }

    /// Waits until the head of a run fulfils the condition; returns it.
    pub fn head_when(&self, run: &str, condition: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/run/{}/events", run.replace('/', "%2F"));
        let mut events = self.events(&path);
        loop {
            let (name, value) = events.next();
            if name == "head" && condition(&value) {
                return value;
            }
        }
    }

    /// Resident memory in bytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.serving.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.expect("a size") * 1024
    }

    pub fn is_alive(&mut self) -> bool {
        self.serving.child.try_wait().expect("a child").is_none()
    }

    /// Kills the server; its runs continue.
    pub fn kill(mut self) -> TempDir {
        self.serving.child.kill().expect("killed");
        self.serving.child.wait().expect("ended");
        let other = tempfile::tempdir().expect("a folder");
        std::mem::replace(&mut self.folder, other)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A failed test must not leave running processes behind.
        end_runs(&self.folder.path().join("reports"));
    }
}

/// Ends the runs that servers started in a folder.
pub fn end_runs(reports: &Path) {
    for entry in std::fs::read_dir(reports).into_iter().flatten().flatten() {
        let lock = std::fs::read_to_string(entry.path().join(".lock")).unwrap_or_default();
        let holder = lock.lines().rfind(|line| line.starts_with("process "));
        let number = holder.and_then(|line| line.split(' ').nth(1));
        let path = entry.path().to_string_lossy().into_owned();
        // Only if that process is a run of this folder.
        if let Some(number) = number
            && let Ok(command) = std::fs::read(format!("/proc/{number}/cmdline"))
            && String::from_utf8_lossy(&command).contains(&path)
        {
            let _ = Command::new("kill").args(["-KILL", number]).status();
        }
    }
}

pub struct Events {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Events {
    /// The next event: name and value.
    pub fn next(&mut self) -> (String, Value) {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let line = event.lines().find_map(|line| line.strip_prefix(name));
                    line.unwrap_or("").to_string()
                };
                let (name, data) = (field("event: "), field("data: "));
                self.text = rest.to_string();
                if !name.is_empty() {
                    return (name, serde_json::from_str(&data).unwrap_or(json!(null)));
                }
                continue;
            }
            let mut size = String::new();
            self.reader.read_line(&mut size).expect("a chunk");
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or_else(|_| {
                panic!("the stream ended: `{size}`");
            });
            assert!(size > 0, "the stream ended");
            let mut chunk = vec![0; size + 2];
            self.reader.read_exact(&mut chunk).expect("a chunk");
            self.text.push_str(&String::from_utf8_lossy(&chunk[..size]));
        }
    }
}
