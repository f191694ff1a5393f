//! The `[openings]` of a config, and the files it may name.

use std::path::Path;

use super::read::{Reader, beside, read_file};
use super::source::{ConfigError, Place};
use crate::eval::Evaluated;
use crate::eval::catalog::{GameId, GameTask};
use crate::play::Openings;

pub(super) fn read_openings(
    keys: &Reader<'_>,
    game: GameId,
    folder: Option<&Path>,
) -> Result<Openings, ConfigError> {
    let plies = keys.whole("plies", 0, 200)? as u32;
    match keys.text("source")? {
        "random" => Ok(Openings::Random { plies }),
        "start" => Ok(Openings::Start),
        file => {
            let place = &keys.node("source")?.place;
            let path = beside(folder, file);
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("epd" | "fen") => {}
                _ => {
                    return Err(ConfigError::at(
                        place,
                        format!("source = \"{file}\": expected random, start or a file .epd .fen"),
                    ));
                }
            }
            let text = read_file(&path).map_err(|error| ConfigError::at(place, error.message))?;
            let fens = game.dispatch(ReadPositions {
                text: &text,
                path: &path.display().to_string(),
            })?;
            Ok(Openings::Listed { fens })
        }
    }
}

/// Reads a list of positions, one a line; what follows the position on a line is ignored.
struct ReadPositions<'t> {
    text: &'t str,
    path: &'t str,
}

impl GameTask for ReadPositions<'_> {
    type Output = Result<Vec<String>, ConfigError>;

    fn run<G: Evaluated>(self) -> Self::Output {
        let mut fens = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let position = G::from_epd(line).map_err(|error| {
                let place = Place::File {
                    path: self.path.to_string(),
                    line: index + 1,
                };
                ConfigError::at(&place, error.to_string())
            })?;
            if let Some(outcome) = position.end() {
                let place = Place::File {
                    path: self.path.to_string(),
                    line: index + 1,
                };
                return Err(ConfigError::at(
                    &place,
                    format!(
                        "`{line}`: the game is over here ({}); remove the line",
                        outcome.reason.name()
                    ),
                ));
            }
            fens.push(position.fen());
        }
        if fens.is_empty() {
            return Err(ConfigError::bare(format!(
                "{}: holds no position",
                self.path
            )));
        }
        Ok(fens)
    }
}
