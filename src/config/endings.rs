//! How the games of a match may end: keys of `[match]` and `[adjudicate]`.

use std::path::Path;
use std::sync::Arc;

use super::read::{Reader, beside, mismatch};
use super::source::ConfigError;
use crate::eval::catalog::GameId;
use crate::eval::{STEPS, Score};
use crate::play::{
    Adjudication, Agree, DrawRules, Endings, MOST_MEN, Resign, ResignSides, TableEndings, Tables,
};

/// Reads the endings; `adjudicate` is `None` if the config has no such section.
pub(super) fn read_endings(
    matches: &Reader<'_>,
    adjudicate: Option<&Reader<'_>>,
    game: GameId,
    folder: Option<&Path>,
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
        tables: match adjudicate {
            Some(keys) => read_tables(keys, game, folder)?,
            None => None,
        },
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

/// Opens the tables of `adjudicate.syzygy`.
fn read_tables(
    keys: &Reader<'_>,
    game: GameId,
    folder: Option<&Path>,
) -> Result<Option<TableEndings>, ConfigError> {
    let given = keys.text("syzygy")?;
    if given.is_empty() {
        return Ok(None);
    }
    let node = keys.node("syzygy")?;
    if !game.facts().speaks_uci {
        return Err(mismatch(
            "syzygy",
            node,
            "no tables: they are for chess and chess960",
        ));
    }
    let most = match keys.whole("syzygy_pieces")? {
        0 => None,
        most => Some(usize::try_from(most).unwrap_or(MOST_MEN)),
    };
    if most.is_some_and(|most| most < 3) {
        let node = keys.node("syzygy_pieces")?;
        return Err(mismatch("syzygy_pieces", node, "3 to 7, or 0"));
    }
    let tables = Tables::open(&beside(folder, given), most).map_err(|error| {
        ConfigError::at(&node.place, format!("syzygy = {}: {error}", node.value))
    })?;
    Ok(Some(TableEndings {
        tables: Arc::new(tables),
        fifty_moves: keys.truth("syzygy_50")?,
    }))
}
