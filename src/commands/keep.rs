//! Copies openings, nets and patterns into the run directory, so that `config.toml` works there.

use std::fs;
use std::path::Path;

use super::{Done, Failure};
use crate::config::OpeningsFile;
use crate::play::PlayerSpec;
use crate::record::{RecordError, check_listed, keep_input};

/// The files that a run needs to be repeated: openings, nets and patterns, by their names in the run directory.
pub struct Inputs(Vec<(String, Vec<u8>)>);

impl Inputs {
    pub fn read(
        openings: Option<&OpeningsFile>,
        players: &[PlayerSpec],
    ) -> Result<Inputs, Failure> {
        let mut files = Vec::new();
        if let Some(file) = openings {
            let bytes =
                fs::read(&file.path).map_err(|error| RecordError::io(&file.path, &error))?;
            files.push((file.name.clone(), bytes));
        }
        let searches = players.iter().filter_map(PlayerSpec::search);
        for learnt in searches.filter_map(|search| search.weights.learnt()) {
            let name = learnt.file_name();
            if files.iter().all(|(known, _)| *known != name) {
                files.push((name, learnt.to_bytes()));
            }
        }
        Ok(Inputs(files))
    }

    /// For [`crate::record::Identity`].
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.0
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Copies them into the run directory. Rejects a damaged copy, and another file of the same name in a
    /// run that has begun.
    pub fn keep(&self, directory: &Path, has_begun: bool) -> Done {
        for (name, bytes) in &self.0 {
            let kept = directory.join(name);
            if kept.exists() {
                let there = fs::read(&kept).map_err(|error| RecordError::io(&kept, &error))?;
                check_listed(directory, name, &there)?;
                if there != *bytes && has_begun {
                    return Err(Failure::bad_input(format!(
                        "{}: differs from the {name} that this run began with; restore the file, choose \
                         another --out, or --fresh to start over",
                        kept.display()
                    )));
                }
            }
            keep_input(directory, name, bytes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_openings_and_rejects_others_once_it_has_begun() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("book.epd");
        let run = folder.path().join("run");
        let file = OpeningsFile {
            path: source.clone(),
            name: "book.epd".to_string(),
        };
        fs::write(&source, "one\n").unwrap();
        let keep = |file: &OpeningsFile, has_begun| {
            fs::create_dir_all(&run).unwrap();
            Inputs::read(Some(file), &[]).unwrap().keep(&run, has_begun)
        };
        keep(&file, false).unwrap();
        keep(&file, true).unwrap();
        fs::write(&source, "two\n").unwrap();
        let refused = keep(&file, true).unwrap_err();
        assert!(refused.message.contains("differs"), "{}", refused.message);
        keep(&file, false).unwrap();
        assert_eq!(fs::read_to_string(run.join("book.epd")).unwrap(), "two\n");
        // The copy itself may be the source.
        let own = OpeningsFile {
            path: run.join("book.epd"),
            name: "book.epd".to_string(),
        };
        keep(&own, true).unwrap();
        assert_eq!(fs::read_to_string(run.join("book.epd")).unwrap(), "two\n");
    }
}
