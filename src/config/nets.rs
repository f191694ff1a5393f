//! Files of nets: a name in place of an evaluator becomes numbers in memory.

use std::path::Path;
use std::sync::Arc;

use super::source::{ConfigError, Place};
use crate::eval::catalog::GameId;
use crate::eval::net::{Net, NetError};

/// Extensions of files with a net: ours, and the quantised nets of bullet.
const EXTENSIONS: [&str; 2] = [".safetensors", ".bin"];

/// Whether an evaluator's name is a file with a net.
pub fn is_file(name: &str) -> bool {
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// The error for `net` without a file.
pub(super) fn no_file(place: &Place) -> ConfigError {
    let message =
        "evaluator `net`: its numbers are in a file; expected evaluator = \"FILE.safetensors\"";
    ConfigError::at(place, message)
}

/// Reads a net for this game. `place` named it.
pub(super) fn read(game: GameId, path: &Path, place: &Place) -> Result<Arc<Net>, ConfigError> {
    let shown = path.display().to_string();
    let wrong = |what: String| ConfigError::at(place, format!("{shown}: {what}"));
    let bytes = std::fs::read(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let net = match shown.ends_with(".bin") {
        true => Net::from_bullet(&bytes),
        false => Net::from_bytes(&bytes),
    };
    let net = net.map_err(|error: NetError| wrong(error.to_string()))?;
    let of = &net.parts().game;
    if family(of) != family(game.name()) {
        return Err(wrong(format!("a net for {of}, not for {}", game.name())));
    }
    if !net.shape().fits(&game.facts().layout) {
        return Err(wrong(format!(
            "a net for {} squares and {} kinds of piece: not the board of {}",
            net.shape().squares,
            net.shape().kinds,
            game.name()
        )));
    }
    let origin = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    Ok(Arc::new(net.read_from(origin.to_string_lossy())))
}

/// Games that differ only in their start positions share nets.
fn family(game: &str) -> &str {
    match game {
        "chess960" => "chess",
        game => game,
    }
}
