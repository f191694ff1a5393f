//! Files of learnt evaluators: a name in place of an evaluator becomes numbers in memory.

use std::path::Path;
use std::sync::Arc;

use super::source::{ConfigError, Place};
use crate::eval::Learnt;
use crate::eval::catalog::GameId;
use crate::eval::net::Net;

/// Extensions of files with a net or patterns: ours, and the quantised nets of bullet.
const EXTENSIONS: [&str; 2] = [".safetensors", ".bin"];

/// Whether an evaluator's name is a file with a net or patterns.
pub fn is_file(name: &str) -> bool {
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// The error for a learnt evaluator without a file.
pub(super) fn no_file(name: &str, place: &Place) -> ConfigError {
    let message = format!(
        "evaluator `{name}`: its numbers are in a file; expected evaluator = \"FILE.safetensors\""
    );
    ConfigError::at(place, message)
}

/// Reads a net or patterns for this game. `place` named the file.
pub(super) fn read(game: GameId, path: &Path, place: &Place) -> Result<Learnt, ConfigError> {
    let shown = path.display().to_string();
    let wrong = |what: String| ConfigError::at(place, format!("{shown}: {what}"));
    let bytes = std::fs::read(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let origin = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let origin = origin.to_string_lossy();
    let learnt = match shown.ends_with(".bin") {
        true => Net::from_bullet(&bytes).map(|net| Learnt::Net(Arc::new(net.read_from(origin)))),
        false => Learnt::read(&bytes, &origin),
    };
    let learnt = learnt.map_err(|error| wrong(error.to_string()))?;
    match learnt.misfit(game) {
        Some(misfit) => Err(wrong(misfit)),
        None => Ok(learnt),
    }
}
