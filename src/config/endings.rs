//! How the games of a match may end: keys of `[match]` and `[adjudicate]`.

use super::read::Reader;
use super::source::ConfigError;
use crate::eval::{STEPS, Score};
use crate::play::{Adjudication, Agree, DrawRules, Endings, Resign, ResignSides};

/// Reads the endings; `adjudicate` is `None` if the config has no such section.
pub(super) fn read_endings(
    matches: &Reader<'_>,
    adjudicate: Option<&Reader<'_>>,
) -> Result<Endings, ConfigError> {
    let limit = |name: &str| {
        let plies = matches.whole(name)? as u32;
        Ok((plies > 0).then_some(plies))
    };
    Ok(Endings {
        draws: matches.choice("draws", &DrawRules::ALL, DrawRules::name)?,
        max_plies: limit("max_plies")?,
        no_progress_plies: limit("no_progress_plies")?,
        adjudication: adjudicate
            .map(read_adjudication)
            .transpose()?
            .unwrap_or_default(),
    })
}

fn read_adjudication(keys: &Reader<'_>) -> Result<Adjudication, ConfigError> {
    let moves = |name: &str| Ok(keys.whole(name)? as u32);
    let resign = Resign {
        sides: keys.choice("resign_by", &ResignSides::ALL, ResignSides::name)?,
        score: steps(keys, "resign_score")?,
        moves: moves("resign_moves")?,
    };
    let draw = Agree {
        score: steps(keys, "draw_score")?,
        moves: moves("draw_moves")?,
        after: keys.whole("draw_after")? as u32,
    };
    Ok(Adjudication {
        resign: (resign.score > 0).then_some(resign),
        draw: (draw.score > 0).then_some(draw),
    })
}

/// A bound in the evaluators' unit, as score steps.
fn steps(keys: &Reader<'_>, name: &str) -> Result<Score, ConfigError> {
    Ok((keys.number(name)? * f64::from(STEPS)).round() as Score)
}
