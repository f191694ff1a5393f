//! The `[openings]` of a config, and the files it may name.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::read::{Reader, beside, read_file};
use super::source::{ConfigError, Place};
use crate::eval::Evaluated;
use crate::eval::catalog::{GameId, GameTask};
use crate::games::{Game, NotationError};
use crate::play::Openings;
use crate::record::{CollectionKind, CollectionReader, ReadGame};

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
            let extension = path.extension().and_then(|extension| extension.to_str());
            let fens = match extension {
                Some("epd" | "fen") => {
                    let text =
                        read_file(&path).map_err(|error| ConfigError::at(place, error.message))?;
                    game.dispatch(ReadPositions {
                        text: &text,
                        path: &path.display().to_string(),
                    })?
                }
                Some("pgn" | "pdn") => game.dispatch(ReadGames {
                    path: &path,
                    named_at: place,
                    plies,
                })?,
                _ => {
                    return Err(ConfigError::at(
                        place,
                        format!(
                            "source = \"{file}\": expected random, start or a file \
                             .epd .fen .pgn .pdn"
                        ),
                    ));
                }
            };
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

/// Reads a collection of games and takes the position after the first plies of each. Positions
/// that several games share count once: the same opening again would be the same games again.
struct ReadGames<'t> {
    path: &'t Path,
    /// Where the config names the file.
    named_at: &'t Place,
    plies: u32,
}

impl GameTask for ReadGames<'_> {
    type Output = Result<Vec<String>, ConfigError>;

    fn run<G: Evaluated>(self) -> Self::Output {
        let shown = self.path.display().to_string();
        let kind = CollectionKind::from_extension(G::COLLECTION);
        let is_of_game = self.path.extension().is_some_and(|it| it == G::COLLECTION);
        let Some(kind) = kind.filter(|_| is_of_game) else {
            let message = format!(
                "{shown}: games of this kind are read from .{}",
                G::COLLECTION
            );
            return Err(ConfigError::at(self.named_at, message));
        };
        let file = File::open(self.path).map_err(|error| {
            ConfigError::at(self.named_at, format!("{shown}: cannot be read: {error}"))
        })?;
        let at = |line: usize, message: String| {
            let path = shown.clone();
            ConfigError::at(&Place::File { path, line }, message)
        };
        let mut fens = Vec::new();
        let mut seen = HashSet::new();
        for game in CollectionReader::new(BufReader::new(file), kind) {
            let game = game.map_err(|error| at(error.line(), error.message()))?;
            let position: G =
                replay(&game, self.plies).map_err(|error| at(error.line, error.message))?;
            if let Some(outcome) = position.end() {
                let message = format!(
                    "the game is over after its first moves ({}); remove it or take fewer plies",
                    outcome.reason.name()
                );
                return Err(at(game.line, message));
            }
            let fen = position.fen();
            if seen.insert(fen.clone()) {
                fens.push(fen);
            }
        }
        if fens.is_empty() {
            return Err(ConfigError::bare(format!("{shown}: holds no game")));
        }
        Ok(fens)
    }
}

/// A game that its rules do not allow, with the line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    pub line: usize,
    pub message: String,
}

/// The position after at most `plies` moves of a game, each checked by the rules. It begins at
/// the game's `FEN`, or at the usual start.
pub fn replay<G: Game>(game: &ReadGame, plies: u32) -> Result<G, ReplayError> {
    let wrong = |line: usize, error: NotationError| ReplayError {
        line,
        message: error.to_string(),
    };
    let mut position = match game.tag("FEN") {
        Some(fen) => G::from_fen(fen).map_err(|error| wrong(game.line, error))?,
        None => G::start(G::USUAL_START),
    };
    for mv in game.moves.iter().take(plies as usize) {
        let parsed = position.parse_move(&mv.text);
        position.play(parsed.map_err(|error| wrong(mv.line, error))?);
    }
    Ok(position)
}
