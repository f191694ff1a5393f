//! A scratch folder with a config and the runs that it plays; comparisons of run directories.

use std::fs;
use std::path::{Path, PathBuf};

use sparring::record::{GameRow, read_games};
use tempfile::{TempDir, tempdir};

use crate::common::{Watched, complaint, sparring, stdout};

pub struct Lab {
    folder: TempDir,
}

impl Lab {
    /// A folder with this text as `c.toml`.
    pub fn new(config: &str) -> Lab {
        let folder = tempdir().expect("a scratch folder");
        fs::write(folder.path().join("c.toml"), config).expect("written");
        Lab { folder }
    }

    /// A file or run directory of the folder.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    fn with_args<T>(&self, out: &str, more: &[&str], call: impl FnOnce(&[&str]) -> T) -> T {
        let (config, out) = (self.path("c.toml"), self.path(out));
        call(&[&["run", &config, "--out", &out, "--quiet"], more].concat())
    }

    /// Plays the config into a directory of the folder; returns what it prints.
    pub fn run(&self, out: &str, more: &[&str]) -> String {
        self.with_args(out, more, stdout)
    }

    /// The error of a run that must be refused.
    pub fn refused_run(&self, out: &str, more: &[&str]) -> String {
        self.with_args(out, more, complaint)
    }

    /// Starts a run, to be killed or interrupted.
    pub fn start(&self, out: &str, more: &[&str]) -> Watched {
        self.with_args(out, more, |args| Watched::start(&mut sparring(args)))
    }
}

/// A folder with a shell script as the program `engine`.
#[cfg(unix)]
pub fn engine_folder(script: &str) -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().expect("a scratch folder");
    let engine = folder.path().join("engine");
    fs::write(&engine, script).expect("written");
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("executable");
    folder
}

/// The games of a run.
pub fn rows(run: &Path) -> Vec<GameRow> {
    let mut rows = Vec::new();
    let read = read_games(&run.join("games.csv"), |row, _| {
        rows.push(row);
        Ok(())
    });
    read.expect("games");
    rows
}

/// These files of two run directories have the same bytes.
pub fn assert_same_files(one: &Path, other: &Path, names: &[&str]) {
    for name in names {
        let [first, second] = [one, other].map(|run| {
            let path = run.join(name);
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
        assert!(
            first == second,
            "{name} differs between {} and {}",
            one.display(),
            other.display()
        );
    }
}

/// Two run directories have the same files with the same bytes, except those that say how a run was
/// played: times, and what a resume removed.
pub fn assert_same_runs(one: &Path, other: &Path) {
    let names = |run: &Path| -> Vec<String> {
        let entries = fs::read_dir(run).expect("a run directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| !["timings.csv", "removed"].contains(&name.as_str()))
            .collect();
        names.sort();
        names
    };
    let compared = names(one);
    assert_eq!(compared, names(other));
    let compared: Vec<&str> = compared.iter().map(String::as_str).collect();
    assert_same_files(one, other, &compared);
}
