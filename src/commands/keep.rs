//! Copies openings and nets into the run directory, so that `config.toml` works there.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::{Done, Failure};
use crate::config::OpeningsFile;
use crate::play::PlayerSpec;
use crate::record::{RecordError, replace_file};

/// Copies the openings into the run directory. Rejects other openings of the same name in a run that
/// has begun.
pub fn keep_openings(file: Option<&OpeningsFile>, directory: &Path, has_begun: bool) -> Done {
    let Some(file) = file else { return Ok(()) };
    let kept = directory.join(&file.name);
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error: io::Error| RecordError::io(&path, &error)
    };
    if kept.exists() {
        if is_same(&file.path, &kept).map_err(failed(&kept))? {
            return Ok(());
        }
        if has_begun {
            return Err(Failure::bad_input(format!(
                "{}: the openings differ from those that this run began with, {}; restore the file, \
                 choose another --out, or --fresh to start over",
                file.path.display(),
                kept.display()
            )));
        }
    }
    fs::create_dir_all(directory).map_err(failed(directory))?;
    // A kill may leave an incomplete copy: only a complete one gets the name.
    let part = directory.join(format!("{}.part", file.name));
    fs::copy(&file.path, &part).map_err(failed(&file.path))?;
    fs::rename(&part, &kept).map_err(failed(&kept))?;
    Ok(())
}

/// Writes the nets of the players into the run directory. Their names tell their content.
pub fn keep_nets(players: &[PlayerSpec], directory: &Path) -> Done {
    let searches = players.iter().filter_map(PlayerSpec::search);
    for net in searches.filter_map(|search| search.weights.net()) {
        let path = directory.join(net.file_name());
        if !path.exists() {
            replace_file(&path, &net.to_bytes())?;
        }
    }
    Ok(())
}

/// Whether two files have the same bytes.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let mut one = BufReader::new(File::open(one)?);
    let mut other = BufReader::new(File::open(other)?);
    loop {
        let (here, there) = (one.fill_buf()?, other.fill_buf()?);
        let length = here.len().min(there.len());
        if here[..length] != there[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(here.len() == there.len());
        }
        one.consume(length);
        other.consume(length);
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
        keep_openings(Some(&file), &run, false).unwrap();
        keep_openings(Some(&file), &run, true).unwrap();
        fs::write(&source, "two\n").unwrap();
        let refused = keep_openings(Some(&file), &run, true).unwrap_err();
        assert!(refused.message.contains("differ"), "{}", refused.message);
        keep_openings(Some(&file), &run, false).unwrap();
        assert_eq!(fs::read_to_string(run.join("book.epd")).unwrap(), "two\n");
        // The copy itself may be the source.
        let own = OpeningsFile {
            path: run.join("book.epd"),
            name: "book.epd".to_string(),
        };
        keep_openings(Some(&own), &run, true).unwrap();
        assert_eq!(fs::read_to_string(run.join("book.epd")).unwrap(), "two\n");
    }
}
