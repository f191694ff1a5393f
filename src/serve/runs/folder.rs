//! Finds run directories.

use std::fs;
use std::path::{Path, PathBuf};

use crate::record::MANIFEST;

/// Folders in folders: `reports/night/tuning/validation-start`.
const MOST_LEVELS: usize = 4;
/// Runs on the list; a longer list is not useful.
const MOST_RUNS: usize = 1000;
/// Folders that are looked into.
const MOST_FOLDERS: usize = 20_000;

/// Whether a directory holds a run, or the games of one that lost its manifest.
pub fn is_run(path: &Path) -> bool {
    [MANIFEST, "games.csv", "trajectory.csv"]
        .iter()
        .any(|name| path.join(name).is_file())
}

/// The runs below a folder: the id, which is the path below it, and the path. Links are not followed.
pub fn runs(reports: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![(String::new(), reports.to_path_buf(), 0)];
    let mut seen = 0;
    while let Some((id, path, level)) = folders.pop() {
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let (Some(name), true) = (name.to_str(), is_folder(&entry)) else {
                continue;
            };
            if name.starts_with('.') || name.contains(['\\', ':']) {
                continue;
            }
            seen += 1;
            if seen > MOST_FOLDERS || found.len() >= MOST_RUNS {
                return found;
            }
            let below = if id.is_empty() {
                name.to_string()
            } else {
                format!("{id}/{name}")
            };
            let path = entry.path();
            if is_run(&path) {
                found.push((below.clone(), path.clone()));
            }
            if level + 1 < MOST_LEVELS {
                folders.push((below, path, level + 1));
            }
        }
    }
    found
}

fn is_folder(entry: &fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_in_folders_and_below_tuning_runs_but_not_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        for path in ["one", "night/two", "night/two/validation-start", ".serve/x"] {
            let path = folder.path().join(path);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(MANIFEST), "{}").unwrap();
        }
        fs::write(elsewhere.path().join(MANIFEST), "{}").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("link")).unwrap();
        let mut ids: Vec<String> = runs(folder.path()).into_iter().map(|(id, _)| id).collect();
        ids.sort();
        assert_eq!(ids, ["night/two", "night/two/validation-start", "one"]);
    }
}
