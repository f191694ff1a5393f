//! The files of a run directory before the first game: the config and the manifest.

use std::fs;
use std::io;
use std::path::Path;

use super::error::RecordError;
use super::manifest::{MANIFEST, Manifest};
use super::run_files::{read_listed, write_inputs};

/// The identity of a run: the text of its resolved config, and its manifest.
#[derive(Clone, Copy)]
pub struct Identity<'i> {
    pub config: &'i str,
    pub manifest: &'i Manifest,
    /// The part of a config that must not change between the sessions of a run.
    pub essence: fn(&str) -> String,
    /// The files that the config names, written before it: openings and nets.
    pub inputs: &'i [(String, Vec<u8>)],
}

impl<'i> Identity<'i> {
    /// The identity of a run whose entire config counts.
    pub fn new(config: &'i str, manifest: &'i Manifest) -> Identity<'i> {
        Identity {
            config,
            manifest,
            essence: str::to_string,
            inputs: &[],
        }
    }

    /// Writes config and manifest, or checks that the directory contains this run: `log` is the file
    /// that grows with the run. Writes nothing on an error.
    pub fn enter(&self, directory: &Path, log: &str) -> Result<(), RecordError> {
        let log = directory.join(log);
        let has_begun = match fs::metadata(&log) {
            Ok(data) => data.len() > 0,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(RecordError::io(&log, &error)),
        };
        let manifest = Manifest::read_if_there(directory)?;
        if manifest.is_none() && has_begun {
            return Err(RecordError::NoManifest {
                path: directory.to_path_buf(),
            });
        }
        let config = read_listed(directory, "config.toml")?;
        let essence = self.essence;
        if let Some(text) = &config
            && essence(text) != essence(self.config)
        {
            return Err(RecordError::OtherConfig {
                path: directory.to_path_buf(),
                differences: differences(&essence(text), &essence(self.config)),
            });
        }
        let is_same_config = config.as_deref() == Some(self.config);
        let is_same_manifest = manifest.as_ref() == Some(self.manifest);
        if !is_same_manifest && has_begun && (is_same_config || config.is_none()) {
            return Err(RecordError::OtherManifest {
                path: directory.join(MANIFEST),
            });
        }
        if is_same_manifest && is_same_config {
            return Ok(());
        }
        // Manifest before config: a kill in between leaves it with an equivalent config.
        let manifest = self.manifest.text(directory)?;
        let missing = self.inputs.iter();
        let missing = missing.filter(|(name, _)| !directory.join(name).exists());
        let mut inputs: Vec<(&str, &[u8])> =
            missing.map(|(name, bytes)| (&**name, &bytes[..])).collect();
        inputs.push((MANIFEST, manifest.as_bytes()));
        inputs.push(("config.toml", self.config.as_bytes()));
        write_inputs(directory, &inputs)
    }
}

/// The lines that are in only one of two configs, with their section or player. A player that only one
/// of them has is named instead of its lines.
fn differences(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (places_of_lines(old), places_of_lines(new));
    let missing = |from: &[(String, &str)], other: &[(String, &str)], sign: char| -> Vec<String> {
        let mut rest: Vec<&(String, &str)> = other.iter().collect();
        let mut lines: Vec<String> = Vec::new();
        for line in from {
            if let Some(at) = rest.iter().position(|candidate| *candidate == line) {
                rest.remove(at);
                continue;
            }
            let (place, text) = line;
            let is_known = other.iter().any(|(known, _)| known == place);
            let shown = match (place.as_str(), is_known) {
                ("", _) => format!("{sign} {text}"),
                (place, true) => format!("{sign} {place}: {text}"),
                (place, false) => format!("{sign} {place}"),
            };
            if is_known || lines.last() != Some(&shown) {
                lines.push(shown);
            }
        }
        lines
    };
    let mut lines = missing(&old, &new, '-');
    lines.extend(missing(&new, &old, '+'));
    lines
}

/// Every line that is not a header, with its section: `[match]`, or `player "NAME"`.
fn places_of_lines(config: &str) -> Vec<(String, &str)> {
    let mut places: Vec<(String, &str)> = Vec::new();
    let mut place = String::new();
    for line in config.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            place = line.to_string();
            continue;
        }
        if let Some(name) = line.strip_prefix("name = ")
            && place == "[[player]]"
        {
            place = format!("player {name}");
        }
        places.push((place.clone(), line));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::manifest::tests::sample;

    const CONFIG: &str = "game = \"checkers\"\n";

    fn enter(directory: &Path, config: &str, manifest: &Manifest) -> Result<(), String> {
        Identity::new(config, manifest)
            .enter(directory, "games.csv")
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_directory_belongs_to_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = sample();
        enter(folder.path(), CONFIG, &manifest).unwrap();
        fs::write(folder.path().join("games.csv"), "rows").unwrap();
        enter(folder.path(), CONFIG, &manifest).unwrap();
        let refused = enter(folder.path(), "game = \"chess\"\n", &manifest).unwrap_err();
        assert!(refused.contains("- game = \"checkers\""), "{refused}");
        let other = Manifest {
            seed: 8,
            ..manifest.clone()
        };
        let refused = enter(folder.path(), CONFIG, &other).unwrap_err();
        assert!(refused.contains("does not match"), "{refused}");
        // A lost config is written again, a lost manifest is not: the games could belong to any run.
        fs::remove_file(folder.path().join("config.toml")).unwrap();
        enter(folder.path(), CONFIG, &manifest).unwrap();
        fs::remove_file(folder.path().join("manifest.json")).unwrap();
        let refused = enter(folder.path(), CONFIG, &manifest).unwrap_err();
        assert!(refused.contains("no manifest.json"), "{refused}");
    }

    #[test]
    fn only_lines_that_differ_are_listed() {
        assert_eq!(differences("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
    }

    #[test]
    fn a_line_that_differs_names_its_section_or_player() {
        let config = |pairs: u32, second: &str, depth: u32| {
            format!(
                "seed = 1\n[match]\npairs = {pairs}\n[[player]]\nname = \"a\"\ndepth = 1\n[[player]]\n\
                 name = \"{second}\"\ndepth = {depth}\n"
            )
        };
        assert_eq!(
            differences(&config(1, "b", 1), &config(2, "b", 2)),
            [
                "- [match]: pairs = 1",
                "- player \"b\": depth = 1",
                "+ [match]: pairs = 2",
                "+ player \"b\": depth = 2"
            ]
        );
        assert_eq!(
            differences(&config(1, "b", 1), &config(1, "c", 1)),
            ["- player \"b\"", "+ player \"c\""]
        );
    }
}
