//! The scratch folder of the torture test: starts the program, compares run directories.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::scenarios::{Sameness, Scenario};

/// Every file of a run directory by its path, but those that may differ.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A scenario, and what a run that nothing disturbs makes of it.
pub struct Reference {
    pub scenario: Scenario,
    pub config: PathBuf,
    pub out: PathBuf,
    pub files: Files,
    /// How long the run took.
    pub took: Duration,
}

pub struct Lab {
    folder: tempfile::TempDir,
    pub program: PathBuf,
    references: BTreeMap<String, Reference>,
    trial: PathBuf,
    /// How often each run was hurt.
    counts: RefCell<BTreeMap<String, u64>>,
}

impl Reference {
    /// The size of the run.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|bytes| bytes.len() as u64).sum()
    }
}

/// How a process ended.
pub struct Ended {
    /// `None` after a signal.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn text(&self) -> String {
        let how = match (self.code, self.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or(0)),
        };
        format!("{how}\n{}{}", self.out, self.err)
    }

    /// An error if the program panicked or crashed.
    pub fn in_order(&self, what: &str) -> Result<(), String> {
        let crashed = matches!(self.signal, Some(4 | 6 | 7 | 8 | 11)) || self.code == Some(101);
        if crashed || self.err.contains("panicked") {
            return Err(format!("{what}: {}", self.text()));
        }
        Ok(())
    }

    pub fn with_code(&self, expected: &[i32], what: &str) -> Result<(), String> {
        self.in_order(what)?;
        match self.code {
            Some(code) if expected.contains(&code) => Ok(()),
            _ => Err(format!(
                "{what}: expected exit code {expected:?}, {}",
                self.text()
            )),
        }
    }
}

/// A process that was started.
pub struct Started {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

/// For a program that hangs; no result depends on it.
const DEADLINE: Duration = Duration::from_secs(180);

impl Started {
    pub fn signal(&self, signal: Signal) {
        let _ = kill(Pid::from_raw(self.child.id() as i32), signal);
    }

    /// Waits this long, or until it ends. True if it has ended.
    pub fn wait_for(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        self.wait_until(|| Instant::now() >= end)
    }

    /// Waits until something has happened, or until it ends. True if it has ended.
    pub fn wait_until(&mut self, has_happened: impl Fn() -> bool) -> bool {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return true;
            }
            if has_happened() || Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn finish(mut self) -> Result<Ended, String> {
        let hangs = !self.wait_for(DEADLINE);
        if hangs {
            self.signal(Signal::SIGKILL);
        }
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let text =
            |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let ended = Ended {
            code: status.code(),
            signal: status.signal(),
            out: text(&self.out),
            err: text(&self.err),
        };
        match hangs {
            true => Err(format!(
                "hangs for {} s\n{}",
                DEADLINE.as_secs(),
                ended.text()
            )),
            false => Ok(ended),
        }
    }
}

impl Lab {
    pub fn new(program: &Path) -> io::Result<Lab> {
        let folder = tempfile::Builder::new()
            .prefix("sparring-torture-")
            .tempdir()?;
        let trial = folder.path().join("trial");
        Ok(Lab {
            program: program.canonicalize()?,
            references: BTreeMap::new(),
            counts: RefCell::default(),
            trial,
            folder,
        })
    }

    /// An empty folder for a trial.
    pub fn begin(&mut self, trial: u64) {
        let _ = fs::remove_dir_all(&self.trial);
        self.trial = self.folder.path().join(format!("trial-{trial}"));
        let _ = fs::create_dir_all(&self.trial);
    }

    /// Copies the trial's folder to a place where it stays.
    pub fn keep(&self) -> PathBuf {
        let name = self.trial.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("sparring-torture-{}-{name}", std::process::id());
        let kept = std::env::temp_dir().join(name);
        let _ = copy(&self.trial, &kept);
        kept
    }

    /// Notes that a run was hurt.
    pub fn count(&self, what: String) {
        *self.counts.borrow_mut().entry(what).or_default() += 1;
    }

    pub fn counts(&self) -> BTreeMap<String, u64> {
        self.counts.borrow().clone()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.trial.join(name)
    }

    /// The scenario with its config and its undisturbed run, which is played once.
    pub fn reference(
        &mut self,
        key: &str,
        scenario: impl FnOnce() -> Scenario,
    ) -> Result<&Reference, String> {
        if !self.references.contains_key(key) {
            let reference = self.play_reference(key, scenario())?;
            self.references.insert(key.to_string(), reference);
        }
        Ok(&self.references[key])
    }

    fn play_reference(&self, key: &str, scenario: Scenario) -> Result<Reference, String> {
        let folder = self.folder.path().join("whole").join(key);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let config = folder.join(format!("{}.toml", scenario.name));
        fs::write(&config, &scenario.config).map_err(|error| error.to_string())?;
        let mut reference = Reference {
            out: folder.join("run"),
            took: Duration::ZERO,
            files: Files::new(),
            scenario,
            config,
        };
        let began = Instant::now();
        let ended = self
            .start(&mut self.play(&reference, &reference.out))?
            .finish()?;
        ended.with_code(&[0], "the undisturbed run")?;
        reference.took = began.elapsed();
        reference.files = files(&reference.out)?;
        Ok(reference)
    }

    pub fn command(&self, arguments: &[&OsStr]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// The command that plays a scenario.
    pub fn play(&self, reference: &Reference, out: &Path) -> Command {
        let mut command = self.command(&[reference.scenario.command.as_ref()]);
        command
            .arg(&reference.config)
            .arg("--out")
            .arg(out)
            .args(["--threads", "2"]);
        command
    }

    /// `sparring COMMAND DIRECTORY`.
    pub fn on(&self, command: &str, directory: &Path) -> Command {
        self.command(&[command.as_ref(), directory.as_os_str()])
    }

    pub fn start(&self, command: &mut Command) -> Result<Started, String> {
        static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let logs = self.folder.path().join("logs");
        let (out, err) = (
            logs.join(format!("{count}.out")),
            logs.join(format!("{count}.err")),
        );
        let failed = |error: io::Error| error.to_string();
        fs::create_dir_all(&logs).map_err(failed)?;
        // Files, not pipes: no one reads while a process is tortured.
        let child = command
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(failed)?)
            .stderr(File::create(&err).map_err(failed)?)
            .spawn()
            .map_err(failed)?;
        Ok(Started { child, out, err })
    }

    pub fn finish(&self, command: &mut Command) -> Result<Ended, String> {
        let ended = self.start(command)?;
        let (out, err) = (ended.out.clone(), ended.err.clone());
        let ended = ended.finish();
        let _ = fs::remove_file(out);
        let _ = fs::remove_file(err);
        ended
    }

    /// Plays to the end without a disturbance, and compares all files.
    pub fn complete(&self, reference: &Reference, out: &Path, what: &str) -> Result<Ended, String> {
        let ended = self.finish(&mut self.play(reference, out))?;
        ended.with_code(&[0], what)?;
        self.compare(reference, out, what)?;
        Ok(ended)
    }

    pub fn compare(&self, reference: &Reference, out: &Path, what: &str) -> Result<(), String> {
        let found = files(out)?;
        if reference.scenario.sameness != Sameness::Bytes {
            let games = Path::new("games.csv");
            let is_same = found.get(games).map(|bytes| games_alone(bytes))
                == reference.files.get(games).map(|bytes| games_alone(bytes));
            if reference.scenario.sameness == Sameness::Games && !is_same {
                return Err(format!("{what}: other games"));
            }
            return self.check(out, what);
        }
        let names: std::collections::BTreeSet<&PathBuf> =
            found.keys().chain(reference.files.keys()).collect();
        for name in names {
            let shown = name.display();
            match (found.get(name), reference.files.get(name)) {
                (Some(found), Some(expected)) if found == expected => {}
                (Some(_), Some(_)) => return Err(format!("{what}: {shown} differs")),
                (Some(_), None) => return Err(format!("{what}: {shown} was left behind")),
                (None, _) => return Err(format!("{what}: {shown} is missing")),
            }
        }
        Ok(())
    }

    /// `sparring check` must find nothing.
    pub fn check(&self, out: &Path, what: &str) -> Result<(), String> {
        let ended = self.finish(&mut self.on("check", out))?;
        ended.with_code(&[0], &format!("{what}: sparring check"))
    }
}

/// The columns of games.csv up to the moves.
fn games_alone(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let cells = |row: &str| row.split(',').take(11).collect::<Vec<_>>().join(",");
    text.lines().map(cells).collect()
}

/// All files below a directory. Without times, logs of engines, and what resuming keeps aside.
pub fn files(directory: &Path) -> Result<Files, String> {
    let mut files = Files::new();
    collect(directory, directory, &mut files).map_err(|error| error.to_string())?;
    // Some hold the path of their directory.
    let here = directory.display().to_string();
    for (name, bytes) in &mut files {
        if name.extension().is_some_and(|it| it == "toml") {
            let text = String::from_utf8_lossy(bytes).replace(&here, "DIR");
            *bytes = text.into_bytes();
        }
    }
    Ok(files)
}

fn collect(top: &Path, directory: &Path, files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if name != "removed" && name != "engines" {
                collect(top, &path, files)?;
            }
        } else if name != "timings.csv" {
            let relative = path.strip_prefix(top).unwrap_or(&path).to_path_buf();
            files.insert(relative, fs::read(&path)?);
        }
    }
    Ok(())
}

/// The size of all files below a directory; 0 if it is not there. Files may come and go.
pub fn bytes_below(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_below(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Processes whose command line contains a text.
pub fn processes_with(text: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let id = entry.file_name().to_string_lossy().into_owned();
        if line.contains(text) && id != std::process::id().to_string() {
            found.push(format!("{id} {line}"));
        }
    }
    found
}

impl Lab {
    /// The reference of a scenario that was played before, by its index in the list.
    pub fn known(&self, index: usize) -> &Reference {
        self.known_as(crate::scenarios::exact()[index].name)
    }

    pub fn known_as(&self, key: &str) -> &Reference {
        &self.references[key]
    }
}
